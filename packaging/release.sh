#!/bin/sh
# release.sh [OUT]: everything that is handed out, built and checked from a clean clone of the commit that is checked out, in OUT
# (dist/release): wheels of all systems, sdist, the npm package, the crate, Debian packages, sources, bill of materials, checksums. It stops at the first thing that is wrong.
#
# With a section of CHANGELOG.md for this version it is a release, and ends with the annotated tag vVERSION; without one, a rehearsal.
# A release needs what a rehearsal only mentions: the interface recorded in interface/baseline, the newest patch of Go, and
# vulnerabilities that were looked for (CCD_UNCHECKED=1 where it is known why they cannot be).
#
# CCD_RELEASE=DIR keeps the clone in DIR, and takes up there what was interrupted: stages that ended well on this very commit are not
# run again.
set -eu
{ # read whole before it runs: it runs for long, and the checkout may change meanwhile
root=$(cd "$(dirname "$0")/.." && pwd)
out=${1:-$root/dist/release}
[ -z "$(git -C "$root" status --porcelain)" ] || { echo "the checkout has changes that are not committed" >&2; exit 1; }
commit=$(git -C "$root" rev-parse HEAD)
version=$(sed -n 's/^project(ccd-toi VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
tag=v$version
release=yes
grep -q "^## $version" "$root/CHANGELOG.md" || release=
wrong() { # wrong WHAT: it stops a release, and is said in a rehearsal
    [ -z "$release" ] || { echo "$1" >&2; exit 1; }
    echo "for a release: $1"
}
if [ -n "$release" ]; then
    ! git -C "$root" rev-parse -q --verify "refs/tags/$tag" >/dev/null || { echo "$tag is there already" >&2; exit 1; }
else
    echo "CHANGELOG.md has no section $version: this is a rehearsal"
fi
cmp -s "$root/include/ccd.h" "$root/interface/baseline/ccd.h" ||
    wrong "include/ccd.h is not what interface/baseline records: sh capi/test/abi.sh build/libccd-toi.so.1 --record, and commit"

if [ -n "${CCD_RELEASE:-}" ]; then
    mkdir -p "$CCD_RELEASE"
    tmp=$(cd "$CCD_RELEASE" && pwd)
    [ "$(cat "$tmp/commit" 2>/dev/null)" = "$commit" ] || rm -rf "$tmp/ccd" "$tmp/done" "$tmp/commit"
else
    tmp=$(mktemp -d)
    trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
fi
[ -f "$tmp/commit" ] || { git clone -q "$root" "$tmp/ccd" && echo "$commit" >"$tmp/commit"; }
cd "$tmp/ccd"
CCD_DATA=${CCD_DATA:-$root/../shared/data}
export CCD_DATA

stage() { # stage COMMAND...: run it, say how long it took, and note that it is done
    if grep -qxF "$*" "$tmp/done" 2>/dev/null; then
        echo "== $*: was done before"
        return
    fi
    began=$(date +%s)
    echo "== $*"
    "$@"
    echo "== $*: $(($(date +%s) - began)) s"
    echo "$*" >>"$tmp/done"
}
stage bash .ci/run
stage make --no-print-directory test-long
stage .ci/tools release
stage .ci/tools platforms
for target in guest wheel deb wasm crate windows macos docs reproduce; do stage make --no-print-directory $target; done

# What is known to be vulnerable in Go is mended by its next patch.
go=$(go env GOVERSION)
newest=$(go list -m -versions golang.org/toolchain 2>/dev/null | tr ' ' '\n' |
    sed -n "s/^v0\.0\.1-\(${go%.*}\.[0-9]*\)\.linux-amd64\$/\1/p" | sort -V | tail -n 1)
[ "$go" = "${newest:-unknown}" ] || wrong "the newest patch of $go is ${newest:-unknown}: set GOTOOLCHAIN"
status=0
sh packaging/vulnerabilities.sh build/libccd-toi.so.1 || status=$?
case $status in
0) ;;
4) [ -n "${CCD_UNCHECKED:-}" ] || wrong "nobody looked for known vulnerabilities" ;;
*) exit 1 ;;
esac

sh packaging/gather.sh "$out"
if [ -n "$release" ]; then
    git -C "$root" tag -a "$tag" -m "libccd $version" "$commit"
    echo "tagged $tag"
else
    echo "rehearsed: nothing was tagged"
fi
exit
}

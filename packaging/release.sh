#!/bin/sh
# release.sh [OUT]: everything that is handed out, built and checked from a clean clone of the commit that is checked out, in OUT
# (dist/release): wheels, sdist, Debian packages, sources, bill of materials, checksums. It stops at the first thing that is wrong.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
out=${1:-$root/dist/release}
[ -z "$(git -C "$root" status --porcelain)" ] || { echo "the checkout has changes that are not committed" >&2; exit 1; }
version=$(sed -n 's/^project(ccd-toi VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
grep -q "^## $version" "$root/CHANGELOG.md" || echo "CHANGELOG.md has no section $version yet: this is a rehearsal"

tmp=$(mktemp -d)
trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
git clone -q "$root" "$tmp/ccd"
cd "$tmp/ccd"
CCD_DATA=${CCD_DATA:-$root/../shared/data}
export CCD_DATA
bash .ci/run
make guest wheel deb
sh packaging/reproduce.sh

vulnerabilities=golang.org/x/vuln/cmd/govulncheck@v1.1.4
if go run $vulnerabilities ./... >vulnerabilities.txt 2>&1; then
    echo "govulncheck: $(tail -n 1 vulnerabilities.txt)"
elif grep -qiE 'dial|lookup|forbidden|proxy|timeout|fetching|server' vulnerabilities.txt; then
    echo "govulncheck: its database cannot be reached from here; run it where it can"
else
    cat vulnerabilities.txt >&2
    exit 1
fi

mkdir -p "$out"
rm -f "$out"/*
cp dist/*.whl dist/*.tar.gz dist/deb/*.deb "$out"
go run ./packaging/sbom build/libccd-toi.so.1 >"$out/libccd-toi-$version.cdx.json"
git archive --prefix="ccd-toi-$version/" HEAD | gzip -9n >"$out/ccd-toi-$version-source.tar.gz"
(cd "$out" && sha256sum -- * >SHA256SUMS)
cat "$out/SHA256SUMS"

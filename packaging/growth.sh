#!/bin/sh
# growth.sh: print by how many bytes package gpu makes the library of a wheel larger, stripped and compressed, and fail from 200,000 on.
#
# It links the library twice: as it is, and with growth/gpu.go in place of package gpu (an overlay; the checkout stays as it is). The package in
# growth/ has the functions that package capi calls, and nothing else, so nothing of the real one is left for the linker to keep.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{
    printf '{"Replace": {"%s": "%s"' "$root/gpu/doc.go" "$root/packaging/growth/gpu.go"
    for file in "$root"/gpu/*.c "$root"/gpu/*.go; do
        case $file in */doc.go | *_test.go) ;; *) printf ', "%s": ""' "$file" ;; esac
    done
    printf '}}'
} >"$tmp/overlay.json"
sh "$root/capi/build.sh" "$tmp/with" stripped
GOFLAGS="${GOFLAGS:-} -overlay=$tmp/overlay.json" sh "$root/capi/build.sh" "$tmp/without" stripped
size() { gzip -9 -c "$1/libccd-toi.so.1" | wc -c; }
with=$(size "$tmp/with") without=$(size "$tmp/without")
echo "$((with - without)) bytes: $with with package gpu, $without without, compressed"
[ "$((with - without))" -lt 200000 ] || { echo "growth.sh: package gpu must add less than 200000 bytes to a wheel" >&2; exit 1; }

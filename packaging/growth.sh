#!/bin/sh
# growth.sh: print by how many bytes package gpu makes the library of a wheel larger, stripped and compressed, and fail from 200,000 on.
#
# It links the library twice: as it is, and with a gpu that has no drivers and no kernels (an overlay; the checkout stays as it is).
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
: >"$tmp/empty"
sed '/^\/\/go:build/d' "$root/gpu/device_none.go" >"$tmp/none.go"
{
    printf '{"Replace": {"%s": "%s"' "$root/gpu/device_none.go" "$tmp/none.go"
    for file in "$root"/gpu/*.c "$root"/gpu/*_cgo.go; do printf ', "%s": ""' "$file"; done
    for file in "$root"/gpu/kernels/* "$root"/simd/text/*.h; do printf ', "%s": "%s"' "$file" "$tmp/empty"; done
    printf '}}'
} >"$tmp/overlay.json"
sh "$root/capi/build.sh" "$tmp/with" stripped
GOFLAGS="${GOFLAGS:-} -overlay=$tmp/overlay.json" sh "$root/capi/build.sh" "$tmp/without" stripped
size() { gzip -9 -c "$1/libccd-toi.so.1" | wc -c; }
with=$(size "$tmp/with") without=$(size "$tmp/without")
echo "$((with - without)) bytes: $with with package gpu, $without without, compressed"
[ "$((with - without))" -lt 200000 ] || { echo "growth.sh: package gpu must add less than 200000 bytes to a wheel" >&2; exit 1; }

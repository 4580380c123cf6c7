#!/bin/sh
# build.sh OUT: link the C library into the folder OUT.
#
#   OUT/libccd-toi.so.1   the library; this name is its SONAME, so that it never meets the other libccd (libccd.so.2)
#   OUT/libccd.so         what -lccd finds: a link to it
#
# Flags of the build's own go in GOFLAGS, CGO_CFLAGS and the like, as for any Go program.
set -eu
test $# = 1 || { echo "usage: $0 OUT" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)

# Go's build cache knows nothing of headers outside the package: let a changed one change the flags.
header=$(cksum <"$here/../include/ccd.h" | tr ' ' _)
export CGO_ENABLED=1
export CGO_CFLAGS="${CGO_CFLAGS:--O2 -g} -DCCD_HEADER_$header"

cd "$here"
go build -trimpath -buildmode=c-shared -o "$out/libccd-toi.so.1" \
    -ldflags "-extldflags '-Wl,-soname,libccd-toi.so.1 -Wl,--version-script=$here/exports.map -Wl,-z,defs'" .
rm -f "$out/libccd-toi.so.h" "$out/libccd-toi.so.1.h" "$out/libccd-toi.h" # cgo's own header; include/ccd.h is the contract
ln -sf libccd-toi.so.1 "$out/libccd.so"

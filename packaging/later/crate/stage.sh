#!/bin/sh
# stage.sh OUT: the crate ccd-toi as crates.io would get it, in the folder OUT: bindings/rust with the declarations that a checkout generates
# (src/abi.rs), the licenses, and the sources of the library for the feature `bundled` (libccd/).
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
rm -rf "$1"
mkdir -p "$1/libccd"
out=$(cd "$1" && pwd)
cp -r "$root/bindings/rust/Cargo.toml" "$root/bindings/rust/build.rs" "$root/bindings/rust/README.md" "$root/bindings/rust/src" "$root/bindings/rust/tests" "$out"
cp "$root/LICENSE" "$root/packaging/third_party.txt" "$out"
cd "$root"
go run ./interface rust >"$out/src/abi.rs"
# What capi is made of: its packages' files for every platform, without tests. Cargo leaves out folders with a Cargo.toml only, not go.mod.
{
    echo go.mod
    echo go.sum
    echo include/ccd.h
    find capi -maxdepth 1 -type f ! -name '*_test.go'
    find core simd gpu -type f ! -name '*_test.go' ! -path '*/testdata/*' ! -path '*/_gen/*' ! -path 'core/ccdtest/*'
} | while read -r file; do
    mkdir -p "$out/libccd/$(dirname "$file")"
    cp "$file" "$out/libccd/$file"
done

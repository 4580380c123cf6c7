#!/bin/sh
# test.sh [bundled]: package the crate as for crates.io, without the network, run its tests from the packed sources with the library of this
# checkout's build/ (make lib), and put the package into dist/. `bundled` also builds the library from the sources in the package (some minutes).
# Nothing is published.
set -eu
cd "$(dirname "$0")/../../.."
root=$PWD
out=$root/build/crate
sh packaging/later/crate/stage.sh "$out/ccd-toi"
export CARGO_TARGET_DIR="$out/target"
cd "$out/ccd-toi"
cargo --version >/dev/null || { echo "cargo is not installed: the crate cannot be packed" >&2; exit 1; }
rm -rf "$CARGO_TARGET_DIR/package"
[ -f Cargo.lock ] || cargo generate-lockfile --offline -q
CCD_LIB_DIR=$root/build cargo package --offline --allow-dirty -q
crate=$(ls "$CARGO_TARGET_DIR"/package/*.crate)
size=$(wc -c <"$crate")
[ "$size" -lt 10000000 ] || { echo "$crate has $size bytes: crates.io takes 10 MB"; exit 1; }
rm -rf "$out/unpacked"
mkdir "$out/unpacked"
tar xzf "$crate" -C "$out/unpacked" --strip-components 1
cd "$out/unpacked"
CCD_LIB_DIR=$root/build LD_LIBRARY_PATH=$root/build cargo test --offline -q
echo "the crate packs into $size bytes, and its tests pass with the library of CCD_LIB_DIR"
if [ "${1:-}" = bundled ]; then
    cargo test --offline -q --features bundled
    echo "its tests pass with the bundled library"
fi
mkdir -p "$root/dist"
cp "$crate" "$root/dist"

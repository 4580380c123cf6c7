#!/bin/sh
# macos.sh [OUT]: build the library for macOS on arm64 and x86-64, and their wheels (in dist/), in the folder OUT (build/macos), and look at
# what can be seen without a Mac: the exported symbols, the load commands, the signature, and the layout of the interface. Nothing here can
# run them.
#
# OUT/result gets a line for each in the table of packaging/platforms.sh.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
mkdir -p "${1:-build/macos}"
out=$(cd "${1:-build/macos}" && pwd)
python=$root/.venv/bin/python
rm -f "$out/result"

wrong() {
    echo "$1" >&2
    exit 1
}

for processor in arm64 x86_64; do
    case $processor in x86_64) go=amd64 ;; *) go=$processor ;; esac
    export MAC=$processor
    GOOS=darwin GOARCH=$go CC="$root/packaging/macos/cc.sh" sh capi/build.sh "$out/$processor"
    library=$out/$processor/libccd-toi.1.dylib

    llvm-objdump --macho --exports-trie "$library" | sed -n 's/^0x[0-9A-F]* *_//p' | LC_ALL=C sort | diff capi/symbols.txt - >&2 ||
        wrong "$library does not export what capi/symbols.txt lists (< listed, > exported)"
    llvm-objdump --macho --private-headers "$library" >"$out/commands"
    has() { # has WHAT WORDS: one line has the words
        grep -q "$2" "$out/commands" || wrong "$library: $1"
    }
    has "the install name is not @rpath/libccd-toi.1.dylib" '^ *name @rpath/libccd-toi.1.dylib '
    has "the oldest system is not macOS 12, which Go needs" '^ *minos 12\.0$'
    has "there is no signature" LC_CODE_SIGNATURE
    needed=$(sed -n '/LC_LOAD_DYLIB/,/name/s/^ *name \(.*\) (.*/\1/p' "$out/commands" | tr '\n' ' ')
    [ "$needed" = "/usr/lib/libSystem.B.dylib " ] || wrong "$library needs $needed"
    # Newer systems refuse a segment of constants without this flag.
    if grep -q 'segname __DATA_CONST' "$out/commands"; then
        sed -n '/segname __DATA_CONST/,/flags/p' "$out/commands" | grep -q 'flags.*\(0x00000010\|SG_READ_ONLY\)' || wrong "$library: __DATA_CONST is not read-only"
    fi
    # The layout of every struct, by assertions of the compiler.
    packaging/macos/cc.sh -std=c11 -Iinclude -c capi/test/layout.c -o "$out/layout.o"

    (cd bindings/python && CCD_LIBRARY=$library "$python" -m hatchling build -t wheel -d "$root/dist") >"$out/wheel.log" 2>&1 ||
        { cat "$out/wheel.log" >&2; exit 1; }
    wheel=$(ls dist/ccd_toi-*-macosx_12_0_$processor.whl)
    "$python" -m zipfile -l "$wheel" | grep >/dev/null '^ccd/libccd-toi\.1\.dylib ' || wrong "$wheel does not hold the library"
    echo "$processor: exports the interface, needs libSystem alone, is signed; $wheel"
    echo "darwin/$go|zig, LLVM|not here: no Mac|structure only|-" >>"$out/result"
done

#!/bin/sh
# windows.sh [OUT]: build the library for Windows on x86-64 with MinGW, its CMake package and its wheel (in dist/), in the folder OUT
# (build/windows), and run what can be run under Wine: the C and C++ tests, a step of real size, the digests of all packages. The last
# two are compared with Linux's bit by bit.
#
# windows.sh OUT arm64: build for arm64 with zig (packaging/zig.sh), and look at what is built; nothing here can run it.
#
# OUT/result gets a line for the table of packaging/platforms.sh.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
mkdir -p "${1:-build/windows}"
out=$(cd "${1:-build/windows}" && pwd)
python=$root/.venv/bin/python

look() { # look FOLDER: the library exports the C interface and nothing else, and imports from the system and the C runtime alone
    llvm-readobj --coff-exports "$1/ccd-toi.dll" | sed -n 's/^  Name: //p' | LC_ALL=C sort | diff capi/symbols.txt - >&2 ||
        { echo "$1/ccd-toi.dll does not export what capi/symbols.txt lists (< listed, > exported)" >&2; exit 1; }
    imports=$(llvm-readobj --coff-imports "$1/ccd-toi.dll" | sed -n 's/^  Name: //p' | LC_ALL=C sort -u | tr '\n' ' ')
    for name in $imports; do
        case $name in
        KERNEL32.dll | msvcrt.dll | api-ms-win-crt-*.dll) ;;
        *) echo "$1/ccd-toi.dll imports $name" >&2; exit 1 ;;
        esac
    done
    for import in libccd-toi.dll.a ccd-toi.lib; do
        llvm-nm "$1/$import" 2>/dev/null | sed -n 's/.* T \(ccd_.*\)/\1/p' | LC_ALL=C sort -u | diff capi/symbols.txt - >&2 ||
            { echo "$1/$import does not offer what capi/symbols.txt lists" >&2; exit 1; }
    done
    echo "ccd-toi.dll exports the $(wc -l <capi/symbols.txt) functions of the interface and imports $imports"
}

wheel() { # wheel TAG LIBRARY
    rm -f dist/ccd_toi-*-"$1".whl
    (cd bindings/python && CCD_LIBRARY=$2 "$python" -m hatchling build -t wheel -d "$root/dist") >"$out/wheel.log" 2>&1 ||
        { cat "$out/wheel.log" >&2; exit 1; }
    "$python" -m zipfile -l dist/ccd_toi-*-"$1".whl | grep >/dev/null '^ccd/ccd-toi\.dll ' || { echo "no wheel for $1 that holds ccd-toi.dll" >&2; exit 1; }
    echo "$(ls dist/ccd_toi-*-"$1".whl)"
}

if [ "${2:-amd64}" = arm64 ]; then
    ZIG_TARGET=aarch64-windows-gnu GOOS=windows GOARCH=arm64 CC="$root/packaging/zig.sh" sh capi/build.sh "$out"
    look "$out"
    wheel win_arm64 "$out/ccd-toi.dll"
    echo "windows/arm64|zig|-|not run: no emulator here|-" >"$out/result"
    exit
fi

# ---- build ----------------------------------------------------------------------------------------------------------------

cross=x86_64-w64-mingw32
cmake -S . -B "$out/cmake" -DCMAKE_BUILD_TYPE=Release -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_SYSTEM_PROCESSOR=AMD64 \
    -DCMAKE_C_COMPILER=$cross-gcc -DCMAKE_CXX_COMPILER=$cross-g++ -DCMAKE_EXE_LINKER_FLAGS=-static -DCMAKE_FIND_ROOT_PATH=/usr/$cross \
    -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=ONLY \
    -DCMAKE_CROSSCOMPILING_EMULATOR="$root/packaging/windows/wine.sh" -DCCD_MAN=OFF >"$out/build.log" 2>&1 &&
    cmake --build "$out/cmake" -j2 >>"$out/build.log" 2>&1 || { cat "$out/build.log" >&2; exit 1; }
library=$out/cmake/lib/ccd-toi.dll
look "$out/cmake/lib"
wheel win_amd64 "$library"

# ---- tests, under Wine ------------------------------------------------------------------------------------------------------

export CCD_WINE="$out/wine" WINEPATH="Z:$out/cmake/lib"
ctest --test-dir "$out/cmake" --output-on-failure -j2 >"$out/ctest.log" 2>&1 || { cat "$out/ctest.log" >&2; exit 1; }
tests=$(sed -n 's/^100% tests passed, 0 tests failed out of \([0-9]*\)$/\1/p' "$out/ctest.log")
echo "$tests C and C++ tests pass under Wine"

# What is installed, moved elsewhere, and used by a program of somebody else's.
rm -rf "$out/first" "$out/prefix" "$out/consumer"
cmake --install "$out/cmake" --prefix "$out/first" >"$out/install.log"
mv "$out/first" "$out/prefix"
cmake -S capi/test/consumer -B "$out/consumer" -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_CXX_COMPILER=$cross-g++ -DCMAKE_C_COMPILER=$cross-gcc \
    -DCMAKE_EXE_LINKER_FLAGS=-static -DWAY=find_package -Dccd-toi_DIR="$out/prefix/lib/cmake/ccd-toi" >"$out/consumer.log" 2>&1 &&
    cmake --build "$out/consumer" >>"$out/consumer.log" 2>&1 || { cat "$out/consumer.log" >&2; exit 1; }
WINEPATH="Z:$out/prefix/bin" packaging/windows/wine.sh "$out/consumer/consumer_toi.exe"
echo "find_package(ccd-toi) works with MinGW"

# A step of real size: the same lines as on Linux.
sh packaging/step.sh frames "$out/frames" >"$out/frames.txt"
# shellcheck disable=SC2046 # two paths
set -- $(cat "$out/frames.txt")
sh packaging/step.sh want "$1" "$2" >"$out/want.txt"
$cross-gcc -std=c11 -O2 -Iinclude examples/c/step.c "$out/cmake/lib/ccd-toi.lib" -o "$out/step.exe" # MSVC's import library serves too
packaging/windows/wine.sh "$out/step.exe" "Z:$1" "Z:$2" | tr -d '\r' >"$out/step.txt"
cmp "$out/step.txt" "$out/want.txt"
echo "a step with $(sed -n 's/^impacts: //p' "$out/step.txt") impacts has the bits of Linux"

# The digests of all packages, at every level of SIMD of this machine.
GOOS=windows GOARCH=amd64 CGO_ENABLED=0 go build -o "$out/bits.exe" ./core/ccdtest/bits
go run ./core/ccdtest/bits >"$out/digests.txt"
for level in "" generic avx2; do
    CCD_SIMD=$level packaging/windows/wine.sh "$out/bits.exe" | tr -d '\r' | cmp - "$out/digests.txt"
done
echo "the digests of all packages are those of Linux"

status=0
python=$(sh packaging/windows/python.sh "$out/python" dist/ccd_toi-*-win_amd64.whl) || status=$?
echo "$python"
case $status in
0) passed=", $(echo "$python" | sed -n 's/^\([0-9]*\) passed.*/\1/p') Python" ;;
3) passed= ;;
*) exit 1 ;;
esac
echo "windows/amd64|MinGW|Wine|$tests C and C++$passed|step, digests" >"$out/result"

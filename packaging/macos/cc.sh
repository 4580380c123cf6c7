#!/bin/sh
# cc.sh ARGUMENT...: a C compiler for macOS that runs on Debian; MAC is the processor (arm64 or x86_64). It compiles with zig (ziglang of PyPI,
# in .venv), which brings the headers, and links with LLVM's ld64.lld, which knows lists of exported symbols and signs for arm64; zig's own
# linker does not know the lists. The .tbd files beside this one stand for what an SDK has: Go names these libraries and uses nothing of
# them. Constants go to __DATA: LLVM 14 makes a segment __DATA_CONST without a flag that macOS 26 demands of it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=$here/../../.venv/bin/python
compile=
for argument in "$@"; do
    case $argument in -c | -E | -S | -fsyntax-only) compile=yes ;; esac
done
if [ -n "$compile" ]; then
    case $MAC in arm64) processor=aarch64 ;; *) processor=$MAC ;; esac
    exec "$python" -m ziglang cc -target "$processor-macos.12.0" "$@"
fi
sdk=$here/../../build/macos/sdk
if ! [ -f "$sdk/libSystem.tbd" ]; then # LLVM 14 knows arm64 under this name only
    mkdir -p "$sdk"
    list=$("$python" -c 'import pathlib, ziglang; print(pathlib.Path(ziglang.__file__).parent)')/lib/libc/darwin/libSystem.tbd
    sed -z 's/,[ \n]*arm64e\.x1-[a-z]*//g; s/arm64e-/arm64-/g' "$list" >"$sdk/libSystem.$$"
    mv "$sdk/libSystem.$$" "$sdk/libSystem.tbd"
fi
exec clang --target="$MAC-apple-macos12.0" -fuse-ld=lld -nostdlib "$@" -L"$sdk" -L"$here" -F"$here" -lSystem -Wl,-adhoc_codesign,-dead_strip_dylibs,-no_data_const,-rename_segment,__DATA_CONST,__DATA

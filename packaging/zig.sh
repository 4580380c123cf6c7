#!/bin/sh
# zig.sh ARGUMENT...: zig's C compiler (ziglang of PyPI, in .venv) for the target ZIG_TARGET. Go and capi/build.sh pass flags for Windows that zig
# does not know, or, -static beside -shared, takes for the wish for a static library. It needs none of them: it exports what the .def file names.
here=$(cd "$(dirname "$0")" && pwd)
count=$#
while [ "$count" -gt 0 ]; do
    case $1 in
    -static | -Wl,--export-all-symbols | -Wl,--exclude-all-symbols | -Wl,-T,*fix_debug_gdb_scripts.ld) ;;
    *) set -- "$@" "$1" ;;
    esac
    shift
    count=$((count - 1))
done
exec "$here/../.venv/bin/python" -m ziglang cc -target "$ZIG_TARGET" "$@"

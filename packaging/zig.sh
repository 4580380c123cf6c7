#!/bin/sh
# zig.sh ARGUMENT...: zig's C compiler (ziglang of PyPI, in .venv) for the target ZIG_TARGET. Go passes some flags that zig does not know.
here=$(cd "$(dirname "$0")" && pwd)
exec "$here/../.venv/bin/python" -m ziglang cc -target "$ZIG_TARGET" "$@"

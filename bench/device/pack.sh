#!/bin/sh
# pack.sh OUT: the folder OUT with all that a machine with a graphics processor needs to check the library: check.py says how. The machine needs
# Python 3.10 or newer with NumPy; no Go, no compiler and no network. Run make lib first. Scenes are those of CCD_DATA, or ../shared/data, and a
# made one; without data made ones alone.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
rm -rf "$1"
mkdir -p "$1/python" "$1/scenes" "$1/examples" "$1/include"
out=$(cd "$1" && pwd)
cd "$root"
sh capi/build.sh "$root/build/stripped" stripped
cp build/stripped/libccd-toi.so.1 "$out"
cp -r bindings/python/ccd "$out/python"
find "$out/python" -name __pycache__ -prune -exec rm -r {} +
cp -r examples/device "$out/examples"
cp -r include/ccd "$out/include"
cp "$here/check.py" "$here/parts.py" LICENSE packaging/third_party.txt "$out"
CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o "$out/bits" ./core/ccdtest/bits
go build -trimpath -ldflags='-s -w' -o "$out/soak" ./core/ccdtest/soak
CCD_SIMD=generic "$out/bits" >"$out/bits.txt"
# The library before the driver, linked to an empty one of the driver's name, so that its calls are found there.
empty=$(mktemp -d)
trap 'rm -rf "$empty"' EXIT
echo 'int cuInit(unsigned flags) { return (int)flags; }' >"$empty/empty.c"
cc -shared -fPIC -Wl,-soname,libcuda.so.1 -o "$empty/libcuda.so" "$empty/empty.c"
cc -O2 -Wall -Wextra -shared -fPIC -o "$out/libtimes.so" "$here/times.c" -Wl,--no-as-needed -L"$empty" -lcuda -lpthread -ldl
"$root/.venv/bin/python" "$here/scenes.py" "$out/scenes"
git rev-parse --short=12 HEAD >"$out/commit" 2>/dev/null || echo unknown >"$out/commit"
size=$(du -sk "$out" | cut -f 1)
echo "$1: $size KiB; there: python3 check.py OUT"
[ "$size" -lt 61440 ] || { echo "the folder is larger than 60 MiB" >&2; exit 1; }

#!/bin/sh
# install.sh BUILD: install the CMake build in BUILD under a fresh prefix, move that elsewhere, and use it in three ways: with
# find_package, with pkg-config where that is installed, and with plain -lccd.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cmake --install "$1" --prefix "$tmp/first" >/dev/null
mv "$tmp/first" "$tmp/prefix" # what is installed may be moved
lib=$(dirname "$(find "$tmp/prefix" -name libccd.so)")
cxx=${CXX:-c++}

cmake -S "$here/consumer" -B "$tmp/consumer" -DCMAKE_PREFIX_PATH="$tmp/prefix" >/dev/null
cmake --build "$tmp/consumer" >/dev/null
"$tmp/consumer/consumer"
echo "find_package(ccd-toi) works"

"$cxx" -std=c++17 -I"$tmp/prefix/include" "$here/consumer/main.cpp" -L"$lib" -lccd -o "$tmp/plain"
LD_LIBRARY_PATH=$lib "$tmp/plain"
echo "-lccd works"

if command -v pkg-config >/dev/null; then
    # shellcheck disable=SC2046 # a list of flags
    "$cxx" -std=c++17 "$here/consumer/main.cpp" $(PKG_CONFIG_PATH=$lib/pkgconfig pkg-config --cflags --libs ccd-toi) -o "$tmp/pc"
    LD_LIBRARY_PATH=$lib "$tmp/pc"
    echo "pkg-config ccd-toi works"
else
    echo "pkg-config is not installed: ccd-toi.pc was not tried"
fi

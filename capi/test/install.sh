#!/bin/sh
# install.sh BUILD: install the CMake build in BUILD under a fresh prefix, move that elsewhere, and use it as others would: with
# find_package, pkg-config, plain -lccd and the archive. Then the sources: with add_subdirectory, and FetchContent on an archive.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cmake --install "$1" --prefix "$tmp/first" >/dev/null
mv "$tmp/first" "$tmp/prefix" # what is installed may be moved
lib=$(dirname "$(find "$tmp/prefix" -name libccd.so)")
cxx=${CXX:-c++}
for link in libccd.so libccd-toi.so; do
    [ "$(readlink "$lib/$link")" = libccd-toi.so.1 ] || { echo "$link does not lead to libccd-toi.so.1" >&2; exit 1; }
done
for file in share/man/man3/ccd.h.3 share/man/man3/ccd_step_earliest.3 share/ccd-toi/ccd.json share/ccd-toi/third_party.txt; do
    [ -s "$tmp/prefix/$file" ] || { echo "$file is not installed" >&2; exit 1; }
done

consumer() { # consumer WAY PROGRAM... [-- CMAKE ARGUMENTS]
    way=$1 programs=
    shift
    while [ $# -gt 0 ] && [ "$1" != -- ]; do programs="$programs $1"; shift; done
    [ $# = 0 ] || shift
    { cmake -S "$here/consumer" -B "$tmp/$way" -DWAY="$way" "$@" && cmake --build "$tmp/$way"; } >"$tmp/log" 2>&1 || {
        cat "$tmp/log" >&2
        exit 1
    }
    for program in $programs; do "$tmp/$way/$program"; done
    echo "$way works:$programs"
}
consumer find_package consumer_toi consumer_toi_static -- -DCMAKE_PREFIX_PATH="$tmp/prefix"
consumer add_subdirectory consumer_toi -- -DCCD_SOURCE="$root"

# As a release is packed: what git knows of, as it is now.
if git -C "$root" rev-parse >/dev/null 2>&1; then
    git -C "$root" ls-files | (cd "$root" && tar czf "$tmp/ccd-toi.tar.gz" --transform 's,^,ccd-toi/,' -T -)
    consumer FetchContent consumer_toi -- -DCCD_SOURCE="$tmp/ccd-toi.tar.gz"
else
    echo "not a git checkout: FetchContent was not tried"
fi

"$cxx" -std=c++17 -I"$tmp/prefix/include" "$here/consumer/main.cpp" -L"$lib" -lccd -o "$tmp/plain"
LD_LIBRARY_PATH=$lib "$tmp/plain"
echo "-lccd works"

if command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH="$lib/pkgconfig"
    # shellcheck disable=SC2046 # a list of flags
    "$cxx" -std=c++17 "$here/consumer/main.cpp" $(pkg-config --cflags --libs ccd-toi) -o "$tmp/pc"
    LD_LIBRARY_PATH=$lib "$tmp/pc"
    # shellcheck disable=SC2046
    "$cxx" -std=c++17 "$here/consumer/main.cpp" -static-pie $(pkg-config --static --cflags --libs ccd-toi) -o "$tmp/static" 2>"$tmp/log" ||
        { cat "$tmp/log" >&2; exit 1; }
    "$tmp/static"
    echo "pkg-config ccd-toi works, and --static"
else
    echo "pkg-config is not installed: ccd-toi.pc was not tried"
fi

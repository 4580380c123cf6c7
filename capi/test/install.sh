#!/bin/sh
# install.sh BUILD [OFF]: install the CMake build in BUILD under a fresh prefix, move that elsewhere, and use it as others
# would: with find_package, pkg-config and the archive, and with -lccd, the link for which is installed only when asked for.
# Then, unless OFF is given, the sources, from which the library is built again: add_subdirectory, FetchContent on an archive.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cmake --install "$1" --prefix "$tmp/first" >/dev/null
mv "$tmp/first" "$tmp/prefix" # what is installed may be moved
lib=$(dirname "$(find "$tmp/prefix" -name libccd-toi.so)")
cxx=${CXX:-c++}
ours() { # ours LINK: a link to the library
    [ "$(readlink "$1")" = libccd-toi.so.1 ] || { echo "$1 does not lead to libccd-toi.so.1" >&2; exit 1; }
}
ours "$lib/libccd-toi.so"
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
from_sources() {
    consumer add_subdirectory consumer_toi -- -DCCD_SOURCE="$root"

    # As a release is packed: what git knows of, as it is now.
    if git -C "$root" rev-parse >/dev/null 2>&1; then
        git -C "$root" ls-files | (cd "$root" && tar czf "$tmp/ccd-toi.tar.gz" --transform 's,^,ccd-toi/,' -T -)
        consumer FetchContent consumer_toi -- -DCCD_SOURCE="$tmp/ccd-toi.tar.gz"
    else
        echo "not a git checkout: FetchContent was not tried"
    fi
}
[ "${2:-ON}" = OFF ] || from_sources

# libccd.so has the name of another library's file: a prefix gets it from the component alone, or from CCD_LCCD, and another's stays.
[ ! -e "$lib/libccd.so" ] || { echo "libccd.so is installed, which nobody has asked for" >&2; exit 1; }
sub=${lib#"$tmp/prefix/"}
mkdir -p "$tmp/shared/$sub"
echo "another library's" >"$tmp/shared/$sub/libccd.so"
cmake --install "$1" --prefix "$tmp/shared" >/dev/null
if cmake --install "$1" --prefix "$tmp/shared" --component lccd >"$tmp/log" 2>&1 ||
    ! tr -s ' \n' ' ' <"$tmp/log" | grep -q "CCD_LCCD: .*libccd.so belongs to another library"; then
    echo "the component lccd takes another library's place" >&2
    exit 1
fi
[ "$(cat "$tmp/shared/$sub/libccd.so")" = "another library's" ] || { echo "another library's libccd.so is overwritten" >&2; exit 1; }
for round in first again; do
    cmake --install "$1" --prefix "$tmp/prefix" --component lccd >/dev/null || { echo "$round: lccd is not installed" >&2; exit 1; }
done
ours "$lib/libccd.so"
"$cxx" -std=c++17 -I"$tmp/prefix/include" "$here/consumer/main.cpp" -L"$lib" -lccd -o "$tmp/plain"
LD_LIBRARY_PATH=$lib "$tmp/plain"
cmake -S "$root" -B "$tmp/option" -DCCD_LCCD=ON -DCCD_BUILD_TESTS=OFF -DCCD_STATIC=OFF -DCCD_MAN=OFF >/dev/null
cp -a "$1/lib" "$tmp/option/lib" # built once is enough
cmake --install "$tmp/option" --prefix "$tmp/own" >/dev/null
ours "$tmp/own/$sub/libccd.so"
echo "-lccd works where libccd.so is asked for"

printf '#include <ccd/device.h>\nint main(void) { return ccd_device_check(); }\n' >"$tmp/device.c"
"${CC:-cc}" -std=c99 -O2 -I"$tmp/prefix/include" "$tmp/device.c" -o "$tmp/device" && "$tmp/device"
echo "ccd/device.h works without the library"

if command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH="$lib/pkgconfig"
    # shellcheck disable=SC2046 # a list of flags
    "$cxx" -std=c++17 "$here/consumer/main.cpp" $(pkg-config --cflags --libs ccd-toi) -o "$tmp/pc"
    LD_LIBRARY_PATH=$lib "$tmp/pc"
    # shellcheck disable=SC2046
    "$cxx" -std=c++17 "$here/consumer/main.cpp" $(pkg-config --cflags --libs ccd-toi) -Wl,-rpath,"$lib" -o "$tmp/pc"
    "$tmp/pc"
    # shellcheck disable=SC2046
    "$cxx" -std=c++17 "$here/consumer/main.cpp" -static-pie $(pkg-config --static --cflags --libs ccd-toi) -o "$tmp/static" 2>"$tmp/log" ||
        { cat "$tmp/log" >&2; exit 1; }
    "$tmp/static"
    echo "pkg-config ccd-toi works, and --static"
else
    echo "pkg-config is not installed: ccd-toi.pc was not tried"
fi

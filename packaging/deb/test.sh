#!/bin/sh
# test.sh DEBS: the packages in the folder DEBS unpack under a fresh root beside the other libccd's, with no file in common; a program
# builds and runs against what is there.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
root=$tmp/root
mkdir -p "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/info"
touch "$root/var/lib/dpkg/status" "$root/var/lib/dpkg/available"
dpkg --root="$root" --force-depends --force-not-root --log="$tmp/log" -i "$1"/libccd-toi1_*.deb "$1"/libccd-toi-dev_*.deb >"$tmp/out" 2>&1 ||
    { cat "$tmp/out" >&2; exit 1; }
(cd "$root" && find usr -not -type d | LC_ALL=C sort) >"$tmp/ours"

if dpkg -L libccd2 libccd-dev 2>/dev/null | sed 's,^/,,' | LC_ALL=C sort -u >"$tmp/theirs" && [ -s "$tmp/theirs" ]; then
    LC_ALL=C comm -12 "$tmp/ours" "$tmp/theirs" >"$tmp/common"
    [ ! -s "$tmp/common" ] || { echo "also in libccd2 or libccd-dev:" >&2; cat "$tmp/common" >&2; exit 1; }
    echo "no file in common with libccd2 and libccd-dev"
else
    echo "libccd-dev is not installed: its files were not compared"
fi

lib=$(dirname "$(find "$root/usr/lib" -name libccd-toi.so.1)")
"${CXX:-c++}" -std=c++17 -I"$root/usr/include" "$here/../../capi/test/consumer/main.cpp" -L"$lib" -lccd-toi -o "$tmp/program"
LD_LIBRARY_PATH=$lib "$tmp/program"
"${CXX:-c++}" -std=c++17 -I"$root/usr/include" "$here/../../capi/test/consumer/main.cpp" "$lib/libccd-toi.a" -lpthread -o "$tmp/static"
"$tmp/static"
[ -f "$root/usr/include/ccd/device.h" ]
echo "a program builds and runs against the installed packages"

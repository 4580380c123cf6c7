#!/bin/sh
# build.sh OUT: Debian packages in the folder OUT: libccd-toi1 with the shared library, libccd-toi-dev with headers, the archive,
# manual pages, CMake package and pkg-config file. They have no file in common with libccd2 and libccd-dev, the other libccd.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
version=$(sed -n 's/^project(ccd-toi VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
maintainer=${CCD_MAINTAINER:-libccd <libccd@localhost>}
arch=$(dpkg --print-architecture)
triple=$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || gcc -dumpmachine)
# The time that files carry: that of the last commit, so that the same sources give the same packages.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

cmake -S "$root" -B "$tmp/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_INSTALL_LIBDIR="lib/$triple" \
    -DCCD_BUILD_TESTS=OFF >/dev/null
cmake --build "$tmp/build" >/dev/null
DESTDIR="$tmp/all" cmake --install "$tmp/build" >/dev/null

lib=usr/lib/$triple
runtime=$tmp/libccd-toi1 dev=$tmp/libccd-toi-dev
mkdir -p "$runtime/$lib" "$dev"
cp -a "$tmp/all/usr" "$dev/"
mv "$dev/$lib/libccd-toi.so.1" "$runtime/$lib/"
rm -r "$dev/usr/share/ccd-toi/LICENSE" "$dev/usr/share/ccd-toi/third_party.txt" # they are the copyright file
strip --strip-unneeded "$runtime/$lib/libccd-toi.so.1"
strip --strip-debug --enable-deterministic-archives "$dev/$lib/libccd-toi.a"
chmod 644 "$runtime/$lib/libccd-toi.so.1"
find "$dev/usr/share/man" -name '*.3' -exec gzip -9n {} +

# The oldest glibc that has what the library asks for.
glibc=$(objdump -T "$runtime/$lib/libccd-toi.so.1" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1)

package() { # package FOLDER NAME DEPENDS SECTION DESCRIPTION, more of it on standard input
    docs=$1/usr/share/doc/$2
    mkdir -p "$docs" "$1/DEBIAN"
    {
        echo "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
        printf '\nFiles: *\nCopyright: %s\nLicense: Expat\n\n' "$(sed -n 's/^Copyright (c) //p' "$root/LICENSE")"
        echo "License: Expat"
        sed -e '1,4d' -e 's/^$/./' -e 's/^/ /' "$root/LICENSE"
        printf '\nComment: linked from software of others:\n'
        sed -e 's/^$/./' -e 's/^/ /' "$root/packaging/third_party.txt"
    } >"$docs/copyright"
    printf '%s (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- %s  %s\n' ccd-toi "$version" "$maintainer" \
        "$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$docs/changelog.gz"
    cat >"$1/DEBIAN/control" <<CONTROL
Package: $2
Source: ccd-toi
Version: $version
Architecture: $arch
Multi-Arch: same
Maintainer: $maintainer
Installed-Size: $(du -k -s --apparent-size "$1/usr" | cut -f1)
Depends: $3
Section: $4
Priority: optional
Description: $5
$(cat)
CONTROL
    (cd "$1" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
    chmod -R u=rwX,go=rX "$1"
    find "$1" -print0 | xargs -0 touch -h -d "@$SOURCE_DATE_EPOCH"
    dpkg-deb --root-owner-group --build "$1" "$out" >/dev/null
    echo "$out/${2}_${version}_$arch.deb"
}
printf 'activate-noawait ldconfig\n' >"$tmp/triggers"
mkdir -p "$runtime/DEBIAN"
cp "$tmp/triggers" "$runtime/DEBIAN/triggers"
printf 'libccd-toi 1 libccd-toi1 (>= %s)\n' "$version" >"$runtime/DEBIAN/shlibs"
package "$runtime" libccd-toi1 "libc6 (>= ${glibc#GLIBC_})" libs "continuous collision detection with proof, shared library" <<TEXT
 At what time two parts of a moving mesh first touch, and a proof of it: for
 simulators of cloth, solids and robots.
TEXT
package "$dev" libccd-toi-dev "libccd-toi1 (= $version)" libdevel "continuous collision detection with proof, development files" <<TEXT
 Headers for C and C++, a static archive, manual pages, a CMake package and a
 pkg-config file: link with -lccd-toi. It may be installed beside libccd-dev,
 which is another library.
TEXT

#!/bin/sh
# build.sh OUT [stripped | static]: link the C library into the folder OUT, for the system that GOOS names (default: this one).
#
#   linux    OUT/libccd-toi.so.1      the library; this name is its SONAME, so that it never meets the other libccd (libccd.so.2)
#            OUT/libccd-toi.so        what -lccd-toi finds: a link to it
#            OUT/libccd.so            what -lccd finds: another, for a prefix without the other library
#            OUT/libccd-toi.a         with `static`, this instead: one object of which only the C interface is visible
#   windows  OUT/ccd-toi.dll          the library
#            OUT/libccd-toi.dll.a     what MinGW links with, and OUT/ccd-toi.lib what MSVC does
#   darwin   OUT/libccd-toi.1.dylib   the library, for macOS 11 or newer; its install name is @rpath/libccd-toi.1.dylib
#            OUT/libccd-toi.dylib     what -lccd-toi finds: a link to it
#   freebsd  as linux
#
# With `stripped` the shared library for Linux has no debug information, as in a wheel: it is 40 % smaller when compressed. Go's traces keep
# their lines.
#
# Flags of the build's own go in GOFLAGS, CGO_CFLAGS and the like, as for any Go program; for another processor or system set GOARCH, GOOS
# and CC. The bits depend on the sources, the compilers and these flags alone: not on the folder, the time or the machine.
set -eu
case $#:${2:-} in
1: | 2:static | 2:stripped) ;;
*)
    echo "usage: $0 OUT [stripped | static]" >&2
    exit 2
    ;;
esac
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
cc=${CC:-$(go env CC)}
system=$(go env GOOS)

# Go's build cache knows nothing of headers outside the package: let a changed one change the flags.
header=$(cat "$here/../include/ccd.h" "$here/glibc.h" | cksum | tr ' ' _)
export CGO_ENABLED=1
export CGO_CFLAGS="${CGO_CFLAGS:--O2 -g} -DCCD_HEADER_$header"
cd "$here"
link() { # link MODE FILE LINKER-FLAGS
    go build -trimpath -buildvcs=false -buildmode="$1" -ldflags "-buildid= -extldflags '$3'" -o "$2" .
}

if [ "${2:-}" = static ]; then
    tmp=$(mktemp -d)
    trap 'rm -rf "$tmp"' EXIT
    link c-archive "$tmp/all.a" ""
    # Go's runtime and cgo's glue become local to one object, so that they meet nobody else's.
    tools=$($cc -dumpmachine)
    command -v "$tools-objcopy" >/dev/null && prefix=$tools- || prefix=
    if [ "$(printf '#include <stdlib.h>\n__GLIBC__\n' | $cc -E -P -xc - | tail -n 1)" = __GLIBC__ ]; then # musl: see start.c
        (cd "$tmp" && "${prefix}ar" x all.a go.o && "${prefix}objcopy" --rename-section .init_array=ccd_go_start go.o && "${prefix}ar" r all.a go.o)
    fi
    $cc -nostdlib -r -o "$tmp/ccd.o" -Wl,--whole-archive "$tmp/all.a"
    "${prefix}objcopy" --keep-global-symbols="$here/symbols.txt" "$tmp/ccd.o"
    rm -f "$out/libccd-toi.a"
    "${prefix}ar" rcsD "$out/libccd-toi.a" "$tmp/ccd.o"
    exit
fi

case $system in
windows)
    # Only what our .def file names is exported. Go passes another with its own functions, unless it meets --export-all-symbols, which
    # --exclude-all-symbols then undoes; and cgo declares them dllexport. -static: nothing of MinGW's own is needed at run time.
    export CGO_CFLAGS="$CGO_CFLAGS -Ddllexport=__unused__"
    tmp=$(mktemp -d)
    trap 'rm -rf "$tmp"' EXIT
    { printf 'LIBRARY ccd-toi.dll\nEXPORTS\n'; cat symbols.txt; } >"$tmp/ccd.def"
    link c-shared "$out/ccd-toi.dll" "-static -Wl,--export-all-symbols -Wl,--exclude-all-symbols $tmp/ccd.def"
    case $(go env GOARCH) in arm64) machine=arm64 ;; *) machine=i386:x86-64 ;; esac
    for import in libccd-toi.dll.a ccd-toi.lib; do "${DLLTOOL:-llvm-dlltool}" -m $machine -d "$tmp/ccd.def" -l "$out/$import"; done
    rm -f "$out/ccd-toi.h"
    ;;
darwin)
    sed 's/^/_/' symbols.txt >"$out/exports.txt"
    link c-shared "$out/libccd-toi.1.dylib" "-Wl,-install_name,@rpath/libccd-toi.1.dylib -Wl,-exported_symbols_list,$out/exports.txt"
    rm -f "$out/libccd-toi.1.h" "$out/exports.txt"
    ln -sf libccd-toi.1.dylib "$out/libccd-toi.dylib"
    ;;
*)
    # glibc.h: what is built on a new system runs on old ones, whose functions for threads are in a library of their own.
    export CGO_CFLAGS="$CGO_CFLAGS -include $here/glibc.h"
    old=
    for library in libpthread.so.0 libdl.so.2; do
        case $($cc -print-file-name=$library) in /*) old="$old -Wl,--no-as-needed,-l:$library,--as-needed" ;; esac
    done
    strip=
    [ "${2:-}" != stripped ] || strip=-Wl,--strip-debug
    link c-shared "$out/libccd-toi.so.1" "-Wl,-soname,libccd-toi.so.1 -Wl,--version-script=$here/exports.map -Wl,-z,defs -Wl,-z,now \
-Wl,-z,relro -Wl,--build-id=sha1 $strip$old"
    rm -f "$out/libccd-toi.so.h" "$out/libccd-toi.so.1.h" "$out/libccd-toi.h" # cgo's own header; include/ccd.h is the contract
    for name in libccd-toi.so libccd.so; do ln -sf libccd-toi.so.1 "$out/$name"; done
    ;;
esac

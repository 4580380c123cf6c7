#!/bin/sh
# linux.sh aarch64 | musl | freebsd [OUT]: build the library for another Linux or for FreeBSD in the folder OUT, and test what can be run.
#
#   aarch64  the C tests, a step of real size and the digests of all packages in qemu
#   musl     the static archive in static programs; with musl Go's shared library can be opened by nobody (docs/install.md)
#   freebsd  the core as Go code, and the shared library by zig; nothing here can run it
#
# OUT/result gets a line for the table of packaging/platforms.sh.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
mkdir -p "${2:-build/$1}"
out=$(cd "${2:-build/$1}" && pwd)

step() { # step RUN...: examples/c/step.c, built as OUT/step, prints what Linux on x86-64 prints
    frames=$(sh packaging/step.sh frames "$out/frames")
    # shellcheck disable=SC2086 # two paths
    sh packaging/step.sh want $frames >"$out/want.txt"
    # shellcheck disable=SC2086
    "$@" "$out/step" $frames | cmp - "$out/want.txt"
    echo "a step with $(sed -n 's/^impacts: //p' "$out/want.txt") impacts has the bits of Linux on x86-64"
}

case $1 in
aarch64)
    sh capi/test/cross.sh "$out" >"$out/tests.txt" 2>&1 || { cat "$out/tests.txt" >&2; exit 1; }
    cat "$out/tests.txt"
    tests=$(grep -c 'passes on aarch64' "$out/tests.txt") || { echo "no test ran on aarch64" >&2; exit 1; }
    aarch64-linux-gnu-gcc -std=c11 -O2 -Iinclude examples/c/step.c -o "$out/step" -L"$out" -lccd-toi -Wl,-rpath,"$out"
    step qemu-aarch64 -L /usr/aarch64-linux-gnu
    CGO_ENABLED=0 GOARCH=arm64 go build -o "$out/bits" ./core/ccdtest/bits
    go run ./core/ccdtest/bits >"$out/digests.txt"
    qemu-aarch64 "$out/bits" | cmp - "$out/digests.txt"
    echo "the digests of all packages are those of Linux on x86-64"
    echo "linux/arm64|gcc|qemu|$tests C|step, digests" >"$out/result"
    ;;
musl)
    CC=musl-gcc sh capi/build.sh "$out" static
    tests=0
    for test in smoke parts contacts scene proximity intervals least start rigid patch volume options environment threads fork; do
        musl-gcc -std=c11 -static -Iinclude "capi/test/$test.c" "$out/libccd-toi.a" -lm -o "$out/$test"
        "$out/$test"
        tests=$((tests + 1))
    done
    musl-gcc -std=c11 -O2 -static -Iinclude examples/c/step.c "$out/libccd-toi.a" -o "$out/step"
    step env
    echo "$tests C tests pass in static programs with musl"
    echo "linux/amd64, musl, static archive|musl-gcc|here|$tests C|step" >"$out/result"
    ;;
freebsd)
    for processor in amd64 arm64; do CGO_ENABLED=0 GOOS=freebsd GOARCH=$processor go build ./core/... ./simd/...; done
    echo "the core is built for FreeBSD"
    ZIG_TARGET=x86_64-freebsd.14.0 GOOS=freebsd GOARCH=amd64 CC="$root/packaging/zig.sh" sh capi/build.sh "$out"
    sh capi/test/symbols.sh "$out/libccd-toi.so.1"
    needed=$(readelf -d "$out/libccd-toi.so.1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p' | LC_ALL=C sort | tr '\n' ' ')
    [ "$needed" = "libc.so.7 libthr.so.3 " ] || { echo "$out/libccd-toi.so.1 needs $needed" >&2; exit 1; }
    echo "libccd-toi.so.1 exports the $(wc -l <capi/symbols.txt) functions of the interface and needs $needed"
    echo "freebsd/amd64|zig|not here: no FreeBSD|structure only|-" >"$out/result"
    ;;
*)
    echo "usage: $0 aarch64 | musl | freebsd [OUT]" >&2
    exit 2
    ;;
esac

#!/bin/sh
# cross.sh OUT: build the library for aarch64 in the folder OUT with Debian's cross compiler, hold its symbols against symbols.txt,
# and run the C tests on it in qemu. What is missing on this machine is said and left out.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
triple=aarch64-linux-gnu
command -v $triple-gcc >/dev/null || { echo "$triple-gcc is not installed: the library was not built for aarch64"; exit 0; }
GOARCH=arm64 CC=$triple-gcc sh "$here/../build.sh" "$1"
out=$(cd "$1" && pwd)
sh "$here/symbols.sh" "$out/libccd-toi.so.1" $triple-nm
echo "libccd-toi.so.1 is built for aarch64"

command -v qemu-aarch64 >/dev/null || { echo "qemu-aarch64 is not installed: the tests did not run on aarch64"; exit 0; }
for test in layout smoke parts options badinput environment threads fork; do
    $triple-gcc -std=c11 -I"$here/../../include" "$here/$test.c" -o "$out/$test" -L"$out" -lccd -lm -lpthread -Wl,-rpath,"$out"
    qemu-aarch64 -L /usr/$triple "$out/$test"
    echo "$test passes on aarch64"
done

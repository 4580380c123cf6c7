#!/bin/sh
# run.sh OUT [long]: hosts of many kinds load the library of build/: with handlers of their own, late, for a million calls, with
# sanitizers, under valgrind, beside FCL. Without `long` the short ones only. What is not installed is said and left out.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
library=$root/build/libccd-toi.so.1
mkdir -p "$1"
out=$(cd "$1" && pwd)
cc=${CC:-cc}
link="-L$root/build -lccd-toi -lpthread -lm -Wl,-rpath,$root/build"

program() { # program NAME SOURCE FLAGS...
    binary=$out/$1 source=$2
    shift 2
    # shellcheck disable=SC2086 # a list of flags
    $cc -std=gnu11 -O1 -g -Wall -Wextra -Werror -I"$root/include" "$source" -o "$binary" "$@" $link -ldl
}
for name in signals loading memory manners; do program $name "$here/$name.c"; done
"$out/signals" "$library"
"$out/signals" "$library" after
echo "a host's handlers of signals are kept, installed before or after"
"$out/loading" "$library"
echo "loaded late, first called twice at once, closed and loaded again"
program plugin "$here/plugin.c"
program plugin.so "$root/capi/test/environment.c" -Dmain=plugin_main -shared -fPIC
"$out/plugin" "$out/plugin.so"
echo "loaded by a plugin, on a thread that rounds upward and flushes denormals: the same bits"
if localedef -i de_DE -f UTF-8 "$out/de_DE.UTF-8" 2>/dev/null; then export LOCPATH="$out"; fi
for host in $("$out/manners"); do "$out/manners" "$library" "$host"; done
LD_BIND_NOW=1 "$out/manners" "$library" small_stacks
unset LOCPATH
echo "hosts with" $("$out/manners" | tr '_\n' ' ,') "LD_BIND_NOW: answers as ever, and nothing of the host's is changed"
program machine "$here/machine.c"
program processors "$here/processors.c"
sh "$here/quota.sh" "$out/machine" "$out/processors" "$out/quota"
(ulimit -v 2097152 && "$out/memory" "$library" 50000) # KiB: Go reserves address space, some 700 MiB of it, which is not memory
[ "${2:-}" = long ] || exit 0

"$out/memory" "$library" 1000000
(cd "$root" && go run ./interface misuse) >"$out/misuse_table.h"
# The thread sanitizer does not see what passes between threads inside of the library, and takes a callback for a race: no callbacks.
for sanitizer in address undefined thread; do
    for name in threads $([ $sanitizer = thread ] || echo smoke misuse); do
        if program "$name-$sanitizer" "$root/capi/test/$name.c" -I"$out" -fsanitize=$sanitizer 2>"$out/log"; then
            (cd "$out" && "./$name-$sanitizer")
            echo "$name runs in a host with -fsanitize=$sanitizer"
        else
            echo "$cc has no -fsanitize=$sanitizer"
        fi
    done
done

if command -v valgrind >/dev/null; then
    program smoke "$root/capi/test/smoke.c"
    # Not through vector kernels: there valgrind loses track of what is initialized.
    CCD_SIMD=generic valgrind -q --suppressions="$here/valgrind.supp" --error-exitcode=9 "$out/smoke" 2>"$out/log" || { cat "$out/log"; exit 1; }
    echo "a host runs under valgrind"
else
    echo "valgrind is not installed"
fi

if [ -f /usr/include/fcl/fcl.h ]; then
    # shellcheck disable=SC2086
    ${CXX:-c++} -std=c++17 -I"$root/include" -I"$root/bindings/cpp/include" -I/usr/include/eigen3 "$here/fcl.cpp" -o "$out/fcl" \
        -lfcl -l:libccd.so.2 $link # build/ has a libccd.so too, which is ours
    "$out/fcl"
    ldd "$out/fcl" | grep -q 'libccd\.so\.2' && ldd "$out/fcl" | grep -q 'libccd-toi\.so\.1'
    echo "FCL works in the same process, with its own libccd"
else
    echo "FCL is not installed"
fi

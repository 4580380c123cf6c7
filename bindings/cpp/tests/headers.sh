#!/bin/sh
# headers.sh: every public header compiles on its own and without a warning: ccd.h as C99 and C++17, each header of the C++ binding
# and of the drop-in interfaces as C++17. Then the tests of both, whose code uses the templates. With the default compiler, and with
# GCC and Clang where they are installed. What needs Eigen is left out where there is none.
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
cd "$root"
warnings="-Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Werror -pedantic -fsyntax-only"
cc=${CC:-cc} cxx=${CXX:-c++}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

eigen=
for folder in $(pkg-config --cflags-only-I eigen3 2>/dev/null | tr -d '\n' | sed 's/-I//g') /usr/include/eigen3; do
    if [ -f "$folder/Eigen/Core" ]; then eigen=$folder; fi
done

check() { # check COMPILER FILE ARGUMENTS...
    compiler=$1 file=$2
    shift 2
    # shellcheck disable=SC2086 # a list of flags
    "$compiler" $warnings "$@" "$file" >"$log" 2>&1 || {
        echo "$compiler: $file does not compile on its own without warnings:" >&2
        head -n 20 "$log" >&2
        exit 1
    }
}

# Compilers that are one program under several names, or not there, are tried once, or not at all.
compilers() { # compilers NAME...
    for name in "$@"; do command -v "$name" >/dev/null && readlink -f "$(command -v "$name")"; done | awk '!seen[$0]++'
}

for compiler in $(compilers "$cc" gcc clang); do check "$compiler" include/ccd.h -std=c99 -x c; done
compat=bindings/cpp/compat
ours="-std=c++17 -Iinclude -Ibindings/cpp/include"
theirs="-isystem $eigen -I$compat/include -Ibindings/cpp/tests -I$compat/tests"
# shellcheck disable=SC2086
for compiler in $(compilers "$cxx" g++ clang++); do
    for header in include/ccd.h bindings/cpp/include/ccd/*.hpp; do check "$compiler" "$header" $ours -DCCD_NO_EIGEN -x c++; done
    for test in bindings/cpp/tests/*.cpp; do check "$compiler" "$test" $ours -DCCD_NO_EIGEN -DEXPECT_EIGEN=0; done
    if [ -z "$eigen" ]; then continue; fi
    check "$compiler" bindings/cpp/tests/faces.cpp $ours -isystem "$eigen" -DEXPECT_EIGEN=1
    if [ "$compiler" = "$(readlink -f "$(command -v "$cxx")")" ]; then # Eigen is slow: whether they stand alone is no compiler's matter
        for header in $(find $compat/include -name '*.hpp'); do
            check "$compiler" "$header" $ours $theirs -I$compat/tests/ipc_double -x c++
        done
        for header in $(find $compat/tight_inclusion $compat/scalable_ccd $compat/ccd_wrapper $compat/ctcd -name '*.h' -o -name '*.hpp'); do
            folder=${header#$compat/}
            check "$compiler" "$header" $ours $theirs -I"$compat/${folder%%/*}" -x c++
        done
    fi
    for interface in tight_inclusion scalable_ccd ccd_wrapper ctcd; do
        for test in $compat/tests/$interface*.cpp; do check "$compiler" "$test" $ours $theirs -I$compat/$interface; done
    done
done
if [ -z "$eigen" ]; then echo "Eigen is not installed: the headers that need it were not checked"; fi

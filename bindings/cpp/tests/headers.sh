#!/bin/sh
# headers.sh: every public header compiles on its own and without a warning: ccd.h as C99 and C++17, ccd/device.h as C99 and C++11, each header of the C++ binding
# and of the drop-in interfaces as C++17. With the default compiler; those that need no Eigen with GCC and Clang too, where they are
# installed. Templates are compiled under the same warnings in the tests that use them. Once more all together after macros.hpp, which
# defines what programs define.
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
cd "$root"
cc=${CC:-cc} cxx=${CXX:-c++}

eigen=
for folder in $(pkg-config --cflags-only-I eigen3 2>/dev/null | tr -d '\n' | sed 's/-I//g') /usr/include/eigen3; do
    if [ -f "$folder/Eigen/Core" ]; then eigen=$folder; fi
done

# Compilers that are one program under several names, or not there, are tried once, or not at all.
compilers() { # compilers NAME...
    for name in "$@"; do command -v "$name" >/dev/null && readlink -f "$(command -v "$name")"; done | awk '!seen[$0]++'
}

compat=bindings/cpp/compat
cpp="-std=c++17 -Iinclude -Ibindings/cpp/include -x c++"
commands() { # one a line: a compiler, its arguments, a header
    for compiler in $(compilers "$cc" gcc clang); do for header in ccd.h ccd/device.h; do echo "$compiler -std=c99 -x c include/$header"; done; done
    for compiler in $(compilers "$cxx" g++ clang++); do
        for header in include/ccd.h bindings/cpp/include/ccd/*.hpp; do echo "$compiler $cpp -DCCD_NO_EIGEN $header"; done
        echo "$compiler -std=c++11 -x c++ include/ccd/device.h"
    done
    hostile=-include\ bindings/cpp/tests/macros.hpp
    if [ -z "$eigen" ]; then
        echo "$cxx $cpp -DCCD_NO_EIGEN $hostile bindings/cpp/include/ccd/ccd.hpp"
        return
    fi
    theirs="$cpp -isystem $eigen -I$compat/include -I$compat/tight_inclusion/v1.0.0 -I$compat/tests/ipc_double"
    echo "$cxx $cpp -isystem $eigen bindings/cpp/include/ccd/ccd.hpp"
    for header in $(find bindings/cpp/include $compat/include $compat/scalable_ccd $compat/ccd_wrapper $compat/ctcd $compat/tight_inclusion -name '*.h' -o -name '*.hpp'); do
        hostile="$hostile -include $header"
    done
    echo "$cxx $theirs $(printf -- '-I%s ' $compat/tight_inclusion $compat/scalable_ccd $compat/ccd_wrapper $compat/ctcd) $hostile include/ccd/device.h"
    for folder in include tight_inclusion scalable_ccd ccd_wrapper ctcd; do
        for header in $(find $compat/$folder -name '*.h' -o -name '*.hpp'); do echo "$cxx $theirs -I$compat/$folder $header"; done
    done
}

check='$0 "$@" -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Werror -pedantic -fsyntax-only || {
    echo "it does not compile on its own without warnings: $0 $*" >&2
    exit 255
}'
commands | xargs -P "$(nproc)" -L 1 sh -c "$check"
if [ -z "$eigen" ]; then echo "Eigen is not installed: the headers that need it were not checked"; fi

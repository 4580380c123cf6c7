#!/bin/sh
# run.sh BUILD: configure, build and run the C and C++ tests in the folder BUILD. CC and CXX choose the compilers of the tests.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
log=$1/build.log
{
    cmake -S "$root" -B "$1" -DCMAKE_BUILD_TYPE=RelWithDebInfo
    unset CC CXX # the library is built by the same compiler for all
    cmake --build "$1" -j2
} >"$log" 2>&1 || {
    cat "$log"
    exit 1
}
ctest --test-dir "$1" --output-on-failure

#!/bin/sh
# run.sh BUILD: configure, build and run the C and C++ tests in the folder BUILD. CC and CXX choose the compilers of the tests.
# Where the checkout's .venv has ipctk, the adapters for ipc-toolkit are tested with the headers of its wheel too.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
log=$1/build.log
{
    release=$(find "$root"/.venv/lib/python3*/site-packages/ipc/ccd -name narrow_phase_ccd.hpp 2>/dev/null | head -n 1)
    cmake -S "$root" -B "$1" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCCD_IPC_TOOLKIT="${release%/ipc/ccd/*}"
    unset CC CXX # the library is built by the same compiler for all
    cmake --build "$1" -j2
} >"$log" 2>&1 || {
    cat "$log"
    exit 1
}
ctest --test-dir "$1" --output-on-failure -j2

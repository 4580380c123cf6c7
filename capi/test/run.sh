#!/bin/sh
# run.sh BUILD [CMAKE ARGUMENTS]: configure, build and run the C and C++ tests in the folder BUILD. CC and CXX choose the compilers of the tests.
# They are optimized as users build, or as OPTIMIZE says, without debug information, which took a quarter (GCC) to half (Clang) of the time.
# Where the checkout's .venv has ipctk, the adapters for ipc-toolkit are tested with the headers of its wheel too.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$1
optimize=${OPTIMIZE:--O2}
shift
command -v cmake >/dev/null || { echo "cmake is not installed (make tools): the C and C++ tests were not built"; exit 0; }
mkdir -p "$build"
log=$build/build.log
{
    release=$(find "$root"/.venv/lib/python3*/site-packages/ipc/ccd -name narrow_phase_ccd.hpp 2>/dev/null | head -n 1)
    cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Test -DCMAKE_C_FLAGS_TEST="$optimize -DNDEBUG" -DCMAKE_CXX_FLAGS_TEST="$optimize -DNDEBUG" \
        -DCCD_IPC_TOOLKIT="${release%/ipc/ccd/*}" "$@"
    unset CC CXX # the library is built by the same compiler for all
    cmake --build "$build" -j2
} >"$log" 2>&1 || {
    cat "$log"
    exit 1
}
ctest --test-dir "$build" --output-on-failure -j2

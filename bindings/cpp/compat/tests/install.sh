#!/bin/sh
# install.sh BUILD: install the CMake build in BUILD under a fresh prefix, move that elsewhere, and let a project that knows only
# find_package build and run against each drop-in header.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cmake --install "$1" --prefix "$tmp/first" >/dev/null
mv "$tmp/first" "$tmp/prefix" # what is installed may be moved
cmake -S "$here/consumer" -B "$tmp/consumer" -DCMAKE_PREFIX_PATH="$tmp/prefix" -DIPC_DOUBLE="$here/ipc_double" \
    -DSPDLOG_DOUBLE="$here/spdlog_double" >/dev/null
cmake --build "$tmp/consumer" >/dev/null
for name in tight_inclusion scalable_ccd ccd_wrapper ctcd ipc_toolkit; do
    "$tmp/consumer/$name"
    echo "ccd::compat_$name works"
done

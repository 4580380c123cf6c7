#!/bin/sh
# abi.sh LIBRARY: a program that was compiled with the header of the last release (the last tag v*) runs with this library: told from
# the two headers, and, where abidiff is installed, from the two libraries.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
tag=$(git describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null) || { echo "no release yet: there is no interface to keep to"; exit 0; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
git show "$tag:include/ccd.h" >"$tmp/ccd.h"
go run ./interface against "$tmp/ccd.h"
echo "include/ccd.h keeps what it promised in $tag"

command -v abidiff >/dev/null || { echo "abidiff is not installed: the libraries were not compared"; exit 0; }
mkdir "$tmp/old"
git archive "$tag" | tar x -C "$tmp/old"
sh "$tmp/old/capi/build.sh" "$tmp/build"
# 4: something has changed; 8: something that breaks. What is new is no change to those who do not know it.
status=0
abidiff --no-added-syms --headers-dir1 "$tmp/old/include" --headers-dir2 include --drop-private-types \
    "$tmp/build/libccd-toi.so.1" "$1" >"$tmp/diff" || status=$?
[ $((status & 11)) = 0 ] || { cat "$tmp/diff" >&2; exit 1; }
echo "abidiff finds nothing that breaks since $tag"

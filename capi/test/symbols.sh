#!/bin/sh
# symbols.sh LIBRARY [NM]: the library exports the symbols of symbols.txt and no other, under its SONAME. All symbols that it takes from
# others are bound when it is loaded (-z now), so that the table of their addresses is read-only from then on (-z relro). Its C code
# checks that nothing wrote over the end of an array on the stack (-fstack-protector-strong).
set -eu
list=$(dirname "$0")/../symbols.txt
found=$("${2:-nm}" -D --defined-only "$1" | awk '{ print $3 }' | LC_ALL=C sort)
declared=$(LC_ALL=C sort "$list")
if [ "$found" != "$declared" ]; then
    echo "$1 does not export what $list says (< declared, > exported):" >&2
    tmp=$(mktemp)
    trap 'rm -f "$tmp"' EXIT
    echo "$declared" >"$tmp"
    echo "$found" | diff "$tmp" - >&2
    exit 1
fi
readelf -d "$1" | grep -q 'SONAME.*\[libccd-toi\.so\.1\]' || { echo "$1: the SONAME is not libccd-toi.so.1" >&2; exit 1; }
readelf -d "$1" | grep -q '(FLAGS_1).*\bNOW\b' || { echo "$1: symbols are bound at their first call: link with -z now" >&2; exit 1; }
"${2:-nm}" -D --undefined-only "$1" | grep -q ' __stack_chk_fail' || { echo "$1: its C has no stack protector: compile with -fstack-protector-strong" >&2; exit 1; }
readelf -lW "$1" | grep -q GNU_RELRO || { echo "$1: no part is read-only after loading: link with -z relro" >&2; exit 1; }

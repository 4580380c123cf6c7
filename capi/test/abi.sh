#!/bin/sh
# abi.sh LIBRARY: a program that was compiled with the header of the last release runs with this library: told from the two headers,
# and, where abidiff is installed, from what was recorded of the two libraries. interface/baseline holds the last release's header and
# the record of its library; before the first release, the interface that it is to have.
#
# abi.sh LIBRARY --record writes both from what is here. Only a release does so (CONTRIBUTING.md).
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
library=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$root"
header=interface/baseline/ccd.h record=interface/baseline/libccd-toi.abi

if [ "${2:-}" = --record ]; then
    abidw --headers-dir include --drop-private-types --drop-undefined-syms --exported-interfaces-only --no-corpus-path \
        --no-comp-dir-path --no-show-locs --no-elf-needed --no-parameter-names --out-file "$record" "$library"
    cp include/ccd.h "$header"
    exit
fi

version=$(sed -n 's/^#define CCD_VERSION //p' "$header")
go run ./interface against "$header"
echo "include/ccd.h keeps what version $version promises"

command -v abidiff >/dev/null || { echo "abidiff is not installed: the libraries were not compared"; exit 0; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# A struct that begins with its size may grow at its end; nothing else may change. What is new is no change to who does not know it.
awk '/^typedef struct/ { name = $3 }
    /^ *size_t struct_size/ { printf "[suppress_type]\n name = %s\n has_data_member_inserted_at = end\n\n", name }' \
    include/ccd.h >"$tmp/growth"
compare() { # compare RECORD: to this library
    abidiff --leaf-changes-only --harmless --no-added-syms --no-architecture --suppressions "$tmp/growth" "$1" "$library"
}
compare "$record" >"$tmp/diff" || { cat "$tmp/diff" >&2; exit 1; }

# The comparison itself is tried: on records of a function that is gone, of a struct and of a type that were others.
tried() { # tried WHAT SED-SCRIPT
    sed "$2" "$record" >"$tmp/other"
    ! cmp -s "$record" "$tmp/other" || { echo "abi.sh: there is nothing to alter for $1" >&2; exit 1; }
    if compare "$tmp/other" >"$tmp/diff"; then
        echo "abidiff does not see $1" >&2
        exit 1
    fi
}
tried "a function that is gone" 's/ccd_pair_vertex_face/ccd_pair_gone/g'
tried "a struct of another size" "s/\(class-decl name='ccd_impact' size-in-bits='\)960/\11024/"
tried "a member of another name" "s/var-decl name='toi_lo'/var-decl name='toi'/"
tried "a function of another result" "/function-decl name='ccd_version'/,/function-decl>/s/return type-id='[^']*'/return type-id='type-id-1'/"
echo "abidiff finds nothing that breaks since version $version, and sees what would"

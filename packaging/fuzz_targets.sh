#!/bin/sh
# fuzz_targets.sh: every native Go fuzz target: its package, its function and a name for its program. Run it in the root of the checkout.
set -eu
grep -rlE '^func Fuzz[A-Z0-9]\w*\(f \*testing\.F\)' --include='*_test.go' core gpu simd capi ./*_test.go | sed 's|^\./||' | LC_ALL=C sort | while read -r file; do
    sed -nE 's/^func (Fuzz[A-Z0-9][A-Za-z0-9_]*)\(f \*testing\.F\).*/\1/p' "$file" | while read -r function; do
        folder=$(dirname "$file")
        case $folder in
        .) echo "ccd $function ccd_$function" ;;
        *) echo "ccd/$folder $function $(echo "${folder}_$function" | tr / _)" ;;
        esac
    done
done

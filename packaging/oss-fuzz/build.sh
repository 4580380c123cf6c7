#!/bin/bash -eu
# build.sh: every native Go fuzz target as OSS-Fuzz builds it: by its second builder, for the first compiles no helper that stands in
# another file of the tests. With --list the targets are printed: package, function, program.
targets() {
    grep -rlE '^func Fuzz[A-Z0-9]\w*\(f \*testing\.F\)' --include='*_test.go' core gpu simd capi ./*_test.go | sed 's|^\./||' | LC_ALL=C sort | while read -r file; do
        sed -nE 's/^func (Fuzz[A-Z0-9][A-Za-z0-9_]*)\(f \*testing\.F\).*/\1/p' "$file" | while read -r function; do
            folder=$(dirname "$file")
            case $folder in
            .) echo "ccd $function ccd_$function" ;;
            *) echo "ccd/$folder $function $(echo "${folder}_$function" | tr / _)" ;;
            esac
        done
    done
}
if [ "${1:-}" = --list ]; then
    targets
    exit
fi
printf 'package ccd\nimport _ "github.com/AdamKorcz/go-118-fuzz-build/testing"\n' >oss_fuzz.go
go get github.com/AdamKorcz/go-118-fuzz-build/testing
targets | while read -r package function program; do
    compile_native_go_fuzzer_v2 "$package" "$function" "$program"
done

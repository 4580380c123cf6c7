#!/bin/bash -eu
# build.sh: every native Go fuzz target as OSS-Fuzz builds it: by its second builder, for the first compiles no helper that stands in
# another file of the tests.
printf 'package ccd\nimport _ "github.com/AdamKorcz/go-118-fuzz-build/testing"\n' >oss_fuzz.go
go get github.com/AdamKorcz/go-118-fuzz-build/testing
sh packaging/fuzz_targets.sh | while read -r package function program; do
    compile_native_go_fuzzer_v2 "$package" "$function" "$program"
done

# libccd. `make demo` and `make test` do everything on a fresh Debian machine with Go, Python 3 and a C++ compiler.
.PHONY: bench check generated lib soak

# The C library, in build/: libccd-toi.so.1 and libccd.so.
lib:
	sh capi/build.sh build

check: generated
	@test -z "$$(gofmt -l bench core capi simd 2>/dev/null)" || { gofmt -l bench core capi simd; echo "gofmt: the files above are not formatted"; exit 1; }
	go vet ./...
	go test ./core/
	$(CC) -std=c99 -Wall -Wextra -Werror -pedantic -fsyntax-only -x c include/ccd.h
	$(CXX) -std=c++17 -Wall -Wextra -Werror -fsyntax-only -x c++ include/ccd.h

# The assembly in simd must be what its generator writes.
generated:
	@out=$$(mktemp -d) && trap 'rm -rf "$$out"' EXIT && go -C simd/_gen run . -dir "$$out" && \
	for f in "$$out"/*; do cmp "$$f" simd/$$(basename "$$f") || { echo "simd: run 'go generate ./simd'"; exit 1; }; done

# Our methods beside the field's: bench/reports and docs/graded.md. BENCH="--quick" for a short run.
bench: lib
	.venv/bin/python -m pip install --quiet -r bench/requirements.txt
	.venv/bin/python bench/run.py $(BENCH)

# Every method on every family of queries against the exact judge, for DURATION, on all cores. Cases go to build/soak.
DURATION ?= 1m
soak:
	go run ./core/ccdtest/soak -duration $(DURATION)

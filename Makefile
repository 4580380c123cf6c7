# libccd. `make demo` and `make test` do everything on a fresh Debian machine with Go, Python 3 and a C++ compiler.
#
#   make lib       build/libccd.so, build/ccd.h, and a .venv in which `import ccd` works
#   make demo      one real step through the Python command and through the C++ example
#   make test      Go, C, C++, Python, Rust, JavaScript, examples, the code in the pages: about 12 minutes on two cores. It installs the small packages that
#                  its tests use into .venv; PEERS=none make test installs none, and their tests skip. A table at the end says what skipped, and why
#   make test-long what takes longer: more random queries, other compilers and processors, packages. LIMIT=20: no suite begins that would end after 20 minutes
#   make test-robots  the links of 67 published robots (414 MB) are where pinocchio and yourdfpy have them
#   make peers     ipctk, SciPy, Pillow, Dask, NVRTC, Warp, JAX, PyTorch, CycloneDX's schemas into .venv: the tests that want them run then, and
#                  skip elsewhere. PyTorch is the build for CPUs; TORCH=torch takes that of the usual registry, 5.5 GB with CUDA
#   make check     what every commit passes: format, types, vet, staticcheck, layers, symbols, headers, generated code
#   make example-ipc  a simulation: a cloth drops on a ball and two rings, with our contact and with ipctk's (some minutes)
#   make example-steps    cloths with one step and with a step for each vertex; bodies on a large terrain; with pictures (a minute)
#   make example-patches  three scenes of curved patches, with pictures (half a minute)
#   make judge     an independent check of separation, in exact arithmetic, on some thousand queries: bench/judge
#   make bench     our methods beside the field's; BENCH="--quick" for a short run
#   make gpu-report  steps on a graphics processor compared with the CPU: the same bits, and the times
#   make guest     hosts of many kinds: handlers of signals, sanitizers, valgrind, FCL, a million calls
#   make others    the suites of the packages that compute, on other processors, in qemu: aarch64, x86-64 without AVX-512; some minutes
#   make soak      every method on random queries against the exact oracle, on all cores, for DURATION (1m)
#   make prove     rounding bounds by machine: Gappa, Sollya, Coq, as far as they are installed; PARTS="sincos coq" for some of it
#   make climb     inputs that reach much of a proven bound, by hill climbing, for CLIMB (10m); it goes on where it was stopped
#   make fuzz      every fuzz target for FUZZTIME (10) seconds; make bits: the same answers, bit by bit, on other processors, in qemu
#   make mutants   break the code in every way that `go run ./mutants -list` names, and see that the tests catch each
#   make install   the library, its headers, CMake package and pkg-config file, under PREFIX (/usr/local) in DESTDIR;
#                  LCCD=ON: the link libccd.so too, for -lccd, which is also the name of another library's file
#   make wheel     Python wheels in dist/ that carry the library, for x86-64 and aarch64, and an sdist
#   make windows   ccd-toi.dll for x86-64 and arm64, import libraries, wheels; tests under Wine. make macos: dylibs and wheels, examined.
#                  make unixes: aarch64 in qemu, musl, FreeBSD. make platforms: all of it from nothing, and a table
#   make deb       Debian packages libccd-toi1 and libccd-toi-dev in dist/deb, tried beside libccd-dev
#   make wasm      the package for npm in dist/, for Node.js and browsers, and the page of docs/try.md; make test-wasm tests them in Node.js and Chromium
#   make crate     the crate for crates.io in dist/, tested from its packed files
#   make docs      the documentation site, in build/site; make docs-serve shows it; make pictures, make figures: its images anew
#   make reproduce two builds in two places, which must have the same bits; make release: everything, from a clean clone
#   make tools     install what the rest needs where it is missing (Debian, as root or through sudo)
#   make clean     remove what was built
PREFIX ?= /usr/local
LCCD ?= OFF
PYTHON ?= python3
DURATION ?= 1m
TORCH ?= torch --index-url https://download.pytorch.org/whl/cpu
BUILD := build
VENV := .venv
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
RUFF := ruff==0.17.6
# What the library, the tests in Go and the examples are compiled from is compiled once for all of them, and once for all clones.
export GOFLAGS := $(filter-out -trimpath,$(GOFLAGS)) -trimpath
# Tests, examples and pages start Python many times: the package is compiled once, not in every process.
unexport PYTHONDONTWRITEBYTECODE
GO_CODE := *.go bench bindings core capi gpu simd examples interface mutants packaging
C_FAMILY := include/*.h bindings/cpp/include/ccd/*.hpp bindings/cpp/tests/*.hpp bindings/cpp/tests/*.cpp capi/*.c capi/*.h gpu/*.c gpu/*.h gpu/testdata/*.c gpu/testdata/*.h \
	capi/test/*.c capi/test/*.h capi/test/*.cpp capi/test/guest/*.c capi/test/guest/*.h capi/test/guest/*.cpp capi/test/other/*.c capi/test/other/ccd/*.h examples/c/*.c examples/cpp/*.cpp examples/planning/*.hpp examples/planning/stubs/*.hpp examples/planning/*.cpp bench/swap/*.cpp bench/judge/*.h bench/judge/*.cpp simd/text/*.h simd/linear/testdata/*.c \
	$(shell find bindings/cpp/compat -name '*.h' -o -name '*.hpp' -o -name '*.cpp')

.PHONY: lib library venv tools demo bench guest others soak mutants install docs wheel deb reproduce release clean
.PHONY: test data test-go test-long test-levels test-c test-python test-examples test-rust long-tests long-go long-c long-python check check-built format headers generated symbols licenses abi
.DEFAULT_GOAL := lib

# ---- building --------------------------------------------------------------------------------------------------------------

lib: library venv

# What runs many targets side by side builds the library before, and says BUILT=library; after the package for npm too, and says BUILT=1: linking takes
# no notice of what is up to date.
library:
ifndef BUILT
	sh capi/build.sh $(BUILD)
	@cp include/ccd.h $(BUILD)/ccd.h
endif

# An editable install: the package is the checkout's, and it finds the library in build/.
venv: $(VENV)/ready
$(VENV)/ready: bindings/python/pyproject.toml Makefile
	@test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "Python has no venv: run make tools"; exit 1; }
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -e 'bindings/python[test]' $(RUFF)
	@touch $@

# What some tests compare with or stand on, into .venv: ipctk, SciPy, Pillow; Dask; the schemas of CycloneDX; Open CASCADE.
# Where one cannot be had its tests skip. pyNastran asks for NumPy 1, and works with 2 as its tests load it.
.PHONY: peers peers-small
peers: venv
	@for what in "-r examples/ipc/requirements.txt" dask distributed pyarrow pandas meshio trimesh h5py usd-core alembic3d lib3mf vtk zarr yourdfpy pycollada mujoco drake ompl "nbclient nbconvert ipykernel" 'cyclonedx-python-lib[json-validation]' 'cadquery-ocp-novtk>=7.7' geomdl splipy rhino3dm nvidia-cuda-nvrtc warp-lang jax "$(TORCH)" gmsh netCDF4 foamlib 'lasso-python>=2.0.4' "--no-deps pyNastran cpylog docopt-ng colorama"; do \
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check $$what || echo "$$what cannot be installed: the tests that want it skip"; done
	@npm install --silent --no-audit --no-fund --prefix $(BUILD)/npm occt-import-js@0.0.23 || echo "occt-import-js cannot be installed: the tests that want its files skip"

# What the tests of `make test` use, all in one call; where one cannot be had, each in turn, so that the others are there.
SMALL := numpy scipy numpydoc yourdfpy pycollada ompl trimesh meshio pandas pyarrow dask distributed ipctk
PIP := $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --retries 1
peers-small: venv
	@$(PIP) $(SMALL) >/dev/null 2>&1 || for what in $(SMALL); do $(PIP) $$what >/dev/null 2>&1 || echo "$$what cannot be had: the tests that want it skip"; done

tools:
	@.ci/tools

demo:
	@.ci/tools demo
	@$(PYTHON) .ci/suites.py library venv
	@sh examples/demo/run.sh

# Report, frames and pictures go to build/example-ipc. IPC="--steps 50 --ccd ours" for less.
.PHONY: example-ipc
example-ipc: lib
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r examples/ipc/requirements.txt
	$(VENV)/bin/python examples/ipc/run.py --ccd ours,ipctk --out $(BUILD)/example-ipc $(IPC)

.PHONY: example-patches
example-patches: lib
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check pillow
	$(VENV)/bin/python examples/patches/run.py --out $(BUILD)/example-patches
	$(VENV)/bin/python examples/patches/tetrahedra.py --out $(BUILD)/example-patches

# A box of gears and blobs that settle, to build/example-rigid. RIGID="--bodies 24 --frames 60" for less.
.PHONY: example-rigid
example-rigid: lib
	$(VENV)/bin/python examples/rigid/run.py --out $(BUILD)/example-rigid $(RIGID)

# Cloths with one step and with a step for each vertex, and bodies on a terrain that stands still, to build/example-steps.
.PHONY: example-steps
example-steps: lib
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check scipy
	$(VENV)/bin/python examples/steps/cloths.py --out $(BUILD)/example-steps
	$(VENV)/bin/python examples/steps/terrain.py --out $(BUILD)/example-steps

# An independent check of separation, in exact arithmetic (needs libgmp-dev). JUDGE gives its arguments.
.PHONY: judge
JUDGE ?= --selftest --families --queries 5000
judge: library
	$(CXX) -O2 -std=c++17 -ffp-contract=off -Iinclude -o $(BUILD)/judge bench/judge/*.cpp -L$(BUILD) -lccd-toi -lgmpxx -lgmp -Wl,-rpath,'$$ORIGIN'
	$(BUILD)/judge $(JUDGE)

# Our methods beside the field's: bench/reports and docs/graded.md.
bench: lib
	$(VENV)/bin/python -m pip install --quiet -r bench/requirements.txt
	$(VENV)/bin/python bench/run.py $(BENCH)

# Steps on a graphics processor compared with the CPU: bench/reports/gpu.md. GPU="--rounds 50 --index 1" and the like.
.PHONY: gpu-report
gpu-report: lib
	$(VENV)/bin/python bench/gpu.py $(GPU)

guest: library
	sh capi/test/guest/run.sh $(BUILD)/guest long

# What the compiler makes of the code for arm64 is another program than for amd64, and kernels may use what only newer machines have.
others: bits
	@for package in ./core/num ./simd/... ./core/bound ./core/exact ./core/narrow ./core/proximity ./core/rigid ./core/patch ./core/volume ./core/reference/boxed ./core/reference/d2m ./core/reference/volccd; do \
	CGO_ENABLED=0 GOARCH=arm64 go test -short -count=1 -timeout 60m -exec qemu-aarch64 $$package || exit 1; done
	@for package in ./simd/... ./core/broad; do \
	CCD_SIMD=avx2 go test -short -count=1 -timeout 60m -exec 'qemu-x86_64 -cpu max' $$package || exit 1; done

# The same answers in every package, bit by bit: at each level of SIMD, and on processors that fuse products with sums, or that keep their
# bytes in the other order.
.PHONY: bits
bits:
	@mkdir -p $(BUILD)/bits && go build -o $(BUILD)/bits/here ./core/ccdtest/bits && $(BUILD)/bits/here >$(BUILD)/bits/want && cat $(BUILD)/bits/want
	@for level in generic avx2; do CCD_SIMD=$$level $(BUILD)/bits/here | cmp - $(BUILD)/bits/want && echo "the same bits with CCD_SIMD=$$level" || exit 1; done
	@for other in arm64:aarch64 riscv64:riscv64 s390x:s390x ppc64le:ppc64le; do \
	CGO_ENABLED=0 GOARCH=$${other%:*} go build -o $(BUILD)/bits/$${other%:*} ./core/ccdtest/bits && \
	qemu-$${other#*:} $(BUILD)/bits/$${other%:*} | cmp - $(BUILD)/bits/want && echo "the same bits on $${other%:*}" || exit 1; done
	@if command -v node >/dev/null; then GOOS=js GOARCH=wasm go build -o $(BUILD)/bits/wasm ./core/ccdtest/bits && \
	node "$$(go env GOROOT)/lib/wasm/wasm_exec_node.js" $(BUILD)/bits/wasm | cmp - $(BUILD)/bits/want && echo "the same bits in WebAssembly"; \
	else echo "node is not installed: the bits of WebAssembly were not compared"; fi

# Every method on every family of queries against the exact oracle. Cases go to build/soak.
soak:
	go run ./core/ccdtest/soak -duration $(DURATION)

# Rounding bounds by machine: package proof, Gappa, Sollya, Coq; what is not installed is skipped, and said. docs/proofs/machine.md.
.PHONY: prove
prove:
	@$(PYTHON) .ci/prove.py $(PARTS)

# Worst cases of the bounds of functions in Go, by hill climbing over exact rationals, for CLIMB in all. It goes on from build/climbed.json, and
# writes the table build/climbed.md.
.PHONY: climb
CLIMB ?= 10m
climb:
	@mkdir -p $(BUILD)
	go -C simd/_gen test -count=1 -timeout 0 -run '^TestClimb$$' ./proof/source -climb $(CLIMB) -climbed $(CURDIR)/$(BUILD)/climbed.json
	@cat $(BUILD)/climbed.md

# Every fuzz target for FUZZTIME seconds, under Go's own fuzzing. A run that was stopped goes on; build/fuzz.csv has what ran.
.PHONY: fuzz
FUZZTIME ?= 10
fuzz:
	@$(PYTHON) .ci/fuzz.py --seconds $(FUZZTIME) $(if $(LIMIT),--limit $(LIMIT)) --table $(BUILD)/fuzz.csv

# Defects put in on purpose, in a copy, and the test that catches each. A run that was stopped goes on; build/mutants.csv has the verdicts.
mutants:
	go run ./mutants -resume

install: library
	cmake -S . -B $(BUILD)/install -DCCD_BUILD_TESTS=OFF -DCCD_LCCD=$(LCCD) -DCMAKE_INSTALL_PREFIX=$(PREFIX) -DCMAKE_BUILD_TYPE=Release
	cmake --build $(BUILD)/install
	DESTDIR=$(DESTDIR) cmake --install $(BUILD)/install

# The wheel of this machine, one for aarch64 where its cross compiler is, and the sources. All tagged by what the library asks for.
HATCH = cd bindings/python && $(CURDIR)/$(VENV)/bin/python -m hatchling build -d $(CURDIR)/dist
wheel: lib licenses
	sh capi/build.sh $(BUILD)/stripped stripped
	export CCD_LIBRARY=$(CURDIR)/$(BUILD)/stripped/libccd-toi.so.1; $(HATCH) -t wheel -t sdist
	@if command -v aarch64-linux-gnu-gcc >/dev/null; then GOARCH=arm64 CC=aarch64-linux-gnu-gcc sh capi/build.sh $(BUILD)/arm64 stripped && \
	(export CCD_LIBRARY=$(CURDIR)/$(BUILD)/arm64/libccd-toi.so.1; $(HATCH) -t wheel); else echo "no wheel for aarch64: aarch64-linux-gnu-gcc is not installed"; fi
	$(VENV)/bin/auditwheel show dist/*_$$(uname -m).whl

# The package for npm, in build/js and dist/, and the page that tries the library in the browser, in build/extra/try. js builds them, wasm tests and
# packs them too.
.PHONY: js wasm
js: lib
ifneq ($(BUILT),1)
	sh packaging/wasm.sh build
endif
wasm: lib
	sh packaging/wasm.sh

# Other systems, from Debian's cross compilers and PyPI's ziglang.
.PHONY: windows macos unixes platforms platform-tools
ZIG := ziglang==0.17.1
platform-tools: venv
	@.ci/tools platforms
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check $(ZIG) macholib
windows: platform-tools library
	sh packaging/windows.sh $(BUILD)/windows
	sh packaging/windows.sh $(BUILD)/windows-arm64 arm64
macos: platform-tools
	sh packaging/macos.sh $(BUILD)/macos
unixes: platform-tools library
	for system in aarch64 musl freebsd; do sh packaging/linux.sh $$system $(BUILD)/$$system || exit 1; done
platforms:
	@.ci/tools
	@$(MAKE) --no-print-directory platform-tools library
	sh packaging/platforms.sh $(PLATFORMS)

# The site, from the pages, the docstrings and the headers (docs/conf.py). docs-serve shows it at http://localhost:8000.
.PHONY: docs-serve docs-tools
docs-tools: venv
ifneq ($(BUILT),1)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r docs/requirements.txt
endif
# What an interrupted run has left is not up to date, though its files are newer than their sources: the next one begins anew.
docs: lib js docs-tools
	@if [ -e $(BUILD)/docs-unfinished ]; then rm -rf $(BUILD)/doctrees docs/generated docs/sg_execution_times.rst; fi
	@touch $(BUILD)/docs-unfinished
	$(VENV)/bin/python -m sphinx -q -W --keep-going -b html -d $(BUILD)/doctrees docs $(BUILD)/site
	@rm $(BUILD)/docs-unfinished
	@if command -v node >/dev/null; then node docs/search.mjs $(BUILD)/site; else echo "node is not installed: the search was not tried"; fi
docs-serve: docs
	$(VENV)/bin/python -m http.server -d $(BUILD)/site 8000

# The gallery's pictures, in headless Chromium, and the figures of the pages (test-python fails where these are out of date).
.PHONY: pictures figures
figures: lib
	$(VENV)/bin/python docs/figures.py
pictures: lib
	$(VENV)/bin/python docs/pictures.py $(BUILD)/pictures

# The crate for crates.io, in dist/, with its tests run from the packed files. It needs cargo.
.PHONY: crate
crate: library
	sh packaging/later/crate/test.sh

reproduce:
	sh packaging/reproduce.sh

release:
	sh packaging/release.sh

deb:
	sh packaging/deb/build.sh dist/deb
	sh packaging/deb/test.sh dist/deb

clean:
	rm -rf $(BUILD) $(VENV) dist

# ---- tests: those that need data say so when they skip ---------------------------------------------------------------------

# .ci/suites.py runs them two at a time, the longest first: the tests in Python often wait, for programs that they start and for browsers, while
# others compute. It builds the library, .venv and the package for npm before, and installs packages, so that no test sees .venv change.
# WITH=docs builds the site beside them.
PEERS ?= small
SUITES := test-python test-go test-c test-examples test-rust test-js $(WITH)
test: data
	@$(PYTHON) .ci/suites.py --peers $(PEERS) $(SUITES)

# What takes longer than a user waits: before a release, and after a change of core, simd or ccd.distributed. The suites are in the order of what one
# learns a minute: with LIMIT, minutes in all, the last are left out.
LONG := long-tests long-python long-c test-levels long-go
test-long: data
	@$(PYTHON) .ci/suites.py --peers $(PEERS) $(if $(LIMIT),--limit $(LIMIT)) $(LONG)

# Tests on real data skip where there is none: say it once, aloud.
data:
	@test -d "$${CCD_DATA:-../shared/data}" || echo "no data at $${CCD_DATA:-../shared/data} (CCD_DATA): the tests on real scenes and queries skip"

# make check vets.
# Without tables for debuggers, which programs of tests need not have, they link in two thirds of the time.
GOTEST := $(PYTHON) .ci/gotest.py -vet=off -ldflags=-w -timeout 60m
test-go:
	$(GOTEST) -short ./...
	$(GOTEST) -run '^TestHandcrafted' ./core/narrow
	go -C simd/_gen test -count=1 -ldflags=-w ./... # the kernels' rounding bounds, proven. They read files of the other module, which Go's cache of results does not watch.

# The Go tests that test-go leaves out as a whole (package core/ccdtest/long).
long-tests:
	$(GOTEST) --long -short

# All random queries of the Go tests, of which test-go makes a part.
long-go:
	$(GOTEST) ./...

# Long tests in Python, and all real scenes in parts.
long-python: lib
	CCD_LONG=1 $(VENV)/bin/python -m pytest -q -rfEs -n 2 --dist loadfile --no-loadscope-reorder -m long bindings/python/tests

# The suites that stand on kernels, at the levels that are not this machine's best. (-count=1: a level is read before Go
# begins to note which variables a test looked at, so its cache cannot tell the levels apart.)
LEVELS = generic $(shell if grep -qw avx512vl /proc/cpuinfo 2>/dev/null; then echo avx2; fi)
test-levels:
	for level in $(LEVELS); do echo "CCD_SIMD=$$level"; \
	CCD_LONG=1 CCD_SIMD=$$level $(GOTEST) -count=1 -short ./core/exact ./core/narrow ./core/broad ./core/step ./core/volume ./core/rigid || exit 1; done

# The C and C++ tests with the default compiler, as C++17, without those that take longest. Compiled with -O1, in three quarters of the time.
test-c: library
	OPTIMIZE=-O1 sh capi/test/run.sh $(BUILD)/cmake -DCCD_TEST_STANDARDS=17 -DCCD_TEST_LONG=OFF
	sh capi/test/guest/run.sh $(BUILD)/guest

# All of them, as C++20 too, with Clang, and on aarch64 in qemu, where these are installed; the Debian packages; what the devices add to a wheel.
long-c: library
	sh capi/test/run.sh $(BUILD)/cmake "-DCCD_TEST_STANDARDS=17;20" -DCCD_TEST_LONG=ON
	sh packaging/growth.sh
	sh capi/test/cross.sh $(BUILD)/aarch64
	@if command -v dpkg-deb >/dev/null && command -v cmake >/dev/null; then $(MAKE) --no-print-directory deb; fi
	@if command -v clang++ >/dev/null; then CC=clang CXX=clang++ sh capi/test/run.sh $(BUILD)/clang -DCCD_TEST_INSTALL=OFF; \
	else echo "clang++ is not installed: the C++ tests ran with $(CXX) only"; fi

test-python: lib
	$(VENV)/bin/python -m pytest -q -rfEs -n 2 --dist loadfile --no-loadscope-reorder bindings/python/tests

# The binding that is made from the interface, where Rust is installed.
test-rust: library
	@if cargo --version >/dev/null 2>&1; then cd bindings/rust && CARGO_TARGET_DIR=$(CURDIR)/$(BUILD)/rust cargo test --offline -q; \
	else echo "cargo is not installed, or has no toolchain: the Rust binding was not tested"; fi

# The package for npm, and the page that holds it, which test-examples and test-python use.
.PHONY: test-js
test-js: js
	sh packaging/wasm.sh test

# The same programs in every language print the same bits, and every block of code in every page does what it says.
test-examples: lib
	sh examples/demo/run.sh
	$(VENV)/bin/python examples/agree.py $(BUILD)/examples
	$(VENV)/bin/python docs/blocks.py $(BUILD)/blocks

# ---- what every commit passes ----------------------------------------------------------------------------------------------

check: format check-built

# The part of check that does not read .venv: .ci/run installs the peers meanwhile. On other systems only whether the code compiles is of interest, so
# not how well; the tests have the flags of test-go, which takes their results from the cache.
check-built: headers generated symbols licenses abi
	go vet ./...
	@for system in windows darwin freebsd; do GOOS=$$system CGO_ENABLED=0 go build -gcflags="all=-N -l" ./core/... ./simd/... ./gpu/... || exit 1; done
	GOGC=400 go run $(STATICCHECK) ./...
	CCD_LONG=1 $(GOTEST) -short ./core/ ./mutants/

# The C family is formatted by clang-format 14, Debian 12's; other versions do not agree on everything.
format: venv
	@! git grep -nE '^(<<<<<<<|>>>>>>>) ' || { echo 'a merge was left half done'; exit 1; }
	@test -z "$$(gofmt -l $(GO_CODE))" || { gofmt -l $(GO_CODE); echo "gofmt: format the files above"; exit 1; }
	$(VENV)/bin/ruff check -q bindings/python bench examples
	$(VENV)/bin/ruff check -q --config bench/ruff.toml docs packaging bindings/js .ci
	$(VENV)/bin/ruff check -q --preview --select PLW1514 bindings/python/ccd # text has an encoding: programs set locales
	$(VENV)/bin/ruff format -q --check bindings/python bench examples
	$(VENV)/bin/ruff format -q --check --config bench/ruff.toml docs packaging bindings/js .ci
	cd bindings/python && $(CURDIR)/$(VENV)/bin/mypy --cache-dir $(CURDIR)/$(BUILD)/mypy --no-error-summary
	@if clang-format --version 2>/dev/null | grep -q 'version 14\.'; then clang-format --dry-run -Werror $(C_FAMILY); \
	else echo "clang-format 14 is not installed: the C family's format was not checked"; fi

headers:
	sh bindings/cpp/tests/headers.sh

# The assembly and the text in simd, the kernels in PTX (where clang 14 is), Python's declarations of the C interface, the library's C functions and symbols must be what their generators write.
generated:
	@mkdir -p $(BUILD) && go test -v -run '^TestPTXIsCurrent$$' ./gpu >$(BUILD)/ptx.log 2>&1 || { cat $(BUILD)/ptx.log; exit 1; }; \
	! grep -q -e '--- SKIP' $(BUILD)/ptx.log || { echo 'the kernels in PTX were not compared:'; sed -n 's/^ *[a-z_]*\.go:[0-9]*: /  /p' $(BUILD)/ptx.log; }
	@for made in python:bindings/python/ccd/_native/declarations.py shims:capi/shims.c symbols:capi/symbols.txt; do \
	go run ./interface $${made%:*} | cmp - $${made#*:} || { echo "run: go run ./interface $${made%:*} >$${made#*:}"; exit 1; }; done
	@out=$$(mktemp -d) && trap 'rm -rf "$$out"' EXIT && go -C simd/_gen run -gcflags='-N -l' . -dir "$$out/simd" && \
	(cd "$$out" && find . -type f) | while read -r f; do cmp "$$out/$$f" "$$f" || { echo "simd: run 'go generate ./simd'"; exit 1; }; done
	@GOARCH=arm64 CGO_ENABLED=0 go build ./simd/... # what is generated for processors without assembly

# What others wrote and is linked in has its licenses in every package.
licenses:
	@sh packaging/licenses.sh | cmp - packaging/third_party.txt || { echo "run: sh packaging/licenses.sh >packaging/third_party.txt"; exit 1; }

abi: library
	sh capi/test/abi.sh $(BUILD)/libccd-toi.so.1

symbols: library
	sh capi/test/symbols.sh $(BUILD)/libccd.so

# ---- a machine with a graphics processor and many cores --------------------------------------------------------------------

# All that such a machine needs to check the library, in build/device-check; there: python3 check.py OUT. device-report writes bench/reports/gpu.md
# and threads.md from what it brings back: RESULTS=FOLDER. The rehearsal runs the folder alone on PoCL and on a stand-in for NVIDIA's driver.
.PHONY: device-check device-report device-rehearsal
C_FAMILY += bench/device/*.c
device-check: lib
	sh bench/device/pack.sh $(BUILD)/device-check
device-report:
	$(PYTHON) bench/device/report.py "$(RESULTS)"
device-rehearsal: device-check
	sh bench/device/rehearse.sh $(BUILD)/device-check $(BUILD)/device-rehearsal
test-long: device-rehearsal

# Mutated files of every reader of Python: fifty times as many as the short test reads.
.PHONY: test-readers
test-readers: lib
	CCD_LONG=1 $(VENV)/bin/python -m pytest -q bindings/python/tests/test_reading.py -k mutated
test-long: test-readers

# Published robots beside pinocchio and yourdfpy. The packages, 414 MB of robots, have an environment of their own.
.PHONY: test-robots
test-robots: lib
	@test -d $(BUILD)/robots || { $(PYTHON) -m venv $(BUILD)/robots && \
	  $(BUILD)/robots/bin/pip install -q example-robot-data==6.0.0 pin==4.1.0 yourdfpy==0.0.60 pycollada pytest numpy; }
	CCD_LONG=1 CCD_LIBRARY=$(abspath $(BUILD))/libccd-toi.so PYTHONPATH=$(abspath bindings/python) \
	  $(BUILD)/robots/bin/python -m pytest -q bindings/python/tests/test_robot_real.py

# ---- tests of their own ----------------------------------------------------------------------------------------------------

# The package for npm in Node.js, its page in Chromium, and the digests of all domains.
.PHONY: test-wasm
test-wasm: lib
	sh packaging/wasm.sh check

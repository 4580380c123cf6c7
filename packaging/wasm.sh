#!/bin/sh
# wasm.sh [build | test | check | interface]: the package for npm from bindings/js, in build/js/package, and the page that tries the library in the
# browser, in build/extra/try; without an argument the package is packed into dist/ too. Nothing is tested then.
#
# `build` builds both and packs nothing. `test` tests the package that was built, in Node.js against the native library, and compares the sizes that
# the pages name with those of the build. `check` builds, tests and packs; tests the page in Chromium, and compares the digests of all domains with
# those of this machine. Run make lib first.
#
# `interface` needs Go and Node.js alone: it builds the package and runs its tests that compare with nothing.
set -eu
cd "$(dirname "$0")/.."
build=$PWD/build/js
package=$build/package
python=$PWD/.venv/bin/python

if [ "${1:-}" != test ]; then
    rm -rf "$package"
    mkdir -p "$package"
    GOOS=js GOARCH=wasm CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o "$package/ccd.wasm" ./bindings/js/wasm
    chmod -x "$package/ccd.wasm"
    cp bindings/js/index.js bindings/js/classes.js bindings/js/values.js bindings/js/index.d.ts bindings/js/package.json bindings/js/README.md LICENSE "$package"
    cp packaging/third_party.txt "$package"
    cp "$(go env GOROOT)/lib/wasm/wasm_exec.js" "$package"
fi
stage() { # stage TEST...: the tests beside the package
    rm -rf "$build/tests"
    mkdir -p "$build/tests/node_modules"
    ln -s ../../package "$build/tests/node_modules/ccd-toi"
    cp "$@" "$build/tests"
}
if [ "${1:-}" = interface ]; then
    stage bindings/js/tests/interface.test.js bindings/js/tests/steps.test.js
    exec node --test "$build"/tests/*.test.js
fi
if [ "${1:-}" != test ]; then
    "$python" docs/try/build.py "$package" build/extra/try/index.html
    echo "ccd.wasm: $(wc -c <"$package/ccd.wasm") bytes, $(gzip -9 -c "$package/ccd.wasm" | wc -c) compressed"
    [ "${1:-}" != build ] || exit 0
fi
pack() {
    mkdir -p dist
    if command -v npm >/dev/null; then
        (cd "$package" && npm pack --silent --pack-destination "$OLDPWD/dist")
    else
        echo "npm is not installed: the package was not packed"
    fi
}
if [ $# = 0 ]; then
    pack
    exit
fi

if ! command -v node >/dev/null; then
    echo "node is not installed: the package was not tested"
    [ "${1:-}" = test ] && exit 0 || exit 1
fi
"$python" docs/try/sizes.py "$package" build/extra/try/index.html
stage bindings/js/tests/*.test.js
"$python" bindings/js/tests/native.py "$build/native.json"
CCD_NATIVE=$build/native.json node --test "$build"/tests/*.test.js
[ "$1" != test ] || exit 0

mkdir -p build/bits
go run ./core/ccdtest/bits >build/bits/want
GOOS=js GOARCH=wasm go build -o build/bits/wasm ./core/ccdtest/bits
node "$(go env GOROOT)/lib/wasm/wasm_exec_node.js" build/bits/wasm | cmp - build/bits/want
echo "the seven digests are those of this machine:"
cat build/bits/want

"$python" -m pytest -q -rs bindings/python/tests/test_try.py
pack

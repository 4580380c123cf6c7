#!/bin/sh
# platforms.sh [--write]: build the library for every system, test it where it can be run, and print a table of what was built, loaded and
# tested. It needs what `make platforms` installs. With --write the table replaces the one in docs/install.md.
#
# A row that fails is shown as failed, with its log in build/platforms, and the script leaves 1.
set -eu
cd "$(dirname "$0")/.."
logs=build/platforms
rm -rf $logs
mkdir -p $logs
table=$logs/table.md
failed=0

# row TARGET RESULT COMMAND...: RESULT is the file with lines `target|built with|loaded in|tests passed|same bits` that the command writes.
row() {
    target=$1 result=$2
    shift 2
    log=$logs/$(echo "$target" | tr -c 'a-z0-9\n' _).log
    echo "== $target: $*"
    began=$(date +%s)
    if "$@" >"$log" 2>&1 </dev/null; then
        sed 's/|/ | /g; s/.*/| & |/' "$result" >>$table
        grep -v '^ok  ' "$log" | tail -n 8
        echo "== $target: $(($(date +%s) - began)) s"
    else
        echo "| $target | FAILED | - | - | - |" >>$table
        tail -n 20 "$log"
        echo "== $target: FAILED, see $log"
        failed=1
    fi
}

here() { # the library of this machine
    sh capi/test/run.sh build/cmake >$logs/ctest.txt 2>&1 || { cat $logs/ctest.txt; return 1; }
    tests=$(sed -n 's/^100% tests passed, 0 tests failed out of \([0-9]*\)$/\1/p' $logs/ctest.txt)
    echo "linux/amd64|gcc|here|$tests C and C++|reference" >$logs/here
}

wasm() { # WebAssembly, for js
    if [ -f packaging/wasm.sh ]; then
        sh packaging/wasm.sh && echo "js/wasm|Go|node|passed|digests" >$logs/wasm
    else
        echo "packaging/wasm.sh is not there: js/wasm was not built"
        echo "js/wasm|not built|-|-|-" >$logs/wasm
    fi
}

printf '| target | built with | loaded in | tests passed | same bits |\n|---|---|---|---|---|\n' >$table
row linux/amd64 $logs/here here
row linux/arm64 build/aarch64/result sh packaging/linux.sh aarch64 build/aarch64
row linux/musl build/musl/result sh packaging/linux.sh musl build/musl
row windows/amd64 build/windows/result sh packaging/windows.sh build/windows
row windows/arm64 build/windows-arm64/result sh packaging/windows.sh build/windows-arm64 arm64
row darwin build/macos/result sh packaging/macos.sh build/macos
row freebsd/amd64 build/freebsd/result sh packaging/linux.sh freebsd build/freebsd
row js/wasm $logs/wasm wasm
echo
cat $table

if [ "${1:-}" = --write ] && [ $failed = 0 ]; then
    awk -v table=$table '/^<!-- end of platforms/ { skip = 0 }
        !skip { print }
        /^<!-- platforms/ { print ""; while ((getline line < table) > 0) print line; print ""; skip = 1 }' docs/install.md >$logs/install.md
    cp $logs/install.md docs/install.md
fi
exit $failed

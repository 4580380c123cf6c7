#!/bin/sh
# platforms.sh [--write] [TARGET...]: build the library for every system, or for the TARGETs, test it where it can be run, and print a table of
# what was built, loaded and tested, and at which commit. It needs what `make platforms` installs. With --write the table replaces the one in
# docs/install.md.
#
# With TARGETs the other rows are those of their last run in build/platforms (`-` runs nothing); without any, all is run anew. A row that fails is shown as failed,
# with its log in build/platforms, and the script leaves 1.
set -eu
cd "$(dirname "$0")/.."
logs=build/platforms
write=
[ "${1:-}" != --write ] || { write=yes && shift; }
wanted=$*
[ -n "$wanted" ] || rm -rf $logs
mkdir -p $logs
table=$logs/table.md
failed=0

# row TARGET LINES RESULT COMMAND...: LINES are the targets of the table that the command is about; RESULT is the file with a line
# `target|built with|loaded in|tests passed|same bits` for each, which the command writes.
row() {
    target=$1 lines=$2 result=$3
    shift 3
    name=$(echo "$target" | tr -c 'a-z0-9\n' _)
    case " ${wanted:-$target} " in
    *" $target "*)
        log=$logs/$name.log run="$(date +%F), $(git describe --always --dirty --exclude='*' 2>/dev/null || echo unknown)"
        rm -f "$result"
        echo "== $target: $*"
        began=$(date +%s)
        if "$@" >"$log" 2>&1 </dev/null; then
            grep -v '^ok  ' "$log" | tail -n 8
            sed 's/|/ | /g; s/.*/| & | '"$run"' |/' "$result" >$logs/$name.row
            echo "== $target: $(($(date +%s) - began)) s"
        else
            for line in $lines; do echo "| $line | FAILED | - | - | - | $run |"; done >$logs/$name.row
            tail -n 20 "$log"
            echo "== $target: FAILED, see $log"
            failed=1
        fi
        ;;
    esac
    if [ -f $logs/$name.row ]; then
        cat $logs/$name.row >>$table
    else
        for line in $lines; do echo "| $line | - | - | - | - | not run |" >>$table; done
    fi
}

here() { # the library of this machine
    sh capi/test/run.sh build/cmake >$logs/ctest.txt 2>&1 || { cat $logs/ctest.txt; return 1; }
    tests=$(sed -n 's/^100% tests passed, 0 tests failed out of \([0-9]*\)$/\1/p' $logs/ctest.txt)
    echo "linux/amd64|gcc|here|$tests C and C++|reference" >$logs/here
}

wasm() { # the package for npm and the page
    sh packaging/wasm.sh check >$logs/wasm.txt 2>&1 || { cat $logs/wasm.txt; return 1; }
    cat $logs/wasm.txt
    tests=$(sed -n 's/^[^a-z]* pass \([0-9]*\)$/\1/p' $logs/wasm.txt)
    page=$(sed -n 's/^\([0-9]*\) passed.*/\1/p' $logs/wasm.txt)
    echo "js/wasm|Go|Node.js, Chromium|$tests in Node.js, ${page:-0} in Chromium|digests" >$logs/wasm
}

printf '| target | built with | loaded in | tests passed | same bits | last run |\n|---|---|---|---|---|---|\n' >$table
row linux/amd64 linux/amd64 $logs/here here
row linux/arm64 linux/arm64 build/aarch64/result sh packaging/linux.sh aarch64 build/aarch64
row linux/musl linux/musl build/musl/result sh packaging/linux.sh musl build/musl
row windows/amd64 windows/amd64 build/windows/result sh packaging/windows.sh build/windows
row windows/arm64 windows/arm64 build/windows-arm64/result sh packaging/windows.sh build/windows-arm64 arm64
row darwin "darwin/arm64 darwin/amd64" build/macos/result sh packaging/macos.sh build/macos
row freebsd/amd64 freebsd/amd64 build/freebsd/result sh packaging/linux.sh freebsd build/freebsd
row js/wasm js/wasm $logs/wasm wasm
echo
cat $table

if [ -n "$write" ]; then
    awk -v table=$table '/^<!-- end of platforms/ { skip = 0 }
        !skip { print }
        /^<!-- platforms/ { print ""; while ((getline line < table) > 0) print line; print ""; skip = 1 }' docs/install.md >$logs/install.md
    cp $logs/install.md docs/install.md
fi
exit $failed

#!/bin/sh
# Go 1.25.4 (its own fuzzing, go test -fuzz), Linux x86-64; 1.26.8 does the same.
#
# A target for a routine that takes 50 ms and has branches that depend on its numbers, with eight seeds of 192 bytes, is fuzzed for 20
# seconds by one worker: with the usual flags, and with -fuzzminimizetime 1x.
# Expected: some 400 inputs in 20 seconds either way. The time to minimize is for inputs that fail, and none does.
# Seen:     14 to 31 inputs in most runs, and 394 with the flag. The first input that reaches new code is minimized at once, for up to a minute; while that
#           lasts no worker executes another one, the count stands still ("0/sec"), and the run passes. Of "new interesting"
#           inputs there are 0, and 6 with the flag. In a run that meets new code late it is more: 319 in one of six.
# Why it matters: a fast target hardly shows it (at 5 ms 2,930 of 3,800). A slow one, as of geometry that is checked in exact
# arithmetic, has executed its seeds and little else after a minute, and counts as fuzzed. Read the executions, and give the flag.
set -eu
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work"
export GOFLAGS="" GOCACHE="$work/cache" GOTOOLCHAIN=go1.25.4
cat >go.mod <<'MOD'
module fuzzed

go 1.24
MOD
cat >solve.go <<'GO'
package fuzzed

import "time"

// Solve stands for a numerical routine: 50 ms, and some branches that depend on its numbers.
func Solve(data []byte) (n int) {
	end := time.Now().Add(50 * time.Millisecond)
	for time.Now().Before(end) {
	}
	for i := 0; i+8 <= len(data) && i < 256; i += 8 {
		switch x := data[i+7] ^ data[i+3]; {
		case x < 16:
			n++
		case x < 64:
			n += 2
		case x < 128:
			n += 3
		}
		if n%7 == 3 {
			n++
		}
		if n%11 == 5 {
			n += 2
		}
	}
	return n
}
GO
cat >solve_test.go <<'GO'
package fuzzed

import "testing"

func FuzzSolve(f *testing.F) {
	for i := range 8 {
		data := make([]byte, 192)
		for k := range data {
			data[k] = byte(37*i + 11*k)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { Solve(data) })
}
GO
executed() {
    go test -run '^$' -fuzz '^FuzzSolve$' -parallel 1 -fuzztime 20s "$@" . >out 2>&1 || true # The end of the time is a failure now and then.
    sed -n 's/.*execs: \([0-9]*\).*/\1/p' out | tail -n 1
}
usual=$(for run in 1 2 3; do executed; done | sort -n | head -n 1)
once=$(executed -fuzzminimizetime 1x)
echo "inputs in 20 seconds: $usual in the least of three runs, and with -fuzzminimizetime 1x $once"
[ "$usual" -lt 100 ] && [ "$once" -gt 200 ]

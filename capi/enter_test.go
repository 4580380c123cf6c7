package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// Every C function that calls Go enters by CCD_ENTER or by its parts: none runs in a forked child
// or in the caller's floating-point environment, or changes the signals of a thread.
func TestEveryCallEnters(t *testing.T) {
	files, err := filepath.Glob("*.c")
	if err != nil {
		t.Fatal(err)
	}
	function := regexp.MustCompile(`(?ms)^[a-z][^;{}]*\) \{\n.*?^\}`)
	enters := regexp.MustCompile(
		`(?s)(CCD_ENTER\(\);|CCD_ENVIRONMENT\(\);\s+ccd_thread_enter\(\);|static void first_call\(void\)).*\bgo_\w+\(`)
	calls := regexp.MustCompile(`\bgo_\w+\(`)
	seen := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		inside := 0
		for _, f := range function.FindAll(text, -1) {
			n := len(calls.FindAll(f, -1))
			inside += n
			if n > 0 && (n > 1 || !enters.Match(f)) {
				t.Errorf("%s: calls Go without CCD_ENTER before:\n%s", file, f)
			}
		}
		if all := len(calls.FindAll(text, -1)); all != inside {
			t.Errorf("%s: %d calls of Go, of which %d were found in functions", file, all, inside)
		}
		seen += inside
	}
	if seen < 100 {
		t.Errorf("only %d calls of Go were found", seen)
	}
}

// Package long marks the tests that take seconds, which `make test` leaves to `make test-long`.
package long

import (
	"os"
	"testing"
)

// Test skips a test of go test -short, unless CCD_LONG=1. .ci/gotest.py --long finds the tests that
// begin with it.
func Test(t testing.TB) {
	t.Helper()
	if !On() {
		t.Skip("a long test: make test-long")
	}
}

// Part returns n, the trials of a test, or one of k parts of them under go test -short: the whole
// runs in make test-long.
func Part(n, k int) int {
	if !On() {
		return max(1, n/k)
	}
	return n
}

// On reports whether long tests run: without -short, or with CCD_LONG=1.
func On() bool { return !testing.Short() || os.Getenv("CCD_LONG") == "1" }

package ccdtest

import (
	"runtime"
	"testing"
)

// ballast makes Go's collector run every 128 MiB in a test, not every 4: the rational numbers of
// the oracles are garbage at once, and to collect it took a third of the tests' processor time.
// Nobody writes to it, so it takes no memory.
var ballast []byte

func init() {
	if testing.Testing() { // a benchmark that imports this package has the heap of a user
		ballast = make([]byte, 64<<20)
		runtime.KeepAlive(ballast)
	}
}

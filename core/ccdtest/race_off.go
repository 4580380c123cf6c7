//go:build !race

package ccdtest

// Racing reports whether the race detector watches the program. It makes sync.Pool drop a part of
// what it is given.
const Racing = false

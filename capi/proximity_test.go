package main

import (
	"testing"

	"ccd/core/proximity"
)

// Near pairs whose handle is destroyed keep their memory until the last call that holds them has
// returned.
func TestNearPairsLiveWhileHeld(t *testing.T) {
	l := &nearPairs{list: make([]proximity.NearPair, 3)}
	l.Hold()
	l.Hold()
	l.Release()
	l.Release() // one of the three is the owner's
	if len(l.list) != 3 {
		t.Fatal("the memory of a list was given back while a call held it")
	}
	l.Release()
	if l.list != nil {
		t.Fatal("a list without a holder kept its memory")
	}
}

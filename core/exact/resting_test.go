package exact_test

import (
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/geom"
)

// Pairs that rest at exactly the separation, on an axis or any plane, have the oracles' times and
// intervals in every bit, in both norms.
func TestRestingAgreesWithOracle(t *testing.T) {
	n := long.Part(400, 8)
	for _, k := range kinds {
		for _, maxNorm := range []bool{false, true} {
			w := watcher{maxNorm: maxNorm}
			contacts := 0
			for seed := range uint64(n) {
				c := ccdtest.RestingCase(ccdtest.NewRand(seed, 46+uint64(k)), k)
				if len(w.check(t, &c)) > 0 {
					contacts++
				}
			}
			rests := w.euclid.Stats.Resting + w.cube.Stats.Resting
			t.Logf("%v, max norm %v: %d of %d in contact, %d calls at rest", k, maxNorm, contacts, n, rests)
			if rests < int64(n)/8 || contacts < n/20 {
				t.Errorf("%v, max norm %v: the pairs are too easy", k, maxNorm)
			}
		}
	}
}

// A pair at rest is decided by the numbers of its seed: the fuzzer chooses them.
func FuzzResting(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, byte(seed), seed%2 == 0)
	}
	f.Fuzz(func(t *testing.T, seed uint64, kind byte, maxNorm bool) {
		c := ccdtest.RestingCase(ccdtest.NewRand(seed, 7), geom.Kind(1+kind%4))
		w := watcher{maxNorm: maxNorm}
		w.check(t, &c)
	})
}

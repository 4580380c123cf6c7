package step

import (
	"testing"

	"ccd/core/engine"
	"ccd/core/geom"
)

// The nearness of a pair is computed once, by pair and kind, until it is forgotten.
func TestNearnessIsKept(t *testing.T) {
	type call struct {
		kind geom.Kind
		pair [2]int32
	}
	var calls []call
	for i := range int32(500) {
		for _, k := range geom.StepKinds {
			calls = append(calls, call{k, [2]int32{i / 100, i}})
		}
	}
	of := func(c call) float64 { return float64(c.pair[0]) + 1e-3*float64(c.pair[1]) + 1e4*float64(c.kind) }
	var known knownNearness
	for round := range 3 {
		computed := make([]int, len(calls))
		for range 2 {
			err := engine.Each(len(calls), 3, func(_, i int) {
				h := known.find(calls[i].kind, calls[i].pair, func() float64 {
					computed[i]++
					return of(calls[i])
				})
				if h != of(calls[i]) {
					t.Errorf("%v: %v", calls[i], h)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		for i, n := range computed {
			if n != 1 {
				t.Fatalf("round %d: %v is computed %d times", round, calls[i], n)
			}
		}
		if known.bytes() != nearnessBytes*int64(len(calls)) {
			t.Errorf("%d bytes of %d pairs", known.bytes(), len(calls))
		}
		if known.forget(); known.bytes() != 0 {
			t.Errorf("%d bytes of forgotten pairs", known.bytes())
		}
	}
}

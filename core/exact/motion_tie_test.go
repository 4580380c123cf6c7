package exact_test

import (
	"math"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/exact/curved"
	"ccd/core/geom"
)

// tie returns a pair of degree 3, one primitive in a plane in which it moves at random, the other
// above it: by the separation at the instant 1/2 or 1/3, by more before and after.
func tie(seed uint64, kind geom.Kind, third bool) curved.MotionQuery {
	rng := ccdtest.NewRand(seed, uint64(kind))
	n := 3 * kind.Points()
	q := curved.MotionQuery{Kind: kind, Degree: 3, T1: 1, Control: make([]float64, 4*n),
		Separation: float64(float32(0.1 * rng.Float64()))}
	heights := [4]float64{0.75, -0.25, -0.25, 0.75} // those of 3 (2t - 1)^2 / 4
	if third {
		heights = [4]float64{0.125, -0.125, 0, 0.5} // those of (3t - 1)^2 / 8
	}
	for l, height := range heights {
		for i := range n {
			switch {
			case i%3 < 2:
				q.Control[l*n+i] = rng.Float64() - 0.5
			case i < 3*kind.Info().Split:
				q.Control[l*n+i] = q.Separation + height
			}
		}
	}
	return q
}

// Pairs of degree 3 whose least distance is the separation at one instant, a double root, are
// decided by integers, in bounded work.
func TestMotionsInATie(t *testing.T) {
	var r curved.MotionResolver
	contacts, worst := [2]int{}, [2]float64{}
	for _, kind := range []geom.Kind{geom.VertexFace, geom.EdgeEdge} {
		for seed := range uint64(80) {
			third := int(seed % 2)
			q := tie(seed, kind, third == 1)
			var out geom.Impact
			before := r.Stats.Integers
			allocs := testing.AllocsPerRun(1, func() { r.Resolve(&q, 1, &out) })
			if r.Stats.Integers == before {
				continue // apart at that instant
			}
			if worst[third] = max(worst[third], allocs); out.Verdict != geom.Contact {
				continue
			}
			contacts[third]++
			want := [2][2]float64{{0.5, 0.5}, {1.0 / 3, math.Nextafter(1.0/3, 1)}}[third]
			if out.TOILo != want[0] || out.TOIHi != want[1] {
				t.Errorf("%+v: %+v", q, out)
			}
		}
	}
	t.Logf("contacts %v, allocations at most %v", contacts, worst)
	if max(worst[0], worst[1]) > 18000 { // 25,000 where each part of the time looks at all of each feature's region
		t.Errorf("%v allocations", worst)
	}
	if contacts[0] < 5 || contacts[1] < 5 {
		t.Errorf("%v ties are contacts", contacts)
	}
}

package curved

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
)

// Pairs at rest have the answer of integers, whatever their kind, the part of time, and how their
// points lie: on a lattice, on one plane or line, equal, large, or denormal.
func TestMotionStillAgreesWithIntegers(t *testing.T) {
	rng := rand.New(rand.NewPCG(45, 46))
	var decided, contacts [geom.EdgeFace]int
	for i := range 3000 {
		q := randomMotion(rng, i%2 == 0)
		q.Kind = []geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.PointEdge, geom.PointPoint}[rng.IntN(4)]
		n := 3 * q.Kind.Points()
		q.Control = q.Control[:n*(q.Degree+1)]
		size := []float64{1, 1, 5e-324, 1e-310, 1e-160, 1e100, geom.MaxCoordinate / 4}[rng.IntN(7)]
		flat, few := rng.IntN(6), rng.IntN(3) > 0
		for j := range n {
			x := rng.Float64() - 0.5
			if few {
				x = float64(rng.IntN(5) - 2)
			}
			if j%3 == flat || j%3 == flat-3 {
				x = 1
			}
			q.Control[j] = size * x
		}
		for j := n; j < len(q.Control); j++ {
			q.Control[j] = q.Control[j-n]
			if q.Control[j] == 0 {
				q.Control[j] = math.Copysign(0, rng.Float64()-0.5)
			}
		}
		var r MotionResolver
		var got geom.Impact
		end := q.T0 + float64(rng.Float64()*(q.T1-q.T0))
		r.Resolve(&q, end, &got)
		if r.Stats.Axes > 0 {
			continue
		}
		if r.Stats.Still != 1 {
			t.Fatalf("%+v: decided by another stage, %+v", q, r.Stats)
		}
		want := newIntegerDecider(&q).First(q.T0, q.T0)
		decided[q.Kind]++
		if want.Contact {
			contacts[q.Kind]++
		}
		if want.Contact != (got.Verdict == geom.Contact) || want.Contact && (got.TOILo != q.T0 || got.TOIHi != q.T0) {
			t.Fatalf("%+v: %+v, in integers %+v", q, got, want)
		}
	}
	t.Logf("decided %v, contacts %v", decided, contacts)
	for _, k := range []geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.PointEdge, geom.PointPoint} {
		if contacts[k] < 10 {
			t.Errorf("%v: %d contacts of %d pairs: the test shows too little", k, contacts[k], decided[k])
		}
	}
}

// A pair of which a point moves in the least, or with a separation, is not one at rest.
func TestMotionStillLeavesTheRest(t *testing.T) {
	control := make([]float64, 36)
	for i := range control {
		control[i] = float64(i % 12 % 5)
	}
	q := MotionQuery{Kind: geom.EdgeEdge, Degree: 2, Control: control, T1: 1}
	var r MotionResolver
	if _, is := r.still(&q); !is {
		t.Error("a pair at rest is not taken")
	}
	for i := 12; i < len(control); i++ {
		before := control[i]
		control[i] = math.Nextafter(before, 9)
		if _, is := r.still(&q); is {
			t.Errorf("control[%d] moves, and the pair is taken for one at rest", i)
		}
		control[i] = before
	}
	q.Separation = 1
	if _, is := r.still(&q); is {
		t.Error("a pair with a separation is taken")
	}
}

package curved

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
	"ccd/core/kernel"
)

// finderPairs is pairs for CurveFinder, and the same as queries.
type finderPairs struct {
	kind    geom.Kind
	curves  kernel.Curves
	index   [][4]int32
	queries []MotionQuery
}

func newFinderPairs(rng *rand.Rand, kind geom.Kind, degree, n int, family func() float64) *finderPairs {
	p := &finderPairs{kind: kind, curves: kernel.Curves{Degree: degree, Rec: make([]float64, 12*(degree+1)*n+1)}}
	for i := range p.curves.Rec {
		p.curves.Rec[i] = family()
	}
	for i := range n {
		at := [4]int32{int32(4 * i), int32(4*i + 1), int32(4*i + 2), int32(4*i + 3)}
		q := MotionQuery{Kind: kind, Degree: degree, T1: 1}
		for l := range degree + 1 {
			for _, v := range at {
				q.Control = append(q.Control, p.curves.Rec[3*((degree+1)*int(v)+l):][:3]...)
			}
		}
		p.index, p.queries = append(p.index, at), append(p.queries, q)
	}
	return p
}

// Where kernels decide, the integers agree in every bit; and they decide nearly all pairs that are
// not degenerate.
func TestMotionRootsAgreeWithIntegers(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	n := 60
	if testing.Short() {
		n = 15
	}
	families := map[string]func() float64{
		"uniform": func() float64 { return rng.Float64() - 0.5 },
		// On a grid, roots are doubles, are multiple, or lie at ends of primitives.
		"grid":  func() float64 { return float64(rng.IntN(5) - 2) },
		"sizes": func() float64 { return math.Ldexp(rng.Float64()-0.5, rng.IntN(8)) },
		"near":  func() float64 { return float64(rng.IntN(3)-1) + math.Ldexp(rng.Float64()-0.5, -rng.IntN(40)) },
		"tiny":  func() float64 { return math.Ldexp(rng.Float64()-0.5, -160) },
	}
	var finder CurveFinder
	for name, family := range families {
		decided, contacts, all := 0, 0, 0
		for _, kind := range []geom.Kind{geom.VertexFace, geom.EdgeEdge} {
			for degree := 2; degree <= 3; degree++ {
				for _, tMax := range []float64{1, 0.75, 1e-3, rng.Float64(), 0x1p-5, 1e-12, 0} {
					p := newFinderPairs(rng, kind, degree, n, family)
					toi, state := make([]float64, n), make([]uint8, n)
					finder.Find(&p.curves, kind, p.index, tMax, toi, state)
					for i := range p.queries {
						all++
						if state[i] == kernel.Unknown {
							continue
						}
						decided++
						var r MotionResolver
						want := r.search(&p.queries[i], tMax)
						if got := state[i] == kernel.Contact; got != want.Contact ||
							got && (toi[i] != want.Lo || math.Nextafter(toi[i], 2) != want.Hi) {
							t.Fatalf("%s: %+v up to %v: state %d at %v, integers %+v",
								name, p.queries[i], tMax, state[i], toi[i], want)
						}
						if want.Contact {
							contacts++
						}
					}
				}
			}
		}
		t.Logf("%s: %d of %d decided, %d contacts", name, decided, all, contacts)
		if name == "uniform" && (decided < all*9/10 || contacts < all/100) {
			t.Errorf("%s: %d of %d decided, %d contacts", name, decided, all, contacts)
		}
	}
}

// Parts of time are gone through in order, each instant once.
func TestMotionPartsFollowOneAnother(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 100 {
		p, at := timePart{}, 0.0
		for at < 1 {
			from, to := math.Ldexp(float64(p.i), -p.depth), math.Ldexp(float64(p.i+1), -p.depth)
			if from != at {
				t.Fatalf("%+v: it begins at %v, not %v", p, from, at)
			}
			if p.depth < 9 && rng.IntN(2) == 0 {
				p = timePart{2 * p.i, p.depth + 1}
				continue
			}
			at = to
			p.next()
		}
	}
}

// A root to which double-doubles lead from a part is one of this part only if it lies in it.
func TestMotionRootsAreOfTheirPart(t *testing.T) {
	// A vertex falls through a face from 0.3 to -0.7 along a straight line, in control points of
	// degree 2: f has one root, at about 0.3.
	points := [4][3][3]float64{
		{{0.25, 0.25, 0.3}, {0.25, 0.25, -0.2}, {0.25, 0.25, -0.7}}, {}, {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}},
		{{0, 1, 0}, {0, 1, 0}, {0, 1, 0}},
	}
	c := kernel.Curves{Degree: 2}
	for _, p := range points {
		for _, x := range p {
			c.Rec = append(c.Rec, x[:]...)
		}
	}
	c.Rec = append(c.Rec, 0)
	index := [][4]int32{{0, 1, 2, 3}}
	for i, want := range []uint8{undecidedRoot, kernel.Contact, undecidedRoot, undecidedRoot} {
		var f CurveFinder
		f.resize(1)
		f.from[0], f.to[0], f.toi[0], f.state[0] = 0.25*float64(i), 0.25*float64(i+1), 0.31, kernel.Contact
		f.round(&c, geom.VertexFace, index, []int32{0})
		if f.state[0] != want || !(f.toi[0] > 0.299 && f.toi[0] < 0.301) {
			t.Errorf("quarter %d: state %d at %v, want %d", i, f.state[0], f.toi[0], want)
		}
	}
}

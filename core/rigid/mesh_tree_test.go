package rigid

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest"
	"ccd/core/engine"
	"ccd/core/geom"
)

// TestSlicesHoldTheBody: at any time of a slice every corner is in its box, seen from the pivot;
// and boxes are as tight as they should be.
func TestSlicesHoldTheBody(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 1))
	for range 50 {
		b, m, o := soup(r, 1+r.IntN(60)), someMotion(r), DefaultOptions()
		if r.IntN(3) == 0 {
			o.TMin = 1000 * r.Float64()
			o.TMax = o.TMin + math.Ldexp(1, -r.IntN(40))
		}
		var a approach
		a.set(b, &m, &o)
		a.cut(b, &m)
		if n := len(a.slices); n < 1 || n > slicesMost || n&(n-1) != 0 {
			t.Fatalf("%d slices", n)
		}
		long := ccdtest.Plus(ccdtest.Big(o.TMax), ccdtest.Big(-o.TMin))
		for range 4 {
			i, f := r.IntN(len(a.slices)), []float64{0, 1, r.Float64()}[r.IntN(3)]
			at := ccdtest.Plus(ccdtest.Big(o.TMin),
				ccdtest.Times(long, ccdtest.Big((float64(i)+f)/float64(len(a.slices)))))
			pivot, _, _ := truth(&m, m.Pivot, at)
			for _, tri := range b.tri {
				x, _, _ := truth(&m, tri[r.IntN(3)], at)
				for k := range 3 {
					arm := ccdtest.Plus(x[k], new(big.Float).Neg(pivot[k]))
					if arm.Cmp(big.NewFloat(a.slices[i].lo[k])) < 0 || arm.Cmp(big.NewFloat(a.slices[i].hi[k])) > 0 {
						t.Fatalf("%v is outside of slice %d, %+v, on axis %d: %+v", arm, i, a.slices[i], k, m)
					}
				}
			}
		}
	}
	still := Motion{Rotation: quat.Number{Real: 1}, Position: r3.Vec{X: 7}, Velocity: r3.Vec{Y: 3}}
	var a approach
	o, b := DefaultOptions(), ball(t, 16, 0.5)
	a.set(b, &still, &o)
	a.cut(b, &still)
	for k := range 3 {
		if s := a.slices[0]; len(a.slices) != 1 || s.lo[k] < -0.51 || s.hi[k] > 0.51 {
			t.Errorf("a ball of radius 1/2 that does not turn: %+v", a.slices)
		}
	}
}

// rumpled moves the vertices of a sheet by random waves.
func rumpled(r *rand.Rand, x []float64, by float64) []float64 {
	y := slices.Clone(x)
	u, v, w := 6*r.Float64(), 6*r.Float64(), by*r.Float64()
	for i := 0; i < len(y); i += 3 {
		y[i] += 0.3 * w * math.Sin(v*y[i+1])
		y[i+2] += w*math.Sin(u*y[i]+v) + by*(r.Float64()-0.5)
	}
	return y
}

// TestPairsDoNotDependOnTheMeshTree: the pairs that are tested are those that a body and an element
// by themselves are, not before their cluster; answers are those of a scene that has seen no other
// frames, for any number of threads, and the first of them is the earliest.
func TestPairsDoNotDependOnTheMeshTree(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 1))
	m, flat := sheet(t, 12)
	kept := MeshScene{Mesh: m, Bodies: []*Body{ball(t, 8, 0.4), soup(r, 8)}, Motions: make([]Motion, 2)}
	pairs, met := 0, 0
	for round := range 40 {
		x0, x1 := rumpled(r, flat, 0.3*float64(round%5)), rumpled(r, flat, 0.3)
		for i := range kept.Motions {
			kept.Motions[i] = Motion{
				Rotation:        quat.Number{Real: 1, Imag: r.NormFloat64()},
				Position:        r3.Vec{X: r.Float64() - 0.5, Y: r.Float64() - 0.5, Z: 2 * r.Float64()},
				Velocity:        r3.Vec{X: r.Float64() - 0.5, Z: -3 * r.Float64()},
				AngularVelocity: geom.Scale(math.Ldexp(1, r.IntN(6)-1), r3.Vec{X: r.Float64(), Y: 1}),
			}
		}
		var stats engine.Stats
		kept.Stats, kept.Threads = &stats, 1+round%3
		got, err := kept.Collisions(x0, x1, nil)
		if err != nil {
			t.Fatal(err)
		}
		tested := int64(0)
		for i := range kept.Bodies {
			starts := map[int32]float64{}
			for _, at := range kept.clustersOf(i) {
				n := &kept.tree.nodes[at.node]
				for _, e := range kept.tree.order[n.First : n.First+n.Count] {
					starts[e] = at.start
				}
			}
			for e := range int32(kept.tree.elements()) {
				boxes := kept.tree.endsOf(e)
				start, meet := kept.ways[i].meets(&boxes, false)
				if from, listed := starts[e]; meet && (!listed || from > start) {
					t.Fatalf("body %d meets element %d from %v on, its cluster from %v, %v", i, e, start, from, listed)
				}
				if meet {
					tested++
				}
			}
		}
		if tested != stats.Candidates[0] {
			t.Errorf("%d pairs were tested, not %d", stats.Candidates[0], tested)
		}
		fresh := MeshScene{Mesh: m, Bodies: kept.Bodies, Motions: kept.Motions}
		want, err := fresh.Collisions(x0, x1, nil)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("round %d: %d contacts, by a fresh scene %d, %v", round, len(got), len(want), err)
		}
		first, err := kept.Earliest(x0, x1, nil)
		if err != nil || len(want) > 0 && first != want[0] || len(want) == 0 && first.Verdict != geom.Separate {
			t.Errorf("round %d: earliest %+v, %v", round, first, err)
		}
		pairs, met = pairs+int(tested), met+len(want)
	}
	if pairs < 1000 || met < 100 {
		t.Errorf("only %d pairs, %d contacts", pairs, met)
	}
}

// clustersOf returns the clusters that a body may come near.
func (s *MeshScene) clustersOf(body int) []meshPair {
	s.tree.stack = append(s.tree.stack[:0], 0)
	return s.tree.clustersNear(&s.ways[body], int32(body), nil, math.MaxInt)
}

package broad

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/bound"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/simd"
)

// plannedPairs are all pairs of a plan, sorted.
func plannedPairs(t testing.TB, p *Plan) *Candidates {
	t.Helper()
	c, w := new(Candidates), NewWorker()
	for i := range p.Tasks() {
		w.Sweep(p, &p.Tasks()[i], func(k geom.Kind, pairs [][2]int32) bool {
			for _, x := range pairs {
				c.add(k, x[0], x[1])
			}
			return true
		})
	}
	if int(w.Kept) != c.Len() {
		t.Errorf("the worker counts %d pairs, it emitted %d", w.Kept, c.Len())
	}
	c.sort()
	return c
}

// ends are the two frames of a motion, each standing still.
func ends(mo *geom.Trajectories) (out [2]*geom.Trajectories) {
	for e := range out {
		out[e] = &geom.Trajectories{N: mo.N, Rec: slices.Clone(mo.Rec)}
		for i := range mo.N {
			copy(out[e].Rec[8*i+4-4*e:8*i+7-4*e], mo.Rec[8*i+4*e:8*i+4*e+3])
		}
	}
	return out
}

// apart reports whether an axis separates two inflated boxes at both ends of [0, 1]: the kinetic
// boxes, in doubles.
func apart(m *mesh.Mesh, ends [2]*geom.Trajectories, k geom.Kind, a, b int32, r float64) bool {
	return apartBetween(m, ends, ends, k, a, b, r, r)
}

// apartBetween is apart for vertices between lo and hi, and boxes of a and b with inflations of
// their own.
func apartBetween(m *mesh.Mesh, lo, hi [2]*geom.Trajectories, k geom.Kind, a, b int32, ra, rb float64) bool {
	idx := m.Indices(k, a, b)
	n := 1
	if k == geom.EdgeEdge {
		n = 2
	}
	var box [2][2]bound.Box
	for e := range lo {
		box[e] = [2]bound.Box{bound.Swept(lo[e], idx[:n]...), bound.Swept(lo[e], idx[n:]...)}
		box[e][0].Max, box[e][1].Max = bound.Swept(hi[e], idx[:n]...).Max, bound.Swept(hi[e], idx[n:]...).Max
		box[e][0].Inflate(ra)
		box[e][1].Inflate(rb)
	}
	for i := range 3 {
		for s := range 2 {
			if box[0][s].Max[i] < box[0][1-s].Min[i] && box[1][s].Max[i] < box[1][1-s].Min[i] {
				return true
			}
		}
	}
	return false
}

// A plan holds every pair that the kinetic boxes of doubles do not separate, once, and none that
// they separate but for the rounding to single precision; in a moving frame as well.
func TestPlanLosesNoPair(t *testing.T) {
	for _, s := range adversaries() {
		m, mo := s.load(t)
		ends := ends(mo)
		for _, d := range []float64{0, 1e-3, 0.5, 1e140} {
			for _, still := range []bool{false, true} {
				name := fmt.Sprintf("%s, separation %v, still %v", s.name, d, still)
				var p Plan
				r := bound.Half(d)
				if err := p.Build(m, mo, PlanOptions{Input: Input{Separation: 2 * r, Until: 1, Still: still},
					Work: Work{Threads: 2}}); err != nil {
					t.Fatal(err)
				}
				want, err := BruteForce(m, mo, Options{MinSeparation: d})
				if err != nil {
					t.Fatal(err)
				}
				got := plannedPairs(t, &p)
				for k := geom.VertexFace; k <= geom.PointPoint; k++ {
					pairs := got.Of(k)
					if n := len(slices.Compact(slices.Clone(pairs))); n != len(pairs) {
						t.Fatalf("%s: %d %v pairs twice", name, len(pairs)-n, k)
					}
					for _, x := range want.Of(k) {
						if _, found := slices.BinarySearchFunc(pairs, x,
							func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) }); !found &&
							!apart(m, ends, k, x[0], x[1], r) {
							t.Fatalf("%s: %v pair %v is lost", name, k, x)
						}
					}
					for _, x := range pairs {
						if !p.filter.Allows(k, x[0], x[1]) {
							t.Fatalf("%s: %v pair %v is not allowed", name, k, x)
						}
					}
				}
			}
		}
	}
}

// A pair is found over [0, t] if it is near at some time up to t.
func TestPlanUntil(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	s := soup(r, 40, func() float64 { return 2*r.Float64() - 1 })
	m, mo := s.load(t)
	for _, until := range []float64{0, 1e-300, 0.1, 0.7} {
		cut := slices.Clone(s.x1) // the motion over [0, until] as a whole step, rounded
		for i := range cut {
			cut[i] = s.x0[i] + until*(s.x1[i]-s.x0[i])
		}
		short := scene{name: "cut", nv: s.nv, edges: s.edges, faces: s.faces, x0: s.x0, x1: cut}
		_, shortMotion := short.load(t)
		want, err := BruteForce(m, shortMotion, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var p Plan
		if err := p.Build(m, mo, PlanOptions{Input: Input{Until: until}}); err != nil {
			t.Fatal(err)
		}
		got := plannedPairs(t, &p)
		for k := geom.VertexFace; k <= geom.PointPoint; k++ {
			extra := len(got.Of(k))
			for _, x := range want.Of(k) {
				if _, found := slices.BinarySearchFunc(got.Of(k), x,
					func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) }); found {
					extra--
				} else if !apart(m, ends(shortMotion), k, x[0], x[1], 0) {
					t.Fatalf("until %v: %v pair %v is lost", until, k, x)
				}
			}
			if extra > 0 && float64(extra) > 0.01*float64(len(want.Of(k))) {
				t.Errorf("until %v, %v: %d pairs too many", until, k, extra)
			}
		}
	}
}

func TestPlanIsTheSameAtEveryLevel(t *testing.T) {
	for _, s := range adversaries() {
		m, mo := s.load(t)
		var want *Candidates
		for _, level := range simd.Levels() {
			restore, err := simd.Force(level)
			if err != nil {
				t.Fatal(err)
			}
			var p Plan
			if err := p.Build(m, mo, PlanOptions{Input: Input{Until: 1}}); err != nil {
				t.Fatal(err)
			}
			got := plannedPairs(t, &p)
			restore()
			if want == nil {
				want = got
			}
			sameCandidates(t, s.name+" at "+level, got, want)
		}
	}
}

func TestGridHomes(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	for i := range 300 {
		var g grid
		for k := range 2 {
			g.of.Lo[k] = float32(r.NormFloat64())
			n, inv := 1+r.IntN(50), math.Exp(20*r.NormFloat64())
			if i >= 200 { // around 0, where floats are dense
				n, inv = 400, 100
			}
			g.divide(k, n, inv)
		}
		g.findHomes()
		for k := range 2 {
			for c := 1; c < g.n[k]; c++ {
				x := g.home[k][c]
				if before := math.Nextafter32(x, float32(math.Inf(-1))); g.of.Cell(k, x) < c ||
					g.of.Cell(k, before) >= c {
					t.Fatalf("%+v: axis %d, cell %d begins at %v", g, k, c, x)
				}
			}
		}
	}
}

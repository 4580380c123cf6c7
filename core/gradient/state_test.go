package gradient_test

import (
	"math"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/gradient"
)

// A query with a known derivative, or none.
type known struct {
	name    string
	kind    geom.Kind
	d       float64
	maxNorm bool
	tMax    float64
	q       []float64
	state   gradient.State
	toi     float64
	x1      [3]float64 // the derivative with respect to the first point at t = 1, where Defined
}

// A face in the plane z = 0, a vertex above it.
func overFace(x, y, z0, z1 float64) []float64 {
	return []float64{x, y, z0, 0, 0, 0, 1, 0, 0, 0, 1, 0, x, y, z1, 0, 0, 0, 1, 0, 0, 0, 1, 0}
}

// Two edges: along x at z = 0, and the second along (dx, dy) from (x, y) at height z0, then z1.
func overEdge(x, y, dx, dy, z0, z1 float64) []float64 {
	q := []float64{-1, 0, 0, 1, 0, 0}
	edge := func(z float64) []float64 { return []float64{x, y, z, x + dx, y + dy, z} }
	q = append(q, edge(z0)...)
	return append(append(q, -1, 0, 0, 1, 0, 0), edge(z1)...)
}

var inf = math.Inf(1)

var knowns = []known{
	{"a vertex through a face", geom.VertexFace, 0, false, 1, overFace(0.25, 0.25, 1, -1), gradient.Defined, 0.5,
		[3]float64{0, 0, 0.25}},
	{"a vertex to a face", geom.VertexFace, 0.5, false, 1, overFace(0.25, 0.25, 1, -1), gradient.Defined, 0.25,
		[3]float64{0, 0, 0.125}},
	{"the same in the max norm, over a corner of the cube", geom.VertexFace, 0.5, true, 1, overFace(0.25, 0.25, 1, -1),
		gradient.Tie, 0.25, [3]float64{}},
	{"no impact", geom.VertexFace, 0, false, 1, overFace(0.25, 0.25, 1, 0.5), gradient.NoImpact, inf, [3]float64{}},
	{"contact at the start", geom.VertexFace, 0, false, 1, overFace(0.25, 0.25, 0, -1), gradient.Initial, 0,
		[3]float64{}},
	{"nearer than d at the start", geom.VertexFace, 0.5, false, 1, overFace(0.25, 0.25, 0.25, -1), gradient.Initial, 0,
		[3]float64{}},
	{"at t_max", geom.VertexFace, 0, false, 0.5, overFace(0.25, 0.25, 1, -1), gradient.Border, 0.5, [3]float64{}},
	{"at t = 1", geom.VertexFace, 0, false, 1, overFace(0.25, 0.25, 1, 0), gradient.Border, 1, [3]float64{}},
	{"through a side of a face", geom.VertexFace, 0, false, 1, overFace(0.5, 0.5, 1, -1), gradient.Border, 0.5,
		[3]float64{}},
	{"through a corner of a face", geom.VertexFace, 0, false, 1, overFace(0, 1, 1, -1), gradient.Border, 0.5,
		[3]float64{}},
	{"over a side of a face, at a distance", geom.VertexFace, 0.5, false, 1, overFace(0.5, 0.5, 1, -1),
		gradient.Defined, 0.25, [3]float64{0, 0, 0.125}},
	{"over a corner of a face, at a distance", geom.VertexFace, 0.5, false, 1, overFace(0, 1, 1, -1), gradient.Defined,
		0.25, [3]float64{0, 0, 0.125}},
	{"a double root: points that pass at just d", geom.PointPoint, 0.5, false, 1,
		[]float64{-1, 0.5, 0, 0, 0, 0, 1, 0.5, 0, 0, 0, 0}, gradient.Grazing, 0.5, [3]float64{}},
	{"two points head on", geom.PointPoint, 0.5, false, 1, []float64{-1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0},
		gradient.Defined, 0.25, [3]float64{-0.125, 0, 0}},
	{"two points that meet", geom.PointPoint, 0, false, 1, []float64{-1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0},
		gradient.Border, 0.5, [3]float64{}},
	{"a point that meets an edge", geom.PointEdge, 0, false, 1,
		[]float64{0, 0, 1, -1, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, 1, 0, 0}, gradient.Border, 0.5, [3]float64{}},
	{"a point over an edge", geom.PointEdge, 0.5, false, 1, []float64{0, 0, 1, -1, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, 1,
		0, 0}, gradient.Defined, 0.25, [3]float64{0, 0, 0.125}},
	{"a point beside an edge, max norm: an axis", geom.PointEdge, 0.5, true, 1,
		[]float64{3, 0.25, 0, -1, 0, 0, 1, 0.125, 0.25, -1, 0.25, 0, -1, 0, 0, 1, 0.125, 0.25}, gradient.Defined, 0.375,
		[3]float64{0.09375, 0, 0}},
	{"crossed edges", geom.EdgeEdge, 0, false, 1, overEdge(0, -1, 0, 2, 1, -1), gradient.Defined, 0.5,
		[3]float64{0, 0, -0.125}},
	{"parallel edges", geom.EdgeEdge, 0.5, false, 1, overEdge(-1, 0, 2, 0, 1, -1), gradient.Tie, 0.25, [3]float64{}},
	{"parallel edges that touch", geom.EdgeEdge, 0, false, 1, overEdge(-1, 0, 2, 0, 1, -1), gradient.Tie, 0.5,
		[3]float64{}},
	{"parallel edges, end to end", geom.EdgeEdge, 0.5, false, 1, overEdge(1, 0, 2, 0, 1, -1), gradient.Tie, 0.25,
		[3]float64{}},
	{"parallel edges, one beyond the other", geom.EdgeEdge, 0.5, false, 1, overEdge(1.25, 0, 2, 0, 1, -1),
		gradient.Defined, (1 - math.Sqrt(3)/4) / 2, [3]float64{}},
	{"an edge that slides along another at just d", geom.EdgeEdge, 0.5, false, 1,
		append(overEdge(5, -1, 0, 2, 0.5, 0)[:12],
			-1, 0, 0, 1, 0, 0, -5, -1, 0.5, -5, 1, 0.5), gradient.Grazing, 0.4, [3]float64{}},
	{"a face without an area, a corner nearest", geom.VertexFace, 0.5, false, 1,
		[]float64{3, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0}, gradient.Defined, 0.5,
		[3]float64{1. / 6, 0, 0}},
	{"a face without an area, its line nearest", geom.VertexFace, 0.5, false, 1,
		[]float64{0.25, 0, 3, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0.25, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0}, gradient.Tie,
		2.5 / 3, [3]float64{}},
	{"an edge without a length", geom.PointEdge, 0.5, false, 1,
		[]float64{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, gradient.Tie, 0.5, [3]float64{}},
}

// Every state, on queries whose derivative is known.
func TestGradientStates(t *testing.T) {
	for _, x := range knowns {
		c := ccdtest.Case{Kind: x.kind, D: x.d, Q: x.q, TMax: x.tMax}
		im, g := solve(&c, x.maxNorm)
		if err := ccdtest.GradientLaw2(&im, &g); err != nil {
			t.Errorf("%s: %v", x.name, err)
		}
		if g.State != x.state || !(math.Abs(g.TOI-x.toi) < 1e-15 || g.TOI == x.toi) {
			t.Errorf("%s: %v at %v, want %v at %v", x.name, g.State, g.TOI, x.state, x.toi)
			continue
		}
		if g.State != gradient.Defined {
			continue
		}
		for k := range 3 { // On overEdge's far edge the first point has no weight.
			if !(math.Abs(g.X1[0][k]-x.x1[k]) < 1e-15) {
				t.Errorf("%s: %v, want %v", x.name, g.X1[0], x.x1)
			}
		}
	}
}

// Magnitudes at which derivatives leave the range of doubles, and products of lengths do.
func TestGradientOfExtremeLengths(t *testing.T) {
	for _, c := range []struct {
		unit  float64
		state gradient.State
	}{{1e150, gradient.Defined}, {1e-290, gradient.Defined}, {0x1p-1070, gradient.Undetermined}} {
		q := overFace(0.25, 0.25, 0.5, -0.5)
		for i := range q {
			q[i] *= c.unit
		}
		_, g := solve(&ccdtest.Case{Kind: geom.VertexFace, Q: q, TMax: 1}, false)
		if g.State != c.state || g.State == gradient.Defined && math.Abs(g.X1[0][2]*c.unit-0.5) > 1e-15 {
			t.Errorf("%v: %+v", c.unit, g)
		}
	}
}

// A gradient allocates nothing.
func TestGradientAllocatesNothing(t *testing.T) {
	for _, s := range settings {
		for _, k := range geom.StepKinds {
			fam, _ := ccdtest.FamilyNamed("meshlike")
			r := ccdtest.NewRand(3, uint64(k))
			c := fam.Make(r, k, s.separation)
			im, g := solve(&c, s.maxNorm)
			for g.State != gradient.Defined && (s.separation || len(k.Info().Corners) > 2) {
				c = fam.Make(r, k, s.separation)
				im, g = solve(&c, s.maxNorm)
			}
			q := gradient.Query{Kind: c.Kind, Q: c.Q, Separation: c.D, MaxNorm: s.maxNorm, TMax: c.TMax}
			if n := testing.AllocsPerRun(100, func() { g.Of(&q, &im) }); n != 0 {
				t.Errorf("%v %v: %v allocations", k, s, n)
			}
		}
	}
}

func BenchmarkGradient(b *testing.B) {
	for _, s := range settings {
		for _, k := range geom.StepKinds {
			if !s.separation && len(k.Info().Corners) < 3 {
				continue
			}
			name := k.String()
			if s.separation {
				name += map[bool]string{false: ", Euclidean", true: ", max"}[s.maxNorm]
			}
			b.Run(name, func(b *testing.B) {
				fam, _ := ccdtest.FamilyNamed("meshlike")
				r := ccdtest.NewRand(3, uint64(k))
				var queries []gradient.Query
				var impacts []geom.Impact
				for len(queries) < 256 {
					c := fam.Make(r, k, s.separation)
					if im, g := solve(&c, s.maxNorm); g.State == gradient.Defined {
						queries = append(queries,
							gradient.Query{Kind: c.Kind, Q: c.Q, Separation: c.D, MaxNorm: s.maxNorm, TMax: c.TMax})
						impacts = append(impacts, im)
					}
				}
				var g gradient.Gradient
				for i := 0; b.Loop(); i++ {
					g.Of(&queries[i%256], &impacts[i%256])
				}
			})
		}
	}
}

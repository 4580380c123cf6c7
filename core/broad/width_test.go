package broad

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/geom"
)

// triangles is n triangles in a unit cube, each of its own size.
func triangles(n int, size func() float64) scene {
	r := rand.New(rand.NewPCG(23, 7))
	s := scene{name: "triangles", nv: 3 * n}
	for i := range n {
		var center, move [3]float64
		for k := range 3 {
			center[k], move[k] = r.Float64(), 0.001*r.NormFloat64()
		}
		d := size()
		for corner := range 3 {
			for k := range 3 {
				x := center[k] + d*r.NormFloat64()
				s.x0, s.x1 = append(s.x0, x), append(s.x1, x+move[k])
			}
			s.faces = append(s.faces, int32(3*i+corner))
		}
	}
	return s
}

// Crowded boxes have narrower cells than usual, boxes of very different sizes wider ones, few boxes
// the usual ones. The candidates are those of BruteForce.
func TestCellWidths(t *testing.T) {
	r := rand.New(rand.NewPCG(24, 7))
	for _, c := range []struct {
		name string
		s    scene
		want int // want is 1 for more cells than of the usual width, -1 for fewer.
	}{
		{"crowded", triangles(3000, func() float64 { return 0.11 }), 1},
		{"sizes", triangles(1500, func() float64 { return 0.002 * math.Exp(1.5*r.NormFloat64()) }), -1},
		{"few", triangles(1300, func() float64 { return 0.1 }), 0},
	} {
		m, mo := c.s.load(t)
		var p Plan
		if err := p.Build(m, mo, PlanOptions{Input: Input{Until: 1, Still: true}, Work: Work{Threads: 2}}); err != nil {
			t.Fatal(err)
		}
		for i := range p.work {
			w := &p.work[i]
			if w.kind != geom.EdgeEdge {
				continue
			}
			usual := newGrid(&w.sample, &p.space, w.a.n, p.how.typical(), nil, cellWidth)
			if more := w.grid.cells() - usual.cells(); more*c.want < 0 || (more == 0) != (c.want == 0) {
				t.Errorf("%s: %d cells, %d of the usual width", c.name, w.grid.cells(), usual.cells())
			}
		}
		got, err := Sweep(m, mo, Options{Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		want, err := BruteForce(m, mo, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range []geom.Kind{geom.VertexFace, geom.EdgeEdge} {
			if len(want.Of(k)) < 100 || !slices.Equal(got.Of(k), want.Of(k)) {
				t.Errorf("%s: %d pairs %v, want %d", c.name, len(got.Of(k)), k, len(want.Of(k)))
			}
		}
		got.Release()
	}
}

package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
)

// A vertex comes down on the inside of a face: with a separation in the max norm the contact is
// below it, not on the edge f0-f1.
func TestVertexFaceIsPlacedInsideTheFace(t *testing.T) {
	q := []float64{.25, .5, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, .25, .5, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0}
	o := DefaultOptions()
	o.MinSeparation = 1e-3
	var im geom.Impact
	NewSolver().Solve(geom.VertexFace, q, &o, &im)
	if math.Abs(im.U-0.25) > 1e-12 || math.Abs(im.V-0.5) > 1e-12 || math.Abs(im.Normal[2]-1) > 1e-12 {
		t.Errorf("u = %v, v = %v, normal %v: want 0.25, 0.5 and up", im.U, im.V, im.Normal)
	}
}

// Pairs that start nearer than d and go apart have their normal from b to a, however near they are.
func TestNormalOfPairsThatPart(t *testing.T) {
	s := NewSolver()
	for _, z := range []float64{0.2, 0.1, 1e-3, 1e-6, 1e-9, 1e-13} {
		vf := []float64{.25, .5, z, 0, 0, 0, 1, 0, 0, 0, 1, 0, .25, .5, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0}
		ee := []float64{-1, 0, z, 1, 0, z, 0, -1, 0, 0, 1, 0, -1, 0, 1, 1, 0, 1, 0, -1, 0, 0, 1, 0}
		pe := []float64{.25, 0, z, 0, 0, 0, 1, 0, 0, .25, 0, 1, 0, 0, 0, 1, 0, 0}
		pp := []float64{0, 0, z, 0, 0, 0, 0, 0, 1, 0, 0, 0}
		for kind, q := range [][]float64{vf, ee, pe, pp} {
			for _, m := range []Method{Default, TightInclusion, TimeContracted, Exact} {
				for _, flags := range []uint32{0, NoZeroTOI, MaxNorm, MaxNorm | NoZeroTOI} {
					o := DefaultOptions()
					o.Method, o.MinSeparation, o.Flags = m, 0.3, flags
					k := geom.Kind(kind + 1)
					if o.Supported(k) != nil {
						continue
					}
					var im geom.Impact
					s.Solve(k, q, &o, &im)
					// In the max norm the points may lie anywhere in the cube above the face; the
					// side is the same.
					if im.Verdict != geom.Contact || im.TOIHi != 0 || !(im.Normal[2] > 0) {
						t.Errorf("%v, method %v, flags %d, start at %v: %+v", k, m, flags, z, im)
					}
				}
			}
		}
	}
}

// The middle of a cell that leaves the triangle is in the cell and in the triangle.
func TestMiddleIsInTheCell(t *testing.T) {
	f := form{domain: geom.Triangle}
	for _, c := range []cell{
		{u0: 0.875, u1: 1, v0: 0, v1: 1}, {u0: 0, u1: 1, v0: 0.9375, v1: 1}, {u0: 0.5, u1: 1, v0: 0.25, v1: 0.75},
		{u1: 1, v1: 1},
		{u0: 0.5, u1: 0.75, v0: 0.5, v1: 0.75}, {u0: 0.25, u1: 0.5, v0: 0.25, v1: 0.5},
	} {
		u, v := f.middle(&c)
		if u < c.u0 || u > c.u1 || v < c.v0 || v > c.v1 || v > 1-u {
			t.Errorf("(%v, %v) of %+v", u, v, c)
		}
	}
}

// The part of a vector across an edge is at right angles to it, also where the vector is nearly
// along the edge.
func TestPartAcrossAnEdge(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for range 1000 {
		e, _ := unit([3]float64{r.Float64() - 0.5, r.Float64() - 0.5, r.Float64() - 0.5})
		small := math.Ldexp(1, -r.IntN(36))
		w := [3]float64{e[0] + small*(r.Float64()-0.5), e[1] + small*(r.Float64()-0.5), e[2] + small*(r.Float64()-0.5)}
		n, ok := across(w, e)
		if along := geom.Dot3(&n, &e); !ok || math.Abs(along) > 0x1p-50 {
			t.Fatalf("%v across %v: %v, %v, %v along it", w, e, n, ok, along)
		}
	}
}

package ccdtest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/patch"
)

// PatchWall is a query whose first contact is known to the bit, however unpleasant the patches: A
// lies on the one side of a plane at all times, B on the other until the time Meets, when corners
// of both come together on it. All coordinates are short dyadic numbers, so that nothing of this is
// rounded. Curves and surfaces interpolate their corners whatever the weights.
type PatchWall struct {
	A, B  *patch.Patch
	Meets float64
	rate  float64 // the rate at which the corners near each other along the plane's normal
	tilt  bool    // the plane is not across an axis
}

// wallForms are what walls are made of.
var wallForms = []patch.Form{
	{Shape: patch.Curve}, {Shape: patch.Curve, U: 1}, {Shape: patch.Curve, U: 3}, {Shape: patch.Triangle, U: 1, V: 1},
	{Shape: patch.Triangle, U: 2, V: 2},
	{Shape: patch.Triangle, U: 3, V: 3}, {Shape: patch.Triangle, U: 4, V: 4}, {Shape: patch.Quad, U: 1, V: 1},
	{Shape: patch.Quad, U: 2, V: 2},
	{Shape: patch.Quad, U: 3, V: 3}, {Shape: patch.Quad, U: 1, V: 3}, {Shape: patch.Quad, U: 4, V: 2},
	{Shape: patch.Quad, U: 9, V: 9},
}

// shortNumber has a few bits: coarse enough to stay exact beside an offset of 10^8.
func shortNumber(r *rand.Rand, bits int) float64 {
	return math.Ldexp(float64(r.IntN(1<<bits)-1<<(bits-1)), 1-bits)
}

// RandomPatchWall makes one at random. Its nets are random, collapsed along edges, folded, all one
// point, with cusps at the contact, or flat: in the plane or nearly so. The contact may come at the
// very end of the step, or within 2^-40 of its beginning.
func RandomPatchWall(r *rand.Rand) *PatchWall {
	f, g := wallForms[r.IntN(len(wallForms))], wallForms[r.IntN(len(wallForms))]
	w := &PatchWall{A: &patch.Patch{Form: f}, B: &patch.Patch{Form: g}}
	w.rate = math.Ldexp(1, r.IntN(5)-2)
	w.Meets = []float64{1, 0.5, 1 - 0x1p-10, 0x1p-10, float64(1+r.IntN(63)) / 64}[r.IntN(5)]
	height := []float64{1, 1, 0x1p-10, 0x1p-18, 0}[r.IntN(5)]
	// No faster than the rate: the max norm sees the rate alone.
	drift := [2]float64{w.rate * shortNumber(r, 4), w.rate * shortNumber(r, 4)}
	for i, p := range []*patch.Patch{w.A, w.B} {
		sign := 1 - 2*float64(i)
		style := r.IntN(6)
		at := places(p.Form)
		for k := range p.Form.Points() {
			x, y, z := shortNumber(r, 8), shortNumber(r, 8), height*math.Abs(shortNumber(r, 6))
			switch {
			case k == 0 || style == 0: // a point altogether
				x, y, z = 0, 0, 0
			case style == 1: // a regular net
				x, y = math.Round(64*at[k][0])/64, math.Round(64*at[k][1])/64
			case style == 2 && at[k][0] == 0: // an edge that is a point
				x, y, z = 0, 0, 0
			case style == 3: // folded over along u = 1/2
				x, y = math.Round(64*min(at[k][0], 1-at[k][0]))/64, math.Round(64*at[k][1])/64
			case style == 4 && at[k][0]+at[k][1] < 0.7: // a cusp: no direction at the contact
				x, y, z = 0, 0, 0
			}
			z *= sign
			p.X0, p.X1 = append(p.X0, x, y, z), append(p.X1, x, y, z)
			if i == 1 {
				o := 3 * k
				for c, v := range []float64{drift[0], drift[1], w.rate} {
					p.X0[o+c] -= v * w.Meets
					p.X1[o+c] += v * (1 - w.Meets)
				}
			}
		}
		if r.IntN(2) == 0 {
			for range p.Form.Points() {
				p.W = append(p.W, math.Ldexp(1+r.Float64(), r.IntN(20)))
			}
		}
	}
	w.place(r)
	return w
}

// place turns and shifts both.
func (w *PatchWall) place(r *rand.Rand) {
	turn, shear := r.IntN(3), float64(r.IntN(2)*(r.IntN(5)-2))
	w.tilt = shear != 0
	offset := []float64{0, 0, 100000000, -0x1p20}[r.IntN(4)]
	for _, p := range []*patch.Patch{w.A, w.B} {
		for _, x := range [][]float64{p.X0, p.X1} {
			for i := 0; i < len(x); i += 3 {
				v := [3]float64{x[i], x[i+1] + shear*x[i+2], x[i+2] + shear*x[i]}
				for k := range 3 {
					x[i+k] = v[(k+turn)%3] + offset
				}
			}
		}
	}
	if r.IntN(3) == 0 {
		w.A, w.B = w.B, w.A
	}
}

// places are where the control points of a form lie if the patch is the identity.
func places(f patch.Form) [][2]float64 {
	list := make([][2]float64, f.Points())
	for i := 0; i <= f.U; i++ {
		for j := 0; j <= f.V && (f.Shape != patch.Triangle || i+j <= f.U); j++ {
			list[f.Index(i, j)] = [2]float64{float64(i) / float64(max(f.U, 1)), float64(j) / float64(max(f.V, 1))}
		}
	}
	return list
}

// Check solves the query with a budget, by a search or by the default, and compares with what is
// known.
func (w *PatchWall) Check(r *rand.Rand, s *patch.Solver, search patch.Search) (verdict geom.Verdict, err error) {
	o := patch.DefaultOptions()
	o.Tolerance = math.Pow(10, -2-8*r.Float64())
	o.MaxIterations = []int64{1, 20, 300, 1500}[r.IntN(4)]
	o.TMax = []float64{1, w.Meets, w.Meets + (1-w.Meets)/2}[r.IntN(3)]
	o.Flags = narrow.MaxNorm // The max norm sees the rate alone.
	o.Search = search
	first := w.Meets
	if !w.tilt && r.IntN(3) == 0 { // the corners come within d at an earlier time
		o.MinSeparation = math.Ldexp(1, -3-r.IntN(30))
		first = max(0, first-o.MinSeparation/w.rate)
	}
	missed := r.IntN(8) == 0 && first > 0.25
	if missed {
		o.TMax = first - 0.125
	}
	var im patch.Impact
	if err := s.Solve(w.A, w.B, &o, &im); err != nil {
		return im.Verdict, err
	}
	if err := CheckPatchContact(w.A, w.B, &o, &im); err != nil {
		return im.Verdict, err
	}
	allowed := o.Tolerance + patchRounding(w.A, w.B, o.MinSeparation)
	if missed {
		if im.Verdict == geom.Contact && w.rate*0.125 > allowed && !w.tilt {
			return im.Verdict, fmt.Errorf("%v and %v are apart until %v: %+v", w.A.Form, w.B.Form, first, im)
		}
		return im.Verdict, nil
	}
	if im.Verdict == geom.Separate || im.TOILo > first {
		return im.Verdict, fmt.Errorf("%v and %v meet at %v of %v: %+v\n%+v\n%+v\n%+v", w.A.Form, w.B.Form, first,
			o.TMax, im, o.Options, *w.A, *w.B)
	}
	if im.Verdict == geom.Contact && !w.tilt && im.TOILo < first-allowed/w.rate*(1+0x1p-40) && search == nil {
		return im.Verdict, fmt.Errorf("%v and %v meet at %v: %+v is early; %+v", w.A.Form, w.B.Form, first, im,
			o.Options)
	}
	return im.Verdict, nil
}

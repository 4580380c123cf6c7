package patch

import "math"

// localSpace is the coordinates in which a query is computed: relative to a moving origin, in units
// of a power of two, so that bounds depend on the sizes of the patches and not on where they are,
// how they move together, or the unit of length.
type localSpace struct {
	origin [2][3]float64 // the origin at t=0 and at t=1
	unit   float64       // multiply by it
}

// localSpaceOf takes the middle of the control points' box at either end as origin, and as unit the
// power of two that brings the largest coordinate to [1/2, 1). An origin is a double, so
// subtracting it is one rounding.
func localSpaceOf(patches ...*Patch) (f localSpace) {
	far := 0.0
	for e := range 2 {
		lo := [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}
		hi := [3]float64{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
		for _, p := range patches {
			for i, x := range [2][]float64{p.X0, p.X1}[e] {
				lo[i%3], hi[i%3] = min(lo[i%3], x), max(hi[i%3], x)
			}
		}
		for k := range 3 {
			o := float64(0.5*lo[k]) + float64(0.5*hi[k])
			f.origin[e][k] = o
			far = max(far, hi[k]-o, o-lo[k])
		}
	}
	f.unit = 1
	if _, exp := math.Frexp(far); far > 0 {
		f.unit = math.Ldexp(1, min(max(-exp, -1000), 1000))
	}
	return f
}

// load makes p the root of the tree, in local coordinates.
//
// With P, V bounds on positions and displacements in local coordinates: the points at t=0 and t=1
// err by U P and U (P + V) in the subtraction of the origin, their difference by U V; at a time t
// that is at most (1-t) U P + t (U (P + V) + U V) <= 2 U M. The factor pays for second-order terms;
// the unit is exact but for underflow of 2^-1074 in each of three numbers.
func (t *tree) load(p *Patch, f *localSpace) {
	t.reset(layoutOf(p.Form), p.W != nil)
	var c [7][]float64
	for k := range c[:t.stride/t.pad] {
		c[k] = t.at(0, k)
	}
	for i := range t.n {
		for k := range 3 {
			a := float64((p.X0[3*i+k] - f.origin[0][k]) * f.unit)
			b := float64((p.X1[3*i+k] - f.origin[1][k]) * f.unit)
			c[k][i], c[3+k][i] = a, b-a
		}
	}
	if t.rational {
		top := 0.0
		for _, w := range p.W {
			top = max(top, w)
		}
		_, exp := math.Frexp(top)
		for i, w := range p.W {
			c[6][i] = math.Ldexp(w, 1-exp)
		}
	}
	t.complete(0, p.WErr)
	t.nodes[0].err = float64((float64(2*0x1p-53*t.mag)+float64(p.Err*f.unit))*(1+0x1p-20)) + 0x1p-1072
}

// include makes the unit small enough for the length d too.
func (f *localSpace) include(d float64) {
	if !(d*f.unit < 1) {
		_, exp := math.Frexp(d)
		f.unit = math.Ldexp(1, min(max(-exp, -1000), 1000))
	}
}

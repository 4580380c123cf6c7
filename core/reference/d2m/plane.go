package d2m

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// facePlane holds, for a triangle at rest, a normal n and directions whose inner products with p -
// corner are the barycentric coordinates of p: alpha, beta and alpha + beta. They are computed in
// doubles, and any would be sound: their errors are measured. A point of the triangle has |(p -
// corner).n| <= off and coordinates within slack of what they should be, whatever n and the rest
// are. flat: no such directions were found.
type facePlane struct {
	n, alpha, beta, sum r3.Vec
	off, slack          float64
	flat                bool
}

func planeOf(c [3]r3.Vec) facePlane {
	a, b := r3.Sub(c[1], c[0]), r3.Sub(c[2], c[0])
	n := geom.Cross(a, b)
	p := facePlane{flat: true}
	l := geom.Norm(n)
	if !(l > 0x1p-400) {
		return p // off and n are 0: every point is in the plane
	}
	p.n = geom.Scale(1/l, n)
	// A sliver's own normal is off by u of its length over its height.
	if m := heightDirection(a, b); geom.Norm(m) > 0x1p-400 {
		p.n = geom.Scale(1/geom.Norm(m), m)
	}
	p.off = max(inner(a, p.n, 0), inner(b, p.n, 0))
	d := geom.Dot(n, n)
	p.alpha, p.beta = geom.Scale(1/d, geom.Cross(b, n)), geom.Scale(1/d, geom.Cross(n, a))
	p.sum = r3.Add(p.alpha, p.beta)
	p.slack = max(inner(a, p.alpha, 1), inner(b, p.alpha, 0), inner(a, p.beta, 0), inner(b, p.beta, 1),
		inner(a, p.sum, 1), inner(b, p.sum, 1))
	p.flat = !(p.slack <= 0x1p-10) || !(geom.MaxAbs(p.sum) <= math.MaxFloat64)
	return p
}

// inner bounds |a.b - meant|. The edge a is a rounded difference, u of each component, and the
// inner product errs by 4u |a|_1 |b|_1.
func inner(a, b r3.Vec, meant float64) float64 {
	return padded(sum(math.Abs(geom.Dot(a, b)-meant), 8*u*norm1(a)*norm1(b), 2*u*meant))
}

package ccdtest

import (
	"math"

	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/patch"
)

// straight are the sides of a query as patches.
var straight = func() map[geom.Kind][2]patch.Form {
	point, segment, triangle := patch.Form{Shape: patch.Curve}, patch.Form{Shape: patch.Curve, U: 1}, patch.Form{Shape: patch.Triangle, U: 1, V: 1}
	return map[geom.Kind][2]patch.Form{
		geom.VertexFace: {point, triangle}, geom.EdgeEdge: {segment, segment},
		geom.PointEdge: {point, segment}, geom.PointPoint: {point, point},
	}
}()

// Patches answers linear queries by the solver of curved patches: points, segments and triangles are Bezier patches of degree 0
// and 1 (paper 2024, table 3). It shares no arithmetic with core/narrow and core/exact.
func Patches() Method {
	var s patch.Solver
	return func(k geom.Kind, q []float64, o *narrow.Options, out *geom.Impact) {
		out.SetSeparate(k)
		n := 3 * k.Points()
		f := straight[k]
		m := 3 * f[0].Points()
		a := patch.Patch{Form: f[0], X0: q[:m], X1: q[n : n+m]}
		b := patch.Patch{Form: f[1], X0: q[m:n], X1: q[n+m:]}
		var im patch.Impact
		po := patch.Options{Options: *o}
		po.Method = narrow.Default
		if err := s.Solve(&a, &b, &po, &im); err != nil {
			panic(err)
		}
		out.Verdict, out.TOILo, out.TOIHi, out.Point, out.Normal = im.Verdict, im.TOILo, im.TOIHi, im.Point, im.Normal
		out.Width, out.Flags = im.Width, im.Flags
		if k == geom.VertexFace || k == geom.PointEdge {
			out.U, out.V = im.UVB[0], im.UVB[1]
		} else {
			out.U, out.V = im.UVA[0], im.UVB[0]
		}
	}
}

// PatchRounding is what the third law of patches allows to rounding (docs/numerics.md): 4 e, with e the gap's bound of the whole patches,
// and what evaluating both errs by. M is taken relative to the middle of the query at either end, as the solver does, but from the
// law's text alone: were the solver's own numbers too large, the check would not be. Underflow is far below: the larger of M and d
// is a number of the query.
func PatchRounding(k geom.Kind, q []float64, o *narrow.Options) float64 {
	const u = 0x1p-53
	n, f := k.Points(), straight[k]
	var middle [2][3]float64
	for i := range 6 {
		lo, hi := math.Inf(1), math.Inf(-1)
		for p := range n {
			x := q[3*(i/3*n+p)+i%3]
			lo, hi = min(lo, x), max(hi, x)
		}
		middle[i/3][i%3] = float64(0.5*lo) + float64(0.5*hi)
	}
	sum, evaluation, first := 0.0, 0.0, 0
	for _, form := range f {
		m, points := 0.0, form.Points()
		for a := range 3 {
			far, fast := 0.0, 0.0
			for p := first; p < first+points; p++ {
				x0, x1 := q[3*p+a]-middle[0][a], q[3*(n+p)+a]-middle[1][a]
				far, fast = max(far, math.Abs(x0)), max(fast, math.Abs(x1-x0))
			}
			m = max(m, far+fast)
		}
		sum += m
		evaluation += float64(float64(7*(form.U+form.V)+points) * 2 * u * m)
		first += points
	}
	e := math.Sqrt(3) * (float64(12*u*(sum+o.MinSeparation)) + float64(2*u*sum))
	return (float64(4*e) + evaluation) * (1 + 0x1p-18)
}

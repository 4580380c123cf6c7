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

// Patches solves linear queries by the solver of curved patches: points, segments and triangles are Bezier patches of degree 0
// and 1 ([Chen2024], table 3). It shares no arithmetic with core/narrow and core/exact.
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

// PatchRounding is what the third law of patches allows to rounding (docs/numerics.md) of a query of straight primitives.
func PatchRounding(k geom.Kind, q []float64, o *narrow.Options) float64 {
	n, f := 3*k.Points(), straight[k]
	m := 3 * f[0].Points()
	a := patch.Patch{Form: f[0], X0: q[:m], X1: q[n : n+m]}
	b := patch.Patch{Form: f[1], X0: q[m:n], X1: q[n+m:]}
	return patchRounding(&a, &b, o.MinSeparation)
}

// patchRounding is 4 e, with e the gap's bound of the whole patches, and what evaluating both errs by. M is taken relative to the middle of
// the query at either end, as the solver does, but from the law's text alone: were the solver's own numbers too large, the check
// would not be. Underflow is far below: the larger of M and d is a number of the query.
func patchRounding(a, b *patch.Patch, separation float64) float64 {
	const u = 0x1p-53
	var middle [2][3]float64
	for end, x := range [2][2][]float64{{a.X0, b.X0}, {a.X1, b.X1}} {
		for axis := range 3 {
			lo, hi := math.Inf(1), math.Inf(-1)
			for _, list := range x {
				for i := axis; i < len(list); i += 3 {
					lo, hi = min(lo, list[i]), max(hi, list[i])
				}
			}
			middle[end][axis] = float64(0.5*lo) + float64(0.5*hi)
		}
	}
	sum, evaluation := 0.0, 0.0
	for _, p := range [2]*patch.Patch{a, b} {
		m := 0.0
		for axis := range 3 {
			far, fast := 0.0, 0.0
			for i := axis; i < len(p.X0); i += 3 {
				x0, x1 := p.X0[i]-middle[0][axis], p.X1[i]-middle[1][axis]
				far, fast = max(far, math.Abs(x0)), max(fast, math.Abs(x1-x0))
			}
			m = max(m, far+fast)
		}
		sum += m
		evaluation += float64(float64(7*(p.Form.U+p.Form.V)+p.Form.Points()) * 2 * u * m)
	}
	e := math.Sqrt(3) * (float64(12*u*(sum+separation)) + float64(2*u*sum) + a.Err + b.Err)
	return (float64(4*e) + evaluation) * (1 + 0x1p-18)
}

package ccdtest

import (
	"math"
	"slices"

	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/patch"
)

// straight are the sides of a query as patches.
var straight = func() map[geom.Kind][2]patch.Form {
	point, segment, triangle := patch.Form{Shape: patch.Curve}, patch.Form{Shape: patch.Curve, U: 1},
		patch.Form{Shape: patch.Triangle, U: 1, V: 1}
	return map[geom.Kind][2]patch.Form{
		geom.VertexFace: {point, triangle}, geom.EdgeEdge: {segment, segment},
		geom.PointEdge: {point, segment}, geom.PointPoint: {point, point},
	}
}()

// Patches solves linear queries by the solver of curved patches: points, segments and triangles are
// Bezier patches of degree 0 and 1 ([Chen2024], table 3). It shares no arithmetic with core/narrow
// and core/exact.
func Patches() Method {
	var s patch.Solver
	return func(k geom.Kind, q []float64, o *narrow.Options, out *geom.Impact) {
		out.SetSeparate(k)
		a, b := straightPatches(k, q)
		var im patch.Impact
		po := patch.Options{Options: *o}
		po.Method = narrow.Default
		if err := s.Solve(a, b, &po, &im); err != nil {
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

// PatchRounding is what the third law of patches allows to rounding (docs/numerics.md) of a query
// of straight primitives.
func PatchRounding(k geom.Kind, q []float64, o *narrow.Options) float64 {
	a, b := straightPatches(k, q)
	return patchRounding(a, b, o.MinSeparation)
}

// straightPatches are the two sides of a query.
func straightPatches(k geom.Kind, q []float64) (a, b *patch.Patch) {
	n, f := 3*k.Points(), straight[k]
	m := 3 * f[0].Points()
	return &patch.Patch{Form: f[0], X0: q[:m], X1: q[n : n+m]}, &patch.Patch{Form: f[1], X0: q[m:n], X1: q[n+m:]}
}

// patchStartRounding is how far beyond the separation a contact at 0 may be by the eighth law of
// patches, where a positive time is required: what the third law allows to rounding, and twice the
// gap's bound of parts that are halved no more. These lose U M in each of some 51 halvings a
// parameter and degree, and of rational patches as much for each half of their weights' error too.
func patchStartRounding(a, b *patch.Patch, separation float64) float64 {
	rounding := patchRounding(a, b, separation)
	parts := float64(0.5 * rounding) // 2 e of whole patches, and more
	all0, all1 := slices.Concat(a.X0, b.X0), slices.Concat(a.X1, b.X1)
	for _, p := range [2]*patch.Patch{a, b} {
		halvings := float64(51 * (p.Form.U + p.Form.V))
		lost := float64(halvings * 0x1p-53)
		if p.W != nil {
			lost = float64(lost*(9+halvings)) + float64(halvings*p.WErr)
		}
		parts += float64(2 * math.Sqrt(3) * lost * span(p.X0, p.X1, all0, all1))
	}
	return rounding + parts
}

// span is M of a patch: the most of a coordinate's distance from the middle of the query at t=0,
// and of its way relative to the middle, together.
func span(x0, x1, all0, all1 []float64) (most float64) {
	for axis := range 3 {
		middle := [2]float64{middleOf(all0, axis), middleOf(all1, axis)}
		far, fast := 0.0, 0.0
		for i := axis; i < len(x0); i += 3 {
			a, b := x0[i]-middle[0], x1[i]-middle[1]
			far, fast = max(far, math.Abs(a)), max(fast, math.Abs(b-a))
		}
		most = max(most, far+fast)
	}
	return most
}

// middleOf is the middle of a coordinate's range.
func middleOf(x []float64, axis int) float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := axis; i < len(x); i += 3 {
		lo, hi = min(lo, x[i]), max(hi, x[i])
	}
	return float64(0.5*lo) + float64(0.5*hi)
}

// patchRounding is 4 e, with e the gap's bound of the whole patches, and what evaluating both errs
// by. M is taken relative to the middle of the query at either end, as the solver does, but from
// the law's text alone: were the solver's own numbers too large, the check would not be. Underflow
// is far below: the larger of M and d is a number of the query.
func patchRounding(a, b *patch.Patch, separation float64) float64 {
	const u = 0x1p-53
	sum, evaluation := 0.0, 0.0
	all0, all1 := slices.Concat(a.X0, b.X0), slices.Concat(a.X1, b.X1)
	for _, p := range [2]*patch.Patch{a, b} {
		m := span(p.X0, p.X1, all0, all1)
		sum += m
		evaluation += float64(float64(7*(p.Form.U+p.Form.V)+p.Form.Points()) * 2 * u * m)
	}
	e := math.Sqrt(3) * (float64(12*u*(sum+separation)) + float64(2*u*sum) + a.Err + b.Err)
	return (float64(4*e) + evaluation) * (1 + 0x1p-18)
}

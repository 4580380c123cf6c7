package ccdtest

import (
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/patch"
)

// Patches answers linear queries by the solver of curved patches: points, segments and triangles are Bezier patches of degree 0
// and 1 (paper 2024, table 3). It shares no arithmetic with core/narrow and core/exact.
func Patches() Method {
	var s patch.Solver
	point, segment, triangle := patch.Form{Shape: patch.Curve}, patch.Form{Shape: patch.Curve, U: 1}, patch.Form{Shape: patch.Triangle, U: 1, V: 1}
	sides := map[geom.Kind][2]patch.Form{
		geom.VertexFace: {point, triangle}, geom.EdgeEdge: {segment, segment},
		geom.PointEdge: {point, segment}, geom.PointPoint: {point, point},
	}
	return func(k geom.Kind, q []float64, o *narrow.Options, out *geom.Impact) {
		out.SetSeparate(k)
		n := 3 * k.Points()
		f := sides[k]
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

package constraint

import (
	"ccd/core/geom"
	"ccd/core/mesh"
)

// Constraint is a contact constraint, linearized at the impact of its pair. With n the impact's
// normal and p_a, p_b the touching points, the distance <n, p_a - p_b> = sum_i Weights[i] <n,
// x[Vertices[i]]> must be at least Separation.
//
// Vertices are those of the pair, as in a query; where a kind has fewer than four, one repeats with
// weight 0. Weights are those of the touching points, positive on a and negative on b. Gap is that
// distance at x1 less Separation, negative where the step comes too near. Separation is that of the
// pair: the minimum separation and the radii of both (mesh.Separation).
//
// Size: it is one record of the C interface.
type Constraint struct {
	geom.Impact
	Vertices   [4]int32
	Weights    [4]float64
	Gap        float64
	Separation float64
}

// Of returns the constraint of an impact of a mesh whose vertices are at x1 when the step ends, for
// the pair's separation. The touching points are those at TOILo.
func Of(m *mesh.Mesh, x1 []float64, im *geom.Impact, separation float64) Constraint {
	c := Constraint{Impact: *im, Vertices: m.Indices(im.Kind, int32(im.A), int32(im.B)), Separation: separation}
	c.Weights = im.Kind.Info().Weights(im.U, im.V)
	c.Gap = distance(im, x1, &c.Vertices) - separation
	return c
}

// distance returns <n, p_a - p_b> at x1. It is computed from differences of vertices, so its error
// is at most 2^-50 times their distances, wherever the scene lies. Weights times positions would
// err by the rounding of the positions (law 9).
func distance(im *geom.Impact, x1 []float64, vertices *[4]int32) (d float64) {
	form := &im.Kind.Info().Form
	for k := range 3 {
		at := func(i int) float64 { return x1[3*int(vertices[form[i][0]])+k] - x1[3*int(vertices[form[i][1]])+k] }
		f := at(0) + float64(im.U*at(1)) + float64(im.V*at(2))
		d += float64(im.Normal[k] * f)
	}
	return d
}

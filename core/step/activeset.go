package step

import (
	"unsafe"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
)

// Constraint is a contact constraint, linearized at the impact of its pair: with n the impact's normal and p_a, p_b the
// touching points, the gap <n, p_a - p_b> = sum_i Weights[i] <n, x[Vertices[i]]> must be at least the wanted separation.
type Constraint struct {
	geom.Impact
	Vertices [4]int32   // the pair's vertices, as in a query; of a kind with fewer than four, one repeats with weight 0
	Weights  [4]float64 // of the touching points: positive on a, negative on b
	Gap      float64    // at x1; negative where the step went through
}

// ActiveSet returns every pair that comes within MinSeparation during the step, as a constraint for a solver, in the order of
// impacts: algorithm 3 of [Wang2021]. With a positive separation, constraints become active before anything touches.
//
// The touching points are those at TOILo. The gap is that between the same points at the end of the step, as in Verschoor
// and Jalba 2019, which [Wang2021] follows. Undecided pairs are included, because a superfluous constraint is harmless.
//
// With CheckStart an edge that passes through a face at x0 is an error that names both: a constraint keeps apart what is apart.
func ActiveSet(m *mesh.Mesh, x0, x1 []float64, o *Options) ([]Constraint, error) {
	return activeSet(m, x0, x1, o, func(*geom.Impact) {})
}

// activeSet is ActiveSet of a mesh whose primitives have other numbers, which name gives to an impact. The vertices keep those of the mesh.
func activeSet(m *mesh.Mesh, x0, x1 []float64, o *Options, name func(im *geom.Impact)) ([]Constraint, error) {
	if err := o.allPairs("constraints are of"); err != nil {
		return nil, err
	}
	found, err := collisions(m, x0, x1, o, listedBytes+int(unsafe.Sizeof(Constraint{})))
	if err != nil {
		return nil, err
	}
	if len(found) > 0 && found[0].Kind == geom.EdgeFace {
		name(&found[0])
		return nil, status.Errorf(status.ErrArgument, "x0: edge %d passes through face %d; constraints keep apart what is apart, and the list of "+
			"collisions has all such pairs", found[0].A, found[0].B)
	}
	out := make([]Constraint, len(found))
	for i := range found {
		out[i] = linearize(m, x1, &found[i])
		name(&out[i].Impact)
	}
	return out, nil
}

func linearize(m *mesh.Mesh, x1 []float64, im *geom.Impact) Constraint {
	c := Constraint{Impact: *im, Vertices: m.Indices(im.Kind, int32(im.A), int32(im.B))}
	c.Weights = im.Kind.Info().Weights(im.U, im.V)
	c.Gap = gap(im, x1, &c.Vertices)
	return c
}

// gap returns <n, p_a - p_b> at x1. It is computed from differences of vertices, so its error is at most 2^-50 times their distances,
// wherever the scene lies. Weights times positions would err by the rounding of the positions (law 9).
func gap(im *geom.Impact, x1 []float64, vertices *[4]int32) (g float64) {
	form := &im.Kind.Info().Form
	for k := range 3 {
		at := func(i int) float64 { return x1[3*int(vertices[form[i][0]])+k] - x1[3*int(vertices[form[i][1]])+k] }
		f := at(0) + float64(im.U*at(1)) + float64(im.V*at(2))
		g += float64(im.Normal[k] * f)
	}
	return g
}

package step

import (
	"ccd/core/geom"
	"ccd/core/mesh"
)

// Constraint is a pair that must be kept apart, linearised at its impact: with n the impact's normal and p_a, p_b the
// points that touch, the gap <n, p_a - p_b> = sum_i Weights[i] <n, x[Vertices[i]]> must not be less than the
// separation wanted.
type Constraint struct {
	geom.Impact
	Vertices [4]int32   // the pair's vertices, as in a query; those a kind lacks repeat, with weight 0
	Weights  [4]float64 // of the touching points: positive on a, negative on b
	Gap      float64    // at x1; negative where the step went through
}

// ActiveSet is algorithm 3 of the 2021 paper: every pair that comes within MinSeparation during the step, as a
// constraint for a solver, in the order of impacts. With a positive separation constraints become active before
// anything touches.
//
// The points that touch are those of the impact, TOILo; the gap is theirs at the end of the step, as in Verschoor and
// Jalba 2019, which the paper follows. Pairs whose budget was spent are among them: a constraint too many does no
// harm.
func ActiveSet(m *mesh.Mesh, x0, x1 []float64, o *Options) ([]Constraint, error) {
	found, err := Collisions(m, x0, x1, o)
	if err != nil {
		return nil, err
	}
	out := make([]Constraint, len(found))
	for i := range found {
		out[i] = linearise(m, x1, &found[i])
	}
	return out, nil
}

func linearise(m *mesh.Mesh, x1 []float64, im *geom.Impact) Constraint {
	c := Constraint{Impact: *im, Vertices: m.Indices(im.Kind, int32(im.A), int32(im.B))}
	c.Weights = im.Kind.Info().Weights(im.U, im.V)
	for i, w := range c.Weights {
		x := x1[3*int(c.Vertices[i]):]
		for k := range 3 {
			c.Gap += float64(float64(w*im.Normal[k]) * x[k])
		}
	}
	return c
}

package step

import (
	"unsafe"

	"ccd/core/constraint"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
)

// ActiveSet returns every pair that comes within MinSeparation during the step, as a constraint for
// a solver, in the order of impacts: algorithm 3 of [Wang2021]. With a positive separation,
// constraints become active before anything touches.
//
// The touching points are those at TOILo. The gap is that between the same points at the end of the
// step, as in Verschoor and Jalba 2019, which [Wang2021] follows, less the pair's separation.
// Undecided pairs are included, because a superfluous constraint is harmless.
//
// With CheckStart an edge that passes through a face at x0 is an error that names both: a
// constraint keeps apart what is apart.
func ActiveSet(m *mesh.Mesh, x0, x1 []float64, o *Options) ([]constraint.Constraint, error) {
	return activeSet(m, x0, x1, o, func(*geom.Impact) {})
}

// activeSet is ActiveSet of a mesh whose primitives have other numbers, which name gives to an
// impact. The vertices keep those of the mesh.
func activeSet(m *mesh.Mesh, x0, x1 []float64, o *Options, name func(im *geom.Impact)) (
	[]constraint.Constraint, error) {
	if err := o.refuse(unsupported{region: "constraints are of all pairs of a step"}); err != nil {
		return nil, err
	}
	c, err := start(m, x0, x1, o)
	var radii *mesh.Radii
	var least float64
	if err == nil {
		radii, least = c.radii, c.o.MinSeparation
	}
	found, err := runCollisions(c, err, listedBytes+int(unsafe.Sizeof(constraint.Constraint{})))
	if err != nil {
		return nil, err
	}
	if len(found) > 0 && found[0].Kind == geom.EdgeFace {
		name(&found[0])
		return nil, status.Errorf(status.ErrArgument, "x0: edge %d passes through face %d; constraints keep "+
			"apart what is apart, and the list of collisions has all such pairs", found[0].A, found[0].B)
	}
	out := make([]constraint.Constraint, len(found))
	for i := range found {
		im := &found[i]
		out[i] = constraint.Of(m, x1, im, radii.Pair(im.Kind, int32(im.A), int32(im.B), least))
		name(&out[i].Impact)
	}
	return out, nil
}

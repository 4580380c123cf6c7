package step

import (
	"fmt"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
)

// Slab restricts a call to a part of the pairs of a step (Options.Slab). If slabs are disjoint and cover the axis, every
// pair belongs to exactly one of them, and the input's doubles alone decide to which. So a scene may be distributed over machines, each
// with the primitives that extend into its slab: the least of their Earliest impacts (geom.Impact.Before) is that of the whole
// scene, and their Collisions together are those of the whole scene, bit for bit.
type Slab = broad.Slab

// Region restricts a call to the pairs whose corner it contains (Options.Region). What is said of Slab holds for regions that partition space.
type Region = broad.Region

// Slabs divides the axis along which the step is longest into n slabs with about the same number of primitives.
func Slabs(m *mesh.Mesh, x0, x1 []float64, n int) ([]Slab, error) {
	if err := checkSlabs(n); err != nil {
		return nil, err
	}
	var mo geom.Trajectories
	if err := m.Load(&mo, x0, x1); err != nil {
		return nil, err
	}
	return broad.Slabs(m, &mo, n), nil
}

// SlabsOf is Slabs for a motion. A slab of a motion owns the pairs whose larger minimum lies in it, the minimum of a primitive being the least coordinate
// of the control points of its vertices, on all pieces: doubles of the input, so what is said of Slab holds. Of a motion of degree 1 with one piece
// the slabs are those of the plain step.
func SlabsOf(m *mesh.Mesh, paths *motion.Motion, n int) ([]Slab, error) {
	if err := checkSlabs(n); err != nil {
		return nil, err
	}
	hulls, err := hullsOf(m, paths)
	if err != nil {
		return nil, err
	}
	return broad.Slabs(m, hulls, n), nil
}

// hullsOf returns the step on which each vertex goes from the least to the greatest corner of the box of its control points.
func hullsOf(m *mesh.Mesh, paths *motion.Motion) (*geom.Trajectories, error) {
	if err := fits(m, paths); err != nil {
		return nil, err
	}
	lo, hi := corners(paths)
	hulls := new(geom.Trajectories)
	return hulls, hulls.Load(lo, hi)
}

func checkSlabs(n int) error {
	if n < 1 || n > 1<<20 {
		return fmt.Errorf("n is %d: must be in [1, %d]", n, 1<<20)
	}
	return nil
}

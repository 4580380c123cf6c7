package step

import (
	"fmt"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// Slab restricts a call to a part of the pairs of a step (Options.Slab). If slabs are disjoint and cover the axis, every
// pair belongs to exactly one of them, and the input's doubles alone decide to which. So a scene may be distributed over machines, each
// with the primitives that extend into its slab: the least of their Earliest impacts (geom.Impact.Before) is that of the whole
// scene, and their Collisions together are those of the whole scene, bit for bit.
type Slab = broad.Slab

// Slabs divides the axis along which the step is longest into n slabs with about the same number of primitives.
func Slabs(m *mesh.Mesh, x0, x1 []float64, n int) ([]Slab, error) {
	if n < 1 || n > 1<<20 {
		return nil, fmt.Errorf("n is %d: must be in [1, %d]", n, 1<<20)
	}
	var mo geom.Trajectories
	if err := m.Load(&mo, x0, x1); err != nil {
		return nil, err
	}
	return broad.Slabs(m, &mo, n), nil
}

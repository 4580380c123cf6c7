package step

import (
	"fmt"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// Slab is a part of a step's pairs: Options.Slab restricts a call to it. Every pair belongs to one of a set of slabs
// that part the line, told from the input's doubles alone, so a scene may be split over machines, each with the
// primitives that reach its slab: the least of their Earliest answers (geom.Impact.Before) is that of the whole, and
// their Collisions together are those of the whole, bit for bit.
type Slab = broad.Slab

// Slabs parts the line, along the axis on which the step is longest, into n slabs with about as many primitives each.
func Slabs(m *mesh.Mesh, x0, x1 []float64, n int) ([]Slab, error) {
	if n < 1 || n > 1<<20 {
		return nil, fmt.Errorf("n is %d: must be in [1, %d]", n, 1<<20)
	}
	var mo geom.Motion
	if err := m.Load(&mo, x0, x1); err != nil {
		return nil, err
	}
	return broad.Slabs(m, &mo, n), nil
}

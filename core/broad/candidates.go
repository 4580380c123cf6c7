package broad

import (
	"cmp"
	"fmt"
	"slices"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// Candidates are the pairs of a broad phase, by kind, sorted by (a, b); a < b in edge-edge and point-point pairs.
type Candidates struct {
	mesh       *mesh.Mesh
	separation float64
	pairs      [4][][2]int32
}

// Serves reports why the candidates do not hold every pair of m that may come within the separation, if they do not:
// they must be of the same mesh, swept with at least this separation. (That the step is a part of theirs is for the
// caller to know.)
func (c *Candidates) Serves(m *mesh.Mesh, separation float64) error {
	if c.mesh != m {
		return fmt.Errorf("candidates are of another mesh")
	}
	if !(c.separation >= separation) {
		return fmt.Errorf("candidates are for a separation of %v, not %v", c.separation, separation)
	}
	return nil
}

// Of are the pairs of one kind, as the indices of geom.Impact.A and B. The slice is the candidates' own.
func (c *Candidates) Of(k geom.Kind) [][2]int32 {
	if k < geom.VertexFace || k > geom.PointPoint {
		return nil
	}
	return c.pairs[k-1]
}

// Len is the number of pairs of all kinds.
func (c *Candidates) Len() int {
	n := 0
	for _, p := range c.pairs {
		n += len(p)
	}
	return n
}

func (c *Candidates) sort() {
	for _, p := range c.pairs {
		slices.SortFunc(p, func(x, y [2]int32) int {
			if d := cmp.Compare(x[0], y[0]); d != 0 {
				return d
			}
			return cmp.Compare(x[1], y[1])
		})
	}
}

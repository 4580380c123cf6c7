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
	step       *geom.Motion // theirs, where Keep was called
}

// Mesh is the one that they are of.
func (c *Candidates) Mesh() *mesh.Mesh { return c.mesh }

// Keep remembers the step that the candidates are of, so that Covers can check others. The motion is theirs from now on.
func (c *Candidates) Keep(mo *geom.Motion) { c.step = mo }

// Covers reports the first vertex that is, at an end of the step mo of the same mesh, outside of the box it moves in
// during the candidates' own step. Without Keep it reports none.
//
// A primitive's box is the hull of its vertices' boxes. So if each vertex stays within its box, each primitive's box is
// within the one that was swept, and boxes that overlap now did then: no pair is outside the list.
func (c *Candidates) Covers(mo *geom.Motion) error {
	if c.step == nil {
		return nil
	}
	for v := range mo.N {
		was, now := c.step.Rec[8*v:8*v+8], mo.Rec[8*v:8*v+8]
		for i := range 8 {
			lo, hi := min(was[i%4], was[4+i%4]), max(was[i%4], was[4+i%4])
			if x := now[i]; x < lo || x > hi {
				return fmt.Errorf("x%d[%d][%d] is %v: outside of [%v, %v], where the vertex is in the step that the candidates are of",
					i/4, v, i%4, x, lo, hi)
			}
		}
	}
	return nil
}

// Serves reports why the candidates do not hold every pair of m that may come within the separation, if they do not:
// they must be of the same mesh, swept with at least this separation. (Whether the step is a part of theirs is for
// Covers to tell.)
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

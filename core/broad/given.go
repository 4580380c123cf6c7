package broad

import (
	"ccd/core/mesh"
)

// Given returns candidates of pairs that the caller has, by kind - 1, each kind sorted by (a, b)
// without repetition. The caller ensures that they contain every pair that the filter allows and
// that may come within the separation, and the filter's radii, in the steps they are used for, and
// no pair that it does not allow. They refer to the slices.
//
// Steps test them without boxes if there are fewer than boxes would pay for.
func Given(m *mesh.Mesh, filter *mesh.Filter, separation float64, pairs [4][][2]int32) *Candidates {
	c := &Candidates{mesh: m, separation: separation, radii: filter.Radii(), threads: 1, allowed: filter}
	for k, list := range pairs {
		c.kinds[k].sorted, c.kinds[k].n = list, len(list)
	}
	c.unboxed = c.Len() < boxesPay*(m.NV+len(m.Edges)+len(m.Faces))
	return c
}

// boxesPay is the number of pairs for each primitive from which on it pays to compute the boxes of
// all primitives, so that most pairs are dropped by these: a record takes 20 ns, a given pair 10 ns
// with its boxes and as long in the narrow phase's filter.
const boxesPay = 1

// Unboxed reports whether steps test these candidates without comparing their boxes. c may be nil.
func (c *Candidates) Unboxed() bool { return c != nil && c.unboxed }

// allows reports whether the pairs need no filter: it allowed all of them.
func (c *Candidates) allows(f *mesh.Filter) bool { return c.allowed != nil && c.allowed == f }

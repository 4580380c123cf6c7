package broad

import (
	"fmt"
	"math"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/num"
)

// Region is a box of space, half open along each axis, and a part of the pairs: those whose corner
// it contains. The corner of a pair has, along each axis, the larger of the minima of its two
// primitives; the minimum of a primitive is that of Slab.
//
// Regions that partition space partition the pairs: a corner consists of doubles of the input, and
// comparisons do not round. A slab is a region without bounds on two axes. A plan may have both;
// then it finds the pairs that both own (Keep.owner).
type Region struct{ Lo, Hi [3]float64 }

// Check returns an error for an invalid region; nil is all of space.
func (r *Region) Check() error {
	for k := 0; k < 3 && r != nil; k++ {
		if !(r.Lo[k] <= r.Hi[k]) {
			return fmt.Errorf("region is [%v, %v) along axis %d: its ends are not in order", r.Lo[k], r.Hi[k], k)
		}
	}
	return nil
}

// Owns reports whether a pair belongs to the region; all do to nil. It is the reference for
// regionCodes, which plans use.
func (r *Region) Owns(m *mesh.Mesh, mo *geom.Trajectories, k geom.Kind, a, b int32) bool {
	if r == nil {
		return true
	}
	of := k.Info().Shapes
	var v, w [1]int32
	va, vb := verticesOf(m, of[0], a, &v), verticesOf(m, of[1], b, &w)
	for axis := range 3 {
		x, _ := extent(mo, va, axis)
		y, _ := extent(mo, vb, axis)
		if larger := math.Max(x, y); !(r.Lo[axis] <= larger && larger < r.Hi[axis]) {
			return false
		}
	}
	return true
}

// regionCodes says of each primitive where it lies beside a region, so that the owner of a pair is
// found without the vertices.
//
// Law: the region owns a pair if and only if both codes have codeBefore, and together all bits of
// codeBegun. Proof. Along each axis the larger of two minima is below Hi if both are, and not below
// Lo if one is not.
//
// The minimum of a primitive is the least of its vertices', its maximum the largest. So it begins
// at Lo or above if all vertices do, below Hi if one does, and extends to Lo if one does: codes of
// edges and faces are made of those of vertices, by "and" and "or". Rounding upwards (num.AddUp) is
// monotone, so this is true of maxima that reach is added to as well.
type regionCodes struct {
	// corner has by vertex, for each axis, a bit of each of three groups: not below Lo, below Hi,
	// extends to Lo.
	corner []uint16
	of     [3][]uint8 // The codes are by shape and primitive.
}

// The bits of a code.
const (
	codeBegun   = 1<<3 - 1 // bit k: along axis k the primitive begins at Lo or above
	codeBefore  = 1 << 3   // along each axis it begins below Hi
	codeExtends = 1 << 4   // along each axis it extends to Lo, or to the plan's reach below
	codeMeets   = codeBefore | codeExtends
)

// code makes the code of a primitive from the bits that all its vertices have, and those that some
// have.
func code(all, some uint16) uint8 {
	c := uint8(all & codeBegun)
	if some>>3&7 == 7 {
		c |= codeBefore
	}
	if some>>6&7 == 7 {
		c |= codeExtends
	}
	return c
}

// bytes returns the memory of the codes.
func (c *regionCodes) bytes() int {
	return 2*cap(c.corner) + cap(c.of[0]) + cap(c.of[1]) + cap(c.of[2])
}

// find computes the codes of all primitives beside a region.
func (c *regionCodes) find(r *Region, m *mesh.Mesh, hulls *geom.Trajectories, reach float64, threads int) error {
	if err := c.findVertices(r, hulls, reach, threads); err != nil {
		return err
	}
	edges, corner := grow(&c.of[geom.Edge], len(m.Edges)), c.corner
	err := inBlocks(len(edges), threads, func(_, from, to int) {
		for i := from; i < to; i++ {
			a, b := corner[m.Edges[i][0]], corner[m.Edges[i][1]]
			edges[i] = code(a&b, a|b)
		}
	})
	if err != nil {
		return err
	}
	faces := grow(&c.of[geom.Face], len(m.Faces))
	return inBlocks(len(faces), threads, func(_, from, to int) {
		for i := from; i < to; i++ {
			v := &m.Faces[i]
			a, b, d := corner[v[0]], corner[v[1]], corner[v[2]]
			faces[i] = code(a&b&d, a|b|d)
		}
	})
}

// findVertices computes the codes of the vertices.
func (c *regionCodes) findVertices(r *Region, hulls *geom.Trajectories, reach float64, threads int) error {
	rec, corner, vertices := hulls.Rec, grow(&c.corner, hulls.N), grow(&c.of[geom.Vertex], hulls.N)
	return inBlocks(hulls.N, threads, func(_, from, to int) {
		for v := from; v < to; v++ {
			bits, at := uint16(0), (*[8]float64)(rec[8*v:])
			for k := range 3 {
				lo, hi := min(at[k], at[4+k]), max(at[k], at[4+k])
				if lo >= r.Lo[k] {
					bits |= 1 << k
				}
				if lo < r.Hi[k] {
					bits |= 8 << k
				}
				if hi >= r.Lo[k] || num.AddUp(hi, reach) >= r.Lo[k] {
					bits |= 64 << k
				}
			}
			corner[v], vertices[v] = bits, code(bits, bits)
		}
	})
}

// owned keeps the pairs of a kind that the region owns, in place.
func (c *regionCodes) owned(k geom.Kind, pairs [][2]int32) [][2]int32 {
	of := k.Info().Shapes
	first, second := c.of[of[0]], c.of[of[1]]
	kept := 0
	for _, x := range pairs {
		a, b := first[x[0]], second[x[1]]
		pairs[kept] = x
		if a&b&codeBefore|(a|b)&codeBegun == codeBefore|codeBegun {
			kept++
		}
	}
	return pairs[:kept]
}

package contain

import (
	"cmp"
	"slices"

	"ccd/core/status"
)

// side is one passage of an edge, between positions lo < hi.
type side struct {
	lo, hi int32
	face   int32
	corner int8 // the edge begins at this corner of the face
	up     bool // The edge is passed from lo to hi.
}

// findSeams finds the edges that are not passed equally often in both directions: which components
// are closed, and the first edge that is not, by its least face. It returns false
// where goOn did.
func (s *Solid) findSeams(w welded, goOn func() bool) bool {
	s.closed = make([]bool, len(s.firsts))
	for i := range s.closed {
		s.closed[i] = true
	}
	sides := make([]side, 0, 3*len(w.corners))
	for f, c := range w.corners {
		for k := range 3 {
			a, b := c[k], c[(k+1)%3]
			if a != b { // An edge without length is a point.
				sides = append(sides, side{min(a, b), max(a, b), int32(f), int8(k), a < b})
			}
		}
	}
	compared, on := 0, true
	slices.SortFunc(sides, func(x, y side) int {
		if compared++; compared%(16*lookEvery) == 0 {
			on = on && goOn()
		}
		if !on {
			return 0 // All that is left are looks at sides that are in order.
		}
		return cmp.Or(cmp.Compare(x.lo, y.lo), cmp.Compare(x.hi, y.hi), cmp.Compare(x.face, y.face),
			cmp.Compare(x.corner, y.corner))
	})
	if !on {
		return false
	}
	var first []side
	count := 0
	unclosed := make(map[int32]bool) // The keys are faces at such edges.
	for len(sides) > 0 {
		n, sum := 0, 0
		for n < len(sides) && sides[n].lo == sides[0].lo && sides[n].hi == sides[0].hi {
			if sides[n].up {
				sum++
			} else {
				sum--
			}
			n++
		}
		if sum != 0 {
			count++
			unclosed[sides[0].face] = true
			if first == nil || cmp.Or(cmp.Compare(sides[0].face, first[0].face),
				cmp.Compare(sides[0].corner, first[0].corner)) < 0 {
				first = sides[:n]
			}
		}
		sides = sides[n:]
	}
	if count == 0 {
		return goOn()
	}
	for i, f := range s.face {
		if unclosed[f] {
			s.closed[s.part[i]] = false
		}
	}
	s.open = seamError(first, count)
	return goOn()
}

// seamError describes an edge by all faces that pass it.
func seamError(at []side, count int) error {
	same, other := 0, 0
	for _, x := range at {
		if x.up == at[0].up {
			same++
		} else {
			other++
		}
	}
	from := at[0].corner
	if other == 0 && same > 1 {
		return status.Errorf(status.ErrArgument, "faces[%d] and faces[%d] pass their common edge, from corner %d to "+
			"%d of faces[%d], in one direction: neighbors must be wound alike; %d edges are not closed",
			at[0].face, at[1].face, from, (from+1)%3, at[0].face, count)
	}
	return status.Errorf(status.ErrArgument, "faces[%d]: the edge from corner %d to %d is passed %d times in "+
		"this direction and %d times in the other: the surface is open there; %d edges are not closed",
		at[0].face, from, (from+1)%3, same, other, count)
}

package contain

// Relation says how two solids A and B lie to each other.
type Relation int32

const (
	Undecided   Relation = iota // they are nearer to touching than what is known of their coordinates tells
	Outside                     // the solids have no common point
	Inside                      // A is inside B, and the surfaces do not meet
	Contains                    // B is inside A, and the surfaces do not meet
	Overlapping                 // the surfaces do not meet; a component of one is inside the other, but not all of it
	Crossing                    // the surfaces share a point
)

// Between returns how the closed solids A and B lie to each other, and where they are Crossing the
// faces of two triangles that share a point, else -1. ab gives the points of A in the coordinates
// of B, ba those of B in the coordinates of A.
//
// Let the surfaces share no point. Then each component of A's surface is inside B or outside of it,
// as one of its points is, and the other way round. Let all of A's be inside B and none of B's
// inside A. In a part of A's solid the winding number of B is constant, and it is what it is on the
// border of the part, which belongs to A's surface: so A is inside B. If no component of either is
// inside the other, a common point would be in a part of A's solid in which B's winding number is
// constant and not 0, and so would be its border, which is in A's surface: there is none.
func Between(a, b *Solid, ab, ba *Placement) (r Relation, faceA, faceB int32) {
	lo, hi := ab.box(&a.nodes[0])
	if apart(&lo, &hi, &b.nodes[0]) {
		return Outside, -1, -1
	}
	i, j, touching := meeting(a, b, ab)
	switch touching {
	case yes:
		return Crossing, a.face[i], b.face[j]
	case maybe:
		return Undecided, -1, -1
	}
	insideA, ok := a.componentsIn(b, ab)
	if !ok {
		return Undecided, -1, -1
	}
	insideB, ok := b.componentsIn(a, ba)
	switch {
	case !ok:
		return Undecided, -1, -1
	case insideA == 0 && insideB == 0:
		return Outside, -1, -1
	case insideA == a.Components() && insideB == 0:
		return Inside, -1, -1
	case insideB == b.Components() && insideA == 0:
		return Contains, -1, -1
	}
	return Overlapping, -1, -1
}

// componentsIn returns how many components of a are inside b, whose surface they do not meet. ok is
// false where a point of one is not known well enough.
func (a *Solid) componentsIn(b *Solid, ab *Placement) (count int, ok bool) {
	for c := range a.corner {
		p := ab.Point(&a.corner[c])
		w, place := b.Winding(&p)
		if place != Off {
			return 0, false
		}
		if w != 0 {
			count++
		}
	}
	return count, true
}

// apart reports whether a box has no point in common with the box of a node.
func apart(lo, hi *[3]float64, n *node) bool {
	for k := range 3 {
		if lo[k] > n.hi[k] || hi[k] < n.lo[k] {
			return true
		}
	}
	return false
}

// meeting finds two triangles that share a point: their positions in tri. maybe: of none it is
// certain that they do, and of some it is not certain that they do not.
func meeting(a, b *Solid, ab *Placement) (i, j int32, found answer) {
	type pair struct{ a, b int32 }
	stack, found := []pair{{0, 0}}, no
	same := Identity()
	var ta, tb placed
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		na, nb := &a.nodes[top.a], &b.nodes[top.b]
		lo, hi := ab.box(na)
		if apart(&lo, &hi, nb) {
			continue
		}
		// The node with more triangles is divided.
		switch {
		case na.left != 0 && (na.count >= nb.count || nb.left == 0):
			stack = append(stack, pair{na.left, top.b}, pair{na.left + 1, top.b})
			continue
		case nb.left != 0:
			stack = append(stack, pair{top.a, nb.left}, pair{top.a, nb.left + 1})
			continue
		}
		for i := na.first; i < na.first+na.count; i++ {
			ab.place(&a.tri[i], &ta)
			for j := nb.first; j < nb.first+nb.count; j++ {
				same.place(&b.tri[j], &tb)
				switch meet(&ta, &tb) {
				case yes:
					return i, j, yes
				case maybe:
					found = maybe
				}
			}
		}
	}
	return -1, -1, found
}

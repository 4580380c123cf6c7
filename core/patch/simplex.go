package patch

import "math"

// simplex is the current simplex of GJK: up to four points of the Minkowski difference of two
// convex hulls, and for each the pair of control points that it comes from. Its rounding errors are
// harmless: it only proposes directions, which checker.go verifies.
type simplex struct {
	w  [4]vec
	id [4]int32 // the pair of each point, packed by the caller
	n  int

	fine bool // distances are computed in double-doubles
}

// nearest returns the point of the simplex nearest to the origin, and drops the vertices that do
// not contribute to it (Ericson, Real-Time Collision Detection, 5.1, whose names nearest3 uses).
// inside reports whether the simplex contains the origin.
func (s *simplex) nearest() (v vec, inside bool) {
	switch {
	case s.fine:
		return s.nearestFine()
	case s.n == 1:
		return s.w[0], false
	case s.n == 2:
		return s.nearest2(), false
	case s.n == 3:
		return s.nearest3(), false
	}
	return s.nearest4()
}

// keep1 reduces the simplex to vertex i and returns it.
func (s *simplex) keep1(i int) vec {
	s.w[0], s.id[0], s.n = s.w[i], s.id[i], 1
	return s.w[0]
}

// keep2 reduces the simplex to the edge from vertex i to j.
func (s *simplex) keep2(i, j int) {
	s.w[0], s.id[0], s.w[1], s.id[1] = s.w[i], s.id[i], s.w[j], s.id[j]
	s.n = 2
}

func (s *simplex) nearest2() vec {
	a, b := s.w[0], s.w[1]
	ab := b.sub(a)
	t, q := -a.dot(ab), ab.dot(ab)
	switch {
	case t <= 0:
		return s.keep1(0)
	case t >= q:
		return s.keep1(1)
	}
	return a.along(t/q, ab)
}

func (s *simplex) nearest3() vec {
	a, b, c := s.w[0], s.w[1], s.w[2]
	ab, ac := b.sub(a), c.sub(a)
	d1, d2 := -ab.dot(a), -ac.dot(a)
	if d1 <= 0 && d2 <= 0 {
		return s.keep1(0)
	}
	d3, d4 := -ab.dot(b), -ac.dot(b)
	if d3 >= 0 && d4 <= d3 {
		return s.keep1(1)
	}
	vc := float64(d1*d4) - float64(d3*d2)
	if vc <= 0 && d1 >= 0 && d3 <= 0 {
		s.n = 2
		return a.along(d1/(d1-d3), ab)
	}
	d5, d6 := -ab.dot(c), -ac.dot(c)
	if d6 >= 0 && d5 <= d6 {
		return s.keep1(2)
	}
	vb := float64(d5*d2) - float64(d1*d6)
	if vb <= 0 && d2 >= 0 && d6 <= 0 {
		s.keep2(0, 2)
		return a.along(d2/(d2-d6), ac)
	}
	va := float64(d3*d6) - float64(d5*d4)
	if va <= 0 && d4-d3 >= 0 && d5-d6 >= 0 {
		s.keep2(1, 2)
		return b.along((d4-d3)/((d4-d3)+(d5-d6)), c.sub(b))
	}
	n := ab.cross(ac)
	nn := n.dot(n)
	if !(nn > 0) { // a degenerate triangle: any vertex gives a direction to try
		return s.keep1(0)
	}
	return n.times(a.dot(n) / nn)
}

// nearest4 tests only the three faces that contain the newest vertex. The fourth face was the
// previous simplex, and the newest vertex lies beyond it, toward the origin. Usually the origin is
// outside exactly one of the three, which becomes the simplex.
func (s *simplex) nearest4() (v vec, inside bool) {
	a := s.w[3]
	e := [3]vec{s.w[0].sub(a), s.w[1].sub(a), s.w[2].sub(a)}
	normals := [3]vec{e[0].cross(e[1]), e[1].cross(e[2]), e[2].cross(e[0])}
	turn := e[2].dot(normals[0]) // the orientation of the tetrahedron, the same for all faces
	count, last := 0, 0          // count counts the faces that the origin is outside; last is one of them.
	var outside [3]bool
	for f := range normals {
		if !(-a.dot(normals[f])*turn > 0) {
			count, last, outside[f] = count+1, f, true
		}
	}
	if count == 0 {
		return v, true
	}
	if count == 1 {
		s.face(last)
		return s.nearest3(), false
	}
	best := math.Inf(1)
	var kept simplex
	for f := range outside {
		if outside[f] {
			face := *s
			face.face(f)
			x := face.nearest3()
			if q := x.dot(x); q < best || kept.n == 0 {
				best, v, kept = q, x, face
			}
		}
	}
	*s = kept
	return v, false
}

// face reduces a tetrahedron to the f-th of the three faces that contain its last vertex.
func (s *simplex) face(f int) {
	b, c := f, (f+1)%3
	s.w[0], s.w[1], s.w[2] = s.w[b], s.w[c], s.w[3]
	s.id[0], s.id[1], s.id[2] = s.id[b], s.id[c], s.id[3]
	s.n = 3
}

package patch

import "math"

// simplex is what GJK keeps: at most four points of the difference of two hulls, and which control points each is made of.
// Nothing rests on its arithmetic: it only proposes directions, which checker.go tries rigorously.
type simplex struct {
	w  [4]vec
	id [4]int32
	n  int
}

// nearest returns the point of the simplex nearest to the origin and drops the points that do not carry it (Ericson,
// Real-Time Collision Detection, 5.1). inside is true if the simplex holds the origin.
func (s *simplex) nearest() (v vec, inside bool) {
	switch s.n {
	case 1:
		return s.w[0], false
	case 2:
		return s.nearest2(), false
	case 3:
		return s.nearest3(), false
	}
	return s.nearest4()
}

func (s *simplex) keep1(i int) vec {
	s.w[0], s.id[0], s.n = s.w[i], s.id[i], 1
	return s.w[0]
}

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
	if !(nn > 0) {
		return s.keep1(0)
	}
	return n.times(a.dot(n) / nn)
}

// nearest4 looks at the three faces that hold the newest point; the fourth was the last step's simplex, beyond which the
// newest point lies. Mostly the origin is beyond one of them, which then is all that is left.
func (s *simplex) nearest4() (v vec, inside bool) {
	a := s.w[3]
	e := [3]vec{s.w[0].sub(a), s.w[1].sub(a), s.w[2].sub(a)}
	normals := [3]vec{e[0].cross(e[1]), e[1].cross(e[2]), e[2].cross(e[0])}
	turn := e[2].dot(normals[0]) // of either sign, for all faces alike
	seen, at := 0, 0
	var beyond [3]bool
	for f := range normals {
		if !(-a.dot(normals[f])*turn > 0) {
			seen, at, beyond[f] = seen+1, f, true
		}
	}
	if seen == 0 {
		return v, true
	}
	if seen == 1 {
		s.face(at)
		return s.nearest3(), false
	}
	best := math.Inf(1)
	var kept simplex
	for f := range beyond {
		if beyond[f] {
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

// face keeps the f-th face of a tetrahedron that holds its last point.
func (s *simplex) face(f int) {
	b, c := f, (f+1)%3
	s.w[0], s.w[1], s.w[2] = s.w[b], s.w[c], s.w[3]
	s.id[0], s.id[1], s.id[2] = s.id[b], s.id[c], s.id[3]
	s.n = 3
}

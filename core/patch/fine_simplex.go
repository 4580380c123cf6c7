package patch

import "ccd/core/num"

// fineSimplex is simplex.nearest in double-doubles, whose direction is good to a unit in the last
// place however thin the simplex is and however near the origin. In doubles a point at the distance
// D from the origin is off by U times the simplex's size L, so the direction by U L / D, and the
// gap along it by U L^2 / D: more than D itself, once D < sqrt(U) L. The regions of a triangle are
// lost where it is thinner than sqrt(U) L. Checks turn to it where doubles come to nothing: see
// checker.advance.
type fineSimplex struct {
	w     [4]num.BallVec
	least num.Ball // square of the distance of the best feature
	best  feature
}

// feature is a vertex, an edge or a triangle of a simplex: its vertices, and its point nearest to
// the origin.
type feature struct {
	at [3]int
	n  int
	v  vec
}

// nearestFine returns nearest. It compares all vertices, edges and triangles, in which the nearest
// point lies inside, so that no rounding of an earlier step decides.
func (s *simplex) nearestFine() (v vec, inside bool) {
	f := s.inFine()
	if s.n == 4 && f.holdsOrigin() {
		return v, true
	}
	for i := range s.n {
		f.vertex(i)
		for j := range i {
			f.edge(j, i)
			for k := range j {
				f.triangle(k, j, i)
			}
		}
	}
	old := *s
	s.n = f.best.n
	for k, i := range f.best.at[:s.n] {
		s.w[k], s.id[k] = old.w[i], old.id[i]
	}
	return f.best.v, false
}

func (s *simplex) inFine() (f fineSimplex) {
	for i := range s.n {
		f.w[i] = num.BallVec{num.BallOf(s.w[i].X), num.BallOf(s.w[i].Y), num.BallOf(s.w[i].Z)}
	}
	return f
}

// holdsOrigin reports whether a tetrahedron holds the origin for certain.
func (s *simplex) holdsOrigin() bool {
	f := s.inFine()
	return f.holdsOrigin()
}

// holdsOrigin reports whether the tetrahedron holds the origin for certain: the four volumes with
// the origin in the place of a vertex have the sign of the whole.
func (f *fineSimplex) holdsOrigin() bool {
	a := &f.w[3]
	x, y, z := f.w[0].Minus(a), f.w[1].Minus(a), f.w[2].Minus(a)
	n := y.Cross(&z)
	whole := x.Dot(&n).Sign()
	if whole == 0 {
		return false
	}
	for i := range 4 {
		p := f.w
		p[i] = num.BallVec{}
		x, y, z := p[0].Minus(&p[3]), p[1].Minus(&p[3]), p[2].Minus(&p[3])
		n := y.Cross(&z)
		if x.Dot(&n).Sign() != whole {
			return false
		}
	}
	return true
}

// offer keeps a feature if its nearest point is nearer than that of the best one so far.
func (f *fineSimplex) offer(square num.Ball, v *num.BallVec, scale float64, at ...int) {
	if f.best.n > 0 && !(square.Sub(f.least).Float() < 0) {
		return
	}
	f.least, f.best.n = square, copy(f.best.at[:], at)
	f.best.v = vec{v[0].Float() / scale, v[1].Float() / scale, v[2].Float() / scale}
}

func (f *fineSimplex) vertex(i int) { f.offer(f.w[i].Dot(&f.w[i]), &f.w[i], 1, i) }

// edge offers an edge: with d = b - a and q = d.d, the nearest point of its line is (q a - (a.d) d)
// / q, at the distance |a x d| / sqrt(q).
func (f *fineSimplex) edge(i, j int) {
	a := &f.w[i]
	d := f.w[j].Minus(a)
	t, q := a.Dot(&d).Neg(), d.Dot(&d)
	if !(t.Float() > 0 && t.Sub(q).Float() < 0) {
		return
	}
	var v num.BallVec
	for k := range v {
		v[k] = q.Mul(a[k])
	}
	v = v.Plus(t, &d)
	n := a.Cross(&d)
	f.offer(n.Dot(&n).Div(q), &v, q.Float(), i, j)
}

// triangle offers a triangle: with n = (b - a) x (c - a) the nearest point of its plane is n (a.n)
// / n.n, with the weights n.(b x c), n.(c x a) and n.(a x b).
func (f *fineSimplex) triangle(i, j, k int) {
	a, b, c := &f.w[i], &f.w[j], &f.w[k]
	d, e := b.Minus(a), c.Minus(a)
	n := d.Cross(&e)
	q := n.Dot(&n)
	if !(q.Float() > 0) {
		return
	}
	for _, pair := range [3][2]*num.BallVec{{b, c}, {c, a}, {a, b}} {
		if x := pair[0].Cross(pair[1]); !(n.Dot(&x).Float() > 0) {
			return
		}
	}
	h := a.Dot(&n)
	var zero num.BallVec
	v := zero.Plus(h, &n)
	f.offer(h.Mul(h).Div(q), &v, q.Float(), i, j, k)
}

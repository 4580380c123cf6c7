package penetration

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// simplex is up to four corners of C, and the point of their hull that is nearest to the origin, as
// a mean of the corners.
type simplex struct {
	c       [4]corner
	weights [4]float64 // not negative
	n       int
	v       r3.Vec // the nearest point
}

// approached is what a search for the nearest point of C found, in floats.
type approached int

const (
	unclear approached = iota
	apart              // C is beyond a plane, by more than the radii
	beside             // v is the nearest point
	around             // the simplex is a tetrahedron, which holds the origin or nearly does
)

// Limits of the search for the nearest point of C.
const (
	mostApproaches = 64
	tooNear        = 0x1p-40 // From here on nearest points are too near to tell a direction.
	nearEnough     = 0x1p-47 // A corner may be nearer by this, along the way to the nearest point.
)

// approach searches for the point of C that is nearest to the origin [Gilbert1988]. It ends early
// where C is seen to be farther away than the sum of the radii, and where the budget of steps
// is spent.
func (d *draft) approach(radii float64) approached {
	s := &d.near
	n := geom.Scale(-1, d.apart)
	if n == (r3.Vec{}) {
		n = r3.Vec{X: 1}
	}
	s.c[0], s.n, s.weights[0] = d.support(n), 1, 1
	s.v = s.c[0].at
	for range mostApproaches {
		if d.spent() {
			return unclear
		}
		d.steps++
		length := geom.Norm(s.v)
		if !(length > tooNear) {
			if d.fill() {
				return around
			}
			return unclear
		}
		c := d.support(geom.Scale(-1, s.v))
		along := geom.Dot(s.v, c.at) / length
		if along > float64(radii*(1+0x1p-40))+0x1p-40 {
			return apart
		}
		if length-along <= nearEnough || s.has(c) {
			return beside
		}
		before := *s
		s.c[s.n] = c
		s.n++
		if s.reduce() {
			return around
		}
		if !(geom.Norm(s.v) < length) { // Rounding: the simplex before was the last good one.
			*s = before
			return beside
		}
	}
	return unclear
}

// fill makes a simplex that has the origin in it, or nearly, a tetrahedron. It reports whether that
// is one with an inside.
func (d *draft) fill() bool {
	s := &d.near
	for s.n < 4 {
		first := s.c[0].at
		var ways []r3.Vec
		far := func(w r3.Vec) float64 { return geom.Norm(w) } // the distance from what the simplex spans
		switch s.n {
		case 1:
			ways = []r3.Vec{{X: 1}, {Y: 1}, {Z: 1}, {X: -1}, {Y: -1}, {Z: -1}}
		case 2:
			e := r3.Sub(s.c[1].at, first)
			e = geom.Scale(1/geom.Norm(e), e)
			p, q := geom.Cross(e, r3.Vec{X: 1}), geom.Cross(e, r3.Vec{Y: 1})
			if geom.Norm(q) > geom.Norm(p) {
				p = q
			}
			q = geom.Cross(e, p)
			ways = []r3.Vec{p, q, geom.Scale(-1, p), geom.Scale(-1, q)}
			far = func(w r3.Vec) float64 { return geom.Norm(geom.Cross(e, w)) }
		default:
			n := geom.Cross(r3.Sub(s.c[1].at, first), r3.Sub(s.c[2].at, first))
			n = geom.Scale(1/geom.Norm(n), n)
			ways = []r3.Vec{n, geom.Scale(-1, n)}
			far = func(w r3.Vec) float64 { return math.Abs(geom.Dot(n, w)) }
		}
		before := s.n
		for _, n := range ways {
			if c := d.support(n); far(r3.Sub(c.at, first)) > 0x1p-30 {
				s.c[s.n] = c
				s.n++
				break
			}
		}
		if s.n == before {
			return false
		}
	}
	return true
}

// has reports whether a corner is one of the simplex.
func (s *simplex) has(c corner) bool {
	for _, x := range s.c[:s.n] {
		if x.a == c.a && x.b == c.b {
			return true
		}
	}
	return false
}

// keep makes some of the corners the simplex, with their weights.
func (s *simplex) keep(weights [4]float64) {
	n, sum := 0, 0.0
	var c [4]corner
	for i, w := range weights[:s.n] {
		if w > 0 {
			c[n], s.weights[n] = s.c[i], w
			sum += w
			n++
		}
	}
	s.c, s.n, s.v = c, n, r3.Vec{}
	for i := range n {
		s.weights[i] /= sum
		s.v = r3.Add(s.v, geom.Scale(s.weights[i], s.c[i].at))
	}
}

// reduce leaves those corners whose hull has the nearest point inside, and reports whether four are
// left: then the origin is in their tetrahedron.
func (s *simplex) reduce() bool {
	var best [4]float64
	least, found := math.Inf(1), false
	take := func(list ...int) {
		var w [4]float64
		s.nearestOf(list, &w)
		v := r3.Vec{}
		for _, i := range list {
			v = r3.Add(v, geom.Scale(w[i], s.c[i].at))
		}
		if x := geom.Dot(v, v); x < least {
			best, least, found = w, x, true
		}
	}
	switch s.n {
	case 2:
		take(0, 1)
	case 3:
		take(0, 1, 2)
	default:
		for i := range 4 { // The faces that have the origin beyond them.
			if !(s.signed(i, r3.Vec{})*s.signed(i, s.c[i].at) > 0) {
				take((i+1)&3, (i+2)&3, (i+3)&3)
			}
		}
		if !found {
			return true
		}
	}
	s.keep(best)
	return false
}

// signed returns the distance of the plane of the corners other than i from a point, times twice
// their area, with one of both signs.
func (s *simplex) signed(i int, from r3.Vec) float64 {
	a, b, c := s.c[(i+1)&3].at, s.c[(i+2)&3].at, s.c[(i+3)&3].at
	return geom.Dot(r3.Sub(a, from), geom.Cross(r3.Sub(b, a), r3.Sub(c, a)))
}

// nearestOf writes the weights of up to three corners in the point of their hull that is nearest to
// the origin.
func (s *simplex) nearestOf(list []int, w *[4]float64) {
	if len(list) == 2 {
		i, j := list[0], list[1]
		e := r3.Sub(s.c[j].at, s.c[i].at)
		t := -geom.Dot(s.c[i].at, e) / geom.Dot(e, e)
		if !(t > 0) {
			t = 0
		}
		t = min(t, 1)
		w[i], w[j] = 1-t, t
		return
	}
	i, j, k := list[0], list[1], list[2]
	a, b, c := s.c[i].at, s.c[j].at, s.c[k].at
	ab, ac := r3.Sub(b, a), r3.Sub(c, a)
	n := geom.Cross(ab, ac)
	square := geom.Dot(n, n)
	x, y, z := geom.Dot(n, geom.Cross(b, c)), geom.Dot(n, geom.Cross(c, a)), geom.Dot(n, geom.Cross(a, b))
	if square > 0 && x > 0 && y > 0 && z > 0 {
		w[i], w[j], w[k] = x/square, y/square, z/square
		return
	}
	least := math.Inf(1)
	for _, side := range [3][2]int{{i, j}, {j, k}, {k, i}} {
		var x [4]float64
		s.nearestOf(side[:], &x)
		v := r3.Add(geom.Scale(x[side[0]], s.c[side[0]].at), geom.Scale(x[side[1]], s.c[side[1]].at))
		if l := geom.Dot(v, v); l < least {
			*w, least = x, l
		}
	}
}

// points returns the nearest points of the bodies.
func (s *simplex) points(d *draft) (a, b r3.Vec) {
	for i := range s.n {
		a = r3.Add(a, geom.Scale(s.weights[i], d.at(0, s.c[i].a)))
		b = r3.Add(b, geom.Scale(s.weights[i], d.at(1, s.c[i].b)))
	}
	return a, b
}

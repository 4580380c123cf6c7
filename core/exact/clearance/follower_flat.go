package clearance

import "ccd/core/geom"

// Pairs that lie in one plane across an axis for all t, without a separation: what resting.go makes
// of a pair that rests on an axis, on paths that are polynomials. With x, y the components along
// the axis of C x A and A x B, and n that of N, contact is where the foot (x / n, y / n) is in the
// domain: x n, y n and the others of the region >= 0, where n is not 0. So a part of time is
//
//   - apart, if one of them is < 0 throughout, for then n is not 0;
//   - in contact, if all are > 0 throughout;
//   - turning at the only root of one of them, if all others are > 0 throughout and its signs
//     change once: n is not 0 there, for the others are multiples of it.
//
// Parallel edges, n = 0 for all t, and a point with an edge are on one line at the roots of the
// component of p x e along the axis, for any side: apart where it is not 0, and in contact at a
// root where the side's region is > 0.

// BeginFlat starts a search for a pair in the plane across an axis, without a separation; lines
// says that its edges are parallel for all t, or that there is one edge.
func (f *Follower) BeginFlat(kind geom.Kind, axis int, lines bool, course Course) {
	f.Begin(kind, 0, false, course)
	f.flat, f.lines = axis, lines
}

// InContact reports whether the pair is certainly in contact at a time.
func (f *Follower) InContact(t float64) bool {
	v, _ := f.stateAt(t)
	return v == inContact
}

// loadFlat makes the features of a flat pair.
func (f *Follower) loadFlat(p *[4][3]bernstein, e *[3][3]bernstein) {
	m := &f.room
	i, j := (f.flat+1)%3, (f.flat+2)%3
	across := func(u, v *[3]bernstein) bernstein {
		return m.sum(term{p: &u[i], q: &v[j]}, term{p: &u[j], q: &v[i], less: true})
	}
	if f.lines {
		for side, z := range PolygonSides[f.kind] {
			p, e := &p[z.From], &e[z.Edge]
			pe, ee := m.dot(p, e, nil, nil), m.dot(e, e, nil, nil)
			f.add([5]bernstein{across(p, e), m.negated(&pe), m.plus(&pe, &ee)}, int8(side))
		}
		return
	}
	n, x, y := across(&e[0], &e[1]), across(&e[1], &p[0]), across(&p[0], &e[0])
	nn, u, v := m.sum(term{p: &n, q: &n}), m.sum(term{p: &x, q: &n}), m.sum(term{p: &y, q: &n})
	w := m.minus(&nn, &u)
	within := m.constant(0, Double2{Hi: -1}) // near, which is 0 for all t, taken for one that is < 0
	if f.kind == geom.EdgeEdge {
		f.add([5]bernstein{within, u, v, w, m.minus(&nn, &v)}, Inner2d)
		return
	}
	f.add([5]bernstein{within, u, v, m.minus(&w, &v)}, Inner2d)
}

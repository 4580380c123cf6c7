package patch

import (
	"cmp"
	"math"

	"ccd/core/trim"
)

// trimming says which part of a patch counts: where the patch lies in the plane of its face's
// parameters, and the loops there. docs/proofs/trimmed-faces.md has the laws F1 to F6 and their
// proofs.
type trimming struct {
	faces  *faces
	face   int32
	region *trim.Region
	window [2][2]float64 // x at u = 0 and u = 1, y at v = 0 and v = 1
}

// box returns a box in the plane of the face that holds the places of all parameters from lo to hi.
//
// With S = |w0| + |w1|, w0 + u (w1 - w0) is computed with an error below 4 U S, U = 2^-53: the
// difference errs by U S, the product by U S more, the sum by U S. The subtraction of the slack
// errs by 2 U S, and 8 U S is taken off. Windows are at least 1e-150 wide, so nothing underflows.
func (c *trimming) box(lo, hi [2]float64) (a, b [2]float64) {
	for k := range 2 {
		w := &c.window[k]
		d := w[1] - w[0]
		x, y := w[0]+float64(lo[k]*d), w[0]+float64(hi[k]*d)
		slack := float64(0x1p-50 * (math.Abs(w[0]) + math.Abs(w[1])))
		a[k], b[k] = min(x, y)-slack, max(x, y)+slack
	}
	return a, b
}

// place returns where parameters lie in the plane of the face, rounded, and parameters where a
// place of the plane lies in the patch.
func (c *trimming) place(u, v float64) [2]float64 {
	return [2]float64{
		c.window[0][0] + float64(u*(c.window[0][1]-c.window[0][0])),
		c.window[1][0] + float64(v*(c.window[1][1]-c.window[1][0])),
	}
}

func (c *trimming) parameters(p [2]float64) [2]float64 {
	return [2]float64{
		(p[0] - c.window[0][0]) / (c.window[0][1] - c.window[0][0]),
		(p[1] - c.window[1][0]) / (c.window[1][1] - c.window[1][0]),
	}
}

// scale returns the sides of the window: distances in the plane are compared in parameters.
func (c *trimming) scale() [2]float64 {
	return [2]float64{math.Abs(c.window[0][1] - c.window[0][0]), math.Abs(c.window[1][1] - c.window[1][0])}
}

// compare orders trimmings by what they are, nil first.
func (c *trimming) compare(d *trimming) int {
	if c == nil || d == nil {
		return cmp.Compare(btoi(c != nil), btoi(d != nil))
	}
	for k := range 2 {
		for e := range 2 {
			if o := cmp.Compare(c.window[k][e], d.window[k][e]); o != 0 {
				return o
			}
		}
	}
	return c.region.Compare(d.region)
}

func btoi(is bool) int {
	if is {
		return 1
	}
	return 0
}

// cutOf returns where a subpatch of patch i lies with respect to the loops. Parts of what lies
// inside do so, too.
func cutOf(q *query, i int, id int32) trim.Place {
	c := q.surf[i].trimming
	if c == nil {
		return trim.Inside
	}
	nd := &q.trees[i].nodes[id]
	if nd.cut == 0 {
		lo, hi := nd.domain[0], nd.domain[0]
		for _, d := range nd.domain[1:] {
			for k := range 2 {
				lo[k], hi[k] = min(lo[k], d[k]), max(hi[k], d[k])
			}
		}
		nd.cut = c.region.Classify(c.box(lo, hi))
	}
	return nd.cut
}

// cutAway reports whether one of the subpatches of a cell provably lies outside of its face.
func cutAway(q *query, c *cell) bool {
	return cutOf(q, 0, c.a) == trim.Outside || cutOf(q, 1, c.b) == trim.Outside
}

// holds reports whether the points of a place belong to the faces, up to the loops' tolerances.
func holds(q *query, x *[4]float64) bool {
	for i := range q.surf {
		if c := q.surf[i].trimming; c != nil {
			at := [2]float64(x[2*i : 2*i+2])
			if c.region.Classify(c.box(at, at)) == trim.Outside {
				return false
			}
		}
	}
	return true
}

// holdsAround reports whether all places within r of x, in every parameter, provably belong to the
// faces.
func holdsAround(q *query, x *[4]float64, r float64) bool {
	for i := range q.surf {
		if c := q.surf[i].trimming; c != nil {
			u, v := x[2*i], x[2*i+1]
			if c.region.Classify(c.box([2]float64{u - r, v - r}, [2]float64{u + r, v + r})) != trim.Inside {
				return false
			}
		}
	}
	return true
}

// trimmed reports whether a patch of the query has loops.
func trimmed(q *query) bool { return q.surf[0].trimming != nil || q.surf[1].trimming != nil }

// withinLoops looks for points of the faces near contact in a cell: from places of both subpatches
// that belong to the faces, one is held while the other approaches it. It returns their distance
// from contact, and puts them into p, or returns +Inf.
func withinLoops(s *search, c *cell, p *place, enough float64) float64 {
	var from place
	for i := range 2 {
		u := middleWithin(&s.query, i, [2]int32{c.a, c.b}[i])
		from.x[2*i], from.x[2*i+1] = u[0], u[1]
	}
	if !holds(&s.query, &from.x) {
		return math.Inf(1)
	}
	s.evaluate(&from.x, 0)
	best, at := s.check.size(s.check.excess(s.difference(c.t0))), from
	for held := range 2 {
		k := from
		k.held = 1 << held
		if far := s.approach(&k, c.t0, 0.01*enough); far < best && holds(&s.query, &k.x) {
			best, at = far, k
		}
	}
	at.held = 0
	*p = at
	return best
}

// middleWithin returns parameters of a subpatch that belong to its face, where some are found: the
// middle, or the point of the loops that is nearest to it.
func middleWithin(q *query, i int, id int32) [2]float64 {
	f, nd := q.surf[i].form, &q.trees[i].nodes[id]
	u, v := middle(f, nd)
	at := [2]float64{u, v}
	c := q.surf[i].trimming
	if c == nil || cutOf(q, i, id) == trim.Inside || c.region.Classify(c.box(at, at)) != trim.Outside {
		return at
	}
	near, _, ok := c.region.Nearest(c.place(u, v), c.scale())
	if !ok {
		return at
	}
	near = c.parameters(near)
	for k := range 2 {
		lo, hi := nd.domain[0][k], nd.domain[0][k]
		for _, d := range nd.domain[1:] {
			lo, hi = min(lo, d[k]), max(hi, d[k])
		}
		at[k] = min(max(near[k], lo), hi)
	}
	at[0], at[1] = settle(f, at[0], at[1])
	return at
}

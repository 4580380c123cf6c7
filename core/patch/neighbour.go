package patch

import "math"

// neighbourhood is what the search for self-contact knows of the pair at hand beside what every search knows. Without one the
// patches of a solver are strangers. docs/numerics.md, "Neighbours", says what a contact is here, and proves what is said below.
type neighbourhood struct {
	h      float64 // in parameters, a power of two: how near to what they have in common neighbours may be left out
	same   bool    // one patch against itself
	hinges []hinge // of the two patches
	lines  []locus // where a patch was split from itself: hinges of its parts, the same in both
	cone   cone
	left   []float64 // of each pair of parts that this query left out, the time up to which it is proven
}

// Left tells what was left out of an answer: pairs of neighbouring parts no wider than the neighbourhood in their parameters, that
// could not be proven to meet only where they always do.
type Left struct {
	Pairs int64
	From  float64 // the time up to which all of them are proven; +Inf if there are none
}

// leftBefore tells what was left out before a time.
func leftBefore(times []float64, end float64) Left {
	l := Left{0, math.Inf(1)}
	for _, t := range times {
		if t < end {
			l.Pairs++
			l.From = min(l.From, t)
		}
	}
	return l
}

// The bond of a cell. Neighbours have a point or a curve in common: a hinge of their patches, or, from neighbours + 1 on, the line
// along which they were split from each other.
const (
	itself     = -1 // one subpatch twice
	strangers  = 0  // nothing in common: their distance tells
	neighbours = 1
)

// touch is what a subpatch holds of a locus: nothing, a corner, or an edge, and of a curve the parameters from which to which.
type touch struct {
	corner, edge int // one of them, else -1
	from, to     float64
	rising       bool // the edge's row runs with the parameter
}

// touching finds what a node holds of a locus.
func (t *tree) touching(nd *node, l *locus) (tc touch, ok bool) {
	tc.corner, tc.edge = -1, -1
	var on [4]bool
	count := 0
	for k := range t.form.apexes() {
		if on[k] = l.on(nd.apex(k)); on[k] {
			count, tc.corner = count+1, k
		}
	}
	if count == 0 {
		return tc, false
	}
	if count == 1 {
		s := l.at(nd.apex(tc.corner))
		tc.from, tc.to = s, s
		return tc, true
	}
	for e, b := range t.form.borders() {
		if on[b.ends[0]] && on[b.ends[1]] {
			p, q := l.at(nd.apex(b.ends[0])), l.at(nd.apex(b.ends[1]))
			tc.corner, tc.edge = -1, e
			tc.from, tc.to, tc.rising = min(p, q), max(p, q), p < q
			return tc, true
		}
	}
	return tc, false
}

// common are the touches of both subpatches of a cell with a hinge; false if they have nothing of it in common.
func (s *Solver) common(c *cell, h *hinge) (a, b touch, ok bool) {
	a, ok = s.trees[0].touching(&s.trees[0].nodes[c.a], &h.side[0])
	if !ok {
		return a, b, false
	}
	b, ok = s.trees[1].touching(&s.trees[1].nodes[c.b], &h.side[1])
	return a, b, ok && (h.point || a.from <= b.to && b.from <= a.to)
}

// hinge is the k-th that may matter to a cell: the line along which its parts were split from each other, or one of the patches'.
// False if there are no more.
func (s *Solver) hinge(c *cell, k int) (h hinge, ok bool) {
	n := s.hood
	if c.bond > neighbours {
		if k == 0 {
			l := n.lines[c.bond-neighbours-1]
			return hinge{side: [2]locus{l, l}}, true
		}
		k--
	}
	if k < len(n.hinges) {
		return n.hinges[k], true
	}
	return h, false
}

// relate makes the subpatches of a cell strangers if they have nothing in common.
func (s *Solver) relate(c *cell) {
	for k := 0; c.bond > strangers; k++ {
		h, ok := s.hinge(c, k)
		if !ok {
			c.bond = strangers
			return
		}
		if _, _, ok := s.common(c, &h); ok {
			return
		}
	}
}

// narrow tells whether a subpatch is no wider than the neighbourhood.
func (s *Solver) narrow(i int, id int32) bool { return s.trees[i].edgeAbove(id, s.hood.h) < 0 }

// edgeAbove is a direction along which the domain of a node is longer than h, or -1.
func (t *tree) edgeAbove(id int32, h float64) int {
	for d := range t.dirs {
		if t.form.U > 0 && t.edge(&t.nodes[id], d) > h {
			return d
		}
	}
	return -1
}

// prove moves a cell's time on to one up to which its subpatches are proven to meet only where they always do. False if that is
// throughout. While one of them is wider than h the separation is asked for, too, of their points beyond h.
func (s *Solver) prove(c *cell) bool {
	s.Work.Checks++
	d, h := s.check.separation, s.hood.h
	if d == 0 || s.narrow(0, c.a) && s.narrow(1, c.b) {
		d, h = 0, 0
	}
	if c.bond == itself {
		return !s.injective(c, d, h)
	}
	first := c.t0
	for k := 0; ; k++ {
		g, ok := s.hinge(c, k)
		if !ok {
			c.t0 = first
			return true
		}
		a, b, ok := s.common(c, &g)
		if !ok {
			continue
		}
		t := c.t0
		if s.wedge(c, &g, &a, &b, d, h, &t) {
			return false
		}
		first = max(first, t)
	}
}

// injective proves that a subpatch does not meet itself: two different points lie apart by steps along u and along v, of the
// same sign or of different ones.
func (s *Solver) injective(c *cell, d, h float64) bool {
	n, t := s.hood, &s.trees[0]
	first, all := c.t1, true
	for _, v := range [2]int{1, ^1} {
		at := c.t0
		n.cone.clear(d)
		n.cone.add(t, c.a, 0, -1, h)
		if t.form.Shape != Curve {
			n.cone.add(t, c.a, v, -1, h)
		}
		if !n.cone.advance(&s.check, &at, c.t1) {
			first, all = min(first, at), false
		}
		if t.form.Shape == Curve {
			break
		}
	}
	c.t0 = first
	return all
}

// wedge proves that two subpatches meet nowhere else than in a hinge. Points of the first are reached from the hinge by steps
// inwards, those of the second too, and between their feet lie steps along it, forwards or backwards. t is moved on; true if all
// the way.
func (s *Solver) wedge(c *cell, g *hinge, a, b *touch, d, h float64, t *float64) bool {
	n := &s.hood.cone
	first := c.t1
	all := true
	for _, sign := range [2]float64{1, -1} {
		if !g.point {
			if sign > 0 && !(a.to > b.from) || sign < 0 && !(a.from < b.to) {
				if a.to > a.from || b.to > b.from || sign < 0 {
					continue // the first's feet do not lie on that side of the second's
				}
			}
		}
		n.clear(d)
		s.inwards(0, c.a, a, 1, h)
		s.inwards(1, c.b, b, -1, h)
		if !g.point {
			s.between(c, a, b, sign, h)
		}
		at := *t
		if !n.advance(&s.check, &at, c.t1) {
			all = false
			first = min(first, at)
		}
		if g.point {
			break
		}
	}
	*t = first
	return all
}

// inwards puts in the steps from what a subpatch holds of the hinge to its other points, or their opposites.
func (s *Solver) inwards(i int, id int32, tc *touch, sign, h float64) {
	t := &s.trees[i]
	turn := func(d int) int {
		if d == nowhere || sign > 0 {
			return d
		}
		return ^d
	}
	if tc.edge >= 0 {
		s.hood.cone.add(t, id, turn(t.form.borders()[tc.edge].inward), -1, h)
		return
	}
	if t.form.U == 0 {
		return
	}
	for _, d := range outward[t.form.Shape][tc.corner] {
		s.hood.cone.add(t, id, turn(d), -1, h)
	}
}

// between puts in the steps along the hinge: those of the subpatch that holds more of it, or both where neither holds all.
func (s *Solver) between(c *cell, a, b *touch, sign, h float64) {
	if a.edge >= 0 && !(b.from <= a.from && a.to <= b.to && b.to-b.from > a.to-a.from) {
		s.steps(0, c.a, a, sign, h)
	}
	if b.edge >= 0 && !(a.from <= b.from && b.to <= a.to) {
		s.steps(1, c.b, b, sign, h)
	}
}

func (s *Solver) steps(i int, id int32, tc *touch, sign, h float64) {
	t := &s.trees[i]
	e := &t.form.borders()[tc.edge]
	row := e.row
	if row < 0 {
		row = len(t.rows[e.dir]) - 1
	}
	d := e.dir
	if tc.rising != (sign > 0) {
		d = ^d
	}
	s.hood.cone.add(t, id, d, row, h)
}

package patch

import "math"

// adjacency is what the patches of a query have in common by construction, in a search for
// self-contact. docs/proofs/patches.md, "Neighbors", defines a contact of a body with itself and
// has the proofs of this file.
type adjacency struct {
	*query
	// width is how near, in parameters, to what they have in common neighbors may be left out. It
	// is a power of two.
	width  float64
	same   bool         // the query is one patch against itself
	edges  []sharedEdge // the edges that the two patches share
	joints joints       // what else they have in common
	cone   cone

	unresolved []float64 // the time up to which each pair of parts that this query left out is proven apart
}

// begin finds what the two patches of a query have in common.
func (n *adjacency) begin(q *query, a, b *Patch, same bool) {
	n.query = q
	n.same = same
	n.edges = findShared(a, b, same, n.edges[:0])
	n.joints.begin(a, b, n.width)
	n.unresolved = n.unresolved[:0]
}

// sharedPoints distinguishes contacts from the points that the patches of a query always have in
// common. Places are passed by value: pointers would make every place and cell escape to the heap.
type sharedPoints interface {
	// Trivial reports whether two places, one on each patch, are so near to a common point of the
	// patches that a contact there does not count.
	Trivial(x [4]float64) bool
	// Strays reports whether a place found from the cell of subpatches a and b is a trivial one
	// outside of it.
	Strays(a, b int32, x [4]float64) bool
}

// nothingShared is sharedPoints for the patches of two bodies.
type nothingShared struct{}

func (nothingShared) Trivial([4]float64) bool              { return false }
func (nothingShared) Strays(_, _ int32, _ [4]float64) bool { return false }

// adjacencyClass is what the subpatches of a cell have in common by construction. Neighbors have a
// point or a curve in common: a shared edge of their patches, or, from neighbors + 1 on, the line
// along which they were split from each other.
type adjacencyClass int32

const (
	itself    adjacencyClass = -1 // one subpatch twice
	unrelated adjacencyClass = 0  // nothing in common
	neighbors adjacencyClass = 1
)

// sharedPart is the part of a segment that a subpatch holds: nothing, a corner, or an edge; of a
// curve also its range of parameters.
type sharedPart struct {
	corner, edge int // numbers of the corner or edge; -1 for the other
	from, to     float64
	rising       bool // the row of the edge's control points runs in the direction of the parameter
}

// sharedPart returns the part of a segment that a node holds.
func (t *tree) sharedPart(nd *node, l *domainSegment) (tc sharedPart, ok bool) {
	tc.corner, tc.edge = -1, -1
	var on [4]bool
	count := 0
	for k := range t.form.cornerCount() {
		if on[k] = l.contains(nd.corner(k)); on[k] {
			count, tc.corner = count+1, k
		}
	}
	if count == 0 {
		return tc, false
	}
	if count == 1 {
		s := l.parameter(nd.corner(tc.corner))
		tc.from, tc.to = s, s
		return tc, true
	}
	for e, b := range t.form.edges() {
		if on[b.ends[0]] && on[b.ends[1]] {
			p, q := l.parameter(nd.corner(b.ends[0])), l.parameter(nd.corner(b.ends[1]))
			tc.corner, tc.edge = -1, e
			tc.from, tc.to, tc.rising = min(p, q), max(p, q), p < q
			return tc, true
		}
	}
	return tc, false
}

// common returns the parts of a shared edge that the two subpatches of a cell hold; false if they
// have nothing of it in common.
func (n *adjacency) common(c *cell, h *sharedEdge) (a, b sharedPart, ok bool) {
	a, ok = n.trees[0].sharedPart(&n.trees[0].nodes[c.a], &h.segments[0])
	if !ok {
		return a, b, false
	}
	b, ok = n.trees[1].sharedPart(&n.trees[1].nodes[c.b], &h.segments[1])
	return a, b, ok && (h.point || a.from <= b.to && b.from <= a.to)
}

// edge returns the k-th that may matter to a cell: the line along which its parts were split from
// each other, or one of the patches'. False if there are no more.
func (n *adjacency) edge(c *cell, k int) (h sharedEdge, ok bool) {
	if c.class > neighbors {
		if k == 0 {
			l := n.joints.lines[c.class-neighbors-1]
			return sharedEdge{segments: [2]domainSegment{l, l}}, true
		}
		k--
	}
	if k < len(n.edges) {
		return n.edges[k], true
	}
	return h, false
}

// classify makes the subpatches of a cell unrelated if they have nothing in common.
func (n *adjacency) classify(c *cell) {
	for k := 0; c.class > unrelated; k++ {
		h, ok := n.edge(c, k)
		if !ok {
			if !nearJoint(n, c) {
				c.class = unrelated
			}
			return
		}
		if _, _, ok := n.common(c, &h); ok {
			return
		}
	}
}

// isNarrow reports whether a subpatch is no wider than the neighbourhood.
func (n *adjacency) isNarrow(i int, id int32) bool { return n.trees[i].edgeLongerThan(id, n.width) < 0 }

// edgeLongerThan returns a direction along which the domain of a node is longer than h, or -1.
func (t *tree) edgeLongerThan(id int32, h float64) int {
	for d := range t.dirs {
		if t.form.U > 0 && t.edge(&t.nodes[id], d) > h {
			return d
		}
	}
	return -1
}

// prove advances a cell's time to one up to which its subpatches provably meet only where they
// always do, and returns false if that is all of the time. While one of them is wider than the
// neighbourhood, their points beyond it must keep the separation, too.
func (n *adjacency) prove(c *cell) bool {
	n.Work.Checks++
	d, h := n.check.separation, n.width
	if d == 0 || n.isNarrow(0, c.a) && n.isNarrow(1, c.b) {
		d, h = 0, 0
	}
	if c.class == itself {
		return !n.injective(c, d, h)
	}
	first := c.t0
	for k := 0; ; k++ {
		g, ok := n.edge(c, k)
		if !ok {
			c.t0 = first
			return true
		}
		a, b, ok := n.common(c, &g)
		if !ok {
			continue
		}
		t := c.t0
		if n.wedge(c, &g, &a, &b, d, h, &t) {
			return false
		}
		first = max(first, t)
	}
}

// injective proves that a subpatch does not meet itself: two different points differ by steps along
// u and along v, of the same sign or of different signs.
func (n *adjacency) injective(c *cell, d, h float64) bool {
	t := &n.trees[0]
	first, all := c.t1, true
	for _, v := range [2]int{1, ^1} {
		at := c.t0
		n.cone.clear(d)
		n.cone.addDifferences(t, c.a, 0, -1, h)
		if t.form.Shape != Curve {
			n.cone.addDifferences(t, c.a, v, -1, h)
		}
		if !n.cone.advance(&n.check, &at, c.t1) {
			first, all = min(first, at), false
		}
		if t.form.Shape == Curve {
			break
		}
	}
	c.t0 = first
	return all
}

// wedge proves that two subpatches meet only in a shared edge. Steps inwards lead from the edge to
// the points of each subpatch, and steps along the edge, forwards or backwards, lie between their
// feet. wedge advances t and reports whether it reached the end.
func (n *adjacency) wedge(c *cell, g *sharedEdge, a, b *sharedPart, d, h float64, t *float64) bool {
	first := c.t1
	all := true
	for _, sign := range [2]float64{1, -1} {
		if !g.point {
			if sign > 0 && !(a.to > b.from) || sign < 0 && !(a.from < b.to) {
				if a.to > a.from || b.to > b.from || sign < 0 {
					continue // The feet of the first subpatch are not on that side of those of the second.
				}
			}
		}
		n.cone.clear(d)
		n.addInwards(0, c.a, a, 1, h)
		n.addInwards(1, c.b, b, -1, h)
		if !g.point {
			n.addBetween(c, a, b, sign, h)
		}
		at := *t
		if !n.cone.advance(&n.check, &at, c.t1) {
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

// addInwards adds to the cone the steps, or their opposites, from the part of the edge that a
// subpatch holds to the subpatch's other points.
func (n *adjacency) addInwards(i int, id int32, tc *sharedPart, sign, h float64) {
	t := &n.trees[i]
	turn := func(d int) int {
		if d == noDirection || sign > 0 {
			return d
		}
		return ^d
	}
	if tc.edge >= 0 {
		n.cone.addDifferences(t, id, turn(t.form.edges()[tc.edge].inward), -1, h)
		return
	}
	if t.form.U == 0 {
		return
	}
	for _, d := range fromCorner[t.form.Shape][tc.corner] {
		n.cone.addDifferences(t, id, turn(d), -1, h)
	}
}

// addBetween adds to the cone the steps along the edge: those of the subpatch that holds more of
// it, or both where neither holds all.
func (n *adjacency) addBetween(c *cell, a, b *sharedPart, sign, h float64) {
	if a.edge >= 0 && !(b.from <= a.from && a.to <= b.to && b.to-b.from > a.to-a.from) {
		n.addSteps(0, c.a, a, sign, h)
	}
	if b.edge >= 0 && !(a.from <= b.from && b.to <= a.to) {
		n.addSteps(1, c.b, b, sign, h)
	}
}

func (n *adjacency) addSteps(i int, id int32, tc *sharedPart, sign, h float64) {
	t := &n.trees[i]
	e := &t.form.edges()[tc.edge]
	row := e.row
	if row < 0 {
		row = len(t.rows[e.dir]) - 1
	}
	d := e.dir
	if tc.rising != (sign > 0) {
		d = ^d
	}
	n.cone.addDifferences(t, id, d, row, h)
}

// Trivial reports whether two places, on the one and on the other patch, are nearer to each other
// than half the neighbourhood: to a common point of the patches, or in the parameters of one patch.
// Contact of such places does not count.
func (n *adjacency) Trivial(x [4]float64) bool {
	r := 0.5 * n.width
	if n.same && math.Abs(x[0]-x[2]) < r && math.Abs(x[1]-x[3]) < r {
		return true
	}
	for k := range n.edges {
		h := &n.edges[k]
		fa, sa := h.segments[0].distance(n.trees[0].form, x[0], x[1])
		fb, sb := h.segments[1].distance(n.trees[1].form, x[2], x[3])
		if fa < r && fb < r && (h.point || math.Abs(sa-sb) < r) {
			return true
		}
	}
	return onJoint(n, &x, r)
}

// Strays reports whether a contact found from a cell is a trivial one outside of it.
func (n *adjacency) Strays(a, b int32, x [4]float64) bool {
	return n.Trivial(x) && !n.inCell(a, b, x)
}

// inCell reports whether places lie in the subpatches of a cell, up to rounding.
func (n *adjacency) inCell(a, b int32, x [4]float64) bool {
	return n.trees[0].contains(a, x[0], x[1]) && n.trees[1].contains(b, x[2], x[3])
}

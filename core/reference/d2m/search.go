package d2m

import (
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/inclusion"
	"ccd/core/num"
	"ccd/core/order"
	"ccd/core/rigid"
)

// options of a query of two bodies.
type options struct {
	epsilon     float64 // the greatest width of the last interval of time
	spheresOnly bool    // stop at the spheres of fine parts: fast, and not exact
	budget      int     // sphere and root steps; 0 is no limit
}

// found is the result of a search. Before lo the surfaces do not touch, whatever the verdict.
// Contact: two features may touch within [lo, hi], and no test separates them at this width. faces
// are their triangles, -1 when there are none. initial: they may already touch, or intersect, at
// the start.
type found struct {
	verdict     geom.Verdict
	lo, hi      float64
	faces       [2]int32
	initial     bool
	spheresOnly bool
	steps       int
}

// bodies is the scratch of searches between two bodies. It remembers the triangles that met last,
// which are tested first.
type bodies struct {
	bodyPair
	finder inclusion.Finder
	best   found
	o      options
	queue  order.TimeHeap[nodePair]
	feat   feature
	cached [2]int32 // the leaves that met last
	done   [2]int32 // leaves that have been tested
	warm   bool
}

// nodePair is a pair of nodes with the interval of time in which they may meet.
type nodePair struct {
	t    num.Interval
	a, b int32
}

// earliest is algorithm 6 of [Buddingh2017] over [t0, t1]. The two trees and motions are valid for
// it.
//
// It departs from the paper in the order of pairs: the paper descends into one pair before it takes
// the next, the earliest first; here all pairs wait in one queue, so that none is opened that
// cannot meet before the contact. That halves the pairs where bodies come close slowly.
func (s *bodies) earliest(a, b *sphereTree, ma, mb *rigid.Motion, t0, t1 float64, o options) found {
	span := num.SubUp(t1, t0)
	same := s.tree == [2]*sphereTree{a, b}
	s.load(a, b, ma, mb, t0, span)
	s.o, s.queue = o, s.queue[:0]
	s.best = found{verdict: geom.Separate, lo: span, hi: span, faces: [2]int32{-1, -1}}
	s.feat.curve, s.feat.bodyPair = curve{&s.feat}, &s.bodyPair
	whole := num.Interval{Lo: 0, Hi: span}
	s.done = [2]int32{-1, -1}
	if len(a.nodes) > 0 && len(b.nodes) > 0 {
		if same && s.warm && !o.spheresOnly {
			s.to(0)
			x, y := s.cached[0], s.cached[1]
			off, base, arm := s.offset(), s.arm(0, a.nodes[x].Center), s.arm(1, b.nodes[y].Center)
			base = base.minus(&off)
			s.enqueue(whole, x, y, &base, &arm)
			s.search()
			s.done = [2]int32{x, y}
		}
		s.queue.Push(0, nodePair{whole, 0, 0})
		s.search()
	}
	r := s.best
	s.warm = r.verdict == geom.Contact && r.faces[0] >= 0
	r.lo, r.hi = min(num.AddDown(t0, r.lo), t1), min(num.AddUp(t0, r.hi), t1)
	return r
}

// spent counts a step and reports whether the budget is exceeded. Then whatever is left may begin
// at t: the verdict is Undecided there.
func (s *bodies) spent(t float64) bool {
	s.best.steps++
	if s.o.budget == 0 || s.best.steps <= s.o.budget {
		return false
	}
	if s.best.verdict != geom.Undecided {
		s.best.verdict = geom.Undecided
		s.best.faces = [2]int32{-1, -1}
	}
	s.best.lo = min(s.best.lo, t)
	return true
}

// search takes pairs from the queue until none is left that may meet before the best answer.
func (s *bodies) search() {
	for len(s.queue) > 0 {
		p := s.queue.Pop().Item
		if p.t.Lo >= s.best.lo && s.best.verdict != geom.Separate {
			break
		}
		p.t.Hi = min(p.t.Hi, s.best.lo)
		s.test(p)
		if s.best.verdict == geom.Undecided {
			s.best.lo = min(s.best.lo, p.t.Lo) // what is left in the queue begins no earlier
			break
		}
	}
	s.queue = s.queue[:0]
}

// test opens the nodes of a pair, or tests its two triangles.
func (s *bodies) test(p nodePair) {
	a, b := &s.tree[0].nodes[p.a], &s.tree[1].nodes[p.b]
	switch {
	case s.o.spheresOnly && (a.fine || a.child < 0) && (b.fine || b.child < 0):
		s.best = found{verdict: geom.Contact, lo: p.t.Lo, hi: p.t.Hi, faces: [2]int32{-1, -1},
			initial: p.t.Lo == 0, spheresOnly: true, steps: s.best.steps}
	case s.done == [2]int32{p.a, p.b}:
	case a.child < 0 && b.child < 0:
		s.triangles(p)
	default:
		s.openNodes(p, a, b)
	}
}

// openNodes queues the pairs of children that may meet. A leaf stands for its own child, and so
// does a fine node where spheres alone count.
func (s *bodies) openNodes(p nodePair, a, b *sphereNode) {
	s.to(p.t.Lo)
	off := s.offset()
	n := [2]int32{2, 2}
	first := [2]int32{a.child, b.child}
	for side, node := range [2]*sphereNode{a, b} {
		if node.child < 0 || s.o.spheresOnly && node.fine {
			first[side], n[side] = []int32{p.a, p.b}[side], 1
		}
	}
	var arms [2][2]track
	for side := range 2 {
		for k := range n[side] {
			arms[side][k] = s.arm(side, s.tree[side].nodes[first[side]+k].Center)
		}
	}
	for i := range n[0] {
		base := arms[0][i].minus(&off)
		for k := range n[1] {
			if s.spent(p.t.Lo) {
				return
			}
			s.enqueue(p.t, first[0]+i, first[1]+k, &base, &arms[1][k])
		}
	}
}

// enqueue queues two nodes with the part of t in which their spheres may meet. base is the track of
// A's center as seen from B's pivot, at the start of t, and arm that of B's.
func (s *bodies) enqueue(t num.Interval, x, y int32, base, arm *track) {
	radii := num.AddUp(s.tree[0].nodes[x].Radius, s.tree[1].nodes[y].Radius)
	if part, some := spheres(arm.minus(base), radii, t.Width()); some {
		part = num.Interval{Lo: num.AddDown(t.Lo, part.Lo), Hi: min(num.AddUp(t.Lo, part.Hi), t.Hi)}
		s.queue.Push(part.Lo, nodePair{part, x, y})
	}
}

// triangles tests two faces: first whether they intersect at the start, then every pair of features
// that they own.
func (s *bodies) triangles(p nodePair) {
	a, b, t := -1-s.tree[0].nodes[p.a].child, -1-s.tree[1].nodes[p.b].child, p.t
	if s.spent(t.Lo) {
		return
	}
	s.to(t.Lo)
	m := t.Lo + float64(0.5*(t.Hi-t.Lo))
	split := t.Width() > s.o.epsilon && m > t.Lo && m < t.Hi // points have no size: any way would be long
	near, travel := s.near(a, b, t.Width(), split)
	if !near {
		return
	}
	if travel && split {
		s.queue.Push(t.Lo, nodePair{num.Interval{Lo: t.Lo, Hi: m}, p.a, p.b})
		s.queue.Push(m, nodePair{num.Interval{Lo: m, Hi: t.Hi}, p.a, p.b})
		return
	}
	if t.Lo == 0 {
		if near, _ = s.near(a, b, 0, false); near {
			s.best = found{verdict: geom.Contact, lo: 0, hi: 0, faces: [2]int32{a, b}, initial: true,
				steps: s.best.steps}
			s.cached = [2]int32{p.a, p.b}
			return
		}
	}
	faces := [2]int32{a, b}
	corners := [2][3]r3.Vec{s.tree[0].corners(a), s.tree[1].corners(b)}
	own := [2]uint8{s.tree[0].own[a], s.tree[1].own[b]}
	f := &s.feat
	f.edges = false
	for side := range 2 {
		f.side, f.c, f.plane = side, corners[1-side], &s.tree[1-side].normals[faces[1-side]]
		for k := range 3 {
			if own[side]>>k&1 == 1 {
				f.p = corners[side][k]
				s.root(f, p, faces)
			}
		}
	}
	f.edges, f.side = true, 0
	for i := range 3 {
		for k := range 3 {
			if own[0]>>(3+i)&1 == 1 && own[1]>>(3+k)&1 == 1 {
				f.e = [2][2]r3.Vec{{corners[0][i], corners[0][(i+1)%3]}, {corners[1][k], corners[1][(k+1)%3]}}
				s.root(f, p, faces)
			}
		}
	}
}

// root runs the root finder on one pair of features, unless no contact earlier than the best is
// possible.
func (s *bodies) root(f *feature, p nodePair, faces [2]int32) {
	t := num.Interval{Lo: p.t.Lo, Hi: min(p.t.Hi, s.best.lo)}
	if t.Lo > t.Hi || t.Lo == t.Hi && s.best.verdict != geom.Separate {
		return
	}
	left := 0
	if s.o.budget > 0 {
		left = max(s.o.budget-s.best.steps, 1)
	}
	m := s.finder.FirstRoot(f, f.mayMeet, t, s.o.epsilon, left)
	s.best.steps += m.Steps
	switch {
	case m.Verdict == geom.Separate:
	case m.Verdict == geom.Undecided:
		s.best.steps = max(s.best.steps, s.o.budget)
		s.spent(m.Lo)
	case m.Lo < s.best.lo || s.best.verdict == geom.Separate:
		s.best = found{verdict: geom.Contact, lo: m.Lo, hi: m.Hi, faces: faces, steps: s.best.steps}
		s.cached = [2]int32{p.a, p.b}
	}
}

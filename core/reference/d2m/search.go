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
	epsilon     float64 // of time: how wide the last interval is at most
	spheresOnly bool    // stop at the spheres of fine parts: fast, and not exact
	budget      int     // sphere and root steps; 0 is no limit
}

// found is the answer. Before lo the surfaces do not touch, whatever the verdict. Contact: a pair of features may touch
// within [lo, hi], and nothing tells them apart at this width. faces are the triangles, -1 when there are none, and vertex
// and edge features are numbered within them as in sphereTree.own. initial: they may already touch, or cross, at the start.
type found struct {
	verdict     geom.Verdict
	lo, hi      float64
	faces       [2]int32
	edges       bool
	side        int
	corner      [2]int8
	initial     bool
	spheresOnly bool
	steps       int
}

// bodies is the scratch of one goroutine for two bodies, and the memory of the pair of triangles that met last, which is asked first.
type bodies struct {
	pair
	finder inclusion.Finder
	best   found
	o      options
	queue  order.TimeHeap[nodePair]
	feat   feature
	cached [2]int32 // the leaves that met last
	done   [2]int32 // leaves that need no second look
	warm   bool
}

// nodePair is a pair of parts with the part of time in which they may meet.
type nodePair struct {
	t    num.Interval
	a, b int32
}

// earliest is algorithm 6 of [Buddingh2017] over [t0, t1]. The two trees and motions are valid for it.
//
// It departs from the paper in the order of pairs: the paper goes down into the parts of one pair before it looks at the next, the earliest
// first; here all pairs wait in one queue, so none is opened that cannot meet before the contact does. That halves the pairs where
// bodies come close slowly.
func (s *bodies) earliest(a, b *sphereTree, ma, mb *rigid.Motion, t0, t1 float64, o options) found {
	span := num.SubUp(t1, t0)
	same := s.tree == [2]*sphereTree{a, b}
	s.load(a, b, ma, mb, t0, span)
	s.o, s.queue = o, s.queue[:0]
	s.best = found{verdict: geom.Separate, lo: span, hi: span, faces: [2]int32{-1, -1}}
	s.feat.curve, s.feat.pair = curve{&s.feat}, &s.pair
	whole := num.Interval{Lo: 0, Hi: span}
	s.done = [2]int32{-1, -1}
	if len(a.nodes) > 0 && len(b.nodes) > 0 {
		if same && s.warm && !o.spheresOnly {
			s.to(0)
			x, y := s.cached[0], s.cached[1]
			off, base, arm := s.offset(), s.arm(0, a.nodes[x].Center), s.arm(1, b.nodes[y].Center)
			base = base.minus(&off)
			s.offer(whole, x, y, &base, &arm)
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

// spent counts a step. When the budget ends, all that is left may begin at t: the verdict is Undecided there.
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

// search looks at the pairs of the queue until none is left that may meet before the best answer.
func (s *bodies) search() {
	for len(s.queue) > 0 {
		p := s.queue.Pop().Item
		if p.t.Lo >= s.best.lo && s.best.verdict != geom.Separate {
			break
		}
		p.t.Hi = min(p.t.Hi, s.best.lo)
		s.look(p)
		if s.best.verdict == geom.Undecided {
			s.best.lo = min(s.best.lo, p.t.Lo) // what is left in the queue begins no earlier
			break
		}
	}
	s.queue = s.queue[:0]
}

// look tests the parts of a pair against each other, or two triangles.
func (s *bodies) look(p nodePair) {
	a, b := &s.tree[0].nodes[p.a], &s.tree[1].nodes[p.b]
	switch {
	case s.o.spheresOnly && (a.fine || a.child < 0) && (b.fine || b.child < 0):
		s.best = found{verdict: geom.Contact, lo: p.t.Lo, hi: p.t.Hi, faces: [2]int32{-1, -1},
			initial: p.t.Lo == 0, spheresOnly: true, steps: s.best.steps}
	case s.done == [2]int32{p.a, p.b}:
	case a.child < 0 && b.child < 0:
		s.triangles(p)
	default:
		s.parts(p, a, b)
	}
}

// parts puts the pairs of parts that may meet into the queue. The children of a node, or itself if it has none (or is fine, where spheres are all).
func (s *bodies) parts(p nodePair, a, b *sphereNode) {
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
			s.offer(p.t, first[0]+i, first[1]+k, &base, &arms[1][k])
		}
	}
}

// offer puts two nodes into the queue, with the part of t in which their spheres may meet. Base is the track of A's centre, seen from
// B's pivot, at the start of t, arm that of B's.
func (s *bodies) offer(t num.Interval, x, y int32, base, arm *track) {
	radii := num.AddUp(s.tree[0].nodes[x].Radius, s.tree[1].nodes[y].Radius)
	if part, some := spheres(arm.minus(base), radii, t.Width()); some {
		part = num.Interval{Lo: num.AddDown(t.Lo, part.Lo), Hi: min(num.AddUp(t.Lo, part.Hi), t.Hi)}
		s.queue.Push(part.Lo, nodePair{part, x, y})
	}
}

// triangles tests two faces: first whether they cross at the start, then every pair of features that they own.
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
			s.best = found{verdict: geom.Contact, lo: 0, hi: 0, faces: [2]int32{a, b}, initial: true, steps: s.best.steps}
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
				s.root(f, p, faces, [2]int8{int8(k), -1})
			}
		}
	}
	f.edges, f.side = true, 0
	for i := range 3 {
		for k := range 3 {
			if own[0]>>(3+i)&1 == 1 && own[1]>>(3+k)&1 == 1 {
				f.e = [2][2]r3.Vec{{corners[0][i], corners[0][(i+1)%3]}, {corners[1][k], corners[1][(k+1)%3]}}
				s.root(f, p, faces, [2]int8{int8(i), int8(k)})
			}
		}
	}
}

// root asks the root finder about one pair of features, as long as an earlier contact than the best is possible.
func (s *bodies) root(f *feature, p nodePair, faces [2]int32, corner [2]int8) {
	t := num.Interval{Lo: p.t.Lo, Hi: min(p.t.Hi, s.best.lo)}
	if t.Lo > t.Hi || t.Lo == t.Hi && s.best.verdict != geom.Separate {
		return
	}
	left := 0
	if s.o.budget > 0 {
		left = max(s.o.budget-s.best.steps, 1)
	}
	m := s.finder.FirstRoot(f, f.keep, t, s.o.epsilon, left)
	s.best.steps += m.Steps
	switch {
	case m.Verdict == geom.Separate:
	case m.Verdict == geom.Undecided:
		s.best.steps = max(s.best.steps, s.o.budget)
		s.spent(m.Lo)
	case m.Lo < s.best.lo || s.best.verdict == geom.Separate:
		s.best = found{verdict: geom.Contact, lo: m.Lo, hi: m.Hi, faces: faces, edges: f.edges, side: f.side, corner: corner,
			steps: s.best.steps}
		s.cached = [2]int32{p.a, p.b}
	}
}

package rigid

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/inclusion"
	"ccd/core/num"
)

// d2mOptions steer a query by the method of 2017.
type d2mOptions struct {
	epsilon  float64 // of time: the width of the interval that is reported
	capoeira bool    // stop at the spheres of fine parts: fast, and not exact
	budget   int     // sphere and root steps; 0 is no limit
}

// d2mFound is the answer. Before lo the surfaces do not touch, whatever the verdict. Contact: a pair of features may touch
// within [lo, hi], and nothing tells them apart at this width. faces are the triangles, -1 when there are none, and vertex
// and edge features are numbered within them as in SphereTree.own. initial: they may already touch, or cross, at the start.
type d2mFound struct {
	verdict  geom.Verdict
	lo, hi   float64
	faces    [2]int32
	edges    bool
	side     int
	corner   [2]int8
	initial  bool
	capoeira bool
	steps    int
}

// d2m is the scratch of one goroutine, and the memory of the pair of triangles that met last, which is asked first.
type d2m struct {
	duo
	finder inclusion.Finder
	best   d2mFound
	o      d2mOptions
	pairs  []nodePair // a stack of the lists of all calls
	feat   feature
	cached [2]int32
	warm   bool
}

// nodePair is a pair of parts with the part of time in which they may meet.
type nodePair struct {
	t    num.Interval
	a, b int32
}

// earliest is algorithm 6 of [Buddingh2017] over [t0, t1]. The two trees and motions are valid for it.
func (s *d2m) earliest(a, b *SphereTree, ma, mb *Motion, t0, t1 float64, o d2mOptions) d2mFound {
	span := num.SubUp(t1, t0)
	same := s.tree == [2]*SphereTree{a, b}
	s.load(a, b, ma, mb, t0, span)
	s.o, s.pairs = o, s.pairs[:0]
	s.best = d2mFound{verdict: geom.Separate, lo: span, hi: span, faces: [2]int32{-1, -1}}
	s.feat.duo = &s.duo
	whole := num.Interval{Lo: 0, Hi: span}
	if len(a.nodes) > 0 && len(b.nodes) > 0 {
		if same && s.warm && !o.capoeira {
			s.triangles(s.cached[0], s.cached[1], whole)
		}
		s.traverse(nodePair{whole, 0, 0})
	}
	r := s.best
	s.warm = r.verdict == geom.Contact && r.faces[0] >= 0
	s.cached = r.faces
	r.lo, r.hi = min(num.AddDown(t0, r.lo), t1), min(num.AddUp(t0, r.hi), t1)
	return r
}

// spent counts a step. When the budget ends, all that is left may begin at t: the verdict is Undecided there.
func (s *d2m) spent(t float64) bool {
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

// traverse tests the parts of a pair against each other, and goes on with those that may meet, the earliest first.
func (s *d2m) traverse(p nodePair) {
	a, b := &s.tree[0].nodes[p.a], &s.tree[1].nodes[p.b]
	if s.o.capoeira && (a.fine || a.child < 0) && (b.fine || b.child < 0) {
		if p.t.Lo < s.best.lo || s.best.verdict == geom.Separate {
			s.best = d2mFound{verdict: geom.Contact, lo: p.t.Lo, hi: p.t.Hi, faces: [2]int32{-1, -1},
				initial: p.t.Lo == 0, capoeira: true, steps: s.best.steps}
		}
		return
	}
	if a.child < 0 && b.child < 0 {
		s.triangles(-1-a.child, -1-b.child, p.t)
		return
	}
	from := len(s.pairs)
	s.parts(p, a, b)
	list := s.pairs[from:]
	slices.SortFunc(list, func(x, y nodePair) int {
		return cmp.Or(cmp.Compare(x.t.Lo, y.t.Lo), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	for i := range list {
		q := s.pairs[from+i]
		if q.t.Lo >= s.best.lo && s.best.verdict != geom.Separate {
			break
		}
		q.t.Hi = min(q.t.Hi, s.best.lo)
		s.traverse(q)
	}
	s.pairs = s.pairs[:from]
}

// parts appends the pairs of parts that may meet. The children of a node, or itself if it has none (or is fine, for Capoeira).
func (s *d2m) parts(p nodePair, a, b *sphereNode) {
	s.to(p.t.Lo)
	off := s.offset()
	h := p.t.Width()
	n := [2]int32{2, 2}
	first := [2]int32{a.child, b.child}
	for side, node := range [2]*sphereNode{a, b} {
		if node.child < 0 || s.o.capoeira && node.fine {
			first[side], n[side] = []int32{p.a, p.b}[side], 1
		}
	}
	var arms [2][2]track
	for side := range 2 {
		for k := range n[side] {
			arms[side][k] = s.arm(side, s.tree[side].nodes[first[side]+k].Center)
		}
	}
	off = negative(off)
	for i := range n[0] {
		for k := range n[1] {
			if s.spent(p.t.Lo) {
				return
			}
			center := arms[1][k].minus(&arms[0][i])
			center = center.minus(&off)
			x, y := first[0]+i, first[1]+k
			radii := num.AddUp(s.tree[0].nodes[x].Radius, s.tree[1].nodes[y].Radius)
			if part, some := spheres(center, radii, h); some {
				t := num.Interval{Lo: num.AddDown(p.t.Lo, part.Lo), Hi: min(num.AddUp(p.t.Lo, part.Hi), p.t.Hi)}
				s.pairs = append(s.pairs, nodePair{t, x, y})
			}
		}
	}
}

// triangles tests two faces: first whether they cross at the start, then every pair of features that they own.
func (s *d2m) triangles(a, b int32, t num.Interval) {
	t.Hi = min(t.Hi, s.best.lo)
	if t.Lo > t.Hi {
		return
	}
	s.best.steps++
	s.to(t.Lo)
	near, travel := s.near(a, b, t.Width())
	if !near {
		return
	}
	if m := t.Lo + float64(0.5*(t.Hi-t.Lo)); travel && m > t.Lo && m < t.Hi {
		s.triangles(a, b, num.Interval{Lo: t.Lo, Hi: m})
		s.triangles(a, b, num.Interval{Lo: m, Hi: t.Hi})
		return
	}
	if t.Lo == 0 {
		if near, _ = s.near(a, b, 0); near {
			s.best = d2mFound{verdict: geom.Contact, lo: 0, hi: 0, faces: [2]int32{a, b}, initial: true, steps: s.best.steps}
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
				s.root(f, faces, [2]int8{int8(k), -1}, t)
			}
		}
	}
	f.edges, f.side = true, 0
	for i := range 3 {
		for k := range 3 {
			if own[0]>>(3+i)&1 == 1 && own[1]>>(3+k)&1 == 1 {
				f.e = [2][2]r3.Vec{{corners[0][i], corners[0][(i+1)%3]}, {corners[1][k], corners[1][(k+1)%3]}}
				s.root(f, faces, [2]int8{int8(i), int8(k)}, t)
			}
		}
	}
}

// root asks the root finder about one pair of features, as long as an earlier contact than the best is possible.
func (s *d2m) root(f *feature, faces [2]int32, corner [2]int8, t num.Interval) {
	t.Hi = min(t.Hi, s.best.lo)
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
		s.best = d2mFound{verdict: geom.Contact, lo: m.Lo, hi: m.Hi, faces: faces, edges: f.edges, side: f.side, corner: corner,
			steps: s.best.steps}
	}
}

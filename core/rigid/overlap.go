package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/rigid/triangle"
)

// overlap knows whether the surfaces pass through each other at TMin, and where. It is computed
// once in a call, and depends on the poses at TMin alone.
type overlap struct {
	leaf     leaf
	stack    []pending
	sa, sb   triangle.Sides
	touching touching // how the bodies touch at the contact
	start    touching // how the bodies touch at TMin
	gathered bool     // whether start is complete
	beside   map[edgeOnFace]uint8
	around   map[edgeOnEdge]wedges
	known    bool
	found    bool
	ta, tb   int32
	steps    int64
}

// overlaps reports whether the triangles of the leaf, of a and b, and those seen before pass
// through each other beyond the rounding e: see passes and edgesPass; or lie in one plane, with the
// insides of two closed bodies on the same side of it. b is nil for an element of a mesh.
func (v *overlap) overlaps(a, b *Body, ta, tb int32, e float64) bool {
	l := &v.leaf
	v.sa.Set(&l.A, &l.B, e)
	v.sb.Set(&l.B, &l.A, e)
	v.ta, v.tb = ta, tb
	v.found = triangle.Pass(&l.Pair, &v.sa, &v.sb, e) || v.edgesPass(a, b, e) ||
		b != nil && (v.sa.In == 3 || v.sb.In == 3) && coincide(l, e) && a.closedAll() && b.closedAll()
	if v.found && !(math.Sqrt(l.Near.D2) <= float64(4*e)) {
		l.RefineCrossing()
	}
	return v.found
}

// begin clears the state of the last call.
func (v *overlap) begin() {
	v.known, v.found, v.gathered, v.steps = false, false, false, 0
	v.start.n = 0
	clear(v.beside)
	clear(v.around)
}

// write makes the impact that of the surfaces that overlap at t.
func (v *overlap) write(t float64, im *Impact) {
	n := &v.leaf.Near
	*im = Impact{
		Verdict: geom.Contact, Flags: InitialContact | Intersecting, TOILo: t, TOIHi: t, IndexA: int64(v.ta),
		IndexB: int64(v.tb), FeatureA: n.FA, FeatureB: n.FB,
		PointA: n.PA, PointB: n.PB, Normal: v.leaf.Out,
	}
}

// coincide reports whether two triangles, all corners of one of which may be in the plane of the
// other, overlap there, beyond the rounding e, with normals to the same side. If so the near points
// become one in the middle of what they share, and out their normal.
func coincide(l *leaf, e float64) bool {
	na, okA := geom.Unit(l.A.Normal, l.A.Normal)
	nb, okB := geom.Unit(l.B.Normal, l.B.Normal)
	if !okA || !okB || !(geom.Dot(na, nb) > 0.5) {
		return false
	}
	size := l.A.Size() + l.B.Size()
	for _, t := range [2]*triangle.Corners{&l.A, &l.B} {
		for i := range 3 {
			m, ok := geom.Unit(geom.Cross(na, t.E[i]), na)
			// An edge whose ends move by e turns by 2e over its length.
			if deep := float64(4*e) + float64(4*e*size)/math.Sqrt(t.E2[i]); !ok || l.gap(m) >= -deep ||
				l.gap(geom.Scale(-1, m)) >= -deep {
				return false
			}
		}
	}
	middle, ok := shared(l, na)
	foot := triangle.FootOn(&l.B, middle)
	d := r3.Sub(foot, middle)
	l.Near, l.Out = triangle.Near{D2: geom.Dot(d, d), PA: middle, PB: foot, FA: Face, FB: Face}, na
	return ok
}

// shared returns the mean of the corners of what two triangles in a plane with the normal n, or its
// opposite, share: A, cut off at the edges of B.
func shared(l *leaf, n r3.Vec) (middle r3.Vec, ok bool) {
	var list, next [9]r3.Vec
	m := copy(list[:], l.A.P[:])
	if geom.Dot(n, l.B.Normal) < 0 {
		n = geom.Scale(-1, n)
	}
	for i := range 3 {
		in, p := geom.Cross(n, l.B.E[i]), l.B.P[i]
		k := 0
		for j := range m {
			from, to := list[j], list[(j+1)%m]
			d, e := geom.Dot(in, r3.Sub(from, p)), geom.Dot(in, r3.Sub(to, p))
			if d >= 0 {
				next[k] = from
				k++
			}
			if d > 0 && e < 0 || d < 0 && e > 0 {
				next[k] = r3.Add(from, geom.Scale(d/(d-e), r3.Sub(to, from)))
				k++
			}
		}
		if list, m = next, k; m == 0 {
			return middle, false
		}
	}
	for _, p := range list[:m] {
		middle = r3.Add(middle, p)
	}
	return geom.Scale(1/float64(m), middle), true
}

// closedAll reports whether the triangles, but for those that are edges or points, bound something:
// each edge, from place to place, is run through as often in one direction as in the other. The
// normals of such a body are to the same side of its inside everywhere.
func (b *Body) closedAll() bool {
	b.countEdges()
	return b.closed
}

// countEdges finds what is said of the edges of the body: closedAll, and which have more than two
// triangles.
func (b *Body) countEdges() {
	b.closing.Do(func() {
		count := make(map[[2]r3.Vec]int)
		triangles := make(map[edgeOf]int)
		for i := range b.tri {
			t := &b.tri[i]
			if t[0] == t[1] || t[1] == t[2] || t[2] == t[0] {
				continue
			}
			for k := range 3 {
				count[[2]r3.Vec{t[k], t[(k+1)%3]}]++
				count[[2]r3.Vec{t[(k+1)%3], t[k]}]--
				triangles[edgeAt(t, k)]++
			}
		}
		for edge, n := range triangles {
			if n > 2 {
				if b.crowded == nil {
					b.crowded = make(map[edgeOf]bool)
				}
				b.crowded[edge] = true
			}
		}
		b.closed = len(count) > 0
		for _, n := range count {
			if n != 0 {
				b.closed = false
				break
			}
		}
	})
}

// overlapping reports whether the bodies overlap at TMin: whether some two triangles do. Nodes that
// are surely apart hold none.
func (s *Solver) overlapping() bool {
	v := &s.over
	if v.known {
		return v.found
	}
	v.known = true
	s.move(s.o.TMin)
	s.meetNow(0, func(ta, tb int32) bool {
		v.leaf.set(&s.query, &s.a.body.tri[ta], &s.b.body.tri[tb])
		return v.overlaps(s.a.body, s.b.body, ta, tb, s.rounding())
	})
	return v.found
}

// whole returns the time from TMin to the double after TMax.
func (s *search) whole() float64 { return num.SubUp(num.Up(s.o.TMax), s.o.TMin) }

// meetNow lists the pairs of triangles that may come within reach in the poses that were computed
// last, until use returns true or the budget is spent.
func (s *Solver) meetNow(reach float64, use func(ta, tb int32) bool) {
	v := &s.over
	goal, h := float64((reach+s.f.margin)*stretch), s.whole()
	v.stack = append(v.stack[:0], pending{same: true})
	for n := len(v.stack); n > 0; n = len(v.stack) {
		it := v.stack[n-1]
		v.stack = v.stack[:n-1]
		if a, b := s.a.body.child[it.a], s.b.body.child[it.b]; a < 0 && b < 0 && !it.same {
			if v.steps++; use(^a, ^b) || s.o.MaxIterations > 0 && v.steps >= s.o.MaxIterations {
				return
			}
			continue
		}
		x, y, a, b, want := childrenOf(s.a.body, s.b.body, &it)
		var step [4]float64
		s.advance(x, y, want, goal, h, &step)
		for k := range int32(4) {
			if want>>k&1 == 0 {
				continue
			}
			if v.steps++; !(step[k] > 0) {
				v.stack = append(v.stack, pending{a + k>>1, b + k&1, false})
			}
		}
	}
}

// overlapping reports whether the body and the element overlap at TMin: whether some triangle does.
func (w *meshSolver) overlapping() bool {
	v := &w.over
	if v.known {
		return v.found
	}
	v.known = true
	w.move(w.o.TMin)
	w.meetNow(0, func(face int32) bool {
		w.setIn(&v.leaf, face)
		return v.overlaps(w.a.body, nil, face, 0, w.rounding())
	})
	if inner := w.more.inner; !v.found && inner > 0 {
		w.meetNow(inner, func(face int32) bool {
			w.setIn(&v.leaf, face)
			return v.deep(face, inner-w.rounding())
		})
	}
	return v.found
}

// deep reports whether the points of the leaf are nearer than less, so that bodies that are so much
// larger than their triangles overlap, and makes the way out that between the points.
func (v *overlap) deep(face int32, less float64) bool {
	l := &v.leaf
	if !(math.Sqrt(l.Near.D2) < less) {
		return false
	}
	d := r3.Sub(l.Near.PA, l.Near.PB)
	v.ta, v.tb, v.found = face, 0, true
	l.Out, _ = geom.Unit(d, d)
	return true
}

// meetNow lists the triangles that may come within reach of the element in the pose that was
// computed last, as that of Solver does.
func (w *meshSolver) meetNow(reach float64, use func(face int32) bool) {
	v := &w.over
	goal, h := w.f.goal, w.whole()
	defer func() { w.f.goal = goal }()
	w.f.goal = float64((reach + w.f.margin) * stretch)
	v.stack = append(v.stack[:0], pending{same: true})
	child := w.a.body.child
	for n := len(v.stack); n > 0; n = len(v.stack) {
		it := v.stack[n-1]
		v.stack = v.stack[:n-1]
		v.steps++
		if w.o.MaxIterations > 0 && v.steps >= w.o.MaxIterations {
			return
		}
		w.placeNode(it.a)
		switch {
		case w.advanceNode(&w.node, h) > 0:
		case child[it.a] >= 0:
			v.stack = append(v.stack, pending{a: child[it.a]}, pending{a: child[it.a] + 1})
		case use(^child[it.a]):
			return
		}
	}
}

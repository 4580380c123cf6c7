package rigid

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/contain"
	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/rigid/triangle"
)

// meshSolver is the memory of searches of a body, A, against single elements of a mesh that
// deforms, which stand for B: a triangle whose corners move on straight lines, seen from A's pivot.
// It is Solver.advancement with one side a single leaf. An edge or a vertex is a triangle that
// repeats corners.
//
// Size: its methods are all that a body and an element need where Solver has two trees.
type meshSolver struct {
	search
	motion *Motion  // the motion of the body
	at     [2]place // A's pivot at TMin and at TMax
	path   float64  // bounds the terms of the pivot's places
	begin  float64  // TMin, at which the element's motion begins
	span   [2]float64
	// from is the element's corners at TMin, and way leads from there to TMax. Like span, both are
	// pairs of doubles, hi + lo.
	from      [3]place
	way       [3]place
	bodyGrain float64 // the grain of the body's pose at TMin
	far       float64 // the greatest distance of its corners from A's pivot at either end
	node      placed
	more      growth // what the body is beyond its triangles
	frame     seen   // gives points of the world at TMin in the coordinates of a solid body
	corner    r3.Vec // a corner of the element at TMin
}

// meshMargin times the largest distance |p| of a corner from A's pivot bounds what the corner's
// place adds to the error of a gap: the fused step and the sum that end its evaluation round by
// 2.1u |p|, the projection errs by 4u |p|. All before are pairs, which lose 2^-104 of their terms.
// Times the way of a corner, over TMax - TMin, it bounds the same of a velocity: its low part, u,
// and the quotient, 2u, and a projection.
const meshMargin = 32 * 0x1p-53

// samePoints times the sum of both sides' distances from A's pivot is how far near points may be
// apart that are one but for rounding. Law 9 (b) speaks of 128u times the sum, which the points are
// off at most. A quarter of the margin, which bodies take, is less here where the element reaches
// farther than the body: its corners err by 32u of their distance, not by 1024u.
const samePoints = 160 * 0x1p-53

// solve finds the impact of the body that was prepared and an element of s, which do not meet
// before start. late: it is after until, and im means nothing.
func (w *meshSolver) solve(s *MeshScene, e int32, start, until float64, im *MeshImpact) (late bool) {
	m := w.motion
	what, index, corners := s.tree.element(e)
	w.place(s.tree.x0, s.tree.x1, &corners)
	w.out, w.until, w.late, w.steps = &im.Impact, until, false, 0
	w.over.begin()
	im.setSeparate()
	w.budget = w.o.budget(w.a.rate * (w.o.TMax - start))
	switch {
	case w.more.a.solid && start == w.o.TMin && w.enclosed():
		w.over.write(w.o.TMin, &im.Impact)
	case w.o.Search != nil:
		w.find(start)
	default:
		w.advancement(start)
	}
	if w.late {
		return true
	}
	if im.Verdict == geom.Contact {
		if im.Flags&InitialContact != 0 && w.overlapping() {
			w.over.write(w.o.TMin, &im.Impact)
		} else if im.Flags&Intersecting == 0 {
			w.more.grow(&im.Impact)
		}
	}
	im.Iterations = w.steps + w.over.steps
	if im.Verdict == geom.Separate {
		return false
	}
	im.Shape, im.IndexB, im.FeatureB = what, int64(index), elementFeature(what, im.FeatureB)
	if im.Verdict == geom.Contact {
		im.toWorld(m)
	}
	return false
}

// elementFeature returns a feature of a triangle with repeated corners as one of the edge or the
// vertex that it is.
func elementFeature(what Shape, f Feature) Feature {
	switch what {
	case MeshEdge: // corners 0, 1, 1: edges 0-1, 1-1, 1-0
		return [...]Feature{0, 1, 1, 3, 1, 3, 3}[f]
	case MeshVertex:
		return 0
	}
	return f
}

// prepare loads a body.
func (w *meshSolver) prepare(b *Body, m *Motion, o *Options) {
	w.more = growth{a: b.grown, inner: b.grown.inner, outer: b.grown.outer}
	w.o, w.motion = o.resolved().around(w.more.outer), m
	w.separation = w.o.MinSeparation
	w.a.set(b, m)
	w.b = bodyState{}
	w.bodyGrain = w.a.grain(m, o.TMin, o.TMin)
	w.at = [2]place{placeAt(m, o.TMin), placeAt(m, o.TMax)}
	w.path = path(m, o)
	w.begin = o.TMin
	w.span[0], w.span[1] = num.TwoDiff(o.TMax, o.TMin)
	if w.more.a.solid {
		w.frame = seenFrom(m, &Motion{Rotation: quat.Number{Real: 1}}, o.TMin)
	}
}

// enclosed reports whether a corner of the element is inside of a solid body at TMin, whose surface
// does not come near it, and makes the nearest points those of the overlap.
func (w *meshSolver) enclosed() bool {
	corner := geom.Vec(geom.Components(w.corner))
	p := w.frame.point(&corner)
	if winding, place := w.a.body.solid().Winding(&p); place != contain.Off || winding == 0 {
		return false
	}
	v := &w.over
	w.move(w.o.TMin)
	best := triangle.Near{D2: math.Inf(1)}
	for face := range w.a.body.tri {
		v.steps++
		if w.setIn(&v.leaf, int32(face)); v.leaf.Near.D2 < best.D2 {
			best, v.ta = v.leaf.Near, int32(face)
		}
	}
	if !(math.Sqrt(best.D2) > w.rounding()) {
		return false
	}
	d := r3.Sub(best.PB, best.PA)
	v.tb, v.leaf.Near = 0, best
	v.leaf.Out, v.known, v.found = geom.Scale(1/geom.Norm(d), d), true, true
	return true
}

// place loads an element.
func (w *meshSolver) place(x0, x1 []float64, corners *[3]int32) {
	far, long := 0.0, 0.0
	w.grain = w.bodyGrain
	w.corner = geom.VecOf(x0[3*corners[0]:])
	for k, v := range corners {
		w.grain = max(w.grain, w.bodyGrain+float64(0x1p-49*geom.Norm(geom.VecOf(x0[3*v:]))))
		w.from[k] = w.at[0].pair(geom.VecOf(x0[3*v:]))
		to := w.at[1].pair(geom.VecOf(x1[3*v:]))
		far = max(far, geom.Norm(w.from[k].hi), geom.Norm(to.hi))
		w.way[k] = place{}
		if w.span[0] > 0 {
			w.way[k] = w.from[k].pair(to.hi)
			w.way[k].lo = r3.Add(w.way[k].lo, to.lo)
		}
		long = max(long, geom.Norm(w.way[k].hi))
	}
	w.far = far
	lost := float64(pairMargin * (float64(8*far) + float64(2*w.path)))
	r, rate := w.a.radius, w.a.rate
	w.reach = float64(posMargin*r) + lost + tiny
	w.vMargin = float64(posMargin*(rate*r)) + tiny
	w.kMargin = float64(posMargin*(rate*rate*r)) + tiny
	w.speed = 0
	if w.span[0] > 0 {
		w.speed = long / w.span[0]
		w.vMargin += (float64(meshMargin*long) + lost) / w.span[0]
	}
	w.f.t = math.NaN()
}

// move computes the poses of the body and the element at the time t.
func (w *meshSolver) move(t float64) {
	if t == w.f.t {
		return
	}
	w.f.t = t
	sin, cos := w.a.angle(t)
	w.a.turned(sin, cos, &w.f.a)
	far := 0.0
	hi, lo := w.part(t)
	for k := range 3 {
		p, v := &w.from[k], &w.way[k]
		w.leaf.B.P[k] = r3.Vec{
			X: math.FMA(v.hi.X, hi, p.hi.X) + (float64(v.hi.X*lo) + (float64(v.lo.X*hi) + p.lo.X)),
			Y: math.FMA(v.hi.Y, hi, p.hi.Y) + (float64(v.hi.Y*lo) + (float64(v.lo.Y*hi) + p.lo.Y)),
			Z: math.FMA(v.hi.Z, hi, p.hi.Z) + (float64(v.hi.Z*lo) + (float64(v.lo.Z*hi) + p.lo.Z)),
		}
		far = max(far, geom.Norm(w.leaf.B.P[k]))
		w.leaf.vb[k] = r3.Vec{}
		if w.span[0] > 0 {
			w.leaf.vb[k] = r3.Vec{X: v.hi.X / w.span[0], Y: v.hi.Y / w.span[0], Z: v.hi.Z / w.span[0]}
		}
	}
	w.f.margin = w.reach + float64(meshMargin*far)
	w.f.same = max(0.25*w.f.margin, float64(samePoints*(w.a.radius+w.far)))
	w.f.goal = (w.separation + w.f.margin) * stretch
	w.leaf.B.Set()
}

// part returns the fraction of the interval that has passed at t, as a pair within 2^-104 of
// itself: the quotient, and by the remainder what it lacks.
func (w *meshSolver) part(t float64) (hi, lo float64) {
	if !(w.span[0] > 0) {
		return 0, 0
	}
	th, tl := num.TwoDiff(t, w.begin)
	hi = th / w.span[0]
	rest := math.FMA(-hi, w.span[0], th) + (tl - float64(hi*w.span[1]))
	return hi, rest / w.span[0]
}

// advancement looks for contact from a time before which the body and the element stay apart, in
// parts as Solver.advancement does.
func (w *meshSolver) advancement(from float64) {
	for ; ; from = w.end {
		w.end = partEnd(from, w.o.TMax, w.a.rate)
		if w.ended(from) || w.end == w.o.TMax {
			return
		}
	}
}

// ended reports whether the search ends in [from, w.end]: conservative advancement, best first.
func (w *meshSolver) ended(from float64) bool {
	w.heap = append(w.heap[:0], item{Time: from, Item: pending{same: true}})
	for len(w.heap) > 0 {
		it := w.heap.Pop()
		if w.late = it.Time > w.until; w.late {
			return true
		}
		if w.spent() {
			w.out.SetUndecided(it.Time, geom.ReasonIterations)
			return true
		}
		w.move(it.Time)
		if child := w.a.body.child[it.Item.a]; child < 0 && !it.Item.same {
			if w.advanceLeaf(it, ^child) {
				return true
			}
			continue
		}
		w.open(it)
	}
	return false
}

// open advances a node's children, or itself.
func (w *meshSolver) open(it item) {
	child := w.a.body.child
	first, count := it.Item.a, int32(1)
	if !it.Item.same {
		first, count = child[it.Item.a], 2
	}
	h := w.remaining(it.Time)
	goal := w.f.goal
	if it.Time == w.o.TMin { // Solver.goal has the same stretch.
		w.f.goal += float64(w.o.Tolerance * stretch)
	}
	for i := first; i < first+count; i++ {
		w.steps++
		w.placeNode(i)
		step := w.advanceNode(&w.node, h)
		if step >= h {
			continue
		}
		// A node that has come far is tested once more before it is opened; a leaf's box holds no
		// more than its triangle.
		again := child[i] >= 0 && step*w.speed > 0.5*w.node.r
		if next := num.AddDown(it.Time, step); next <= w.end {
			w.heap.Push(next, pending{a: i, same: again})
		}
	}
	w.f.goal = goal
}

// advanceLeaf advances a triangle of the body and the element until they meet, are through, or
// another node's turn comes; true ends the search.
func (w *meshSolver) advanceLeaf(it item, face int32) bool {
	for {
		w.steps++
		w.setFace(face)
		h := w.remaining(it.Time)
		step, touching := w.stepFrom(it.Time, h)
		if step >= h {
			return false
		}
		next := num.AddDown(it.Time, step)
		switch {
		case next > w.end:
			return false
		case next > it.Time:
		case touching:
			w.contact(it.Time, it.Time, face)
			return true
		default:
			w.stalled(it.Time, face)
			return true
		}
		it.Time = next
		if len(w.heap) > 0 && w.heap[0].Time < it.Time || it.Time > w.until || w.spent() {
			w.heap.Push(it.Time, it.Item)
			return false
		}
		w.move(it.Time)
	}
}

// stepFrom returns how long a triangle stays apart from t on, or its contact is ignored, and
// whether there is one, as in Solver.
func (w *meshSolver) stepFrom(t, h float64) (step float64, touching bool) {
	if touching = w.touching(t); !touching {
		if t > w.o.TMin || !w.mayTouch(w.direction()) {
			if step = w.step(h); step >= h || num.AddDown(t, step) > t {
				return step, false
			}
		}
		w.leaf.Refine()
		if touching = w.touching(t); !touching {
			return w.step(h), false
		}
	}
	return w.separating(t, h), true
}

// setFace places a triangle of the body beside the element.
func (w *meshSolver) setFace(face int32) { w.setIn(&w.leaf, face) }

// setIn places a triangle of the body beside the element in another leaf.
func (w *meshSolver) setIn(l *leaf, face int32) {
	if l != &w.leaf {
		l.B, l.vb = w.leaf.B, w.leaf.vb
	}
	for i, p := range w.a.body.tri[face] {
		arm := w.f.a.Apply(r3.Sub(p, w.a.pivot))
		l.A.P[i], l.va[i] = arm, geom.Cross(w.a.spin, arm)
		l.wa[i] = geom.Norm(l.va[i]) * stretch
	}
	l.A.Set()
	triangle.Nearest(&l.A, &l.B, &l.Near)
	l.Settle()
}

// separating returns how long a contact is ignored because it separates; 0 where it counts.
func (w *meshSolver) separating(t, h float64) float64 {
	if w.o.Flags&IgnoreSeparating == 0 || w.out.Flags&Intersecting != 0 {
		return 0
	}
	if t == w.o.TMin {
		if !w.over.gathered && w.leaf.Near.D2 <= w.rounding()*w.rounding() {
			w.over.gathered = true
			w.gather(&w.over.start)
			w.over.start.part(w.rounding())
		}
		if step := w.separatingAtStart(h, w.direction); step == 0 || !w.overlapping() {
			return step
		}
		return 0
	}
	if n, ok := w.direction(); ok && geom.Dot(n.n0, w.leaf.nearVelocity()) > 0 {
		return w.step(h)
	}
	return 0
}

// stalled handles a triangle that no double later than t is proven for, as in Solver.
func (w *meshSolver) stalled(t float64, face int32) {
	next := min(num.Up(t), w.o.TMax)
	w.move(next)
	w.setFace(face)
	if w.closeNow() {
		w.contact(t, next, face)
	} else {
		w.out.SetUndecided(t, geom.ReasonCoarse)
	}
}

// contact writes a contact, with the leaf as it is at the time hi.
func (w *meshSolver) contact(lo, hi float64, face int32) {
	d, ok := w.faced(w.direction())
	w.setContact(lo, hi, face, 0, d.n0, ok)
	if w.out.Flags&Intersecting == 0 && !w.over.found && w.coincident(lo) {
		w.gather(&w.over.touching)
		w.settleNormal(d.n0, ok)
	}
}

// gather lists what touches the element beside the triangle of the leaf.
func (w *meshSolver) gather(c *touching) {
	v, reach := &w.over, w.around()
	c.begin(&w.leaf, 0.125*w.f.margin)
	w.meetNow(reach, func(face int32) bool {
		w.setIn(&v.leaf, face)
		return c.add(&v.leaf, reach, 0.125*w.f.margin)
	})
}

package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/num"
	"ccd/simd/solid"
)

// Earliest returns the first time in [TMin, TMax] at which two bodies come close; o may be nil for
// DefaultOptions.
//
//  1. Separate is a proof: the bodies stay more than MinSeparation apart for all t in [TMin, TMax].
//  2. Whatever the verdict, they stay more than MinSeparation apart for all t in [TMin, TOILo).
//  3. Contact is near: at TOIHi their distance is at most MinSeparation + Tolerance, and so is
//     Distance, that of PointA and PointB; or, with the flag Intersecting, they intersect at TMin.
//  4. Undecided says that the budget was spent, or that doubles are too coarse for the tolerance;
//     law 2 holds. The budget is MaxIterations; where bodies turn by more radians than that while
//     they can meet, which no proof of law 1 can follow, it is less: see Options.budget.
//
// So no step back from TOILo is needed: unless there is contact at TMin, the bodies are more than
// MinSeparation apart at TOILo too.
//
// With MinSeparation 0 contact is within Tolerance of touching, and an eighth of Tolerance takes
// the place of MinSeparation in laws 1 and 2: for t < TOILo, and at TOILo unless contact is there
// at TMin, the bodies keep more than that. Bodies that come nearer than Tolerance, but not than an
// eighth of it, may be reported either way.
//
// A Search documents which of these laws it obeys. s keeps scratch memory; a Solver serves one
// goroutine at a time. The bits of the result do not depend on earlier calls.
func (s *Solver) Earliest(a, b *Body, ma, mb *Motion, o *Options, out *Impact) error {
	s.until, s.late = math.Inf(1), false
	return s.earliest(a, b, ma, mb, o, out)
}

// earliest does the work of Earliest, except that it may set s.late if TOILo is after s.until; out
// is undefined then.
//
// until shortens the search, not the interval: a smaller TMax could change bounds and with them the
// result. The default method visits times in an order that does not decrease, for a pair's next
// time is never before its last, nor its children's before its own; and TOILo is the time that is
// visited last. So once a time after s.until comes up, TOILo is after it too; and up to then no bit
// of the search depends on s.until.
func (s *Solver) earliest(a, b *Body, ma, mb *Motion, o *Options, out *Impact) error {
	s.o = DefaultOptions()
	if o != nil {
		s.o = *o
	}
	out.setSeparate()
	if err := s.o.check(ma, mb, false); err != nil {
		out.SetUndecided(math.Inf(-1), 0) // No time is known to be safe yet.
		return err
	}
	s.out = out
	s.query.set(a, b, ma, mb, &s.o)
	s.o = s.tolerant(s.o, ma, mb)
	more := growthOf(a, b)
	s.o = s.o.resolved()
	from, to, some := s.window(&s.o) // The balls hold the radii; from here on the separation does too.
	s.o = s.o.around(more.outer)
	s.separation = s.o.MinSeparation
	s.steps, s.reported = 0, 0
	s.screws.motions = [2]*Motion{ma, mb}
	s.over.begin()
	s.grain = s.a.grain(ma, s.o.TMin, s.o.TMin) + s.b.grain(mb, s.o.TMin, s.o.TMin)
	if more.some() {
		if s.o.Search != nil && more.outer > 0 {
			out.SetUndecided(math.Inf(-1), 0)
			return errGrown
		}
		if s.overlapsAtStart(&more, ma, mb) {
			out.Iterations = s.over.steps
			return nil
		}
	}
	if some && max(s.a.rate, s.b.rate)*(to-from) > maxTurn {
		from, some = s.times.sweeps.meet(&s.query, from, to, s.o.Tolerance)
	}
	s.budget = s.o.budget((s.a.rate + s.b.rate) * (to - from))
	switch {
	case !some:
	case s.o.Search == nil:
		s.advancement(from, to)
	default:
		s.find(ma, mb, from, to)
	}
	if out.Verdict == geom.Contact && out.IndexA >= 0 {
		if out.Flags&InitialContact != 0 && s.overlapping() {
			s.over.write(s.o.TMin, out)
		} else if out.Flags&Intersecting == 0 {
			more.grow(out)
		}
		out.toWorld(ma)
	}
	out.Iterations = s.steps + s.over.steps
	return nil
}

// toWorld moves the near points, which the search sees from the pivot of the body that moves by m,
// to the world.
func (im *Impact) toWorld(m *Motion) {
	at := m.Along(im.TOIHi)
	im.PointA, im.PointB = r3.Add(im.PointA, at), r3.Add(im.PointB, at)
}

// Solver is the memory of a search between two bodies.
//
// Size: its fields are those of search, and its methods are the search, which calls itself.
type Solver struct {
	search
	times    times
	screws   lasting
	gathered gathered
	start    *Ruler // measures bodies that are more than their triangles at TMin
}

// search is what a search between two bodies and one between a body and an element have in common.
//
// Size: its fields are the query, and what is known of the result so far.
type search struct {
	query
	o      Options
	out    *Impact
	heap   heap
	f      posePair
	leaf   leaf
	steps  int64
	budget int64   // the steps that may be taken; 0 is no limit
	end    float64 // the end of the part of time that is searched
	until  float64 // later answers are not needed
	late   bool    // the result is later than until
	// progress is nil, or counts steps, and may end the search.
	progress *engine.Progress
	reported int64
	call     Call    // the query as a Search sees it
	over     overlap // how the bodies overlap at TMin
}

// advancement looks for contact at the times in [from, to], in one part after the other where the
// bodies turn much.
func (s *Solver) advancement(from, to float64) {
	rate := s.a.rate + s.b.rate
	s.gathered.ready = false
	s.times.parts.reset(len(s.a.body.tri)+len(s.b.body.tri), rate)
	for s.screws.begin(&s.query, from, to); ; from = s.end {
		s.end = s.times.parts.begin(from, to, rate, s.steps)
		if s.ended(from) || s.end == to {
			return
		}
	}
}

// ended reports whether the search ends in [from, s.end]; there is no contact before. It may cut
// the part: s.end is then a time before which there is no contact. It is conservative advancement,
// best first: the pair with the least bound is opened or advanced, and inherits its bound to its
// children, so that only pairs whose bound lies below the result are opened, and no bound on it
// needs to be known beforehand.
func (s *Solver) ended(from float64) bool {
	s.heap = append(s.heap[:0], item{Time: from, Item: pending{same: true}})
	s.f.t = math.NaN()
	for len(s.heap) > 0 {
		it := s.heap[0]
		if s.late = it.Time > s.until; s.late {
			return true
		}
		if s.spent() {
			s.out.SetUndecided(it.Time, geom.ReasonIterations)
			return true
		}
		if s.steps >= s.screws.at && s.screws.settle(s, it.Time) {
			return true
		}
		if s.times.parts.cut(it.Time, s.end, s.steps) {
			s.end = it.Time
			return false
		}
		if s.steps >= gatherFrom && s.testFour() {
			continue
		}
		s.move(it.Time)
		a, b := s.a.body.child[it.Item.a], s.b.body.child[it.Item.b]
		if a < 0 && b < 0 && !it.Item.same {
			s.heap.Pop()
			if s.advanceLeaf(it, ^a, ^b) {
				return true
			}
			continue
		}
		s.open(it)
	}
	s.times.parts.complete(s.steps)
	return false
}

// spent reports whether the budget is used up, or the call cancelled.
func (s *search) spent() bool {
	if p := s.progress; p != nil && s.steps >= s.reported+stepsReported {
		p.Pass(s.steps - s.reported)
		s.reported = s.steps
	}
	return s.budget > 0 && s.steps >= s.budget || s.progress != nil && s.progress.Cancelled()
}

// stepsReported is how many steps are reported at a time: some 100 microseconds.
const stepsReported = 512

// remaining returns the time from t to the double after the end: a step proves what comes before
// its own end, and the last instant is tested too, also where it is the first.
func (s *search) remaining(t float64) float64 { return num.SubUp(num.Up(s.end), t) }

// move computes the poses at the time t.
func (s *Solver) move(t float64) {
	if t != s.f.t {
		s.poses(t, &s.f)
	}
}

// turnedFar is the angle, in radians, by which two bodies together turn while a pair of nodes is
// advanced, so that another test of the pair is worth more than its children. In a step of less the
// nodes come near each other for their size, and the directions of their boxes are to blame.
//
// For gears, a rack and a cam twice or half of it changes the number of steps by up to a tenth. A
// short search opens such pairs: the test would need another call of the kernel, for one pair.
const turnedFar = 0x1p-8

// longSearch is the number of steps after which a search is long, as those of gears, racks and cams
// are. There sharper bounds, and tests of pairs that have turned far, spare half of the steps to
// nine of ten; searches that end before would take 1.2 to 1.6 times as long with them.
const longSearch = 1024

// open replaces the first pair of the heap by its children, advanced.
func (s *Solver) open(it item) {
	x, y, a, b, want := s.children(&it)
	h := s.remaining(it.Time)
	var step [4]float64
	far, goal := math.Inf(1), s.goal(it.Time)
	if s.steps < longSearch {
		s.advance(x, y, want, goal, h, &step)
	} else {
		far = turnedFar
		s.advanceTurning(x, y, want, goal, h, &step)
	}
	s.heap.Pop() // The pop stands here because the processor overlaps it with the work above.
	for k := range int32(4) {
		if want>>k&1 == 0 {
			continue
		}
		s.steps++
		if i, j := k>>1, k&1; step[k] < h {
			of := item{Time: it.Time, Item: pending{a: a + i, b: b + j}}
			s.put(&of, step[k], far, x[solid.BoxR][i]+y[solid.BoxR][j])
		}
	}
}

// children returns the pairs of nodes that a pair is opened into. A node that is far flatter than
// another one stays whole while that is opened, unless it is far larger: the box of a flat part of
// a surface says as much as the boxes of its halves, and the other node comes near it as a whole.
// At TMin, where the order decides which of many contacts is reported, size alone does. Any choice
// is sound.
func (s *Solver) children(it *item) (x, y *solid.SiblingBoxes, a, b int32, want uint8) {
	if it.Time == s.o.TMin {
		return childrenOf(s.a.body, s.b.body, &it.Item)
	}
	return splitOf(s.a.body, s.b.body, &it.Item, flatter)
}

// flatter is how many times as thick as another a node is that is opened alone, and how many times
// as large the other one may be.
const flatter = 4

// childrenOf returns the pairs of nodes that a pair is opened into: of both nodes' children, unless
// one is more than twice as large as the other.
func childrenOf(first, second *Body, it *pending) (x, y *solid.SiblingBoxes, a, b int32, want uint8) {
	return splitOf(first, second, it, math.Inf(1))
}

// splitOf is childrenOf, but that a node which is more than thick times as thick as the other one
// is opened alone, if that is at most flatter times as large. The pairs are those of the boxes x
// and y that want says, and a and b are the first node of each.
func splitOf(first, second *Body, it *pending, thick float64) (x, y *solid.SiblingBoxes, a, b int32,
	want uint8,
) {
	x, i := first.boxOf(it.a)
	y, j := second.boxOf(it.b)
	a, b = it.a-i, it.b-j // the first of two siblings; wantA and wantB say which of them are meant
	wantA, wantB := uint8(1)<<i, uint8(1)<<j
	if !it.same {
		childA, childB := first.child[it.a], second.child[it.b]
		splitA, splitB := childA >= 0, childB >= 0
		if splitA && splitB {
			ra, rb := x[solid.BoxR][i], y[solid.BoxR][j]
			ta, tb := thickness(x, i), thickness(y, j)
			switch {
			case ta > thick*tb && rb <= flatter*ra:
				splitB = false
			case tb > thick*ta && ra <= flatter*rb:
				splitA = false
			default:
				splitA, splitB = rb <= 2*ra, ra <= 2*rb
			}
		}
		if splitA {
			x, _ = first.boxOf(childA)
			a, wantA = childA, 3
		}
		if splitB {
			y, _ = second.boxOf(childB)
			b, wantB = childB, 3
		}
	}
	return x, y, a, b, (wantA&1)*wantB | (wantA>>1)*wantB<<2
}

// thickness returns the least half extent of a box.
func thickness(x *solid.SiblingBoxes, i int32) float64 {
	return min(x[solid.BoxH][i], x[solid.BoxH+1][i], x[solid.BoxH+2][i])
}

// goal returns the gap that nodes keep. At TMin that is the tolerance's as well, so that pairs that
// are in contact there are found there, and not a little later, whatever nodes they are in.
func (s *Solver) goal(t float64) float64 {
	if t > s.o.TMin {
		return s.f.goal
	}
	return s.f.goal + float64(s.o.Tolerance*stretch)
}

// advanceLeaf advances two triangles until they meet, reach the end, or another pair has an earlier
// time; true ends the search.
func (s *Solver) advanceLeaf(it item, ta, tb int32) bool {
	l := &s.leaf
	for {
		s.steps++
		l.set(&s.query, &s.a.body.tri[ta], &s.b.body.tri[tb])
		h := s.remaining(it.Time)
		step, touching := s.stepFrom(it.Time, h)
		if step >= h {
			return false
		}
		next := num.AddDown(it.Time, step)
		switch {
		case next > s.end:
			return false
		case next > it.Time:
		case touching:
			s.contact(it.Time, it.Time, ta, tb)
			return true
		default:
			return s.stalled(it, ta, tb)
		}
		it.Time = next
		if len(s.heap) > 0 && s.heap[0].Time < it.Time || it.Time > s.until || s.spent() {
			s.heap.Push(it.Time, it.Item)
			return false
		}
		s.move(it.Time)
	}
}

// stepFrom returns how long the triangles of the leaf stay apart from t on, or their contact is
// ignored, and whether there is one. Where the points that were found first lead to no step,
// refined ones are within the tolerance, or give a better direction. At TMin, where contact must be
// seen, points count as found only if their direction proves the triangles farther apart than
// contact is.
func (s *Solver) stepFrom(t, h float64) (step float64, touching bool) {
	if touching = s.touching(t); !touching {
		if t > s.o.TMin || !s.mayTouch(s.leaf.direction(&s.query)) {
			if step = s.step(h); step >= h || num.AddDown(t, step) > t {
				return step, false
			}
		}
		s.leaf.Refine()
		if touching = s.touching(t); !touching {
			return s.step(h), false
		}
	}
	return s.separating(t, h), true
}

// step returns how long the triangles of the leaf stay apart.
func (s *Solver) step(h float64) float64 {
	if n, ok := s.leaf.direction(&s.query); ok {
		step := s.leaf.keep(&s.query, &s.f, &n, h)
		if step < h && turnTogether(&s.query) {
			step = max(step, together(&s.leaf, &s.query, &s.f, n.n0, h))
		}
		if step > 0 {
			return step
		}
	}
	return s.leaf.search(&s.query, &s.f, h)
}

// separating returns how long a contact is ignored because it separates; 0 where it counts.
func (s *Solver) separating(t, h float64) float64 {
	if s.o.Flags&IgnoreSeparating == 0 || s.out.Flags&Intersecting != 0 {
		return 0
	}
	direction := func() (turning, bool) { return s.leaf.direction(&s.query) }
	if t == s.o.TMin {
		if !s.over.gathered && s.leaf.Near.D2 <= s.rounding()*s.rounding() {
			s.over.gathered = true
			s.gather(&s.over.start)
			s.over.start.part(s.rounding())
		}
		if step := s.separatingAtStart(h, direction); step == 0 || !s.overlapping() {
			return step
		}
		return 0
	}
	if n, ok := direction(); ok && geom.Dot(n.n0, s.leaf.nearVelocity()) > 0 {
		return s.step(h)
	}
	return 0
}

// touching reports whether the triangles are certainly within the tolerance, or intersect.
func (s *search) touching(t float64) bool {
	d := math.Sqrt(s.leaf.Near.D2)
	if d+s.f.margin <= s.separation+s.o.Tolerance {
		return true
	}
	if t == s.o.TMin && d < s.leaf.A.Size()+s.leaf.B.Size() && s.leaf.Intersect(s.within()) {
		if crossing := s.leaf.Near; math.Sqrt(crossing.D2) > s.f.margin { // The signs of volumes may be rounding.
			if s.leaf.Refine(); s.closeNow() {
				return true
			}
			s.leaf.Near = crossing
		}
		s.out.Flags |= Intersecting
		return true
	}
	return false
}

// mayTouch reports whether the triangles of the leaf may be in contact, for all that the direction
// n proves, if ok.
func (s *search) mayTouch(n turning, ok bool) bool {
	return !ok || s.leaf.gap(n.n0) <= s.separation+s.o.Tolerance
}

// closeNow reports whether the triangles of the leaf are certainly within the tolerance, at the
// points found first or at refined ones.
func (s *search) closeNow() bool {
	near := func() bool { return math.Sqrt(s.leaf.Near.D2)+s.f.margin <= s.separation+s.o.Tolerance }
	if near() {
		return true
	}
	s.leaf.Refine()
	return near()
}

// within returns how near points must be to count as one where triangles intersect: as near as
// contact, and not less than rounding.
func (s *search) within() float64 { return max(s.separation+s.o.Tolerance-s.f.margin, 4*s.f.margin) }

// stalled handles a pair that no double later than it.Time is proven for. When the triangles are
// close at the next double, that is contact; otherwise doubles are too coarse, and the verdict is
// Undecided.
func (s *Solver) stalled(it item, ta, tb int32) bool {
	next := min(num.Up(it.Time), s.screws.end)
	s.move(next)
	s.leaf.set(&s.query, &s.a.body.tri[ta], &s.b.body.tri[tb])
	if s.closeNow() {
		s.contact(it.Time, next, ta, tb)
	} else {
		s.out.SetUndecided(it.Time, geom.ReasonCoarse)
	}
	return true
}

// contact writes a contact, with the leaf as it is at the time hi.
func (s *Solver) contact(lo, hi float64, ta, tb int32) {
	d, ok := s.faced(s.leaf.direction(&s.query))
	s.setContact(lo, hi, ta, tb, d.n0, ok)
	if s.out.Flags&Intersecting == 0 && !s.over.found && s.coincident(lo) {
		s.gather(&s.over.touching)
		s.settleNormal(d.n0, ok)
	}
}

// gather lists the other triangles that touch at the contact.
func (s *Solver) gather(c *touching) {
	v, reach := &s.over, s.around()
	c.begin(&s.leaf, 0.125*s.f.margin)
	s.meetNow(reach, func(ta, tb int32) bool {
		v.leaf.set(&s.query, &s.a.body.tri[ta], &s.b.body.tri[tb])
		return c.add(&v.leaf, reach, 0.125*s.f.margin)
	})
}

// setContact writes a contact, with the leaf as it is at the time hi. n0 is the direction that the
// nearest features give, if ok.
func (s *search) setContact(lo, hi float64, ta, tb int32, n0 r3.Vec, ok bool) {
	n, im := &s.leaf.Near, s.out
	im.Verdict, im.TOILo, im.TOIHi = geom.Contact, lo, hi
	if lo == s.o.TMin {
		im.Flags |= InitialContact
	}
	im.IndexA, im.IndexB, im.FeatureA, im.FeatureB = int64(ta), int64(tb), n.FA, n.FB
	im.PointA, im.PointB = n.PA, n.PB
	im.Distance = math.Sqrt(n.D2)
	if im.Flags&Intersecting != 0 {
		im.Distance, im.Normal = 0, s.leaf.Out
	} else if s.o.Flags&IgnoreSeparating != 0 && im.Distance <= max(4*s.f.margin, s.f.same, s.rounding()) {
		im.Normal = toA(n0, ok)
	} else {
		im.Normal = s.refinedNormal(n0, ok)
	}
}

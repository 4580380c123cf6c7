package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/num"
)

// ClearanceSolver is the memory of clearances over motions. It serves one goroutine at a time.
//
// Size: its fields are the query and what is known so far, which the parts of the search share.
type ClearanceSolver struct {
	engine.CallOptions // Progress is called, and may cancel the call; the other options have no effect

	ruler  Ruler
	solver Solver
	a, b   *Body
	ma, mb *Motion
	o      Options
	best   Gap     // Hi is that of the envelopes
	near   float64 // the least upper bound of the distance of the triangles so far
	slack  float64 // what a distance must be less by to count as less
	most   int64   // the steps at which measuring ends, to leave some for proofs; 0: no limit
	more   growth
	spent  int64
	call   engine.Call
}

const (
	clearanceSamples = 17      // times at which the distance is measured first
	clearanceSteps   = 24      // times at which it is measured to come down to a least one
	clearanceShrink  = 1 / 16. // how much narrower the bracket is asked to be, once one is proven
	clearanceSlack   = 1 / 8.  // the part of the width asked for that distances at times may be off
	clearanceDefault = 1e-9    // the width that is asked for by default, times the sum of the radii
)

// Clearance returns the least distance of the surfaces of two bodies that move, over [TMin, TMax],
// with a time at which it is. Of the options TMin, TMax, Tolerance and MaxIterations count.
//
// Laws: the distance is at least Lo at all times in the interval, and at most Hi at Time, where
// both points and the normal are. Hi - Lo is at most the tolerance (0 stands for 1e-9 of the sum of
// the radii about the pivots) or, where that is more, 16 grains of both bodies (bodyState.grain);
// with the flag GapUnfinished it may be more. With GapIntersecting the surfaces surely share a
// point at Time, and Lo = Hi = 0. Surfaces that come nearer than the tolerance may have Lo = 0
// without it: poses of motions are not rational, so touching is not decided.
//
// Measured distances come down to some least one, hi. A search for contact with a separation of hi
// less a part of it either proves this to be a lower bound, at all times, or finds a time at which
// the distance is less, and so on with smaller parts. Of MaxIterations measuring takes half at
// most, so that Lo is above 0 wherever the rest suffices to prove half of the distance.
//
// Of bodies that are more than their triangles the distance is that of Ruler.Distance, and Hi - Lo
// may be more by the deviations of both. A body that is inside of a solid one at TMin has Lo = Hi =
// 0 at TMin, with GapInside.
//
// For Progress, what is done is counted in iterations, of MaxIterations: a call may end early.
func (c *ClearanceSolver) Clearance(a, b *Body, ma, mb *Motion, o *Options, out *Gap) error {
	c.o = DefaultOptions()
	c.o.Tolerance = 0
	if o != nil {
		c.o = *o
	}
	c.o.MinSeparation, c.o.Flags, c.o.Search = 0, 0, nil
	if err := c.o.check(ma, mb, false); err != nil {
		return err
	}
	c.a, c.b, c.ma, c.mb, c.spent = a, b, ma, mb, 0
	if err := c.call.Begin(&c.CallOptions); err != nil {
		return err
	}
	expected := c.o.MaxIterations
	if expected == 0 {
		expected = DefaultOptions().MaxIterations
	}
	c.call.Progress.Part(expected, 1)
	c.solver.progress = &c.call.Progress
	defer func() { c.solver.progress = nil }()
	c.search(out)
	return c.call.End(nil)
}

// search does the work of Clearance.
func (c *ClearanceSolver) search(out *Gap) {
	c.best, c.near, c.more = Gap{Hi: math.Inf(1)}, math.Inf(1), growthOf(c.a, c.b)
	c.ruler.still = false
	if nested(c.a, c.b, c.ma, c.mb, c.o.TMin) {
		if c.atStart(out); out.Flags&GapIntersecting != 0 {
			return
		}
	}
	c.ruler.prepare(c.a, c.b, c.ma, c.mb, c.o.TMin)
	goal := c.goal()
	c.slack = float64(clearanceSlack * goal)
	c.most = c.endOf(0.5)
	width := c.sample()
	if !c.met() {
		c.descend(width)
	}
	lo := c.prove(goal, width)
	*out = c.best
	out.Lo, out.Iterations = min(lo, out.Hi), c.spent
	if !c.met() && c.more.outer > 0 {
		out.Hi = max(num.SubUp(c.near, c.more.inner), out.Lo, math.SmallestNonzeroFloat64)
	}
}

// prove returns a distance that the bodies keep at all times: the least one measured less a part of
// it, which becomes smaller as long as searches prove it.
func (c *ClearanceSolver) prove(goal, width float64) (lo float64) {
	part := float64(0.5 * c.best.Hi)
	for !c.met() && c.best.Hi-lo > goal && !c.call.Progress.Cancelled() {
		// Halving keeps what is asked for above lo: a separation of 0 would prove nothing, again
		// and again.
		part = max(min(part, float64(0.5*(c.best.Hi-lo))), goal)
		proven, fell := c.keeps(num.SubUp(c.best.Hi, part), float64(0.25*part), width)
		switch {
		case proven > 0:
			if lo = max(lo, proven); part <= goal {
				return lo
			}
			part *= clearanceShrink
		case !fell:
			c.best.Flags |= GapUnfinished
			return lo
		}
	}
	return lo
}

// endOf returns how many steps are spent after a share of those that are left; 0: there is no
// limit.
func (c *ClearanceSolver) endOf(share float64) int64 {
	if c.o.MaxIterations == 0 {
		return 0
	}
	left := max(c.o.MaxIterations-c.spent, 0)
	return c.spent + max(int64(share*float64(left)), 1)
}

// atStart writes the distance at TMin of bodies of which one is inside of the other, unless the
// surfaces come so near that rounding may hide how they lie.
func (c *ClearanceSolver) atStart(out *Gap) {
	r, t := &c.ruler, c.o.TMin
	r.prepare(c.a, c.b, c.ma, c.mb, t)
	r.measure(DistanceOptions{}, math.Inf(1))
	c.spent += r.steps
	if r.meets || !(min(r.lowest, r.best.hi) > 0) {
		return
	}
	r.settle(c.ma, c.mb, t)
	r.write(c.ma, t, out)
}

// met reports whether the surfaces were seen to share a point.
func (c *ClearanceSolver) met() bool { return c.best.Flags&GapIntersecting != 0 }

// goal returns how wide the bracket may be.
func (c *ClearanceSolver) goal() float64 {
	q := &c.ruler.query
	goal := c.o.Tolerance
	if goal == 0 {
		goal = clearanceDefault * (q.a.radius + q.b.radius)
	}
	return max(goal, 16*(q.a.grain(c.ma, c.o.TMin, c.o.TMax)+q.b.grain(c.mb, c.o.TMin, c.o.TMax)))
}

// measure measures the distance at a time, and reports whether it is less than what is known by
// more than the slack.
//
// Triangles that are farther apart than that are not measured. So times at which many triangles are
// about as near as the nearest ones known, as those of a shaft in its bearing, take little.
func (c *ClearanceSolver) measure(t float64) bool {
	r := &c.ruler
	o := DistanceOptions{Tolerance: c.slack}
	limit := math.Inf(1)
	if c.most > 0 {
		o.MaxIterations = max(c.most-c.spent, 1)
	}
	if !math.IsInf(c.near, 1) {
		if c.most > 0 && c.spent >= c.most {
			return false
		}
		limit = max(c.near-c.slack, float64(0.5*c.near))
	}
	r.prepare(c.a, c.b, c.ma, c.mb, t)
	r.yields = !math.IsInf(limit, 1)
	r.measure(o, limit)
	r.yields = false
	c.spent += r.steps
	if !c.call.Progress.Pass(r.steps) || r.best.ta < 0 || !(r.best.hi < c.near) {
		return false
	}
	c.near = r.best.hi
	if c.more.inner > 0 && r.best.hi <= c.more.inner {
		r.meets = true
	}
	r.write(c.ma, t, &c.best)
	c.best.Flags &^= GapUnfinished // It says whether the search ended, not whether a measurement did.
	if c.best.Hi = max(0, num.SubUp(r.best.hi, num.AddDown(c.more.a.outer, c.more.b.outer))); r.meets {
		c.best.Hi = 0
	} else if c.more.outer == 0 && r.best.hi <= 16*r.f.margin {
		c.overlap(t, &c.best)
	}
	return true
}

// overlap sets the flag of surfaces that touch but for rounding at a time, if they pass through
// each other there along their edges, or lie on each other: a search of this time alone sees all of
// them (overlap.overlaps).
func (c *ClearanceSolver) overlap(t float64, g *Gap) {
	o := c.o
	o.TMin, o.TMax, o.Tolerance = t, t, 0
	var im Impact
	if err := c.solver.Earliest(c.a, c.b, c.ma, c.mb, &o, &im); err != nil {
		return
	}
	c.spent += im.Iterations
	if im.Flags&Intersecting != 0 {
		g.Flags, g.Lo, g.Hi, g.IndexA, g.IndexB = GapIntersecting, 0, 0, im.IndexA, im.IndexB
		g.FeatureA, g.FeatureB, g.Normal = im.FeatureA, im.FeatureB, im.Normal
		g.PointA, g.PointB = im.PointA, im.PointB
		g.Epsilon = max(g.Epsilon, geom.Norm(r3.Sub(g.PointA, g.PointB)))
	}
}

// sample measures the distance at times over the whole interval, and returns the time between two.
func (c *ClearanceSolver) sample() (width float64) {
	t0, t1 := c.o.TMin, c.o.TMax
	if t0 == t1 {
		c.measure(t0)
		return 0
	}
	width = float64(t1/(clearanceSamples-1)) - float64(t0/(clearanceSamples-1))
	for i := range clearanceSamples {
		part := float64(float64(i) / (clearanceSamples - 1))
		if c.measure(min(max(float64(t0*(1-part))+float64(t1*part), t0), t1)); c.met() {
			break
		}
	}
	return width
}

// descend comes down from the best time to a local least distance within width of it, by the golden
// section: each time that it measures divides the longer of the two parts beside the best one.
func (c *ClearanceSolver) descend(width float64) {
	const golden = 0.3819660112501051
	at := c.best.Time
	from, to := max(at-width, c.o.TMin), min(at+width, c.o.TMax)
	for i := 0; i < clearanceSteps && !c.met(); i++ {
		before, after := at-from, to-at
		t := at + float64(golden*after)
		if before > after {
			t = at - float64(golden*before)
		}
		if !(from < t && t < to && t != at) {
			return
		}
		switch better := c.measure(t); {
		case better && t < at:
			to, at = at, t
		case better:
			from, at = at, t
		case t < at:
			from = t
		default:
			to = t
		}
	}
}

// keeps returns the separation, above 0, if the bodies are proven to keep it at all times; else it
// measures the distance where they are found not to, comes down from there, and reports whether
// the least distance fell. If neither is known, the search was ended by its budget,
// or doubles are too coarse.
func (c *ClearanceSolver) keeps(separation, tolerance, width float64) (proven float64, fell bool) {
	o := c.o
	o.MinSeparation, o.Tolerance = separation, tolerance
	if o.MaxIterations > 0 {
		if o.MaxIterations -= c.spent; o.MaxIterations <= 0 {
			return 0, false
		}
	}
	var im Impact
	if err := c.solver.Earliest(c.a, c.b, c.ma, c.mb, &o, &im); err != nil {
		return 0, false
	}
	c.spent += im.Iterations
	switch im.Verdict {
	case geom.Separate:
		return separation, false
	case geom.Contact:
		c.most = c.endOf(0.5)
		if fell = c.measure(im.TOIHi); fell && !c.met() {
			c.descend(width)
		}
	}
	return 0, fell
}

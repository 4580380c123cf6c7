package robot

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/status"
)

// Gap is the least distance of the tested pairs of bodies on an edge, or on a part of it.
type Gap struct {
	// Lo and Hi bracket it: nothing comes nearer than Lo on the part, and at S two bodies are at
	// most Hi apart. They are +Inf if there is no pair.
	Lo, Hi, S float64
	// A and B are the bodies at S, of which A is farther from the root; -1 if there is no pair.
	// IndexA and IndexB are their primitives: of each shape its faces, its edges, then its lone
	// vertices.
	A, B, IndexA, IndexB int
	// Points of both surfaces at S in the root's coordinates, each within Epsilon of its surface,
	// and the direction from B to A, zeros if not known.
	PointA, PointB, Normal r3.Vec
	Epsilon                float64
	Touches                bool // At S two bodies certainly touch, or A is inside of B: Lo and Hi are 0.
	Unfinished             bool // MaxIntervals was reached: Lo is 0, Hi what was found.
	Counts                 Counts
}

// Budgets of tests of the looks for the least distance: at the first pose, at further ones, and at
// middles of intervals.
const (
	firstMeasure  = 1 << 16
	laterMeasures = 1000
	middleMeasure = 200
)

// Clearance brackets the least distance on the part of an edge from one time to another, 0 <= from
// <= to <= 1; control and degree are those of CheckCurve. Hi - Lo is at most the tolerance or,
// where that is more, 32 times what the places of vertices may err by. Separation and Any have no
// effect.
//
// Law R5: no tested pair is nearer than Lo on the part, nor inside of one another if Lo is above 0;
// at S two bodies are at most Hi apart.
func (w *Worker) Clearance(control []float64, degree int, from, to float64, o *Options) (Gap, error) {
	if err := o.check(); err != nil {
		return Gap{}, err
	}
	if !(from >= 0 && from <= to && to <= 1) {
		return Gap{}, status.Errorf(status.ErrArgument, "the part from %g to %g: must be within 0 and 1", from, to)
	}
	var err error
	if w.speed, err = w.f.setCurve(control, degree); err != nil {
		return Gap{}, err
	}
	w.reset()
	w.f.budget, w.f.counts, w.from, w.to = o.MaxIntervals, Counts{}, from, to
	w.f.separation = math.Inf(1)
	// Rounding is to leave the bracket no wider than the tolerance.
	tolerance := float64(max(o.Tolerance, w.f.floor()) * (1 - 0x1p-30))
	w.meter = meter{front: &w.f, tolerance: tolerance, least: math.Inf(1), pa: -1, pb: -1}
	w.f.meter = &w.meter
	search := gauge{w}
	finished := search.measure() && w.f.budget > 0
	w.f.meter = nil
	var inside hit
	switch g := &w.meter; {
	case finished && g.least > g.tolerance && (seeker{front: &w.f}).contained(from, &inside):
		w.best = inside
		return search.touching(), nil
	case g.touches || g.pa < 0 || !finished || g.least > g.tolerance:
		return search.gap(finished), nil
	}
	return search.gapOrTouch(o), nil
}

// gauge is a worker that searches the least distance.
type gauge struct{ w *Worker }

// gapOrTouch looks for a certain contact where bodies come within the tolerance.
func (g gauge) gapOrTouch(o *Options) Gap {
	w := g.w
	counts, kept := w.f.counts, w.meter
	near := Options{Tolerance: kept.tolerance, MaxIntervals: max(1, w.f.budget), Any: true}
	found := w.decide(&near, w.from, w.to)
	counts.add(&found.Counts)
	w.meter, w.f.counts = kept, counts
	if found.Verdict == Collides {
		return g.touching()
	}
	return g.gap(true)
}

// floor returns a tolerance that doubles can reach: 32 times what vertices may be off by.
func (w *front) floor() (least float64) {
	for i := range w.robot.tasks {
		t := &w.robot.tasks[i]
		b := &w.robot.movers[t.mover].balls[0]
		least = max(least, 32*w.lim.slack[t.way].pose(b.far+b.r))
	}
	return least
}

// measure searches the least distance, breadth first; it returns false if the budget was spent, or
// no interval is short enough.
func (g gauge) measure() bool {
	w := g.w
	w.f.roots()
	roots := len(w.f.items)
	middle := w.from + float64(0.5*(w.to-w.from))
	w.meter.glance(middle, 0, roots, firstMeasure)
	for _, s := range [4]float64{w.from, w.to, 0.5 * (w.from + middle), 0.5 * (middle + w.to)} {
		w.meter.glance(s, 0, roots, laterMeasures)
	}
	w.pieces = append(w.pieces[:0], piece{w.from, w.to, 0, roots})
	for level := 0; len(w.pieces) > 0; level++ {
		w.after = w.after[:0]
		start := len(w.f.items)
		for _, p := range w.pieces {
			if w.meter.least <= w.meter.tolerance {
				return true
			}
			if w.f.budget <= 0 || !g.measureIn(p, level) {
				return false
			}
		}
		w.f.items = w.f.items[:copy(w.f.items, w.f.items[start:])]
		for i := range w.after {
			w.after[i].first -= start
			w.after[i].last -= start
		}
		w.pieces, w.after = w.after, w.pieces
	}
	return true
}

// measureIn looks at one interval, and adds its halves to the next level unless all is proven.
func (g gauge) measureIn(p piece, level int) bool {
	w := g.w
	w.f.at(p.s0, p.s1)
	middle, base := w.f.m, len(w.f.items)
	w.f.work(p.first, p.last, every, nil)
	end := len(w.f.items)
	if end == base {
		return true
	}
	if !(middle > p.s0 && middle < p.s1) || level == deepestLevel {
		return false
	}
	if !w.f.onlyLeaves(base, end) {
		w.meter.glance(middle, base, end, middleMeasure)
	}
	w.after = append(w.after, piece{p.s0, middle, base, end}, piece{middle, p.s1, base, end})
	return true
}

// gap makes the result of a search without a contact, or with one that it measured.
func (g gauge) gap(finished bool) (out Gap) {
	w := g.w
	found := &w.meter
	out = Gap{Lo: w.f.separation, Hi: found.least, S: found.s, A: -1, B: -1, IndexA: -1, IndexB: -1,
		Touches: found.touches, Unfinished: !finished && !found.touches, Counts: w.f.counts}
	if out.Unfinished {
		out.Lo = 0
	}
	if found.pa < 0 {
		out.Unfinished = out.Unfinished && len(w.f.robot.tasks) > 0
		out.S = w.from
		return out
	}
	g.pointsOf(&out, found.task, found.pa, found.pb)
	return out
}

// touching makes the result of an edge on which two bodies touch, or one is inside of the other.
func (g gauge) touching() (out Gap) {
	w := g.w
	out = Gap{S: w.best.s, Touches: true, IndexA: -1, IndexB: -1, Counts: w.f.counts}
	if w.best.how != Inside {
		g.pointsOf(&out, w.best.task, w.best.pa, w.best.pb)
		return out
	}
	out.A, out.B = int(w.best.pa), int(w.best.pb)
	out.PointA = w.inRoot(w.best.s, w.best.task, w.best.point)
	out.PointB = out.PointA
	return out
}

// pointsOf fills in the bodies, primitives and nearest points at the time of a gap.
func (g gauge) pointsOf(out *Gap, task, at, other int32) {
	w := g.w
	t := &w.f.robot.tasks[task]
	pa, pb := &w.f.robot.primitives[at], &w.f.robot.primitives[other]
	out.A, out.B = int(pa.body), int(pb.body)
	out.IndexA, out.IndexB = int(at)-int(w.f.robot.first[pa.body]), int(other)-int(w.f.robot.first[pb.body])
	w.f.kin.at(out.S)
	x := placed(w.f.kin.get(t.way), pa)
	c := nearest(pa, &x, pb)
	list, count := c.directions(pa, &x, pb)
	var n r3.Vec
	if count > 0 {
		n = list[0]
	}
	ea, eb := w.errorsOf(t, pa, pb)
	size := max(geom.MaxAbs(c.x), geom.MaxAbs(c.y), pa.radius, pb.radius)
	way := w.f.robot.targets[t.target].root
	w.f.lim.get(way, &w.f.kin.curve)
	root := w.f.kin.get(way)
	out.PointA = root.place(r3.Sub(c.x, geom.Scale(pa.radius, n)))
	out.PointB = root.place(r3.Add(c.y, geom.Scale(pb.radius, n)))
	out.Normal = root.r.Apply(n)
	lift := w.f.lim.slack[way].pose(size)
	out.Epsilon = float64((2*(ea+eb) + lift + float64(512*unit*size)) * up)
}

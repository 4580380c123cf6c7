package rigid

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/rigid/triangle"
	"ccd/core/status"
	"ccd/simd/solid"
)

// Flags of a Gap.
const (
	GapIntersecting uint32 = 1 << iota // the surfaces share a point: Lo = Hi = 0
	GapUnfinished                      // MaxIterations is reached: the bracket holds, but may be wider than asked
	// GapInside: with GapIntersecting, one of the bodies is solid and the other is inside of its
	// surface, without a common point of the surfaces; the points are nearest ones of the
	// triangles, without radii: that of a ball is its center.
	GapInside
)

// A Gap is the distance of two surfaces, as a bracket. Its layout is that of ccd_rigid_gap: 144
// bytes, no hidden padding.
type Gap struct {
	Flags              uint32
	Reserved           int32   // 0; the place of what is inside what
	Lo, Hi             float64 // the distance is in [Lo, Hi]; both are 0 if and only if Flags has GapIntersecting
	IndexA, IndexB     int64   // the two triangles
	FeatureA, FeatureB Feature // the features of the triangles that the points lie on
	PointA, PointB     r3.Vec  // about nearest points, in the world
	Normal             r3.Vec  // unit, from B to A; 0 where nothing gives one
	Epsilon            float64 // how far each of the points may be from its triangle
	Time               float64 // the time of the poses, for bodies that move; else 0
	Iterations         int64   // work done
}

// DistanceOptions are the options of a distance.
type DistanceOptions struct {
	Tolerance     float64 // how wide the bracket may be; 0: as narrow as doubles tell
	MaxIterations int64   // the most pairs of nodes and triangles that are tested; 0: no limit
}

func (o *DistanceOptions) check() error {
	switch {
	case !(o.Tolerance >= 0 && o.Tolerance <= MaxMagnitude):
		return status.Errorf(status.ErrArgument, "options.tolerance is %v: must be in [0, %v]",
			o.Tolerance, MaxMagnitude)
	case o.MaxIterations < 0:
		return status.Errorf(status.ErrArgument, "options.max_iterations is %v: must not be negative", o.MaxIterations)
	}
	return nil
}

// Ruler is the memory of distances of bodies at poses. It serves one goroutine at a time.
//
// Size: its fields and methods are mostly those of the query, the two bodies at their poses, that
// it shares with the searches over time.
type Ruler struct {
	query
	f     posePair
	leaf  leaf
	stack []nodePair
	o     DistanceOptions
	exact triangle.Exact // decides what rounding leaves open, where the poses are exact
	still bool           // the poses are exact: their points are rational

	boxes  boxes
	rot    [2]geom.Mat // the rotations of the bodies
	best   closest
	lowest float64 // the least lower bound of what was left out or measured
	steps  int64
	meets  bool // the bodies share a point
	passed bool // the triangles that do pass through each other
	inside bool // one of the bodies is inside of the other, which is solid
	spent  bool // MaxIterations is reached
	yields bool // MaxIterations also ends a search that has found nothing below its limit

	resting resting
}

// nodePair is a pair of nodes that are at least low apart. Of the pairs that another one is opened
// into, that with the least order comes first: such as lead to near triangles soon are few steps
// from a tight cut.
type nodePair struct {
	low, order float64
	pending
}

// closest is the nearest pair of triangles so far.
type closest struct {
	hi     float64
	ta, tb int32
	near   triangle.Near
	n      r3.Vec // unit from A to B, or 0
}

// Distance returns the distance of the surfaces of two bodies at exact poses.
//
// Laws: the distance in real arithmetic is in [Lo, Hi]. Hi - Lo is at most the tolerance or, where
// that is more, 2^-38 of the sum of both radii about the origins and 2^-46 of the distance of
// these. Both are 0 if and only if the surfaces share a point, which is decided in exact
// arithmetic. Each point is within Epsilon of its triangle, and their distance is within 2 Epsilon
// of the bracket. A body inside of another one that does not reach its surface has the distance of
// the surfaces, unless one of the two is solid: then both ends are 0.
//
// Bodies that are more than their triangles (see grown) have the distance of the triangles less
// both radii, and the bracket is wider by both deviations. Where they have deviations,
// GapIntersecting says that they surely share a point; Lo may be 0 without it.
func (r *Ruler) Distance(a *Body, pa *geom.Pose, b *Body, pb *geom.Pose, o DistanceOptions, out *Gap) error {
	ma, mb := at(pa), at(pb)
	if err := checkPoses(&ma, &mb, &o); err != nil {
		return err
	}
	r.atPoses(a, b, &ma, &mb, o, out)
	return nil
}

// atPoses writes the distance of bodies whose motions stand still.
func (r *Ruler) atPoses(a, b *Body, ma, mb *Motion, o DistanceOptions, out *Gap) {
	r.still = true
	r.prepare(a, b, ma, mb, 0)
	r.measure(o, math.Inf(1))
	r.settleNormal()
	r.settle(ma, mb, 0)
	r.write(ma, 0, out)
}

// Intersects reports whether the surfaces of two bodies share a point at exact poses. The answer is
// exact, and the search ends with the first common point. Of bodies that are more than their
// triangles it is that of their envelopes.
func (r *Ruler) Intersects(a *Body, pa *geom.Pose, b *Body, pb *geom.Pose) (bool, error) {
	ma, mb := at(pa), at(pb)
	if err := checkPoses(&ma, &mb, &DistanceOptions{}); err != nil {
		return false, err
	}
	r.still = true
	r.prepare(a, b, &ma, &mb, 0)
	outer := [2]float64{a.grown.outer, b.grown.outer}
	if outer != [2]float64{} {
		return r.reaching(outer) || nested(a, b, &ma, &mb, 0), nil
	}
	return r.meeting() || nested(a, b, &ma, &mb, 0), nil
}

// at returns the motion of a body that stays at a pose.
func at(p *geom.Pose) Motion { return Motion{Rotation: p.Rotation, Position: p.Position} }

func checkPoses(ma, mb *Motion, o *DistanceOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	if err := ma.Check(0, 0); err != nil {
		return fmt.Errorf("pose a: %w", err)
	}
	if err := mb.Check(0, 0); err != nil {
		return fmt.Errorf("pose b: %w", err)
	}
	return nil
}

// prepare computes the poses at the time t.
//
// The kernel of boxes returns times before which gaps stay above the goal. Here the poses stand
// still, and the error of a gap's derivative is 1: so all gaps close with speed 1, and these times
// are lower bounds of distances.
func (r *Ruler) prepare(a, b *Body, ma, mb *Motion, t float64) {
	r.set(a, b, ma, mb, &Options{TMin: t, TMax: t})
	r.poses(t, &r.f)
	c := &r.course
	for _, row := range [...]int{solid.MotionSpin, solid.MotionV} {
		c[row], c[row+1], c[row+2] = alike(0), alike(0), alike(0)
	}
	c[solid.MotionRate], c[solid.MotionKMargin], c[solid.MotionSpeed] = alike(0), alike(0), alike(0)
	c[solid.MotionVMargin] = alike(1)
	if r.still {
		r.exact.Set(geom.Pose{Rotation: ma.Rotation, Position: ma.Position},
			geom.Pose{Rotation: mb.Rotation, Position: mb.Position})
	}
	r.see()
}

// see makes the poses those of the boxes.
func (r *Ruler) see() {
	for i, s := range [2]*bodyState{&r.a, &r.b} {
		s.turned(r.course[solid.MotionSin][2*i], r.course[solid.MotionCos][2*i], &r.rot[i])
	}
	ra, rb := &r.rot[0], &r.rot[1]
	column := func(x, y, z float64) r3.Vec { return ra.ApplyTransposed(r3.Vec{X: x, Y: y, Z: z}) }
	x, y, z := column(rb.X.X, rb.Y.X, rb.Z.X), column(rb.X.Y, rb.Y.Y, rb.Z.Y), column(rb.X.Z, rb.Y.Z, rb.Z.Z)
	r.boxes.turn = geom.Mat{X: r3.Vec{X: x.X, Y: y.X, Z: z.X}, Y: r3.Vec{X: x.Y, Y: y.Y, Z: z.Y},
		Z: r3.Vec{X: x.Z, Y: y.Z, Z: z.Z}}
	r.boxes.x = ra.ApplyTransposed(r.f.x)
	r.boxes.goal = r.f.margin + float64(turnedMargin*geom.Norm(r.f.x))
}

// whole bounds the distance of the bodies from above: that of the pivots and both radii.
func (r *Ruler) whole() float64 {
	return float64((geom.Norm(r.f.x)+r.a.radius+r.b.radius)*stretch) + r.f.margin
}

// measure searches for the nearest triangles that are less than limit apart: depth first, of each
// four pairs of boxes those first that promise near triangles.
func (r *Ruler) measure(o DistanceOptions, limit float64) {
	r.begin(o, min(r.whole(), limit))
	for n := len(r.stack); n > 0 && !r.meets; n = len(r.stack) {
		it := r.stack[n-1]
		r.stack = r.stack[:n-1]
		cut := r.cut()
		if it.low >= cut {
			r.lowest = min(r.lowest, it.low)
			continue
		}
		if o.MaxIterations > 0 && r.steps >= o.MaxIterations && (r.best.ta >= 0 || r.yields) {
			r.lowest, r.spent = min(r.lowest, it.low), true
			continue
		}
		if a, b := r.a.body.child[it.a], r.b.body.child[it.b]; a < 0 && b < 0 && !it.same {
			r.steps++
			r.triangles(^a, ^b, cut)
			continue
		}
		r.open(&it, cut)
	}
}

// begin starts a search below a distance.
func (r *Ruler) begin(o DistanceOptions, below float64) {
	r.o, r.steps, r.meets, r.passed, r.inside, r.spent = o, 0, false, false, false, false
	r.best, r.lowest = closest{hi: below, ta: -1, tb: -1}, math.Inf(1)
	r.boxes.way = r3.Vec{}
	r.stack = append(r.stack[:0], nodePair{pending: pending{same: true}})
}

// cut returns the lower bound from which on a pair is left out: what a pair of triangles may leave
// open, eight margins, is a tolerance that costs nothing. Pairs that may share a point never are,
// nor is the first pair that may be below the limit.
func (r *Ruler) cut() float64 {
	if r.best.ta < 0 {
		return r.best.hi
	}
	open := max(r.o.Tolerance, float64(8*r.f.margin))
	return max(num.SubDown(r.best.hi, open), min(r.best.hi, 4*r.f.margin))
}

// lower is a lower bound of a distance, of a computed gap less the margin.
const lower = 1 - 0x1p-43

// open pushes the pairs that a pair is opened into and that are nearer than cut, the nearest one
// last.
func (r *Ruler) open(it *nodePair, cut float64) {
	x, y, a, b, want := childrenOf(r.a.body, r.b.body, &it.pending)
	var pa, pb [2]box
	for k := range int32(2) {
		if want>>(2*k)&3 != 0 {
			pa[k].load(x, k, r.a.pivot)
		}
		if want>>k&5 != 0 {
			r.boxes.place(&pb[k], y, k, r.b.pivot)
		}
	}
	from := len(r.stack)
	for k := range int32(4) {
		if want>>k&1 == 0 {
			continue
		}
		r.steps++
		low := float64(r.boxes.apart(&pa[k>>1], &pb[k&1], cut) * lower)
		if low >= cut {
			r.lowest = min(r.lowest, low)
			continue
		}
		order := low + float64(0.5*geom.Norm(r3.Sub(pb[k&1].c, pa[k>>1].c)))
		r.stack = append(r.stack, nodePair{max(low, it.low), order, pending{a + k>>1, b + k&1, false}})
		for i := len(r.stack) - 1; i > from && r.stack[i-1].order < r.stack[i].order; i-- {
			r.stack[i-1], r.stack[i] = r.stack[i], r.stack[i-1]
		}
	}
}

// triangles measures a pair of triangles that matters if it is nearer than cut.
func (r *Ruler) triangles(ta, tb int32, cut float64) {
	l := &r.leaf
	l.set(&r.query, &r.a.body.tri[ta], &r.b.body.tri[tb])
	n, low := r.along()
	if low >= cut {
		r.lowest = min(r.lowest, low)
		return
	}
	wide := float64(8 * r.f.margin)
	hi := num.AddUp(math.Sqrt(l.Near.D2), r.f.margin)
	if hi-low > wide { // The nearest points, or their direction, may be poor.
		n, low = r.search(n, low, hi-wide)
		hi = min(hi, num.AddUp(math.Sqrt(l.Near.D2), r.f.margin))
	}
	if low <= 0 && r.share(ta, tb) {
		return
	}
	if hi-low > wide && low < cut && r.still {
		lo, up := r.exact.Distance(r.a.body.tri[ta], r.b.body.tri[tb])
		hi, low = min(hi, up), max(low, lo)
		if way, ok := geom.Unit(r3.Sub(l.Near.PB, l.Near.PA), r3.Sub(l.Near.PB, l.Near.PA)); ok {
			n = way // No direction of the features parts the triangles by nearly as much.
		}
	}
	r.lowest = min(r.lowest, low)
	if hi < r.best.hi || r.best.ta < 0 {
		r.best = closest{hi, ta, tb, l.Near, n}
		r.boxes.way = r.rot[0].ApplyTransposed(n)
	}
}

// search refines the nearest points of the leaf, and tries every direction that may separate its
// triangles until the lower bound is at least enough.
func (r *Ruler) search(n r3.Vec, low, enough float64) (r3.Vec, float64) {
	r.leaf.Refine()
	if m, more := r.along(); more > low {
		n, low = m, more
	}
	r.leaf.directions(&r.query, func(t turning) {
		if low < enough {
			if g := r.gapAlong(t.n0); g > low {
				n, low = t.n0, g
			}
		}
	})
	return n, low
}

// along returns the direction of the nearest features and the lower bound along it.
func (r *Ruler) along() (n r3.Vec, low float64) {
	d, ok := r.leaf.direction(&r.query)
	if !ok {
		return r3.Vec{}, 0
	}
	return d.n0, r.gapAlong(d.n0)
}

// gapAlong returns a lower bound of the distance of the triangles: their gap along a unit n.
func (r *Ruler) gapAlong(n r3.Vec) float64 {
	return max(0, float64((r.leaf.gap(n)-float64(r.f.margin*stretch))*lower))
}

// share reports whether the triangles of the leaf, which may share a point, do, and makes them the
// result.
func (r *Ruler) share(ta, tb int32) bool {
	l, margin := &r.leaf, r.f.margin
	var a, b triangle.Sides
	a.Set(&l.A, &l.B, margin)
	b.Set(&l.B, &l.A, margin)
	n := r3.Vec{}
	before := l.Near
	switch {
	case triangle.Pass(&l.Pair, &a, &b, margin):
		if !(math.Sqrt(l.Near.D2) <= float64(4*margin)) {
			l.RefineCrossing()
		}
		n, r.passed = geom.Scale(-1, l.Out), true
	case r.still && r.exact.Share(r.a.body.tri[ta], r.b.body.tri[tb]):
		l.Refine()
		d, ok := l.direction(&r.query)
		n = geom.Scale(-1, l.contactNormal(&r.query, d.n0, ok, margin))
	case !r.still && pierces(l, margin):
		n = geom.Scale(-1, l.Out)
	default:
		l.Near = before
		return false
	}
	if r.still && !(math.Sqrt(l.Near.D2) <= float64(4*margin)) {
		r.exact.Common(r.a.body.tri[ta], r.b.body.tri[tb], &l.Near)
	}
	r.meets = true
	r.best, r.lowest = closest{0, ta, tb, l.Near, n}, 0
	return true
}

// pierces reports whether an edge of one triangle surely passes through the inside of the other,
// and would wherever within e of its place each corner was: passes sees only triangles that have an
// inside. If so, the near points become those of edge and face, as intersects has them.
func pierces(l *leaf, e float64) bool {
	through := func(a, b *triangle.Corners) bool {
		for i := range 3 {
			p, q := a.P[i], a.P[(i+1)%3]
			v, offV := triangle.VolumeOf(b, p, e)
			w, offW := triangle.VolumeOf(b, q, e)
			if !(v > offV && w < -offW || v < -offV && w > offW) {
				continue
			}
			sides := 0
			for j := range 3 {
				side := triangle.Corners{P: [3]r3.Vec{b.P[j], b.P[(j+1)%3], p}}
				switch x, off := triangle.VolumeOf(&side, q, e); {
				case x > off:
					sides++
				case x < -off:
					sides--
				}
			}
			if sides == 3 || sides == -3 {
				return true
			}
		}
		return false
	}
	return (through(&l.A, &l.B) || through(&l.B, &l.A)) && l.Intersect(math.Inf(1))
}

// meeting reports whether the surfaces share a point.
func (r *Ruler) meeting() bool {
	r.begin(DistanceOptions{}, r.whole())
	goal := float64(r.f.margin * stretch)
	for n := len(r.stack); n > 0 && !r.meets; n = len(r.stack) {
		it := r.stack[n-1]
		r.stack = r.stack[:n-1]
		if a, b := r.a.body.child[it.a], r.b.body.child[it.b]; a < 0 && b < 0 && !it.same {
			r.steps++
			r.leaf.set(&r.query, &r.a.body.tri[^a], &r.b.body.tri[^b])
			n, low := r.along()
			if low <= 0 {
				_, low = r.search(n, low, math.SmallestNonzeroFloat64)
			}
			if low <= 0 {
				r.share(^a, ^b)
			}
			continue
		}
		x, y, a, b, want := childrenOf(r.a.body, r.b.body, &it.pending)
		var step [4]float64
		r.advance(x, y, want, goal, tiny, &step)
		for k := range int32(4) {
			if r.steps++; want>>k&1 != 0 && !(step[k] > 0) {
				r.stack = append(r.stack, nodePair{pending: pending{a + k>>1, b + k&1, false}})
			}
		}
	}
	return r.meets
}

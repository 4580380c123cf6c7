package rigid

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/rigid/poses"
)

// Profile writes the distances of two bodies that move at each of some times, for a plot. No two of
// them are related: each is as Ruler.Distance has it at the true poses of the motions at its time,
// which Time is.
//
// Laws (B8): the distance at times[i] is in [Lo, Hi], and the points are within Epsilon of their
// triangles. Hi - Lo is at most what Ruler.Distance leaves or, where that is more, what rounding of
// a pose leaves: 2^-40 of how far the bodies reach from the origin of the world. With
// GapIntersecting the bodies surely share a point, and Lo = Hi = 0. Touching is decided at times at
// which both poses are doubles: where no body has turned or has a pivot, and all positions are
// exact. At other times touching bodies may have Lo = 0 without the flag.
//
// o.MaxIterations counts for each time. For Progress, what is done is counted in times.
func (c *ClearanceSolver) Profile(a, b *Body, ma, mb *Motion, times []float64, o DistanceOptions, out []Gap) error {
	if err := o.check(); err != nil {
		return err
	}
	for i, t := range times {
		if !(math.Abs(t) <= MaxMagnitude) {
			return fmt.Errorf("times[%d] is %v: %w", i, t, poses.ErrMagnitude)
		}
		t0, t1 := min(t, 0), max(t, 0)
		if err := ma.Check(t0, t1); err != nil {
			return fmt.Errorf("ma: %w", err)
		}
		if err := mb.Check(t0, t1); err != nil {
			return fmt.Errorf("mb: %w", err)
		}
	}
	c.a, c.b, c.ma, c.mb, c.more = a, b, ma, mb, growthOf(a, b)
	c.o = DefaultOptions()
	c.o.MaxIterations = o.MaxIterations
	if err := c.call.Begin(&c.CallOptions); err != nil {
		return err
	}
	c.call.Progress.Part(int64(len(times)), 1)
	for i, t := range times {
		c.spent = 0
		c.at(t, o, &out[i])
		out[i].Iterations = c.spent
		if !c.call.Progress.Pass(1) {
			break
		}
	}
	return c.call.End(nil)
}

// at measures the distance at a time.
func (c *ClearanceSolver) at(t float64, o DistanceOptions, out *Gap) {
	r := &c.ruler
	pa, exactA := exactlyAt(c.ma, t)
	pb, exactB := exactlyAt(c.mb, t)
	if exactA && exactB {
		r.atPoses(c.a, c.b, &pa, &pb, o, out)
		out.Time, c.spent = t, r.steps
		return
	}
	r.still = false
	r.prepare(c.a, c.b, c.ma, c.mb, t)
	r.measure(o, math.Inf(1))
	wide := max(o.Tolerance, float64(16*r.f.margin))
	if !r.meets {
		switch {
		case c.more.inner > 0 && r.best.hi <= c.more.inner:
			r.meets = true
		case nested(c.a, c.b, c.ma, c.mb, t):
			r.meets, r.inside = true, min(r.lowest, r.best.hi) > 0
		}
	}
	r.write(c.ma, t, out)
	c.spent = r.steps
	if !r.meets && c.more.outer == 0 && r.best.hi <= 16*r.f.margin {
		c.overlap(t, out)
	}
	if out.Flags == 0 && num.SubUp(out.Hi, out.Lo) > num.AddUp(wide, num.SubUp(c.more.outer, c.more.inner)) {
		c.narrow(t, o, out)
	}
}

// narrow makes the bracket of slivers and needles narrower, of which floats tell little: the
// distance at the rounded poses, which exact arithmetic knows, differs from the true one by how far
// rounding has moved points of the bodies.
func (c *ClearanceSolver) narrow(t float64, o DistanceOptions, out *Gap) {
	r := &c.ruler
	pa, pb := c.ma.At(t), c.mb.At(t)
	off := num.AddUp(rounded(c.ma, t, &pa, c.a.radiusAbout(c.ma.Pivot)),
		rounded(c.mb, t, &pb, c.b.radiusAbout(c.mb.Pivot)))
	ma, mb := at(&pa), at(&pb)
	if !(off < num.SubUp(out.Hi, out.Lo)) || ma.Check(0, 0) != nil || mb.Check(0, 0) != nil {
		return
	}
	var near Gap
	r.atPoses(c.a, c.b, &ma, &mb, o, &near)
	c.spent += r.steps
	out.Lo = max(out.Lo, num.SubDown(near.Lo, off))
	out.Hi = min(out.Hi, max(num.AddUp(near.Hi, off), math.SmallestNonzeroFloat64))
	if near.Flags&GapUnfinished != 0 {
		out.Flags |= GapUnfinished
	}
}

// exactlyAt returns the motion that stands still at the pose of the time t, and whether that pose
// is one of doubles.
func exactlyAt(m *Motion, t float64) (Motion, bool) {
	turns := t != 0 && m.AngularVelocity != (r3.Vec{})
	if turns || m.Pivot != (r3.Vec{}) {
		return Motion{}, false
	}
	exact := true
	place := func(x, v float64) float64 {
		way, rest := num.TwoProd(v, t)
		sum, lost := num.TwoSum(x, way)
		// Products that may underflow lose what TwoProd does not tell.
		exact = exact && rest == 0 && lost == 0 && (v == 0 || t == 0 || math.Abs(way) > 0x1p-900) &&
			math.Abs(sum) <= MaxMagnitude
		return sum
	}
	return Motion{Rotation: m.Rotation, Position: r3.Vec{X: place(m.Position.X, m.Velocity.X),
		Y: place(m.Position.Y, m.Velocity.Y), Z: place(m.Position.Z, m.Velocity.Z)}}, exact
}

// rounded bounds how far a pose, rounded, is from the true one at the time t: no point within a
// radius of the pivot is farther from its place than that.
func rounded(m *Motion, t float64, p *geom.Pose, radius float64) float64 {
	arc, q := m.Around(t), poses.Rotation(p.Rotation)
	var turn, way poses.Box
	x, pivot := geom.Components(p.Position), geom.Components(m.Pivot)
	for i := range 3 {
		way[i] = num.Point(x[i])
		for j := range 3 {
			off := arc.P[i][j].Add(arc.Q[i][j]).Sub(q[i][j])
			turn[i] = turn[i].Add(off.Sqr())
			way[i] = way[i].Add(q[i][j].Scale(pivot[j]))
		}
		way[i] = arc.X[i].Sub(way[i])
	}
	length := func(v num.Interval) float64 { return v.Sqrt().Mag() }
	return num.AddUp(num.MulUp(length(turn[0].Add(turn[1]).Add(turn[2])), radius),
		length(way[0].Sqr().Add(way[1].Sqr()).Add(way[2].Sqr())))
}

package penetration

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/rigid"
)

// Limits of the search along directions.
const (
	mostSweeps = 128  // how many directions are swept
	sweepSteps = 1e5  // the budget of one sweep
	leastTurn  = 1e-3 // the angle, in radians, below which directions are not refined
	firstTurn  = 0.5
)

// surfaces computes a translation that separates two bodies of which one is not convex.
//
// Along a direction A is put where hulls of both are apart, and moves back. Before its first
// contact nothing touches, by the laws of the search for contact: the place there, which keeps an
// eighth of the tolerance, is a way out, and more of it is too. Directions are those of the hulls,
// of the nearest points, and of a grid; around the best, others are tried at ever smaller angles.
func (s *Solver) surfaces(ca, cb *rigid.Convexity, out *Depth) error {
	meets, err := s.ruler.Intersects(s.a, &s.pa, s.b, &s.pb)
	if err != nil {
		return err
	}
	if !meets && !rigid.Nested(s.a, &s.pa, s.b, &s.pb) {
		return nil
	}
	var g rigid.Gap
	if err := s.ruler.Distance(s.a, &s.pa, s.b, &s.pb, rigid.DistanceOptions{}, &g); err != nil {
		return err
	}
	a, b := s.a, s.b
	hull := func(c *rigid.Convexity, b *rigid.Body) *rigid.Body {
		if c.Hull != nil {
			return c.Hull
		}
		return b
	}
	s.a, s.b = hull(ca, a), hull(cb, b)
	err = s.convex(out)
	s.a, s.b = a, b
	if err != nil || s.kind == nothing { // The hulls touch: so do the surfaces.
		return err
	}
	s.kind = bySweep
	out.Lo, out.Flags = 0, UpperBound|out.Flags&Unfinished
	w := ways{s: s, out: out}
	for _, n := range [...]r3.Vec{out.Normal, g.Normal, geom.Scale(-1, g.Normal)} {
		if err := w.try(n); err != nil {
			return err
		}
	}
	for i := range 27 { // The ways to the neighbors in a grid of cubes.
		n := r3.Vec{X: float64(i%3 - 1), Y: float64(i/3%3 - 1), Z: float64(i/9 - 1)}
		if err := w.try(n); err != nil {
			return err
		}
	}
	return w.refine()
}

// ways is the best way out so far.
type ways struct {
	s     *Solver
	out   *Depth
	count int
}

// try sweeps along a direction, and keeps the way out if it is shorter than the best.
func (w *ways) try(n r3.Vec) error {
	s, out := w.s, w.out
	length := geom.Norm(n)
	if !(length > 0) || w.count >= mostSweeps || s.o.MaxIterations > 0 && out.Iterations >= s.o.MaxIterations {
		return nil
	}
	w.count++
	n = geom.Scale(1/length, n)
	far := s.d.way(along(n), s.a.Outer(), s.b.Outer())
	// The hulls are apart by more than the tolerance of the search for contact.
	far = r3.Add(geom.Scale(1+0x1p-10, far), geom.Scale(float64(0x1p-12*s.reach()), n))
	ma := rigid.Motion{Rotation: s.pa.Rotation, Position: s.pa.Position, Velocity: geom.Scale(-1, far)}
	mb := rigid.Motion{Rotation: s.pb.Rotation, Position: s.pb.Position}
	o := rigid.Options{TMin: -1, TMax: 0, MaxIterations: sweepSteps}
	var im rigid.Impact
	if err := s.sweep.Earliest(s.a, s.b, &ma, &mb, &o, &im); err != nil {
		return err
	}
	out.Iterations += int64(im.Iterations)
	if im.Flags&rigid.InitialContact != 0 || !(im.TOILo < 0) {
		return nil
	}
	t := geom.Scale(-im.TOILo, far)
	if hi := lengthUp(t); hi < out.Hi {
		out.Hi, out.Translation, out.Normal = hi, t, n
		out.PointA, out.PointB = r3.Sub(im.PointA, t), im.PointB
		s.settle(float64(0x1p-36*s.reach()), out)
	}
	return nil
}

// refine tries directions around the best one.
func (w *ways) refine() error {
	for turn := firstTurn; turn >= leastTurn && w.count < mostSweeps; {
		n, best := w.out.Normal, w.out.Hi
		least := r3.Vec{X: 1}
		if math.Abs(n.X) > math.Abs(n.Y) {
			least = r3.Vec{Y: 1}
		}
		x := geom.Cross(n, least)
		x = geom.Scale(1/geom.Norm(x), x)
		y := geom.Cross(n, x)
		for _, side := range [...]r3.Vec{x, geom.Scale(-1, x), y, geom.Scale(-1, y)} {
			if err := w.try(r3.Add(n, geom.Scale(turn, side))); err != nil {
				return err
			}
		}
		if !(w.out.Hi < best*(1-0x1p-20)) {
			turn /= 2
		}
	}
	return nil
}

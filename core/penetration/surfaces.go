package penetration

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/rigid"
)

// Limits of the search for ways out.
const (
	mostSweeps = 256 // how many segments are swept
	sweepSteps = 1e5 // the budget of one sweep
	fromBest   = 6   // how many ways out are followed along the surfaces
	samples    = 64  // how many places nearer than the best way out are tried
	fromPlaces = 12  // how many of them are followed
)

// nearness, times the sum of the radii, is the tolerance of the sweeps: an eighth of it is kept.
// That is more than the rounding of places, and more than eight grains of the search for contact.
const nearness = 0x1p-34

// surfaces computes a translation that separates two bodies of which one is not convex.
//
// Along a direction A is put where hulls of both are apart, and moves back. Before its first
// contact nothing touches, by the laws of the search for contact: the place there, which keeps an
// eighth of the tolerance, is a way out. Directions are those of the hulls, of the nearest points,
// and of a grid. The best are followed along the surfaces (walks.go), and so are places that are
// nearer, where nothing touches there.
func (s *Solver) surfaces(ca, cb *rigid.Convexity, out *Depth) error {
	meets, err := s.ruler.Intersects(s.a, &s.pa, s.b, &s.pb)
	if err != nil {
		return err
	}
	if !meets && !rigid.Nested(s.a, &s.pa, s.b, &s.pb) {
		return nil
	}
	if meets {
		if touch, err := onlyTouch(s); touch || err != nil {
			return err
		}
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
	w := newWays(s, out)
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
	found := w.found
	slices.SortStableFunc(found, func(a, b stop) int { return cmp.Compare(geom.Norm(a.at), geom.Norm(b.at)) })
	for _, f := range found[:min(len(found), fromBest)] {
		if err := w.follow(f); err != nil {
			return err
		}
	}
	return w.pockets()
}

// onlyTouch reports whether surfaces that share a point surely have no volume in common: a part in
// a slot that it fits, say. The search for contact first looks for triangles that pass through each
// other, which most that meet do: then the volume is not computed. Surfaces that are not closed, or
// whose parts overlap, have none, and neither have bodies with radii.
func onlyTouch(s *Solver) (bool, error) {
	if s.a.Outer() > 0 || s.b.Outer() > 0 || !s.a.Encloses() || !s.b.Encloses() {
		return false, nil
	}
	m := [2]rigid.Motion{{Rotation: s.pa.Rotation, Position: s.pa.Position},
		{Rotation: s.pb.Rotation, Position: s.pb.Position}}
	o := rigid.Options{Tolerance: float64(nearness * s.reach()), MaxIterations: sweepSteps}
	var im rigid.Impact
	if err := s.sweep.Earliest(s.a, s.b, &m[0], &m[1], &o, &im); err != nil || im.Flags&geom.Intersecting != 0 {
		return false, err
	}
	return rigid.NothingInCommon(s.a, &m[0], s.b, &m[1])
}

// ways is the best way out so far. Places are those of A, as translations from its pose.
type ways struct {
	s      *Solver
	out    *Depth
	count  int
	reach  float64
	moving rigid.Motion // A, turned as it is
	fixed  rigid.Motion // B, as A sees it from its own place
	found  []stop       // where the ways of try ended
}

func newWays(s *Solver, out *Depth) *ways {
	return &ways{s: s, out: out, reach: s.reach(), moving: rigid.Motion{Rotation: s.pa.Rotation},
		fixed: rigid.Motion{Rotation: s.pb.Rotation, Position: r3.Sub(s.pb.Position, s.pa.Position)}}
}

// stop is where a sweep ended.
type stop struct {
	from r3.Vec // where it began
	at   r3.Vec // a place before the first contact, or the end
	n    r3.Vec // the normal of the contact, from B to A, unless it is not known
	end  bool   // whether the sweep came to its end
}

// spent reports whether the budget of sweeps is.
func (w *ways) spent() bool {
	return w.count >= mostSweeps || w.s.o.MaxIterations > 0 && w.out.Iterations >= w.s.o.MaxIterations
}

// sweep moves A on a straight line from a place where nothing touches. ok is false where something
// is within the tolerance at the first place; else at is a place where A shares no point with B,
// and if it is the shortest way out so far it is kept.
func (w *ways) sweep(from, to r3.Vec) (e stop, ok bool, err error) {
	s, out := w.s, w.out
	if w.spent() {
		return stop{}, false, nil
	}
	w.count++
	m := w.moving
	m.Position, m.Velocity = from, r3.Sub(to, from)
	o := rigid.Options{TMax: 1, Tolerance: float64(nearness * w.reach), MaxIterations: sweepSteps}
	var im rigid.Impact
	if err := s.sweep.Earliest(s.a, s.b, &m, &w.fixed, &o, &im); err != nil {
		return stop{}, false, err
	}
	out.Iterations += int64(im.Iterations)
	if im.Flags&rigid.InitialContact != 0 || !(im.TOILo > 0) {
		return stop{}, false, nil
	}
	e = stop{from: from, at: to, n: im.Normal, end: im.Verdict == geom.Separate}
	if !e.end {
		e.at = r3.Add(from, geom.Scale(min(im.TOILo, 1), m.Velocity))
	}
	if hi := lengthUp(e.at); hi < out.Hi {
		n := geom.Norm(e.at)
		if !(n > 0) {
			return e, true, nil
		}
		out.Hi, out.Translation, out.Normal = hi, e.at, geom.Scale(1/n, e.at)
		if e.n != (r3.Vec{}) {
			out.PointA, out.PointB = r3.Sub(im.PointA, e.at), im.PointB
		} else {
			var g rigid.Gap
			pa, pb := geom.Pose{Rotation: m.Rotation, Position: e.at},
				geom.Pose{Rotation: w.fixed.Rotation, Position: w.fixed.Position}
			if err := s.ruler.Distance(s.a, &pa, s.b, &pb, rigid.DistanceOptions{}, &g); err != nil {
				return e, false, err
			}
			out.PointA, out.PointB = r3.Sub(g.PointA, e.at), g.PointB
		}
		out.PointA, out.PointB = r3.Add(s.pa.Position, out.PointA), r3.Add(s.pa.Position, out.PointB)
		s.settle(float64(0x1p-36*w.reach), out)
	}
	return e, true, nil
}

// try sweeps along a direction, from where the hulls are apart by more than the tolerance.
func (w *ways) try(n r3.Vec) error {
	s := w.s
	length := geom.Norm(n)
	if !(length > 0) || w.spent() {
		return nil
	}
	n = geom.Scale(1/length, n)
	far := s.d.way(along(n), s.a.Outer(), s.b.Outer())
	far = r3.Add(geom.Scale(1+0x1p-10, far), geom.Scale(float64(0x1p-12*w.reach), n))
	e, ok, err := w.sweep(far, r3.Vec{})
	if ok && !e.end {
		w.found = append(w.found, e)
	}
	return err
}

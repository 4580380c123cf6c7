package penetration

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/rigid"
)

// Manifold returns where two bodies at poses touch, as rigid.Ruler.Manifold does. Of bodies whose
// way out is longer than the tolerance the points are those at its end, moved back on A: the flag
// is rigid.ManifoldDeep.
//
// Laws: each point is within Epsilon of its body, and for the bodies' own points a and b there n.(a
// - b) is in [GapLo, GapHi]. With the flag, the bodies share no point once A is moved by a
// translation T, and at its end the gap is at most the tolerance: here it is less by n.T. T is the
// translation of Depth: the least one of convex bodies, else the shortest that is found.
func (s *Solver) Manifold(a *rigid.Body, pa *geom.Pose, b *rigid.Body, pb *geom.Pose, o rigid.ManifoldOptions,
) (rigid.Manifold, error) {
	m, err := s.ruler.Manifold(a, pa, b, pb, o)
	if err != nil || m.Flags == 0 {
		return m, err
	}
	var d Depth
	if err := s.Depth(a, pa, b, pb, rigid.DistanceOptions{}, &d); err != nil || !(d.Hi > o.Tolerance) {
		return m, err
	}
	out := *pa
	out.Position = r3.Add(pa.Position, d.Translation)
	if d.Flags&UpperBound != 0 { // Ways that are not proven to be the least end before the contact.
		o.Tolerance = max(o.Tolerance, float64(4*nearness*s.reach()))
	}
	end, err := s.ruler.Manifold(a, &out, b, pb, o)
	if err != nil || len(end.Points) == 0 {
		return m, err
	}
	end.Flags = m.Flags | rigid.ManifoldDeep
	way := r3.Sub(out.Position, pa.Position) // This is the sum as it is rounded.
	for i := range end.Points {
		p := &end.Points[i]
		off := float64(32 * u * (geom.MaxAbs(out.Position) + geom.MaxAbs(pa.Position) + geom.MaxAbs(p.PointA)))
		back := geom.Dot(p.Normal, way)
		p.GapLo = num.SubDown(p.GapLo, num.AddUp(back, off))
		p.GapHi = num.SubUp(p.GapHi, num.SubDown(back, off))
		p.PointA = r3.Sub(p.PointA, way)
		p.Epsilon = math.Nextafter(p.Epsilon+off, math.Inf(1))
	}
	return end, nil
}

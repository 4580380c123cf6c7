package curved

import (
	"ccd/core/exact"
	"ccd/core/exact/clearance"
	"ccd/core/geom"
)

// still decides a query without a separation whose points rest, as do those of an obstacle, by the
// stages for segments. is reports whether they do. Such a pair touches at every time or at none, so
// its first contact is at T0.
//
// Where the four points are on one plane, as on a wall of many triangles, the polynomial of
// coplanarity is zero and proves nothing: the other stages would take ten times as long for a pair
// that is apart, and integers a hundred times as long for one that touches.
func (r *MotionResolver) still(q *MotionQuery) (t clearance.Instant, is bool) {
	n := 3 * q.points()
	first := q.Control[:n]
	if q.Separation > 0 {
		return t, false
	}
	for at := n; at <= n*q.Degree; at += n {
		for i, x := range q.Control[at : at+n] {
			if x != first[i] {
				return t, false
			}
		}
	}
	if r.segments == nil {
		r.segments = new(exact.Resolver)
	}
	var step [24]float64
	copy(step[:], first)
	copy(step[n:], first)
	var im geom.Impact
	r.segments.Resolve(q.Kind, step[:2*n], 0, &im)
	if im.Verdict == geom.Contact {
		t = clearance.Instant{Contact: true, Lo: q.T0, Hi: q.T0}
	}
	return t, true
}

package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/simd/solid"
)

// separating returns a time, at most h, before which two triangles within the tolerance come no
// nearer than they are, and from some earlier time on keep more than the separation; 0 where that
// is not proven. v is the relative velocity of their near points, and n the direction that the
// nearest features give, if ok. Other directions are tried where it fails: near points that
// coincide give none.
func (l *leaf) separating(q *query, f *posePair, v r3.Vec, n turning, ok bool, h float64) float64 {
	write(&l.A, l.rows[:solid.TriangleLen], &l.va, &l.wa)
	write(&l.B, l.rows[solid.TriangleLen:], &l.vb, &l.wb)
	if ok && geom.Dot(n.n0, v) > 0 {
		if step := l.separatingAlong(q, f, &n, h); step > 0 {
			return step
		}
	}
	best := 0.0
	l.directions(q, func(n turning) {
		if geom.Dot(n.n0, v) > 0 {
			best = max(best, l.separatingAlong(q, f, &n, h))
		}
	})
	return best
}

// separatingAlong is separating along one direction.
//
// As in advance, every pair of corners has the gap d + v s - k s^2 or more, here in excess of the
// goal. Each is concave in s. Where d > 0 it stays positive until its root. Where d <= 0 < v it is
// at least d until it is 0 again, after its peak, if that is above 0: until the second root. So
// until the least of these roots no gap along n is less than the goal, or than it is at s = 0; and
// from the greatest of the first roots on all are above the goal. If that comes before the least
// root, or no root before h, the triangles separate.
//
// A gap at s = 0 that is below the triangles' distance, or the separation where that is less, by
// more than the margin does not bound their distance: n is a bad direction, or they intersect.
// Triangles that touch up to rounding may overlap by as much.
func (l *leaf) separatingAlong(q *query, f *posePair, n *turning, h float64) float64 {
	t := l.turn(q, f, n, h)
	low := l.low - f.goal
	n0, n1 := n.n0, n.n1
	from, until := 0.0, t.Span
	for i := range 3 {
		for j := range 3 {
			p, move := r3.Sub(l.B.P[j], l.A.P[i]), r3.Sub(l.vb[j], l.va[i])
			d := geom.Dot(n0, p) - f.goal
			v := geom.Dot(n0, move) + geom.Dot(n1, p) - t.VLess
			k := max(float64(t.KA*l.wa[i])+float64(t.KB*l.wb[j])-geom.Dot(n1, move)+t.KMore, 0)
			if d > 0 {
				until = min(until, root(d, v, k, t.Span))
				continue
			}
			if d < low || !(v > 0) {
				return 0
			}
			first, second := crossings(d, v, k, t.Span)
			from, until = max(from, first), min(until, second)
		}
	}
	if until > from || until >= t.Span {
		return until
	}
	return 0
}

// lowest returns the least gap at TMin of a direction that may say how triangles part: what they
// keep, their distance or the separation where that is less, but for the margin; or what rounding
// of the caller's poses lets them overlap by, where the near points are one but for that. The
// distance is that of refined points: of edges that are nearly parallel the others may be too far
// apart.
func (l *leaf) lowest(q *query, f *posePair) float64 {
	near := l.Near
	l.Refine()
	d := math.Sqrt(l.Near.D2)
	l.Near = near
	if rounding := f.margin + q.grain; d <= rounding {
		return -rounding
	}
	return min(d, q.separation) - f.margin
}

// crossings bounds the times at which d + v s - k s^2, for d <= 0 < v and k >= 0, rises above 0 and
// returns to 0, both at most h. Where its peak is not above 0, first is h, and second is when it
// returns to d.
func crossings(d, v, k, h float64) (first, second float64) {
	// Products and sums of the discriminant err by less than 4u of this.
	size := float64(v*v) + float64(4*k*-d)
	r := float64(v*v) + float64(4*float64(k*d)) - float64(0x1p-50*size)
	if !(r > 0) {
		if back := float64(v * shrink); back < float64(k*h) {
			return h, back / k
		}
		return h, h
	}
	r = math.Sqrt(r)
	first = float64(-d / (v + r) * (2 * stretch))
	second = h
	if back := float64((v + r) * (shrink / 2)); back < float64(k*h) {
		second = back / k
	}
	return min(first, h), second
}

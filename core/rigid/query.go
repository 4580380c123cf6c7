package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/simd/solid"
)

// A bodyState is one body of a query with its motion made ready: R(t) = p + cos(wt) q + sin(wt) s,
// in floats.
type bodyState struct {
	body    *Body
	p, q, s geom.Mat
	spin    r3.Vec
	pivot   r3.Vec
	hi, lo  float64 // the rate |spin| as a pair
	rate    float64 // the rate, rounded up
	radius  float64 // the radius of a ball about the pivot that holds the body
}

// turnBound bounds |fl(R(t)) - R(t)| in the Frobenius norm, whatever t is.
//
// Let R0 be the computed matrix of the rotation at t = 0. It is off by 9u an entry, 27u in all,
// which R(t), a rotation times it, passes on as it is. The axis a, a quotient of doubles one of
// which is rounded, errs by 2u. The row a^T R0 errs by 2u and, three inner products of 3u each,
// 5.2u; p = a (a^T R0) by 2u + 7.2u + u = 10.2u. q = R0 - p errs by as much and rounds by 1.5u;
// since p + cos q = (1 - cos) p + cos R0, p's error counts at most twice: 22u. s = [a]x R0 errs by
// 2u, its two products and difference by 6u: 8u. The sine and the cosine err by 2.5u each, times
// |q|, |s| <= 1.5: 7.5u. Evaluating the sum rounds four times, each by at most 1.8u. Together 27 +
// 22 + 8 + 7.5 + 7.2 < 72u; 80u leaves room for second order.
const turnBound = 80 * 0x1p-53

func (s *bodyState) set(b *Body, m *Motion) {
	*s = bodyState{body: b, spin: m.AngularVelocity, pivot: m.Pivot, radius: b.radiusAbout(m.Pivot),
		p: geom.Rotation(m.Rotation)}
	s.hi, s.lo = m.Rate()
	if s.hi == 0 {
		return
	}
	s.rate = s.hi * (1 + 0x1p-50)
	r := s.p
	a := r3.Vec{X: m.AngularVelocity.X / s.hi, Y: m.AngularVelocity.Y / s.hi, Z: m.AngularVelocity.Z / s.hi}
	row := r.ApplyTransposed(a)
	s.p = geom.Mat{X: geom.Scale(a.X, row), Y: geom.Scale(a.Y, row), Z: geom.Scale(a.Z, row)}
	s.q = geom.Mat{X: r3.Sub(r.X, s.p.X), Y: r3.Sub(r.Y, s.p.Y), Z: r3.Sub(r.Z, s.p.Z)}
	mix := func(x float64, u r3.Vec, y float64, v r3.Vec) r3.Vec {
		return r3.Sub(geom.Scale(x, u), geom.Scale(y, v))
	}
	s.s = geom.Mat{X: mix(a.Y, r.Z, a.Z, r.Y), Y: mix(a.Z, r.X, a.X, r.Z), Z: mix(a.X, r.Y, a.Y, r.X)}
}

// angle returns the sine and the cosine of the angle by which the body has turned at the time t.
func (s *bodyState) angle(t float64) (sin, cos float64) {
	if s.hi == 0 {
		return 0, 1 // The body does not turn: q and s are 0.
	}
	hi := s.hi * t
	lo := math.FMA(s.hi, t, -hi) + float64(s.lo*t)
	return num.Sincos(hi, lo)
}

// turned is the body's rotation after that angle.
func (s *bodyState) turned(sin, cos float64, r *geom.Mat) {
	r.X = row(&s.p.X, &s.q.X, &s.s.X, cos, sin)
	r.Y = row(&s.p.Y, &s.q.Y, &s.s.Y, cos, sin)
	r.Z = row(&s.p.Z, &s.q.Z, &s.s.Z, cos, sin)
}

func row(p, q, s *r3.Vec, cos, sin float64) r3.Vec {
	return r3.Vec{
		X: p.X + (float64(cos*q.X) + float64(sin*s.X)),
		Y: p.Y + (float64(cos*q.Y) + float64(sin*s.Y)),
		Z: p.Z + (float64(cos*q.Z) + float64(sin*s.Z)),
	}
}

// A query is two sides seen from A's pivot: B's pivot is at x0 + t v, both exact as pairs of
// doubles.
type query struct {
	a, b   bodyState
	x0, v  r3.Vec
	xl, vl r3.Vec // low parts
	speed  float64

	// The margins, derived in docs/proofs/rigid.md: the error of a gap between boxes or corners is
	// below reach + xMargin |x(t)|, that of its derivative below vMargin, that of the bound on half
	// its second derivative below kMargin.
	reach, vMargin, kMargin float64
	separation              float64
	grain                   float64 // bounds the rounding of both poses at TMin

	course solid.RelativeMotion // both motions at the time of the poses computed last, for boxes
	angles solid.Angles         // the angles by which both have turned at that time
}

const (
	posMargin  = 1024 * 0x1p-53 // times the radii
	xMargin    = 16 * 0x1p-53   // times the distance of the pivots, and their relative speed
	pairMargin = 0x1p-100       // times what the pairs lose in their low parts
	tiny       = 0x1p-800       // underflow: less than 2^10 operations, each times at most 2^200 and off by 2^-1074
	stretch    = 1 + 0x1p-44    // directions are units up to 2^-45
	shrink     = 1 - 0x1p-46    // makes a computed root a lower bound
)

// set prepares the query for times within [t0, t1].
func (q *query) set(a, b *Body, ma, mb *Motion, o *Options) {
	q.a.set(a, ma)
	q.b.set(b, mb)
	diff := func(x, y float64, hi, lo *float64) { *hi, *lo = num.TwoDiff(x, y) }
	for _, c := range []struct{ b, a, hi, lo *float64 }{
		{&mb.Position.X, &ma.Position.X, &q.x0.X, &q.xl.X}, {&mb.Position.Y, &ma.Position.Y, &q.x0.Y, &q.xl.Y},
		{&mb.Position.Z, &ma.Position.Z, &q.x0.Z, &q.xl.Z}, {&mb.Velocity.X, &ma.Velocity.X, &q.v.X, &q.vl.X},
		{&mb.Velocity.Y, &ma.Velocity.Y, &q.v.Y, &q.vl.Y}, {&mb.Velocity.Z, &ma.Velocity.Z, &q.v.Z, &q.vl.Z},
	} {
		diff(*c.b, *c.a, c.hi, c.lo)
	}
	q.speed = geom.Norm(q.v) * (1 + 0x1p-50)
	q.separation = o.MinSeparation
	ra, rb, wa, wb := q.a.radius, q.b.radius, q.a.rate, q.b.rate
	span := geom.Norm(q.x0) + float64(q.speed*max(math.Abs(o.TMin), math.Abs(o.TMax)))
	q.reach = float64(posMargin*(ra+rb)) + float64(pairMargin*span) + tiny
	q.vMargin = float64(posMargin*(float64(wa*ra)+float64(wb*rb))) + float64(xMargin*q.speed) + tiny
	q.kMargin = float64(posMargin*(float64(wa*wa*ra)+float64(wb*wb*rb))) + tiny
	q.angles = solid.Angles{Hi: [2]float64{q.a.hi, q.b.hi}, Lo: [2]float64{q.a.lo, q.b.lo}}
	q.chart()
}

// A posePair is both bodies at one time, up to rounding.
type posePair struct {
	t      float64
	x      r3.Vec
	margin float64  // the error of a gap
	same   float64  // near points no farther apart are one but for rounding, as law 9 (b) calls it
	goal   float64  // a computed gap above it is a true one above the separation
	a      geom.Mat // A's rotation, of a search over a mesh alone
}

func (q *query) poses(t float64, f *posePair) {
	f.t = t
	q.angles.T = t
	q.course.Turn(&q.angles)
	f.x = q.between(t)
	f.margin = q.reach + float64(xMargin*geom.Norm(f.x))
	f.same = 0.25 * f.margin
	f.goal = (q.separation + f.margin) * stretch
	q.chartTime(f)
}

// between returns the way from A's pivot to B's.
func (q *query) between(t float64) r3.Vec {
	return r3.Vec{
		X: math.FMA(q.v.X, t, q.x0.X) + (float64(q.vl.X*t) + q.xl.X),
		Y: math.FMA(q.v.Y, t, q.x0.Y) + (float64(q.vl.Y*t) + q.xl.Y),
		Z: math.FMA(q.v.Z, t, q.x0.Z) + (float64(q.vl.Z*t) + q.xl.Z),
	}
}

// root returns a time before which d + v s - k s^2 stays positive, for k >= 0, at most h. Sums of
// terms of one sign and roots err by few u, which shrink covers. Where a term is NaN, which no
// input within the limits brings about, it is 0.
func root(d, v, k, h float64) float64 {
	if !(d > 0) {
		return 0
	}
	s := 0.0
	r := math.Sqrt(float64(v*v) + float64(4*float64(k*d)))
	if v < 0 {
		s = float64(d / (r - v) * (2 * shrink)) // Compilers would turn 2 d into d + d, and fuse the sum.
	} else if k > 0 {
		s = float64((r + v) / k * (shrink / 2))
	} else if v >= 0 && k == 0 {
		s = h
	}
	switch {
	case s >= h:
		return h
	case s > 0:
		return s
	}
	return 0
}

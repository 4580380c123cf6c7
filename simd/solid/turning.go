package solid

import (
	"math"

	"ccd/simd/internal/vec"
)

// spun bounds the velocity of a box's points about its center: |W x r|, whose square |W|^2 |r|^2 -
// (W.r)^2 is convex in r, so that a corner has the most. |W.r| is least at one of those where the
// signs of its three parts are not all alike.
func spun(spin vec.Vec3, rate float64, b *placed) float64 {
	whole := vec.Vec3{X: float64(rate * b.h.X), Y: float64(rate * b.h.Y), Z: float64(rate * b.h.Z)}
	most := vec.Dot(whole, whole)
	x := float64(math.Abs(vec.Dot(spin, b.x)) * b.h.X)
	y := float64(math.Abs(vec.Dot(spin, b.y)) * b.h.Y)
	z := float64(math.Abs(vec.Dot(spin, b.z)) * b.h.Z)
	along := lesser(lesser(math.Abs((y+z)-x), math.Abs((z+x)-y)), math.Abs((x+y)-z))
	square := (most - float64(along*along)) + (float64(advanceSpun*most) + advanceLost)
	return lesser(math.Sqrt(square), rate*b.r)
}

// carried returns a time before which the gap along the best axis stays positive if that turns with
// its body, the carrier, for as long as a bound with signs looks ahead.
//
// Seen by the carrier its own box rests. The center of the other box goes at the rate u along the
// axis, with an acceleration and a bound on what that changes by. Each of its corners goes about
// the center at a rate of its own, and bends by what both turns bring about. So the gap is at least
//
//	f(s) = d + v s - sum H |p + s q| + sum H |p| - k s^2,
//
// with p and q what the axes of the other box are along the one at hand, and their rates. f is
// concave. With the signs that p has at first it comes down to 0 at r. What corners that overtake
// others take from it by r is the loss, and up to r no more than that in proportion.
// docs/proofs/rigid.md (Nodes that turn) has the constants.
func (s *slabs) carried(m *RelativeMotion, lane int, a, b *placed) float64 {
	rest, moves, flip := a, b, 1.0
	if s.ofB {
		rest, moves, flip = b, a, -1
	}
	speed, rates := m[MotionSpeed][lane], a.rate+b.rate
	lost := m[MotionVMargin][lane] + float64(float64(2*rates)*m[MotionMargin][lane])
	apart := m[MotionApart][lane]
	bend := float64(apart * (moves.spun + float64(rest.rate*moves.r)))
	most := (m[MotionKMargin][lane] + bend) + float64(float64(2*rates)*lost)
	about := float64(float64(0.5*most) * advanceStretch)
	way := m[MotionWay][lane] + float64(m[MotionSpan][lane]*speed)
	jerk := float64(float64(float64(advanceSixth*rest.rate)*rest.rate) * (float64(3*speed) + float64(rest.rate*way)))
	jerk += float64(float64(float64(float64(advanceSixth*apart)*rates)*rates) * (moves.far + m[MotionMargin][lane]))

	n := times(math.Copysign(1, vec.Dot(s.axis, s.g)), s.axis)
	u := vec.Minus(s.gd, vec.Cross(rest.spin, s.g))
	along := vec.Dot(n, vec.Minus(s.accel, vec.Cross(rest.spin, vec.Plus(u, s.gd))))
	h := lesser(float64(advanceAhead*s.best), s.h)
	k := greater((about-float64(0.5*along))+float64(jerk*h), 0)
	turn := times(flip, vec.Cross(n, m.vec(MotionD, lane)))
	p := vec.Vec3{X: vec.Dot(n, moves.x), Y: vec.Dot(n, moves.y), Z: vec.Dot(n, moves.z)}
	q := vec.Vec3{
		X: float64(math.Copysign(1, p.X) * vec.Dot(turn, moves.x)),
		Y: float64(math.Copysign(1, p.Y) * vec.Dot(turn, moves.y)),
		Z: float64(math.Copysign(1, p.Z) * vec.Dot(turn, moves.z)),
	}
	v := (vec.Dot(n, u) - lost) - vec.Dot(moves.h, q)
	r := advanceRoot(s.d, v, k, h)
	over := vec.Vec3{
		X: lesser(math.Abs(p.X)+float64(r*q.X), 0),
		Y: lesser(math.Abs(p.Y)+float64(r*q.Y), 0),
		Z: lesser(math.Abs(p.Z)+float64(r*q.Z), 0),
	}
	return lesser(advanceRoot(s.d, v+float64(2*vec.Dot(moves.h, over))/r, k, h), r)
}

func times(x float64, v vec.Vec3) vec.Vec3 {
	return vec.Vec3{X: float64(x * v.X), Y: float64(x * v.Y), Z: float64(x * v.Z)}
}

// signed returns a time before which a gap stays positive, for a rate v and an acceleration a of
// the centers at first, known to stay so until a time r. It looks ahead to some multiple of r:
// until then the gap is at least d + v s - k s^2, with k made of the acceleration, of what that may
// change by, and of what points accelerate about the centers.
func (s *slabs) signed(d, v, a, r float64) float64 {
	h := lesser(float64(advanceAhead*r), s.h)
	k := greater((s.about-float64(0.5*a))+float64(s.jerk*h), 0)
	return advanceRoot(d, v, k, h)
}

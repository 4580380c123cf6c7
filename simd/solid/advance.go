package solid

import (
	"math"

	"ccd/simd/internal/vec"
)

// SiblingBoxes are the two boxes of the children of a node: row by row, the numbers BoxC to BoxR of
// both.
type SiblingBoxes [BoxLen][2]float64

// Rows of SiblingBoxes: the center, three axes, the half extents along them, and the radius of a
// ball about the center.
const (
	BoxC   = 0
	BoxX   = 3
	BoxY   = 6
	BoxZ   = 9
	BoxH   = 12
	BoxR   = 15
	BoxLen = 16
)

// RelativeMotion holds the motions of two bodies at one time, as rows of four numbers. Where each
// body has its own number, the first two are A's and the last two B's; from MotionGoal on all four
// are the same.
type RelativeMotion [MotionLen][4]float64

// Rows of a RelativeMotion. At that time a body is rotated by P + (cos Q + sin S), matrices by
// rows, about Pivot, which is at X and moves with the velocity V; Spin is its angular velocity, of
// magnitude Rate. A's X and V are 0.
const (
	MotionP     = 0
	MotionQ     = 9
	MotionS     = 18
	MotionPivot = 27
	MotionSpin  = 30
	MotionV     = 33
	MotionX     = 36
	MotionSin   = 39
	MotionCos   = 40
	MotionRate  = 41

	MotionGoal    = 42 // what a gap must exceed
	MotionMargin  = 43 // the error of a gap along a product of axes, before it is scaled
	MotionVMargin = 44 // the error of a gap's derivative
	MotionKMargin = 45 // the error of the sum of accelerations
	MotionSpeed   = 46 // an upper bound of the speed of the pivots
	MotionSpan    = 47 // times beyond it do not matter
	MotionD       = 48 // B's angular velocity less A's; this row and those that follow are read by AdvanceTurning alone
	MotionApart   = 51 // an upper bound of its magnitude
	MotionWay     = 52 // an upper bound of the distance of the pivots
	MotionLen     = 53
)

// Advance writes to out, for the four pairs of a box of A and a box of B, in the order (0,0),
// (0,1), (1,0), (1,1), a time before which the pair's gap stays above the goal, at most the span.
// Pairs whose bits are not in want may be left out.
//
// With g from A's center to B's, g' its derivative, and acc the sum of the bounds |spin||spin x
// arm| on the centers' accelerations, a pair takes the greatest of these times: balls of the radii
// stay apart along the line of centers, or while |g + s g'| exceeds the radii and what
// accelerations do; and, unless the balls alone come far, boxes along one of their axes or, if even
// that is not far, along a product of these, where the gap is at least d + v s - k s^2. The plain
// Go below says it number by number; core/rigid/node.go proves it.
func Advance(m *RelativeMotion, a, b *SiblingBoxes, want uint8, out *[4]float64) {
	advance(m, a, b, uint32(want)^15, out)
}

// AdvanceTurning is Advance with sharper bounds, which take 1.2 to 1.4 times as long: what turns is
// no more than the corners of a box sweep, in place of its ball; the best of the axes turns with
// its body, and each corner of the other box counts along it with its own rate; and along the
// products of axes the acceleration of the centers counts with its sign.
func AdvanceTurning(m *RelativeMotion, a, b *SiblingBoxes, want uint8, out *[4]float64) {
	advanceTurning(m, a, b, uint32(want)^15, out)
}

const (
	advanceShrink   = 1 - 0x1p-46 // a computed root is this much safe
	advanceStretch  = 1 + 0x1p-44 // bounds are widened by as much
	advanceParallel = 1e-4        // the square of a sine below which two axes make no direction of their own
	advanceAhead    = 8.0         // so many times as far as a constant bound lasts, a bound with signs is used
	advanceSixth    = 0.17        // above 1/6
	advanceSpun     = 0x1p-43     // the error of the square of a speed about a center, times that of the corners
	advanceLost     = 0x1p-1000   // what squares lose to underflow
)

// body is a column of a RelativeMotion: one motion at one time.
type body struct {
	r           [3]vec.Vec3
	pivot, spin vec.Vec3
	x, v        vec.Vec3
	rate        float64
}

func (m *RelativeMotion) vec(row, lane int) vec.Vec3 {
	return vec.Vec3{X: m[row][lane], Y: m[row+1][lane], Z: m[row+2][lane]}
}

func (m *RelativeMotion) body(lane int) (b body) {
	b = body{pivot: m.vec(MotionPivot, lane), spin: m.vec(MotionSpin, lane), x: m.vec(MotionX, lane),
		v:    m.vec(MotionV, lane),
		rate: m[MotionRate][lane]}
	sin, cos := m[MotionSin][lane], m[MotionCos][lane]
	for i := range b.r {
		p, q, s := m.vec(MotionP+3*i, lane), m.vec(MotionQ+3*i, lane), m.vec(MotionS+3*i, lane)
		b.r[i] = vec.Vec3{
			X: p.X + (float64(cos*q.X) + float64(sin*s.X)),
			Y: p.Y + (float64(cos*q.Y) + float64(sin*s.Y)),
			Z: p.Z + (float64(cos*q.Z) + float64(sin*s.Z)),
		}
	}
	return b
}

func (b *body) turn(v vec.Vec3) vec.Vec3 {
	return vec.Vec3{X: vec.Dot(b.r[0], v), Y: vec.Dot(b.r[1], v), Z: vec.Dot(b.r[2], v)}
}

// placed is a box at a time.
type placed struct {
	c, v    vec.Vec3 // the center and its velocity
	x, y, z vec.Vec3 // axes
	h       vec.Vec3
	r       float64
	acc     float64 // bounds the center's acceleration
	spun    float64 // bounds the velocity of the box's points about the center
	acc2    float64 // bounds their acceleration about the center
	accel   vec.Vec3
	spin    vec.Vec3
	rate    float64
	far     float64 // the distance of the center from its pivot
}

// place writes a box at the time of the motion; turning: with the bounds that AdvanceTurning needs.
func (b *body) place(t *SiblingBoxes, k int, turning bool, p *placed) {
	at := func(row int) vec.Vec3 { return vec.Vec3{X: t[row][k], Y: t[row+1][k], Z: t[row+2][k]} }
	arm := b.turn(vec.Minus(at(BoxC), b.pivot))
	turn := vec.Cross(b.spin, arm)
	p.c, p.v = vec.Plus(arm, b.x), vec.Plus(turn, b.v)
	p.x, p.y, p.z = b.turn(at(BoxX)), b.turn(at(BoxY)), b.turn(at(BoxZ))
	p.h, p.r = at(BoxH), t[BoxR][k]
	p.acc = b.rate * math.Sqrt(vec.Dot(turn, turn))
	p.spun = b.rate * p.r
	if turning {
		p.accel, p.rate, p.spin = vec.Cross(b.spin, turn), b.rate, b.spin
		p.far = math.Sqrt(vec.Dot(arm, arm))
		p.spun = spun(b.spin, b.rate, p)
	}
	p.acc2 = b.rate * p.spun
}

func advanceGeneric(m *RelativeMotion, a, b *SiblingBoxes, want uint8, turning bool, out *[4]float64) {
	var pa, pb [2]placed
	ma, mb := m.body(0), m.body(2)
	for k := range 2 {
		if want>>(2*k)&3 != 0 {
			ma.place(a, k, turning, &pa[k])
		}
		if want>>k&5 != 0 {
			mb.place(b, k, turning, &pb[k])
		}
	}
	for i := range out {
		if want>>i&1 != 0 {
			out[i] = advancePair(m, 0, &pa[i>>1], &pb[i&1], turning)
		}
	}
}

// advancePair is Advance, or AdvanceTurning, for one pair; the rows from MotionGoal on are read in
// a lane.
func advancePair(m *RelativeMotion, lane int, a, b *placed, turning bool) float64 {
	s := slabs{turning: turning, g: vec.Minus(b.c, a.c), gd: vec.Minus(b.v, a.v), goal: m[MotionGoal][lane],
		margin: m[MotionMargin][lane], h: m[MotionSpan][lane]}
	balls := a.r + b.r
	acc := (a.acc + b.acc) + m[MotionKMargin][lane]
	speed := m[MotionSpeed][lane]
	if g2 := vec.Dot(s.g, s.g); g2 > float64(balls*balls) {
		s.balls(g2, balls, acc, m[MotionVMargin][lane])
		if s.best >= s.h || float64(s.best*speed) > float64(0.5*balls) {
			return s.best
		}
	}
	s.rot = (a.spun + b.spun) + m[MotionVMargin][lane]
	s.k = float64(0.5*((acc+a.acc2)+b.acc2)) * advanceStretch
	first := s.best
	if turning {
		kMargin := m[MotionKMargin][lane]
		s.accel = vec.Minus(b.accel, a.accel)
		s.about = float64(0.5*((kMargin+a.acc2)+b.acc2)) * advanceStretch
		s.jerk = float64(advanceSixth * (float64(a.rate*(a.acc+kMargin)) + float64(b.rate*(b.acc+kMargin))))
		s.best = 0
	}
	c := s.faces(a, b)
	if turning {
		s.best = greater(s.carried(m, lane, a, b), s.best)
		s.best = greater(first, s.best)
	}
	if s.best < s.h && float64(s.best*speed) < float64(0.1*balls) {
		s.edges(a, b, &c)
	}
	return s.best
}

// slabs looks for the direction along which two boxes stay apart longest.
type slabs struct {
	g, gd        vec.Vec3
	goal, margin float64
	rot, k, h    float64
	best         float64

	turning bool     // the fields below are in use
	accel   vec.Vec3 // the acceleration of B's center less that of A's
	about   float64  // half of what points accelerate about the centers, with the margin
	jerk    float64  // a sixth of what the accelerations of the centers may change by
	d       float64  // the gap along the best axis
	axis    vec.Vec3 // that axis
	ofB     bool     // whether it is one of B's
}

// balls are the balls around both boxes, by both of their bounds.
func (s *slabs) balls(g2, balls, acc, vMargin float64) {
	balls += s.goal
	gv := vec.Dot(s.g, s.gd)
	l := math.Sqrt(g2)
	d := l - balls
	s.best = advanceRoot(d, gv/l-vMargin, float64(0.5*acc)*advanceStretch, s.h)
	if s.best == 0 || s.best >= s.h {
		return
	}
	h1 := s.h
	if float64(float64(acc*s.h)*s.h) > d {
		h1 = math.Sqrt(d / acc)
	}
	if h1 <= s.best {
		return
	}
	balls += float64(float64((float64(float64(0.5*acc)*h1)+vMargin)*h1) * advanceStretch)
	speed2 := vec.Dot(s.gd, s.gd)
	size := g2 + float64(balls*balls)
	c := (g2 - float64(balls*balls)) - float64(0x1p-49*size)
	if !(c > 0) {
		return
	}
	if gv >= 0 {
		if gv > float64(0x1p-50*math.Sqrt(g2*speed2)) {
			s.best = h1
		}
		return
	}
	disc := (float64(gv*gv) - float64(speed2*c)) + float64(float64(0x1p-47*speed2)*size)
	if disc < 0 {
		s.best = h1
		return
	}
	if t := float64(c/(math.Sqrt(disc)-gv)) * advanceShrink; t < h1 {
		s.best = greater(t, s.best)
	} else {
		s.best = h1
	}
}

// advanceRoot returns a time before which d + v s - k s^2 stays positive, for k >= 0, at most h; 0
// where v and k are 0.
func advanceRoot(d, v, k, h float64) float64 {
	if !(d > 0) {
		return 0
	}
	r := math.Sqrt(float64(v*v) + float64(float64(4*k)*d))
	var s float64
	if v < 0 {
		s = d / (r - v) * (2 * advanceShrink)
	} else {
		s = (r + v) / k * (0.5 * advanceShrink)
	}
	switch {
	case s >= h:
		return h
	case s > 0:
		return s
	}
	return 0
}

// lesser returns the smaller number, as the instruction has it.
func lesser(x, y float64) float64 {
	if x < y {
		return x
	}
	return y
}

// greater returns the larger number, as the instruction has it.
func greater(x, y float64) float64 {
	if x > y {
		return x
	}
	return y
}

// gap returns what the gap along a direction n of length 1/scale is beyond the goal, with the
// boxes' reach along n, and its rate.
func (s *slabs) gap(n vec.Vec3, scale, along, reach float64) (d, v float64) {
	d = float64((math.Abs(along)-reach)*scale) - s.goal
	return d, float64(math.Copysign(scale, along)*vec.Dot(n, s.gd)) - s.rot
}

// face tries an axis n of A, or of B, with the boxes' reach along it.
func (s *slabs) face(n vec.Vec3, along, reach float64, ofB bool) {
	d, v := s.gap(n, 1, along, reach)
	if !(d > 0) {
		return
	}
	// Where the gap is certainly negative at the best time, its root comes before, and so does the
	// computed one, which is safe.
	if fall := float64(s.best * (float64(s.k*s.best) +
		math.Abs(v))); d+float64(s.best*(v-float64(s.k*s.best))) < -0x1p-50*(d+fall) {
		return
	}
	r := advanceRoot(d, v, s.k, s.h)
	if r <= s.best {
		return
	}
	s.best = r
	if s.turning {
		s.d, s.axis, s.ofB = d, n, ofB
	}
}

// faces tries the axes of both boxes and returns the magnitudes of their inner products, for edges.
func (s *slabs) faces(a, b *placed) (c [3]vec.Vec3) {
	abs := func(n vec.Vec3, p *placed) vec.Vec3 {
		return vec.Vec3{X: math.Abs(vec.Dot(n, p.x)), Y: math.Abs(vec.Dot(n, p.y)), Z: math.Abs(vec.Dot(n, p.z))}
	}
	c = [3]vec.Vec3{abs(a.x, b), abs(a.y, b), abs(a.z, b)}
	s.face(a.x, vec.Dot(a.x, s.g), a.h.X+vec.Dot(b.h, c[0]), false)
	s.face(a.y, vec.Dot(a.y, s.g), a.h.Y+vec.Dot(b.h, c[1]), false)
	s.face(a.z, vec.Dot(a.z, s.g), a.h.Z+vec.Dot(b.h, c[2]), false)
	s.face(b.x, vec.Dot(b.x, s.g), b.h.X+vec.Dot(vec.Vec3{X: c[0].X, Y: c[1].X, Z: c[2].X}, a.h), true)
	s.face(b.y, vec.Dot(b.y, s.g), b.h.Y+vec.Dot(vec.Vec3{X: c[0].Y, Y: c[1].Y, Z: c[2].Y}, a.h), true)
	s.face(b.z, vec.Dot(b.z, s.g), b.h.Z+vec.Dot(vec.Vec3{X: c[0].Z, Y: c[1].Z, Z: c[2].Z}, a.h), true)
	return c
}

// edges tries the nine products of the axes. For n = u x w, |n . x| = |w . (x x u)|: with a frame's
// axes in order these are inner products that faces has computed, up to the frames' error. That is
// within the margin of a gap, here before n is scaled to length 1, so edge takes the margin off
// before.
func (s *slabs) edges(a, b *placed, c *[3]vec.Vec3) {
	ha, hb := &a.h, &b.h
	s.edge(a.x, b.x, four(ha.Y, c[2].X, ha.Z, c[1].X, hb.Y, c[0].Z, hb.Z, c[0].Y))
	s.edge(a.x, b.y, four(ha.Y, c[2].Y, ha.Z, c[1].Y, hb.Z, c[0].X, hb.X, c[0].Z))
	s.edge(a.x, b.z, four(ha.Y, c[2].Z, ha.Z, c[1].Z, hb.X, c[0].Y, hb.Y, c[0].X))
	s.edge(a.y, b.x, four(ha.Z, c[0].X, ha.X, c[2].X, hb.Y, c[1].Z, hb.Z, c[1].Y))
	s.edge(a.y, b.y, four(ha.Z, c[0].Y, ha.X, c[2].Y, hb.Z, c[1].X, hb.X, c[1].Z))
	s.edge(a.y, b.z, four(ha.Z, c[0].Z, ha.X, c[2].Z, hb.X, c[1].Y, hb.Y, c[1].X))
	s.edge(a.z, b.x, four(ha.X, c[1].X, ha.Y, c[0].X, hb.Y, c[2].Z, hb.Z, c[2].Y))
	s.edge(a.z, b.y, four(ha.X, c[1].Y, ha.Y, c[0].Y, hb.Z, c[2].X, hb.X, c[2].Z))
	s.edge(a.z, b.z, four(ha.X, c[1].Z, ha.Y, c[0].Z, hb.X, c[2].Y, hb.Y, c[2].X))
}

func four(a, b, c, d, e, f, g, h float64) float64 {
	return (float64(a*b) + float64(c*d)) + (float64(e*f) + float64(g*h))
}

func (s *slabs) edge(u, w vec.Vec3, reach float64) {
	n := vec.Cross(u, w)
	along := vec.Dot(n, s.g)
	reach += s.margin
	if math.Abs(along) <= reach {
		return // d is below 0
	}
	if l2 := vec.Dot(n, n); l2 > advanceParallel {
		scale := 1 / math.Sqrt(l2)
		d, v := s.gap(n, scale, along, reach)
		r := advanceRoot(d, v, s.k, s.h)
		if s.turning {
			r = greater(s.signed(d, v, float64(math.Copysign(scale, along)*vec.Dot(n, s.accel)), r), r)
		}
		s.best = greater(r, s.best)
	}
}

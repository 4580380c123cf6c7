package simd

import "math"

// body is a column of a RelativeMotion: one motion at one time.
type body struct {
	r           [3]vec3
	pivot, spin vec3
	x, v        vec3
	rate        float64
}

func (m *RelativeMotion) vec(row, lane int) vec3 {
	return vec3{m[row][lane], m[row+1][lane], m[row+2][lane]}
}

func (m *RelativeMotion) body(lane int) (b body) {
	b = body{pivot: m.vec(MotionPivot, lane), spin: m.vec(MotionSpin, lane), x: m.vec(MotionX, lane), v: m.vec(MotionV, lane),
		rate: m[MotionRate][lane]}
	sin, cos := m[MotionSin][lane], m[MotionCos][lane]
	for i := range b.r {
		p, q, s := m.vec(MotionP+3*i, lane), m.vec(MotionQ+3*i, lane), m.vec(MotionS+3*i, lane)
		b.r[i] = vec3{
			p.x + (float64(cos*q.x) + float64(sin*s.x)),
			p.y + (float64(cos*q.y) + float64(sin*s.y)),
			p.z + (float64(cos*q.z) + float64(sin*s.z)),
		}
	}
	return b
}

func (b *body) turn(v vec3) vec3 { return vec3{dot(b.r[0], v), dot(b.r[1], v), dot(b.r[2], v)} }

// placed is a box at a time.
type placed struct {
	c, v    vec3 // the center and its velocity
	x, y, z vec3 // axes
	h       vec3
	r       float64
	acc     float64 // bounds the center's acceleration
	spun    float64 // bounds the velocity of the box's points about the center
	acc2    float64 // bounds their acceleration about the center
}

func (b *body) place(t *SiblingBoxes, k int, p *placed) {
	vec := func(row int) vec3 { return vec3{t[row][k], t[row+1][k], t[row+2][k]} }
	arm := b.turn(minus(vec(BoxC), b.pivot))
	turn := cross(b.spin, arm)
	p.c, p.v = plus(arm, b.x), plus(turn, b.v)
	p.x, p.y, p.z = b.turn(vec(BoxX)), b.turn(vec(BoxY)), b.turn(vec(BoxZ))
	p.h, p.r = vec(BoxH), t[BoxR][k]
	p.acc = b.rate * math.Sqrt(dot(turn, turn))
	p.spun = b.rate * p.r
	p.acc2 = b.rate * p.spun
}

func advanceGeneric(m *RelativeMotion, a, b *SiblingBoxes, want uint8, out *[4]float64) {
	var pa, pb [2]placed
	ma, mb := m.body(0), m.body(2)
	for k := range 2 {
		if want>>(2*k)&3 != 0 {
			ma.place(a, k, &pa[k])
		}
		if want>>k&5 != 0 {
			mb.place(b, k, &pb[k])
		}
	}
	for i := range out {
		if want>>i&1 != 0 {
			out[i] = advancePair(m, &pa[i>>1], &pb[i&1])
		}
	}
}

// advancePair is Advance for one pair.
func advancePair(m *RelativeMotion, a, b *placed) float64 {
	s := slabs{g: minus(b.c, a.c), gd: minus(b.v, a.v), goal: m[MotionGoal][0], margin: m[MotionMargin][0], h: m[MotionSpan][0]}
	balls := a.r + b.r
	acc := (a.acc + b.acc) + m[MotionKMargin][0]
	speed := m[MotionSpeed][0]
	if g2 := dot(s.g, s.g); g2 > float64(balls*balls) {
		s.balls(g2, balls, acc, m[MotionVMargin][0])
		if s.best >= s.h || float64(s.best*speed) > float64(0.5*balls) {
			return s.best
		}
	}
	s.rot = (a.spun + b.spun) + m[MotionVMargin][0]
	s.k = float64(0.5*((acc+a.acc2)+b.acc2)) * advanceStretch
	c := s.faces(a, b)
	if s.best < s.h && float64(s.best*speed) < float64(0.1*balls) {
		s.edges(a, b, &c)
	}
	return s.best
}

// slabs looks for the direction along which two boxes stay apart longest.
type slabs struct {
	g, gd        vec3
	goal, margin float64
	rot, k, h    float64
	best         float64
}

// balls are the balls around both boxes, by both of their bounds.
func (s *slabs) balls(g2, balls, acc, vMargin float64) {
	balls += s.goal
	gv := dot(s.g, s.gd)
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
	speed2 := dot(s.gd, s.gd)
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

// advanceRoot is a time before which d + v s - k s^2 stays positive, for k > 0, at most h.
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

// greater is the larger number, as the instruction has it.
func greater(x, y float64) float64 {
	if x > y {
		return x
	}
	return y
}

// try takes a direction n of length 1/scale, with the boxes' reach along n.
func (s *slabs) try(n vec3, scale, along, reach float64) {
	d := float64((math.Abs(along)-reach)*scale) - s.goal
	if !(d > 0) {
		return
	}
	v := float64(math.Copysign(scale, along)*dot(n, s.gd)) - s.rot
	// Where the gap is certainly negative at the best time, its root comes before, and so does the computed one, which is safe.
	if fall := float64(s.best * (float64(s.k*s.best) + math.Abs(v))); d+float64(s.best*(v-float64(s.k*s.best))) < -0x1p-50*(d+fall) {
		return
	}
	s.best = greater(advanceRoot(d, v, s.k, s.h), s.best)
}

// faces tries the axes of both boxes and returns the magnitudes of their inner products, for edges.
func (s *slabs) faces(a, b *placed) (c [3]vec3) {
	abs := func(n vec3, p *placed) vec3 {
		return vec3{math.Abs(dot(n, p.x)), math.Abs(dot(n, p.y)), math.Abs(dot(n, p.z))}
	}
	c = [3]vec3{abs(a.x, b), abs(a.y, b), abs(a.z, b)}
	s.try(a.x, 1, dot(a.x, s.g), a.h.x+dot(b.h, c[0]))
	s.try(a.y, 1, dot(a.y, s.g), a.h.y+dot(b.h, c[1]))
	s.try(a.z, 1, dot(a.z, s.g), a.h.z+dot(b.h, c[2]))
	s.try(b.x, 1, dot(b.x, s.g), b.h.x+dot(vec3{c[0].x, c[1].x, c[2].x}, a.h))
	s.try(b.y, 1, dot(b.y, s.g), b.h.y+dot(vec3{c[0].y, c[1].y, c[2].y}, a.h))
	s.try(b.z, 1, dot(b.z, s.g), b.h.z+dot(vec3{c[0].z, c[1].z, c[2].z}, a.h))
	return c
}

// edges tries the nine products of the axes. For n = u x w, |n . x| = |w . (x x u)|: with a frame's axes in order these are
// inner products that faces has computed, up to the frames' error. That is within the margin of a gap, here before n is scaled
// to length 1, so edge takes the margin off before.
func (s *slabs) edges(a, b *placed, c *[3]vec3) {
	ha, hb := &a.h, &b.h
	s.edge(a.x, b.x, four(ha.y, c[2].x, ha.z, c[1].x, hb.y, c[0].z, hb.z, c[0].y))
	s.edge(a.x, b.y, four(ha.y, c[2].y, ha.z, c[1].y, hb.z, c[0].x, hb.x, c[0].z))
	s.edge(a.x, b.z, four(ha.y, c[2].z, ha.z, c[1].z, hb.x, c[0].y, hb.y, c[0].x))
	s.edge(a.y, b.x, four(ha.z, c[0].x, ha.x, c[2].x, hb.y, c[1].z, hb.z, c[1].y))
	s.edge(a.y, b.y, four(ha.z, c[0].y, ha.x, c[2].y, hb.z, c[1].x, hb.x, c[1].z))
	s.edge(a.y, b.z, four(ha.z, c[0].z, ha.x, c[2].z, hb.x, c[1].y, hb.y, c[1].x))
	s.edge(a.z, b.x, four(ha.x, c[1].x, ha.y, c[0].x, hb.y, c[2].z, hb.z, c[2].y))
	s.edge(a.z, b.y, four(ha.x, c[1].y, ha.y, c[0].y, hb.z, c[2].x, hb.x, c[2].z))
	s.edge(a.z, b.z, four(ha.x, c[1].z, ha.y, c[0].z, hb.x, c[2].y, hb.y, c[2].x))
}

func four(a, b, c, d, e, f, g, h float64) float64 {
	return (float64(a*b) + float64(c*d)) + (float64(e*f) + float64(g*h))
}

func (s *slabs) edge(u, w vec3, reach float64) {
	n := cross(u, w)
	along := dot(n, s.g)
	reach += s.margin
	if math.Abs(along) <= reach {
		return // d is below 0
	}
	if l2 := dot(n, n); l2 > advanceParallel {
		s.try(n, 1/math.Sqrt(l2), along, reach)
	}
}

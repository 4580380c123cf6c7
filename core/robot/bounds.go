package robot

import "math"

// reach bounds, over a whole edge, what the link A of a way does in the frame B: the derivatives of
// a point at the distance r from A's origin are at most c[n] + B_n r, with Bell's polynomials B_n,
// and the computed state errs by what docs/proofs/robot-edges.md derives.
//
// Size: each vector of a state has a bound and an error, and each step of a way changes all.
type reach struct {
	w float64 // sum of the rates of the joints that turn: bounds the angular velocity
	// w2 and w3 are the sums of the second and third derivatives of these joints.
	w2, w3 float64
	// t, c1, c2, c3 bound the distance of A's origin from that of B and its first three
	// derivatives.
	t, c1, c2, c3 float64
	// l bounds the sum of the terms that make up the angular acceleration, and a the terms that
	// make up the acceleration: what their roundings are relative to.
	l, a float64
	// Errors of the rotation (Frobenius norm), the place, and the other vectors of a state.
	er, et, ew, ev, el, ea float64
	// jr and jt bound what the errors of the joints make of a pose: how far a point at the distance
	// r from A's origin is from where it would be without them is at most jt + jr r.
	jr, jt float64
}

// bell returns the bounds of Bell's polynomials of the turns so far: B_2 and B_3.
func (b *reach) bell() (b2, b3 float64) {
	ww := float64(b.w * b.w)
	return ww + b.w2, float64(ww*b.w) + float64(3*b.w*b.w2) + b.w3
}

// move adds an offset of at most this length, known within an error.
func (b *reach) move(length, off float64) {
	wd := float64(b.w * length)
	ewd := float64(b.ew*length) + float64(b.w*off) + float64(4*unit*wd)
	b.ea += float64(b.el*length) + float64(b.l*off) + float64(4*unit*b.l*length)
	b.ea += float64(b.ew*wd) + float64(b.w*ewd) + float64(4*unit*b.w*wd)
	b.ev += ewd
	b.et += off
	b.t += length
	b.jt += float64(b.jr * length)
	b2, b3 := b.bell()
	b.c1 += wd
	b.c2 += float64(b2 * length)
	b.c3 += float64(b3 * length)
	b.a += float64((b.l + float64(b.w*b.w)) * length)
	b.et += float64(2 * unit * b.t)
	b.ev += float64(2 * unit * b.c1)
	b.ea += float64(4 * unit * b.a)
}

// ride bounds what a joint does on an edge: its value and three derivatives, what the first three
// of these err by, and how far the joint may be from its value.
type ride struct{ most, rate, second, third, off, offRate, offSecond, free float64 }

// turn adds a joint that turns.
func (b *reach) turn(d *ride) {
	eu := float64(d.rate*b.er) + d.offRate
	b.el += float64(b.ew*d.rate) + float64(b.w*eu) + float64(4*unit*b.w*d.rate)
	b.el += float64(d.second*b.er) + d.offSecond
	b.l += float64(b.w*d.rate) + d.second
	b.el += float64(2 * unit * b.l)
	b.w, b.w2, b.w3 = b.w+d.rate, b.w2+d.second, b.w3+d.third
	b.ew += eu + float64(2*unit*b.w)
	b.er += 64*unit + float64(1.5*d.off)
	b.jr += min(d.free, 2) // Two turns about an axis differ by 2 sin of half the angle.
}

// slide adds a joint that slides.
func (b *reach) slide(d *ride) {
	b.move(d.most, float64(d.most*(b.er+16*unit))+d.off)
	b.jt += d.free
	w := b.w
	b2, _ := b.bell()
	b.c1 += d.rate
	b.c2 += float64(2*w*d.rate) + d.second
	b.c3 += float64(3*b2*d.rate) + float64(3*w*d.second) + d.third
	b.a += float64(2*w*d.rate) + d.second
	eu := float64(d.rate*b.er) + d.offRate
	b.ev += eu + float64(2*unit*b.c1)
	b.ea += 2*(float64(b.ew*d.rate)+float64(w*eu)+float64(4*unit*w*d.rate)) + float64(4*unit*b.a)
	b.ea += float64(d.second*b.er) + d.offSecond
}

// after returns the bounds beyond a joint.
func (b *reach) after(j *joint, up bool, c *curve) reach {
	out := *b
	var d ride
	if j.Kind != Fixed {
		f := math.Abs(j.Factor)
		d.most = float64(f*c.size[0][j.Variable]) + math.Abs(j.Offset)
		d.rate = float64(f * c.size[1][j.Variable] * (1 + 4*unit))
		d.second = float64(f * c.size[2][j.Variable] * (1 + 4*unit))
		d.third = float64(f * c.size[3][j.Variable] * (1 + 4*unit))
		d.off = c.off(d.most)
		d.offRate, d.offSecond = c.bend(d.rate, d.second)
		d.free = j.Error
	}
	own := func() {
		switch j.Kind {
		case Revolute:
			out.turn(&d)
		case Prismatic:
			out.slide(&d)
		}
	}
	base := func() { out.move(j.length, j.length*(out.er+8*unit)) }
	turned := func() { out.er += j.drift + 16*unit }
	if up {
		own()
		turned()
		base()
	} else {
		base()
		turned()
		own()
	}
	return out
}

// slack is a polynomial in h: for a point at the distance r from the origin of A, in an interval
// [m - h, m + h], the sum of c[k] + s[k] r times h^k bounds by how much x(m + t) may differ from
// the computed x + t v + t^2/2 a, the rounding of both, a margin of one pose error and the errors
// of the joints included.
type slack struct{ c, s [4]float64 }

// evaluation bounds the roundings between a state and n.x, n.v or n.a for a point x of the link,
// relative to the sizes that the state is made of.
const evaluation = 64 * unit

func (b *reach) slack() slack {
	ww := float64(b.w * b.w)
	_, b3 := b.bell()
	angular := float64(2*b.w*b.ew) + float64((ww+b.l)*b.er) + float64(evaluation*(b.l+ww))
	return slack{
		c: [4]float64{
			up * (2*b.et + b.jt + float64(evaluation*b.t)),
			up * (b.ev + float64(evaluation*b.c1)),
			up * (b.ea + float64(evaluation*b.a)) / 2,
			up * b.c3 / 6,
		},
		s: [4]float64{
			up * (2*b.er + b.jr + 2*evaluation),
			up * (b.ew + float64(b.w*b.er) + float64(evaluation*b.w)),
			up * (b.el + angular) / 2,
			up * b3 / 6,
		},
	}
}

// at returns the coefficients for a point at the distance r.
func (s *slack) at(r float64) [4]float64 {
	return [4]float64{s.c[0] + float64(s.s[0]*r), s.c[1] + float64(s.s[1]*r), s.c[2] + float64(s.s[2]*r),
		s.c[3] + float64(s.s[3]*r)}
}

// cubic evaluates a polynomial with coefficients that are not negative, rounded up.
func cubic(k *[4]float64, h float64) float64 {
	return float64((k[0] + float64(h*(k[1]+float64(h*(k[2]+float64(h*k[3])))))) * (1 + 16*unit))
}

// pose bounds the error of a computed place of a point at the distance r, its rounding included.
func (s *slack) pose(r float64) float64 { return s.c[0] + float64(s.s[0]*r) }

// limits has the bounds of the ways of a robot on one edge.
type limits struct {
	ways  *ways
	reach []reach
	slack []slack
	stamp []int64
	now   int64
}

func newLimits(w *ways) limits {
	n := len(w.list)
	return limits{ways: w, reach: make([]reach, n), slack: make([]slack, n), stamp: make([]int64, n)}
}

// get computes the bounds of a way if they are not known.
func (l *limits) get(i int32, c *curve) {
	if l.stamp[i] == l.now {
		return
	}
	l.stamp[i] = l.now
	w := &l.ways.list[i]
	if w.joint < 0 {
		l.reach[i] = reach{}
	} else {
		l.get(w.from, c)
		l.reach[i] = l.reach[w.from].after(&l.ways.joints[w.joint], w.up, c)
	}
	l.slack[i] = l.reach[i].slack()
}

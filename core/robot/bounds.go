package robot

import "math"

// reach bounds, over a whole edge, what the link A of a way does in the frame B: the derivatives of
// a point at the distance r from A's origin are at most c[n] + w^n r, and the computed state errs
// by what docs/proofs/robot-edges.md derives.
type reach struct {
	w float64 // sum of the rates of the joints that turn: bounds the angular velocity
	// t, c1, c2, c3 bound the distance of A's origin from that of B and its first three
	// derivatives.
	t, c1, c2, c3 float64
	// l bounds the sum of |w x u| that makes up the angular acceleration, and a the terms that make
	// up the acceleration: what their roundings are relative to.
	l, a float64
	// Errors of the rotation (Frobenius norm), the place, and the other vectors of a state.
	er, et, ew, ev, el, ea float64
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
	b.c1 += wd
	b.c2 += float64(b.w * wd)
	b.c3 += float64(b.w * b.w * wd)
	b.a += float64((b.l + float64(b.w*b.w)) * length)
	b.et += float64(2 * unit * b.t)
	b.ev += float64(2 * unit * b.c1)
	b.ea += float64(4 * unit * b.a)
}

// turn adds a joint that turns at a rate, by an angle known within an error.
func (b *reach) turn(rate, off float64) {
	eu := float64(rate * (b.er + 16*unit))
	b.el += float64(b.ew*rate) + float64(b.w*eu) + float64(4*unit*b.w*rate)
	b.l += float64(b.w * rate)
	b.el += float64(2 * unit * b.l)
	b.w += rate
	b.ew += eu + float64(2*unit*b.w)
	b.er += 64*unit + float64(1.5*off)
}

// slide adds a joint that slides by at most a value, known within an error, at a rate.
func (b *reach) slide(most, rate, off float64) {
	b.move(most, float64(most*(b.er+16*unit))+off)
	w := b.w
	b.c1 += rate
	b.c2 += float64(2 * w * rate)
	b.c3 += float64(3 * w * w * rate)
	b.a += float64(2 * w * rate)
	eu := float64(rate * (b.er + 16*unit))
	b.ev += eu + float64(2*unit*b.c1)
	b.ea += 2*(float64(b.ew*rate)+float64(w*eu)+float64(4*unit*w*rate)) + float64(4*unit*b.a)
}

// after returns the bounds beyond a joint, given bounds on the magnitudes of the variables.
func (b *reach) after(j *joint, up bool, largest, dq []float64) reach {
	out := *b
	most, rate, off := 0.0, 0.0, 0.0
	if j.Kind != Fixed {
		q := float64(math.Abs(j.Factor) * largest[j.Variable])
		most, rate = q+math.Abs(j.Offset), float64(math.Abs(j.Factor*dq[j.Variable])*(1+4*unit))
		off = float64(8 * unit * most)
	}
	own := func() {
		switch j.Kind {
		case Revolute:
			out.turn(rate, off)
		case Prismatic:
			out.slide(most, rate, off)
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
// the computed x + t v + t^2/2 a, the rounding of both and a margin of one pose error included.
type slack struct{ c, s [4]float64 }

// evaluation bounds the roundings between a state and n.x, n.v or n.a for a point x of the link,
// relative to the sizes that the state is made of.
const evaluation = 64 * unit

func (b *reach) slack() slack {
	ww := float64(b.w * b.w)
	angular := float64(2*b.w*b.ew) + float64((ww+b.l)*b.er) + float64(evaluation*(b.l+ww))
	return slack{
		c: [4]float64{
			up * (2*b.et + float64(evaluation*b.t)),
			up * (b.ev + float64(evaluation*b.c1)),
			up * (b.ea + float64(evaluation*b.a)) / 2,
			up * b.c3 / 6,
		},
		s: [4]float64{
			up * (2*b.er + 2*evaluation),
			up * (b.ew + float64(b.w*b.er) + float64(evaluation*b.w)),
			up * (b.el + angular) / 2,
			up * float64(ww*b.w) / 6,
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
	ways    *ways
	largest []float64 // magnitudes of the variables at both ends
	reach   []reach
	slack   []slack
	stamp   []int64
	now     int64
}

func newLimits(w *ways, variables int) limits {
	n := len(w.list)
	return limits{ways: w, largest: make([]float64, variables), reach: make([]reach, n), slack: make([]slack, n),
		stamp: make([]int64, n)}
}

func (l *limits) edge(q0, q1 []float64) {
	l.now++
	for i := range l.largest {
		l.largest[i] = max(math.Abs(q0[i]), math.Abs(q1[i]))
	}
}

// get computes the bounds of a way if they are not known.
func (l *limits) get(i int32, dq []float64) {
	if l.stamp[i] == l.now {
		return
	}
	l.stamp[i] = l.now
	w := &l.ways.list[i]
	if w.joint < 0 {
		l.reach[i] = reach{}
	} else {
		l.get(w.from, dq)
		l.reach[i] = l.reach[w.from].after(&l.ways.joints[w.joint], w.up, l.largest, dq)
	}
	l.slack[i] = l.reach[i].slack()
}

package clearance

import (
	"math"

	"ccd/core/geom"
)

// The error bounds in floats, in units of 2^-53 times a sum of magnitudes; tiny covers underflow,
// for |n| is about 1 and lengths are below 2.
//
//   - euclideanError, of sum |n_k| m_k + d |n|, with the larger |n_k| of both ends: a component of
//     a corner (7), times n_k (1), two sums (2): 10, and for c1 the sum of two (1): 11. |n|:
//     squares (1), two sums (2), halved by the root, and the root's own (1): 2.5; the sum of two
//     (1), times d (1): 4.5. Their difference (1): 12, and 4 for squares and for the bound's own
//     rounding.
//   - euclideanContactError, of the sum of m_k over the axes times the sum of the weights: a
//     component of a corner (7), times a weight (1), three sums (3): 11 on an axis, and the length
//     of the error is at most the sum over the axes.
const (
	euclideanError        = 16 * 0x1p-53
	euclideanContactError = 16 * 0x1p-53
	// tinyLength covers the underflow of squares under a root: three of 2^-1074 at most.
	tinyLength = 0x1p-500
)

// parted reports whether one direction separates at all times. n.p is linear in t, so it suffices
// to test both ends.
func (r *EuclideanResolver) parted(tMax float64) bool {
	var x nearest
	var ends [2][4][3]float64
	r.look(0.5*tMax, &x)
	r.corners(0, &ends[0])
	r.corners(tMax, &ends[1])
	least := r.rounding(&x, &x) + float64(r.Lines.D*x.size)
	for c := range r.Lines.Shape.Corners {
		if !(geom.Dot3(&x.n, &ends[0][c]) > least && geom.Dot3(&x.n, &ends[1][c]) > least) {
			return false
		}
	}
	return true
}

// rounding bounds the error of a certificate's coefficients.
func (r *EuclideanResolver) rounding(x, y *nearest) float64 {
	s := r.Lines.D * max(x.size, y.size)
	for k := range 3 {
		s += float64(max(math.Abs(x.n[k]), math.Abs(y.n[k])) * r.Lines.Mp[k])
	}
	return float64(euclideanError*s) + Tiny
}

// certificate returns the quadratic on [x.t, y.t] for the direction that goes from n to m, each
// coefficient less its error: a lower bound.
func (r *EuclideanResolver) certificate(x, y, n, m *nearest) parabola {
	c0, c1, c2 := math.Inf(1), math.Inf(1), math.Inf(1)
	for c := range r.Lines.Shape.Corners {
		c0 = min(c0, geom.Dot3(&n.n, &x.p[c]))
		c1 = min(c1, geom.Dot3(&n.n, &y.p[c])+geom.Dot3(&m.n, &x.p[c]))
		c2 = min(c2, geom.Dot3(&m.n, &y.p[c]))
	}
	d, e := r.Lines.D, r.rounding(n, m)
	return parabola{
		c0 - float64(d*n.size) - e,
		float64((c1-float64(d*(n.size+m.size)))*0.5) - e,
		c2 - float64(d*m.size) - e,
	}
}

// parabola is a quadratic by its Bernstein coefficients, lower bounds of the true ones but for a
// factor within 1 +- 2^-52 of each.
type parabola [3]float64

// positive returns a fraction s of the interval such that the quadratic is positive on [0, s), and
// on [0, 1] when s is 1.
//
// Its first root is computed, taken a little earlier, and then proven: the coefficients on [0, s]
// are c0, l and m by de Casteljau's algorithm, and if they are positive, so is the quadratic there.
// In units of u = 2^-53: a coefficient (2), 1-s or s (1), a product (1), a sum (1), so l errs by 5
// of its magnitudes and m by 8; 2^-49 is 16, 2^-48 is 32. The discriminant errs by 2 (2 + 1) + 1 =
// 7 of its terms.
func (c *parabola) positive() float64 {
	if !(c[0] > 0) {
		return 0
	}
	if c[1] > 0 && c[2] > 0 {
		return 1
	}
	sq, pr := float64(c[1]*c[1]), float64(c[0]*c[2])
	disc := sq - pr
	if disc < -(float64(0x1p-48*(sq+math.Abs(pr))) + Tiny) {
		return 1 // The quadratic has no root.
	}
	x := c[0] / (math.Sqrt(max(disc, 0)) - c[1]) // s / (1 - s)
	s := float64(x / (1 + x) * (1 - 0x1p-40))
	if !(x > 0 && s < 1) {
		return c.chord()
	}
	w, a1, a2 := 1-s, math.Abs(c[1]), math.Abs(c[2])
	l := float64(w*c[0]) + float64(s*c[1])
	m := float64(w*l) + float64(s*(float64(w*c[1])+float64(s*c[2])))
	size := float64(w*c[0]) + float64(s*a1)
	sizes := float64(w*size) + float64(s*(float64(w*a1)+float64(s*a2)))
	if l > float64(0x1p-49*size)+Tiny && m > float64(0x1p-48*sizes)+Tiny {
		return s
	}
	return c.chord()
}

// chord returns a fraction as positive wants it, from the lower hull of the points (0, c0), (1/2,
// c1), (1, c2): see form.crossing.
func (c *parabola) chord() float64 {
	f := form{degree: 2}
	f.c[0] = [4]float64{c[0], c[1], c[2]}
	if s := f.crossing(0); s > 0 {
		return s
	}
	return 0 // The value is not a number.
}

// within reports whether the point of x's weights is provably nearer than d.
func (r *EuclideanResolver) within(x *nearest) bool {
	var f [3]float64
	m, w := 0.0, 0.0
	for c := range r.Lines.Shape.Corners {
		w += x.w[c]
		for k := range 3 {
			f[k] += float64(x.w[c] * x.p[c][k])
		}
	}
	for k := range 3 {
		m += r.Lines.Mp[k]
	}
	// The root, the sums and the products on either side err by less than 8 u of themselves.
	far := math.Sqrt(geom.Dot3(&f, &f)) + float64(euclideanContactError*m*w) + tinyLength
	return far*(1+0x1p-49) < float64(r.Lines.D*w)*(1-0x1p-49)
}

// advanceFloats moves a from 0 towards tMax while certificates hold, and finds contact at 0.
// Undecided, it returns the last a.
func (r *EuclideanResolver) advanceFloats(tMax float64) Instant {
	var at [2]nearest
	x, y := &at[0], &at[1]
	r.look(0, x)
	if r.within(x) {
		return Instant{Contact: true}
	}
	r.look(tMax, y)
	held := 0
	for range floatSteps {
		a, b := x.T, y.T
		s := r.reach(x, y)
		if s == 0 {
			break
		}
		if s == 1 {
			if b == tMax {
				return Instant{}
			}
			x, y = y, x
		} else {
			next := forward(a, b, s)
			if !(next > a) {
				break
			}
			r.look(next, x)
		}
		gap, closing := r.gap(x)
		if !(gap > 256*0x1p-53*(1+r.Lines.D)) {
			return Instant{Undecided: true, Lo: x.T} // Floats cannot decide beyond this time.
		}
		// Newton's step and a little more, so that the certificate ends inside it; where the
		// distance grows, as far as before or up to tMax.
		step := float64(1.0625 * (gap / closing))
		if !(step > 0) || step > tMax-x.T {
			step = tMax - x.T
			if held++; s < 1 && held%2 == 0 {
				step = 8 * (b - a)
			}
		}
		r.look(min(tMax, max(x.T+step, math.Nextafter(x.T, 2))), y)
	}
	return Instant{Undecided: true, Lo: x.T}
}

// reach returns the fraction of [x.t, y.t] up to which a certificate holds: of the direction that
// turns from x's to y's, or of x's alone.
func (r *EuclideanResolver) reach(x, y *nearest) (s float64) {
	c := turn(x, y)
	if c > 0.25 {
		p := r.certificate(x, y, x, y)
		s = p.positive()
	}
	if s < 0.25 && c < 0.9 {
		p := r.certificate(x, y, x, x)
		s = max(s, p.positive())
	}
	return s
}

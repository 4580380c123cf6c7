package d2m

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/rigid"
	"ccd/core/rigid/poses"
)

// D2M evaluates positions, velocities and accelerations at one time and encloses what follows by
// Taylor's theorem. Its bounds are single numbers, not intervals: an error that every component
// keeps, and caps on the lengths of derivatives. Bounds are computed in plain doubles from less
// than 2^8 sums and products of numbers that are not negative, which err by less than 2^9 u of
// themselves; padded lifts them above that, and above all underflow of scenes that Check lets in.
func padded(x float64) float64 { return float64(x*(1+0x1p-40)) + 0x1p-500 }

const u = 0x1p-53

// sum adds from the left. What is passed is rounded before: the compiler fuses no product with an
// addition here.
func sum(terms ...float64) (s float64) {
	for _, x := range terms {
		s += x
	}
	return s
}

// turner evaluates the rotation of one body at any time: an Arc's matrices rounded to their
// middles, with their errors.
type turner struct {
	p, q, s    geom.Mat
	off        float64 // the error of every entry of p + c q + s s for exact c, s in [-1,1], roundings included
	factor     float64 // |q| + |s|: what an error of the sine and cosine counts
	rate, slip float64 // the rate's middle, and how far off it is
	w          r3.Vec
	length     float64 // the length of w, rounded up
}

func (t *turner) load(m *rigid.Motion, arc *poses.Arc) {
	var wide, big [3]float64
	rate := arc.Rate
	for i, in := range []*poses.Matrix{&arc.P, &arc.Q, &arc.S} {
		out := []*geom.Mat{&t.p, &t.q, &t.s}[i]
		for row, to := range []*r3.Vec{&out.X, &out.Y, &out.Z} {
			var mid [3]float64
			for k, x := range in[row] {
				mid[k] = float64(0.5*x.Lo) + float64(0.5*x.Hi)
				wide[i] = max(wide[i], x.Width())
				big[i] = max(big[i], x.Mag())
			}
			*to = r3.Vec{X: mid[0], Y: mid[1], Z: mid[2]}
		}
	}
	// Each entry is two products and two sums: 4u of the magnitudes; a middle is within the width
	// of what is meant.
	t.off = padded(sum(wide[0], wide[1], wide[2], 4*u*(big[0]+big[1]+big[2])))
	t.factor = padded(big[1] + big[2])
	t.rate, t.slip = float64(0.5*rate.Lo)+float64(0.5*rate.Hi), rate.Width()
	t.w, t.length = m.AngularVelocity, rate.Hi
}

// instant is a body's rotation at one time.
type instant struct {
	at  float64 // since the arc's epoch
	r   geom.Mat
	err float64 // the error of every entry
}

// turn evaluates the rotation at tau. The product of rate and tau is an exact pair; the middle of
// the rate is off by slip.
func (t *turner) turn(tau float64, out *instant) {
	hi, lo := num.TwoProd(t.rate, tau)
	s, c := num.Sincos(hi, lo)
	for i, row := range []*r3.Vec{&out.r.X, &out.r.Y, &out.r.Z} {
		p, q, z := []r3.Vec{t.p.X, t.p.Y, t.p.Z}[i], []r3.Vec{t.q.X, t.q.Y, t.q.Z}[i], []r3.Vec{t.s.X, t.s.Y, t.s.Z}[i]
		*row = r3.Add(p, r3.Add(geom.Scale(c, q), geom.Scale(s, z)))
	}
	out.at = tau
	out.err = padded(sum(t.off, t.factor*sum(num.SincosBound, t.slip*math.Abs(tau))))
}

// track is a vector that moves: at one time its value, velocity and acceleration, each component
// within e0, e1, e2 of the true one, and for all times the lengths of the vector and of its first
// three derivatives, within c0 to c3.
type track struct {
	x, v, a        r3.Vec
	e0, e1, e2     float64
	c0, c1, c2, c3 float64
}

// arm is the track of R q, for a vector q of the body whose components are within eq of what is
// meant.
//
// With l the length of q and |R_i . q| <= l: the products and sums err by 4u |q|_1 <= 8u l, the
// entries by err |q|_1 <= 2 err l, q itself by 2 eq. Each cross product with w doubles no more than
// |w|_1 <= 2 |w| times the error before it, and rounds by 3u |w|_1 times the magnitude: 6u w l.
func (t *turner) arm(i *instant, q r3.Vec, eq float64) track {
	l := padded(geom.Norm(q)) + float64(2*eq)
	w := t.length
	e0 := float64(2*(i.err+4*u)*l) + float64(2*eq)
	e1 := float64(2*w*e0) + float64(8*u*w*l)
	x := i.r.Apply(q)
	v := geom.Cross(t.w, x)
	return track{
		x: x, v: v, a: geom.Cross(t.w, v),
		e0: padded(e0), e1: padded(e1), e2: padded(float64(2*w*e1) + float64(8*u*w*w*l)),
		c0: padded(l), c1: padded(w * l), c2: padded(w * w * l), c3: padded(w * w * w * l),
	}
}

// minus is the difference of two tracks; each component of a difference rounds by u of itself.
func (a *track) minus(b *track) track {
	x, v, acc := r3.Sub(a.x, b.x), r3.Sub(a.v, b.v), r3.Sub(a.a, b.a)
	return track{
		x: x, v: v, a: acc,
		e0: padded(a.e0 + b.e0 + float64(u*norm1(x))), e1: padded(a.e1 + b.e1 + float64(u*norm1(v))),
		e2: padded(a.e2 + b.e2 + float64(u*norm1(acc))),
		c0: padded(a.c0 + b.c0), c1: padded(a.c1 + b.c1), c2: padded(a.c2 + b.c2), c3: padded(a.c3 + b.c3),
	}
}

// cross is the vector product of two tracks, with its derivatives by the product rule
// ([Buddingh2017], appendix C). A component of x cross y errs by |x|_1 ey + |y|_1 ex + 2 ex ey and
// by 3u |x|_1 |y|_1; a 1-norm is below twice the length.
func (a *track) cross(b *track) track {
	off := func(x, y r3.Vec, ex, ey float64) float64 {
		l, m := norm1(x), norm1(y)
		return sum(l*ey, m*ex, 2*ex*ey, 3*u*l*m)
	}
	xy, vy, xv := geom.Cross(a.x, b.x), geom.Cross(a.v, b.x), geom.Cross(a.x, b.v)
	ay, vv, xa := geom.Cross(a.a, b.x), geom.Cross(a.v, b.v), geom.Cross(a.x, b.a)
	first := off(a.v, b.x, a.e1, b.e0) + off(a.x, b.v, a.e0, b.e1)
	second := off(a.a, b.x, a.e2, b.e0) + 2*off(a.v, b.v, a.e1, b.e1) + off(a.x, b.a, a.e0, b.e2)
	return track{
		x: xy, v: r3.Add(vy, xv), a: r3.Add(r3.Add(ay, xa), geom.Scale(2, vv)),
		e0: padded(off(a.x, b.x, a.e0, b.e0)),
		e1: padded(sum(first, u*(geom.MaxAbs(vy)+geom.MaxAbs(xv)))),
		e2: padded(sum(second, 3*u*sum(geom.MaxAbs(ay), geom.MaxAbs(xa), 2*geom.MaxAbs(vv)))),
		c0: padded(a.c0 * b.c0), c1: padded(sum(a.c1*b.c0, a.c0*b.c1)),
		c2: padded(sum(a.c2*b.c0, 2*a.c1*b.c1, a.c0*b.c2)),
		c3: padded(sum(a.c3*b.c0, 3*a.c2*b.c1, 3*a.c1*b.c2, a.c0*b.c3)),
	}
}

func norm1(v r3.Vec) float64 { return math.Abs(v.X) + math.Abs(v.Y) + math.Abs(v.Z) }

// sharpen lowers the caps to what Taylor's theorem gives for a time h from now on.
func (a *track) sharpen(h float64) {
	least := func(c float64, v r3.Vec, e, next float64) float64 {
		if s := padded(geom.Norm(v) + float64(2*e) + float64(next*h)); s < c {
			return s
		}
		return c
	}
	a.c2 = least(a.c2, a.a, a.e2, a.c3)
	a.c1 = least(a.c1, a.v, a.e1, a.c2)
	a.c0 = least(a.c0, a.x, a.e0, a.c1)
}

// taylor is a function of time: its value and its first two derivatives with their errors, and a
// cap on the third.
type taylor struct{ f, f1, f2, e0, e1, e2, c3 float64 }

// dot is the inner product of two tracks as a taylor ([Buddingh2017], appendices B and D). A
// product of vectors x.y errs by |x|_1 ey + |y|_1 ex + 3 ex ey and rounds by 4u |x|_1 |y|_1.
func (a *track) dot(b *track) taylor {
	off := func(x, y r3.Vec, ex, ey float64) float64 {
		l, m := norm1(x), norm1(y)
		return float64(l*(ey+float64(4*u*m))) + float64(ex*(m+float64(3*ey)))
	}
	c := taylor{
		f:  geom.Dot(a.x, b.x),
		f1: geom.Dot(a.v, b.x) + geom.Dot(a.x, b.v),
		f2: (geom.Dot(a.a, b.x) + geom.Dot(a.x, b.a)) + 2*geom.Dot(a.v, b.v),
		e0: off(a.x, b.x, a.e0, b.e0),
		e1: off(a.v, b.x, a.e1, b.e0) + off(a.x, b.v, a.e0, b.e1),
		e2: off(a.a, b.x, a.e2, b.e0) + off(a.x, b.a, a.e0, b.e2) + 2*off(a.v, b.v, a.e1, b.e1),
		c3: padded(float64(a.c3*b.c0) + float64(3*(float64(a.c2*b.c1)+float64(a.c1*b.c2))) + float64(a.c0*b.c3)),
	}
	// The sums of the products round once or twice more: 4u of what 4u l m above counts already,
	// doubled to hold both.
	c.e0, c.e1, c.e2 = padded(c.e0), padded(2*c.e1), padded(2*c.e2)
	return c
}

// bounds encloses value, first derivative now, and second derivative for a time h from now on.
func (c *taylor) bounds(h float64) (f, df, ddf num.Interval) {
	e := padded(c.e2 + float64(c.c3*h))
	return around(c.f, c.e0), around(c.f1, c.e1), around(c.f2, e)
}

// over encloses the taylor for a time h from now on.
func (c *taylor) over(h float64) num.Interval {
	f, df, ddf := c.bounds(h)
	t := num.Interval{Lo: 0, Hi: h}
	return f.Add(t.Mul(df.Add(t.Mul(ddf.Scale(0.5)))))
}

// at encloses the value and the derivative now.
func (c *taylor) at() (value, slope num.Interval) {
	value, slope, _ = c.bounds(0)
	return value, slope
}

// curve encloses the value and the second derivative for a time h from now on. A value that
// overflows is enclosed by [-1, 1], which holds a root.
func (c *taylor) curve(h float64) (value, second num.Interval) {
	v, _, second := c.bounds(h)
	value = c.over(h)
	if !finite3(v, second, value) {
		return num.Interval{Lo: -1, Hi: 1}, second
	}
	return value, second
}

// around is an interval about x, rounded outwards.
func around(x, e float64) num.Interval {
	return num.Interval{Lo: num.SubDown(x, e), Hi: num.AddUp(x, e)}
}

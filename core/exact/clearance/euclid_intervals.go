package clearance

import (
	"math"

	"ccd/core/exact"
	"ccd/core/exact/internal/algebra"
	"ccd/core/geom"
)

// This file finds all intervals of contact with a Euclidean separation. It finds entries as it
// finds the first contact: from a double at which the pair is apart, by Newton's method with
// certificates. It finds exits in the same way, with certificates of contact.
//
// Inside. Let w(t) >= 0 be weights of the corners that go linearly from w_a to w_b on [a, b]. Their
// point is within d while |sum w p| <= d sum w. sum w p is a quadratic vector in t with the
// Bernstein coefficients
//
//	V0 = sum w_a p_a    V1 = (sum w_a p_b + sum w_b p_a) / 2    V2 = sum w_b p_b
//
// and the length of a Bezier curve is at most the polynomial of its coefficients' lengths. So the
// pair is in contact where the quadratic with the coefficients
//
//	d W0 - |V0|    d (W0 + W1) / 2 - |V1|    d W1 - |V2|
//
// is positive, W0 and W1 being the sums of the weights. Towards the nearest points at a and b, its
// first root is Newton's step towards the end of the contact from the safe side.
//
// The end. If there is contact at a with less than d, and b, the next double, is apart, the
// interval that holds a ends in (a, b): Exit is b.
//
// Where double-doubles cannot decide, the integers of euclid_wide.go compute the rest of the
// intervals.

// Intervals appends to list the intervals in which the primitives are within d at t in [0, tMax].
// The arguments are those of Resolve.
func (r *EuclideanResolver) Intervals(kind geom.Kind, q []float64, d, tMax float64,
	list []geom.Interval) []geom.Interval {
	l := &r.Lines
	l.Shape = &Shapes[kind]
	r.Sides, r.Plane = PolygonSides[kind], len(l.Shape.Edges) > 1
	if l.load(q, 3*kind.Points(), d) {
		return list
	}
	if x := l.rest(kind, q, d); x != nil {
		if list, done := x.intervals(d, tMax, false, list); done {
			r.Stats.Resting++
			return list
		}
	}
	r.pursue(kind, q, d, 0)
	t := r.decide(kind, q, d, tMax)
	if !t.Contact {
		return list
	}
	l.loadLow(q, 3*kind.Points())
	c := &cells{}
	c.Begin(kind, list)
	for t.Contact {
		if t.Lo < t.Hi {
			c.open(t.Lo, true)
		}
		end := r.leaveFrom(t.Hi, tMax)
		if end.Undecided {
			r.Stats.WideRests++
			var w EuclideanWide
			w.load(kind, q, d)
			c.rest(&w, t.Hi, tMax)
			return c.List
		}
		c.point(t.Hi, true)
		if end.Contact {
			c.point(tMax, true)
			break
		}
		r.Stats.Exits++
		c.point(end.Lo, true)
		c.open(end.Lo, true)
		c.point(end.Hi, false)
		a := max(end.Hi, r.pursuit.until)
		r.pursue(kind, q, d, a)
		t = r.onward(a, tMax, tMax)
	}
	c.end(tMax)
	return c.List
}

// leaveFrom is leave from the time t, or from the last time up to which the contact that begins
// there is known to last. Where the distance lingers near d, the features are followed.
func (r *EuclideanResolver) leaveFrom(t, tMax float64) Instant {
	x := r.pursuit
	a := max(t, x.until)
	if a == tMax && a > t {
		return Instant{Contact: true}
	}
	end := Instant{Undecided: true, Lo: a}
	if !r.lingers(a) {
		end = r.leave(a, tMax)
	}
	x.until = 0
	if !end.Undecided {
		return end
	}
	x.follower.Begin(x.kind, r.Lines.D, false, r)
	if v, _ := x.follower.stateAt(a); v != inContact {
		return end
	}
	if end = r.change(a, tMax, true); !end.Undecided {
		end.Contact = !end.Contact // Without a change it lasts.
	}
	return end
}

// cells makes intervals of cells: doubles and the open intervals between neighboring doubles. A
// cell is in contact if some time in it is, and a run of neighboring cells in contact is an
// interval of the list.
type cells struct {
	exact.Intervals
	in    bool    // whether the last cell is in contact
	enter float64 // where the run of the last cell begins, if it is in contact
	flags uint32
}

// change begins or ends a run at the double t.
func (c *cells) change(t float64, in bool) {
	switch {
	case in && !c.in:
		c.enter, c.flags = t, 0
	case c.in && !in: // A cell between this run and the next one is free.
		c.Add(exact.Ending{T: c.enter}, exact.Ending{T: t}, c.flags, 0, 0)
	}
	c.in = in
}

// point adds the cell t, after all cells before it but for those that are as the last one.
func (c *cells) point(t float64, in bool) {
	c.change(t, in)
	if in && t == 0 {
		c.flags = geom.InitialContact
	}
}

// open adds the cells between t and a later double, all alike.
func (c *cells) open(t float64, in bool) { c.change(t, in) }

// end ends the list; the last cell is the point tMax if it is in contact.
func (c *cells) end(tMax float64) {
	if c.in {
		c.Add(exact.Ending{T: c.enter}, exact.Ending{T: tMax}, c.flags|geom.FinalContact, 0, 0)
	}
	c.in = false
}

// rest adds the cells of [lo, hi] by integers, and ends the list.
func (c *cells) rest(w *EuclideanWide, lo, hi float64) {
	c.point(lo, w.Contact(lo, 0))
	if lo < hi {
		c.between(w, lo, hi, w.Features)
		c.point(hi, w.Contact(hi, 0))
	}
	c.end(hi)
}

// between adds the cells of the open interval (lo, hi) by integers, where contact can begin or end
// by one of the features alone.
//
// Both ends of an interval of contact inside (lo, hi) are roots of a near that is not zero
// throughout, inside the feature's region: the argument of euclid.go holds backwards in time as
// well. If no feature has one, nothing changes between lo and hi.
func (c *cells) between(w *EuclideanWide, lo, hi float64, features []EuclideanFeature) {
	l, h := algebra.BigDyadicOf(lo), algebra.BigDyadicOf(hi)
	var left []EuclideanFeature
	for _, f := range features {
		if inside, possible := f.within(l, h); possible {
			left = append(left, inside)
		}
	}
	a, b := math.Float64bits(lo), math.Float64bits(hi)
	switch {
	case len(left) == 0:
		c.open(lo, w.contactAt(l.Middle(h), 0))
	case b-a > 1:
		m := math.Float64frombits(a + (b-a)/2)
		c.between(w, lo, m, left)
		c.point(m, w.Contact(m, 0))
		c.between(w, m, hi, left)
	default:
		in := w.contactAt(l.Middle(h), 0)
		for i := 0; !in && i < len(left); i++ {
			in = left[i].root(l, h)
		}
		c.open(lo, in)
	}
}

// leave moves a, where the pair is in contact, until it and the next double b are neighbors with
// the pair apart at b, or it is tMax (contact). Undecided, the pair is in contact from the a that
// it was given to lo.
func (r *EuclideanResolver) leave(a, tMax float64) Instant {
	var at [2]NearestDouble
	x, y := &at[0], &at[1]
	r.LookDouble(a, x)
	if !r.Touches(x) {
		return Instant{Undecided: true, Lo: a}
	}
	b, width := r.lastInFloats(a, tMax), 0.0
	for range doubleSteps {
		if a = x.T; a == tMax {
			return Instant{Contact: true}
		}
		neighbor := math.Nextafter(a, 2)
		b = min(tMax, max(b, neighbor))
		r.LookDouble(b, y)
		v, w := x.weights(), y.weights()
		c := r.inside(x, y, &v, &w)
		s := c.positive()
		if s == 1 {
			width = b - a
			x, y = y, x
			b = r.foreseeEnd(x, c[2], width, tMax)
			continue
		}
		if b == neighbor {
			return Instant{Undecided: !(r.Ahead(y) > y.Rounding), Lo: a, Hi: b}
		}
		if end := r.foreseeEnd(y, c[2], 0, b); end > a && end < b && b-end < 0x1p-6*(b-a) {
			b = end // b is a little too far, and its margin shows by how much.
			continue
		}
		if next := forward(a, b, s); s > 0x1p-6 && next > a {
			width = next - a
			r.LookDouble(next, x)
			v = x.weights()
			c = r.inside(x, x, &v, &v)
			b = r.foreseeEnd(x, c[0], width, tMax)
			continue
		}
		if b-a > 0x1p-40*a {
			b = a + float64(0x1p-6*(b-a))
		} else {
			b = neighbor
		}
	}
	return Instant{Undecided: true, Lo: x.T}
}

// lastInFloats returns a guess of the last double of a contact that begins before a, by Newton's
// method from tMax.
func (r *EuclideanResolver) lastInFloats(a, tMax float64) float64 {
	var x nearest
	t := tMax
	for range 8 {
		r.look(t, &x)
		gap, closing := r.gap(&x)
		if !(gap > 0) || !(closing < 0) {
			break
		}
		next := t + gap/closing
		if !(next > a) {
			return t
		}
		if t-next < 0x1p-46*t {
			return math.Nextafter(next, 0)
		}
		t = next
	}
	return t
}

// foreseeEnd returns a guess of the last double of the contact, by the tangent from x. margin is
// the certificate's coefficient at x. The contact begins before x and ends at tMax or before. Where
// the distance shrinks, it is a time 8 times as far as the last one.
func (r *EuclideanResolver) foreseeEnd(x *NearestDouble, margin, width, tMax float64) float64 {
	a := x.T
	_, closing := r.gap(&x.nearest)
	step := -margin / closing
	b := math.Nextafter(a+step, 0)
	if !(closing < 0) || step > tMax-a {
		b = a + max(8*width, 0x1p-20)
	}
	return min(tMax, b)
}

// euclideanInsideError bounds the error of a coefficient of inside, of W sum m_k + d W, W being the
// larger sum of weights, in units of u^2 = 2^-106 as at Double2. A component of a corner (35),
// times a weight (11), three sums (15): 61 of W m_k, and for V1 the sum of two (5): 66; an error of
// a vector is no longer than the sum of those of its components. |V| is taken from above, see
// length2, and errs by 31 of itself, which is at most W sum m_k. d W: three sums (15), times d (5),
// and for the middle one sum more (5): 25. Their difference (5): 102 of the first and 30 of the
// second.
const euclideanInsideError = 0x1p-98

// inside returns the quadratic of the certificate of contact on [x.T, y.T] for weights at both
// times, each coefficient less its error: a lower bound.
func (r *EuclideanResolver) inside(x, y *NearestDouble, wx, wy *[4]Double2) parabola {
	var v [3][3]Double2
	var w [2]Double2
	m := 0.0
	for c := range r.Lines.Shape.Corners {
		w[0], w[1] = w[0].Plus(wx[c]), w[1].Plus(wy[c])
		for k := range 3 {
			v[0][k] = v[0][k].Plus(x.P[c][k].times(wx[c]))
			v[1][k] = v[1][k].Plus(y.P[c][k].times(wx[c])).Plus(x.P[c][k].times(wy[c]))
			v[2][k] = v[2][k].Plus(y.P[c][k].times(wy[c]))
		}
	}
	for k := range 3 {
		m += r.Lines.Mp[k]
	}
	e := float64(euclideanInsideError*float64(max(w[0].Hi, w[1].Hi)*(m+r.Lines.D))) + Tiny
	margin := func(reach Double2, v *[3]Double2) float64 { return reach.By(r.Lines.D).Minus(r.length(v)).Hi }
	return parabola{
		margin(w[0], &v[0]) - e,
		float64(0.5*margin(w[0].Plus(w[1]), &v[1])) - e,
		margin(w[1], &v[2]) - e,
	}
}

// length returns the length of v, from above but for 2^-101 of it and tiny.
func (r *EuclideanResolver) length(v *[3]Double2) Double2 {
	top := max(math.Abs(v[0].Hi), math.Abs(v[1].Hi), math.Abs(v[2].Hi))
	if !(top > 0x1p-400) { // The square of top may underflow.
		return Double2{Hi: 2 * top}
	}
	return length2(InnerDouble(v, v))
}

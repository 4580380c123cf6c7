package clearance

import "math"

// The error bounds in double-doubles, in units of u^2 = 2^-106 as at Double2:
//
//   - EuclideanDoubleError, of sum |n_k| m_k + d |n|, the sum of both ends': a component of a
//     corner (35, see doubleError), times n_k (11), two sums (10): 56; for c1 the sum of two (5):
//     61. |n| is taken from above, see length2, and errs by 31; the sum of two (5), times d (5):
//     41. Their difference (5): 66, and the rest for higher orders and the bound's own rounding. c1
//     is half of it, and each end's coefficient has its own end's sum.
//   - euclideanDoubleContactError, of W m_k s_k + d^2 W^2 for s the sum of the corners by weights,
//     W that of the weights: a component of a corner (35), times a weight (11), three sums (15): e
//     = 61 of W m_k. s_k^2: 2 e (of W m_k s_k), the product (11), two sums (10): 143, and e^2,
//     which s_k >= 2^-52 W m_k in the bound outweighs. d^2 W^2: the sum of the weights (15), times
//     d (5), twice, and the product (11): 51. Their difference (5): 148.
//
// doubleLooks bounds the looks at the nearest feature of one search. A contact to which a pair
// comes takes 8 to 18, and a pair that stays within rounding of d would take hundreds: Follower
// takes it over.
const (
	doubleLooks                 = 24
	EuclideanDoubleError        = 0x1p-99
	euclideanDoubleContactError = 0x1p-98
)

// NearestDouble is the type nearest with corners and direction in double-doubles.
type NearestDouble struct {
	nearest
	P        [4][3]Double2
	N        [3]Double2
	Size     Double2 // the length of n from above, but for 2^-101 of it
	Rounding float64 // Rounding bounds the error of n.p - d |n|.
}

// LookDouble finds the nearest feature at t in floats, and computes its direction in
// double-doubles. The proofs hold for any direction.
func (r *EuclideanResolver) LookDouble(t float64, x *NearestDouble) {
	f := &x.nearest
	r.look(t, f)
	for c := range r.Lines.Shape.Corners {
		x.P[c] = VectorAt(&r.Lines.P[c], t)
	}
	switch {
	case f.Part >= atCorner:
		x.N = x.P[f.Part-atCorner]
	case f.Part == Inner2d:
		b, c := VectorAt(&r.Lines.E[0], t), VectorAt(&r.Lines.E[1], t)
		x.N = CrossDouble(&b, &c)
	default: // p (e.e) - e (p.e), at right angles to e
		z := r.Sides[f.Part]
		e, p := VectorAt(&r.Lines.E[z.Edge], t), &x.P[z.From]
		ee, pe := InnerDouble(&e, &e), InnerDouble(p, &e)
		for k := range 3 {
			x.N[k] = p[k].times(ee).Minus(e[k].times(pe))
		}
	}
	x.scale()
	x.Rounding = r.Lines.D * x.Size.Hi
	for k := range 3 {
		x.Rounding += float64(math.Abs(x.N[k].Hi) * r.Lines.Mp[k])
	}
	x.Rounding = float64(EuclideanDoubleError*x.Rounding) + Tiny
}

// scale gives n about the sign and the length of the float direction, or replaces n by that
// direction where n has none left, and bounds its length.
func (x *NearestDouble) scale() {
	f := &x.nearest
	s := float64(x.N[0].Hi*f.n[0]) + float64(x.N[1].Hi*f.n[1]) + float64(x.N[2].Hi*f.n[2])
	if math.Abs(s) > 0x1p-500 {
		for k := range 3 {
			x.N[k] = x.N[k].By(1 / s)
		}
	}
	square := InnerDouble(&x.N, &x.N)
	if !(square.Hi > 0.25 && square.Hi < 4) {
		for k := range 3 {
			x.N[k] = Double2{Hi: f.n[k]}
		}
		square = InnerDouble(&x.N, &x.N)
	}
	x.Size = length2(square)
}

// length2 returns the root of a square in [1/4, 4] from above: l + (square - l^2) / 2l is at least
// the root whatever l is. In units of u^2 times the root: the square has 21 (products 11, two sums
// 10), l^2 5 and their difference 5 (1 + 1), halved: 18; what is divided is at most 4 u of the
// root, and 1 / 2l and the product round by 2 u of that: 8; the sum 5: 31.
func length2(square Double2) Double2 {
	l := math.Sqrt(square.Hi)
	return Double2{Hi: l}.Plus(square.Minus(Double2{Hi: l}.By(l)).By(0.5 / l))
}

// Ahead returns the least of n.p - d |n| over the corners, at x's time.
func (r *EuclideanResolver) Ahead(x *NearestDouble) float64 {
	least, far := math.Inf(1), x.Size.By(r.Lines.D)
	for c := range r.Lines.Shape.Corners {
		least = min(least, InnerDouble(&x.N, &x.P[c]).Minus(far).Hi)
	}
	return least
}

// certificateDouble is certificate in double-doubles, for the direction that goes from x's to y's;
// start is Ahead(x).
func (r *EuclideanResolver) certificateDouble(x, y *NearestDouble, start float64) parabola {
	least, far := math.Inf(1), x.Size.Plus(y.Size).By(r.Lines.D)
	for c := range r.Lines.Shape.Corners {
		least = min(least, InnerDouble(&x.N, &y.P[c]).Plus(InnerDouble(&y.N, &x.P[c])).Minus(far).Hi)
	}
	return parabola{start - x.Rounding, float64(0.5*least) - float64(0.5*(x.Rounding+y.Rounding)),
		r.Ahead(y) - y.Rounding}
}

// advanceDoubles moves a, before which the pair is apart (or of which nothing is known, when it is
// 0), until it and the next double b are neighbors with contact at b, or it is tMax.
func (r *EuclideanResolver) advanceDoubles(a, tMax float64) Instant { return r.advanceFrom(a, 0, tMax) }

// advanceFrom does the work of advanceDoubles. width is that of a step before a; it determines the
// first step where the distance grows.
func (r *EuclideanResolver) advanceFrom(a, width, tMax float64) Instant {
	var at [2]NearestDouble
	x, y := &at[0], &at[1]
	r.LookDouble(a, x)
	start := r.Ahead(x)
	if !(start > 2*x.Rounding) {
		return Instant{Undecided: true, Contact: a == 0 && r.Touches(x), Lo: a}.settled()
	}
	for looks := 0; looks < doubleLooks; {
		a = x.T
		if a == tMax {
			return Instant{}
		}
		neighbor := math.Nextafter(a, 2)
		b := r.foresee(x, start, width, tMax)
		for try := 0; ; try++ {
			r.LookDouble(b, y)
			looks++
			if x.Part == Inner2d && y.Part == Inner2d && InnerDouble(&x.N, &y.N).Hi < 0 {
				for k := range 3 {
					y.N[k] = Double2{-y.N[k].Hi, -y.N[k].Lo}
				}
			}
			c := r.certificateDouble(x, y, start)
			s := c.positive()
			if s == 1 {
				width = b - a
				x, y = y, x
				break
			}
			if b == neighbor {
				return Instant{Undecided: true, Contact: r.Touches(y), Lo: a, Hi: b}.settled()
			}
			if s > 0x1p-6 || s > 0 && try > 8 {
				if next := forward(a, b, s); next > a {
					width = next - a
					r.LookDouble(next, x)
					looks++
					break
				}
			}
			if b-a > 0x1p-40*a { // b was too far: the direction turns, or the feature changes
				b = max(neighbor, a+float64(0x1p-6*(b-a)))
			} else {
				b = neighbor
			}
		}
		if start = r.Ahead(x); !(start > x.Rounding) {
			break
		}
	}
	return Instant{Undecided: true, Lo: x.T}
}

// settled returns t, which is no longer undecided if it is a contact.
func (t Instant) settled() Instant {
	t.Undecided = t.Undecided && !t.Contact
	return t
}

// foresee chooses the next end from x's distance, less d, and its speed: a little past the root
// that the tangent foresees, or, once that is a few units in the last place away, the last double
// before it. width is that of the step before.
func (r *EuclideanResolver) foresee(x *NearestDouble, start, width, tMax float64) float64 {
	a := x.T
	_, closing := r.gap(&x.nearest)
	step := start / closing
	b := a + float64(step*(1+0x1p-30))
	switch {
	case !(step > 0) || step > tMax-a:
		b = a + max(8*width, 0x1p-20)
	case step < 0x1p-24*a:
		b = math.Nextafter(a+step, 0)
	}
	return min(tMax, max(b, math.Nextafter(a, 2)))
}

// Touches reports whether there is provably contact at x's time, by the weights of floats or by
// these after a step of Newton's method.
func (r *EuclideanResolver) Touches(x *NearestDouble) bool {
	w := x.weights()
	s, yes := r.nearer(x, &w)
	if !yes && x.refine(r.Sides, &w, &s) {
		_, yes = r.nearer(x, &w)
	}
	return yes
}

// weights returns those of floats.
func (x *NearestDouble) weights() (w [4]Double2) {
	for c := range w {
		w[c].Hi = x.w[c]
	}
	return w
}

// nearer computes the weighted sum s of the corners, with weights that are not negative, and
// reports whether it is provably shorter than d times the weights' sum.
func (r *EuclideanResolver) nearer(x *NearestDouble, w *[4]Double2) (s [3]Double2, yes bool) {
	var sum Double2
	for c := range r.Lines.Shape.Corners {
		if w[c].Hi != 0 {
			sum = sum.Plus(w[c])
			for k := range 3 {
				s[k] = s[k].Plus(x.P[c][k].times(w[c]))
			}
		}
	}
	reach := sum.By(r.Lines.D)
	size := float64(reach.Hi * reach.Hi)
	for k := range 3 {
		m := float64(sum.Hi * r.Lines.Mp[k])
		size += float64(m * max(math.Abs(s[k].Hi), 0x1p-52*m))
	}
	over := InnerDouble(&s, &s).Minus(reach.times(reach)).Hi
	return s, over < -(float64(euclideanDoubleContactError*size) + Tiny)
}

// refine changes the weights so that s, the weighted sum of the corners, loses its part along the
// feature. It reports whether no weight is negative.
func (x *NearestDouble) refine(sides []side, w *[4]Double2, s *[3]Double2) bool {
	along := func(i, j int8) (e [3]Double2) {
		for k := range 3 {
			e[k] = x.P[j][k].Minus(x.P[i][k])
		}
		return e
	}
	switch {
	case x.Part >= atCorner:
		return false
	case x.Part == Inner2d:
		b, c := along(0, 1), along(0, 2)
		bb, bc, cc := InnerDouble(&b, &b).Hi, InnerDouble(&b, &c).Hi, InnerDouble(&c, &c).Hi
		f, g := InnerDouble(s, &b).Hi, InnerDouble(s, &c).Hi
		det := float64(bb*cc) - float64(bc*bc)
		if !(det > 0) {
			return false
		}
		u, v := Double2{Hi: (float64(bc*g) - float64(cc*f)) / det}, Double2{Hi: (float64(bc*f) - float64(bb*g)) / det}
		w[1], w[2] = w[1].Plus(u), w[2].Plus(v)
		w[0] = w[0].Minus(u).Minus(v)
	default:
		z := sides[x.Part]
		e := along(z.From, z.to)
		h := Double2{Hi: -InnerDouble(s, &e).Hi / InnerDouble(&e, &e).Hi}
		w[z.From], w[z.to] = w[z.From].Minus(h), w[z.to].Plus(h)
	}
	for _, y := range w {
		if !(y.Hi > 0 || y == Double2{}) {
			return false
		}
	}
	return true
}

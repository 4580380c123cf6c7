package exact

import "math"

// The error bounds in double-doubles, in units of u^2 = 2^-106 as at double2:
//
//   - euclideanDoubleError, of sum |n_k| m_k + d |n|, the sum of both ends': a component of a corner (35, see doubleError), times n_k
//     (11), two sums (10): 56; for c1 the sum of two (5): 61. |n| is taken from above, see length2, and errs by 31; the sum of two (5), times
//     d (5): 41. Their difference (5): 66, and the rest for higher orders and the bound's own rounding. c1 is half of it, and each end's
//     coefficient has its own end's sum.
//   - euclideanDoubleContactError, of W m_k s_k + d^2 W^2 for s the sum of the corners by weights, W that of the weights: a component
//     of a corner (35), times a weight (11), three sums (15): e = 61 of W m_k. s_k^2: 2 e (of W m_k s_k), the product (11), two sums (10): 143,
//     and e^2, which s_k >= 2^-52 W m_k in the bound outweighs. d^2 W^2: the sum of the weights (15), times d (5), twice, and the product
//     (11): 51. Their difference (5): 148.
const (
	euclideanDoubleError        = 0x1p-99
	euclideanDoubleContactError = 0x1p-98
)

// nearestDouble is nearest with the corners and the direction in double-doubles.
type nearestDouble struct {
	nearest
	p        [4][3]double2
	n        [3]double2
	size     double2 // the length of n from above, but for 2^-101 of it
	rounding float64 // of n.p - d |n|
}

// lookDouble takes the feature from floats and the direction that belongs to it in double-doubles. Any direction will do.
func (r *EuclideanResolver) lookDouble(t float64, x *nearestDouble) {
	f := &x.nearest
	r.look(t, f)
	for c := range r.lines.shape.corners {
		x.p[c] = vectorAt(&r.lines.p[c], t)
	}
	switch {
	case f.part >= atCorner:
		x.n = x.p[f.part-atCorner]
	case f.part == inner2d:
		b, c := vectorAt(&r.lines.e[0], t), vectorAt(&r.lines.e[1], t)
		x.n = crossDouble(&b, &c)
	default: // p (e.e) - e (p.e), at right angles to e
		z := r.sides[f.part]
		e, p := vectorAt(&r.lines.e[z.edge], t), &x.p[z.from]
		ee, pe := innerDouble(&e, &e), innerDouble(p, &e)
		for k := range 3 {
			x.n[k] = p[k].times(ee).minus(e[k].times(pe))
		}
	}
	x.scale()
	x.rounding = r.lines.d * x.size.hi
	for k := range 3 {
		x.rounding += float64(math.Abs(x.n[k].hi) * r.lines.mp[k])
	}
	x.rounding = float64(euclideanDoubleError*x.rounding) + tiny
}

// scale brings n to about the float direction, in sign and size, or takes that where n has lost it, and bounds its length.
func (x *nearestDouble) scale() {
	f := &x.nearest
	s := float64(x.n[0].hi*f.n[0]) + float64(x.n[1].hi*f.n[1]) + float64(x.n[2].hi*f.n[2])
	if math.Abs(s) > 0x1p-500 {
		for k := range 3 {
			x.n[k] = x.n[k].by(1 / s)
		}
	}
	square := innerDouble(&x.n, &x.n)
	if !(square.hi > 0.25 && square.hi < 4) {
		for k := range 3 {
			x.n[k] = double2{hi: f.n[k]}
		}
		square = innerDouble(&x.n, &x.n)
	}
	x.size = length2(square)
}

// length2 is the root of a square in [1/4, 4] from above: l + (square - l^2) / 2l is at least the root whatever l is. In units of u^2
// times the root: the square has 21 (products 11, two sums 10), l^2 5 and their difference 5 (1 + 1), halved: 18; what is divided is at
// most 4 u of the root, and 1 / 2l and the product round by 2 u of that: 8; the sum 5: 31.
func length2(square double2) double2 {
	l := math.Sqrt(square.hi)
	return double2{hi: l}.plus(square.minus(double2{hi: l}.by(l)).by(0.5 / l))
}

// ahead is the least of n.p - d |n| over the corners, at x's time.
func (r *EuclideanResolver) ahead(x *nearestDouble) float64 {
	least, far := math.Inf(1), x.size.by(r.lines.d)
	for c := range r.lines.shape.corners {
		least = min(least, innerDouble(&x.n, &x.p[c]).minus(far).hi)
	}
	return least
}

// certificateDouble is certificate in double-doubles, for the direction that goes from x's to y's; start is ahead(x).
func (r *EuclideanResolver) certificateDouble(x, y *nearestDouble, start float64) parabola {
	least, far := math.Inf(1), x.size.plus(y.size).by(r.lines.d)
	for c := range r.lines.shape.corners {
		least = min(least, innerDouble(&x.n, &y.p[c]).plus(innerDouble(&y.n, &x.p[c])).minus(far).hi)
	}
	return parabola{start - x.rounding, float64(0.5*least) - float64(0.5*(x.rounding+y.rounding)), r.ahead(y) - y.rounding}
}

// advanceDoubles moves a, before which the pair is apart (or of which nothing is known, when it is 0), until it and the next double b are
// neighbors with contact at b, or it is tMax.
func (r *EuclideanResolver) advanceDoubles(a, tMax float64) instant { return r.advanceFrom(a, 0, tMax) }

// advanceFrom is advanceDoubles with the width of a step before a, from which the first one is chosen where the distance grows.
func (r *EuclideanResolver) advanceFrom(a, width, tMax float64) instant {
	var at [2]nearestDouble
	x, y := &at[0], &at[1]
	r.lookDouble(a, x)
	start := r.ahead(x)
	if !(start > 2*x.rounding) {
		return instant{undecided: true, contact: a == 0 && r.touches(x), lo: a}.settled()
	}
	for range doubleSteps {
		a = x.t
		if a == tMax {
			return instant{}
		}
		neighbor := math.Nextafter(a, 2)
		b := r.foresee(x, start, width, tMax)
		for try := 0; ; try++ {
			r.lookDouble(b, y)
			if x.part == inner2d && y.part == inner2d && innerDouble(&x.n, &y.n).hi < 0 {
				for k := range 3 {
					y.n[k] = double2{-y.n[k].hi, -y.n[k].lo}
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
				return instant{undecided: true, contact: r.touches(y), lo: a, hi: b}.settled()
			}
			if s > 0x1p-6 || s > 0 && try > 8 {
				if next := forward(a, b, s); next > a {
					width = next - a
					r.lookDouble(next, x)
					break
				}
			}
			if b-a > 0x1p-40*a { // b was too far: the direction turns, or the feature changes
				b = max(neighbor, a+float64(0x1p-6*(b-a)))
			} else {
				b = neighbor
			}
		}
		if start = r.ahead(x); !(start > x.rounding) {
			break
		}
	}
	return instant{undecided: true, lo: x.t}
}

// settled is t, decided if it is a contact.
func (t instant) settled() instant {
	t.undecided = t.undecided && !t.contact
	return t
}

// foresee chooses the next end from x's distance, less d, and its speed: a little past the root that the tangent foresees, or, once that is
// a few units in the last place away, the last double before it. width is that of the step before.
func (r *EuclideanResolver) foresee(x *nearestDouble, start, width, tMax float64) float64 {
	a := x.t
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

// touches proves contact at x's time by the weights of floats, or by these after a step of Newton's method.
func (r *EuclideanResolver) touches(x *nearestDouble) bool {
	var w [4]double2
	for c := range w {
		w[c].hi = x.w[c]
	}
	s, yes := r.nearer(x, &w)
	if !yes && x.refine(r.sides, &w, &s) {
		_, yes = r.nearer(x, &w)
	}
	return yes
}

// nearer computes the sum s of the corners by weights that are not negative, and proves that it is shorter than d times the weights' sum.
func (r *EuclideanResolver) nearer(x *nearestDouble, w *[4]double2) (s [3]double2, yes bool) {
	var sum double2
	for c := range r.lines.shape.corners {
		if w[c].hi != 0 {
			sum = sum.plus(w[c])
			for k := range 3 {
				s[k] = s[k].plus(x.p[c][k].times(w[c]))
			}
		}
	}
	reach := sum.by(r.lines.d)
	size := float64(reach.hi * reach.hi)
	for k := range 3 {
		m := float64(sum.hi * r.lines.mp[k])
		size += float64(m * max(math.Abs(s[k].hi), 0x1p-52*m))
	}
	over := innerDouble(&s, &s).minus(reach.times(reach)).hi
	return s, over < -(float64(euclideanDoubleContactError*size) + tiny)
}

// refine takes from the weights what s, their sum of corners, has along the feature; it reports whether they are still not negative.
func (x *nearestDouble) refine(sides []side, w *[4]double2, s *[3]double2) bool {
	along := func(i, j int8) (e [3]double2) {
		for k := range 3 {
			e[k] = x.p[j][k].minus(x.p[i][k])
		}
		return e
	}
	switch {
	case x.part >= atCorner:
		return false
	case x.part == inner2d:
		b, c := along(0, 1), along(0, 2)
		bb, bc, cc := innerDouble(&b, &b).hi, innerDouble(&b, &c).hi, innerDouble(&c, &c).hi
		f, g := innerDouble(s, &b).hi, innerDouble(s, &c).hi
		det := float64(bb*cc) - float64(bc*bc)
		if !(det > 0) {
			return false
		}
		u, v := double2{hi: (float64(bc*g) - float64(cc*f)) / det}, double2{hi: (float64(bc*f) - float64(bb*g)) / det}
		w[1], w[2] = w[1].plus(u), w[2].plus(v)
		w[0] = w[0].minus(u).minus(v)
	default:
		z := sides[x.part]
		e := along(z.from, z.to)
		h := double2{hi: -innerDouble(s, &e).hi / innerDouble(&e, &e).hi}
		w[z.from], w[z.to] = w[z.from].minus(h), w[z.to].plus(h)
	}
	for _, y := range w {
		if !(y.hi > 0 || y == double2{}) {
			return false
		}
	}
	return true
}

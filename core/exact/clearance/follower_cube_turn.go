package clearance

import (
	"math"
	"math/big"

	"ccd/core/geom"
	"ccd/core/num"
)

// The end of certificates that double-doubles cannot tell to a double: where a pair rests at d up
// to rounding, n.P - d |n|_1 changes by less than their error in thousands of doubles.
//
// Statement. Over a part of time let each component of n have one sign, so that d |n|_1 is a
// polynomial, and let each n.P - d |n|_1 be > 0 or change the sign of its coefficients once, from +
// to -. By Descartes' rule it has one root at most: the certificate holds up to the least of the
// roots, and from there on never. If this is so of some certificates, and all others certainly fail
// throughout - for one corner, +-n.P less d times the components of n with any signs is < 0 -, then
// the pair is apart up to the last of their ends, and in contact from there on. Exact signs at
// doubles bracket it.

// turn decides the end of a certificate that certainly holds up to a, and of others by then.
func (f *CubeFollower) turn(a, tMax float64, l certificateID) Instant {
	for step, tries := f.ahead(a, tMax, l), 0; step > 0 && tries < 3; step, tries = 16*step, tries+1 {
		from, b := max(f.start, a-step), min(tMax, max(a+step, num.Up(a)))
		if b == a || !f.ending(from, b) {
			continue
		}
		holds := func(t float64) (sign int, value float64) {
			sign, value = -1, math.Inf(-1)
			for _, l := range f.list {
				if s, v := f.paths.Exact(l.direction, l.side, t); s > sign || v > value {
					sign, value = max(s, sign), v
				}
			}
			return sign, value
		}
		sa, va := holds(a)
		sb, vb := holds(b)
		if sa <= 0 || sb > 0 {
			continue
		}
		a, b = Bracket(a, b, a+float64((b-a)*(va/(va-vb))), func(t float64) bool {
			s, _ := holds(t)
			if s <= 0 {
				sb = s // This t is b from now on.
			}
			return s > 0
		})
		if sb == 0 {
			a = b
		}
		return Instant{Contact: true, Lo: a, Hi: b}
	}
	return Instant{Undecided: true, Lo: a}
}

// ahead returns how long after a the certificate certainly ends, about, by a slope: so long that
// few of its coefficients are within their error of 0. It is 0 where it does not end.
func (f *CubeFollower) ahead(a, tMax float64, l certificateID) float64 {
	var x, y cubeForm
	f.over(a, a)
	f.form(l.direction, &x)
	b := min(tMax, a+float64(0x1p-10*max(a, 0x1p-10)))
	f.over(b, b)
	f.form(l.direction, &y)
	slope := (x.c[l.side][0] - y.c[l.side][0]) / (b - a)
	return (x.c[l.side][0] + float64(float64(12*f.path)*x.err)) / slope
}

// ending lists the certificates that certainly hold up to one time of a part alone. It reports
// whether all others certainly hold at none.
func (f *CubeFollower) ending(from, b float64) bool {
	f.over(from, b)
	f.list = f.list[:0]
	for _, n := range f.directions {
		for side := range 2 {
			switch {
			case f.never(n, side):
			case f.once(certificateID{n, side}):
				f.list = append(f.list, certificateID{n, side})
			default:
				return false
			}
		}
	}
	return len(f.list) > 0
}

// Left lists the directions that may separate at some time from a to b, on either side.
func (f *CubeFollower) Left(a, b float64) (list []int) {
	f.over(a, b)
	for _, n := range f.directions {
		if !f.never(n, 0) || !f.never(n, 1) {
			list = append(list, n)
		}
	}
	return list
}

// once reports whether a certificate certainly holds up to one time of the part, and not after it.
func (f *CubeFollower) once(l certificateID) bool {
	var x direction
	if f.direction(l.direction, &x); x.none {
		return false
	}
	for k := range x.parts {
		p := x.n[k]
		p.c = f.room.take(len(p.c))
		copy(p.c, x.n[k].c)
		p.plain()
		if p.sign(0) == 0 {
			return false
		}
	}
	w := f.reach(&x, false)
	for c := range x.count {
		p := f.beyond(&x.q[c], &w, l.side)
		if e := p.margin(0); signOf(p.c, e) <= 0 && !(p.c[0].Hi > 0 && onceIn(p.c, e)) {
			return false
		}
	}
	return true
}

// never reports whether a direction certainly separates at no time of the part on a side.
func (f *CubeFollower) never(n, side int) bool {
	var x direction
	if f.direction(n, &x); x.none {
		return true
	}
	w := f.reach(&x, true)
	for c := range x.count {
		if p := f.beyond(&x.q[c], &w, side); p.sign(0) < 0 {
			return true
		}
	}
	return false
}

// Bracket returns neighboring doubles of [a, b] at the first of which before is true, and not at
// the second, as at a and b. From t it goes by steps that double, then by halves.
func Bracket(a, b, t float64, before func(t float64) bool) (x, y float64) {
	narrow := func(t float64) bool {
		if before(t) {
			a = t
			return true
		}
		b = t
		return false
	}
	if t > a && t < b {
		up := narrow(t)
		for step := uint64(1); ; step *= 2 {
			n := math.Float64bits(t)
			if up && n+step < math.Float64bits(b) && narrow(math.Float64frombits(n+step)) ||
				!up && n > step && n-step > math.Float64bits(a) && !narrow(math.Float64frombits(n-step)) {
				continue
			}
			break
		}
	}
	for {
		m := middleOf(a, b)
		if m == a {
			return a, b
		}
		narrow(m)
	}
}

// CubeValue is the least of +-n.P - d |n|_1 over the corners of a polygon at one time, exactly;
// n is a direction as in SeparationResolver.form.
func CubeValue(kind geom.Kind, n, side int, corners *[4][3]*big.Int, d *big.Int) *big.Int {
	edge := func(j int) (e [3]*big.Int) {
		for _, z := range PolygonSides[kind] {
			if int(z.Edge) == j {
				for k := range e {
					e[k] = new(big.Int).Sub(corners[z.to][k], corners[z.From][k])
				}
				break
			}
		}
		return e
	}
	minor := func(u, v *[3]*big.Int, k int) *big.Int {
		i, l := (k+1)%3, (k+2)%3
		x := new(big.Int).Mul(u[i], v[l])
		return x.Sub(x, new(big.Int).Mul(u[l], v[i]))
	}
	var v [3]*big.Int
	switch edges := len(Shapes[kind].Edges); {
	case n < 3:
		v = [3]*big.Int{new(big.Int), new(big.Int), new(big.Int)}
		v[n].SetInt64(1)
	case n < 3+3*edges:
		e, k := edge((n-3)/3), (n-3)%3
		v[k], v[(k+1)%3], v[(k+2)%3] = new(big.Int), new(big.Int).Neg(e[(k+2)%3]), e[(k+1)%3]
	default:
		b, c := edge(0), edge(1)
		v = [3]*big.Int{minor(&b, &c, 0), minor(&b, &c, 1), minor(&b, &c, 2)}
	}
	far, x := new(big.Int), new(big.Int)
	for k := range v {
		far.Add(far, x.Abs(v[k]))
	}
	far.Mul(far, d)
	var least *big.Int
	for c := range Shapes[kind].Corners {
		y := new(big.Int)
		for k := range v {
			y.Add(y, x.Mul(v[k], corners[c][k]))
		}
		if side == 1 {
			y.Neg(y)
		}
		if y.Sub(y, far); least == nil || y.Cmp(least) < 0 {
			least = y
		}
	}
	return least
}

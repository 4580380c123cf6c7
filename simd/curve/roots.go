package curve

import (
	"math"

	"ccd/simd/internal/query"
	"ccd/simd/internal/vec"
	"ccd/simd/linear"
)

// This file finds roots on curved paths: the first contact of queries whose vertices move on
// polynomials of degree k = 2 or 3 in t, without a separation. Records are those of filter.go.
// RootsVF isolates the roots of f = A.(B x C), of degree 3k, in doubles; TimesVF rounds the time of
// one of them, in double-doubles. docs/proofs/motions.md, "Kernels for roots", derives the bounds.
const (
	// curvedReach: the root of a part is looked for at this distance from where doubles find it, in
	// units of the part.
	curvedReach = 0x1p-24
	// curvedReachBound: a minor of A, B, C at the root in doubles, against the one at a root within
	// curvedReach of it: entries change by 2k M curvedReach, 6M at most, and are off by 16U M. (1 +
	// 6.01 curvedReach)^2 - 1 < 12.1 curvedReach.
	curvedReachBound = 0x1p-20
	// curvedNearBound: f in double-doubles at a double is off by less than 192 * 2^-106 P.
	curvedNearBound = 0x1p-97
	// curvedFarBound: f at a neighboring double, from its value and its slope in doubles, by less
	// than 675 * 2^-106 P.
	curvedFarBound = 0x1p-95
	// curvedMinorBound: a minor of A, B, C, rounded at a double, against the one at a root next to
	// it: 18.1U of its permanent.
	curvedMinorBound = 0x1p-48
	// curvedNewtonTurns and curvedTimesTurns bound the iterations; a query that has not converged
	// then is not certified.
	curvedNewtonTurns = 16
	curvedTimesTurns  = 4
)

// RootsVF looks, for every j, for a root of f of the vertex-face query list[j] in the part
// [from[j], to[j]] of the time, whose ends are multiples of 2^-50. It writes to state[j] what it
// has proven:
//
//	RootNone       no contact on the closed part: f has no zero there, or a single one, where u or v
//	               is certainly out of range
//	RootContact    f has one zero on the closed part, inside, and it is simple; toi[j] is about
//	               where, which proves nothing
//	RootUndecided  anything else
//
// In the other cases toi[j] is 0. from, to, toi and state must hold len(list) entries.
func RootsVF(rec []float64, degree int, idx [][4]int32, list []int32, from, to, toi []float64, state []uint8) {
	n := len(list)
	curvedRootsVF(degree, rec, idx, list, from[:n], to[:n], toi[:n], state[:n])
}

// RootsEE is RootsVF for edge-edge queries.
func RootsEE(rec []float64, degree int, idx [][4]int32, list []int32, from, to, toi []float64, state []uint8) {
	n := len(list)
	curvedRootsEE(degree, rec, idx, list, from[:n], to[:n], toi[:n], state[:n])
}

// TimesVF goes from at[j], near a zero of f of the vertex-face query list[j], to neighboring
// doubles at which f certainly has different signs. It writes the lower one to toi[j], and to
// state[j] RootContact if a zero between them is a contact, RootNone if none between them is, else
// RootUndecided; toi[j] is then undefined. at, toi and state must hold len(list) entries.
func TimesVF(rec []float64, degree int, idx [][4]int32, list []int32, at, toi []float64, state []uint8) {
	curvedTimesVF(degree, rec, idx, list, at[:len(list)], toi[:len(list)], state[:len(list)])
}

// TimesEE is TimesVF for edge-edge queries.
func TimesEE(rec []float64, degree int, idx [][4]int32, list []int32, at, toi []float64, state []uint8) {
	curvedTimesEE(degree, rec, idx, list, at[:len(list)], toi[:len(list)], state[:len(list)])
}

func curvedRootsGeneric(rec []float64, degree int, idx [][4]int32, list []int32, from, to, toi []float64,
	state []uint8, face bool) {
	q := curvedQuery{face: face, degree: degree}
	for j, i := range list {
		q.load(rec, &idx[i])
		// Otherwise between would change the signs of zeros alone, on which nothing depends.
		if from[j] != 0 || to[j] != 1 {
			q.between(from[j], to[j])
		}
		s, found := q.root()
		toi[j], state[j] = 0, found
		if found == linear.RootContact {
			toi[j] = from[j] + float64((to[j]-from[j])*s)
		}
	}
}

// between restricts the query to the part [from, to], by polar forms at its ends.
func (q *curvedQuery) between(from, to float64) {
	for _, x := range []*[4]vec.Vec3{&q.a, &q.b, &q.c} {
		y := *x
		q.narrow(&y, q.degree-1, from)
		z := *x
		q.narrow(&z, q.degree-1, to)
		x[0], x[1] = vec.Blend([2]vec.Vec3{y[0], y[1]}, 1-from, from), vec.Blend([2]vec.Vec3{y[0], y[1]}, 1-to, to)
		if q.degree == 3 {
			x[2] = vec.Blend([2]vec.Vec3{z[0], z[1]}, 1-from, from)
		}
		x[q.degree] = vec.Blend([2]vec.Vec3{z[0], z[1]}, 1-to, to)
	}
}

// narrow takes steps of de Casteljau's algorithm at t.
func (q *curvedQuery) narrow(x *[4]vec.Vec3, steps int, t float64) {
	for step := range steps {
		for l := range q.degree - step {
			x[l] = vec.Blend([2]vec.Vec3{x[l], x[l+1]}, 1-t, t)
		}
	}
}

// root looks for a root of f on the part, and returns where in units of the part.
func (q *curvedQuery) root() (s float64, found uint8) {
	volume := vec.Dot(q.ma, vec.Permanent(q.mb, q.mc))
	if !(volume >= query.SmallestVolume && vec.Sum(q.scale) <= query.Largest) {
		return 0, linear.RootUndecided
	}
	f, _ := q.bernstein()
	n := 3 * q.degree
	if minus := math.Signbit(f[0]); minus {
		for m := range n + 1 {
			f[m] = -f[m]
		}
	}
	e := volume * curvedPartSignBound
	switch curvedTurns(f[:n+1], e) {
	case 0:
		return 0, linear.RootNone
	case 2:
		return 0, linear.RootUndecided
	}
	s = curvedZero(f[:n+1])
	lo, hi := s-curvedReach, s+curvedReach
	if lo > 0 && hi < 1 && curvedValue(f[:n+1], lo) > e && curvedValue(f[:n+1], hi) < -e && q.outside(s) {
		return 0, linear.RootNone
	}
	return s, linear.RootContact
}

// curvedTurns returns how often scaled coefficients, the first of which is not negative, change
// their sign, if that is 0 or 1 for certain; else 2. One coefficient that is not certain may be
// between those of different signs: whatever it is, there is one change.
func curvedTurns(f []float64, e float64) int {
	n := len(f) - 1
	choose := curvedChoose[n]
	up, down := 0, n+1 // the coefficients before up are certainly positive, those from down on certainly negative
	for up <= n && f[up] > float64(e*choose[up]) {
		up++
	}
	for down > 0 && f[down-1] < -float64(e*choose[down-1]) {
		down--
	}
	switch {
	case up == n+1:
		return 0
	case up > 0 && down <= n && down-up <= 1:
		return 1
	}
	return 2
}

// curvedZero returns about where a polynomial in scaled Bernstein form whose coefficients change
// their sign once, from plus to minus, is 0: Newton's method in powers of s, from where the control
// polygon crosses 0, within a bracket.
func curvedZero(f []float64) float64 {
	n := len(f) - 1
	choose := curvedChoose[n]
	var p [10]float64
	for m := range n + 1 {
		p[m] = float64(f[m] * (1 / choose[m]))
	}
	first := 0
	for first < n-1 && p[first+1] > 0 {
		first++
	}
	x := (float64(first) + p[first]/(p[first]-p[first+1])) * (1 / float64(n))
	for m := 1; m <= n; m++ { // differences
		for j := n; j >= m; j-- {
			p[j] -= p[j-1]
		}
	}
	for m := 1; m < n; m++ {
		p[m] *= choose[m]
	}
	lo, hi := 0.0, 1.0
	for range curvedNewtonTurns {
		y, slope := p[n], p[n]
		y = math.FMA(y, x, p[n-1])
		for j := n - 2; j >= 0; j-- {
			slope = math.FMA(slope, x, y)
			y = math.FMA(y, x, p[j])
		}
		if y > 0 {
			lo = x
		} else {
			hi = x
		}
		next := x - y/slope
		if !(next > lo && next < hi) {
			next = (lo + hi) * 0.5
		}
		near := math.Abs(next-x) <= 0x1p-27
		x = next
		if near {
			break
		}
	}
	return x
}

// curvedValue returns a polynomial in scaled Bernstein form at s.
func curvedValue(f []float64, s float64) float64 {
	n := len(f) - 1
	r := 1 - s
	y, w := f[n], r
	for m := n - 1; m >= 0; m-- {
		y = math.FMA(y, s, float64(f[m]*w))
		w *= r
	}
	return y
}

// outside reports whether u or v is certainly out of range at a root within curvedReach of s.
func (q *curvedQuery) outside(s float64) bool {
	a, b, c := q.within(s)
	d, _, out := q.sides(a, b, c, curvedReachBound)
	return d && out
}

// scaledBy returns a vector times a number, each product rounded.
func scaledBy(w float64, x vec.Vec3) vec.Vec3 {
	return vec.Vec3{X: float64(w * x.X), Y: float64(w * x.Y), Z: float64(w * x.Z)}
}

// within returns A, B and C at s.
func (q *curvedQuery) within(s float64) (a, b, c vec.Vec3) {
	r := 1 - s
	var w [4]float64
	if q.degree == 2 {
		w = [4]float64{r * r, (r + r) * s, s * s}
	} else {
		r2, s2 := r*r, s*s
		w = [4]float64{r2 * r, r2 * s * 3, s2 * r * 3, s2 * s}
	}
	at := func(x *[4]vec.Vec3) vec.Vec3 {
		y := scaledBy(w[0], x[0])
		for l := 1; l <= q.degree; l++ {
			y = vec.Plus(y, scaledBy(w[l], x[l]))
		}
		return y
	}
	return at(&q.a), at(&q.b), at(&q.c)
}

// sides reports whether a component of B x C is certainly not 0, and by it whether (u, v) is
// certainly inside, and whether it is certainly outside: by Cramer's rule on the largest one, for
// minors that are off by bound times their permanents.
func (q *curvedQuery) sides(a, b, c vec.Vec3, bound float64) (certain, in, out bool) {
	d, u, v, ed, eu, ev := query.Minors(a, b, c, q.ma, q.mb, q.mc, bound)
	in = u > eu && v > ev
	out = u < -eu || v < -ev
	if q.face {
		w, ew := d-u-v, ed+eu+ev
		in, out = in && w > ew, out || w < -ew
	} else {
		in = in && d-u > ed+eu && d-v > ed+ev
		out = out || d-u < -(ed+eu) || d-v < -(ed+ev)
	}
	return d > ed, in, out
}

func curvedTimesGeneric(rec []float64, degree int, idx [][4]int32, list []int32, at, toi []float64,
	state []uint8, face bool) {
	q := curvedTime{curvedQuery: curvedQuery{face: face, degree: degree}}
	for j, i := range list {
		q.load(rec, &idx[i])
		q.exact(rec, &idx[i])
		toi[j], state[j] = q.round(at[j])
	}
}

// curvedTime is a query whose control points are known exactly.
type curvedTime struct {
	curvedQuery
	m [3][4]vec.Double3 // A, B, C
}

func (q *curvedTime) exact(rec []float64, at *[4]int32) {
	stride := 3 * (q.degree + 1)
	pairs := [3][2]int{{0, 2}, {1, 0}, {2, 3}}
	if q.face {
		pairs = [3][2]int{{0, 1}, {1, 2}, {1, 3}}
	}
	for v, pair := range pairs {
		x, y := rec[stride*int(at[pair[0]]):][:stride], rec[stride*int(at[pair[1]]):][:stride]
		for l := range q.degree + 1 {
			for k, to := range []*vec.Double{&q.m[v][l].X, &q.m[v][l].Y, &q.m[v][l].Z} {
				to.H, to.L = vec.TwoDifference(x[3*l+k], y[3*l+k])
			}
		}
	}
}

// round goes from x to neighboring doubles at which f has different signs, and returns the lower
// one.
func (q *curvedTime) round(x float64) (toi float64, state uint8) {
	volume := vec.Dot(q.ma, vec.Permanent(q.mb, q.mc))
	x = inStep(x)
	for range curvedTimesTurns {
		a, b, c := q.at(x)
		n := vec.CrossD(&b, &c)
		y := vec.DotD(&a, &n).H
		slope := q.slope(x, a.High(), b.High(), c.High(), n.High())
		upper := y > 0 != (slope < 0)
		other := math.Float64frombits(math.Float64bits(x) + 1)
		if upper { // The root is before x.
			other = math.Float64frombits(math.Float64bits(x) - 1)
		}
		far := y + float64((other-x)*slope)
		if y < 0 {
			y, far, slope = -y, -far, -slope
		}
		if y > float64(volume*curvedNearBound) && far < -float64(volume*curvedFarBound) {
			certain, in, out := q.sides(a.High(), b.High(), c.High(), curvedMinorBound)
			toi = x
			if upper {
				toi = other
			}
			certain = certain && x > query.LeastTime && volume >= query.SmallestVolume &&
				vec.Sum(q.scale) <= query.Largest
			switch {
			case certain && in:
				return toi, linear.RootContact
			case certain && out:
				return toi, linear.RootNone
			}
			return toi, linear.RootUndecided
		}
		x = inStep(x - y/slope)
	}
	return 0, linear.RootUndecided
}

// inStep moves x into [query.LeastTime, 1 - 2^-53], also if it is NaN.
func inStep(x float64) float64 {
	if !(x > query.LeastTime) {
		return query.LeastTime
	}
	return min(x, 1-0x1p-53)
}

// at returns A, B and C at x.
func (q *curvedTime) at(x float64) (a, b, c vec.Double3) {
	var r vec.Double
	r.H, r.L = vec.TwoDifference(1, x)
	s := vec.Double{H: x, L: 0}
	var w [4]vec.Double
	if q.degree == 2 {
		w = [4]vec.Double{r.Mul(r), r.Times(x).Twice(), s.Times(x)}
	} else {
		r2, s2 := r.Mul(r), s.Times(x)
		w = [4]vec.Double{r2.Mul(r), r2.Times(x).Times(3), s2.Mul(r).Times(3), s2.Times(x)}
	}
	for v, to := range []*vec.Double3{&a, &b, &c} {
		for l := range q.degree + 1 {
			m := &q.m[v][l]
			y := vec.Double3{X: m.X.Mul(w[l]), Y: m.Y.Mul(w[l]), Z: m.Z.Mul(w[l])}
			if l == 0 {
				*to = y
			} else {
				*to = vec.PlusD(to, &y)
			}
		}
	}
	return a, b, c
}

// slope returns about the derivative of f at x, where A, B, C and N = B x C have these high parts.
func (q *curvedTime) slope(x float64, a, b, c, n vec.Vec3) float64 {
	r := 1 - x
	w := [3]float64{r, x, 0}
	if q.degree == 3 {
		w = [3]float64{r * r, (r + r) * x, x * x}
	}
	rate := func(v int) vec.Vec3 {
		var y vec.Vec3
		for l := range q.degree {
			d := vec.Minus(q.m[v][l+1].High(), q.m[v][l].High())
			z := scaledBy(w[l], d)
			if l == 0 {
				y = z
			} else {
				y = vec.Plus(y, z)
			}
		}
		k := float64(q.degree)
		return scaledBy(k, y)
	}
	return vec.Dot(rate(0), n) + vec.Dot(a, vec.Plus(vec.Cross(rate(1), c), vec.Cross(b, rate(2))))
}

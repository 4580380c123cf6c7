package simd

import "math"

func curvedRootsGeneric(rec []float64, degree int, idx [][4]int32, list []int32, from, to, toi []float64, state []uint8, face bool) {
	q := curvedQuery{face: face, degree: degree}
	for j, i := range list {
		q.load(rec, &idx[i])
		if from[j] != 0 || to[j] != 1 { // else between changes the signs of zeros alone, which nothing depends on
			q.between(from[j], to[j])
		}
		s, found := q.root()
		toi[j], state[j] = 0, found
		if found == RootContact {
			toi[j] = from[j] + float64((to[j]-from[j])*s)
		}
	}
}

// between keeps the part [from, to]: polar forms at its ends.
func (q *curvedQuery) between(from, to float64) {
	for _, x := range []*[4]vec3{&q.a, &q.b, &q.c} {
		y := *x
		q.narrow(&y, q.degree-1, from)
		z := *x
		q.narrow(&z, q.degree-1, to)
		x[0], x[1] = blend([2]vec3{y[0], y[1]}, 1-from, from), blend([2]vec3{y[0], y[1]}, 1-to, to)
		if q.degree == 3 {
			x[2] = blend([2]vec3{z[0], z[1]}, 1-from, from)
		}
		x[q.degree] = blend([2]vec3{z[0], z[1]}, 1-to, to)
	}
}

// narrow takes steps of de Casteljau's algorithm at t.
func (q *curvedQuery) narrow(x *[4]vec3, steps int, t float64) {
	for step := range steps {
		for l := range q.degree - step {
			x[l] = blend([2]vec3{x[l], x[l+1]}, 1-t, t)
		}
	}
}

// root looks for a root of f on the part, and returns where in units of the part.
func (q *curvedQuery) root() (s float64, found uint8) {
	volume := dot(q.ma, permanent(q.mb, q.mc))
	if !(volume >= smallestVolume && sum(q.scale) <= largest) {
		return 0, RootUndecided
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
		return 0, RootNone
	case 2:
		return 0, RootUndecided
	}
	s = curvedZero(f[:n+1])
	lo, hi := s-curvedReach, s+curvedReach
	if lo > 0 && hi < 1 && curvedValue(f[:n+1], lo) > e && curvedValue(f[:n+1], hi) < -e && q.outside(s) {
		return 0, RootNone
	}
	return s, RootContact
}

// curvedTurns is how often scaled coefficients, the first of which is not negative, change their sign, if that is 0 or 1 for certain; else 2. One coefficient
// that is not certain may be between those of different signs: whatever it is, there is one change.
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

// curvedZero is about where a polynomial in scaled Bernstein form whose coefficients change their sign once, from plus to minus, is 0: Newton's
// method in powers of s, from where the control polygon crosses 0, within a bracket.
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

// curvedValue is a polynomial in scaled Bernstein form at s.
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

// scaledBy is a vector times a number, each product rounded.
func scaledBy(w float64, x vec3) vec3 {
	return vec3{float64(w * x.x), float64(w * x.y), float64(w * x.z)}
}

// within is A, B and C at s.
func (q *curvedQuery) within(s float64) (a, b, c vec3) {
	r := 1 - s
	var w [4]float64
	if q.degree == 2 {
		w = [4]float64{r * r, (r + r) * s, s * s}
	} else {
		r2, s2 := r*r, s*s
		w = [4]float64{r2 * r, r2 * s * 3, s2 * r * 3, s2 * s}
	}
	at := func(x *[4]vec3) vec3 {
		y := scaledBy(w[0], x[0])
		for l := 1; l <= q.degree; l++ {
			y = plus(y, scaledBy(w[l], x[l]))
		}
		return y
	}
	return at(&q.a), at(&q.b), at(&q.c)
}

// sides reports whether a component of B x C is certainly not 0, and by it whether (u, v) is certainly inside, and whether it is certainly outside: by Cramer's
// rule on the largest one, for minors that are off by bound times their permanents.
func (q *curvedQuery) sides(a, b, c vec3, bound float64) (certain, in, out bool) {
	d, u, v, ed, eu, ev := minors(a, b, c, q.ma, q.mb, q.mc, bound)
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

func curvedTimesGeneric(rec []float64, degree int, idx [][4]int32, list []int32, at, toi []float64, state []uint8, face bool) {
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
	m [3][4]double3 // A, B, C
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
			for k, to := range []*double{&q.m[v][l].x, &q.m[v][l].y, &q.m[v][l].z} {
				to.h, to.l = twoDifference(x[3*l+k], y[3*l+k])
			}
		}
	}
}

// round goes from x to neighboring doubles at which f has different signs, and returns the lower one.
func (q *curvedTime) round(x float64) (toi float64, state uint8) {
	volume := dot(q.ma, permanent(q.mb, q.mc))
	x = inStep(x)
	for range curvedTimesTurns {
		a, b, c := q.at(x)
		n := crossD(&b, &c)
		y := dotD(&a, &n).h
		slope := q.slope(x, a.high(), b.high(), c.high(), n.high())
		upper := y > 0 != (slope < 0)
		other := math.Float64frombits(math.Float64bits(x) + 1)
		if upper { // the root is before x
			other = math.Float64frombits(math.Float64bits(x) - 1)
		}
		far := y + float64((other-x)*slope)
		if y < 0 {
			y, far, slope = -y, -far, -slope
		}
		if y > float64(volume*curvedNearBound) && far < -float64(volume*curvedFarBound) {
			certain, in, out := q.sides(a.high(), b.high(), c.high(), curvedMinorBound)
			toi = x
			if upper {
				toi = other
			}
			certain = certain && x > leastTime && volume >= smallestVolume && sum(q.scale) <= largest
			switch {
			case certain && in:
				return toi, RootContact
			case certain && out:
				return toi, RootNone
			}
			return toi, RootUndecided
		}
		x = inStep(x - y/slope)
	}
	return 0, RootUndecided
}

// inStep takes x to [leastTime, 1 - 2^-53]; NaN too.
func inStep(x float64) float64 {
	if !(x > leastTime) {
		return leastTime
	}
	return min(x, 1-0x1p-53)
}

func (a *double3) high() vec3 { return vec3{a.x.h, a.y.h, a.z.h} }

// at is A, B and C at x.
func (q *curvedTime) at(x float64) (a, b, c double3) {
	var r double
	r.h, r.l = twoDifference(1, x)
	s := double{x, 0}
	var w [4]double
	if q.degree == 2 {
		w = [4]double{r.mul(r), r.times(x).twice(), s.times(x)}
	} else {
		r2, s2 := r.mul(r), s.times(x)
		w = [4]double{r2.mul(r), r2.times(x).times(3), s2.mul(r).times(3), s2.times(x)}
	}
	for v, to := range []*double3{&a, &b, &c} {
		for l := range q.degree + 1 {
			m := &q.m[v][l]
			y := double3{m.x.mul(w[l]), m.y.mul(w[l]), m.z.mul(w[l])}
			if l == 0 {
				*to = y
			} else {
				*to = plusD(to, &y)
			}
		}
	}
	return a, b, c
}

// slope is about the derivative of f at x, where A, B, C and N = B x C have these high parts.
func (q *curvedTime) slope(x float64, a, b, c, n vec3) float64 {
	r := 1 - x
	w := [3]float64{r, x, 0}
	if q.degree == 3 {
		w = [3]float64{r * r, (r + r) * x, x * x}
	}
	rate := func(v int) vec3 {
		var y vec3
		for l := range q.degree {
			d := minus(q.m[v][l+1].high(), q.m[v][l].high())
			z := scaledBy(w[l], d)
			if l == 0 {
				y = z
			} else {
				y = plus(y, z)
			}
		}
		k := float64(q.degree)
		return scaledBy(k, y)
	}
	return dot(rate(0), n) + dot(a, plus(cross(rate(1), c), cross(b, rate(2))))
}

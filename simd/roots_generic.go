package simd

import "math"

func rootsGeneric(rec []float64, idx [][4]int32, list []int32, piece []uint8, ends *[9]float64, toi []float64, state []uint8, face bool) {
	var q rootQuery
	for j, i := range list {
		q.start, q.end = ends[piece[j]], ends[piece[j]+1]
		q.load(rec, &idx[i], face)
		toi[j], state[j] = q.resolve()
	}
}

// rootQuery is one query on one piece of time.
type rootQuery struct {
	filterQuery               // the differences rounded, and their maxima
	exact       [3][2]double3 // the differences exactly
	start, end  float64
	f           cubic // positive at the start of the piece
	bound       float64
}

func (q *rootQuery) load(rec []float64, at *[4]int32, face bool) {
	differences := [3][2]int{{0, 2}, {1, 0}, {2, 3}}
	if face {
		differences = [3][2]int{{0, 1}, {1, 2}, {1, 3}}
	}
	for v, d := range differences {
		a, b := line(rec, at[d[0]]), line(rec, at[d[1]])
		q.exact[v] = [2]double3{exactDifference(a, b, 0), exactDifference(a, b, 4)}
	}
	q.filterQuery.load(rec, at, face)
	q.measure()
}

func (q *rootQuery) resolve() (float64, uint8) {
	g, ok := q.isolate()
	if !ok {
		return 0, RootUndecided
	}
	bound3 := dot(q.ma, permanent(q.mb, q.mc)) * middleBound
	up1, up2 := g[1] >= bound3, g[2] >= bound3
	switch {
	case g[3] > q.bound && up1 && up2:
		return 0, RootNone
	case g[3] < -q.bound && (up1 || g[2] <= -bound3): // one change of sign
	default:
		return 0, RootUndecided
	}
	x, certain := q.round(q.newton(g[0] / (g[0] - g[3])))
	if !certain {
		return 0, RootUndecided
	}
	switch state := q.parameters(x); state {
	case RootContact:
		return x, state
	default:
		return 0, state
	}
}

// isolate forms the cubic in powers of t and gives the high parts of its Bernstein coefficients on the piece, the
// middle ones times three, all with the sign that makes the first positive; it reports whether that sign is certain.
func (q *rootQuery) isolate() (g [4]float64, ok bool) {
	a, b, c := &q.exact[0], &q.exact[1], &q.exact[2]
	volume := dot(q.ma, permanent(q.mb, q.mc))
	if !(volume >= smallestVolume && q.finite()) {
		return g, false
	}
	q.bound = volume * endBound
	n0, n2 := crossD(&b[0], &c[0]), crossD(&b[1], &c[1])
	n1, m1 := crossD(&b[0], &c[1]), crossD(&b[1], &c[0])
	n1 = plusD(&n1, &m1)
	f0, f3 := dotD(&a[0], &n0), dotD(&a[1], &n2)
	f1 := dotD(&a[1], &n0).plus(dotD(&a[0], &n1))
	f2 := dotD(&a[1], &n1).plus(dotD(&a[0], &n2))
	q.f = cubic{
		f0,
		f1.minus(f0).minus(f0.twice()),
		f2.minus(f1.twice()).plus(f0.twice()).plus(f0),
		f3.minus(f2).plus(f1).minus(f0),
	}
	g0 := q.f.at(q.start).h
	minus := math.Signbit(g0)
	g = [4]float64{g0, q.f.blossom(q.start, q.end).h, q.f.blossom(q.end, q.start).h, q.f.at(q.end).h}
	for k := range 4 {
		q.f[k] = q.f[k].flip(minus)
		if minus {
			g[k] = -g[k]
		}
	}
	return g, g[0] > q.bound
}

// newton goes from the root of the secant to a root of the rounded cubic, and gives it with the slope there.
func (q *rootQuery) newton(secant float64) (x, slope float64) {
	c0, c1, c2, c3 := q.f[0].h, q.f[1].h, q.f[2].h, q.f[3].h
	lo, hi := q.start, q.end
	x = q.start + float64((q.end-q.start)*secant)
	for range newtonTurns {
		f := math.FMA(math.FMA(math.FMA(c3, x, c2), x, c1), x, c0)
		if f > 0 {
			lo = x
		} else {
			hi = x
		}
		slope = math.FMA(math.FMA(c3+c3+c3, x, c2+c2), x, c1)
		y := x - f/slope
		if !(y > lo && y < hi) {
			y = (lo + hi) * 0.5
		}
		near := math.Abs(y-x) <= x*0x1p-45
		x = y
		if near {
			break
		}
	}
	return x, slope
}

// round corrects the iterate twice by its residual, rounds it down, and reports whether the cubic certainly changes sign
// between it and the next double.
func (q *rootQuery) round(x, slope float64) (float64, bool) {
	x = inTime(x)
	for range 2 {
		y, e := twoSum(x, -(q.f.at(x).h / slope))
		if e < 0 {
			y = math.Float64frombits(math.Float64bits(y) - 1)
		}
		x = inTime(y)
	}
	next := math.Float64frombits(math.Float64bits(x) + 1)
	return x, q.f.at(x).h > q.bound && q.f.at(next).h < -q.bound && x >= q.start && x < q.end && x > leastTime
}

// inTime takes x into [leastTime, 1]; NaN too.
func inTime(x float64) float64 {
	if !(x > leastTime) {
		return leastTime
	}
	return min(x, 1)
}

// minors returns d, u d and v d of F = 0 by Cramer's rule, on the component of B x C that is largest, d not negative, and by how much each may be off: bound times its
// permanent of the largest magnitudes.
func minors(a, b, c, ma, mb, mc vec3, bound float64) (d, u, v, ed, eu, ev float64) {
	n, nu, nv := cross(b, c), cross(c, a), cross(a, b)
	pn, pu, pv := permanent(mb, mc), permanent(mc, ma), permanent(ma, mb)
	d, u, v, ed, eu, ev = n.x, nu.x, nv.x, pn.x, pu.x, pv.x
	if math.Abs(n.y) > math.Abs(d) {
		d, u, v, ed, eu, ev = n.y, nu.y, nv.y, pn.y, pu.y, pv.y
	}
	if math.Abs(n.z) > math.Abs(d) {
		d, u, v, ed, eu, ev = n.z, nu.z, nv.z, pn.z, pu.z, pv.z
	}
	ed = float64(ed*bound) + leastMinor
	eu = float64(eu*bound) + leastMinor
	ev = float64(ev*bound) + leastMinor
	if math.Signbit(d) {
		d, u, v = -d, -u, -v
	}
	return d, u, v, ed, eu, ev
}

// parameters reports whether u and v lie in the domain at the root next to x: by Cramer's rule on the component of B x C
// that is largest.
func (q *rootQuery) parameters(x float64) uint8 {
	a, b, c := blend(q.a, 1-x, x), blend(q.b, 1-x, x), blend(q.c, 1-x, x)
	d, u, v, ed, eu, ev := minors(a, b, c, q.ma, q.mb, q.mc, minorBound)
	if !(d > ed) {
		return RootUndecided
	}
	in := u > eu && v > ev
	out := u < -eu || v < -ev
	if q.face {
		w, ew := d-u-v, ed+eu+ev
		in, out = in && w > ew, out || w < -ew
	} else {
		in = in && d-u > ed+eu && d-v > ed+ev
		out = out || d-u < -(ed+eu) || d-v < -(ed+ev)
	}
	switch {
	case in:
		return RootContact
	case out:
		return RootNone
	}
	return RootUndecided
}

package linear

import (
	"math"

	"ccd/simd/internal/query"
	"ccd/simd/internal/vec"
)

// The states that RootsVF and RootsEE write.
const (
	RootUndecided uint8 = iota // floats cannot tell
	RootNone                   // no contact on the closed piece: a proof
	RootContact                // the first contact of the piece, at the root that toi rounds down
)

// Units of the permanent P of the maxima; derived in docs/numerics.md.
const (
	// endBound: the cubic of double-double coefficients at a double in [0, 1] is off by less than
	// 1957 * 2^-106 P.
	endBound = 0x1p-95
	// middleBound: three times a middle Bernstein coefficient on a piece, by less than 5247 *
	// 2^-106 P.
	middleBound = 0x1p-93
	// minorBound: a 2 x 2 minor of A, B, C, evaluated at a double next to the root, by less than
	// 15 * 2^-53 of its permanent.
	minorBound = 0x1p-49

	// newtonTurns bounds the iteration; a lane that has not converged then is not certified.
	newtonTurns = 40
)

// RootsVF looks, for every j, for the first contact of the vertex-face query list[j] on its piece
// piece[j] of time (numbered as by TimePiecesVF with the same tmax), in double-double arithmetic,
// eight at a time. It writes to state[j] what it has proven:
//
//	RootNone       no contact on the closed piece: the cubic f = A.(B x C) has no zero there, or a
//	               single one, where u or v is certainly out of range
//	RootContact    a contact at tau, the only zero of f on the piece, and none before it on the
//	               piece; toi[j] is the largest double not above tau, and tau is no double itself
//	RootUndecided  anything else: several zeros, a zero at an end, a double as root, a contact at a
//	               corner or edge, f = 0 ...
//
// The proof of a rounded time is that f is certainly positive at it and certainly negative at the
// next double. A time beyond tmax may be reported, because pieces reach a little beyond it. toi[j]
// is 0 unless there is a contact. piece, toi and state must hold len(list) entries; there is no
// separation here.
func RootsVF(rec []float64, idx [][4]int32, list []int32, piece []uint8, tmax float64, toi []float64, state []uint8) {
	rootsVF(rec, idx, list, piece, tmax, toi, state)
}

// RootsEE is RootsVF for edge-edge queries.
func RootsEE(rec []float64, idx [][4]int32, list []int32, piece []uint8, tmax float64, toi []float64, state []uint8) {
	rootsEE(rec, idx, list, piece, tmax, toi, state)
}

func rootsGeneric(rec []float64, idx [][4]int32, list []int32, piece []uint8, ends *[9]float64, toi []float64,
	state []uint8, face bool) {
	var q rootQuery
	for j, i := range list {
		q.start, q.end = ends[piece[j]], ends[piece[j]+1]
		q.load(rec, &idx[i], face)
		toi[j], state[j] = q.resolve()
	}
}

// rootQuery is one query on one piece of time.
type rootQuery struct {
	filterQuery                   // the differences rounded, and their maxima
	exact       [3][2]vec.Double3 // the differences exactly
	start, end  float64
	f           vec.Cubic // positive at the start of the piece
	bound       float64
}

func (q *rootQuery) load(rec []float64, at *[4]int32, face bool) {
	differences := [3][2]int{{0, 2}, {1, 0}, {2, 3}}
	if face {
		differences = [3][2]int{{0, 1}, {1, 2}, {1, 3}}
	}
	for v, d := range differences {
		a, b := query.Line(rec, at[d[0]]), query.Line(rec, at[d[1]])
		q.exact[v] = [2]vec.Double3{vec.ExactDifference(a, b, 0), vec.ExactDifference(a, b, 4)}
	}
	q.filterQuery.load(rec, at, face)
	q.measure()
}

func (q *rootQuery) resolve() (float64, uint8) {
	g, ok := q.isolate()
	if !ok {
		return 0, RootUndecided
	}
	bound3 := vec.Dot(q.ma, vec.Permanent(q.mb, q.mc)) * middleBound
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

// isolate forms the cubic in powers of t and gives the high parts of its Bernstein coefficients on
// the piece, the middle ones times three, all with the sign that makes the first positive; it
// reports whether that sign is certain.
func (q *rootQuery) isolate() (g [4]float64, ok bool) {
	a, b, c := &q.exact[0], &q.exact[1], &q.exact[2]
	volume := vec.Dot(q.ma, vec.Permanent(q.mb, q.mc))
	if !(volume >= query.SmallestVolume && q.finite()) {
		return g, false
	}
	q.bound = volume * endBound
	n0, n2 := vec.CrossD(&b[0], &c[0]), vec.CrossD(&b[1], &c[1])
	n1, m1 := vec.CrossD(&b[0], &c[1]), vec.CrossD(&b[1], &c[0])
	n1 = vec.PlusD(&n1, &m1)
	f0, f3 := vec.DotD(&a[0], &n0), vec.DotD(&a[1], &n2)
	f1 := vec.DotD(&a[1], &n0).Plus(vec.DotD(&a[0], &n1))
	f2 := vec.DotD(&a[1], &n1).Plus(vec.DotD(&a[0], &n2))
	q.f = vec.Cubic{
		f0,
		f1.Minus(f0).Minus(f0.Twice()),
		f2.Minus(f1.Twice()).Plus(f0.Twice()).Plus(f0),
		f3.Minus(f2).Plus(f1).Minus(f0),
	}
	g0 := q.f.At(q.start).H
	minus := math.Signbit(g0)
	g = [4]float64{g0, q.f.Blossom(q.start, q.end).H, q.f.Blossom(q.end, q.start).H, q.f.At(q.end).H}
	for k := range 4 {
		q.f[k] = q.f[k].Flip(minus)
		if minus {
			g[k] = -g[k]
		}
	}
	return g, g[0] > q.bound
}

// newton goes from the root of the secant to a root of the rounded cubic, and gives it with the
// slope there.
func (q *rootQuery) newton(secant float64) (x, slope float64) {
	c0, c1, c2, c3 := q.f[0].H, q.f[1].H, q.f[2].H, q.f[3].H
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

// round corrects the iterate twice by its residual, rounds it down, and reports whether the cubic
// certainly changes sign between it and the next double.
func (q *rootQuery) round(x, slope float64) (float64, bool) {
	x = inTime(x)
	for range 2 {
		y, e := vec.TwoSum(x, -(q.f.At(x).H / slope))
		if e < 0 {
			y = math.Float64frombits(math.Float64bits(y) - 1)
		}
		x = inTime(y)
	}
	next := math.Float64frombits(math.Float64bits(x) + 1)
	return x, q.f.At(x).H > q.bound && q.f.At(next).H < -q.bound && x >= q.start && x < q.end && x > query.LeastTime
}

// inTime takes x into [leastTime, 1]; NaN too.
func inTime(x float64) float64 {
	if !(x > query.LeastTime) {
		return query.LeastTime
	}
	return min(x, 1)
}

// parameters reports whether u and v lie in the domain at the root next to x: by Cramer's rule on
// the component of B x C that is largest.
func (q *rootQuery) parameters(x float64) uint8 {
	a, b, c := vec.Blend(q.a, 1-x, x), vec.Blend(q.b, 1-x, x), vec.Blend(q.c, 1-x, x)
	d, u, v, ed, eu, ev := query.Minors(a, b, c, q.ma, q.mb, q.mc, minorBound)
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

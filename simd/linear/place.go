package linear

import (
	"math"

	"ccd/simd/internal/query"
	"ccd/simd/internal/vec"
)

// Rows of what PlaceVF and PlaceEE write.
const (
	PlaceU      = 0
	PlaceV      = 1
	PlaceWidth  = 2
	PlacePoint  = 3 // x, y and z of the point take three rows
	PlaceNormal = 6 // x, y and z of the normal take three rows
	PlaceRows   = 9
)

// PlaceLen is the largest number of queries of a call of PlaceVF and PlaceEE: their output stays in
// the first-level cache.
const PlaceLen = 64

// Places holds the results for number j of a list in column j, each in its row.
type Places [PlaceRows][PlaceLen]float64

const (
	// leastSlope: u and v are right to 2^-53 when |f'| |N_k| is at least this, lengths scaled to at
	// most 1: docs/proofs/exact.md, "Where they touch".
	leastSlope = 0x1p-36
	// leastRatio: axes whose scales differ by more are left out, for the normal's sake.
	leastRatio = 0x1p-40
	// leastLength: below it a length has no exponent of its own.
	leastLength = 0x1p-1022
)

// PlaceVF finds where vertex-face queries touch, eight at a time. Query list[j] is known to have a
// simple root of its cubic f = A.N, N = B x C, strictly between toi[j] and the next double, with u,
// v and 1-u-v positive there. If f' N_k, k N's largest component, is not too small for that,
// placed[j] is 1, and column j of out is
//
//	u, v     at the root, right to 2^-53 besides two roundings, within the domain
//	width    the largest component of dF/dt at u, v, times the way from toi to the next double
//	point    on the face, or on the edge a, at toi
//	normal   the unit vector of -sign(f') N
//
// else placed[j] is 0 and the column means nothing. The list has at most PlaceLen numbers; rows of
// out may be written up to the next multiple of eight. It works in double-doubles, every axis
// scaled by its own power of two:
//
//	a, b, c, n := A, B, C, N at toi, in double-doubles; a', b', c', n' their derivatives, in doubles
//	delta := -f / f', from toi to the root
//	u := ((c x a)_k + delta (c x a)'_k) / (n_k + delta n'_k), and v likewise with a x b
func PlaceVF(rec []float64, idx [][4]int32, list []int32, toi []float64, out *Places, placed []uint8) {
	placeVF(rec, idx, list, toi[:len(list)], out, placed[:len(list)])
}

// PlaceEE is PlaceVF for edge-edge queries; 1-u and 1-v take the place of 1-u-v.
func PlaceEE(rec []float64, idx [][4]int32, list []int32, toi []float64, out *Places, placed []uint8) {
	placeEE(rec, idx, list, toi[:len(list)], out, placed[:len(list)])
}

func placeGeneric(rec []float64, idx [][4]int32, list []int32, toi []float64, out *Places, placed []uint8, face bool) {
	var q placeQuery
	for j, i := range list {
		q.load(rec, &idx[i], face)
		placed[j] = 0
		if q.normalize() && q.solve(toi[j]) {
			placed[j] = 1
		}
		for r, x := range [PlaceRows]float64{
			q.u, q.v, q.width, q.point[0], q.point[1], q.point[2], q.normal[0], q.normal[1], q.normal[2],
		} {
			out[r][j] = x
		}
	}
}

// placeQuery is one query. Vectors are arrays here, because the largest component is selected by
// its index.
type placeQuery struct {
	face  bool
	m     [3][2][3]vec.Double // A, B, C at both ends, exactly, each axis scaled to magnitudes below 1
	base  [2][3]float64       // the point f0 or a0 at both ends
	unit  [3]float64          // undoes the scaling of an axis
	ratio [3]float64          // an axis's scale divided by the largest scale

	u, v, width   float64
	point, normal [3]float64
}

func (q *placeQuery) load(rec []float64, at *[4]int32, face bool) {
	q.face = face
	differences, base := [3][2]int{{0, 2}, {1, 0}, {2, 3}}, 0
	if face {
		differences, base = [3][2]int{{0, 1}, {1, 2}, {1, 3}}, 1
	}
	for v, d := range differences {
		a, b := query.Line(rec, at[d[0]]), query.Line(rec, at[d[1]])
		for end := range 2 {
			for k := range 3 {
				x := &q.m[v][end][k]
				x.H, x.L = vec.TwoDifference(a[4*end+k], b[4*end+k])
			}
		}
	}
	p := query.Line(rec, at[base])
	q.base = [2][3]float64{{p[0], p[1], p[2]}, {p[4], p[5], p[6]}}
}

// normalize scales the axes and reports whether that is possible.
func (q *placeQuery) normalize() bool {
	const exponent = 0x7ff << 52
	var scale [3]float64
	ok := true
	for k := range 3 {
		m := 0.0
		for v := range q.m {
			m = max(m, vec.Larger(q.m[v][0][k].H, q.m[v][1][k].H))
		}
		ok = ok && m >= leastLength
		e := math.Float64bits(m) & exponent
		// m lies in [unit/2, unit).
		scale[k], q.unit[k] = math.Float64frombits(2045<<52-e), math.Float64frombits(e+1<<52)
		for v := range q.m {
			for end := range 2 {
				x := &q.m[v][end][k]
				x.H, x.L = x.H*scale[k], x.L*scale[k]
			}
		}
	}
	least := min(q.unit[0], q.unit[1], q.unit[2])
	for k := range 3 {
		q.ratio[k] = scale[k] * least
		ok = ok && q.ratio[k] >= leastRatio
	}
	return ok
}

// solve fills u, v and what follows from them, and reports whether they are accurate.
func (q *placeQuery) solve(t float64) bool {
	a, da := q.at(0, t)
	b, db := q.at(1, t)
	c, dc := q.at(2, t)
	n := [3]vec.Double{minorD(&b, &c, 0), minorD(&b, &c, 1), minorD(&b, &c, 2)}
	dn := [3]float64{turn(&b, &c, &db, &dc, 0), turn(&b, &c, &db, &dc, 1), turn(&b, &c, &db, &dc, 2)}
	slope := (float64(da[0]*n[0].H) + float64(da[1]*n[1].H) + float64(da[2]*n[2].H)) +
		(float64(a[0].H*dn[0]) + float64(a[1].H*dn[1]) + float64(a[2].H*dn[2])) // A'.N + A.N'
	k := 0
	if math.Abs(n[1].H) > math.Abs(n[0].H) {
		k = 1
	}
	if math.Abs(n[2].H) > math.Abs(n[k].H) {
		k = 2
	}
	f := a[0].Mul(n[0]).Plus(a[1].Mul(n[1])).Plus(a[2].Mul(n[2]))
	delta := -(f.H / slope)
	den := n[k].H + (n[k].L + float64(delta*dn[k]))
	u, v := minorD(&c, &a, k), minorD(&a, &b, k)
	q.u = parameter(u, delta, turn(&c, &a, &dc, &da, k), den)
	q.v = parameter(v, delta, turn(&a, &b, &da, &db, k), den)
	if q.face {
		q.v = vec.Lesser(q.v, 1-q.u) // 1-u is rounded once, so u + v rounds to at most 1
	}
	q.report(t, slope, &n, &b, &c, &da, &db, &dc)
	return float64(math.Abs(slope)*math.Abs(n[k].H)) >= leastSlope
}

// at returns A, B or C at t, and its derivative.
func (q *placeQuery) at(v int, t float64) (x [3]vec.Double, d [3]float64) {
	for k := range 3 {
		from, to := q.m[v][0][k], q.m[v][1][k]
		x[k] = from.Plus(to.Minus(from).Times(t))
		d[k] = to.H - from.H
	}
	return x, d
}

// minorD returns component k of x cross y.
func minorD(x, y *[3]vec.Double, k int) vec.Double {
	i, j := (k+1)%3, (k+2)%3
	return x[i].Mul(y[j]).Minus(x[j].Mul(y[i]))
}

// turn returns component k of the derivative of x cross y.
func turn(x, y *[3]vec.Double, dx, dy *[3]float64, k int) float64 {
	i, j := (k+1)%3, (k+2)%3
	return (float64(dx[i]*y[j].H) - float64(dx[j]*y[i].H)) + (float64(x[i].H*dy[j]) - float64(x[j].H*dy[i]))
}

// parameter returns a parameter: (x + delta dx) / den, in [0, 1].
func parameter(x vec.Double, delta, dx, den float64) float64 {
	s := (x.H + (x.L + float64(delta*dx))) / den
	if !(s > 0) {
		s = 0
	}
	return vec.Lesser(s, 1)
}

// report fills width, point and normal.
func (q *placeQuery) report(t, slope float64, n, b, c *[3]vec.Double, da, db, dc *[3]float64) {
	speed, square := 0.0, 0.0
	for k := range 3 {
		w := da[k] + float64(q.u*db[k]) + float64(q.v*dc[k])
		speed = max(speed, math.Abs(w*q.unit[k]))
		x := q.base[0][k] + float64(t*(q.base[1][k]-q.base[0][k]))
		along := float64(q.u * (b[k].H * q.unit[k]))
		if q.face {
			q.point[k] = x - along - float64(q.v*(c[k].H*q.unit[k]))
		} else {
			q.point[k] = x + along
		}
		q.normal[k] = n[k].H * q.ratio[k]
		square += float64(q.normal[k] * q.normal[k])
	}
	q.width = (math.Float64frombits(math.Float64bits(t)+1) - t) * speed
	length := math.Sqrt(square)
	for k := range 3 {
		if !math.Signbit(slope) {
			q.normal[k] = -q.normal[k]
		}
		q.normal[k] = q.normal[k]/length + 0 // + 0: no negative zeros
	}
}

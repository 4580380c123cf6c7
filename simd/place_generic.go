package simd

import "math"

func placeGeneric(rec []float64, idx [][4]int32, list []int32, toi []float64, out *Places, placed []uint8, face bool) {
	var q placeQuery
	for j, i := range list {
		q.load(rec, &idx[i], face)
		placed[j] = 0
		if q.normalize() && q.solve(toi[j]) {
			placed[j] = 1
		}
		for r, x := range [placeRows]float64{
			q.u, q.v, q.width, q.point[0], q.point[1], q.point[2], q.normal[0], q.normal[1], q.normal[2],
		} {
			out[r][j] = x
		}
	}
}

// placeQuery is one query. Vectors are arrays here, because the largest component is selected by its index.
type placeQuery struct {
	face  bool
	m     [3][2][3]double // A, B, C at both ends, exactly, each axis scaled to magnitudes below 1
	base  [2][3]float64   // the point f0 or a0 at both ends
	unit  [3]float64      // undoes the scaling of an axis
	ratio [3]float64      // of an axis's scale to the largest

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
		a, b := line(rec, at[d[0]]), line(rec, at[d[1]])
		for end := range 2 {
			for k := range 3 {
				x := &q.m[v][end][k]
				x.h, x.l = twoDifference(a[4*end+k], b[4*end+k])
			}
		}
	}
	p := line(rec, at[base])
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
			m = max(m, larger(q.m[v][0][k].h, q.m[v][1][k].h))
		}
		ok = ok && m >= leastLength
		e := math.Float64bits(m) & exponent
		scale[k], q.unit[k] = math.Float64frombits(2045<<52-e), math.Float64frombits(e+1<<52) // m lies in [unit/2, unit)
		for v := range q.m {
			for end := range 2 {
				x := &q.m[v][end][k]
				x.h, x.l = x.h*scale[k], x.l*scale[k]
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
	n := [3]double{minorD(&b, &c, 0), minorD(&b, &c, 1), minorD(&b, &c, 2)}
	dn := [3]float64{turn(&b, &c, &db, &dc, 0), turn(&b, &c, &db, &dc, 1), turn(&b, &c, &db, &dc, 2)}
	slope := (float64(da[0]*n[0].h) + float64(da[1]*n[1].h) + float64(da[2]*n[2].h)) +
		(float64(a[0].h*dn[0]) + float64(a[1].h*dn[1]) + float64(a[2].h*dn[2])) // A'.N + A.N'
	k := 0
	if math.Abs(n[1].h) > math.Abs(n[0].h) {
		k = 1
	}
	if math.Abs(n[2].h) > math.Abs(n[k].h) {
		k = 2
	}
	f := a[0].mul(n[0]).plus(a[1].mul(n[1])).plus(a[2].mul(n[2]))
	delta := -(f.h / slope)
	den := n[k].h + (n[k].l + float64(delta*dn[k]))
	u, v := minorD(&c, &a, k), minorD(&a, &b, k)
	q.u = parameter(u, delta, turn(&c, &a, &dc, &da, k), den)
	q.v = parameter(v, delta, turn(&a, &b, &da, &db, k), den)
	if q.face {
		q.v = lesser(q.v, 1-q.u) // 1-u is rounded once, so u + v rounds to at most 1
	}
	q.report(t, slope, &n, &b, &c, &da, &db, &dc)
	return float64(math.Abs(slope)*math.Abs(n[k].h)) >= leastSlope
}

// at is A, B or C at t, and its derivative.
func (q *placeQuery) at(v int, t float64) (x [3]double, d [3]float64) {
	for k := range 3 {
		from, to := q.m[v][0][k], q.m[v][1][k]
		x[k] = from.plus(to.minus(from).times(t))
		d[k] = to.h - from.h
	}
	return x, d
}

// minorD is component k of x cross y.
func minorD(x, y *[3]double, k int) double {
	i, j := (k+1)%3, (k+2)%3
	return x[i].mul(y[j]).minus(x[j].mul(y[i]))
}

// turn is component k of the derivative of x cross y.
func turn(x, y *[3]double, dx, dy *[3]float64, k int) float64 {
	i, j := (k+1)%3, (k+2)%3
	return (float64(dx[i]*y[j].h) - float64(dx[j]*y[i].h)) + (float64(x[i].h*dy[j]) - float64(x[j].h*dy[i]))
}

// parameter is a parameter: (x + delta dx) / den, in [0, 1].
func parameter(x double, delta, dx, den float64) float64 {
	s := (x.h + (x.l + float64(delta*dx))) / den
	if !(s > 0) {
		s = 0
	}
	return lesser(s, 1)
}

func lesser(x, y float64) float64 {
	if x < y {
		return x
	}
	return y
}

// report fills width, point and normal.
func (q *placeQuery) report(t, slope float64, n, b, c *[3]double, da, db, dc *[3]float64) {
	speed, square := 0.0, 0.0
	for k := range 3 {
		w := da[k] + float64(q.u*db[k]) + float64(q.v*dc[k])
		speed = max(speed, math.Abs(w*q.unit[k]))
		x := q.base[0][k] + float64(t*(q.base[1][k]-q.base[0][k]))
		along := float64(q.u * (b[k].h * q.unit[k]))
		if q.face {
			q.point[k] = x - along - float64(q.v*(c[k].h*q.unit[k]))
		} else {
			q.point[k] = x + along
		}
		q.normal[k] = n[k].h * q.ratio[k]
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

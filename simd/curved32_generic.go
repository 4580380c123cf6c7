package simd

import "math"

func curved32Generic(rec []float64, degree int, idx [][4]int32, list []int32, bounds *[4]float32, whole bool, out []int32, face bool) int {
	q := curvedQuery32{face: face, degree: degree}
	n := 0
	for _, i := range list {
		q.load(rec, &idx[i])
		if !whole {
			q.cut(bounds[0], bounds[1])
		}
		apart := q.axesApart(bounds[2]) || q.signApart(bounds[2], whole)
		if !apart {
			u, v, t := q.derivatives()
			apart = q.directionApart(cross32(u, v), bounds[2]) ||
				q.directionApart(cross32(v, t), bounds[2]) || q.directionApart(cross32(t, u), bounds[2])
		}
		if !(apart && sum32(q.scale) <= largest32) {
			out[n] = i
			n++
		}
	}
	return n
}

// curvedQuery32 is curvedQuery in single precision.
type curvedQuery32 struct {
	face       bool
	degree     int
	a, b, c    [4]vec32
	ma, mb, mc vec32
	scale      vec32
}

func (q *curvedQuery32) load(rec []float64, at *[4]int32) {
	d := curvedQuery{face: q.face, degree: q.degree}
	d.load(rec, at)
	least := vec32{least32, least32, least32}
	q.ma, q.mb, q.mc = least, least, least
	for l := range q.degree + 1 {
		q.a[l], q.b[l], q.c[l] = narrowed(d.a[l]), narrowed(d.b[l]), narrowed(d.c[l])
		q.ma, q.mb, q.mc = largestOf32(q.ma, q.a[l]), largestOf32(q.mb, q.b[l]), largestOf32(q.mc, q.c[l])
	}
	q.scale = plus32(plus32(q.ma, q.mb), q.mc)
}

// narrowed is a vector rounded to single precision.
func narrowed(x vec3) vec32 { return vec32{float32(x.x), float32(x.y), float32(x.z)} }

// cut is curvedQuery.cut.
func (q *curvedQuery32) cut(w0, w1 float32) {
	for _, x := range []*[4]vec32{&q.a, &q.b, &q.c} {
		for step := 1; step <= q.degree; step++ {
			for l := q.degree; l >= step; l-- {
				x[l] = blend32([2]vec32{x[l-1], x[l]}, w0, w1)
			}
		}
	}
}

// scaled is curvedQuery.scaled.
func (q *curvedQuery32) scaled(x *[4]vec32) [4]vec32 {
	s := *x
	for l := 1; l < q.degree; l++ {
		w := float32(q.degree)
		s[l] = vec32{w * x[l].x, w * x[l].y, w * x[l].z}
	}
	return s
}

func (q *curvedQuery32) signApart(sep float32, whole bool) bool {
	area := permanent32(q.mb, q.mc)
	volume := dot32(q.ma, area)
	if !(volume >= smallest32) {
		return false
	}
	f, n := q.bernstein()
	e := float32(volume*curvedSignBound32) + float32(sep*sum32(area))
	if !whole {
		e = float32(volume*curvedPartSignBound32) + float32(sep*(sum32(n)+float32(sum32(area)*curvedNormBound32)))
	}
	up := !math.Signbit(float64(f[0]))
	for m, w := range curvedChoose[3*q.degree] {
		y := f[m]
		if !up {
			y = -y
		}
		if !(y > float32(e*float32(w))) {
			return false
		}
	}
	return true
}

// bernstein is curvedQuery.bernstein.
func (q *curvedQuery32) bernstein() (f [10]float32, largest vec32) {
	k := q.degree
	a, b, c := q.scaled(&q.a), q.scaled(&q.b), q.scaled(&q.c)
	var begun [10]bool
	choose := curvedChoose[2*k]
	for m := range 2*k + 1 {
		var n vec32
		for i := max(0, m-k); i <= min(k, m); i++ {
			if x := cross32(b[i], c[m-i]); i == max(0, m-k) {
				n = x
			} else {
				n = plus32(n, x)
			}
		}
		w := float32(1 / choose[m])
		largest = largestOf32(largest, vec32{n.x * w, n.y * w, n.z * w})
		for i := range k + 1 {
			if x := dot32(a[i], n); begun[i+m] {
				f[i+m] += x
			} else {
				f[i+m], begun[i+m] = x, true
			}
		}
	}
	return f, largest
}

// derivatives is curvedQuery.derivatives.
func (q *curvedQuery32) derivatives() (u, v, t vec32) {
	k, middle := q.degree, float32(0.5)
	if q.face {
		middle = 1.0 / 3
	}
	b, c := q.scaled(&q.b), q.scaled(&q.c)
	u, v = b[0], c[0]
	for l := 1; l <= k; l++ {
		u, v = plus32(u, b[l]), plus32(v, c[l])
	}
	at := func(l int) vec32 {
		s := plus32(q.b[l], q.c[l])
		return vec32{q.a[l].x + float32(middle*s.x), q.a[l].y + float32(middle*s.y), q.a[l].z + float32(middle*s.z)}
	}
	t = minus32(at(k), at(0))
	if k == 3 {
		t = plus32(t, minus32(at(2), at(1)))
	}
	return u, v, t
}

func (q *curvedQuery32) axesApart(sep float32) bool {
	for k := range 3 {
		pick := func(x vec32) float32 { return [3]float32{x.x, x.y, x.z}[k] }
		if scale := pick(q.scale); scale >= smallest32 && q.beyond(float32(scale*curvedRangeBound32)+sep, pick) {
			return true
		}
	}
	return false
}

func (q *curvedQuery32) directionApart(d vec32, sep float32) bool {
	m := vec32{abs32(d.x), abs32(d.y), abs32(d.z)}
	size := dot32(m, q.scale)
	return size >= smallest32 && q.beyond(float32(size*curvedRangeBound32)+float32(sep*sum32(m)), func(x vec32) float32 { return dot32(d, x) })
}

// beyond reports whether the projections a + u b + v c, as computed, exceed e at all control points of the halves or lie below -e at all.
func (q *curvedQuery32) beyond(e float32, project func(vec32) float32) bool {
	var x [3][4]float32
	for v, from := range []*[4]vec32{&q.a, &q.b, &q.c} {
		for l := range q.degree + 1 {
			x[v][l] = project(from[l])
		}
	}
	a, b, c := halved(x[0], q.degree), halved(x[1], q.degree), halved(x[2], q.degree)
	above, below := true, true
	for l := 0; l < 2*q.degree && (above || below); l++ {
		lo, hi := q.reach(a[l], b[l], c[l])
		above, below = above && lo > e, below && -hi > e
	}
	return above || below
}

// halved is the control points of both halves of a polynomial, but for the one in the middle, which is the mean of its neighbours.
func halved(x [4]float32, degree int) [6]float32 {
	mean := func(a, b float32) float32 { return float32(0.5 * (a + b)) }
	p, q := mean(x[0], x[1]), mean(x[1], x[2])
	if degree == 2 {
		return [6]float32{x[0], p, q, x[2]}
	}
	r := mean(x[2], x[3])
	return [6]float32{x[0], p, mean(p, q), mean(q, r), r, x[3]}
}

// reach is curvedQuery.reach.
func (q *curvedQuery32) reach(a, b, c float32) (lo, hi float32) {
	if q.face {
		return a + min(b, c, 0), a + max(b, c, 0)
	}
	return a + min(b, 0) + min(c, 0), a + max(b, 0) + max(c, 0)
}

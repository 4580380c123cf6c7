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
		if !(q.apart(bounds[2], whole) && sum32(q.scale) <= largest32) {
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

// apart reports whether on each half of the time something keeps the query apart.
func (q *curvedQuery32) apart(sep float32, whole bool) bool {
	apart := q.signsApart(sep, whole)
	test := func(size, e float32, project func(vec32) float32) {
		if size >= smallest32 {
			for h, x := range q.least(project) {
				apart[h] = apart[h] || x > e
			}
		}
	}
	a := q.scaled(&q.a)
	middle := a[0]
	for l := 1; l <= q.degree; l++ {
		middle = plus32(middle, a[l])
	}
	for k := range 3 {
		pick := func(x vec32) float32 { return [3]float32{x.x, x.y, x.z}[k] }
		minus := math.Signbit(float64(pick(middle)))
		test(pick(q.scale), float32(pick(q.scale)*curvedRangeBound32)+sep, func(x vec32) float32 {
			if minus {
				return -pick(x)
			}
			return pick(x)
		})
	}
	u, v, t := q.derivatives()
	for _, d := range []vec32{cross32(u, v), cross32(v, t), cross32(t, u)} {
		m := vec32{abs32(d.x), abs32(d.y), abs32(d.z)}
		size := dot32(m, q.scale)
		if math.Signbit(float64(dot32(d, middle))) {
			d = vec32{-d.x, -d.y, -d.z}
		}
		test(size, float32(size*curvedRangeBound32)+float32(sep*sum32(m)), func(x vec32) float32 { return dot32(d, x) })
	}
	return apart[0] && apart[1]
}

// signsApart reports on which halves A.(B x C) keeps its sign.
func (q *curvedQuery32) signsApart(sep float32, whole bool) (apart [2]bool) {
	area := permanent32(q.mb, q.mc)
	volume := dot32(q.ma, area)
	if !(volume >= smallest32) {
		return apart
	}
	f, n := q.bernstein()
	e := float32(volume*curvedSignBound32) + float32(sep*sum32(area))
	if !whole {
		e = float32(volume*curvedPartSignBound32) + float32(sep*(sum32(n)+float32(sum32(area)*curvedNormBound32)))
	}
	for h, x := range q.signs(&f) {
		above, below := true, true
		for _, y := range x[:3*q.degree+1] {
			above, below = above && y > e, below && -y > e
		}
		apart[h] = above || below
	}
	return apart
}

// signs is the Bernstein coefficients on both halves of a polynomial in scaled Bernstein form.
func (q *curvedQuery32) signs(f *[10]float32) [2][10]float32 {
	var b [10]float32
	for m, w := range curvedChoose[3*q.degree] {
		b[m] = float32(f[m] * float32(1/w))
	}
	return halved32(b, 3*q.degree)
}

// halved32 is the control points of both halves of a polynomial of degree k.
func halved32(x [10]float32, k int) (y [2][10]float32) {
	y[0][0], y[1][k] = x[0], x[k]
	for n := 1; n <= k; n++ {
		for l := range k + 1 - n {
			x[l] = float32(0.5 * (x[l] + x[l+1]))
		}
		y[0][n], y[1][k-n] = x[0], x[k-n]
	}
	return y
}

// least is the least of the projections a + u b + v c at the control points of each half.
func (q *curvedQuery32) least(project func(vec32) float32) (least [2]float32) {
	var x [3][2][10]float32
	for v, from := range []*[4]vec32{&q.a, &q.b, &q.c} {
		var y [10]float32
		for l := range q.degree + 1 {
			y[l] = project(from[l])
		}
		x[v] = halved32(y, q.degree)
	}
	for h := range least {
		for l := range q.degree + 1 {
			a, b, c := x[0][h][l], x[1][h][l], x[2][h][l]
			low := a + min(b, 0) + min(c, 0)
			if q.face {
				low = a + min(b, c, 0)
			}
			if l == 0 || low < least[h] {
				least[h] = low
			}
		}
	}
	return least
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

package simd

import "math"

func curvedAxesGeneric(rec []float64, degree int, idx [][4]int32, sep float64, out []int32, face bool) int {
	n, stride := 0, 3*(degree+1)
	for i := range idx {
		q := &idx[i]
		p0, p1 := rec[stride*int(q[0]):][:stride], rec[stride*int(q[1]):][:stride]
		p2, p3 := rec[stride*int(q[2]):][:stride], rec[stride*int(q[3]):][:stride]
		keep := 1
		for k := 0; k < 3 && keep == 1; k++ {
			up, down := true, true
			for l := k; l < stride && (up || down); l += 3 {
				if face {
					up, down = up && above(sep, p0[l], p1[l], p2[l], p3[l]), down && below(sep, p0[l], p1[l], p2[l], p3[l])
				} else {
					up, down = up && over(sep, p0[l], p1[l], p2[l], p3[l]), down && over(sep, p2[l], p3[l], p0[l], p1[l])
				}
			}
			if up || down {
				keep = 0
			}
		}
		out[n] = int32(i)
		n += keep
	}
	return n
}

func curvedGeneric(rec []float64, degree int, idx [][4]int32, list []int32, bounds *[4]float64, out []int32, face bool) int {
	part := bounds[1] != 1 || bounds[2] != 0
	q := curvedQuery{face: face, degree: degree}
	n := 0
	for _, i := range list {
		q.load(rec, &idx[i])
		if part {
			q.cut(bounds[0], bounds[1])
		}
		apart := part && q.axesApart(bounds[2]) || q.signApart(bounds[2], part)
		if !apart {
			u, v, t := q.derivatives()
			apart = q.directionApart(cross(u, v), bounds[2]) ||
				q.directionApart(cross(v, t), bounds[2]) || q.directionApart(cross(t, u), bounds[2])
		}
		if !(apart && sum(q.scale) <= largest) {
			out[n] = i
			n++
		}
	}
	return n
}

// curvedQuery is the control points of A, B, C on an interval, and the maxima over the whole motion.
type curvedQuery struct {
	face       bool
	degree     int
	a, b, c    [4]vec3
	ma, mb, mc vec3
	scale      vec3
}

func (q *curvedQuery) load(rec []float64, at *[4]int32) {
	stride := 3 * (q.degree + 1)
	var p [4][]float64
	for j := range p {
		p[j] = rec[stride*int(at[j]):][:stride]
	}
	pairs := [3][2]int{{0, 2}, {1, 0}, {2, 3}}
	if q.face {
		pairs = [3][2]int{{0, 1}, {1, 2}, {1, 3}}
	}
	q.ma, q.mb, q.mc = vec3{}, vec3{}, vec3{}
	for l := range q.degree + 1 {
		minus := func(pair [2]int) vec3 {
			x, y := p[pair[0]][3*l:3*l+3], p[pair[1]][3*l:3*l+3]
			return vec3{x[0] - y[0], x[1] - y[1], x[2] - y[2]}
		}
		q.a[l], q.b[l], q.c[l] = minus(pairs[0]), minus(pairs[1]), minus(pairs[2])
		q.ma, q.mb, q.mc = largestOf(q.ma, q.a[l]), largestOf(q.mb, q.b[l]), largestOf(q.mc, q.c[l])
	}
	q.scale = plus(plus(q.ma, q.mb), q.mc)
}

// cut keeps the part up to the time whose weights are w0 and w1: de Casteljau's algorithm.
func (q *curvedQuery) cut(w0, w1 float64) {
	for _, x := range []*[4]vec3{&q.a, &q.b, &q.c} {
		for step := 1; step <= q.degree; step++ {
			for l := q.degree; l >= step; l-- {
				x[l] = blend([2]vec3{x[l-1], x[l]}, w0, w1)
			}
		}
	}
}

// curvedChoose is the binomial coefficients of the degrees of paths and of their products.
var curvedChoose = [...][]float64{
	2: {1, 2, 1}, 3: {1, 3, 3, 1}, 4: {1, 4, 6, 4, 1}, 6: {1, 6, 15, 20, 15, 6, 1}, 9: {1, 9, 36, 84, 126, 126, 84, 36, 9, 1},
}

// scaled is the control points times their binomial coefficients.
func (q *curvedQuery) scaled(x *[4]vec3) [4]vec3 {
	s := *x
	for l := 1; l < q.degree; l++ {
		w := float64(q.degree)
		s[l] = vec3{w * x[l].x, w * x[l].y, w * x[l].z}
	}
	return s
}

func (q *curvedQuery) signApart(sep float64, part bool) bool {
	area := permanent(q.mb, q.mc)
	volume := dot(q.ma, area)
	if !(volume >= smallest) {
		return false
	}
	f, n := q.bernstein()
	e := float64(volume * curvedSignBound)
	if part {
		e = float64(volume*curvedPartSignBound) + float64(sep*(sum(n)+float64(sum(area)*curvedNormBound)))
	}
	up := !math.Signbit(f[0])
	for m, w := range curvedChoose[3*q.degree] {
		y := f[m]
		if !up {
			y = -y
		}
		if !(y > float64(e*w)) {
			return false
		}
	}
	return true
}

// bernstein is A.(B x C) in scaled Bernstein form, and the largest magnitudes of the coefficients of B x C, as computed.
func (q *curvedQuery) bernstein() (f [10]float64, largest vec3) {
	k := q.degree
	a, b, c := q.scaled(&q.a), q.scaled(&q.b), q.scaled(&q.c)
	var begun [10]bool
	choose := curvedChoose[2*k]
	for m := range 2*k + 1 {
		var n vec3
		for i := max(0, m-k); i <= min(k, m); i++ {
			if x := cross(b[i], c[m-i]); i == max(0, m-k) {
				n = x
			} else {
				n = plus(n, x)
			}
		}
		w := 1 / choose[m]
		largest = largestOf(largest, vec3{n.x * w, n.y * w, n.z * w})
		for i := range k + 1 {
			if x := dot(a[i], n); begun[i+m] {
				f[i+m] += x
			} else {
				f[i+m], begun[i+m] = x, true
			}
		}
	}
	return f, largest
}

// derivatives of F by u, v and t in the middle, each times a positive number: only directions are wanted.
func (q *curvedQuery) derivatives() (u, v, t vec3) {
	k, middle := q.degree, 0.5
	if q.face {
		middle = 1.0 / 3
	}
	b, c := q.scaled(&q.b), q.scaled(&q.c)
	u, v = b[0], c[0]
	for l := 1; l <= k; l++ {
		u, v = plus(u, b[l]), plus(v, c[l])
	}
	at := func(l int) vec3 {
		s := plus(q.b[l], q.c[l])
		return vec3{q.a[l].x + float64(middle*s.x), q.a[l].y + float64(middle*s.y), q.a[l].z + float64(middle*s.z)}
	}
	t = minus(at(k), at(0))
	if k == 3 {
		t = plus(t, minus(at(2), at(1)))
	}
	return u, v, t
}

func (q *curvedQuery) axesApart(sep float64) bool {
	for k := range 3 {
		pick := func(x vec3) float64 { return [3]float64{x.x, x.y, x.z}[k] }
		if scale := pick(q.scale); scale >= smallest && q.beyond(float64(scale*curvedRangeBound)+sep, pick) {
			return true
		}
	}
	return false
}

func (q *curvedQuery) directionApart(d vec3, sep float64) bool {
	m := vec3{math.Abs(d.x), math.Abs(d.y), math.Abs(d.z)}
	size := dot(m, q.scale)
	return size >= smallest && q.beyond(float64(size*curvedRangeBound)+float64(sep*sum(m)), func(x vec3) float64 { return dot(d, x) })
}

// beyond reports whether the projections a + u b + v c, as computed, exceed e at all control indices or lie below -e at all.
func (q *curvedQuery) beyond(e float64, project func(vec3) float64) bool {
	above, below := true, true
	for l := 0; l <= q.degree && (above || below); l++ {
		lo, hi := q.reach(project(q.a[l]), project(q.b[l]), project(q.c[l]))
		above, below = above && lo > e, below && -hi > e
	}
	return above || below
}

// reach is the range of a + u b + v c over the domain of u and v.
func (q *curvedQuery) reach(a, b, c float64) (lo, hi float64) {
	if q.face {
		return a + min(b, c, 0), a + max(b, c, 0)
	}
	return a + min(b, 0) + min(c, 0), a + max(b, 0) + max(c, 0)
}

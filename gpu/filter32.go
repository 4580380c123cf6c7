package gpu

// The filter in single precision: the reference for kernels/filter32.cl, operation for operation.
// docs/proofs/kernels.md derives every bound; filter32_test.go holds them against math/big.
//
// A query is F(t,u,v) = A(t) + u B(t) + v C(t) as in package simd. U = 2^-24. M is the
// componentwise maximum of the magnitudes at both ends of the whole step, and at least least32; S
// is the sum of those of A, B and C. An entry is off by U M.
const (
	// axisBound32: A + min(B,0) + min(C,0) on an axis adds two roundings to the entries' U: 3U S,
	// and one for S itself.
	axisBound32 = 4 * 0x1p-24
	// directionBound32: entry, product, two sums of the dot product, two of the range: 6U sum|d_k|
	// S_k, and one for the computed sum.
	directionBound32 = 7 * 0x1p-24
	// cubicEndBound32: a determinant has three entries, a product, a difference, a product, two
	// sums: 8U P, and one for P, the permanent of the maxima. cubicMiddleBound32: three times a
	// middle Bernstein coefficient is a determinant with one sum more, 9U, and two with two sums
	// more, 10U each: 29U P, and one.
	cubicEndBound32    = 9 * 0x1p-24
	cubicMiddleBound32 = 30 * 0x1p-24
	// Whether denormals are kept or flushed to zero, an entry is off by at most 2^-126 = U/4
	// least32 more or instead.
	least32 = 0x1p-100
	// Below smallest32 a test proves nothing, beyond largest32 none does: what underflows then adds
	// less than 2^-90 to a value, and the slack of a bound is more than U/2 smallest32 = 2^-85; and
	// nothing overflows.
	smallest32 = 0x1p-60
	largest32  = 0x1p30
	// normBound32: a component of B x C in Bernstein form has two entries, a product, a difference
	// and a sum: 5U of its permanent Q, and one for the computed Q.
	normBound32 = 6 * 0x1p-24
	// separationSlack32 makes up for the roundings of a product of the separation: at most 6U of
	// it. A positive separation is raised to least32, so that it is not flushed.
	separationSlack32 = 1 + 0x1p-20
)

// reach32 is a separation with slack, once and three times.
type reach32 struct{ once, thrice float32 }

// newReach32 takes the separations of linear.FilterBounds.
func newReach32(once, thrice float64) (r reach32) {
	if once > 0 {
		r.once = larger32(float32(float64(once*separationSlack32)), least32)
		r.thrice = larger32(float32(float64(thrice*separationSlack32)), 3*least32)
	}
	return r
}

type vector32 struct{ x, y, z float32 }

func (a vector32) plus(b vector32) vector32  { return vector32{a.x + b.x, a.y + b.y, a.z + b.z} }
func (a vector32) minus(b vector32) vector32 { return vector32{a.x - b.x, a.y - b.y, a.z - b.z} }

func (a vector32) abs() vector32 { return vector32{abs32(a.x), abs32(a.y), abs32(a.z)} }

func (a vector32) larger(b vector32) vector32 {
	return vector32{larger32(a.x, b.x), larger32(a.y, b.y), larger32(a.z, b.z)}
}

func (a vector32) cross(b vector32) vector32 {
	return vector32{
		float32(a.y*b.z) - float32(a.z*b.y),
		float32(a.z*b.x) - float32(a.x*b.z),
		float32(a.x*b.y) - float32(a.y*b.x),
	}
}

func (a vector32) permanent(b vector32) vector32 {
	return vector32{
		float32(a.y*b.z) + float32(a.z*b.y),
		float32(a.z*b.x) + float32(a.x*b.z),
		float32(a.x*b.y) + float32(a.y*b.x),
	}
}

func (a vector32) dot(b vector32) float32 {
	return float32(a.x*b.x) + float32(a.y*b.y) + float32(a.z*b.z)
}

func abs32(x float32) float32 {
	if x < 0 {
		return -x
	}
	return x
}

func larger32(a, b float32) float32 {
	if a > b {
		return a
	}
	return b
}

func smaller32(a, b float32) float32 {
	if a < b {
		return a
	}
	return b
}

// motion32 is A, B or C at both ends of the interval [0, tmax], and the larger magnitudes over the
// whole step.
type motion32 struct{ begin, end, most vector32 }

// difference32 returns the motion of p - q. w are the weights of the step's ends at tmax.
func difference32(p, q *[8]float64, w [2]float64) (m motion32) {
	d := [2][3]float64{}
	for k := range 3 {
		d[0][k], d[1][k] = p[k]-q[k], p[4+k]-q[4+k]
	}
	m.begin, m.end = round32(d[0]), round32(d[1])
	m.most = m.begin.abs().larger(m.end.abs()).larger(vector32{least32, least32, least32})
	if w[1] != 1 {
		for k := range 3 {
			d[1][k] = float64(d[0][k]*w[0]) + float64(d[1][k]*w[1])
		}
		m.end = round32(d[1])
	}
	return m
}

func round32(x [3]float64) vector32 { return vector32{float32(x[0]), float32(x[1]), float32(x[2])} }

// query32 is a query in single precision.
type query32 struct {
	face    bool
	a, b, c motion32
	scale   vector32
}

func load32(rec []float64, at *[4]int32, face bool, w [2]float64) (q query32) {
	var p [4]*[8]float64
	for i := range p {
		p[i] = (*[8]float64)(rec[8*int(at[i]):])
	}
	q.face = face
	if face {
		q.a, q.b, q.c = difference32(p[0], p[1], w), difference32(p[1], p[2], w), difference32(p[1], p[3], w)
	} else {
		q.a, q.b, q.c = difference32(p[0], p[2], w), difference32(p[1], p[0], w), difference32(p[2], p[3], w)
	}
	q.scale = q.a.most.plus(q.b.most).plus(q.c.most)
	return q
}

// apart reports whether the query is proven to keep |F|max above the separation at all times in [0,
// tmax].
func (q *query32) apart(sep reach32) bool {
	if !(q.scale.x+q.scale.y+q.scale.z <= largest32 && sep.once <= largest32) {
		return false
	}
	if q.axesApart(sep.once) || q.cubic().apart(sep) {
		return true
	}
	u, v, t := q.derivatives()
	return q.directionApart(u.cross(v), sep.once) || q.directionApart(v.cross(t), sep.once) ||
		q.directionApart(t.cross(u), sep.once)
}

func (q *query32) axesApart(sep float32) bool {
	a, b, c := &q.a, &q.b, &q.c
	return q.axisApart(q.scale.x, sep, a.begin.x, b.begin.x, c.begin.x, a.end.x, b.end.x, c.end.x) ||
		q.axisApart(q.scale.y, sep, a.begin.y, b.begin.y, c.begin.y, a.end.y, b.end.y, c.end.y) ||
		q.axisApart(q.scale.z, sep, a.begin.z, b.begin.z, c.begin.z, a.end.z, b.end.z, c.end.z)
}

func (q *query32) axisApart(scale, sep, a0, b0, c0, a1, b1, c1 float32) bool {
	return scale >= smallest32 && q.beyond(float32(scale*axisBound32)+sep, a0, b0, c0, a1, b1, c1)
}

// beyond reports whether a + u b + v c, as computed, exceeds e at both ends or lies below -e at
// both.
func (q *query32) beyond(e, a0, b0, c0, a1, b1, c1 float32) bool {
	if !(abs32(a0) > e) {
		return false // The range contains a0, so it is on neither side.
	}
	if a0 < 0 {
		a0, b0, c0, a1, b1, c1 = -a0, -b0, -c0, -a1, -b1, -c1
	}
	return q.lowest(a0, b0, c0) > e && q.lowest(a1, b1, c1) > e
}

// lowest returns the minimum of a + u b + v c over the domain of u and v.
func (q *query32) lowest(a, b, c float32) float32 {
	if q.face {
		return a + smaller32(smaller32(b, c), 0)
	}
	return a + smaller32(b, 0) + smaller32(c, 0)
}

// size returns the magnitude of a projection on d.
func (q *query32) size(d vector32) float32 { return d.abs().dot(q.scale) }

// sum returns |d|_1.
func (a vector32) sum() float32 { return abs32(a.x) + abs32(a.y) + abs32(a.z) }

func (q *query32) directionApart(d vector32, sep float32) bool {
	size := q.size(d)
	return size >= smallest32 && q.beyond(float32(size*directionBound32)+float32(sep*d.sum()),
		d.dot(q.a.begin), d.dot(q.b.begin), d.dot(q.c.begin), d.dot(q.a.end), d.dot(q.b.end), d.dot(q.c.end))
}

// form32 is the cubic A.(B x C) in Bernstein form on [0, tmax], the middle coefficients times
// three, the permanent of the maxima, and a bound on |B x C|_1.
type form32 struct{ f0, f1, f2, f3, volume, norm float32 }

func (q *query32) cubic() (f form32) {
	n0, n2 := q.b.begin.cross(q.c.begin), q.b.end.cross(q.c.end)
	n1 := q.b.begin.cross(q.c.end).plus(q.b.end.cross(q.c.begin))
	f.f0, f.f3 = q.a.begin.dot(n0), q.a.end.dot(n2)
	f.f1 = q.a.end.dot(n0) + q.a.begin.dot(n1)
	f.f2 = q.a.end.dot(n1) + q.a.begin.dot(n2)
	area := q.b.most.permanent(q.c.most)
	f.volume = q.a.most.dot(area)
	half := vector32{0.5 * n1.x, 0.5 * n1.y, 0.5 * n1.z}.abs()
	f.norm = n0.abs().larger(half).larger(n2.abs()).sum() + float32(area.sum()*normBound32)
	return f
}

// apart reports whether the cubic certainly keeps its sign, and its distance from 0 is more than
// the separation times |B x C|_1.
func (f form32) apart(sep reach32) bool {
	e := float32(f.volume*cubicEndBound32) + float32(sep.once*f.norm)
	e3 := float32(f.volume*cubicMiddleBound32) + float32(sep.thrice*f.norm)
	if !(f.volume >= smallest32) {
		return false
	}
	if f.f0 < 0 {
		f.f0, f.f1, f.f2, f.f3 = -f.f0, -f.f1, -f.f2, -f.f3
	}
	return f.f0 > e && f.f3 > e && f.f1 >= e3 && f.f2 >= e3
}

// derivatives returns the derivatives of F by u, v and t at the middle, times two where that saves
// a product.
func (q *query32) derivatives() (u, v, t vector32) {
	middle := float32(0.5)
	if q.face {
		middle = 1.0 / 3
	}
	u, v = q.b.begin.plus(q.b.end), q.c.begin.plus(q.c.end)
	a, s := q.a.end.minus(q.a.begin), q.b.end.minus(q.b.begin).plus(q.c.end.minus(q.c.begin))
	return u, v, vector32{a.x + float32(middle*s.x), a.y + float32(middle*s.y), a.z + float32(middle*s.z)}
}

// traceLen is the number of values of trace.
const traceLen = 24

// trace returns the intermediate values of a query, as the kernel filter32_trace writes it.
func (q *query32) trace() (o [traceLen]float32) {
	f := q.cubic()
	copy(o[:], []float32{f.f0, f.f1, f.f2, f.f3, f.volume, q.scale.x, q.scale.y, q.scale.z})
	u, v, t := q.derivatives()
	for k, d := range [3]vector32{u.cross(v), v.cross(t), t.cross(u)} {
		a0 := d.dot(q.a.begin)
		o[8+4*k], o[9+4*k] = q.size(d), a0
		o[10+4*k] = q.lowest(a0, d.dot(q.b.begin), d.dot(q.c.begin))
		o[11+4*k] = q.lowest(d.dot(q.a.end), d.dot(q.b.end), d.dot(q.c.end))
		o[21+k] = d.sum()
	}
	o[20] = f.norm
	return o
}

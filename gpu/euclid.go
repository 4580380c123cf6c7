package gpu

import "math"

// The first stages of the Euclidean certificate as Go does them: the reference for
// kernels/euclid.cl, operation for operation. They prove that a pair keeps more than the separation
// d, in the Euclidean norm, throughout [0, tmax]: package core/exact/clearance has the theorem
// (euclid.go), the bounds and their derivations (euclid_float.go), which hold for these operations,
// since they are those of its stages in floats, on a query in the same unit.
const (
	euclidError = 16 * 0x1p-53
	euclidTiny  = 0x1p-1000
	euclidSteps = 40 // the most steps of a search
	// euclidRange: a query whose largest length is 2^euclidRange or more, or 2^-euclidRange or
	// less, is left to the processor.
	euclidRange = 400
)

// line is a coordinate at both ends of the step.
type line [2]float64

// at returns the coordinate at t.
func (x *line) at(t float64) float64 { return x[0] + float64(t*(x[1]-x[0])) }

// euclidQuery is the polygon of the differences of a pair's points, in a unit that keeps them
// below 2: its corners and edges, the largest magnitude along each axis, and the separation.
type euclidQuery struct {
	p    [4][3]line
	e    [3][3]line
	most [3]float64
	d    float64
	face bool
}

// The corners and edges of the polygon of a pair: differences of its points. A side goes from a
// corner along an edge to a corner.
var (
	euclidCorners = [2][4][2]int{{{0, 2}, {1, 2}, {0, 3}, {1, 3}}, {{0, 1}, {0, 2}, {0, 3}}}
	euclidEdges   = [2][3][2]int{{{1, 0}, {2, 3}}, {{1, 2}, {1, 3}, {3, 2}}}
	euclidSides   = [2][4][3]int{{{0, 0, 1}, {0, 1, 2}, {2, 0, 3}, {1, 1, 3}}, {{0, 0, 1}, {0, 1, 2}, {2, 2, 1}}}
)

// kind returns the place of a kind of pairs in the tables, and how many corners, edges and sides it
// has: as many sides as corners.
func (q *euclidQuery) kind() (k, corners, edges int) {
	if q.face {
		return 1, 3, 3
	}
	return 0, 4, 2
}

// load sets the query. It returns false where an axis proves the pair apart or the unit is out of
// range; apart says which.
func (q *euclidQuery) load(rec []float64, idx *[4]int32, face bool, d float64) (ok, apart bool) {
	var p [4]*[8]float64
	for i := range p {
		p[i] = (*[8]float64)(rec[8*int(idx[i]):])
	}
	q.face, q.d = face, d
	k, corners, edges := q.kind()
	top := d
	for axis := range 3 {
		lo, hi := math.Inf(1), math.Inf(-1)
		for c := range corners {
			i, j := euclidCorners[k][c][0], euclidCorners[k][c][1]
			x := line{p[i][axis] - p[j][axis], p[i][4+axis] - p[j][4+axis]}
			q.p[c][axis] = x
			lo, hi = min(lo, x[0], x[1]), max(hi, x[0], x[1])
		}
		if lo > d || hi < -d {
			return false, true
		}
		q.most[axis] = max(hi, -lo)
		top = max(top, q.most[axis])
	}
	for e := range edges {
		i, j := euclidEdges[k][e][0], euclidEdges[k][e][1]
		for axis := range 3 {
			x := line{p[i][axis] - p[j][axis], p[i][4+axis] - p[j][4+axis]}
			q.e[e][axis] = x
			top = max(top, max(x[0], -x[0]), max(x[1], -x[1]))
		}
	}
	exponent := int(math.Float64bits(top)>>52) - 1023
	if exponent <= -euclidRange || exponent >= euclidRange {
		return false, false
	}
	unit := math.Float64frombits(uint64(1023-exponent) << 52)
	q.d *= unit
	for axis := range 3 {
		q.most[axis] *= unit
		for c := range corners {
			q.p[c][axis][0] *= unit
			q.p[c][axis][1] *= unit
		}
		for e := range edges {
			q.e[e][axis][0] *= unit
			q.e[e][axis][1] *= unit
		}
	}
	return true, false
}

// nearestPoint is what floats take for the nearest point of the polygon at a time. No proof rests
// on it.
type nearestPoint struct {
	t    float64
	p    [4][3]float64
	w    [4]float64 // its weights over the corners
	n    [3]float64 // a vector of about length 1 towards it
	size float64    // the length of n
	flat bool       // it is inside the polygon
}

func dot(a, b *[3]float64) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

func (q *euclidQuery) edge(i int, t float64) [3]float64 {
	return [3]float64{q.e[i][0].at(t), q.e[i][1].at(t), q.e[i][2].at(t)}
}

// look finds the nearest point at t: the foot on the plane if it is inside, else on one of the
// sides that it lies beyond.
func (q *euclidQuery) look(t float64, x *nearestPoint) {
	k, corners, _ := q.kind()
	x.t, x.w, x.flat = t, [4]float64{}, false
	for c := range corners {
		for axis := range 3 {
			x.p[c][axis] = q.p[c][axis].at(t)
		}
	}
	b, c := q.edge(0, t), q.edge(1, t)
	a := &x.p[0]
	bb, bc, cc, ab, ac := dot(&b, &b), dot(&b, &c), dot(&c, &c), -dot(a, &b), -dot(a, &c)
	det := float64(bb*cc) - float64(bc*bc)
	u, v := float64(cc*ab)-float64(bc*ac), float64(bb*ac)-float64(bc*ab)
	flat := !(det > 0x1p-40*float64(bb*cc))
	beyond := [4]bool{flat || !(v > 0), flat || !(u > 0), flat || !(u+v < det), false}
	if !q.face {
		beyond[2], beyond[3] = flat || !(v < det), flat || !(u < det)
	}
	if !beyond[0] && !beyond[1] && !beyond[2] && !beyond[3] {
		s := 1 / det
		u, v = float64(u*s), float64(v*s)
		x.flat = true
		if q.face {
			x.w = [4]float64{max(0, 1-u-v), u, v}
		} else {
			w, z := max(0, 1-u), max(0, 1-v)
			x.w = [4]float64{float64(w * z), float64(u * z), float64(w * v), float64(u * v)}
		}
		n := [3]float64{
			float64(b[1]*c[2]) - float64(b[2]*c[1]), float64(b[2]*c[0]) - float64(b[0]*c[2]),
			float64(b[0]*c[1]) - float64(b[1]*c[0]),
		}
		if dot(a, &n) < 0 {
			n = [3]float64{-n[0], -n[1], -n[2]}
		}
		x.towards(&n)
		return
	}
	best, found := euclidFoot{}, false
	for i := range corners {
		if beyond[i] {
			if f := q.foot(x, k, i); !found || f.square < best.square {
				best, found = f, true
			}
		}
	}
	x.w[best.from], x.w[best.to] = 1-best.s, best.s
	if best.from == best.to {
		x.w[best.from] = 1
	}
	x.towards(&best.v)
}

// euclidFoot is the nearest point of a side: the part s of the way from a corner to another; of a
// corner alone they are the same.
type euclidFoot struct {
	from, to int
	s        float64
	v        [3]float64
	square   float64
}

func (q *euclidQuery) foot(x *nearestPoint, k, side int) (f euclidFoot) {
	z := &euclidSides[k][side]
	e := q.edge(z[1], x.t)
	from := &x.p[z[0]]
	ee, pe := dot(&e, &e), -dot(from, &e)
	switch {
	case !(pe > 0):
		f.from, f.to, f.v = z[0], z[0], *from
	case !(pe < ee):
		f.from, f.to, f.v = z[2], z[2], x.p[z[2]]
	default:
		f.from, f.to, f.s = z[0], z[2], pe/ee
		for axis := range 3 {
			f.v[axis] = from[axis] + float64(f.s*e[axis])
		}
		c := dot(&f.v, &e) / ee
		for axis := range 3 {
			f.v[axis] -= float64(c * e[axis])
		}
	}
	f.square = dot(&f.v, &f.v)
	return f
}

// towards sets n to v at about length 1.
func (x *nearestPoint) towards(v *[3]float64) {
	l := math.Sqrt(dot(v, v))
	if !(l > 0x1p-400) {
		x.n, x.size = [3]float64{1, 0, 0}, 1
		return
	}
	s := 1 / l
	x.n = [3]float64{float64(v[0] * s), float64(v[1] * s), float64(v[2] * s)}
	x.size = math.Sqrt(dot(&x.n, &x.n))
}

// rounding bounds the error of the coefficients of a certificate.
func (q *euclidQuery) rounding(x, y *nearestPoint) float64 {
	s := float64(q.d * max(x.size, y.size))
	for axis := range 3 {
		s += float64(max(math.Abs(x.n[axis]), math.Abs(y.n[axis])) * q.most[axis])
	}
	return float64(euclidError*s) + euclidTiny
}

// fixed reports whether the direction at the middle separates at both ends, and so throughout.
func (q *euclidQuery) fixed(tmax float64) bool {
	var x nearestPoint
	q.look(0.5*tmax, &x)
	least := q.rounding(&x, &x) + float64(q.d*x.size)
	_, corners, _ := q.kind()
	for c := range corners {
		for _, t := range [2]float64{0, tmax} {
			p := [3]float64{q.p[c][0].at(t), q.p[c][1].at(t), q.p[c][2].at(t)}
			if !(dot(&x.n, &p) > least) {
				return false
			}
		}
	}
	return true
}

// certificate returns the fraction of [x.t, y.t] up to which the direction that goes from n's to
// m's separates.
func (q *euclidQuery) certificate(x, y, n, m *nearestPoint) float64 {
	c0, c1, c2 := math.Inf(1), math.Inf(1), math.Inf(1)
	_, corners, _ := q.kind()
	for c := range corners {
		c0 = min(c0, dot(&n.n, &x.p[c]))
		c1 = min(c1, dot(&n.n, &y.p[c])+dot(&m.n, &x.p[c]))
		c2 = min(c2, dot(&m.n, &y.p[c]))
	}
	e := q.rounding(n, m)
	return positive(c0-float64(q.d*n.size)-e, float64((c1-float64(q.d*(n.size+m.size)))*0.5)-e,
		c2-float64(q.d*m.size)-e)
}

// positive returns a fraction s of the interval such that a quadratic is positive on [0, s), and on
// [0, 1] when s is 1.
func positive(c0, c1, c2 float64) float64 {
	if !(c0 > 0) {
		return 0
	}
	if c1 > 0 && c2 > 0 {
		return 1
	}
	sq, pr := float64(c1*c1), float64(c0*c2)
	disc := sq - pr
	if disc < -(float64(0x1p-48*(sq+math.Abs(pr))) + euclidTiny) {
		return 1
	}
	x := c0 / (math.Sqrt(max(disc, 0)) - c1)
	s := float64(x / (1 + x) * (1 - 0x1p-40))
	if !(x > 0 && s < 1) {
		return chord(c0, c1, c2)
	}
	w, a1, a2 := 1-s, math.Abs(c1), math.Abs(c2)
	l := float64(w*c0) + float64(s*c1)
	m := float64(w*l) + float64(s*(float64(w*c1)+float64(s*c2)))
	size := float64(w*c0) + float64(s*a1)
	sizes := float64(w*size) + float64(s*(float64(w*a1)+float64(s*a2)))
	if l > float64(0x1p-49*size)+euclidTiny && m > float64(0x1p-48*sizes)+euclidTiny {
		return s
	}
	return chord(c0, c1, c2)
}

// chord is positive by the lower hull of the points (0, c0), (1/2, c1), (1, c2), c0 > 0.
func chord(c0, c1, c2 float64) float64 {
	s := 1.0
	if !(c1 > 0) {
		s = min(s, float64(c0/(c0-c1)/2*(1-0x1p-49)))
	}
	if !(c2 > 0) {
		s = min(s, float64(float64(2*(c0/(c0-c2)))/2*(1-0x1p-49)))
		if c1 > 0 {
			s = min(s, float64((1+c1/(c1-c2))/2*(1-0x1p-49)))
		}
	}
	if s > 0 {
		return s
	}
	return 0
}

// reach returns the fraction of [x.t, y.t] up to which a certificate holds, of the direction that
// turns from x's to y's or of x's alone. Where y is inside the polygon its direction may change
// sides.
func (q *euclidQuery) reach(x, y *nearestPoint) (s float64) {
	c := dot(&x.n, &y.n)
	if c < 0 && y.flat {
		y.n = [3]float64{-y.n[0], -y.n[1], -y.n[2]}
		c = -c
	}
	if c > 0.25 {
		s = q.certificate(x, y, x, y)
	}
	if s < 0.25 && c < 0.9 {
		s = max(s, q.certificate(x, y, x, x))
	}
	return s
}

// gap returns about the distance less d, and the speed at which it shrinks.
func (q *euclidQuery) gap(x *nearestPoint) (gap, closing float64) {
	gap = -q.d
	_, corners, _ := q.kind()
	for c := range corners {
		w := x.w[c]
		if w == 0 {
			continue
		}
		p := &q.p[c]
		v := [3]float64{p[0][1] - p[0][0], p[1][1] - p[1][0], p[2][1] - p[2][0]}
		gap += float64(w * dot(&x.n, &x.p[c]))
		closing -= float64(w * dot(&x.n, &v))
	}
	return gap, closing
}

// after returns the next double above t >= 0, before that below t > 0.
func after(t float64) float64  { return math.Float64frombits(math.Float64bits(t) + 1) }
func before(t float64) float64 { return math.Float64frombits(math.Float64bits(t) - 1) }

// apart reports whether the query keeps more than d throughout [0, tmax].
func (q *euclidQuery) apart(tmax float64) bool {
	if q.fixed(tmax) {
		return true
	}
	var x, y nearestPoint
	q.look(0, &x)
	q.look(tmax, &y)
	held := 0
	for range euclidSteps {
		a, b := x.t, y.t
		s := q.reach(&x, &y)
		switch {
		case s == 0:
			return false
		case s == 1 && b == tmax:
			return true
		case s == 1:
			x = y
		default:
			next := a + float64(float64(s*(b-a))*(1-0x1p-50))
			if !(next > a) || !(before(next) > a) {
				return false
			}
			q.look(before(next), &x)
		}
		gap, closing := q.gap(&x)
		if !(gap > 256*0x1p-53*(1+q.d)) {
			return false
		}
		step := float64(1.0625 * (gap / closing))
		if !(step > 0) || step > tmax-x.t {
			step = tmax - x.t
			if held++; s < 1 && held%2 == 0 {
				step = 8 * (b - a)
			}
		}
		q.look(min(tmax, max(x.t+step, after(x.t))), &y)
	}
	return false
}

// euclidApart reports whether the certificate proves that a pair keeps more than sep throughout
// [0, tmax].
func euclidApart(rec []float64, idx *[4]int32, face bool, tmax, sep float64) bool {
	var q euclidQuery
	ok, apart := q.load(rec, idx, face, sep)
	return apart || ok && q.apart(tmax)
}

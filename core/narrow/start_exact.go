package narrow

import (
	"math"
	"math/big"
	"math/bits"

	"ccd/core/geom"
)

// start is the distance at t = 0, exactly: D 2^unit, where D is num / den, or its square is in the Euclidean norm. It is used where
// floats cannot decide and the caller wants a positive time.
//
// Lengths are integers in units of 2^unit, so that neither fractions nor common divisors are needed: of coordinates of very
// different sizes these are numbers of thousands of bits.
type start struct {
	num, den  *big.Int
	unit      int
	euclidean bool
}

type vec3 [3]*big.Int

func (a vec3) minus(b vec3) (r vec3) {
	for k := range r {
		r[k] = new(big.Int).Sub(a[k], b[k])
	}
	return r
}

func (a vec3) dot(b vec3) *big.Int {
	sum, w := new(big.Int), new(big.Int)
	for k := range a {
		sum.Add(sum, w.Mul(a[k], b[k]))
	}
	return sum
}

func (a vec3) cross(b vec3) (r vec3) {
	for k := range r {
		i, j := (k+1)%3, (k+2)%3
		r[k] = minor(a[i], b[j], a[j], b[i])
	}
	return r
}

// minor is a b - c d.
func minor(a, b, c, d *big.Int) *big.Int {
	x := new(big.Int).Mul(a, b)
	return x.Sub(x, new(big.Int).Mul(c, d))
}

// sides is how many of a domain's sides, from the first on, are not parallel to one before.
var sides = [...]int{geom.Point: 0, geom.Segment: 1, geom.Triangle: 3, geom.Square: 2}

func newStart(kind geom.Kind, q []float64, euclidean bool) *start {
	s := &start{num: new(big.Int), den: big.NewInt(1), unit: math.MaxInt32, euclidean: euclidean}
	n := kind.Points()
	for _, x := range q[:3*n] {
		if m, e := oddPart(x); m != 0 {
			s.unit = min(s.unit, e)
		}
	}
	if s.unit == math.MaxInt32 { // all are zero
		s.unit = 0
		return s
	}
	point := func(i int) (r vec3) {
		for k := range r {
			m, e := oddPart(q[3*i+k])
			if r[k] = big.NewInt(m); m != 0 {
				r[k].Lsh(r[k], uint(e-s.unit))
			}
		}
		return r
	}
	var corners, edges []vec3 // of the set F(0,u,v), in the order of a walk around it; of parallel edges one
	info := kind.Info()
	var p [4]vec3
	for i := range info.Points {
		p[i] = point(i)
	}
	for _, c := range info.Corners {
		corners = append(corners, p[c.A].minus(p[c.B]))
	}
	for i := range sides[info.Domain] {
		edges = append(edges, corners[(i+1)%len(corners)].minus(corners[i]))
	}
	if euclidean {
		s.nearest(corners)
	} else {
		s.farthest(corners, edges)
	}
	return s
}

// oddPart splits x into m 2^e with m odd, or (0, 0).
func oddPart(x float64) (int64, int) {
	f, e := math.Frexp(x)
	m := int64(f * 0x1p53)
	if m == 0 {
		return 0, 0
	}
	z := bits.TrailingZeros64(uint64(m))
	return m >> z, e - 53 + z
}

// farthest is the distance in the max norm. The pair is farther apart than r if and only if one of finitely many directions n has
// |n.P| > r |n|_1 for all corners P, on one side (exact/separation_judge.go has the proof): the axes, their cross products with the
// edges, and the normal. So the distance is the largest of their least |n.P| / |n|_1.
func (s *start) farthest(corners, edges []vec3) {
	zero, one := new(big.Int), big.NewInt(1)
	axes := [3]vec3{{one, zero, zero}, {zero, one, zero}, {zero, zero, one}}
	offer := func(n vec3) {
		size := new(big.Int)
		for k := range n {
			size.Add(size, new(big.Int).Abs(n[k]))
		}
		var least *big.Int
		side := 0
		for _, p := range corners {
			x := n.dot(p)
			if x.Sign() == 0 || side != 0 && x.Sign() != side {
				return
			}
			side = x.Sign()
			if x.Abs(x); least == nil || x.Cmp(least) < 0 {
				least = x
			}
		}
		if minor(least, s.den, s.num, size).Sign() > 0 {
			s.num, s.den = least, size
		}
	}
	for _, e := range axes {
		offer(e)
		for _, edge := range edges {
			offer(e.cross(edge))
		}
	}
	if len(edges) > 1 {
		offer(edges[0].cross(edges[1]))
	}
}

// nearest is the square of the Euclidean distance: that of the plane, if its foot lies inside, else the least of the sides' and
// corners'.
func (s *start) nearest(corners []vec3) {
	s.num = nil
	offer := func(num, den *big.Int) {
		if s.num == nil || minor(num, s.den, s.num, den).Sign() < 0 {
			s.num, s.den = num, den
		}
	}
	n := len(corners)
	for i, x := range corners {
		xx := x.dot(x)
		offer(xx, big.NewInt(1))
		e := corners[(i+1)%n].minus(x)
		ee, xe := e.dot(e), x.dot(e)
		if xe.Sign() < 0 && new(big.Int).Neg(xe).Cmp(ee) < 0 { // the least of |x + w e|^2 is at a w in (0, 1)
			offer(minor(xx, ee, xe, xe), ee)
		}
	}
	if n < 3 {
		return
	}
	a, b, c := corners[0], corners[1].minus(corners[0]), corners[n-1].minus(corners[0])
	bb, cc, bc, ab, ac := b.dot(b), c.dot(c), b.dot(c), a.dot(b), a.dot(c)
	det, u, v := minor(bb, cc, bc, bc), minor(bc, ac, cc, ab), minor(bc, ab, bb, ac)
	inside := det.Sign() > 0 && u.Sign() >= 0 && v.Sign() >= 0
	if n == 3 {
		inside = inside && new(big.Int).Add(u, v).Cmp(det) <= 0
	} else {
		inside = inside && u.Cmp(det) <= 0 && v.Cmp(det) <= 0
	}
	if inside { // (a.n)^2 / n.n with n = b x c, whose square is det
		an := a.dot(b.cross(c))
		offer(an.Mul(an, an), det)
	}
}

// exceeds reports whether the distance is greater than d. beyond is the same for d + 2^e.
func (s *start) exceeds(d float64) bool {
	m, e := oddPart(d)
	return s.above(big.NewInt(m), e)
}

func (s *start) beyond(d float64, e int) bool {
	m, k := oddPart(d)
	if m == 0 {
		return s.above(big.NewInt(1), e)
	}
	low := min(e, k)
	x := new(big.Int).Lsh(big.NewInt(m), uint(k-low))
	return s.above(x.Add(x, new(big.Int).Lsh(big.NewInt(1), uint(e-low))), low)
}

// above reports whether the distance is greater than m 2^e.
func (s *start) above(m *big.Int, e int) bool {
	shift := e - s.unit
	x := new(big.Int).Set(m)
	if s.euclidean {
		x.Mul(x, x)
		shift *= 2
	}
	x.Mul(x, s.den)
	y := s.num
	if shift >= 0 {
		x.Lsh(x, uint(shift))
	} else {
		y = new(big.Int).Lsh(y, uint(-shift))
	}
	return y.Cmp(x) > 0
}

// gap returns an exponent e such that the distance exceeds d + 2^e; the distance must exceed d. The greatest such e
// from -2200 on is found by bisection, for exceeding is monotone.
func (s *start) gap(d float64) int {
	lo, hi := -2200, 600
	for hi-lo > 1 {
		if m := (lo + hi) >> 1; s.beyond(d, m) {
			lo = m
		} else {
			hi = m
		}
	}
	return lo
}

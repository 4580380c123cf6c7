package narrow

import (
	"math/big"

	"ccd/core/geom"
	"ccd/core/num"
)

// start is the exact distance at t = 0. It is D 2^unit, where num / den is D in the max norm, and
// the square of D in the Euclidean norm. It is used where floats cannot decide and the caller wants
// a positive time.
//
// Lengths are integers in units of 2^unit, so that neither fractions nor common divisors are
// needed: of coordinates of very different sizes these are numbers of thousands of bits.
type start struct {
	num, den  *big.Int
	unit      int
	euclidean bool
}

// sides is the number of a domain's sides, from the first on, that are not parallel to an earlier
// side.
var sides = [...]int{geom.Point: 0, geom.Segment: 1, geom.Triangle: 3, geom.Square: 2}

func newStart(kind geom.Kind, q []float64, euclidean bool) *start {
	s := &start{num: new(big.Int), den: big.NewInt(1), euclidean: euclidean}
	info := kind.Info()
	var p [4]num.IntVec
	unit, zero := num.IntVecs(q[:3*info.Points], p[:])
	if zero {
		return s
	}
	s.unit = unit
	// corners and edges of the set F(0,u,v), in the order of a walk around it; of parallel edges
	// one
	var corners, edges []num.IntVec
	for _, c := range info.Corners {
		corners = append(corners, p[c.A].Minus(p[c.B]))
	}
	for i := range sides[info.Domain] {
		edges = append(edges, corners[(i+1)%len(corners)].Minus(corners[i]))
	}
	if euclidean {
		s.nearest(corners)
	} else {
		s.farthest(corners, edges)
	}
	return s
}

// farthest computes the distance in the max norm. The pair is farther apart than r if and only if
// one of finitely many directions n has |n.P| > r |n|_1 for all corners P, on one side
// (reference/oracle/separation.go has the proof): the axes, their cross products with the edges,
// and the normal. So the distance is the largest of their least |n.P| / |n|_1.
func (s *start) farthest(corners, edges []num.IntVec) {
	zero, one := new(big.Int), big.NewInt(1)
	axes := [3]num.IntVec{{one, zero, zero}, {zero, one, zero}, {zero, zero, one}}
	offer := func(n num.IntVec) {
		size := new(big.Int)
		for k := range n {
			size.Add(size, new(big.Int).Abs(n[k]))
		}
		var least *big.Int
		side := 0
		for _, p := range corners {
			x := n.Dot(p)
			if x.Sign() == 0 || side != 0 && x.Sign() != side {
				return
			}
			side = x.Sign()
			if x.Abs(x); least == nil || x.Cmp(least) < 0 {
				least = x
			}
		}
		if num.Minor(least, s.den, s.num, size).Sign() > 0 {
			s.num, s.den = least, size
		}
	}
	for _, e := range axes {
		offer(e)
		for _, edge := range edges {
			offer(e.Cross(edge))
		}
	}
	if len(edges) > 1 {
		offer(edges[0].Cross(edges[1]))
	}
}

// nearest computes the square of the Euclidean distance: that of the plane if its foot lies inside,
// else the least of the sides and corners.
func (s *start) nearest(corners []num.IntVec) {
	s.num = nil
	offer := func(n, d *big.Int) {
		if s.num == nil || num.Minor(n, s.den, s.num, d).Sign() < 0 {
			s.num, s.den = n, d
		}
	}
	n := len(corners)
	for i, x := range corners {
		xx := x.Dot(x)
		offer(xx, big.NewInt(1))
		e := corners[(i+1)%n].Minus(x)
		ee, xe := e.Dot(e), x.Dot(e)
		if xe.Sign() < 0 && new(big.Int).Neg(xe).Cmp(ee) < 0 { // the least of |x + w e|^2 is at a w in (0, 1)
			offer(num.Minor(xx, ee, xe, xe), ee)
		}
	}
	if n < 3 {
		return
	}
	a, b, c := corners[0], corners[1].Minus(corners[0]), corners[n-1].Minus(corners[0])
	bb, cc, bc, ab, ac := b.Dot(b), c.Dot(c), b.Dot(c), a.Dot(b), a.Dot(c)
	det, u, v := num.Minor(bb, cc, bc, bc), num.Minor(bc, ac, cc, ab), num.Minor(bc, ab, bb, ac)
	inside := det.Sign() > 0 && u.Sign() >= 0 && v.Sign() >= 0
	if n == 3 {
		inside = inside && new(big.Int).Add(u, v).Cmp(det) <= 0
	} else {
		inside = inside && u.Cmp(det) <= 0 && v.Cmp(det) <= 0
	}
	if inside { // (a.n)^2 / n.n with n = b x c, whose square is det
		an := a.Dot(b.Cross(c))
		offer(an.Mul(an, an), det)
	}
}

// exceeds reports whether the distance is greater than d. beyond is the same for d + 2^e.
func (s *start) exceeds(d float64) bool {
	m, e := num.OddPart(d)
	return s.above(big.NewInt(m), e)
}

func (s *start) beyond(d float64, e int) bool {
	m, k := num.OddPart(d)
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

// gap returns an exponent e such that the distance exceeds d + 2^e; the distance must exceed d. The
// greatest such e from -2200 on is found by bisection, for exceeding is monotone.
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

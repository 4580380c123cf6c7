package curved

import (
	"math"

	"ccd/core/exact"
	"ccd/core/exact/clearance"
)

// levelSides decides a pair that lies in the plane across an axis for all t, without a separation,
// by the sides of its polygon, in floats. F is a polygon in the plane: as long as the origin is
// outside of it, it can come in through a side only, and a polygon without an area is the union of
// its sides. So the first contact of a pair that is apart at first is the first time at which the
// origin is on a side: with p the corner from which the side goes along e to the corner q,
//
//	p x e = 0,  p.e <= 0,  q.e >= 0.
//
// These are polynomials of degree 2k for paths of degree k, also where edges are parallel but for
// rounding, for all t, or where there is one edge alone. Over a part of time a side is
//
//   - away, if p x e has one sign, p.e > 0 or q.e < 0, throughout;
//   - turning, if p.e < 0 and q.e > 0 throughout, and the signs of the coefficients of p x e change
//     once: the origin is on the side at its only root, and at no other time.
//
// If all sides of a part are away, the pair is apart on it; if all others are turning, the first
// contact is the least of their roots. What is neither is halved. Roots are bracketed by signs at
// doubles: in double-doubles where these tell, else exactly. What is left undecided goes to the
// stages after this one, which give the same answers.
//
// Error, in units of u = 2^-53 and of S = |p|_i |e|_j + |p|_j |e|_i, with the largest magnitudes of
// control points: a difference of two doubles errs by 1, so a product of two by 3, with two
// binomials 5; at most 2 (k + 1) <= 12 of them are summed up, 11, and times the inverse of a
// binomial, 2. By Vandermonde's identity the magnitudes of the products, with the binomials, sum up
// to S. This is 18, and levelError is 32, which includes the squares of u and S as computed. A
// halving averages 2k times, 1 each. In double-doubles p and e err by 512 u^2 of the largest each
// (course), so p x e by 1024 u^2 S, its products by 8 u^2 S more and their difference by 3 u^2 S:
// levelDoubles, 2048 u^2, stands for them. Corners are below 2 and edges below 4, and what
// underflows is within motionUnderflow.
//
// Size: the fields are a pair, its sides, and the state of one search.
type levelSides struct {
	q     *MotionQuery
	m     *motionDistance
	i, j  int // the axes of the plane
	n     int // the degree of the polynomials
	sides [4]levelSide
	end   float64
	looks int
	found clearance.Instant
}

// levelSide is p x e, p.e and q.e of a side on a part of time, with their S. left has a bit for
// each whose sign is not yet certain.
type levelSide struct {
	side int8
	left uint8
	poly [3][2*MaxMotionDegree + 1]float64
	size [3]float64
}

const (
	levelError   = 32
	levelDoubles = 0x1p-95
	levelStart   = 8 * 0x1p-53
	levelDepth   = 12 // halvings of time
	levelLooks   = 60 // parts of time that one search looks at
)

// load takes a query that m has loaded.
func (v *levelSides) load(q *MotionQuery, m *motionDistance, axis int) {
	v.q, v.m, v.i, v.j, v.n = q, m, (axis+1)%3, (axis+2)%3, 2*q.Degree
}

// first returns the first contact in [T0, end], or undecided.
func (v *levelSides) first(end float64) clearance.Instant {
	undecided := clearance.Instant{Undecided: true, Lo: v.q.T0}
	switch v.start() {
	case exact.Yes:
		return clearance.Instant{Contact: true, Lo: v.q.T0, Hi: v.q.T0}
	case exact.Unknown:
		return undecided
	}
	v.end, v.looks = end, levelLooks
	n := len(clearance.PolygonSides[v.q.Kind])
	for s := range n {
		v.expand(&v.sides[s], int8(s))
	}
	switch v.decide(v.sides[:n], 0, 0) {
	case exact.Yes:
		return v.found
	case exact.No:
		return clearance.Instant{}
	}
	return undecided
}

// start decides the pair at T0, where components are the first control points: rounded differences,
// so that a product of two errs by 3, and their sum by 1 more: 8 stands for it.
func (v *levelSides) start() exact.Answer {
	sh := &clearance.Shapes[v.q.Kind]
	at := func(c int) [2]float64 { return [2]float64{v.m.corners[c][v.i][0].H, v.m.corners[c][v.j][0].H} }
	edge := func(c int) [2]float64 { return [2]float64{v.m.edges[c][v.i][0].H, v.m.edges[c][v.j][0].H} }
	// across and along return the sign of x cross y and x.y, or 0.
	across := func(x, y [2]float64) int {
		a, b := float64(x[0]*y[1]), float64(x[1]*y[0])
		return certain(a-b, float64(levelStart*(math.Abs(a)+math.Abs(b)))+motionUnderflow)
	}
	along := func(x, y [2]float64) int {
		a, b := float64(x[0]*y[0]), float64(x[1]*y[1])
		return certain(a+b, float64(levelStart*(math.Abs(a)+math.Abs(b)))+motionUnderflow)
	}
	corners := len(sh.Corners)
	// oneSide reports whether all corners have the same certain sign.
	oneSide := func(sign func(c int) int) bool {
		s := sign(0)
		for c := 1; c < corners && s != 0; c++ {
			if sign(c) != s {
				s = 0
			}
		}
		return s != 0
	}
	for k := range 2 {
		if oneSide(func(c int) int { return certain(at(c)[k], 0) }) {
			return exact.No
		}
	}
	for c := range sh.Edges {
		d := edge(c)
		if oneSide(func(c int) int { return across(at(c), d) }) ||
			oneSide(func(c int) int { return along(at(c), d) }) {
			return exact.No
		}
	}
	if len(sh.Edges) < 2 {
		return exact.Unknown
	}
	// The origin is inside where it is on the inner side of each side: levelTurns.
	turn := across(edge(0), edge(1))
	if turn == 0 {
		return exact.Unknown
	}
	for s := range clearance.PolygonSides[v.q.Kind] {
		z := clearance.PolygonSides[v.q.Kind][s]
		if across(at(int(z.From)), edge(int(z.Edge))) != turn*levelTurns[len(sh.Corners)-3][s] {
			return exact.Unknown
		}
	}
	return exact.Yes
}

// levelTurns is the sign of p x e of each side where the origin is inside of a polygon of three and
// of four corners whose first two edges turn to the left: a side that goes around it to the left
// has the origin on its left, where p x e > 0.
var levelTurns = [2][4]int{{1, -1, -1}, {1, -1, -1, 1}}

// certain returns the sign of a number that errs by at most e, or 0.
func certain(x, e float64) int {
	switch {
	case x > e:
		return 1
	case x < -e:
		return -1
	}
	return 0
}

// expand computes the polynomials of a side on all of the time.
func (v *levelSides) expand(s *levelSide, side int8) {
	k := v.q.Degree
	*s = levelSide{side: side, left: 7}
	from, to := clearance.SideEnds(v.q.Kind, side)
	edge := clearance.PolygonSides[v.q.Kind][side].Edge
	var p, q, e [2][MaxMotionDegree + 1]float64
	var mp, mq, me [2]float64
	for a, axis := range [2]int{v.i, v.j} {
		for l := range k + 1 {
			x, y, z := v.m.corners[from][axis][l].H, v.m.corners[to][axis][l].H, v.m.edges[edge][axis][l].H
			mp[a], mq[a], me[a] = max(mp[a], math.Abs(x)), max(mq[a], math.Abs(y)), max(me[a], math.Abs(z))
			w := choose[k][l]
			p[a][l], q[a][l], e[a][l] = float64(w*x), float64(w*y), float64(w*z)
		}
	}
	for l := range k + 1 {
		for m := range k + 1 {
			s.poly[0][l+m] += float64(p[0][l]*e[1][m]) - float64(p[1][l]*e[0][m])
			s.poly[1][l+m] += float64(p[0][l]*e[0][m]) + float64(p[1][l]*e[1][m])
			s.poly[2][l+m] += float64(q[0][l]*e[0][m]) + float64(q[1][l]*e[1][m])
		}
	}
	s.size = [3]float64{
		float64(mp[0]*me[1]) + float64(mp[1]*me[0]),
		float64(mp[0]*me[0]) + float64(mp[1]*me[1]),
		float64(mq[0]*me[0]) + float64(mq[1]*me[1]),
	}
	for l := range v.n + 1 {
		for x := range s.poly {
			s.poly[x][l] *= inverse[v.n][l]
		}
	}
}

// margin bounds the error of a coefficient.
func (v *levelSides) margin(s *levelSide, poly, depth int) float64 {
	return float64(float64(levelError+depth*v.n)*0x1p-53*s.size[poly]) + motionUnderflow
}

// look reports whether a side is away on a part, and whether it turns there.
func (v *levelSides) look(s *levelSide, depth int) (away, turning bool) {
	for x := 2; x >= 0; x-- {
		if s.left>>x&1 == 0 {
			continue
		}
		f := s.poly[x][:v.n+1]
		e := v.margin(s, x, depth)
		switch n := turns(f, e); {
		case n == 1 && x == 0:
			return false, s.left == 1
		case n != 0:
		case x == 0, x == 1 && f[0] > 0, x == 2 && f[0] < 0:
			return true, false
		default:
			s.left &^= 1 << x
		}
	}
	return false, false
}

// decide decides the part [i, i+1] 2^-depth of the query's time: no, where there is no contact in
// it; yes, with the time in v.found; or unknown.
func (v *levelSides) decide(sides []levelSide, i uint64, depth int) exact.Answer {
	if v.end < v.q.T1 && planarTime(v.q, i, depth, -1) > v.end {
		return exact.No
	}
	v.looks--
	var kept [4]levelSide
	n, turning := 0, 0
	for s := range sides {
		x := &kept[n]
		*x = sides[s]
		away, turns := v.look(x, depth)
		if !away {
			n++
		}
		if turns {
			turning++
		}
	}
	switch {
	case n == 0:
		return exact.No
	case turning == n:
		return v.roots(kept[:n], i, depth)
	case depth == levelDepth || v.looks <= 0:
		return exact.Unknown
	}
	right := kept
	for s := range n {
		for x := range 3 {
			if kept[s].left>>x&1 != 0 {
				halvePoly(&kept[s].poly[x], &right[s].poly[x], v.n)
			}
		}
	}
	if x := v.decide(kept[:n], 2*i, depth+1); x != exact.No {
		return x
	}
	return v.decide(right[:n], 2*i+1, depth+1)
}

// halvePoly sets f and g, which are the same, to the coefficients of the halves.
func halvePoly(f, g *[2*MaxMotionDegree + 1]float64, n int) {
	for m := range n + 1 {
		f[m] = g[0]
		for j := range n - m {
			g[j] = 0.5 * (g[j] + g[j+1])
		}
	}
}

// roots finds the least root of sides that turn on a part.
func (v *levelSides) roots(sides []levelSide, i uint64, depth int) exact.Answer {
	a, b := planarTime(v.q, i, depth, 1), planarTime(v.q, i+1, depth, -1) // within the part
	if !(a < b) {
		return exact.Unknown
	}
	first := clearance.Instant{Contact: true, Lo: math.Inf(1), Hi: math.Inf(1)}
	for s := range sides {
		x := &sides[s]
		f := x.poly[0][:v.n+1]
		before := 1
		if f[0] < 0 {
			before = -1
		}
		if v.sign(x.side, a) != before || v.sign(x.side, b) == before {
			return exact.Unknown // The root is beside the doubles of the part.
		}
		lo, hi := clearance.Bracket(a, b, v.guess(x.side, f, i, depth), func(t float64) bool {
			return v.sign(x.side, t) == before
		})
		if v.sign(x.side, hi) == 0 {
			lo = hi
		}
		if hi < first.Hi || hi == first.Hi && lo < first.Lo {
			first.Lo, first.Hi = lo, hi
		}
	}
	if first.Hi > v.end {
		return exact.No
	}
	v.found = first
	return exact.Yes
}

// guess returns about the root of p x e: that of its coefficients, after a step of Newton's method
// in double-doubles.
func (v *levelSides) guess(side int8, f []float64, i uint64, depth int) float64 {
	x := zeroOf(f)
	s := math.Ldexp(float64(i)+x, -depth)
	whole := v.q.T0 == 0 && v.q.T1 == 1
	t := s
	if !whole {
		t = v.q.T0 + float64(s*(v.q.T1-v.q.T0))
	}
	if !(t > v.q.T0 && t < v.q.T1) {
		return t
	}
	n := len(f) - 1
	var d [2 * MaxMotionDegree]float64
	for k := range n {
		d[k] = f[k+1] - f[k]
	}
	slope := math.Ldexp(float64(n)*bernsteinAt(d[:n], x), depth) / (v.q.T1 - v.q.T0)
	if value, _ := v.value(side, t); slope != 0 {
		t -= value.H / slope
	}
	return t
}

// value returns p x e of a side at a time in double-doubles, and a bound on its error.
func (v *levelSides) value(side int8, t float64) (value exact.DD, e float64) {
	m, z := v.m, clearance.PolygonSides[v.q.Kind][side]
	s := m.part(t)
	at := func(c *[MaxMotionDegree + 1]exact.DD) exact.DD { return blossomOf(*c, m.degree, s) }
	p, q := at(&m.corners[z.From][v.i]), at(&m.corners[z.From][v.j])
	x, y := at(&m.edges[z.Edge][v.i]), at(&m.edges[z.Edge][v.j])
	size := float64(m.largest(v.i)*m.most[z.Edge][v.j]) + float64(m.largest(v.j)*m.most[z.Edge][v.i])
	return p.Mul(y).Sub(q.Mul(x)), float64(levelDoubles*size) + motionUnderflow
}

// sign returns that of p x e of a side at a time: in double-doubles where they tell, else exactly.
func (v *levelSides) sign(side int8, t float64) int {
	x, e := v.value(side, t)
	if s := certain(x.H, e); s != 0 {
		return s
	}
	return course{v.m, 3 - v.i - v.j}.signInPlane(side, 0, t)
}

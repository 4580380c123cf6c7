package curved

import (
	"math"

	"ccd/core/exact"
	"ccd/core/exact/clearance"
)

// passing proves a pair without a separation apart where edges that are parallel up to rounding
// pass each other in one plane up to rounding. A.N is below the errors of double-doubles there, and
// so are the squares of distances. What separates are directions e_k x E, E an edge of the polygon
// F and e_k an axis: n.P is component k of P x E, the same for both ends of E, so two corners P say
// it for all. Where it has one sign at both, F keeps away from the origin, whatever n is.
//
// As the edges pass each other both values change their sign, but those of another axis do so at
// another time, if only some doubles away. So over a part of time the pair is apart if
//
//   - for one direction both polynomials have one sign throughout, the same; or
//   - for two directions both polynomials change their sign once, in the same sense, and at a
//     double t of the part those of the first have done so already, and those of the second not
//     yet: the second separates up to t, and the first from t on.
//
// What is neither is halved. Coefficients and their errors are those of levelSides, and signs at t
// are taken in double-doubles with its bound.
//
// Size: the fields are a pair, its directions, and the state of one search.
type passing struct {
	q     *MotionQuery
	m     *motionDistance
	n     int // the degree of the polynomials
	count int
	dirs  [9]passingDirection
	looks int
	p     [4][3]exact.DD // the corners and edges at the time of the last look
	e     [3][3]exact.DD
}

// passingDirection is e_k x E and the two polynomials on a part of time.
type passingDirection struct {
	axis, edge int
	poly       [2][2*MaxMotionDegree + 1]float64
	size       float64 // bounds the sum of the magnitudes of a coefficient's products
}

const (
	passingDepth = 6  // halvings of time
	passingLooks = 24 // parts of time that one search looks at
)

// apart reports whether a query that m has loaded is proven apart for all of its time.
func (v *passing) apart(q *MotionQuery, m *motionDistance) bool {
	v.q, v.m, v.n, v.looks, v.count = q, m, 2*q.Degree, passingLooks, 0
	for e := range clearance.Shapes[q.Kind].Edges {
		for k := range 3 {
			v.expand(e, k)
		}
	}
	return v.part(v.dirs[:v.count], 0, 0)
}

// expand computes the polynomials of a direction on all of the time.
func (v *passing) expand(edge, axis int) {
	d := &v.dirs[v.count]
	v.count++
	d.axis, d.edge = axis, edge
	i, j, k, m := (axis+1)%3, (axis+2)%3, v.q.Degree, v.m
	d.size = float64(m.largest(i)*m.most[edge][j]) + float64(m.largest(j)*m.most[edge][i])
	for s, c := range clearance.Shapes[v.q.Kind].Across[edge] {
		f := &d.poly[s]
		*f = [2*MaxMotionDegree + 1]float64{}
		for a := range k + 1 {
			w := choose[k][a]
			x, y := float64(w*m.corners[c][i][a].H), float64(w*m.corners[c][j][a].H)
			for b := range k + 1 {
				w := choose[k][b]
				f[a+b] += float64(x*float64(w*m.edges[edge][j][b].H)) - float64(y*float64(w*m.edges[edge][i][b].H))
			}
		}
		for l := range v.n + 1 {
			f[l] *= inverse[v.n][l]
		}
	}
}

// part reports whether the pair is apart on [i, i+1] 2^-depth of the query's time.
func (v *passing) part(dirs []passingDirection, i uint64, depth int) bool {
	v.looks--
	var list [9]*passingDirection // those that turn
	n := 0
	for d := range dirs {
		x := &dirs[d]
		e := float64(float64(levelError+depth*v.n)*0x1p-53*x.size) + motionUnderflow
		f, g := x.poly[0][:v.n+1], x.poly[1][:v.n+1]
		if !(f[0] > 0 == (g[0] > 0) && f[v.n] > 0 == (g[v.n] > 0)) {
			continue
		}
		a := turns(f, e)
		if a == 2 {
			continue
		}
		switch b := turns(g, e); {
		case a == 0 && b == 0:
			return true
		case a == 1 && b == 1:
			list[n] = x
			n++
		}
	}
	if n > 1 && v.passes(list[:n], i, depth) {
		return true
	}
	if depth == passingDepth || v.looks <= 0 {
		return false
	}
	var left, right [9]passingDirection
	copy(left[:], dirs)
	copy(right[:], dirs)
	for d := range dirs {
		for s := range 2 {
			halvePoly(&left[d].poly[s], &right[d].poly[s], v.n)
		}
	}
	return v.part(left[:len(dirs)], 2*i, depth+1) && v.part(right[:len(dirs)], 2*i+1, depth+1)
}

// passes reports whether, of directions whose polynomials turn on a part, one separates up to a
// time and another one from then on. Which ones, and when, is a guess; signs prove it.
func (v *passing) passes(list []*passingDirection, i uint64, depth int) bool {
	q := v.q
	a, b := planarTime(q, i, depth, 1), planarTime(q, i+1, depth, -1) // within the part
	x0 := zeroOf(list[0].poly[0][:v.n+1])
	t0 := q.T0 + float64(math.Ldexp(float64(i)+x0, -depth)*(q.T1-q.T0))
	if !(t0 > a && t0 < b) {
		return false
	}
	v.look(t0)
	width := math.Ldexp(q.T1-q.T0, -depth)
	var first, last *passingDirection
	least, most := math.Inf(1), math.Inf(-1) // the end of the turns of the first, the begin of those of the last
	for _, d := range list {
		lo, hi := math.Inf(1), math.Inf(-1)
		for s := range 2 {
			f := d.poly[s][:v.n+1]
			x := zeroOf(f)
			at := (x - x0) * width
			if math.Abs(x-x0) < 0x1p-20 {
				var slopes [2 * MaxMotionDegree]float64
				for l := range v.n {
					slopes[l] = f[l+1] - f[l]
				}
				at = -v.value(d, s).H * width / (float64(v.n) * bernsteinAt(slopes[:v.n], x0))
			}
			lo, hi = min(lo, at), max(hi, at)
		}
		if hi < least {
			least, first = hi, d
		}
		if lo > most {
			most, last = lo, d
		}
	}
	if !(least < most) {
		return false
	}
	t := t0 + float64(0.5*(least+most))
	if !(t >= a && t <= b) {
		return false
	}
	v.look(t)
	for s := range 2 {
		if v.sign(first, s) != signOf(first.poly[s][v.n]) || v.sign(last, s) != signOf(last.poly[s][0]) {
			return false
		}
	}
	return true
}

func signOf(x float64) int { return certain(x, 0) }

// look computes the corners and edges at a time.
func (v *passing) look(t float64) {
	m := v.m
	s := m.part(t)
	shape := &clearance.Shapes[v.q.Kind]
	for k := range 3 {
		for c := range shape.Corners {
			v.p[c][k] = blossomOf(m.corners[c][k], m.degree, s)
		}
		for e := range shape.Edges {
			v.e[e][k] = blossomOf(m.edges[e][k], m.degree, s)
		}
	}
}

// value returns that of a polynomial at the time of the last look.
func (v *passing) value(d *passingDirection, side int) exact.DD {
	p, e := &v.p[clearance.Shapes[v.q.Kind].Across[d.edge][side]], &v.e[d.edge]
	i, j := (d.axis+1)%3, (d.axis+2)%3
	return p[i].Mul(e[j]).Sub(p[j].Mul(e[i]))
}

// sign returns that of value, or 0 if it is not certain.
func (v *passing) sign(d *passingDirection, side int) int {
	return certain(v.value(d, side).H, float64(levelDoubles*d.size)+motionUnderflow)
}

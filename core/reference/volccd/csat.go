package volccd

import (
	"math"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// Axes are the directions that the continuous separating axis test tries ([Tang2011], section 4).
type Axes int32

// The axes.
const (
	AllAxes Axes = iota // ChungWang, then PaperAxes
	// Normals of faces, products of edges, all at t = 0: for vertices, edges and pairs of features.
	PaperAxes
	ChungWang // decides two elements by reflections: Chung and Wang 1996
	NoAxes
)

// cloud holds the corners of an element at both ends of the step, relative to a reference point for
// each end, which is the same for two clouds that are compared.
type cloud struct {
	n     int
	at    [2][mesh.MostCorners][3]float64
	reach [3]float64 // the largest magnitude along each axis, of this cloud and what it is compared with
}

// load sets the cloud to vertices, relative to the reference.
func (c *cloud) load(mo *geom.Trajectories, vertices []int32, reference *[2][3]float64) {
	c.n = len(vertices)
	c.reach = [3]float64{}
	for i, x := range vertices {
		r := mo.Rec[8*int(x) : 8*int(x)+8]
		for end := range 2 {
			for k := range 3 {
				w := r[4*end+k] - reference[end][k]
				c.at[end][i][k] = w
				c.reach[k] = max(c.reach[k], w, -w)
			}
		}
	}
}

// pick sets the cloud to some points of another.
func (c *cloud) pick(from *cloud, points ...int) {
	c.n, c.reach = len(points), from.reach
	for i, p := range points {
		for end := range 2 {
			c.at[end][i] = from.at[end][p]
		}
	}
}

// gapBits is the 2^-49 of the derivation below.
const gapBits = 0x1p-49

// margin is the gap along l beyond which two clouds keep more than the separation d, in real
// arithmetic.
//
// Let p be a point, c its reference, u = 2^-53. The computed (p-c).l is the sum of (p_k - c_k) l_k
// (1 + h_k), |h_k| <= (1+u)^4 - 1 < 4.01 u (a difference, a product, at most two sums), and at most
// 3 2^-1075 of underflow. With M the reach, S = sum M_k |l_k| as computed, and |p_k - c_k| <= M_k /
// (1-u), it errs by less than 4.03 u S + 2^-1072. Two of them, their difference and its rounding: a
// computed gap g > 16 u S + 2^-1060 + D is in real arithmetic more than
//
//	g (1 - u) - 8.06 u S - 2^-1071 > D (1 - u) + 7.9 u S + 2^-1061,
//
// and with D, computed as d |l|_1 (1 + 8u) with five roundings, so at least d |l|_1 (1 + 2.9 u),
// more than d |l|_1. If (q - p).l > d |l|_1 for all points p of the one and q of the other at both
// ends, then so for all their averages at all times between, for p and q move linearly; and |q -
// p|_max |l|_1 >= (q - p).l, so they keep more than d in the max norm, and in the Euclidean, which
// is larger.
//
// What overflows, overflows in S first: then the margin is Inf or NaN, and no gap is above it.
func margin(l, reach *[3]float64, d float64) float64 {
	s := float64(reach[0]*abs(l[0])) + float64(reach[1]*abs(l[1])) + float64(reach[2]*abs(l[2]))
	m := float64(s*gapBits) + 0x1p-1060
	if d > 0 {
		m += float64(float64(d*(abs(l[0])+abs(l[1])+abs(l[2]))) * (1 + 0x1p-50))
	}
	return m
}

func abs(x float64) float64 { return max(x, -x) }

// csat is the separating axis test of two elements.
type csat struct {
	a, b cloud
	d    float64 // the separation
	p, q cloud   // parts of a and of b
}

// load sets the test to two lists of vertices. The reference is the first of a.
func (c *csat) load(mo *geom.Trajectories, a, b []int32, d float64) {
	r := mo.Rec[8*int(a[0]) : 8*int(a[0])+8]
	reference := [2][3]float64{[3]float64(r), [3]float64(r[4:])}
	c.a.load(mo, a, &reference)
	c.b.load(mo, b, &reference)
	for k := range 3 {
		m := max(c.a.reach[k], c.b.reach[k])
		c.a.reach[k], c.b.reach[k] = m, m
	}
	c.d = d
}

// least returns the least coordinate along l at one end, and its point; greatest the greatest.
func (c *cloud) least(l *[3]float64, end int) (best float64, at int) {
	best = math.Inf(1)
	for i := range c.at[end][:c.n] {
		if x := geom.Dot3(&c.at[end][i], l); x < best {
			best, at = x, i
		}
	}
	return best, at
}

func (c *cloud) greatest(l *[3]float64, end int) (best float64, at int) {
	best = math.Inf(-1)
	for i := range c.at[end][:c.n] {
		if x := geom.Dot3(&c.at[end][i], l); x > best {
			best, at = x, i
		}
	}
	return best, at
}

// extent returns the least and the greatest coordinate along l at one end.
func (c *cloud) extent(l *[3]float64, end int) (lo, hi float64) {
	for i := range c.n {
		x := geom.Dot3(&c.at[end][i], l)
		if i == 0 {
			lo, hi = x, x
		}
		lo, hi = min(lo, x), max(hi, x)
	}
	return lo, hi
}

// apart reports whether l or -l separates a and b at both ends on one side: theorem 1 and all
// corollaries.
func (c *csat) apart(a, b *cloud, l *[3]float64) bool {
	m := margin(l, &a.reach, c.d)
	above, below := true, true
	for end := range 2 {
		lo, hi := a.extent(l, end)
		low, high := b.extent(l, end)
		above = above && low-hi > m
		below = below && lo-high > m
		if !above && !below {
			return false
		}
	}
	return true
}

// elements looks for a direction between the two elements: from that of their centers on, reflected
// at the two points that stand worst at either end, eight times at most (Chung and Wang 1996, with
// both ends as one set).
func (c *csat) elements() bool {
	l := c.between()
	for range 8 {
		m := margin(&l, &c.a.reach, c.d)
		worst, done := 0.0, true
		var w [3]float64
		for end := range 2 {
			lo, j := c.b.least(&l, end)
			hi, i := c.a.greatest(&l, end)
			gap := lo - hi
			done = done && gap > m
			if end == 0 || gap < worst {
				worst, w = gap, geom.Sub3(&c.b.at[end][j], &c.a.at[end][i])
			}
		}
		if done {
			return true
		}
		t := 2 * geom.Dot3(&w, &l) / geom.Dot3(&w, &w)
		if !(t < 0) { // they touch, or are as near as rounding, or are not told apart in floats
			return false
		}
		for k := range l {
			l[k] -= float64(t * w[k])
		}
	}
	return false
}

// between is the direction from the center of a to that of b, over both ends.
func (c *csat) between() (l [3]float64) {
	for end := range 2 {
		for k := range l {
			for i := range c.b.n {
				l[k] += c.b.at[end][i][k] / float64(c.b.n)
			}
			for i := range c.a.n {
				l[k] -= c.a.at[end][i][k] / float64(c.a.n)
			}
		}
	}
	return l
}

// normal returns the normal of three points of a cloud at t = 0.
func (c *cloud) normal(x, y, z int) [3]float64 {
	u, w := geom.Sub3(&c.at[0][y], &c.at[0][x]), geom.Sub3(&c.at[0][z], &c.at[0][x])
	return geom.Cross3(&u, &w)
}

// vertices computes for every point of e whether the normal of a face of element o, given by its
// corners, separates it from o: corollary 2.
func (c *csat) vertices(e, o *cloud, face [3]int, culled []bool) {
	l := o.normal(face[0], face[1], face[2])
	m := margin(&l, &o.reach, c.d)
	lo0, hi0 := o.extent(&l, 0)
	lo1, hi1 := o.extent(&l, 1)
	for i := range e.n {
		x0, x1 := geom.Dot3(&e.at[0][i], &l), geom.Dot3(&e.at[1][i], &l)
		culled[i] = lo0-x0 > m && lo1-x1 > m || x0-hi0 > m && x1-hi1 > m
	}
}

// edge reports whether the product of an edge of e with one of o separates it from o: corollary 4.
func (c *csat) edge(e *cloud, edge [2]int, o *cloud, other [2]int) bool {
	c.p.pick(e, edge[0], edge[1])
	l := product(e, edge, o, other)
	return c.apart(&c.p, o, &l)
}

// pairVF is corollary 1, along the face's normal; pairEE corollary 3, along the product of the
// edges.
func (c *csat) pairVF(e *cloud, point int, o *cloud, face [3]int) bool {
	c.p.pick(e, point)
	c.q.pick(o, face[0], face[1], face[2])
	l := o.normal(face[0], face[1], face[2])
	return c.apart(&c.p, &c.q, &l)
}

func (c *csat) pairEE(e *cloud, edge [2]int, o *cloud, other [2]int) bool {
	c.p.pick(e, edge[0], edge[1])
	c.q.pick(o, other[0], other[1])
	l := product(e, edge, o, other)
	return c.apart(&c.p, &c.q, &l)
}

func product(e *cloud, edge [2]int, o *cloud, other [2]int) [3]float64 {
	u, w := geom.Sub3(&e.at[0][edge[1]], &e.at[0][edge[0]]), geom.Sub3(&o.at[0][other[1]], &o.at[0][other[0]])
	return geom.Cross3(&u, &w)
}

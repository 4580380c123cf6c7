package curved

import (
	"math"

	"ccd/core/exact"
	"ccd/core/exact/clearance"
)

// motionDistance in the max norm: the directions are those of docs/proofs/separation.md's list, and
// |n| is the sum of magnitudes, which is convex too. A direction that proves the pair apart is
// taken as it is. Contact is proven by all of the list: where none separates weakly (n.P >= d |n|
// for all corners, n not 0), the origin is inside the polygon's sum with the cube, so there was
// contact just before.
//
// Error of n.p and d |n| for a true direction of the list, in units of u^2 and of S_k (M_k + d),
// S_k bounding |n_k|: an edge's component 395, a product of two edges 395 twice, 11, and 5 for the
// difference: 806. A corner's component 395, the product 11, two sums 10: 1222. d |n|: two sums 10,
// times d 5, the difference with it 5: 826.
const maxDistanceError = 0x1p-95 // 2048 u^2

// listed calls f with the directions of the list at the time of look, and bounds on their
// components over the query, until f returns false; it reports whether that never was. Directions
// that vanish at all times are left out.
func (m *motionDistance) listed(f func(n *[3]clearance.Double2, size *[3]float64) bool) bool {
	l := &m.r.Lines
	var e [3][3]clearance.Double2
	edges := len(l.Shape.Edges)
	for j := range edges {
		e[j] = clearance.VectorAt(&l.E[j], 0)
	}
	for k := range 3 {
		var n [3]clearance.Double2
		var size [3]float64
		n[k].Hi, size[k] = 1, 1
		if !f(&n, &size) {
			return false
		}
		i, h := (k+1)%3, (k+2)%3
		for j := range edges {
			n, size = [3]clearance.Double2{}, [3]float64{}
			n[i], n[h] = clearance.Double2{Hi: -e[j][h].Hi, Lo: -e[j][h].Lo}, e[j][i]
			size[i], size[h] = m.most[j][h], m.most[j][i]
			if size[i]+size[h] > 0 && !f(&n, &size) {
				return false
			}
		}
	}
	if edges < 2 {
		return true
	}
	n := clearance.CrossDouble(&e[0], &e[1])
	var size [3]float64
	for k := range size {
		size[k] = exact.Permanent(&m.most[0], &m.most[1], k)
	}
	return !(size[0]+size[1]+size[2] > 0) || f(&n, &size)
}

// best is the direction of the list, or its negative, that separates most. x gets it, the corners
// and the bound on rounding.
func (m *motionDistance) best(x *clearance.NearestDouble) {
	l := &m.r.Lines
	for c := range l.Shape.Corners {
		x.P[c] = clearance.VectorAt(&l.P[c], 0)
	}
	most := math.Inf(-1)
	x.N, x.Part = [3]clearance.Double2{{Hi: 1}}, 0
	m.listed(func(n *[3]clearance.Double2, _ *[3]float64) bool {
		size := math.Abs(n[0].Hi) + math.Abs(n[1].Hi) + math.Abs(n[2].Hi)
		if !(size > 0x1p-400) {
			return true
		}
		scale := 1 / size
		lo, hi := math.Inf(1), math.Inf(-1)
		for c := range l.Shape.Corners {
			y := clearance.InnerDouble(n, &x.P[c]).Hi * scale
			lo, hi = min(lo, y), max(hi, y)
		}
		side := 1.0
		if -hi > lo {
			lo, side = -hi, -1
		}
		if lo > most {
			most = lo
			for k := range 3 {
				x.N[k] = n[k].By(side * scale)
			}
		}
		return true
	})
	x.Size = x.N[0].Abs().Plus(x.N[1].Abs()).Plus(x.N[2].Abs())
	x.Rounding = l.D * x.Size.Hi
	for k := range 3 {
		x.Rounding += float64(math.Abs(x.N[k].Hi) * l.Mp[k])
	}
	x.Rounding = float64(clearance.EuclideanDoubleError*x.Rounding) + clearance.Tiny
}

// within reports whether no direction of the list separates weakly, for certain.
func (m *motionDistance) within() bool {
	l := &m.r.Lines
	return m.listed(func(n *[3]clearance.Double2, size *[3]float64) bool {
		e := 0.0
		for k := range 3 {
			e += float64(size[k] * (l.Mp[k] + l.D)) // mp is more than M
		}
		e = float64(maxDistanceError*e) + clearance.Tiny
		far := n[0].Abs().Plus(n[1].Abs()).Plus(n[2].Abs()).By(l.D)
		below, above := false, false
		for c := range l.Shape.Corners {
			p := clearance.VectorAt(&l.P[c], 0)
			y := clearance.InnerDouble(n, &p)
			below = below || y.Minus(far).Hi < -e
			above = above || y.Plus(far).Hi > e
		}
		return below && above
	})
}

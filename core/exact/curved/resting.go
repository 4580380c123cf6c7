package curved

import (
	"math"
	"math/big"

	"ccd/core/exact"
	"ccd/core/exact/clearance"
	"ccd/core/exact/internal/algebra"
	"ccd/core/geom"
)

// This file decides pairs that rest on an axis, as clearance/resting.go does for straight paths:
// along one axis all control points of F are at least d. A corner all of whose control points are d
// is at d for all t; one with control points above d at both ends is above d for all t, because its
// Bernstein coefficients are at least d and some are more. Where every corner is one of the two,
// contact is that of the corners at d in the plane across the axis.

// rest decides a query with a separation that rests on an axis, up to end.
func (r *MotionResolver) rest(q *MotionQuery, end float64) (t clearance.Instant, known bool) {
	for k := range 3 {
		for _, side := range [2]float64{1, -1} {
			if face, rests := restsOn(q, k, side); rests {
				return r.onFace(q, face, k, end), true
			}
		}
	}
	return clearance.Instant{}, false
}

// restsOn reports whether the query rests on an axis, towards side 1 or -1, and returns the face
// that does, as clearance.PairOfFace has it.
func restsOn(q *MotionQuery, axis int, side float64) (face [2]uint8, rests bool) {
	for _, pair := range clearance.Shapes[q.Kind].Corners {
		all := true
		for l := range q.Degree + 1 {
			x := exact.Difference(q.at(l, int(pair[0]), axis), q.at(l, int(pair[1]), axis))
			h, low := side*x.H, side*x.L
			switch {
			case h < q.Separation || h == q.Separation && low < 0:
				return face, false
			case h > q.Separation || low > 0:
				all = false
			}
		}
		ends := false
		for _, l := range [2]int{0, q.Degree} {
			x := exact.Difference(q.at(l, int(pair[0]), axis), q.at(l, int(pair[1]), axis))
			ends = ends || x == exact.DD{H: side * q.Separation}
		}
		switch {
		case all:
			clearance.AddToFace(q.Kind, &face, pair)
		case ends:
			return face, false // The corner leaves d, or comes to it, at an end.
		}
	}
	return face, face != [2]uint8{}
}

// onFace finds the first contact of the pair of a face in the plane across an axis.
func (r *MotionResolver) onFace(q *MotionQuery, face [2]uint8, axis int, end float64) clearance.Instant {
	kind, points, some := clearance.PairOfFace(q.Kind, face)
	if !some {
		return clearance.Instant{}
	}
	part := MotionQuery{Kind: kind, Degree: q.Degree, T0: q.T0, T1: q.T1, MaxNorm: q.MaxNorm, flat: axis + 1}
	part.Control = r.control[:0]
	for l := range q.Degree + 1 {
		for _, p := range points[:kind.Points()] {
			for k := range 3 {
				x := q.at(l, p, k)
				if k == axis {
					x = 0
				}
				part.Control = append(part.Control, x)
			}
		}
	}
	r.control = part.Control
	if q.MaxNorm {
		part.Separation = q.Separation
	} else if t := r.inPlane(&part, axis, end); !t.Undecided {
		return t
	}
	return r.search(&part, end)
}

// signInPlane is the exact sign of a polynomial of clearance's flat features at t.
func (c course) signInPlane(part int8, poly int, t float64) int {
	corners, _ := c.exactly(t)
	i, j := (c.axis+1)%3, (c.axis+2)%3
	across := func(u, v *[3]*big.Int) *big.Int {
		x, y := new(big.Int).Mul(u[i], v[j]), new(big.Int).Mul(u[j], v[i])
		return x.Sub(x, y)
	}
	edge := func(from, to int8) (e [3]*big.Int) {
		for k := range e {
			e[k] = new(big.Int).Sub(corners[to][k], corners[from][k])
		}
		return e
	}
	if part != clearance.Inner2d {
		e := edge(clearance.SideEnds(c.q.Kind, part))
		from, _ := clearance.SideEnds(c.q.Kind, part)
		return across(&corners[from], &e).Sign()
	}
	b, e := edge(0, 1), edge(0, 2)
	n, x, y := across(&b, &e), across(&e, &corners[0]), across(&corners[0], &b)
	switch {
	case poly == 2:
		x = y
	case poly == 3 && c.q.Kind == geom.EdgeEdge:
		x.Sub(n, x)
	case poly == 3:
		x.Sub(n, x).Sub(x, y)
	case poly == 4:
		x.Sub(n, y)
	}
	return x.Sign() * n.Sign()
}

// inPlane finds the first contact of a pair in the plane across an axis, without a separation.
func (r *MotionResolver) inPlane(q *MotionQuery, axis int, end float64) clearance.Instant {
	undecided := clearance.Instant{Undecided: true, Lo: q.T0}
	if q.Kind == geom.PointPoint || !(q.T1-q.T0 > 0x1p-100) {
		return undecided
	}
	r.floats.load(q)
	r.distance.load(q, &r.floats)
	r.level.load(q, &r.distance, axis)
	if t := r.level.first(end); !t.Undecided {
		r.Stats.Level++
		return t
	}
	if r.follower == nil {
		r.follower = new(clearance.Follower)
	}
	lines := q.Kind == geom.PointEdge || parallel(q, axis)
	r.follower.BeginFlat(q.Kind, axis, lines, course{&r.distance, axis})
	switch {
	case r.follower.InContact(q.T0):
		return clearance.Instant{Contact: true, Lo: q.T0, Hi: q.T0}
	case !r.follower.Apart(q.T0):
		return undecided
	}
	return r.follower.Change(q.T0, end, false)
}

// parallel reports whether the component of B x C along an axis is 0 for all t: all of its
// Bernstein coefficients are, which is decided in floats where one is far from it, else in
// rationals.
func parallel(q *MotionQuery, axis int) bool {
	edges := clearance.Shapes[q.Kind].Edges
	i, j := (axis+1)%3, (axis+2)%3
	at := func(l int, e [2]int8, k int) float64 { return q.at(l, int(e[0]), k) - q.at(l, int(e[1]), k) }
	for m := range 2*q.Degree + 1 {
		sum, size := 0.0, 0.0
		for l := max(0, m-q.Degree); l <= min(m, q.Degree); l++ {
			w := float64(algebra.Binomials[q.Degree][l] * algebra.Binomials[q.Degree][m-l])
			x := float64(at(l, edges[0], i) * at(m-l, edges[1], j))
			y := float64(at(l, edges[0], j) * at(m-l, edges[1], i))
			sum += float64(w * (x - y))
			size += float64(w * (math.Abs(x) + math.Abs(y)))
		}
		if math.Abs(sum) > float64(0x1p-40*size)+0x1p-900 {
			return false
		}
	}
	rat := func(l int, e [2]int8, k int) *big.Rat {
		x := new(big.Rat).SetFloat64(q.at(l, int(e[0]), k))
		return x.Sub(x, new(big.Rat).SetFloat64(q.at(l, int(e[1]), k)))
	}
	for m := range 2*q.Degree + 1 {
		sum := new(big.Rat)
		for l := max(0, m-q.Degree); l <= min(m, q.Degree); l++ {
			x, y := rat(l, edges[0], i), rat(l, edges[0], j)
			x.Mul(x, rat(m-l, edges[1], j))
			x.Sub(x, y.Mul(y, rat(m-l, edges[1], i)))
			w := algebra.Binomials[q.Degree][l] * algebra.Binomials[q.Degree][m-l]
			sum.Add(sum, x.Mul(x, big.NewRat(w, 1)))
		}
		if sum.Sign() != 0 {
			return false
		}
	}
	return true
}

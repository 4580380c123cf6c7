package clearance

import (
	"ccd/core/exact"
	"ccd/core/geom"
	"ccd/core/num"
)

// Pairs that rest on an axis: along one axis no corner of the polygon F is ever nearer than d, and
// some are exactly d away. A body on a level floor is such a pair, and a cloth that slides on
// another. No stage in floats decides it, because the distance is exactly d while it lasts.
//
// Statement. Let F_k >= d at both ends for all corners. Of a corner, F_k is linear in t, so on (0,
// 1) it is d at all times or never: at all times for the corners with F_k = d at both ends, the
// face K of the polygon. Let t be in (0, 1). A point of the polygon outside K has F_k > d, and so
// is farther than d in either norm. A point of K has F_k = d, and is within d if and only if, with
// F_k = 0 in place of d, its distance is
//
//   - 0 in the Euclidean norm: the pair of K in the plane across the axis touches;
//   - at most d in the max norm: the pair of K in the plane is within d.
//
// Both are pairs whose points have the coordinate 0 on the axis. exact.Resolver and the stages of
// SeparationResolver decide them. At t = 0, K0 takes the place of K, the face with F_k = d there,
// and at t = 1 K1; they contain K.
//
// K is a face because a linear function takes its least value over a convex polygon on a face. Two
// points of one edge and one of the other, or two of each, name its corners, as do the vertex and
// some points of a face.

// resting is a pair that rests on an axis, and the scratch of its search.
type resting struct {
	kind  geom.Kind
	q     [24]float64 // a copy, so that a caller's query stays on its stack
	axis  int
	sides [2][2]uint8 // sides has, for t = 0 and t = 1, the points of the face at d: a bit for each.

	part  [24]float64
	exact exact.Resolver
	cube  SeparationResolver
	times []geom.Interval
}

// pointsOf returns how many points the first primitive of a kind has.
func pointsOf(kind geom.Kind) int {
	if kind == geom.EdgeEdge {
		return 2
	}
	return 1
}

// load reports whether the query rests on the axis, towards side 1 or -1.
func (x *resting) load(kind geom.Kind, q []float64, d float64, axis int, side float64) bool {
	x.kind, x.axis, x.sides = kind, axis, [2][2]uint8{}
	copy(x.q[:], q)
	for end := range 2 {
		at := 3*kind.Points()*end + axis
		for _, pair := range Shapes[kind].Corners {
			f, low := num.TwoSum(q[at+3*int(pair[0])], -q[at+3*int(pair[1])])
			switch f, low = side*f, side*low; {
			case f < d || f == d && low < 0:
				return false
			case f == d && low == 0:
				AddToFace(kind, &x.sides[end], pair)
			}
		}
	}
	return true
}

// steady is the face at d at all times, empty where the faces of both ends have no corner in
// common.
func (x *resting) steady() [2]uint8 {
	return [2]uint8{x.sides[0][0] & x.sides[1][0], x.sides[0][1] & x.sides[1][1]}
}

// pair writes the pair of a face into part, in the plane across the axis, from the positions at the
// ends from and to. It returns its kind, and false where the face is empty.
func (x *resting) pair(face [2]uint8, from, to int) (kind geom.Kind, some bool) {
	kind, list, some := PairOfFace(x.kind, face)
	if !some {
		return 0, false
	}
	points := list[:kind.Points()]
	n := 3 * x.kind.Points()
	for end, source := range [2]int{from, to} {
		for i, p := range points {
			to := x.part[3*(len(points)*end+i):]
			copy(to[:3], x.q[n*source+3*p:])
			to[x.axis] = 0
		}
	}
	return kind, true
}

// PairOfFace returns the pair of a face of the polygon, given by the points of each primitive, a
// bit for each, and the numbers of its points; some is false where the face is empty.
func PairOfFace(of geom.Kind, face [2]uint8) (kind geom.Kind, list [4]int, some bool) {
	var count [2]int
	n := 0
	for side, bits := range face {
		for p := range 3 {
			if bits>>p&1 != 0 {
				list[n] = p + side*pointsOf(of)
				n++
				count[side]++
			}
		}
	}
	switch count {
	case [2]int{1, 1}:
		return geom.PointPoint, list, true
	case [2]int{1, 2}:
		return geom.PointEdge, list, true
	case [2]int{2, 1}: // The single point comes first.
		list[0], list[1], list[2] = list[2], list[0], list[1]
		return geom.PointEdge, list, true
	case [2]int{1, 3}:
		return geom.VertexFace, list, true
	case [2]int{2, 2}:
		return geom.EdgeEdge, list, true
	}
	return 0, list, false
}

// AddToFace adds the points of a corner of the polygon to a face.
func AddToFace(of geom.Kind, face *[2]uint8, corner [2]int8) {
	first := int8(pointsOf(of))
	for _, p := range corner {
		if p < first {
			face[0] |= 1 << p
		} else {
			face[1] |= 1 << (p - first)
		}
	}
}

// first returns the first contact in [0, tMax], within d in the max norm, or in the Euclidean norm
// for any d.
func (x *resting) first(d, tMax float64, maxNorm bool) Instant {
	at := func(face [2]uint8, from, to int, tMax float64) Instant {
		kind, some := x.pair(face, from, to)
		if !some {
			return Instant{}
		}
		if maxNorm {
			return x.cube.decide(kind, x.part[:kind.Len()], d, tMax)
		}
		var im geom.Impact
		x.exact.Resolve(kind, x.part[:kind.Len()], tMax, &im)
		return Instant{Contact: im.Verdict == geom.Contact, Lo: im.TOILo, Hi: im.TOIHi}
	}
	steady := x.steady()
	if x.sides[0] != steady && at(x.sides[0], 0, 0, 0).Contact {
		return Instant{Contact: true}
	}
	if t := at(steady, 0, 1, tMax); t.Contact {
		return t
	}
	if tMax == 1 && x.sides[1] != steady && at(x.sides[1], 1, 1, 0).Contact {
		return Instant{Contact: true, Lo: 1, Hi: 1}
	}
	return Instant{}
}

// intervals appends the intervals of contact to list, if the same face rests at both ends. The
// other arguments are those of first.
func (x *resting) intervals(d, tMax float64, maxNorm bool, list []geom.Interval) ([]geom.Interval, bool) {
	if x.sides[0] != x.sides[1] {
		return list, false
	}
	kind, some := x.pair(x.sides[0], 0, 1)
	if !some {
		return list, true
	}
	if maxNorm {
		x.times = x.cube.Intervals(kind, x.part[:kind.Len()], d, tMax, x.times[:0])
	} else {
		x.times = x.exact.Intervals(kind, x.part[:kind.Len()], tMax, x.times[:0])
	}
	for _, t := range x.times {
		t.Kind, t.SideBefore, t.SideAfter = x.kind, 0, 0
		list = append(list, t)
	}
	return list, true
}

// rest returns the query as one that rests on an axis, or nil. load has seen the query, and marked
// the axes on which it may.
func (r *SeparationResolver) rest(kind geom.Kind, q []float64, d float64) *resting {
	for k, marks := range r.marks {
		for side, mark := range marks {
			if !mark {
				continue
			}
			if r.resting == nil {
				r.resting = new(resting)
			}
			if r.resting.load(kind, q, d, k, float64(1-2*side)) {
				return r.resting
			}
		}
	}
	return nil
}

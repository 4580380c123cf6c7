package clearance

import (
	"math"

	"ccd/core/geom"
)

// SeparationResolver decides exactly whether two primitives come within d of each other in the max
// norm, and when first. It holds the scratch of one goroutine. The zero value is ready; after its
// first queries it hardly allocates.
//
// Like the oracle, it goes from certificate to certificate: at a time t the pair is apart if and
// only if one of finitely many directions separates it (core/reference/oracle/separation.go has the
// mathematics). Unlike the oracle, it needs signs at doubles alone:
//
//  1. Floats (separation_float.go): a lower bound on each certificate's polynomials, in Bernstein
//     form on [a, b], gives a time up to which it holds for certain; a moves there. Most queries
//     end here, apart up to tMax.
//  2. Double-doubles (separation_double.go): where floats no longer tell, the same with 2^-98
//     instead of 2^-53, until a and the next double b are neighbors. If no direction separates at
//     b, strictly, the first contact lies in the open (a, b).
//  3. Integers of any width (separation_wide.go), from a on: contacts whose time is a double,
//     contacts at one instant, and ties below 2^-98.
//
// The times are the oracle's in every bit.
//
// Size: the methods are the stages of the search, and the loading of a query that EuclideanResolver
// shares.
type SeparationResolver struct {
	Stats SeparationStats

	Shape      *shape
	directions int
	exponent   int // lengths are taken in units of 2^exponent
	D          float64
	P          [4][3]LinearMotion // the corners of the polygon F
	E          [3][3]LinearMotion // its edges
	Mp         [3]float64         // the largest |corner| on an axis, over both ends
	me         [3][3]float64      // the larger |edge| on an axis
	Fa, fb     polygon
	wide       *separationWide // nil until a query needs it
	marks      [3][2]bool      // the axes and sides on which the pair may rest, see resting.go
	resting    *resting        // nil until a query needs it
}

// SeparationStats counts the queries that each stage decided.
type SeparationStats struct {
	Axes, Resting, Floats, Doubles, Wide int64
	// Intervals counts Exits, the ends of contact that double-doubles find, and WideRests, the
	// queries whose other intervals integers decide.
	Exits, WideRests int64
}

// LinearMotion is one component of a vector that is linear in t. At0 and At1 are its values at t =
// 0 and t = 1, rounded differences of two coordinates, and Low0 and Low1 are their rounding errors.
type LinearMotion struct{ At0, At1, Low0, Low1 float64 }

// shape is what depends on the kind: the corners and edges of the polygon F, as pairs of points
// (the first minus the second). across has, for each edge, a corner on it and one beside it (the
// same if there is none): no others count at right angles to the edge.
type shape struct {
	Corners, Edges, Across [][2]int8
}

var Shapes = [...]shape{
	geom.VertexFace: {
		Corners: [][2]int8{{0, 1}, {0, 2}, {0, 3}},
		Edges:   [][2]int8{{1, 2}, {1, 3}, {3, 2}},
		Across:  [][2]int8{{0, 2}, {0, 1}, {1, 0}},
	},
	geom.EdgeEdge: {
		Corners: [][2]int8{{0, 2}, {1, 2}, {0, 3}, {1, 3}},
		Edges:   [][2]int8{{1, 0}, {2, 3}},
		Across:  [][2]int8{{0, 2}, {0, 1}},
	},
	geom.PointEdge: {
		Corners: [][2]int8{{0, 1}, {0, 2}},
		Edges:   [][2]int8{{1, 2}},
		Across:  [][2]int8{{0, 0}},
	},
	geom.PointPoint: {
		Corners: [][2]int8{{0, 1}},
	},
}

// Resolve writes the impact of the query q for t in [0, tMax]. q must be finite and at most
// geom.MaxCoordinate in magnitude, d in [0, geom.MaxCoordinate], tMax in [0, 1].
func (r *SeparationResolver) Resolve(kind geom.Kind, q []float64, d, tMax float64, out *geom.Impact) {
	t := r.decide(kind, q, d, tMax)
	if !t.Contact {
		out.SetSeparate(kind)
		return
	}
	*out = geom.Impact{Verdict: geom.Contact, Kind: kind, A: -1, B: -1, TOILo: t.Lo, TOIHi: t.Hi, Flags: geom.Certified}
	if t.Hi == 0 {
		out.Flags |= geom.InitialContact
	}
	r.place(q, out)
}

// decide finds the first contact.
func (r *SeparationResolver) decide(kind geom.Kind, q []float64, d, tMax float64) Instant {
	if r.apart(kind, q, d) {
		r.Stats.Axes++
		return Instant{}
	}
	if x := r.rest(kind, q, d); x != nil {
		r.Stats.Resting++
		return x.first(d, tMax, true)
	}
	return r.search(kind, q, d, tMax)
}

// apart loads the query, and reports whether an axis keeps it apart.
func (r *SeparationResolver) apart(kind geom.Kind, q []float64, d float64) bool {
	r.Shape = &Shapes[kind]
	r.directions = 3 + 3*len(r.Shape.Edges)
	if len(r.Shape.Edges) > 1 {
		r.directions++ // the normal
	}
	return r.load(q, 3*kind.Points(), d)
}

// search finds the first contact of the query that is loaded, by stages in floats, double-doubles
// and integers.
func (r *SeparationResolver) search(kind geom.Kind, q []float64, d, tMax float64) Instant {
	t, lead := r.advanceFloats(tMax)
	if !t.Undecided {
		r.Stats.Floats++
		return t
	}
	r.loadLow(q, 3*kind.Points())
	if t = r.advanceDoubles(t.Lo, tMax, lead); t.Undecided {
		t = r.decideIntegers(kind, q, d, t.Lo, tMax)
	}
	return t
}

// decideIntegers finds the first contact in [t0, tMax], of a pair that is apart before t0.
func (r *SeparationResolver) decideIntegers(kind geom.Kind, q []float64, d, t0, tMax float64) Instant {
	r.Stats.Wide++
	if r.wide == nil {
		r.wide = new(separationWide)
	}
	return r.wide.decide(kind, q, d, t0, tMax)
}

// Instant is the result of a search. The pair is apart up to tMax; or Contact is true, and the
// first contact is in [Lo, Hi]; or Undecided is true, and the pair is apart before Lo.
type Instant struct {
	Contact, Undecided bool
	Lo, Hi             float64
}

// load computes the differences of the points and reports whether an axis keeps the pair apart up
// to t = 1. That test is exact: rounding is monotone, so fl(x - y) > d only if x - y > d, and on a
// fixed axis F is linear in t.
func (r *SeparationResolver) load(q []float64, n int, d float64) bool {
	corners := r.P[:len(r.Shape.Corners)]
	top := d
	for c, pair := range r.Shape.Corners {
		i, j := 3*int(pair[0]), 3*int(pair[1])
		for k := range 3 {
			r.P[c][k].At0, r.P[c][k].At1 = q[i+k]-q[j+k], q[n+i+k]-q[n+j+k]
		}
	}
	for k := range 3 {
		lo, hi := math.Inf(1), math.Inf(-1)
		for c := range corners {
			x := &corners[c][k]
			lo, hi = min(lo, x.At0, x.At1), max(hi, x.At0, x.At1)
		}
		if lo > d || hi < -d {
			return true
		}
		r.marks[k] = [2]bool{d > 0 && lo == d, d > 0 && hi == -d}
		r.Mp[k] = max(hi, -lo)
		top = max(top, r.Mp[k])
	}
	r.loadEdges(q, n, d, top)
	return false
}

// LoadAll is load without a separation and without the test along the axes.
func (r *SeparationResolver) LoadAll(q []float64, n int) {
	top := 0.0
	for c, pair := range r.Shape.Corners {
		i, j := 3*int(pair[0]), 3*int(pair[1])
		for k := range 3 {
			x := &r.P[c][k]
			x.At0, x.At1 = q[i+k]-q[j+k], q[n+i+k]-q[n+j+k]
			if c == 0 {
				r.Mp[k] = 0
			}
			r.Mp[k] = max(r.Mp[k], math.Abs(x.At0), math.Abs(x.At1))
			top = max(top, r.Mp[k])
		}
	}
	r.loadEdges(q, n, 0, top)
}

// loadEdges computes the differences along the edges, and normalizes all lengths. top is the
// largest magnitude so far.
func (r *SeparationResolver) loadEdges(q []float64, n int, d, top float64) {
	for j, pair := range r.Shape.Edges {
		a, b := 3*int(pair[0]), 3*int(pair[1])
		for k := range 3 {
			x, y := q[a+k]-q[b+k], q[n+a+k]-q[n+b+k]
			r.E[j][k].At0, r.E[j][k].At1 = x, y
			r.me[j][k] = max(math.Abs(x), math.Abs(y))
			top = max(top, r.me[j][k])
		}
	}
	r.normalize(d, top)
}

// normalize divides all lengths by the power of two that brings the largest into [1, 2), so that no
// product overflows and what underflows is far below the smallest term of every error bound.
func (r *SeparationResolver) normalize(d, top float64) {
	r.exponent = 0
	if top > 0 {
		r.exponent = math.Ilogb(top)
	}
	s0, s1 := r.Unit()
	r.D = d * s0 * s1
	for c := range r.Shape.Corners {
		for k := range 3 {
			x := &r.P[c][k]
			x.At0, x.At1 = x.At0*s0*s1, x.At1*s0*s1
		}
	}
	for j := range r.Shape.Edges {
		for k := range 3 {
			x := &r.E[j][k]
			x.At0, x.At1 = x.At0*s0*s1, x.At1*s0*s1
			if m := r.me[j][k]; m != 0 { // The value 0 means that the component is 0 at all times.
				r.me[j][k] = max(m*s0*s1, 0x1p-1074)
			}
		}
	}
	for k := range 3 {
		r.Mp[k] = r.Mp[k] * s0 * s1
	}
}

// Unit returns 2^-exponent as two factors, for it may itself be out of range.
func (r *SeparationResolver) Unit() (s0, s1 float64) {
	h := -r.exponent / 2
	return math.Ldexp(1, h), math.Ldexp(1, -r.exponent-h)
}

// loadLow computes the rounding errors of the differences (Knuth's TwoSum). They are exact, but for
// underflow below 2^-1074.
func (r *SeparationResolver) loadLow(q []float64, n int) {
	s0, s1 := r.Unit()
	low := func(i, j int) float64 {
		x, y := q[i], q[j]
		d := x - y
		z := d - x
		return ((x - (d - z)) - (y + z)) * s0 * s1
	}
	for c, pair := range r.Shape.Corners {
		i, j := 3*int(pair[0]), 3*int(pair[1])
		for k := range 3 {
			r.P[c][k].Low0, r.P[c][k].Low1 = low(i+k, j+k), low(n+i+k, n+j+k)
		}
	}
	for c, pair := range r.Shape.Edges {
		i, j := 3*int(pair[0]), 3*int(pair[1])
		for k := range 3 {
			r.E[c][k].Low0, r.E[c][k].Low1 = low(i+k, j+k), low(n+i+k, n+j+k)
		}
	}
}

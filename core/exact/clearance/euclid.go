package clearance

import (
	"math"

	"ccd/core/geom"
)

// The minimum separation in the Euclidean norm, without a tolerance.
//
// Statement. Contact at t means min |F(t,u,v)| <= d over (u, v), |.| the Euclidean length. t* is
// the earliest contact in [0, tMax]. toi_lo is the largest double <= t*; toi_hi is the same if t*
// is a double, and else the next double. So the result does not depend on the stage that finds it.
//
// Apart. At a time t the points F form a flat convex polygon P(t), whose corners p move linearly.
// Take any two vectors n_a, n_b and let n(t) go linearly from the one to the other on [a, b]. n.p
// is a quadratic in t for each corner, and |n(t)| is convex, so n(t).p(t) - d |n(t)| is at least
// the quadratic with the Bernstein coefficients, each the least over the corners,
//
//	c0 = n_a.p_a - d |n_a|
//	c1 = (n_a.p_b + n_b.p_a - d (|n_a| + |n_b|)) / 2
//	c2 = n_b.p_b - d |n_b|
//
// Where that is positive the plane through the origin's ball separates it from all corners: apart.
// n_a and n_b need no proof. Towards the nearest points at a and b, c0 is the distance less d, and
// the quadratic's first root is a step of Newton's method from the safe side.
//
// Contact. Weights w >= 0 of the corners with |sum w p(b)| < d sum w show that a point of P(b) is
// nearer than d. If P was apart on [0, a], a the double before b, the distance is d somewhere in
// (a, b): toi_lo = a and toi_hi = b.
//
// Features. The nearest point of P(t) is in the relative interior of one feature:
//
//	feature          near <= 0            degree  region > 0                        degree
//	a corner p       p.p - d^2            2       none
//	a side p, p + e  (p x e)^2 - d^2 e.e  4       -p.e, (p + e).e; e.e              2
//	the inside       (A.N)^2 - d^2 N.N    6       N = B x C: (C x A).N, (A x B).N,  4
//	                                              N.N - both or each; N.N
//
// The conditions of a feature, with region >= 0 (and e.e, N.N > 0), name a point within d. At t* >
// 0 the region of the least feature whose relative interior holds the nearest point is > 0, so also
// just before; if near vanished throughout there would be contact just before. So t* is a root of a
// near that is not zero. Degenerate sides and faces are left out by e.e > 0, N.N > 0: lesser
// features hold their points.
//
// Stages, each of which takes over at a time a such that the pair is apart on [0, a], or knows
// nothing and has a = 0:
//
//  1. Axes: SeparationResolver's comparison; the ball lies in the cube.
//  2. One direction, from the nearest point at tMax / 2, in floats: most queries end here.
//  3. Newton's method with the certificate above in floats (euclid_float.go), towards t* or tMax.
//  4. The same in double-doubles (euclid_double.go), until a and the next double b are neighbors,
//     with contact at b. Where the distance lingers near d, the features' polynomials are followed
//     (euclid_follow.go).
//  5. Integers (euclid_tie.go): the feature that floats take for the nearest, at a and at b alone.
//  6. Integers (euclid_wide.go): signs of the features' polynomials between a and b. If there is no
//     contact, stage 4 goes on from b, and what even that does not decide is left to integers on
//     [a, tMax].
//
// Each bound on rounding is derived where it stands; TestEuclideanBoundsCoverTheirDerivations
// redoes the derivations.

// EuclideanResolver decides exactly whether two primitives come within d > 0 of each other in the
// Euclidean norm, and when first. It holds the scratch of one goroutine; the zero value is ready.
//
// Size: the methods are the stages of the searches for entries and for exits, over one scratch.
type EuclideanResolver struct {
	Stats EuclideanStats

	Lines SeparationResolver // the corners and edges over time, in a unit that keeps them below 2
	ties  euclideanTie

	pursuit *pursuit // nil until a query needs it
	Sides   []side
	Plane   bool // the polygon has an inside
}

// EuclideanStats counts the queries that each stage decided.
type EuclideanStats struct {
	Axes, Resting, Fixed, Floats, Doubles, Ties, Followed, Wide int64

	// Intervals counts Exits, the ends of contact that double-doubles find, and WideRests, the
	// queries whose other intervals integers compute.
	Exits, WideRests int64
}

// side is a side of the polygon: from a corner along an edge to another corner.
type side struct{ From, to, Edge int8 }

var PolygonSides = [...][]side{
	geom.VertexFace: {{0, 1, 0}, {0, 2, 1}, {2, 1, 2}},
	geom.EdgeEdge:   {{0, 1, 0}, {0, 2, 1}, {2, 3, 0}, {1, 3, 1}},
	geom.PointEdge:  {{0, 1, 0}},
	geom.PointPoint: nil,
}

// SideEnds returns the corners of a side.
func SideEnds(kind geom.Kind, side int8) (from, to int8) {
	z := PolygonSides[kind][side]
	return z.From, z.to
}

// Resolve writes the impact of the query q for t in [0, tMax]. q must be finite and at most
// geom.MaxCoordinate in magnitude, d in (0, geom.MaxCoordinate], tMax in [0, 1].
func (r *EuclideanResolver) Resolve(kind geom.Kind, q []float64, d, tMax float64, out *geom.Impact) {
	l := &r.Lines
	l.Shape = &Shapes[kind]
	r.Sides, r.Plane = PolygonSides[kind], len(l.Shape.Edges) > 1
	if l.load(q, 3*kind.Points(), d) {
		r.Stats.Axes++
		out.SetSeparate(kind)
		return
	}
	t := Instant{}
	if x := l.rest(kind, q, d); x != nil {
		r.Stats.Resting++
		t = x.first(d, tMax, false)
	} else {
		t = r.decide(kind, q, d, tMax)
	}
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

// decide runs the stages after the comparison along the axes.
func (r *EuclideanResolver) decide(kind geom.Kind, q []float64, d, tMax float64) Instant {
	if r.parted(tMax) {
		r.Stats.Fixed++
		return Instant{}
	}
	t := r.advanceFloats(tMax)
	if !t.Undecided {
		r.Stats.Floats++
		return t
	}
	r.Lines.loadLow(q, 3*kind.Points())
	r.pursue(kind, q, d, t.Lo)
	return r.onward(t.Lo, 0, tMax)
}

// onward decides the query that is pursued, which is apart on [0, a] unless a = 0, from a on. width
// is that of a step before a.
func (r *EuclideanResolver) onward(a, width, tMax float64) Instant {
	x := r.pursuit
	if r.lingers(a) {
		if t := r.follow(a, tMax); !t.Undecided {
			r.Stats.Followed++
			return t
		}
	}
	t := r.advanceFrom(a, width, tMax)
	if !t.Undecided {
		r.Stats.Doubles++
		return t
	}
	return r.decideIntegers(x.kind, x.q[:], x.d, t.Lo, tMax)
}

// decideIntegers runs the last stages, of a pair that is apart on [0, a] unless a = 0: over the
// next double, and where no stage can go on from there, over 8, 64 and 512, in which a pair that
// passes its least distance leaves what double-doubles cannot tell from d.
func (r *EuclideanResolver) decideIntegers(kind geom.Kind, q []float64, d, a, tMax float64) Instant {
	var w EuclideanWide
	last := &r.Stats.Ties
	for _, doubles := range [...]uint64{1, 8, 64, 512} {
		b := min(math.Float64frombits(math.Float64bits(a)+doubles), tMax)
		t := r.ties.decide(r, kind, q, d, a, b)
		if t.Undecided {
			if t = r.follow(a, tMax); !t.Undecided {
				r.Stats.Followed++
				return t
			}
			if t.Lo > a {
				a = t.Lo
				b = min(math.Float64frombits(math.Float64bits(a)+doubles), tMax)
				t = r.ties.decide(r, kind, q, d, a, b)
			}
		}
		if t.Undecided {
			last = &r.Stats.Wide
			w.load(kind, q, d)
			t = w.First(a, b)
		}
		if !t.Contact && b < tMax {
			if t = r.follow(b, tMax); t.Undecided {
				t = r.advanceDoubles(t.Lo, tMax)
			}
		}
		if !t.Undecided {
			*last++
			return t
		}
		a = t.Lo
	}
	r.Stats.Wide++
	w.load(kind, q, d)
	return w.First(a, tMax)
}

package curved

import (
	"math"

	"ccd/core/exact"
	"ccd/core/exact/clearance"
	"ccd/core/exact/internal/algebra"
	"ccd/core/geom"
)

// MaxMotionDegree is the greatest degree of a path in t that MotionResolver decides.
const MaxMotionDegree = 5

// The inside of a Euclidean separation has (A.N)^2, a polynomial of six times the degree.
const _ = uint(algebra.MaxDegree - 6*MaxMotionDegree)

// MotionQuery is a pair whose points move on polynomials in t, for t in [T0, T1]. With s = (t -
// T0)/(T1 - T0), point i is at sum_l B_l(s) Control[l][i], B_l the Bernstein polynomials of the
// degree, in real arithmetic.
type MotionQuery struct {
	Kind    geom.Kind
	Degree  int       // 1 to MaxMotionDegree
	Control []float64 // Degree + 1 blocks of Kind.Points() points
	T0, T1  float64   // 0 <= T0 < T1 <= 1

	Separation float64 // contact is a distance of at most this
	MaxNorm    bool    // MaxNorm is true if Separation is measured in the max norm.

	AxesDone bool // no axis keeps the pair apart: the caller has looked

	flat int // Component flat - 1 of all points is 0, or nothing is known: then flat is 0.
}

// points returns the number of points in a block.
func (q *MotionQuery) points() int { return q.Kind.Points() }

// at returns coordinate k of control point l of point i.
func (q *MotionQuery) at(l, i, k int) float64 { return q.Control[3*(l*q.points()+i)+k] }

// MotionResolver decides exactly whether the primitives of a MotionQuery come into contact, and
// when first. It is one goroutine's scratch; the zero value is ready.
//
// Its answers obey the laws of Resolver: Separate is a proof for all t of the query up to tMax;
// TOILo is the largest double not above the first time of contact, TOIHi the same where that time
// is a double, else the next. So the answer is unique, and no stage changes it:
//
//	still.go  without a separation: points that rest, by the stages of package exact
//	float.go  axes (exact), then directions that separate over parts of time, in floats with a bound
//	          on every error; what is left are short intervals of time that floats cannot decide
//	resting.go with a separation: what rests on an axis, decided in a plane; level.go does so by the
//	          sides of the polygon, in floats
//	planar.go without a separation: the polynomial of coplanarity, in doubles and double-doubles;
//	          planar_fine.go where its coefficients are all rounding, and passing.go for edges that
//	          are parallel as well
//	distance.go  with a separation in the Euclidean norm: the distance in double-doubles; follow.go
//	          follows the features of what slides near it, or near a plane, and the certificates of
//	          the max norm; cube.go foresees where those end
//	wide.go   integers of any width on these intervals, without a separation and in the Euclidean
//	          norm: the features of euclid.go
//	max.go    the same in the max norm: the certificates of separation.go
//	place.go  parameters and a tangent at the contact
//
// docs/proofs/motions.md has the proofs.
type MotionResolver struct {
	Stats MotionStats

	floats       motionFloats
	planar       motionPlanar
	doubles      motionDoubles
	distance     motionDistance
	level        levelSides
	passing      passing
	control      []float64                   // the control points of a pair in a plane
	lines        clearance.EuclideanResolver // finds the nearest points at the contact
	segments     *exact.Resolver             // decides pairs at rest; made at the first of them
	follower     *clearance.Follower         // nil until a query needs it
	certificates *clearance.CubeFollower     // the same
	cubes        cubeFloats
}

// MotionStats counts the queries that each stage decided, and the intervals of time that floats
// left to other stages.
type MotionStats struct {
	Axes, Still, Resting, Floats, Planar, Doubles, Followed, Integers int64

	// Level counts those at rest that the sides of a polygon in the plane decide in floats.
	Level int64
	// Fine counts those that the polynomial of coplanarity decides in double-doubles.
	Fine int64
	// Passing counts edges that pass each other in one plane, up to rounding.
	Passing int64
	Rests   int64
}

// integerDecider decides on an interval of time in integers.
type integerDecider interface {
	// First is the first contact in [lo, hi], of a pair that is apart before lo.
	First(lo, hi float64) clearance.Instant
}

// maxRests is how many intervals that floats leave at their greatest depth are decided one by one,
// by double-doubles or integers, before integers decide all the rest at once. Without it a pair
// near d for long, of points far larger than d, takes up to 2^motionDepth intervals.
const maxRests = 24

// Resolve decides the query for t in [T0, min(T1, tMax)]. The query must be finite, of magnitude at
// most geom.MaxCoordinate, the separation in [0, geom.MaxCoordinate]. Of a contact it writes the
// times and the flags alone: see Place.
func (r *MotionResolver) Resolve(q *MotionQuery, tMax float64, out *geom.Impact) {
	out.SetSeparate(q.Kind)
	end := min(q.T1, tMax)
	if q.T0 > end {
		return
	}
	if !q.AxesDone && apartOnAxes(q) {
		r.Stats.Axes++
		return
	}
	t, known := r.still(q)
	if known {
		r.Stats.Still++
	} else {
		t, known = r.plane(q, end)
	}
	if !known && q.Separation > 0 && q.Kind != geom.EdgeFace {
		if t, known = r.rest(q, end); known {
			r.Stats.Resting++
		}
	}
	if !known {
		t = r.search(q, end)
	}
	if t.Contact {
		out.Verdict, out.TOILo, out.TOIHi, out.Flags = geom.Contact, t.Lo, t.Hi, geom.Certified
		if t.Hi == 0 {
			out.Flags |= geom.InitialContact
		}
	}
}

// Apart reports whether axes or floats prove the pair apart for t in [T0, min(T1, tMax)], with few
// looks: false proves nothing.
func (r *MotionResolver) Apart(q *MotionQuery, tMax float64) bool {
	end := min(q.T1, tMax)
	if q.T0 > end || apartOnAxes(q) {
		return true
	}
	f := &r.floats
	f.load(q)
	f.depth, f.most = 3, 8
	_, _, left := f.next(q.T0, end)
	return !left
}

// plane decides a query without a separation by its polynomial of coplanarity. It reports whether
// that was enough.
func (r *MotionResolver) plane(q *MotionQuery, end float64) (t clearance.Instant, known bool) {
	if q.Separation > 0 || q.points() < 4 {
		return clearance.Instant{}, false
	}
	p := &r.planar
	if !p.load(q) {
		return clearance.Instant{}, false
	}
	x := p.decide(q.T0, end)
	if x == exact.Unknown {
		p.refine()
		if x = p.decide(q.T0, end); x != exact.Unknown {
			r.Stats.Fine++
		}
	} else {
		r.Stats.Planar++
	}
	switch x {
	case exact.Yes:
		return p.found, true
	case exact.No:
		return clearance.Instant{}, true
	}
	return clearance.Instant{}, false
}

// search runs floats and integers by turns: floats prove the pair apart up to an interval that they
// cannot decide, integers decide that.
func (r *MotionResolver) search(q *MotionQuery, end float64) clearance.Instant {
	f := &r.floats
	f.load(q)
	var decider integerDecider
	from := q.T0
	doubles, loaded := distances(q), false
	followed := false
	deep := 0 // intervals that double-doubles decided at the greatest depth
	switch {
	case doubles:
		f.depth = motionShallow
	case levels(q):
		r.distance.load(q, f)
		if q.Kind == geom.EdgeEdge && r.passing.apart(q, &r.distance) {
			r.Stats.Passing++
			return clearance.Instant{}
		}
		t := r.follow(q, from, end)
		if !t.Undecided {
			r.Stats.Followed++
			return t
		}
		from = t.Lo
	}
	for n := 0; ; n++ {
		lo, hi, left := f.next(from, end)
		if !left {
			if decider == nil {
				r.Stats.Floats++
			} else {
				r.Stats.Integers++
			}
			return clearance.Instant{}
		}
		r.Stats.Rests++
		if doubles {
			if !loaded {
				r.distance.load(q, f)
				loaded = true
			}
			if q.MaxNorm {
				return r.cube(q, lo, hi, end)
			}
			t := r.distance.first(lo, hi, !followed)
			switch {
			case !t.Undecided && (t.Contact || hi == end):
				r.Stats.Doubles++
				return t
			case !t.Undecided && deep < maxRests:
				if from = hi; f.depth == motionDepth {
					deep++
				}
				continue
			case !followed:
				followed = true
				if t = r.follow(q, lo, end); !t.Undecided {
					r.Stats.Followed++
					return t
				}
				if t.Lo > lo {
					from = t.Lo
					continue
				}
				fallthrough
			case f.depth < motionDepth: // once more with the rest of what floats can do
				f.depth = motionDepth
				continue
			}
		}
		if n >= maxRests || deep >= maxRests {
			hi = end
		}
		if decider == nil {
			decider = newIntegerDecider(q)
		}
		if t := decider.First(lo, hi); t.Contact || hi == end {
			r.Stats.Integers++
			return t
		}
		from = hi
	}
}

func newIntegerDecider(q *MotionQuery) integerDecider {
	if q.MaxNorm && q.Separation > 0 {
		return newMaxWide(q, clearance.Directions(q.Kind))
	}
	return newMotionWide(q)
}

// apartOnAxes reports whether an axis keeps the pair apart throughout. It is exact: a component of
// F at a fixed (u, v) is a polynomial whose Bernstein coefficients are those of the control points,
// and fl(x - y) > d only if x - y > d.
func apartOnAxes(q *MotionQuery) bool {
	sh := &clearance.Shapes[q.Kind]
	for k := range 3 {
		lo, hi := math.Inf(1), math.Inf(-1)
		for l := range q.Degree + 1 {
			for _, pair := range sh.Corners {
				x := q.at(l, int(pair[0]), k) - q.at(l, int(pair[1]), k)
				lo, hi = min(lo, x), max(hi, x)
			}
		}
		if lo > q.Separation || hi < -q.Separation {
			return true
		}
	}
	return false
}

package exact

import (
	"ccd/core/geom"
	"ccd/core/kernel"
)

// Stage is the stage that decided a query.
type Stage int

// The stages, cheapest first.
const (
	StageAxis   Stage = iota // comparisons of coordinates along the axes
	StageFilter              // floats with bounded errors
	StageDouble              // double-doubles with bounded errors
	StageFixed               // integers of fixed width
	StageWide                // integers of any width
	Stages                   // the number of stages
)

func (s Stage) String() string {
	switch s {
	case StageAxis:
		return "axis"
	case StageFilter:
		return "filter"
	case StageDouble:
		return "double"
	case StageFixed:
		return "fixed"
	case StageWide:
		return "wide"
	}
	return "invalid"
}

// Stats counts the queries that each stage decided.
type Stats struct {
	Separate, Contact [Stages]int64
}

// Resolver decides queries exactly. It holds the scratch of one goroutine. The zero value is ready;
// after its first queries it allocates nothing.
//
// Size: the fields are what a caller sets for lists, the scratch of the stages, and that of lists,
// crossings and intervals.
//
// Its results obey these laws, without a tolerance:
//  1. Separate: the primitives do not touch for any t in [0, tMax].
//  2. Contact: they do not touch for any t < TOILo, which is the largest double not above the
//     earliest time of contact.
//  3. TOIHi is TOILo when that time is a double, else the next double. (A positive time below the
//     smallest double gives TOILo = 0 without the flag InitialContact.)
//  4. The same bits for any order of queries, and for coordinates times a power of two unless they
//     over- or underflow.
type Resolver struct {
	Stats Stats
	// Boxed says that the boxes of all queries at both ends met, so that Batch and Until skip the
	// comparison along the axes. It changes no result.
	Boxed bool
	// Remote, if not nil, is a device that Batch and Until use for the first stages. It changes no
	// result.
	Remote *kernel.Remote
	// Wanted, if not nil, reports whether the caller still needs query i of Until. It is called
	// before the costly stages; a query that is not wanted is not emitted.
	Wanted func(i int) bool
	// Times says that the caller of Batch and Until reads only the verdict, kind, times and flags
	// of an impact; some of the other fields are 0 then.
	Times bool
	// Margin, if not nil, gets the queries that the kernels of Until do not prove to be farther
	// apart than its width. Remote must be nil then.
	Margin *kernel.Margin

	query  [24]float64
	impact geom.Impact // what Until passes to emit
	found  found
	lists  lists
	alive  [block]int32 // scratch of EachCrossing, as is runs
	runs   edgeRuns
	placed placed // the places of the queries of lists
	alone  placed // the place of the query at hand, kept apart from those of lists
	double double
	fixed  fixed
	wide   Wide
	times  Intervals // scratch of Intervals
	listed []geom.Interval
}

// widened has, for each kind, the domain of the query of four points that geom.Widen makes. All
// stages take such queries.
var widened = [...]geom.Domain{
	geom.VertexFace: geom.Triangle, geom.EdgeEdge: geom.Square, geom.PointEdge: geom.Triangle,
	geom.PointPoint: geom.Triangle,
}

// filters has, for each kind, the function that reports whether floats prove that a widened query
// does not touch.
var filters = [...]func(q *[24]float64) bool{
	geom.VertexFace: func(q *[24]float64) bool { return apartByFilter(geom.Triangle, q) },
	geom.EdgeEdge:   func(q *[24]float64) bool { return apartByFilter(geom.Square, q) },
	geom.PointEdge:  apartPointEdge,
	geom.PointPoint: apartPoints,
}

// Resolve writes to out the impact of the query q: Kind.Len() finite doubles of magnitude at most
// geom.MaxCoordinate. Only t in [0, tMax] counts, where tMax is in [0, 1].
func (r *Resolver) Resolve(kind geom.Kind, q []float64, tMax float64, out *geom.Impact) {
	geom.Widen(kind, q, &r.query)
	domain := widened[kind]
	switch {
	case apartOnAxis(domain, &r.query):
		r.Stats.Separate[StageAxis]++
		out.SetSeparate(kind)
	case filters[kind](&r.query):
		r.Stats.Separate[StageFilter]++
		out.SetSeparate(kind)
	default:
		r.decide(kind, tMax, out)
	}
}

// decide resolves r.query by the stages that can also find contact.
func (r *Resolver) decide(kind geom.Kind, tMax float64, out *geom.Impact) {
	domain := widened[kind]
	doubles := &r.double
	doubles.load(domain, &r.query)
	stage, said := StageDouble, doubles.level(&r.query, tMax, &r.found)
	if said == Unknown {
		said = doubles.decide(tMax, &r.found)
	}
	if said == Unknown {
		stage, said = StageFixed, r.fixed.decide(domain, &r.query, tMax, &r.found)
	}
	if said == Yes && r.found.plain(domain) && r.single(kind, out) {
		r.Stats.Contact[stage]++
		return
	}
	if said == Unknown || said == Yes && r.found.shape == 2 && !doubles.place(&r.found) {
		stage, said = StageWide, No
		if r.wide.decide(domain, &r.query, tMax, doubles, &r.found) {
			said = Yes
		}
	}
	if said == No {
		r.Stats.Separate[stage]++
		out.SetSeparate(kind)
		return
	}
	r.Stats.Contact[stage]++
	r.report(kind, out)
}

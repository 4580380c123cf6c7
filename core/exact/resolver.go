package exact

import (
	"ccd/core/geom"
	"ccd/core/kernel"
)

// Stage is the stage that decided a query.
type Stage int

// The stages, cheapest first.
const (
	StageAxis   Stage = iota // comparisons of coordinates
	StageFilter              // floats with bounded errors
	StageDouble              // double-doubles with bounded errors
	StageFixed               // integers of fixed width
	StageWide                // integers of any width
	Stages                   // how many there are
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

// Resolver decides queries exactly. It is one goroutine's scratch: the zero value is ready, and
// after its first queries it allocates nothing.
//
// Size: the fields are what a caller sets for lists, the scratch of the stages, and that of lists,
// crossings and intervals.
//
// Its answers obey, with no tolerance and no bound on errors:
//  1. Separate: the primitives do not touch for any t in [0, tMax].
//  2. Contact: they do not touch for any t < TOILo, which is the largest double not above the
//     earliest time of contact.
//  3. TOIHi is TOILo when that time is a double, else the next double. (A positive time below the
//     smallest double gives TOILo = 0 without the flag InitialContact.)
//  4. The same bits for any order of queries, and for coordinates times a power of two unless they
//     over- or underflow.
type Resolver struct {
	Stats Stats
	// Boxed tells Batch and Until that boxes at both ends were compared already, so that asking the
	// axes again would find next to nothing. It changes no answer.
	Boxed bool
	// Remote, when not nil, is a device that Batch and Until ask first. It changes no answer.
	Remote *kernel.Remote
	// Wanted, when not nil, reports whether the caller still needs query i of Until. It is called
	// before the costly stages; a query that is not wanted is not emitted.
	Wanted func(i int) bool
	// Times tells Batch and Until that the caller reads no field of an impact but its verdict,
	// kind, times and flags; some of the others are 0 then.
	Times bool
	// Margin, when not nil, gets what the kernels of Until leave with its width. Remote is then
	// nil.
	Margin *kernel.Margin

	query  [24]float64
	found  found
	lists  lists
	left   [block]int32 // left and runs are scratch of EachCrossing.
	runs   edgeRuns
	placed placed // placed has the places of a list.
	alone  placed // alone has the place of r.query, which may come while the list is not used up.
	double double
	fixed  fixed
	wide   Wide
	times  Intervals // times is scratch of Intervals.
	listed []geom.Interval
}

// widened is the domain, by kind, of the query of four points that geom.Widen makes: all stages
// take it for one of the two.
var widened = [...]geom.Domain{
	geom.VertexFace: geom.Triangle, geom.EdgeEdge: geom.Square, geom.PointEdge: geom.Triangle,
	geom.PointPoint: geom.Triangle,
}

// filters are the proofs in floats that a pair does not touch, by kind. They take a widened query.
var filters = [...]func(q *[24]float64) bool{
	geom.VertexFace: func(q *[24]float64) bool { return apartByFilter(geom.Triangle, q) },
	geom.EdgeEdge:   func(q *[24]float64) bool { return apartByFilter(geom.Square, q) },
	geom.PointEdge:  apartPointEdge,
	geom.PointPoint: apartPoints,
}

// Resolve writes the answer to q, Kind.Len() finite doubles of magnitude at most
// geom.MaxCoordinate, into out. Only t in [0, tMax] counts, tMax in [0, 1].
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

// decide answers r.query by the stages that can also say yes.
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

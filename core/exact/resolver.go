package exact

import "ccd/core/geom"

// Stage is the rung of the ladder that answered a query.
type Stage int

// The stages, cheapest first.
const (
	StageAxis   Stage = iota // comparisons of coordinates
	StageFilter              // floats with bounded errors
	StageWide                // integers of any width
	Stages                   // how many there are
)

func (s Stage) String() string {
	switch s {
	case StageAxis:
		return "axis"
	case StageFilter:
		return "filter"
	case StageWide:
		return "wide"
	}
	return "invalid"
}

// Stats counts the queries that each stage answered.
type Stats struct {
	Separate, Contact [Stages]int64
}

// Resolver decides queries exactly. It is one goroutine's scratch: the zero value is ready, and after its first queries it
// allocates nothing.
//
// Its answers obey, with no tolerance and no bound on errors:
//  1. Separate: the primitives do not touch for any t in [0, tMax].
//  2. Contact: they do not touch for any t < TOILo, which is the largest double not above the earliest time of contact.
//  3. TOIHi is TOILo when that time is a double, else the next double. (A positive time below the smallest double gives
//     TOILo = 0 without the flag InitialContact.)
//  4. The same bits for any order of queries, and for coordinates times a power of two unless they over- or underflow.
type Resolver struct {
	Stats Stats
	wide  wide
}

// Resolve writes the answer to q, Kind.Len() finite doubles of magnitude at most geom.MaxCoordinate, into out.
// Only t in [0, tMax] counts, tMax in [0, 1].
func (r *Resolver) Resolve(kind geom.Kind, q []float64, tMax float64, out *geom.Impact) {
	var x [24]float64
	geom.Widen(kind, q, &x)
	r.resolve(kind, &x, tMax, out)
}

func (r *Resolver) resolve(kind geom.Kind, q *[24]float64, tMax float64, out *geom.Impact) {
	square := kind == geom.EdgeEdge
	if apartOnAxis(square, q) {
		r.Stats.Separate[StageAxis]++
		out.SetSeparate(kind)
		return
	}
	if apartByFilter(square, q) {
		r.Stats.Separate[StageFilter]++
		out.SetSeparate(kind)
		return
	}
	var c found
	if !r.wide.decide(square, q, tMax, &c) {
		r.Stats.Separate[StageWide]++
		out.SetSeparate(kind)
		return
	}
	r.Stats.Contact[StageWide]++
	report(kind, q, &c, out)
}

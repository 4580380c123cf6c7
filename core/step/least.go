package step

import (
	"math"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/num"
	"ccd/core/status"
)

// SearchLeast finds the pair of a mesh with the least distance over a step during which no pair
// touches: the one with the least Hi, of equal ones the first in the order (kind, a, b); Kind 0
// without a pair. Lo bounds the distance of all pairs from below. Each pair's Hi - Lo is at most
// the bracket. It is proximity.LeastDistance, which capi passes, because this package does not
// import that one.
type SearchLeast func(bracket float64, o *engine.CallOptions) (geom.LeastDistance, error)

// LeastDistance brackets the least distance, less radii, that any pair of the mesh has at a time in
// [0, TMax], in the Euclidean norm: laws D1 to D6 of docs/numerics.md. Without a pair Kind is 0, A
// and B are -1, T is 0, and Lo and Hi are +Inf.
//
// Options are those of Earliest; MinSeparation and the method do not matter. With CheckStart an
// edge that passes through a face at x0 is a pair at distance 0. Candidates and a device
// that must be used are not supported. The search is not part of MemoryLimit.
//
// If a pair touches, Earliest finds it, and the distance is 0. Else the result is the search's, but
// for Lo: let H be the least Hi and w the bracket. A pair has Lo >= Hi - w >= H - w, so H - w,
// rounded down, is a lower bound for all pairs, which depends on no order. No proof rests on that
// width: the search's own lower bound, which is at least H - w, is returned if it should ever be
// less.
func LeastDistance(m *mesh.Mesh, x0, x1 []float64, search SearchLeast, o *Options) (geom.LeastDistance, error) {
	none := geom.LeastDistance{A: -1, B: -1, Lo: math.Inf(1), Hi: math.Inf(1)}
	if o == nil {
		d := DefaultOptions()
		o = &d
	}
	here, err := leastOptions(o)
	if err != nil {
		return none, err
	}
	var stats [2]engine.Stats
	here.Stats, here.Progress = &stats[0], engine.Half(o.Progress, 0)
	first, err := Earliest(m, x0, x1, here)
	if err != nil {
		return none, err
	}
	best := narrow.Touching(&first)
	if first.Verdict != geom.Contact {
		size := narrow.Extent(x0, x1)
		if size > 0x1p-4*geom.MaxCoordinate {
			return none, status.Errorf(status.ErrUnsupported,
				"x0 and x1 extend over %v: the least distance of a step needs at most %v",
				size, 0x1p-4*geom.MaxCoordinate)
		}
		bracket := narrow.LeastShare * size
		call := o.CallOptions
		call.Stats, call.Progress = &stats[1], engine.Half(o.Progress, 1)
		if best, err = search(bracket, &call); err != nil {
			return none, err
		}
		switch {
		case best.Kind == 0:
			best = none
		case bracket < leastExact:
			best.Lo = 0
		default:
			best.Lo = max(0, min(best.Lo, num.SubDown(best.Hi, bracket)))
		}
	}
	if o.Stats != nil {
		stats[0].Add(&stats[1])
		*o.Stats = stats[0]
		o.Stats.Impacts = int64(min(1, best.Kind))
	}
	placeOf(m, x0, x1, &best)
	return best, nil
}

// placeOf writes the points of the least distance of a step.
func placeOf(m *mesh.Mesh, x0, x1 []float64, d *geom.LeastDistance) {
	switch q, r := m.PairQuery(d.Kind, int32(d.A), int32(d.B), x0, x1); {
	case d.Kind == 0:
	case d.Hi == 0:
		narrow.PlaceTouching(q, r, d)
	default:
		narrow.PlaceLeast(q, r, d)
	}
}

// leastExact is the least width of a bracket at which its own rounding does not matter: nothing
// underflows.
const leastExact = 0x1p-960

// leastOptions are those of the searches.
func leastOptions(o *Options) (*Options, error) {
	err := o.refuse(unsupported{
		candidates: "the least distance concerns all pairs of a step",
		region:     "the least distance concerns all pairs of a step",
		device:     "the least distance is computed on the CPU",
	})
	if err != nil {
		return nil, err
	}
	here := *o
	here.Device, here.MinSeparation, here.Method = nil, 0, narrow.Exact
	here.Flags &^= narrow.MaxNorm
	return &here, nil
}

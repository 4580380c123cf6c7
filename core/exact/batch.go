package exact

import (
	"ccd/core/geom"
	"ccd/simd"
)

// block is how many queries go through the batched stages at a time: their lists stay in the first-level cache.
const block = 1024

// lists are the scratch of a batch.
type lists struct {
	alive [block]int32
	masks [block]uint8
}

// Batch resolves the queries idx, each as many vertices of the motion as the kind has points, and calls emit in order for
// every one that is not separate; emit must not keep im. The answers are those of Resolve, bit for bit: the
// batched stages only ever prove that queries are separate.
func (r *Resolver) Batch(kind geom.Kind, mo *geom.Motion, idx [][4]int32, tMax float64, emit func(i int, im *geom.Impact)) {
	r.Until(kind, mo, idx, &tMax, emit)
}

// Until is Batch with an end of time that emit may lower as it goes, for a search for the earliest impact. Every query is
// answered for some end of time not before the one that stands when it is reached: no impact earlier than the last is lost,
// and those emitted are complete up to it.
func (r *Resolver) Until(kind geom.Kind, mo *geom.Motion, idx [][4]int32, tMax *float64, emit func(i int, im *geom.Impact)) {
	for first := 0; first < len(idx); first += block {
		part := idx[first:min(first+block, len(idx))]
		alive := r.lists.alive[:len(part)]
		switch kind {
		case geom.VertexFace, geom.EdgeEdge:
			alive = alive[:r.sieve(kind, mo, part, *tMax)]
		default:
			for i := range alive {
				alive[i] = int32(i)
			}
		}
		var im geom.Impact
		for _, i := range alive {
			mo.Query(kind, &part[i], &r.query)
			if kind == geom.VertexFace || kind == geom.EdgeEdge {
				r.decide(kind, *tMax, &im)
			} else {
				q := r.query
				r.Resolve(kind, q[:], *tMax, &im)
			}
			if im.Verdict != geom.Separate {
				emit(first+int(i), &im)
			}
		}
	}
}

// sieve leaves in lists.alive the positions of those queries that floats cannot prove separate, and counts them.
func (r *Resolver) sieve(kind geom.Kind, mo *geom.Motion, part [][4]int32, tMax float64) int {
	alive, masks := r.lists.alive[:len(part)], r.lists.masks[:len(part)]
	cull, filter, pieces := simd.AxisCullVF, simd.FilterVF, simd.PiecesVF
	if kind == geom.EdgeEdge {
		cull, filter, pieces = simd.AxisCullEE, simd.FilterEE, simd.PiecesEE
	}
	n := cull(mo.Rec, part, 0, alive)
	r.Stats.Separate[StageAxis] += int64(len(part) - n)
	m := filter(mo.Rec, part, alive[:n], tMax, 0, alive)
	m = pieces(mo.Rec, part, alive[:m], tMax, 0, alive, masks)
	r.Stats.Separate[StageFilter] += int64(n - m)
	return m
}

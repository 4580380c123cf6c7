package narrow

import (
	"math"

	"ccd/core/exact/clearance"
	"ccd/core/geom"
	"ccd/core/num"
)

// LeastShare is the width of the bracket of a least distance, over the size of the scene: the
// largest extent of its bounding box over both ends. Law D2 promises 1e-9; the rest is for the
// roundings of the ends.
const LeastShare = 0.75e-9

// Extent returns the largest extent of the bounding box of points over both ends, x0 and x1: the
// size of the scene.
func Extent(x0, x1 []float64) (size float64) {
	for k := range 3 {
		lo, hi := math.Inf(1), math.Inf(-1)
		for i := k; i < len(x0); i += 3 {
			lo, hi = min(lo, x0[i], x1[i]), max(hi, x0[i], x1[i])
		}
		size = max(size, hi-lo)
	}
	return size
}

// LeastDistance brackets the least distance of the pair of the query q for t in [0, TMax], in the
// Euclidean norm: laws D1 to D6 of docs/numerics.md. The query has passed CheckQuery; of the
// options TMax alone counts.
func (s *Solver) LeastDistance(kind geom.Kind, q []float64, o *Options, out *geom.LeastDistance) {
	var im geom.Impact
	if s.exact.Resolve(kind, q, o.TMax, &im); im.Verdict == geom.Contact {
		*out = Touching(&im)
		PlaceTouching(q, [2]float64{}, out)
		return
	}
	n := len(q) / 2
	s.euclid.Least(&clearance.LeastQuery{
		Kind: kind, Q: q, TMax: o.TMax, Tolerance: LeastShare * Extent(q[:n], q[n:]), Cutoff: math.Inf(1),
	}, out)
	PlaceLeast(q, [2]float64{}, out)
}

// Touching returns the least distance of a pair with an impact, but for its points.
func Touching(im *geom.Impact) geom.LeastDistance {
	return geom.LeastDistance{Kind: im.Kind, A: im.A, B: im.B, T: im.TOILo, U: im.U, V: im.V, PointA: im.Point,
		PointB: im.Point, Normal: im.Normal}
}

// LeastWithin does the same, but for the points, for a pair whose surfaces, with these radii round
// its primitives, do not touch; bracket is the width of the bracket. It reports false, and writes
// nothing, if the distance is proven to exceed the cutoff.
func (s *Solver) LeastWithin(kind geom.Kind, q []float64, r [2]float64, bracket, cutoff, tMax float64,
	out *geom.LeastDistance) bool {
	l := clearance.LeastQuery{Kind: kind, Q: q, TMax: tMax, Tolerance: bracket, Cutoff: cutoff}
	if !math.IsInf(cutoff, 0) {
		l.Cutoff = num.AddUp3(r[0], r[1], cutoff)
	}
	if !s.euclid.Least(&l, out) {
		return false
	}
	if r[0] != 0 || r[1] != 0 {
		out.Lo, out.Hi = max(0, num.AddDown3(-r[0], -r[1], out.Lo)), num.AddUp3(-r[0], -r[1], out.Hi)
	}
	return true
}

// Within returns the positions of those queries of a motion, at most 1024, whose vertices idx
// lists, that the kernels cannot prove to be farther apart than d at all times in [0, tMax], in the
// max norm and so in the Euclidean one. The list holds until the next call.
func (s *Solver) Within(kind geom.Kind, m *geom.Trajectories, idx [][4]int32, d, tMax float64) []int32 {
	return s.sieve(kind, m, idx, &Options{Method: Exact, MinSeparation: d, TMax: tMax})
}

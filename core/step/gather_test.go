package step

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/engine"
	"ccd/core/geom"
)

// Impacts of several workers come in their order, with few and with many of them at about the same
// time, on any number of threads.
func TestGather(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 67))
	for _, times := range []int{1, 7, 3000, 1 << 40} {
		for _, n := range []int{0, 1, fewTimes, fewTimes + 1, 9000} {
			var want []geom.Impact
			workers := make([]*worker, 1+r.IntN(5))
			var budget engine.Budget
			for i := range workers {
				workers[i] = new(worker)
			}
			for i, a := range r.Perm(n) {
				im := geom.Impact{Kind: geom.Kind(1 + r.IntN(int(geom.EdgeFace))), A: int64(a), B: int64(i % 5),
					TOILo: float64(r.IntN(times)) / float64(times), Verdict: geom.Contact}
				if times > 1 && i%3 == 0 {
					im.TOILo /= 1 << 12 // most in one bucket
				}
				want = append(want, im)
				workers[r.IntN(len(workers))].found.Add(&im, &budget, 1)
			}
			slices.SortFunc(want, func(x, y geom.Impact) int {
				if x.Before(&y) {
					return -1
				}
				return 1
			})
			for k, threads := range []int32{1, 3, 1, 3} {
				c := &call{workers: workers}
				c.Stats.Threads, c.tactics.remember = threads, k >= 2 // then ties are sorted by their bits
				got, err := gather(c)
				if err != nil || !slices.Equal(got, want) {
					t.Fatalf("%d impacts at %d times, %d threads: out of order, or %v", n, times, threads, err)
				}
			}
		}
	}
}

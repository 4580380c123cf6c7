package proximity

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/engine"
)

// Pairs of several lists come in the order of (a, b), each once, with their places, for any number
// of threads and any spread of a.
func TestInOrder(t *testing.T) {
	long.Test(t)
	r := rand.New(rand.NewPCG(23, 66))
	var o pairOrder
	for _, below := range []int{1, 2, 511, 512, 513, 100_000, 1<<31 - 1} {
		for _, count := range []int{0, 1, 13, 20_000} {
			for _, near := range []int{1, 40, below} { // how many a there are
				seen := map[pairKey]bool{}
				lists := make([]*engine.List[pairKey], 1+r.IntN(5))
				var budget engine.Budget
				for i := range lists {
					lists[i] = new(engine.List[pairKey])
				}
				for range count {
					k := pairKey{int32(below - 1 - r.IntN(min(near, below))), int32(r.IntN(1 << 20))}
					if !seen[k] {
						seen[k] = true
						lists[r.IntN(len(lists))].Add(&k, &budget, 8)
					}
				}
				want := make([]pairKey, 0, len(seen))
				for k := range seen {
					want = append(want, k)
				}
				slices.SortFunc(want, func(x, y pairKey) int {
					return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
				})
				for _, threads := range []int{1, 3} {
					got, calls := make([]pairKey, len(want)), 0
					var lock sync.Mutex
					err := inOrder(&o, lists, func(x *pairKey) pairKey {
						return *x
					}, below, threads, func(at int, keys []sortKey) {
						lock.Lock()
						defer lock.Unlock()
						calls += len(keys)
						for i, k := range keys {
							if got[at+i] = *lists[k.list()].At(k.at()); got[at+i] != k.pairKey {
								t.Errorf("%v is at the place of %v", got[at+i], k.pairKey)
							}
						}
					})
					if err != nil || calls != len(want) || !slices.Equal(got, want) {
						t.Fatalf("%d pairs below %d, %d threads: %d keys, %v", len(want), below, threads, calls, err)
					}
				}
			}
		}
	}
}

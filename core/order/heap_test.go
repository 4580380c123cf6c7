package order

import (
	"math/rand/v2"
	"slices"
	"testing"
)

type pair struct{ key, id int }

func (a *pair) Before(b *pair) bool { return a.key < b.key }

// Elements leave both heaps in order, with pushes and pops mixed, and in the same order of ties as
// a heap that swaps neighbors.
func TestHeap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, keys := range []int{1, 3, 1000000} {
		var q Heap[pair, *pair]
		var timed TimeHeap[int]
		var ref []pair
		for i := range 4000 {
			if len(ref) != len(q) {
				t.Fatalf("%d elements, want %d", len(q), len(ref))
			}
			if len(q) == 0 || r.IntN(5) > 1 && i < 3000 {
				x := pair{r.IntN(keys), i}
				q.Push(&x)
				timed.Push(float64(x.key), x.id)
				ref = append(ref, x)
				for j := len(ref) - 1; j > 0 && ref[j].Before(&ref[(j-1)/2]); j = (j - 1) / 2 {
					ref[j], ref[(j-1)/2] = ref[(j-1)/2], ref[j]
				}
				continue
			}
			got, other, want := q.Pop(), timed.Pop(), ref[0]
			if other.Item != want.id || int(other.Time) != want.key {
				t.Fatalf("%d keys: %v came out of the heap by time, want %v", keys, other, want)
			}
			if got != want || slices.ContainsFunc(q, func(x pair) bool { return x.key < got.key }) {
				t.Fatalf("%d keys: %v came out, want %v", keys, got, want)
			}
			last := len(ref) - 1
			ref[0] = ref[last]
			ref = ref[:last]
			for j := 0; ; {
				least := j
				for c := 2*j + 1; c <= 2*j+2 && c < last; c++ {
					if ref[c].Before(&ref[least]) {
						least = c
					}
				}
				if least == j {
					break
				}
				ref[j], ref[least] = ref[least], ref[j]
				j = least
			}
		}
	}
}

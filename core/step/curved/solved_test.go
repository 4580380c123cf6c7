package curved

import (
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
)

// A set of pairs has those that were added, of all kinds and with the largest numbers.
func TestPairSet(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 30))
	var set pairSet
	want := make(map[uint64]bool)
	numbers := []int32{0, 1, 2, 1<<31 - 1, 1<<31 - 2, 1 << 20}
	random := func() uint64 {
		number := func() int32 {
			if r.IntN(2) == 0 {
				return numbers[r.IntN(len(numbers))]
			}
			return int32(r.IntN(1 << 12))
		}
		k := geom.Kind(1 + r.IntN(4))
		a, b := number(), number()
		if k == geom.PointPoint && a == b {
			b = a ^ 1
		}
		return keyOf(k, [2]int32{a, b})
	}
	for range 40 {
		var fresh []uint64
		for range r.IntN(500) {
			if key := random(); key != 0 && !want[key] {
				want[key] = true
				fresh = append(fresh, key)
			} else if key == 0 {
				t.Fatal("a pair has the number 0")
			}
		}
		set.add(fresh)
		for key := range want {
			if !set.has(key) {
				t.Fatalf("%x is missing", key)
			}
		}
		for range 500 {
			if key := random(); set.has(key) != want[key] {
				t.Fatalf("%x: %v", key, set.has(key))
			}
		}
	}
	if len(want) < 5000 || set.n != len(want) {
		t.Errorf("%d pairs, %d in the set", len(want), set.n)
	}
}

package engine

import (
	"cmp"
	"math"
	"math/rand/v2"
	"testing"
)

// Bits are in the order of the doubles, and come back as they were.
func TestOrderedBits(t *testing.T) {
	list := []float64{math.Inf(-1), -math.MaxFloat64, -1, -math.SmallestNonzeroFloat64, 0, math.SmallestNonzeroFloat64,
		0x1p-1022, 1, math.MaxFloat64, math.Inf(1)}
	for i, x := range list {
		for j, y := range list {
			if cmp.Compare(ordered(x), ordered(y)) != cmp.Compare(i, j) {
				t.Errorf("%v and %v", x, y)
			}
		}
		if unordered(ordered(x)) != x {
			t.Errorf("%v comes back as %v", x, unordered(ordered(x)))
		}
	}
	if ordered(math.Copysign(0, -1)) != ordered(0) {
		t.Error("-0 is not 0")
	}
}

type answer struct {
	time float64
	pair int
}

// The least answer wins in any order of entries, and the bound is its time.
func TestIncumbentKeepsTheLeast(t *testing.T) {
	var list []answer
	for i := range 64 {
		list = append(list, answer{float64(3 + i%5), i})
	}
	for trial := range uint64(20) {
		r := rand.New(rand.NewPCG(trial, 1))
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		var best Incumbent[answer]
		best.Begin(answer{math.Inf(1), -1}, func(a *answer) float64 { return a.time }, func(a, b *answer) bool {
			return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.pair, b.pair)) < 0
		})
		tasks := NewTasks(0, len(list))
		if err := Parallel(3, func(int) {
			for i := range tasks.All() {
				best.Enter(&list[i])
			}
		}); err != nil {
			t.Fatal(err)
		}
		if got := best.Best(); got != (answer{3, 0}) || best.Time() != 3 {
			t.Errorf("trial %d: %v at %v", trial, got, best.Time())
		}
	}
}

func TestLeastOnlyFalls(t *testing.T) {
	var b Least
	b.Set(math.Inf(1))
	for _, x := range []float64{4, 5, 0.5, 0.75, -2, -1} {
		want := min(b.Load(), x)
		if b.Lower(x); b.Load() != want {
			t.Errorf("after %v: %v, want %v", x, b.Load(), want)
		}
	}
}

package scene

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/bound"
	"ccd/core/ccdtest"
)

// randomBox draws a box of any size about a place.
func randomBox(r *rand.Rand, spread float64) (b bound.Box) {
	for k := range 3 {
		at, size := spread*(r.Float64()-0.5), math.Pow(10, 5*r.Float64()-4)
		switch r.IntN(40) {
		case 0:
			size = 0
		case 1:
			size *= 1e6
		case 2:
			at *= 1e9
		case 3:
			at, size = 1e150*(r.Float64()-0.5), 1e149
		}
		b.Min[k], b.Max[k] = at, at+size
	}
	return b
}

// TestGridFindsWhatOverlaps compares with brute force, for boxes of all sizes that come, go and
// move.
func TestGridFindsWhatOverlaps(t *testing.T) {
	descended, found := 0, 0
	for seed := range uint64(30) {
		r := ccdtest.NewRand(seed, 23)
		n, spread := 1+r.IntN(300), []float64{0, 1e-3, 1, 30}[r.IntN(4)]
		boxes := make([]bound.Box, n)
		for i := range boxes {
			boxes[i] = randomBox(r, spread)
		}
		box := func(i int32) bound.Box { return boxes[i] }
		var g grid
		cut := int32(r.IntN(n + 1))
		if err := g.build([]runOfElements{{0, cut, box}, {cut, int32(n), box}}, n, 1+r.IntN(3)); err != nil {
			t.Fatal(err)
		}
		homes := make([]cellRange, n)
		for i := range int32(n) {
			homes[i] = g.home(&boxes[i])
			if homes[i].count() > 27 {
				t.Fatalf("an element is in %d cells", homes[i].count())
			}
		}
		seen := make([]bool, n)
		for range 20 {
			marks := make([]bound.Box, r.IntN(4))
			g.unmark()
			for i := range marks {
				marks[i] = randomBox(r, spread)
				all := g.cellsOf(&marks[i])
				if all.count() > fewCells {
					descended++
				}
				g.mark(&marks[i])
			}
			near := g.near(seen, box, nil)
			slices.Sort(near)
			var want []int32
			for i := range int32(n) {
				if slices.ContainsFunc(marks, func(b bound.Box) bool { return boxes[i].Overlaps(&b) }) {
					want = append(want, i)
				}
			}
			if !slices.Equal(near, want) {
				t.Fatalf("seed %d: the grid found %v; by brute force %v", seed, near, want)
			}
			found += len(near)
			clear(seen)
			for range r.IntN(n) + 1 {
				i := int32(r.IntN(n))
				boxes[i] = randomBox(r, spread)
				if now := g.home(&boxes[i]); now != homes[i] {
					g.take(i, &homes[i])
					g.put(i, &now)
					homes[i] = now
				}
			}
		}
		entries := 0
		for i := range g.shards {
			for _, c := range g.shards[i].cells {
				entries += len(c.entries)
				if int(c.left) > len(c.entries)/2 {
					t.Fatalf("%d of %d entries of a cell are invalid", c.left, len(c.entries))
				}
			}
		}
		if entries > 2*27*n {
			t.Fatalf("%d entries for %d elements", entries, n)
		}
	}
	if descended < 20 || found < 1000 {
		t.Fatalf("%d boxes of many cells, %d elements found: the test sees too little", descended, found)
	}
}

package box

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"testing"

	"ccd/simd/internal/checks"
	"ccd/simd/internal/level"
)

// blockScene makes n records in which lo <= hi at both ends, with many equal values.
func blockScene(r *rand.Rand, n int, coarse bool) []float32 {
	rec := make([]float32, 16*n)
	for v := range n {
		for k := range 6 {
			x, w := r.Float32(), 0.2*r.Float32()
			if coarse {
				x, w = float32(r.Intn(4)), float32(r.Intn(2))
			}
			rec[16*v+k], rec[16*v+6+k] = x, -(x + w)
		}
	}
	return rec
}

// blockCross makes a list of primitives with a few lanes that are not used.
func blockCross(r *rand.Rand, rec []float32, width, blocks int) *Cross {
	c := &Cross{First: int32(8 * r.Intn(100)), IDs: make([]int32, BlockLanes*width*blocks),
		Boxes: make([]float32, BlockLen*blocks)}
	for i := range c.IDs {
		c.IDs[i] = int32(r.Intn(len(rec) / 16))
	}
	for b := range blocks {
		for i := range BlockLanes {
			if r.Intn(5) == 0 {
				for w := range width {
					c.IDs[BlockLanes*(width*b+w)+i] = -1
				}
			}
		}
	}
	joinBlocksGeneric(rec, c.IDs, width, c.Boxes)
	for k := range c.Hull {
		c.Hull[k] = float32(math.Inf(1 - 2*(k/6)))
		for b := range blocks {
			for i := range BlockLanes {
				if x := c.Boxes[BlockLen*b+BlockLanes*k+i]; (x < c.Hull[k]) == (k < 6) {
					c.Hull[k] = x
				}
			}
		}
	}
	return c
}

// Boxes that are apart are so on an axis, at both ends and on the same side: CrossVF and CrossEE
// say so of every pair.
func TestCrossFindsEveryPair(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	found, left := 0, 0
	for turn := range 200 {
		rec := blockScene(r, 30, turn%2 == 0)
		for _, w := range [][2]int{{1, 3}, {2, 2}} {
			a, b := blockCross(r, rec, w[0], 1+r.Intn(5)), blockCross(r, rec, w[1], 1+r.Intn(5))
			idx := make([][4]int32, len(a.Boxes)/BlockLen*8*len(b.Boxes)/BlockLen*8)
			lanes := make([][2]int32, len(idx))
			group := 1 + r.Intn(3)
			n := crossGeneric(a, b, w[0], w[1], group, idx, lanes)
			at := 0
			for _, p := range pairsInOrder(len(a.Boxes)/BlockLen*8, len(b.Boxes)/BlockLen*8, 8*group) {
				i, j := p[0], p[1]
				p, q := lane(a, i, w[0]), lane(b, j, w[1])
				if p[0] < 0 || q[0] < 0 || slices.ContainsFunc(p, func(x int32) bool { return slices.Contains(q, x) }) {
					continue
				}
				if recordsApart(rec, p, q) {
					left++
					continue
				}
				found++
				want := [4]int32(append(p, q...))
				if at >= n || idx[at] != want || lanes[at] != [2]int32{a.First + int32(i), b.First + int32(j)} {
					t.Fatalf("turn %d: pair %d is not (%d, %d), %v", turn, at, i, j, want)
				}
				at++
			}
			if at != n {
				t.Fatalf("turn %d: %d pairs, want %d", turn, n, at)
			}
		}
	}
	if found < 1000 || left < 1000 {
		t.Errorf("%d pairs found, %d left out: the test shows too little", found, left)
	}
}

// pairsInOrder is all pairs of so many lanes in the order in which they are written, by groups of
// so many lanes of b.
func pairsInOrder(a, b, group int) (list [][2]int) {
	for from := 0; from < b; from += group {
		for i := range a {
			for j := from; j < min(from+group, b); j++ {
				list = append(list, [2]int{i, j})
			}
		}
	}
	return list
}

func lane(c *Cross, i, width int) []int32 {
	var v []int32
	for w := range width {
		v = append(v, c.IDs[BlockLanes*(width*(i/8)+w)+i%8])
	}
	return v
}

// recordsApart compares the boxes of two primitives, straight from the records.
func recordsApart(rec []float32, p, q []int32) bool {
	box := func(v []int32) (r [12]float32) {
		for k := range r {
			r[k] = float32(math.Inf(1))
			for _, i := range v {
				r[k] = min(r[k], rec[16*int(i)+k])
			}
		}
		return r
	}
	a, b := box(p), box(q)
	for k := range 3 {
		if b[k] > -a[6+k] && b[3+k] > -a[9+k] || a[k] > -b[6+k] && a[3+k] > -b[9+k] {
			return true
		}
	}
	return false
}

func TestBlocksLaw7SameBits(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for turn := range 100 {
		rec := blockScene(r, 40, turn%2 == 0)
		for width := 1; width <= 3; width++ {
			c := blockCross(r, rec, width, r.Intn(4))
			checks.AtLevels(t, func(level string) {
				got := append(make([]float32, len(c.Boxes)), -7)
				JoinBlocks(rec, c.IDs, width, got)
				for i, x := range c.Boxes {
					if math.Float32bits(x) != math.Float32bits(got[i]) {
						t.Fatalf("%s width %d: float %d is %v, want %v", level, width, i, got[i], x)
					}
				}
				if got[len(c.Boxes)] != -7 {
					t.Fatalf("%s width %d: written beyond the end", level, width)
				}
			})
		}
		for _, w := range [][2]int{{1, 3}, {2, 2}} {
			sameCross(t, blockCross(r, rec, w[0], 1+r.Intn(5)), blockCross(r, rec, w[1], 1+r.Intn(5)), w)
		}
		a, b := blockCross(r, rec, 2, 1), blockCross(r, rec, 2, 1)
		var want [BlockLanes]uint8
		meetBlocksGeneric((*[BlockLen]float32)(a.Boxes), (*[BlockLen]float32)(b.Boxes), &want)
		checks.AtLevels(t, func(level string) {
			var got [BlockLanes]uint8
			if MeetBlocks((*[BlockLen]float32)(a.Boxes), (*[BlockLen]float32)(b.Boxes), &got); got != want {
				t.Fatalf("%s: masks %v, want %v", level, got, want)
			}
		})
	}
}

func sameCross(t *testing.T, a, b *Cross, w [2]int) {
	room := len(a.Boxes) / BlockLen * 8 * len(b.Boxes) / BlockLen * 8
	want, wantLanes := make([][4]int32, room), make([][2]int32, room)
	fast := CrossVF
	if w[0] == 2 {
		fast = CrossEE
	}
	checks.AtLevels(t, func(name string) {
		group := len(b.Boxes) / BlockLen
		if name == level.Names[level.AVX512] {
			group = 2
		}
		n := crossGeneric(a, b, w[0], w[1], group, want, wantLanes)
		got, lanes := make([][4]int32, room+1), make([][2]int32, room+1)
		got[room], lanes[room] = [4]int32{-7}, [2]int32{-7}
		if m := fast(a, b, got[:room], lanes[:room]); m != n || !slices.Equal(got[:n], want[:n]) ||
			!slices.Equal(lanes[:n], wantLanes[:n]) ||
			got[room] != [4]int32{-7} || lanes[room] != [2]int32{-7} {
			t.Fatalf("%s %v: %d pairs, want %d; or their order differs", name, w, m, n)
		}
	})
}

func BenchmarkBlocks(b *testing.B) {
	r := rand.New(rand.NewSource(3))
	rec := blockScene(r, 1000, false)
	x, y := blockCross(r, rec, 2, 2), blockCross(r, rec, 2, 2)
	idx, lanes := make([][4]int32, 256), make([][2]int32, 256)
	checks.AtLevels(b, func(level string) {
		b.Run(fmt.Sprintf("join/%s", level), func(b *testing.B) {
			for b.Loop() {
				JoinBlocks(rec, x.IDs, 2, x.Boxes)
			}
		})
		b.Run(fmt.Sprintf("cross/%s", level), func(b *testing.B) {
			for b.Loop() {
				CrossEE(x, y, idx, lanes)
			}
		})
	})
}

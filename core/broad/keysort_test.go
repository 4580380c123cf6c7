package broad

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/simd"
)

// Boxes are sorted by where they begin, equal ones in the order in which they are, on each SIMD level and with any number of threads.
func TestBoxesAreSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 36))
	zeros := []float32{0, float32(math.Copysign(0, -1))}
	extremes := []float32{-math.MaxFloat32, math.MaxFloat32, float32(math.Inf(-1)), float32(math.Inf(1)), 0x1p-149, -0x1p-149}
	var s keySorter
	for _, n := range []int{0, 1, 2, 15, 16, 17, 31, 33, 100, fewKeys, fewKeys + 1, 1000, 4 * blockPrimitives, 70000} {
		for name, value := range map[string]func() float32{
			"equal":    func() float32 { return 3 },
			"few":      func() float32 { return float32(r.IntN(5) - 2) },
			"positive": func() float32 { return 1 + r.Float32() },
			"both":     func() float32 { return float32(r.NormFloat64()) },
			"zeros":    func() float32 { return zeros[r.IntN(2)] },
			"extremes": func() float32 { return extremes[r.IntN(len(extremes))] },
			"any": func() float32 {
				for {
					if x := math.Float32frombits(r.Uint32()); x == x {
						return x
					}
				}
			},
		} {
			boxes := make([]simd.CellRange, n)
			want := make([]keyed, n)
			for i := range boxes {
				boxes[i].X0 = value()
				want[i] = keyed{keyOf(boxes[i].X0), int32(i)}
			}
			slices.SortStableFunc(want, func(x, y keyed) int { return cmp.Compare(boxes[x.id].X0, boxes[y.id].X0) })
			for _, level := range simd.Levels() {
				for _, threads := range []int{1, 2, 3} {
					restore, err := simd.Force(level)
					if err != nil {
						t.Fatal(err)
					}
					got, err := s.sort(boxes, threads)
					restore()
					if err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(got, want) {
						t.Fatalf("%s, %d threads, %d boxes, %s: not in order", level, threads, n, name)
					}
				}
			}
		}
	}
}

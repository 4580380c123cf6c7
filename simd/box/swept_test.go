package box

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/simd/internal/checks"
)

// exactUp is the least double not below a + b, by rational arithmetic.
func exactUp(a, b float64) float64 {
	sum := new(big.Rat).Add(new(big.Rat).SetFloat64(a), new(big.Rat).SetFloat64(b))
	f, _ := sum.Float64()
	if new(big.Rat).SetFloat64(f).Cmp(sum) < 0 {
		f = math.Nextafter(f, math.Inf(1))
	}
	return f
}

// exactBox is the box of some vertices, inflated: minima, then maxima.
func exactBox(rec []float64, verts []int32, r float64) (x [6]float64) {
	for k := range 3 {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, v := range verts {
			lo = min(lo, rec[8*v+int32(k)], rec[8*v+4+int32(k)])
			hi = max(hi, rec[8*v+int32(k)], rec[8*v+4+int32(k)])
		}
		x[k], x[3+k] = -exactUp(-lo, r), exactUp(hi, r)
	}
	return x
}

// Coordinates and inflations of each trial are such that boxes often touch, that sums round either
// way, or that they are denormal or huge.
func TestSweptOverlapsIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 5))
	draws := []struct{ coordinate, grow func() float64 }{
		{func() float64 { return float64(r.IntN(9) - 4) }, func() float64 { return float64(r.IntN(3)) / 2 }},
		{func() float64 { return float64(r.IntN(9)-4) / 3 }, func() float64 { return float64(r.IntN(3)) / 6 }},
		{func() float64 { return 1 + 0x1p-52*float64(r.IntN(9)-4) },
			func() float64 { return 0x1p-54 * float64(r.IntN(12)) }},
		{func() float64 { return float64(r.IntN(3)-1) + 0x1p-60*float64(r.IntN(3)) },
			func() float64 { return 0x1p-61 * float64(r.IntN(4)) }},
		{func() float64 { return 0x1p-1074 * float64(r.IntN(9)-4) },
			func() float64 { return 0x1p-1074 * float64(r.IntN(3)) }},
		{func() float64 { return 1e150 * float64(r.IntN(5)-2) }, func() float64 { return 1e150 * r.Float64() }},
		{func() float64 { return 0x1p1023*float64(r.IntN(3)-1) - 0x1p970*float64(r.IntN(3)) },
			func() float64 { return 0x1p1022 - 0x1p969*float64(r.IntN(9)) }},
		{func() float64 { return r.NormFloat64() }, func() float64 { return math.Abs(r.NormFloat64()) }},
	}
	widths := [][2]int{{1, 3}, {2, 2}, {1, 2}, {1, 1}}
	const vertices, primitives = 50, 40
	overlaps, touch := 0, 0
	for trial := range 320 {
		draw, width := draws[trial%len(draws)], widths[trial/len(draws)%len(widths)]
		rec := make([]float64, 8*vertices)
		for i := range rec {
			if i%4 < 3 {
				rec[i] = draw.coordinate()
			}
		}
		var sets [2]SweptSet
		var all [2][][]int32
		for s := range sets {
			sets[s].Width = width[s]
			for i := range primitives {
				v := []int32{int32(i)}
				if width[s] > 1 {
					for k := range v {
						v[k] = int32(r.IntN(vertices))
					}
					for len(v) < width[s] {
						v = append(v, int32(r.IntN(vertices)))
					}
					sets[s].Verts = append(sets[s].Verts, v...)
				}
				all[s] = append(all[s], v)
			}
		}
		pairs := make([][2]int32, []int{0, 1, 2, 300}[trial%4])
		var grow [][2]float64
		inflated := trial%3 > 0
		var want [][2]int32
		for k := range pairs {
			pairs[k] = [2]int32{int32(r.IntN(primitives)), int32(r.IntN(primitives))}
			g := [2]float64{}
			if inflated {
				g = [2]float64{draw.grow(), draw.grow()}
				grow = append(grow, g)
			}
			x, y := exactBox(rec, all[0][pairs[k][0]], g[0]), exactBox(rec, all[1][pairs[k][1]], g[1])
			apart, touches := false, false
			for axis := range 3 {
				apart = apart || x[axis] > y[3+axis] || y[axis] > x[3+axis]
				touches = touches || x[axis] == y[3+axis] || y[axis] == x[3+axis]
			}
			if !apart {
				want = append(want, pairs[k])
				overlaps++
				if touches {
					touch++
				}
			}
		}
		checks.AtLevels(t, func(level string) {
			got := slices.Clone(pairs)
			if got = got[:SweptOverlaps(rec, sets[0], sets[1], grow, got, got)]; !slices.Equal(got, want) {
				t.Fatalf("%s, trial %d: %d pairs, want %d", level, trial, len(got), len(want))
			}
		})
	}
	if overlaps < 2000 || touch < 500 {
		t.Errorf("only %d pairs overlap, %d of them by a boundary: the trials prove little", overlaps, touch)
	}
}

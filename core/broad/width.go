package broad

import (
	"math"

	"ccd/simd/box"
)

// How cells get their width. Only speed depends on it.
//
// Let cells be w mean extents wide, and boxes alike and spread evenly. Then a primitive has (1 +
// 1/w)^2 entries, and is compared with c (w + 1)^2 others. If an entry costs as much as R
// comparisons, the time is least where R/w^3 = c. So a grid with cells of the usual width, filled
// with a sample, yields c by its occupancy, and R is multiplied by how many more cells boxes share
// beyond their first than even ones would: boxes of very different sizes have many. The root makes
// the width insensitive to errors: twice the comparisons are a width of 0.8.
const (
	entryCost     = 100 // R: comparisons that cost as much as an entry, with AVX-512
	restEntryCost = 290 // the same at rest, where a comparison reads fewer columns: (5/3.5)^3 times as many
	leastWidth    = 1.75
	mostWidth     = 7.0
	widthLeast    = 1 << 12 // primitives of a family below which its cells have the usual width
	widthGain     = 0.95    // the part of the time that another width must leave, at most
	// widthError is the comparisons of a primitive that it must save beyond that: the estimate
	// errs.
	widthError = 10
)

// Every widthStride-th primitive says how full cells of the usual width are, or about widthSamples
// primitives where these are fewer.
const (
	widthStride  = 32
	widthSamples = 1 << 12
)

// sampledWidth returns the width of cells in mean extents of a box that suits the family's n
// primitives, and 0 where that is the usual one.
func (w *familyPlan) sampledWidth(p *Plan, n int) float64 {
	stride := max(widthStride, n/widthSamples)
	entries := 0
	for {
		entries = 0
		for _, l := range w.layers {
			entries += stride * l.sampleCells(p.vertices.rec, &w.grid, stride)
		}
		if entries <= maxEntries*n+taskWeight || w.grid.cells() == 1 {
			break
		}
		w.grid.coarsen()
	}
	compared, largest := w.occupancy(p, float64(stride))
	most := mostWidth
	if largest > 0 {
		most = min(most, p.cellWidth()*math.Sqrt(max(1, splitEntries/2/largest)))
	}
	return p.betterWidth(compared/float64(n), float64(entries)/float64(n), most)
}

// sampleCells counts the entries of every stride-th of the chosen primitives in the cells of a
// grid, and returns their number.
func (l *layer) sampleCells(rec []float32, g *grid, stride int) (total int) {
	if len(l.counts) == 0 {
		l.counts, l.sums = append(l.counts, nil), append(l.sums, nil)
	}
	l.counts, l.sums = l.counts[:1], l.sums[:1]
	count := grow(&l.counts[0], g.cells()+g.beyond())
	clear(count)
	var ids [gatheredLen]int32
	var ranges [gatheredLen]box.CellRange
	for i, n := 0, 0; i < l.chosen.n; n = 0 {
		for ; n < gatheredLen && i < l.chosen.n; i, n = i+stride, n+1 {
			ids[n] = l.chosen.id(i)
		}
		some := set{l.Shape, n, ids[:n]}
		l.rangesOf(rec, g, &some, 0, ranges[:n])
		total += g.count(ranges[:n], count)
	}
	return total
}

// occupancy estimates how many pairs of boxes the sweep compares, by the numbers of entries of the
// cells, of which every stride-th primitive is counted, as if they were spread evenly along the
// axis of the sweep. It returns the largest number of entries of a cell, too.
func (w *familyPlan) occupancy(p *Plan, stride float64) (pairs, largest float64) {
	a := w.layers[0].counts[0]
	for c, n := range w.last().counts[0] {
		if w.self {
			pairs += float64(float64(float64(n)*float64(n-1)) / 2)
			largest = max(largest, float64(n))
			continue
		}
		pairs += float64(float64(a[c]) * float64(n))
		largest = max(largest, float64(a[c]+n))
	}
	length := w.sample.Lengths(p.how.typical())[p.space.Axis[0]]
	return pairs * (stride * stride) * min(1, 2/length), largest * stride
}

// betterWidth returns the width of cells for primitives that have so many entries and are compared
// with so many others in cells of the usual width; 0 if that is as good. Wider cells than most
// would be split.
func (p *Plan) betterWidth(compared, entries, most float64) float64 {
	usual, cost := p.cellWidth(), float64(entryCost)
	if p.how.Input.AtRest {
		cost = restEntryCost
	}
	more := func(w float64) float64 { return float64(2/w) + 1/(w*w) } // entries beyond the first, of even boxes
	cost *= max(0.5, (entries-1)/more(usual))
	compared /= (usual + 1) * (usual + 1)
	time := func(w float64) float64 { return float64(cost*more(w)) + float64(compared*((w+1)*(w+1))) }
	w := min(max(math.Cbrt(cost/compared), leastWidth), most)
	if time(w)+widthError < widthGain*time(usual) {
		return w
	}
	return 0
}

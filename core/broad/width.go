package broad

import "math"

// How cells get their width. Only speed depends on it.
//
// Let cells be w mean extents wide, and boxes alike and spread evenly. Then a primitive has (1 + 1/w)^2 entries, and is compared with c (w + 1)^2
// others. If an entry costs as much as R comparisons, the time is least where R/w^3 = c. So the first grid, of cells of the usual width, yields c by its
// occupancy, and R is multiplied by how many more cells boxes share beyond their first than even ones would: boxes of very different sizes have
// many. The root makes the width insensitive to errors: twice the comparisons are a width of 0.8.
const (
	entryCost     = 100 // R: comparisons that cost as much as an entry, with AVX-512
	restEntryCost = 290 // the same at rest, where a comparison reads fewer columns: (5/3.5)^3 times as many
	leastWidth    = 1.75
	mostWidth     = 7.0
	widthLeast    = 1 << 12 // primitives of a family below which its cells have the usual width
	widthGain     = 0.95    // the part of the time that another width must leave, at most
	measureCost   = 10      // comparisons that cost as much as to find the cells of a primitive anew
)

// divideSpace chooses the grid and finds the cells of the family's n primitives. A plan with a memory limit keeps the usual width.
func (w *familyPlan) divideSpace(p *Plan, n int) error {
	w.chooseGrid(p, n, p.cellWidth())
	entries, err := w.measure(p, n)
	if err != nil || n < widthLeast || w.grid.cells() == 1 || p.how.within > 0 {
		return err
	}
	compared, largest := w.occupancy(p)
	most := mostWidth
	if largest > 0 {
		most = min(most, p.cellWidth()*math.Sqrt(max(1, splitEntries/2/largest)))
	}
	if width := p.betterWidth(compared/float64(n), float64(entries)/float64(n), most); width > 0 {
		w.chooseGrid(p, n, width)
		_, err = w.measure(p, n)
	}
	return err
}

// occupancy estimates how many pairs of boxes the sweep compares, by the numbers of entries of the cells, as if they were spread evenly along
// the axis of the sweep, and returns the largest number of entries of a cell.
func (w *familyPlan) occupancy(p *Plan) (pairs, largest float64) {
	const tile = 256 // cells
	var first, second [tile]int32
	cells := w.grid.cells()
	for from := 0; from < cells; from += tile {
		n := min(tile, cells-from)
		a, b := w.layers[0].countsOf(from, first[:n]), second[:n]
		if !w.self {
			b = w.last().countsOf(from, b)
			for c, n := range a {
				pairs += float64(float64(n) * float64(b[c]))
				largest = max(largest, float64(n)+float64(b[c]))
			}
			continue
		}
		for _, n := range a {
			pairs += float64(float64(float64(n)*float64(n)) / 2)
			largest = max(largest, float64(n))
		}
	}
	length := w.sample.Lengths(p.how.typical())[p.space.Axis[0]]
	return pairs * min(1, 2/length), largest
}

// countsOf returns the numbers of entries of some cells, between measure and place: in the memory of out, or those of the only thread.
func (l *layer) countsOf(from int, out []int32) []int32 {
	if len(l.counts) == 1 {
		return l.counts[0][from : from+len(out)]
	}
	copy(out, l.counts[0][from:])
	for _, count := range l.counts[1:] {
		for c, n := range count[from : from+len(out)] {
			out[c] += n
		}
	}
	return out
}

// betterWidth returns the width of cells for primitives that have so many entries and are compared with so many others in cells of the usual width; 0
// if that is as good. Wider cells than most would be split.
func (p *Plan) betterWidth(compared, entries, most float64) float64 {
	usual, cost := p.cellWidth(), float64(entryCost)
	if p.how.AtRest {
		cost = restEntryCost
	}
	more := func(w float64) float64 { return float64(2/w) + 1/(w*w) } // entries beyond the first, of even boxes
	cost *= max(0.5, (entries-1)/more(usual))
	compared /= (usual + 1) * (usual + 1)
	time := func(w float64) float64 { return float64(cost*more(w)) + float64(compared*((w+1)*(w+1))) }
	w := min(max(math.Cbrt(cost/compared), leastWidth), most)
	if time(w)+measureCost < widthGain*time(usual) {
		return w
	}
	return 0
}

package broad

import (
	"math"

	"ccd/core/bound"
	"ccd/simd/box"
)

// cellWidth is the usual width of a cell in mean extents of a box. In wider cells more boxes that
// are apart are compared; in narrower cells more boxes are in several cells. Of most scenes the
// time of a sweep hardly changes between 2 and 5; betterWidth finds the others.
const cellWidth = 3.5

// restCellWidth is that of boxes at rest: their sweep reads fewer columns, so that entries cost
// more beside comparisons.
const restCellWidth = 5

// A grid divides the record axes 1 and 2 into cells; the sweep runs along axis 0 within each.
//
// Law: the map to cells is monotone, because each of its roundings is. Hence a box that begins at
// lo and ends at hi lies in the cells cell(lo) to cell(hi). Two boxes that overlap share the cell
// of the larger of their two minima, and no earlier one. This cell is the pair's home: the pair is
// found there and nowhere else.
type grid struct {
	n    [2]int // cells along record axes 1 and 2
	of   box.CellGrid
	home [2][]float32 // home[k][c] is the least float whose cell is c or more
}

// newGrid chooses a grid for n boxes like those of the sample, grown by r on each side, in the
// record space f, with cells of the given width in mean extents. What begins below the owner has
// cells of its own, in which it owns no pair (regionCodes.mayOwn); what begins above shares the
// outermost cells. The owner is nil where all pairs are wanted.
func newGrid(s *bound.Sample, f *bound.RecordSpace, n int, r float64, owner *Region, width float64) grid {
	var count, lo, size [2]float64
	var below [2]int
	for k := range 2 {
		a, origin := f.Axis[1+k], f.C[0][1+k]
		from, to := s.Lo[a], s.Hi[a]
		if owner != nil {
			if from < owner.Lo[a] && owner.Lo[a] < to { // Its cells begin where a box does that moves as most do.
				below[k], origin = 1, min(origin, f.C[1][1+k])+r
			}
			from, to = min(max(from, owner.Lo[a]), to), max(min(to, owner.Hi[a]), from)
		}
		lo[k], size[k] = (from-origin)*f.Scale, (to-from)*f.Scale
		cell := float64(width * (s.Extent[a] + float64(2*r)) * f.Scale)
		count[k] = math.Min(math.Max(size[k]/(cell+0x1p-100), 1), 1024)
	}
	for count[0]*count[1] > float64(float64(n)/8)+1 && count[0]*count[1] > 1 {
		count[0], count[1] = math.Max(1, 0.9*count[0]), math.Max(1, 0.9*count[1])
	}
	var g grid
	for k := range 2 {
		n := int(count[k])
		g.of.Lo[k] = float32(lo[k] - float64(float64(below[k])*(size[k]/float64(n))))
		g.divide(k, n+below[k], float64(n)/size[k])
	}
	return g
}

// divide sets n cells along axis 1 + k, inv of them per unit of length. It sets one cell if inv is
// NaN or too large for single precision.
func (g *grid) divide(k, n int, inv float64) {
	if !(n > 1 && inv < math.MaxFloat32) {
		n, inv = 1, 0
	}
	g.n[k], g.of.Inv[k], g.of.Max[k] = n, float32(inv), float32(n-1)
}

// coarsen halves the number of cells along the longer side.
func (g *grid) coarsen() {
	k := 0
	if g.n[1] > g.n[0] {
		k = 1
	}
	n := g.n[k] / 2
	g.divide(k, n, float64(g.of.Inv[k])*float64(n)/float64(g.n[k]))
}

func (g *grid) cells() int { return g.n[0] * g.n[1] }

// findHomes fills home, by bisection over the floats in their order. It begins with some floats
// about where the cell begins, and where that is not between them, with all floats.
func (g *grid) findHomes() {
	const some = 1 << 4
	for k := range 2 {
		home := grow(&g.home[k], g.n[k])
		home[0] = float32(math.Inf(-1))
		for c := 1; c < g.n[k]; c++ {
			lo, hi := orderOf(home[c-1]), orderOf(float32(math.Inf(1)))
			near := int64(orderOf(g.of.Lo[k] + float32(c)/g.of.Inv[k]))
			if from := int32(max(int64(lo), min(int64(hi), near-some))); g.of.Cell(k, floatOf(from)) < c {
				lo = from
			}
			if to := int32(max(int64(lo), min(int64(hi), near+some))); g.of.Cell(k, floatOf(to)) >= c {
				hi = to
			}
			for lo < hi {
				mid := lo&hi + (lo^hi)>>1 // the mean of lo and hi, rounded down, without overflow
				if g.of.Cell(k, floatOf(mid)) >= c {
					hi = mid
				} else {
					lo = mid + 1
				}
			}
			home[c] = floatOf(hi)
		}
	}
}

// orderOf maps floats to integers in the same order (-0 just below 0); floatOf is its inverse.
func orderOf(x float32) int32 {
	b := int32(math.Float32bits(x))
	return b ^ int32(uint32(b>>31)>>1)
}

func floatOf(o int32) float32 {
	return math.Float32frombits(uint32(o ^ int32(uint32(o>>31)>>1)))
}

// keyOf maps floats to integers in the same order. Both zeros have one key, because equal floats
// must be in one range.
func keyOf(x float32) int32 {
	return orderOf(x + 0) // -0 + 0 is +0
}

// keyed is a primitive and its minimum along the sweep's axis, as an integer in the same order
// (keyOf).
type keyed struct {
	key, id int32
}

package simd

// CellGrid divides the second and third axis of the records: x lies in cell (x - Lo) * Inv, rounded towards zero, and
// at least 0 and at most Max.
type CellGrid struct {
	Lo, Inv, Max [2]float32
}

// CellRange is a box along the first axis, and the cells it covers, both ends included.
type CellRange struct {
	X0, X1 float32
	Lo, Hi [2]uint16
}

// CellRanges finds the cells of the boxes over both ends of the first len(out) primitives of some width: those that
// JoinRecords would make of ids 0, 1, 2, ...
func CellRanges(rec []float32, verts []int32, width int, g *CellGrid, out []CellRange) {
	if len(out) == 0 {
		return
	}
	switch width {
	case 1:
		cellRangesV(rec, verts, g, out)
	case 2:
		cellRangesE(rec, verts, g, out)
	default:
		cellRangesF(rec, verts, g, out)
	}
}

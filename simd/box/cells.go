package box

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
	if len(out) > 0 {
		cellRanges(width, rec, verts, g, out)
	}
}

// CellRangesOf is CellRanges for the primitives ids, or with ids nil for 0, 1, 2, ...; it is plain Go.
func CellRangesOf(rec []float32, verts []int32, width int, ids []int32, g *CellGrid, out []CellRange) {
	for i := range out {
		id := i
		if ids != nil {
			id = int(ids[i])
		}
		out[i] = g.of(record(rec, verts, width, id))
	}
}

// record is the record of a primitive: the minimum of its vertices'.
func record(rec []float32, verts []int32, width, id int) (r [12]float32) {
	if width == 1 {
		return *(*[12]float32)(rec[16*id:])
	}
	v := verts[width*id : width*id+width]
	r = *(*[12]float32)(rec[16*int(v[0]):])
	for _, u := range v[1:] {
		for k, x := range (*[12]float32)(rec[16*int(u):]) {
			r[k] = less32(r[k], x)
		}
	}
	return r
}

func (g *CellGrid) of(r [12]float32) (c CellRange) {
	c.X0, c.X1 = less32(r[0], r[3]), -less32(r[6], r[9])
	for k := range 2 {
		c.Lo[k] = g.cell(k, less32(r[1+k], r[4+k]))
		c.Hi[k] = g.cell(k, -less32(r[7+k], r[10+k]))
	}
	return c
}

func (g *CellGrid) cell(k int, x float32) uint16 {
	y := (x - g.Lo[k]) * g.Inv[k]
	if !(y > 0) {
		y = 0
	}
	if y > g.Max[k] {
		y = g.Max[k]
	}
	return uint16(y)
}

// Cell is the cell of x along axis 1 + k.
func (g *CellGrid) Cell(k int, x float32) int { return int(g.cell(k, x)) }

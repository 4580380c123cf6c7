package broad

// crowdedCell is the estimated number of entries of a cell from which on the axis of the sweep is
// chosen so that cells hold fewer: more of them do not stay in the second-level cache while the
// cell is swept, and the cell is split into key ranges, each of which sorts and joins some entries
// anew.
const crowdedCell = 2048

// axisMargin is how many times as many comparisons another axis than the longest may cost to be
// considered: as much as a sample errs.
const axisMargin = 1.1

// sweepAxis chooses the axis of the sweep: the one along which the scene is longest in units of a
// box, or where its cells would be crowded another with more cells and about as few comparisons.
//
// A box is compared with those that overlap it along the axis of the sweep, 2 of the scene's length
// in boxes, and share a cell, cellWidth + 1 of it along each other axis. So all axes are alike, but
// where the scene is too short for cells along one: a tall bundle of rods has 25 large cells if the
// sweep is along the rods, and 220 if it is across. A plan with a memory limit keeps the longest
// axis: slabs are cut across it, so that each has few entries.
func (p *Plan) sweepAxis(all []family) int {
	length := p.scratch.whole.Lengths(p.how.typical())
	width := p.cellWidth()
	var compared, cells [3]float64
	longest := 0
	for k := range 3 {
		compared[k], cells[k] = min(1, 2/length[k]), 1
		for j := range 3 {
			if j != k {
				compared[k] *= min(1, (width+1)/length[j])
				cells[k] *= max(1, length[j]/width)
			}
		}
		if length[k] > length[longest] {
			longest = k
		}
	}
	largest, best := &all[largestOf(all)], longest
	if float64(largest.a.n+largest.b.n) < crowdedCell*cells[longest] || p.how.within > 0 {
		return longest
	}
	for k := range 3 {
		if compared[k] <= axisMargin*compared[longest] && cells[k] > cells[best] {
			best = k
		}
	}
	return best
}

// cellWidth returns the width of cells in mean extents of a box.
func (p *Plan) cellWidth() float64 {
	if p.how.Input.AtRest {
		return restCellWidth
	}
	return cellWidth
}

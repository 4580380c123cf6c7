package broad

import (
	"unsafe"
)

// build chooses the grid and fills its cells.
func (w *familyPlan) build(p *Plan) error {
	n, more := 0, 0
	for i, l := range w.layers {
		if err := l.choose(p); err != nil {
			return err
		}
		n += l.chosen.n
		more += rangeBytes * max(0, l.chosen.n-cap(p.scratch.ranges[i]))
		more += int(unsafe.Sizeof(keyed{})) * max(0, l.chosen.n-cap(l.ent)) // Each has at least one entry.
	}
	if err := p.room.fits(p, more); err != nil {
		return err
	}
	if err := w.divideSpace(p, n); err != nil {
		return err
	}
	w.grid.findHomes()
	more = 0
	for i, l := range w.layers {
		if err := l.place(&w.grid, p.how.Work.Threads); err != nil {
			return err
		}
		entries := int(l.off[w.grid.cells()])
		more += int(unsafe.Sizeof(keyed{}))*max(0, entries-cap(l.ent)) + 2*int(unsafe.Sizeof(Task{}))*entries/taskWeight
		p.scratch.cell[i] = max(p.scratch.cell[i], l.largest)
		if l.largest >= splitEntries/2 { // the cell may be split, which reorders its entries
			more += (4 + int(unsafe.Sizeof(keyed{}))) * l.largest
		}
	}
	if err := p.room.fits(p, more); err != nil {
		return err
	}
	for i, l := range w.layers {
		if err := l.scatter(&w.grid, p.scratch.ranges[i], p.how.Work.Threads); err != nil {
			return err
		}
	}
	return nil
}

// measure finds the cells of the family's n primitives, and coarsens the grid until they have few
// enough entries, whose number it returns.
func (w *familyPlan) measure(p *Plan, n int) (total int, err error) {
	for {
		total = 0
		for i, l := range w.layers {
			ranges := grow(&p.scratch.ranges[i], l.chosen.n)
			entries, err := l.measure(p.vertices.rec, &w.grid, ranges, p.how.Work.Threads)
			if err != nil {
				return 0, err
			}
			total += entries
		}
		if total <= maxEntries*n+taskWeight || w.grid.cells() == 1 {
			return total, nil
		}
		w.grid.coarsen()
	}
}

// chooseGrid chooses the grid for the n primitives of the family that meet the box of the keeper,
// with cells of the given width in mean extents. Along the axes of a map the box has no bounds, and
// paths leave it where it goes by hulls, so what meets it is sampled.
func (w *familyPlan) chooseGrid(p *Plan, n int, width float64) {
	s, box := w.sample, p.keeps.box
	if box != nil && (p.space.Map != nil || p.keeps.hulls != p.mo) {
		l := w.last()
		chosen := layer{set: l.chosen, verts: l.verts}
		in := &p.how.Input
		s = p.scratch.sampler.Sample(p.mo, p.how.largest, in.Until, chosen.n, in.Still, chosen.vertices)
		box = nil
	}
	w.grid = newGrid(&s, &p.space, n, p.how.typical(), box, width)
}

// divideSpace chooses the grid and finds the cells of the family's n primitives. A plan with a
// memory limit keeps the usual width.
func (w *familyPlan) divideSpace(p *Plan, n int) error {
	w.chooseGrid(p, n, p.cellWidth())
	if n >= widthLeast && w.grid.cells() > 1 && p.how.within == 0 {
		if width := w.sampledWidth(p, n); width > 0 {
			w.chooseGrid(p, n, width)
		}
	}
	_, err := w.measure(p, n)
	return err
}

// buildCells makes the plan of the cells of a grid.
func (p *Plan) buildCells() error {
	p.useOrder()
	if err := p.computeRecords(); err != nil {
		return err
	}
	for i := range p.work {
		if err := p.work[i].build(p); err != nil {
			return err
		}
	}
	return p.addTasks()
}

// useOrder lets the cells of the plan hold places, where it may.
func (p *Plan) useOrder() {
	how, o := &p.how, p.how.Tactic.Ordered
	if o == nil {
		return
	}
	// Slabs, regions, bands, radii and lists of primitives are in the mesh's own numbers; a memory
	// limit has no room for the trajectories.
	whole := p.keeps.box == nil && how.Work.Limit == 0 && how.Input.Bands == nil &&
		how.Input.Radii.Uniform() && p.vertices.used == nil
	for i := range p.work {
		for _, l := range p.work[i].layers {
			whole = whole && l.ids == nil
		}
	}
	if !whole {
		return
	}
	p.tactic, p.vertices.step = byPlaces, &o.Motion
	for i := range p.work {
		for _, l := range p.work[i].layers {
			l.useOrder(o.Order)
		}
	}
}

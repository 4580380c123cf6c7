package broad

import (
	"unsafe"

	"ccd/simd/box"
)

// Working returns the memory of the plan and of its workers' lists.
func (p *Plan) Working() int64 {
	return p.Bytes() + int64(max(1, p.how.Work.Threads))*listBytes(p.scratch.cell[0], p.scratch.cell[1])
}

// Bytes returns the memory of the plan.
func (p *Plan) Bytes() int64 {
	n := p.own.known.bytes() + p.own.groups.bytes()
	n += int64(p.still.bytes() + p.keeps.codes.bytes() + 4*cap(p.vertices.memory) + p.scratch.bytes())
	n += int64(int(unsafe.Sizeof(Task{}))*cap(p.todo.list) + 4*cap(p.todo.turns))
	for i := range p.work {
		for _, l := range p.work[i].layers {
			n += int64(l.bytes())
		}
	}
	return n
}

// fits returns an overLimit error unless the plan may use this many bytes more.
func (p *Plan) fits(more int) error {
	if p.how.Work.Limit == 0 {
		return nil
	}
	vertices := int64(4 * cap(p.vertices.memory))
	lists := int64(max(1, p.how.Work.Threads)) * listBytes(p.scratch.cell[0], p.scratch.cell[1])
	need := p.Bytes() - vertices + int64(more) + lists
	if need <= p.how.Work.Limit-vertices {
		return nil
	}
	return &overLimit{need, p.how.Work.Limit - vertices}
}

// dropScratch frees the memory that a plan keeps for the next, except that of the vertices.
func (p *Plan) dropScratch() {
	p.scratch.ranges, p.todo.list, p.own.known.joined = [2][]box.CellRange{}, nil, [2][]float32{}
	p.scratch.divisions, p.scratch.dividers = nil, nil
	for i := range p.work {
		p.work[i].splits = nil
		for _, l := range p.work[i].layers {
			l.off, l.ent, l.counts, l.sums, l.kept, l.marks = nil, nil, nil, nil, nil, nil
		}
	}
}

// bytes returns the memory of the division.
func (d *division) bytes() int {
	tasks := int(unsafe.Sizeof(Task{}))*cap(d.tasks) + int(unsafe.Sizeof(cellSplit{}))*cap(d.splits)
	return tasks + 8*cap(d.large) + 4*cap(d.numbers)
}

func (s *divider) bytes() int {
	return 4*(cap(s.keys)+cap(s.from)+cap(s.rangeIndex)) + 8*cap(s.reordered)
}

// bytes returns the working memory of Build.
func (c *planScratch) bytes() (n int) {
	for i := range c.divisions {
		n += c.divisions[i].bytes()
	}
	for i := range c.dividers {
		n += c.dividers[i].bytes()
	}
	return n + c.outlined.bytes() + rangeBytes*(cap(c.ranges[0])+cap(c.ranges[1]))
}

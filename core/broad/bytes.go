package broad

import (
	"runtime"
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

// boundless is the room of a plan without a limit.
type boundless struct{}

func (boundless) fits(*Plan, int) error    { return nil }
func (boundless) dividing(threads int) int { return threads }
func (boundless) forget(*Plan)             {}
func (boundless) settle(*planScratch)      {}

// bounded is the room of a plan with a limit.
type bounded struct{}

// roomOf returns the room of a limit; 0 is none.
func roomOf(limit int64) room {
	if limit == 0 {
		return boundless{}
	}
	return bounded{}
}

func (bounded) fits(p *Plan, more int) error {
	vertices := int64(4 * cap(p.vertices.memory))
	lists := int64(max(1, p.how.Work.Threads)) * listBytes(p.scratch.cell[0], p.scratch.cell[1])
	need, left := p.Bytes()-vertices+int64(more)+lists, p.how.Work.Limit-vertices
	if need <= left {
		return nil
	}
	return &overLimit{need, left}
}

func (bounded) dividing(int) int { return 1 } // The working memory of more would count.

// forget frees nothing where only the vertices have memory. Without a collection the process would
// grow by the scratch of each slab; it takes 0.5 ms, a small part of the time to build a plan.
func (bounded) forget(p *Plan) {
	if p.Bytes() <= int64(4*cap(p.vertices.memory)) {
		return
	}
	p.scratch.ranges, p.todo.list, p.own.known.joined = [2][]box.CellRange{}, nil, [2][]float32{}
	p.scratch.divisions, p.scratch.dividers = nil, nil
	for i := range p.work {
		p.work[i].splits = nil
		for _, l := range p.work[i].layers {
			l.off, l.ent, l.counts, l.sums, l.kept, l.marks = nil, nil, nil, nil, nil, nil
		}
	}
	runtime.GC()
}

func (bounded) settle(c *planScratch) { c.divisions = nil }

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

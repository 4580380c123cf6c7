package broad

import (
	"sync"
)

// Forget drops the references of the tactics to the step, and keeps the memory.
func (p *Plan) Forget() {
	p.own.few.forget()
	p.own.known.forget()
	p.own.windows.forget()
	p.own.groups.forget()
}

// recycle drops the plan's references to the mesh and returns it to the pool.
func (p *Plan) recycle() {
	p.Forget()
	p.m, p.mo, p.filter, p.vertices.step, p.still.filter, p.how = nil, nil, nil, nil, nil, PlanOptions{}
	p.keeps = keeper{codes: p.keeps.codes}
	for i := range p.work {
		for _, l := range p.work[i].layers {
			l.set, l.verts, l.places, l.numbers = set{}, nil, nil, nil
		}
	}
	plans.Put(p)
}

// plans and workers are pools, so that later calls reuse their memory.
var (
	plans   = sync.Pool{New: func() any { return new(Plan) }}
	workers = sync.Pool{New: func() any { return NewWorker() }}
)

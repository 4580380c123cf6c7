package broad

import (
	"ccd/core/geom"
	"ccd/core/mesh"
)

// Build makes the plan of a step, by the first tactic that fits.
func (p *Plan) Build(m *mesh.Mesh, mo *geom.Trajectories, how PlanOptions) error {
	p.begin(m, mo, how)
	if how.Keep.Near != nil { // Only pairs with a changed vertex are swept then.
		p.keeps.changed = nil
	}
	if p.own.few.fits(p) {
		p.own.few.build(p)
		return nil
	}
	if ok, err := p.useNear(); ok || err != nil {
		return err
	}
	fs := families(m)
	if how.Input.Intersections {
		fs = intersectionFamilies(m)
	}
	some, err := p.needed(fs)
	if err != nil || len(some) == 0 {
		return err
	}
	if err := p.chooseSpace(fs, some); err != nil {
		return err
	}
	if err := p.keeps.encode(p.reach(), how.Work.Threads); err != nil {
		return err
	}
	for _, try := range tried {
		if done, err := try(p, fs); done || err != nil {
			return err
		}
	}
	return p.buildCells()
}

// tried are the ways to find the pairs of a plan that are tried, in this order, before the cells of
// a grid: each reports whether it has made the plan.
var tried = []func(p *Plan, all []family) (bool, error){(*Plan).useDevice, (*Plan).suit, (*Plan).useHierarchy}

// begin sets the plan to a step, without tasks.
func (p *Plan) begin(m *mesh.Mesh, mo *geom.Trajectories, how PlanOptions) {
	p.m, p.mo, p.filter, p.how = m, mo, m.Filter(), how
	p.scratch.cell, p.tactic, p.work, p.vertices.of, p.vertices.used = [2]int{}, byNumbers, p.work[:0], mo, nil
	p.todo.clear()
	p.own.known.forget()
	p.keeps.begin(p)
}

// Forget drops the references of the tactics to the step, and keeps the memory.
func (p *Plan) Forget() {
	p.own.few.forget()
	p.own.known.forget()
	p.own.windows.forget()
	p.own.groups.forget()
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

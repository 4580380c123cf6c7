package broad

import (
	"ccd/core/geom"
	"ccd/core/mesh"
)

// begin sets the plan to a step, without tasks.
func (p *Plan) begin(m *mesh.Mesh, mo *geom.Trajectories, how PlanOptions) {
	p.m, p.mo, p.filter, p.how = m, mo, m.Filter(), how
	p.scratch.cell, p.tactic, p.work, p.vertices.step, p.vertices.used = [2]int{}, byNumbers, p.work[:0], mo, nil
	p.scratch.sampler.Few, p.room = false, roomOf(how.Work.Limit)
	p.todo.clear()
	p.own.known.pairs, p.own.known.found = nil, 0
	p.keeps.begin(m, mo, p.filter, &p.how.Keep)
}

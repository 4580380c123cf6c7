package broad

import (
	"ccd/core/bound"
	"ccd/core/broad/hierarchy"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// groupsNear is what a Near has where the hierarchy of the mesh finds the pairs with a changed
// vertex (law 6 of package hierarchy). Its Select takes the vertices that have changed since Build
// or the Select before, and plans are made of steps in which no other vertex has moved.
type groupsNear struct {
	grouped bool
	groups  *hierarchy.Search // nil, or memory
	moved   []int32           // the vertices of Select
}

// build prepares for a step of a mesh, where the options let its hierarchy serve and it fits.
func (g *groupsNear) build(m *mesh.Mesh, mo *geom.Trajectories, how *PlanOptions) (err error) {
	h := m.Hierarchy()
	if g.grouped = false; !how.Tactic.Hierarchy || h == nil || !hierarchyServes() {
		return nil
	}
	if g.groups == nil {
		g.groups = new(hierarchy.Search)
	}
	l := new(layer)
	l.use(m, set{geom.Vertex, m.NV, nil})
	if len(m.Edges) > 0 {
		l.use(m, set{geom.Edge, len(m.Edges), nil})
	}
	sample := bound.NewSample(mo, mo.Largest(), 1, l.n, false, l.vertices)
	space := sample.SpaceAlong(0, how.most())
	in := hierarchy.Input{
		Mesh: m, Motion: mo, Filter: m.Filter(), Space: &space, Inflation: how.most(), Threads: how.Work.Threads,
	}
	in.Beside, in.Around = how.around()
	g.grouped, err = g.groups.Prepare((*h).(*hierarchy.Order), &in)
	return err
}

// choose takes the vertices that have changed.
func (g *groupsNear) choose(changed []bool) {
	g.moved = g.moved[:0]
	for v, is := range changed {
		if is {
			g.moved = append(g.moved, int32(v))
		}
	}
}

// forget drops the references to the mesh.
func (g *groupsNear) forget() {
	if g.groups != nil {
		g.groups.End()
	}
	g.grouped = false
}

// bytes returns the memory.
func (g *groupsNear) bytes() int64 {
	n := int64(4 * cap(g.moved))
	if g.groups != nil {
		n += g.groups.Bytes()
	}
	return n
}

// useNear makes the plan one of the pairs that a hierarchy finds around changed vertices. Where it
// cannot, the plan is made of the whole mesh.
func (p *Plan) useNear() (bool, error) {
	n := p.how.Keep.Near
	if n == nil || !n.tree.grouped {
		return false, nil
	}
	ok, err := n.tree.groups.Change(p.mo, n.tree.moved)
	if !ok || err != nil {
		p.how.Keep.Near, p.keeps.changed = nil, p.how.Keep.Changed
		return false, err
	}
	fs := families(p.m)
	p.work = grow(&p.work, len(fs))
	for i, f := range fs {
		p.work[i].use(p.m, f)
	}
	p.largest, p.vertices.used, p.space.Map = largestOf(fs), nil, nil
	p.addGroups(n.tree.groups)
	return true, nil
}

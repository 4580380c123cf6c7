package broad

import (
	"math"
	"sync"

	"ccd/core/bound"
	"ccd/core/broad/hierarchy"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// hierarchyAfter is the call on a mesh that makes its hierarchy, of those that one would serve: to
// make it takes as long as 0.2 to 2.5 calls by the grid. Only speed depends on it. Where radii
// differ, a list by the grid compares doubles for every pair, and takes two to twenty times as long
// as one by the hierarchy: to make it takes 0.1 to 1 lists then. On crowded meshes the first list
// makes it.
const (
	hierarchyAfter      = 3
	hierarchyAfterRadii = 2
)

// neverCalls is a number of calls that no later ones bring up to hierarchyAfter.
const neverCalls = math.MinInt / 2

// Hierarchies says when lists are found by the hierarchy.
type Hierarchies int

const (
	HierarchyIfItPays Hierarchies = iota
	HierarchyNever                // HierarchyNever and HierarchyAlways are for tests.
	HierarchyAlways
)

// UseHierarchy says when the hierarchy of a mesh finds the pairs. Tests change it.
var UseHierarchy = HierarchyIfItPays

// hierarchyServes reports whether a hierarchy can find the pairs of a mesh. Where it can, it finds
// those of segments and of paths, of one inflation and of different ones (lists by law 9 of package
// hierarchy, plans by laws 4 and 7), and of a mesh with static vertices. What it leaves to the
// grid, and why:
//
//	memory limits    portions are slabs of cells; the boxes of all nodes would not shrink with them
//	regions, slabs   the grid makes boxes of what meets them alone, the hierarchy of everything
//	excerpts         the same: a few primitives of many
//	other directions, pieces of needles, devices, intersections   have records of their own
func hierarchyServes() bool { return UseHierarchy != HierarchyNever }

// hierarchySweep is the memory of a list that the hierarchy finds.
type hierarchySweep struct {
	search   hierarchy.Search
	largest  familyPlan
	sampler  bound.Sampler
	families []family
}

var hierarchySweeps = sync.Pool{New: func() any { return new(hierarchySweep) }}

// sweepHierarchy is Sweep by the hierarchy of the mesh; ok is false where the grid is to find the
// list. The pairs are the same, since doubles decide in both.
func sweepHierarchy(m *mesh.Mesh, mo *geom.Trajectories, radii *mesh.Radii, o *Options, stats *sweepStats) (
	c *Candidates, ok bool, err error) {
	filter := m.Filter()
	if o.MemoryLimit != 0 || o.Region != nil || !hierarchyServes() {
		return nil, false, nil
	}
	s := hierarchySweeps.Get().(*hierarchySweep)
	defer s.recycle()
	if s.families = appendFamilies(s.families, m); len(s.families) == 0 {
		return nil, false, nil
	}
	stats.clock.Lap()
	how := PlanOptions{Work: Work{Threads: o.threads()}, largest: mo.Largest()}
	how.Input = Input{Separation: o.MinSeparation, Radii: radii, Until: 1, Still: true}
	after := hierarchyAfter
	if !radii.Uniform() {
		after = hierarchyAfterRadii
	}
	if m.Hierarchy() == nil && filter.Static(geom.Vertex) == nil && crowded(m, mo, how.typical()) {
		after = 1
	}
	order, err := hierarchyOf(m, mo, after, how.Work.Threads)
	if order == nil || err != nil {
		return nil, err != nil, err
	}
	sample := s.sample(m, mo, &how)
	space := sample.SpaceAlong(0, how.most())
	found, ok, err := s.search.Find(order, &hierarchy.Input{
		Mesh: m, Motion: mo, Filter: filter, Space: &space, Inflation: how.most(), Own: how.own(),
		Threads: how.Work.Threads, Progress: o.Progress,
	})
	if !ok || err != nil {
		return nil, ok, err
	}
	c = &Candidates{mesh: m, separation: o.MinSeparation, radii: radii, threads: how.Work.Threads, filter: filter}
	for k := range c.extent {
		c.extent[k] = sample.Extent[k] + 2*how.typical()
	}
	stats.threads = s.search.Workers()
	stats.built(s.search.Bytes() + order.Bytes() + int64(8*cap(mo.Rec)) + c.takeMasks(found))
	stats.write(o, c)
	return c, true, nil
}

// takeMasks sets the pairs of the candidates and returns their memory.
func (c *Candidates) takeMasks(found []hierarchy.Pairs) (bytes int64) {
	for i := range found {
		bytes += found[i].Bytes()
		k := &c.kinds[found[i].Kind()-1]
		k.masks, k.n = &found[i], found[i].Len()
	}
	return bytes
}

// recycle drops the references to the mesh and returns the memory to the pool.
func (s *hierarchySweep) recycle() {
	clear(s.families[:cap(s.families)])
	for _, l := range s.largest.layers {
		l.set, l.verts, l.places, l.numbers = set{}, nil, nil, nil
	}
	hierarchySweeps.Put(s)
}

// hierarchyOf returns the order of the hierarchy of a mesh for a call that it serves, or nil where
// the grid is to find the pairs: the calls on a mesh before the after-th pay for no order.
func hierarchyOf(m *mesh.Mesh, mo *geom.Trajectories, after, threads int) (o *hierarchy.Order, err error) {
	h := m.UpdateHierarchy(func(h *mesh.Hierarchy, calls int) (*mesh.Hierarchy, int) {
		if h != nil && !(*h).(*hierarchy.Order).Stale() {
			return h, 0
		}
		if calls++; h == nil && calls < after && UseHierarchy != HierarchyAlways {
			return nil, calls
		}
		if h == nil && !hierarchy.Fits(m) {
			return nil, neverCalls
		}
		if o, err = hierarchy.Make(m, mo, threads); err != nil {
			return nil, 0
		}
		made := mesh.Hierarchy(o)
		return &made, 0
	})
	if h == nil {
		return nil, err
	}
	return (*h).(*hierarchy.Order), nil
}

// sample samples the family with the most primitives, as a plan does.
func (s *hierarchySweep) sample(m *mesh.Mesh, mo *geom.Trajectories, how *PlanOptions) bound.Sample {
	s.largest.use(m, s.families[largestOf(s.families)])
	s.sampler.Share(mo, how.Input.Until, how.Input.Still)
	return s.largest.sampleBoxes(&s.sampler, mo, how)
}

package broad

import (
	"ccd/core/broad/hierarchy"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/num"
	"ccd/simd/box"
)

// HasHierarchy reports whether a mesh has a hierarchy for a step, and makes one after some calls:
// Tactic.Hierarchy lets plans use it.
func HasHierarchy(m *mesh.Mesh, mo *geom.Trajectories, threads int) (bool, error) {
	if hasFewPairs(m) && UseHierarchy != HierarchyAlways || !hierarchyServes() {
		return false, nil
	}
	o, err := hierarchyOf(m, mo, hierarchyAfter, threads)
	return o != nil, err
}

// groupWeight is the weight of a pair of groups of a hierarchy, in entries of cells: what takes as
// long. It compares some 9 pairs of blocks.
const groupWeight = 6

// SieveVolume is the volume of boxes at the start, relative to that of boxes up to the end of a
// plan, from which on the sieve at the start pays. Where boxes grow more, it leaves most pairs, and
// boxes at both ends leave fewer. The volume is 0.98 on cloth-ball and armadillo-rollers, where
// calls take 0.56 and 0.77 of the time with the sieve, and 0.4 on a crumpled sheet, where they take
// 1.12. Tests set 0.
var SieveVolume = 0.5

// sieves reports whether the hierarchy leaves out pairs of the plan by the sieve at the start.
func (p *Plan) sieves() bool {
	return p.how.Tactic.Sieve && (SieveVolume == 0 || p.SurvivalRatio(p.mo, 0) >= SieveVolume)
}

// mayGroup reports whether the mesh's hierarchy can find the pairs of the plan, if boxes are those
// of whole primitives along the axes.
func (p *Plan) mayGroup() bool {
	how := &p.how
	return how.Tactic.Hierarchy && p.m.Hierarchy() != nil && how.Work.Limit == 0 &&
		hierarchyServes() && !how.Input.Intersections && how.Keep.everything()
}

// useHierarchy makes the plan one of the mesh's hierarchy, where it may and fits.
func (p *Plan) useHierarchy([]family) (bool, error) {
	how := &p.how
	if !p.mayGroup() || p.space.Map != nil {
		return false, nil
	}
	h, g := p.m.Hierarchy(), &p.own.groups
	if g.search == nil {
		g.search = new(hierarchy.Search)
	}
	if how.Input.AtRest { // Boxes of records are larger than those of doubles by more than this.
		how.Input.Separation = num.AddUp(how.Input.Separation, how.Tactic.Farther)
	}
	in := hierarchy.Input{
		Mesh: p.m, Motion: p.mo, Filter: p.filter, Space: &p.space, AtRest: how.Input.AtRest, Until: how.Input.Until,
		Inflation: how.most(), Sieve: p.sieves(), Threads: how.Work.Threads,
	}
	if b := how.Input.Bands; b != nil {
		in.Lo, in.Hi = b.Lo, b.Hi
	}
	in.Beside, in.Around = how.around()
	ok, err := g.search.Begin((*h).(*hierarchy.Order), &in)
	if !ok || err != nil {
		return false, err
	}
	p.keeps.plain = p.filter.OnlyStatic()
	p.addGroups(g.search)
	return true, nil
}

// addGroups makes tasks of those of a search.
func (p *Plan) addGroups(s *hierarchy.Search) {
	p.tactic, p.own.groups.finds = &p.own.groups, s
	for i := range s.Tasks() {
		k, groups := s.Task(i)
		t := Task{Kind: k, Weight: groupWeight * groups, c0: i, c1: i + 1}
		for t.family = range p.work {
			if p.work[t.family].kind == k {
				break
			}
		}
		p.todo.add(t)
	}
}

// around returns the largest inflation of a primitive at a vertex, beside bands if there are some:
// one for all vertices, or a function of the vertex.
func (o *PlanOptions) around() (all float64, of func(v int) float64) {
	radii := o.Input.Radii
	if o.Input.Bands != nil {
		radii = o.Input.Bands.Radii
	}
	if radii.Uniform() {
		return Inflation(o.Input.Separation, radii, radii.Largest()), nil
	}
	return 0, func(v int) float64 { return Inflation(o.Input.Separation, radii, radii.Around(int32(v))) }
}

// forget drops the references of the search to the mesh.
func (g *groups) forget() {
	if g.search != nil {
		g.search.End()
	}
	g.finds = nil
}

// bytes returns the memory of the search.
func (g *groups) bytes() int64 {
	if g.search == nil {
		return 0
	}
	return g.search.Bytes()
}

// Grouped reports whether the hierarchy of the mesh finds the pairs of the plan. Such a plan takes
// little time to make beside its sweep.
func (p *Plan) Grouped() bool { return p.tactic == tactic(&p.own.groups) }

func (g *groups) sweep(w *Worker, p *Plan, t *Task, until float64, emit emitter) {
	f := &p.work[t.family]
	symmetric := f.kind.Info().Symmetric()
	w.block = w.block[:0]
	ok := g.finds.Near(&w.groups, t.c0, until, func(list []box.Record, a, b []int32) bool {
		for len(list) > 0 {
			from := len(w.block)
			read, n := box.Expand(list, a, b, symmetric, w.block[from:BlockLen])
			list = list[read:]
			kept := len(w.filter(p, f, w.block[from:from+n]))
			w.Swept += int64(n)
			w.Kept += int64(kept)
			w.block = w.block[:from+kept]
			if (len(w.block) >= blockLen || len(list) > 0) && !w.emit(f.kind, emit) {
				return false
			}
		}
		return true
	})
	if ok {
		w.emit(t.Kind, emit)
	}
}

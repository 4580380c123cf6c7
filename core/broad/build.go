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
	p.scratch.sampler.Few = p.mayGroup() || how.Keep.Excerpt != nil && how.Keep.Excerpt.other == nil // A small plan.
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
	if err := p.sampleMore(fs); err != nil {
		return err
	}
	return p.buildCells()
}

// tried are the ways to find the pairs of a plan that are tried, in this order, before the cells of
// a grid: each reports whether it has made the plan.
var tried = []func(p *Plan, all []family) (bool, error){(*Plan).useDevice, (*Plan).suit, (*Plan).useHierarchy}

// needed returns what the plan must sweep of these families: less of them where vertices are
// static, or where only pairs with a changed vertex are wanted.
func (p *Plan) needed(fs []family) ([]family, error) {
	p.vertices.used = nil
	defer func() { p.how.largest = max(p.how.largest, p.how.Input.Bands.largest()) }()
	if p.how.Keep.Near != nil {
		p.how.largest, p.vertices.used = p.mo.Largest(), p.how.Keep.Near.usedRuns()
		return p.how.Keep.Near.lists.families(fs), nil
	}
	if e := p.how.Keep.Excerpt; e != nil {
		p.how.largest, p.vertices.used = p.mo.Largest(), e.used
		return e.families(fs), nil
	}
	if p.mayGroup() { // The hierarchy leaves out what is static itself.
		p.how.largest, p.still.pays, p.still.filter = p.mo.Largest(), false, nil
		return fs, nil
	}
	if err := p.still.choose(&boxBounds{m: p.m, mo: p.mo, how: &p.how}, p.filter); err != nil || !p.still.pays {
		p.how.largest = p.mo.Largest()
		return fs, err
	}
	p.how.largest, p.vertices.used = p.still.largest, p.still.used
	return p.still.lists.families(fs), nil
}

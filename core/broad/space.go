package broad

import (
	"slices"
	"sync"

	"ccd/core/bound"
	"ccd/core/engine"
	"ccd/core/geom"
)

// chooseSpace samples the families and chooses the record space that suits the largest of all. So
// the space does not depend on whether static primitives are left out, nor do the pairs that a
// sweep finds.
func (p *Plan) chooseSpace(all, some []family) error {
	p.work = slices.Grow(p.work[:0], len(some))[:len(some)] // earlier family plans keep their memory
	for i, f := range some {
		p.work[i].use(p.m, f)
	}
	p.largest = largestOf(some)
	p.scratch.sampler.Map = nil
	return p.sampleSpace(all)
}

// sampleSpace samples the families in the coordinates of the sampler and chooses the space.
func (p *Plan) sampleSpace(all []family) error {
	p.scratch.sampler.Share(p.mo, p.how.Input.Until, p.how.Input.Still)
	if err := p.sampleFamilies(); err != nil {
		return err
	}
	p.scratch.whole = p.work[p.largest].sample
	if p.vertices.used != nil && p.how.Keep.Excerpt == nil && p.how.Keep.Near == nil {
		var w familyPlan
		w.use(p.m, all[largestOf(all)])
		p.scratch.whole = w.sampleBoxes(&p.scratch.sampler, p.mo, &p.how)
	}
	p.space = p.scratch.whole.SpaceAlong(p.sweepAxis(all), p.how.most())
	return nil
}

// sampleMore samples as many primitives as grids need, where a plan has sampled few for a
// hierarchy.
func (p *Plan) sampleMore(all []family) error {
	if !p.scratch.sampler.Few || !p.mayGroup() {
		return nil
	}
	p.scratch.sampler.Few = false
	return p.sampleSpace(all)
}

// sampleFamilies samples each family, those of a large mesh at the same time.
func (p *Plan) sampleFamilies() error {
	n, primitives := len(p.work), 0
	for i := range p.work {
		primitives += p.work[i].a.n + p.work[i].b.n
	}
	threads := min(n, blocks(primitives, p.how.Work.Threads))
	for len(p.scratch.samplers) < threads-1 {
		p.scratch.samplers = append(p.scratch.samplers, bound.Sampler{})
	}
	return engine.Each(n, threads, func(worker, i int) {
		s := &p.scratch.sampler
		if worker > 0 {
			s = &p.scratch.samplers[worker-1]
			s.ShareWith(&p.scratch.sampler)
		}
		p.work[i].sample = p.work[i].sampleBoxes(s, p.mo, &p.how)
	})
}

// computeRecords computes the records of the vertices that are used.
func (p *Plan) computeRecords() error {
	n, how, use := (p.mo.N+vertexRun-1)/vertexRun, &p.how, &p.vertices
	p.vertices.rec = alignedRecords(&p.vertices.memory, p.mo.N)
	blocks := blocks(p.mo.N, how.Work.Threads)
	return engine.Parallel(blocks, func(i int) {
		for from, last := n*i/blocks, n*(i+1)/blocks; from < last; {
			to := from + 1
			for used := use.uses(from); to < last && use.uses(to) == used; {
				to++
			}
			if use.uses(from) {
				p.vertexRecords(vertexRun*from, min(vertexRun*to, p.mo.N))
			}
			from = to
		}
	})
}

// vertexRecords computes the records of the vertices from to to-1.
func (p *Plan) vertexRecords(from, to int) {
	in, rec := &p.how.Input, p.vertices.rec
	if in.Bands == nil {
		InflatedRecords(&p.space, p.vertices.step, in.Until, in.Separation, in.Radii, from, to, rec)
		return
	}
	in.Bands.records(&p.space, in.Until, in.Separation, from, to, rec)
}

// survivalSamplers are those of SurvivalRatio.
var survivalSamplers = sync.Pool{New: func() any { return new(bound.Sampler) }}

// SurvivalRatio returns the mean volume of boxes over [0, t] relative to boxes over the plan's
// whole time. It estimates the fraction of the pairs that would remain.
func (p *Plan) SurvivalRatio(mo *geom.Trajectories, t float64) float64 {
	if len(p.work) == 0 {
		return 1
	}
	w, how := &p.work[p.largest], p.how
	how.Input.Until = t
	// Workers call this at the same time.
	sampler := survivalSamplers.Get().(*bound.Sampler)
	defer survivalSamplers.Put(sampler)
	sampler.Map, sampler.Few = p.space.Map, p.scratch.sampler.Few
	some := w.sampleBoxes(sampler, mo, &how)
	then := p.extent(&some)
	if b := p.how.Input.Bands; b != nil { // a path bends away from a line with the square of the time
		bends := p.how.typical() - Inflation(how.Input.Separation, b.Radii, b.Radii.Typical())
		share := t / p.how.Input.Until
		for k := range then {
			then[k] -= float64(2 * bends * (1 - float64(share*share)))
		}
	}
	return volumeRatio(then, p.extent(&w.sample))
}

package broad

import (
	"errors"
	"math"
	"slices"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// SlabPlan divides a step into slabs that are processed one after the other, so that the plan of
// each fits into a memory limit. Every pair belongs to one slab, whatever the limit. A slab is cut
// once the size of its plan is known to exceed the limit, so there are hardly more slabs than the
// limit requires.
type SlabPlan struct {
	todo   []slabTask // the current one is the last
	done   float64
	sample []sampledExtent // primitives of the step; nil until a slab is cut
	last   *Plan           // last made the slab before: its cull of static primitives holds for the whole step.
}

// slabTask is a slab, nil for the whole step, and its share of the step's work.
type slabTask struct {
	slab        *Slab
	share       float64
	indivisible bool // cutting it makes it no smaller
}

// Begin starts with one slab, or with the whole step where it is nil.
func (s *SlabPlan) Begin(whole *Slab) {
	*s = SlabPlan{todo: append(s.todo[:0], slabTask{slab: whole, share: 1})}
}

// End forgets the slabs.
func (s *SlabPlan) End() {
	clear(s.todo[:cap(s.todo)])
	*s = SlabPlan{todo: s.todo[:0]}
}

// More reports whether slabs remain.
func (s *SlabPlan) More() bool { return len(s.todo) > 0 }

// Next advances to the next slab.
func (s *SlabPlan) Next() {
	last := len(s.todo) - 1
	s.done += s.todo[last].share
	s.todo = s.todo[:last]
}

// Slab returns the current slab; nil is the whole step.
func (s *SlabPlan) Slab() *Slab { return s.todo[len(s.todo)-1].slab }

// UpTo returns the fraction of the step that is done after the current slab.
func (s *SlabPlan) UpTo() float64 { return s.done + s.todo[len(s.todo)-1].share }

// Build makes the plan of the current slab. It first cuts the slab as far as how.Limit requires. If
// cutting does not help, the plan exceeds the limit. how.Until must not rise from slab to slab.
func (s *SlabPlan) Build(p *Plan, m *mesh.Mesh, mo *geom.Trajectories, how PlanOptions) error {
	limit := how.Work.Limit
	for {
		now := &s.todo[len(s.todo)-1]
		how.Keep.Slab, how.Work.Limit = now.slab, limit
		if now.indivisible {
			how.Work.Limit, how.Tactic.Remote = 0, nil
		}
		roomOf(limit).forget(p) // What it keeps was sized for another slab.
		how.selected = s.last == p
		how.within = limit
		err := p.Build(m, mo, how)
		s.last = p
		var over *overLimit
		if !errors.As(err, &over) {
			return err
		}
		if !s.cut(p, over.times()) {
			now.indivisible = true
		}
	}
}

// minSlabPrimitives is the number of primitives below which the memory of the workers dominates
// that of a slab.
const minSlabPrimitives = 4096

// cut divides the current slab of the plan into n, or into more if that is needed to make them
// smaller. It returns false if cutting does not help: the slab is small already, or most primitives
// extend across most of it or begin at the same place.
func (s *SlabPlan) cut(p *Plan, n int) bool {
	now, reach := s.todo[len(s.todo)-1], p.reach()
	slab := Slab{longestAxis(p.keeps.hulls), math.Inf(-1), math.Inf(1)}
	if now.slab != nil {
		slab = *now.slab
	}
	if s.sample == nil {
		var fs []family
		for i := range p.work {
			fs = append(fs, p.work[i].family)
		}
		s.sample = sampleExtents(p.m, p.keeps.hulls, fs, slab.Axis)
	}
	all := slab.countReached(s.sample, reach)
	for n = max(2, min(n, all/minSlabPrimitives)); n <= all/minSlabPrimitives; n *= 2 {
		slabs, reached := slab.split(s.sample, n), make([]int, n)
		for i := range slabs {
			reached[i] = slabs[i].countReached(s.sample, reach)
		}
		if slices.Max(reached) > all-all/8 {
			continue
		}
		s.todo = s.todo[:len(s.todo)-1]
		for i := range slices.Backward(slabs) {
			s.todo = append(s.todo, slabTask{&slabs[i], now.share / float64(n), reached[i] < 2*minSlabPrimitives})
		}
		return true
	}
	return false
}

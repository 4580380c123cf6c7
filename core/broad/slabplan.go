package broad

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/num"
	"ccd/simd/box"
)

// SlabPlan divides a step into slabs that are processed one after the other, so that the plan of
// each fits into a memory limit. Every pair belongs to one slab, whatever the limit. A slab is cut
// once the size of its plan is known to exceed the limit, so there are hardly more slabs than the
// limit requires.
type SlabPlan struct {
	todo   []slabTask // the current one is the last
	done   float64
	sample []sampledExtent // primitives of the step; nil until a slab is cut
	last   *Plan           // of the slab before, whose cull of static primitives holds for the whole step
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
		if limit > 0 && p.Bytes() > int64(4*cap(p.recordMemory)) {
			p.dropScratch() // it was sized for another slab
			runtime.GC()    // else the process grows by the scratch of each slab: 0.5 ms, a fraction of the time to build
		}
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

// overLimit is the error of a plan that exceeds its limit. The memory of the vertices is not
// counted.
type overLimit struct{ need, limit int64 }

func (e *overLimit) Error() string {
	return fmt.Sprintf("a plan takes %d bytes or more, %d are left", e.need, e.limit)
}

// times returns how many times smaller the slab should be, with a margin because slabs overlap and
// differ in size.
func (e *overLimit) times() int {
	if e.limit <= 0 {
		return math.MaxInt32
	}
	return 1 + int(min(1.25*float64(e.need)/float64(e.limit), math.MaxInt32-1))
}

// fits returns an overLimit error unless the plan may use this many bytes more.
func (p *Plan) fits(more int) error {
	if p.how.Work.Limit == 0 {
		return nil
	}
	vertices := int64(4 * cap(p.recordMemory))
	need := p.Bytes() - vertices + int64(more) + int64(max(1, p.how.Work.Threads))*listBytes(p.cell[0], p.cell[1])
	if need <= p.how.Work.Limit-vertices {
		return nil
	}
	return &overLimit{need, p.how.Work.Limit - vertices}
}

// listBytes is the memory of a worker's two lists, for cells of a and b entries.
func listBytes(a, b int) int64 {
	const entry, sorted = 4*box.EndColumns + 3*4 + 4, 2 * 8
	return int64((entry+sorted)*(a+b) + 4*entry*box.SweepPad)
}

// dropScratch frees the memory that a plan keeps for the next, except that of the vertices.
func (p *Plan) dropScratch() {
	p.ranges, p.tasks, p.joined = [2][]box.CellRange{}, nil, [2][]float32{}
	p.divisions, p.dividers = nil, nil
	for i := range p.work {
		p.work[i].splits = nil
		for _, l := range p.work[i].layers {
			l.off, l.ent, l.counts, l.sums, l.kept, l.marks = nil, nil, nil, nil, nil, nil
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

// sampledExtent is the extent of a primitive along an axis; it stands for count primitives.
type sampledExtent struct {
	lo, hi float64
	count  int
}

// sampleExtents returns the extents of some primitives of each family along an axis.
func sampleExtents(m *mesh.Mesh, mo *geom.Trajectories, fs []family, axis int) (out []sampledExtent) {
	for _, f := range fs {
		l := new(layer)
		for _, of := range []set{f.a, f.b} {
			l.use(m, of)
			step := 1 + of.n/4096
			for i := 0; i < of.n; i += step {
				lo, hi := extent(mo, l.vertices(i), axis)
				out = append(out, sampledExtent{lo, hi, step})
			}
		}
	}
	return out
}

// countReached estimates the number of primitives that meet the slab.
func (s *Slab) countReached(some []sampledExtent, reach float64) (n int) {
	for i := range some {
		if x := &some[i]; x.lo < s.Hi && num.AddUp(x.hi, reach) >= s.Lo {
			n += x.count
		}
	}
	return n
}

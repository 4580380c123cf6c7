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
	"ccd/simd"
)

// Parts are slabs that a step is done in, one after the other, so that the plan of each keeps a limit of memory. A pair
// belongs to one of them, whatever the limit. A part whose plan would be too large is cut once its size is known, so that
// there are hardly more than the limit asks for.
type SlabPlan struct {
	todo []part // the present one is the last
	done float64
	some []span // of the step, once something was cut
}

// part is a slab, nil for the whole step, and its share of the step's work.
type part struct {
	slab  *Slab
	share float64
	least bool // cutting it makes it no smaller
}

// Begin starts with the whole of a slab, or of the step.
func (s *SlabPlan) Begin(whole *Slab) {
	*s = SlabPlan{todo: append(s.todo[:0], part{slab: whole, share: 1})}
}

// More tells whether there is a part still to be done, and Next that the present one is.
func (s *SlabPlan) More() bool { return len(s.todo) > 0 }

// Next is explained at More.
func (s *SlabPlan) Next() {
	last := len(s.todo) - 1
	s.done += s.todo[last].share
	s.todo = s.todo[:last]
}

// Slab is the present part: nil is the whole step.
func (s *SlabPlan) Slab() *Slab { return s.todo[len(s.todo)-1].slab }

// UpTo is the fraction of the step that is done when the present part is.
func (s *SlabPlan) UpTo() float64 { return s.done + s.todo[len(s.todo)-1].share }

// Build makes the plan of the present part, which it cuts first as far as how.Limit demands and slabs can help. Where they
// cannot, the plan is as large as it has to be.
func (s *SlabPlan) Build(p *Plan, m *mesh.Mesh, mo *geom.Motion, how PlanOptions) error {
	limit := how.Limit
	for {
		now := &s.todo[len(s.todo)-1]
		how.Slab, how.Limit = now.slab, limit
		if now.least {
			how.Limit = 0
		}
		if limit > 0 && p.Bytes() > int64(4*cap(p.store)) {
			p.drop()     // what suited other parts
			runtime.GC() // else the process would grow by what each of them had: half a millisecond against several of building
		}
		err := p.Build(m, mo, how)
		var over *overLimit
		if !errors.As(err, &over) {
			return err
		}
		if !s.cut(m, mo, over.times(), p.reach()) {
			now.least = true
		}
	}
}

// overLimit is the error of a plan that does not fit. The memory of the vertices is not counted.
type overLimit struct{ need, limit int64 }

func (e *overLimit) Error() string {
	return fmt.Sprintf("a plan takes %d bytes or more, %d are left", e.need, e.limit)
}

// times is how many times smaller the part should be. It asks for some more, as parts overlap and are not quite alike.
func (e *overLimit) times() int {
	if e.limit <= 0 {
		return math.MaxInt32
	}
	return 1 + int(min(1.25*float64(e.need)/float64(e.limit), math.MaxInt32-1))
}

// fits reports whether the plan may use so many bytes more.
func (p *Plan) fits(more int) error {
	if p.how.Limit == 0 {
		return nil
	}
	vertices := int64(4 * cap(p.store))
	need := p.Bytes() - vertices + int64(more) + int64(max(1, p.how.Threads))*listBytes(p.cell[0], p.cell[1])
	if need <= p.how.Limit-vertices {
		return nil
	}
	return &overLimit{need, p.how.Limit - vertices}
}

// listBytes is what a worker's two lists take for cells of so many entries.
func listBytes(a, b int) int64 {
	const entry, sorted = 4*simd.EndColumns + 3*4 + 4, 2 * 8
	return int64((entry+sorted)*(a+b) + 4*entry*simd.SweepPad)
}

// drop lets go of what a plan keeps for the next, but for its vertices.
func (p *Plan) drop() {
	p.ranges, p.tasks, p.joined = [2][]simd.CellRange{}, nil, [2][]float32{}
	p.of, p.moved = nil, nil
	for i := range p.work {
		p.work[i].cuts = nil
		for _, l := range p.work[i].layers {
			l.off, l.ent, l.counts, l.kept, l.marks = nil, nil, nil, nil, nil
		}
	}
}

// leastPart is the number of primitives below which a part is no smaller for what every worker has.
const leastPart = 4096

// cut replaces the present part by n of itself, or by as many as it takes to make them smaller. It fails where that does not
// help: where a part is small already, or most primitives reach across most of it, or begin at the same place.
func (s *SlabPlan) cut(m *mesh.Mesh, mo *geom.Motion, n int, reach float64) bool {
	now := s.todo[len(s.todo)-1]
	whole := Slab{longest(mo), math.Inf(-1), math.Inf(1)}
	if now.slab != nil {
		whole = *now.slab
	}
	if s.some == nil {
		s.some = spans(m, mo, whole.Axis)
	}
	all := whole.reached(s.some, reach)
	for n = max(2, min(n, all/leastPart)); n <= all/leastPart; n *= 2 {
		slabs, reached := whole.among(s.some, n), make([]int, n)
		for i := range slabs {
			reached[i] = slabs[i].reached(s.some, reach)
		}
		if slices.Max(reached) > all-all/8 {
			continue
		}
		s.todo = s.todo[:len(s.todo)-1]
		for i := range slices.Backward(slabs) {
			s.todo = append(s.todo, part{&slabs[i], now.share / float64(n), reached[i] < 2*leastPart})
		}
		return true
	}
	return false
}

// span is where a primitive begins and ends along an axis, for as many as it stands for.
type span struct {
	lo, hi float64
	count  int
}

// spans are those of some primitives of each family, along an axis.
func spans(m *mesh.Mesh, mo *geom.Motion, axis int) (out []span) {
	for _, f := range families(m) {
		l := new(layer)
		for _, of := range []set{f.a, f.b} {
			l.use(m, of)
			step := 1 + of.n/4096
			for i := 0; i < of.n; i += step {
				lo, hi := extent(mo, l.vertices(i), axis)
				out = append(out, span{lo, hi, step})
			}
		}
	}
	return out
}

// reached is how many primitives meet the slab, about.
func (s *Slab) reached(some []span, reach float64) (n int) {
	for i := range some {
		if x := &some[i]; x.lo < s.Hi && num.AddUp(x.hi, reach) >= s.Lo {
			n += x.count
		}
	}
	return n
}

package rigid

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"unsafe"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/status"
)

// A Scene is many bodies that move at once; body i moves by Motions[i]. One Body may be there many times.
type Scene struct {
	Bodies  []*Body
	Motions []Motion

	// Pairs that are not asked about: of bodies with the same group, where that is not negative; and those named. Both may be nil.
	Groups []int32
	Skip   [][2]int32

	Threads     int                         // at least 1 is used
	Progress    func(fraction float64) bool // nil, or called from time to time, never twice at once; true cancels the call
	MemoryLimit uint64                      // bytes for pairs at any one time, and for what is found; 0 is no limit
	Stats       *Stats                      // nil, or written

	memory *sceneMemory // of the calls so far; a Scene serves one goroutine at a time
}

// A SceneImpact is what the bodies A < B of a scene answer; both are -1 where there is none. Its layout is that of ccd_rigid_contact.
type SceneImpact struct {
	A, B int64
	Impact
}

// compare orders impacts by (TOILo, A, B).
func (im *SceneImpact) compare(other *SceneImpact) int {
	return cmp.Or(cmp.Compare(im.TOILo, other.TOILo), cmp.Compare(im.A, other.A), cmp.Compare(im.B, other.B))
}

// sceneBytes is what an impact takes until a list of all is handed out: as it is found, and in the list.
const sceneBytes = 2 * int(unsafe.Sizeof(SceneImpact{}))

// Contacts are the answers of all pairs that are not Separate, ordered by (TOILo, A, B); o may be nil for DefaultOptions.
//
// An answer is that of Solver.Earliest for the two bodies, with the laws there and with MaxSteps for each pair. But where the boxes of two
// bodies over [T0, T1] stay apart by more than Separation + Tolerance, the pair is Separate without being asked; by the
// laws it could not be in contact, only undecided for want of steps or of bits (or approximate, with Capoeira). The answer has the same
// bits for any number of threads.
func (s *Scene) Contacts(o *Options) ([]SceneImpact, error) {
	if err := s.run(o, false); err != nil {
		return nil, err
	}
	var lists []*engine.List[SceneImpact]
	for i := range s.memory.workers {
		lists = append(lists, &s.memory.workers[i].found)
	}
	all := engine.Gather(lists...)
	slices.SortFunc(all, func(x, y SceneImpact) int { return x.compare(&y) })
	return all, nil
}

// Earliest is the first of Contacts, or Separate where there is none: then it is a proof that all pairs that are asked about keep
// more than Separation for all t in [T0, T1]. Otherwise they all do so for t < TOILo.
//
// Every pair has one answer, whoever computes it. Let best be the least in the order (TOILo, A, B): the result. The search knows the
// least TOILo among the answers so far, M >= best.TOILo, and leaves out only pairs whose TOILo is proven to be after M
// (see Solver.earliest), which are not best, nor tied with it. All others are compared. So best is found whatever the order.
func (s *Scene) Earliest(o *Options) (SceneImpact, error) {
	first := SceneImpact{A: -1, B: -1}
	first.setUndecided(math.Inf(-1)) // nothing is promised
	if err := s.run(o, true); err != nil {
		return first, err
	}
	first.setSeparate()
	for i := range s.memory.workers {
		if w := &s.memory.workers[i]; w.best.compare(&first) < 0 {
			first = w.best
		}
	}
	return first, nil
}

// Release lets go of what the caller lent; memory is kept for the next call.
func (s *Scene) Release() { *s = Scene{memory: s.memory} }

// sceneMemory is what calls leave to the next.
type sceneMemory struct {
	o       Options
	sweep   sweep
	pairs   []pair
	skip    map[pair]bool
	workers []sceneWorker
	gate    engine.Progress
	budget  engine.Budget
	until   atomic.Uint64 // ordered bits of the time after which no answer matters
}

// sceneWorker is one goroutine's.
type sceneWorker struct {
	solver Solver
	found  engine.List[SceneImpact]
	best   SceneImpact
	im     SceneImpact
	err    error
	tally
}

// run answers all pairs into the workers: all that are found, or the best of each.
func (s *Scene) run(o *Options, first bool) error {
	if s.memory == nil {
		s.memory = new(sceneMemory)
	}
	m := s.memory
	m.o = DefaultOptions()
	if o != nil {
		m.o = *o
	}
	if err := s.check(&m.o); err != nil {
		return err
	}
	clock := startClock(s.Stats)
	m.begin(s)
	clock.built(len(s.Bodies))
	most := math.MaxInt
	if s.MemoryLimit > 0 {
		most = int(max(min(s.MemoryLimit/(pairsShare*uint64(unsafe.Sizeof(pair{}))), math.MaxInt32), leastPairs))
	}
	keep := s.keep()
	for {
		m.pairs = m.sweep.more(m.pairs, most, keep)
		clock.Pairs += int64(len(m.pairs))
		clock.swept(len(m.pairs), int64(unsafe.Sizeof(pair{})))
		m.budget.Beside(int64(cap(m.pairs)) * int64(unsafe.Sizeof(pair{})))
		if len(m.pairs) == 0 {
			break
		}
		m.gate.Part(int64(len(m.pairs)), float64(m.sweep.at)/float64(len(s.Bodies)))
		var next atomic.Int64
		threads := min(max(s.Threads, 1), len(m.pairs))
		err := engine.Parallel(threads, func(worker int) { s.work(&m.workers[worker], &next, first) })
		for i := range m.workers {
			err = cmp.Or(err, m.workers[i].err)
		}
		if clock.answered(threads); err != nil {
			return err
		}
		if err := m.budget.Err(); err != nil {
			return err
		}
		if m.gate.Cancelled() {
			break
		}
	}
	for i := range m.workers {
		clock.count(m.workers[i].tally)
	}
	clock.end(int64(len(s.Bodies)) * int64(unsafe.Sizeof(Box{})+4))
	return m.gate.End()
}

// begin makes the memory ready for a call, and sweeps the boxes.
func (m *sceneMemory) begin(s *Scene) {
	m.until.Store(ordered(math.Inf(1)))
	m.gate.Begin(s.Progress)
	m.budget.Begin(s.MemoryLimit)
	for len(m.workers) < max(s.Threads, 1) {
		m.workers = append(m.workers, sceneWorker{})
	}
	for i := range m.workers {
		w := &m.workers[i]
		w.found.Clear(s.MemoryLimit)
		w.best, w.err, w.tally = SceneImpact{A: -1, B: -1}, nil, tally{}
		w.best.setSeparate()
	}
	m.sweep.boxes = m.sweep.boxes[:0]
	for i, b := range s.Bodies {
		m.sweep.boxes = append(m.sweep.boxes, swept(b, &s.Motions[i], m.o.T0, m.o.T1))
	}
	m.sweep.begin(num.AddUp(m.o.Separation, m.o.Tolerance))
}

// check is the door; the error names the argument.
func (s *Scene) check(o *Options) error {
	still := Motion{}
	still.Rotation.Real = 1
	if err := o.check(&still, &still); err != nil {
		return err
	}
	n := len(s.Bodies)
	if len(s.Motions) != n {
		return fmt.Errorf("motions has %d items for %d bodies: %w", len(s.Motions), n, status.ErrArgument)
	}
	if s.Groups != nil && len(s.Groups) != n {
		return fmt.Errorf("groups has %d items for %d bodies: %w", len(s.Groups), n, status.ErrArgument)
	}
	for i := range s.Motions {
		if err := s.Motions[i].Check(o.T0, o.T1); err != nil {
			return fmt.Errorf("motions[%d]: %w", i, err)
		}
	}
	for i, p := range s.Skip {
		for k, b := range p {
			if b < 0 || int(b) >= n {
				return fmt.Errorf("skip[%d][%d] is %d for %d bodies: %w", i, k, b, n, status.ErrIndex)
			}
		}
	}
	return nil
}

// keep tells which pairs are asked about.
func (s *Scene) keep() func(pair) bool {
	if s.Groups == nil && len(s.Skip) == 0 {
		return func(pair) bool { return true }
	}
	if s.memory.skip == nil {
		s.memory.skip = make(map[pair]bool, len(s.Skip))
	}
	skip := s.memory.skip
	clear(skip)
	for _, p := range s.Skip {
		skip[pair{min(p[0], p[1]), max(p[0], p[1])}] = true
	}
	return func(p pair) bool {
		return !(s.Groups != nil && s.Groups[p.a] >= 0 && s.Groups[p.a] == s.Groups[p.b]) && !skip[p]
	}
}

// work answers pairs until there are none, and keeps the answers that are neither Separate nor too late to matter.
func (s *Scene) work(w *sceneWorker, next *atomic.Int64, first bool) {
	m := s.memory
	for {
		i := int(next.Add(1)) - 1
		if i >= len(m.pairs) {
			return
		}
		p, im := m.pairs[i], &w.im
		*im = SceneImpact{A: int64(p.a), B: int64(p.b)}
		w.solver.until, w.solver.late = math.Inf(1), false
		if first {
			w.solver.until = unordered(m.until.Load())
		}
		if w.err = w.solver.earliest(s.Bodies[p.a], s.Bodies[p.b], &s.Motions[p.a], &s.Motions[p.b], &m.o, &im.Impact); w.err != nil {
			return
		}
		if !w.solver.late && im.Verdict != geom.Separate {
			w.count(im.Verdict)
			if !first {
				w.found.Add(im, &m.budget, sceneBytes)
			} else if im.compare(&w.best) < 0 {
				w.best = *im
				lower(&m.until, im.TOILo)
			}
		}
		if !m.gate.Pass(1) || m.budget.Over() {
			return
		}
	}
}

// lower brings a time, in its ordered bits, down to that of an answer.
func lower(until *atomic.Uint64, t float64) {
	for bits := ordered(t); ; {
		old := until.Load()
		if bits >= old || until.CompareAndSwap(old, bits) {
			return
		}
	}
}

// ordered are a double's bits in the order of the doubles, of either sign; -0 comes as 0.
func ordered(x float64) uint64 {
	b := math.Float64bits(x + 0)
	if b>>63 != 0 {
		return ^b
	}
	return b | 1<<63
}

func unordered(b uint64) float64 {
	if b>>63 != 0 {
		return math.Float64frombits(b &^ (1 << 63))
	}
	return math.Float64frombits(^b)
}

package rigid

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"unsafe"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/rigid/poses"
	"ccd/core/status"
)

// A Scene is many bodies that move at once; body i moves by Motions[i]. One Body may be there many
// times.
type Scene struct {
	Bodies  []*Body
	Motions []Motion

	// Pairs that are not tested: of bodies with the same group, where that is not negative; and
	// those named. Both may be nil.
	Groups []int32
	Skip   [][2]int32

	// Separations of pairs, each listed once, take the place of Options.MinSeparation. Within does
	// not use them.
	Separations []PairSeparation

	engine.CallOptions // MemoryLimit bounds the bytes for pairs at any one time, and for what is found

	memory *sceneMemory // memory of the calls so far; a Scene serves one goroutine at a time
}

// PairSeparation is the separation of two bodies of a scene, in any order. Its layout is that of
// ccd_rigid_separation.
type PairSeparation struct {
	A, B       int32
	Separation float64
}

// A SceneImpact is the impact of the bodies A < B of a scene; both are -1 where there is none. Its
// layout is that of ccd_rigid_scene_impact.
type SceneImpact struct {
	A, B int64
	Impact
}

// compare orders impacts by (TOILo, A, B).
func (im *SceneImpact) compare(other *SceneImpact) int {
	return cmp.Or(cmp.Compare(im.TOILo, other.TOILo), cmp.Compare(im.A, other.A), cmp.Compare(im.B, other.B))
}

// sceneBytes is the memory of an impact until a list of all is returned: as it is found, and in the
// list.
const sceneBytes = 2 * int(unsafe.Sizeof(SceneImpact{}))

// Collisions returns the impacts of all pairs that are not Separate, ordered by (TOILo, A, B); o
// may be nil for DefaultOptions.
//
// An impact is that of Solver.Earliest for the two bodies, with the laws there and with
// MaxIterations for each pair. But where the boxes of two bodies over [TMin, TMax] stay apart by
// more than MinSeparation + Tolerance, the pair is Separate without a test; by the laws it could
// not be in contact, only undecided for want of iterations or of bits (or, by a Search,
// approximate). The list has the same bits for any number of threads.
func (s *Scene) Collisions(o *Options) ([]SceneImpact, error) {
	if err := s.run(o, false); err != nil {
		return nil, err
	}
	all := engine.Gather(s.memory.workers, func(w *sceneWorker) *engine.List[SceneImpact] { return &w.found })
	slices.SortFunc(all, func(x, y SceneImpact) int { return x.compare(&y) })
	return all, nil
}

// Earliest returns the first of Collisions, or Separate where there is none: then it is a proof
// that all pairs that are tested keep more than MinSeparation for all t in [TMin, TMax]. Otherwise
// they all do so for t < TOILo.
//
// Every pair has one impact, whichever worker computes it. Let best be the least in the order
// (TOILo, A, B): the result. The search keeps the least TOILo so far, M >= best.TOILo, and skips
// only pairs whose TOILo is proven to be after M (see Solver.earliest), which are not best, nor
// tied with it. All others are compared. So best is found whatever the order.
func (s *Scene) Earliest(o *Options) (SceneImpact, error) {
	first := SceneImpact{A: -1, B: -1}
	first.SetUndecided(math.Inf(-1), 0) // No time is known to be safe yet.
	if err := s.run(o, true); err != nil {
		return first, err
	}
	return s.memory.first.Best(), nil
}

// Release drops the references to the caller's data; memory is kept for the next call.
func (s *Scene) Release() { *s = Scene{memory: s.memory} }

// sceneMemory is the memory that one call keeps for the next.
type sceneMemory struct {
	o       Options
	sweep   sweep
	pairs   []pair
	skip    map[pair]bool
	apart   map[pair]float64 // the separations of pairs
	workers []sceneWorker
	call    engine.Call
	first   engine.Incumbent[SceneImpact] // the earliest impact so far, in a search for the earliest
}

// sceneWorker is the memory of one goroutine.
type sceneWorker struct {
	solver Solver
	found  engine.List[SceneImpact]
	im     SceneImpact
	own    Options // the options of a pair that has a separation of its own
	err    error
	tally
}

// run tests all pairs; the workers keep all impacts, or the memory the earliest one.
func (s *Scene) run(o *Options, first bool) error {
	if s.memory == nil {
		s.memory = new(sceneMemory)
	}
	m := s.memory
	m.o = DefaultOptions()
	if o != nil {
		m.o = *o
	}
	if err := s.check(&m.o, false); err != nil {
		return err
	}
	if err := m.begin(s); err != nil {
		return err
	}
	return m.call.End(m.solve(s, first))
}

// solve lists the pairs in portions, and tests them.
func (m *sceneMemory) solve(s *Scene, first bool) error {
	const pairBytes = int64(unsafe.Sizeof(pair{}))
	stats := &m.call.Stats
	stats.Boxes = int64(len(s.Bodies))
	stats.SecondsBuild = m.call.Lap()
	most := math.MaxInt
	if s.MemoryLimit > 0 {
		most = int(max(min(s.MemoryLimit/(pairsShare*uint64(pairBytes)), math.MaxInt32), leastPairs))
	}
	keep, held := s.keep(), 0
	for {
		m.pairs = m.sweep.more(m.pairs, most, keep)
		stats.Candidates[0] += int64(len(m.pairs))
		held = max(held, len(m.pairs))
		stats.SecondsBroad += m.call.Lap()
		m.call.Budget.SetWorking(int64(cap(m.pairs)) * pairBytes)
		if len(m.pairs) == 0 {
			break
		}
		m.call.Progress.Part(int64(len(m.pairs)), float64(m.sweep.at)/float64(len(s.Bodies)))
		tasks := engine.NewTasks(0, len(m.pairs))
		err := m.call.Run(len(m.pairs), func(worker int) { s.work(&m.workers[worker], tasks, first) })
		for i := range m.workers {
			err = cmp.Or(err, m.workers[i].err)
		}
		if stats.SecondsNarrow += m.call.Lap(); err != nil {
			return err
		}
	}
	for i := range m.workers {
		m.workers[i].tally.add(stats)
	}
	stats.PeakBytes = int64(held)*pairBytes + int64(len(s.Bodies))*int64(unsafe.Sizeof(poses.Box{})+4)
	return nil
}

// begin makes the memory ready for a call, and sweeps the boxes.
func (m *sceneMemory) begin(s *Scene) error {
	if err := m.call.Begin(&s.CallOptions); err != nil {
		return err
	}
	none := SceneImpact{A: -1, B: -1}
	none.setSeparate()
	m.first.Begin(none, func(im *SceneImpact) float64 {
		return im.TOILo
	}, func(a, b *SceneImpact) bool { return a.compare(b) < 0 })
	for len(m.workers) < int(m.call.Stats.Threads) {
		m.workers = append(m.workers, sceneWorker{})
	}
	for i := range m.workers {
		w := &m.workers[i]
		w.found.Clear(s.MemoryLimit)
		w.err, w.tally = nil, tally{}
	}
	m.sweep.boxes = m.sweep.boxes[:0]
	for i, b := range s.Bodies {
		box := swept(b, &s.Motions[i], m.o.TMin, m.o.TMax)
		if m.o.Tolerance == 0 {
			box.Inflate(shareOfTolerance(b, &s.Motions[i], m.o.TMin, m.o.TMax))
		}
		m.sweep.boxes = append(m.sweep.boxes, box)
	}
	most := m.o.MinSeparation
	for p, separation := range m.separations(s) {
		m.apart[p] = separation
		most = max(most, separation)
	}
	tolerance := m.o.Tolerance
	if tolerance == 0 { // Each box has the part of its body; that of the separation is no body's.
		tolerance = separationShare * most
	}
	m.sweep.begin(num.AddUp(most, tolerance))
	return nil
}

// separations clears the separations of pairs, and lists those of a scene.
func (m *sceneMemory) separations(s *Scene) iter.Seq2[pair, float64] {
	clear(m.apart)
	if m.apart == nil && len(s.Separations) > 0 {
		m.apart = make(map[pair]float64, len(s.Separations))
	}
	return func(yield func(pair, float64) bool) {
		for _, p := range s.Separations {
			if !yield(pair{min(p.A, p.B), max(p.A, p.B)}, p.Separation) {
				return
			}
		}
	}
}

// checkSeparations validates the separations of pairs.
func (s *Scene) checkSeparations() error {
	known := make(map[pair]int, len(s.Separations))
	for i, p := range s.Separations {
		for k, b := range [2]int32{p.A, p.B} {
			if b < 0 || int(b) >= len(s.Bodies) {
				return fmt.Errorf("separations[%d].%c is %d for %d bodies: %w", i, 'a'+k, b, len(s.Bodies),
					status.ErrIndex)
			}
		}
		key := pair{min(p.A, p.B), max(p.A, p.B)}
		before, twice := known[key]
		switch {
		case p.A == p.B:
			return status.Errorf(status.ErrArgument, "separations[%d] is of body %d alone: name two bodies", i, p.A)
		case !(p.Separation >= 0 && p.Separation <= MaxMagnitude):
			return status.Errorf(status.ErrArgument, "separations[%d].separation is %v: must be in [0, %v]", i,
				p.Separation, MaxMagnitude)
		case twice:
			return status.Errorf(status.ErrArgument,
				"separations[%d] is of the bodies %d and %d, as separations[%d]: list each pair once", i, p.A, p.B,
				before)
		}
		known[key] = i
	}
	return nil
}

// optionsOf returns the options of a pair, in o where it has a separation of its own.
func (m *sceneMemory) optionsOf(p pair, o *Options) *Options {
	separation, own := m.apart[p]
	if !own {
		return &m.o
	}
	*o = m.o
	o.MinSeparation = separation
	return o
}

// check validates the arguments; the error names the wrong one.
func (s *Scene) check(o *Options, mesh bool) error {
	still := Motion{}
	still.Rotation.Real = 1
	if err := o.check(&still, &still, mesh); err != nil {
		return err
	}
	n := len(s.Bodies)
	if len(s.Motions) != n {
		return status.Errorf(status.ErrArgument, "motions has %d items for %d bodies: the numbers must be equal",
			len(s.Motions), n)
	}
	if s.Groups != nil && len(s.Groups) != n {
		return status.Errorf(status.ErrArgument, "groups has %d items for %d bodies: the numbers must be equal",
			len(s.Groups), n)
	}
	for i := range s.Motions {
		if err := s.Motions[i].Check(o.TMin, o.TMax); err != nil {
			return fmt.Errorf("motions[%d]: %w", i, err)
		}
	}
	if err := s.checkSeparations(); err != nil {
		return err
	}
	for i, p := range s.Skip {
		for k, b := range p {
			if b < 0 || int(b) >= n {
				return status.Errorf(status.ErrIndex, "skip[%d][%d] is %d: out of range for %d bodies", i, k, b, n)
			}
		}
	}
	return nil
}

// keep returns the filter of the pairs that are tested.
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

// work tests pairs until none is left, and keeps the impacts that are neither Separate nor too late
// to matter.
func (s *Scene) work(w *sceneWorker, tasks *engine.Tasks, first bool) {
	m := s.memory
	for i := range tasks.All() {
		p, im := m.pairs[i], &w.im
		*im = SceneImpact{A: int64(p.a), B: int64(p.b)}
		w.solver.until, w.solver.late = math.Inf(1), false
		if first {
			w.solver.until = m.first.Time()
		}
		if w.err = w.solver.earliest(s.Bodies[p.a], s.Bodies[p.b], &s.Motions[p.a], &s.Motions[p.b],
			m.optionsOf(p, &w.own), &im.Impact); w.err != nil {
			return
		}
		if !w.solver.late && im.Verdict != geom.Separate {
			w.count(im.Verdict)
			if !first {
				w.found.Add(im, &m.call.Budget, sceneBytes)
			} else {
				m.first.Enter(im)
			}
		}
		if !m.call.Progress.Pass(1) || m.call.Budget.Over() {
			return
		}
	}
}

// tally counts the pairs that were tested and their verdicts.
type tally struct{ solved, impacts, undecided int64 }

func (t *tally) count(v geom.Verdict) {
	t.impacts++
	if v == geom.Undecided {
		t.undecided++
	}
}

// add adds the counts to a call's.
func (t *tally) add(s *engine.Stats) {
	s.Candidates[0] += t.solved
	s.Impacts += t.impacts
	s.Undecided += t.undecided
}

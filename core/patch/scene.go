package patch

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/status"
)

// Scene finds contacts of bodies over a step. It serves one goroutine at a time, and keeps its
// memory from call to call.
type Scene struct {
	call      engine.Call
	pairs     []candidatePair
	waiting   []candidatePair // pairs whose search was put off
	slabs     [2][]slabs
	workers   []*worker
	used      int                      // the largest number of workers at once in this call
	incumbent engine.Incumbent[Impact] // the earliest impact so far, in a search for the earliest
}

// candidatePair is a pair of patches whose swept boxes meet, and the time up to which their hulls
// keep apart.
type candidatePair struct {
	a, b int32
	from float64
}

// worker is one goroutine's part of a call.
type worker struct {
	solver     Solver
	a, b       Patch // the pair at hand
	found      engine.List[Impact]
	waiting    []candidatePair // pairs whose search was put off
	unresolved []float64       // times up to which all queries of a call left pairs of parts open: see adjacency
	bytes      int             // the most bytes that the subpatches of a query took
	counts     engine.Stats
}

// subject is what a call compares: two bodies, or one with itself.
type subject interface {
	// steps are the bodies whose patches make pairs.
	steps() (a, b *BodyStep)
	// sweep lists the pairs whose swept boxes, grown by the separation, meet.
	sweep(s *Scene, separation float64)
	// begin begins the query of two patches, or of one with itself where same is true, and returns
	// the search that answers it.
	begin(s *Solver, a, b *Patch, same bool, o *Options) pairSearch
}

// twoBodies is the subject of calls on two bodies.
type twoBodies struct{ a, b *BodyStep }

func (t twoBodies) steps() (a, b *BodyStep) { return t.a, t.b }

func (t twoBodies) sweep(s *Scene, separation float64) {
	a, b := t.a.boxes(separation), t.b.boxes(0)
	s.built(len(a) + len(b))
	s.sweep(a, b)
}

func (twoBodies) begin(s *Solver, a, b *Patch, _ bool, o *Options) pairSearch {
	return s.begin(a, b, o)
}

// Pair solves the query of two patches as Solver.Solve does, with the progress and the statistics
// of a call. A canceled call leaves im as it was.
func (s *Scene) Pair(a, b *Patch, o *Options, im *Impact) error {
	if err := s.begin(o); err != nil {
		return err
	}
	stats := &s.call.Stats
	stats.Boxes, stats.Candidates[0] = 2, 1
	var answer Impact
	err := s.each(1, 1, func(w *worker, _ int) bool {
		answer = w.solver.begin(a, b, o).find()
		w.count(answer.Verdict)
		return true
	})
	if err = s.end(err); err == nil {
		*im = answer
	}
	return err
}

// Earliest returns the first impact between a patch of a and one of b, in the order of (TOILo, A,
// B), with the same bits on any number of threads. It is the first impact of Collisions up to the
// tolerance, because this search looks less often for contacts of pairs that come later.
//
// Separate is a proof: no pair comes within the separation for t <= TMax. Otherwise none does so
// for t < TOILo: the pairs are taken up by the time up to which their hulls keep apart, and those
// that are left out, or given up (engine.Incumbent), keep apart that long. So the order of the
// patches in their bodies changes no bit of the time.
func (s *Scene) Earliest(a, b *BodyStep, o *Options) (Impact, error) {
	return s.earliest(twoBodies{a, b}, o)
}

func (s *Scene) earliest(of subject, o *Options) (im Impact, err error) {
	if err = s.begin(o); err == nil {
		im, err = s.findFirst(of, o, 1)
		err = s.end(err)
	}
	if err != nil {
		im.SetSeparate()
	}
	return im, err
}

// impactBytes is the memory of an impact until the call returns: in the list of the worker that
// finds it, and in the list of all.
const impactBytes = 2 * int(unsafe.Sizeof(Impact{}))

// Collisions returns the impacts of all pairs that are not Separate, in order: the same bits for
// any number of threads, because every pair is decided by itself.
func (s *Scene) Collisions(a, b *BodyStep, o *Options) ([]Impact, error) {
	return s.collisions(twoBodies{a, b}, o)
}

func (s *Scene) collisions(of subject, o *Options) ([]Impact, error) {
	if err := s.begin(o); err != nil {
		return nil, err
	}
	err := s.list(of, o, 0.25)
	if err == nil {
		err = s.each(len(s.pairs), 1, func(w *worker, i int) bool {
			if im := w.answer(of, &s.pairs[i], o); im.Verdict != geom.Separate {
				w.found.Add(&im, &s.call.Budget, impactBytes)
			}
			return true
		})
	}
	if err = s.end(err); err != nil {
		return nil, err
	}
	list := engine.Gather(s.workers, func(w **worker) *engine.List[Impact] { return &(*w).found })
	inOrder(list)
	return list, nil
}

// inOrder sorts impacts by Impact.Before.
func inOrder(list []Impact) {
	slices.SortFunc(list, func(x, y Impact) int {
		if x.Before(&y) {
			return -1
		}
		return 1
	})
}

// begin checks the options and begins a call.
func (s *Scene) begin(o *Options) error {
	if err := o.CheckAll(); err != nil {
		return err
	}
	if err := s.call.Begin(&o.CallOptions); err != nil {
		return err
	}
	s.pairs, s.waiting, s.used = s.pairs[:0], s.waiting[:0], 0
	for _, w := range s.workers {
		w.found.Clear(o.MemoryLimit)
		w.unresolved, w.bytes, w.counts = w.unresolved[:0], 0, engine.Stats{}
	}
	return nil
}

// each has the workers do the tasks 0 to n-1, in order, until one returns false. What a task
// computes must not depend on the worker. The tasks end at the fraction upTo of the call.
func (s *Scene) each(n int, upTo float64, task func(w *worker, i int) bool) error {
	s.used = max(s.used, min(int(s.call.Stats.Threads), max(1, n)))
	for len(s.workers) < s.used {
		w := new(worker)
		w.solver.progress = &s.call.Progress
		s.workers = append(s.workers, w)
	}
	s.call.Progress.Part(int64(n), upTo)
	tasks := engine.NewTasks(0, n)
	return s.call.Run(n, func(k int) {
		w := s.workers[k]
		for i := range tasks.All() {
			if !task(w, i) {
				tasks.Stop()
			}
			if !s.call.Progress.Pass(1) || s.call.Budget.Over() {
				return
			}
		}
	})
}

// end ends a call.
func (s *Scene) end(err error) error {
	stats := &s.call.Stats
	stats.SecondsNarrow, stats.Threads = s.call.Lap(), int32(s.used)
	stats.PeakBytes = stats.Boxes*int64(unsafe.Sizeof(bounds{})) +
		(stats.Candidates[0]+int64(len(s.waiting)))*int64(unsafe.Sizeof(candidatePair{}))
	for _, w := range s.workers {
		stats.Impacts += w.counts.Impacts
		stats.Undecided += w.counts.Undecided
		stats.PeakBytes += int64(w.bytes)
	}
	return s.call.End(err)
}

// built records the number of boxes and the time that they took.
func (s *Scene) built(boxes int) {
	s.call.Stats.Boxes, s.call.Stats.SecondsBuild = int64(boxes), s.call.Lap()
}

// count counts a verdict and the memory of its query.
func (w *worker) count(v geom.Verdict) {
	w.bytes = max(w.bytes, w.solver.bytes())
	w.counts.Count(v != geom.Separate, v == geom.Undecided)
}

// answer solves the query of one pair.
func (w *worker) answer(of subject, c *candidatePair, o *Options) (im Impact) {
	w.solver.pair.candidatePair = *c
	im = w.begin(of, c, o).find()
	w.unresolved = append(w.unresolved, w.solver.adjacency.unresolved...)
	im.A, im.B = int64(c.a), int64(c.b)
	w.count(im.Verdict)
	return im
}

// begin begins the query of a pair.
func (w *worker) begin(of subject, c *candidatePair, o *Options) pairSearch {
	a, b := of.steps()
	a.gather(int(c.a), &w.a)
	b.gather(int(c.b), &w.b)
	return of.begin(&w.solver, &w.a, &w.b, c.a == c.b, o)
}

// list checks a step and lists the pairs to solve, in the order of the times up to which their
// hulls keep apart.
func (s *Scene) list(of subject, o *Options, upTo float64) error {
	a, b := of.steps()
	for i, f := range [2]*BodyStep{a, b} {
		if err := f.begin(); err != nil {
			return fmt.Errorf("body %c: %w", 'a'+rune(i), err)
		}
	}
	if o.Search != nil && (a.Body.hasLoops() || b.Body.hasLoops()) {
		return status.Errorf(status.ErrUnsupported,
			"options.method: faces with loops have the default method alone")
	}
	of.sweep(s, o.MinSeparation)
	if err := s.call.Budget.Err(); err != nil {
		return err
	}
	s.call.Stats.Candidates[0], s.call.Stats.SecondsBroad = int64(len(s.pairs)), s.call.Lap()
	s.cull(a, b, o.MinSeparation)
	err := s.each(len(s.pairs), upTo, func(w *worker, i int) bool {
		c := &s.pairs[i]
		root, ok := w.begin(of, c, o).start()
		if c.from = root.t0; !ok {
			c.from = math.Inf(1)
		}
		return true
	})
	if err != nil {
		return err
	}
	s.pairs = slices.DeleteFunc(s.pairs, func(c candidatePair) bool { return math.IsInf(c.from, 1) })
	slices.SortFunc(s.pairs, candidatePair.compare)
	return nil
}

package rigid

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/num"
)

// ErrCancelled is returned when the progress callback asked to stop.
var ErrCancelled = broad.ErrCancelled

// A Scene is many bodies that move at once; body i moves by Motions[i]. One Body may be there many times.
type Scene struct {
	Bodies  []*Body
	Motions []Motion

	// Pairs that are not asked about: of bodies with the same group, where that is not negative; and those named. Both may be nil.
	Groups []int32
	Skip   [][2]int32

	Threads  int                         // at least 1 is used
	Progress func(fraction float64) bool // nil, or called from time to time, never twice at once; true cancels the call
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

// Contacts are the answers of all pairs that are not Separate, ordered by (TOILo, A, B); o may be nil for DefaultOptions.
//
// An answer is that of Solver.Earliest for the two bodies, with the laws there and with MaxSteps for each pair. But where the boxes of two
// bodies over [T0, T1] stay apart by more than Separation + Tolerance, the pair is Separate without being asked; by the
// laws it could not be in contact, only undecided for want of steps or of bits (or approximate, with Capoeira). The answer has the same
// bits for any number of threads.
func (s *Scene) Contacts(o *Options) ([]SceneImpact, error) {
	r, err := s.begin(o)
	if err != nil {
		return nil, err
	}
	found := make([][]SceneImpact, r.threads)
	err = r.run(func(worker int, im *SceneImpact) { found[worker] = append(found[worker], *im) })
	if err != nil {
		return nil, err
	}
	all := slices.Concat(found...)
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
	none := SceneImpact{A: -1, B: -1}
	none.setUndecided(math.Inf(-1)) // nothing is promised
	r, err := s.begin(o)
	if err != nil {
		return none, err
	}
	best := make([]SceneImpact, r.threads)
	for i := range best {
		best[i].A, best[i].B = -1, -1
		best[i].setSeparate()
	}
	err = r.run(func(worker int, im *SceneImpact) {
		if im.compare(&best[worker]) < 0 {
			best[worker] = *im
			lower(&r.until, im.TOILo)
		}
	})
	if err != nil {
		return none, err
	}
	return slices.MinFunc(best, func(x, y SceneImpact) int { return x.compare(&y) }), nil
}

// round is one call.
type round struct {
	*Scene
	o       Options
	threads int
	pairs   []pair
	gate    broad.Gate
	until   atomic.Uint64 // ordered bits of the time after which no answer matters
}

// begin checks a call and sweeps the boxes.
func (s *Scene) begin(o *Options) (*round, error) {
	r := &round{Scene: s, o: DefaultOptions(), threads: max(s.Threads, 1)}
	if o != nil {
		r.o = *o
	}
	if err := s.check(&r.o); err != nil {
		return nil, err
	}
	r.until.Store(ordered(math.Inf(1)))
	r.gate.Begin(s.Progress)
	if len(s.Bodies) == 0 {
		return r, nil
	}
	boxes := make([]Box, len(s.Bodies))
	for i, b := range s.Bodies {
		boxes[i] = swept(b, &s.Motions[i], r.o.T0, r.o.T1)
	}
	r.pairs = sweep(boxes, num.AddUp(r.o.Separation, r.o.Tolerance), s.keep())
	r.gate.Part(int64(len(r.pairs)), 1)
	return r, nil
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
		return fmt.Errorf("motions has %d items for %d bodies: %w", len(s.Motions), n, ErrArgument)
	}
	if s.Groups != nil && len(s.Groups) != n {
		return fmt.Errorf("groups has %d items for %d bodies: %w", len(s.Groups), n, ErrArgument)
	}
	for i := range s.Motions {
		if err := s.Motions[i].Check(o.T0, o.T1); err != nil {
			return fmt.Errorf("motions[%d]: %w", i, err)
		}
	}
	for i, p := range s.Skip {
		for k, b := range p {
			if b < 0 || int(b) >= n {
				return fmt.Errorf("skip[%d][%d] is %d for %d bodies: %w", i, k, b, n, ErrIndex)
			}
		}
	}
	return nil
}

// keep tells which pairs are asked about.
func (s *Scene) keep() func(pair) bool {
	skip := make(map[pair]bool, len(s.Skip))
	for _, p := range s.Skip {
		skip[pair{min(p[0], p[1]), max(p[0], p[1])}] = true
	}
	return func(p pair) bool {
		return !(s.Groups != nil && s.Groups[p.a] >= 0 && s.Groups[p.a] == s.Groups[p.b]) && !skip[p]
	}
}

// run has the crew answer the pairs, and hands on the answers that are neither Separate nor too late to matter.
func (r *round) run(handle func(worker int, im *SceneImpact)) error {
	var next atomic.Int64
	failed := make([]error, r.threads)
	err := broad.Crew(min(r.threads, max(len(r.pairs), 1)), func(worker int) {
		solver := new(Solver)
		for {
			i := int(next.Add(1)) - 1
			if i >= len(r.pairs) {
				return
			}
			p := r.pairs[i]
			im := SceneImpact{A: int64(p.a), B: int64(p.b)}
			solver.until, solver.late = r.end(), false
			err := solver.earliest(r.Bodies[p.a], r.Bodies[p.b], &r.Motions[p.a], &r.Motions[p.b], &r.o, &im.Impact)
			if err != nil {
				failed[worker] = err
				return
			}
			if !solver.late && im.Verdict != geom.Separate {
				handle(worker, &im)
			}
			if !r.gate.Pass(1) {
				return
			}
		}
	})
	for _, e := range failed {
		err = cmp.Or(err, e)
	}
	return cmp.Or(err, r.gate.End())
}

// end is the time after which no answer matters.
func (r *round) end() float64 { return unordered(r.until.Load()) }

// lower brings such a time, in its ordered bits, down to the time of an answer.
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

package neighbors

import (
	"sync"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/status"
	"ccd/core/step"
)

// Step returns the step of the list's mesh from x0 to x1, whose calls use the pairs of the list
// where it has all that they need. Results have the bits of the calls of step.Straight.
func (l *List) Step(x0, x1 []float64) *step.Step { return step.From(&source{l, x0, x1}) }

// source is a step through a list.
type source struct {
	list   *List
	x0, x1 []float64
}

// Stay copies x0.
func (s *source) Stay(x []float64) {
	if len(x) == len(s.x0) {
		copy(x, s.x0)
	}
}

// Run runs a call with options that have the candidates of the list, if it has them.
func (s *source) Run(w step.Wanted, o *step.Options, call func(p *step.Part, o *step.Options) error) error {
	l, own := s.list, *o
	part := step.NewPart(l.m, s.x0, s.x1, nil)
	if own.Candidates != nil {
		return status.Errorf(status.ErrUnsupported,
			"options.candidates: a neighbor list has its own candidates; set none")
	}
	d := own.MinSeparation
	if d > l.reach {
		return status.Errorf(status.ErrArgument, "options.min_separation is %v: must be at most the list's reach, %v; "+
			"make a list with a larger reach", d, l.reach)
	}
	wrong := own.Options.Check() != nil || own.CallOptions.Check() != nil // the call says what
	if wrong || w != step.NearPairs || !own.Unique() || own.Region != nil ||
		own.Flags&narrow.BruteForce != 0 {
		l.counted(nil)
		return call(part, &own)
	}
	maxNorm := own.Flags&narrow.MaxNorm != 0
	c, err := l.covers(&request{s.x0, s.x1, d, maxNorm, savesStep, &own.CallOptions})
	if err != nil {
		return err
	}
	if l.counted(c); c == nil {
		return call(part, &own)
	}
	pairs := pairsOf.Get().(*[4][][2]int32)
	defer pairsOf.Put(pairs)
	for k := range pairs {
		pairs[k] = c.pairs.Within(geom.Kind(k+1), 0, len(c.pairs.Pairs[k]), c.limit, pairs[k][:0])
	}
	own.Candidates = broad.Given(l.m, c.pairs.Filter, d, *pairs)
	return call(part, &own)
}

// pairsOf is a pool of the pairs of finished calls, so that later calls reuse their memory.
var pairsOf = sync.Pool{New: func() any { return new([4][][2]int32) }}

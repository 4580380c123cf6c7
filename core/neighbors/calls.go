package neighbors

import (
	"sync"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/proximity"
	"ccd/core/status"
	"ccd/core/step"
)

// Near returns proximity.Near(m, x, d, o). d is at most the reach.
func (l *List) Near(x []float64, d float64, o *proximity.Options) ([]proximity.NearPair, error) {
	var own proximity.Options
	if o != nil {
		own = *o
	}
	if d > l.reach {
		return nil, status.Errorf(status.ErrArgument, "d is %v: must be at most the list's reach, %v; make a list with a larger reach", d, l.reach)
	}
	if own.BruteForce || !(d >= 0) || own.Check() != nil {
		l.counted(nil)
		return proximity.Near(l.m, x, d, &own)
	}
	c, err := l.covers(&call{x0: x, x1: x, d: d, saves: savesNear, options: &own.CallOptions})
	if err != nil {
		return nil, err
	}
	if l.counted(c); c == nil {
		return proximity.Near(l.m, x, d, &own)
	}
	return proximity.NearAmong(l.m, x, d, c.pairs, c.limit, &own)
}

// Step runs run with options that have the candidates of the list, if it has them. run must return the same for all candidates that
// contain every pair that comes within the minimum separation on the way from x0 to x1, or to positions between.
func (l *List) Step(x0, x1 []float64, o *step.Options, run func(o *step.Options) error) error {
	if o == nil {
		d := step.DefaultOptions()
		o = &d
	}
	own := *o
	if own.Candidates != nil {
		return status.Errorf(status.ErrUnsupported, "options.candidates: a neighbor list has its own candidates; set none")
	}
	d := own.MinSeparation
	if d > l.reach {
		return status.Errorf(status.ErrArgument, "options.min_separation is %v: must be at most the list's reach, %v; make a list with a larger reach", d, l.reach)
	}
	if !own.Unique() || own.Slab != nil || own.Region != nil || own.Flags&narrow.BruteForce != 0 || own.Options.Check() != nil || own.CallOptions.Check() != nil {
		l.counted(nil)
		return run(&own)
	}
	c, err := l.covers(&call{x0: x0, x1: x1, d: d, maxNorm: own.Flags&narrow.MaxNorm != 0, saves: savesStep, options: &own.CallOptions})
	if err != nil {
		return err
	}
	if l.counted(c); c == nil {
		return run(&own)
	}
	pairs := pairsOf.Get().(*[4][][2]int32)
	defer pairsOf.Put(pairs)
	for k := range pairs {
		pairs[k] = c.pairs.Within(geom.Kind(k+1), 0, len(c.pairs.Pairs[k]), c.limit, pairs[k][:0])
	}
	own.Candidates = broad.Given(l.m, c.pairs.Filter, d, *pairs)
	return run(&own)
}

// pairsOf is a pool of the pairs of finished calls, so that later calls reuse their memory.
var pairsOf = sync.Pool{New: func() any { return new([4][][2]int32) }}

// Earliest returns step.Earliest(m, x0, x1, o).
func (l *List) Earliest(x0, x1 []float64, o *step.Options) (im geom.Impact, err error) {
	im.SetSeparate(0)
	err = l.Step(x0, x1, o, func(o *step.Options) error {
		im, err = step.Earliest(l.m, x0, x1, o)
		return err
	})
	return im, err
}

// Collisions returns step.Collisions(m, x0, x1, o).
func (l *List) Collisions(x0, x1 []float64, o *step.Options) (all []geom.Impact, err error) {
	err = l.Step(x0, x1, o, func(o *step.Options) error {
		all, err = step.Collisions(l.m, x0, x1, o)
		return err
	})
	return all, err
}

// Size returns step.Size(m, x0, x1, o).
func (l *List) Size(x0, x1 []float64, o *step.Options) (alpha float64, err error) {
	err = l.Step(x0, x1, o, func(o *step.Options) error {
		alpha, err = step.Size(l.m, x0, x1, o)
		return err
	})
	return alpha, err
}

// Advance returns step.Advance(m, x0, x1, x, share, o).
func (l *List) Advance(x0, x1, x []float64, share float64, o *step.Options) (alpha float64, err error) {
	err = l.Step(x0, x1, o, func(o *step.Options) error {
		alpha, err = step.Advance(l.m, x0, x1, x, share, o)
		return err
	})
	if err != nil && len(x) == len(x0) {
		copy(x, x0)
	}
	return alpha, err
}

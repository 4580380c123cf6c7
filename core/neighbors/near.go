package neighbors

import (
	"ccd/core/proximity"
	"ccd/core/status"
)

// Near returns proximity.Near(m, x, d, o). d is at most the reach.
func (l *List) Near(x []float64, d float64, o *proximity.Options) ([]proximity.NearPair, error) {
	var own proximity.Options
	if o != nil {
		own = *o
	}
	if d > l.reach {
		return nil, status.Errorf(status.ErrArgument,
			"d is %v: must be at most the list's reach, %v; make a list with a larger reach", d, l.reach)
	}
	if own.BruteForce || !(d >= 0) || own.Check() != nil {
		l.counted(nil)
		return proximity.Near(l.m, x, d, &own)
	}
	c, err := l.covers(&request{x0: x, x1: x, d: d, saves: savesNear, options: &own.CallOptions})
	if err != nil {
		return nil, err
	}
	if l.counted(c); c == nil {
		return proximity.Near(l.m, x, d, &own)
	}
	return proximity.NearAmong(l.m, x, d, c.pairs, c.limit, &own)
}

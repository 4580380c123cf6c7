package broad

import (
	"ccd/core/bound"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
)

// bruteBytes is the memory of a pair in a list that grows by a quarter at a time, with the old and the new list in memory.
const bruteBytes = 8 + 8 + 8/4

// BruteForce finds the candidates by testing every pair, for CCD_BRUTE_FORCE. Its time is quadratic.
func BruteForce(m *mesh.Mesh, mo *geom.Motion, o Options) (*Candidates, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	r, filter, c := bound.Half(o.MinSeparation), m.Filter(), &Candidates{mesh: m, separation: o.MinSeparation}
	var budget engine.Budget
	budget.Begin(o.MemoryLimit)
	for _, f := range families(m) {
		a := boxes(m, mo, &f.a, r)
		b, fb := a, &f.a
		if !f.self {
			b, fb = boxes(m, mo, &f.b, r), &f.b
		}
		for i := range a {
			if o.Progress != nil && o.Progress(float64(i)/float64(len(a))) {
				return nil, status.ErrCancelled
			}
			j := 0
			if f.self {
				j = i + 1
			}
			for ; j < len(b); j++ {
				if x, y := f.a.id(i), fb.id(j); a[i].Overlaps(&b[j]) && filter.Allows(f.kind, x, y) {
					if !budget.Take(bruteBytes) {
						return nil, budget.Err()
					}
					c.add(f.kind, x, y)
				}
			}
		}
	}
	c.sort()
	return c, nil
}

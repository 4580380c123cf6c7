package broad

import (
	"slices"

	"ccd/core/bound"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
)

// bruteBytes is the memory of a pair in a list that grows by a quarter at a time: 8 bytes in the
// old list, and 8 + 8/4 in the new one, which exists beside it during the copy.
const bruteBytes = 8 + 8 + 8/4

// fewBoxes is the number of boxes of a set for which BruteForce allocates none.
const fewBoxes = 12

// BruteForce finds the candidates by testing every pair, in quadratic time. CCD_BRUTE_FORCE selects
// it.
func BruteForce(m *mesh.Mesh, mo *geom.Trajectories, o Options) (*Candidates, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	stats := o.beginStats()
	filter := m.Filter()
	radii, err := o.radii(m)
	if err != nil {
		return nil, err
	}
	c := &Candidates{mesh: m, separation: o.MinSeparation, radii: radii}
	how := PlanOptions{Input: Input{Separation: o.MinSeparation, Radii: radii}}
	var budget engine.Budget
	budget.Begin(o.MemoryLimit)
	var memory [4]family
	var room [2][fewBoxes]bound.Box
	one, two := room[0][:0], room[1][:0]
	for _, f := range appendFamilies(memory[:], m) {
		one = boxes(one, m, mo, &f.a, &how)
		a, b, fb := one, one, &f.a
		if !f.self {
			two = boxes(two, m, mo, &f.b, &how)
			b, fb = two, &f.b
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
				if x, y := f.a.id(i), fb.id(j); a[i].Overlaps(&b[j]) && filter.Allows(f.kind, x, y) &&
					o.Region.Owns(m, mo, f.kind, x, y) {
					if !budget.Take(bruteBytes) {
						return nil, budget.Err()
					}
					c.add(f.kind, x, y)
				}
			}
		}
	}
	c.sort()
	stats.write(&o, c)
	return c, nil
}

// boxes returns the swept boxes of a set, inflated, in the memory of out.
func boxes(out []bound.Box, m *mesh.Mesh, mo *geom.Trajectories, s *set, how *PlanOptions) []bound.Box {
	out = slices.Grow(out[:0], s.n)[:s.n]
	for i := range out {
		id := s.id(i)
		out[i] = sweptBox(m, mo, s.Shape, id, how.inflation(s.Shape, id))
	}
	return out
}

func sweptBox(m *mesh.Mesh, mo *geom.Trajectories, p geom.Shape, id int32, r float64) bound.Box {
	var v [1]int32
	b := bound.Swept(mo, verticesOf(m, p, id, &v)...)
	b.Inflate(r)
	return b
}

package broad

import (
	"ccd/core/bound"
	"ccd/core/mesh"
	"ccd/core/num"
)

// A few primitives. To sample them, choose a space and a grid and fill its cells takes some
// microseconds, in which the boxes of hundreds of pairs are compared. So a plan of next to nothing
// has no cells: a worker compares all with all, at both ends of the motion as a sweep does, in
// doubles.
//
// Law: it finds each pair at most once, and every pair that the filter allows and that comes within
// its separation, even by a bound of its distance (proximity.NearPair). Proof. If a's box ends
// before b's begins along an axis, at both ends of the motion, then so does each vertex of a beside
// each of b, with their inflations between. Vertices move on segments, so the gap between the two
// is linear in time, and exceeds the inflations throughout. The boxes cover the whole step, so also
// [0, Until]. Of the bound see grown.

// fewPairs is the largest number of pairs that are compared one by one: 400 take as long as a plan.
// Tests change it.
var fewPairs = 400

// hasFewPairs reports whether a mesh has so few pairs in its families, static ones included.
func hasFewPairs(m *mesh.Mesh) bool {
	n, v := 0, m.NV
	if v > fewPairs || len(m.Edges) > fewPairs || len(m.Faces) > fewPairs { // else products might overflow
		return false
	}
	n += v*len(m.Faces) + len(m.Edges)*len(m.Edges)/2
	n += len(m.EdgePoints)*len(m.CodimEdges) + len(m.CodimVertices)*len(m.CodimVertices)/2
	return n <= fewPairs
}

// fits reports whether a plan is of a few primitives, with no options but those that a worker obeys
// where it compares all with all.
func (*few) fits(p *Plan) bool {
	how := &p.how
	switch {
	case how.Input.Bands != nil || !how.Keep.everything() || how.Tactic.Remote != nil || how.Work.Limit != 0 ||
		how.within > 0:
		return false
	case how.Tactic.Orient == OrientAlways || how.Tactic.Orient == DivideAlways ||
		how.Tactic.Hierarchy && UseHierarchy == HierarchyAlways:
		return false
	}
	return hasFewPairs(p.m)
}

// build adds a task for each family.
func (c *few) build(p *Plan) {
	p.tactic = c
	if p.how.Input.Intersections {
		c.families = intersectionFamilies(p.m)
	} else {
		c.families = appendFamilies(c.families, p.m)
	}
	for i := range c.families {
		f := &c.families[i]
		p.todo.add(Task{Kind: f.kind, Weight: f.a.n + f.b.n, family: i})
	}
}

func (*few) bytes() int64 { return 0 }
func (c *few) forget()    { clear(c.families[:cap(c.families)]) }

// endBoxesOf writes the boxes of a set to out.
func (p *Plan) endBoxesOf(s *set, out []endBoxes) {
	var one [1]int32
	uniform, r := p.how.Input.Radii.Uniform(), p.how.most()
	for i := range out {
		id := s.id(i)
		v := verticesOf(p.m, s.Shape, id, &one)
		b := &out[i]
		if !uniform {
			r = p.how.inflation(s.Shape, id)
		}
		for end := range 2 {
			if end == 1 && p.how.Input.AtRest {
				b[1] = b[0]
				continue
			}
			x := p.mo.Rec[8*int(v[0])+4*end:][:3]
			lo, hi := [3]float64(x), [3]float64(x)
			for _, w := range v[1:] {
				x = p.mo.Rec[8*int(w)+4*end:][:3]
				for k := range 3 {
					lo[k], hi[k] = min(lo[k], x[k]), max(hi[k], x[k])
				}
			}
			b[end] = bound.Box{Min: lo, Max: hi}
			b[end].Inflate(grown(r))
		}
	}
}

// grown returns the inflation of a box whose primitive is to be found also where only the lower
// bound of its distance is within the separation.
//
// Derivation. By laws 1 and 3 of proximity.NearPair, with Lo <= d the centers are at most (d +
// 2^-23 (r_a + r_b)) (1 + 2^-22) + r_a + r_b apart, so less than (1 + 2^-21) (d + r_a + r_b), or at
// most the double after d where Lo and Hi are neighbors. The inflations x of the two add up to d +
// r_a + r_b or more. Rounded, x + 2^-20 x is at least (1 + 2^-21) x where that is no denormal, and
// the double above it pays for the double after d.
func grown(x float64) float64 {
	if x == 0 { // what touches overlaps
		return 0
	}
	return num.Up(x + float64(x*0x1p-20))
}

// meet reports whether along every axis the boxes overlap at an end, or change sides.
func (a *endBoxes) meet(b *endBoxes) bool {
	for k := range 3 {
		if a[0].Max[k] < b[0].Min[k] && a[1].Max[k] < b[1].Min[k] || b[0].Max[k] < a[0].Min[k] &&
			b[1].Max[k] < a[1].Min[k] {
			return false
		}
	}
	return true
}

func (c *few) sweep(w *Worker, p *Plan, t *Task, _ float64, emit emitter) {
	f := &c.families[t.family]
	a := grow(&w.ends[0], f.a.n)
	p.endBoxesOf(&f.a, a)
	b, of := a, &f.a
	if !f.self {
		b, of = grow(&w.ends[1], f.b.n), &f.b
		p.endBoxesOf(of, b)
	}
	w.block = w.block[:0]
	for i := range a {
		j := 0
		if f.self {
			j = i + 1
		}
		w.Swept += int64(len(b) - j)
		for ; j < len(b); j++ {
			if x, y := f.a.id(i), of.id(j); a[i].meet(&b[j]) && p.filter.Allows(f.kind, x, y) {
				w.block = append(w.block, [2]int32{x, y}) // within its capacity
			}
		}
	}
	w.Kept += int64(len(w.block))
	w.emit(t.Kind, emit)
}

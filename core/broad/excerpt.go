package broad

import (
	"math"
	"math/bits"
	"slices"

	"ccd/core/broad/hierarchy"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// An Excerpt is some primitives of a mesh. A plan of them alone (Keep.Excerpt) is made in a small
// part of the time that the whole takes. Its pairs are pairs of the whole. Choose takes what is in
// cubes around a few vertices, where these are at the start: an impact of such a pair is an upper
// bound of the earliest. NewBetween takes two groups, of which only pairs of the one with the other
// count.
type Excerpt struct {
	lists [3][]int32   // primitives by shape, ascending
	other *[3][]int32  // nil, or those of the other group
	used  []bool       // used says by vertexRun whether a primitive of the lists has one of its vertices.
	in    []uint8      // Each vertex has a bit for each cube that holds it.
	found [][3][]int32 // found has by block the primitives of lists.

	kept *hierarchy.Order // nil, or the order of the mesh that keeps the excerpt
	uses int              // how often Choose has used the lists of a kept excerpt; 0: there are none

	// Until is the time in which boxes grow by their size at the start, the sum along the axes; an
	// impact by then makes the boxes of a plan small.
	Until float64
}

const (
	excerptCubes = 8   // one for each bit of Excerpt.in
	excerptEdges = 256 // A sample of so many edges sets the size of the cubes.
	// excerptReach is half a cube's width in mean edges: of a sheet some 40 vertices then, of two
	// sheets that touch twice as many.
	excerptReach = 3
	// excerptLeast is the number of primitives from which on an excerpt is small beside the whole:
	// 8 cubes of 80 vertices, 240 edges and 160 faces are 3,840 primitives, 6 % of it. On 60,000
	// primitives whose excerpt has no impact it costs 6 % of the search's instructions.
	excerptLeast = 1 << 16
	// excerptShrinks is the volume of boxes at the start, relative to that of boxes over the whole
	// step, from which on knowing an early impact is worth less than the search for it.
	excerptShrinks = 0.5
	// excerptUses is how many steps the primitives of a kept excerpt serve, so that it follows a
	// mesh that deforms and costs little: to find them took an eighth of the time of a search on
	// armadillo-rollers. Only speed depends on it.
	excerptUses = 16
)

// Choose makes the excerpt of a step and reports whether its search pays: the mesh is large, and
// the boxes at rest are small beside those of the motion, for an inflation of r on each side. It
// uses some threads.
func (e *Excerpt) Choose(m *mesh.Mesh, mo *geom.Trajectories, r float64, threads int) (pays bool, err error) {
	if primitives(m) < excerptLeast || len(m.Edges) == 0 {
		return false, nil
	}
	var rest, swept [3]float64
	n, edge := 0, 0.0
	for i := 0; i < len(m.Edges); i += 1 + len(m.Edges)/excerptEdges {
		a, b := mo.Rec[8*m.Edges[i][0]:][:8], mo.Rec[8*m.Edges[i][1]:][:8]
		var d [3]float64
		for k := range d {
			d[k] = math.Abs(a[k] - b[k])
			rest[k] += d[k]
			swept[k] += max(a[k], b[k], a[4+k], b[4+k]) - min(a[k], b[k], a[4+k], b[4+k])
		}
		edge += math.Sqrt(float64(d[0]*d[0]) + float64(d[1]*d[1]) + float64(d[2]*d[2]))
		n++
	}
	size, grown := 0.0, 0.0
	for k := range rest {
		rest[k], swept[k] = rest[k]/float64(n)+2*r, swept[k]/float64(n)+2*r
		size, grown = size+rest[k], grown+(swept[k]-rest[k])
	}
	e.Until = size / grown
	if !(e.Until > 0 && volumeRatio(rest, swept) <= excerptShrinks) {
		return false, nil
	}
	if e.uses = e.uses % excerptUses; e.uses > 0 {
		e.uses++
		return true, nil
	}
	if err = e.mark(mo, excerptReach*edge/float64(n), threads); err == nil {
		err = e.list(m, threads)
	}
	if err == nil && e.kept != nil {
		e.uses = 1
	}
	return err == nil, err
}

// KeptExcerpt returns the excerpt that a mesh keeps with its hierarchy, for one caller at a time,
// who calls Release; nil where another has it or there is no hierarchy. It is one of the mesh, for
// Choose: it takes the primitives of an earlier step for some steps, as any primitives give a
// bound.
func KeptExcerpt(m *mesh.Mesh) *Excerpt {
	h := m.Hierarchy()
	if h == nil {
		return nil
	}
	o := (*h).(*hierarchy.Order)
	if !o.Kept.TryLock() {
		return nil
	}
	e, ok := o.Kept.Value.(*Excerpt)
	if !ok {
		e = &Excerpt{kept: o}
		o.Kept.Value = e
	}
	return e
}

// Release lets others take a kept excerpt. Plans of it are made anew before they are used again.
func (e *Excerpt) Release() { e.kept.Kept.Unlock() }

// mark finds the vertices in the cubes, whose half width is h. A table along the axis on which the
// cubes are farthest apart says which of them a vertex may be in: for most none. Its map to bins is
// monotone, so a vertex in a cube is in a bin of it.
func (e *Excerpt) mark(mo *geom.Trajectories, h float64, threads int) error {
	var center [excerptCubes][3]float64
	lo, hi := [3]float64{}, [3]float64{}
	stride := engine.Stride(mo.N)
	for c := range center {
		center[c] = [3]float64(mo.Rec[8*(int(int64(c)*int64(stride)%int64(mo.N))):][:3])
		for k, x := range center[c] {
			if c == 0 || x-h < lo[k] {
				lo[k] = x - h
			}
			if c == 0 || x+h > hi[k] {
				hi[k] = x + h
			}
		}
	}
	axis := 0
	for k := range 3 {
		if hi[k]-lo[k] > hi[axis]-lo[axis] {
			axis = k
		}
	}
	from, to := lo[axis], hi[axis]
	var table [256]uint8
	inv := 256 / (to - from)
	if !(inv < math.MaxFloat64) { // the cubes are one point
		inv = 0
	}
	bin := func(x float64) int { return min(max(int((x-from)*inv), 0), len(table)-1) }
	for c := range center {
		for i := bin(center[c][axis] - h); i <= bin(center[c][axis]+h); i++ {
			table[i] |= 1 << c
		}
	}
	in := grow(&e.in, mo.N)
	return inBlocks(mo.N, threads, func(_, first, last int) {
		for v := first; v < last; v++ {
			p := (*[3]float64)(mo.Rec[8*v:])
			inside := uint8(0)
			if x := p[axis]; from <= x && x <= to {
				for left := table[bin(x)]; left != 0; left &= left - 1 {
					c := bits.TrailingZeros8(left)
					d := &center[c]
					if math.Abs(p[0]-d[0]) <= h && math.Abs(p[1]-d[1]) <= h && math.Abs(p[2]-d[2]) <= h {
						inside |= 1 << c
					}
				}
			}
			in[v] = inside
		}
	})
}

// list lists the primitives whose vertices are in one cube: in blocks, which are then put together
// in their order.
func (e *Excerpt) list(m *mesh.Mesh, threads int) error {
	used, in := grow(&e.used, (m.NV+vertexRun-1)/vertexRun), e.in
	clear(used)
	blocks := blocks(primitives(m), threads)
	for len(e.found) < blocks {
		e.found = append(e.found, [3][]int32{})
	}
	err := engine.Parallel(blocks, func(i int) {
		found := &e.found[i]
		vertices, edges, faces := found[geom.Vertex][:0], found[geom.Edge][:0], found[geom.Face][:0]
		for v := m.NV * i / blocks; v < m.NV*(i+1)/blocks; v++ {
			if in[v] != 0 {
				vertices = append(vertices, int32(v))
			}
		}
		for j := len(m.Edges) * i / blocks; j < len(m.Edges)*(i+1)/blocks; j++ {
			if x := &m.Edges[j]; in[x[0]]&in[x[1]] != 0 {
				edges = append(edges, int32(j))
			}
		}
		for j := len(m.Faces) * i / blocks; j < len(m.Faces)*(i+1)/blocks; j++ {
			if x := &m.Faces[j]; in[x[0]]&in[x[1]]&in[x[2]] != 0 {
				faces = append(faces, int32(j))
			}
		}
		found[geom.Vertex], found[geom.Edge], found[geom.Face] = vertices, edges, faces
	})
	for s := range e.lists {
		e.lists[s] = e.lists[s][:0]
		for i := range blocks {
			e.lists[s] = append(e.lists[s], e.found[i][s]...)
		}
	}
	for _, v := range e.lists[geom.Vertex] {
		used[v/vertexRun] = true
	}
	return err
}

// NewBetween returns the excerpt of two groups of primitives, each with lists by shape. No
// primitive is in both groups, and each is in its list once.
func NewBetween(m *mesh.Mesh, one, other [3][]int32) *Excerpt {
	e := &Excerpt{lists: one, other: &other, used: make([]bool, (m.NV+vertexRun-1)/vertexRun)}
	var memory [1]int32
	for _, group := range []*[3][]int32{&e.lists, e.other} {
		for s, list := range group {
			group[s] = slices.Sorted(slices.Values(list))
			for _, i := range list {
				for _, v := range verticesOf(m, geom.Shape(s), i, &memory) {
					e.used[v/vertexRun] = true
				}
			}
		}
	}
	return e
}

// Holds reports whether a pair is one of the excerpt.
func (e *Excerpt) Holds(k geom.Kind, a, b int32) bool {
	s := &k.Info().Shapes
	of := func(lists *[3][]int32, which int, i int32) bool {
		_, found := slices.BinarySearch(lists[s[which]], i)
		return found
	}
	if e.other == nil {
		return of(&e.lists, 0, a) && of(&e.lists, 1, b)
	}
	return of(&e.lists, 0, a) && of(e.other, 1, b) || of(e.other, 0, a) && of(&e.lists, 1, b)
}

// Of returns the candidates that are pairs of the excerpt, as pairs of a caller.
func (e *Excerpt) Of(c *Candidates) *Candidates {
	some := &Candidates{
		mesh: c.mesh, separation: c.separation, radii: c.radii, threads: c.threads, step: c.step, unboxed: c.unboxed,
	}
	for _, k := range geom.StepKinds {
		for _, p := range c.Of(k) {
			if e.Holds(k, p[0], p[1]) {
				some.add(k, p[0], p[1])
			}
		}
	}
	return some
}

// families restricts families to the pairs of the excerpt. Of two groups a family a x b has two
// parts: what a has of the one with what b has of the other, and the reverse. A family a x a has
// the first of them alone.
func (e *Excerpt) families(all []family) []family {
	out := make([]family, 0, 2*len(all))
	for _, f := range all {
		if e.other == nil {
			f.a, f.b = among(&e.lists, &f.a), among(&e.lists, &f.b)
			out = append(out, f)
			continue
		}
		a, b := f.a, f.b
		if f.self {
			b = a
		}
		out = append(out, family{kind: f.kind, a: among(&e.lists, &a), b: among(e.other, &b)})
		if !f.self {
			out = append(out, family{kind: f.kind, a: among(e.other, &a), b: among(&e.lists, &b)})
		}
	}
	return nonEmpty(out)
}

// among returns the primitives of a set that are in lists by shape.
func among(lists *[3][]int32, s *set) set {
	list := lists[s.Shape]
	if s.ids != nil {
		list = common(s.ids, list)
	}
	return set{s.Shape, len(list), list}
}

// Bytes returns the memory of the excerpt.
func (e *Excerpt) Bytes() int64 {
	n := 4*(cap(e.lists[0])+cap(e.lists[1])+cap(e.lists[2])) + cap(e.used) + cap(e.in)
	for i := range e.found {
		n += 4 * (cap(e.found[i][0]) + cap(e.found[i][1]) + cap(e.found[i][2]))
	}
	return int64(n)
}

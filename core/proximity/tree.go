package proximity

import (
	"math"

	"ccd/core/bound"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/num"
)

// emptyBox has an infinite distance from every box.
var emptyBox = bound.Box{
	Min: geom.Vec{math.Inf(1), math.Inf(1), math.Inf(1)},
	Max: geom.Vec{math.Inf(-1), math.Inf(-1), math.Inf(-1)},
}

// widen makes b the least box around both.
func widen(b, c *bound.Box) {
	for k := range 3 {
		b.Min[k], b.Max[k] = min(b.Min[k], c.Min[k]), max(b.Max[k], c.Max[k])
	}
}

// boxSquare returns the squared distance of two boxes, rounded. Rounding is monotone, so the square
// is no smaller for boxes within them.
func boxSquare(b, c *bound.Box) (sum float64) {
	for k := range 3 {
		g := max(b.Min[k]-c.Max[k], c.Min[k]-b.Max[k], 0)
		sum += float64(g * g)
	}
	return sum
}

// squareOver bounds the squared distance of two boxes over a step, rounded: b and c hold them at
// its start, and b1 and c1 at its end. On each axis the gap on either side is at least linear in
// time, hence at least the smaller one of both ends.
func squareOver(b, b1, c, c1 *bound.Box) (sum float64) {
	for k := range 3 {
		g := max(min(b.Min[k]-c.Max[k], b1.Min[k]-c1.Max[k]), min(c.Min[k]-b.Max[k], c1.Min[k]-b1.Max[k]), 0)
		sum += float64(g * g)
	}
	return sum
}

// group is what some primitives have in common for the mesh's filter: their collision group, or -1,
// and whether all are static.
type group struct {
	id     int32
	static bool
}

// apart reports whether the filter excludes every pair of the two groups.
func (g group) apart(h group) bool { return g.id >= 0 && g.id == h.id || g.static && h.static }

// A tree holds primitives in the order of a space-filling curve, leafLen in a leaf, under a perfect
// binary tree: node 1 is the root, nodes 2i and 2i+1 are the halves of node i, and the leaves are
// the nodes from first on.
type tree struct {
	ids   []int32
	at    [2]boxes // boxes at the start and at the end of a step; a configuration has those at the start alone
	group []group  // groups of the nodes
	first int
}

// boxes are those of a tree's primitives, in the order of ids, and of its nodes.
type boxes struct{ prims, nodes []bound.Box }

const leafLen = 4

// newTree builds the tree of these primitives of one shape: the first members of pairs of kind k
// for which = 0, the second for 1.
func newTree(s *scan, filter *mesh.Filter, k geom.Kind, which int, ids []int32) (*tree, error) {
	times := []float64{0}
	if s.over != nil {
		times = append(times, s.over.tMax)
	}
	swept, whole := make([]bound.Box, len(ids)), emptyBox
	var at [2][]bound.Box
	for e, time := range times {
		at[e] = make([]bound.Box, len(ids))
		for i, id := range ids {
			if at[e][i] = boxOf(s.m, &s.mo, s.radii, k, which, id, time); e == 0 {
				swept[i] = emptyBox
			}
			widen(&swept[i], &at[e][i])
			widen(&whole, &at[e][i])
		}
	}
	t := &tree{first: 1}
	for t.first*leafLen < len(ids) {
		t.first *= 2
	}
	t.ids, t.group = make([]int32, len(ids)), make([]group, 2*t.first)
	for e := range times {
		t.at[e] = boxes{make([]bound.Box, len(ids)), make([]bound.Box, 2*t.first)}
	}
	for to, from := range alongCurve(swept, &whole) {
		t.ids[to] = ids[from]
		for e := range times {
			t.at[e].prims[to] = at[e][from]
		}
	}
	threads := min(len(s.workers), t.first)
	err := engine.Parallel(threads, func(worker int) {
		for leaf := worker; leaf < t.first; leaf += threads {
			t.fill(leaf, func(i int32) group {
				id, static := filter.Group(k, which, i)
				return group{id, static}
			})
		}
	})
	for i := t.first - 1; i > 0; i-- {
		for e := range times {
			n := t.at[e].nodes
			n[i] = n[2*i]
			widen(&n[i], &n[2*i+1])
		}
		t.group[i] = join(t.group[2*i], t.group[2*i+1])
	}
	return t, err
}

// noGroup is the group of no primitives.
var noGroup = group{id: -2, static: true}

// join returns the intersection of two groups.
func join(g, h group) group {
	switch {
	case g == noGroup:
		return h
	case h == noGroup:
		return g
	case g.id != h.id:
		g.id = -1
	}
	g.static = g.static && h.static
	return g
}

// fill computes the boxes and the group of a leaf.
func (t *tree) fill(leaf int, of func(id int32) group) {
	from, to := min(leaf*leafLen, len(t.ids)), min((leaf+1)*leafLen, len(t.ids))
	g := noGroup
	for _, id := range t.ids[from:to] {
		g = join(g, of(id))
	}
	t.group[t.first+leaf] = g
	for _, a := range t.at {
		if a.nodes == nil {
			continue
		}
		b := emptyBox
		for i := from; i < to; i++ {
			widen(&b, &a.prims[i])
		}
		a.nodes[t.first+leaf] = b
	}
}

// boxOf returns the box of a primitive at the time t, inflated by its radius and rounded outwards:
// boxes are no farther apart than the surfaces within.
func boxOf(m *mesh.Mesh, mo *geom.Trajectories, radii *mesh.Radii, k geom.Kind, which int, id int32,
	t float64) bound.Box {
	b := emptyBox
	add := func(v int32) {
		x := pointBox((*geom.Vec)(mo.Rec[8*int(v):]), (*geom.Vec)(mo.Rec[8*int(v)+4:]), t)
		widen(&b, &x)
	}
	switch k.Info().Shapes[which] {
	case geom.Vertex:
		add(id)
	case geom.Edge:
		add(m.Edges[id][0])
		add(m.Edges[id][1])
	case geom.Face:
		for _, v := range m.Faces[id] {
			add(v)
		}
	}
	if r := radii.Of(k.Info().Shapes[which], id); r != 0 {
		b.Inflate(r)
	}
	return b
}

// pointBox holds the point at the time t of the segment from x to y.
//
// x + t (y - x), rounded, errs by u |y - x| for the difference, u for the product, both times t <=
// 1, and u of the sum: together at most 3u (|x| + |y|) (1 + O(u)), and 2^-1074 where the product
// underflows.
func pointBox(x, y *geom.Vec, t float64) (b bound.Box) {
	switch t {
	case 0:
		return bound.Box{Min: *x, Max: *x}
	case 1:
		return bound.Box{Min: *y, Max: *y}
	}
	for k := range 3 {
		at := x[k] + float64(t*(y[k]-x[k]))
		e := float64(4*0x1p-53*(math.Abs(x[k])+math.Abs(y[k]))) + 0x1p-1070
		b.Min[k], b.Max[k] = num.SubDown(at, e), num.AddUp(at, e)
	}
	return b
}

// alongCurve returns the positions of boxes in the order of their centers along a Morton curve of
// 10 bits an axis. The order affects the speed only.
func alongCurve(boxes []bound.Box, whole *bound.Box) []int32 {
	type keyed struct {
		key uint32
		at  int32
	}
	var scale float64
	for k := range 3 {
		scale = max(scale, float64(whole.Max[k]/2)-float64(whole.Min[k]/2))
	}
	scale = 1023 / max(scale, 1e-300)
	a, b := make([]keyed, len(boxes)), make([]keyed, len(boxes))
	for i := range boxes {
		key := uint32(0)
		for k := range 3 {
			c := (float64(boxes[i].Min[k]/4) + float64(boxes[i].Max[k]/4) - float64(whole.Min[k]/2)) * scale
			key |= spread(uint32(max(0, min(c, 1023)))) << k
		}
		a[i] = keyed{key, int32(i)}
	}
	for shift := 0; shift < 30; shift += 10 {
		var count [1024]int32
		for _, x := range a {
			count[x.key>>shift&1023]++
		}
		sum := int32(0)
		for d, n := range count {
			count[d] = sum
			sum += n
		}
		for _, x := range a {
			at := &count[x.key>>shift&1023]
			b[*at] = x
			*at++
		}
		a, b = b, a
	}
	order := make([]int32, len(a))
	for i := range a {
		order[i] = a[i].at
	}
	return order
}

// spread puts the low ten bits of x three places apart.
func spread(x uint32) uint32 {
	x = (x | x<<16) & 0x030000ff
	x = (x | x<<8) & 0x0300f00f
	x = (x | x<<4) & 0x030c30c3
	return (x | x<<2) & 0x09249249
}

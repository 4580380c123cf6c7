package hierarchy

import (
	"math/bits"
	"slices"
	"unsafe"

	"ccd/core/engine"
	"ccd/core/mesh"
	"ccd/simd/box"
)

// incidence says which pairs of a family share a vertex, as masks of pairs of blocks: bit 8i+j of
// such a mask is primitive i of one block with primitive j of the other. A search by pairs of
// groups, the 8 blocks below a node of level 1, finds the masks of a pair of groups together.
type incidence struct {
	start []int32  // start has the first of the shared groups of each group of a.
	group []shared // group is sorted by the group of a, then by that of b.
	masks []uint64 // masks has those of a shared pair of groups in the order of its bits.
}

// shared is a pair of groups whose primitives share vertices.
type shared struct {
	b      int32  // the group of b
	first  int32  // the mask of its first pair of blocks
	blocks uint64 // bit 8i+j: block i of one group and block j of the other share vertices
}

// Pairs of edges that share a vertex, for each edge and beside these, up to which a mesh gets an
// order. A manifold has five or six for each edge.
const (
	sharedPairs = 64
	moreShared  = 1 << 27
)

// Fits reports whether the masks of a mesh are small enough, and soon made. A vertex in n edges has
// n^2 / 2 pairs of edges that share it, whose masks take some n^2 / 14 bytes: one in 16,000 edges
// is about the limit, with 20 MB.
func Fits(m *mesh.Mesh) bool {
	edges := make([]int64, m.NV)
	for _, e := range m.Edges {
		edges[e[0]]++
		edges[e[1]]++
	}
	pairs := int64(0)
	for _, n := range edges {
		pairs += n * (n - 1) / 2
	}
	return pairs <= sharedPairs*int64(len(m.Edges))+moreShared
}

func (n *incidence) bytes() int {
	return 4*cap(n.start) + int(unsafe.Sizeof(shared{}))*cap(n.group) + 8*cap(n.masks)
}

// find returns the masks of a pair of groups, and which of their pairs of blocks have one.
func (n *incidence) find(a, b int32) (blocks uint64, masks []uint64) {
	for _, g := range n.group[n.start[a]:n.start[a+1]] {
		if g.b == b {
			return g.blocks, n.masks[g.first:]
		}
	}
	return 0, nil
}

// groupBits is log2 of the number of primitives of a group.
const groupBits = 6

// The incidence of at least partGroups groups is found at once, and of an eighth of those of a
// thread: each part has memory for all groups of the second tree.
const (
	partGroups  = 64
	threadParts = 8
)

// incident returns the incidence of two trees of a mesh of some vertices. With self they are one,
// and of two primitives the one with the smaller place comes first.
func incident(a, b *tree, self bool, vertices, threads int) (out incidence, err error) {
	in := incidentPlaces{a: a, self: self, groups: len(b.ids) >> groupBits}
	in.start, in.places = b.byVertex(vertices)
	groups := len(a.ids) >> groupBits
	size := groups
	if threads > 1 {
		size = max(partGroups, groups/(threadParts*threads))
	}
	parts := make([]incidence, (groups+size-1)/size)
	err = engine.Each(len(parts), threads, func(_, i int) {
		parts[i] = in.of(size*i, min(size*(i+1), groups))
	})
	if err != nil || len(parts) == 1 {
		return parts[0], err
	}
	out.start = append(make([]int32, 0, groups+1), 0)
	n, m := 0, 0
	for i := range parts {
		n, m = n+len(parts[i].group), m+len(parts[i].masks)
	}
	out.group, out.masks = make([]shared, 0, n), make([]uint64, 0, m)
	for i := range parts {
		p, n, m := &parts[i], int32(len(out.group)), int32(len(out.masks))
		for k := range p.group {
			p.group[k].first += m
		}
		for _, s := range p.start[1:] {
			out.start = append(out.start, n+s)
		}
		out.group, out.masks = append(out.group, p.group...), append(out.masks, p.masks...)
	}
	return out, nil
}

// incidentPlaces are what the incidence of two trees is found by.
type incidentPlaces struct {
	a             *tree
	self          bool
	start, places []int32 // The places of the second tree by vertex, in order.
	groups        int     // the groups of the second tree
}

// of returns the incidence of the groups from to to-1 of the first tree.
func (in *incidentPlaces) of(from, to int) (out incidence) {
	out.start = make([]int32, to-from+1)
	// slot has 1 + its number in met for each group of b, 0 if it is not there.
	slot := make([]int32, in.groups)
	var met []int32
	var masks []sharedMasks
	for g := from; g < to; g++ {
		met = met[:0]
		for p := g << groupBits; p < min((g+1)<<groupBits, in.a.n); p++ {
			row, bit := 8*(p>>3&7), 8*(p&7)
			for _, v := range in.a.vertices(p) {
				list := in.places[in.start[v]:in.start[v+1]]
				for i := len(list) - 1; i >= 0; i-- {
					q := int(list[i])
					if in.self && q <= p {
						break
					}
					h := q >> groupBits
					if slot[h] == 0 {
						met = append(met, int32(h))
						slot[h] = int32(len(met))
						if len(met) > len(masks) {
							masks = append(masks, sharedMasks{})
						}
					}
					m, t := &masks[slot[h]-1], row+q>>3&7
					m.blocks |= 1 << (t & 63)
					m.of[t&63] |= 1 << ((bit + q&7) & 63)
				}
			}
		}
		slices.Sort(met)
		out.reserve(len(met), g-from, to-g)
		for _, h := range met {
			out.add(h, &masks[slot[h]-1])
			slot[h] = 0
		}
		out.start[g-from+1] = int32(len(out.group))
	}
	return out
}

// sharedMasks are the masks of a pair of groups by pairs of blocks, those of blocks not 0.
type sharedMasks struct {
	blocks uint64
	of     [box.Children * box.Children]uint64
}

// reserve makes room for the masks of some pairs of groups, and for as many as the groups so far
// have for each of those that are left.
func (n *incidence) reserve(met, groups, left int) {
	if most := met << groupBits; cap(n.masks)-len(n.masks) < most {
		n.masks = slices.Grow(n.masks, most+len(n.masks)/max(groups, 1)*left)
	}
	if cap(n.group)-len(n.group) < met {
		n.group = slices.Grow(n.group, met+len(n.group)/max(groups, 1)*left)
	}
}

// add appends the masks of a pair of groups, those that are not 0, and clears them.
func (n *incidence) add(b int32, m *sharedMasks) {
	n.group = append(n.group, shared{b: b, first: int32(len(n.masks)), blocks: m.blocks})
	for ; m.blocks != 0; m.blocks &= m.blocks - 1 {
		of := &m.of[bits.TrailingZeros64(m.blocks)]
		n.masks = append(n.masks, *of)
		*of = 0
	}
}

// byVertex returns the places of the primitives of each vertex v, places[start[v]:start[v+1]].
func (t *tree) byVertex(vertices int) (start, places []int32) {
	start, places = make([]int32, vertices+1), make([]int32, len(t.corners))
	for _, v := range t.corners {
		start[v]++
	}
	sum := int32(0)
	for v, n := range start {
		sum += n
		start[v] = sum // the end of v's places, which become its beginning below
	}
	width := t.shape.Vertices()
	for i := len(t.corners) - 1; i >= 0; i-- {
		v := t.corners[i]
		start[v]--
		places[start[v]] = int32(i / width)
	}
	return start, places
}

// vertices returns the vertices of the primitive at a place.
func (t *tree) vertices(place int) []int32 {
	w := t.shape.Vertices()
	return t.corners[w*place : w*(place+1)]
}

// dropped are the pairs of primitives of a pair of groups that are no pairs of a family: those that
// share a vertex, and of a block with itself one of each two.
type dropped struct {
	blocks uint64
	masks  []uint64
	itself bool
}

// dropped returns the pairs of groups to drop.
func (f *family) dropped(p groupPair) (d dropped) {
	d.blocks, d.masks = f.near.find(p.a, p.b)
	d.itself = f.self && p.a == p.b
	return d
}

// of returns the mask of the pairs to drop of the pair of blocks t.
func (d *dropped) of(t int) (mask uint64) {
	if d.blocks>>t&1 != 0 {
		mask = d.masks[bits.OnesCount64(d.blocks&(1<<t-1))]
	}
	if d.itself && t>>3 == t&7 {
		mask |= ^upper
	}
	return mask
}

// drop clears the bits of the pairs to drop in the masks of those pairs of blocks of a pair of
// groups that m has: the k-th mask is that of the k-th bit of m.
func (f *family) drop(p groupPair, m uint64, found *[box.Children * box.Children]uint64) {
	d := f.dropped(p)
	for rest := d.blocks & m; rest != 0; rest &= rest - 1 {
		below := rest&-rest - 1
		found[bits.OnesCount64(m&below)&63] &^= d.masks[bits.OnesCount64(d.blocks&below)]
	}
	if d.itself {
		for rest := m & diagonal; rest != 0; rest &= rest - 1 {
			found[bits.OnesCount64(m&(rest&-rest-1))&63] &= upper
		}
	}
}

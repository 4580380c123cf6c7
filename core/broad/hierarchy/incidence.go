package hierarchy

import (
	"math/bits"
	"slices"
	"unsafe"

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

// incident returns the incidence of two trees of a mesh of some vertices. With self they are one,
// and of two primitives the one with the smaller place comes first.
func incident(a, b *tree, self bool, vertices int) (out incidence) {
	start, places := b.byVertex(vertices)
	groups := len(a.ids) >> groupBits
	out.start = make([]int32, groups+1)
	// slot has 1 + its number in met for each group of b, 0 if it is not there.
	slot := make([]int32, len(b.ids)>>groupBits)
	var met []int32
	var masks [][box.Children * box.Children]uint64
	for g := range groups {
		met, masks = met[:0], masks[:0]
		for p := g << groupBits; p < min((g+1)<<groupBits, a.n); p++ {
			for _, v := range a.vertices(p) {
				for _, q := range places[start[v]:start[v+1]] {
					if self && int(q) <= p {
						continue
					}
					h := q >> groupBits
					if slot[h] == 0 {
						met, masks = append(met, h), append(masks, [box.Children * box.Children]uint64{})
						slot[h] = int32(len(met))
					}
					masks[slot[h]-1][8*(p>>3&7)+int(q>>3&7)] |= 1 << (8*(p&7) + int(q&7))
				}
			}
		}
		slices.Sort(met)
		for _, h := range met {
			out.add(h, &masks[slot[h]-1])
			slot[h] = 0
		}
		out.start[g+1] = int32(len(out.group))
	}
	out.group, out.masks = slices.Clip(out.group), slices.Clip(out.masks)
	return out
}

// add appends the masks of a pair of groups, those that are not empty.
func (n *incidence) add(b int32, masks *[box.Children * box.Children]uint64) {
	g := shared{b: b, first: int32(len(n.masks))}
	for t, m := range masks {
		if m != 0 {
			g.blocks |= 1 << t
			n.masks = append(n.masks, m)
		}
	}
	n.group = append(n.group, g)
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

package hierarchy

import (
	"math"

	"ccd/core/geom"
	"ccd/simd/box"
)

// changes say which primitives have a vertex that has changed, in a search of ends that finds their
// pairs alone: those of a primitive that has changed with any other.
//
// Law 6. Let a search have been prepared for a step, and let Change have been called with all
// vertices whose ends have changed since. Then it finds what a search of the step that is there now
// would find by law 4, of pairs with a vertex that was given to the last Change.
//
// Proof. Rows depend on nothing but their vertex, and the maps of both ends stay: those of other
// vertices are what they would be. So are the blocks without a given vertex, and the nodes above
// them; all others are computed anew. Hence law 4, which holds for the maps of the preparation:
// its bound of errors w grows with the magnitude of coordinates, and floats overflow for larger
// ones alone, so Change refuses coordinates that are larger than those. The flag of a node's child
// is set if and only if some primitive below it has a given vertex. A pair of nodes without a flag
// has no pair of primitives that is wanted.
type changes struct {
	largest float64     // the largest magnitude of a coordinate of the preparation
	trees   []treeFlags // those of each tree of the order
}

// treeFlags are the flags of a tree.
type treeFlags struct {
	flags [][]uint8 // By level and node a bit for each child: whether it has changed.
	nodes [][]int32 // The nodes of each level that have a flag.
}

// changedPart is the part of the vertices from which on all boxes are computed anew.
const changedPart = 1.0 / 8

// Prepare prepares a search for the steps that Change has, within [0, 1]. ok is false where that of
// the input does not fit.
func (s *Search) Prepare(o *Order, in *Input) (ok bool, err error) {
	s.order, s.in, s.sieve = o, *in, false
	s.in.Until = 1
	if ok = s.ends.begin(&s.in); !ok {
		return false, nil
	}
	c := &s.changes
	c.largest = in.Motion.Largest()
	c.trees = grown(c.trees, len(o.trees))
	for i, t := range o.trees {
		c.trees[i].reserve(t)
	}
	return true, s.refit()
}

// Change makes a prepared search one of the pairs of a step with one of some vertices, each given
// once. No other vertex has moved since Prepare or the last Change, and all begin where they did.
// ok is false where a coordinate is larger than those of Prepare.
func (s *Search) Change(mo *geom.Trajectories, vertices []int32) (ok bool, err error) {
	s.in.Motion, s.ends.lo, s.ends.hi = mo, mo, mo
	c, rec := &s.changes, s.in.Motion.Rec
	for _, v := range vertices {
		for _, x := range rec[8*int(v)+4 : 8*int(v)+7] {
			if !(math.Abs(x) <= c.largest) {
				return false, nil
			}
		}
	}
	c.mark(s.order, vertices, s.in.Motion.N)
	if float64(len(vertices)) > changedPart*float64(s.in.Motion.N) {
		if err := s.refit(); err != nil {
			return true, err
		}
	} else {
		s.refitChanged(vertices)
	}
	for i := range c.trees {
		s.trees[i].flags = c.trees[i].flags
	}
	return true, s.descend()
}

// bytes returns the memory of the flags.
func (c *changes) bytes() (n int) {
	for i := range c.trees {
		f := &c.trees[i]
		for k := range f.flags {
			n += cap(f.flags[k]) + 4*cap(f.nodes[k])
		}
	}
	return n
}

// reserve makes room for the flags of a tree, none of which is set.
func (f *treeFlags) reserve(t *tree) {
	f.flags, f.nodes = grown(f.flags, len(t.nodes)), grown(f.nodes, len(t.nodes))
	for k, n := range t.nodes {
		f.flags[k], f.nodes[k] = grown(f.flags[k], n), f.nodes[k][:0]
		clear(f.flags[k])
	}
}

// mark sets the flags of the primitives that have one of some vertices, and no others.
func (c *changes) mark(o *Order, vertices []int32, all int) {
	places := o.placesOf(all)
	for i := range c.trees {
		f, at := &c.trees[i], &places[i]
		for k, nodes := range f.nodes {
			for _, n := range nodes {
				f.flags[k][n] = 0
			}
			f.nodes[k] = nodes[:0]
		}
		for _, v := range vertices {
			for _, p := range at.places[at.start[v]:at.start[v+1]] {
				f.set(0, p)
			}
		}
		for k := 1; k < len(f.nodes); k++ {
			for _, n := range f.nodes[k-1] {
				f.set(k, n)
			}
		}
	}
}

// set sets the flag of a child of a level: a primitive, or a node of the level below.
func (f *treeFlags) set(level int, child int32) {
	flag := &f.flags[level][child>>3]
	if *flag == 0 {
		f.nodes[level] = append(f.nodes[level], child>>3)
	}
	*flag |= 1 << (child & 7)
}

// refitChanged computes the boxes of the nodes with flags at the end of the step.
func (s *Search) refitChanged(vertices []int32) {
	for _, v := range vertices {
		s.ends.later(&s.in, int(v), s.later)
	}
	for i, t := range s.order.trees {
		f, b := &s.changes.trees[i], &s.trees[i]
		width := t.shape.Vertices()
		var hull [rowLen]float32
		for _, n := range f.nodes[0] {
			first := box.Children * int(n)
			corners, count := t.corners[width*first:], min(box.Children, t.n-first)
			box.Leaves(b.later[0][n:n+1], hull[:], s.later, corners, width, count)
		}
		for k := 1; k < len(f.nodes); k++ {
			for _, n := range f.nodes[k-1] {
				setChild(&b.later[k][n>>3], int(n&7), &b.later[k-1][n])
			}
		}
	}
}

// setChild makes a child of a node the hull of the boxes of another one.
func setChild(parent *box.Node, i int, child *box.Node) {
	for c := i; c < len(parent); c += box.Children {
		column := (*[box.Children]float32)(child[c-i:])
		least := column[0]
		for _, x := range column[1:] {
			if x < least {
				least = x
			}
		}
		parent[c] = least
	}
}

// rowsOf has the bits 8i+j of each i of a set.
var rowsOf = func() (bits [256]uint64) {
	for set := range bits {
		for i := range box.Children {
			if set>>i&1 != 0 {
				bits[set] |= 0xff << (box.Children * i)
			}
		}
	}
	return bits
}()

// pairsWith returns the pairs 8i+j of children of two nodes of which one has its flag.
func pairsWith(a, b uint8) uint64 { return rowsOf[a] | uint64(b)*0x0101010101010101 }

// wanted returns the pairs of children of two nodes of a level that have a primitive that has
// changed, or all where a search finds all pairs.
func wanted(level int, a, b *boxes, i, j int32) uint64 {
	if a.flags == nil {
		return ^uint64(0)
	}
	return pairsWith(a.flags[level][i], b.flags[level][j])
}

// vertexPlaces are the places of the primitives of each vertex v, places[start[v]:start[v+1]].
type vertexPlaces struct{ start, places []int32 }

// placesOf returns those of the trees of an order, which it makes at the first call.
func (o *Order) placesOf(vertices int) []vertexPlaces {
	if made := o.places.Load(); made != nil {
		return *made
	}
	made := make([]vertexPlaces, len(o.trees))
	for i, t := range o.trees {
		made[i].start, made[i].places = t.byVertex(vertices)
	}
	o.places.CompareAndSwap(nil, &made)
	return *o.places.Load()
}

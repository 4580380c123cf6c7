package hierarchy

import (
	"ccd/core/geom"
	"ccd/core/mesh"
)

// Static vertices. Of a mesh that has some, only pairs of which a primitive moves are wanted
// (mesh.Filter): a search masks the others away as one of changed vertices does, with a flag for
// each primitive that moves.
//
// Law 8. The search loses no pair that the filter allows. Proof. The filter allows no pair of two
// static primitives. A pair of which one moves has a flag, and so have all nodes above it; wanted
// keeps each pair of nodes of which one has a flag, and of primitives those of which one has.

// movingFlags are the flags of the primitives that move, for a filter of the mesh.
type movingFlags struct {
	of    *mesh.Filter
	trees []treeFlags
}

// flagMoving sets the flags of the primitives that move, if some do not.
func (s *Search) flagMoving() {
	if s.in.Filter.Static(geom.Vertex) == nil {
		return
	}
	for i, t := range s.order.moving(s.in.Filter).trees {
		s.trees[i].flags = t.flags
	}
}

// moving returns the flags of a filter, which it makes at the first search with the filter.
func (o *Order) moving(filter *mesh.Filter) *movingFlags {
	if made := o.static.Load(); made != nil && made.of == filter {
		return made
	}
	made := &movingFlags{of: filter, trees: make([]treeFlags, len(o.trees))}
	for i, t := range o.trees {
		static := filter.Static(t.shape)
		flags := make([][]uint8, len(t.nodes))
		for k, n := range t.nodes {
			flags[k] = make([]uint8, n)
		}
		for place, id := range t.ids[:t.n] {
			if !static[id] {
				flags[0][place>>3] |= 1 << (place & 7)
			}
		}
		for k := 1; k < len(flags); k++ {
			for node, some := range flags[k-1] {
				if some != 0 {
					flags[k][node>>3] |= 1 << (node & 7)
				}
			}
		}
		made.trees[i].flags = flags
	}
	o.static.Store(made)
	return made
}

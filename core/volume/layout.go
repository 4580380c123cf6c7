package volume

import (
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/simd/box"
)

// shapeBlocks holds the features of one shape, patch by patch, in blocks of eight lanes (see
// box.Cross).
type shapeBlocks struct {
	width   int       // vertices of a feature
	first   []int32   // Patch p has the blocks first[p] to first[p+1]-1.
	ids     []int32   // the vertices of the lanes, as box.JoinBlocks takes them; -1 where a lane is not used
	feature []int32   // feature[l] is the number of the feature in lane l, or -1.
	boxes   []float32 // box.BlockLen a block
}

// layout lists the features of every patch.
type layout struct {
	vertices, edges, faces shapeBlocks

	reach      []int32 // the vertices of all features of a patch, for its hull, patch after patch
	firstReach []int32 // Patch p has the vertices firstReach[p] to firstReach[p+1]-1 of reach.

	place []int32 // scratch: the place of each element in the order
	last  []int32 // scratch: the last patch that each vertex was listed for
}

// of returns the features of a shape.
func (l *layout) of(s geom.Shape) *shapeBlocks {
	return [...]*shapeBlocks{&l.vertices, &l.edges, &l.faces}[s]
}

// build lists every feature in its owner's patch; with surface, only those on the surface.
func (l *layout) build(v *mesh.Volume, o *order, surface bool) {
	l.place = resized(l.place, len(v.Kinds))
	for i, e := range o.elements {
		if e >= 0 {
			l.place[e] = int32(i)
		}
	}
	var vertex, edge []bool
	if surface {
		vertex, edge = v.Surface()
	}
	n := o.patches()
	l.vertices.build(1, n, v.NV, o.size, l.place, v.VertexOwner, vertex, func(i int32, to []int32) { to[0] = i })
	l.edges.build(2, n, len(v.Edges), o.size, l.place, v.EdgeOwner, edge, func(i int32, to []int32) {
		to[0], to[box.BlockLanes] = v.Edges[i][0], v.Edges[i][1]
	})
	var face []bool
	if surface {
		face = make([]bool, len(v.Faces))
		for f := range face {
			face[f] = v.FaceOwner[f] >= 0 && v.OnSurface(int32(f))
		}
	}
	l.faces.build(3, n, len(v.Faces), o.size, l.place, v.FaceOwner, face, func(i int32, to []int32) {
		f := &v.Faces[i]
		to[0], to[box.BlockLanes], to[2*box.BlockLanes] = f[0], f[1], f[2]
	})
	l.findReach(n, v.NV)
}

// build sorts n features into the blocks of their owners' patches, in the order of the owners: so
// the boxes of a block are near each other. only, where it is not nil, selects the features.
func (s *shapeBlocks) build(width, patches, n, size int, place, owner []int32, only []bool,
	vertices func(i int32, to []int32)) {
	s.width = width
	// at[place of an owner] is where its features begin, then where the next one goes.
	at := make([]int32, patches*size+1)
	for i := range n {
		if e := owner[i]; e >= 0 && (only == nil || only[i]) {
			at[place[e]+1]++
		}
	}
	s.first = append(s.first[:0], 0)
	blocks := int32(0)
	for p := range patches {
		next := box.BlockLanes * blocks
		for i := p * size; i < (p+1)*size; i++ {
			at[i], next = next, next+at[i+1]
		}
		blocks = (next + box.BlockLanes - 1) / box.BlockLanes
		s.first = append(s.first, blocks)
	}
	s.ids = resized(s.ids, int(blocks)*box.BlockLanes*width)
	s.feature = resized(s.feature, int(blocks)*box.BlockLanes)
	for i := range s.ids {
		s.ids[i] = -1
	}
	for i := range s.feature {
		s.feature[i] = -1
	}
	for i := range n {
		e := owner[i]
		if e < 0 || only != nil && !only[i] {
			continue
		}
		lane := at[place[e]]
		at[place[e]]++
		s.feature[lane] = int32(i)
		vertices(int32(i), s.ids[int(lane/box.BlockLanes)*box.BlockLanes*width+int(lane%box.BlockLanes):])
	}
}

// cross sets c to the features of patch p, with the kept boxes, or with boxes computed from rec.
// The caller sets the hull.
func (s *shapeBlocks) cross(p int32, rec []float32, c *box.Cross) {
	lo, hi := int(s.first[p]), int(s.first[p+1])
	c.IDs = s.ids[box.BlockLanes*s.width*lo : box.BlockLanes*s.width*hi]
	c.First = int32(box.BlockLanes * lo)
	if rec == nil {
		c.Boxes = s.boxes[box.BlockLen*lo : box.BlockLen*hi]
		return
	}
	c.Boxes = resized(c.Boxes, box.BlockLen*(hi-lo))
	box.JoinBlocks(rec, c.IDs, s.width, c.Boxes)
}

// boxBytes returns the memory of the boxes where all are kept.
func (l *layout) boxBytes() uint64 {
	n := len(l.vertices.feature) + len(l.edges.feature) + len(l.faces.feature)
	return uint64(n / box.BlockLanes * box.BlockLen * 4)
}

// findReach lists, for every patch, the vertices of its features once each.
func (l *layout) findReach(patches, vertices int) {
	l.last = resized(l.last, vertices)
	for i := range l.last {
		l.last[i] = -1
	}
	l.reach, l.firstReach = l.reach[:0], append(l.firstReach[:0], 0)
	for p := range patches {
		for _, s := range []*shapeBlocks{&l.vertices, &l.edges, &l.faces} {
			per := box.BlockLanes * s.width
			for _, x := range s.ids[per*int(s.first[p]) : per*int(s.first[p+1])] {
				if x >= 0 && l.last[x] != int32(p) {
					l.last[x] = int32(p)
					l.reach = append(l.reach, x)
				}
			}
		}
		l.firstReach = append(l.firstReach, int32(len(l.reach)))
	}
}

// bytes returns the memory of the layout.
func (l *layout) bytes() int64 {
	n := 4 * (cap(l.reach) + cap(l.firstReach) + cap(l.place) + cap(l.last))
	for _, s := range []*shapeBlocks{&l.vertices, &l.edges, &l.faces} {
		n += 4 * (cap(s.first) + cap(s.ids) + cap(s.feature) + cap(s.boxes))
	}
	return int64(n)
}

// resized returns s with n items, whatever they hold.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/8)
	}
	return s[:n]
}

package volume

import (
	"cmp"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// Contact is an impact between two features. Its layout is that of ccd_volume_impact: 152 bytes, no
// hidden padding.
//
// Impact.A and B are numbers of features: of a vertex and a face, or of two edges. The numbers of
// edges and faces may depend on earlier edits of the volume. Vertices, the order of the two edges
// (by larger vertex, then smaller) and the order of contacts do not.
type Contact struct {
	geom.Impact
	Vertices [4]int32 // {v, f0, f1, f2} or {a0, a1, b0, b1}, as in the query
	Elements [2]int32 // elements of A and B: twice the element that has both features, if any, else their owners
	Class    Class
	Padding  uint32
}

// Precedes orders contacts by time, kind, and the vertices of A and of B, the largest of each
// first. In a volume that was never edited this is the order by (TOILo, Kind, A, B).
func (c *Contact) Precedes(d *Contact) bool { return compare(c, d) < 0 }

// orders are, by kind, the positions of a contact's vertices in the order in which contacts are
// compared by them.
var orders = [...][4]uint8{geom.VertexFace: {0, 3, 2, 1}, geom.EdgeEdge: {1, 0, 3, 2}}

func compare(c, d *Contact) int {
	switch { // These comparisons nearly always decide.
	case c.TOILo < d.TOILo:
		return -1
	case c.TOILo > d.TOILo:
		return 1
	case c.Kind != d.Kind:
		return cmp.Compare(c.Kind, d.Kind)
	}
	for _, k := range orders[c.Kind] {
		if c.Vertices[k] != d.Vertices[k] {
			return cmp.Compare(c.Vertices[k], d.Vertices[k])
		}
	}
	return 0
}

// inOrder sorts the two edges of a query, which share no vertex, and reports whether it exchanged
// them.
func inOrder(q *[4]int32) bool {
	if q[1] < q[3] {
		return false
	}
	*q = [4]int32{q[2], q[3], q[0], q[1]}
	return true
}

// classifier determines the class of a pair in a step.
type classifier struct {
	v       *mesh.Volume
	objects []int32   // objects[v] is the object of vertex v.
	split   bool      // some vertex was split from another
	marks   []markSet // marks[v] marks the elements at vertex v.
}

// markSet is a set of elements as a Bloom filter: each element has one of 256 marks, so sets
// without a common mark have no common element. It classifies nearly all pairs in contact without
// reading their elements.
type markSet [4]uint64

func (c *classifier) load(v *mesh.Volume) {
	*c = classifier{v: v, objects: v.Objects(), marks: resized(c.marks, v.NV)}
	for i, x := range v.Origin {
		c.split = c.split || x != int32(i)
	}
	clear(c.marks)
	for e, k := range v.Kinds {
		if k == mesh.Removed {
			continue
		}
		mark := uint32(e) * 0x9e3779b1 >> 24
		for _, x := range v.Corners(int32(e)) {
			c.marks[x][mark>>6] |= 1 << (mark & 63)
		}
	}
}

// together returns the live element of least index that has all vertices of the query, or -1.
func (c *classifier) together(q *[4]int32) int32 {
	w, x, y, z := &c.marks[q[0]], &c.marks[q[1]], &c.marks[q[2]], &c.marks[q[3]]
	common := uint64(0)
	for k := range w {
		common |= w[k] & x[k] & y[k] & z[k]
	}
	if common == 0 {
		return -1
	}
	return c.v.Together(q[:])
}

// class returns the class of the query q, whose first split vertices are those of the first
// feature, and the element that has both features, or -1.
func (c *classifier) class(mo *geom.Trajectories, q *[4]int32, split int) (Class, int32) {
	same := c.objects[q[0]] == c.objects[q[3]]
	if same {
		if e := c.together(q); e >= 0 {
			return WithinElement, e
		}
	}
	if c.split && c.atSplit(mo, q, split) {
		return AtSplit, -1
	}
	if same {
		return WithinObject, -1
	}
	return BetweenObjects, -1
}

// atSplit reports whether a vertex of one feature and a vertex of the other were split from one
// vertex and are at the same place.
func (c *classifier) atSplit(mo *geom.Trajectories, q *[4]int32, split int) bool {
	for _, a := range q[:split] {
		for _, b := range q[split:] {
			if c.v.Origin[a] == c.v.Origin[b] && [3]float64(mo.Rec[8*int(a):]) == [3]float64(mo.Rec[8*int(b):]) {
				return true
			}
		}
	}
	return false
}

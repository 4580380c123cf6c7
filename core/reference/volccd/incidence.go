package volccd

import "ccd/core/mesh"

// rows is a list of lists, all in one array.
type rows struct {
	first []int32
	items []int32
}

func (l *rows) of(i int32) []int32 { return l.items[l.first[i]:l.first[i+1]] }

// incidence lists the edges of every live element, and the live elements of every edge and face.
// For vertices see mesh.Volume.Star.
type incidence struct {
	v     *mesh.Volume
	edges rows // the edges of each element, in rising order of their faces
	atEdge,
	atFace rows // the live elements that have it, in rising order
	marks []uint64 // the vertices of each element, each as one bit of 64 that several vertices have
}

func (n *incidence) build(v *mesh.Volume) {
	n.v = v
	n.edges.first, n.edges.items = append(n.edges.first[:0], 0), n.edges.items[:0]
	seen := make([]int32, len(v.Edges)) // 1 + the last element that has it
	n.marks = resized(n.marks, len(v.Kinds))
	for e, k := range v.Kinds {
		n.marks[e] = 0
		for _, x := range v.Corners(int32(e)) {
			n.marks[e] |= 1 << (uint32(x) * 0x9e3779b1 >> 26)
		}
		if k != mesh.Removed {
			for _, f := range v.Sides(int32(e)) {
				for _, g := range v.FaceEdges[f] {
					if seen[g] != int32(e)+1 {
						seen[g] = int32(e) + 1
						n.edges.items = append(n.edges.items, g)
					}
				}
			}
		}
		n.edges.first = append(n.edges.first, int32(len(n.edges.items)))
	}
	n.atEdge.transpose(len(v.Kinds), len(v.Edges), n.edges.of)
	n.atFace.transpose(len(v.Kinds), len(v.Faces), func(e int32) []int32 {
		if v.Kinds[e] == mesh.Removed {
			return nil
		}
		return v.Sides(e)
	})
}

// transpose computes the elements at each of n features from the features of each element.
func (l *rows) transpose(elements, n int, features func(e int32) []int32) {
	l.first = resized(l.first, n+1)
	clear(l.first)
	for e := range elements {
		for _, f := range features(int32(e)) {
			l.first[f+1]++
		}
	}
	for i := range n {
		l.first[i+1] += l.first[i]
	}
	l.items = resized(l.items, int(l.first[n]))
	next := make([]int32, n)
	copy(next, l.first)
	for e := range elements {
		for _, f := range features(int32(e)) {
			l.items[next[f]] = int32(e)
			next[f]++
		}
	}
}

// adjacent reports whether two elements share a vertex; an element is adjacent to itself.
func (n *incidence) adjacent(a, b int32) bool {
	if n.marks[a]&n.marks[b] == 0 {
		return false
	}
	other := n.v.Corners(b)
	for _, x := range n.v.Corners(a) {
		for _, y := range other {
			if x == y {
				return true
			}
		}
	}
	return false
}

func (n *incidence) bytes() int64 {
	return int64(8*cap(n.marks) + 4*(cap(n.edges.first)+cap(n.edges.items)+cap(n.atEdge.first)+cap(n.atEdge.items)+
		cap(n.atFace.first)+
		cap(n.atFace.items)))
}

package volccd

import (
	"slices"

	"ccd/core/mesh"
)

// orphans are the pairs of the universe for which every element of the one feature is adjacent to
// every element of the other: those that no two elements apart test ([Tang2011], section 5.1, the
// O-Set).
//
// The paper's algorithm 3 ends with the first pair that has elements apart, where it should
// continue with the next. It tests only for elements apart from the current two, which leaves pairs
// in the set that others test. Its update after an edit searches near the elements that were added;
// but removing an element also makes orphans, of pairs that only this element kept from being so.
//
// Whether a pair is an orphan depends on its incident elements and which of them are adjacent, that
// is on elements that have all vertices of one feature or all of the other. If one of those was
// added, removed or changed, all vertices of one feature are among the vertices, old and new, of
// the changed elements. So it suffices to test the pairs with such a feature again. The partner's
// owner is adjacent to the feature's owner, or the pair is no orphan.
type orphans struct {
	vf, ee [][2]int32 // vertex and face; two edges, the smaller number first

	// The volume at the last update, and 1 + its version. An edit may renumber features, even one
	// that fails.
	version int64
	kinds   []mesh.Element
	first   []int32
	corners []int32
	edges   [][2]int32
	faces   [][3]int32

	touched []bool  // scratch: a flag for each vertex
	stamp   []int32 // scratch: a number for each element
	near    []int32
}

// update updates the set after edits of the volume; the first call builds it.
func (o *orphans) update(n *incidence) {
	v := n.v
	if o.version == v.Version()+1 || !o.compare(v) {
		return
	}
	o.version = v.Version() + 1
	o.vf = slices.DeleteFunc(o.vf, func(p [2]int32) bool {
		return int(p[0]) >= v.NV || o.touched[p[0]] || o.faceTouched(v, p[1])
	})
	o.ee = slices.DeleteFunc(o.ee, func(p [2]int32) bool { return o.edgeTouched(v, p[0]) || o.edgeTouched(v, p[1]) })
	o.stamp = resized(o.stamp, len(v.Kinds))
	clear(o.stamp)
	for e, k := range v.Kinds {
		if k != mesh.Removed {
			o.search(n, int32(e))
		}
	}
}

// compare marks the vertices of the elements that have changed, and reports whether there are any.
func (o *orphans) compare(v *mesh.Volume) (changed bool) {
	o.touched = resized(o.touched, v.NV)
	clear(o.touched)
	for e, k := range v.Kinds {
		var was []int32
		if e < len(o.kinds) {
			was = o.corners[o.first[e]:o.first[e+1]]
			if k == o.kinds[e] && slices.Equal(was, v.Corners(int32(e))) {
				continue
			}
		}
		changed = true
		for _, x := range was {
			o.touched[x] = true
		}
		for _, x := range v.Corners(int32(e)) {
			o.touched[x] = true
		}
	}
	changed = o.renumbered(v) || changed
	if changed {
		o.kinds = append(o.kinds[:0], v.Kinds...)
		o.first, o.corners = append(o.first[:0], 0), o.corners[:0]
		for e := range v.Kinds {
			o.corners = append(o.corners, v.Corners(int32(e))...)
			o.first = append(o.first, int32(len(o.corners)))
		}
		o.edges, o.faces = append(o.edges[:0], v.Edges...), append(o.faces[:0], v.Faces...)
	}
	return changed
}

// renumbered marks the vertices of edges and faces whose numbers have changed, old and new, and
// reports whether there are any.
func (o *orphans) renumbered(v *mesh.Volume) (changed bool) {
	touch := func(vertices ...int32) {
		changed = true
		for _, x := range vertices {
			if x >= 0 {
				o.touched[x] = true
			}
		}
	}
	for g, was := range o.edges {
		if v.Edges[g] != was {
			touch(was[:]...)
			touch(v.Edges[g][:]...)
		}
	}
	for f, was := range o.faces {
		if v.Faces[f] != was {
			touch(was[:]...)
			touch(v.Faces[f][:]...)
		}
	}
	return changed
}

// edgeTouched reports whether an edge is touched or dead: the number of a dead edge may be reused
// or unused.
func (o *orphans) edgeTouched(v *mesh.Volume, g int32) bool {
	e := v.Edges[g]
	return e[0] < 0 || o.touched[e[0]] && o.touched[e[1]]
}

func (o *orphans) faceTouched(v *mesh.Volume, f int32) bool {
	t := v.Faces[f]
	return t[0] < 0 || o.touched[t[0]] && o.touched[t[1]] && o.touched[t[2]]
}

// search finds the orphans with a touched feature that element e owns.
func (o *orphans) search(n *incidence, e int32) {
	v := n.v
	some := false
	for _, x := range v.Corners(e) {
		some = some || o.touched[x]
	}
	if !some {
		return
	}
	o.near = o.near[:0]
	for _, x := range v.Corners(e) {
		for _, other := range v.Star(x) {
			if o.stamp[other] != e+1 {
				o.stamp[other] = e + 1
				o.near = append(o.near, other)
			}
		}
	}
	for _, x := range v.Corners(e) {
		if v.VertexOwner[x] == e && o.touched[x] {
			o.pairVertex(n, x)
		}
	}
	for _, f := range v.Sides(e) {
		if v.FaceOwner[f] == e && o.faceTouched(v, f) {
			o.pairFace(n, f)
		}
	}
	for _, g := range n.edges.of(e) {
		if v.EdgeOwner[g] == e && o.edgeTouched(v, g) {
			o.pairEdge(n, g)
		}
	}
}

// pairVertex pairs a touched vertex with faces.
func (o *orphans) pairVertex(n *incidence, x int32) {
	for _, other := range o.near {
		for _, f := range n.v.Sides(other) {
			if n.v.FaceOwner[f] == other && !slices.Contains(n.v.Faces[f][:], x) &&
				n.orphan(n.v.Star(x), n.atFace.of(f)) {
				o.vf = append(o.vf, [2]int32{x, f})
			}
		}
	}
}

// pairFace pairs a touched face with untouched vertices; pairVertex pairs the touched ones.
func (o *orphans) pairFace(n *incidence, f int32) {
	for _, other := range o.near {
		for _, x := range n.v.Corners(other) {
			if n.v.VertexOwner[x] == other && !o.touched[x] && n.orphan(n.v.Star(x), n.atFace.of(f)) {
				o.vf = append(o.vf, [2]int32{x, f}) // a touched face has touched vertices only
			}
		}
	}
}

// pairEdge pairs a touched edge with others; of two touched edges the smaller number finds the
// other.
func (o *orphans) pairEdge(n *incidence, g int32) {
	for _, other := range o.near {
		for _, h := range n.edges.of(other) {
			if n.v.EdgeOwner[h] != other || o.edgeTouched(n.v, h) && h <= g || common(n.v.Edges[g], n.v.Edges[h]) {
				continue
			}
			if n.orphan(n.atEdge.of(g), n.atEdge.of(h)) {
				o.ee = append(o.ee, [2]int32{min(g, h), max(g, h)})
			}
		}
	}
}

// common reports whether two edges have a vertex in common.
func common(a, b [2]int32) bool { return a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1] }

func (o *orphans) bytes() int64 {
	return int64(8*(cap(o.vf)+cap(o.ee)) + cap(o.kinds) + 4*(cap(o.first)+cap(o.corners)+cap(o.stamp)+cap(o.near)) +
		cap(o.touched) +
		8*cap(o.edges) + 12*cap(o.faces))
}

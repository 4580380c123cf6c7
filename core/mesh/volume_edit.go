package mesh

import (
	"ccd/core/status"
	"math"
	"slices"
)

// Edits take time proportional to the changed elements: an element's features are found by the
// stars of its vertices. After any edits a volume has the features, owners and counts that Compact
// builds from its live elements; only the numbers of edges and faces may differ. An edit that fails
// changes nothing (except perhaps those numbers).

// AddVertices appends one vertex for every item of origin: the vertex that it was split from, or
// -1. Returns the first.
func (v *Volume) AddVertices(origin []int32) (first int32, err error) {
	if len(origin) > math.MaxInt32-v.NV {
		return 0, status.Errorf(status.ErrArgument, "%d vertices and %d more: at most %d",
			v.NV, len(origin), math.MaxInt32)
	}
	for i, o := range origin {
		if o < -1 || int(o) >= v.NV {
			return 0, status.Errorf(status.ErrIndex, "origin[%d] is %d: out of range for %d vertices", i, o, v.NV)
		}
	}
	first = int32(v.NV)
	for i, o := range origin {
		if o < 0 {
			v.Origin = append(v.Origin, first+int32(i))
		} else {
			v.Origin = append(v.Origin, v.Origin[o])
		}
		v.VertexOwner = append(v.VertexOwner, -1)
		v.star = append(v.star, nil)
		if v.radius != nil {
			r := 0.0
			if o >= 0 {
				r = v.radius[o]
			}
			v.radius = append(v.radius, r)
		}
	}
	v.NV += len(origin)
	v.version++
	return first, nil
}

// Add appends elements, in the form of NewVolume, and returns the first of them. Indices of removed
// elements are not reused.
func (v *Volume) Add(kinds []Element, corners []int32) (first int32, err error) {
	first = int32(len(v.Kinds))
	if err := v.checkElements(kinds, corners); err != nil {
		return 0, err
	}
	v.append(kinds, corners)
	for i := range kinds {
		if err := v.attach(first + int32(i)); err != nil {
			for j := i - 1; j >= 0; j-- {
				v.detach(first + int32(j))
			}
			v.Kinds, v.first, v.side = v.Kinds[:first], v.first[:first+1], v.side[:first+1]
			v.corners, v.sides = v.corners[:v.first[first]], v.sides[:v.side[first]]
			return 0, err
		}
	}
	v.version++
	return first, nil
}

// Remove removes elements, and the features that no other live element has.
func (v *Volume) Remove(list []int32) error {
	if err := v.checkLive(list); err != nil {
		return err
	}
	for _, e := range list {
		v.detach(e)
		v.Kinds[e] = Removed
	}
	v.version++
	return nil
}

// Split replaces a vertex of some of its elements by a new vertex, and returns it. The new vertex
// has the origin of the old one. The elements keep sharing their other corners: a crack is opened
// by splitting its vertices one by one.
func (v *Volume) Split(vertex int32, list []int32) (int32, error) {
	if vertex < 0 || int(vertex) >= v.NV {
		return 0, status.Errorf(status.ErrIndex, "vertex is %d: out of range for %d vertices", vertex, v.NV)
	}
	if len(list) == 0 {
		return 0, status.Errorf(status.ErrArgument, "no elements: a new vertex needs one")
	}
	if err := v.checkLive(list); err != nil {
		return 0, err
	}
	for i, e := range list {
		if !slices.Contains(v.Corners(e), vertex) {
			return 0, status.Errorf(status.ErrIndex, "elements[%d] is %d, a %v: it does not have vertex %d",
				i, e, v.Kinds[e], vertex)
		}
	}
	fresh, err := v.AddVertices([]int32{vertex})
	if err != nil {
		return 0, err
	}
	return fresh, v.replace(slices.Clone(list), vertex, fresh)
}

// Merge replaces the vertex from by the vertex into in all elements.
func (v *Volume) Merge(from, into int32) error {
	for i, x := range [2]int32{from, into} {
		if x < 0 || int(x) >= v.NV {
			return status.Errorf(status.ErrIndex, "%s is %d: out of range for %d vertices",
				[2]string{"from", "into"}[i], x, v.NV)
		}
	}
	if from == into {
		return status.Errorf(status.ErrIndex, "from and into are %d: a vertex cannot be merged with itself", from)
	}
	list := slices.Clone(v.star[from])
	for _, e := range list {
		if slices.Contains(v.Corners(e), into) {
			return status.Errorf(status.ErrIndex, "elements[%d], a %v, has both vertices %d and %d: remove it first",
				e, v.Kinds[e], from, into)
		}
	}
	err := v.replace(list, from, into)
	v.version++
	return err
}

// Compact rebuilds the volume from its live elements, numbered in their order. Vertices keep their
// numbers and origins. was[e] is the former index of element e.
func (v *Volume) Compact() (fresh *Volume, was []int32, err error) {
	fresh = &Volume{NV: v.NV, Origin: slices.Clone(v.Origin), radius: slices.Clone(v.radius), radiiVersion: -1}
	var kinds []Element
	var corners []int32
	for e, k := range v.Kinds {
		if k != Removed {
			was, kinds, corners = append(was, int32(e)), append(kinds, k), append(corners, v.Corners(int32(e))...)
		}
	}
	return fresh, was, fresh.build(kinds, corners)
}

func (v *Volume) checkLive(list []int32) error {
	for i, e := range list {
		switch {
		case e < 0 || int(e) >= len(v.Kinds):
			return status.Errorf(status.ErrIndex, "elements[%d] is %d: out of range for %d elements",
				i, e, len(v.Kinds))
		case v.Kinds[e] == Removed:
			return status.Errorf(status.ErrIndex, "elements[%d] is %d, which was removed", i, e)
		}
	}
	if len(list) < 2 {
		return nil
	}
	sorted := slices.Clone(list)
	slices.Sort(sorted)
	for i, e := range sorted[1:] {
		if e == sorted[i] {
			return status.Errorf(status.ErrIndex, "elements names %d twice", e)
		}
	}
	return nil
}

// replace replaces a vertex of these elements by another one. Where it fails, it changes nothing.
func (v *Volume) replace(list []int32, from, into int32) error {
	exchange := func(e, a, b int32) {
		c := v.Corners(e)
		c[slices.Index(c, a)] = b
	}
	for _, e := range list {
		v.detach(e)
		exchange(e, from, into)
	}
	for i, e := range list {
		err := v.attach(e)
		if err == nil {
			continue
		}
		for _, e := range list[:i] {
			v.detach(e)
		}
		for _, e := range list {
			exchange(e, into, from)
			if again := v.attach(e); again != nil {
				return again // This cannot happen: the element was there before.
			}
		}
		return err
	}
	return nil
}

// attach adds an element to stars, faces and edges; it returns an error if a face cannot have it.
func (v *Volume) attach(e int32) error {
	sides := v.Sides(e)
	var missing [MostSides][3]int32
	var err error
	v.triangles(v.Kinds[e], v.Corners(e), func(i int, t [3]int32) {
		missing[i] = t
		if sides[i] = v.findFace(t); sides[i] >= 0 && err == nil {
			err = v.checkFace(sides[i], e)
		}
	})
	if err != nil {
		return err
	}
	for _, x := range v.Corners(e) {
		at, _ := slices.BinarySearch(v.star[x], e)
		v.star[x] = slices.Insert(v.star[x], at, e)
		v.VertexOwner[x] = v.star[x][0]
	}
	for i, f := range sides {
		if f < 0 {
			f = v.takeFace(missing[i], e, sides[:i])
			sides[i] = f
		}
		if v.Kinds[e].Shell() {
			v.shells[f]++
		} else {
			v.solids[f]++
		}
		if v.FaceOwner[f] < 0 || e < v.FaceOwner[f] {
			v.FaceOwner[f] = e
		}
		for _, g := range v.FaceEdges[f] {
			if v.EdgeOwner[g] < 0 || e < v.EdgeOwner[g] {
				v.EdgeOwner[g] = e
			}
		}
	}
	return nil
}

// detach removes an element from stars, faces and edges.
func (v *Volume) detach(e int32) {
	for _, x := range v.Corners(e) {
		at, _ := slices.BinarySearch(v.star[x], e)
		v.star[x] = slices.Delete(v.star[x], at, at+1)
		v.VertexOwner[x] = -1
		if len(v.star[x]) > 0 {
			v.VertexOwner[x] = v.star[x][0]
		}
	}
	for _, f := range v.Sides(e) {
		if v.Kinds[e].Shell() {
			v.shells[f]--
		} else {
			v.solids[f]--
		}
		edges := v.FaceEdges[f]
		if v.solids[f] == 0 && v.shells[f] == 0 {
			v.dropFace(f)
		} else if v.FaceOwner[f] == e {
			v.FaceOwner[f] = v.ownerOfFace(f)
		}
		for _, g := range edges {
			if v.edgeUses[g] > 0 && v.EdgeOwner[g] == e {
				v.EdgeOwner[g] = v.ownerOfEdge(g)
			}
		}
	}
}

// findFace finds a face among the elements at its first vertex; -1 if it does not exist.
func (v *Volume) findFace(t [3]int32) int32 {
	for _, e := range v.star[t[0]] {
		for _, f := range v.Sides(e) {
			if v.Faces[f] == t {
				return f
			}
		}
	}
	return -1
}

// takeFace numbers a new face of element e. siblings are the element's faces that are numbered
// already.
func (v *Volume) takeFace(t [3]int32, e int32, siblings []int32) int32 {
	edges := [3]int32{}
	for k, edge := range [3][2]int32{{t[0], t[1]}, {t[0], t[2]}, {t[1], t[2]}} {
		g := v.edgeAt(edge, e, siblings)
		if g < 0 {
			g = v.takeEdge(edge)
		}
		v.edgeUses[g]++
		edges[k] = g
	}
	if n := len(v.freeFaces); n > 0 {
		f := v.freeFaces[n-1]
		v.freeFaces = v.freeFaces[:n-1]
		v.Faces[f], v.FaceEdges[f] = t, edges
		return f
	}
	v.Faces, v.FaceEdges = append(v.Faces, t), append(v.FaceEdges, edges)
	v.FaceOwner, v.solids, v.shells = append(v.FaceOwner, -1), append(v.solids, 0), append(v.shells, 0)
	return int32(len(v.Faces) - 1)
}

// edgeAt finds an edge among the numbered faces of element e, and among the other elements at its
// first vertex; -1 if it does not exist.
func (v *Volume) edgeAt(edge [2]int32, e int32, siblings []int32) int32 {
	for _, f := range siblings {
		for _, g := range v.FaceEdges[f] {
			if v.Edges[g] == edge {
				return g
			}
		}
	}
	for _, other := range v.star[edge[0]] {
		if other == e {
			continue
		}
		for _, f := range v.Sides(other) {
			for _, g := range v.FaceEdges[f] {
				if v.Edges[g] == edge {
					return g
				}
			}
		}
	}
	return -1
}

func (v *Volume) takeEdge(edge [2]int32) int32 {
	if n := len(v.freeEdges); n > 0 {
		g := v.freeEdges[n-1]
		v.freeEdges = v.freeEdges[:n-1]
		v.Edges[g] = edge
		return g
	}
	v.Edges, v.edgeUses = append(v.Edges, edge), append(v.edgeUses, 0)
	v.EdgeOwner = append(v.EdgeOwner, -1)
	return int32(len(v.Edges) - 1)
}

// dropFace frees the number of a face, and those of edges that no other face has.
func (v *Volume) dropFace(f int32) {
	for _, g := range v.FaceEdges[f] {
		if v.edgeUses[g]--; v.edgeUses[g] == 0 {
			v.Edges[g], v.EdgeOwner[g] = [2]int32{-1, -1}, -1
			v.freeEdges = append(v.freeEdges, g)
		}
	}
	v.Faces[f], v.FaceEdges[f], v.FaceOwner[f] = [3]int32{-1, -1, -1}, [3]int32{-1, -1, -1}, -1
	v.freeFaces = append(v.freeFaces, f)
}

func (v *Volume) ownerOfFace(f int32) int32 {
	for _, e := range v.star[v.Faces[f][0]] {
		if slices.Contains(v.Sides(e), f) {
			return e
		}
	}
	return -1
}

func (v *Volume) ownerOfEdge(g int32) int32 {
	for _, e := range v.star[v.Edges[g][0]] {
		for _, f := range v.Sides(e) {
			if x := &v.FaceEdges[f]; x[0] == g || x[1] == g || x[2] == g {
				return e
			}
		}
	}
	return -1
}

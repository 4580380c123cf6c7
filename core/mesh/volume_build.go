package mesh

import "ccd/core/status"

// triangles calls emit with every triangle of an element's boundary, its vertices rising, and its
// number among them.
func (v *Volume) triangles(k Element, c []int32, emit func(i int, t [3]int32)) {
	s := &elements[k]
	i := 0
	for _, t := range s.triangles {
		emit(i, rising(c[t[0]], c[t[1]], c[t[2]]))
		i++
	}
	for _, q := range s.quads {
		w, x, y, z := c[q[0]], c[q[1]], c[q[2]], c[q[3]]
		if v.cutsFromSecond(w, x, y, z) {
			w, x, y, z = x, y, z, w
		}
		emit(i, rising(w, x, y))
		emit(i+1, rising(w, y, z))
		i += 2
	}
}

// cutsFromSecond reports whether the diagonal of the quadrilateral is (x, z) rather than (w, y):
// whether x or z has the least (Origin, index).
func (v *Volume) cutsFromSecond(w, x, y, z int32) bool {
	return v.older(v.oldest(x, z), v.oldest(w, y))
}

func (v *Volume) oldest(a, b int32) int32 {
	if v.older(b, a) {
		return b
	}
	return a
}

func (v *Volume) older(a, b int32) bool {
	if v.Origin[a] != v.Origin[b] {
		return v.Origin[a] < v.Origin[b]
	}
	return a < b
}

func rising(a, b, c int32) [3]int32 {
	if a > b {
		a, b = b, a
	}
	if b > c {
		b, c = c, b
	}
	if a > b {
		a, b = b, a
	}
	return [3]int32{a, b, c}
}

// findStars lists the elements at every vertex, all in one array. An edit that adds to a list makes
// a new one of it.
func (v *Volume) findStars() {
	count := make([]int32, v.NV+1)
	for _, x := range v.corners {
		count[x+1]++
	}
	for i := range v.NV {
		count[i+1] += count[i]
	}
	all := make([]int32, len(v.corners))
	v.star = make([][]int32, v.NV)
	for i := range v.NV {
		v.star[i] = all[count[i]:count[i]:count[i+1]]
	}
	for e := range v.Kinds {
		for _, x := range v.Corners(int32(e)) {
			v.star[x] = append(v.star[x], int32(e))
		}
	}
}

// findFaces finds the unique triangles of the elements' sides, sorted by the largest vertex, then
// the next.
func (v *Volume) findFaces() error {
	all := make([][3]int32, 0, len(v.sides))
	element := make([]int32, 0, len(v.sides))
	for e, k := range v.Kinds {
		v.triangles(k, v.Corners(int32(e)), func(_ int, t [3]int32) {
			all, element = append(all, t), append(element, int32(e))
		})
	}
	t := newTable(v.NV, len(all), func(i int) (int32, uint64) {
		return all[i][2], uint64(all[i][1])<<32 | uint64(all[i][0])
	})
	for x := range v.NV {
		for _, s := range t.group(int32(x)) {
			if n := len(v.Faces); n == 0 || v.Faces[n-1] != all[s.id] {
				v.Faces = append(v.Faces, all[s.id])
				v.FaceOwner = append(v.FaceOwner, element[s.id])
				v.solids, v.shells = append(v.solids, 0), append(v.shells, 0)
			}
			f := int32(len(v.Faces) - 1)
			v.sides[s.id] = f
			if err := v.joinFace(f, element[s.id]); err != nil {
				return err
			}
		}
	}
	return nil
}

// joinFace adds element e to the elements of face f.
func (v *Volume) joinFace(f, e int32) error {
	if v.FaceOwner[f] != e { // Otherwise e is the first element of the face.
		if err := v.checkFace(f, e); err != nil {
			return err
		}
	}
	if v.Kinds[e].Shell() {
		v.shells[f]++
	} else {
		v.solids[f]++
	}
	return nil
}

// checkFace returns an error unless element e may be added to face f: it must not repeat another
// element, and a solid needs a free side. Repeated elements share all faces, so it suffices to
// check existing faces.
func (v *Volume) checkFace(f, e int32) error {
	k, c := v.Kinds[e], v.Corners(e)
	others := v.star[v.Faces[f][0]]
	if v.shells[f] == 0 && v.solids[f] == 1 {
		others = v.FaceOwner[f : f+1]
	}
	for _, other := range others {
		if other != e && v.Kinds[other] == k && holds(v.Corners(other), c) {
			return status.Errorf(status.ErrIndex, "elements[%d] is the same %v as elements[%d]: vertices %v",
				e, k, other, c)
		}
	}
	if !k.Shell() && v.solids[f] == 2 {
		return status.Errorf(status.ErrIndex, "elements[%d], a %v, is a third at the side %v", e, k, v.Faces[f])
	}
	return nil
}

// findEdges finds the unique edges of the faces, sorted by the larger vertex and then the smaller.
func (v *Volume) findEdges() {
	half := [3][2]int{{0, 1}, {0, 2}, {1, 2}}
	t := newTable(v.NV, 3*len(v.Faces), func(i int) (int32, uint64) {
		f, h := &v.Faces[i/3], &half[i%3]
		return f[h[1]], uint64(f[h[0]])
	})
	v.FaceEdges = make([][3]int32, len(v.Faces))
	for x := range v.NV {
		for _, h := range t.group(int32(x)) {
			edge := [2]int32{int32(h.key), int32(x)}
			if n := len(v.Edges); n == 0 || v.Edges[n-1] != edge {
				v.Edges, v.edgeUses = append(v.Edges, edge), append(v.edgeUses, 0)
			}
			e := int32(len(v.Edges) - 1)
			v.FaceEdges[h.id/3][h.id%3] = e
			v.edgeUses[e]++
		}
	}
}

// findOwners finds the least element of every vertex and edge. That of an edge is the least of its
// faces' owners.
func (v *Volume) findOwners() {
	v.VertexOwner, v.EdgeOwner = make([]int32, v.NV), make([]int32, len(v.Edges))
	for x, s := range v.star {
		v.VertexOwner[x] = -1
		if len(s) > 0 {
			v.VertexOwner[x] = s[0]
		}
	}
	for e := range v.EdgeOwner {
		v.EdgeOwner[e] = -1
	}
	for f, owner := range v.FaceOwner {
		for _, e := range v.FaceEdges[f] {
			if was := v.EdgeOwner[e]; was < 0 || owner < was {
				v.EdgeOwner[e] = owner
			}
		}
	}
}

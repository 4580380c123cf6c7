// Package stq finds the candidates of a step by the sweep and tiniest queue of [Belgrod2023],
// section 6.2 (algorithm 2): one thread, boxes of doubles, one queue for each kind of pairs instead
// of one for all boxes. It is the reference implementation of broad.Sweep, and shares no code with
// package broad, whose tests compare the two. No production package imports it.
package stq

import (
	"cmp"
	"slices"

	"ccd/core/bound"
	"ccd/core/geom"
	"ccd/core/mesh"

	"gonum.org/v1/gonum/stat"
)

// Candidates returns the pairs whose swept boxes overlap, inflated by half the separation and the
// radius of the primitive, and which the mesh's filter allows, by kind and sorted by (a, b).
func Candidates(m *mesh.Mesh, mo *geom.Trajectories, separation float64) map[geom.Kind][][2]int32 {
	filter := m.Filter()
	radii := filter.Radii()
	found := make(map[geom.Kind][][2]int32)
	// search finds the pairs of a first and a second set, or of the first alone where the second is
	// nil.
	search := func(k geom.Kind, first, second []swept) {
		list := slices.Clone(first)
		for _, x := range second {
			x.second = true
			list = append(list, x)
		}
		self := second == nil
		tiniestQueue(list, func(x, y *swept) {
			if self && x.id > y.id || x.second {
				x, y = y, x
			}
			if x.second == y.second && !self || !filter.Allows(k, x.id, y.id) {
				return
			}
			found[k] = append(found[k], [2]int32{x.id, y.id})
		})
		slices.SortFunc(found[k], func(x, y [2]int32) int { return slices.Compare(x[:], y[:]) })
	}
	box := func(id int32, vertices ...int32) swept {
		b := bound.Swept(mo, vertices...)
		if radii.Uniform() {
			b.Inflate(bound.Half(radii.LargestSeparation(separation)))
		} else {
			r := 0.0
			for _, v := range vertices {
				r = max(r, radii.Of(geom.Vertex, v))
			}
			b.Inflate(bound.Inflation(separation, r))
		}
		return swept{box: b, id: id}
	}
	points := func(ids []int32) []swept {
		list := make([]swept, 0, len(ids))
		for _, v := range ids {
			list = append(list, box(v, v))
		}
		return list
	}
	all := make([]int32, m.NV)
	for v := range all {
		all[v] = int32(v)
	}
	edges, faces := make([]swept, 0, len(m.Edges)), make([]swept, 0, len(m.Faces)) // not nil
	for i, e := range m.Edges {
		edges = append(edges, box(int32(i), e[:]...))
	}
	for i, f := range m.Faces {
		faces = append(faces, box(int32(i), f[:]...))
	}
	codimEdges := make([]swept, 0, len(m.CodimEdges))
	for _, e := range m.CodimEdges {
		codimEdges = append(codimEdges, edges[e])
	}
	search(geom.VertexFace, points(all), faces)
	search(geom.EdgeEdge, edges, nil)
	search(geom.PointEdge, points(m.EdgePoints), codimEdges)
	search(geom.PointPoint, points(m.CodimVertices), nil)
	return found
}

// swept is a box in the list that is swept, its primitive, and whether that is of the second set of
// two.
type swept struct {
	box    bound.Box
	id     int32
	second bool
}

// tiniestQueue emits the overlapping pairs of a list, each once. The queue holds pairs (i, j) of
// sorted boxes that overlap along the axis; each pass replaces (i, j) by (i, j+1) or removes it, so
// the queue never grows.
func tiniestQueue(list []swept, emit func(x, y *swept)) {
	axis := widestAxis(list)
	slices.SortFunc(list, func(x, y swept) int { return cmp.Compare(x.box.Min[axis], y.box.Min[axis]) })
	along := func(i, j int) bool { return j < len(list) && list[j].box.Min[axis] <= list[i].box.Max[axis] }
	var queue [][2]int
	for i := range list {
		if along(i, i+1) {
			queue = append(queue, [2]int{i, i + 1})
		}
	}
	for len(queue) > 0 {
		next := queue[:0]
		for _, p := range queue {
			x, y := &list[p[0]], &list[p[1]]
			if x.box.Overlaps(&y.box) {
				emit(x, y)
			}
			if along(p[0], p[1]+1) {
				next = append(next, [2]int{p[0], p[1] + 1})
			}
		}
		queue = next
	}
}

// widestAxis is the axis along which the boxes' centers vary most. Coordinates are scaled so that
// no square overflows.
func widestAxis(list []swept) int {
	best, axis := -1.0, 0
	center := make([]float64, len(list))
	for k := range 3 {
		for i := range list {
			b := &list[i].box
			center[i] = (float64(b.Min[k]/2) + float64(b.Max[k]/2)) / geom.MaxCoordinate
		}
		if v := stat.Variance(center, nil); v > best {
			best, axis = v, k
		}
	}
	return axis
}

package mesh

import (
	"math"
	"slices"

	"ccd/core/geom"
	"ccd/core/status"
)

// Volume is the topology of a mesh of elements: tetrahedra, hexahedra, prisms, pyramids and shells,
// in any mixture.
//
// Its features are the vertices, the unique edges and the unique triangles of its elements, inner
// ones included. A quadrilateral side is two triangles, and its diagonal is an edge: the one
// through the corner of least (Origin, index). Two elements at one side choose the same diagonal,
// and a side whose corners are split keeps it, because a new vertex has the origin of the vertex it
// was split from.
//
// A feature is owned by the live element of least index that has it. Its vertices are in rising
// order, and features are ordered by their largest vertex, then by the next. New numbers them in
// this order. An edit (volume_edit.go) reuses the numbers of removed features, so only the order by
// vertices is independent of earlier edits.
//
// Only one goroutine may use a volume while it is edited.
//
// Size: the fields are the tables of a mesh of elements with all its features, which callers read
// directly; the methods that build and edit them keep all tables consistent with each other.
type Volume struct {
	NV     int
	Origin []int32   // Origin[v] is the vertex of the original mesh that v was split from; v itself if it was given.
	Kinds  []Element // Kinds[e] is the kind of element e, Removed when it is no more.

	Edges [][2]int32 // Edges has {-1, -1} at unused numbers.
	Faces [][3]int32 // Faces has {-1, -1, -1} at unused numbers.

	FaceEdges [][3]int32 // Face (a, b, c) has the edges (a,b), (a,c), (b,c), in this order.

	VertexOwner, EdgeOwner, FaceOwner []int32 // -1 where no live element has the feature

	corners []int32 // the corners of all elements, one element after the other
	first   []int32 // Element e has the corners first[e] to first[e+1]-1.
	sides   []int32 // the faces of all elements
	side    []int32 // Element e has the faces side[e] to side[e+1]-1 of sides.

	star     [][]int32 // star[v] lists the live elements at vertex v, in rising order.
	solids   []uint8   // solids[f] counts the live elements with an inside that have face f.
	shells   []int32   // shells[f] counts the live shells that have face f.
	edgeUses []int32   // edgeUses[e] counts the faces that have edge e.

	freeEdges, freeFaces []int32 // unused numbers
	version              int64

	radius       []float64 // radii of the vertices; nil: all are 0
	radii        *Radii    // made from radius in radiiVersion
	radiiVersion int64
}

// NewVolume checks and builds the topology of a mesh of the given number of vertices. kinds are the
// elements' types, corners their vertices, one element after the other, in the order of VTK.
//
// Errors are of the kinds status.ErrArgument and status.ErrIndex and name the element: an unknown
// type, a corner out of range, a vertex repeated within an element, an element given twice, a third
// element at a side.
func NewVolume(vertices int, kinds []Element, corners []int32) (*Volume, error) {
	if vertices < 0 || vertices > math.MaxInt32 {
		return nil, status.Errorf(status.ErrArgument, "vertices is %d: must be in [0, %d]", vertices, math.MaxInt32)
	}
	v := &Volume{NV: vertices, Origin: make([]int32, vertices)}
	for i := range v.Origin {
		v.Origin[i] = int32(i)
	}
	if err := v.build(kinds, corners); err != nil {
		return nil, err
	}
	return v, nil
}

// build finds all features of a volume that has vertices only.
func (v *Volume) build(kinds []Element, corners []int32) error {
	if err := v.checkElements(kinds, corners); err != nil {
		return err
	}
	v.append(kinds, corners)
	v.findStars()
	if err := v.findFaces(); err != nil {
		return err
	}
	v.findEdges()
	v.findOwners()
	return nil
}

// Corners returns the vertices of element e, in the order they were given in.
func (v *Volume) Corners(e int32) []int32 { return v.corners[v.first[e]:v.first[e+1]] }

// AllCorners returns the corners of all live elements, one after the other: with their types, the
// arguments of NewVolume.
func (v *Volume) AllCorners() []int32 {
	all := make([]int32, 0, len(v.corners))
	for e, k := range v.Kinds {
		if k != Removed {
			all = append(all, v.Corners(int32(e))...)
		}
	}
	return all
}

// Sides returns the faces of element e.
func (v *Volume) Sides(e int32) []int32 { return v.sides[v.side[e]:v.side[e+1]] }

// Star returns the live elements at a vertex, in rising order.
func (v *Volume) Star(vertex int32) []int32 { return v.star[vertex] }

// Version changes whenever the topology does.
func (v *Volume) Version() int64 { return v.version }

// OnSurface reports whether a face is on the surface: it belongs to a shell, or to a solid on one
// side only.
func (v *Volume) OnSurface(face int32) bool { return v.shells[face] > 0 || v.solids[face] == 1 }

// Surface returns for every vertex and edge whether it is on the surface, that is, on a face of the
// surface.
func (v *Volume) Surface() (vertex, edge []bool) {
	vertex, edge = make([]bool, v.NV), make([]bool, len(v.Edges))
	for f := range v.Faces {
		if v.FaceOwner[f] >= 0 && v.OnSurface(int32(f)) {
			for k := range 3 {
				vertex[v.Faces[f][k]], edge[v.FaceEdges[f][k]] = true, true
			}
		}
	}
	return vertex, edge
}

// Objects numbers the connected components by their least vertex: the number of every vertex. A
// vertex in no live element is a component of its own.
func (v *Volume) Objects() []int32 {
	root := make([]int32, v.NV)
	for i := range root {
		root[i] = int32(i)
	}
	find := func(i int32) int32 {
		for root[i] != i {
			root[i] = root[root[i]] // This halves the path to the root.
			i = root[i]
		}
		return i
	}
	for e := range v.Kinds {
		if v.Kinds[e] == Removed {
			continue
		}
		c := v.Corners(int32(e))
		for _, x := range c[1:] {
			a, b := find(c[0]), find(x)
			root[max(a, b)] = min(a, b)
		}
	}
	id, next := make([]int32, v.NV), int32(0)
	for i := range id {
		if r := find(int32(i)); int(r) == i { // A root is the least vertex of its component.
			id[i] = next
			next++
		} else {
			id[i] = id[r]
		}
	}
	return id
}

// Together returns the live element of least index that has all these vertices, or -1.
func (v *Volume) Together(vertices []int32) int32 {
	least := vertices[0]
	for _, x := range vertices {
		if len(v.star[x]) < len(v.star[least]) {
			least = x
		}
	}
	for _, e := range v.star[least] {
		if holds(v.Corners(e), vertices) {
			return e
		}
	}
	return -1
}

func holds(corners, vertices []int32) bool {
	for _, x := range vertices {
		found := false
		for _, c := range corners {
			found = found || c == x
		}
		if !found {
			return false
		}
	}
	return true
}

// checkElements checks new elements by themselves. Errors name them by the numbers they would get.
func (v *Volume) checkElements(kinds []Element, corners []int32) error {
	const most = math.MaxInt32 / 64 // all sides' edges of all elements stay within int32
	if len(kinds)+len(v.Kinds) > most {
		return status.Errorf(status.ErrArgument, "%d elements: at most %d", len(kinds)+len(v.Kinds), most)
	}
	at := 0
	for i, k := range kinds {
		i += len(v.Kinds)
		n := k.Corners()
		if n == 0 {
			return status.Errorf(status.ErrArgument, "elements[%d] is of type %d: not a type of element", i, k)
		}
		if len(corners)-at < n {
			return status.Errorf(status.ErrArgument, "corners ends within elements[%d], a %v", i, k)
		}
		c := corners[at : at+n]
		for j, x := range c {
			if x < 0 || int(x) >= v.NV {
				return status.Errorf(status.ErrIndex,
					"elements[%d], a %v: its corner %d is %d: out of range for %d vertices", i, k, j, x, v.NV)
			}
			if slices.Contains(c[:j], x) {
				return status.Errorf(status.ErrIndex, "elements[%d], a %v, repeats vertex %d", i, k, x)
			}
		}
		at += n
	}
	if at != len(corners) {
		return status.Errorf(status.ErrArgument, "corners has %d vertices; the elements take %d", len(corners), at)
	}
	return nil
}

// append stores elements that were checked.
func (v *Volume) append(kinds []Element, corners []int32) {
	if len(v.first) == 0 {
		v.first, v.side = []int32{0}, []int32{0}
	}
	v.Kinds = append(v.Kinds, kinds...)
	v.corners = append(v.corners, corners...)
	at, side := v.first[len(v.first)-1], v.side[len(v.side)-1]
	for _, k := range kinds {
		at += int32(k.Corners())
		side += int32(k.Sides())
		v.first, v.side = append(v.first, at), append(v.side, side)
	}
	v.sides = append(v.sides, make([]int32, int(side)-len(v.sides))...)
}

// Load checks x0 and x1, row-major NV x 3 doubles each, and packs them into motion.
// Errors are of the kinds status.ErrArgument and status.ErrNonFinite.
func (v *Volume) Load(motion *geom.Trajectories, x0, x1 []float64) error {
	return v.LoadParallel(motion, x0, x1, 1)
}

// LoadParallel is Load on some threads.
func (v *Volume) LoadParallel(motion *geom.Trajectories, x0, x1 []float64, threads int) error {
	return load(motion, "volume", v.NV, x0, x1, threads)
}

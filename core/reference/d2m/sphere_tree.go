package d2m

import (
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bound"
	"ccd/core/geom"
)

// sphereTree is the augmented R-tree of [Buddingh2017], section VI: axis-aligned halving chooses
// the parts, and every part has the smallest sphere around its own triangles, not around the
// spheres of its children. It is read only, and may be shared.
//
// The paper stops at parts below a least length and tests all their triangles; here the tree goes
// down to single triangles, and those parts are where a search of spheres alone stops.
type sphereTree struct {
	vertices []r3.Vec
	faces    [][3]int32
	nodes    []sphereNode
	normals  []facePlane
	// Features are tested once: a vertex and an edge belong to the first of their triangles, bit k
	// of own for vertex k of the triangle, bit 3+k for the edge from k to k+1.
	own []uint8
}

// sphereNode is a part. Its children are child and child+1; a leaf has child = -1 - face.
type sphereNode struct {
	bound.Sphere
	child int32
	fine  bool // below the least length
}

// newSphereTree builds the tree. least is the greatest extent of a part at which a search of
// spheres alone stops, as a fraction of the body's; the paper takes 1/32.
func newSphereTree(vertices []r3.Vec, faces [][3]int32, least float64) *sphereTree {
	t := &sphereTree{vertices: vertices, faces: faces}
	t.normals = make([]facePlane, len(faces))
	middles := make([]r3.Vec, len(faces))
	list := make([]int32, len(faces))
	for i, f := range faces {
		t.normals[i] = planeOf(t.corners(int32(i)))
		list[i] = int32(i)
		middles[i] = geom.Scale(1.0/3, r3.Add(r3.Add(vertices[f[0]], vertices[f[1]]), vertices[f[2]]))
	}
	t.assignOwners()
	if len(faces) > 0 {
		lo, hi := extent(vertices, faces, list)
		b := treeBuilder{t, middles, least * geom.MaxAbs(r3.Sub(hi, lo)), nil, make(map[int32]struct{})}
		t.nodes = append(t.nodes, sphereNode{})
		b.build(0, list)
	}
	return t
}

func (t *sphereTree) corners(face int32) [3]r3.Vec {
	f := t.faces[face]
	return [3]r3.Vec{t.vertices[f[0]], t.vertices[f[1]], t.vertices[f[2]]}
}

// assignOwners gives every vertex and edge an owner.
func (t *sphereTree) assignOwners() {
	t.own = make([]uint8, len(t.faces))
	vertices := make([]bool, len(t.vertices))
	edges := make(map[[2]int32]struct{}, 2*len(t.faces))
	for i, f := range t.faces {
		for k := range 3 {
			if !vertices[f[k]] {
				vertices[f[k]] = true
				t.own[i] |= 1 << k
			}
			e := [2]int32{min(f[k], f[(k+1)%3]), max(f[k], f[(k+1)%3])}
			if _, taken := edges[e]; !taken {
				edges[e] = struct{}{}
				t.own[i] |= 8 << k
			}
		}
	}
}

func extent(vertices []r3.Vec, faces [][3]int32, list []int32) (lo, hi r3.Vec) {
	lo = vertices[faces[list[0]][0]]
	hi = lo
	for _, i := range list {
		for _, v := range faces[i] {
			p := vertices[v]
			lo = r3.Vec{X: min(lo.X, p.X), Y: min(lo.Y, p.Y), Z: min(lo.Z, p.Z)}
			hi = r3.Vec{X: max(hi.X, p.X), Y: max(hi.Y, p.Y), Z: max(hi.Z, p.Z)}
		}
	}
	return lo, hi
}

type treeBuilder struct {
	t       *sphereTree
	middles []r3.Vec
	least   float64
	points  []r3.Vec
	seen    map[int32]struct{}
}

// build fills node id with the triangles of list, which it reorders.
func (b *treeBuilder) build(id int32, list []int32) {
	b.points = b.points[:0]
	clear(b.seen)
	for _, i := range list {
		for _, v := range b.t.faces[i] {
			if _, old := b.seen[v]; !old {
				b.seen[v] = struct{}{}
				b.points = append(b.points, b.t.vertices[v])
			}
		}
	}
	lo, hi := extent(b.t.vertices, b.t.faces, list)
	n := sphereNode{Sphere: bound.Enclose(b.points), fine: geom.MaxAbs(r3.Sub(hi, lo)) <= b.least}
	if len(list) == 1 {
		n.child = -1 - list[0]
		b.t.nodes[id] = n
		return
	}
	cut := b.split(list)
	n.child = int32(len(b.t.nodes))
	b.t.nodes[id] = n
	b.t.nodes = append(b.t.nodes, sphereNode{}, sphereNode{})
	b.build(n.child, list[:cut])
	b.build(n.child+1, list[cut:])
}

// split divides list at the middle of the broadest extent of the triangles' middles, or in two
// equal parts where they coincide.
func (b *treeBuilder) split(list []int32) int {
	lo, hi := b.middles[list[0]], b.middles[list[0]]
	for _, i := range list {
		p := b.middles[i]
		lo = r3.Vec{X: min(lo.X, p.X), Y: min(lo.Y, p.Y), Z: min(lo.Z, p.Z)}
		hi = r3.Vec{X: max(hi.X, p.X), Y: max(hi.Y, p.Y), Z: max(hi.Z, p.Z)}
	}
	l, h := geom.Components(lo), geom.Components(hi)
	axis := 0
	for k := range 3 {
		if h[k]-l[k] > h[axis]-l[axis] {
			axis = k
		}
	}
	middle := float64(0.5*l[axis]) + float64(0.5*h[axis])
	cut := 0
	for i := range list {
		if geom.Components(b.middles[list[i]])[axis] < middle {
			list[i], list[cut] = list[cut], list[i]
			cut++
		}
	}
	if cut == 0 || cut == len(list) {
		return len(list) / 2
	}
	return cut
}

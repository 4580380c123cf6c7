package mesh

import (
	"sync"
	"sync/atomic"

	"ccd/core/geom"
)

// An Order numbers the vertices, edges and faces of a mesh by places, so that what is near in space
// is near in memory. It is a copy of the topology for loops over the primitives of a region;
// whoever uses it returns results in the mesh's own numbers. It is immutable.
type Order struct {
	Place    []int32    // Place[v] is the place of vertex v.
	Vertices []int32    // Vertices[p] is the vertex at place p.
	EdgeIDs  []int32    // EdgeIDs[p] is the edge at place p.
	FaceIDs  []int32    // FaceIDs[p] is the face at place p.
	Edges    [][2]int32 // Edges[p] has the places of the vertices of the edge at place p, in the order of Mesh.Edges.
	Faces    [][3]int32 // Faces[p] has the places of the vertices of the face at place p, in the order of Mesh.Faces.
	Jumps    float64    // the part of neighbors in the order that are far apart where it was made
}

// Bytes returns the memory of the order.
func (o *Order) Bytes() int64 {
	if o == nil {
		return 0
	}
	return int64(8*len(o.Vertices) + 12*len(o.Edges) + 16*len(o.Faces))
}

// Gather returns the places of the vertices of pairs, in the order of a query, in the memory of
// out. The pairs are places of vertices and faces, or of edges.
func (o *Order) Gather(k geom.Kind, pairs [][2]int32, out [][4]int32) [][4]int32 {
	part := Mesh{Edges: o.Edges, Faces: o.Faces}
	return part.Gather(k, pairs, out)
}

// A Hierarchy is what core/broad/hierarchy makes of a mesh for its broad phases.
type Hierarchy interface {
	Bytes() int64 // the memory of the hierarchy
}

// ordersOf are what calls on a mesh have made of it so that later ones are faster.
type ordersOf struct {
	order     kept[Order]
	hierarchy kept[Hierarchy]

	shared *ordersOf // nil, or those of a mesh with the same topology, which serve this one
}

// those returns what serves the mesh.
func (s *ordersOf) those() *ordersOf {
	if s.shared != nil {
		return s.shared
	}
	return s
}

// forget drops what was made of a mesh whose topology changes.
func (s *ordersOf) forget() {
	s.order.forget()
	s.hierarchy.forget()
}

// kept is something that a mesh has, or nothing yet.
type kept[T any] struct {
	value  atomic.Pointer[T]
	making sync.Mutex // one goroutine at a time decides
	calls  int        // that would have used it
}

func (s *kept[T]) forget() {
	s.value.Store(nil)
	s.calls = 0
}

// update calls update with what the mesh has, or nil, and the number that the call before returned,
// 0 at first. It keeps what update returns, and returns that. While another goroutine is about it,
// it calls nothing and returns what the mesh has.
func (s *kept[T]) update(update func(x *T, calls int) (*T, int)) *T {
	if !s.making.TryLock() {
		return s.value.Load()
	}
	defer s.making.Unlock()
	x := s.value.Load()
	n, calls := update(x, s.calls)
	if s.calls = calls; n != x {
		s.value.Store(n)
	}
	return n
}

// Order returns the order that the mesh has, or nil.
func (m *Mesh) Order() *Order { return m.ordered.those().order.value.Load() }

// UpdateOrder calls update with the order that the mesh has, or nil, and the number that the call
// before returned, 0 at first. It keeps what update returns, and returns that order. While another
// goroutine is about it, UpdateOrder calls nothing and returns the present order.
func (m *Mesh) UpdateOrder(update func(o *Order, calls int) (*Order, int)) *Order {
	return m.ordered.those().order.update(update)
}

// Hierarchy returns the hierarchy that the mesh has, or nil.
func (m *Mesh) Hierarchy() *Hierarchy { return m.ordered.those().hierarchy.value.Load() }

// UpdateHierarchy is UpdateOrder for the hierarchy.
func (m *Mesh) UpdateHierarchy(update func(h *Hierarchy, calls int) (*Hierarchy, int)) *Hierarchy {
	return m.ordered.those().hierarchy.update(update)
}

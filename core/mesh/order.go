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

// orderOf is the order of a mesh, if it has one.
type orderOf struct {
	order  atomic.Pointer[Order]
	making sync.Mutex // one goroutine at a time decides
	calls  int        // that would have used an order
}

// forget drops the order of a mesh whose topology changes.
func (s *orderOf) forget() {
	s.order.Store(nil)
	s.calls = 0
}

// Order returns the order that the mesh has, or nil.
func (m *Mesh) Order() *Order { return m.ordered.order.Load() }

// UpdateOrder calls update with the order that the mesh has, or nil, and the number that the call
// before returned, 0 at first. It keeps what update returns, and returns that order. While another
// goroutine is about it, UpdateOrder calls nothing and returns the present order.
func (m *Mesh) UpdateOrder(update func(o *Order, calls int) (*Order, int)) *Order {
	s := &m.ordered
	if !s.making.TryLock() {
		return s.order.Load()
	}
	defer s.making.Unlock()
	o := s.order.Load()
	n, calls := update(o, s.calls)
	if s.calls = calls; n != o {
		s.order.Store(n)
	}
	return n
}

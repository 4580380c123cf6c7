package geom

import "fmt"

// Kind names the two primitives of a query.
type Kind int32

// The kinds of a linear query, with the values of the C constants CCD_VERTEX_FACE and so on.
const (
	VertexFace Kind = 1 + iota // v, f0, f1, f2
	EdgeEdge                   // a0, a1, b0, b1
	PointEdge                  // p, e0, e1
	PointPoint                 // p, q
)

// EdgeFace is e0, e1, f0, f1, f2: a pair of one frame that may intersect. No query of a step has this kind.
const EdgeFace Kind = 5

// Points is the number of points in one frame of a query: 4, 4, 3 or 2; 5 for an edge and a face.
func (k Kind) Points() int {
	switch k {
	case EdgeFace:
		return 5
	case PointEdge:
		return 3
	case PointPoint:
		return 2
	}
	return 4
}

// Len is the number of doubles in a query: all points at t=0, then all points at t=1.
func (k Kind) Len() int { return 6 * k.Points() }

func (k Kind) String() string {
	switch k {
	case VertexFace:
		return "vertex-face"
	case EdgeEdge:
		return "edge-edge"
	case PointEdge:
		return "point-edge"
	case PointPoint:
		return "point-point"
	case EdgeFace:
		return "edge-face"
	}
	return fmt.Sprintf("kind(%d)", int32(k))
}

// Widen writes the query q of the given kind as the four-point query that has the same answer:
// a point-edge query is a vertex-face query with f2 = f0, a point-point query one with f2 = f1 = f0.
// Vertex-face and edge-edge queries are copied.
func Widen(k Kind, q []float64, out *[24]float64) {
	switch k {
	case PointEdge:
		for s := range 2 {
			p, o := q[9*s:9*s+9], out[12*s:12*s+12]
			copy(o[0:9], p)
			copy(o[9:12], p[3:6])
		}
	case PointPoint:
		for s := range 2 {
			p, o := q[6*s:6*s+6], out[12*s:12*s+12]
			copy(o[0:6], p)
			copy(o[6:9], p[3:6])
			copy(o[9:12], p[3:6])
		}
	default:
		copy(out[:], q[:24])
	}
}

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

// EdgeFace is e0, e1, f0, f1, f2: a pair of one configuration that may intersect. No query of a
// step has this kind; an impact has it where a step begins with an edge through a face.
const EdgeFace Kind = 5

// Shape is the shape of a primitive of a mesh.
type Shape uint8

// The shapes; Shape.Vertices is the number of vertices of one.
const (
	Vertex Shape = iota
	Edge
	Face
)

// Vertices returns the number of vertices of a primitive of this shape.
func (s Shape) Vertices() int { return 1 + int(s) }

func (s Shape) String() string { return [...]string{"vertex", "edge", "face"}[s] }

// Plural returns the name of many.
func (s Shape) Plural() string { return [...]string{"vertices", "edges", "faces"}[s] }

// KindInfo is the properties of a kind. Data that depend on the kind alone are in this table and
// nowhere else; code that differs by kind has a table of its own, with an entry for each kind.
//
// The difference of a point of primitive a and one of b is F(u,v) = A + u B + v C. Each of A, B, C
// is the difference of two points of the query.
type KindInfo struct {
	Name    string
	Shapes  [2]Shape    // the shapes of primitives a and b
	Points  int         // the number of points in one configuration
	Split   int         // the number of points of a, which come first
	Step    bool        // queries of a step have this kind
	Widen   [4]uint8    // the points of the query of four points that has the same result
	Domain  Domain      // where (u, v) lies
	Form    [3][2]uint8 // A, B, C, each point [0] minus point [1]; the same point twice for one that vanishes
	Corners []Corner    // the corners of Domain, in order around it

	// Weights are those of the points in F(u,v): their sum is 0, the first Split add up to 1. nil
	// for EdgeFace.
	Weights func(u, v float64) [4]float64
}

// Corner is a corner of a kind's domain: F there is point A of the query minus point B.
type Corner struct{ U, V, A, B uint8 }

// Domain is the set that the (u, v) of a kind fill.
type Domain uint8

// The domains. The zero value is no domain: the kind has no F.
const (
	Point    Domain = 1 + iota // (0, 0)
	Segment                    // 0 <= u <= 1, v = 0
	Triangle                   // u, v >= 0, u + v <= 1
	Square                     // 0 <= u, v <= 1
)

// Symmetric reports whether both primitives have one shape, so that (a, b) and (b, a) are one pair.
func (i *KindInfo) Symmetric() bool { return i.Shapes[0] == i.Shapes[1] }

var kinds = [...]KindInfo{
	VertexFace: {
		Name: "vertex-face", Shapes: [2]Shape{Vertex, Face}, Points: 4, Split: 1, Step: true,
		Widen:   [4]uint8{0, 1, 2, 3},
		Domain:  Triangle,
		Form:    [3][2]uint8{{0, 1}, {1, 2}, {1, 3}},
		Corners: []Corner{{0, 0, 0, 1}, {1, 0, 0, 2}, {0, 1, 0, 3}},
		Weights: func(u, v float64) [4]float64 { return [4]float64{1, -(1 - u - v), -u, -v} },
	},
	EdgeEdge: {
		Name: "edge-edge", Shapes: [2]Shape{Edge, Edge}, Points: 4, Split: 2, Step: true,
		Widen:   [4]uint8{0, 1, 2, 3},
		Domain:  Square,
		Form:    [3][2]uint8{{0, 2}, {1, 0}, {2, 3}},
		Corners: []Corner{{0, 0, 0, 2}, {1, 0, 1, 2}, {1, 1, 1, 3}, {0, 1, 0, 3}},
		Weights: func(u, v float64) [4]float64 { return [4]float64{1 - u, u, -(1 - v), -v} },
	},
	PointEdge: {
		Name: "point-edge", Shapes: [2]Shape{Vertex, Edge}, Points: 3, Split: 1, Step: true,
		Widen:   [4]uint8{0, 1, 2, 1},
		Domain:  Segment,
		Form:    [3][2]uint8{{0, 1}, {1, 2}, {0, 0}},
		Corners: []Corner{{0, 0, 0, 1}, {1, 0, 0, 2}},
		Weights: func(u, _ float64) [4]float64 { return [4]float64{1, -(1 - u), -u, 0} },
	},
	PointPoint: {
		Name: "point-point", Shapes: [2]Shape{Vertex, Vertex}, Points: 2, Split: 1, Step: true,
		Widen:   [4]uint8{0, 1, 1, 1},
		Domain:  Point,
		Form:    [3][2]uint8{{0, 1}, {0, 0}, {0, 0}},
		Corners: []Corner{{0, 0, 0, 1}},
		Weights: func(_, _ float64) [4]float64 { return [4]float64{1, -1, 0, 0} },
	},
	EdgeFace: {Name: "edge-face", Shapes: [2]Shape{Edge, Face}, Points: 5, Split: 2},
}

// StepKinds are the kinds that a step tests, in their order.
var StepKinds = [...]Kind{VertexFace, EdgeEdge, PointEdge, PointPoint}

// Info returns the table's entry for k, which must be a kind.
func (k Kind) Info() *KindInfo { return &kinds[k] }

// Valid reports whether k is a kind that a step tests.
func (k Kind) Valid() bool { return k.Known() && kinds[k].Step }

// Known reports whether k has an entry in the table.
func (k Kind) Known() bool { return 0 < k && int(k) < len(kinds) }

// Points returns the number of points in one configuration of a query: 4, 4, 3 or 2; 5 for an edge
// and a face.
func (k Kind) Points() int { return kinds[k].Points }

// Len returns the number of doubles in a query: all points at t=0, then all points at t=1.
func (k Kind) Len() int { return 6 * kinds[k].Points }

func (k Kind) String() string {
	if k.Known() {
		return kinds[k].Name
	}
	return fmt.Sprintf("kind(%d)", int32(k))
}

// Widen writes the query q of the given kind as the four-point query that has the same answer: a
// point-edge query is a vertex-face query with f2 = f0, a point-point query one with f2 = f1 = f0.
// Vertex-face and edge-edge queries are copied.
func Widen(k Kind, q []float64, out *[24]float64) {
	info := &kinds[k]
	n := info.Points
	if n == 4 {
		copy(out[:], q[:24])
		return
	}
	for end := range 2 {
		for i, from := range info.Widen {
			copy(out[12*end+3*i:12*end+3*i+3], q[3*(n*end+int(from)):])
		}
	}
}

package mesh

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"ccd/core/geom"
	"ccd/core/status"
)

// Mesh is the topology of a surface. Only New writes its fields. A new filter replaces the old one
// atomically, so threads may use a mesh while another sets its filter.
//
// Size: the methods set and read the topology, its filters and its radii, so that these stay
// consistent.
type Mesh struct {
	NV        int        // vertices
	Edges     [][2]int32 // unique
	Faces     [][3]int32
	FaceEdges [][3]int32 // face f has the edges (f0,f1), (f1,f2), (f2,f0), in this order

	CodimVertices []int32 // vertices in no edge, ascending
	CodimEdges    []int32 // edges in no face, ascending
	EdgePoints    []int32 // the points of the point-edge family, ascending; see the package's doc

	ignored []bool // ignored[v] is true if vertex v is no particle; nil where all are, see NewIgnoring

	hinges [][2]int32 // the other ends of the edges of EdgePoints[i]; -1 where there is none

	hinged func() [2][][2]int32 // see Hinged

	incidenceOf // the primitives at each vertex

	setting sync.Mutex // one setter at a time
	filter  atomic.Pointer[Filter]
	ordered ordersOf

	copies int      // copies is how many copies of one mesh it is made of; 0: Copies did not make it.
	copied copiesOf // copied is what Copies has made of it.
}

// New checks and builds the topology of a mesh with the given number of vertices.
//
// faces is flat, three vertices each. edges is flat, two vertices each: every edge of every face
// once, in any direction, and any codimensional edges. With edges nil they are the unique edges of
// the faces, each as (smaller, larger), sorted by the larger vertex and then the smaller. No faces,
// no edges and no vertices are all allowed.
//
// A face is given twice when it has the same three vertices in the same cyclic order; the two sides
// of a sheet may be two faces. Errors are of the kinds status.ErrArgument and status.ErrIndex and
// name the index.
func New(vertices int, edges, faces []int32) (*Mesh, error) {
	return NewIgnoring(vertices, edges, faces, nil)
}

// NewIgnoring is New for a mesh some of whose vertices are in no edge and are no particles either:
// no pair has them. Files have such vertices, and the others keep their numbers. ignored marks
// them, one value for each vertex; nil: none.
func NewIgnoring(vertices int, edges, faces []int32, ignored []bool) (*Mesh, error) {
	if err := CheckSizes(vertices, edges, faces); err != nil {
		return nil, err
	}
	m := &Mesh{NV: vertices, Faces: make([][3]int32, len(faces)/3)}
	for i := range m.Faces {
		m.Faces[i] = [3]int32(faces[3*i:])
	}
	if err := m.checkFaces(); err != nil {
		return nil, err
	}
	if edges == nil {
		m.deriveEdges()
	} else if err := m.takeEdges(edges); err != nil {
		return nil, err
	}
	if err := m.ignore(ignored); err != nil {
		return nil, err
	}
	m.findCodimensional()
	m.hinged = sync.OnceValue(m.findHinged)
	m.filter.Store(&Filter{mesh: m})
	return m, nil
}

// Indices returns the vertices of a pair of primitives, in the order of a query: the first
// Kind.Points() of them. The others repeat as in geom.Widen, so that every kind may also be read as
// a query of four points.
func (m *Mesh) Indices(k geom.Kind, a, b int32) (out [4]int32) {
	info := k.Info()
	var points [4]int32
	m.vertices(info.Shapes[0], a, points[:info.Split])
	m.vertices(info.Shapes[1], b, points[info.Split:])
	for i, from := range info.Widen {
		out[i] = points[from]
	}
	return out
}

// vertices writes the vertices of a primitive to out, as many as it has.
func (m *Mesh) vertices(s geom.Shape, i int32, out []int32) {
	switch s {
	case geom.Vertex:
		out[0] = i
	case geom.Edge:
		out[0], out[1] = m.Edges[i][0], m.Edges[i][1]
	case geom.Face:
		out[0], out[1], out[2] = m.Faces[i][0], m.Faces[i][1], m.Faces[i][2]
	}
}

// Count returns the number of primitives of a shape, or of Elements.
func (m *Mesh) Count(s geom.Shape) int {
	if s == Elements {
		return len(m.Faces) + len(m.CodimEdges) + len(m.CodimVertices)
	}
	return [3]int{m.NV, len(m.Edges), len(m.Faces)}[s]
}

// Gather is Indices for a list of pairs of one kind, into the memory of out.
func (m *Mesh) Gather(k geom.Kind, pairs [][2]int32, out [][4]int32) [][4]int32 {
	out = slices.Grow(out[:0], len(pairs))[:len(pairs)]
	switch k {
	case geom.VertexFace:
		faces := m.Faces
		for i, p := range pairs {
			f := &faces[p[1]]
			out[i] = [4]int32{p[0], f[0], f[1], f[2]}
		}
	case geom.EdgeEdge:
		edges := m.Edges
		for i, p := range pairs {
			e, g := &edges[p[0]], &edges[p[1]]
			out[i] = [4]int32{e[0], e[1], g[0], g[1]}
		}
	default:
		for i, p := range pairs {
			out[i] = m.Indices(k, p[0], p[1])
		}
	}
	return out
}

// Load checks x0 and x1, row-major NV x 3 doubles each, and packs them into motion.
// Errors are of the kinds status.ErrArgument and status.ErrNonFinite.
func (m *Mesh) Load(motion *geom.Trajectories, x0, x1 []float64) error {
	return m.LoadParallel(motion, x0, x1, 1)
}

// LoadParallel is Load on some threads.
func (m *Mesh) LoadParallel(motion *geom.Trajectories, x0, x1 []float64, threads int) error {
	return load(motion, "mesh", m.NV, x0, x1, threads)
}

func load(motion *geom.Trajectories, what string, vertices int, x0, x1 []float64, threads int) error {
	if len(x0) != 3*vertices {
		return status.Errorf(status.ErrArgument, "x0 has %d coordinates; the %s has %d vertices, so %d",
			len(x0), what, vertices, 3*vertices)
	}
	if len(x1) != len(x0) {
		return status.Errorf(status.ErrArgument, "x1 has %d coordinates; x0 has %d", len(x1), len(x0))
	}
	return motion.LoadParallel(x0, x1, threads)
}

// CheckSizes returns an error unless every count, and three half-edges a face, fit into int32.
func CheckSizes(vertices int, edges, faces []int32) error {
	switch {
	case vertices < 0 || vertices > math.MaxInt32:
		return status.Errorf(status.ErrArgument, "vertices is %d: must be in [0, %d]", vertices, math.MaxInt32)
	case len(faces)%3 != 0:
		return status.Errorf(status.ErrArgument, "faces has %d indices: not a multiple of 3", len(faces))
	case len(faces) > math.MaxInt32:
		return status.Errorf(status.ErrArgument, "faces has %d indices: at most %d", len(faces), math.MaxInt32)
	case len(edges)%2 != 0:
		return status.Errorf(status.ErrArgument, "edges has %d indices: not a multiple of 2", len(edges))
	case len(edges) > math.MaxInt32:
		return status.Errorf(status.ErrArgument, "edges has %d indices: at most %d", len(edges), math.MaxInt32)
	}
	return nil
}

func (m *Mesh) checkFaces() error {
	for i := range m.Faces {
		f := &m.Faces[i]
		for j, v := range f {
			if v < 0 || int(v) >= m.NV {
				return status.Errorf(status.ErrIndex,
					"faces[%d][%d] is %d: out of range for %d vertices, the first of which is 0", i, j, v, m.NV)
			}
		}
		for j, v := range f {
			if v == f[(j+1)%3] {
				return status.Errorf(status.ErrIndex, "faces[%d] is degenerate: it repeats vertex %d", i, v)
			}
		}
	}
	if i, j, found := tableOfFaces(m.NV, m.Faces).twice(); found {
		return status.Errorf(status.ErrIndex, "faces[%d] is the same face as faces[%d]: vertices %v", j, i, m.Faces[i])
	}
	return nil
}

// RepeatedFaces returns, ascending, the faces that have the vertices of an earlier one in the same
// cyclic order.
func RepeatedFaces(vertices int, faces [][3]int32) []int32 {
	return tableOfFaces(vertices, faces).repeated()
}

// tableOfFaces groups faces so that those with the same vertices in the same cyclic order have one
// key.
func tableOfFaces(vertices int, faces [][3]int32) *table {
	return newTable(vertices, len(faces), func(i int) (int32, uint64) {
		a, b, c := faces[i][0], faces[i][1], faces[i][2]
		for a > b || a > c {
			a, b, c = b, c, a
		}
		return a, uint64(b)<<32 | uint64(c)
	})
}

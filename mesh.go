package ccd

import (
	"slices"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/meshfile"
	"ccd/core/status"
	"ccd/core/step"
)

// Mesh is the topology of a surface of triangles, edges and points, with the filters that decide
// which pairs are tested. It has no positions: calls take them. NewMesh and Surface.Mesh make
// meshes; the zero Mesh is an ErrArgument in every call.
//
// A setter replaces its filter at once, for the calls that begin afterwards. Goroutines may share a
// mesh, and one may set a filter while others use it.
type Mesh struct {
	core *mesh.Mesh
}

// NewMesh checks and builds a mesh of vertices 0 to vertices - 1.
//
// faces has three vertices for each face. edges has two for each edge: every edge of every face
// once, in any direction, and edges that belong to no face. If it is nil, the edges are those of
// the faces, each as (smaller, larger), sorted by the larger vertex and then the smaller. A mesh
// may have no faces, no edges and no vertices. The slices are copied.
//
// Errors are ErrArgument and ErrIndex.
func NewMesh(vertices int, edges, faces []int32) (m *Mesh, err error) {
	defer entered(&err)
	c, err := mesh.New(vertices, edges, faces)
	if err != nil {
		return nil, err
	}
	return &Mesh{c}, nil
}

// NewMeshIgnoring is NewMesh for a mesh some of whose vertices are in no edge and no particles
// either: no pair has them, and the others keep their numbers. ignored marks them, with a value for
// each vertex.
func NewMeshIgnoring(vertices int, edges, faces []int32, ignored []bool) (m *Mesh, err error) {
	defer entered(&err)
	c, err := mesh.NewIgnoring(vertices, edges, faces, ignored)
	if err != nil {
		return nil, err
	}
	return &Mesh{c}, nil
}

// get returns the mesh of the core.
func (m *Mesh) get() (*mesh.Mesh, error) {
	if m == nil || m.core == nil {
		return nil, status.Errorf(ErrArgument, "mesh is nil or zero: make it with NewMesh")
	}
	return m.core, nil
}

// set runs a setter of the core.
func (m *Mesh) set(call func(m *mesh.Mesh) error) (err error) {
	defer entered(&err)
	c, err := m.get()
	if err != nil {
		return err
	}
	return call(c)
}

// Vertices returns the number of vertices.
func (m *Mesh) Vertices() int {
	if c, err := m.get(); err == nil {
		return c.NV
	}
	return 0
}

// Edges returns a copy of the edges. Impact.A and B of an edge are indices into it.
func (m *Mesh) Edges() [][2]int32 {
	if c, err := m.get(); err == nil {
		return slices.Clone(c.Edges)
	}
	return nil
}

// Faces returns a copy of the faces.
func (m *Mesh) Faces() [][3]int32 {
	if c, err := m.get(); err == nil {
		return slices.Clone(c.Faces)
	}
	return nil
}

// SetGroups returns each vertex a collision group. A pair is skipped if all its vertices are of one
// group. A negative number is no group. Nil removes the filter.
func (m *Mesh) SetGroups(group []int32) error {
	return m.set(func(c *mesh.Mesh) error { return c.SetGroups(group) })
}

// SetComponentGroups makes every connected component a collision group: no component is tested
// against itself.
func (m *Mesh) SetComponentGroups() error { return m.set((*mesh.Mesh).SetComponentGroups) }

// SetStatic marks the vertices that do not move: a pair is skipped if all its vertices are static.
// Nil removes the filter.
func (m *Mesh) SetStatic(static []bool) error {
	return m.set(func(c *mesh.Mesh) error { return c.SetStatic(static) })
}

// SetRadii makes the vertices balls of these radii, edges capsules, and faces plates with the
// largest radius of their vertices. Contact then means a distance of at most Options.MinSeparation
// plus both radii. Nil removes the radii.
func (m *Mesh) SetRadii(radius []float64) error {
	return m.set(func(c *mesh.Mesh) error { return c.SetRadii(radius) })
}

// SetExcluded excludes these pairs (a, b) of primitives of a kind, and replaces the earlier list of
// the kind. The order within a pair of two edges or two points does not matter. Nil removes the
// list.
func (m *Mesh) SetExcluded(kind Kind, pairs [][2]int) error {
	return m.set(func(c *mesh.Mesh) error {
		list := make([][2]int64, len(pairs))
		for i, p := range pairs {
			list[i] = [2]int64{int64(p[0]), int64(p[1])}
		}
		return c.SetExcluded(geom.Kind(kind), list)
	})
}

// ExcludeNear excludes pairs that are near in the mesh, beside those that are excluded, and returns
// how many it added. With positions x at rest they are the pairs within their separation there,
// which would be in contact at the start of a step; with rings above 0, at most 64, only those of
// which a vertex of one primitive is within so many edges of a vertex of the other. If x is nil all
// pairs within rings are excluded.
func (m *Mesh) ExcludeNear(x []float64, rings int, o *Options) (added int, err error) {
	return onStep(m, o, func(m *mesh.Mesh, o *step.Options) (int, error) {
		return step.ExcludeNear(m, x, int32(min(max(rings, -1), mesh.MostRings+1)), o)
	})
}

// Surface is the content of a file: the positions and the topology of a surface.
type Surface struct {
	Vertices []float64  // 3 coordinates for each vertex
	Edges    [][2]int32 // the edges that the file lists; those of the faces need not be among them
	Faces    [][3]int32 // triangles; polygons are split

	Unused  []int32   // vertices that no face, edge or point of the file uses: Mesh makes them no particles
	LeftOut []LeftOut // what the reader left out
	Fields  []Field   // data at the points of the file
	Notes   []string  // other remarks of the reader
}

// LeftOut is how many things of a kind a reader left out; What is a plural, as "faces given twice".
type LeftOut struct {
	What  string
	Count int
}

// Field is data at the points of a file, as a displacement: Components values for each vertex, some
// of which may be NaN or infinite.
type Field struct {
	Name       string
	Components int
	Values     []float64
}

// ReadSurface reads an OBJ, PLY, STL or OFF file, or the triangles, quadrilaterals and lines of a
// Gmsh, MEDIT or VTK file. The content determines the format. Faces that repeat a vertex or are
// given twice are left out; LeftOut counts them. Errors are ErrFile; they name the path and the
// line.
func ReadSurface(path string) (s *Surface, err error) {
	defer entered(&err)
	return surface(meshfile.Read(path))
}

// DecodeSurface is ReadSurface for the content of a file.
func DecodeSurface(data []byte) (s *Surface, err error) {
	defer entered(&err)
	return surface(meshfile.Decode(data))
}

func surface(s *meshfile.Surface, err error) (*Surface, error) {
	if err != nil {
		return nil, err
	}
	out := &Surface{Vertices: s.Vertices, Edges: s.Edges, Faces: s.Faces, Unused: s.Unused, Notes: s.Notes}
	for _, l := range s.LeftOut {
		out.LeftOut = append(out.LeftOut, LeftOut(l))
	}
	for _, f := range s.Fields {
		out.Fields = append(out.Fields, Field(f))
	}
	return out, nil
}

// CleanSurface does for arrays what ReadSurface does for files: it leaves out the faces and edges
// that NewMesh refuses, and counts them. x has 3 coordinates for each vertex; edges are
// codimensional ones. Errors are ErrArgument, ErrNonFinite and ErrIndex.
func CleanSurface(x []float64, edges, faces []int32) (s *Surface, err error) {
	defer entered(&err)
	return surface(meshfile.Clean(x, edges, faces))
}

// Weld finds the vertices that are copies of an earlier one: it returns the number of each vertex's
// place, and the number of places. No coordinate of a copy differs by more than 2^bits - 1 units in
// the last place of the largest coordinate; bits is at most 48. Errors are ErrArgument and
// ErrNonFinite.
func Weld(x []float64, bits int) (places []int32, n int, err error) {
	defer entered(&err)
	return meshfile.Weld(x, bits)
}

// Mesh returns the mesh of the surface: its edges are those of the faces, then the others of the
// file. Vertices in Unused are ignored; where they are to be particles, set Unused to nil.
func (s *Surface) Mesh() (m *Mesh, err error) {
	defer entered(&err)
	if s == nil {
		return nil, status.Errorf(ErrArgument, "surface is nil")
	}
	c, err := (&meshfile.Surface{Vertices: s.Vertices, Edges: s.Edges, Faces: s.Faces, Unused: s.Unused}).Mesh()
	if err != nil {
		return nil, err
	}
	return &Mesh{c}, nil
}

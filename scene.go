package ccd

import (
	"ccd/core/geom"
	"ccd/core/scene"
	"ccd/core/status"
)

// Scene is a mesh with its positions, of which some vertices move in each step: a large static
// world with a few movers. The scene keeps what it knows of the parts at rest, so that a call costs
// what moves. NewScene makes it.
//
// Each step calls a method of Step, and then Commit. Step takes moved, the vertices that move, in
// ascending order, none twice, and x1, 3 coordinates for each of them; all other vertices stay. If
// moved is nil and x1 is not empty, all vertices move. Pairs of which no vertex is in moved are
// skipped, even if they touch. Results have the bits of the functions of the same names for the
// same motion on a mesh whose other vertices are static (Mesh.SetStatic). Options.Method must be
// DefaultMethod or Exact.
//
// The mesh is part 0 of the scene. Add adds other meshes and Remove removes parts, so numbers of
// vertices, edges and faces are those of the scene: a part's first number, plus the number in its
// mesh.
//
// A scene has the groups, static vertices, exclusions and radii that its mesh had when it was
// created: after any of them was set, calls return ErrArgument. Goroutines may share a scene; its
// calls run one after the other.
type Scene struct {
	core *scene.Scene
}

// NewScene returns a scene of a mesh whose vertices are at x0, 3 coordinates each, which it copies.
func NewScene(m *Mesh, x0 []float64) (s *Scene, err error) {
	defer entered(&err)
	c, err := m.get()
	if err != nil {
		return nil, err
	}
	made, err := scene.New(c, x0)
	if err != nil {
		return nil, err
	}
	return &Scene{made}, nil
}

func (s *Scene) get() (*scene.Scene, error) {
	if s == nil || s.core == nil {
		return nil, status.Errorf(ErrArgument, "scene is nil or zero: make it with NewScene")
	}
	return s.core, nil
}

// ScenePart says which numbers the primitives of a part have in the scene: primitive i of its mesh
// has the number First + i.
type ScenePart struct {
	ID                                int // 0 for the mesh of NewScene, then 1, 2, ...; never used again
	FirstVertex, FirstEdge, FirstFace int
	Vertices, Edges, Faces            int // how many it has
}

func scenePartOf(p *scene.PartInfo) ScenePart {
	return ScenePart{int(p.ID), int(p.FirstVertex), int(p.FirstEdge), int(p.FirstFace), int(p.VertexCount),
		int(p.EdgeCount), int(p.FaceCount)}
}

// Add adds a mesh with its vertices at x, 3 coordinates each, as a part. It has the filters and
// radii that the mesh has now. Groups belong to a part: vertices of different parts are in
// different groups. Its numbers follow those of all parts, or are in the first gap that removed
// parts have left where all of them fit.
func (s *Scene) Add(m *Mesh, x []float64) (part ScenePart, err error) {
	defer entered(&err)
	c, err := s.get()
	if err != nil {
		return part, err
	}
	added, err := m.get()
	if err != nil {
		return part, err
	}
	info, err := c.Add(added, x)
	if err != nil {
		return part, err
	}
	return scenePartOf(&info), nil
}

// Remove removes a part. Other parts keep their numbers. An ID without a part is an ErrIndex.
func (s *Scene) Remove(id int) error {
	return s.run(func(c *scene.Scene) error { return c.Remove(int64(id)) })
}

// Parts returns the parts in the order of their numbers.
func (s *Scene) Parts() []ScenePart {
	c, err := s.get()
	if err != nil {
		return nil
	}
	return converted(c.Parts(), scenePartOf)
}

// Vertices returns the number after that of the last vertex. Numbers below it may be free, where a
// part was removed.
func (s *Scene) Vertices() int {
	c, err := s.get()
	if err != nil {
		return 0
	}
	return c.Extent(geom.Vertex)
}

// Positions returns the positions of all vertices, 3 coordinates each; those of free numbers are 0.
func (s *Scene) Positions() (x []float64, err error) {
	err = s.run(func(c *scene.Scene) error {
		x = make([]float64, 3*c.Extent(geom.Vertex))
		return c.Positions(x)
	})
	return x, err
}

// Step returns the step on which vertex moved[i] goes from where it is when a call begins to the
// i-th 3 coordinates of x1. Arrays of its calls have an item, or 3, for each vertex in moved. A
// call that proves the whole motion lets CommitProven place the vertices there: Earliest,
// Collisions and Visit that find nothing with TMax 1, Size and LineSearch that return 1, Advance
// and Sizes.
func (s *Scene) Step(moved []int32, x1 []float64) *Step {
	c, err := s.get()
	if err != nil {
		return &Step{err: err}
	}
	if moved, err = movedIn(c, moved, x1); err != nil {
		return &Step{err: err}
	}
	return &Step{core: c.Step(moved, x1), rows: len(moved)}
}

// Commit places the vertices moved at the rows of x. Any positions are allowed. If the last call
// proved the motion of just these vertices to just these doubles, the scene keeps what it knows of
// intersections; otherwise the state of the vertices that change becomes unknown.
func (s *Scene) Commit(moved []int32, x []float64) error {
	return s.run(func(c *scene.Scene) error {
		moved, err := movedIn(c, moved, x)
		if err != nil {
			return err
		}
		return c.Commit(moved, x)
	})
}

// CommitProven places the vertices at the positions to which the last call proved the motion: x of
// Advance, X of Sizes, x1 of the other calls. It is an ErrArgument if none is proven.
func (s *Scene) CommitProven() error { return s.run((*scene.Scene).CommitProven) }

// Reset places all vertices at x, 3 coordinates each. Nothing is known of intersections there.
func (s *Scene) Reset(x []float64) error {
	return s.run(func(c *scene.Scene) error { return c.Reset(x) })
}

// State returns the number of vertices of which it is known which edges and faces with them share a
// point, and the number of these pairs. Nothing is known at first; Check makes the state known, and
// proven commits keep it. With 0 crossings and a known state a Separate step proves that nothing
// passes through anything, as with Options.CheckStart.
func (s *Scene) State() (known, crossings int) {
	c, err := s.get()
	if err != nil {
		return 0, 0
	}
	return c.State()
}

// Check tests the edges and faces of the vertices whose state is unknown. Of the options it uses
// Threads, MemoryLimit, Progress and Stats.
func (s *Scene) Check(o *Options) error {
	_, err := with(&proximityCalls, o, func(set *settings) (struct{}, error) {
		c, err := s.get()
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, c.Check(&set.call)
	})
	return err
}

// run runs a call of the core.
func (s *Scene) run(call func(c *scene.Scene) error) (err error) {
	defer entered(&err)
	c, err := s.get()
	if err != nil {
		return err
	}
	return call(c)
}

// movedIn returns the vertices that move: all of them if moved is nil.
func movedIn(c *scene.Scene, moved []int32, x []float64) ([]int32, error) {
	if moved != nil || len(x) == 0 {
		return moved, nil
	}
	if !c.Full() {
		return nil, status.Errorf(ErrArgument,
			"moved is nil, for all vertices, but a part was removed: some numbers are free")
	}
	moved = make([]int32, c.Extent(geom.Vertex))
	for i := range moved {
		moved[i] = int32(i)
	}
	return moved, nil
}

package scene

import (
	"math"
	"slices"
	"sync"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
)

// Scene is a mesh with its positions. Calls on one scene run one after the other; threads may share
// it.
//
// Size: each call of package step and of the C interface is a method, and they share one lock.
type Scene struct {
	mutex  sync.Mutex
	m      *mesh.Mesh   // the mesh with which the scene was created: part 0
	filter *mesh.Filter // the filter of that mesh at that time
	parts  *mesh.Assembly
	ids    map[int64]*mesh.Piece
	next   int64     // id of the next part
	x      []float64 // positions by vertex; 0 for numbers that no vertex has
	proof  proof
	state  state
	view   viewer
	whole  float64 // the part of the vertices from which on a view is the whole mesh
}

// proof is a motion from the positions of the scene that was proven: no pair with a vertex in moved
// touches on the way to x. A vertex in moved has the same row in x.
type proof struct {
	held  bool
	moved []int32
	x     []float64
}

// New returns a scene of m with vertex i at x0[i] (row-major, m.NV x 3 doubles), which it copies.
// It takes the filters and radii that the mesh has now: after a change of these, calls return an
// error. Nothing is known of what intersects at x.
func New(m *mesh.Mesh, x0 []float64) (*Scene, error) {
	s := &Scene{m: m, filter: m.Filter(), parts: mesh.Assemble(m), whole: wholeFrom, next: 1}
	s.ids = map[int64]*mesh.Piece{0: s.parts.Pieces()[0]}
	s.state.add(s.ids[0])
	if err := s.place("x0", x0); err != nil {
		return nil, err
	}
	return s, nil
}

// Extent returns the number after the last one of a shape: no vertex, edge or face of the scene has
// a number as large.
func (s *Scene) Extent(shape geom.Shape) int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.parts.Extent(shape)
}

// Full reports whether each number below Extent(geom.Vertex) is that of a vertex.
func (s *Scene) Full() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.parts.Count(geom.Vertex) == s.parts.Extent(geom.Vertex)
}

// Reset places all vertices at the rows of x with their numbers; it does not read rows that no
// vertex has. Nothing is known of what intersects there. It does not look at the mesh's filter.
func (s *Scene) Reset(x []float64) error { return s.place("x", x) }

func (s *Scene) place(name string, x []float64) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err := s.fits(name, x); err != nil {
		return err
	}
	for _, p := range s.parts.Pieces() {
		from, to := rowsOf(p)
		if i := firstBad(x[from:to]); i >= 0 {
			return badCoordinate(name, x, from+i)
		}
	}
	s.x = atLeast(s.x, len(x))
	for _, p := range s.parts.Pieces() {
		from, to := rowsOf(p)
		copy(s.x[from:to], x[from:to])
	}
	s.proof.held = false
	s.state.forget(s.parts)
	s.view.forget()
	return nil
}

// rowsOf returns the range of coordinates of the vertices of a part.
func rowsOf(p *mesh.Piece) (from, to int) {
	from = 3 * int(p.First(geom.Vertex))
	return from, from + 3*p.Count(geom.Vertex)
}

func (s *Scene) fits(name string, x []float64) error {
	if n := s.parts.Extent(geom.Vertex); len(x) != 3*n {
		return status.Errorf(status.ErrArgument, "%s has %d coordinates; the scene has %d vertices, so %d", name,
			len(x), n, 3*n)
	}
	return nil
}

// Positions copies the positions of the scene to x, which has as many coordinates. Rows that no
// vertex has are 0.
func (s *Scene) Positions(x []float64) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err := s.fits("x", x); err != nil {
		return err
	}
	copy(x, s.x)
	return nil
}

// PositionsOf copies the positions of vertices to the rows of x, which has as many. It skips
// vertices that are out of range.
func (s *Scene) PositionsOf(vertices []int32, x []float64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.copyRows(vertices, x)
}

func (s *Scene) copyRows(vertices []int32, x []float64) {
	for i, v := range vertices {
		if v >= 0 && 3*int(v) < len(s.x) {
			copy(x[3*i:3*i+3], s.x[3*v:3*v+3])
		}
	}
}

// Commit places the vertices moved at the rows of x. If these are the doubles to which the last
// call proved the motion, the state of the start is kept (law 10 of docs/numerics.md); otherwise it
// becomes unknown for the vertices whose positions change.
func (s *Scene) Commit(moved []int32, x []float64) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err := s.check(moved, "x", x); err != nil {
		return err
	}
	proven := s.proof.held && slices.Equal(moved, s.proof.moved) && sameBits(x, s.proof.x)
	s.commit(moved, x, proven)
	return nil
}

// CommitProven places the vertices at the positions to which the last call proved the motion.
func (s *Scene) CommitProven() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err := s.stale(); err != nil {
		return err
	}
	if !s.proof.held {
		return status.Errorf(status.ErrArgument,
			"the scene has no proven motion: since the last commit no call returned one")
	}
	s.commit(s.proof.moved, s.proof.x, true)
	return nil
}

func (s *Scene) commit(moved []int32, x []float64, proven bool) {
	if !proven || s.state.loses > 0 {
		s.state.change(s.parts, moved, s.x, x)
	}
	s.view.place(s, moved, x)
	s.proof.held = false
}

// prove notes that the motion of moved to the rows of x is proven.
func (s *Scene) prove(moved []int32, x []float64) {
	s.proof.held = true
	s.proof.moved = append(s.proof.moved[:0], moved...)
	s.proof.x = append(s.proof.x[:0], x...)
}

// stale returns an error if the filters or radii of the mesh are not those for which the scene was
// created.
func (s *Scene) stale() error {
	if _, there := s.ids[0]; there && s.m.Filter() != s.filter {
		return status.Errorf(status.ErrArgument,
			"scene: the groups, static vertices, exclusions or radii of its mesh were set after it was created; "+
				"create another scene")
	}
	return nil
}

// check returns an error for the first argument that is wrong; name is that of the positions x of
// the vertices moved.
func (s *Scene) check(moved []int32, name string, x []float64) error {
	if err := s.stale(); err != nil {
		return err
	}
	if len(x) != 3*len(moved) {
		return status.Errorf(status.ErrArgument, "%s has %d coordinates; moved has %d vertices, so %d", name, len(x),
			len(moved), 3*len(moved))
	}
	last, n := int32(-1), s.parts.Extent(geom.Vertex)
	var p *mesh.Piece
	for i, v := range moved {
		switch {
		case v < 0 || int(v) >= n:
			return status.Errorf(status.ErrIndex, "moved[%d] is %d: out of range for %d vertices", i, v, n)
		case v == last:
			return status.Errorf(status.ErrIndex, "moved[%d] is %d, as is moved[%d]: vertices must not repeat", i, v,
				i-1)
		case v < last:
			return status.Errorf(status.ErrIndex,
				"moved[%d] is %d, after %d: vertices must ascend; sort them, and their positions with them", i, v, last)
		}
		if p = s.parts.Same(p, geom.Vertex, v); p == nil {
			return status.Errorf(status.ErrIndex, "moved[%d] is %d: the part with this vertex was removed", i, v)
		}
		last = v
	}
	if i := firstBad(x); i >= 0 {
		return badCoordinate(name, x, i)
	}
	return nil
}

// checkMotion does the same, and returns an error for a static vertex that moves.
func (s *Scene) checkMotion(moved []int32, x1 []float64) error {
	if err := s.check(moved, "x1", x1); err != nil {
		return err
	}
	moves := s.moves()
	for i, v := range moved {
		if !moves(v) && [3]float64(x1[3*i:]) != [3]float64(s.x[3*v:]) {
			return status.Errorf(status.ErrArgument,
				"x1[%d] is another position of vertex moved[%d] = %d, which set_static marks as static", i, i, v)
		}
	}
	return nil
}

// firstBad returns the first coordinate that is NaN, infinite or above geom.MaxCoordinate, or -1.
func firstBad(x []float64) int {
	return slices.IndexFunc(x, func(c float64) bool { return !(math.Abs(c) <= geom.MaxCoordinate) })
}

func badCoordinate(name string, x []float64, i int) error {
	return status.Errorf(status.ErrNonFinite, "%s[%d][%d] is %v: must be finite and at most %v in magnitude", name, i/3,
		i%3, x[i], float64(geom.MaxCoordinate))
}

// sameBits reports whether two arrays hold the same doubles, bit by bit.
func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

package ccd

import (
	"ccd/core/broad"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/narrow"
	"ccd/core/status"
	"ccd/core/step"
)

// Motion is the paths of the vertices of a mesh for t in [0, 1]: polynomials in t, in one or
// several pieces, each vertex within a radius of its polynomial. NewStepOn makes a step of it. The
// functions that make motions copy their slices, and goroutines may share a motion.
//
// Control points are those of Bernstein's basis. Lists of points have 3 coordinates for each
// vertex, and one block of all vertices after the other.
type Motion struct {
	core *motion.Motion
}

// made returns the motion that a function of the core has made.
func made(m *motion.Motion, err error) (*Motion, error) {
	if err != nil {
		return nil, status.Invalid(err)
	}
	return &Motion{m}, nil
}

// NewMotion returns the motion of the given control points, of a degree from 1 to 5.
//
// times has the ends of the pieces, from 0 to 1; nil stands for one piece. control has degree + 1
// blocks of points for each piece; a piece begins where the one before it ends. radius has a length
// for each vertex of each piece; nil stands for 0.
func NewMotion(vertices, degree int, times, control, radius []float64) (m *Motion, err error) {
	defer entered(&err)
	return made(motion.New(vertices, degree, times, control, radius))
}

// NewAcceleratedMotion returns the motion with a constant acceleration, x + t v + t^2 a / 2, where
// v and a are those of the whole step. The radii hold what rounding takes.
func NewAcceleratedMotion(x, v, a []float64) (m *Motion, err error) {
	defer entered(&err)
	return made(motion.Accelerated(len(x)/3, x, v, a))
}

// NewHermiteMotion returns the motion of a number of vertices through positions x with velocities
// v, lengths per step, at times; nil stands for 0 and 1. x and v have a block for each time.
func NewHermiteMotion(vertices int, times, x, v []float64) (m *Motion, err error) {
	defer entered(&err)
	return made(motion.Hermite(vertices, times, x, v))
}

// NewBSplineMotion returns the motion on B-splines in time. The knots ascend; the first and the
// last of the interval that counts are 0 and 1. control has len(knots) - degree - 1 blocks.
func NewBSplineMotion(vertices, degree int, knots, control []float64) (m *Motion, err error) {
	defer entered(&err)
	return made(motion.BSpline(vertices, degree, knots, control))
}

// NewAffineMotion returns the motion of an affine body: the point x_i is at A(t) x_i + b(t). matrix
// has the degree + 1 control points of A, 9 numbers by rows, offset those of b.
func NewAffineMotion(degree int, x, matrix, offset []float64) (m *Motion, err error) {
	defer entered(&err)
	return made(motion.Affine(len(x)/3, degree, x, matrix, offset))
}

// Paths returns the motion of the points x of a rigid body, in coordinates of the body, for t in
// [0, 1]. degree is 3, 5 or 0 for 3; pieces is their number, or 0 for one a radian of turn. Radii
// enclose the true paths; the library finds smaller ones near a contact.
func (m RigidMotion) Paths(x []float64, degree, pieces int) (paths *Motion, err error) {
	defer entered(&err)
	return made(motion.Rigid(len(x)/3, x, boneOf(&m), degree, pieces))
}

// NewSkinnedMotion returns the motion of linear blend skinning: the point x_i is at the sum over
// the bones of weights[i][b] times where the bone brings it. weights has a row for each point.
// degree and pieces are those of RigidMotion.Paths.
func NewSkinnedMotion(x []float64, bones []RigidMotion, weights []float64, degree, pieces int) (m *Motion, err error) {
	defer entered(&err)
	return made(motion.Skinned(len(x)/3, x, converted(bones, boneOf), weights, degree, pieces))
}

// boneOf returns a rigid motion as the paths take it: zeros in the rotation stand for none.
func boneOf(m *RigidMotion) motion.Bone {
	b := motion.Bone(*m)
	if b.Rotation == ([4]float64{}) {
		b.Rotation[0] = 1
	}
	return b
}

// get returns the motion of the core.
func (m *Motion) get() (*motion.Motion, error) {
	if m == nil || m.core == nil {
		return nil, status.Errorf(ErrArgument, "motion is nil or zero: make it with NewMotion")
	}
	return m.core, nil
}

// of returns the motion of the core, for a mesh.
func (m *Motion) of(c *mesh.Mesh) (*motion.Motion, error) {
	paths, err := m.get()
	if err == nil && paths.Vertices() != c.NV {
		return nil, status.Errorf(ErrArgument, "motion has %d vertices: the mesh has %d", paths.Vertices(), c.NV)
	}
	return paths, err
}

// Vertices returns the number of vertices.
func (m *Motion) Vertices() int { return m.number((*motion.Motion).Vertices) }

// Degree returns the degree of the paths in t.
func (m *Motion) Degree() int { return m.number((*motion.Motion).Degree) }

// Pieces returns the number of pieces.
func (m *Motion) Pieces() int { return m.number((*motion.Motion).Pieces) }

func (m *Motion) number(of func(*motion.Motion) int) int {
	c, err := m.get()
	if err != nil {
		return 0
	}
	return of(c)
}

// At returns the positions at the time t in [0, 1], rounded, and bounds on the distance of each
// vertex from its position.
func (m *Motion) At(t float64) (x, radius []float64, err error) {
	defer entered(&err)
	c, err := m.get()
	if err != nil {
		return nil, nil, err
	}
	if !(t >= 0 && t <= 1) {
		return nil, nil, status.Errorf(ErrArgument, "t is %v: must be in [0, 1]", t)
	}
	x, radius = make([]float64, 3*c.Vertices()), make([]float64, c.Vertices())
	c.At(t, x, radius)
	return x, radius, nil
}

// Cut returns the motion on which vertex i goes along its path from 0 to ends[i], in [0, 1], as t
// runs from 0 to 1: where the steps of Sizes lead. The motion has one piece.
func (m *Motion) Cut(ends []float64) (part *Motion, err error) {
	defer entered(&err)
	c, err := m.get()
	if err != nil {
		return nil, err
	}
	if len(ends) != c.Vertices() {
		return nil, status.Errorf(ErrArgument, "ends has %d items: the motion has %d vertices", len(ends), c.Vertices())
	}
	for i, t := range ends {
		if !(t >= 0 && t <= 1) {
			return nil, status.Errorf(ErrArgument, "ends[%d] is %v: must be in [0, 1]", i, t)
		}
	}
	if c.Pieces() > 1 {
		return nil, status.Errorf(ErrUnsupported,
			"motion has %d pieces: paths that end at different times need one", c.Pieces())
	}
	return &Motion{c.Cut(ends)}, nil
}

// NewStepOn returns the step of a mesh whose vertices move on the paths of a motion. Options.Method
// must be DefaultMethod or Exact. A motion of degree 1 with one piece and without radii is the
// straight step; others have no Intervals, PairIntervals, ActiveSet and Gradients.
func NewStepOn(m *Mesh, paths *Motion) *Step {
	c, err := m.get()
	if err != nil {
		return &Step{err: err}
	}
	p, err := paths.of(c)
	if err != nil {
		return &Step{err: err}
	}
	return &Step{core: step.Curved(c, p), rows: c.NV}
}

// FindCandidatesOn returns the candidates of a step on the paths of a motion: of pairs whose boxes
// of all control points overlap. They hold for every motion within these boxes. Otherwise as
// FindCandidates.
func FindCandidatesOn(m *Mesh, paths *Motion, o *Options) (*Candidates, error) {
	return onMesh(&stepCalls, m, o, func(c *mesh.Mesh, s *settings) (*Candidates, error) {
		s.stats = nil
		p, err := paths.of(c)
		if err != nil {
			return nil, err
		}
		found, err := step.Curved(c, p).Candidates(s.narrow.Flags&narrow.BruteForce != 0, s.broad())
		if err != nil {
			return nil, err
		}
		return &Candidates{m, found}, nil
	})
}

// broad returns the options of a call that finds candidates.
func (s *settings) broad() broad.Options {
	return broad.Options{
		MinSeparation: s.narrow.MinSeparation, Threads: s.call.Workers(), Progress: s.call.Progress,
		MemoryLimit: s.call.MemoryLimit,
	}
}

// StepOn returns the step on the paths of a motion whose pairs are these candidates. Its control
// points must stay within the boxes that the candidates were found for.
func (c *Candidates) StepOn(paths *Motion) *Step {
	_, known, err := c.get()
	if err != nil {
		return &Step{err: err}
	}
	p, err := paths.of(known.Mesh())
	if err != nil {
		return &Step{err: err}
	}
	return &Step{core: step.CurvedAmong(known, p), rows: known.Mesh().NV}
}

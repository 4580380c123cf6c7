package step

import (
	"ccd/core/broad"
	"ccd/core/mesh"
)

// A course is what moves, as the caller gives it. There are three:
//
//	segments    every vertex goes straight from x0 to x1
//	paths       every vertex goes as a motion says (course_paths.go)
//	linearPaths a motion of degree 1 with one piece and radius 0, which is the course of segments
//
// It is chosen when a step is made. What differs between the calls on them is a method, of this
// interface or of those that Advance, Sizes and LineSearch add; nothing else asks which course it
// is. The path of a call (path.go) is what begin makes of a course.
type course interface {
	// fits returns an error for a course that has not the vertices of the mesh.
	fits(m *mesh.Mesh) error
	// begin checks the options and begins a call.
	begin(m *mesh.Mesh, o *Options) (*call, error)
	// ends returns where the vertices are at t = 0 and at t = 1.
	ends() (x0, x1 []float64)
	// straight returns the ends of a course of segments. For others the error says what they lack.
	straight(m *mesh.Mesh, what string) (x0, x1 []float64, err error)
	// moves returns what moves, for a search that takes no sweep of this package.
	moves(m *mesh.Mesh, o *Options) (Moves, error)
	// stay writes where the vertices are at t = 0 to x, if it has as many coordinates.
	stay(x []float64)
	// candidates returns the pairs whose boxes over the course overlap.
	candidates(m *mesh.Mesh, bruteForce bool, o broad.Options) (*broad.Candidates, error)
	// allows returns an error if known candidates are not for calls with these options.
	allows(known *broad.Candidates, m *mesh.Mesh, o *Options) error
}

// segments is the course of a straight step.
type segments struct{ x0, x1 []float64 }

// fits returns nothing: a call checks the coordinates when it loads them.
func (s *segments) fits(*mesh.Mesh) error { return nil }

func (s *segments) begin(m *mesh.Mesh, o *Options) (*call, error) { return start(m, s.x0, s.x1, o) }

func (s *segments) ends() (x0, x1 []float64) { return s.x0, s.x1 }

func (s *segments) straight(*mesh.Mesh, string) (x0, x1 []float64, err error) {
	return s.x0, s.x1, nil
}

func (s *segments) moves(*mesh.Mesh, *Options) (Moves, error) { return Moves{X0: s.x0, X1: s.x1}, nil }

func (s *segments) stay(x []float64) {
	if len(x) == len(s.x0) {
		copy(x, s.x0)
	}
}

func (s *segments) candidates(m *mesh.Mesh, bruteForce bool, o broad.Options) (*broad.Candidates, error) {
	return broad.Find(m, s.x0, s.x1, bruteForce, o)
}

func (s *segments) allows(known *broad.Candidates, m *mesh.Mesh, o *Options) error {
	return known.ValidFor(m, o.MinSeparation, m.Filter().Radii())
}

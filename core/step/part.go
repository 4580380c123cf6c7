package step

import (
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/status"
)

// Wanted says which pairs a call must see.
type Wanted int

// The pairs of calls.
const (
	NearPairs  Wanted = iota // those that come within the minimum separation
	GivenPairs               // those that the caller names
	AllPairs                 // those of any distance
)

// Source is what a step comes from that keeps something between calls: a neighbor list or a scene.
type Source interface {
	// Run runs a call on the part of the mesh that it needs, with options that hold for that part.
	// What the call returns must be the same for all parts, and for all candidates in the options,
	// that contain the wanted pairs.
	Run(w Wanted, o *Options, call func(p *Part, o *Options) error) error
	// Stay writes where the vertices are at t = 0 to the rows of x, if it has as many: what a call
	// leaves after an error.
	Stay(x []float64)
}

// Part is the step on which a call is computed.
type Part struct {
	Mesh   *mesh.Mesh
	X0, X1 []float64
	Names  Names // nil where the numbers of the part are the caller's

	paths *motion.Motion // nil for a straight step
}

// Names is what the caller calls the primitives of a part, and what becomes of a motion that is
// proven.
type Names interface {
	Number(shape geom.Shape, i int64) int64        // returns the caller's number of a primitive
	Room() []float64                               // returns an array for the positions of the part
	Rows(from, to []float64)                       // copies positions of the part to the caller's rows
	Values(from, to []float64)                     // copies numbers by vertex of the part to the caller's
	Groups(given []int32) ([]int32, error)         // returns the groups of the part's vertices
	Fit(name string, x []float64) error            // returns an error for another number of rows than the caller's
	FitValues(name string, values []float64) error // does so for an array of a number by vertex
	Prove(x []float64)                             // notes that the motion to rows x is proven; nil: to x1
}

// run runs a call on the step itself, or on the part that its source chooses.
func (s *Step) run(w Wanted, o *Options, call func(p *Part, o *Options) error) error {
	own := DefaultOptions()
	if o != nil {
		own = *o
	}
	if s.source != nil {
		return s.source.Run(w, &own, call)
	}
	p := &Part{Mesh: s.mesh, X0: s.x0, X1: s.x1, paths: s.paths}
	if s.known == nil {
		return call(p, &own)
	}
	if w == AllPairs {
		return status.Errorf(status.ErrUnsupported,
			"candidates: this call concerns pairs of any distance; make a step of the mesh")
	}
	if s.paths == nil {
		if err := s.known.ValidFor(s.mesh, own.MinSeparation, s.mesh.Filter().Radii()); err != nil {
			return err
		}
	}
	if w == NearPairs {
		own.Candidates = s.known
	}
	return call(p, &own)
}

// stay makes x the positions at t = 0, if it has as many.
func (s *Step) stay(x []float64) {
	switch {
	case s.source != nil:
		s.source.Stay(x)
	case s.paths != nil:
		if len(x) == 3*s.paths.Vertices() {
			s.paths.Place(0, x, nil)
		}
	case len(x) == len(s.x0):
		copy(x, s.x0)
	}
}

// straight makes the part of a motion that is a straight step such a part, and returns an error for
// other motions.
func (p *Part) straight(what string) error {
	switch {
	case p.paths == nil:
		return nil
	case !p.paths.Linear():
		return status.Errorf(status.ErrUnsupported,
			"motion: it has no %s: this call needs a motion of degree 1 with one piece and no radius", what)
	}
	if err := fits(p.Mesh, p.paths); err != nil {
		return err
	}
	n := 3 * p.Mesh.NV
	p.X0, p.X1, p.paths = p.paths.Control()[:n], p.paths.Control()[n:], nil
	return nil
}

// name gives an impact the caller's numbers.
func (p *Part) name(im *geom.Impact) {
	if im.Verdict != geom.Separate {
		p.rename(im.Kind, &im.A, &im.B)
	}
}

// rename gives a pair the caller's numbers.
func (p *Part) rename(k geom.Kind, a, b *int64) {
	if p.Names != nil {
		shapes := k.Info().Shapes
		*a, *b = p.Names.Number(shapes[0], *a), p.Names.Number(shapes[1], *b)
	}
}

// proven notes that the motion to x is proven, if it is.
func (p *Part) proven(is bool, x []float64) {
	if is && p.Names != nil {
		p.Names.Prove(x)
	}
}

func (p *Part) earliest(o *Options) (geom.Impact, error) {
	if p.paths != nil {
		return earliestOnPaths(p.Mesh, p.paths, o)
	}
	return Earliest(p.Mesh, p.X0, p.X1, o)
}

func (p *Part) collisions(o *Options) ([]geom.Impact, error) {
	if p.paths != nil {
		return collisionsOnPaths(p.Mesh, p.paths, o)
	}
	return Collisions(p.Mesh, p.X0, p.X1, o)
}

func (p *Part) visit(o *Options, visit func(batch []geom.Impact) bool) error {
	if p.paths != nil {
		return visitOnPaths(p.Mesh, p.paths, o, visit)
	}
	return Visit(p.Mesh, p.X0, p.X1, o, visit)
}

func (p *Part) size(o *Options) (float64, error) {
	if p.paths != nil {
		return sizeOnPaths(p.Mesh, p.paths, o)
	}
	return Size(p.Mesh, p.X0, p.X1, o)
}

func (p *Part) advance(x []float64, share float64, o *Options) (float64, error) {
	if p.paths != nil {
		return advanceOnPaths(p.Mesh, p.paths, x, share, o)
	}
	return Advance(p.Mesh, p.X0, p.X1, x, share, o)
}

func (p *Part) sizes(alpha, y []float64, so *SizesOptions, o *Options) (SizesReport, error) {
	if p.paths != nil {
		return sizesOnPaths(p.Mesh, p.paths, alpha, y, so, o)
	}
	return Sizes(p.Mesh, p.X0, p.X1, alpha, y, so, o)
}

package step

import (
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
)

// moving is a course of a step: it supports every call.
type moving interface {
	lander
	sizable
	searchable
}

// courseOf returns the course of a motion.
func courseOf(m *motion.Motion) moving { return newCourse(m).(moving) }

// Every course is one of a step.
var _ = []moving{&segments{}, &linearPaths{}, &paths{}}

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
	mesh   *mesh.Mesh
	names  Names // nil where the numbers of the part are the caller's
	course moving

	line segments // the course, where a source gives it
}

// NewPart returns the step of m from x0 to x1, for a source. With names its primitives have other
// numbers for the caller.
func NewPart(m *mesh.Mesh, x0, x1 []float64, names Names) *Part {
	p := &Part{mesh: m, names: names, line: segments{x0, x1}}
	p.course = &p.line
	return p
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

// name gives an impact the caller's numbers.
func (p *Part) name(im *geom.Impact) {
	if im.Verdict != geom.Separate {
		p.rename(im.Kind, &im.A, &im.B)
	}
}

// rename gives a pair the caller's numbers.
func (p *Part) rename(k geom.Kind, a, b *int64) {
	if p.names != nil {
		shapes := k.Info().Shapes
		*a, *b = p.names.Number(shapes[0], *a), p.names.Number(shapes[1], *b)
	}
}

// proven notes that the motion to x is proven, if it is.
func (p *Part) proven(is bool, x []float64) {
	if is && p.names != nil {
		p.names.Prove(x)
	}
}

// begin begins a call on what moves.
func (p *Part) begin(o *Options) (*call, error) { return p.course.begin(p.mesh, o) }

package curved

import (
	"sync/atomic"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/narrow"
)

// Path is the path of a motion. Its segments are midlines, with a band around each that holds the
// path of its vertex.
//
// Size: what boxes are made around (midlines, bands, radii), what pairs are sifted with, and
// sections.
type Path struct {
	m       *mesh.Mesh
	motion  *motion.Motion
	pieces  int // the number of pieces of the motion
	radii   *mesh.Radii
	o       *narrow.Options
	workers []*Worker
	threads int

	mid      *geom.Trajectories // the midlines
	resting  geom.Trajectories  // the positions at t = 0, once Start has made them
	hulls    *geom.Trajectories // boxes of all control points, once Own has made them
	boxes    *mesh.Radii        // radii of boxes around the midlines that hold the bands
	bands    *broad.Bands       // what holds the paths around the midlines
	margins  []float64          // what is added to boxes beside deviations, by vertex
	upToTime float64            // the midlines of the whole step cover [0, upToTime] or somewhat more

	cuts    bool // midlines may cover a part of the step, and pairs may be sifted on parts
	divides bool // the step may be swept in sections

	section section      // what the midlines cover
	halves  atomic.Int32 // halvings of sections that Halve found to pay; 0: unknown
	swept   int          // the number of sections that were entered
	axes    axes
	sieve   sieve
	solved  solvedPairs
	scale   scale
}

// scale is what is known of the shape of the paths; 0: unknown.
type scale struct {
	off  float64 // how far the control points of parts are off
	bend float64 // motion.TypicalBend
}

// Plan says how a call will use a path.
type Plan struct {
	TMax     float64 // the end of the step
	Whole    bool    // no memory limit divides the pairs into portions of space
	Sections bool    // the step may be swept in sections
}

// New returns the path of a motion, without its boxes. Midlines may cover a part of the step where
// the result of a pair is unique, and where no memory limit divides the pairs: the midlines of the
// whole step decide the portions.
//
// The sections of paths that are enclosed anew are whole pieces. Known pairs would be the same ones
// in each section.
func New(m *mesh.Mesh, of *motion.Motion, plan Plan) *Path {
	p := &Path{m: m, motion: of, pieces: of.Pieces(), upToTime: 1, section: wholeStep(of.Pieces())}
	p.cuts = plan.Whole && !of.Refines()
	if p.cuts {
		p.upToTime = plan.TMax
	}
	p.divides = plan.Sections && (p.cuts || p.pieces > 1)
	return p
}

// Midlines returns the ends of the midlines, and by coordinate how far paths may be off.
func (p *Path) Midlines() (x0, x1, deviation []float64) { return p.motion.Midlines(p.upToTime) }

// Own lets a region own pairs by the least coordinates of the control points of their vertices.
func (p *Path) Own() error {
	lo, hi := Corners(p.motion)
	p.hulls = new(geom.Trajectories)
	return p.hulls.Load(lo, hi)
}

// Corners returns the least and the greatest corner, by vertex, of the box of its control points.
func Corners(m *motion.Motion) (lo, hi []float64) {
	control, block := m.Control(), 3*m.Vertices()
	lo, hi = append([]float64(nil), control[:block]...), append([]float64(nil), control[:block]...)
	for i, x := range control[block:] {
		lo[i%block], hi[i%block] = min(lo[i%block], x), max(hi[i%block], x)
	}
	return lo, hi
}

// Segments returns the midlines.
func (p *Path) Segments() *geom.Trajectories { return p.mid }

// Owners returns the boxes of all control points, or nil if Own has not been called.
func (p *Path) Owners() *geom.Trajectories { return p.hulls }

// Start returns a step that rests where the vertices are at t = 0.
func (p *Path) Start() (*geom.Trajectories, error) {
	x0 := p.motion.Control()[:3*p.m.NV]
	return &p.resting, p.resting.Load(x0, x0)
}

// Complete adds bands and hulls to the options of a plan. Bands hold along the axes alone, so no
// other directions serve.
func (p *Path) Complete(how *broad.PlanOptions) {
	how.Input.Radii, how.Input.Bands, how.Keep.Hulls = p.boxes, p.bands, p.hulls
	how.Tactic.Orient, how.Work.Progress, how.Work.UpTo = broad.AlongAxes, nil, 0
}

// Refines reports whether parts of the paths are enclosed anew. Then what SolveMotion finds in
// contact on a half, it may have been able to prove apart on the whole, whose radius is larger but
// whose polynomials are others: so boxes must not cover less than the step.
func (p *Path) Refines() bool { return p.motion.Refines() }

// Bytes returns the memory of the path without its motion, and that of the solver of one worker.
func (p *Path) Bytes() (path, solver int64) {
	n := int64(8*(cap(p.resting.Rec)+cap(p.axes.control)+cap(p.margins))) + p.boxes.Bytes() + p.bands.Radii.Bytes()
	for _, t := range []*geom.Trajectories{p.mid, p.bands.Lo, p.bands.Hi} {
		n += int64(8 * cap(t.Rec))
	}
	if p.hulls != nil {
		n += int64(8 * cap(p.hulls.Rec))
	}
	solver = int64(narrow.MotionBytes) + workerBytes
	if p.Refines() {
		solver += motion.PartsBytes
	}
	return n + p.sieve.bytes() + p.solved.bytes(), solver
}

// partError is how far the control points of parts of so many halvings are off.
func (p *Path) partError(halvings int) float64 {
	if halvings == 0 {
		return 0
	}
	if p.scale.off == 0 {
		p.scale.off = motion.PartError(p.motion)
	}
	return p.scale.off
}

// typicalBend is that of the motion.
func (p *Path) typicalBend() float64 {
	if p.scale.bend == 0 {
		p.scale.bend = motion.TypicalBend(p.motion)
	}
	return p.scale.bend
}

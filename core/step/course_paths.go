package step

import (
	"fmt"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/narrow"
	"ccd/core/status"
	"ccd/core/step/curved"
)

// paths is the course of a motion. The result of a pair is that of narrow.Solver.SolveMotion with
// the pair's separation, and the result of a call is what the plain step's would be for these
// pairs:
//
//   - The broad phase is that of a plain step, of the midlines: a segment for each vertex, and a
//     band around it on each axis. The band holds the path, and its control points where paths are
//     enclosed anew. The boxes of a primitive are inflated by the largest radius of its vertices.
//     What they leave apart SolveMotion finds apart (docs/proofs/motions.md), so no pair is lost,
//     and a call has the bits of a search of all pairs.
//   - The result of a pair is unique unless paths are enclosed anew on parts. Where it is, midlines
//     cover [0, t_max] alone, and in a search for the earliest impact what remains of it once one
//     is known; and the kernels of the plain step prove pairs of midlines apart by more than they
//     are off.
type paths struct{ motion *motion.Motion }

// fits returns an error for a motion of another number of vertices than the mesh.
func (p *paths) fits(m *mesh.Mesh) error {
	if p.motion.Vertices() != m.NV {
		return status.Errorf(status.ErrArgument, "motion has %d vertices: the mesh has %d", p.motion.Vertices(), m.NV)
	}
	return nil
}

// options returns the options of a call, which must be those of narrow.CheckMotion. A device is not
// supported.
func (p *paths) options(m *mesh.Mesh, o *Options) (Options, error) {
	here := orDefault(o)
	if err := narrow.CheckMotion(&here.Options); err != nil {
		return here, err
	}
	if err := here.refuse(unsupported{device: "motions are computed on the CPU"}); err != nil {
		return here, err
	}
	here.Device = nil
	return here, p.fits(m)
}

// begin begins a call. See narrow.Solver.SolveMotion for what times and flags mean where radii are
// above 0.
func (p *paths) begin(m *mesh.Mesh, o *Options) (*call, error) {
	here, err := p.options(m, o)
	if err != nil {
		return nil, err
	}
	known, tactics := here.Candidates, tacticsOf(&here).onPaths()
	here.Candidates = nil // They are not pairs of the midlines: holdFor checks the paths.
	bent := curved.New(m, p.motion, curved.Plan{
		TMax: here.TMax, Whole: tactics.remember, Sections: tactics.sections,
	})
	x0, x1, deviation := bent.Midlines()
	c, err := start(m, x0, x1, &here)
	if err != nil {
		return nil, err
	}
	c.tactics = tactics
	if bent.Refines() {
		c.method, c.tactics.replace = anew{}, false
	}
	if err := p.prepare(c, bent, known, deviation); err != nil {
		c.end()
		return nil, err
	}
	return c, nil
}

// prepare makes bent the path of a call whose segments are its midlines.
func (p *paths) prepare(c *call, bent *curved.Path, known *broad.Candidates, deviation []float64) error {
	if err := p.holdFor(known, c); err != nil {
		return err
	}
	c.o.Candidates = known
	workers := make([]*curved.Worker, len(c.workers))
	for i, w := range c.workers {
		workers[i] = &w.curved
	}
	bent.Begin(curved.Call{
		Midlines: &c.memory.segments, Deviation: deviation, Radii: c.radii, Options: &c.o.Options,
		Threads: int(c.Stats.Threads), Workers: workers,
	})
	c.path = curvedPath{bent}
	if c.o.Region == nil {
		return nil
	}
	return bent.Own()
}

// holdFor returns an error if known candidates may lack a pair of a call on the paths.
func (p *paths) holdFor(known *broad.Candidates, c *call) error {
	if known == nil {
		return nil
	}
	separation := c.o.MinSeparation
	if err := known.ValidFor(c.m, separation, nil); err != nil {
		return fmt.Errorf("options.%w", err)
	}
	need := c.radii
	if p.motion.HasRadii() { // Without radii a distance is compared as it is, and needs no margin.
		need = c.radii.Widened(c.m, curved.Margins(p.motion, separation, c.radii))
	}
	for s, shape := range [...]geom.Shape{geom.Vertex, geom.Edge, geom.Face} {
		for i := range int32(c.m.Count(shape)) {
			if now, then := need.Of(shape, i), known.Radii().Of(shape, i); now > then {
				return fmt.Errorf("options.candidates are for a radius of %v of %s %d, its path's included, not %v",
					then, [...]string{"vertex", "edge", "face"}[s], i, now)
			}
		}
	}
	return known.ContainsPaths(p.motion.Degree(), p.motion.Control())
}

func (p *paths) ends() (x0, x1 []float64) {
	control, n := p.motion.Control(), 3*p.motion.Vertices()
	return control[:n], control[len(control)-n:]
}

func (p *paths) straight(_ *mesh.Mesh, what string) (x0, x1 []float64, err error) {
	return nil, nil, status.Errorf(status.ErrUnsupported,
		"motion: it has no %s: this call needs a motion of degree 1 with one piece and no radius", what)
}

func (p *paths) moves(m *mesh.Mesh, o *Options) (Moves, error) {
	_, err := p.options(m, o)
	return Moves{Paths: p.motion}, err
}

func (p *paths) stay(x []float64) {
	if len(x) == 3*p.motion.Vertices() {
		p.motion.Place(0, x, nil)
	}
}

// candidates returns the pairs whose boxes overlap, each box that of all control points of its
// primitive. They hold for every motion of the mesh whose control points are within the boxes of
// their vertices, in any number of pieces, of any degree, with radii and a separation up to these;
// and for such a plain step.
//
// It is the sweep of a step on which vertex i goes from the least to the greatest corner of the box
// of its control points, with the boxes inflated by the radii of the paths. A pair that is not
// found has boxes apart along an axis, by more than its separation and radii. So SolveMotion finds
// it apart on every piece of such a motion, and calls with the candidates have the bits of a search
// of all pairs (docs/proofs/motions.md).
func (p *paths) candidates(m *mesh.Mesh, bruteForce bool, o broad.Options) (*broad.Candidates, error) {
	if err := p.fits(m); err != nil {
		return nil, err
	}
	radii := m.Filter().Radii()
	if err := radii.Check(o.MinSeparation); err != nil {
		return nil, err
	}
	o.Radii = radii.Widened(m, curved.Margins(p.motion, o.MinSeparation, radii))
	lo, hi := curved.Corners(p.motion)
	return broad.Find(m, lo, hi, bruteForce, o)
}

// allows returns nothing: holdFor compares candidates with the paths when a call begins.
func (p *paths) allows(*broad.Candidates, *mesh.Mesh, *Options) error { return nil }

// linearPaths is the course of a motion that is a straight step. It has the bits of segments, and
// the checks of a motion.
type linearPaths struct {
	line segments
	as   paths
}

func (l *linearPaths) ends() (x0, x1 []float64) { return l.line.ends() }
func (l *linearPaths) stay(x []float64)         { l.line.stay(x) }
func (l *linearPaths) fits(m *mesh.Mesh) error  { return l.as.fits(m) }

func (l *linearPaths) begin(m *mesh.Mesh, o *Options) (*call, error) {
	here, err := l.as.options(m, o)
	if err != nil {
		return nil, err
	}
	return start(m, l.line.x0, l.line.x1, &here)
}

func (l *linearPaths) straight(m *mesh.Mesh, _ string) (x0, x1 []float64, err error) {
	return l.line.x0, l.line.x1, l.fits(m)
}

func (l *linearPaths) moves(m *mesh.Mesh, _ *Options) (Moves, error) {
	return Moves{X0: l.line.x0, X1: l.line.x1}, l.fits(m)
}

// candidates are those of motions within the same boxes, of any degree.
func (l *linearPaths) candidates(m *mesh.Mesh, bruteForce bool, o broad.Options) (*broad.Candidates, error) {
	if err := l.fits(m); err != nil {
		return nil, err
	}
	if err := m.Filter().Radii().Check(o.MinSeparation); err != nil {
		return nil, err
	}
	lo, hi := curved.Corners(l.as.motion)
	return broad.Find(m, lo, hi, bruteForce, o)
}

// allows returns nothing: a call compares candidates with its paths when it begins.
func (l *linearPaths) allows(*broad.Candidates, *mesh.Mesh, *Options) error { return nil }

// newCourse returns the course of a motion.
func newCourse(m *motion.Motion) course {
	if m.Linear() {
		return newLinear(m)
	}
	return &paths{m}
}

// newLinear returns the course of a motion that is a straight step.
func newLinear(m *motion.Motion) *linearPaths {
	n := 3 * m.Vertices()
	return &linearPaths{segments{m.Control()[:n], m.Control()[n:]}, paths{m}}
}

package step

import (
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/narrow"
	"ccd/core/status"
)

// Steps whose vertices move as a motion.Motion says, in place of segments. The result of a pair is
// that of narrow.Solver.SolveMotion with the pair's separation, and the result of a call is what
// the plain step's would be for these pairs:
//
//   - A motion of degree 1, one piece and radius 0 takes the way of the plain step and has its bits.
//   - Otherwise the broad phase is that of a plain step too, of the midlines: a segment for each vertex, and a band around it on each axis that holds its
//     path, and its control points where paths are enclosed anew. The boxes of a primitive are inflated by the largest radius of its vertices. What they leave apart SolveMotion
//     finds apart (docs/proofs/motions.md), so no pair is lost, and a call has the bits of a search of all pairs.
//   - Where the result of a pair is unique, which it is unless paths are enclosed anew on parts, midlines cover [0, t_max] alone, and in a search for the
//     earliest impact what is left of it once one is known; and the kernels of the plain step prove pairs of midlines apart by more than they are off.

// earliestOnPaths is Earliest for a motion. See narrow.Solver.SolveMotion for what times and flags
// mean where radii are above 0. The options must be those of narrow.CheckMotion; candidates and a
// device are not supported.
func earliestOnPaths(m *mesh.Mesh, paths *motion.Motion, o *Options) (geom.Impact, error) {
	c, err := startMotion(m, paths, o)
	if err != nil {
		return noImpact(), err
	}
	defer c.end()
	return c.earliest()
}

// collisionsOnPaths is Collisions for a motion.
func collisionsOnPaths(m *mesh.Mesh, paths *motion.Motion, o *Options) ([]geom.Impact, error) {
	c, err := startMotion(m, paths, o)
	if err != nil {
		return nil, err
	}
	defer c.end()
	return c.collisions(listedBytes)
}

// sizeOnPaths is Size for a motion: a time up to which all pairs keep more than the separation.
func sizeOnPaths(m *mesh.Mesh, paths *motion.Motion, o *Options) (float64, error) {
	im, err := earliestOnPaths(m, paths, o)
	return sizeUpTo(&im, o, err)
}

// startMotion is start for a motion.
func startMotion(m *mesh.Mesh, paths *motion.Motion, o *Options) (*call, error) {
	if o == nil {
		d := DefaultOptions()
		o = &d
	}
	if err := narrow.CheckMotion(&o.Options); err != nil {
		return nil, err
	}
	switch {
	case o.DeviceOnly:
		return nil, status.Errorf(status.ErrUnsupported, "options.device is CCD_DEVICE_GPU: motions are computed on the CPU")
	case paths.Vertices() != m.NV:
		return nil, status.Errorf(status.ErrArgument, "motion has %d vertices: the mesh has %d", paths.Vertices(), m.NV)
	}
	here := *o
	here.Device = nil
	if paths.Linear() {
		return start(m, paths.Control()[:3*m.NV], paths.Control()[3*m.NV:], &here)
	}
	here.Candidates = nil // the midlines are not their step: motionAmong checks the paths
	p := newCurved(m, paths, o)
	x0, x1, deviation := paths.Midlines(p.upToTime)
	c, err := start(m, x0, x1, &here)
	if err != nil {
		return nil, err
	}
	if err := motionAmong(paths, o, c); err != nil {
		c.end()
		return nil, err
	}
	p.begin(c, deviation)
	if o.Region != nil {
		if p.hulls, err = hullsOf(m, paths); err != nil {
			c.end()
			return nil, err
		}
	}
	if o.CheckStart {
		at0 := paths.Control()[:3*m.NV]
		if err := p.resting.Load(at0, at0); err != nil {
			c.end()
			return nil, err
		}
	}
	return c, nil
}

// newCurved returns the path of a motion, without its boxes. Midlines may cover a part of the step
// where the result of a pair is unique, and where no memory limit divides the pairs: the midlines
// of the whole step decide the portions.
func newCurved(m *mesh.Mesh, paths *motion.Motion, o *Options) *curved {
	unlimited, anew := o.MemoryLimit == 0, paths.Refines()
	p := &curved{m: m, paths: paths, upToTime: 1, section: wholeStep(paths.Pieces())}
	if p.cuts = unlimited && !anew; p.cuts {
		p.upToTime = o.TMax
	}
	// The sections of paths that are enclosed anew are whole pieces. Of known pairs the sections
	// would have the same ones each.
	swept := o.Candidates == nil && o.Flags&narrow.BruteForce == 0
	p.divides = unlimited && swept && (!anew || paths.Pieces() > 1)
	return p
}

// begin makes the boxes of a path for a call whose segments are its midlines.
func (p *curved) begin(c *call, deviation []float64) {
	p.mo, p.radii, p.o = &c.memory.segments, c.radii, &c.o.Options
	p.workers, p.threads = c.workers, int(c.Stats.Threads)
	p.margins = boxMargins(p.paths, p.o.MinSeparation, p.radii)
	p.setBands(deviation)
	p.axes.load(p.paths)
	p.beginSieve()
	p.firstLevel()
	p.forgetSolved()
	c.path = p
}

package curved

import (
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
)

// Call is a call on a path.
type Call struct {
	Midlines  *geom.Trajectories // those that Path.Midlines returned
	Deviation []float64          // how far paths may be off
	Radii     *mesh.Radii        // the radii of the primitives
	Options   *narrow.Options    // those of the call
	Threads   int                // the number of threads that make boxes
	Workers   []*Worker          // all workers of the call
}

// Begin makes the boxes of a path.
func (p *Path) Begin(c Call) {
	p.mid, p.radii, p.o, p.threads, p.workers = c.Midlines, c.Radii, c.Options, c.Threads, c.Workers
	p.margins = Margins(p.motion, p.o.MinSeparation, p.radii)
	p.setBands(c.Deviation)
	p.axes.load(p.motion)
	p.beginSieve()
	p.forgetSolved()
}

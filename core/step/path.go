package step

import (
	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/step/curved"
)

// A path is what moves in a call: every vertex on a segment (straight), or as a motion says
// (curvedPath). The course of the call chooses it once. Nothing else in a call asks which of them
// it is.
type path interface {
	sectioned

	// Segments returns one segment for each vertex. Boxes are made around them, and their time runs
	// from 0 to 1.
	Segments() *geom.Trajectories
	// Start returns a step whose positions at time 0 are those of the path at t = 0.
	Start() (*geom.Trajectories, error)
	// Owners returns the step by whose coordinates a region owns pairs.
	Owners() *geom.Trajectories
	// Cover makes the segments those of [0, until], where it may, and returns until in their time.
	Cover(until float64) float64
	// Share returns the time t in the time of the segments, rounded up.
	Share(t float64) float64
	// Bounded reports whether segments up to a time of theirs end before the step, or their section
	// of it, does.
	Bounded(until float64) bool
	// Complete adds to the options of a plan what the boxes must know of the path.
	Complete(how *broad.PlanOptions)
	// Bytes returns the memory of the path, and that of the solver of one worker.
	Bytes() (path, solver int64)

	// decide solves a block of pairs, whose vertices are in w.idx, up to w.horizon, which t may
	// lower. It passes the impacts of those in contact to t.
	decide(w *worker, k geom.Kind, pairs [][2]int32, o narrow.Options, t taker)
	// confirm solves the pair of an impact again, over the whole step.
	confirm(w *worker, im *geom.Impact)
	// costs returns what its pairs cost.
	costs() pathCosts
	// plain reports whether the vertices are on the segments, so that what is known of segments
	// alone serves.
	plain() bool
}

// sectioned is the part of a path that concerns sections of the step (curved/sections.go). A
// straight path has none.
type sectioned interface {
	// Divide returns the sections in which the current section is best swept, where that pays; its
	// plan is made.
	Divide(p *broad.Plan, every bool, estimate func() float64) curved.Division
	// Halve reports, after a share of a plan, whether halves of the section cost less than the rest
	// of it. Resume has them then.
	Halve(p *broad.Plan, share, pairs float64) bool
	// Resume returns the sections that Halve found to pay, once.
	Resume() curved.Division
	// Enter makes the segments those of a section.
	Enter(halvings, first, end int)
	// Leave ends a section. The next ones leave out the pairs that it has solved.
	Leave()
	// Begins returns the time at which a section begins.
	Begins(halvings, first int) float64
	// UpTo returns the part of the call that is done after the current section, of which done is
	// done after its current portion.
	UpTo(done float64) float64
}

// A taker takes the impact of pair i of a worker's current block.
type taker interface {
	take(w *worker, i int, im *geom.Impact)
}

// takes is a function that is a taker.
type takes func(i int, im *geom.Impact)

func (f takes) take(_ *worker, i int, im *geom.Impact) { f(i, im) }

// straight is the path of a plain step: every vertex moves on a segment.
type straight struct {
	mo    *geom.Trajectories
	m     *mesh.Mesh
	radii *mesh.Radii // radii of the primitives
	o     *narrow.Options
}

func (p *straight) Segments() *geom.Trajectories       { return p.mo }
func (p *straight) Start() (*geom.Trajectories, error) { return p.mo, nil }
func (p *straight) Owners() *geom.Trajectories         { return p.mo }
func (p *straight) Cover(until float64) float64        { return until }
func (p *straight) Share(t float64) float64            { return t }
func (p *straight) Bounded(until float64) bool         { return until < p.o.TMax }
func (p *straight) Complete(how *broad.PlanOptions)    { how.Input.Radii = p.radii }
func (p *straight) plain() bool                        { return true }
func (p *straight) costs() pathCosts                   { return pathCosts{boxed: 30, hit: 900} }
func (p *straight) Bytes() (path, solver int64)        { return int64(8 * cap(p.mo.Rec)), 0 }

func (p *straight) Divide(*broad.Plan, bool, func() float64) (none curved.Division) { return none }
func (p *straight) Halve(*broad.Plan, float64, float64) bool                        { return false }
func (p *straight) Resume() (none curved.Division)                                  { return none }
func (p *straight) Enter(int, int, int)                                             {}
func (p *straight) Leave()                                                          {}
func (p *straight) Begins(int, int) float64                                         { return 0 }
func (p *straight) UpTo(done float64) float64                                       { return done }

// confirm solves a pair with the method of the call.
func (p *straight) confirm(w *worker, im *geom.Impact) {
	var q [24]float64
	k, a, b := im.Kind, im.A, im.B
	idx := p.m.Indices(k, int32(a), int32(b))
	p.mo.Query(k, &idx, &q)
	o := *p.o
	o.MinSeparation = p.radii.Pair(k, int32(a), int32(b), o.MinSeparation)
	w.solver.Solve(k, q[:k.Len()], &o, im)
	im.A, im.B = a, b
}

// decide gives each pair its own separation; that of the options is the minimum. The rest is as in
// narrow.Solver.Until. With radii that differ, impacts are emitted in another order.
func (p *straight) decide(w *worker, k geom.Kind, pairs [][2]int32, o narrow.Options, t taker) {
	if p.radii.Uniform() {
		o.MinSeparation = p.radii.LargestSeparation(o.MinSeparation)
		w.solver.Until(k, w.of, w.idx, &o, &w.horizon, func(i int, im *geom.Impact) { t.take(w, i, im) })
		return
	}
	w.each = p.radii.Pairs(k, pairs, o.MinSeparation, w.each)
	if w.sift(k, w.horizon) {
		device := w.solver.Remote
		w.solver.Remote = nil // the pairs of the sieve have many separations, and few pairs have the same one
		defer func() { w.solver.Remote = device }()
		of := func(i int, im *geom.Impact) { t.take(w, int(w.sifted.at[i]), im) }
		w.solver.UntilEach(k, w.of, w.sifted.idx, w.sifted.each, &o, &w.horizon, of)
		return
	}
	w.solver.UntilEach(k, w.of, w.idx, w.each, &o, &w.horizon, func(i int, im *geom.Impact) { t.take(w, i, im) })
}

// curvedPath is the path of a motion. Package curved has all of it but what concerns workers.
//
// Size: the methods of curved.Path serve as they are.
type curvedPath struct{ *curved.Path }

// costs counts the midline, the bands and the radii of a vertex.
func (p curvedPath) costs() pathCosts { return pathCosts{boxed: 300, hit: 5000, vertex: 200} }

// plain does not hold: a midline is not the path.
func (p curvedPath) plain() bool { return false }

func (p curvedPath) confirm(w *worker, im *geom.Impact) { p.Confirm(w.solver, im) }

func (p curvedPath) decide(w *worker, k geom.Kind, pairs [][2]int32, _ narrow.Options, t taker) {
	c := &w.curved
	c.Solver, c.Idx, c.Horizon, c.Each = w.solver, w.idx, w.horizon, w.each
	p.Decide(c, k, pairs, func(i int, im *geom.Impact) {
		t.take(w, i, im)
		c.Horizon = w.horizon
	})
	w.each = c.Each
}

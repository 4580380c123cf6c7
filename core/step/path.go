package step

import (
	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
)

// A path is what moves in a call: every vertex on a segment (straight), or as a motion says
// (curved). The course of the call chooses it once. Nothing else in a call asks which of them it is.
type path interface {
	sectioned

	// segments returns one segment for each vertex. Boxes are made around them, and their time runs
	// from 0 to 1.
	segments() *geom.Trajectories
	// start returns a step whose positions at time 0 are those of the path at t = 0.
	start() (*geom.Trajectories, error)
	// owners returns the step by whose coordinates a region owns pairs.
	owners() *geom.Trajectories
	// cover makes the segments those of [0, until], where it may, and returns until in their time.
	cover(until float64) float64
	// share returns the time t in the time of the segments, rounded up.
	share(t float64) float64
	// complete adds to the options of a plan what the boxes must know of the path.
	complete(how *broad.PlanOptions)
	// refines reports whether the result of a pair may depend on the part of the step on which it
	// is solved.
	refines() bool
	// decide solves a block of pairs, whose vertices are in w.idx, up to w.end, which t may
	// lower. It passes the impacts of those in contact to t.
	decide(w *worker, k geom.Kind, pairs [][2]int32, o narrow.Options, t taker)
	// confirm solves the pair of an impact again, over the whole step.
	confirm(w *worker, im *geom.Impact)
	// costs returns what its pairs cost.
	costs() pathCosts
	// bytes returns the memory of the path, and that of the solver of one worker.
	bytes() (path, solver int64)
}

// sectioned is the part of a path that concerns sections of the step (curved_sections.go). A
// straight path has none.
type sectioned interface {
	// divide returns the sections in which the current section is best swept, where that pays; its
	// plan is made.
	divide(p *broad.Plan, every bool, estimate func() float64) division
	// halve reports, after a share of a plan, whether halves of the section cost less than the rest
	// of it. resume has them then.
	halve(p *broad.Plan, share, pairs float64) bool
	// resume returns the sections that halve found to pay, once.
	resume() division
	// enter makes the segments those of a section.
	enter(halvings, first, end int)
	// leave ends a section. The next ones leave out the pairs that it has solved.
	leave(workers []*worker)
	// begins returns the time at which a section begins.
	begins(halvings, first int) float64
	// upTo returns the part of the call that is done after the current section, of which done is
	// done after its current portion.
	upTo(done float64) float64
}

// A division is the sections of a step, each a range of parts of its pieces.
type division struct {
	halvings int   // halvings of a piece that make a part
	bounds   []int // the numbers of the parts at which sections begin, and where the last one ends; nil: no division
}

// A taker takes the impact of pair i of a worker's current block.
type taker interface {
	take(w *worker, i int, im *geom.Impact)
}

// takes is a function that is a taker.
type takes func(i int, im *geom.Impact)

func (f takes) take(_ *worker, i int, im *geom.Impact) { f(i, im) }

// pathCosts is what one pair costs, and one vertex of a new plan, in the units of
// search_restart.go.
type pathCosts struct {
	boxed  float64 // a pair that passes the boxes, filters included
	hit    float64 // a pair in contact
	vertex float64 // a vertex of a new plan
}

// straight is the path of a plain step: every vertex moves on a segment.
type straight struct {
	mo    *geom.Trajectories
	m     *mesh.Mesh
	radii *mesh.Radii // radii of the primitives
	o     *narrow.Options
}

func (p *straight) segments() *geom.Trajectories       { return p.mo }
func (p *straight) start() (*geom.Trajectories, error) { return p.mo, nil }
func (p *straight) owners() *geom.Trajectories         { return p.mo }
func (p *straight) cover(until float64) float64        { return until }
func (p *straight) share(t float64) float64            { return t }
func (p *straight) complete(how *broad.PlanOptions)    { how.Input.Radii = p.radii }
func (p *straight) refines() bool                      { return false }
func (p *straight) costs() pathCosts                   { return pathCosts{boxed: 30, hit: 900} }
func (p *straight) bytes() (path, solver int64)        { return int64(8 * cap(p.mo.Rec)), 0 }

func (p *straight) divide(*broad.Plan, bool, func() float64) (none division) { return none }
func (p *straight) halve(*broad.Plan, float64, float64) bool                 { return false }
func (p *straight) resume() (none division)                                  { return none }
func (p *straight) enter(int, int, int)                                      {}
func (p *straight) leave([]*worker)                                          {}
func (p *straight) begins(int, int) float64                                  { return 0 }
func (p *straight) upTo(done float64) float64                                { return done }

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
		w.solver.Until(k, w.of, w.idx, &o, &w.end, func(i int, im *geom.Impact) { t.take(w, i, im) })
		return
	}
	w.each = p.radii.Pairs(k, pairs, o.MinSeparation, w.each)
	if w.sift(k, w.end) {
		device := w.solver.Remote
		w.solver.Remote = nil // the pairs of the sieve have many separations, and few pairs have the same one
		defer func() { w.solver.Remote = device }()
		of := func(i int, im *geom.Impact) { t.take(w, int(w.sifted.at[i]), im) }
		w.solver.UntilEach(k, w.of, w.sifted.idx, w.sifted.each, &o, &w.end, of)
		return
	}
	w.solver.UntilEach(k, w.of, w.idx, w.each, &o, &w.end, func(i int, im *geom.Impact) { t.take(w, i, im) })
}

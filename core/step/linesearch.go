package step

import (
	"fmt"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/num"
)

// Bound is the result of LineSearch: a bound on the steps along x0 -> x1.
type Bound struct {
	Alpha      float64 // every step up to it is safe
	Distance   float64 // all pairs are farther apart than this at x0; see LineSearch
	Separation float64 // all pairs keep more than this up to Alpha
}

// LineSearch bounds the steps x0 + alpha (x1 - x0) of a line search so that the next line search
// can move too: the step keeps a share, in (0, 1), of the current distance (algorithm 4 of
// [Wang2021], lines 2 to 18). After a step right up to the contact, the next step would be zero.
// Options.MinSeparation, which must be positive, is a search radius: pairs farther apart are
// ignored. Distance is at most this radius, and at least half the least distance below it.
//
// Laws. (1) For every t in [0, Alpha] all pairs keep more than Separation = share x Distance. (2)
// Alpha is positive unless a pair touches at x0, or with CheckStart an edge passes through a face,
// in which case all three fields are 0. (3) Alpha is TMax when no pair comes as near as Separation.
// Backtracking, lines 20 to 25 of the algorithm, is then free of collision tests: any smaller step
// is safe too.
//
// Departures. [Wang2021] lowers the share until the solver's tolerance and errors, and the error of
// the distance, fit into the remainder. Here the distance is a certified lower bound, MinSeparation
// x 2^-k: the narrow phase decides whether a pair is farther apart. By default the separation is
// kept exactly, so there is no tolerance to fit in. [Wang2021] keeps the candidates of one broad
// phase. Here the distance needs those at x0 only and the step those within the separation only,
// which takes less time than keeping them, and no memory.
func LineSearch(m *mesh.Mesh, x0, x1 []float64, share float64, o *Options) (Bound, error) {
	return lineSearchOn(m, &segments{x0, x1}, share, o)
}

// A lineSearch is what a line search needs to know of its course.
type lineSearch struct {
	course  course
	begin   course  // a course that begins where the vertices are at t = 0
	off     float64 // how far a distance of two points of begin may exceed that of the vertices
	narrows bool    // the search for the step keeps a tolerance, which has to fit in
	o       Options // those of both searches
}

// searchable is a course that LineSearch bounds the steps on.
type searchable interface {
	course
	// lineSearch returns the part of a call that depends on the course, or an error for options
	// that it does not support.
	lineSearch(m *mesh.Mesh, o *Options) (lineSearch, error)
}

func (s *segments) lineSearch(_ *mesh.Mesh, o *Options) (lineSearch, error) {
	l := lineSearch{course: s, begin: s, o: *o}
	l.o.Flags |= narrow.NoZeroTOI
	return l, nil
}

func (l *linearPaths) lineSearch(m *mesh.Mesh, o *Options) (lineSearch, error) {
	if _, err := l.as.options(m, o); err != nil {
		return lineSearch{}, err
	}
	return l.line.lineSearch(m, o)
}

// lineSearch begins at the positions of motion.Place at 0, within whose largest radius the vertices
// are: the distance of a pair is between two points, each a convex combination of vertices, so it
// is known but for twice that.
func (p *paths) lineSearch(m *mesh.Mesh, o *Options) (l lineSearch, err error) {
	if _, err := p.options(m, o); err != nil {
		return l, err
	}
	x, radius := make([]float64, 3*m.NV), make([]float64, m.NV)
	p.motion.Place(0, x, radius)
	l = lineSearch{course: p, begin: &segments{x, x}, o: *o, narrows: true}
	for _, r := range radius {
		l.off = max(l.off, 2*r)
	}
	return l, nil
}

// lineSearchOn is LineSearch on any course: it bounds the times alpha at which a line search may
// leave it, with Distance at t = 0. On the paths of a motion:
//
//  1. For every t in [0, Alpha] all pairs keep more than Separation = share x Distance.
//  2. All pairs are farther apart than Distance at 0. It is at most the cap. All three fields are 0
//     if a pair touches at 0, or with CheckStart an edge passes through a face of the positions
//     there.
//  3. Where radii are 0, or are made anew on parts down to rounding, Alpha is positive. With other
//     radii it is 0 if a pair's distance at 0 is at most Separation and twice the radii of its
//     primitives together.
//  4. Alpha is TMax when no pair comes as near as Separation, and twice these radii or the
//     tolerance.
//
// Why 1 holds: Alpha is the size of the course with this separation. 2: Distance is that of the
// positions at 0, a certified bound, less what the vertices may be off there. 3: the polynomials
// are within rho of the paths, so at 0 they are farther apart than Distance - rho; a contact at 0
// needs Separation + rho. The tolerance is lowered to half of Distance - Separation, and 2 rho is
// at most the tolerance of a motion that refines.
func lineSearchOn(m *mesh.Mesh, on searchable, share float64, o *Options) (Bound, error) {
	if err := checkLineSearch(share, o); err != nil {
		return Bound{}, err
	}
	l, err := on.lineSearch(m, o)
	if err != nil {
		return Bound{}, err
	}
	l.o.Progress = engine.Half(o.Progress, 0)
	distance, err := l.distance(m)
	if err != nil || distance == 0 {
		return Bound{}, err
	}
	// Where share x Distance underflows, a separation of 0 is still less than the distance.
	b := Bound{Distance: distance, Separation: float64(share * distance)}
	l.o.CheckStart = false
	l.o.MinSeparation, l.o.Progress = b.Separation, engine.Half(o.Progress, 1)
	if half := 0.5 * (b.Distance - b.Separation); l.narrows && half > 0 {
		l.o.Tolerance = min(l.o.Tolerance, half)
	}
	b.Alpha, err = sizeOn(m, l.course, &l.o)
	return b, err
}

func checkLineSearch(share float64, o *Options) error {
	if o == nil || !(o.MinSeparation > 0) {
		return fmt.Errorf("options.min_separation must be positive in a line search: " +
			"it is the search radius, beyond which pairs are ignored")
	}
	if err := o.refuse(unsupported{region: "a line search concerns all pairs of a step"}); err != nil {
		return err
	}
	if !(share > 0 && share < 1) {
		return fmt.Errorf("keep_ratio is %v: must be in (0, 1)", share)
	}
	return nil
}

// distance returns the distance at t = 0: 0 if a pair touches there, or an edge passes through a
// face and the options want that checked.
func (l *lineSearch) distance(m *mesh.Mesh) (float64, error) {
	c, err := l.begin.begin(m, &l.o)
	if err != nil {
		return 0, err
	}
	defer c.end()
	if im, err := firstCrossing(c); err != nil || im.Verdict != geom.Separate {
		return 0, err
	}
	distance, err := distanceOf(c)
	if l.off > 0 {
		distance = max(0, num.SubDown(distance, l.off))
	}
	return distance, err
}

// distanceOf returns the least, over all candidates, of the largest MinSeparation x 2^-k that the
// pair exceeds at t = 0, and 0 if a pair touches.
//
// The least does not depend on the order: the least so far only says where the halving of a pair
// begins, and a pair that exceeds it has no smaller value.
func distanceOf(c *call) (float64, error) {
	pairs, err := newSource(c, narrowed{})
	if err != nil {
		return 0, err
	}
	want := &nearest{c: c, path: c.path}
	want.least.Set(c.o.MinSeparation)
	if err := newRun(c, c.path, pairs, want).all(); err != nil {
		return 0, err
	}
	return want.least.Load(), nil
}

// nearest wants the least distance at t = 0.
type nearest struct {
	c     *call
	path  path
	least engine.Least // the least distance so far
}

func (n *nearest) horizon() float64 { return 0 }
func (n *nearest) every() bool      { return true }

// pass needs every pair of boxes: a device would leave pairs out by the separation of the options.
func (n *nearest) pass(r *run) pass { return pass{order: r.plan.LongestFirst, whole: true} }

// block lowers the distance to that of the pairs of a block.
func (n *nearest) block(w *worker, k geom.Kind, pairs [][2]int32) {
	o := n.c.o.Options
	o.TMax, w.horizon = 0, 0
	if o.MinSeparation = n.least.Load(); o.MinSeparation == 0 {
		return
	}
	n.path.decide(w, k, pairs, o, takes(func(i int, _ *geom.Impact) {
		n.least.Lower(n.halve(w, k, pairs[i], o.MinSeparation))
	}))
}

// halve returns the largest d x 2^-k, k > 0, that the pair exceeds at t = 0, beside its radii, or 0
// if it touches or is nearer than any double. A pair that exceeds a distance exceeds every smaller
// one, so galloping and bisection find k quickly, even in a scene that is tiny relative to d.
func (n *nearest) halve(w *worker, k geom.Kind, pair [2]int32, d float64) float64 {
	o := n.c.o.Options
	o.TMax = 0
	var q [24]float64
	var im geom.Impact
	idx := n.c.m.Indices(k, pair[0], pair[1])
	n.path.Segments().Query(k, &idx, &q)
	exceeds := func(d float64) bool {
		o.MinSeparation = n.c.radii.Pair(k, pair[0], pair[1], d)
		w.secondSolver().Solve(k, q[:k.Len()], &o, &im)
		return im.Verdict == geom.Separate
	}
	return max(0, halved(d, exceeds))
}

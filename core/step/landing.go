package step

import (
	"ccd/core/geom"
	"ccd/core/motion"
)

func (s *segments) landing(a *advance) landing {
	l := &straightLanding{a: a, on: s, searches: searchedAgain{}}
	switch {
	case a.searches != nil:
		l.searches = a.searches
	case tacticsOf(&a.o).keep:
		l.searches = &a.kept
	}
	return l
}

func (l *linearPaths) landing(a *advance) landing { return l.line.landing(a) }

func (p *paths) landing(a *advance) landing {
	return &curvedLanding{a: a, paths: p, radius: make([]float64, p.motion.Vertices())}
}

// straightLanding is the landing of a straight step. Positions are place(x0, x1, alpha), and the
// way to them is straight.
type straightLanding struct {
	a        *advance
	on       *segments
	searches searches
}

func (l *straightLanding) first() (geom.Impact, error) { return l.searches.first(l.a, l.on) }

func (l *straightLanding) test() (geom.Impact, error) {
	return l.searches.test(l.a, &segments{l.on.x0, l.a.x})
}

func (l *straightLanding) refuses(alpha float64) (bool, error) {
	var q [24]float64
	var im geom.Impact
	o := l.a.exact.Options
	for _, p := range l.a.limiting {
		o.MinSeparation = p.separation
		n := p.kind.Points()
		for i, v := range p.idx[:n] {
			for k := range 3 {
				c := 3*int(v) + k
				q[3*i+k], q[3*(n+i)+k] = l.on.x0[c], place(l.on.x0[c], l.on.x1[c], alpha)
			}
		}
		if l.a.solver.Solve(p.kind, q[:p.kind.Len()], &o, &im); im.Verdict != geom.Separate {
			return true, nil
		}
	}
	return false, nil
}

// land needs no test of the whole step: the search for the step has tested it, for an alpha of 1
// means that it is Separate up to TMax = 1.
func (l *straightLanding) land(alpha float64) landed {
	if alpha == 1 {
		copy(l.a.x, l.on.x1)
		return safe
	}
	switch {
	case l.move(alpha):
		return untested
	case l.still():
		return safe
	}
	return useless
}

// move sets a.x to place(x0, x1, alpha) and reports whether a coordinate changes.
func (l *straightLanding) move(alpha float64) (moved bool) {
	for i, from := range l.on.x0 {
		l.a.x[i] = place(from, l.on.x1[i], alpha)
		moved = moved || l.a.x[i] != from
	}
	return moved
}

// still reports whether nothing moves in the whole step.
func (l *straightLanding) still() bool {
	for i, from := range l.on.x0 {
		if l.on.x1[i] != from {
			return false
		}
	}
	return true
}

// curvedLanding is the landing on the paths of a motion: positions are those of motion.Place at
// alpha, rounded. With s = share x Size on the paths, rounded, and the steps s = s_0 > ... > s_17
// of attempt:
//
//  1. If alpha > 0, all pairs keep more than the separation at every t in [0, alpha] on their
//     paths, and from where their paths are at alpha straight to x, in exact arithmetic: at x
//     itself in particular.
//  2. x is motion.Place at alpha.
//  3. alpha is the first s_k for which law 1 is proven: for vertices that are anywhere within their
//     radii at s_k around x, by the test of a motion that rests. If there is none alpha is 0, and x
//     the positions at 0.
//  4. On an error alpha is 0 and x the positions at 0.
//
// Why 1 holds: s_k is at most the size, which covers [0, s_k]. A vertex at s_k and its position in
// x are both in the ball of its radius around x, hence so is the segment between them; and
// SolveMotion proves pairs of balls apart (Separate), each point of a primitive being a convex
// combination of its vertices'.
//
// The candidates of the options serve the search for the step, but not the test of a configuration.
type curvedLanding struct {
	a      *advance
	paths  *paths
	radius []float64      // radius has that of each vertex at the current attempt
	still  *motion.Motion // the motion that rests at the current attempt
}

func (l *curvedLanding) first() (geom.Impact, error) {
	return l.a.search(l.paths, l.a.o, (*call).earliest)
}

// refuses tests a motion that rests at alpha, with the radii within which the vertices are.
func (l *curvedLanding) refuses(alpha float64) (bool, error) {
	a := l.a
	l.paths.motion.Place(alpha, a.x, l.radius)
	twice := append(append(make([]float64, 0, 2*len(a.x)), a.x...), a.x...)
	still, err := motion.New(a.m.NV, 1, nil, twice, l.radius)
	if err != nil {
		return false, err
	}
	l.still = still
	o := a.exact.Options
	for _, p := range a.limiting {
		var im geom.Impact
		o.MinSeparation = p.separation
		if a.solver.SolveMotion(still, p.kind, p.idx[:p.kind.Points()], &o, &im); im.Verdict != geom.Separate {
			return true, nil
		}
	}
	return false, nil
}

// land finds the positions set: refuses has done it.
func (l *curvedLanding) land(float64) landed { return untested }

func (l *curvedLanding) test() (geom.Impact, error) {
	o := l.a.exact
	o.Candidates = nil
	return l.a.search(newCourse(l.still), o, (*call).earliest)
}

package narrow

import (
	"math"

	"ccd/core/geom"
	"ccd/core/motion"
	"ccd/core/num"
)

// This file brackets the least distance of a pair whose vertices move as a motion says: law D8 of
// docs/numerics.md. It guesses a time and proves the distance there.
//
// Above. The distance at any time, from the positions there and what these may be off.
//
// Below. SolveMotion with a separation d: a pair that it finds Separate is farther apart than d at
// all times. So the least distance found so far, less the width of the bracket, is tried first. A
// contact names a time at which the pair is within d, but for what the radii of the paths leave
// open; the search goes on around it. After some such times the bracket between what is proven and
// the least d with a contact is halved, so that the search ends.

// PathPair is a pair of primitives on the paths of a motion.
type PathPair struct {
	Motion   *motion.Motion
	Kind     geom.Kind
	Vertices []int32    // those of the pair, as SolveMotion takes them
	Radii    [2]float64 // those of the primitives
	TMax     float64
}

// PathLeast finds least distances on paths. It is for one goroutine; its results do not depend on
// earlier ones.
type PathLeast struct {
	solver   *Solver
	parts    motion.Parts
	pair     PathPair
	options  Options
	best     geom.LeastDistance
	lo       float64 // The pair is proven to be farther apart than this at all times, unless it is 0.
	contact  float64 // the least separation with which the pair was found in contact
	spacing  float64 // the time between two guesses
	accuracy float64 // how far an upper bound at a time may exceed the distance
}

// NewPathLeast returns a PathLeast that searches with s.
func NewPathLeast(s *Solver) *PathLeast { return &PathLeast{solver: s} }

// Numbers that decide about the time of a search only.
const (
	guessesAPiece = 8   // the times that a search looks at on each piece, at first
	mostGuesses   = 128 // the largest number of them
	descents      = 64  // the times that a descent looks at
	guessedProofs = 4   // the contacts after which the bracket is halved
)

// Find brackets the least distance of a pair, less its radii, for t in [0, TMax]; bracket is the
// width of the bracket where the paths have no radii. It reports false, and writes nothing, if the
// distance is proven to exceed the cutoff. What it writes does not depend on the cutoff. The points
// are those of the caller (PlaceLeast).
func (l *PathLeast) Find(p *PathPair, bracket, cutoff float64, out *geom.LeastDistance) bool {
	l.begin(p, bracket)
	if !math.IsInf(cutoff, 0) && l.apart(cutoff) == geom.Separate {
		return false
	}
	l.guess()
	l.lo, l.contact = 0, l.best.Hi
	for tries := 0; l.contact-l.lo > 0.5*bracket; tries++ {
		d := l.best.Hi - bracket
		if half := l.lo + float64(0.5*(l.contact-l.lo)); tries >= guessedProofs || !(d < l.contact) {
			d = half
		}
		if !(d > l.lo && d < l.contact) {
			break
		}
		if !l.try(d) {
			break
		}
		if l.best.Hi-l.lo <= bracket {
			break
		}
	}
	*out = l.best
	out.Lo = min(l.lo, out.Hi)
	return true
}

// DistanceAt bounds the distance of a pair, less its radii, at a time from above.
func (l *PathLeast) DistanceAt(p *PathPair, t, bracket float64) float64 {
	l.begin(p, bracket)
	return l.at(t)
}

// begin begins a search.
func (l *PathLeast) begin(p *PathPair, bracket float64) {
	l.pair = *p
	l.accuracy = 0.125 * bracket
	l.options = Options{Method: Exact, TMax: p.TMax, Tolerance: max(l.accuracy, math.SmallestNonzeroFloat64)}
	l.best = geom.LeastDistance{Kind: p.Kind, A: -1, B: -1, Hi: math.Inf(1)}
}

// at bounds the distance at a time from above, and keeps the least such bound.
//
// The positions are off by the radii ra and rb at most, so points of the primitives are, and the
// distance of the primitives is at most that of the positions with ra and rb added.
func (l *PathLeast) at(t float64) float64 {
	var q [24]float64
	var e [4]float64
	p := &l.pair
	n := len(p.Vertices)
	l.parts.Place(p.Motion, t, p.Vertices, q[:3*n], e[:n])
	copy(q[3*n:6*n], q[:3*n])
	off, split := [2]float64{}, p.Kind.Info().Split
	for i, r := range e[:n] {
		side := 0
		if i >= split {
			side = 1
		}
		off[side] = max(off[side], r)
	}
	hi := num.AddUp3(off[0], off[1], l.solver.euclid.Near(p.Kind, q[:6*n], l.accuracy))
	if p.Radii != [2]float64{} {
		hi = num.AddUp3(-p.Radii[0], -p.Radii[1], hi)
	}
	if hi = max(0, hi); hi < l.best.Hi {
		l.best.T, l.best.Hi = t, hi
	}
	return hi
}

// guess looks for a time with a small distance: at evenly spaced times, and between those on both
// sides of the best.
func (l *PathLeast) guess() {
	n := min(guessesAPiece*l.pair.Motion.Pieces(), mostGuesses)
	l.spacing = l.pair.TMax / float64(n)
	for i := range n + 1 {
		l.at(min(float64(i)*l.spacing, l.pair.TMax))
	}
	l.descend(l.best.T-l.spacing, l.best.T+l.spacing)
}

// descend looks for the least distance between two times by golden sections.
func (l *PathLeast) descend(a, b float64) {
	const golden = 0.6180339887498949
	a, b = max(a, 0), min(b, l.pair.TMax)
	if !(a < b) {
		return
	}
	x, y := b-float64(golden*(b-a)), a+float64(golden*(b-a))
	fx, fy := l.at(x), l.at(y)
	for range descents {
		if fx <= fy {
			b, y, fy = y, x, fx
			x = b - float64(golden*(b-a))
			fx = l.at(x)
		} else {
			a, x, fx = x, y, fy
			y = a + float64(golden*(b-a))
			fy = l.at(y)
		}
		if !(a < x && x < y && y < b) {
			return
		}
	}
}

// apart decides whether the pair comes within a distance d of its surfaces.
func (l *PathLeast) apart(d float64) geom.Verdict {
	var im geom.Impact
	l.solve(d, &im)
	return im.Verdict
}

func (l *PathLeast) solve(d float64, im *geom.Impact) {
	p := &l.pair
	l.options.MinSeparation = num.AddUp3(p.Radii[0], p.Radii[1], d)
	l.solver.SolveMotion(p.Motion, p.Kind, p.Vertices, &l.options, im)
}

// try tries to prove that the pair keeps more than d, or finds a time at which it does not. It
// reports false if neither is known.
func (l *PathLeast) try(d float64) bool {
	var im geom.Impact
	switch l.solve(d, &im); im.Verdict {
	case geom.Separate:
		l.lo = d
		return true
	case geom.Contact:
		l.contact = d
		t := min(im.TOIHi, l.pair.TMax)
		l.at(im.TOILo)
		if l.at(t); t < l.pair.TMax {
			l.descend(t, t+l.spacing)
		}
		return true
	}
	return false
}

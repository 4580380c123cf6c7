package step

import (
	"fmt"
	"math"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/status"
)

// Advance chooses a step alpha and writes to x the positions that it leads to, so that the motion
// from x0 straight to just these doubles is safe. Size does not promise that: x0 + alpha (x1 - x0)
// is rounded, and a pair may be nearer at the rounded positions.
//
// share, in (0, 1], is the part of the longest safe step to take. Options are those of Size. With
// Options.CheckStart alpha is 0 as well where an edge passes through a face at x0.
//
// Laws. Let s be share x Size, rounded, and s = s_0 > s_1 > ... > s_17 the steps of attempt.
//
//  1. If alpha > 0, all pairs keep more than the separation for every t in [0, 1] of the motion
//     x0 -> x, in exact arithmetic, whatever the method.
//  2. x is x0 + alpha (x1 - x0) in floats, coordinate by coordinate, which lies between x0 and x1;
//     it is x1 if alpha is 1.
//  3. alpha is the first s_k for which law 1 holds. If there is none, or if x would be x0 although
//     x1 is not, alpha is 0 and x is x0 bit for bit.
//  4. On an error alpha is 0 and x is x0.
//
// Law 3 makes alpha unique, so it does not depend on threads, candidates or memory (law 7).
//
// x has the length of x0; it may be x0 or x1, but must not overlap them otherwise. Stats add up all
// searches.
//
// # How
//
// The exact method tests the motion x0 -> x. The search for the step has proven most pairs apart on
// all such motions, and keeps the others (advance_kept.go); where it cannot, the whole mesh is
// searched again. Most refusals come from the pair that limits Size, so that pair is tested alone
// first, and so is every pair that refused an earlier attempt. Hence the usual cost is little more
// than that of Size.
func Advance(m *mesh.Mesh, x0, x1, x []float64, share float64, o *Options) (alpha float64, err error) {
	return advanceOn(m, &segments{x0, x1}, x, share, o)
}

// advanceOn is Advance on any course; landing.go has the laws on the paths of a motion. On an error
// it writes the positions at t = 0 to x.
func advanceOn(m *mesh.Mesh, on lander, x []float64, share float64, o *Options) (alpha float64, err error) {
	alpha, _, err = advanceFrom(m, on, x, share, o)
	return alpha, err
}

// advanceFrom is advanceOn, and returns the earliest impact of the course too, as Earliest has it.
func advanceFrom(m *mesh.Mesh, on lander, x []float64, share float64, o *Options) (
	alpha float64, first geom.Impact, err error) {
	defer func() {
		if err != nil {
			on.stay(x)
		}
	}()
	if err := on.fits(m); err != nil {
		return 0, first, err
	}
	x0, _ := on.ends()
	if len(x) != len(x0) {
		return 0, first, fmt.Errorf("x has %d coordinates; the vertices have %d", len(x), len(x0))
	}
	if err := checkShare(share, o); err != nil {
		return 0, first, err
	}
	own := orDefault(o)
	a := advances.get(&own)
	defer a.end()
	a.begin(m, x0, &own)
	if alpha, err = a.choose(on, share); err != nil {
		return 0, first, err
	}
	first = a.first
	copy(x, a.x)
	if own.Stats != nil {
		*own.Stats = a.stats
	}
	return alpha, first, nil
}

// checkShare checks what Advance takes beside positions, and options that it does not support.
func checkShare(share float64, o *Options) error {
	if !(share > 0 && share <= 1) {
		return status.Errorf(status.ErrArgument, "share is %v: must be in (0, 1]", share)
	}
	return o.refuse(unsupported{region: "an advance concerns all pairs of a step"})
}

// advance is the state of one call of Advance. Later calls reuse its memory.
type advance struct {
	m      *mesh.Mesh
	x      []float64 // the positions of the current attempt
	o      Options   // those of the caller
	exact  Options   // those of the searches that test an attempt
	passes int       // the number of searches so far
	stats  engine.Stats
	first  geom.Impact // the earliest impact of the course

	searches searches // nil, or those of a worker of AdvanceBatch
	kept     keptPairs
	limiting []limitingPair
	solver   *narrow.Solver
}

// limitingPair is a pair that ended the longest safe step, or refused an attempt.
type limitingPair struct {
	kind       geom.Kind
	idx        [4]int32
	separation float64
}

// advances are the finished calls.
var advances = pool[advance]{make: func() *advance { return &advance{solver: narrow.NewSolver()} }}

// begin begins a call on a course from x0.
func (a *advance) begin(m *mesh.Mesh, x0 []float64, o *Options) {
	*a = advance{
		m: m, o: *o, exact: provingOptions(o), x: append(a.x[:0], x0...), kept: a.kept, limiting: a.limiting[:0],
		solver: a.solver,
	}
}

// provingOptions returns the options of the searches that test an attempt.
func provingOptions(o *Options) Options {
	exact := *o
	exact.Method, exact.TMax, exact.CheckStart = narrow.Exact, 1, false
	return exact
}

// end leaves the memory of the call to later ones.
func (a *advance) end() {
	advances.put(&a.o, a, func() {
		*a = advance{x: a.x, kept: a.kept, limiting: a.limiting, solver: a.solver}
	})
}

// landed says what is known of the positions of an attempt.
type landed int

const (
	untested landed = iota // nothing
	safe                   // the way there is proven
	useless                // nothing moves, nor would it in a shorter step
)

// A landing is the part of a call of Advance that depends on what moves: how an attempt goes from
// t = 0 to positions that are written as doubles, and how that way is tested.
type landing interface {
	// first returns the earliest impact of the whole course.
	first() (geom.Impact, error)
	// refuses reports whether a limiting pair comes too near on the way to the positions at alpha.
	refuses(alpha float64) (bool, error)
	// land sets a.x to the positions at alpha > 0.
	land(alpha float64) landed
	// test returns an impact on the way to a.x, if there is any.
	test() (geom.Impact, error)
}

// lander is a course that Advance moves on.
type lander interface {
	course
	// landing returns the part of a call that depends on the course.
	landing(a *advance) landing
}

// choose computes alpha and a.x.
func (a *advance) choose(on lander, share float64) (alpha float64, err error) {
	l := on.landing(a)
	first, err := l.first()
	if err != nil {
		return 0, err
	}
	a.first = first
	step := float64(share * sizeOf(&first, a.o.TMax))
	a.limit(&first)
	for k := 0; k < attempts; k++ {
		alpha := attempt(step, k)
		if alpha == 0 {
			break
		}
		if refused, err := l.refuses(alpha); err != nil || refused {
			if err != nil {
				return 0, err
			}
			continue
		}
		switch l.land(alpha) {
		case safe:
			return alpha, a.last()
		case useless:
			on.stay(a.x)
			return 0, a.last()
		}
		im, err := l.test()
		if err != nil {
			return 0, err
		}
		if im.Verdict == geom.Separate {
			return alpha, a.last()
		}
		a.limit(&im)
	}
	on.stay(a.x)
	return 0, a.last()
}

// search runs a search of a course.
func (a *advance) search(on course, o Options, run func(c *call) (geom.Impact, error)) (geom.Impact, error) {
	var stats engine.Stats
	o.Stats, o.Progress = &stats, partOf(a.o.Progress, a.passes)
	a.passes++
	c, err := on.begin(a.m, &o)
	if err != nil {
		return noImpact(), err
	}
	defer c.end()
	im, err := run(c)
	a.stats.Add(&stats)
	return im, err
}

// partOf returns the progress of search number i of a call that does not know how many there will
// be: from 1 - 2^-i to 1 - 2^-(i+1).
func partOf(progress func(fraction float64) bool, i int) func(fraction float64) bool {
	if progress == nil {
		return nil
	}
	ahead := math.Ldexp(1, -i)
	return func(f float64) bool { return progress(1 - ahead + float64(ahead/2*f)) }
}

// last calls the progress callback for the last time.
func (a *advance) last() error {
	if a.o.Progress != nil && a.o.Progress(1) {
		return status.ErrCancelled
	}
	return nil
}

// limit adds the pair of an impact to those that are tested first.
func (a *advance) limit(im *geom.Impact) {
	if im.Verdict != geom.Separate && im.Kind != geom.EdgeFace {
		x, y := int32(im.A), int32(im.B)
		d := a.m.Filter().Radii().Pair(im.Kind, x, y, a.o.MinSeparation)
		a.limiting = append(a.limiting, limitingPair{im.Kind, a.m.Indices(im.Kind, x, y), d})
	}
}

// place returns the coordinate at alpha on the way from a to b: a + alpha (b - a) in floats, b if
// alpha is 1. It lies between a and b.
//
// Let d = fl(b - a), say d >= 0, and alpha <= 1 - 2^-53. If d < 2^-1021 it is exact: then
// fl(alpha d) <= d = b - a. Otherwise d is normal and alpha d <= d - 2^-53 d, which fl rounds to at
// most d - ulp(d)/2: the double below d if d is a power of 2, and at least 1/2 ulp less if not, for
// 2^-53 d exceeds half an ulp then and the double below is a whole one away. As d <= b - a +
// ulp(d)/2, again fl(alpha d) <= b - a. So a <= a + fl(alpha d) <= b, and rounding is monotone.
func place(a, b, alpha float64) float64 {
	if alpha == 1 {
		return b
	}
	return a + float64(alpha*(b-a))
}

// attempts is the number of steps that Advance tries.
const attempts = 18

// attempt returns the step that Advance tries after k refusals: the first, then 1 - 2^-52, 1 -
// 2^-48, ..., 1 - 2^-4 of it, then 1/2, 1/4, 1/8, 1/16.
//
// A pair that approaches at the speed v has v alpha 2^-j more room after 1 - 2^-j of the step, and
// the rounding of its positions takes away a few ulps of its coordinates. So 2^-52 suffices unless
// coordinates are large beside v alpha; the next attempts serve those, and cost precision that
// rounding has taken already. Where a pair stays as near as an ulp all the way, no step has more
// room than another, but each rounds in its own way.
func attempt(first float64, k int) float64 {
	switch {
	case k == 0:
		return first
	case k <= 13:
		return first * (1 - math.Ldexp(1, 4*k-56))
	}
	return math.Ldexp(first, 13-k)
}

package step

import (
	"fmt"
	"math"

	"ccd/core/broad"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/narrow"
	"ccd/core/status"
)

// pairsOnPaths is Pairs for a motion.
func pairsOnPaths(m *mesh.Mesh, paths *motion.Motion, kind geom.Kind, pairs [][2]int64, o *Options) (
	[]geom.Impact, error) {
	if err := o.checksStart("a list of pairs"); err != nil {
		return nil, err
	}
	if err := o.allPairs("a list of pairs is of"); err != nil {
		return nil, err
	}
	c, err := startMotion(m, paths, o)
	if err != nil {
		return nil, err
	}
	defer c.end()
	return c.pairsOf(kind, pairs)
}

// visitOnPaths is Visit for a motion.
func visitOnPaths(m *mesh.Mesh, paths *motion.Motion, o *Options, visit func(batch []geom.Impact) (stop bool)) error {
	c, err := startMotion(m, paths, o)
	if err != nil {
		return err
	}
	defer c.end()
	return c.visit(visit)
}

// candidatesOnPaths returns the pairs whose boxes overlap, each box that of all control points of
// its primitive. They hold for every motion of the mesh whose control points are within the boxes
// of their vertices, in any number of pieces and of any degree, with radii and a separation up to
// these; and for such a plain step.
//
// It is the sweep of a step on which vertex i goes from the least to the greatest corner of the box
// of its control points, with the boxes inflated by the radii of the paths. A pair that is not
// found has boxes apart along an axis, by more than its separation and radii. So SolveMotion finds
// it apart on every piece of such a motion, and calls with the candidates have the bits of a search
// of all pairs (docs/proofs/motions.md).
func candidatesOnPaths(m *mesh.Mesh, paths *motion.Motion, bruteForce bool, o broad.Options) (
	*broad.Candidates, error) {
	if err := fits(m, paths); err != nil {
		return nil, err
	}
	radii := m.Filter().Radii()
	if err := radii.Check(o.MinSeparation); err != nil {
		return nil, err
	}
	if !paths.Linear() {
		o.Radii = radii.Widened(m, boxMargins(paths, o.MinSeparation, radii))
	}
	lo, hi := corners(paths)
	return broad.Find(m, lo, hi, bruteForce, o)
}

// corners returns the least and the greatest corner, by vertex, of the box of its control points.
func corners(paths *motion.Motion) (lo, hi []float64) {
	control, block := paths.Control(), 3*paths.Vertices()
	lo, hi = append([]float64(nil), control[:block]...), append([]float64(nil), control[:block]...)
	for i, x := range control[block:] {
		lo[i%block], hi[i%block] = min(lo[i%block], x), max(hi[i%block], x)
	}
	return lo, hi
}

// fits returns an error for a motion of another number of vertices than the mesh.
func fits(m *mesh.Mesh, paths *motion.Motion) error {
	if paths.Vertices() != m.NV {
		return status.Errorf(status.ErrArgument, "motion has %d vertices: the mesh has %d", paths.Vertices(), m.NV)
	}
	return nil
}

// motionAmong makes the candidates of the options those of a call on a motion, or returns an error
// if they may lack one of its pairs.
func motionAmong(paths *motion.Motion, o *Options, c *call) error {
	known := o.Candidates
	if known == nil {
		return nil
	}
	if err := known.ValidFor(c.m, o.MinSeparation, nil); err != nil {
		return fmt.Errorf("options.%w", err)
	}
	need := c.radii
	if paths.HasRadii() { // else d is compared as it is, and needs no margin
		need = c.radii.Widened(c.m, boxMargins(paths, o.MinSeparation, c.radii))
	}
	for s, shape := range [...]geom.Shape{geom.Vertex, geom.Edge, geom.Face} {
		for i := range int32(c.m.Count(shape)) {
			if now, then := need.Of(shape, i), known.Radii().Of(shape, i); now > then {
				return fmt.Errorf("options.candidates are for a radius of %v of %s %d, its path's included, not %v",
					then, [...]string{"vertex", "edge", "face"}[s], i, now)
			}
		}
	}
	if err := known.ContainsPaths(paths.Degree(), paths.Control()); err != nil {
		return err
	}
	c.o.Candidates = known
	return nil
}

// advanceOnPaths is Advance for a motion: it chooses a time alpha, and writes to x the positions at
// alpha, rounded.
//
// A motion of degree 1, one piece and radius 0 has the bits and the laws of Advance. Otherwise,
// with s = share x sizeOnPaths, rounded, and the steps s = s_0 > ... > s_17 of attempt:
//
//  1. If alpha > 0, all pairs keep more than the separation at every t in [0, alpha] on their paths, and from where their paths are at alpha straight to x, in exact
//     arithmetic: at x itself in particular.
//  2. x is motion.Place at alpha.
//  3. alpha is the first s_k for which law 1 is proven: for vertices that are anywhere within their radii at s_k around x, by the test of a motion that rests.
//     If there is none alpha is 0, and x the positions at 0.
//  4. On an error alpha is 0 and x the positions at 0.
//
// Why 1 holds: s_k is at most sizeOnPaths, which covers [0, s_k]. A vertex at s_k and its position
// in x are both in the ball of its radius around x, hence so is the segment between them; and
// SolveMotion proves pairs of balls apart (Separate), each point of a primitive being a convex
// combination of its vertices'.
//
// The candidates of the options serve the search for the step, but not the test of a configuration.
func advanceOnPaths(m *mesh.Mesh, paths *motion.Motion, x []float64, share float64, o *Options) (
	alpha float64, err error) {
	if o == nil {
		d := DefaultOptions()
		o = &d
	}
	if err := fits(m, paths); err != nil {
		return 0, err
	}
	if len(x) != 3*m.NV {
		return 0, fmt.Errorf("x has %d coordinates; the motion has %d", len(x), 3*m.NV)
	}
	if paths.Linear() {
		return Advance(m, paths.Control()[:3*m.NV], paths.Control()[3*m.NV:], x, share, o)
	}
	a := motionAdvance{m: m, paths: paths, x: x, radius: make([]float64, m.NV), o: *o, exact: *o}
	a.exact.Method, a.exact.TMax, a.exact.CheckStart, a.exact.Candidates = narrow.Exact, 1, false, nil
	switch {
	case !(share > 0 && share <= 1):
		err = fmt.Errorf("share is %v: must be in (0, 1]", share)
	default:
		if err = o.allPairs("an advance concerns"); err == nil {
			alpha, err = a.choose(share)
		}
	}
	if err != nil {
		alpha = 0
	}
	if alpha == 0 {
		paths.Place(0, x, nil)
	}
	if err == nil && o.Stats != nil {
		*o.Stats = a.stats
	}
	return alpha, err
}

// motionAdvance is the state of one call of advanceOnPaths.
type motionAdvance struct {
	m         *mesh.Mesh
	paths     *motion.Motion
	x, radius []float64 // of the current attempt
	o         Options   // of the caller
	exact     Options   // of the tests of an attempt
	passes    int       // searches so far
	stats     engine.Stats

	limiting []geom.Impact
	solver   *narrow.Solver
}

// choose returns alpha and sets a.x.
func (a *motionAdvance) choose(share float64) (alpha float64, err error) {
	first, err := a.earliest(a.paths, a.o)
	if err != nil {
		return 0, err
	}
	step := float64(share * sizeOf(&first, a.o.TMax))
	a.limit(&first)
	for k := 0; k < attempts && step > 0; k++ {
		alpha := attempt(step, k)
		still, err := a.at(alpha)
		if err != nil {
			return 0, err
		}
		if alpha == 0 || a.refused(still) {
			continue
		}
		im, err := a.earliest(still, a.exact)
		if err != nil {
			return 0, err
		}
		if im.Verdict == geom.Separate {
			return alpha, a.last()
		}
		a.limit(&im)
	}
	return 0, a.last()
}

// at sets a.x to the positions at t, and returns a motion that rests there, with the radii within
// which the vertices are.
func (a *motionAdvance) at(t float64) (*motion.Motion, error) {
	a.paths.Place(t, a.x, a.radius)
	return motion.New(a.m.NV, 1, nil, append(append(make([]float64, 0, 2*len(a.x)), a.x...), a.x...), a.radius)
}

// earliest searches a motion. The progress of pass number i runs from 1 - 2^-i to 1 - 2^-(i+1).
func (a *motionAdvance) earliest(paths *motion.Motion, o Options) (geom.Impact, error) {
	var stats engine.Stats
	o.Stats = &stats
	if a.o.Progress != nil {
		left := math.Ldexp(1, -a.passes)
		o.Progress = func(f float64) bool { return a.o.Progress(1 - left + float64(left/2*f)) }
	}
	a.passes++
	im, err := earliestOnPaths(a.m, paths, &o)
	a.stats.Add(&stats)
	return im, err
}

// last calls the progress callback for the last time.
func (a *motionAdvance) last() error {
	if a.o.Progress != nil && a.o.Progress(1) {
		return status.ErrCancelled
	}
	return nil
}

// limit adds the pair of an impact to those that are tested first.
func (a *motionAdvance) limit(im *geom.Impact) {
	if im.Verdict != geom.Separate && im.Kind != geom.EdgeFace {
		a.limiting = append(a.limiting, *im)
	}
}

// refused reports whether a limiting pair is too near in a motion that rests.
func (a *motionAdvance) refused(still *motion.Motion) bool {
	if len(a.limiting) > 0 && a.solver == nil {
		a.solver = narrow.NewSolver()
	}
	o := a.exact.Options
	for i := range a.limiting {
		k, x, y := a.limiting[i].Kind, int32(a.limiting[i].A), int32(a.limiting[i].B)
		o.MinSeparation = a.m.Filter().Radii().Pair(k, x, y, a.o.MinSeparation)
		idx := a.m.Indices(k, x, y)
		var im geom.Impact
		if a.solver.SolveMotion(still, k, idx[:k.Points()], &o, &im); im.Verdict != geom.Separate {
			return true
		}
	}
	return false
}

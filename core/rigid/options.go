package rigid

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/rigid/poses"
	"ccd/core/rigid/triangle"
	"ccd/core/status"
)

// IgnoreSeparating is a flag of Options: triangles that are within the tolerance but provably move
// apart are not in contact. A simulation sets it after a collision response. Triangles in that
// state at TMin, which may be nearer than MinSeparation or touch, come no nearer than they are
// there, but for rounding, until they are MinSeparation apart; from then on, as all others, they
// keep more.
//
// Law 12 of docs/numerics.md: the points of an impact that is reported at TMin with it come nearer,
// or part at less than rounding and the curvature of their paths may undo. So a loop that advances
// to TOILo, makes the points part and searches on goes on.
const IgnoreSeparating uint32 = 1

// Options of a query. Lengths and times are in the units of the bodies and their motions.
type Options struct {
	TMin, TMax float64 // the interval of time
	// MinSeparation is the distance that the bodies keep before the time of impact, and at it; 0
	// stands for an eighth of Tolerance.
	MinSeparation float64
	// Tolerance bounds how far beyond MinSeparation bodies in contact are apart; 0 stands for
	// DefaultTolerance or, at large sizes, more: see query.tolerant.
	Tolerance     float64
	MaxIterations int64  // the most pairs that are tested before the verdict is Undecided; 0: no limit; see budget
	Search        Search // the method that finds contact; nil: conservative advancement
	Flags         uint32
}

// DefaultOptions returns options with the interval [0, 1], no separation, a tolerance of 1e-10 and
// a million iterations.
func DefaultOptions() Options { return Options{TMax: 1, Tolerance: 1e-10, MaxIterations: 1e6} }

// resolved returns the options as a search takes them. With MinSeparation 0 the bodies keep an
// eighth of Tolerance, and contact is within seven eighths more: so it is within Tolerance of
// touching, and bodies that are proven apart stay apart where a caller rounds their poses.
func (o *Options) resolved() Options {
	out := *o
	if o.MinSeparation == 0 {
		out.MinSeparation = 0.125 * o.Tolerance
		out.Tolerance = num.SubDown(o.Tolerance, out.MinSeparation)
	}
	return out
}

// leastBudget steps take about a millisecond by the default method. Contact that bodies make within
// their first turns is found in them.
const leastBudget = 4096

// budget returns how many steps may be spent, 0 for any number, where both bodies together turn by
// an angle while they can meet.
//
// A proof that they do not meet takes at least a step for every turnAtOnce radians. Where the angle
// has more of these than MaxIterations, there can be no such proof, and MaxIterations would reach
// no farther than the share MaxIterations / angle of the way. So only that share of MaxIterations
// is spent, but not less than leastBudget: the verdict is Undecided a little earlier, after a time
// that is proven.
func (o *Options) budget(angle float64) int64 {
	most := float64(o.MaxIterations)
	if parts := angle / turnAtOnce; o.MaxIterations > leastBudget && parts > most {
		return max(int64(most*(most/parts)), leastBudget)
	}
	return o.MaxIterations
}

func (o *Options) check(ma, mb *Motion, mesh bool) error {
	switch {
	case !(math.Abs(o.TMin) <= MaxMagnitude):
		return fmt.Errorf("options.t_min is %v: %w", o.TMin, poses.ErrMagnitude)
	case !(math.Abs(o.TMax) <= MaxMagnitude):
		return fmt.Errorf("options.t_max is %v: %w", o.TMax, poses.ErrMagnitude)
	case o.TMax < o.TMin:
		return status.Errorf(status.ErrArgument, "options.t_max is %v: must be at least t_min, %v", o.TMax, o.TMin)
	case !(o.MinSeparation >= 0 && o.MinSeparation <= MaxMagnitude):
		return status.Errorf(status.ErrArgument, "options.min_separation is %v: must be in [0, %v]",
			o.MinSeparation, MaxMagnitude)
	case !(o.Tolerance >= 0 && o.Tolerance <= MaxMagnitude):
		return status.Errorf(status.ErrArgument, "options.tolerance is %v: must be in (0, %v], or 0 for the default",
			o.Tolerance, MaxMagnitude)
	case o.Flags&^IgnoreSeparating != 0:
		return status.Errorf(status.ErrArgument, "options.flags is %#x: unknown bits %#x",
			o.Flags, o.Flags&^IgnoreSeparating)
	case o.MaxIterations < 0:
		return status.Errorf(status.ErrArgument, "options.max_iterations is %v: must not be negative", o.MaxIterations)
	}
	if o.Search != nil {
		if err := o.Search.Check(o, mesh); err != nil {
			return err
		}
	}
	if err := ma.Check(o.TMin, o.TMax); err != nil {
		return fmt.Errorf("ma: %w", err)
	}
	if err := mb.Check(o.TMin, o.TMax); err != nil {
		return fmt.Errorf("mb: %w", err)
	}
	return nil
}

// errGrown: a Search looks for contact of the triangles.
var errGrown = status.Errorf(status.ErrUnsupported,
	"options.method: it does not support bodies that have a radius or padding; only the default method does")

// Flags of an Impact, in the words of geom.
const (
	InitialContact = geom.InitialContact
	Intersecting   = geom.InitialContact << 1 // triangles intersect at TMin
	Approximate    = geom.InitialContact << 2 // spheres met; the surfaces may be far apart, or never meet
)

// Impact is the result of a query; see Solver.Earliest. Its layout is that of ccd_rigid_impact: 136
// bytes, no hidden padding.
type Impact struct {
	Verdict            geom.Verdict
	Flags              uint32
	TOILo, TOIHi       float64 // +Inf when separate
	IndexA, IndexB     int64   // the two triangles; -1 when there are none
	FeatureA, FeatureB Feature // their nearest features
	PointA, PointB     r3.Vec  // the nearest points at TOIHi, in the world
	Normal             r3.Vec  // unit, from B to A; zero where the points coincide
	Distance           float64 // the distance between PointA and PointB
	Iterations         int64   // work done
}

func (im *Impact) setSeparate() {
	*im = Impact{Verdict: geom.Separate, TOILo: math.Inf(1), TOIHi: math.Inf(1), IndexA: -1, IndexB: -1}
}

// A Feature is a part of a triangle: 0 to 2 its corners, 3 to 5 the edges that begin at them, Face
// its inside.
type Feature = triangle.Feature

// Face is the feature that is neither a corner nor an edge.
const Face = triangle.Face

// A Motion moves a body at constant rates: see package poses.
type Motion = poses.Motion

// MaxMagnitude bounds lengths, velocities, rates and times.
const MaxMagnitude = poses.MaxMagnitude

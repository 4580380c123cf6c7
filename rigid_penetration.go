package ccd

import (
	"sync"

	"ccd/core/penetration"
	"ccd/core/rigid"
)

// PenetrationFlags says what a RigidPenetration is.
type PenetrationFlags uint32

// The flags of a RigidPenetration.
const (
	// PenetrationOverlapping: the insides of the bodies surely share a point, Lo > 0.
	PenetrationOverlapping = PenetrationFlags(penetration.Overlapping)
	// PenetrationUpperBound: a body is not convex, Lo = 0, and Hi is the shortest way out that was
	// found.
	PenetrationUpperBound = PenetrationFlags(penetration.UpperBound)
	PenetrationUnfinished = PenetrationFlags(penetration.Unfinished) // MaxIterations ended the search
)

// RigidPenetration is the least translation that separates two bodies: a bracket of its length, the
// depth, and one of the length Hi. Where bodies touch or are apart all numbers are 0.
type RigidPenetration struct {
	Flags          PenetrationFlags
	Lo, Hi         float64    // the depth is in [Lo, Hi]
	Translation    [3]float64 // moved by it, A shares no point with B
	Normal         [3]float64 // unit, from B to A: the direction of Translation
	PointA, PointB [3]float64 // the deepest points, in the world: PointA + Translation is about PointB
	Epsilon        float64    // how far these are from points of the bodies that have that difference
	Iterations     int        // steps of the search that answered, the unit of Options.MaxIterations
}

func penetrationOf(d *penetration.Depth) RigidPenetration {
	return RigidPenetration{
		Flags: PenetrationFlags(d.Flags), Lo: d.Lo, Hi: d.Hi, Translation: array(d.Translation),
		Normal: array(d.Normal), PointA: array(d.PointA), PointB: array(d.PointB), Epsilon: d.Epsilon,
		Iterations: int(d.Iterations),
	}
}

// penetrations is a pool, so that later calls reuse the memory.
var penetrations = sync.Pool{New: func() any { return new(penetration.Solver) }}

// RigidPenetrationDepth returns how deep two bodies at exact poses overlap: the least length of a
// translation of A after which their insides share no point. A body is what its triangles enclose,
// with its radius. Of the options it uses Tolerance (0: as narrow as doubles tell) and
// MaxIterations.
//
// Of convex bodies, which are shapes, padded or not, and surfaces that are the convex hull of their
// corners, the depth is bracketed. Of others Lo is 0, and Hi the shortest way out along some
// directions, which is proven. Translation is proven in real arithmetic: a position to which it is
// added rounds.
func RigidPenetrationDepth(a *RigidBody, pa RigidPose, b *RigidBody, pb RigidPose, o *Options,
) (RigidPenetration, error) {
	return onRigidBodies(&distanceCalls, a, b, o, func(a, b *rigid.Body, set *settings) (RigidPenetration, error) {
		x, y := poseOf(pa), poseOf(pb)
		solver := penetrations.Get().(*penetration.Solver)
		var d penetration.Depth
		err := solver.Depth(a, &x, b, &y, set.distance(), &d)
		penetrations.Put(solver) // a panic skips this: its state may be inconsistent
		return penetrationOf(&d), err
	})
}

// RigidPenetrationGradient is a depth with its derivatives by the poses. If A moves with the
// velocity v and turns about its origin with the angular velocity w, in the axes of the world, the
// depth changes at the rate PositionA.v + RotationA.w; and so for B.
type RigidPenetrationGradient struct {
	RigidPenetration
	PositionA, RotationA [3]float64 // minus the normal; and a length per radian
	PositionB, RotationB [3]float64
	State                GradientState
}

// RigidPenetrationDepthGradient returns how deep two bodies at exact poses overlap, with the
// derivatives by these.
//
// State is GradientDefined where the depth has derivatives: each by a position is within 1e-12,
// each by a turn within 1e-12 of the sum of the radii about the origins. GradientTie: several
// directions are equally short, faces are parallel, or the bodies touch; NaN. GradientNoImpact:
// they are apart; 0. GradientUndetermined: a body is not convex, or an option ended the search;
// NaN.
func RigidPenetrationDepthGradient(a *RigidBody, pa RigidPose, b *RigidBody, pb RigidPose, o *Options,
) (RigidPenetrationGradient, error) {
	return onRigidBodies(&distanceCalls, a, b, o,
		func(a, b *rigid.Body, set *settings) (RigidPenetrationGradient, error) {
			x, y := poseOf(pa), poseOf(pb)
			solver := penetrations.Get().(*penetration.Solver)
			var g penetration.Gradient
			err := solver.Gradient(a, &x, b, &y, set.distance(), &g)
			penetrations.Put(solver) // a panic skips this: its state may be inconsistent
			return RigidPenetrationGradient{
				RigidPenetration: penetrationOf(&g.Depth), PositionA: array(g.PositionA),
				RotationA: array(g.RotationA), PositionB: array(g.PositionB), RotationB: array(g.RotationB),
				State: GradientState(g.State),
			}, err
		})
}

package ccd

import (
	"sync"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/rigid"
)

// GapFlags says what a RigidGap is.
type GapFlags uint32

// The flags of a RigidGap.
const (
	GapIntersecting = GapFlags(rigid.GapIntersecting) // the surfaces share a point: Lo = Hi = 0
	GapUnfinished   = GapFlags(rigid.GapUnfinished)   // MaxIterations ended the search: the bracket may be wide
	// GapInside, with GapIntersecting: one of the bodies is a solid shape and the other is inside
	// of it; the points are nearest points of their triangles, without radii: that of a ball is its
	// center.
	GapInside = GapFlags(rigid.GapInside)
)

// RigidGap is the distance of two bodies, as a bracket. It is never negative. A body of
// NewRigidBody is its surface: a body inside of it that does not reach its surface has the distance
// of the surfaces. A shape is solid: what is inside of it has the distance 0.
type RigidGap struct {
	Flags              GapFlags
	Lo, Hi             float64 // the distance is in [Lo, Hi]
	IndexA, IndexB     int     // the faces of the points
	FeatureA, FeatureB Feature
	PointA, PointB     [3]float64 // about nearest points, in the world
	Normal             [3]float64 // unit, from B to A; zeros where none is known
	Epsilon            float64    // how far each point may be from its face
	Time               float64    // the time of the points, of RigidClearance; else 0
	Iterations         int        // work done, in the unit of Options.MaxIterations
}

func gapOf(g *rigid.Gap) RigidGap {
	return RigidGap{
		Flags: GapFlags(g.Flags), Lo: g.Lo, Hi: g.Hi, IndexA: int(g.IndexA), IndexB: int(g.IndexB),
		FeatureA: Feature(g.FeatureA), FeatureB: Feature(g.FeatureB), PointA: array(g.PointA),
		PointB: array(g.PointB), Normal: array(g.Normal), Epsilon: g.Epsilon, Time: g.Time,
		Iterations: int(g.Iterations),
	}
}

// rulers and clearances are pools, so that later calls reuse the memory.
var (
	rulers     = sync.Pool{New: func() any { return new(rigid.Ruler) }}
	clearances = sync.Pool{New: func() any { return new(rigid.ClearanceSolver) }}
)

// onRigidBodies runs a call on two bodies.
func onRigidBodies[T any](d *domain, a, b *RigidBody, o *Options,
	call func(a, b *rigid.Body, set *settings) (T, error)) (T, error) {
	return with(d, o, func(set *settings) (out T, err error) {
		ba, err := a.get("a")
		if err != nil {
			return out, err
		}
		bb, err := b.get("b")
		if err != nil {
			return out, err
		}
		return call(ba, bb, set)
	})
}

// distance returns the options of a distance.
func (s *settings) distance() rigid.DistanceOptions {
	return rigid.DistanceOptions{Tolerance: s.rigid.Tolerance, MaxIterations: s.rigid.MaxIterations}
}

// RigidDistance returns the distance of the surfaces of two bodies at exact poses. Of the options
// it uses Tolerance, the width that the bracket may have (0: as narrow as doubles tell), and
// MaxIterations. Both ends of the bracket are 0 if and only if the surfaces share a point, which is
// exact.
func RigidDistance(a *RigidBody, pa RigidPose, b *RigidBody, pb RigidPose, o *Options) (RigidGap, error) {
	return onRigidBodies(&distanceCalls, a, b, o, func(a, b *rigid.Body, set *settings) (RigidGap, error) {
		x, y := poseOf(pa), poseOf(pb)
		ruler := rulers.Get().(*rigid.Ruler)
		var g rigid.Gap
		err := ruler.Distance(a, &x, b, &y, set.distance(), &g)
		rulers.Put(ruler) // a panic skips this: its state may be inconsistent
		return gapOf(&g), err
	})
}

// RigidGapGradient is a distance with its derivatives by the poses. If A moves with the velocity v
// and turns about its origin with the angular velocity w, in the axes of the world, the distance
// changes at the rate PositionA.v + RotationA.w; and so for B.
//
// Size: its fields are those of a RigidGap, and four derivatives.
type RigidGapGradient struct {
	RigidGap
	PositionA, RotationA [3]float64 // the unit normal, from B to A; and a length per radian
	PositionB, RotationB [3]float64
	State                GradientState
}

func gapGradientOf(g *rigid.GapGradient) RigidGapGradient {
	return RigidGapGradient{RigidGap: gapOf(&g.Gap), PositionA: array(g.PositionA), RotationA: array(g.RotationA),
		PositionB: array(g.PositionB), RotationB: array(g.RotationB), State: GradientState(g.State)}
}

// RigidDistanceGradient returns the distance of the surfaces of two bodies at exact poses, with its
// derivatives by these. The options are those of RigidDistance.
//
// State is GradientDefined where all nearest points give the same derivatives, as far as 100 bits
// tell: each by a position is within 1e-12, each by a turn within 1e-12 of the sum of the radii
// about the origins. GradientTie: several points are nearest and give other derivatives, as those
// of parallel faces do; NaN. GradientInitial: the surfaces share a point; 0. GradientUndetermined:
// MaxIterations ended the search, or numbers are beyond the range of doubles; NaN. Of bodies with
// deviations they are the derivatives of the distance of the facets.
func RigidDistanceGradient(a *RigidBody, pa RigidPose, b *RigidBody, pb RigidPose,
	o *Options) (RigidGapGradient, error) {
	return onRigidBodies(&distanceCalls, a, b, o, func(a, b *rigid.Body, set *settings) (RigidGapGradient, error) {
		x, y := poseOf(pa), poseOf(pb)
		ruler := rulers.Get().(*rigid.Ruler)
		var g rigid.GapGradient
		err := ruler.DistanceGradient(a, &x, b, &y, set.distance(), &g)
		rulers.Put(ruler) // a panic skips this: its state may be inconsistent
		return gapGradientOf(&g), err
	})
}

// RigidIntersects reports whether the surfaces of two bodies share a point at exact poses, and
// stops at the first. The result is exact. A body inside another one that does not reach its
// surface does not intersect it.
func RigidIntersects(a *RigidBody, pa RigidPose, b *RigidBody, pb RigidPose) (bool, error) {
	return onRigidBodies(&distanceCalls, a, b, nil, func(a, b *rigid.Body, _ *settings) (bool, error) {
		x, y := poseOf(pa), poseOf(pb)
		ruler := rulers.Get().(*rigid.Ruler)
		meets, err := ruler.Intersects(a, &x, b, &y)
		rulers.Put(ruler)
		return meets, err
	})
}

// RigidClearance returns the least distance of the surfaces of two bodies that move, over the
// interval from Options.TMin to TMax. It also uses Tolerance, the width that the bracket may have
// (0: 1e-9 of the sum of both radii about the pivots), MaxIterations, for the whole call, and
// Progress, which may cancel it. The distance is at least Lo at all times, which is a proof, and at
// most Hi at Time.
func RigidClearance(a *RigidBody, ma RigidMotion, b *RigidBody, mb RigidMotion, o *Options) (RigidGap, error) {
	return onRigidBodies(&clearanceCalls, a, b, o, func(a, b *rigid.Body, set *settings) (RigidGap, error) {
		x, y := ma.core(), mb.core()
		solver := clearances.Get().(*rigid.ClearanceSolver)
		solver.CallOptions = set.call
		var g rigid.Gap
		err := solver.Clearance(a, b, &x, &y, &set.rigid, &g)
		solver.CallOptions = engine.CallOptions{}
		clearances.Put(solver)
		return gapOf(&g), err
	})
}

// RigidProfile returns the distances of two bodies that move at each of some times, for a plot. The
// distance at the true poses of the motions at times[i] is between Lo and Hi of the gap i, whose
// Time is that. It uses the options of RigidDistance, MaxIterations for each time, and Progress,
// which may cancel the call. Touching is decided at times at which both poses are doubles; at
// others bodies that touch may have Lo = 0 < Hi.
func RigidProfile(a *RigidBody, ma RigidMotion, b *RigidBody, mb RigidMotion, times []float64,
	o *Options) ([]RigidGap, error) {
	return onRigidBodies(&distanceCalls, a, b, o, func(a, b *rigid.Body, set *settings) ([]RigidGap, error) {
		x, y := ma.core(), mb.core()
		solver, found := clearances.Get().(*rigid.ClearanceSolver), make([]rigid.Gap, len(times))
		solver.CallOptions = set.call
		if err := solver.Profile(a, b, &x, &y, times, set.distance(), found); err != nil {
			return nil, err
		}
		solver.CallOptions = engine.CallOptions{}
		clearances.Put(solver) // an error or a panic skips this
		return converted(found, gapOf), nil
	})
}

// RigidSceneGap is the distance of the bodies A < B of a scene.
type RigidSceneGap struct {
	A, B int
	RigidGap
}

// Within returns the distances of all pairs of bodies, at poses instead of the motions, that may be
// at most a distance apart, sorted by (A, B). Pairs that are not listed are farther apart. It uses
// the options of RigidDistance, and Threads, MemoryLimit, Progress and Stats.
func (s *RigidScene) Within(poses []RigidPose, distance float64, o *Options) ([]RigidSceneGap, error) {
	return with(&distanceCalls, o, func(set *settings) (out []RigidSceneGap, err error) {
		if err := s.withoutSeparations(); err != nil {
			return nil, err
		}
		bodies, _, err := s.moving()
		if err != nil {
			return nil, err
		}
		c := rigidScenes.Get().(*rigid.Scene)
		c.Bodies, c.Groups, c.Skip, c.CallOptions = bodies, s.Groups, s.Skip, set.call
		found, err := c.Within(converted(poses, func(p *RigidPose) geom.Pose {
			return poseOf(*p)
		}), distance, set.distance())
		c.Release()
		rigidScenes.Put(c)
		return converted(found, func(g *rigid.SceneGap) RigidSceneGap {
			return RigidSceneGap{int(g.A), int(g.B), gapOf(&g.Gap)}
		}), err
	})
}

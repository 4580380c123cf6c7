package ccd

import (
	"fmt"
	"sync"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/penetration"
	"ccd/core/rigid"
)

// ManifoldFlags says how the bodies of a RigidManifold overlap.
type ManifoldFlags uint32

// The flags of a RigidManifold.
const (
	// ManifoldCrossing: surfaces pass through each other by more than rounding.
	ManifoldCrossing = ManifoldFlags(rigid.ManifoldCrossing)
	// ManifoldInside: one of the bodies is solid, and a corner of the other one is inside of it.
	ManifoldInside = ManifoldFlags(rigid.ManifoldInside)
	// ManifoldDeep: the points are those at the end of the way out, with gaps as the bodies are
	// now.
	ManifoldDeep = ManifoldFlags(rigid.ManifoldDeep)
)

// RigidManifoldPoint is a point of contact of two bodies.
type RigidManifoldPoint struct {
	GapLo, GapHi       float64 // the gap along the normal is in [GapLo, GapHi]; below 0 it is an overlap
	IndexA, IndexB     int     // triangles that have the features
	FeatureA, FeatureB Feature
	PointA, PointB     [3]float64 // where the point is on both bodies, in the world
	Normal             [3]float64 // unit, from B to A
	Epsilon            float64    // how far each point may be from its body
	Group              int        // points of one group have one normal, up to an angle of 2^-10
}

// RigidManifold is the contact of two bodies at poses.
type RigidManifold struct {
	Points []RigidManifoldPoint // Their order does not depend on triangles.
	Flags  ManifoldFlags
}

// ManifoldHow says what a RigidManifold lists. Values are added.
type ManifoldHow uint32

// What a RigidManifold lists.
const (
	ManifoldReduce ManifoldHow = 1 << iota // At most four points of each group are listed.
	// ManifoldLeadOut lists, if the way out of the other body is longer than the tolerance, the
	// points at its end (RigidPenetrationDepth), on the bodies as they are now.
	ManifoldLeadOut
)

// RigidManifoldAt returns where two bodies touch at exact poses, within a tolerance: corners over
// faces, and edges across edges, of features that do not depend on how faces are cut into
// triangles. Overlaps deeper than the tolerance have a flag, and no points without
// ManifoldLeadOut. It uses no options.
func RigidManifoldAt(a *RigidBody, pa RigidPose, b *RigidBody, pb RigidPose, tolerance float64, how ManifoldHow,
	o *Options) (RigidManifold, error) {
	return onRigidBodies(&manifoldCalls, a, b, o, func(a, b *rigid.Body, _ *settings) (RigidManifold, error) {
		x, y := poseOf(pa), poseOf(pb)
		options := rigid.ManifoldOptions{Tolerance: tolerance, Reduce: how&ManifoldReduce != 0}
		m, err := manifoldOf(a, &x, b, &y, options, how&ManifoldLeadOut != 0)
		return RigidManifold{Flags: ManifoldFlags(m.Flags),
			Points: converted(m.Points, func(p *rigid.ManifoldPoint) RigidManifoldPoint {
				return RigidManifoldPoint{
					GapLo: p.GapLo, GapHi: p.GapHi, IndexA: int(p.IndexA), IndexB: int(p.IndexB),
					FeatureA: Feature(p.FeatureA), FeatureB: Feature(p.FeatureB), PointA: array(p.PointA),
					PointB: array(p.PointB), Normal: array(p.Normal), Epsilon: p.Epsilon, Group: int(p.Group),
				}
			})}, err
	})
}

// manifoldOf lists the points at poses, or at the end of a way out.
func manifoldOf(a *rigid.Body, pa *geom.Pose, b *rigid.Body, pb *geom.Pose, o rigid.ManifoldOptions, leadOut bool,
) (m rigid.Manifold, err error) {
	if leadOut {
		solver := penetrations.Get().(*penetration.Solver)
		m, err = solver.Manifold(a, pa, b, pb, o)
		penetrations.Put(solver) // A panic skips this: its state may be inconsistent.
		return m, err
	}
	ruler := rulers.Get().(*rigid.Ruler)
	m, err = ruler.Manifold(a, pa, b, pb, o)
	rulers.Put(ruler)
	return m, err
}

// SlideEvent says how a contact ends.
type SlideEvent int32

// The events.
const (
	SlideUndecided  = SlideEvent(rigid.SlideUndecided)  // MaxIterations was reached, or doubles are too coarse
	SlideStays      = SlideEvent(rigid.SlideStays)      // the bodies stay in contact
	SlidePenetrates = SlideEvent(rigid.SlidePenetrates) // they come deeper into each other than the tolerance
	SlideParts      = SlideEvent(rigid.SlideParts)      // they come farther apart than the tolerance
)

// SlideFlags says more of a Slide.
type SlideFlags uint32

// The flags of a Slide.
const (
	SlideInitial = SlideFlags(rigid.SlideInitial) // the bodies are not in contact at TMin
	// SlideGrazing: from TLo on the signed distance may exceed the tolerance, by at most a 32nd of
	// it, before the event.
	SlideGrazing = SlideFlags(rigid.SlideGrazing)
)

// Slide is how long two bodies stay in contact.
type Slide struct {
	Event      SlideEvent
	Flags      SlideFlags
	TLo, THi   float64    // the first time at which the contact ends is in [TLo, THi]; +Inf where none is known
	Lo, Hi     float64    // the signed distance at THi, or at the end of what is proven
	Normal     [3]float64 // unit, from B to A; zeros where none is known
	Iterations int        // work done, in the unit of Options.MaxIterations
	Parts      [2]int     // The parts that Lo, Hi and Normal are of, in RigidSlideParts.
}

// slides is a pool, so that later calls reuse the memory.
var slides = sync.Pool{New: func() any { return new(rigid.SlideSolver) }}

// RigidSlide returns the first time at which two convex bodies that are in contact at TMin
// penetrate each other by more than a tolerance, or are farther apart than it. Before TLo neither
// is so, which is a proof. It uses TMin, TMax, MaxIterations and Progress, which may cancel it.
// Bodies that are not convex are an error: RigidSlideParts takes their convex parts.
func RigidSlide(a *RigidBody, ma RigidMotion, b *RigidBody, mb RigidMotion, tolerance float64,
	o *Options) (Slide, error) {
	return onRigidBodies(&slideCalls, a, b, o, func(a, b *rigid.Body, set *settings) (Slide, error) {
		return slideOf((*rigid.SlideSolver).Slide, []*rigid.Body{a}, ma, []*rigid.Body{b}, mb, tolerance, set)
	})
}

// RigidSlideParts is RigidSlide for bodies that are given by convex parts, which share the motion
// of their body. The signed distance is the least one of a part of a and a part of b.
func RigidSlideParts(a []*RigidBody, ma RigidMotion, b []*RigidBody, mb RigidMotion, tolerance float64,
	o *Options) (Slide, error) {
	return slideOfParts((*rigid.SlideSolver).Slide, a, ma, b, mb, tolerance, o)
}

// RigidFirstDepth returns the first time at which two bodies that are given by convex parts, a
// convex body as one, overlap more deeply than a limit: the Event is SlidePenetrates, or SlideStays
// if they never do. Before TLo no two parts are that deep, which is a proof. Options are as in
// RigidSlide.
func RigidFirstDepth(a []*RigidBody, ma RigidMotion, b []*RigidBody, mb RigidMotion, limit float64,
	o *Options) (Slide, error) {
	return slideOfParts((*rigid.SlideSolver).FirstDepth, a, ma, b, mb, limit, o)
}

// slideSearch is a search of the solver.
type slideSearch = func(s *rigid.SlideSolver, a, b []*rigid.Body, ma, mb *rigid.Motion, tolerance float64,
	o *rigid.Options, out *rigid.Slide) error

func slideOfParts(search slideSearch, a []*RigidBody, ma RigidMotion, b []*RigidBody, mb RigidMotion,
	tolerance float64, o *Options) (Slide, error) {
	return with(&slideCalls, o, func(set *settings) (Slide, error) {
		var parts [2][]*rigid.Body
		for side, list := range [2][]*RigidBody{a, b} {
			for i, body := range list {
				p, err := body.get(fmt.Sprintf("%c[%d]", "ab"[side], i))
				if err != nil {
					return Slide{}, err
				}
				parts[side] = append(parts[side], p)
			}
		}
		return slideOf(search, parts[0], ma, parts[1], mb, tolerance, set)
	})
}

func slideOf(search slideSearch, a []*rigid.Body, ma RigidMotion, b []*rigid.Body, mb RigidMotion, tolerance float64,
	set *settings) (Slide, error) {
	x, y := ma.core(), mb.core()
	solver := slides.Get().(*rigid.SlideSolver)
	solver.CallOptions = set.call
	var s rigid.Slide
	err := search(solver, a, b, &x, &y, tolerance, &set.rigid, &s)
	solver.CallOptions = engine.CallOptions{}
	slides.Put(solver)
	return Slide{Event: SlideEvent(s.Event), Flags: SlideFlags(s.Flags), TLo: s.TLo, THi: s.THi, Lo: s.Lo, Hi: s.Hi,
		Normal: array(s.Normal), Iterations: int(s.Iterations), Parts: [2]int{int(s.PartA), int(s.PartB)}}, err
}

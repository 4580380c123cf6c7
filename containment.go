package ccd

import (
	"ccd/core/mesh"
	"ccd/core/proximity"
	"ccd/core/rigid"
	"ccd/core/status"
)

// What winding numbers are where there is none.
const (
	OnSurface      = proximity.OnSurface      // the point is on the surface
	WindingUnknown = proximity.UnknownWinding // a body turns, and at t != 0 rounding may put the point on either side
)

// Containment says how two solids A and B lie to each other. The solid of a closed surface is the
// surface and all points around which its winding number is not 0.
type Containment int32

// The containments.
const (
	// ContainmentUndecided: the bodies are nearer to touching than rounding of the poses of turning
	// bodies at t != 0; never at t = 0.
	ContainmentUndecided Containment = Containment(rigid.NotDecided)
	Outside              Containment = Containment(rigid.Outside)  // no common point
	Inside               Containment = Containment(rigid.Inside)   // A is inside B, and the surfaces do not meet
	Contains             Containment = Containment(rigid.Contains) // B is inside A, and the surfaces do not meet
	// Overlapping: the surfaces do not meet; a connected component of one is inside the other, but
	// not all of it.
	Overlapping Containment = Containment(rigid.Overlapping)
	Crossing    Containment = Containment(rigid.Crossing) // the surfaces touch or pass through each other
)

// String returns the name in lower case.
func (c Containment) String() string {
	names := [...]string{"undecided", "outside", "inside", "contains", "overlapping", "crossing"}
	if c < 0 || int(c) >= len(names) {
		return "unknown"
	}
	return names[c]
}

// NestedPair is a connected component of a mesh that is inside another one. Components are named by
// their least faces.
type NestedPair struct {
	Inner, Outer int
	Winding      int // the winding number of the outer one around the inner one: 1, or -1 where it is inverted
}

// Winding returns the winding numbers of the faces of a mesh, where its vertices are at x, around
// points, three coordinates each: how often they enclose each, or OnSurface. They are exact. Faces
// that are not closed are an ErrArgument that names a face and its edge: each edge must be passed
// as often in one direction as in the other, where vertices at equal positions are one.
func Winding(m *Mesh, x, points []float64, o *Options) ([]int32, error) {
	return onRest(m, o, func(m *mesh.Mesh, o *proximity.Options) ([]int32, error) {
		if len(points)%3 != 0 {
			return nil, status.Errorf(ErrArgument, "points has %d coordinates: must be a multiple of 3", len(points))
		}
		out := make([]int32, len(points)/3)
		if err := proximity.Winding(m, x, points, out, o); err != nil {
			return nil, err
		}
		return out, nil
	})
}

// Nested returns all pairs of connected components of a mesh of which one is inside the other and
// shares no point with it, sorted by (Inner, Outer). The outer one is closed.
func Nested(m *Mesh, x []float64, o *Options) ([]NestedPair, error) {
	return onRest(m, o, func(m *mesh.Mesh, o *proximity.Options) ([]NestedPair, error) {
		list, err := proximity.NestedComponents(m, x, o)
		return converted(list, func(p *proximity.Nested) NestedPair {
			return NestedPair{int(p.Inner), int(p.Outer), int(p.Winding)}
		}), err
	})
}

// RigidWinding returns the winding numbers of a closed body, where its motion puts it at the time
// t, around points in the world. They are exact if t = 0 or the body does not turn; else a point
// nearer to the surface than rounding is WindingUnknown. The body keeps the tree of its first call.
func RigidWinding(b *RigidBody, m RigidMotion, t float64, points []float64, o *Options) ([]int32, error) {
	return with(&enclosureCalls, o, func(set *settings) ([]int32, error) {
		c, err := b.get("body")
		if err != nil {
			return nil, err
		}
		if len(points)%3 != 0 {
			return nil, status.Errorf(ErrArgument, "points has %d coordinates: must be a multiple of 3", len(points))
		}
		x, out := m.core(), make([]int32, len(points)/3)
		if err := rigid.Winding(c, &x, t, points, out, &set.call); err != nil {
			return nil, err
		}
		return out, nil
	})
}

// RigidContainment returns how two closed bodies that move by ma and mb lie to each other at the
// time t, with the exactness of RigidWinding. Where RigidEarliest says Separate, they lie so for
// all t in [TMin, TMax].
func RigidContainment(a *RigidBody, ma RigidMotion, b *RigidBody, mb RigidMotion, t float64, o *Options,
) (Containment, error) {
	return with(&enclosureCalls, o, func(set *settings) (Containment, error) {
		ca, err := a.get("a")
		if err != nil {
			return 0, err
		}
		cb, err := b.get("b")
		if err != nil {
			return 0, err
		}
		out := make([]rigid.Relation, 1)
		err = rigid.Containment(ca, cb, []rigid.Motion{ma.core()}, []rigid.Motion{mb.core()}, t, out, &set.call)
		return Containment(out[0]), err
	})
}

package ccd

import (
	"ccd/core/mesh"
	"ccd/core/overlap"
	"ccd/core/proximity"
	"ccd/core/rigid"
	"ccd/core/status"
)

// Shells is what becomes of surfaces with winding numbers other than 0 and 1: those with parts that
// overlap, or are wound inwards.
type Shells int32

// The rules.
const (
	RefuseShells = Shells(overlap.Refuse) // an ErrArgument, if such parts are in the common box of both surfaces
	CountShells  = Shells(overlap.Count)  // A point counts as often as the product of its winding numbers says.
)

// Overlap is the volume that two solids have in common, and their own volumes, as brackets.
type Overlap struct {
	Lo, Hi      float64 // the common volume is in [Lo, Hi]
	A, B        [2]float64
	Containment Containment // how A lies to B
	Unfinished  bool        // the bracket is wider than the tolerance
}

func overlapOf(r *overlap.Common) Overlap {
	return Overlap{
		Lo: r.Volume.Lo, Hi: r.Volume.Hi, A: [2]float64{r.A.Lo, r.A.Hi}, B: [2]float64{r.B.Lo, r.B.Hi},
		Containment: Containment(r.Containment), Unfinished: r.Flags&overlap.Unfinished != 0,
	}
}

// Depth says where a point lies to a closed surface.
type Depth struct {
	Lo, Hi  float64    // the distance from the surface is in [Lo, Hi]; both are 0 on it
	Point   [3]float64 // a point within rounding of a nearest point of the surface
	Normal  [3]float64 // the unit vector from there to the point, where State is GradientDefined
	U, V    float64    // Point is (1 - U - V) c0 + U c1 + V c2, with the corners of the face
	Face    int
	Winding int32 // The winding number, as of Winding; the point is inside where it is neither 0 nor OnSurface.
	// State is GradientDefined where one point is nearest: then Normal is the derivative of the
	// distance by the point, and -w Normal that by a corner of the face with the weight w.
	State GradientState
}

func depthOf(d *overlap.Depth) Depth {
	return Depth{
		Lo: d.Lo, Hi: d.Hi, Point: d.At, Normal: d.Normal, U: d.U, V: d.V, Face: int(d.Face), Winding: d.Winding,
		State: GradientState(d.State),
	}
}

// SolidVolume returns a bracket of the volume that the faces of a mesh enclose, where its vertices
// are at x: the integral of their winding number, negative where they are wound inwards. They must
// be closed, as for Winding.
func SolidVolume(m *Mesh, x []float64, o *Options) (lo, hi float64, err error) {
	v, err := onMesh(&depthCalls, m, o, func(m *mesh.Mesh, s *settings) (overlap.Bracket, error) {
		return proximity.Volume(m, x, &proximity.Options{CallOptions: s.call})
	})
	return v.Lo, v.Hi, err
}

// OverlapVolume returns the volume that the solids of two meshes have in common, where their
// vertices are at xa and xb. Options.Tolerance is the relative width of the bracket, 1e-6 where it
// is 0.
func OverlapVolume(ma *Mesh, xa []float64, mb *Mesh, xb []float64, shells Shells, o *Options) (Overlap, error) {
	return onMesh(&overlapCalls, ma, o, func(a *mesh.Mesh, s *settings) (out Overlap, err error) {
		b, err := mb.get()
		if err != nil {
			return out, err
		}
		r, err := proximity.Overlap(a, xa, b, xb, s.overlap(shells), &proximity.Options{CallOptions: s.call})
		if err != nil {
			return out, err
		}
		return overlapOf(&r), nil
	})
}

// overlap returns the options of a common volume.
func (s *settings) overlap(shells Shells) *overlap.Options {
	return &overlap.Options{Tolerance: s.rigid.Tolerance, Shells: overlap.Shells(shells)}
}

// Depths returns where points, three coordinates each, lie to the faces of a mesh: how deep in
// their solid, and by which way out, -Normal. Whether a point is inside, and whether the distance
// is 0, is exact.
func Depths(m *Mesh, x, points []float64, o *Options) ([]Depth, error) {
	return onMesh(&depthCalls, m, o, func(m *mesh.Mesh, s *settings) ([]Depth, error) {
		if len(points)%3 != 0 {
			return nil, status.Errorf(ErrArgument, "points has %d coordinates: must be a multiple of 3", len(points))
		}
		out := make([]overlap.Depth, len(points)/3)
		err := proximity.Depths(m, x, points, out, &proximity.Options{CallOptions: s.call})
		return converted(out, depthOf), err
	})
}

// RigidOverlap returns the volume that two closed bodies have in common at the time t of their
// motions: exactly where the motions put them if t = 0 or they do not turn, else the bracket holds
// all places within rounding.
func RigidOverlap(a *RigidBody, ma RigidMotion, b *RigidBody, mb RigidMotion, t float64, shells Shells, o *Options,
) (Overlap, error) {
	return onRigidBodies(&overlapCalls, a, b, o, func(a, b *rigid.Body, s *settings) (out Overlap, err error) {
		r := make([]overlap.Common, 1)
		x, y := []rigid.Motion{ma.core()}, []rigid.Motion{mb.core()}
		err = rigid.Overlaps(a, b, x, y, t, s.overlap(shells), r, &s.call)
		if err != nil {
			return out, err
		}
		return overlapOf(&r[0]), nil
	})
}

// RigidDepths returns where points in the world lie to a closed body at the time t of its motion.
func RigidDepths(b *RigidBody, m RigidMotion, t float64, points []float64, o *Options) ([]Depth, error) {
	return with(&depthCalls, o, func(s *settings) ([]Depth, error) {
		c, err := b.get("body")
		if err != nil {
			return nil, err
		}
		if len(points)%3 != 0 {
			return nil, status.Errorf(ErrArgument, "points has %d coordinates: must be a multiple of 3", len(points))
		}
		x, out := m.core(), make([]overlap.Depth, len(points)/3)
		err = rigid.Depths(c, &x, t, points, out, &s.call)
		return converted(out, depthOf), err
	})
}

package ccd

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/rigid"
	"ccd/core/rigid/poses"
	"ccd/core/status"
)

// RigidBody is a rigid body with a tree over its triangles. NewRigidBody makes it of a surface, and
// NewRigidBox and others of a shape; it does not change, and goroutines may share it. A body of
// NewRigidBody is its surface: one inside another is not in contact with it. Shapes are solid.
type RigidBody struct {
	core *rigid.Body
}

// NewRigidBody checks a surface and builds its tree. vertices has 3 coordinates for each vertex, at
// most 1e60 in magnitude, in coordinates of the body; faces has three vertices for each face, and
// at least one face. Unlike in a Mesh, a face may repeat a vertex: it then stands for an edge or a
// point. The slices are copied.
//
// Errors are ErrArgument, ErrIndex and ErrNonFinite.
func NewRigidBody(vertices []float64, faces []int32) (b *RigidBody, err error) {
	defer entered(&err)
	if len(faces)%3 != 0 {
		return nil, status.Errorf(ErrArgument, "faces has %d indices, not a multiple of 3", len(faces))
	}
	triples := make([][3]int32, len(faces)/3)
	for i := range triples {
		triples[i] = [3]int32(faces[3*i:])
	}
	c, err := rigid.NewBody(vertices, triples, new(engine.CallOptions).Workers())
	if err != nil {
		return nil, err
	}
	return &RigidBody{c}, nil
}

// get returns the body of the core; name is that of the argument.
func (b *RigidBody) get(name string) (*rigid.Body, error) {
	if b == nil || b.core == nil {
		return nil, status.Errorf(ErrArgument, "%s is nil or zero: make it with NewRigidBody", name)
	}
	return b.core, nil
}

// RigidMotion is a motion with constant velocity and constant angular velocity. At the time t the
// body's point p is at
//
//	Position + t Velocity + exp(t [AngularVelocity]x) R(Rotation) (p - Pivot)
//
// in real arithmetic, where R(q) is the rotation of q/|q|. The zero RigidMotion is a body at rest
// where its vertices are.
type RigidMotion struct {
	Rotation        [4]float64 // the rotation at t = 0, a quaternion w, x, y, z; zeros stand for no rotation
	Position        [3]float64 // the pivot at t = 0, in the world
	Velocity        [3]float64 // the velocity of the pivot, in lengths per unit of time
	AngularVelocity [3]float64 // radians per unit of time, in the world; 0, or above 1e-60 in magnitude
	Pivot           [3]float64 // the point of the body that moves on a straight line, in coordinates of the body
}

// RigidPose places a body: its point p is at Position + R(Rotation) p. Zeros in Rotation, a
// quaternion w, x, y, z, stand for no rotation.
type RigidPose struct {
	Rotation [4]float64
	Position [3]float64
}

// RigidMotionBetween returns the motion from one pose at t = 0 to another at t = duration, above 0.
// The body's point pivot, in coordinates of the body, goes straight, and the body turns about it at
// a constant rate, the shorter way. The center of mass is a good choice. The last bits may differ
// between machines.
func RigidMotionBetween(from, to RigidPose, duration float64, pivot [3]float64) (m RigidMotion, err error) {
	defer entered(&err)
	c, err := poses.Between(poseOf(from), poseOf(to), duration, vec(pivot))
	if err != nil {
		return RigidMotion{}, err
	}
	return motionOf(&c), nil
}

// RigidMotionScrew returns the motion of a body, at a pose at t = 0, that turns with
// angularVelocity about the line through axisPoint, in the world, and slides along it with a speed.
func RigidMotionScrew(at RigidPose, axisPoint, angularVelocity [3]float64, speed float64) (m RigidMotion, err error) {
	defer entered(&err)
	for _, v := range []struct {
		name string
		x    []float64
	}{
		{"rotation", at.Rotation[:]}, {"position", at.Position[:]}, {"axis_point", axisPoint[:]},
		{"angular_velocity", angularVelocity[:]},
		{"speed", []float64{speed}},
	} {
		for i, x := range v.x {
			if !(math.Abs(x) <= rigid.MaxMagnitude) {
				return m, status.Errorf(ErrNonFinite, "%s[%d] is %v: not finite or above 1e60 in magnitude",
					v.name, i, x)
			}
		}
	}
	c := poses.Screw(poseOf(at), vec(axisPoint), vec(angularVelocity), speed)
	if err := c.Check(0, 0); err != nil { // finite numbers may make a motion that is too fast, or turns too little
		return m, err
	}
	return motionOf(&c), nil
}

// Pose returns the pose at the time t, rounded. Errors are ErrArgument and ErrNonFinite.
func (m *RigidMotion) Pose(t float64) (p RigidPose, err error) {
	defer entered(&err)
	if m == nil {
		return p, status.Errorf(ErrArgument, "motion is nil")
	}
	if !(math.Abs(t) <= rigid.MaxMagnitude) {
		return p, status.Errorf(ErrNonFinite, "t is %v: not finite or above 1e60 in magnitude", t)
	}
	c := m.core()
	if err := c.Check(t, t); err != nil {
		return p, err
	}
	at := c.At(t)
	return RigidPose{quaternion(at.Rotation), array(at.Position)}, nil
}

func vec(x [3]float64) r3.Vec { return geom.VecOf(x[:]) }

func array(v r3.Vec) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

// rotationOf returns the quaternion of four numbers, of which zeros stand for no rotation.
func rotationOf(q [4]float64) quat.Number {
	if q == ([4]float64{}) {
		q[0] = 1
	}
	return quat.Number{Real: q[0], Imag: q[1], Jmag: q[2], Kmag: q[3]}
}

func quaternion(q quat.Number) [4]float64 { return [4]float64{q.Real, q.Imag, q.Jmag, q.Kmag} }

func poseOf(p RigidPose) geom.Pose {
	return geom.Pose{Rotation: rotationOf(p.Rotation), Position: vec(p.Position)}
}

func (m *RigidMotion) core() rigid.Motion {
	return rigid.Motion{
		Rotation: rotationOf(m.Rotation), Position: vec(m.Position), Velocity: vec(m.Velocity),
		AngularVelocity: vec(m.AngularVelocity), Pivot: vec(m.Pivot),
	}
}

func motionOf(m *rigid.Motion) RigidMotion {
	return RigidMotion{
		Rotation: quaternion(m.Rotation), Position: array(m.Position), Velocity: array(m.Velocity),
		AngularVelocity: array(m.AngularVelocity), Pivot: array(m.Pivot),
	}
}

// Feature is where the point of a contact lies on a triangle: 0 to 2 are its corners, 3 to 5 the
// edges that begin at them, 6 its face. On an edge of a Mesh 0 and 1 are its ends and 3 is the
// edge.
type Feature int32

// RigidImpact is the first contact of two bodies, or the answer that there is none. Times are in
// the unit of the velocities.
//
// Separate is a proof: the distance exceeds Options.MinSeparation for all t in [TMin, TMax].
// Otherwise it does so for all t <= TOILo, so a simulation may advance to TOILo itself. Exceptions:
// contact at TMin, which InitialContact reports or Options.IgnoreSeparating ignores. With
// MinSeparation 0 an eighth of the tolerance takes its place in these two sentences.
//
// Contact: at TOIHi the distance is at most MinSeparation + Tolerance (with 0: at most Tolerance).
// Undecided: Options.MaxIterations is reached, or doubles are too coarse: Flags.Reason says which.
//
// With Intersecting triangles intersect at TMin: the points are then where an edge of one crosses
// the face of the other.
type RigidImpact struct {
	Verdict            Verdict
	Flags              Flags   // InitialContact, Intersecting
	TOILo, TOIHi       float64 // +Inf when separate; TOIHi is also +Inf when undecided
	IndexA, IndexB     int     // the two faces; -1 without contact
	FeatureA, FeatureB Feature
	PointA, PointB     [3]float64 // the nearest points at TOIHi, in the world
	Normal             [3]float64 // unit, from B to A; zeros without contact, and where the points coincide
	Distance           float64    // the distance between PointA and PointB
	Iterations         int        // work done, in the unit of Options.MaxIterations
}

func rigidImpactOf(i *rigid.Impact) RigidImpact {
	return RigidImpact{
		Verdict: Verdict(i.Verdict), Flags: Flags(i.Flags), TOILo: i.TOILo, TOIHi: i.TOIHi, IndexA: int(i.IndexA),
		IndexB:   int(i.IndexB),
		FeatureA: Feature(i.FeatureA), FeatureB: Feature(i.FeatureB), PointA: array(i.PointA), PointB: array(i.PointB),
		Normal:   array(i.Normal),
		Distance: i.Distance, Iterations: int(i.Iterations),
	}
}

// rigidSolvers is a pool, so that later calls reuse the memory.
var rigidSolvers = sync.Pool{New: func() any { return new(rigid.Solver) }}

// RigidEarliest returns the first contact of two bodies that move by ma and mb, in the interval of
// time from Options.TMin to TMax. It also uses MinSeparation, Tolerance, MaxIterations and
// IgnoreSeparating; Threads, MemoryLimit, Progress and Stats have no effect, and other options are
// ErrUnsupported. a and b may be the same body.
func RigidEarliest(a *RigidBody, ma RigidMotion, b *RigidBody, mb RigidMotion, o *Options) (im RigidImpact, err error) {
	defer entered(&err)
	ba, err := a.get("a")
	if err != nil {
		return im, err
	}
	bb, err := b.get("b")
	if err != nil {
		return im, err
	}
	s, err := o.read(&rigidCalls)
	if err != nil {
		return im, err
	}
	x, y := ma.core(), mb.core()
	solver := rigidSolvers.Get().(*rigid.Solver)
	var found rigid.Impact
	err = solver.Earliest(ba, bb, &x, &y, &s.rigid, &found)
	rigidSolvers.Put(solver) // a panic skips this: its solver may be inconsistent
	if err != nil {
		return im, err
	}
	return rigidImpactOf(&found), nil
}

// RigidScene is many bodies that move at once: body i moves by Motions[i]. One RigidBody may be
// there many times.
type RigidScene struct {
	Bodies  []*RigidBody
	Motions []RigidMotion
	// Groups is nil, or has a number for each body: two bodies of the same group are not tested
	// against each other, unless the number is negative.
	Groups []int32
	Skip   [][2]int32 // pairs of bodies that are not tested against each other
	// Separations of pairs, each listed once, take the place of Options.MinSeparation, for Earliest
	// and Collisions; other calls return ErrUnsupported.
	Separations []RigidSeparation
}

// RigidSeparation is the separation that the bodies A and B of a scene keep, a length of at least
// 0.
type RigidSeparation struct {
	A, B       int32
	Separation float64
}

// RigidSceneImpact is the first contact of the bodies A < B of a scene. Both are -1 where there is
// none.
type RigidSceneImpact struct {
	A, B int
	RigidImpact
}

func sceneImpactOf(i *rigid.SceneImpact) RigidSceneImpact {
	return RigidSceneImpact{int(i.A), int(i.B), rigidImpactOf(&i.Impact)}
}

// Earliest returns the first contact of two bodies of the scene, of equal ones the first in the
// order (TOILo, A, B). Every pair has the answer of RigidEarliest, but a pair whose boxes around
// the motions stay more than MinSeparation + Tolerance apart is Separate without a query. Threads,
// MemoryLimit, Progress and Stats have an effect.
func (s *RigidScene) Earliest(o *Options) (RigidSceneImpact, error) {
	return onRigid(s, o, func(c *rigid.Scene, o *rigid.Options) (RigidSceneImpact, error) {
		first, err := c.Earliest(o)
		return sceneImpactOf(&first), err
	})
}

// Collisions returns the impact of every pair that is not Separate, sorted by (TOILo, A, B).
func (s *RigidScene) Collisions(o *Options) ([]RigidSceneImpact, error) {
	return onRigid(s, o, func(c *rigid.Scene, o *rigid.Options) ([]RigidSceneImpact, error) {
		list, err := c.Collisions(o)
		return converted(list, sceneImpactOf), err
	})
}

// Shape is a shape of primitives.
type Shape int32

// The shapes.
const (
	FaceShape   = Shape(rigid.MeshFace)
	EdgeShape   = Shape(rigid.MeshEdge)
	VertexShape = Shape(rigid.MeshVertex)
)

// RigidMeshImpact is the first contact of a body and a primitive of a mesh: a face, an edge in no
// face, or a vertex in no edge. In the RigidImpact A is the body and B the mesh: IndexB is the
// index of a primitive of the shape. Body is -1 where there is none.
type RigidMeshImpact struct {
	Body  int
	Shape Shape
	RigidImpact
}

func meshImpactOf(i *rigid.MeshImpact) RigidMeshImpact {
	return RigidMeshImpact{int(i.Body), Shape(i.Shape), rigidImpactOf(&i.Impact)}
}

// MeshEarliest returns the first contact of a body of the scene with a mesh that deforms in the
// same time: its vertices move on straight lines from x0 at Options.TMin to x1 at TMax. It has the
// guarantees of RigidEarliest. The bodies are not tested against each other; Groups, Skip and the
// filters of the mesh have no effect. Of equal impacts it is the first in the order (TOILo, Body,
// Shape, IndexB).
func (s *RigidScene) MeshEarliest(m *Mesh, x0, x1 []float64, o *Options) (RigidMeshImpact, error) {
	return onRigidMesh(s, m, o, func(c *rigid.MeshScene, o *rigid.Options) (RigidMeshImpact, error) {
		first, err := c.Earliest(x0, x1, o)
		return meshImpactOf(&first), err
	})
}

// MeshCollisions returns the impact of every body and primitive that are not Separate, in the order
// of MeshEarliest.
func (s *RigidScene) MeshCollisions(m *Mesh, x0, x1 []float64, o *Options) ([]RigidMeshImpact, error) {
	return onRigidMesh(s, m, o, func(c *rigid.MeshScene, o *rigid.Options) ([]RigidMeshImpact, error) {
		list, err := c.Collisions(x0, x1, o)
		return converted(list, meshImpactOf), err
	})
}

// moving returns the bodies and motions as the core takes them.
func (s *RigidScene) moving() ([]*rigid.Body, []rigid.Motion, error) {
	if s == nil {
		return nil, nil, status.Errorf(ErrArgument, "scene is nil")
	}
	bodies := make([]*rigid.Body, len(s.Bodies))
	for i, b := range s.Bodies {
		if b == nil || b.core == nil {
			return nil, nil, status.Errorf(ErrArgument, "bodies[%d] is nil or zero: make it with NewRigidBody", i)
		}
		bodies[i] = b.core
	}
	return bodies, converted(s.Motions, func(m *RigidMotion) rigid.Motion { return m.core() }), nil
}

// withoutSeparations returns an error for separations of pairs, which a call does not use.
func (s *RigidScene) withoutSeparations() error {
	if s != nil && len(s.Separations) > 0 {
		return status.Errorf(ErrUnsupported,
			"separations: this call does not use them; Earliest and Collisions of bodies do")
	}
	return nil
}

// rigidScenes and rigidMeshScenes are pools. A scene of a mesh keeps the tree over its last mesh.
var (
	rigidScenes     = sync.Pool{New: func() any { return new(rigid.Scene) }}
	rigidMeshScenes = sync.Pool{New: func() any { return new(rigid.MeshScene) }}
)

// onRigid runs a call on a scene of the core.
func onRigid[T any](s *RigidScene, o *Options, call func(c *rigid.Scene, o *rigid.Options) (T, error)) (T, error) {
	return with(&rigidCalls, o, func(set *settings) (out T, err error) {
		bodies, motions, err := s.moving()
		if err != nil {
			return out, err
		}
		c := rigidScenes.Get().(*rigid.Scene)
		c.Bodies, c.Motions, c.Groups, c.Skip, c.CallOptions = bodies, motions, s.Groups, s.Skip, set.call
		c.Separations = converted(s.Separations, func(p *RigidSeparation) rigid.PairSeparation {
			return rigid.PairSeparation(*p)
		})
		out, err = call(c, &set.rigid)
		c.Release()
		rigidScenes.Put(c) // a panic skips this: its scene may be inconsistent
		return out, err
	})
}

// onRigidMesh does the same for a call on a mesh.
func onRigidMesh[T any](s *RigidScene, m *Mesh, o *Options,
	call func(c *rigid.MeshScene, o *rigid.Options) (T, error)) (T, error) {
	return onMesh(&rigidCalls, m, o, func(m *mesh.Mesh, set *settings) (out T, err error) {
		if err := s.withoutSeparations(); err != nil {
			return out, err
		}
		bodies, motions, err := s.moving()
		if err != nil {
			return out, err
		}
		c := rigidMeshScenes.Get().(*rigid.MeshScene)
		c.Bodies, c.Motions, c.Mesh, c.CallOptions = bodies, motions, m, set.call
		out, err = call(c, &set.rigid)
		c.Release()
		rigidMeshScenes.Put(c)
		return out, err
	})
}

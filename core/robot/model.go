package robot

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/status"
)

// JointKind says how a joint moves its child.
type JointKind int32

const (
	Fixed     JointKind = iota // The child does not move relative to the parent.
	Revolute                   // The child turns about the axis. A continuous joint is one without limits.
	Prismatic                  // The child slides along the axis.
)

// Joint joins two links. A point x of the child is at Position + Rotation (T x) in the parent,
// where T turns about the axis, or slides along it, by Factor times the variable plus Offset.
type Joint struct {
	Kind          JointKind
	Parent, Child int
	Variable      int // index of the joint variable that it follows; ignored if fixed
	Factor        float64
	Offset        float64
	// Rotation stands for the rotation nearest to these doubles.
	Rotation geom.Mat
	Position r3.Vec
	// Axis has any length but 0, and stands for its exact direction, in the child's coordinates.
	Axis r3.Vec
	// Error is how far the joint may be from that value, at any time and in either direction: what
	// is proven holds wherever it is. Ignored if fixed.
	Error float64
}

// Scene is the Link of a body that rests in the coordinates of the robot's root.
const Scene = -1

// Body is what a link, or an object of the scene, consists of: triangles, edges, and vertices that
// are in neither, in the coordinates of its link. A triangle, edge or lone vertex holds all points
// within the largest radius of its vertices.
type Body struct {
	Link   int
	Shapes []Shape
}

// Shape is a part of a body with vertices of its own. What is inside of a shape that is closed
// belongs to the body.
type Shape struct {
	Vertices []r3.Vec
	Radii    []float64 // nil for zeros
	Edges    [][2]int32
	Faces    [][3]int32
}

// Model is what New makes a robot of. The joints form a tree of all links. Pairs holds the pairs of
// bodies that are tested.
type Model struct {
	Links, Variables int
	Joints           []Joint
	Bodies           []Body
	Pairs            [][2]int
	// Separations has for each pair what takes the place of Options.Separation, NaN for that; nil
	// for NaNs.
	Separations []float64
}

// MaxMagnitude is the greatest magnitude of coordinates, offsets and slides: products of five
// lengths must not overflow.
const MaxMagnitude float64 = 1e60

// errSize is status.ErrNonFinite with the bound of this package.
var errSize error = magnitude{}

type magnitude struct{}

func (magnitude) Error() string { return "not finite or above 1e60 in magnitude" }

func (magnitude) Is(target error) bool { return target == status.ErrNonFinite }

// mostDrift is how far the product of a joint's rotation with its transpose may be from the
// identity, in the Frobenius norm.
const mostDrift = 1e-6

// check reports what is wrong with a model.
func (m *Model) check() error {
	if m.Links < 1 || m.Variables < 0 {
		return status.Errorf(status.ErrArgument, "robot: %d links and %d variables: must be at least 1 and 0",
			m.Links, m.Variables)
	}
	children := make([]bool, m.Links)
	for i := range m.Joints {
		if err := m.Joints[i].check(i, m, children); err != nil {
			return err
		}
	}
	if len(m.Joints) != m.Links-1 {
		return status.Errorf(status.ErrArgument, "joints: there are %d: a tree of %d links has %d",
			len(m.Joints), m.Links, m.Links-1)
	}
	if err := m.checkTree(); err != nil {
		return err
	}
	if m.Separations != nil && len(m.Separations) != len(m.Pairs) {
		return status.Errorf(status.ErrArgument, "separations: there are %d, and %d pairs", len(m.Separations),
			len(m.Pairs))
	}
	return m.checkAfter(0, 0)
}

// checkAfter reports what is wrong with the bodies and pairs from some on; messages count from
// these.
func (m *Model) checkAfter(bodies, pairs int) error {
	for i := range m.Bodies[bodies:] {
		if err := m.Bodies[bodies+i].check(i, m.Links); err != nil {
			return err
		}
	}
	for i, p := range m.Pairs[pairs:] {
		if min(p[0], p[1]) < 0 || max(p[0], p[1]) >= len(m.Bodies) || p[0] == p[1] {
			return status.Errorf(status.ErrIndex, "pairs[%d] is %v: must be two of the %d bodies", i, p,
				len(m.Bodies))
		}
		if m.Separations == nil {
			continue
		}
		if d := m.Separations[pairs+i]; d < 0 || d > MaxMagnitude {
			return status.Errorf(status.ErrArgument, "separations[%d] is %g: must be in [0, 1e60], or NaN", i, d)
		}
	}
	return nil
}

func (j *Joint) check(i int, m *Model, children []bool) error {
	wrong := func(kind error, format string, args ...any) error {
		return status.Errorf(kind, "joints[%d]"+format, append([]any{i}, args...)...)
	}
	fail := func(format string, args ...any) error { return wrong(status.ErrArgument, format, args...) }
	switch {
	case j.Kind < Fixed || j.Kind > Prismatic:
		return fail(".kind is %d: must be fixed, revolute or prismatic", j.Kind)
	case min(j.Parent, j.Child) < 0 || max(j.Parent, j.Child) >= m.Links || j.Parent == j.Child:
		return wrong(status.ErrIndex, " joins the links %d and %d: must be two of %d", j.Parent, j.Child, m.Links)
	case children[j.Child]:
		return fail(".child is %d: another joint has this child", j.Child)
	case j.Kind != Fixed && (j.Variable < 0 || j.Variable >= m.Variables):
		return wrong(status.ErrIndex, ".variable is %d: must be one of %d", j.Variable, m.Variables)
	case !(math.Abs(j.Factor) <= MaxMagnitude) || !(math.Abs(j.Offset) <= MaxMagnitude):
		return wrong(errSize, ": the factor is %g, the offset %g", j.Factor, j.Offset)
	case !(j.Error >= 0 && j.Error <= MaxMagnitude):
		return fail(".error is %g: must be in [0, 1e60]", j.Error)
	case !(geom.MaxAbs(j.Position) <= MaxMagnitude) || anyNaN(j.Position):
		return wrong(errSize, ".position is %v", j.Position)
	case !(drift(&j.Rotation) <= mostDrift):
		return fail(".rotation is no rotation: its product with its transpose must be the identity within 1e-6")
	case !(geom.Dot(j.Rotation.X, geom.Cross(j.Rotation.Y, j.Rotation.Z)) > 0):
		return fail(".rotation is no rotation: it mirrors")
	}
	if a := geom.MaxAbs(j.Axis); j.Kind != Fixed && (!(a > 1e-60 && a <= MaxMagnitude) || anyNaN(j.Axis)) {
		return fail(".axis is %v: must have a length above 0", j.Axis)
	}
	children[j.Child] = true
	return nil
}

func (m *Model) checkTree() error {
	parent := make([]int, m.Links)
	for i := range parent {
		parent[i] = -1
	}
	for _, j := range m.Joints {
		parent[j.Child] = j.Parent
	}
	for i := range parent {
		x, steps := i, 0
		for ; parent[x] >= 0; x = parent[x] {
			if steps++; steps > m.Links {
				return status.Errorf(status.ErrArgument, "joints: link %d is in a circle of joints", i)
			}
		}
	}
	return nil
}

func (b *Body) check(i, links int) error {
	if b.Link < Scene || b.Link >= links {
		return status.Errorf(status.ErrIndex, "bodies[%d].link is %d: must be -1 or one of %d", i, b.Link, links)
	}
	for k := range b.Shapes {
		if err := b.Shapes[k].check(i, k); err != nil {
			return err
		}
	}
	return nil
}

func (s *Shape) check(i, k int) error {
	wrong := func(kind error, format string, args ...any) error {
		return status.Errorf(kind, "bodies[%d].shapes[%d]"+format, append([]any{i, k}, args...)...)
	}
	n := len(s.Vertices)
	if s.Radii != nil && len(s.Radii) != n {
		return wrong(status.ErrArgument, ": there are %d radii and %d vertices", len(s.Radii), n)
	}
	for v, x := range s.Vertices {
		if !(geom.MaxAbs(x) <= MaxMagnitude) || anyNaN(x) {
			return wrong(errSize, ".vertices[%d] is %v", v, x)
		}
	}
	for v, r := range s.Radii {
		if !(r >= 0 && r <= MaxMagnitude) {
			return wrong(status.ErrArgument, ".radii[%d] is %g: must be in [0, 1e60]", v, r)
		}
	}
	for e, p := range s.Edges {
		if min(p[0], p[1]) < 0 || int(max(p[0], p[1])) >= n {
			return wrong(status.ErrIndex, ".edges[%d] is %v: must be two of %d vertices", e, p, n)
		}
	}
	for f, p := range s.Faces {
		if slices.Min(p[:]) < 0 || int(slices.Max(p[:])) >= n {
			return wrong(status.ErrIndex, ".faces[%d] is %v: must be three of %d vertices", f, p, n)
		}
	}
	return nil
}

func anyNaN(v r3.Vec) bool { return v.X != v.X || v.Y != v.Y || v.Z != v.Z }

// drift bounds the distance of a matrix from the nearest rotation in the Frobenius norm. With the
// singular values s it is the norm of s - 1, which the norm of s^2 - 1 bounds. That is the norm of
// M M^T - I: nine sums of three products, each off by less than 4u.
func drift(m *geom.Mat) float64 {
	rows, sum := [3]r3.Vec{m.X, m.Y, m.Z}, 0.0
	for i, a := range rows {
		for k, b := range rows {
			d := geom.Dot(a, b)
			if i == k {
				d--
			}
			sum += float64(d * d)
		}
	}
	return (math.Sqrt(sum) + 16*unit) * up
}

// unit is the largest relative error of a rounding, and up a factor above the rounding of sums of
// positive terms, as many as a robot has joints.
const (
	unit = 0x1p-53
	up   = 1 + 0x1p-30
)

// The angle of a joint may have this magnitude at most.
const maxAngle float64 = num.MaxAngle

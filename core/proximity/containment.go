package proximity

import (
	"fmt"
	"math"

	"ccd/core/contain"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
)

// Nested is a connected component of a mesh that is inside another one; the layout is that of
// ccd_nested_pair: 24 bytes, no hidden padding.
type Nested = contain.Nested

// What Winding writes for a point that has no winding number: see contain.OnSurface.
const (
	OnSurface      = contain.OnSurface
	UnknownWinding = contain.UnknownWinding
)

// Winding writes the winding number of the faces of m, where its vertices are at x, around each
// point: three coordinates for each item of out. contain.OnSurface stands for a point on a face.
// The faces must be closed: each edge is passed as often in one direction as in the other. Filters
// and radii of the mesh, its edges in no face and its loose points have no effect.
func Winding(m *mesh.Mesh, x, points []float64, out []int32, o *Options) error {
	if err := checkPoints(points, len(out)); err != nil {
		return err
	}
	clear(out) // Without faces all are outside.
	_, err := onSolid(m, x, o, func(c *engine.Call, s *contain.Solid) (none struct{}, err error) {
		if err := s.Closed(); err != nil {
			return none, fmt.Errorf("mesh: %w", err)
		}
		return none, s.Windings(c, out, func(i int) contain.Point { return contain.Point{At: geom.Vec(points[3*i:])} })
	})
	return err
}

// NestedComponents returns the pairs of connected components of the faces of m, where its vertices
// are at x, of which one is inside the other and does not touch it: contain.Solid.Nested.
func NestedComponents(m *mesh.Mesh, x []float64, o *Options) ([]Nested, error) {
	return onSolid(m, x, o, func(c *engine.Call, s *contain.Solid) ([]Nested, error) {
		list, err := s.Nested(c)
		c.Stats.Impacts = int64(len(list))
		return list, err
	})
}

// onSolid runs a call on the solid of the faces of m; without faces it returns nothing.
func onSolid[T any](m *mesh.Mesh, x []float64, o *Options, run func(c *engine.Call, s *contain.Solid) (T, error),
) (out T, err error) {
	if o == nil {
		o = &Options{}
	}
	if o.Region != nil {
		return out, status.Errorf(status.ErrUnsupported, "options.region: this call concerns a whole surface")
	}
	var c engine.Call
	if err := c.Begin(&o.CallOptions); err != nil {
		return out, err
	}
	if len(x) != 3*m.NV {
		return out, status.Errorf(status.ErrArgument,
			"x has %d coordinates: the mesh has %d vertices, so it must have %d", len(x), m.NV, 3*m.NV)
	}
	for i, c := range x {
		if !(math.Abs(c) <= geom.MaxCoordinate) {
			return out, fmt.Errorf("x[%d][%d] is %v: %w", i/3, i%3, c, status.ErrNonFinite)
		}
	}
	if len(m.Faces) == 0 {
		return out, c.End(nil)
	}
	s := contain.NewWhile(corners(m, x), int(c.Stats.Threads), c.Progress.GoOn)
	if s == nil {
		return out, c.End(c.Progress.Err())
	}
	c.Stats.Boxes, c.Stats.SecondsBuild = int64(len(m.Faces)), c.Lap()
	out, err = run(&c, s)
	return out, c.End(err)
}

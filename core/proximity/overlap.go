package proximity

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/contain"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/overlap"
	"ccd/core/status"
)

// Volume returns the volume that the faces of m enclose, where its vertices are at x: the integral
// of their winding number. They must be closed, as for Winding.
func Volume(m *mesh.Mesh, x []float64, o *Options) (overlap.Bracket, error) {
	return onSolid(m, x, o, func(c *engine.Call, s *contain.Solid) (v overlap.Bracket, err error) {
		if err := s.Closed(); err != nil {
			return v, fmt.Errorf("mesh: %w", err)
		}
		return volumeOf(c, s)
	})
}

// Depths writes to out where points lie to the faces of m, three coordinates for each item. The
// faces must be closed, and at least one.
func Depths(m *mesh.Mesh, x, points []float64, out []overlap.Depth, o *Options) error {
	if err := checkPoints(points, len(out)); err != nil {
		return err
	}
	if len(m.Faces) == 0 {
		return status.Errorf(status.ErrArgument, "mesh: it has no faces, so there is no distance from them")
	}
	_, err := onSolid(m, x, o, func(c *engine.Call, s *contain.Solid) (none struct{}, err error) {
		if err := s.Closed(); err != nil {
			return none, fmt.Errorf("mesh: %w", err)
		}
		return none, overlap.Depths(c, s, out, func(i int) contain.Point {
			return contain.Point{At: geom.Vec(points[3*i:])}
		})
	})
	return err
}

// checkPoints checks three coordinates for each of n points.
func checkPoints(points []float64, n int) error {
	if len(points) != 3*n {
		return status.Errorf(status.ErrArgument, "points has %d coordinates for %d results", len(points), n)
	}
	for i, c := range points {
		if !(math.Abs(c) <= geom.MaxCoordinate) {
			return fmt.Errorf("points[%d][%d] is %v: %w", i/3, i%3, c, status.ErrNonFinite)
		}
	}
	return nil
}

// Overlap returns the volume that the solids of two meshes have in common, where their vertices are
// at xa and xb. Both must be closed; one without faces is empty.
func Overlap(ma *mesh.Mesh, xa []float64, mb *mesh.Mesh, xb []float64, by *overlap.Options, o *Options,
) (r overlap.Common, err error) {
	if o == nil {
		o = &Options{}
	}
	if by == nil {
		by = &overlap.Options{}
	}
	if err := by.Check(); err != nil {
		return r, err
	}
	if o.Region != nil {
		return r, status.Errorf(status.ErrUnsupported, "options.region: this call concerns whole surfaces")
	}
	var c engine.Call
	if err := c.Begin(&o.CallOptions); err != nil {
		return r, err
	}
	a, err := solidOf(&c, 'a', ma, xa)
	if err != nil {
		return r, c.End(err)
	}
	b, err := solidOf(&c, 'b', mb, xb)
	if err != nil {
		return r, c.End(err)
	}
	c.Stats.SecondsBuild = c.Lap()
	switch same := contain.Identity(); {
	case a == nil || b == nil:
		r.Containment = contain.Outside
		if r.A, err = volumeOf(&c, a); err == nil {
			r.B, err = volumeOf(&c, b)
		}
	default:
		va, err := volumeOf(&c, a)
		if err != nil {
			return r, c.End(err)
		}
		vb, err := volumeOf(&c, b)
		if err != nil {
			return r, c.End(err)
		}
		r, err = overlap.Measure(&c, a, b, &same, &same, va, vb, by, overlap.Whole)
		return r, c.End(err)
	}
	return r, c.End(err)
}

// volumeOf returns the volume of a solid, 0 of nil, or that the call was cancelled.
func volumeOf(c *engine.Call, s *contain.Solid) (overlap.Bracket, error) {
	if s == nil {
		return overlap.Bracket{}, nil
	}
	v, ok := overlap.VolumeWhile(s, c.Progress.GoOn)
	if !ok {
		return v, c.Progress.Err()
	}
	return v, nil
}

// solidOf returns the solid of a mesh, or nil where it has no faces; name is of its arguments.
func solidOf(c *engine.Call, name rune, m *mesh.Mesh, x []float64) (*contain.Solid, error) {
	if len(x) != 3*m.NV {
		return nil, status.Errorf(status.ErrArgument,
			"x%c has %d coordinates: the mesh has %d vertices, so it must have %d", name, len(x), m.NV, 3*m.NV)
	}
	for i, y := range x {
		if !(math.Abs(y) <= geom.MaxCoordinate) {
			return nil, fmt.Errorf("x%c[%d][%d] is %v: %w", name, i/3, i%3, y, status.ErrNonFinite)
		}
	}
	if len(m.Faces) == 0 {
		return nil, nil
	}
	s := contain.NewWhile(corners(m, x), int(c.Stats.Threads), c.Progress.GoOn)
	if s == nil {
		return nil, c.Progress.Err()
	}
	c.Stats.Boxes += int64(len(m.Faces))
	if err := s.Closed(); err != nil {
		return nil, fmt.Errorf("%c: %w", name, err)
	}
	return s, nil
}

// corners returns the triangles of the faces.
func corners(m *mesh.Mesh, x []float64) []bvh.Triangle {
	tri := make([]bvh.Triangle, len(m.Faces))
	for i, f := range m.Faces {
		for k, v := range f {
			tri[i][k] = r3.Vec{X: x[3*v], Y: x[3*v+1], Z: x[3*v+2]}
		}
	}
	return tri
}

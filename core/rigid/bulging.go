package rigid

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/status"
)

// bulging is the convex hull of a body's corners, made at the first call that needs it.
type bulging struct {
	once    sync.Once
	corners []r3.Vec
	planes  []bulgingPlane // none where the body has no inside
	err     error
}

// bulgingPlane is the plane of a triangle: n.x <= c for the points of the body.
type bulgingPlane struct {
	n r3.Vec
	c float64
}

// dentBound times the radius is how far a corner may be beyond the plane of a face of a body that
// counts as convex: the rounding of the corners of a prism, say.
const dentBound = 0x1p-40

// convex returns the corners of a body that is convex, or an error that begins with its name.
//
// A closed surface whose corners are all behind the planes of all of its triangles lies in the
// surface of their hull, and so is it. What is flat is a part of a plane, a segment or a point, and
// its area says whether it is all of its hull.
func (b *Body) convex(name string) (*bulging, error) {
	h := &b.enclosing.hull
	h.once.Do(func() { h.make(b) })
	if h.err != nil {
		return nil, status.Errorf(status.ErrUnsupported, "%s is not convex: %v; pass its convex parts, one by one",
			name, h.err)
	}
	return h, nil
}

func (h *bulging) make(b *Body) {
	s := b.skinOf()
	for i := range s.vertices {
		if s.vertices[i].corner {
			h.corners = append(h.corners, s.vertices[i].at)
		}
	}
	off := float64(dentBound * b.bare)
	switch {
	case s.facing != 0:
		h.solid(b, s, off)
	case len(s.faces) == 0 && len(b.tri) > 1:
		h.err = status.Errorf(status.ErrUnsupported, "it has several edges or points, and no face")
	case len(s.faces) > 0:
		h.flat(b, off)
	}
}

// solid checks a closed surface.
func (h *bulging) solid(b *Body, s *skin, off float64) {
	known := map[int32]bool{}
	for i := range b.tri {
		f := s.faceOf[i]
		if f < 0 || known[f] {
			continue
		}
		known[f] = true
		n := geom.Scale(s.facing, s.faces[f].normal)
		c := math.Inf(-1)
		for _, p := range b.tri[i] {
			c = max(c, geom.Dot(n, p))
		}
		for k := range s.vertices {
			if d := geom.Dot(n, s.vertices[k].at) - c; d > off {
				h.err = status.Errorf(status.ErrUnsupported,
					"a corner of triangle %d is %v beyond the plane of triangle %d",
					s.vertices[k].tri, d, i)
				return
			}
		}
		h.planes = append(h.planes, bulgingPlane{n, c})
	}
}

// flat checks a surface that is not closed.
func (h *bulging) flat(b *Body, off float64) {
	s := b.skinOf()
	area, n := 0.0, s.faces[0].normal
	for _, f := range s.faces[1:] {
		if math.Abs(geom.Dot(f.normal, n)) < 1-0x1p-40 {
			h.err = status.Errorf(status.ErrUnsupported, "its surface is neither closed nor flat")
			return
		}
	}
	c := geom.Dot(n, b.tri[0][0])
	for i := range b.tri {
		t := &b.tri[i]
		for _, p := range t {
			if math.Abs(geom.Dot(n, p)-c) > off {
				h.err = status.Errorf(status.ErrUnsupported, "its surface is neither closed nor flat")
				return
			}
		}
		area += geom.Norm(geom.Cross(r3.Sub(t[1], t[0]), r3.Sub(t[2], t[0])))
	}
	u, _ := unit(geom.Cross(n, leastAxis(n)), geom.Cross(n, leastAxis(n)))
	v := geom.Cross(n, u)
	var p []planar
	for i, x := range h.corners {
		p = append(p, planar{geom.Dot(u, x), geom.Dot(v, x), i})
	}
	if len(p) < 3 {
		return
	}
	hull, all := rim(slices.Clone(p)), 0.0
	for i := 2; i < len(hull); i++ {
		all += areaOf(hull[0], hull[i-1], hull[i])
	}
	if math.Abs(all-area) > float64(0x1p-30*all) {
		h.err = status.Errorf(status.ErrUnsupported, "its flat surface has %v of the area of its hull", area/all)
	}
}

// holds reports whether a point is inside of a body that has an inside.
func (h *bulging) holds(p r3.Vec) bool {
	for i := range h.planes {
		if geom.Dot(h.planes[i].n, p) > h.planes[i].c {
			return false
		}
	}
	return len(h.planes) > 0
}

// nearest returns the point of the body nearest to p, in its coordinates.
func (h *bulging) nearest(b *Body, p r3.Vec) r3.Vec {
	if h.holds(p) {
		return p
	}
	foot, d := p, math.Inf(1)
	for i := range b.tri {
		at, _ := footOnTriangle(p, (*[3]r3.Vec)(&b.tri[i]))
		if e := geom.Norm(r3.Sub(p, at)); e < d {
			foot, d = at, e
		}
	}
	return foot
}

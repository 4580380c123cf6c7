package rigid

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/rigid/skin"
	"ccd/core/rigid/triangle"
	"ccd/core/status"
)

// bulging is the convex hull of a body's corners, made at the first call that needs it.
type bulging struct {
	once    sync.Once
	corners []r3.Vec
	facets  []facet
	err     error
}

// facet is a convex polygon in the body, but for thick: the hull of the corners of a face, as seen
// along a unit n. A point whose foot on the plane is inside of all sides is within its distance
// from the plane, and thick, of a mean of the corners, which is in the body.
type facet struct {
	n     r3.Vec
	at    float64 // the plane is where n.x is this
	thick float64
	sides []facetSide
}

// facetSide is a side of a polygon: in is a unit in the plane, and in.x is at least at inside.
type facetSide struct {
	in r3.Vec
	at float64
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
	for i := range s.Vertices {
		if s.Vertices[i].Corner {
			h.corners = append(h.corners, s.Vertices[i].At)
		}
	}
	off := float64(dentBound * b.bare)
	switch {
	case s.Facing != 0:
		h.solid(b, s, off)
	case len(s.Faces) == 0 && len(b.tri) > 1:
		h.err = status.Errorf(status.ErrUnsupported, "it has several edges or points, and no face")
	case len(s.Faces) > 0:
		h.flat(b, off)
	}
	if h.err == nil {
		h.cover(b, s)
	}
}

// cover makes the facets.
func (h *bulging) cover(b *Body, s *skin.Skin) {
	corners := make([][]r3.Vec, len(s.Faces))
	known := make(map[[2]int32]bool)
	for i, f := range s.FaceOf {
		for _, v := range s.VertexOf[i] {
			if key := [2]int32{f, v}; f >= 0 && s.Vertices[v].Corner && !known[key] {
				known[key] = true
				corners[f] = append(corners[f], s.Vertices[v].At)
			}
		}
	}
	for i, list := range corners {
		if len(list) < 3 {
			continue
		}
		n := s.Faces[i].Normal
		u, _ := geom.Unit(geom.Cross(n, geom.LeastAxis(n)), geom.Cross(n, geom.LeastAxis(n)))
		v := geom.Cross(n, u)
		var flat []planar
		lo, hi := math.Inf(1), math.Inf(-1)
		for k, x := range list {
			d := geom.Dot(n, x)
			lo, hi = min(lo, d), max(hi, d)
			flat = append(flat, planar{geom.Dot(u, x), geom.Dot(v, x), k})
		}
		f := facet{n: n, at: lo + float64(0.5*(hi-lo)), thick: float64(0.5*(hi-lo)) + float64(0x1p-44*b.bare)}
		hull := rim(flat)
		for k, p := range hull {
			q := hull[(k+1)%len(hull)]
			in := r3.Sub(geom.Scale(q.x-p.x, v), geom.Scale(q.y-p.y, u))
			if in, ok := geom.Unit(in, in); ok {
				f.sides = append(f.sides, facetSide{in, max(geom.Dot(in, list[p.at]), geom.Dot(in, list[q.at]))})
			}
		}
		if len(f.sides) >= 3 {
			h.facets = append(h.facets, f)
		}
	}
}

// solid checks a closed surface.
func (h *bulging) solid(b *Body, s *skin.Skin, off float64) {
	known := map[int32]bool{}
	for i := range b.tri {
		f := s.FaceOf[i]
		if f < 0 || known[f] {
			continue
		}
		known[f] = true
		n := geom.Scale(s.Facing, s.Faces[f].Normal)
		c := math.Inf(-1)
		for _, p := range b.tri[i] {
			c = max(c, geom.Dot(n, p))
		}
		for k := range s.Vertices {
			if d := geom.Dot(n, s.Vertices[k].At) - c; d > off {
				h.err = status.Errorf(status.ErrUnsupported,
					"a corner of triangle %d is %v beyond the plane of triangle %d",
					s.Vertices[k].Tri, d, i)
				return
			}
		}
	}
}

// flat checks a surface that is not closed.
func (h *bulging) flat(b *Body, off float64) {
	s := b.skinOf()
	area, n := 0.0, s.Faces[0].Normal
	for _, f := range s.Faces[1:] {
		if math.Abs(geom.Dot(f.Normal, n)) < 1-0x1p-40 {
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
	u, _ := geom.Unit(geom.Cross(n, geom.LeastAxis(n)), geom.Cross(n, geom.LeastAxis(n)))
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

// nearest returns the point of the body's surface nearest to p, in its coordinates.
func (h *bulging) nearest(b *Body, p r3.Vec) r3.Vec {
	foot, d := p, math.Inf(1)
	for i := range b.tri {
		at, _ := triangle.NearestTo(p, (*[3]r3.Vec)(&b.tri[i]))
		if e := geom.Norm(r3.Sub(p, at)); e < d {
			foot, d = at, e
		}
	}
	return foot
}

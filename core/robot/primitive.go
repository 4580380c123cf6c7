package robot

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// primitive is a point, an edge or a triangle of a body, with the points within a radius. Vertices
// beyond its number repeat the first.
type primitive struct {
	n      int
	body   int32
	x      [3]r3.Vec
	radius float64
}

// cluster is a few primitives of a body as a leaf of a tree: their distinct vertices, with the
// radii of their primitives.
type cluster struct {
	body       int32
	primitives []int32
	x          []r3.Vec
	r          []float64
	far        float64 // greatest distance of a vertex from the origin of the coordinates, rounded up
	radius     float64 // greatest radius
	off        float64 // how far the vertices may be from their true places in these coordinates
	slabs      []slab  // Planes that hold a target's cluster between them
}

// size bounds the magnitudes that the rounding of a test is relative to.
func (c *cluster) size() float64 { return c.far + c.radius }

// primitivesOf lists what a body consists of.
func primitivesOf(b *Body, body int32) (list []primitive) {
	for i := range b.Shapes {
		s := &b.Shapes[i]
		used := make([]bool, len(s.Vertices))
		add := func(v ...int32) {
			p := primitive{n: len(v), body: body}
			for k := range p.x {
				at := v[0]
				if k < len(v) {
					at = v[k]
				}
				used[at] = true
				p.x[k] = s.Vertices[at]
				if s.Radii != nil {
					p.radius = max(p.radius, s.Radii[at])
				}
			}
			list = append(list, p)
		}
		for _, f := range s.Faces {
			add(f[:]...)
		}
		for _, e := range s.Edges {
			add(e[:]...)
		}
		for v := range s.Vertices {
			if !used[v] {
				add(int32(v))
			}
		}
	}
	return list
}

// makeCluster gathers primitives of one body.
func makeCluster(all []primitive, list []int32, off float64) cluster {
	c := cluster{body: all[list[0]].body, primitives: slices.Clone(list), off: off}
	for _, i := range list {
		p := &all[i]
		c.radius = max(c.radius, p.radius)
		for _, x := range p.x[:p.n] {
			known := false
			for k := range c.x {
				known = known || c.x[k] == x && c.r[k] == p.radius
			}
			if !known {
				c.x, c.r = append(c.x, x), append(c.r, p.radius)
				c.far = max(c.far, lengthUp(x))
			}
		}
	}
	return c
}

// box is an axis-aligned box of doubles.
type box struct{ lo, hi r3.Vec }

func emptyBox() box {
	i := math.Inf(1)
	return box{r3.Vec{X: i, Y: i, Z: i}, r3.Vec{X: -i, Y: -i, Z: -i}}
}

// add enlarges the box to hold all points within a radius of x.
func (b *box) add(x r3.Vec, radius float64) {
	b.lo = r3.Vec{X: min(b.lo.X, x.X-radius), Y: min(b.lo.Y, x.Y-radius), Z: min(b.lo.Z, x.Z-radius)}
	b.hi = r3.Vec{X: max(b.hi.X, x.X+radius), Y: max(b.hi.Y, x.Y+radius), Z: max(b.hi.Z, x.Z+radius)}
}

func (b *box) merge(c *box) {
	b.lo = r3.Vec{X: min(b.lo.X, c.lo.X), Y: min(b.lo.Y, c.lo.Y), Z: min(b.lo.Z, c.lo.Z)}
	b.hi = r3.Vec{X: max(b.hi.X, c.hi.X), Y: max(b.hi.Y, c.hi.Y), Z: max(b.hi.Z, c.hi.Z)}
}

func (b *box) middle() r3.Vec { return geom.Scale(0.5, r3.Add(b.lo, b.hi)) }

func (b *box) extent() r3.Vec { return r3.Sub(b.hi, b.lo) }

// grown returns the box enlarged by a length and by the rounding of its coordinates.
func (b *box) grown(by float64) box {
	m := max(geom.MaxAbs(b.lo), geom.MaxAbs(b.hi))
	by += float64(8 * unit * (m + by))
	d := r3.Vec{X: by, Y: by, Z: by}
	return box{r3.Sub(b.lo, d), r3.Add(b.hi, d)}
}

// longest returns the axis of the greatest component.
func longest(v r3.Vec) int {
	if v.X >= v.Y && v.X >= v.Z {
		return 0
	}
	if v.Y >= v.Z {
		return 1
	}
	return 2
}

func component(v r3.Vec, k int) float64 {
	switch k {
	case 0:
		return v.X
	case 1:
		return v.Y
	}
	return v.Z
}

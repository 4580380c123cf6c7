package overlap

import "math"

// columns computes volumes of columns' common parts, with what they are computed in.
type columns[T number[T]] struct {
	ar        *arithmetic[T]
	fr        *frame
	p         polygon[T]
	low, flat polygon[T] // parts of it
	top       T
}

func newColumns[T number[T]](ar *arithmetic[T], fr *frame) *columns[T] {
	c := &columns[T]{ar: ar, fr: fr, top: ar.of(fr.size[2])}
	c.p.ar, c.low.ar, c.flat.ar = ar, ar, ar
	return c
}

// pair returns six times the volume that the columns below f and g have in common within the frame,
// and a bound on the error of the volume.
//
// The volume is the integral, over the common part of both projections, of the lower one of both
// planes, cut to the frame. The projection of f errs by its corners: its area by 9 off d, the
// strips along its sides, where d is the diameter of the outline that is cut; and as much that of
// g. Cuts of the outline add their weights, and integrals at most those of two vertices for each of
// theirs (polygon). All heights are cut to [0, 1], so that these areas are volumes. The heights
// themselves err by the sum of both facets' errors, at all points of the polygon: twice this, once
// for the values and once for where planes cross each other and the frame.
func (c *columns[T]) pair(f, g *facet[T]) (six T, off float64) {
	if g.spread() < f.spread() {
		f, g = g, f
	}
	if f.hi[0] < g.lo[0] || g.hi[0] < f.lo[0] || f.hi[1] < g.lo[1] || g.hi[1] < f.lo[1] {
		return six, 0
	}
	if c.apart(f, g) || c.apart(g, f) {
		return six, 0
	}
	c.p.load(f.outline, f.weight, max(f.size, g.size))
	for k := range 3 {
		s := g.side(k)
		c.p.cut(s.value, s.margin(c.p.slack(), f, g))
	}
	return c.lower(f, g)
}

// side is the line along a side of a facet; the facet is where its value is not negative.
type side[T number[T]] struct {
	from *[3]T
	x, y T
}

func (f *facet[T]) side(k int) side[T] {
	a, b := &f.c[k], &f.c[(k+1)%3]
	return side[T]{a, b[0].minus(a[0]), b[1].minus(a[1])}
}

func (s *side[T]) value(v *vertex[T]) T { return s.at(v.x, v.y) }

func (s *side[T]) at(x, y T) T {
	return s.x.times(y.minus(s.from[1])).minus(s.y.times(x.minus(s.from[0])))
}

// margin returns a value beyond which its sign is sure, at points of f, where s is a side of g.
//
// The sum m of the magnitudes of x and y is at least the gradient, which slack multiplies. Points
// of f that are off by f.off change the value by m f.off. Corners of the side that are off by g.off
// change it by m g.off, and by 4 g.off (1 + size), as a point is at most 2 (1 + size) away in the
// sum of both coordinates. 6 pays for rounding and for the product of both.
func (s *side[T]) margin(slack float64, f, g *facet[T]) float64 {
	m := math.Abs(s.x.float()) + math.Abs(s.y.float())
	return float64(m*(slack+float64(3*(f.off+g.off)))) + float64(6*g.off*(1+max(f.size, g.size))) + tiny
}

// apart reports whether all corners of f are surely beyond a side of g, so that the projections
// have no common point.
func (c *columns[T]) apart(f, g *facet[T]) bool {
	c.p.size = max(f.size, g.size)
	for k := range 3 {
		s := g.side(k)
		bound := -s.margin(c.p.slack(), f, g)
		if c.ar.unit == 0 {
			bound = 0
		}
		out := true
		for i := range f.c {
			if !(s.at(f.c[i][0], f.c[i][1]).float() < bound) {
				out = false
				break
			}
		}
		if out {
			return true
		}
	}
	return false
}

// alone returns six times the volume of a column within the frame, and a bound on its error.
func (c *columns[T]) alone(f *facet[T]) (six T, off float64) {
	c.p.load(f.outline, f.weight, f.size)
	return c.lower(f, nil)
}

// lower integrates the lower of the planes of f and g over the polygon, which is cut out of the
// outline of f.
func (c *columns[T]) lower(f, g *facet[T]) (six T, off float64) {
	p, u := &c.p, c.ar.unit
	height, slip, size := f.height, f.off, p.size
	if g != nil {
		height, slip = height+g.height, slip+g.off
	}
	spread := f.spread()
	off = float64(9 * slip * spread)
	if u > 0 {
		off += tiny
	}
	finish := func(area float64) (T, float64) {
		off += float64(14 * u * (1 + size) * spread * (p.weight + float64(4*len(p.v))))
		return six, off + area
	}
	if len(p.v) < 3 {
		if math.IsInf(height, 1) {
			off += float64(64 * u * (1 + size) * spread)
		}
		return finish(0)
	}
	area := math.Abs(p.integral(func(*vertex[T]) T { return c.ar.of(1) }).float()) / 6
	if height > 0x1p-3 {
		// The volume is at most that of the frame above the polygon. A facet that is too steep for
		// its orientation to be known is thinner than 64u (1 + size).
		off += float64(64 * u * (1 + size) * spread)
		return finish(float64(area * (1 + 0x1p-20)))
	}
	for i := range p.v {
		v := &p.v[i]
		v.a, v.b = f.at(v), c.top
		if g != nil {
			v.b = g.at(v)
		}
	}
	six = c.integrate()
	return finish(float64(area * min(1, 4*height)))
}

// integrate returns six times the integral of the lower one of a and b, cut to [0, top], over the
// polygon.
//
// A cut is taken from the whole, not put together with the part on its other side: where the planes
// are one, signs are those of rounding errors and may change at more than two sides, and the two
// parts, closed by other sides each, do not make up the polygon. A part of a convex polygon between
// points on its border is convex, so it and what it leaves are winding numbers of 0 and 1.
func (c *columns[T]) integrate() (six T) {
	p := &c.p
	p.cut(first[T], math.Inf(1))
	p.cut(second[T], math.Inf(1))
	less, more := false, false
	for i := range p.v {
		s := p.v[i].a.minus(p.v[i].b).sign()
		less, more = less || s < 0, more || s > 0
	}
	if !more {
		return c.below(p, first[T])
	}
	six = c.below(p, second[T])
	if less {
		c.low.load(p.v, 0, p.size)
		c.low.cut(func(v *vertex[T]) T { return v.b.minus(v.a) }, math.Inf(1))
		six = six.minus(c.below(&c.low, second[T])).plus(c.below(&c.low, first[T]))
		p.weight += c.low.weight
	}
	return six
}

func first[T number[T]](v *vertex[T]) T  { return v.a }
func second[T number[T]](v *vertex[T]) T { return v.b }

// below returns six times the integral of a height, cut to the top, over a polygon.
func (c *columns[T]) below(p *polygon[T], height func(v *vertex[T]) T) (six T) {
	under := func(v *vertex[T]) T { return c.top.minus(height(v)) }
	above := false
	for i := range p.v {
		above = above || under(&p.v[i]).sign() < 0
	}
	p.weight += float64(4 * len(p.v))
	if !above {
		return p.integral(height)
	}
	c.flat.load(p.v, 0, p.size)
	c.flat.cut(under, math.Inf(1))
	p.weight += c.flat.weight + float64(4*len(c.flat.v))
	return p.integral(func(*vertex[T]) T { return c.top }).minus(c.flat.integral(under))
}

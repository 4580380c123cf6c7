package overlap

import "math"

// vertex is a corner of a polygon in the plane below the columns, with the heights of two planes
// above it.
type vertex[T number[T]] struct{ x, y, a, b T }

// polygon is a closed chain of vertices, cut by half-planes one after the other.
//
// # The error of a cut
//
// Let d bound the diameter of the chain, s = size the magnitudes of coordinates that a cut is
// computed from, and u the unit. A cut keeps the vertices at which its function, as computed, is
// not negative, and adds a vertex on each side whose ends differ in this. A value errs by 6u (1+s)
// times the gradient. A new vertex is within 5u of its side, and within e = 10u (1+s) of the line
// of the cut. What is kept and what is dropped, both closed by the new vertices, add up to the
// chain with these moved: an area of 5u d for each. The kept chain lies where the function is at
// least -e, the dropped one where it is at most e; so outside of the strip between, the winding
// number is that of an exact cut. In the strip, whose area in the hull of the chain is at most 2e
// d, the winding numbers are at most half of the numbers of vertices. So the winding number differs
// from that of an exact cut by at most 14u (1+s) d (n + n') in the mean, n and n' the numbers of
// vertices before and after: weight adds up n + n'.
type polygon[T number[T]] struct {
	ar     *arithmetic[T]
	v      []vertex[T]
	size   float64
	weight float64
	h      []T
	spare  []vertex[T]
}

// load begins a chain.
func (p *polygon[T]) load(v []vertex[T], weight, size float64) {
	p.v, p.weight, p.size = append(p.v[:0], v...), weight, size
}

// slack is 10u (1+s): no sign of a value beyond this times the gradient is wrong.
func (p *polygon[T]) slack() float64 {
	return float64(float64(10*p.ar.unit*(1+p.size)) * (1 + 0x1p-20))
}

// cut keeps the part in which a function is not negative. Where it is surely positive, by at least
// margin, it is no cut.
func (p *polygon[T]) cut(value func(v *vertex[T]) T, margin float64) {
	p.h = p.h[:0]
	sure, negative := p.ar.unit == 0, false
	least := math.Inf(1)
	for i := range p.v {
		h := value(&p.v[i])
		p.h = append(p.h, h)
		least = min(least, h.float())
		negative = negative || h.sign() < 0
	}
	if !negative {
		if !sure && !(least > margin) {
			p.weight += float64(2 * len(p.v))
		}
		return
	}
	p.weight += float64(len(p.v))
	p.keep()
	p.weight += float64(len(p.v))
}

// keep is the algorithm of Sutherland and Hodgman with the values h.
func (p *polygon[T]) keep() {
	out := p.spare[:0]
	for i := range p.v {
		j := i + 1
		if j == len(p.v) {
			j = 0
		}
		a, b := p.h[i].sign(), p.h[j].sign()
		if a >= 0 {
			out = append(out, p.v[i])
		}
		if a > 0 && b < 0 || a < 0 && b > 0 {
			out = append(out, between(&p.v[i], &p.v[j], p.h[i].over(p.h[i].minus(p.h[j]))))
		}
	}
	p.v, p.spare = out, p.v
}

// between returns the point at t on the way from p to q.
func between[T number[T]](p, q *vertex[T], t T) vertex[T] {
	return vertex[T]{
		p.x.plus(t.times(q.x.minus(p.x))), p.y.plus(t.times(q.y.minus(p.y))),
		p.a.plus(t.times(q.a.minus(p.a))), p.b.plus(t.times(q.b.minus(p.b))),
	}
}

// integral returns six times the integral of a function over the chain: by triangles, on which it
// is the mean of the corners.
func (p *polygon[T]) integral(value func(v *vertex[T]) T) (sum T) {
	for i := 2; i < len(p.v); i++ {
		o, a, b := &p.v[0], &p.v[i-1], &p.v[i]
		area := a.x.minus(o.x).times(b.y.minus(o.y)).minus(a.y.minus(o.y).times(b.x.minus(o.x)))
		sum = sum.plus(area.times(value(o).plus(value(a)).plus(value(b))))
	}
	return sum
}

package contain

import (
	"math"

	"ccd/core/geom"
	"ccd/core/num"
)

// Point is a point of which each coordinate is within Err of that of At. Exact returns the point
// itself; it is nil where Err is 0, and where the point is not known exactly.
type Point struct {
	At    geom.Vec
	Err   float64
	Exact func() *Rational
}

// exact returns the point itself; ok is false where it is not known.
func (p *Point) exact() (q exactPoint, ok bool) {
	if p.Err == 0 {
		return exactPoint{at: p.At}, true
	}
	if p.Exact == nil {
		return q, false
	}
	return exactPoint{at: p.At, rat: p.Exact()}, true
}

// Place says where a point is.
type Place int8

const (
	Unknown Place = iota // The point is nearer to the surface than its error.
	Off                  // The point is not on the surface.
	On                   // The point is on the surface.
)

// Winding returns the winding number of a closed surface around a point that is Off the surface.
//
// The ray from a point that is not known exactly may pass an edge within its error, far from the
// point. Then other points are tried: where the surface is farther from the point than one of them
// is, both have the same winding number.
func (s *Solid) Winding(p *Point) (winding int32, place Place) {
	r := s.rayFrom(p)
	if winding, place = r.count(s); place != Unknown || p.Err == 0 {
		return winding, place
	}
	for _, by := range [...]float64{0x1p4, 0x1p10, 0x1p20} {
		q := Point{Err: p.Err}
		far := 0.0
		for k, part := range [3]float64{1, -0.61803398875, 0.3819660112501} {
			q.At[k] = p.At[k] + float64(part*(by*p.Err))
			far = max(far, num.AddUp(math.Abs(num.SubUp(q.At[k], p.At[k])), p.Err))
		}
		if !s.clear(&p.At, float64(far*(1+0x1p-40))) {
			break
		}
		r = s.rayFrom(&q)
		if w, at := r.count(s); at == Off {
			return w, Off
		}
	}
	return winding, place
}

// clear reports whether the surface is surely farther than e from a point on some axis: of each
// triangle the box is, or the plane passes all points that near.
func (s *Solid) clear(p *geom.Vec, e float64) bool {
	var lo, hi geom.Vec
	for k := range 3 {
		lo[k], hi[k] = num.SubDown(p[k], e), num.AddUp(p[k], e)
	}
	stack := []int32{0}
	for len(stack) > 0 {
		n := &s.nodes[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
		if apart(&lo, &hi, n) {
			continue
		}
		if n.left != 0 {
			stack = append(stack, n.left, n.left+1)
			continue
		}
		for t := n.first; t < n.first+n.count; t++ {
			c := &s.tri[t]
			box := node{lo: c[0], hi: c[0]}
			box.widen(&c[1])
			box.widen(&c[2])
			u, w, d := geom.Sub3(&c[1], &c[0]), geom.Sub3(&c[2], &c[0]), geom.Sub3(p, &c[0])
			if !apart(&lo, &hi, &box) && volume(&u, &w, &d, 0, 0, e) == unsure {
				return false
			}
		}
	}
	return true
}

func (r *ray) count(s *Solid) (winding int32, place Place) {
	place = Off
	r.cast(s, -1, func(_ int32, change int32) { winding += change }, func(_ int32, at Place) bool {
		place = at
		return at == Unknown // A later triangle may say On.
	})
	if place != Off {
		return 0, place
	}
	return winding, Off
}

// ray is a ray along an axis from a point that is moved by (epsilon, epsilon^2) along the others, i
// and j, with epsilon infinitesimal and positive.
//
// So it meets no edge, and no triangle in a plane along k. A point that is not on the surface has
// the winding number of the moved point, as no part of the surface is between them. Where
// the ray leaves the solid through a triangle that is wound outwards, the triangle's corners turn
// to the left around it, and the winding number is the number of such triangles less that of those
// that turn to the right. Against the axis it is the other way round.
type ray struct {
	p       *Point
	i, j, k int
	up      bool
	exact   *exactPoint // what Point.exact returned
	lost    bool        // it returned false
}

// rayFrom returns the ray from a point that leaves the box of a solid after the shortest way. Which
// ray it is changes the work, but not the result.
func (s *Solid) rayFrom(p *Point) ray {
	root := &s.nodes[0]
	r, best := ray{p: p, k: 2, up: true}, math.Inf(1)
	for k := range 3 {
		if d := root.hi[k] - p.At[k]; d < best {
			best, r.k, r.up = d, k, true
		}
		if d := p.At[k] - root.lo[k]; d < best {
			best, r.k, r.up = d, k, false
		}
	}
	r.i, r.j = (r.k+1)%3, (r.k+2)%3
	return r
}

// meets reports whether the ray, or the point, may meet a box.
func (r *ray) meets(lo, hi *geom.Vec) bool {
	p, e := &r.p.At, r.p.Err
	if p[r.i]+e < lo[r.i] || p[r.i]-e > hi[r.i] || p[r.j]+e < lo[r.j] || p[r.j]-e > hi[r.j] {
		return false
	}
	if r.up {
		return p[r.k]-e <= hi[r.k]
	}
	return p[r.k]+e >= lo[r.k]
}

// cast calls change for each triangle that the ray passes through, with its component and what it
// adds to the winding number, and at for each triangle that the point is on, or may be on.
// Triangles of the component skip do not count. If at returns false, the rest is left out.
func (r *ray) cast(s *Solid, skip int32, change func(part, by int32), at func(part int32, place Place) bool) {
	var stack [128]int32 // the tree has at most 60 + 31 levels
	n := 1
	for n > 0 {
		n--
		node := &s.nodes[stack[n]]
		if !r.meets(&node.lo, &node.hi) {
			continue
		}
		if node.left != 0 {
			stack[n], stack[n+1] = node.left, node.left+1
			n += 2
			continue
		}
		for t := node.first; t < node.first+node.count; t++ {
			if s.part[t] == skip {
				continue
			}
			by, place := r.through(&s.tri[t])
			if place != Off {
				if !at(s.part[t], place) {
					return
				}
			} else if by != 0 {
				change(s.part[t], by)
			}
		}
	}
}

// through returns what a triangle adds to the winding number, and whether the point is on it.
//
// The moved point is seen within the triangle where its areas with the sides have one sign and none
// is 0. Two signs of the point itself that differ exclude that, and that the point is on the
// triangle. Without a 0 among them the signs are those of the moved point.
func (r *ray) through(t *Triangle) (by int32, place Place) {
	var at, turned [3]sign
	lost := false
	for c := range 3 {
		a, b := &t[c], &t[(c+1)%3]
		at[c] = r.area(a, b)
		if turned[c] = at[c]; at[c] == 0 {
			turned[c] = moved(a, b, r.i, r.j)
		}
		lost = lost || at[c] == unsure
	}
	if opposite(at[:]...) {
		return 0, Off
	}
	if lost {
		return 0, r.apart(t)
	}
	if at[0] == 0 || at[1] == 0 || at[2] == 0 {
		if place = r.on(t); place != Off {
			return 0, place
		}
	}
	if turned[0] == 0 || turned[0] != turned[1] || turned[0] != turned[2] {
		return 0, Off
	}
	// Of a triangle that turns to the left the points with a negative volume are below it.
	switch height := r.height(t); {
	case height == unsure:
		return 0, Unknown
	case height == 0:
		return 0, On
	case height == -turned[0] && r.up:
		return int32(turned[0]), Off
	case height == turned[0] && !r.up:
		return -int32(turned[0]), Off
	}
	return 0, Off
}

// apart returns Off where the ray and the point miss the box of a triangle, else Unknown.
func (r *ray) apart(t *Triangle) Place {
	n := node{lo: t[0], hi: t[0]}
	n.widen(&t[1])
	n.widen(&t[2])
	if r.meets(&n.lo, &n.hi) {
		return Unknown
	}
	return Off
}

// area returns the sign of the area of the point and a side of a triangle, as seen along the ray.
func (r *ray) area(a, b *geom.Vec) sign {
	if s := area(a, b, &r.p.At, r.i, r.j, r.p.Err); s != unsure {
		return s
	}
	if r.p.Err == 0 {
		if s := areaOfDoubles(a, b, &r.p.At, r.i, r.j); s != unsure {
			return s
		}
	}
	p := r.known()
	if p == nil {
		return unsure
	}
	x := integers(exactPoint{at: *a}, exactPoint{at: *b}, *p)
	return areaSign(x[0], x[1], x[2], r.i, r.j)
}

// height returns the sign of the volume of a triangle and the point.
func (r *ray) height(t *Triangle) sign {
	u, w, d := geom.Sub3(&t[1], &t[0]), geom.Sub3(&t[2], &t[0]), geom.Sub3(&r.p.At, &t[0])
	if s := volume(&u, &w, &d, 0, 0, r.p.Err); s != unsure {
		return s
	}
	x := r.with(t)
	if x == nil {
		return unsure
	}
	n, _ := normal(x[0], x[1], x[2])
	return sign(n.Dot(x[3].Minus(x[0])).Sign())
}

// on reports whether the point is on a triangle.
func (r *ray) on(t *Triangle) Place {
	p, e := r.p.At[r.k], r.p.Err
	if p+e < min(t[0][r.k], t[1][r.k], t[2][r.k]) || p-e > max(t[0][r.k], t[1][r.k], t[2][r.k]) {
		return Off
	}
	x := r.with(t)
	if x == nil {
		return Unknown
	}
	if onTriangle(x[3], x[0], x[1], x[2]) {
		return On
	}
	return Off
}

// with returns a triangle and the point in integers, or nil where the point is not known exactly.
func (r *ray) with(t *Triangle) []num.IntVec {
	p := r.known()
	if p == nil {
		return nil
	}
	return integers(exactPoint{at: t[0]}, exactPoint{at: t[1]}, exactPoint{at: t[2]}, *p)
}

// known returns the point itself, or nil.
func (r *ray) known() *exactPoint {
	if r.exact == nil && !r.lost {
		if p, ok := r.p.exact(); ok {
			r.exact = &p
		} else {
			r.lost = true
		}
	}
	return r.exact
}

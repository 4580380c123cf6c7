package overlap

import (
	"math"

	"ccd/core/contain"
	"ccd/core/geom"
)

// box is a box of two corners.
type box struct{ lo, hi geom.Vec }

// shrinksMost is how often a common box is made smaller.
const shrinksMost = 24

// shrunk returns a smaller box that holds what both solids have in common, if the given one does;
// ok is false where that is nothing.
//
// Let K be the common part. Where K has a greatest coordinate there is a point of one of the
// surfaces, and it is in the box. So K is in the box of the parts of both surfaces in the box.
func (m *measure) shrunk(b box) (_ box, ok bool) {
	same := contain.Identity()
	first, second := trianglesIn(m.a, m.ab, &b), trianglesIn(m.b, &same, &b)
	for range shrinksMost {
		next := box{geom.Vec{1, 1, 1}, geom.Vec{-1, -1, -1}}
		for k := range 3 {
			next.lo[k], next.hi[k] = math.Inf(1), math.Inf(-1)
		}
		first, second = next.join(first, &b), next.join(second, &b)
		size := func(b *box) (s float64) {
			for k := range 3 {
				s += b.hi[k] - b.lo[k]
			}
			return s
		}
		for k := range 3 {
			next.lo[k], next.hi[k] = max(next.lo[k], b.lo[k]), min(next.hi[k], b.hi[k])
			if !(next.lo[k] <= next.hi[k]) {
				return b, false
			}
		}
		before, after := size(&b), size(&next)
		if b = next; !(after < 0.75*before) {
			break
		}
	}
	return b, true
}

// placedTriangle is a triangle whose coordinates are within err of their true places.
type placedTriangle struct {
	at  contain.Triangle
	err float64
}

// trianglesIn returns the triangles whose boxes meet a box.
func trianglesIn(s *contain.Solid, by *contain.Placement, b *box) (out []placedTriangle) {
	tri := s.Triangles()
	for i := range tri {
		var t placedTriangle
		for c := range tri[i] {
			p := by.Point(&tri[i][c])
			t.at[c], t.err = p.At, p.Err
		}
		if t.meets(b) {
			out = append(out, t)
		}
	}
	return out
}

func (t *placedTriangle) meets(b *box) bool {
	for k := range 3 {
		x, y, z := t.at[0][k], t.at[1][k], t.at[2][k]
		if max(x, y, z)+t.err < b.lo[k] || min(x, y, z)-t.err > b.hi[k] {
			return false
		}
	}
	return true
}

// join makes the box hold the parts of triangles in b, and returns those that have such parts.
//
// A triangle is cut by the six sides of b, moved outwards by e = err + 2^-46 s, s the greatest of
// the magnitudes of coordinates. Each cut moves a vertex by less than 2^-50 s, and a sign is wrong
// only within err and this of a side. So no point in b is lost, and vertices are within e of the
// true part.
func (next *box) join(list []placedTriangle, b *box) []placedTriangle {
	kept := list[:0]
	var p, q [16]geom.Vec
	for _, t := range list {
		s := 0.0
		for c := range t.at {
			for _, x := range t.at[c] {
				s = max(s, math.Abs(x))
			}
		}
		e := t.err + float64(0x1p-46*s)
		poly, spare := append(p[:0], t.at[:]...), q[:0]
		for k := range 3 {
			poly, spare = cutAxis(poly, spare, k, 1, b.lo[k]-e), poly
			poly, spare = cutAxis(poly, spare, k, -1, -(b.hi[k]+e)), poly
		}
		if len(poly) == 0 {
			continue
		}
		kept = append(kept, t)
		for _, v := range poly {
			for k, x := range v {
				next.lo[k], next.hi[k] = min(next.lo[k], x-e), max(next.hi[k], x+e)
			}
		}
	}
	return kept
}

// cutAxis returns the part of a polygon in which sign times a coordinate is at least a limit.
func cutAxis(poly, out []geom.Vec, k int, sign, limit float64) []geom.Vec {
	out = out[:0]
	for i := range poly {
		p, q := &poly[i], &poly[(i+1)%len(poly)]
		a, b := float64(sign*p[k])-limit, float64(sign*q[k])-limit
		if a >= 0 {
			out = append(out, *p)
		}
		if a > 0 && b < 0 || a < 0 && b > 0 {
			t := a / (a - b)
			var x geom.Vec
			for l := range x {
				x[l] = p[l] + float64(t*(q[l]-p[l]))
			}
			out = append(out, x)
		}
	}
	return out
}

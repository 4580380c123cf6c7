package screw

import (
	"math"
	"slices"
)

// A polygon encloses the images of a node more tightly than its rectangle: points of the plane,
// each with what is within wide of it, and with what an outline has below and beside its points.
// Where n is 0 there is none.
type polygon struct {
	q                  [mostCorners][2]float64
	n                  int
	wide, bendR, bendZ float64
}

// mostCorners is how many corners a polygon has.
const mostCorners = 6

// polygonOf returns the polygon of the outline of one part.
func polygonOf(o *outline) (p polygon) {
	if math.IsInf(o.bendR, 1) {
		return p
	}
	p.n = copy(p.q[:], o.q[:])
	p.bendR, p.bendZ = o.bendR, o.bendZ
	return p
}

// extent returns between what values the polygon lies along a unit.
func (p *polygon) extent(u, v float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, q := range p.q[:p.n] {
		x := float64(q[0]*u) + float64(q[1]*v)
		lo, hi = min(lo, x), max(hi, x)
	}
	beside := float64(p.bendZ*math.Abs(v)) + p.wide
	return lo - (float64(p.bendR*max(u, 0)) + beside), hi + (float64(p.bendR*max(-u, 0)) + beside)
}

// joined returns the polygon around two: the convex hull of their corners, of which those that
// stand out least are left out. slack bounds what rounding does.
func joined(a, b *polygon, slack float64) (p polygon) {
	if a.n == 0 || b.n == 0 {
		return p
	}
	p.bendR, p.bendZ = max(a.bendR, b.bendR), max(a.bendZ, b.bendZ)
	var room, ring [2 * mostCorners][2]float64
	list := append(append(room[:0], a.q[:a.n]...), b.q[:b.n]...)
	hull := convexHull(list, ring[:0])
	out := 0.0
	for len(hull) > mostCorners {
		least, at := math.Inf(1), 0
		for i := range hull {
			before, after := &hull[(i+len(hull)-1)%len(hull)], &hull[(i+1)%len(hull)]
			if d := toSegment(&hull[i], before, after); d < least {
				least, at = d, i
			}
		}
		out += least
		hull = append(hull[:at], hull[at+1:]...)
	}
	p.n = copy(p.q[:], hull)
	p.wide = max(a.wide, b.wide) + out + slack
	return p
}

// convexHull appends the corners of the convex hull of a list to another one, around; a point that
// is within rounding of an edge may be left out. It reorders the list.
func convexHull(list, hull [][2]float64) [][2]float64 {
	for i := 1; i < len(list); i++ { // There are few.
		for j := i; j > 0 && slices.Compare(list[j][:], list[j-1][:]) < 0; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
	add := func(p [2]float64, from int) {
		for n := len(hull); n-from >= 2 && turnsRight(&hull[n-2], &hull[n-1], &p); n = len(hull) {
			hull = hull[:n-1]
		}
		hull = append(hull, p)
	}
	for _, p := range list {
		add(p, 0)
	}
	hull = hull[:len(hull)-1]
	below := len(hull)
	for i := len(list) - 1; i >= 0; i-- {
		add(list[i], below)
	}
	if hull = hull[:len(hull)-1]; len(hull) == 0 {
		hull = append(hull, list[0])
	}
	return hull
}

// turnsRight reports whether the way from a over b to c turns right, or goes on straight.
func turnsRight(a, b, c *[2]float64) bool {
	return float64((b[0]-a[0])*(c[1]-a[1]))-float64((b[1]-a[1])*(c[0]-a[0])) <= 0
}

// toSegment returns the distance of p from the segment from a to b.
func toSegment(p, a, b *[2]float64) float64 {
	x, y, u, v := p[0]-a[0], p[1]-a[1], b[0]-a[0], b[1]-a[1]
	s := 0.0
	if l := float64(u*u) + float64(v*v); l > 0 {
		s = min(max((float64(x*u)+float64(y*v))/l, 0), 1)
	}
	x, y = x-float64(s*u), y-float64(s*v)
	return math.Sqrt(float64(x*x) + float64(y*y))
}

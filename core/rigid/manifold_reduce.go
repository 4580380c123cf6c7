package rigid

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
)

const (
	oneNormal = 0x1p-10 // how far the ends of normals of one group may be apart
	fairly    = 1 + 0x1p-20
	hullMost  = 128 // corners of a hull that the largest four are chosen from
)

// grouped numbers the normals of points, in their order, and returns how many there are.
func grouped(points []ManifoldPoint) int {
	var normals []r3.Vec
	for i := range points {
		n := points[i].Normal
		g := slices.IndexFunc(normals, func(m r3.Vec) bool { return geom.Norm(r3.Sub(m, n)) <= oneNormal })
		if g < 0 {
			g = len(normals)
			normals = append(normals, n)
		}
		points[i].Group = int32(g)
	}
	return len(normals)
}

// reduced returns at most four points of each group: those with the largest hull, in their order.
func reduced(points []ManifoldPoint, groups int, near float64) []ManifoldPoint {
	members := make([][]int, groups)
	for i := range points {
		members[points[i].Group] = append(members[points[i].Group], i)
	}
	keep := make([]bool, len(points))
	for _, list := range members {
		for _, i := range largest(points, list, near) {
			keep[i] = true
		}
	}
	var out []ManifoldPoint
	for i := range points {
		if keep[i] {
			out = append(out, points[i])
		}
	}
	return out
}

// planar is a point of a group in the plane across its normal.
type planar struct {
	x, y float64
	at   int
}

// to returns the distance of two points.
func (p planar) to(q planar) float64 { return geom.Norm(r3.Vec{X: p.x - q.x, Y: p.y - q.y}) }

// largest returns at most four of the points whose hull has the largest area of all choices, where
// several have it but for rounding the first in the order of points. Of points on a line, but for
// near, it returns the two farthest apart.
//
// The largest quadrilateral has at least 2/pi of the area of the hull [Sas1939].
func largest(points []ManifoldPoint, list []int, near float64) []int {
	if len(list) <= 2 {
		return list
	}
	n := points[list[0]].Normal
	u, _ := geom.Unit(geom.Cross(n, geom.LeastAxis(n)), geom.Cross(n, geom.LeastAxis(n)))
	v := geom.Cross(n, u)
	from := points[list[0]].PointA
	flat := make([]planar, len(list))
	for i, k := range list {
		d := r3.Sub(points[k].PointA, from)
		flat[i] = planar{geom.Dot(u, d), geom.Dot(v, d), k}
	}
	i, j := farthest(flat)
	width := 0.0
	for k := range flat {
		width = max(width, math.Abs(areaOf(flat[i], flat[j], flat[k])))
	}
	if length := flat[i].to(flat[j]); width <= float64(near*length) {
		return []int{flat[i].at, flat[j].at}
	}
	if len(list) <= 4 {
		return list
	}
	h := fewCorners(flat)
	slices.SortFunc(h, func(a, b planar) int { return a.at - b.at })
	var best []int
	most := 0.0
	for i := range h {
		for j := range h[:i] {
			area, quad := acrossDiagonal(h, j, i)
			if area > float64(most*fairly) {
				most, best = area, quad
			}
		}
	}
	slices.Sort(best)
	return slices.Compact(best)
}

// acrossDiagonal returns the largest quadrilateral with a diagonal, or the triangle on one side of
// it.
func acrossDiagonal(h []planar, i, j int) (area float64, quad []int) {
	var most [2]float64
	at := [2]int{h[i].at, h[j].at}
	for k := range h {
		a := areaOf(h[i], h[j], h[k])
		side := 0
		if a < 0 {
			side, a = 1, -a
		}
		if a > float64(most[side]*fairly) {
			most[side], at[side] = a, h[k].at
		}
	}
	return most[0] + most[1], []int{h[i].at, h[j].at, at[0], at[1]}
}

// areaOf is twice the area of a triangle, above 0 if it is counterclockwise.
func areaOf(a, b, c planar) float64 {
	return float64((b.x-a.x)*(c.y-a.y)) - float64((b.y-a.y)*(c.x-a.x))
}

// farthest returns two points that are the farthest apart, but for a factor of the root of two: the
// farthest from the first, and the farthest from that; of equal ones the first.
func farthest(p []planar) (i, j int) {
	from := func(i int) (at int) {
		most := 0.0
		for k := range p {
			if d := p[k].to(p[i]); d > float64(most*fairly) {
				most, at = d, k
			}
		}
		return at
	}
	i = from(0)
	return i, from(i)
}

// fewCorners returns the corners of the hull of points, or those of most directions if they are
// many.
func fewCorners(p []planar) (h []planar) {
	if h = rim(slices.Clone(p)); len(h) > hullMost {
		return extremes(h)
	}
	return h
}

// rim returns the corners of the hull of points, counterclockwise. It orders the points.
func rim(p []planar) (h []planar) {
	slices.SortFunc(p, func(a, b planar) int {
		switch {
		case a.x < b.x || a.x == b.x && a.y < b.y:
			return -1
		case a.x > b.x || a.x == b.x && a.y > b.y:
			return 1
		}
		return a.at - b.at
	})
	half := func(start int) {
		for _, c := range p {
			for len(h) >= start+2 && areaOf(h[len(h)-2], h[len(h)-1], c) <= 0 {
				h = h[:len(h)-1]
			}
			h = append(h, c)
		}
		h = h[:len(h)-1]
	}
	half(0)
	slices.Reverse(p)
	half(len(h))
	return h
}

// extremes returns those of the points that are the farthest in one of many directions.
func extremes(h []planar) (some []planar) {
	kept := map[int]bool{}
	for k := range hullMost {
		sin, cos := num.Sincos(float64(2*math.Pi*float64(k))/hullMost, 0)
		best, most := 0, math.Inf(-1)
		for i := range h {
			if d := float64(cos*h[i].x) + float64(sin*h[i].y); d > most {
				best, most = i, d
			}
		}
		kept[best] = true
	}
	for i := range h {
		if kept[i] {
			some = append(some, h[i])
		}
	}
	return some
}

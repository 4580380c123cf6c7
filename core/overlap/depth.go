package overlap

import (
	"cmp"
	"math"
	"slices"

	"ccd/core/contain"
	"ccd/core/engine"
	"ccd/core/exact"
	"ccd/core/geom"
	"ccd/core/num"
)

// State says whether the distance has a derivative: values of geom.GradientState.
type State int32

// The states.
const (
	Undetermined State = 0 // rounding of a pose hides the nearest point
	Defined      State = 1 // one point of the surface is nearest
	OnIt         State = 3 // the point is on the surface
	Tie          State = 5 // several points are nearest, as far as the bracket tells
)

// Depth says where a point lies to a closed surface; its layout is that of ccd_depth: 96 bytes, no
// padding.
type Depth struct {
	Lo, Hi  float64  // the distance from the surface
	At      geom.Vec // a nearest point of the surface
	Normal  geom.Vec // the direction from there to the point: the derivative of the distance by the point
	U, V    float64  // At is (1 - U - V) c0 + U c1 + V c2, with the corners of the face
	Face    int64
	Winding int32 // contain.OnSurface and contain.UnknownWinding included
	State   State
}

// NoDepth is a Depth that says nothing.
func NoDepth() Depth {
	return Depth{Hi: math.Inf(1), Face: -1, Winding: contain.UnknownWinding}
}

// block of points that a worker takes at a time.
const pointsAtATime = 64

// Depths writes the depth of points in a closed surface to out, on the threads of the call. Points
// are in the coordinates of the solid.
func Depths(c *engine.Call, s *contain.Solid, out []Depth, point func(i int) contain.Point) error {
	return inBlocks(c, len(out), func(i int) {
		p := point(i)
		out[i] = depth(s, &p)
	})
}

// inBlocks calls one for n points, on the threads of a call.
func inBlocks(c *engine.Call, n int, one func(i int)) error {
	blocks := (n + pointsAtATime - 1) / pointsAtATime
	tasks := engine.NewTasks(0, blocks)
	c.Progress.Part(int64(blocks), 1)
	return c.Run(blocks, func(int) {
		for b := range tasks.All() {
			for i := b * pointsAtATime; i < min((b+1)*pointsAtATime, n); i++ {
				one(i)
			}
			if !c.Progress.Pass(1) {
				tasks.Stop()
			}
		}
	})
}

// near is a triangle that may be the nearest, with the bracket of its distance.
type near struct {
	lo, hi float64
	u, v   float64
	way    geom.Vec // The direction from the nearest point to p, of any length.
	i      int32
}

// depth returns where a point lies.
func depth(s *contain.Solid, p *contain.Point) (d Depth) {
	w, place := s.Winding(p)
	switch place {
	case contain.On:
		w = contain.OnSurface
	case contain.Unknown:
		w = contain.UnknownWinding
	}
	tri := s.Triangles()
	list := candidates(s, &p.At)
	if p.Err == 0 && !sharp(list) {
		list = refined(s, &p.At, list)
	}
	best := &list[0]
	d = Depth{Lo: best.lo, Hi: best.hi, U: best.u, V: best.v, Face: int64(s.Faces()[best.i]), Winding: w}
	d.Lo = bracketOf(list).Lo
	d.At = on(&tri[best.i], best.u, best.v)
	d.State = state(list, tri, &d.At, place)
	if p.Err > 0 {
		// Each coordinate is off by Err: the point by at most 1.74 Err.
		off := float64(p.Err * 1.74)
		d.Lo, d.Hi = max(num.SubDown(d.Lo, off), 0), num.AddUp(d.Hi, off)
	}
	switch {
	case place == contain.On:
		d.Lo, d.Hi = 0, 0
	case d.State == Defined:
		d.Normal = unit(&best.way)
	}
	return d
}

// candidates returns the triangles that may be the nearest ones to a point, the one with the least
// upper bound first.
func candidates(s *contain.Solid, p *geom.Vec) (list []near) {
	tri := s.Triangles()
	least := math.Inf(1)
	s.Near(p, least, func(i int32) float64 {
		n := enclose(p, &tri[i])
		if n.lo <= least {
			n.i = i
			list = append(list, n)
		}
		least = min(least, n.hi)
		return least
	})
	return ordered(s, nearest(list))
}

// refined measures candidates in integers.
func refined(s *contain.Solid, p *geom.Vec, list []near) []near {
	for i := range list {
		list[i] = encloseExactly(p, &s.Triangles()[list[i].i], list[i].i)
	}
	return ordered(s, nearest(list))
}

func ordered(s *contain.Solid, list []near) []near {
	slices.SortFunc(list, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.hi, b.hi), cmp.Compare(s.Faces()[a.i], s.Faces()[b.i]))
	})
	return list
}

// bracketOf returns the bracket of the distance that candidates, in order, leave.
func bracketOf(list []near) Bracket {
	b := Bracket{list[0].lo, list[0].hi}
	for i := range list {
		b.Lo = min(b.Lo, list[i].lo)
	}
	return b
}

// nearest drops what is farther than the least upper bound.
func nearest(list []near) []near {
	least := math.Inf(1)
	for i := range list {
		least = min(least, list[i].hi)
	}
	return slices.DeleteFunc(list, func(n near) bool { return n.lo > least })
}

// sharpness is the relative width of brackets of distances that tell where a nearest point is.
const sharpness = 0x1p-40

func sharp(list []near) bool {
	for i := range list {
		if !(list[i].hi-list[i].lo <= sharpness*list[i].hi) || list[i].hi == 0 {
			return false
		}
	}
	return true
}

// state compares the nearest points.
//
// The nearest point of a triangle is within the root of hi^2 - lo^2 of each point of it at a
// distance of at most hi, as the triangle is convex. In a sharp bracket this is less than 1.4e-6
// hi.
func state(list []near, tri []contain.Triangle, at *geom.Vec, place contain.Place) State {
	if place == contain.On {
		return OnIt
	}
	if !sharp(list) {
		return Undetermined
	}
	for i := 1; i < len(list); i++ {
		q := on(&tri[list[i].i], list[i].u, list[i].v)
		d := geom.Sub3(&q, at)
		if m := max(math.Abs(d[0]), math.Abs(d[1]), math.Abs(d[2])); !(m <= 5e-6*list[0].hi) {
			// Points that round to other ones are compared by their directions.
			a, b := unit(&list[0].way), unit(&list[i].way)
			e := geom.Sub3(&a, &b)
			if !(max(math.Abs(e[0]), math.Abs(e[1]), math.Abs(e[2])) <= 5e-6) {
				return Tie
			}
		}
	}
	return Defined
}

// on returns the point of a triangle with the parameters u and v, corners themselves.
func on(t *contain.Triangle, u, v float64) (q geom.Vec) {
	switch {
	case u == 1:
		return t[1]
	case v == 1:
		return t[2]
	}
	for k := range q {
		q[k] = t[0][k] + float64(u*(t[1][k]-t[0][k])) + float64(v*(t[2][k]-t[0][k]))
	}
	return q
}

// unit returns the vector of length 1 in a direction.
func unit(w *geom.Vec) (n geom.Vec) {
	m := max(math.Abs(w[0]), math.Abs(w[1]), math.Abs(w[2]))
	if !(m > 0) {
		return n
	}
	for k := range n {
		n[k] = w[k] / m
	}
	length := math.Sqrt(geom.Dot3(&n, &n))
	for k := range n {
		n[k] = n[k]/length + 0 // No -0.
	}
	return n
}

// encloseExactly is enclose in integers: lo and hi are the doubles beside the distance.
func encloseExactly(p *geom.Vec, t *contain.Triangle, i int32) (n near) {
	x := make([]float64, 0, 12)
	x = append(append(append(append(x, p[:]...), t[0][:]...), t[1][:]...), t[2][:]...)
	e := exact.NearestOf(geom.VertexFace, x)
	n.lo, n.hi = e.Enclose()
	n.u, n.v = e.Parameters()
	n.v = min(n.v, num.SubDown(1, n.u))
	n.i = i
	// The vector to the point, in a unit in which it has at most 100 bits before the point.
	way := e.At(e.U, e.V, e.Den)
	bits := 0
	for k := range way {
		bits = max(bits, way[k].BitLen())
	}
	for k := range way {
		n.way[k] = exact.ToDouble(way[k], 100-bits)
	}
	return n
}

// enclose returns the distance of a point from a triangle in floats.
//
// Let f_i be the corners less p, each rounded once. A point of the triangle with the parameters u
// and v is at f = f_0 + u (f_1 - f_0) + v (f_2 - f_0). With m the sum of the magnitudes of the
// corners' components, a component of f errs by less than 8u m in all, so |f| by 14u m, and its
// root by 4u of itself. Any direction w has all points at least as far as the least w.f_i / |w|:
// each product sum errs by 4u |w|_1 m. Both bounds hold however u, v and w were found. Lengths that
// may overflow or underflow when they are multiplied are left to integers.
func enclose(p *geom.Vec, t *contain.Triangle) (n near) {
	const unitOff = 0x1p-53
	var f [3]geom.Vec
	m := 0.0
	for i := range f {
		f[i] = geom.Sub3(&t[i], p)
		m += math.Abs(f[i][0]) + math.Abs(f[i][1]) + math.Abs(f[i][2])
	}
	if !(m > 0x1p-120 && m < 0x1p120) {
		return encloseExactly(p, t, 0)
	}
	n.u, n.v = parameters(&f)
	var q geom.Vec
	for k := range q {
		q[k] = f[0][k] + float64(n.u*(f[1][k]-f[0][k])) + float64(n.v*(f[2][k]-f[0][k]))
		n.way[k] = -q[k]
	}
	length := math.Sqrt(geom.Dot3(&q, &q))
	n.hi = float64(length*(1+8*unitOff)) + float64(16*unitOff*m) + 0x1p-300
	least := math.Inf(1)
	for i := range f {
		least = min(least, geom.Dot3(&q, &f[i]))
	}
	sum := math.Abs(q[0]) + math.Abs(q[1]) + math.Abs(q[2])
	least -= float64(float64(6*unitOff*sum)*m) + 0x1p-600
	if least > 0 {
		n.lo = float64(least / length * (1 - 16*unitOff))
	}
	return n
}

// parameters returns about where a triangle is nearest to the origin: in its inside, on a side or
// at a corner, by the signs of inner products.
func parameters(f *[3]geom.Vec) (u, v float64) {
	b, c := geom.Sub3(&f[1], &f[0]), geom.Sub3(&f[2], &f[0])
	n := geom.Cross3(&b, &c)
	if nn := geom.Dot3(&n, &n); nn > 0 {
		x, y := geom.Cross3(&f[2], &f[0]), geom.Cross3(&f[0], &f[1])
		u, v = geom.Dot3(&n, &x)/nn, geom.Dot3(&n, &y)/nn
		if u >= 0 && v >= 0 && u+v <= 1 {
			return u, min(v, num.SubDown(1, u))
		}
	}
	best := math.Inf(1)
	for i := range 3 {
		j := (i + 1) % 3
		d := geom.Sub3(&f[j], &f[i])
		s := 0.0
		if dd := geom.Dot3(&d, &d); dd > 0 {
			s = min(max(-geom.Dot3(&f[i], &d)/dd, 0), 1)
		}
		var q geom.Vec
		for k := range q {
			q[k] = f[i][k] + float64(s*d[k])
		}
		if square := geom.Dot3(&q, &q); square < best {
			best = square
			weight := [3]float64{}
			weight[i], weight[j] = num.SubDown(1, s), s
			u, v = weight[1], weight[2]
		}
	}
	return u, min(v, num.SubDown(1, u))
}

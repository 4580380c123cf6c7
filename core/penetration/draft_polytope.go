package penetration

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
)

// draftFace is a triangle of the polytope of a draft, seen from outside counterclockwise. n, length
// and the bracket of its distance are those of a facet.
type draftFace struct {
	v      [3]int32
	next   [3]int32
	n      r3.Vec
	length float64
	off    float64
	lo, hi float64
	sharp  bool // lo and hi are from balls
	gone   bool
	mark   int32
}

// mostDraftSteps is how many faces a draft looks at before it gives up.
const mostDraftSteps = 192

// leastDistance is the least distance of a face, scaled, that a draft takes: it stays a double
// without a rounding in every unit that a draft serves.
const leastDistance = 0x1p-400

// drawFacet expands the tetrahedron of a draft, which holds the origin, as search does. The face
// that is nearest at the end has nothing beyond it, as far as double-doubles tell.
//
// Its lower bound is one of the depth. The faces are a closed surface whatever rounding did: those
// that a step removes have the rim as their border, and so have those that it adds. No other face
// has a lower bound below that of the nearest, lo > 0; so all are seen counterclockwise from the
// origin, and the solid angles that they cover are positive. Their sum is 4 pi times a whole
// number, which therefore is at least 1: each direction meets a face, whose points are at least lo
// away and in C. C is convex, so it holds the ball of the radius lo about the origin.
func (s *Solver) drawFacet(out *Depth) bool {
	d := &s.draft
	inner := num.AddDown(s.a.Radius(), s.b.Radius())
	d.enclose()
	for d.steps < mostDraftSteps && !d.failed && !d.spent() {
		d.steps++
		at := d.nearest()
		f := &d.faces[at]
		c := d.support(f.n)
		if beyond := geom.Dot(f.n, c.at)/f.length - f.hi; beyond > float64(64*u) && !f.has(d, c.a, c.b) {
			d.expand(at, c)
			continue
		}
		if !f.sharp {
			d.sharpen(f)
			continue
		}
		if !(f.lo > leastDistance) {
			return false // The origin may be on the border.
		}
		_, m := d.plane(f)
		for k := range m {
			m[k] = m[k].Center()
		}
		lo := num.AddDown(math.Ldexp(f.lo, d.exponent), inner)
		top, ok := s.prove(&m, lo, s.deviations(), out)
		if ok {
			s.kind, out.Iterations = byFacet, d.steps
			a, b := d.foot(f)
			s.place(a, b, out)
			return true
		}
		if top.a < 0 || f.has(d, top.a, top.b) {
			return false
		}
		d.expand(at, d.corner(top.a, top.b))
	}
	return false
}

// has reports whether a corner of C is one of a face.
func (f *draftFace) has(d *draft, a, b int32) bool {
	for _, i := range f.v {
		if d.v[i].a == a && d.v[i].b == b {
			return true
		}
	}
	return false
}

// enclose makes the simplex of four corners the polytope.
func (d *draft) enclose() {
	d.v = append(d.v[:0], d.near.c[:4]...)
	if d.near.signed(3, d.near.c[3].at) < 0 { // The fourth is to be behind the first three.
		d.v[1], d.v[2] = d.v[2], d.v[1]
	}
	d.faces = d.faces[:0]
	for i, v := range [4][3]int32{{0, 1, 2}, {0, 2, 3}, {2, 1, 3}, {1, 0, 3}} {
		f := draftFace{v: v, next: [4][3]int32{{3, 2, 1}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}}[i]}
		d.describe(&f)
		d.faces = append(d.faces, f)
	}
	d.round = 0
}

// nearest returns the face with the least lower bound of its distance.
func (d *draft) nearest() (at int32) {
	least := math.Inf(1)
	for i := range d.faces {
		if f := &d.faces[i]; !f.gone && f.lo < least {
			at, least = int32(i), f.lo
		}
	}
	return at
}

// describe computes the plane of a face in floats, or where these tell little in balls, with the
// bounds that polytope.describe derives.
func (d *draft) describe(f *draftFace) {
	a, b, c := d.v[f.v[0]].at, d.v[f.v[1]].at, d.v[f.v[2]].at
	e1, e2 := r3.Sub(b, a), r3.Sub(c, a)
	f.n = geom.Cross(e1, e2)
	f.length = geom.Norm(f.n)
	f.off = float64(128*u*(geom.Norm(e1)+geom.Norm(e2))*slack) + 0x1p-90
	if f.off > f.length*0x1p-12 {
		d.sharpen(f)
		return
	}
	x := geom.Dot(f.n, a) / f.length
	err := float64((float64(0.5*f.off) + float64(32*u*f.length) + float64(math.Abs(x)*(f.off+float64(4*u*f.length)))) /
		(f.length - f.off) * slack)
	if f.lo, f.hi = num.Down(x-err), num.Up(x+err); f.hi-f.lo > 0x1p-30 {
		d.sharpen(f)
	}
}

// plane returns the vector product of two edges of a face, and of its first corner with it.
func (d *draft) plane(f *draftFace) (c num.Ball, n num.BallVec) {
	x, y, z := d.ball(d.v[f.v[0]]), d.ball(d.v[f.v[1]]), d.ball(d.v[f.v[2]])
	e1, e2 := y.Minus(&x), z.Minus(&x)
	n = e1.Cross(&e2)
	return n.Dot(&x), n
}

// sharpen computes the distance of a face, and its normal, from balls.
func (d *draft) sharpen(f *draftFace) {
	c, n := d.plane(f)
	f.n = r3.Vec{X: n[0].H, Y: n[1].H, Z: n[2].H}
	length := n.Dot(&n).Sqrt()
	f.length = length.H
	f.lo, f.hi = c.Div(length).Ends()
	f.sharp = true
	if !(f.hi-f.lo <= 0x1p-48) || !(f.length > 0) {
		d.failed, f.lo, f.hi, f.length = true, math.Inf(-1), math.Inf(1), 1
	}
}

// beyond reports whether a corner is surely on the outer side of a face; see polytope.side.
func (d *draft) beyond(f *draftFace, c *corner) bool {
	w := r3.Sub(c.at, d.v[f.v[0]].at)
	return geom.Dot(f.n, w) > float64((float64(f.off*geom.Norm(w))+float64(64*u*f.length))*slack)+0x1p-140
}

// expand makes a corner beyond a face one of the polytope, as polytope.expand does. Where rounding
// lets it meet a corner twice, or leaves no rim because every face of a polytope that is inside out
// is visible, the draft has failed.
func (d *draft) expand(first int32, c corner) {
	d.round++
	d.faces[first].mark = d.round
	d.visible, d.rim = append(d.visible[:0], first), d.rim[:0]
	for k := 0; k < len(d.visible); k++ {
		f := &d.faces[d.visible[k]]
		for i, next := range f.next {
			switch other := &d.faces[next]; {
			case other.mark == d.round:
			case d.beyond(other, &c):
				other.mark = d.round
				d.visible = append(d.visible, next)
			default:
				d.rim = append(d.rim, rimEdge{f.v[i], f.v[(i+1)%3], next})
			}
		}
	}
	if len(d.rim) == 0 {
		d.failed = true
		return
	}
	begin, at := int32(len(d.faces)), int32(len(d.v))
	d.v = append(d.v, c)
	d.starts = append(d.starts[:0], make([]int32, at)...)
	for k, e := range d.rim {
		id := begin + int32(k)
		if d.starts[e.from] != 0 {
			d.failed = true
			return
		}
		d.starts[e.from] = id
		d.faces = append(d.faces, draftFace{v: [3]int32{e.from, e.to, at}, next: [3]int32{e.beyond, -1, -1}})
		d.describe(&d.faces[id])
		other := &d.faces[e.beyond]
		for i, v := range other.v {
			if v == e.to && other.v[(i+1)%3] == e.from {
				other.next[i] = id
			}
		}
	}
	for k := begin; k < int32(len(d.faces)); k++ {
		next := d.starts[d.faces[k].v[1]]
		d.faces[k].next[1] = next
		d.faces[next].next[2] = k
	}
	for _, i := range d.visible {
		d.faces[i].gone = true
	}
}

// foot returns the points of the bodies, about A's origin and scaled, whose difference is about the
// foot of the origin on the plane of a face: those of Solver.points.
func (d *draft) foot(f *draftFace) (a, b r3.Vec) {
	best, weights := math.Inf(-1), [3]float64{}
	var at *draftFace
	for i := range d.faces {
		g := &d.faces[i]
		alike := float64(f.length * g.length * (1 - 0x1p-30))
		if g != f && (g.gone || g.lo > f.hi+0x1p-40 || geom.Dot(f.n, g.n) < alike) {
			continue
		}
		if w, least := weightsOf(d.v[g.v[0]].at, d.v[g.v[1]].at, d.v[g.v[2]].at, g.n); least > best || at == nil {
			at, best, weights = g, least, w
		}
	}
	sum := 0.0
	for k := range weights {
		weights[k] = max(weights[k], 0)
		sum += weights[k]
	}
	for k, v := range at.v {
		a = r3.Add(a, geom.Scale(weights[k]/sum, d.at(0, d.v[v].a)))
		b = r3.Add(b, geom.Scale(weights[k]/sum, d.at(1, d.v[v].b)))
	}
	return a, b
}

package screw

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/geom"
)

// A rect is a rectangle in the plane of images: of (r, z - advance angle) about an axis, or of (x,
// y) across a slide. It holds the images of a part of a body.
type rect struct {
	r, z   float64 // its center
	c, s   float64 // a unit along its first side; the other is along (-s, c)
	e, f   float64 // half of its sides
	least  float64 // no point of the part is nearer to the axis; of a slide, -Inf
	lo, hi float64 // the angles of the part about the axis; of a slide, its places along it
}

// A part is the image of a triangle, or of a part of one, and of its copies: the members [first,
// last) of the tree. Of the triangle that was drawn the angles are own, those of the rectangle are
// of all.
type part struct {
	rect
	outline
	own         [2]float64
	first, last int32
}

// isThin reports whether a side is much longer than the other.
func (x *rect) isThin() bool { return min(x.e, x.f) < float64(0x1p-4*max(x.e, x.f)) }

// farthest bounds the images' r.
func (x *rect) farthest() float64 {
	return x.r + (float64(x.e*math.Abs(x.c)) + float64(x.f*math.Abs(x.s)))
}

// An outline is what encloses an image more tightly than a rectangle: three points of the plane,
// with what lies below them by bendR in r, and beside them by bendZ in z. bendR is infinite where
// there is none.
type outline struct {
	q            [3][2]float64
	bendR, bendZ float64
}

// extent returns between what values the outline lies along a direction of the plane.
func (o *outline) extent(d *[2]float64) (lo, hi float64) {
	x, y, z := along2(&o.q[0], d), along2(&o.q[1], d), along2(&o.q[2], d)
	beside := float64(o.bendZ * math.Abs(d[1]))
	return min(x, y, z) - (float64(o.bendR*max(d[0], 0)) + beside),
		max(x, y, z) + (float64(o.bendR*max(-d[0], 0)) + beside)
}

// An imager makes the images of the triangles of a body.
type imager struct {
	frame    Axis
	m        geom.Mat
	size     float64 // bounds the distances of the body's points from the origin of the axis, and 8 advances
	slack    float64 // bounds what rounding may add to a side
	coarse   float64 // a part whose image bends by more is halved
	most     int     // the most parts that a triangle is divided into
	out      []part
	members  []member
	spread   float64   // bounds what copies of the triangle that is being drawn are off it
	halvings []halving // those of the triangle that is being drawn
	// sides are the directions along which the images of a triangle's parts are measured: r, and
	// the edges of the image of the whole triangle.
	sides [][2]float64
}

// mostHalvings bounds how often a triangle is halved for a part.
const mostHalvings = 12

// A halving is a part of a triangle: its corners, and whether their distances from the axis and
// their angles about it are known.
type halving struct {
	p        [3]r3.Vec
	r, angle [3]float64
	depth    int
	known    bool
}

// corners returns a triangle of the body in axis coordinates.
func (m *imager) corners(t *bvh.Triangle) (h halving) {
	for k := range t {
		h.p[k] = m.m.Apply(r3.Sub(t[k], m.frame.point))
	}
	return h
}

// triangle makes the images of a triangle of the body.
func (m *imager) triangle(t *bvh.Triangle) {
	h := m.corners(t)
	m.sides = append(m.sides[:0], [2]float64{1, 0})
	if m.frame.slide {
		q := [3][2]float64{{h.p[0].X, h.p[0].Y}, {h.p[1].X, h.p[1].Y}, {h.p[2].X, h.p[2].Y}}
		m.sides = m.addEdges(m.sides, &q)
		m.out = append(m.out, m.shadow(&h.p, &q))
		return
	}
	m.halvings = append(m.halvings[:0], h)
	for i := 0; i < len(m.halvings); i++ { // Breadth first: where parts run out, all are about as large.
		h := &m.halvings[i]
		h.measure()
		by := m.bend(h)
		if i == 0 {
			q := h.images(m.frame.advance)
			m.sides = m.addEdges(m.sides, &q)
		}
		if m.tooBent(h, &by) && h.depth < mostHalvings && len(m.halvings)+2 <= 2*m.most {
			a, b := h.halves(by.edge(&h.p))
			m.halvings = append(m.halvings, a, b)
			continue
		}
		m.out = append(m.out, m.image(h, &by))
	}
}

// measure finds the distances and the angles, those of the other corners within pi of the first's.
func (h *halving) measure() {
	if h.known {
		return
	}
	for k := range h.p {
		h.r[k] = axisDistance(&h.p[k])
		h.angle[k] = nearTo(angleOf(h.p[k].Y, h.p[k].X), h.angle[0], k > 0)
	}
}

// axisDistance returns the distance of a point from the axis.
func axisDistance(p *r3.Vec) float64 { return math.Sqrt(float64(p.X*p.X) + float64(p.Y*p.Y)) }

// nearTo returns an angle, with whole turns added that bring it within pi of another one, if so.
func nearTo(angle, to float64, so bool) float64 {
	if d := angle - to; so && d > math.Pi {
		return angle - 2*math.Pi
	} else if so && d < -math.Pi {
		return angle + 2*math.Pi
	}
	return angle
}

// halves divides the part through the middle of an edge.
func (h *halving) halves(edge int) (a, b halving) {
	i, j := edge, (edge+1)%3
	mid := geom.Scale(0.5, r3.Add(h.p[i], h.p[j]))
	a = *h
	a.depth++
	b = a
	a.p[j], b.p[i] = mid, mid
	if h.known {
		r, angle := axisDistance(&mid), nearTo(angleOf(mid.Y, mid.X), h.angle[i], true)
		a.r[j], b.r[i] = r, r
		a.angle[j], b.angle[i] = angle, angle
	}
	return a, b
}

// images returns the images of the corners.
func (h *halving) images(advance float64) (q [3][2]float64) {
	for k := range q {
		q[k] = [2]float64{h.r[k], h.p[k].Z - float64(advance*h.angle[k])}
	}
	return q
}

// A bend is by how much the image of a part bends, in r and in z, with the extents of its corners
// across and along the direction from the axis, and the least distance from it.
type bend struct{ r, z, across, along, least float64 }

func (b *bend) most() float64 { return max(b.r, b.z) }

// edge returns the edge of the part of which the half makes the bend least.
func (b *bend) edge(p *[3]r3.Vec) (edge int) {
	most := -1.0
	w := r3.Add(r3.Add(p[0], p[1]), p[2])
	for k := range 3 {
		d := r3.Sub(p[(k+1)%3], p[k])
		length := float64(d.X*d.X) + float64(d.Y*d.Y)
		if b.least > 0 {
			length = math.Abs(float64(d.Y*w.X)-float64(d.X*w.Y)) / b.across
			if b.z > b.r {
				length = max(length, math.Abs(float64(d.X*w.X)+float64(d.Y*w.Y))/b.along)
			}
		}
		if length > most {
			most, edge = length, k
		}
	}
	return edge
}

// widest is the greatest angle about the axis that a part takes up on each side of its middle.
const widest = 0.5

// bend bounds by how much the image of a part bends. It is infinite, and no distance from the axis
// is known, where the part is so near to the axis that its angles have no bound but pi.
//
// Let w be the unit from the axis along the middle of the corners' angles, and t the one across w.
// The distance r from the axis is at least the least p.w of the corners, rho. Where that is above
// 0, the angles of all points lie between those of the corners, so they differ by at most sigma,
// half of the angles' extent, from that of w. At x = sum l_i p_i Taylor's formula says of f = r and
// f = angle
//
//	sum l_i f(p_i) - f(x) = 1/2 sum l_i D2f(p_i - x, p_i - x),  D2 taken at points between,
//
// with D2 r (v, v) = v_t^2 / r and D2 angle (v, v) = -2 v_r v_t / r^2. Here v_r and v_t are the
// components along and across the direction from the axis to such a point, which is off w by sigma
// at most. The variance of numbers in an interval of length T is at most T^2/4, so with T and R the
// extents of the corners along t and w,
//
//	0 <= sum l_i r(p_i) - r(x) <= (T + sigma R)^2 / (8 rho), and at most the greatest r(p_i) - rho,
//	|sum l_i angle(p_i) - angle(x)| <= (T + sigma R)(R + sigma T) / (4 rho^2).
func (m *imager) bend(h *halving) (by bend) {
	none := bend{r: math.Inf(1)}
	least, most := 0, 0
	for k := 1; k < 3; k++ {
		if h.angle[k] < h.angle[least] {
			least = k
		}
		if h.angle[k] > h.angle[most] {
			most = k
		}
	}
	tiny := float64(0x1p-40 * m.size)
	if !(min(h.r[0], h.r[1], h.r[2]) > tiny && h.angle[most]-h.angle[least] < 3) {
		return none
	}
	a, b := &h.p[least], &h.p[most]
	x, y := a.X/h.r[least]+b.X/h.r[most], a.Y/h.r[least]+b.Y/h.r[most]
	norm := math.Sqrt(float64(x*x) + float64(y*y))
	x, y = x/norm, y/norm
	var along, side [3]float64
	for k := range h.p {
		p := &h.p[k]
		along[k] = float64(p.X*x) + float64(p.Y*y)
		side[k] = float64(p.Y*x) - float64(p.X*y)
	}
	by.least = min(along[0], along[1], along[2]) - m.slack
	if !(by.least > tiny) {
		return none
	}
	h.known = true
	sigma := float64(0.5*(h.angle[most]-h.angle[least])) + 0x1p-40
	by.along = max(along[0], along[1], along[2]) - min(along[0], along[1], along[2]) + m.slack
	by.across = max(side[0], side[1], side[2]) - min(side[0], side[1], side[2]) + m.slack
	t, v := by.across+float64(sigma*by.along), by.along+float64(sigma*by.across)
	by.r = float64(t*t) / (8 * by.least) * (1 + 0x1p-40)
	by.r = min(by.r, max(h.r[0], h.r[1], h.r[2])-by.least+m.slack)
	by.z = float64(float64(math.Abs(m.frame.advance)*t)*v) / (4 * float64(by.least*by.least)) * (1 + 0x1p-40)
	return by
}

// tooBent reports whether a part should be halved: for its bend, or for the angle it takes up.
func (m *imager) tooBent(h *halving, by *bend) bool {
	extent := max(h.angle[0], h.angle[1], h.angle[2]) - min(h.angle[0], h.angle[1], h.angle[2])
	return by.most() > m.coarse || extent > 2*widest
}

// angleSlack is more than the error of a corner's angle: angleError, and the rounding of a turn.
const angleSlack = 0x1p-46

// image returns the image of a part that bends by as much, and of its copies, of which no point is
// farther than spread from where the screw has it.
func (m *imager) image(h *halving, by *bend) part {
	rho := float64(by.least*(1-0x1p-40)) - m.spread
	if !(by.least > 0) || m.spread > 0 && !(rho > float64(0.5*by.least)) {
		x := m.onAxis(&h.p)
		x.e, x.f = x.e+m.spread, x.f+m.spread
		return part{rect: x, outline: outline{bendR: math.Inf(1)}, own: [2]float64{x.lo, x.hi}}
	}
	o := outline{h.images(m.frame.advance), by.r, by.z}
	beside := 0.0 // how far the angle of a copy may be off
	if m.spread > 0 {
		beside = float64(m.spread / rho * (1 + 0x1p-40))
		steep := m.frame.advance / rho
		o.bendR += float64(2 * m.spread)
		o.bendZ += float64(float64(m.spread*math.Sqrt(1+float64(steep*steep))) * (1 + 0x1p-40))
		for k := range o.q {
			o.q[k][0] += m.spread
		}
	}
	out := part{rect: m.around(&o), outline: o}
	out.least = rho
	out.own[0] = min(h.angle[0], h.angle[1], h.angle[2]) - angleSlack - beside
	out.own[1] = max(h.angle[0], h.angle[1], h.angle[2]) + angleSlack + beside
	return out
}

// shadow is the image of a slide: a projection.
func (m *imager) shadow(p *[3]r3.Vec, q *[3][2]float64) part {
	o := outline{q: *q}
	out := part{rect: m.around(&o), outline: o}
	out.least = math.Inf(-1)
	out.own[0] = min(p[0].Z, p[1].Z, p[2].Z) - m.slack
	out.own[1] = max(p[0].Z, p[1].Z, p[2].Z) + m.slack
	return out
}

// onAxis is the image of a part that may touch the axis: r is convex, so at most that of a corner,
// and the angle is any in [-pi, pi].
func (m *imager) onAxis(p *[3]r3.Vec) (out rect) {
	far := max(axisDistance(&p[0]), axisDistance(&p[1]), axisDistance(&p[2]))
	lo, hi := min(p[0].Z, p[1].Z, p[2].Z), max(p[0].Z, p[1].Z, p[2].Z)
	turn := float64(3.2 * math.Abs(m.frame.advance))
	return rect{r: float64(0.5 * far), z: float64(0.5*lo) + float64(0.5*hi), c: 1, e: float64(0.5*far) + m.slack,
		f: float64(0.5*hi) - float64(0.5*lo) + turn + m.slack, lo: -3.2, hi: 3.2}
}

// around returns a rectangle around an outline. Its sides are along r or along an edge of the whole
// triangle's image, or, where that halves the area, along an edge of its own: parts with sides
// along one line make tight rectangles together.
func (m *imager) around(o *outline) (best rect) {
	least := math.Inf(1)
	for _, d := range m.sides {
		r := m.measured(o, d)
		if score := m.score(&r); score < least {
			best, least = r, score
		}
	}
	if min(best.e, best.f) <= max(o.bendR, o.bendZ)+float64(4*m.slack) {
		return best
	}
	var room [3][2]float64
	for _, d := range m.addEdges(room[:0], &o.q) {
		r := m.measured(o, d)
		if score := 2 * m.score(&r); score < least {
			best, least = r, score
		}
	}
	return best
}

// measured returns the rectangle around an outline with sides along d.
func (m *imager) measured(o *outline, d [2]float64) rect {
	var lo, hi [2]float64
	lo[0], hi[0] = o.extent(&d)
	lo[1], hi[1] = o.extent(&[2]float64{-d[1], d[0]})
	return m.rectOf(d[0], d[1], &lo, &hi)
}

func along2(q, d *[2]float64) float64 { return float64(q[0]*d[0]) + float64(q[1]*d[1]) }

// addEdges appends the directions of the edges of three points.
func (m *imager) addEdges(list [][2]float64, q *[3][2]float64) [][2]float64 {
	for k := range 3 {
		c, s := q[(k+1)%3][0]-q[k][0], q[(k+1)%3][1]-q[k][1]
		if n := math.Sqrt(float64(c*c) + float64(s*s)); n > m.slack {
			list = append(list, [2]float64{c / n, s / n})
		}
	}
	return list
}

// rectOf returns the rectangle between lo and hi along (c, s) and (-s, c).
func (m *imager) rectOf(c, s float64, lo, hi *[2]float64) rect {
	u, v := float64(0.5*lo[0])+float64(0.5*hi[0]), float64(0.5*lo[1])+float64(0.5*hi[1])
	return rect{r: float64(u*c) - float64(v*s), z: float64(u*s) + float64(v*c), c: c, s: s,
		e: float64(0.5*hi[0]) - float64(0.5*lo[0]) + m.slack, f: float64(0.5*hi[1]) - float64(0.5*lo[1]) + m.slack}
}

// score is what rectangles are compared by: their area, with a border.
func (m *imager) score(r *rect) float64 {
	border := float64(0x1p-24 * m.size)
	return float64((r.e + border) * (r.f + border))
}

// join returns a rectangle around two: along a side of either, or along r.
func (m *imager) join(a, b *rect) (best rect) {
	least := math.Inf(1)
	for k, d := range [3][2]float64{{a.c, a.s}, {b.c, b.s}, {1, 0}} {
		if k > 0 && d == [2]float64{a.c, a.s} {
			continue
		}
		lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
		for _, x := range [2]*rect{a, b} {
			cos := math.Abs(float64(d[0]*x.c) + float64(d[1]*x.s))
			sin := math.Abs(float64(d[0]*x.s) - float64(d[1]*x.c))
			u, v := float64(x.r*d[0])+float64(x.z*d[1]), float64(x.z*d[0])-float64(x.r*d[1])
			halfU, halfV := float64(x.e*cos)+float64(x.f*sin), float64(x.e*sin)+float64(x.f*cos)
			lo[0], hi[0] = min(lo[0], u-halfU), max(hi[0], u+halfU)
			lo[1], hi[1] = min(lo[1], v-halfV), max(hi[1], v+halfV)
		}
		r := m.rectOf(d[0], d[1], &lo, &hi)
		if score := m.score(&r); score < least {
			best, least = r, score
		}
	}
	best.least, best.lo, best.hi = min(a.least, b.least), min(a.lo, b.lo), max(a.hi, b.hi)
	return best
}

package screw

import (
	"cmp"
	"math"
	"slices"

	"ccd/core/bvh"
)

// Threads, shafts and sleeves have many facets of one shape around their axis. A screw motion
// about that axis carries one facet to another and changes no image. So triangles that are copies
// of each other share their images: these are drawn once, enlarged by what the copies are off, and
// each copy keeps by how much it is turned. docs/proofs/screws.md proves it.

// A member is a triangle with the angle by which it is turned from the one that was drawn.
type member struct {
	turn float64
	face int32
}

// A family is triangles that are copies of the first of its members.
type family struct {
	members []member
	spread  float64 // bounds how far a point of a copy is from that of the first, turned; 0 of one triangle
	shape   shape   // the first member's
}

// A shape is what a screw motion about the axis keeps of a triangle: the distances of its corners
// from the axis, the ways around it from the corner that turns are measured at, and the heights
// less what the advance adds up to that corner. The corner's angle is turn.
type shape struct {
	r, way, height [3]float64
	turn           float64
}

// shapeOf returns the shape of a triangle whose corners are measured. Turns are measured at the
// first corner that is not near to the axis.
func (m *imager) shapeOf(h *halving) (s shape) {
	at := 0
	for k := range 3 {
		if s.r[k] = h.r[k]; h.r[at] < float64(0x1p-10*m.size) && h.r[k] > h.r[at] {
			at = k
		}
	}
	s.turn = h.angle[at]
	moved := float64(m.frame.advance * s.turn)
	for k := range 3 {
		s.way[k] = float64(h.r[k] * nearTo(h.angle[k]-s.turn, 0, true))
		s.height[k] = h.p[k].Z - moved
	}
	return s
}

// A shapeKey is a shape in units of a grain.
type shapeKey [9]int64

// key rounds a shape. No number that meshes are likely to have lies where two keys meet.
func (s *shape) key(grain float64) (key shapeKey) {
	for k := range 3 {
		for i, x := range [3]float64{s.r[k], s.way[k], s.height[k]} {
			key[3*k+i] = int64(math.Floor(x/grain + 0.37))
		}
	}
	return key
}

// off bounds how far the corners of a triangle are from those of another one that is turned to it,
// but for rounding.
func (s *shape) off(t *shape) (most float64) {
	for k := range 3 {
		d := math.Abs(s.r[k]-t.r[k]) + math.Abs(s.height[k]-t.height[k])
		angle := 0.0
		if s.r[k] > 0 && t.r[k] > 0 {
			angle = math.Abs(s.way[k]/s.r[k] - t.way[k]/t.r[k])
		}
		most = max(most, d+float64(min(s.r[k], t.r[k])*angle))
	}
	return most
}

// copyGrain is the share of a body's size that copies may differ by, at each level of the images.
// It is rounding at the first level, whose images are exact where surfaces do not bend, and less
// than images bend at the second.
var copyGrain = [Levels]float64{0x1p-40, 0x1p-22}

// families divides the triangles of a body into families. size is a power of two about the body's.
func (m *imager) families(tri []bvh.Triangle, size float64, level int) (list []family) {
	if m.frame.slide {
		all := make([]member, len(tri))
		for i := range tri {
			all[i].face = int32(i)
			list = append(list, family{members: all[i : i+1]})
		}
		return list
	}
	grain := max(float64(copyGrain[level]*size), float64(copyGrain[0]*m.size))
	known := make(map[shapeKey]int32, len(tri))
	for i := range tri {
		h := m.corners(&tri[i])
		h.measure()
		s := m.shapeOf(&h)
		key := s.key(grain)
		at, ok := known[key]
		if !ok {
			known[key] = int32(len(list))
			list = append(list, family{members: []member{{0, int32(i)}}, shape: s})
			continue
		}
		f := &list[at]
		f.members = append(f.members, member{s.turn - f.shape.turn, int32(i)})
		f.spread = max(f.spread, float64((s.off(&f.shape)+float64(4*m.slack))*(1+0x1p-40)))
	}
	return list
}

// draw makes the images of a family, and says of each which members have it.
func (m *imager) draw(f *family, tri []bvh.Triangle) {
	first := len(m.members)
	m.spread = f.spread
	parts := len(m.out)
	m.triangle(&tri[f.members[0].face])
	slices.SortFunc(f.members, func(x, y member) int {
		return cmp.Or(cmp.Compare(x.turn, y.turn), cmp.Compare(x.face, y.face))
	})
	m.members = append(m.members, f.members...)
	for i := parts; i < len(m.out); i++ {
		p := &m.out[i]
		p.first, p.last = int32(first), int32(len(m.members))
		p.lo, p.hi = p.own[0]+f.members[0].turn, p.own[1]+f.members[len(f.members)-1].turn
	}
}

// some returns the rectangle of some of a part's members, those in [first, last).
func (t *Images) some(p *part, first, last int32) rect {
	x := p.rect
	x.lo, x.hi = p.own[0]+t.members[first].turn, p.own[1]+t.members[last-1].turn
	return x
}

// A crowd is members of two parts: those in [a, lastA) and in [b, lastB).
type crowd struct{ a, lastA, b, lastB int32 }

// listMembers adds the windows of all members of two parts whose images are near each other. ok is
// false if that takes too many tests, or leaves too many windows.
func (c *comparison) listMembers(x, y *part, k int32) (ok bool) {
	if x.last-x.first == 1 && y.last-y.first == 1 {
		c.list(&x.rect, &y.rect, c.a.members[x.first].face, c.b.members[y.first].face, k)
		return true
	}
	stack := append(c.crowds[:0], crowd{x.first, x.last, y.first, y.last})
	for len(stack) > 0 {
		w := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if c.tests++; c.tests > c.mostTests || !c.roomForMore() {
			return false
		}
		a, b := c.a.some(x, w.a, w.lastA), c.b.some(y, w.b, w.lastB)
		if !c.meet(&a, &b, k) {
			continue
		}
		switch countA, countB := w.lastA-w.a, w.lastB-w.b; {
		case countA == 1 && countB == 1:
			c.tests += outlineTests // Windows cost about as much, to make and to merge.
			c.list(&a, &b, c.a.members[w.a].face, c.b.members[w.b].face, k)
		case countA >= countB:
			half := w.a + countA/2
			stack = append(stack, crowd{w.a, half, w.b, w.lastB}, crowd{half, w.lastA, w.b, w.lastB})
		default:
			half := w.b + countB/2
			stack = append(stack, crowd{w.a, w.lastA, w.b, half}, crowd{w.a, w.lastA, half, w.lastB})
		}
	}
	c.crowds = stack
	return true
}

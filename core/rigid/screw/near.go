package screw

import (
	"cmp"
	"math"
	"slices"

	"ccd/core/num"
)

// A comparison looks for the parts of two bodies that come near each other at some time while one
// moves as a screw, seen from the other.
type comparison struct {
	motion      *Screw
	a, b        *Images
	need        float64 // images farther apart prove that the points are more than goal apart
	h2          float64 // the square of the advance
	turns       num.Interval
	slack       float64 // bounds the rounding of an angle
	tests       int64
	mostTests   int64
	mostWindows int
	open        []Window
	crowds      []crowd // memory for listMembers
}

// A Window is a time in which a triangle of A and one of B may come near each other.
type Window struct {
	A, B     int32
	From, To float64
}

// imagePair is a pair of nodes; k is how many turns B's angles are shifted by.
type imagePair struct{ a, b, k int32 }

// Limits of a comparison: of its tests, for each node and in any case, and of the turns by which
// a thread is shifted.
const (
	testsPerNode = 2
	polygonTests = 2 // what a test of polygons, or of outlines, counts as more than one of rectangles
	outlineTests = 6
	leastTests   = 1 << 14
	mostShifts   = 64
)

// Near returns when triangles of A and B may come near each other, while B moves as a screw: at no
// other time of the screw, and no other triangles, have points that are not more than goal apart.
// ok is false if that takes too many tests, or leaves more windows than most.
func Near(s *Screw, a, b *Images, goal float64, most int) (open []Window, tests int64, ok bool) {
	c := newComparison(s, a, b, goal)
	c.mostWindows = most
	ok = c.run()
	return c.open, c.tests, ok
}

// shiftBounds returns the least and the greatest number of turns by which points of both bodies
// that are near each other may differ, seen along a thread; ok is false if these are too many.
func (c *comparison) shiftBounds() (least, most int32, ok bool) {
	h := c.motion.Axes[0].advance
	if h == 0 {
		return 0, 0, true
	}
	a, b := &c.a.nodes[0].rect, &c.b.nodes[0].rect
	half := func(x *rect) float64 { return float64(x.e*math.Abs(x.s)) + float64(x.f*math.Abs(x.c)) }
	room := half(a) + half(b) + c.need + float64(3.2*math.Abs(h))
	middle, pitch := (b.z+c.motion.shift[1])-a.z, float64(2*math.Pi*h)
	x, y := (middle-room)/pitch, (middle+room)/pitch
	x, y = math.Floor(min(x, y)-0x1p-30), math.Ceil(max(x, y)+0x1p-30)
	if !(y-x < mostShifts && math.Abs(x) < 0x1p30 && math.Abs(y) < 0x1p30) {
		return 0, 0, false
	}
	return int32(x), int32(y), true
}

// newComparison prepares one at which points count as near that are not more than goal apart.
func newComparison(s *Screw, a, b *Images, goal float64) (c comparison) {
	c = comparison{motion: s, a: a, b: b, h2: float64(s.Axes[0].advance * s.Axes[0].advance)}
	size := a.size + b.size + math.Abs(s.shift[0]) + math.Abs(s.shift[1])
	c.need = float64((goal+s.error+float64(0x1p-43*size))*(1+0x1p-40)) + 0x1p-500
	span := num.Interval{Lo: num.SubDown(s.From, s.mid), Hi: num.SubUp(s.To, s.mid)}
	c.turns = span.Mul(s.rate)
	c.slack = float64(0x1p-46 * (c.turns.Mag() + math.Abs(s.phase)))
	if s.Axes[0].slide {
		c.slack += float64(0x1p-46 * (a.size + b.size))
	} else {
		c.slack += 0x1p-36
	}
	c.mostTests = leastTests + int64(testsPerNode*(a.count+b.count))
	return c
}

// run compares the trees. ok is false if that takes too many tests, or leaves too many windows.
func (c *comparison) run() (ok bool) {
	least, most, ok := c.shiftBounds()
	if !ok {
		return false
	}
	stack := make([]imagePair, 0, 128)
	for k := least; k <= most; k++ {
		stack = append(stack, imagePair{0, 0, k})
	}
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		x, y := &c.a.nodes[p.a], &c.b.nodes[p.b]
		c.tests++
		if c.tests > c.mostTests || !c.roomForMore() {
			return false
		}
		if c.apart(&x.rect, &y.rect, p.k) || !c.meet(&x.rect, &y.rect, p.k) || c.polygonsApart(x, y, p.k) {
			continue
		}
		switch {
		case x.left < 0 && y.left < 0:
			c.tests += outlineTests
			a, b := &c.a.parts[^x.left], &c.b.parts[^y.left]
			if !c.outlinesApart(a, b, p.k) && !c.listMembers(a, b, p.k) {
				return false
			}
		case y.left < 0 || x.left >= 0 && x.e+x.f >= y.e+y.f:
			stack = append(stack, imagePair{x.left, p.b, p.k}, imagePair{x.right, p.b, p.k})
		default:
			stack = append(stack, imagePair{p.a, y.left, p.k}, imagePair{p.a, y.right, p.k})
		}
	}
	c.merge()
	return len(c.open) <= c.mostWindows
}

// around returns a radius within which no segment comes to the axis that is no longer than need and
// has its ends in two parts; 0 if it is not more than need.
func (c *comparison) around(x, y *rect) float64 {
	if rho := max(x.least, y.least) - c.need; rho >= c.need {
		return rho
	}
	return 0
}

// apart reports whether the images of two parts are so far apart that the parts never come near.
//
// The distance from the axis separates parts of which one is farther from it than the other. A
// direction (u, v) of the plane is a function u r + v (z - h angle) of points; at rho or more from
// the axis its gradient is no longer than the root of u^2 + v^2 (1 + h^2/rho^2).
func (c *comparison) apart(x, y *rect, k int32) bool {
	if max(x.least-y.farthest(), y.least-x.farthest()) > c.need {
		return true
	}
	dr := (y.r + c.motion.shift[0]) - x.r
	dz := (y.z + c.motion.shift[1]) - x.z
	steep, fold, ok := c.plane(x, y, k)
	if !ok {
		return false
	}
	dz -= fold
	cos, sin := math.Abs(float64(x.c*y.c)+float64(x.s*y.s)), math.Abs(float64(x.c*y.s)-float64(x.s*y.c))
	gap := math.Abs(float64(dr*x.c)+float64(dz*x.s)) - x.e - (float64(y.e*cos) + float64(y.f*sin))
	if c.proves(gap, x.s, steep) {
		return true
	}
	gap = math.Abs(float64(dz*x.c)-float64(dr*x.s)) - x.f - (float64(y.e*sin) + float64(y.f*cos))
	if c.proves(gap, x.c, steep) {
		return true
	}
	gap = math.Abs(float64(dr*y.c)+float64(dz*y.s)) - y.e - (float64(x.e*cos) + float64(x.f*sin))
	if c.proves(gap, y.s, steep) {
		return true
	}
	gap = math.Abs(float64(dz*y.c)-float64(dr*y.s)) - y.f - (float64(x.e*sin) + float64(x.f*cos))
	return c.proves(gap, y.c, steep)
}

// polygonsApart reports what apart does, of two nodes that are long and thin: it tries the
// directions across them.
func (c *comparison) polygonsApart(x, y *imageNode, k int32) bool {
	if x.hull.n == 0 || y.hull.n == 0 || !x.isThin() || !y.isThin() {
		return false
	}
	c.tests += polygonTests
	steep, fold, ok := c.plane(&x.rect, &y.rect, k)
	if !ok {
		return false
	}
	for _, r := range [2]*rect{&x.rect, &y.rect} {
		u, v := -r.s, r.c
		if r.e < r.f {
			u, v = r.c, r.s
		}
		lo, hi := x.hull.extent(u, v)
		low, high := y.hull.extent(u, v)
		moved := float64(c.motion.shift[0]*u) + float64((c.motion.shift[1]-fold)*v)
		if c.proves(max((low+moved)-hi, lo-(high+moved)), v, steep) {
			return true
		}
	}
	return false
}

// plane returns what directions of the plane have to do with lengths, where parts are near each
// other: h^2/rho^2, and by how much B's images are shifted for k turns. ok is false near the axis,
// where they have nothing to do with them.
func (c *comparison) plane(x, y *rect, k int32) (steep, fold float64, ok bool) {
	if c.h2 == 0 {
		return 0, 0, true
	}
	rho := c.around(x, y)
	if rho == 0 {
		return 0, 0, false
	}
	return c.h2 / float64(rho*rho), float64(float64(2*math.Pi*float64(k)) * c.motion.Axes[0].advance), true
}

// outlinesApart reports what apart does, of the outlines of two parts: it tries the normals of
// their edges and the sides of their rectangles.
func (c *comparison) outlinesApart(x, y *part, k int32) bool {
	steep, fold, ok := c.plane(&x.rect, &y.rect, k)
	if !ok {
		return false
	}
	try := func(u, v float64) bool {
		d := [2]float64{u, v}
		lo, hi := x.extent(&d)
		low, high := y.extent(&d)
		moved := float64(c.motion.shift[0]*u) + float64((c.motion.shift[1]-fold)*v)
		return c.proves(max((low+moved)-hi, lo-(high+moved)), v, steep)
	}
	for _, p := range [2]*part{x, y} {
		if try(p.c, p.s) || try(-p.s, p.c) {
			return true
		}
		for i := range 3 {
			u, v := p.q[(i+1)%3][0]-p.q[i][0], p.q[(i+1)%3][1]-p.q[i][1]
			if n := math.Sqrt(float64(u*u) + float64(v*v)); n > c.a.slack && try(-v/n, u/n) {
				return true
			}
		}
	}
	return false
}

// proves reports whether a gap along (u, v) is more than need times the length of the gradient.
func (c *comparison) proves(gap, v, steep float64) bool {
	if !(gap > c.need) {
		return false
	}
	return steep == 0 || gap > float64(c.need*math.Sqrt(1+float64(float64(v*v)*steep)))*(1+0x1p-40)
}

// turnsOf encloses the angles (the places, of a slide) by which B has moved since mid when a point
// of the second part is near one of the first, but for whole turns; all is true if it may be any.
func (c *comparison) turnsOf(x, y *rect) (turns num.Interval, all bool) {
	room := c.need
	if !c.motion.Axes[0].slide {
		rho := c.around(x, y)
		if rho == 0 {
			return turns, true
		}
		room = c.need / rho
	}
	room = float64(room*(1+0x1p-40)) + c.slack
	return num.Interval{Lo: (x.lo - y.hi) - c.motion.phase - room, Hi: (x.hi - y.lo) - c.motion.phase + room}, false
}

// shifted returns the first and the last number of turns with which an interval of angles, moved
// back by them, meets those of the screw.
func (c *comparison) shifted(turns num.Interval, k int32) (first, last float64) {
	if c.motion.Axes[0].slide {
		first, last = 0, 0
	} else if c.motion.Axes[0].advance != 0 {
		first, last = float64(k), float64(k)
	} else {
		return math.Ceil((turns.Lo - c.turns.Hi - float64(4*c.slack)) / (2 * math.Pi)),
			math.Floor((turns.Hi - c.turns.Lo + float64(4*c.slack)) / (2 * math.Pi))
	}
	moved := float64(2 * math.Pi * first)
	if turns.Hi-moved < c.turns.Lo-c.slack || turns.Lo-moved > c.turns.Hi+c.slack {
		return 1, 0
	}
	return first, last
}

// meet reports whether points of two parts may be near each other at a time of the screw.
func (c *comparison) meet(x, y *rect, k int32) bool {
	turns, all := c.turnsOf(x, y)
	if all {
		return true
	}
	first, last := c.shifted(turns, k)
	return first <= last
}

// list adds the windows of two triangles with images in x and y.
func (c *comparison) list(x, y *rect, a, b int32, k int32) {
	turns, all := c.turnsOf(x, y)
	if all {
		c.open = append(c.open, Window{a, b, c.motion.From, c.motion.To})
		return
	}
	for first, last := c.shifted(turns, k); first <= last && len(c.open) <= 2*c.mostWindows; first++ {
		moved := num.Interval{}
		if !c.motion.Axes[0].slide {
			moved = num.Point(float64(2 * math.Pi * first))
		}
		since := turns.Sub(moved).Add(num.Interval{Lo: -c.slack, Hi: c.slack}).Div(c.motion.rate)
		t := since.Add(num.Point(c.motion.mid))
		if from, to := max(t.Lo, c.motion.From), min(t.Hi, c.motion.To); from <= to {
			c.open = append(c.open, Window{a, b, from, to})
		}
	}
}

// roomForMore joins windows where there are many, and reports whether there are too many still.
func (c *comparison) roomForMore() bool {
	if len(c.open) < 2*c.mostWindows {
		return true
	}
	c.merge()
	return len(c.open) <= c.mostWindows
}

// merge joins the windows of the same triangles that overlap.
func (c *comparison) merge() {
	slices.SortFunc(c.open, func(x, y Window) int {
		return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B), cmp.Compare(x.From, y.From))
	})
	n := 0
	for _, w := range c.open {
		if last := n - 1; n > 0 && c.open[last].A == w.A && c.open[last].B == w.B && w.From <= c.open[last].To {
			c.open[last].To = max(c.open[last].To, w.To)
			continue
		}
		c.open[n] = w
		n++
	}
	c.open = c.open[:n]
}

package robot

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// ball is a node of the tree of a mover. Each point of the mover's primitives is in a leaf whose
// cluster has that primitive: the law of the cover.
type ball struct {
	c           r3.Vec
	r           float64
	far         float64 // distance of c from the origin, rounded up
	left, right int32   // 0 for a leaf: the root is no child
	cluster     int32
}

// part is a piece of a primitive: the convex hull of up to three points, with a radius.
type part struct {
	n         int
	x         [3]r3.Vec
	primitive int32
	radius    float64
	middle    r3.Vec
}

func (p *part) center() {
	b := emptyBox()
	for _, x := range p.x[:p.n] {
		b.add(x, 0)
	}
	p.middle = b.middle()
}

// longestSide returns the ends of the longest side of a part, and its length.
func (p *part) longestSide() (a, b int, length float64) {
	length = -1
	for i := range p.n {
		for k := range i {
			if d := geom.Norm(r3.Sub(p.x[i], p.x[k])); d > length {
				a, b, length = k, i, d
			}
		}
	}
	return a, b, length
}

// divide halves a part at the middle of its longest side until no side is longer than most, and
// adds what remains to the list; it reports false if the list would get longer than room.
//
// Each half lacks at most what the middle's rounding takes: the points of a half are convex
// combinations of its corners, so moving one corner moves them by at most as much. A part of the
// depth k is within k times that of what it was made from.
func divide(p part, most float64, list *[]part, room, depth int) bool {
	a, b, length := p.longestSide()
	if !(length > most && length > p.radius) || depth == deepest {
		if len(*list) >= room {
			return false
		}
		p.center()
		*list = append(*list, p)
		return true
	}
	m := r3.Add(geom.Scale(0.5, p.x[a]), geom.Scale(0.5, p.x[b]))
	one, other := p, p
	one.x[a], other.x[b] = m, m
	return divide(one, most, list, room, depth+1) && divide(other, most, list, room, depth+1)
}

// deepest is how often a primitive is halved at most.
const deepest = 200

// partsOf divides the primitives of a mover into parts of about this size, or larger ones where
// there would be too many.
func partsOf(all []primitive, list []int32, size float64) []part {
	room := 8*len(list) + 2048
	parts := make([]part, 0, len(list))
	for {
		whole := true
		parts = parts[:0]
		for _, i := range list {
			p := &all[i]
			whole = whole && divide(part{n: p.n, x: p.x, primitive: i, radius: p.radius}, size, &parts, room, 0)
		}
		if whole {
			return parts
		}
		size *= 2
	}
}

// ballTree makes the tree of balls of some primitives, and appends its clusters.
type ballTree struct {
	all      []primitive
	parts    []part
	size     float64 // radius up to which a leaf may hold several primitives
	margin   float64 // what the rounding of the parts' corners may cost
	balls    []ball
	clusters *[]cluster
	off      float64 // how far the primitives may be from their places
}

// What a leaf holds at most: some primitives, or a few more in a small ball.
const (
	leafPrimitives  = 4
	smallPrimitives = 8
)

func makeBalls(all []primitive, list []int32, size, off float64, clusters *[]cluster) []ball {
	t := ballTree{all: all, size: size, off: off, clusters: clusters, parts: partsOf(all, list, size)}
	far := 0.0
	for _, i := range list {
		for _, x := range all[i].x {
			far = max(far, geom.MaxAbs(x)+all[i].radius)
		}
	}
	// A middle's coordinate errs by u far, a corner by 2u far, 200 times: below 2^-44 far. The
	// distances err by 8u far.
	t.margin = float64(0x1p-40*far) + 2*off
	t.node(0, len(t.parts))
	return t.balls
}

// bound returns a small ball that holds the parts from first to last.
func (t *ballTree) bound(first, last int) (c r3.Vec, r float64) {
	b := emptyBox()
	for i := range t.parts[first:last] {
		p := &t.parts[first+i]
		for _, x := range p.x[:p.n] {
			b.add(x, p.radius)
		}
	}
	c = b.middle()
	r, farthest := t.radius(first, last, c)
	for i := 1; i < 16; i++ {
		toward := r3.Sub(farthest, c)
		better := false
		for _, step := range [2]float64{0.5, 0.1} {
			moved := r3.Add(c, geom.Scale(step/float64(i+1), toward))
			if least, far := t.radius(first, last, moved); least < r {
				c, r, farthest, better = moved, least, far, true
				break
			}
		}
		if !better {
			break
		}
	}
	return c, r
}

func (t *ballTree) radius(first, last int, c r3.Vec) (r float64, farthest r3.Vec) {
	for i := first; i < last; i++ {
		p := &t.parts[i]
		for _, x := range p.x[:p.n] {
			if d := geom.Norm(r3.Sub(x, c)) + p.radius; d >= r {
				r, farthest = d, x
			}
		}
	}
	return r, farthest
}

// distinct lists the primitives of the parts from first to last, at most smallPrimitives + 1.
func (t *ballTree) distinct(first, last int) (list []int32) {
	for i := first; i < last && len(list) <= smallPrimitives; i++ {
		if p := t.parts[i].primitive; !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

func (t *ballTree) node(first, last int) int32 {
	at := int32(len(t.balls))
	c, r := t.bound(first, last)
	far := lengthUp(c)
	t.balls = append(t.balls, ball{c: c, r: float64((r+t.margin)*(1+0x1p-40)) + 1e-150, far: far})
	list := t.distinct(first, last)
	if last-first == 1 || len(list) == 1 || len(list) <= leafPrimitives && r <= 1.5*t.size ||
		len(list) <= smallPrimitives && r <= t.size {
		t.balls[at].cluster = int32(len(*t.clusters))
		*t.clusters = append(*t.clusters, makeCluster(t.all, list, t.off))
		return at
	}
	middle := splitParts(t.parts[first:last]) + first
	left := t.node(first, middle)
	right := t.node(middle, last)
	t.balls[at].left, t.balls[at].right = left, right
	return at
}

// splitParts orders parts by the side of a plane that they are on, and returns how many are below.
func splitParts(parts []part) int {
	b := emptyBox()
	for i := range parts {
		b.add(parts[i].middle, 0)
	}
	k := longest(b.extent())
	at := component(b.middle(), k)
	n := 0
	for i := range parts {
		if component(parts[i].middle, k) < at {
			parts[i], parts[n] = parts[n], parts[i]
			n++
		}
	}
	if n == 0 || n == len(parts) {
		return len(parts) / 2
	}
	return n
}

// ballSize chooses the size of balls: an eighth of the mean reach of the bodies that move.
func ballSize(all []primitive, movers [][]int32) float64 {
	sum, n := 0.0, 0
	for _, list := range movers {
		b := emptyBox()
		for _, i := range list {
			for _, x := range all[i].x {
				b.add(x, all[i].radius)
			}
		}
		if d := float64(geom.Norm(b.extent()) * 0.5); d > 0 && !math.IsInf(d, 0) {
			sum, n = sum+d, n+1
		}
	}
	if n == 0 {
		return 1
	}
	return max(sum/float64(n)/8, 1e-150)
}

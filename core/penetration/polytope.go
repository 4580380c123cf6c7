package penetration

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
)

// polytope is a convex polytope inside of C, of corners of C.
type polytope struct {
	d        *difference
	v        []corner
	faces    []facet
	round    int32
	steps    int64
	integers int64 // how many planes were computed in integers
	visible  []int32
	rim      []rimEdge
	starts   map[int32]int32
}

type rimEdge struct {
	from, to, beyond int32
}

// outcome is how a search ended.
type outcome int

const (
	unfinished outcome = iota // the budget is spent
	inside                    // the origin is inside of C
	outside                   // it is not: it may be on the border
)

// search expands the polytope of a C that has three dimensions, and returns the facet that is
// nearest to the origin: one of C, whose distance is that of the origin from the border of C up to
// 2^-50, or one that is nearer by at most the tolerance, scaled. Where
// the origin is not inside of C the facet has it on its plane or beyond, and no corner of C beyond.
func (p *polytope) search(d *difference, tolerance float64, budget int64) (int32, outcome) {
	p.d, p.v, p.faces, p.steps, p.integers = d, p.v[:0], p.faces[:0], 0, 0
	p.begin()
	for {
		at := p.nearest()
		f := &p.faces[at]
		p.steps++
		if budget > 0 && p.steps > budget {
			return at, unfinished
		}
		c, more := p.beyond(f)
		if !more {
			if p.plane(f).c.Sign() <= 0 {
				return at, outside
			}
			if f.sharp {
				return at, inside
			}
			f.lo, f.hi, f.sharp = p.distance(f)
			continue
		}
		if tolerance > 0 && f.lo > 0 {
			if far := geom.Dot(f.n, c.at) / f.length; far-f.lo <= tolerance {
				return at, inside
			}
		}
		p.expand(at, c)
	}
}

// nearest returns the facet with the least lower bound of its distance.
func (p *polytope) nearest() (at int32) {
	least := math.Inf(1)
	for i := range p.faces {
		if f := &p.faces[i]; !f.gone && f.lo < least {
			at, least = int32(i), f.lo
		}
	}
	return at
}

// begin makes a tetrahedron of corners of C that are not in a plane: of the differences with one
// corner of A, or one of B, which span what C spans, the farthest each.
func (p *polytope) begin() {
	d := p.d
	var all []corner
	for i := range d.a.own {
		all = append(all, d.corner(int32(i), 0))
	}
	for j := 1; j < len(d.b.own); j++ {
		all = append(all, d.corner(0, int32(j)))
	}
	farthest := func(size func(c *corner) float64, is func(c *corner) bool) corner {
		for _, doubt := range [...]bool{false, true} { // The farthest in floats nearly always is one.
			best, most := -1, math.Inf(-1)
			for i := range all {
				if x := size(&all[i]); x > most && (!doubt || is(&all[i])) {
					best, most = i, x
				}
			}
			if doubt || is(&all[best]) {
				return all[best]
			}
		}
		return all[0]
	}
	first := all[0]
	second := farthest(func(c *corner) float64 { return geom.Norm(r3.Sub(c.at, first.at)) }, func(c *corner) bool {
		return geom.Norm(r3.Sub(c.at, first.at)) > 64*u || !isZero(d.exact(*c).Minus(d.exact(first)))
	})
	e := r3.Sub(second.at, first.at)
	third := farthest(func(c *corner) float64 { return geom.Norm(geom.Cross(e, r3.Sub(c.at, first.at))) },
		func(c *corner) bool {
			w := r3.Sub(c.at, first.at)
			if geom.Norm(geom.Cross(e, w)) > 256*u*(geom.Norm(e)+geom.Norm(w)) {
				return true
			}
			x := d.exact(first)
			return !isZero(d.exact(second).Minus(x).Cross(d.exact(*c).Minus(x)))
		})
	p.v = append(p.v[:0], first, second, third)
	f := facet{v: [3]int32{0, 1, 2}}
	p.describe(&f)
	fourth := farthest(func(c *corner) float64 { return math.Abs(geom.Dot(f.n, r3.Sub(c.at, first.at))) },
		func(c *corner) bool { return p.side(&f, *c) != 0 })
	if p.side(&f, fourth) > 0 { // The fourth is behind the first three.
		p.v[1], p.v[2] = third, second
	}
	p.v = append(p.v, fourth)
	p.faces = append(p.faces[:0], facet{v: [3]int32{0, 1, 2}, next: [3]int32{3, 2, 1}},
		facet{v: [3]int32{0, 2, 3}, next: [3]int32{0, 2, 3}}, facet{v: [3]int32{2, 1, 3}, next: [3]int32{0, 3, 1}},
		facet{v: [3]int32{1, 0, 3}, next: [3]int32{0, 1, 2}})
	for i := range p.faces {
		p.describe(&p.faces[i])
	}
	p.round = 0
}

func isZero(v num.IntVec) bool { return v[0].Sign() == 0 && v[1].Sign() == 0 && v[2].Sign() == 0 }

// expand makes a corner beyond a facet one of the polytope: the facets that it is strictly beyond
// are replaced by those that join it to their rim. A facet in its plane stays, so no new one is
// flat; the comment of rigid's hullOf has the proof.
func (p *polytope) expand(first int32, c corner) {
	p.round++
	p.faces[first].mark = p.round
	p.visible, p.rim = append(p.visible[:0], first), p.rim[:0]
	for k := 0; k < len(p.visible); k++ {
		f := p.faces[p.visible[k]]
		for i, next := range f.next {
			switch other := &p.faces[next]; {
			case other.mark == p.round:
			case p.side(other, c) > 0:
				other.mark = p.round
				p.visible = append(p.visible, next)
			default:
				p.rim = append(p.rim, rimEdge{f.v[i], f.v[(i+1)%3], next})
			}
		}
	}
	if p.starts == nil {
		p.starts = make(map[int32]int32)
	}
	clear(p.starts)
	begin, at := len(p.faces), int32(len(p.v))
	p.v = append(p.v, c)
	for k, e := range p.rim {
		id := int32(begin + k)
		p.starts[e.from] = id
		p.faces = append(p.faces, facet{v: [3]int32{e.from, e.to, at}, next: [3]int32{e.beyond, -1, -1}})
		p.describe(&p.faces[id])
		other := &p.faces[e.beyond]
		for i, v := range other.v {
			if v == e.to && other.v[(i+1)%3] == e.from {
				other.next[i] = id
			}
		}
	}
	for k := begin; k < len(p.faces); k++ {
		next := p.starts[p.faces[k].v[1]]
		p.faces[k].next[1] = next
		p.faces[next].next[2] = int32(k)
	}
	for _, i := range p.visible {
		p.faces[i].gone = true
	}
}

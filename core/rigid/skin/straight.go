package skin

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/rigid/triangle"
)

// chain is a row of sharp edges: edge i leads from vertex i to vertex i + 1. Vertices between its
// ends have no other sharp edge.
type chain struct {
	vertices, edges []int32
}

// straighten joins the edges that go on straight. ends are the vertices of each edge, at the edges
// of each vertex. Where vertices have been rounded, the direction of a short edge says nothing
// about the line that it is on: so a vertex is no corner if it is within off of the line of the
// whole edge, from corner to corner.
func (s *Skin) straighten(ends [][2]int32, at [][]int32, off float64) {
	inner := make([]bool, len(s.Vertices))
	for v := range inner {
		if inner[v] = len(at[v]) == 2 && s.goesOn(ends, int32(v), at[v], off); inner[v] {
			s.Vertices[v].Corner = false
		}
	}
	done := make([]bool, len(s.Edges))
	name := make([]int32, len(s.Edges))
	var joined []Edge
	for i := range s.Edges {
		if done[i] {
			continue
		}
		c := chainOf(ends, at, inner, int32(i))
		for _, e := range c.edges {
			done[e] = true
		}
		c.closedAt(s)
		s.divide(c.vertices, off)
		for from := 0; from < len(c.edges); {
			to := from + 1
			for to < len(c.edges) && !s.Vertices[c.vertices[to]].Corner {
				to++
			}
			for _, e := range c.edges[from:to] {
				name[e] = int32(len(joined))
			}
			joined = append(joined, s.whole(c, from, to))
			from = to
		}
	}
	s.Edges = joined
	for i := range s.EdgeOf {
		for k, e := range s.EdgeOf[i] {
			if e >= 0 {
				s.EdgeOf[i][k] = name[e]
			}
		}
	}
	for _, list := range s.alsoOf {
		for i, e := range list {
			list[i] = name[e]
		}
	}
}

// goesOn reports whether a vertex with two edges is between their other ends, and within off of the
// line of these.
func (s *Skin) goesOn(ends [][2]int32, v int32, edges []int32, off float64) bool {
	p, q := s.Vertices[otherEnd(ends, edges[0], v)].At, s.Vertices[otherEnd(ends, edges[1], v)].At
	at := s.Vertices[v].At
	return geom.Dot(r3.Sub(p, at), r3.Sub(q, at)) < 0 && awayFrom(at, p, q) <= off
}

// otherEnd returns the end of an edge that is not v.
func otherEnd(ends [][2]int32, e, v int32) int32 {
	if ends[e][0] == v {
		return ends[e][1]
	}
	return ends[e][0]
}

// awayFrom returns how far a point is from the segment from p to q.
func awayFrom(at, p, q r3.Vec) float64 {
	foot, _ := triangle.NearestTo(at, &[3]r3.Vec{p, q, q})
	return geom.Norm(r3.Sub(foot, at))
}

// chainOf returns the row of edges that has edge i, in the direction of that edge.
func chainOf(ends [][2]int32, at [][]int32, inner []bool, i int32) *chain {
	// onward adds the edges beyond v; it reports whether they lead around to edge i.
	onward := func(c *chain, v int32) bool {
		for e := i; inner[v]; {
			next := at[v][0]
			if next == e {
				next = at[v][1]
			}
			if next == i {
				return true
			}
			v = otherEnd(ends, next, v)
			c.vertices, c.edges, e = append(c.vertices, v), append(c.edges, next), next
		}
		return false
	}
	c := &chain{vertices: []int32{ends[i][0], ends[i][1]}, edges: []int32{i}}
	if onward(c, ends[i][1]) {
		return c
	}
	var back chain
	onward(&back, ends[i][0])
	slices.Reverse(back.vertices)
	slices.Reverse(back.edges)
	return &chain{vertices: append(back.vertices, c.vertices...), edges: append(back.edges, c.edges...)}
}

// closedAt lets a row without corners that leads back to its first vertex begin at the least of its
// places in the order of coordinates, which is a corner from then on.
func (c *chain) closedAt(s *Skin) {
	n := len(c.edges)
	first := c.vertices[0]
	if first != c.vertices[n] || s.Vertices[first].Corner {
		return
	}
	k := 0
	for i, v := range c.vertices {
		if before(s.Vertices[v].At, s.Vertices[c.vertices[k]].At) {
			k = i
		}
	}
	c.vertices = append(slices.Clone(c.vertices[k:n]), c.vertices[:k+1]...)
	c.edges = append(slices.Clone(c.edges[k:]), c.edges[:k]...)
	s.Vertices[c.vertices[0]].Corner = true
}

// divide makes those vertices corners of a row that are farther than off from the line of corners
// before and after: short edges that each turn by little may turn by much together.
func (s *Skin) divide(row []int32, off float64) {
	for n := len(row) - 1; n > 1; n = len(row) - 1 {
		p, q := s.Vertices[row[0]].At, s.Vertices[row[n]].At
		most, k := off, 0
		for i := 1; i < n; i++ {
			if d := awayFrom(s.Vertices[row[i]].At, p, q); d > most {
				most, k = d, i
			}
		}
		if k == 0 {
			return
		}
		s.Vertices[row[k]].Corner = true
		s.divide(row[:k+1], off)
		row = row[k:]
	}
}

// whole returns the edge that edges of a row make, of [from, to), and gives its direction to both
// of its corners.
func (s *Skin) whole(c *chain, from, to int) Edge {
	e := s.Edges[slices.Min(c.edges[from:to])]
	if to-from > 1 {
		e.pieces, e.Ways = nil, nil
		for _, k := range c.edges[from:to] {
			e.pieces, e.Ways = append(e.pieces, s.Edges[k].pieces...), append(e.Ways, s.Edges[k].Ways...)
		}
	}
	v, w := &s.Vertices[c.vertices[from]], &s.Vertices[c.vertices[to]]
	e.P, e.Q = v.At, w.At
	d := r3.Sub(e.Q, e.P)
	way, ok := geom.Unit(d, d)
	if !ok {
		return e
	}
	v.add(way)
	w.add(geom.Scale(-1, way))
	for i := range e.Ways {
		in := r3.Sub(e.Ways[i], geom.Scale(geom.Dot(e.Ways[i], way), way))
		if u, ok := geom.Unit(in, in); ok && to-from > 1 {
			e.Ways[i] = u
		}
	}
	return e
}

package skin

import (
	"cmp"
	"iter"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// thinBound times the radius of a body is the height of triangles that are taken for edges, and the
// length of edges that are taken for points: rounding decides where their normals, or their
// directions, point. It is an eighth of the least tolerance of a manifold.
const thinBound = 0x1p-42

// slant is the sine of the angle up to which a narrow triangle may lean, because its corners were
// rounded, and be of one face with a neighbor.
const slant = 0x1p-9

// weld gives ends of edges that are no longer than thinBound one number, that of the least of their
// places in the order of coordinates. It returns which triangles are thin: lower than thinBound, or
// with two ends of one number. A body that is nothing else stays as it is.
func (s *Skin) weld(b *Surface) (thin []bool) {
	short := float64(thinBound * b.Radius)
	thin = make([]bool, len(b.Triangles))
	all := true
	for i := range b.Triangles {
		thin[i] = height((*[3]r3.Vec)(&b.Triangles[i])) <= short
		all = all && thin[i]
	}
	if all {
		clear(thin)
		return thin
	}
	find, join := sets(len(s.Vertices))
	welded := false
	for i := range s.VertexOf {
		for k := range 3 {
			v, w := find(s.VertexOf[i][k]), find(s.VertexOf[i][(k+1)%3])
			if v != w && geom.Norm(r3.Sub(b.Triangles[i][k], b.Triangles[i][(k+1)%3])) <= short {
				if before(s.Vertices[w].At, s.Vertices[v].At) {
					v, w = w, v
				}
				join(v, w)
				welded = true
			}
		}
	}
	for v, w := range s.close(thin, short) {
		if v, w = find(v), find(w); v != w {
			if before(s.Vertices[w].At, s.Vertices[v].At) {
				v, w = w, v
			}
			join(v, w)
			welded = true
		}
	}
	if !welded {
		return thin
	}
	name := make([]int32, len(s.Vertices))
	var left []Vertex
	for i := range s.Vertices {
		if find(int32(i)) == int32(i) {
			name[i] = int32(len(left))
			left = append(left, s.Vertices[i])
		}
	}
	for i := range s.VertexOf {
		v := &s.VertexOf[i]
		for k := range v {
			v[k] = name[find(v[k])]
		}
		thin[i] = thin[i] || v[0] == v[1] || v[1] == v[2] || v[2] == v[0]
	}
	s.Vertices = left
	return thin
}

// sets keeps sets of numbers: find returns the first of a set, join adds the set of w to that of v,
// which are firsts.
func sets(n int) (find func(i int32) int32, join func(v, w int32)) {
	root := make([]int32, n)
	for i := range root {
		root[i] = int32(i)
	}
	return func(i int32) int32 {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}, func(v, w int32) { root[w] = v }
}

// close returns the pairs of corners of thin triangles that are no farther apart than short:
// fillers of two neighbors may have corners at one place that were rounded apart.
func (s *Skin) close(thin []bool, short float64) iter.Seq2[int32, int32] {
	var list []int32
	for i, t := range thin {
		if t {
			list = append(list, s.VertexOf[i][:]...)
		}
	}
	slices.Sort(list)
	list = slices.Compact(list)
	key := func(v int32) float64 { return geom.Dot(Order, s.Vertices[v].At) }
	slices.SortStableFunc(list, func(v, w int32) int { return cmp.Compare(key(v), key(w)) })
	return func(yield func(v, w int32) bool) {
		for i, v := range list {
			for _, w := range list[i+1:] {
				if key(w)-key(v) > float64(2*short) {
					break
				}
				if geom.Norm(r3.Sub(s.Vertices[w].At, s.Vertices[v].At)) <= short && !yield(v, w) {
					return
				}
			}
		}
	}
}

// before orders places.
func before(p, q r3.Vec) bool {
	x, y := geom.Components(p), geom.Components(q)
	return slices.Compare(x[:], y[:]) < 0
}

// height returns the height of a triangle over its longest edge.
func height(t *[3]r3.Vec) float64 {
	longest := 0.0
	for k := range 3 {
		longest = max(longest, geom.Norm(r3.Sub(t[(k+1)%3], t[k])))
	}
	if longest == 0 {
		return 0
	}
	return geom.Norm(geom.Cross(r3.Sub(t[1], t[0]), r3.Sub(t[2], t[0]))) / longest
}

// rows are the edges of the triangles of a body by their ends, in the order in which they are met.
type rows struct {
	order [][2]int32
	at    map[[2]int32][]side
}

func (e *rows) add(v, w int32, x side) {
	key := [2]int32{min(v, w), max(v, w)}
	if e.at[key] == nil {
		e.order = append(e.order, key)
	}
	e.at[key] = append(e.at[key], x)
}

// mend takes out thin triangles that only fill where triangles do not meet edge to edge: three
// corners on a line, of which one lies on an edge of a neighbor. Thin triangles with common edges
// lie on one line; it is divided at their corners, and each piece has the triangles on both sides
// of it that are not thin. Where a piece has none, as of a segment, all stays as it is.
func (s *Skin) mend(b *Surface, e *rows, thin []bool) {
	if !slices.Contains(thin, true) {
		return
	}
	find, join := sets(len(thin))
	for _, key := range e.order {
		first := int32(-1)
		for _, x := range e.at[key] {
			if !thin[x.tri] {
				continue
			}
			if r := find(x.tri); first < 0 {
				first = r
			} else if r != first {
				join(first, r)
			}
		}
	}
	lines := make(map[int32]*seam)
	var all []*seam
	for _, key := range e.order {
		for _, x := range e.at[key] {
			if thin[x.tri] {
				r := find(x.tri)
				if lines[r] == nil {
					lines[r] = &seam{}
					all = append(all, lines[r])
				}
				lines[r].keys = append(lines[r].keys, key)
				break
			}
		}
	}
	for _, l := range all {
		l.divide(s, b, e, thin)
	}
	gone := make(map[[2]int32]bool)
	for _, l := range all {
		if !l.whole {
			continue
		}
		for _, key := range l.keys {
			for _, x := range e.at[key] {
				s.Filler[x.tri] = s.Filler[x.tri] || thin[x.tri]
			}
			gone[key] = true
		}
	}
	old := *e
	*e = rows{at: make(map[[2]int32][]side)}
	for _, key := range old.order {
		if !gone[key] {
			for _, x := range old.at[key] {
				e.add(key[0], key[1], x)
			}
		}
	}
	for _, l := range all {
		for _, p := range l.pieces {
			for _, x := range p.sides {
				e.add(p.v, p.w, x)
			}
		}
	}
	held := make([]bool, len(s.Vertices))
	for i, t := range thin {
		for _, v := range s.VertexOf[i] {
			held[v] = held[v] || !t
		}
	}
	for i, t := range thin { // A point is a filler where others have it.
		if v := s.VertexOf[i]; t && v[0] == v[1] && v[1] == v[2] && held[v[0]] {
			s.Filler[i] = true
		}
	}
}

// EdgesOf returns the sharp edges of a triangle.
func (s *Skin) EdgesOf(tri int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for _, e := range s.EdgeOf[tri] {
			if e >= 0 && !yield(e) {
				return
			}
		}
		for _, e := range s.alsoOf[tri] {
			if !yield(e) {
				return
			}
		}
	}
}

// seam is thin triangles with common edges.
type seam struct {
	keys   [][2]int32
	pieces []seamPiece
	whole  bool // whether each piece has triangles that are not thin
}

type seamPiece struct {
	v, w  int32
	sides []side
}

// divide makes the pieces.
func (l *seam) divide(s *Skin, b *Surface, e *rows, thin []bool) {
	var list []int32
	for _, key := range l.keys {
		list = append(list, key[0], key[1])
	}
	slices.Sort(list)
	list = slices.Compact(list)
	farthest := func(from r3.Vec) (at r3.Vec) {
		most := -1.0
		for _, v := range list {
			if d := geom.Norm(r3.Sub(s.Vertices[v].At, from)); d > most {
				most, at = d, s.Vertices[v].At
			}
		}
		return at
	}
	p := farthest(s.Vertices[list[0]].At)
	q := farthest(p)
	way, ok := geom.Unit(r3.Sub(q, p), r3.Sub(q, p))
	if !ok {
		return
	}
	along := make(map[int32]float64, len(list))
	for _, v := range list {
		x := r3.Sub(s.Vertices[v].At, p)
		along[v] = geom.Dot(x, way)
		if geom.Norm(geom.Cross(x, way)) > float64(4*thinBound*b.Radius) {
			return
		}
	}
	slices.SortFunc(list, func(v, w int32) int {
		return cmp.Or(cmp.Compare(along[v], along[w]), cmp.Compare(v, w))
	})
	for i := 1; i < len(list); i++ {
		piece := seamPiece{v: list[i-1], w: list[i]}
		for _, key := range l.keys {
			lo, hi := along[key[0]], along[key[1]]
			if lo > hi {
				lo, hi = hi, lo
			}
			if !(lo <= along[piece.v] && along[piece.w] <= hi) {
				continue
			}
			for _, x := range e.at[key] {
				if !thin[x.tri] {
					piece.sides = append(piece.sides, x)
				}
			}
		}
		if len(piece.sides) == 0 {
			l.pieces = nil
			return
		}
		l.pieces = append(l.pieces, piece)
	}
	l.whole = true
}

// coplanar reports whether two triangles at an edge lie in one plane but for rounding: one is
// within off of their four corners. Of a narrow triangle the normal is not known to that; it leans
// by no more than slant. The plane is that of three of the corners, or along two edges without a
// common corner, whichever the corners are nearest to: of two narrow triangles neither has it.
func (*Skin) coplanar(b *Surface, x, y side, off float64) bool {
	own := func(x side) float64 { return geom.Norm(r3.Sub(b.Triangles[x.tri][(x.k+1)%3], b.Triangles[x.tri][x.k])) }
	if own(x) < own(y) { // Fillers may join a short edge to a long one.
		x, y = y, x
	}
	p, q := b.Triangles[x.tri][x.k], b.Triangles[x.tri][(x.k+1)%3]
	e, v, w := r3.Sub(q, p), r3.Sub(b.Triangles[x.tri][(x.k+2)%3], p), r3.Sub(b.Triangles[y.tri][(y.k+2)%3], p)
	// Rounding in long needles would be large in products of e: those of parts across it are small.
	length := geom.Norm(e)
	along := geom.Scale(1/length, e)
	inX, inY := r3.Sub(v, geom.Scale(geom.Dot(v, along), along)), r3.Sub(w, geom.Scale(geom.Dot(w, along), along))
	areaX, areaY := float64(length*geom.Norm(inX)), float64(length*geom.Norm(inY))
	volume := float64(length * geom.Norm(geom.Cross(inX, inY)))
	largest := max(areaX, areaY)
	for _, ways := range [5][2]r3.Vec{{v, w}, {r3.Sub(v, e), r3.Sub(w, e)}, {e, r3.Sub(w, v)}, {v, r3.Sub(w, e)},
		{w, r3.Sub(v, e)}} {
		largest = max(largest, geom.Norm(geom.Cross(ways[0], ways[1])))
	}
	if !(volume <= float64(off*largest)) {
		return false
	}
	return volume <= float64(off*min(areaX, areaY)) || float64(volume*length) <= float64(slant*areaX*areaY)
}

// lay puts the directions across edges, and the normals there, into the planes of the faces: what
// rounding turns in a narrow triangle would be taken for a lean of its face.
func (s *Skin) lay(normals []r3.Vec) {
	for i := range s.Edges {
		e := &s.Edges[i]
		for k, t := range e.of {
			n := s.Faces[s.FaceOf[t]].Normal
			in := r3.Sub(e.Ways[k], geom.Scale(geom.Dot(e.Ways[k], n), n))
			if u, ok := geom.Unit(in, in); ok {
				e.Ways[k] = u
			}
			if geom.Dot(n, normals[t]) < 0 {
				n = geom.Scale(-1, n)
			}
			e.Out = r3.Add(e.Out, n)
		}
		e.of = nil
	}
}

// Order are the weights of an order of points that does not depend on rounding, where no two are
// equal along them.
var Order = r3.Vec{X: 0.5466131, Y: 0.3141593, Z: 0.7763541}

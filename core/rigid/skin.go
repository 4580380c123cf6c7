package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/rigid/triangle"
)

// flatBound times the radius is how far a corner may be from the plane of a neighboring triangle
// that counts as of one face. A cut with rounded vertices bends a face by less.
const flatBound = 0x1p-44

// straightBound times the radius is how far a vertex may be from the line of its edge.
// Cuts bend an edge by less, and fillers by up to thinBound.
const straightBound = 1.125 * thinBound

// A skin is the surface of a body in terms that do not know how its faces are cut into triangles:
// triangles that lie in one plane and have an edge in common are one face; edges between them are
// none; vertices inside of a face or of an edge are no corners. It is in the body's coordinates.
type skin struct {
	vertexOf [][3]int32        // the vertex at each corner of each triangle
	edgeOf   [][3]int32        // the sharp edge that begins at each corner, or -1
	alsoOf   map[int32][]int32 // further sharp edges of a triangle, where others divide an edge of it
	filler   []bool            // whether a triangle is an edge or a point, all of it on others
	faceOf   []int32           // the face of a triangle, or -1 for one that is an edge or a point
	vertices []skinVertex
	edges    []skinEdge
	faces    []skinFace
	facing   float64 // 1 where a closed surface has its triangles' normals outside, -1 inside, 0: open
	extent   float64 // the diagonal of the body's box, with its radius
}

// skinVertex is a place where triangles have corners.
type skinVertex struct {
	at     r3.Vec
	ways   []r3.Vec // units along a corner's edges, in the planes of their faces
	corner bool
	tri    int32 // the first triangle that has it, and which of its corners it is
	k      Feature
}

// skinEdge is an edge of faces, from corner to corner: edges of triangles that go on straight.
type skinEdge struct {
	p, q   r3.Vec
	ways   []r3.Vec // units in its triangles, across it
	of     []int32  // the triangles of ways
	out    r3.Vec   // the sum of the normals of those at its first piece
	pieces []skinPiece
}

// skinPiece is an edge of a triangle: the one that begins at its corner k - 3.
type skinPiece struct {
	p, q r3.Vec
	tri  int32
	k    Feature
}

// skinFace is a face.
type skinFace struct {
	normal r3.Vec // unit, of its largest triangle
	size   float64
}

// skinOf returns the skin of the body, made at the first call that needs it.
func (b *Body) skinOf() *skin {
	e := &b.enclosing
	e.skinned.Do(func() { e.skin = newSkin(b) })
	return e.skin
}

// side is a triangle at an edge.
type side struct {
	tri int32
	k   int
}

func newSkin(b *Body) *skin {
	n := len(b.tri)
	s := &skin{vertexOf: make([][3]int32, n), edgeOf: make([][3]int32, n), faceOf: make([]int32, n),
		alsoOf: make(map[int32][]int32), filler: make([]bool, n)}
	number := make(map[r3.Vec]int32)
	normals := make([]r3.Vec, n)
	volume, size := 0.0, 0.0
	for i := range b.tri {
		t := &b.tri[i]
		for k, p := range t {
			v, ok := number[p]
			if !ok {
				v = int32(len(s.vertices))
				number[p] = v
				s.vertices = append(s.vertices, skinVertex{at: p, tri: int32(i), k: Feature(k)})
			}
			s.vertexOf[i][k] = v
		}
		c := geom.Cross(r3.Sub(t[1], t[0]), r3.Sub(t[2], t[0]))
		normals[i], _ = geom.Unit(c, c)
		part := geom.Dot(r3.Sub(t[0], b.tri[0][0]), c)
		volume += part
		size += math.Abs(part)
	}
	if b.closedAll() && math.Abs(volume) > 0x1p-40*size {
		s.facing = math.Copysign(1, volume)
	}
	s.extent = geom.Norm(r3.Sub(b.hi, b.lo)) + float64(2*b.grown.outer)
	thin := s.weld(b)
	for i := range thin {
		if thin[i] {
			normals[i] = r3.Vec{}
		}
	}
	e := rows{at: make(map[[2]int32][]side)}
	for i := range b.tri {
		for k := range 3 {
			v, w := s.vertexOf[i][k], s.vertexOf[i][(k+1)%3]
			if s.edgeOf[i][k] = -1; v != w {
				e.add(v, w, side{int32(i), k})
			}
		}
	}
	s.mend(b, &e, thin)
	s.join(b, normals, &e)
	return s
}

// join makes faces, edges and corners.
func (s *skin) join(b *Body, normals []r3.Vec, rows *rows) {
	find, join := sets(len(b.tri))
	off := float64(flatBound * b.bare)
	sharpAt := make([][]int32, len(s.vertices)) // the sharp edges
	var ends [][2]int32                         // their vertices
	held := make([]bool, len(s.vertices))       // whether a vertex has edges
	var flat []flatEdge
	for _, key := range rows.order {
		sides := rows.at[key]
		p, q := s.vertices[key[0]].at, s.vertices[key[1]].at
		d := r3.Sub(q, p)
		way, ok := geom.Unit(d, d)
		if !ok {
			continue // Its length underflows.
		}
		e := skinEdge{p: p, q: q, pieces: []skinPiece{{p, q, sides[0].tri, Feature(3 + sides[0].k)}}}
		for _, x := range sides {
			if normals[x.tri] == (r3.Vec{}) {
				continue
			}
			// The direction is of the triangle's own edge: a filler may leave a short piece of it.
			t := &b.tri[x.tri]
			own, v := r3.Sub(t[(x.k+1)%3], t[x.k]), r3.Sub(t[(x.k+2)%3], t[x.k])
			along, ok := geom.Unit(own, own)
			if !ok {
				continue
			}
			in := r3.Sub(v, geom.Scale(geom.Dot(v, along), along))
			if u, ok := geom.Unit(in, in); ok {
				e.ways, e.of = append(e.ways, u), append(e.of, x.tri)
			}
		}
		held[key[0]], held[key[1]] = true, true
		if len(sides) == 2 && len(e.ways) == 2 && geom.Dot(e.ways[0], e.ways[1]) < 0 &&
			s.coplanar(b, sides[0], sides[1], off) {
			join(find(sides[1].tri), find(sides[0].tri))
			flat = append(flat, flatEdge{key, way, sides[0].tri})
			continue
		}
		for _, x := range sides {
			if to := &s.edgeOf[x.tri][x.k]; *to < 0 {
				*to = int32(len(s.edges))
			} else {
				s.alsoOf[x.tri] = append(s.alsoOf[x.tri], int32(len(s.edges)))
			}
		}
		for _, v := range key {
			sharpAt[v] = append(sharpAt[v], int32(len(s.edges)))
		}
		s.edges, ends = append(s.edges, e), append(ends, key)
	}
	for i := range s.vertices { // A vertex inside of a face has no sharp edge.
		s.vertices[i].corner = len(sharpAt[i]) > 0 || !held[i]
	}
	name := make(map[int32]int32)
	for i := range b.tri {
		if s.faceOf[i] = -1; normals[i] == (r3.Vec{}) {
			continue
		}
		r := find(int32(i))
		f, ok := name[r]
		if !ok {
			f = int32(len(s.faces))
			name[r] = f
			s.faces = append(s.faces, skinFace{})
		}
		s.faceOf[i] = f
		t := &b.tri[i]
		area := geom.Norm(geom.Cross(r3.Sub(t[1], t[0]), r3.Sub(t[2], t[0])))
		if area > s.faces[f].size {
			s.faces[f] = skinFace{normals[i], area}
		}
	}
	s.lay(normals)
	s.straighten(ends, sharpAt, float64(straightBound*b.bare))
	for _, f := range flat {
		n := s.faces[s.faceOf[f.tri]].normal
		in := r3.Sub(f.way, geom.Scale(geom.Dot(f.way, n), n))
		way, ok := geom.Unit(in, in)
		for k, v := range f.ends {
			if ok && s.vertices[v].corner {
				s.vertices[v].add(geom.Scale(float64(1-2*k), way))
			}
		}
	}
}

// flatEdge is an edge of two triangles of one face.
type flatEdge struct {
	ends [2]int32
	way  r3.Vec // unit, from the first end
	tri  int32
}

// pieceAt returns the piece of an edge that a point of it lies on.
func (e *skinEdge) pieceAt(p r3.Vec) *skinPiece {
	best, at := math.Inf(1), 0
	for i := range e.pieces {
		q := &e.pieces[i]
		foot, _ := footOnTriangle(p, &[3]r3.Vec{q.p, q.q, q.q})
		if d := geom.Norm(r3.Sub(foot, p)); d < best {
			best, at = d, i
		}
	}
	return &e.pieces[at]
}

// add takes a direction of an edge, unless it is known.
func (v *skinVertex) add(way r3.Vec) {
	for _, w := range v.ways {
		if geom.Norm(r3.Sub(w, way)) <= sameWay {
			return
		}
	}
	v.ways = append(v.ways, way)
}

// footOnTriangle returns the point of a triangle nearest to p, and the feature that it is on; see
// Ericson, Real-Time Collision Detection, 5.1.5.
func footOnTriangle(p r3.Vec, t *[3]r3.Vec) (foot r3.Vec, on Feature) {
	best := math.Inf(1)
	for k := range 3 {
		e := r3.Sub(t[(k+1)%3], t[k])
		s := 0.0
		if ee := geom.Dot(e, e); ee > 0 {
			s = geom.Clamp(geom.Dot(e, r3.Sub(p, t[k])) / ee)
		}
		at := r3.Add(t[k], geom.Scale(s, e))
		if s == 1 {
			at = t[(k+1)%3]
		}
		if d := geom.Norm(r3.Sub(p, at)); d < best {
			best, foot, on = d, at, triangle.OnEdge(k, s)
		}
	}
	c := triangle.Corners{P: *t}
	c.Set()
	if at, _, ok := triangle.CornerFace(&p, &c, float64(best*best)); ok {
		return at, Face
	}
	return foot, on
}

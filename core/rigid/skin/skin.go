package skin

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/geom"
	"ccd/core/rigid/triangle"
)

// flatBound times the radius is how far a corner may be from the plane of a neighboring triangle
// that counts as of one face. A cut with rounded vertices bends a face by less.
const flatBound = 0x1p-44

// straightBound times the radius is how far a vertex may be from the line of its edge.
// Cuts bend an edge by less, and fillers by up to thinBound.
const straightBound = 1.125 * thinBound

// SameWay is how far the ends of units may be apart that are one direction.
const SameWay = 0x1p-30

// A Skin is the surface of a body in terms that do not know how its faces are cut into triangles:
// triangles that lie in one plane and have an edge in common are one face; edges between them are
// none; vertices inside of a face or of an edge are no corners. It is in the body's coordinates.
type Skin struct {
	VertexOf [][3]int32        // the vertex at each corner of each triangle
	EdgeOf   [][3]int32        // the sharp edge that begins at each corner, or -1
	alsoOf   map[int32][]int32 // further sharp edges of a triangle, where others divide an edge of it
	Filler   []bool            // whether a triangle is an edge or a point, all of it on others
	FaceOf   []int32           // the face of a triangle, or -1 for one that is an edge or a point
	Vertices []Vertex
	Edges    []Edge
	Faces    []Face
	Facing   float64 // 1 where a closed surface has its triangles' normals outside, -1 inside, 0: open
	Extent   float64 // the diagonal of the body's box, with its radius
}

// Vertex is a place where triangles have corners.
type Vertex struct {
	At     r3.Vec
	Ways   []r3.Vec // units along a corner's edges, in the planes of their faces
	Corner bool
	Tri    int32 // the first triangle that has it, and which of its corners it is
	K      triangle.Feature
}

// Edge is an edge of faces, from corner to corner: edges of triangles that go on straight.
type Edge struct {
	P, Q   r3.Vec
	Ways   []r3.Vec // units in its triangles, across it
	of     []int32  // the triangles of Ways
	Out    r3.Vec   // the sum of the normals of those at its first piece
	pieces []Piece
}

// Piece is an edge of a triangle: the one that begins at its corner K - 3.
type Piece struct {
	p, q r3.Vec
	Tri  int32
	K    triangle.Feature
}

// Face is a face.
type Face struct {
	Normal r3.Vec // unit, of its largest triangle
	size   float64
}

// A Surface is a body as far as its skin depends on it.
type Surface struct {
	Triangles []bvh.Triangle
	Radius    float64 // the radius of a ball around the origin that holds the triangles
	Extent    float64 // the diagonal of the body's box, with its radius
	Closed    bool    // whether the triangles bound something
}

// side is a triangle at an edge.
type side struct {
	tri int32
	k   int
}

// Of returns the skin of a surface.
func Of(b *Surface) *Skin {
	n := len(b.Triangles)
	s := &Skin{VertexOf: make([][3]int32, n), EdgeOf: make([][3]int32, n), FaceOf: make([]int32, n),
		alsoOf: make(map[int32][]int32), Filler: make([]bool, n)}
	number := make(map[r3.Vec]int32)
	normals := make([]r3.Vec, n)
	volume, size := 0.0, 0.0
	for i := range b.Triangles {
		t := &b.Triangles[i]
		for k, p := range t {
			v, ok := number[p]
			if !ok {
				v = int32(len(s.Vertices))
				number[p] = v
				s.Vertices = append(s.Vertices, Vertex{At: p, Tri: int32(i), K: triangle.Feature(k)})
			}
			s.VertexOf[i][k] = v
		}
		c := geom.Cross(r3.Sub(t[1], t[0]), r3.Sub(t[2], t[0]))
		normals[i], _ = geom.Unit(c, c)
		part := geom.Dot(r3.Sub(t[0], b.Triangles[0][0]), c)
		volume += part
		size += math.Abs(part)
	}
	if b.Closed && math.Abs(volume) > 0x1p-40*size {
		s.Facing = math.Copysign(1, volume)
	}
	s.Extent = b.Extent
	thin := s.weld(b)
	for i := range thin {
		if thin[i] {
			normals[i] = r3.Vec{}
		}
	}
	e := rows{at: make(map[[2]int32][]side)}
	for i := range b.Triangles {
		for k := range 3 {
			v, w := s.VertexOf[i][k], s.VertexOf[i][(k+1)%3]
			if s.EdgeOf[i][k] = -1; v != w {
				e.add(v, w, side{int32(i), k})
			}
		}
	}
	s.mend(b, &e, thin)
	s.join(b, normals, &e)
	return s
}

// join makes faces, edges and corners.
func (s *Skin) join(b *Surface, normals []r3.Vec, rows *rows) {
	find, join := sets(len(b.Triangles))
	off := float64(flatBound * b.Radius)
	sharpAt := make([][]int32, len(s.Vertices)) // the sharp edges
	var ends [][2]int32                         // their vertices
	held := make([]bool, len(s.Vertices))       // whether a vertex has edges
	var flat []flatEdge
	for _, key := range rows.order {
		sides := rows.at[key]
		p, q := s.Vertices[key[0]].At, s.Vertices[key[1]].At
		d := r3.Sub(q, p)
		way, ok := geom.Unit(d, d)
		if !ok {
			continue // Its length underflows.
		}
		e := Edge{P: p, Q: q, pieces: []Piece{{p, q, sides[0].tri, triangle.Feature(3 + sides[0].k)}}}
		for _, x := range sides {
			if normals[x.tri] == (r3.Vec{}) {
				continue
			}
			// The direction is of the triangle's own edge: a filler may leave a short piece of it.
			t := &b.Triangles[x.tri]
			own, v := r3.Sub(t[(x.k+1)%3], t[x.k]), r3.Sub(t[(x.k+2)%3], t[x.k])
			along, ok := geom.Unit(own, own)
			if !ok {
				continue
			}
			in := r3.Sub(v, geom.Scale(geom.Dot(v, along), along))
			if u, ok := geom.Unit(in, in); ok {
				e.Ways, e.of = append(e.Ways, u), append(e.of, x.tri)
			}
		}
		held[key[0]], held[key[1]] = true, true
		if len(sides) == 2 && len(e.Ways) == 2 && geom.Dot(e.Ways[0], e.Ways[1]) < 0 &&
			s.coplanar(b, sides[0], sides[1], off) {
			join(find(sides[1].tri), find(sides[0].tri))
			flat = append(flat, flatEdge{key, way, sides[0].tri})
			continue
		}
		for _, x := range sides {
			if to := &s.EdgeOf[x.tri][x.k]; *to < 0 {
				*to = int32(len(s.Edges))
			} else {
				s.alsoOf[x.tri] = append(s.alsoOf[x.tri], int32(len(s.Edges)))
			}
		}
		for _, v := range key {
			sharpAt[v] = append(sharpAt[v], int32(len(s.Edges)))
		}
		s.Edges, ends = append(s.Edges, e), append(ends, key)
	}
	for i := range s.Vertices { // A vertex inside of a face has no sharp edge.
		s.Vertices[i].Corner = len(sharpAt[i]) > 0 || !held[i]
	}
	name := make(map[int32]int32)
	for i := range b.Triangles {
		if s.FaceOf[i] = -1; normals[i] == (r3.Vec{}) {
			continue
		}
		r := find(int32(i))
		f, ok := name[r]
		if !ok {
			f = int32(len(s.Faces))
			name[r] = f
			s.Faces = append(s.Faces, Face{})
		}
		s.FaceOf[i] = f
		t := &b.Triangles[i]
		area := geom.Norm(geom.Cross(r3.Sub(t[1], t[0]), r3.Sub(t[2], t[0])))
		if area > s.Faces[f].size {
			s.Faces[f] = Face{normals[i], area}
		}
	}
	s.lay(normals)
	s.straighten(ends, sharpAt, float64(straightBound*b.Radius))
	for _, f := range flat {
		n := s.Faces[s.FaceOf[f.tri]].Normal
		in := r3.Sub(f.way, geom.Scale(geom.Dot(f.way, n), n))
		way, ok := geom.Unit(in, in)
		for k, v := range f.ends {
			if ok && s.Vertices[v].Corner {
				s.Vertices[v].add(geom.Scale(float64(1-2*k), way))
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

// PieceAt returns the piece of an edge that a point of it lies on.
func (e *Edge) PieceAt(p r3.Vec) *Piece {
	best, at := math.Inf(1), 0
	for i := range e.pieces {
		q := &e.pieces[i]
		foot, _ := triangle.NearestTo(p, &[3]r3.Vec{q.p, q.q, q.q})
		if d := geom.Norm(r3.Sub(foot, p)); d < best {
			best, at = d, i
		}
	}
	return &e.pieces[at]
}

// add takes a direction of an edge, unless it is known.
func (v *Vertex) add(way r3.Vec) {
	for _, w := range v.Ways {
		if geom.Norm(r3.Sub(w, way)) <= SameWay {
			return
		}
	}
	v.Ways = append(v.Ways, way)
}

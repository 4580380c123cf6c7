package broad

import (
	"math"
	"slices"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// No linear map suits needles of many directions, as those of hair or of a heap of fibers. A plan
// may therefore divide edges and faces into pieces, each half as long as the one before: pieces of
// the length s have boxes of the volume s^3, where a needle of the length L has L^3, and there are
// but L/s of them. The plan sweeps the pieces slice by slice (slices.go), tests the edges and faces
// whose pieces it finds by kernels, and emits the pairs that these leave.
//
// Law: such a plan finds each pair at most once, and every pair that the filter allows and that
// comes within its separation at some time of [0, Until]. Proof. The pieces of a primitive cover
// it, and their vertices, middles of vertices, move linearly, as the primitive's own do. So two
// points that come within the separation are in two pieces that do so at the same time. The
// computed pieces are off by no more than pieceError. Both pieces are in the slice that holds the
// middle of the two points, by slice's law, and their boxes are inflated by that error: by the law
// of a sweep, the two pieces are found, unless they share a vertex; then they are pieces of one
// primitive. What a kernel leaves out stays apart. Pairs are sorted, and each is kept once.
//
// As with a map, only callers whose results do not depend on pairs that stay apart set
// Tactic.Orient.

// pieceDepth is how often a primitive is halved, at most.
const pieceDepth = 12

// pieces are the pieces of the primitives of a family that meet a slice.
type pieces struct {
	size   float64 // pieces are no longer than this, or have been halved pieceDepth times
	in     slice
	mesh   mesh.Mesh // mesh has vertices, edges and faces alone; each primitive has its own vertices.
	motion geom.Trajectories
	parent [3][]int32 // parent has by shape the primitive that each is a piece of.
	ids    []int32    // the memory of lists of pieces
}

// pieceError is the largest error of a coordinate of a piece's vertex, where L is the largest
// magnitude of a coordinate.
//
// Derivation, with u = 2^-53. Halves are exact, but below 2^-1022, where each is off by 2^-1075;
// their sum is off by u of itself, and no coordinate exceeds L. So the middle of two vertices that
// are off by e is off by e + u L + 2^-1073 at most, and after 12 halvings by 12 u L + 2^-1069. Here
// is more, for the rounding of the product.
func pieceError(largest float64) float64 { return float64(0x1p-49*largest) + 0x1p-1068 }

// middle adds the middle of two vertices and returns its number.
func (d *pieces) middle(a, b int32) int32 {
	n := len(d.motion.Rec)
	d.motion.Rec = slices.Grow(d.motion.Rec, 8)[:n+8]
	rec := d.motion.Rec
	x, y, m := (*[8]float64)(rec[8*a:]), (*[8]float64)(rec[8*b:]), (*[8]float64)(rec[n:])
	for k := range m {
		m[k] = float64(0.5*x[k]) + float64(0.5*y[k])
	}
	d.motion.N++
	return int32(d.motion.N - 1)
}

// length returns the distance of two vertices in the max norm, the larger of both ends.
func (d *pieces) length(a, b int32) (l float64) {
	x, y := (*[8]float64)(d.motion.Rec[8*a:]), (*[8]float64)(d.motion.Rec[8*b:])
	for k := range 3 {
		l = max(l, math.Abs(x[k]-y[k]), math.Abs(x[4+k]-y[4+k]))
	}
	return l
}

// halvings returns how often an edge of this length is halved.
func (d *pieces) halvings(length float64) (n int) {
	for ; n < pieceDepth && length > d.size; n++ {
		length /= 2
	}
	return n
}

// edge adds the pieces of an edge, or of a piece of it, that meet the slice, halved so many times.
func (d *pieces) edge(parent, a, b int32, halvings int) {
	k := d.in.axis
	x, y := (*[8]float64)(d.motion.Rec[8*a:]), (*[8]float64)(d.motion.Rec[8*b:])
	if !d.in.meets(min(x[k], x[4+k], y[k], y[4+k]), max(x[k], x[4+k], y[k], y[4+k])) {
		return
	}
	if halvings == 0 {
		d.mesh.Edges, d.parent[geom.Edge] = append(d.mesh.Edges, [2]int32{a, b}), append(d.parent[geom.Edge], parent)
		return
	}
	m := d.middle(a, b)
	d.edge(parent, a, m, halvings-1)
	d.edge(parent, m, b, halvings-1)
}

// face adds the pieces of a face, or of a piece of it, that meet the slice: it is cut from the
// middle of its longest side to the corner at the other side.
func (d *pieces) face(parent int32, f [3]int32, depth int) {
	if lo, hi := extent(&d.motion, f[:], d.in.axis); !d.in.meets(lo, hi) {
		return
	}
	long, l := 0, -1.0
	for k := range f {
		if x := d.length(f[k], f[(k+1)%3]); x > l {
			long, l = k, x
		}
	}
	if depth == pieceDepth || l <= d.size {
		d.mesh.Faces, d.parent[geom.Face] = append(d.mesh.Faces, f), append(d.parent[geom.Face], parent)
		return
	}
	a, b, c := f[long], f[(long+1)%3], f[(long+2)%3]
	m := d.middle(a, b)
	d.face(parent, [3]int32{a, m, c}, depth+1)
	d.face(parent, [3]int32{m, b, c}, depth+1)
}

// vertex copies a vertex of a motion and returns its number.
func (d *pieces) vertex(mo *geom.Trajectories, v int32) int32 {
	d.motion.Rec = append(d.motion.Rec, mo.Rec[8*int(v):8*int(v)+8]...)
	d.motion.N++
	return int32(d.motion.N - 1)
}

// add adds the pieces of a primitive of a step that meet the slice.
func (d *pieces) add(m *mesh.Mesh, mo *geom.Trajectories, s geom.Shape, id int32) {
	switch s {
	case geom.Vertex:
		d.vertex(mo, id)
		d.parent[s] = append(d.parent[s], id)
	case geom.Edge:
		e := m.Edges[id]
		a, b := d.vertex(mo, e[0]), d.vertex(mo, e[1])
		d.edge(id, a, b, d.halvings(d.length(a, b)))
	default:
		f := m.Faces[id]
		d.face(id, [3]int32{d.vertex(mo, f[0]), d.vertex(mo, f[1]), d.vertex(mo, f[2])}, 0)
	}
}

// begin removes all pieces.
func (d *pieces) begin() {
	d.mesh.Edges, d.mesh.Faces, d.motion.Rec, d.motion.N = d.mesh.Edges[:0], d.mesh.Faces[:0], d.motion.Rec[:0], 0
	for s := range d.parent {
		d.parent[s] = d.parent[s][:0]
	}
}

// end completes the pieces and returns their family, of which na are of the first set.
func (d *pieces) end(f *family, na int) family {
	d.mesh.NV = d.motion.N
	out := family{kind: f.kind, a: set{Shape: f.a.Shape, n: na}, self: f.self}
	if f.self {
		return out
	}
	out.b = set{Shape: f.b.Shape, n: len(d.parent[f.b.Shape])}
	if f.a.Shape == f.b.Shape { // those of the second set follow
		all := grow(&d.ids, out.b.n)
		for i := range all {
			all[i] = int32(i)
		}
		out.a.ids, out.b.ids, out.b.n = all[:na], all[na:], out.b.n-na
	}
	return out
}

// bytes returns the memory of the pieces.
func (d *pieces) bytes() int64 {
	n := 8*cap(d.motion.Rec) + 8*cap(d.mesh.Edges) + 12*cap(d.mesh.Faces) + 4*cap(d.ids)
	for _, of := range d.parent {
		n += 4 * cap(of)
	}
	return int64(n)
}

// parents replaces pairs of pieces by the pairs of their primitives, without those of a primitive
// with itself, and repetitions that follow one another.
func (d *pieces) parents(k geom.Kind, pairs [][2]int32) [][2]int32 {
	info := k.Info()
	first, second, symmetric := d.parent[info.Shapes[0]], d.parent[info.Shapes[1]], info.Symmetric()
	kept, before := 0, [2]int32{-1, -1}
	for _, x := range pairs {
		x = [2]int32{first[x[0]], second[x[1]]}
		if symmetric {
			if x[0] == x[1] {
				continue
			}
			x = [2]int32{min(x[0], x[1]), max(x[0], x[1])}
		}
		if x != before {
			pairs[kept], before = x, x
			kept++
		}
	}
	return pairs[:kept]
}

// slice is the part of space between two planes across an axis, each moved away from the other by
// the reach.
//
// Law: of two points that are within the separation of each other, whose middle is between the
// planes, two computed pieces that are off by no more than pieceError meet the slice, and so do
// those that they are pieces of. Proof. Each point is within half the separation of the middle
// along the axis, and within the error of the extent of the piece. The reach is both together, or
// more.
type slice struct {
	axis   int
	lo, hi float64
}

// meets reports whether an extent along the axis meets the slice.
func (s *slice) meets(lo, hi float64) bool { return lo <= s.hi && hi >= s.lo }

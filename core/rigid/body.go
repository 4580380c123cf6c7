package rigid

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/geom"
	"ccd/core/rigid/poses"
	"ccd/core/rigid/screw"
	"ccd/core/rigid/skin"
	"ccd/core/status"
	"ccd/simd/solid"
)

// Body is the surface of a rigid body with its tree of oriented boxes. It is not changed after
// NewBody, but for what it keeps to save time: threads may share it.
//
// A body of NewBody is its triangles, not what they enclose. A triangle may repeat a vertex: it is
// then an edge or a point. Bodies of shapes and padded ones are more: see grown.
//
// Size: its fields are what calls on it share, each made once, and its methods are the questions
// that one body alone answers.
type Body struct {
	Faces [][3]int32
	tri   []bvh.Triangle
	// Node i of the tree has the children child[i] and child[i]+1, or ^child[i] is the triangle of
	// a leaf.
	child  []int32
	boxes  []solid.SiblingBoxes // the boxes of the nodes: see boxOf
	radius float64              // the radius of a ball around the origin that holds the body
	bare   float64              // the radius of one that holds the triangles
	lo, hi r3.Vec               // corners of a box that holds the triangles
	grown  grown

	once     sync.Once
	attached any // see Attached
	closing  sync.Once
	closed   bool            // see closedAll
	crowded  map[edgeOf]bool // the edges of more than two triangles
	pictures screw.Kept      // the images that screws draw of the body

	enclosing enclosing
}

// NewBody checks a surface and builds its tree, with at least one thread. vertices is flat, three
// coordinates each. Nothing of the arguments is kept, and the body does not depend on the number of
// threads.
func NewBody(vertices []float64, faces [][3]int32, threads int) (*Body, error) {
	if len(vertices)%3 != 0 {
		return nil, status.Errorf(status.ErrArgument, "vertices has %d coordinates: must be a multiple of 3",
			len(vertices))
	}
	if len(faces) == 0 || len(faces) > math.MaxInt32/2 {
		return nil, status.Errorf(status.ErrArgument, "faces has %d items: a body has 1 to %d triangles",
			len(faces), math.MaxInt32/2)
	}
	for i, x := range vertices {
		if !(math.Abs(x) <= MaxMagnitude) {
			return nil, fmt.Errorf("vertices[%d][%d] is %v: %w", i/3, i%3, x, poses.ErrMagnitude)
		}
	}
	b := &Body{Faces: slices.Clone(faces), tri: make([]bvh.Triangle, len(faces))}
	r2 := 0.0
	for i, f := range faces {
		for j, v := range f {
			if v < 0 || int(v) >= len(vertices)/3 {
				return nil, status.Errorf(status.ErrIndex,
					"faces[%d][%d] is %d: out of range for %d vertices, the first of which is 0", i, j, v,
					len(vertices)/3)
			}
			p := geom.VecOf(vertices[3*v:])
			b.tri[i][j] = p
			r2 = max(r2, geom.Dot(p, p))
			if i+j == 0 {
				b.lo, b.hi = p, p
			}
			b.lo = r3.Vec{X: min(b.lo.X, p.X), Y: min(b.lo.Y, p.Y), Z: min(b.lo.Z, p.Z)}
			b.hi = r3.Vec{X: max(b.hi.X, p.X), Y: max(b.hi.Y, p.Y), Z: max(b.hi.Z, p.Z)}
		}
	}
	b.bare = float64(math.Sqrt(r2)*(1+0x1p-50)) + 0x1p-500 // The constant pays for squares below 2^-1022.
	b.radius = b.bare
	tree := bvh.Build(bvh.Boxes(b.tri), threads)
	b.setNodes(tree.Fit(b.tri, threads))
	return b, nil
}

// setNodes keeps the boxes of a tree. Two siblings stand together from an odd number on, behind the
// root, which is stored twice.
func (b *Body) setNodes(nodes []bvh.Oriented) {
	b.child, b.boxes = make([]int32, len(nodes)), make([]solid.SiblingBoxes, len(nodes)/2+1)
	for i := range nodes {
		n := &nodes[i]
		b.child[i] = n.Left
		siblings, k := b.boxOf(int32(i))
		for row, x := range [solid.BoxLen]float64{
			n.C.X, n.C.Y, n.C.Z, n.X.X, n.X.Y, n.X.Z, n.Y.X, n.Y.Y, n.Y.Z, n.Z.X, n.Z.Y, n.Z.Z, n.H.X,
			n.H.Y, n.H.Z, n.R,
		} {
			siblings[row][k] = x
			if i == 0 {
				siblings[row][1-k] = x
			}
		}
	}
}

// boxOf returns where the box of a node stands.
func (b *Body) boxOf(node int32) (siblings *solid.SiblingBoxes, column int32) {
	return &b.boxes[(node+1)>>1], (node + 1) & 1
}

// radiusAbout returns the radius of a ball around the pivot that holds the body.
func (b *Body) radiusAbout(pivot r3.Vec) float64 {
	if pivot == (r3.Vec{}) {
		return b.radius
	}
	root := &b.boxes[0]
	center := r3.Vec{X: root[solid.BoxC][0], Y: root[solid.BoxC+1][0], Z: root[solid.BoxC+2][0]}
	far := geom.Norm(r3.Sub(center, pivot)) + root[solid.BoxR][0] + b.grown.outer
	return float64(min(far, b.radius+geom.Norm(pivot))*(1+0x1p-50)) + 0x1p-500
}

// Corners returns the corners of a face.
func (b *Body) Corners(face int32) [3]r3.Vec { return b.tri[face] }

// Attached returns the value that a Search keeps with the body: that of make at the first call.
func (b *Body) Attached(make func() any) any {
	b.once.Do(func() { b.attached = make() })
	return b.attached
}

// skinOf returns the skin of the body, made at the first call that needs it.
func (b *Body) skinOf() *skin.Skin {
	e := &b.enclosing
	e.skinned.Do(func() {
		e.skin = skin.Of(&skin.Surface{Triangles: b.tri, Radius: b.bare, Closed: b.closedAll(),
			Extent: geom.Norm(r3.Sub(b.hi, b.lo)) + float64(2*b.grown.outer)})
	})
	return e.skin
}

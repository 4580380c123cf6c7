package rigid

import (
	"math/big"
	"slices"
	"sync"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/rigid/hull"
	"ccd/core/rigid/triangle"
)

// Convexity is what the corners of a body say about its shape.
type Convexity struct {
	Corners []r3.Vec // the corners of the triangles, or of their hull, each once
	// Convex: the triangles, with what they enclose, are the convex hull of their corners. For a
	// body of NewBody this is decided by exact signs.
	Convex bool
	Hull   *Body // the hull as a body with the radii of this one; nil where Convex
	// Of many corners of a convex body: the corner i shares edges of triangles with the corners
	// Beside[From[i]:From[i+1]]. Nil for few.
	Beside, From []int32
}

// manyCorners is from how many corners on neighbors are listed: a search along them takes less
// time than a look at all.
const manyCorners = 48

// convexity is made at the first call that needs it.
type convexity struct {
	once sync.Once
	is   Convexity
}

// Convexity returns what the corners say; the body keeps it.
func (b *Body) Convexity() *Convexity {
	c := &b.enclosing.shape
	c.once.Do(func() { c.is = convexityOf(b) })
	return &c.is
}

func convexityOf(b *Body) (c Convexity) {
	number := make(map[r3.Vec]int32, len(b.tri))
	faces := make([][3]int32, len(b.tri))
	for i := range b.tri {
		for k, p := range b.tri[i] {
			p = r3.Vec{X: p.X + 0, Y: p.Y + 0, Z: p.Z + 0} // One zero.
			id, ok := number[p]
			if !ok {
				id = int32(len(number))
				number[p] = id
				c.Corners = append(c.Corners, p)
			}
			faces[i][k] = id
		}
	}
	if b.grown.solid {
		c.Convex = true
		c.neighbors(faces)
		return c
	}
	own, full := hull.Of(c.Corners)
	corners := cornersOf(own, c.Corners)
	if full {
		c.Convex = b.closedAll() && hull.Bounds(c.Corners, faces, own)
	} else {
		c.Convex = hull.Covers(c.Corners, faces, own)
	}
	c.Corners = corners
	if c.Convex {
		c.neighbors(renumbered(own))
		return c
	}
	var flat []float64
	for _, p := range corners {
		flat = append(flat, p.X, p.Y, p.Z)
	}
	made, err := HullBody(flat)
	if err != nil { // Never: the corners are those of a body.
		made = b
	}
	c.Hull = made.with(grown{inner: b.grown.inner, outer: b.grown.outer, solid: made.grown.solid})
	return c
}

// neighbors lists the neighbors of corners by triangles of them.
func (c *Convexity) neighbors(faces [][3]int32) {
	if len(c.Corners) < manyCorners {
		return
	}
	edges := make([][2]int32, 0, 6*len(faces))
	for _, f := range faces {
		for i := range 3 {
			if a, b := f[i], f[(i+1)%3]; a != b {
				edges = append(edges, [2]int32{a, b}, [2]int32{b, a})
			}
		}
	}
	slices.SortFunc(edges, func(x, y [2]int32) int { return slices.Compare(x[:], y[:]) })
	c.From = make([]int32, len(c.Corners)+1)
	for _, e := range slices.Compact(edges) {
		c.Beside = append(c.Beside, e[1])
		c.From[e[0]+1]++
	}
	for i := range c.Corners {
		c.From[i+1] += c.From[i]
	}
}

// renumbered returns triangles whose corners are numbered by their order, without gaps.
func renumbered(faces [][3]int32) [][3]int32 {
	corners, out := hull.CornerNumbers(faces), make([][3]int32, len(faces))
	for i, f := range faces {
		for k, v := range f {
			at, _ := slices.BinarySearch(corners, v)
			out[i][k] = int32(at)
		}
	}
	return out
}

func cornersOf(faces [][3]int32, p []r3.Vec) (out []r3.Vec) {
	for _, i := range hull.CornerNumbers(faces) {
		out = append(out, p[i])
	}
	return out
}

// Bare returns the body without its radius, padding and deviation, with the same tree.
func (b *Body) Bare() *Body {
	if b.grown.outer == 0 {
		return b
	}
	return b.with(grown{solid: b.grown.solid})
}

// Outer returns the radius of the envelope about the triangles: Radius and Deviation, together.
func (b *Body) Outer() float64 { return b.grown.outer }

// Reach returns the radius of a ball about the origin that holds the triangles.
func (b *Body) Reach() float64 { return b.bare }

// Encloses reports whether the triangles are closed, so that the body may have something inside.
func (b *Body) Encloses() bool { return b.grown.solid || b.solid().Closed() == nil }

// CheckPoses checks the poses and the options of a call; its error begins as that of Distance.
func CheckPoses(pa, pb *geom.Pose, o *DistanceOptions) error {
	ma, mb := at(pa), at(pb)
	return checkPoses(&ma, &mb, o)
}

// RotationInIntegers returns |q|^2 and the rows of a matrix N, for q in a unit in which its
// components are integers: N / |q|^2 is the rotation of q/|q|.
func RotationInIntegers(q quat.Number) (square *big.Int, rows [3]num.IntVec) {
	return triangle.Rotated(q)
}

// Nested reports whether one of two bodies at poses, whose triangles share no point, is inside of
// the other one, which encloses space.
func Nested(a *Body, pa *geom.Pose, b *Body, pb *geom.Pose) bool {
	ma, mb := at(pa), at(pb)
	return a.Encloses() && a.encloses(b, &ma, &mb, 0) || b.Encloses() && b.encloses(a, &mb, &ma, 0)
}

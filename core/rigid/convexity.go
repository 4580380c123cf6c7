package rigid

import (
	"math"
	"math/big"
	"slices"
	"sync"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
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
	h := &hull{p: c.Corners}
	hull, full := hullOf(c.Corners)
	corners := cornersOf(hull, c.Corners)
	if full {
		c.Convex = b.closedAll() && h.bounds(faces, hull)
	} else {
		c.Convex = h.covers(faces, hull)
	}
	c.Corners = corners
	if c.Convex {
		c.neighbors(renumbered(hull))
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
	corners, out := cornerNumbers(faces), make([][3]int32, len(faces))
	for i, f := range faces {
		for k, v := range f {
			at, _ := slices.BinarySearch(corners, v)
			out[i][k] = int32(at)
		}
	}
	return out
}

// cornerNumbers returns the corners of triangles, each once, in ascending order.
func cornerNumbers(faces [][3]int32) (list []int32) {
	for i := range faces {
		list = append(list, faces[i][:]...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func cornersOf(faces [][3]int32, p []r3.Vec) (out []r3.Vec) {
	for _, i := range cornerNumbers(faces) {
		out = append(out, p[i])
	}
	return out
}

// bounds reports whether triangles, which are closed, are the surface of the hull of points, of
// which its own triangles are given.
//
// A triangle whose plane has all corners on one side lies in the surface of the hull; that of the
// hull need not be looked at. So the
// winding number is one number w in all of the inside, and the volume, a sum of determinants, is w
// times that of the hull. Seen from a point of the hull all determinants have the sign of w if each
// part of the surface is covered |w| times; a sum that is at least half of the sum of magnitudes is
// not 0 by rounding.
func (h *hull) bounds(faces, own [][3]int32) bool {
	corners, known := cornerNumbers(own), make(map[[3]int32]bool, len(own))
	for _, f := range own {
		slices.Sort(f[:])
		known[f] = true
	}
	volume, all := 0.0, 0.0
	from := h.p[faces[0][0]]
	for _, f := range faces {
		least, most, key, others := 0, 0, f, corners
		if slices.Sort(key[:]); known[key] {
			others = nil
		}
		for _, c := range others {
			s := h.side(f[0], f[1], f[2], c)
			if least, most = min(least, s), max(most, s); least < 0 && most > 0 {
				return false
			}
		}
		a, b, c := r3.Sub(h.p[f[0]], from), r3.Sub(h.p[f[1]], from), r3.Sub(h.p[f[2]], from)
		det := geom.Dot(a, geom.Cross(b, c))
		volume, all = volume+det, all+math.Abs(det)
	}
	return all > 0 && math.Abs(volume) >= 0.5*all
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
func RotationInIntegers(q quat.Number) (square *big.Int, rows [3]num.IntVec) { return rotated(q) }

// Nested reports whether one of two bodies at poses, whose triangles share no point, is inside of
// the other one, which encloses space.
func Nested(a *Body, pa *geom.Pose, b *Body, pb *geom.Pose) bool {
	ma, mb := at(pa), at(pb)
	return a.Encloses() && a.encloses(b, &ma, &mb, 0) || b.Encloses() && b.encloses(a, &mb, &ma, 0)
}

package bvh

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// Oriented is the oriented box of a node, in the body's coordinates. Every point p of the node's
// primitives is
//
//	p = C + y1 X + y2 Y + y3 Z   with |yk| <= Hk, and |p - C| <= R
//
// in real arithmetic, with the doubles as they are. X, Y and Z are orthonormal up to axisSlack.
type Oriented struct {
	C       r3.Vec
	X, Y, Z r3.Vec
	H       r3.Vec
	R       float64
	Left    int32 // children Left and Left+1; ^primitive at a leaf
}

// axisSlack bounds |u.v - (1 or 0)| for the computed inner products of the axes; axes beyond it are
// not used.
const axisSlack = 16 * 0x1p-53

// boxSlack times R is added to half extents. Let M have the axes as columns, F = M^T M - I. A
// computed inner product errs by 3u, so every entry of F is below 19u and |F| <= 57u. The
// coordinates are y = M^-1 (p - C), and M^-1 = (I + F)^-1 M^T, so y differs from M^T (p - C) by at
// most 58u |M^T (p - C)| <= 60u R. Computing p - C errs by u R, the product with an axis by 3u R
// and second order: 64u R in all. Half of boxSlack is a reserve; radiusSlack covers the squares,
// sums, root and product of R itself, 4u.
const (
	boxSlack    = 128 * 0x1p-53
	radiusSlack = 1 + 8*0x1p-53
)

// Triangle is a triangle's three corners.
type Triangle [3]r3.Vec

// Boxes returns the boxes of triangles, for Build.
func Boxes(tri []Triangle) []Box {
	out := make([]Box, len(tri))
	for i := range tri {
		out[i] = none
		for _, p := range tri[i] {
			out[i] = out[i].with(&Box{p, p})
		}
	}
	return out
}

// Fit computes the oriented boxes of a tree over triangles. The axes of a box are those of the
// least area among the world's axes, the principal axes of the node's surface, and, in nodes of few
// triangles, the axes that a triangle spans. At a leaf the box is flat.
func (t *Tree) Fit(tri []Triangle, threads int) []Oriented {
	out := make([]Oriented, len(t.Nodes))
	f := fitter{t, tri, nodeMoments(t, tri)}
	tasks := make(chan int, 64)
	var wait sync.WaitGroup
	for range max(threads, 1) {
		wait.Go(func() {
			var points []r3.Vec
			for from := range tasks {
				for i := from; i < min(from+fitChunk, len(out)); i++ {
					points = f.fit(i, &out[i], points)
				}
			}
		})
	}
	for i := 0; i < len(out); i += fitChunk {
		tasks <- i
	}
	close(tasks)
	wait.Wait()
	return out
}

const (
	fitChunk = 64 // nodes in a task
	ownAxes  = 8  // nodes of at most this many triangles try the axes of each
)

type fitter struct {
	*Tree
	tri     []Triangle
	moments []surfaceMoments
}

// fit computes the box of node i; points is scratch.
func (f *fitter) fit(i int, o *Oriented, points []r3.Vec) []r3.Vec {
	n := &f.Nodes[i]
	list := f.Order[n.First : n.First+n.Count]
	points = points[:0]
	for _, p := range list {
		points = append(points, f.tri[p][:]...)
	}
	best := candidate{area: math.Inf(1)}
	best.try(geom.Mat{X: r3.Vec{X: 1}, Y: r3.Vec{Y: 1}, Z: r3.Vec{Z: 1}}, points)
	if x, y, ok := f.moments[i].axes(); ok {
		best.tryPair(x, y, points)
	}
	if len(list) <= ownAxes {
		for _, p := range list {
			a := &f.tri[p]
			normal := geom.Cross(r3.Sub(a[1], a[0]), r3.Sub(a[2], a[0]))
			for k := range a {
				best.tryPair(normal, r3.Sub(a[(k+1)%3], a[k]), points)
			}
		}
	}
	best.write(o, points)
	o.Left = n.Left
	if n.Count == 1 {
		o.Left = ^list[0]
	}
	return points
}

// candidate holds the best axes so far.
type candidate struct {
	axes   geom.Mat // axes as rows
	center r3.Vec   // along the axes
	area   float64
}

// tryPair tries the axes whose first is along x and whose first two span the plane of x and y.
func (c *candidate) tryPair(x, y r3.Vec, points []r3.Vec) {
	if frame, ok := orthonormal(x, y); ok {
		c.try(frame, points)
	}
}

func (c *candidate) try(frame geom.Mat, points []r3.Vec) {
	box := none
	for _, p := range points {
		q := frame.Apply(p)
		box = box.with(&Box{q, q})
	}
	if a := box.area(); a < c.area {
		*c = candidate{frame, r3.Add(geom.Scale(0.5, box.Lo), geom.Scale(0.5, box.Hi)), a}
	}
}

// write computes the box around its rounded center.
func (c *candidate) write(o *Oriented, points []r3.Vec) {
	o.X, o.Y, o.Z = c.axes.X, c.axes.Y, c.axes.Z
	o.C = c.axes.ApplyTransposed(c.center)
	r2 := 0.0
	for _, p := range points {
		d := r3.Sub(p, o.C)
		r2 = max(r2, geom.Dot(d, d))
		q := c.axes.Apply(d)
		o.H = r3.Vec{X: max(o.H.X, math.Abs(q.X)), Y: max(o.H.Y, math.Abs(q.Y)), Z: max(o.H.Z, math.Abs(q.Z))}
	}
	o.R = float64(math.Sqrt(r2) * radiusSlack)
	slack := float64(boxSlack*o.R) + 0x1p-1000 // The constant pays for underflow.
	o.H = r3.Add(o.H, r3.Vec{X: slack, Y: slack, Z: slack})
	o.R += 0x1p-500 // The constant pays for squares below 2^-1022.
}

// orthonormal returns the axes of two directions; ok is false where they are too small or too
// nearly parallel.
func orthonormal(x, y r3.Vec) (m geom.Mat, ok bool) {
	x, ok = unit(x)
	if !ok {
		return m, false
	}
	y, ok = unit(y)
	if !ok {
		return m, false
	}
	for range 3 {
		y = r3.Sub(y, geom.Scale(geom.Dot(x, y), x))
		if y, ok = unit(y); !ok {
			return m, false
		}
	}
	m = geom.Mat{X: x, Y: y, Z: geom.Cross(x, y)}
	for _, e := range []float64{geom.Dot(m.X, m.X) - 1, geom.Dot(m.Y, m.Y) - 1, geom.Dot(m.Z, m.Z) - 1,
		geom.Dot(m.X, m.Y), geom.Dot(m.Y, m.Z), geom.Dot(m.Z, m.X)} {
		if !(math.Abs(e) <= axisSlack) {
			return m, false
		}
	}
	return m, true
}

// unit scales v to length 1, first by its largest component, so that squares are harmless.
func unit(v r3.Vec) (r3.Vec, bool) {
	m := geom.MaxAbs(v)
	if !(m > 0x1p-900) {
		return v, false
	}
	_, e := math.Frexp(m)
	v = geom.Scale(math.Ldexp(1, -e), v)
	return geom.Scale(1/geom.Norm(v), v), true
}

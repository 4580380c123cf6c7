package bvh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// surfaceMoments holds twice the area and the first and second moments of a surface, about the
// first corner of the tree's first triangle.
type surfaceMoments struct {
	area2  float64
	first  r3.Vec
	second [6]float64 // xx yy zz xy yz zx
}

// nodeMoments returns the moments of every node. Children come after their parent in the array, so
// it is filled from the end.
func nodeMoments(t *Tree, tri []Triangle) []surfaceMoments {
	out := make([]surfaceMoments, len(t.Nodes))
	origin := tri[t.Order[0]][0]
	for i := len(t.Nodes) - 1; i >= 0; i-- {
		n := &t.Nodes[i]
		if n.Count == 1 {
			out[i] = triangleMoments(&tri[t.Order[n.First]], origin)
			continue
		}
		l, r := &out[n.Left], &out[n.Left+1]
		m := surfaceMoments{area2: l.area2 + r.area2, first: r3.Add(l.first, r.first)}
		for k := range m.second {
			m.second[k] = l.second[k] + r.second[k]
		}
		out[i] = m
	}
	return out
}

// triangleMoments integrates with a weight of 1/12 at each corner and 3/4 at the centroid, which is
// exact for quadratic functions. All moments are doubled, like the area: axes divides by it.
func triangleMoments(t *Triangle, origin r3.Vec) surfaceMoments {
	a, b, c := r3.Sub(t[0], origin), r3.Sub(t[1], origin), r3.Sub(t[2], origin)
	area2 := geom.Norm(geom.Cross(r3.Sub(b, a), r3.Sub(c, a)))
	g := geom.Scale(1.0/3, r3.Add(r3.Add(a, b), c))
	m := surfaceMoments{area2: area2, first: geom.Scale(area2, g)}
	for _, p := range []struct {
		w float64
		v r3.Vec
	}{{area2 / 12, a}, {area2 / 12, b}, {area2 / 12, c}, {area2 * 0.75, g}} {
		v, w := p.v, p.w
		for k, x := range [6]float64{v.X * v.X, v.Y * v.Y, v.Z * v.Z, v.X * v.Y, v.Y * v.Z, v.Z * v.X} {
			m.second[k] += float64(w * x)
		}
	}
	return m
}

// axes returns the principal directions of least and of medium extent. ok is false if the area is
// zero or not finite, or if a moment is NaN.
func (m *surfaceMoments) axes() (least, medium r3.Vec, ok bool) {
	if !(m.area2 > 0) || math.IsInf(m.area2, 0) {
		return least, medium, false
	}
	g := geom.Scale(1/m.area2, m.first)
	var a [3][3]float64
	for k, product := range [6]float64{g.X * g.X, g.Y * g.Y, g.Z * g.Z, g.X * g.Y, g.Y * g.Z, g.Z * g.X} {
		i, j := [6]int{0, 1, 2, 0, 1, 2}[k], [6]int{0, 1, 2, 1, 2, 0}[k]
		a[i][j] = m.second[k]/m.area2 - float64(product)
		a[j][i] = a[i][j]
	}
	vectors := jacobi(&a)
	lo, hi := 0, 0
	for k := 1; k < 3; k++ {
		if a[k][k] < a[lo][lo] {
			lo = k
		}
		if a[k][k] >= a[hi][hi] {
			hi = k
		}
	}
	if lo == hi {
		return least, medium, false
	}
	return vectors[lo], vectors[3-lo-hi], true // The three indices add up to 3.
}

// jacobi diagonalizes a symmetric matrix in place by rotations and returns its eigenvectors.
// Inaccurate axes make boxes larger but not wrong, so a fixed number of rounds suffices.
func jacobi(a *[3][3]float64) (vectors [3]r3.Vec) {
	v := [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} // columns
	for range 8 {
		for p := range 2 {
			for q := p + 1; q < 3; q++ {
				if a[p][q] != 0 {
					rotate(a, &v, p, q)
				}
			}
		}
	}
	for k := range vectors {
		vectors[k] = r3.Vec{X: v[0][k], Y: v[1][k], Z: v[2][k]}
	}
	return vectors
}

// rotate applies the rotation that makes a[p][q] zero to a, and to the columns of v.
func rotate(a, v *[3][3]float64, p, q int) {
	theta := (a[q][q] - a[p][p]) / (2 * a[p][q])
	t := 1 / (math.Abs(theta) + math.Sqrt(float64(theta*theta)+1))
	if theta < 0 {
		t = -t
	}
	c := 1 / math.Sqrt(float64(t*t)+1)
	s := t * c
	for k := range 3 {
		x, y := a[k][p], a[k][q]
		a[k][p], a[k][q] = float64(c*x)-float64(s*y), float64(s*x)+float64(c*y)
	}
	for k := range 3 {
		x, y := a[p][k], a[q][k]
		a[p][k], a[q][k] = float64(c*x)-float64(s*y), float64(s*x)+float64(c*y)
		x, y = v[k][p], v[k][q]
		v[k][p], v[k][q] = float64(c*x)-float64(s*y), float64(s*x)+float64(c*y)
	}
}

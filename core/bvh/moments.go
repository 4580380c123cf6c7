package bvh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// surfaceMoments holds the area and the first and second moments of a surface, about the first corner of the tree's first triangle.
type surfaceMoments struct {
	area   float64
	first  r3.Vec
	second [6]float64 // xx yy zz xy yz zx
}

// nodeMoments returns the moments of every node. Children come after their parent in the array, so it is filled from the end.
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
		m := surfaceMoments{area: l.area + r.area, first: r3.Add(l.first, r.first)}
		for k := range m.second {
			m.second[k] = l.second[k] + r.second[k]
		}
		out[i] = m
	}
	return out
}

// triangleMoments weighs corners by 1/12 and the centroid by 3/4 of the area, which is exact for second moments.
func triangleMoments(t *Triangle, origin r3.Vec) surfaceMoments {
	a, b, c := r3.Sub(t[0], origin), r3.Sub(t[1], origin), r3.Sub(t[2], origin)
	area := geom.Norm(geom.Cross(r3.Sub(b, a), r3.Sub(c, a)))
	g := geom.Scale(1.0/3, r3.Add(r3.Add(a, b), c))
	m := surfaceMoments{area: area, first: geom.Scale(area, g)}
	for _, p := range []struct {
		w float64
		v r3.Vec
	}{{area / 12, a}, {area / 12, b}, {area / 12, c}, {area * 0.75, g}} {
		v, w := p.v, p.w
		for k, x := range [6]float64{v.X * v.X, v.Y * v.Y, v.Z * v.Z, v.X * v.Y, v.Y * v.Z, v.Z * v.X} {
			m.second[k] += float64(w * x)
		}
	}
	return m
}

// axes returns the two principal directions of least and of medium extent.
func (m *surfaceMoments) axes() (x, y r3.Vec, ok bool) {
	if !(m.area > 0) || math.IsInf(m.area, 0) {
		return x, y, false
	}
	g := geom.Scale(1/m.area, m.first)
	var a [3][3]float64
	for k, product := range [6]float64{g.X * g.X, g.Y * g.Y, g.Z * g.Z, g.X * g.Y, g.Y * g.Z, g.Z * g.X} {
		i, j := [6]int{0, 1, 2, 0, 1, 2}[k], [6]int{0, 1, 2, 1, 2, 0}[k]
		a[i][j] = m.second[k]/m.area - float64(product)
		a[j][i] = a[i][j]
	}
	vectors := jacobi(&a)
	least, most := 0, 0
	for k := 1; k < 3; k++ {
		if a[k][k] < a[least][least] {
			least = k
		}
		if a[k][k] >= a[most][most] {
			most = k
		}
	}
	if least == most {
		return x, y, false
	}
	return vectors[least], vectors[3-least-most], true
}

// jacobi makes a symmetric matrix diagonal by rotations and returns the eigenvectors. Inaccurate axes make boxes larger but not
// wrong, so a fixed number of rounds suffices.
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

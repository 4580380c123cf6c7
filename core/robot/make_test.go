package robot

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

func randomVec(r *rand.Rand, size float64) r3.Vec {
	return r3.Vec{X: size * (2*r.Float64() - 1), Y: size * (2*r.Float64() - 1), Z: size * (2*r.Float64() - 1)}
}

func randomRotation(r *rand.Rand) geom.Mat {
	return geom.Rotation(quat.Number{Real: r.NormFloat64(), Imag: r.NormFloat64(), Jmag: r.NormFloat64(),
		Kmag: r.NormFloat64()})
}

var boxFaces = [][3]int32{{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
	{0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}}

// boxShape returns a box of these half sizes, turned and moved.
func boxShape(half r3.Vec, turn geom.Mat, at r3.Vec) Shape {
	s := Shape{Faces: boxFaces}
	for i := range 8 {
		v := half
		if i&1 == 0 {
			v.X = -v.X
		}
		if i&2 == 0 {
			v.Y = -v.Y
		}
		if i&4 == 0 {
			v.Z = -v.Z
		}
		s.Vertices = append(s.Vertices, r3.Add(at, turn.Apply(v)))
	}
	return s
}

// blob returns a closed mesh of about 2 n^2 triangles around a point.
func blob(r *rand.Rand, n int, size float64, at r3.Vec) Shape {
	var s Shape
	s.Vertices = append(s.Vertices, r3.Add(at, r3.Vec{Z: size}), r3.Add(at, r3.Vec{Z: -size}))
	for i := 1; i < n; i++ {
		for k := range 2 * n {
			a, b := math.Pi*float64(i)/float64(n), math.Pi*float64(k)/float64(n)
			l := size * (0.8 + 0.4*r.Float64())
			s.Vertices = append(s.Vertices, r3.Add(at, r3.Vec{X: l * math.Sin(a) * math.Cos(b),
				Y: l * math.Sin(a) * math.Sin(b), Z: l * math.Cos(a)}))
		}
	}
	v := func(i, k int) int32 { return int32(2 + (i-1)*2*n + k%(2*n)) }
	for k := range 2 * n {
		s.Faces = append(s.Faces, [3]int32{0, v(1, k), v(1, k+1)}, [3]int32{1, v(n-1, k+1), v(n-1, k)})
		for i := 1; i < n-1; i++ {
			s.Faces = append(s.Faces, [3]int32{v(i, k), v(i+1, k), v(i+1, k+1)},
				[3]int32{v(i, k), v(i+1, k+1), v(i, k+1)})
		}
	}
	return s
}

// rod returns a body of a link: a box, a blob or a capsule along the way to the next joint.
func rod(r *rand.Rand, link int, to r3.Vec, balls bool) Body {
	middle := geom.Scale(0.5, to)
	if balls && r.IntN(2) == 0 {
		return Body{link, []Shape{{Vertices: []r3.Vec{geom.Scale(0.3, to), geom.Scale(0.9, to), {X: 0.02}},
			Radii: []float64{0.03, 0.03, 0.05}, Edges: [][2]int32{{0, 1}}}}}
	}
	if r.IntN(3) == 0 {
		return Body{link, []Shape{blob(r, 4, 0.4*geom.Norm(to)+0.02, middle)}}
	}
	h := 0.35 * geom.Norm(to)
	return Body{link, []Shape{boxShape(r3.Vec{X: 0.03 + 0.05*r.Float64(), Y: 0.03 + 0.05*r.Float64(), Z: h},
		randomRotation(r), middle)}}
}

// randomModel makes a tree of joints with bodies, and obstacles. Pairs are those of links that are
// not neighbors, and of all links with all obstacles.
func randomModel(r *rand.Rand, links, obstacles int, balls bool) *Model {
	m := &Model{Links: links, Variables: links - 1}
	for i := 1; i < links; i++ {
		parent := i - 1
		if r.IntN(4) == 0 {
			parent = r.IntN(i)
		}
		kind := Revolute
		switch r.IntN(8) {
		case 0:
			kind = Prismatic
		case 1:
			kind = Fixed
		}
		m.Joints = append(m.Joints, Joint{Kind: kind, Parent: parent, Child: i, Variable: r.IntN(i),
			Factor: 1, Offset: 0.1 * r.Float64(), Rotation: randomRotation(r), Position: randomVec(r, 0.3),
			Axis: randomVec(r, 1)})
	}
	order := r.Perm(len(m.Joints))
	shuffled := make([]Joint, len(order))
	for i, k := range order {
		shuffled[i] = m.Joints[k]
	}
	m.Joints = shuffled
	for i := range links {
		m.Bodies = append(m.Bodies, rod(r, i, randomVec(r, 0.2), balls))
	}
	for range obstacles {
		at := randomVec(r, 0.9)
		switch r.IntN(3) {
		case 0: // a wire
			wire := boxShape(r3.Vec{X: 0.01, Y: 0.01, Z: 1}, randomRotation(r), at)
			m.Bodies = append(m.Bodies, Body{Scene, []Shape{wire}})
		case 1:
			m.Bodies = append(m.Bodies, Body{Scene, []Shape{blob(r, 5, 0.15, at)}})
		default:
			x := []r3.Vec{at, r3.Add(at, randomVec(r, 0.4)), r3.Add(at, randomVec(r, 0.4))}
			m.Bodies = append(m.Bodies, Body{Scene, []Shape{{Vertices: x, Faces: [][3]int32{{0, 1, 2}}}}})
		}
	}
	near := func(a, b int) bool {
		for _, j := range m.Joints {
			if j.Parent == a && j.Child == b || j.Parent == b && j.Child == a {
				return true
			}
		}
		return false
	}
	for a := range m.Bodies {
		for b := a + 1; b < len(m.Bodies); b++ {
			if a < links && (b >= links || !near(a, b)) {
				m.Pairs = append(m.Pairs, [2]int{a, b})
			}
		}
	}
	return m
}

func randomEdge(r *rand.Rand, m *Model, length float64) (q0, q1 []float64) {
	q0, q1 = make([]float64, m.Variables), make([]float64, m.Variables)
	for i := range q0 {
		q0[i] = 2 * (2*r.Float64() - 1)
		q1[i] = q0[i] + length*(2*r.Float64()-1)
	}
	return q0, q1
}

var identity = geom.Mat{X: r3.Vec{X: 1}, Y: r3.Vec{Y: 1}, Z: r3.Vec{Z: 1}}

package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"ccd/core/mesh"
	"ccd/core/meshfile"
	"ccd/core/motion"
)

// scene is a step of a mesh.
type scene struct {
	m      *mesh.Mesh
	x0, x1 []float64
	faces  []int32
	edge   float64 // the mean length of the sides of faces at x0

	bent [2]*motion.Motion // the step on paths of degree 2 and 3
}

// maker makes a scene.
type maker struct {
	name string
	make func() (*scene, error)
}

func makers(data string) []maker {
	read := func(name, a, b string) maker {
		return maker{name, func() (*scene, error) {
			dir := filepath.Join(data, "scenes", name, "frames")
			p, err := meshfile.Read(filepath.Join(dir, a))
			if err != nil {
				return nil, err
			}
			q, err := meshfile.Read(filepath.Join(dir, b))
			if err != nil {
				return nil, err
			}
			return made(p.Vertices, q.Vertices, flat(p.Faces))
		}}
	}
	sheet := func(n int) maker {
		return maker{fmt.Sprintf("crumpled sheet %d", n), func() (*scene, error) { return crumpled(n) }}
	}
	return []maker{
		read("cloth-funnel", "227.ply", "228.ply"),
		read("armadillo-rollers", "326.ply", "327.ply"),
		read("cloth-ball", "cloth_ball92.ply", "cloth_ball93.ply"),
		{"twisted bundle", func() (*scene, error) { return rods(91, 160, 6, 12, 12.3) }},
		{"pressed bundle", func() (*scene, error) { return pressed(91, 160, 6) }},
		{"large bundle", func() (*scene, error) { return rods(91, 1600, 8, 12, 12.3) }},
		sheet(183), sheet(577), sheet(1000), sheet(2236),
	}
}

func flat(faces [][3]int32) (list []int32) {
	for _, f := range faces {
		list = append(list, f[:]...)
	}
	return list
}

func made(x0, x1 []float64, faces []int32) (*scene, error) {
	m, err := mesh.New(len(x0)/3, nil, faces)
	if err != nil {
		return nil, err
	}
	s := &scene{m: m, x0: x0, x1: x1, faces: faces}
	for i := range faces {
		a, b := faces[i], faces[i-i%3+(i+1)%3]
		l := 0.0
		for k := range 3 {
			d := x0[3*int(a)+k] - x0[3*int(b)+k]
			l += float64(d * d)
		}
		s.edge += math.Sqrt(l) / float64(len(faces))
	}
	for i := range s.bent {
		if s.bent[i], err = bend(x0, x1, i+2); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// bend is the motion of a degree from x0 to x1 whose inner control points are moved off the
// segments, by a field of places and by noise: a quarter of the way of each vertex.
func bend(x0, x1 []float64, degree int) (*motion.Motion, error) {
	r := rand.New(rand.NewPCG(23, 7))
	control := slices.Clone(x0)
	for l := 1; l < degree; l++ {
		for i := 0; i < len(x0); i += 3 {
			way := math.Sqrt(square(x1[i]-x0[i]) + square(x1[i+1]-x0[i+1]) + square(x1[i+2]-x0[i+2]))
			at := 3*x0[i] + 5*x0[i+1] + 7*x0[i+2] + float64(2*l)
			noise := 0.2 * (r.Float64() - 0.5)
			off := [3]float64{math.Sin(at) + noise, math.Cos(1.3*at) - noise, math.Sin(1.7*at+1) + noise}
			for k := range off {
				x := x0[i+k] + float64(l)/float64(degree)*(x1[i+k]-x0[i+k])
				control = append(control, x+0.25*way*off[k])
			}
		}
	}
	return motion.New(len(x0)/3, degree, nil, append(control, x1...), nil)
}

func square(x float64) float64 { return x * x }

// in returns the scene in an order: given, shuffled (vertices and faces), vertices or faces (only
// those shuffled), sorted (by space).
func (s *scene) in(order string) (*scene, error) {
	n, nf := s.m.NV, len(s.faces)/3
	r := rand.New(rand.NewPCG(23, 5))
	vertices, faces := make([]int, n), make([]int, nf) // the old number of each new one
	for i := range vertices {
		vertices[i] = i
	}
	for i := range faces {
		faces[i] = i
	}
	switch order {
	case "given":
		return made(s.x0, s.x1, s.faces)
	case "shuffled":
		vertices, faces = r.Perm(n), r.Perm(nf)
	case "vertices":
		vertices = r.Perm(n)
	case "faces":
		faces = r.Perm(nf)
	case "sorted":
		codes := s.codes()
		slices.SortFunc(vertices, func(a, b int) int { return int(codes[a]) - int(codes[b]) })
		least := make([]uint32, nf)
		for f := range least {
			least[f] = min(codes[s.faces[3*f]], codes[s.faces[3*f+1]], codes[s.faces[3*f+2]])
		}
		slices.SortFunc(faces, func(a, b int) int { return int(least[a]) - int(least[b]) })
	default:
		return nil, fmt.Errorf("no order %q", order)
	}
	at := make([]int32, n)
	x0, x1, out := make([]float64, 3*n), make([]float64, 3*n), make([]int32, 3*nf)
	for i, old := range vertices {
		at[old] = int32(i)
		copy(x0[3*i:3*i+3], s.x0[3*old:])
		copy(x1[3*i:3*i+3], s.x1[3*old:])
	}
	for i, old := range faces {
		for k := range 3 {
			out[3*i+k] = at[s.faces[3*old+k]]
		}
	}
	t, err := made(x0, x1, out)
	if err != nil {
		return nil, err
	}
	t.edge = s.edge
	return t, nil
}

// codes returns the Morton code of each vertex at x0: ten bits an axis.
func (s *scene) codes() []uint32 {
	var lo, hi [3]float64
	for k := range 3 {
		lo[k], hi[k] = math.Inf(1), math.Inf(-1)
	}
	for i, x := range s.x0 {
		lo[i%3], hi[i%3] = min(lo[i%3], x), max(hi[i%3], x)
	}
	size := max(hi[0]-lo[0], hi[1]-lo[1], hi[2]-lo[2])
	codes := make([]uint32, s.m.NV)
	for i, x := range s.x0 {
		c := uint32(1023 * ((x - lo[i%3]) / size))
		for b := range 10 {
			codes[i/3] |= (c >> b & 1) << (3*b + i%3)
		}
	}
	return codes
}

// rods is a bundle of tubes whose upper end turns, from one angle to another.
func rods(n, rings, around int, before, after float64) (*scene, error) {
	twisted := func(turn float64) (x []float64) {
		for k := range n {
			radius, angle := 0.1*math.Sqrt(float64(k)), 2.399963*float64(k) // a sunflower
			for i := range rings {
				z := 4 * float64(i) / float64(rings-1)
				s, c := math.Sincos(turn * z / 4)
				for j := range around {
					ps, pc := math.Sincos(2 * math.Pi * float64(j) / float64(around))
					px, py := float64(radius*math.Cos(angle))+float64(0.04*pc), float64(radius*math.Sin(angle))+
						float64(0.04*ps)
					x = append(x, float64(c*px)-float64(s*py), float64(s*px)+float64(c*py), z)
				}
			}
		}
		return x
	}
	var faces []int32
	for k := range n {
		at := func(i, j int) int32 { return int32((k*rings+i)*around + j%around) }
		for i := range rings - 1 {
			for j := range around {
				a, b, c, d := at(i, j), at(i+1, j), at(i, j+1), at(i+1, j+1)
				faces = append(faces, a, b, c, b, d, c)
			}
		}
	}
	return made(twisted(before), twisted(after), faces)
}

// pressed is a bundle of tubes that turns as it is pressed together, so that neighbors meet.
func pressed(n, rings, around int) (*scene, error) {
	s, err := rods(n, rings, around, 3, 3.2)
	if err != nil {
		return nil, err
	}
	for v := range s.m.NV {
		radius, angle := 0.1*math.Sqrt(float64(v/(rings*around))), 2.399963*float64(v/(rings*around))
		z := s.x0[3*v+2]
		for i, turn := range []float64{3, 3.2} {
			x, by := [][]float64{s.x0, s.x1}[i], []float64{0.5, 0.58}[i]
			sin, cos := math.Sincos(angle + turn*z/4)
			x[3*v] -= float64(by * radius * cos)
			x[3*v+1] -= float64(by * radius * sin)
		}
	}
	return made(s.x0, s.x1, s.faces)
}

// crumpled is a sheet of n x n quads whose vertices move by up to most of an edge, so that
// neighbors just begin to cross.
func crumpled(n int) (*scene, error) {
	r := rand.New(rand.NewPCG(23, 3))
	var x0, x1 []float64
	var faces []int32
	for i := range n + 1 {
		for j := range n + 1 {
			x := [3]float64{float64(i), float64(j), 2 * math.Sin(0.3*float64(i)) * math.Sin(0.2*float64(j))}
			for k := range 3 {
				x0, x1 = append(x0, x[k]), append(x1, x[k]+1.6*r.Float64()-0.8)
			}
			if v := int32(i*(n+1) + j); i < n && j < n {
				faces = append(faces, v, v+int32(n)+1, v+1, v+int32(n)+1, v+int32(n)+2, v+1)
			}
		}
	}
	return made(x0, x1, faces)
}

// filters are what a mesh is given beside its positions.
type filters struct {
	moving float64 // the part of the vertices that are not static
	thick  bool
}

// set gives the mesh of a scene static vertices, all but those with the least coordinates along the
// first axis, and radii of up to a twentieth of an edge.
func (f filters) set(s *scene) error {
	if f.moving < 1 {
		at := make([]float64, s.m.NV)
		for v := range at {
			at[v] = s.x0[3*v]
		}
		sorted, static := slices.Sorted(slices.Values(at)), make([]bool, s.m.NV)
		for v := range static {
			static[v] = at[v] > sorted[int(f.moving*float64(len(sorted)))]
		}
		if err := s.m.SetStatic(static); err != nil {
			return err
		}
	}
	if !f.thick {
		return nil
	}
	r, radii := rand.New(rand.NewPCG(23, 9)), make([]float64, s.m.NV)
	for v := range radii {
		radii[v] = 0.05 * s.edge * r.Float64()
	}
	return s.m.SetRadii(radii)
}

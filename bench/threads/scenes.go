package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"

	"ccd/core/mesh"
	"ccd/core/meshfile"
)

// scene is a step of a mesh.
type scene struct {
	name   string
	m      *mesh.Mesh
	x0, x1 []float64
	edge   float64 // the mean length of the edges at x0

	alpha, y []float64 // memory for sizes
}

// real lists the scenes of the data: two frames each.
var real = [][3]string{
	{"cloth-funnel", "227.ply", "228.ply"},
	{"armadillo-rollers", "326.ply", "327.ply"},
	{"cloth-ball", "cloth_ball92.ply", "cloth_ball93.ply"},
}

// scenes returns the scenes of the data, and some of those of bench/ccdbench/made.py.
func scenes(data string) (all []scene, err error) {
	for _, name := range real {
		s := scene{name: name[0]}
		dir := filepath.Join(data, "scenes", name[0], "frames")
		a, err := meshfile.Read(filepath.Join(dir, name[1]))
		if err != nil {
			return nil, err
		}
		b, err := meshfile.Read(filepath.Join(dir, name[2]))
		if err != nil {
			return nil, err
		}
		if s.m, err = a.Mesh(); err != nil {
			return nil, err
		}
		s.x0, s.x1 = a.Vertices, b.Vertices
		all = append(all, s)
	}
	r := rand.New(rand.NewPCG(23, 1))
	for _, make := range []func() (scene, error){
		func() (scene, error) { return rods("twisted rods", 37, 120, 8, 2.5, 2.8) },
		func() (scene, error) { return rods("twisted bundle", 91, 160, 6, 12, 12.3) },
		func() (scene, error) { return needles("needles", 10_000, [3]float64{0, 0.1, 0.05}, r) },
		func() (scene, error) { return needles("long needles", 2_000, [3]float64{0, 3, 1.5}, r) },
		func() (scene, error) { return worlds(200, r) },
	} {
		s, err := make()
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	for i := range all {
		s := &all[i]
		s.measureEdges()
		s.alpha, s.y = make([]float64, s.m.NV), make([]float64, len(s.x0))
	}
	return all, nil
}

// made returns a scene.
func made(name string, x0, x1 []float64, faces []int32) (scene, error) {
	m, err := mesh.New(len(x0)/3, nil, faces)
	if err != nil {
		return scene{}, fmt.Errorf("%s: %w", name, err)
	}
	return scene{name: name, m: m, x0: x0, x1: x1}, nil
}

// rods is a bundle of tubes whose upper end turns, from one angle to another.
func rods(name string, n, rings, around int, before, after float64) (scene, error) {
	twisted := func(turn float64) (x []float64) {
		for k := range n {
			radius, angle := 0.1*math.Sqrt(float64(k)), 2.399963*float64(k) // a sunflower
			for i := range rings {
				z := 4 * float64(i) / float64(rings-1)
				s, c := math.Sincos(turn * z / 4)
				for j := range around {
					ps, pc := math.Sincos(2 * math.Pi * float64(j) / float64(around))
					px, py := radius*math.Cos(angle)+0.04*pc, radius*math.Sin(angle)+0.04*ps
					x = append(x, c*px-s*py, s*px+c*py, z)
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
	return made(name, twisted(before), twisted(after), faces)
}

// needles are thin triangles along (1, 1, 1), all over a cube, which move a little. along has where
// their corners are.
func needles(name string, n int, along [3]float64, r *rand.Rand) (scene, error) {
	var x0, x1 []float64
	var faces []int32
	for i := range n {
		var base, thick, move [3]float64
		for k := range 3 {
			base[k], thick[k], move[k] = r.Float64(), 1e-3*r.NormFloat64(), 0.01*r.NormFloat64()
		}
		for corner := range 3 {
			for k := range 3 {
				x := base[k] + along[corner]
				if corner == 2 {
					x += thick[k]
				}
				x0, x1 = append(x0, x), append(x1, x+move[k])
			}
			faces = append(faces, int32(3*i+corner))
		}
	}
	return made(name, x0, x1, faces)
}

// worlds are two static landscapes, one upside down over the other, and a small sheet that falls
// between them.
func worlds(side int, r *rand.Rand) (scene, error) {
	const small = 12
	var x0, x1 []float64
	var faces []int32
	grid := func(n int, point func(u, v float64) [3]float64, falls float64) {
		first := len(x0) / 3
		for i := range n {
			for j := range n {
				p := point(float64(i)/float64(side), float64(j)/float64(side))
				x0, x1 = append(x0, p[:]...), append(x1, p[0], p[1], p[2]-falls)
				if i > 0 && j > 0 {
					a := int32(first + (i-1)*n + j - 1)
					b, c, d := a+int32(n), a+1, a+int32(n)+1
					faces = append(faces, a, b, c, b, d, c)
				}
			}
		}
	}
	hill := func(u, v float64) float64 {
		return float64(0.05*math.Sin(9*u)*math.Sin(11*v)) + float64(1e-3*r.NormFloat64())
	}
	grid(side, func(u, v float64) [3]float64 { return [3]float64{u, v, hill(u, v)} }, 0)
	grid(side, func(u, v float64) [3]float64 { return [3]float64{u, v, 0.3 - hill(u, v)} }, 0)
	still := len(x0) / 3
	grid(small, func(u, v float64) [3]float64 {
		return [3]float64{0.45 + u, 0.45 + v, 0.15 + float64(1e-4*r.NormFloat64())}
	}, 0.2)
	s, err := made("two worlds", x0, x1, faces)
	if err != nil {
		return s, err
	}
	static := make([]bool, len(x0)/3)
	for i := range still {
		static[i] = true
	}
	return s, s.m.SetStatic(static)
}

// measureEdges sets the mean length.
func (s *scene) measureEdges() {
	for _, e := range s.m.Edges {
		l := 0.0
		for k := range 3 {
			d := s.x0[3*int(e[0])+k] - s.x0[3*int(e[1])+k]
			l += float64(d * d)
		}
		s.edge += math.Sqrt(l) / float64(len(s.m.Edges))
	}
}

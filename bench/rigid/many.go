package main

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/rigid"
)

// many is the outcome on a scene of many bodies, or of bodies over a mesh that deforms.
type many struct {
	Scene     string  `json:"scene"`
	Bodies    int     `json:"bodies"`
	Triangles int     `json:"triangles"` // the triangles of all bodies
	Faces     int     `json:"faces"`     // the faces of the mesh
	Pairs     int64   `json:"pairs"`     // pairs whose boxes meet
	Contacts  int64   `json:"contacts"`
	All       float64 `json:"all_ms"` // the median round
	Earliest  float64 `json:"earliest_ms"`
}

// density keeps the bodies, of radius about 1, as far from each other on average in scenes of every
// size.
const density = 1.0 / 20

// crowd measures scenes of bunnies and gears that fly and spin through a cube.
func crowd(dir string, n, rounds int) (many, error) {
	row := many{Scene: "crowd", Bodies: n}
	s, err := crowded(dir, n, &row)
	if err != nil {
		return row, err
	}
	var stats engine.Stats
	s.Stats = &stats
	row.All, err = timed(rounds, func() error { _, err := s.Collisions(nil); return err })
	row.Pairs, row.Contacts = stats.Candidates[0], stats.Impacts
	if err == nil {
		row.Earliest, err = timed(rounds, func() error { _, err := s.Earliest(nil); return err })
	}
	return row, err
}

func crowded(dir string, n int, row *many) (*rigid.Scene, error) {
	var shapes [2]*rigid.Body
	var triangles [2]int
	for i, name := range []string{"bunny", "gear"} {
		var err error
		if shapes[i], triangles[i], _, err = body(dir, name, 0); err != nil {
			return nil, err
		}
	}
	r := rand.New(rand.NewPCG(uint64(n), 7))
	side := math.Cbrt(float64(n) / density)
	vec := func(s float64) r3.Vec {
		return geom.Scale(s, r3.Vec{X: r.Float64() - 0.5, Y: r.Float64() - 0.5, Z: r.Float64() - 0.5})
	}
	s := new(rigid.Scene)
	for i := range n {
		s.Bodies = append(s.Bodies, shapes[i%2])
		row.Triangles += triangles[i%2]
		s.Motions = append(s.Motions, rigid.Motion{
			Rotation: quat.Number{Real: r.NormFloat64(), Imag: r.NormFloat64(), Jmag: r.NormFloat64(),
				Kmag: r.NormFloat64()},
			Position: vec(side), Velocity: vec(1), AngularVelocity: vec(4),
		})
	}
	return s, nil
}

// drape measures nine bunnies that fall, spinning, on a sheet that rises under them in waves.
func drape(dir string, n, rounds int) (many, error) {
	row := many{Scene: "drape", Bodies: 9, Faces: 2 * n * n}
	bunny, triangles, _, err := body(dir, "bunny", 0)
	if err != nil {
		return row, err
	}
	row.Triangles = 9 * triangles
	m, x0, x1, err := waves(n)
	if err != nil {
		return row, err
	}
	s := rigid.MeshScene{Mesh: m}
	for i := range 9 {
		s.Bodies = append(s.Bodies, bunny)
		s.Motions = append(s.Motions, rigid.Motion{
			Rotation: quat.Number{Real: 1, Imag: 0.1 * float64(i)},
			Position: r3.Vec{X: 3 * float64(i%3-1), Y: 3 * float64(i/3-1), Z: 2.2},
			Velocity: r3.Vec{Z: -1}, AngularVelocity: r3.Vec{X: 0.5, Y: 0.3 * float64(i), Z: 2},
		})
	}
	var stats engine.Stats
	s.Stats = &stats
	row.All, err = timed(rounds, func() error { _, err := s.Collisions(x0, x1, nil); return err })
	row.Pairs, row.Contacts = stats.Candidates[0], stats.Impacts
	if err == nil {
		row.Earliest, err = timed(rounds, func() error { _, err := s.Earliest(x0, x1, nil); return err })
	}
	return row, err
}

// waves is a sheet of n x n squares in [-5, 5]^2, flat at first.
func waves(n int) (m *mesh.Mesh, x0, x1 []float64, err error) {
	var faces []int32
	for i := range n + 1 {
		for j := range n + 1 {
			x, y := 10*float64(i)/float64(n)-5, 10*float64(j)/float64(n)-5
			x0 = append(x0, x, y, 0)
			x1 = append(x1, x, y, 0.6+float64(0.3*math.Sin(2*x))+float64(0.3*math.Cos(3*y)))
			if at := int32(i*(n+1) + j); i < n && j < n {
				faces = append(faces, at, at+1, at+int32(n)+1, at+1, at+int32(n)+2, at+int32(n)+1)
			}
		}
	}
	m, err = mesh.New(len(x0)/3, nil, faces)
	return m, x0, x1, err
}

// timed is the median of some rounds of a call, in milliseconds of this thread, after one that
// warms up.
func timed(rounds int, call func() error) (float64, error) {
	if err := call(); err != nil {
		return 0, err
	}
	var took []float64
	for range rounds {
		start := now()
		if err := call(); err != nil {
			return 0, err
		}
		took = append(took, 1e-3*(now()-start))
	}
	return median(took), nil
}

// scenes measures both at growing sizes.
func scenes(dir string, rounds int, quick bool) (rows []many, err error) {
	for _, n := range []int{100, 400, 1600, 6400} {
		if quick && n > 400 {
			break
		}
		row, err := crowd(dir, n, rounds)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	for _, n := range []int{16, 64, 256} {
		if quick && n > 64 {
			break
		}
		row, err := drape(dir, n, rounds)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

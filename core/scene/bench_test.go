package scene

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ccd/bench/cputime"
	"ccd/core/bound"
	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/meshfile"
	"ccd/core/step"
)

var large = flag.Bool("large", false, "the terrain of BenchmarkScene has ten million faces")

// A stage is a mesh of which a few vertices move.
type stage struct {
	name   string
	m      *mesh.Mesh
	x0, x1 []float64 // positions of all vertices
	moved  []int32
}

// rows returns x1 of the vertices that move.
func (s *stage) rows() []float64 { return gather(s.moved, s.x1) }

// rest returns the mesh with all other vertices static, and the end of the step.
func (s *stage) rest() (*mesh.Mesh, []float64) {
	rest, to := slices.Repeat([]bool{true}, s.m.NV), slices.Clone(s.x0)
	for _, v := range s.moved {
		rest[v] = false
		copy(to[3*v:3*v+3], s.x1[3*v:])
	}
	return s.m.AtRest(rest), to
}

// cut returns the mesh that one would cut out by hand: the faces with a vertex that moves, and
// those at rest whose boxes meet those of their motions.
func (s *stage) cut(t testing.TB) *stage {
	t.Helper()
	rest, to := s.rest()
	static := rest.Filter().Static(geom.Face)
	mo, err := geom.NewTrajectories(s.x0, to)
	if err != nil {
		t.Fatal(err)
	}
	var moving []bound.Box
	for f, still := range static {
		if !still {
			moving = append(moving, bound.Swept(mo, s.m.Faces[f][:]...))
		}
	}
	slices.SortFunc(moving, func(a, b bound.Box) int { return int(math.Copysign(1, a.Min[0]-b.Min[0])) })
	widest := 0.0
	for i := range moving {
		widest = max(widest, moving[i].Max[0]-moving[i].Min[0])
	}
	number := map[int32]int32{}
	out := &stage{name: s.name}
	var faces []int32
	for f, still := range static {
		b := bound.Swept(mo, s.m.Faces[f][:]...)
		from, _ := slices.BinarySearchFunc(moving, b.Min[0]-widest, func(x bound.Box, lo float64) int {
			return int(math.Copysign(1, x.Min[0]-lo))
		})
		near := !still
		for i := from; i < len(moving) && !near && moving[i].Min[0] <= b.Max[0]; i++ {
			near = moving[i].Overlaps(&b)
		}
		if !near {
			continue
		}
		for _, v := range s.m.Faces[f] {
			if _, found := number[v]; !found {
				number[v] = int32(len(number))
				out.x0, out.x1 = append(out.x0, s.x0[3*v:3*v+3]...), append(out.x1, to[3*v:3*v+3]...)
				if _, moves := slices.BinarySearch(s.moved, v); moves {
					out.moved = append(out.moved, number[v])
				}
			}
			faces = append(faces, number[v])
		}
	}
	if out.m, err = mesh.New(len(number), nil, faces); err != nil {
		t.Fatal(err)
	}
	return out
}

// published returns a stage of a published scene of which a part moves: neighbors, or vertices
// anywhere.
func published(t testing.TB, name, from, to string, share float64, scattered bool) *stage {
	t.Helper()
	dir := os.Getenv("CCD_DATA")
	if dir == "" {
		dir = "../../../shared/data"
	}
	dir = filepath.Join(dir, "scenes", name, "frames")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no scenes in %s: set CCD_DATA", dir)
	}
	a, err := meshfile.Read(filepath.Join(dir, from))
	if err != nil {
		t.Fatal(err)
	}
	b, err := meshfile.Read(filepath.Join(dir, to))
	if err != nil {
		t.Fatal(err)
	}
	m, err := a.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{name: name, m: m, x0: a.Vertices, x1: b.Vertices}
	n := int(share * float64(m.NV))
	if scattered {
		for i := range n {
			s.moved = append(s.moved, int32(i*m.NV/n))
		}
		return s
	}
	neighbors := make([][]int32, m.NV)
	for _, e := range m.Edges {
		neighbors[e[0]], neighbors[e[1]] = append(neighbors[e[0]], e[1]), append(neighbors[e[1]], e[0])
	}
	seen := map[int32]bool{int32(m.NV / 3): true}
	s.moved = []int32{int32(m.NV / 3)}
	for i := 0; i < len(s.moved) && len(s.moved) < n; i++ {
		for _, w := range neighbors[s.moved[i]] {
			if !seen[w] {
				seen[w] = true
				s.moved = append(s.moved, w)
			}
		}
	}
	slices.Sort(s.moved)
	return s
}

// terrain returns a stage of a hilly ground of 2 n^2 faces, over which sheets fall: 1 % of the
// faces.
func terrain(t testing.TB, n int) *stage {
	t.Helper()
	r := ccdtest.NewRand(uint64(n), 22)
	s := &stage{name: "terrain"}
	var faces []int32
	sheet := func(side int, at func(i, j int) [3]float64) {
		first := int32(len(s.x0) / 3)
		for i := range side {
			for j := range side {
				p := at(i, j)
				s.x0 = append(s.x0, p[:]...)
			}
		}
		for i := range int32(side - 1) {
			for j := range int32(side - 1) {
				a := first + i*int32(side) + j
				b, c, d := a+1, a+int32(side), a+int32(side)+1
				faces = append(faces, a, b, c, b, d, c)
			}
		}
	}
	height := func(x, y float64) float64 { return 20 * math.Sin(x/40) * math.Cos(y/50) }
	sheet(n+1, func(i, j int) [3]float64 { return [3]float64{float64(i), float64(j), height(float64(i), float64(j))} })
	ground := len(s.x0)
	for len(faces)/3 < 2*n*n*101/100 {
		x, y := r.Float64()*float64(n-40), r.Float64()*float64(n-40)
		sheet(32, func(i, j int) [3]float64 {
			p, q := x+float64(i), y+float64(j)
			return [3]float64{p, q, height(p, q) + 1 + 0.1*r.Float64()}
		})
	}
	s.x1 = slices.Clone(s.x0)
	for v := ground / 3; v < len(s.x0)/3; v++ {
		s.x1[3*v+2] -= 0.5
		s.moved = append(s.moved, int32(v))
	}
	var err error
	if s.m, err = mesh.New(len(s.x0)/3, nil, faces); err != nil {
		t.Fatal(err)
	}
	return s
}

// measure reports the median of the processor time of f.
func measure(b *testing.B, f func()) {
	f()
	var ms []float64
	for b.Loop() {
		c := cputime.Process()
		f()
		ms = append(ms, float64(cputime.Process()-c)/1e6)
	}
	slices.Sort(ms)
	b.ReportMetric(ms[len(ms)/2], "cpu-ms")
}

// BenchmarkScene compares a call of a scene with a fresh call, and with one on a mesh that was cut
// out by hand.
func BenchmarkScene(b *testing.B) {
	side := 707 // a million faces
	if *large {
		side = 2236
	}
	for _, s := range []func(b *testing.B) *stage{
		func(b *testing.B) *stage {
			return published(b, "cloth-ball", "cloth_ball92.ply", "cloth_ball93.ply", 0.01, false)
		},
		func(b *testing.B) *stage {
			return published(b, "cloth-ball", "cloth_ball92.ply", "cloth_ball93.ply", 0.01, true)
		},
		func(b *testing.B) *stage { return published(b, "armadillo-rollers", "326.ply", "327.ply", 0.01, false) },
		func(b *testing.B) *stage { return terrain(b, 224) },
		func(b *testing.B) *stage { return terrain(b, side) },
	} {
		stage := s(b)
		b.Run(stage.name, func(b *testing.B) { benchStage(b, stage) })
	}
}

func benchStage(b *testing.B, s *stage) {
	o := step.DefaultOptions()
	o.Threads = 1
	b.Run("fresh", func(b *testing.B) {
		m, to := s.rest()
		measure(b, func() { step.Earliest(m, s.x0, to, &o) })
	})
	c := s.cut(b)
	b.Run("cut", func(b *testing.B) {
		m, to := c.rest()
		measure(b, func() { step.Earliest(m, c.x0, to, &o) })
		b.ReportMetric(float64(len(c.m.Faces)), "faces")
	})
	scene, err := New(s.m, s.x0)
	if err != nil {
		b.Fatal(err)
	}
	rows := s.rows()
	b.Run("scene", func(b *testing.B) {
		measure(b, func() { scene.Step(s.moved, rows).Earliest(&o) })
		b.ReportMetric(float64(len(scene.view.last.m.Faces)), "faces")
	})
	b.Run("view", func(b *testing.B) {
		measure(b, func() {
			scene.view.kept = false
			scene.viewOf(s.moved, rows, false, &o)
		})
	})
	ends := [2][]float64{rows, gather(s.moved, s.x0)}
	b.Run("commit", func(b *testing.B) {
		i := 0
		measure(b, func() {
			scene.Commit(s.moved, ends[i%2])
			i++
		})
		scene.Commit(s.moved, ends[1])
	})
	b.Run("parts", func(b *testing.B) { // a body of 100 faces comes and goes
		body := sheetAt(b, 8, s.x0)
		measure(b, func() {
			p, err := scene.Add(body.m, body.x0)
			if err == nil {
				err = scene.Remove(p.ID)
			}
			if err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("build", func(b *testing.B) {
		measure(b, func() {
			scene.view.forget()
			scene.view.make(scene, 1)
		})
		b.ReportMetric(float64(scene.view.bytes())/float64(len(s.m.Faces)), "bytes/face")
	})
	b.Run("threads", func(b *testing.B) {
		for b.Loop() {
			scene.view.forget()
			scene.view.make(scene, 2)
		}
	})
}

// sheetAt returns a square sheet of n x n vertices at the first vertex of a stage.
func sheetAt(t testing.TB, n int, x0 []float64) *stage {
	t.Helper()
	s := &stage{}
	var faces []int32
	for i := range int32(n * n) {
		s.x0 = append(s.x0, x0[0]+0.1*float64(i%int32(n)), x0[1]+0.1*float64(i/int32(n)), x0[2]+1)
		if i%int32(n) < int32(n)-1 && i/int32(n) < int32(n)-1 {
			faces = append(faces, i, i+1, i+int32(n), i+1, i+int32(n)+1, i+int32(n))
		}
	}
	var err error
	if s.m, err = mesh.New(n*n, nil, faces); err != nil {
		t.Fatal(err)
	}
	return s
}

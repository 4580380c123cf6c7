package step

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"ccd/core/mesh"
)

// still returns the scene with all vertices but some static: these move to x1, the others stay at
// x0.
func (s scene) still(b testing.TB, moves func(v int) bool) scene {
	b.Helper()
	static := make([]bool, s.m.NV)
	s.x1 = slices.Clone(s.x1)
	for v := range static {
		if static[v] = !moves(v); static[v] {
			copy(s.x1[3*v:3*v+3], s.x0[3*v:3*v+3])
		}
	}
	if err := s.m.SetStatic(static); err != nil {
		b.Fatal(err)
	}
	return s
}

// nearest reports for each vertex whether it is among a share of all that is nearest to the vertex
// in the middle of the list.
func (s *scene) nearest(share float64) []bool {
	n, of := s.m.NV, s.m.NV/2
	square := func(v int32) (d float64) {
		for k := range 3 {
			x := s.x0[3*int(v)+k] - s.x0[3*of+k]
			d += float64(x * x)
		}
		return d
	}
	order := make([]int32, n)
	for v := range order {
		order[v] = int32(v)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(square(a), square(b)) })
	near := make([]bool, n)
	for _, v := range order[:max(1, int(float64(n)*share))] {
		near[v] = true
	}
	return near
}

// cutByHand returns the faces that meet the box of all moving ones, and their vertices, as a scene
// of its own.
func (s *scene) cutByHand(b testing.TB, moves []bool) scene {
	b.Helper()
	var lo, hi [3]float64
	first := true
	box := func(f [3]int32, k int) (float64, float64) {
		p := func(v int32) (float64, float64) {
			return min(s.x0[3*int(v)+k], s.x1[3*int(v)+k]), max(s.x0[3*int(v)+k], s.x1[3*int(v)+k])
		}
		a, x := p(f[0])
		c, y := p(f[1])
		d, z := p(f[2])
		return min(a, c, d), max(x, y, z)
	}
	for _, f := range s.m.Faces {
		if !moves[f[0]] && !moves[f[1]] && !moves[f[2]] {
			continue
		}
		for k := range 3 {
			a, c := box(f, k)
			if first {
				lo[k], hi[k] = a, c
			}
			lo[k], hi[k] = min(lo[k], a), max(hi[k], c)
		}
		first = false
	}
	out := scene{name: s.name}
	number := make(map[int32]int32)
	var faces []int32
	var moving []bool
	for _, f := range s.m.Faces {
		apart := false
		for k := range 3 {
			a, c := box(f, k)
			apart = apart || c < lo[k] || a > hi[k]
		}
		if apart {
			continue
		}
		for _, v := range f {
			if _, found := number[v]; !found {
				number[v] = int32(len(number))
				out.x0, out.x1 = append(out.x0, s.x0[3*v:3*v+3]...), append(out.x1, s.x1[3*v:3*v+3]...)
				moving = append(moving, moves[v])
			}
			faces = append(faces, number[v])
		}
	}
	var err error
	if out.m, err = mesh.New(len(number), nil, faces); err != nil {
		b.Fatal(err)
	}
	return out.still(b, func(v int) bool { return moving[v] })
}

// BenchmarkStatic is whole steps of a mesh of which 1 % of the vertices move, beside the step in
// which all move and a mesh of what is near them. CCD_STATIC_QUADS=N adds a sheet of N x N quads,
// 2236 of them for 10 million triangles.
func BenchmarkStatic(b *testing.B) {
	const share = 0.01
	load := make(map[string]func() scene)
	for _, d := range dataScenes {
		load[d.name] = func() scene { return d.load(b) }
	}
	if n, err := strconv.Atoi(os.Getenv("CCD_STATIC_QUADS")); err == nil {
		clear(load)
		load[fmt.Sprintf("sheet of %d triangles", 2*n*n)] = func() scene { return crumpled(b, n, false) }
	}
	for name, load := range load {
		s := load()
		r := rand.New(rand.NewPCG(1, 2))
		near := s.nearest(share)
		o := DefaultOptions()
		o.Threads = 1
		run := func(what string, make func() scene) {
			b.Run(name+"/"+what, func(b *testing.B) {
				s := make()
				b.Run("collisions", func(b *testing.B) {
					measure(b, func() {
						if _, err := Collisions(s.m, s.x0, s.x1, &o); err != nil {
							b.Fatal(err)
						}
					})
				})
				b.Run("earliest", func(b *testing.B) {
					measure(b, func() {
						if _, err := Earliest(s.m, s.x0, s.x1, &o); err != nil {
							b.Fatal(err)
						}
					})
				})
			})
		}
		run("all move", func() scene { return s })
		run("together", func() scene { return s.still(b, func(v int) bool { return near[v] }) })
		run("scattered", func() scene { return s.still(b, func(int) bool { return r.Float64() < share }) })
		run("half", func() scene { half := s.nearest(0.5); return s.still(b, func(v int) bool { return half[v] }) })
		run("by hand", func() scene {
			moved := s.still(b, func(v int) bool { return near[v] })
			return moved.cutByHand(b, near)
		})
	}
}

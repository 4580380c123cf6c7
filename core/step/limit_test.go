package step

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// sheets are two crumpled sheets of n x n vertices that pass through each other, the edges of unit
// length but for noise.
func sheets(t testing.TB, n int, noise float64) scene {
	t.Helper()
	s := scene{name: fmt.Sprintf("sheets of %d x %d, noise %v", n, n, noise)}
	r := rand.New(rand.NewPCG(5, 6))
	var faces []int32
	for k := range 2 {
		for i := range n {
			for j := range n {
				p := [3]float64{float64(i), float64(j), 4 * float64(k)}
				for axis, x := range p {
					x += noise * (2*r.Float64() - 1)
					y := x + noise*(2*r.Float64()-1)
					if axis == 2 && k == 1 {
						y -= 8
					}
					s.x0, s.x1 = append(s.x0, x), append(s.x1, y)
				}
				if a := int32(k*n*n + i*n + j); i+1 < n && j+1 < n {
					faces = append(faces, a, a+1, a+int32(n), a+1, a+int32(n)+1, a+int32(n))
				}
			}
		}
	}
	var err error
	if s.m, err = mesh.New(2*n*n, nil, faces); err != nil {
		t.Fatal(err)
	}
	return s
}

// floor is the working memory that docs/limits.md promises for a limit below it.
func (s *scene) floor(t testing.TB, threads int) int64 {
	m, mo := s.m, s.motion(t)
	return int64(128*m.NV) + int64(len(m.Edges)+len(m.Faces))/4 + int64(threads)<<18 + 1<<19 + int64(64*crossing(m, mo))
}

// crossing is the most vertices, edges and faces that one plane across the scene's longest axis
// meets.
func crossing(m *mesh.Mesh, mo *geom.Trajectories) int {
	lo, hi := mo.Rec[0:3:3], mo.Rec[0:3:3]
	lo, hi = slices.Clone(lo), slices.Clone(hi)
	for i, x := range mo.Rec {
		if k := i % 4; k < 3 {
			lo[k], hi[k] = min(lo[k], x), max(hi[k], x)
		}
	}
	axis := 0
	for k := range 3 {
		if hi[k]-lo[k] > hi[axis]-lo[axis] {
			axis = k
		}
	}
	type end struct {
		x    float64
		step int
	}
	var ends []end
	add := func(vertices ...int32) {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, v := range vertices {
			a, b := mo.Rec[8*v+int32(axis)], mo.Rec[8*v+4+int32(axis)]
			lo, hi = min(lo, a, b), max(hi, a, b)
		}
		ends = append(ends, end{lo, 1}, end{hi, -1})
	}
	for v := range int32(m.NV) {
		add(v)
	}
	for _, e := range m.Edges {
		add(e[:]...)
	}
	for _, f := range m.Faces {
		add(f[:]...)
	}
	slices.SortFunc(ends, func(a, b end) int {
		if a.x != b.x {
			return 2 * int(math.Copysign(1, a.x-b.x))
		}
		return b.step - a.step
	})
	now, most := 0, 0
	for _, e := range ends {
		now += e.step
		most = max(most, now)
	}
	return most
}

// A memory limit is kept down to what is documented, and the answer has the same bits. (On one
// thread the peak is the same in every run.)
func TestMemoryLimitIsKept(t *testing.T) {
	for _, s := range []scene{sheets(t, 80, 0.4), sheets(t, 60, 3), sheets(t, 24, 30)} {
		o := DefaultOptions()
		var free, tight engine.Stats
		o.Threads, o.Stats = 1, &free
		want, err := Earliest(s.m, s.x0, s.x1, &o)
		if err != nil {
			t.Fatal(err)
		}
		o.MemoryLimit = 1 << 40 // without what other calls have left
		if _, err := Earliest(s.m, s.x0, s.x1, &o); err != nil {
			t.Fatal(err)
		}
		floor := s.floor(t, 1)
		for _, part := range []float64{0.9, 0.7, 0.5, 0.3, 0} {
			o.MemoryLimit, o.Stats = 1+uint64(part*float64(free.PeakBytes)), &tight
			got, err := Earliest(s.m, s.x0, s.x1, &o)
			if err != nil || got != want {
				t.Errorf("%s, limit %d: %+v, error %v, want %+v", s.name, o.MemoryLimit, got, err, want)
			}
			t.Logf("%s: limit %d, peak %d, floor %d, free %d",
				s.name, o.MemoryLimit, tight.PeakBytes, floor, free.PeakBytes)
			if most := max(int64(o.MemoryLimit), floor); tight.PeakBytes > most {
				t.Errorf("%s: peak %d with a limit of %d, floor %d", s.name, tight.PeakBytes, o.MemoryLimit, floor)
			}
		}
	}
}

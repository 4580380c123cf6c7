package proximity

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/broad"
	"ccd/core/ccdtest/long"
	"ccd/core/mesh"
	"ccd/core/num"
)

// useHierarchies sets when hierarchies find the pairs, until the test ends.
func useHierarchies(t *testing.T, when broad.Hierarchies) {
	t.Helper()
	before := broad.UseHierarchy
	broad.UseHierarchy = when
	t.Cleanup(func() { broad.UseHierarchy = before })
}

// hostileMesh draws faces of which all have vertices of their own or some one vertex, free edges,
// particles, or all of them; their numbers are around those that blocks and groups hold.
func hostileMesh(t *testing.T, r *rand.Rand) *mesh.Mesh {
	t.Helper()
	n := []int{1, 2, 3, 7, 8, 9, 15, 16, 17, 22, 3, 7, 8, 9, 40, 65}[r.IntN(16)]
	var faces, edges []int32
	vertices, shape := 3*n, r.IntN(5)
	for i := range int32(n) {
		switch shape {
		case 0:
			faces = append(faces, 3*i, 3*i+1, 3*i+2)
		case 1:
			vertices, faces = n+2, append(faces, 0, i+1, i+2)
		case 2:
			vertices, edges = n+1, append(edges, i, i+1)
		case 3:
			a, b, c := 3*i, 3*i+1, 3*i+2
			faces, edges = append(faces, a, b, c), append(edges, a, b, b, c, c, a)
			if d := int32(3*n) + i; i+1 < int32(n/2) {
				edges = append(edges, d, d+1)
			}
			vertices = 4 * n
		}
	}
	m, err := mesh.New(vertices, edges, faces)
	if err != nil {
		t.Fatal(err)
	}
	switch r.IntN(5) {
	case 0:
		group := make([]int32, vertices)
		for i := range group {
			group[i] = r.Int32N(4) - 1
		}
		err = m.SetGroups(group)
	case 1:
		err = m.SetRadii(slices.Repeat([]float64{float64(r.IntN(3)) * 0.05}, vertices))
	case 2:
		radii := make([]float64, vertices)
		for v := range radii {
			radii[v] = math.Ldexp(float64(r.IntN(3)), -r.IntN(60))
		}
		err = m.SetRadii(radii)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Near pairs by the hierarchy have the bits of those of brute force, whatever the mesh and the
// numbers, with distances that are those of pairs, and doubles beside them.
func TestHierarchyNearOfHostileMeshes(t *testing.T) {
	useHierarchies(t, broad.HierarchyAlways)
	calls, pairs := 0, 0
	for seed := range long.Part(300, 20) {
		r := rand.New(rand.NewPCG(uint64(seed), 48))
		m := hostileMesh(t, r)
		family := &families[r.IntN(len(families))]
		for range 2 {
			x := family.make(r, m.NV)
			d := []float64{0, 5e-324, 0.1, 1, 1e-300, 1e139}[r.IntN(6)]
			all, err := Near(m, x, d, &Options{BruteForce: true})
			if err != nil { // A coordinate is too large.
				continue
			}
			for range 3 {
				if len(all) > 0 {
					n := &all[r.IntN(len(all))]
					d = []float64{n.Lo, n.Hi, num.Up(n.Lo), max(0, num.Down(n.Lo))}[r.IntN(4)]
				}
				want, err := Near(m, x, d, &Options{BruteForce: true})
				o := &Options{}
				o.Threads = 1 + r.IntN(2)
				got, other := Near(m, x, d, o)
				if fmt.Sprint(err) != fmt.Sprint(other) || !slices.Equal(got, want) {
					t.Fatalf("seed %d: %s, d %v: %d pairs, %v; want %d, %v",
						seed, family.name, d, len(got), other, len(want), err)
				}
				calls, pairs = calls+1, pairs+len(want)
			}
		}
	}
	if t.Logf("%d calls, %d pairs", calls, pairs); calls < 30 || pairs < 3000 {
		t.Errorf("%d calls, %d pairs: the test shows too little", calls, pairs)
	}
}

// Near and List have the bits of the grid where hierarchies find their pairs, of sheets that are
// larger than a few blocks.
func TestHierarchyNearAndListHaveTheSameBits(t *testing.T) {
	r := rand.New(rand.NewPCG(48, 48))
	found := 0
	for i := range 6 {
		n := 20 + r.IntN(20)
		var faces []int32
		x := make([]float64, 0, 3*n*n)
		for a := range n {
			for b := range n {
				for _, c := range [3]float64{float64(a), float64(b), 0} {
					x = append(x, c+[]float64{0, 0.4, 1.2}[i%3]*(2*r.Float64()-1))
				}
				if v := int32(a*n + b); a+1 < n && b+1 < n {
					faces = append(faces, v, v+int32(n), v+1, v+int32(n), v+int32(n)+1, v+1)
				}
			}
		}
		m, err := mesh.New(n*n, nil, faces)
		if err != nil {
			t.Fatal(err)
		}
		if i > 2 {
			radii := make([]float64, m.NV)
			for v := range radii {
				radii[v] = 0.2 * r.Float64()
			}
			if err := m.SetRadii(radii); err != nil {
				t.Fatal(err)
			}
		}
		for _, d := range []float64{0, 0.1, 1} {
			o := &Options{}
			o.Threads = 1 + i%2
			useHierarchies(t, broad.HierarchyNever)
			near, err := Near(m, x, d, o)
			list, err2 := List(m, x, d, o)
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			useHierarchies(t, broad.HierarchyAlways)
			near2, err := Near(m, x, d, o)
			list2, err2 := List(m, x, d, o)
			if err != nil || err2 != nil || !slices.Equal(near, near2) {
				t.Fatalf("%d: %d pairs, want %d; %v, %v", i, len(near2), len(near), err, err2)
			}
			for k := range list.Pairs {
				if !slices.Equal(list.Pairs[k], list2.Pairs[k]) || !slices.Equal(list.Gap[k], list2.Gap[k]) {
					t.Errorf("%d: the lists of kind %d differ", i, k+1)
				}
			}
			found += len(near)
		}
	}
	if found < 10000 {
		t.Errorf("%d pairs: the test shows too little", found)
	}
}

package step

import (
	"testing"

	"ccd/core/mesh"
)

// layers is two grids of n x n vertices, the upper one falling onto the lower: thousands of pairs touch at exactly t =
// 1/2. The vertices are numbered backwards when asked, so that the least pair is not the first to be looked at.
func layers(t *testing.T, n int, backwards bool) (m *mesh.Mesh, x0, x1 []float64) {
	t.Helper()
	number := func(i int) int {
		if backwards {
			return 2*n*n - 1 - i
		}
		return i
	}
	x0, x1 = make([]float64, 6*n*n), make([]float64, 6*n*n)
	var faces []int32
	for layer := range 2 {
		for i := range n {
			for j := range n {
				at := func(i, j int) int32 { return int32(number((layer*n+i)*n + j)) }
				v := 3 * at(i, j)
				for _, x := range [][]float64{x0, x1} {
					x[v], x[v+1], x[v+2] = float64(i), float64(j), float64(layer)
				}
				x1[v+2] = -float64(layer)
				if i+1 < n && j+1 < n {
					faces = append(faces, at(i, j), at(i+1, j), at(i+1, j+1), at(i, j), at(i+1, j+1), at(i, j+1))
				}
			}
		}
	}
	m, err := mesh.New(2*n*n, nil, faces)
	if err != nil {
		t.Fatal(err)
	}
	return m, x0, x1
}

// Of pairs with the same toi_lo the first in the order (kind, a, b) is the earliest, in whatever order they are looked
// at.
func TestEarliestOfManyTies(t *testing.T) {
	for _, backwards := range []bool{false, true} {
		m, x0, x1 := layers(t, 30, backwards)
		o := DefaultOptions()
		all, err := Collisions(m, x0, x1, &o)
		if err != nil || len(all) < 3000 || all[0].TOILo != 0.5 || all[len(all)-1].TOILo != 0.5 {
			t.Fatalf("%d impacts, error %v", len(all), err)
		}
		for _, threads := range []int{1, 2, 5} {
			o.Threads = threads
			got, err := Earliest(m, x0, x1, &o)
			if err != nil || got != all[0] {
				t.Errorf("backwards %v, %d threads: %+v, the first of the list is %+v (%v)", backwards, threads, got, all[0], err)
			}
		}
	}
}

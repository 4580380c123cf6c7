package step

import (
	"slices"
	"testing"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// layers is two grids of n x n vertices, the upper one falling onto the lower: thousands of pairs
// touch at exactly t = 1/2. The vertices are numbered backwards when asked, so that the least pair
// is not the first to be looked at.
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

// Of pairs with the same toi_lo the first in the order (kind, a, b) is the earliest, in whatever
// order they are looked at; so too at the very start, where pairs that come later in that order are
// left out unseen.
func TestEarliestOfManyTies(t *testing.T) {
	for _, c := range []struct {
		separation, toi float64
		n               int
	}{{0, 0.5, 24}, {0.25, 0.375, 10}, {1, 0, 4}} {
		for _, backwards := range []bool{false, true} {
			m, x0, x1 := layers(t, c.n, backwards)
			o := DefaultOptions()
			o.MinSeparation = c.separation
			all, err := Collisions(m, x0, x1, &o)
			if err != nil || len(all) < 300 || all[0].TOILo != c.toi || all[299].TOILo != c.toi {
				t.Fatalf("%d impacts, the first %+v, error %v", len(all), all[0], err)
			}
			if !slices.IsSortedFunc(all, func(x, y geom.Impact) int {
				if x.Before(&y) {
					return -1
				}
				return 1
			}) {
				t.Errorf("separation %v, backwards %v: impacts are not in order", c.separation, backwards)
			}
			for _, threads := range []int{1, 2, 5} {
				o.Threads = threads
				got, err := Earliest(m, x0, x1, &o)
				if err != nil || got != all[0] {
					t.Errorf("backwards %v, %d threads: %+v, the first of the list is %+v (%v)",
						backwards, threads, got, all[0], err)
				}
			}
		}
	}
}

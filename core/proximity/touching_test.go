package proximity

import (
	"math"
	"testing"

	"ccd/core/mesh"
)

// Surfaces touch if and only if the exact distance is at most the sum of the radii, where floats
// leave it open too: the distance is a whole number, of edges and of a corner over a face that are
// turned by matrices of whole numbers, and the radii add up to it, or to a rounding less.
func TestRadiiOfSurfacesThatJustTouch(t *testing.T) {
	turns := [][3][3]float64{ // Rows are perpendicular to each other, of one length, which is whole.
		{{2, 3, 6}, {3, -6, 2}, {6, 2, -3}},
		{{1, 2, 2}, {2, 1, -2}, {2, -2, 1}},
		{{1, 4, 8}, {8, -4, 1}, {4, 7, -4}},
		{{2, 6, 9}, {6, 7, -6}, {9, -6, 2}},
	}
	for _, rows := range turns {
		n, u, v := rows[0], rows[1], rows[2]
		length := math.Sqrt(n[0]*n[0] + n[1]*n[1] + n[2]*n[2])
		for _, scale := range []float64{1, 3, 0x1p-20, 5 * 0x1p40} {
			at := func(a, b, c float64) (x []float64) {
				for k := range 3 {
					x = append(x, scale*(a*n[k]+b*u[k]+c*v[k]))
				}
				return x
			}
			edges := [][]float64{at(0, -1, 0), at(0, 2, 0), at(1, 0, -2), at(1, 0, 1)}
			face := [][]float64{at(0, -2, -1), at(0, 2, -1), at(0, 0, 3), at(1, 0, 0)}
			for i, points := range [][][]float64{edges, face} {
				var x []float64
				for _, p := range points {
					x = append(x, p...)
				}
				m, err := mesh.New(4, []int32{0, 1, 2, 3}, nil)
				first := 2 // so many vertices are of the first primitive
				if i == 1 {
					m, err = mesh.New(4, nil, []int32{0, 1, 2})
					first = 3
				}
				if err != nil {
					t.Fatal(err)
				}
				for _, share := range []float64{0, 0.25, 0.5, 1} {
					for _, touch := range []bool{true, false} {
						whole := scale * length
						a := share * whole
						b := whole - a
						if !touch && share < 1 {
							b = math.Nextafter(b, 0)
						} else if !touch {
							a = math.Nextafter(a, 0)
						}
						radii := []float64{b, b, b, b}
						for v := range first {
							radii[v] = a
						}
						if err := m.SetRadii(radii); err != nil {
							t.Fatal(err)
						}
						got, err := Distance(m, x, &Options{})
						if err != nil {
							t.Fatal(err)
						}
						if touches := got.Lo == 0 && got.Hi == 0; touches != touch || got.Hi < got.Lo {
							t.Errorf("length %v, shape %d, radii %v and %v: %+v", whole, i, a, b, got)
						}
					}
				}
			}
		}
	}
}

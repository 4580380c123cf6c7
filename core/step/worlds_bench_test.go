package step

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// ballsOnSheets returns a mesh of a ball above a sheet, and positions of some worlds in which it
// falls from different heights.
func ballsOnSheets(t testing.TB, rings, around, rows, columns, worlds int) (m *mesh.Mesh, x0, x1 []float64) {
	t.Helper()
	var x []float64
	var faces []int32
	x = append(x, 0, 0, 1)
	for i := 1; i < rings; i++ {
		theta := math.Pi * float64(i) / float64(rings)
		for j := range around {
			phi := 2 * math.Pi * float64(j) / float64(around)
			x = append(x, math.Sin(theta)*math.Cos(phi), math.Sin(theta)*math.Sin(phi), math.Cos(theta))
		}
	}
	x = append(x, 0, 0, -1)
	last := int32(len(x)/3 - 1)
	at := func(i, j int) int32 { return int32(1 + i*around + j%around) }
	for j := range around {
		faces = append(faces, 0, at(0, j), at(0, j+1), last, at(rings-2, j+1), at(rings-2, j))
		for i := range rings - 2 {
			faces = append(faces, at(i, j), at(i+1, j), at(i+1, j+1), at(i, j), at(i+1, j+1), at(i, j+1))
		}
	}
	ball := len(x)
	for i := range rows + 1 {
		for j := range columns + 1 {
			x = append(x, -2+4*float64(i)/float64(rows), -2+4*float64(j)/float64(columns), 0)
			if a := int32(ball/3 + i*(columns+1) + j); i < rows && j < columns {
				b := a + int32(columns) + 1
				faces = append(faces, a, b, b+1, a, b+1, a+1)
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range worlds {
		up, move := 1.1+1.1*r.Float64(), [3]float64{0.2*r.Float64() - 0.1, 0.2*r.Float64() - 0.1, -1}
		for i, y := range x {
			if i < ball && i%3 == 2 {
				y += up
			}
			x0 = append(x0, y)
			if i < ball {
				y += move[i%3]
			}
			x1 = append(x1, y+0.02*(2*r.Float64()-1))
		}
	}
	m, err := mesh.New(len(x)/3, nil, faces)
	if err != nil {
		t.Fatal(err)
	}
	return m, x0, x1
}

// BenchmarkWorlds measures a world of one call for many, and a call of its own.
func BenchmarkWorlds(b *testing.B) {
	for _, size := range [][4]int{{2, 3, 1, 1}, {5, 10, 2, 5}, {9, 20, 4, 10}, {17, 40, 8, 20}, {33, 80, 16, 40}} {
		const worlds = 64
		m, x0, x1 := ballsOnSheets(b, size[0], size[1], size[2], size[3], worlds)
		n, out := 3*m.NV, make([]geom.Impact, worlds)
		o := DefaultOptions()
		o.Threads = 1
		b.Run(fmt.Sprintf("%d/batch", len(m.Faces)), func(b *testing.B) {
			for i := 0; i < b.N; i += worlds {
				if err := EarliestBatch(m, x0, x1, out, &o); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("%d/single", len(m.Faces)), func(b *testing.B) {
			for i := range b.N {
				w := i % worlds
				if _, err := Earliest(m, x0[n*w:n*(w+1)], x1[n*w:n*(w+1)], &o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

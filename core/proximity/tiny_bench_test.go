package proximity_test

import (
	"testing"

	"ccd/core/broad"
	"ccd/core/mesh"
	"ccd/core/proximity"
	"ccd/core/step"
)

// BenchmarkTiny makes calls on two triangles, one of which falls onto the other.
func BenchmarkTiny(b *testing.B) {
	x0 := []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, 0.5, 1.2, 0.2, 0.51, 0.2, 1.2, 0.52}
	x1 := append([]float64(nil), x0...)
	for i := 3; i < 6; i++ {
		x1[3*i+2]--
	}
	m, err := mesh.New(6, nil, []int32{0, 1, 2, 3, 4, 5})
	if err != nil {
		b.Fatal(err)
	}
	o := step.DefaultOptions()
	o.Threads = 1
	for _, c := range []struct {
		name string
		call func() error
	}{
		{"Candidates", func() error {
			c, err := broad.Find(m, x0, x1, false, broad.Options{Threads: 1})
			c.Release()
			return err
		}},
		{"Near", func() error {
			list, err := proximity.Near(m, x0, 0.06, &proximity.Options{CallOptions: o.CallOptions})
			proximity.Reuse(list)
			return err
		}},
		{"Earliest", func() error {
			_, err := step.Earliest(m, x0, x1, &o)
			return err
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				if err := c.call(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

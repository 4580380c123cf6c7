package proximity

import (
	"math/rand/v2"
	"testing"
)

func BenchmarkEnclose(b *testing.B) {
	w := new(worker)
	for _, f := range families {
		for _, k := range kinds[:2] {
			r := rand.New(rand.NewPCG(9, 9))
			x := f.make(r, k.Points())
			b.Run(f.name+"/"+k.String(), func(b *testing.B) {
				for range b.N {
					enclosed(w, k, x)
				}
			})
		}
	}
}

func BenchmarkCrossing(b *testing.B) {
	w := new(worker)
	for _, f := range families {
		r := rand.New(rand.NewPCG(9, 9))
		x := make([][]float64, 64)
		for i := range x {
			x[i] = f.make(r, 5)
		}
		b.Run(f.name, func(b *testing.B) {
			for i := range b.N {
				w.crossing((*[15]float64)(x[i%64]))
			}
		})
	}
}

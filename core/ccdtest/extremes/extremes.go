// Package extremes makes queries whose coordinates have exponents from all over the range of
// doubles, 2^-1074 to 2^494: integers have thousands of bits there, times may lie below the
// smallest double, and roots may lie 2^-1000 apart.
package extremes

import (
	"math"
	"math/rand/v2"

	"ccd/core/geom"
)

// sorts fill a query, or some points.
var sorts = []struct {
	name string
	fill func(r *rand.Rand, q []float64)
}{
	{"each its own", func(r *rand.Rand, q []float64) {
		for i := range q {
			q[i] = Number(r)
		}
	}},
	{"three sizes", func(r *rand.Rand, q []float64) {
		e := [3]int{exponent(r), exponent(r), exponent(r)}
		for i := range q {
			q[i] = math.Ldexp(2*r.Float64()-1, e[r.IntN(3)])
		}
	}},
	{"small integers of three sizes", func(r *rand.Rand, q []float64) {
		e := [3]int{exponent(r), exponent(r), exponent(r)}
		for i := range q {
			q[i] = math.Ldexp(float64(r.IntN(5)-2), e[r.IntN(3)])
		}
	}},
	{"small integers but a few", func(r *rand.Rand, q []float64) {
		for i := range q {
			if q[i] = float64(r.IntN(5) - 2); r.IntN(6) == 0 {
				q[i] = Number(r)
			}
		}
	}},
	{"integers, the least and the largest", func(r *rand.Rand, q []float64) {
		for i := range q {
			q[i] = float64(r.IntN(7)-3) * [...]float64{1, 1, 0x1p-1074, 0x1p490}[r.IntN(4)]
		}
	}},
	{"powers of two and zeros", func(r *rand.Rand, q []float64) {
		for i := range q {
			if q[i] = 0; r.IntN(3) > 0 {
				q[i] = math.Copysign(math.Ldexp(1, exponent(r)), r.Float64()-0.5)
			}
		}
	}},
	{"few numbers", func(r *rand.Rand, q []float64) {
		p := [4]float64{Number(r), Number(r), Number(r), Number(r)}
		for i := range q {
			q[i] = p[r.IntN(4)] * float64(r.IntN(3)-1)
		}
	}},
	{"small", func(r *rand.Rand, q []float64) {
		for i := range q {
			q[i] = math.Ldexp(2*r.Float64()-1, -r.IntN(1074))
		}
	}},
	{"near a contact", func(r *rand.Rand, q []float64) { // integers, and each coordinate off by something far smaller
		for i := range q {
			q[i] = float64(r.IntN(5)-2) + math.Ldexp(float64(r.IntN(3)-1), -r.IntN(50))
			if q[i] == 0 {
				q[i] = math.Ldexp(float64(r.IntN(3)-1), -r.IntN(1074))
			}
		}
	}},
}

func exponent(r *rand.Rand) int { return r.IntN(494+1075) - 1074 }

// Number is a number with an exponent from all over the range.
func Number(r *rand.Rand) float64 {
	return math.Copysign(math.Ldexp(1+r.Float64(), exponent(r)), r.Float64()-0.5)
}

// Each passes n queries of each sort to visit, with the generator that made them.
func Each(n int, seed uint64, visit func(name string, r *rand.Rand, kind geom.Kind, q []float64)) {
	kinds := [...]geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.PointEdge, geom.PointPoint}
	for i, f := range sorts {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		for j := range n {
			kind := kinds[j%len(kinds)]
			q := make([]float64, kind.Len())
			f.fill(r, q)
			visit(f.name, r, kind, q)
		}
	}
}

package proximity

import (
	"math"
	"math/rand/v2"

	"ccd/core/ccdtest"
	"ccd/core/geom"
)

// kinds are those of distances.
var kinds = []geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.PointEdge, geom.PointPoint}

// families make n points each, for pairs that are generic, degenerate, touching, and of extreme
// scales.
var families = []struct {
	name string
	make func(r *rand.Rand, n int) []float64
}{
	{"generic", func(r *rand.Rand, n int) []float64 { return points(n, r.NormFloat64) }},
	{"small integers", func(r *rand.Rand, n int) []float64 {
		return points(n, func() float64 { return float64(r.IntN(4)) })
	}},
	{"flat", func(r *rand.Rand, n int) []float64 {
		x := points(n, func() float64 { return float64(r.IntN(6)) })
		for i := range n {
			x[3*i+2] = 0
		}
		return x
	}},
	{"all equal", func(r *rand.Rand, n int) []float64 {
		c := r.NormFloat64()
		return points(n, func() float64 { return c })
	}},
	{"far away", func(r *rand.Rand, n int) []float64 {
		return points(n, func() float64 { return 0x1p33 + float64(r.IntN(5)) })
	}},
	{"near", func(r *rand.Rand, n int) []float64 {
		x := points(n, r.NormFloat64)
		e := math.Ldexp(1, -r.IntN(60))
		for k := range 3 { // the first point is beside a point of the others
			x[k] = e * r.NormFloat64()
			for i, w := 1, r.Float64(); i < n; i++ {
				x[k] += x[3*i+k] * [3]float64{0, w, 1 - w}[min(i, 3)%3]
			}
		}
		return x
	}},
	{"on the plane", func(r *rand.Rand, n int) []float64 {
		x := points(n, r.NormFloat64)
		if n < 5 {
			return x
		}
		for i := range 2 { // points 0 and 1 nearly in the plane of the last three, on lines through them
			u, v := 2*r.Float64()-0.5, 2*r.Float64()-0.5
			for k := range 3 {
				a, b, c := x[6+k], x[9+k], x[12+k]
				x[3*i+k] = a + u*(b-a) + v*(c-a)
			}
		}
		return x
	}},
	{"through a side", func(r *rand.Rand, n int) []float64 {
		x := points(n, r.NormFloat64)
		if n < 5 {
			return x
		}
		t := r.Float64() // the middle of points 0 and 1 is nearly on the side from point 2 to point 3
		for k := range 3 {
			x[3+k] = 2*(x[6+k]+t*(x[9+k]-x[6+k])) - x[k]
		}
		return x
	}},
	{"sliver", func(r *rand.Rand, n int) []float64 {
		x := points(n, r.NormFloat64)
		for i := 2; i < n; i++ { // all but one nearly on a line
			for k := range 3 {
				x[3*i+k] = x[3+k] + float64(i)*(x[k]-x[3+k]) + 1e-12*r.NormFloat64()
			}
		}
		return x
	}},
	{"parallel", func(r *rand.Rand, n int) []float64 {
		x := points(n, r.NormFloat64)
		if n >= 4 {
			for k := range 3 {
				x[9+k] = x[6+k] + (x[3+k]-x[k])*float64(r.IntN(4)-2) + 1e-15*float64(r.IntN(2))
			}
		}
		return x
	}},
	// Slivers, nearly parallel edges and resting contact, as the laws of steps have them.
	{"thin", func(r *rand.Rand, n int) []float64 {
		k := [...]geom.Kind{2: geom.PointPoint, 3: geom.PointEdge, 4: geom.VertexFace, 5: geom.VertexFace}[min(n, 5)]
		if n == 4 && r.IntN(2) == 0 {
			k = geom.EdgeEdge
		}
		c := ccdtest.Thin()[r.IntN(3)].Make(r, k, false)
		x := append([]float64(nil), c.Q[:3*k.Points()]...)
		for len(x) < 3*n { // the first point again and again, beside it
			x = append(x, x[0]+1e-7*r.NormFloat64(), x[1]+1e-7*r.NormFloat64(), x[2]+1e-7*r.NormFloat64())
		}
		return x
	}},
	{"tiny", func(r *rand.Rand, n int) []float64 {
		return points(n, func() float64 { return 1e-300 * float64(r.IntN(9)) })
	}},
	{"denormal", func(r *rand.Rand, n int) []float64 {
		return points(n, func() float64 { return 5e-324 * float64(r.IntN(9)) })
	}},
	{"huge", func(r *rand.Rand, n int) []float64 {
		return points(n, func() float64 { return 1e140 * r.NormFloat64() })
	}},
	{"wild", func(r *rand.Rand, n int) []float64 {
		return points(n, func() float64 { return math.Ldexp(r.NormFloat64(), r.IntN(1400)-950) })
	}},
}

func points(n int, draw func() float64) []float64 {
	x := make([]float64, 3*n)
	for i := range x {
		x[i] = draw()
	}
	return x
}

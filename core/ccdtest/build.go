package ccdtest

import (
	"math"
	"math/rand/v2"

	"ccd/core/geom"
)

// frames holds the points of a query while it is built: [end][point][axis]. The first primitive's
// points come first.
type frames [2][4][3]float64

// store writes the points as a flat query.
func (f *frames) store(k geom.Kind, q []float64) {
	n := k.Points()
	for s := range 2 {
		for i := range n {
			copy(q[3*(s*n+i):], f[s][i][:])
		}
	}
}

// each calls fn for every coordinate.
func (f *frames) each(fn func(x float64) float64) {
	for s := range f {
		for i := range f[s] {
			for a := range f[s][i] {
				f[s][i][a] = fn(f[s][i][a])
			}
		}
	}
}

// random fills all coordinates by draw.
func (f *frames) random(draw func() float64) { f.each(func(float64) float64 { return draw() }) }

// difference is F(t,u,v) in double arithmetic; with few bits in all arguments it is exact.
func (f *frames) difference(k geom.Kind, t, u, v float64) (d [3]float64) {
	for a := range 3 {
		at := func(i int) float64 { return f[0][i][a] + float64(t*(f[1][i][a]-f[0][i][a])) }
		switch k {
		case geom.EdgeEdge:
			x := at(0) + float64(u*(at(1)-at(0)))
			d[a] = x - (at(2) + float64(v*(at(3)-at(2))))
		case geom.VertexFace:
			d[a] = at(0) - (at(1) + float64(u*(at(2)-at(1))) + float64(v*(at(3)-at(1))))
		case geom.PointEdge:
			d[a] = at(0) - (at(1) + float64(u*(at(2)-at(1))))
		case geom.PointPoint:
			d[a] = at(0) - at(1)
		default:
			panic("ccdtest: " + k.String())
		}
	}
	return d
}

// meet translates the first primitive, at both ends alike, so that F(t,u,v) becomes gap (up to
// rounding).
func (f *frames) meet(k geom.Kind, t, u, v float64, gap [3]float64) {
	d := f.difference(k, t, u, v)
	for s := range f {
		for i := range k.Info().Split {
			for a := range 3 {
				f[s][i][a] += gap[a] - d[a]
			}
		}
	}
}

// steer moves the first primitive's points at t = 1 alone so that F(t,u,v) becomes gap; t must not
// be 0.
func (f *frames) steer(k geom.Kind, t, u, v float64, gap [3]float64) {
	d := f.difference(k, t, u, v)
	for i := range k.Info().Split {
		for a := range 3 {
			f[1][i][a] += (gap[a] - d[a]) / t
		}
	}
}

// turn permutes the axes and mirrors some of them, which is exact.
func (f *frames) turn(r *rand.Rand) {
	p := r.Perm(3)
	m := r.Uint32()
	for s := range f {
		for i := range f[s] {
			x := f[s][i]
			for a := range 3 {
				f[s][i][a] = x[p[a]]
				if m>>a&1 != 0 {
					f[s][i][a] = -x[p[a]]
				}
			}
		}
	}
}

// jitter moves some coordinates by one unit in the last place; zeros by that of one.
func (f *frames) jitter(r *rand.Rand) {
	f.each(func(x float64) float64 {
		way := r.IntN(8)
		switch {
		case way > 1:
			return x
		case x == 0:
			return float64(2*way-1) * 0x1p-52
		}
		return math.Nextafter(x, math.Inf(2*way-1))
	})
}

// parameters draws (u, v) in the kind's domain, on its boundary or a corner one time in two; dyadic
// when bits > 0.
func parameters(r *rand.Rand, k geom.Kind, bits int) (u, v float64) {
	draw := func() float64 {
		if bits > 0 {
			return math.Ldexp(float64(r.IntN(1<<bits+1)), -bits)
		}
		return r.Float64()
	}
	u, v = draw(), draw()
	switch r.IntN(6) {
	case 0:
		u = 0
	case 1:
		v = 0
	case 2:
		u, v = float64(r.IntN(2)), float64(r.IntN(2))
	}
	switch k.Info().Domain {
	case geom.Triangle:
		if u+v > 1 {
			u, v = 1-u, 1-v
		}
		if r.IntN(6) == 0 {
			v = 1 - u
		}
	case geom.Square:
	case geom.Segment:
		v = 0
	case geom.Point:
		u, v = 0, 0
	default:
		panic("ccdtest: " + k.String())
	}
	return u, v
}

func uniform(r *rand.Rand) func() float64 { return func() float64 { return 2*r.Float64() - 1 } }

// integers draws from -n to n.
func integers(r *rand.Rand, n int) func() float64 {
	return func() float64 { return float64(r.IntN(2*n+1) - n) }
}

// logUniform draws a magnitude between lo and hi, evenly in its logarithm.
func logUniform(r *rand.Rand, lo, hi float64) float64 {
	return math.Exp(math.Log(lo) + r.Float64()*(math.Log(hi)-math.Log(lo)))
}

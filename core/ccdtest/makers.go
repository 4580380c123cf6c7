package ccdtest

import (
	"math"
	"math/rand/v2"

	"ccd/core/geom"
)

func generic(r *rand.Rand, k geom.Kind, f *frames, _ *float64) {
	f.random(uniform(r))
	if r.IntN(2) == 0 {
		u, v := parameters(r, k, 0)
		f.meet(k, r.Float64(), u, v, [3]float64{})
	}
}

// meshlike puts two primitives of size one a small gap apart and moves every point by about the
// gap.
func meshlike(r *rand.Rand, k geom.Kind, f *frames, d *float64) {
	f.random(uniform(r))
	gap := logUniform(r, 1e-6, 0.3)
	for i := range f[1] {
		for a := range 3 {
			f[1][i][a] = f[0][i][a] + float64(gap*(2*r.Float64()-1))
		}
	}
	u, v := parameters(r, k, 0)
	miss := gap * float64(r.IntN(3)) / 2
	f.meet(k, r.Float64(), u, v, [3]float64{miss * (r.Float64() - 0.5), miss * (r.Float64() - 0.5),
		miss * (r.Float64() - 0.5)})
	*d = gap * logUniform(r, 1e-3, 1)
}

func smallIntegers(r *rand.Rand, _ geom.Kind, f *frames, d *float64) {
	f.random(integers(r, 1+r.IntN(3)))
	*d = [...]float64{1, 0.5, 0.25, 2, 1.0 / 3}[r.IntN(5)]
}

func dyadic(r *rand.Rand, k geom.Kind, f *frames, d *float64) {
	bits := 1 + r.IntN(8)
	f.random(integers(r, 1<<r.IntN(8)))
	u, v := parameters(r, k, bits)
	t := math.Ldexp(float64(r.IntN(1<<bits+1)), -bits)
	f.meet(k, t, u, v, [3]float64{})
	*d = math.Ldexp(float64(1+r.IntN(8)), -r.IntN(6))
	if r.IntN(4) == 0 {
		f.jitter(r)
	}
}

// shared copies points over others, at one end or both, within a primitive and across.
func shared(r *rand.Rand, k geom.Kind, f *frames, d *float64) {
	if r.IntN(2) == 0 {
		f.random(integers(r, 3))
		*d = math.Ldexp(1, -r.IntN(4))
	} else {
		f.random(uniform(r))
	}
	n := k.Points()
	for range 1 + r.IntN(3) {
		i, j := r.IntN(n), r.IntN(n)
		ends := r.IntN(3)
		if ends != 1 {
			f[0][i] = f[0][j]
		}
		if ends != 0 {
			f[1][i] = f[1][j]
		}
	}
	if r.IntN(4) == 0 {
		f.jitter(r)
	}
}

// parallel makes b1 - b0 of edge-edge nearly parallel to a1 - a0, and the two sides of a face
// nearly parallel, at both ends; a point moves nearly along its edge. The pair then meets, or
// nearly.
func parallel(r *rand.Rand, k geom.Kind, f *frames, _ *float64) {
	f.random(uniform(r))
	tilt := logUniform(r, 1e-18, 1e-3)
	if r.IntN(4) == 0 {
		tilt = 0
	}
	// along sets to = from + c (side - tail), tilted a little.
	along := func(to, from, side *[3]float64, tail *[3]float64) {
		c := 0.25 + 2*r.Float64()
		for a := range 3 {
			to[a] = from[a] + float64(c*(side[a]-tail[a])) + float64(tilt*(2*r.Float64()-1))
		}
	}
	switch k {
	case geom.PointEdge:
		along(&f[1][0], &f[0][0], &f[0][2], &f[0][1])
	case geom.EdgeEdge:
		for s := range f {
			along(&f[s][3], &f[s][2], &f[s][1], &f[s][0])
		}
	case geom.VertexFace:
		for s := range f {
			along(&f[s][3], &f[s][1], &f[s][2], &f[s][1])
		}
	case geom.PointPoint:
	default:
		panic("ccdtest: " + k.String())
	}
	u, v := parameters(r, k, 0)
	gap := [3]float64{}
	if r.IntN(2) == 0 {
		gap = [3]float64{tilt * r.Float64(), tilt * r.Float64(), tilt * r.Float64()}
	}
	f.meet(k, r.Float64(), u, v, gap)
}

// coplanar keeps all points in one plane: z = 0, or z = i x + j y with small integers.
func coplanar(r *rand.Rand, k geom.Kind, f *frames, d *float64) {
	if r.IntN(2) == 0 {
		f.random(integers(r, 1+r.IntN(8)))
		*d = math.Ldexp(1, 1-r.IntN(4))
	} else {
		f.random(func() float64 { return float64(float32(2*r.Float64() - 1)) })
	}
	if r.IntN(3) > 0 {
		u, v := parameters(r, k, 3)
		f.meet(k, float64(r.IntN(9))/8, u, v, [3]float64{})
	}
	i, j := float64(r.IntN(3)-1), float64(r.IntN(5)-2)
	for s := range f {
		for p := range f[s] {
			x := &f[s][p]
			x[2] = float64(i*x[0]) + float64(j*x[1])
		}
	}
	if r.IntN(5) == 0 {
		f.jitter(r)
	}
}

func static(r *rand.Rand, k geom.Kind, f *frames, d *float64) {
	if r.IntN(2) == 0 {
		f.random(integers(r, 4))
		*d = 1
	} else {
		f.random(uniform(r))
	}
	f[1] = f[0]
	if r.IntN(2) == 0 {
		u, v := parameters(r, k, 3)
		gap := [3]float64{}
		if r.IntN(2) == 0 {
			gap[r.IntN(3)] = *d
		}
		f.meet(k, 0, u, v, gap)
		f[1] = f[0]
	}
	if r.IntN(4) == 0 {
		f.jitter(r)
	}
}

func translation(r *rand.Rand, k geom.Kind, f *frames, d *float64) {
	meshlike(r, k, f, d)
	speed := logUniform(r, 1, 1e9)
	for a := range 3 {
		w := speed * (2*r.Float64() - 1)
		for i := range f[1] {
			f[1][i][a] += w
		}
	}
}

func scaled(r *rand.Rand, k geom.Kind, f *frames, d *float64) {
	[...]func(*rand.Rand, geom.Kind, *frames, *float64){generic, meshlike, dyadic, smallIntegers, parallel,
		static}[r.IntN(6)](r, k, f, d)
	e := r.IntN(1461) - 996 // 2^-996 is 1e-300, 2^464 is 1e140
	f.each(func(x float64) float64 { return math.Ldexp(x, e) })
	*d = math.Ldexp(*d, e)
}

func wild(r *rand.Rand, k geom.Kind, f *frames, d *float64) {
	span := 1 + r.IntN(300)
	base := r.IntN(200) - 150
	if r.IntN(8) == 0 {
		span, base = 1400, -996
	}
	f.random(func() float64 {
		if r.IntN(6) == 0 {
			return 0
		}
		return math.Ldexp(2*r.Float64()-1, base+r.IntN(span))
	})
	if r.IntN(2) == 0 {
		u, v := parameters(r, k, 2)
		f.meet(k, r.Float64(), u, v, [3]float64{})
	}
	*d = math.Ldexp(r.Float64(), base+r.IntN(span))
}

func offset(r *rand.Rand, k geom.Kind, f *frames, d *float64) {
	meshlike(r, k, f, d)
	far := logUniform(r, 1e3, 1e12)
	w := [3]float64{far * (2*r.Float64() - 1), far * (2*r.Float64() - 1), far * (2*r.Float64() - 1)}
	for s := range f {
		for i := range f[s] {
			for a := range 3 {
				f[s][i][a] += w[a]
			}
		}
	}
}

// grazing makes contact at one instant. The second primitive's plane (or edge) is z = t x; the
// first one's point has x = t and z = 2 t0 t - t0^2, so that its height above is -(t - t0)^2: a
// double root at t0, exact for dyadic t0.
func grazing(r *rand.Rand, k geom.Kind, f *frames, d *float64) {
	t0 := float64(r.IntN(33)) / 32
	w := 1 + float64(r.IntN(4))
	z := func(t float64) float64 { return 2*t0*t - t0*t0 }
	for s := range 2 {
		t := float64(s)
		p := [3]float64{t, 0, z(t)}
		switch k {
		case geom.VertexFace:
			f[s] = [4][3]float64{p, {-w, -w, -w * t}, {w + 1, -w, (w + 1) * t}, {0, 2 * w, 0}}
		case geom.EdgeEdge:
			f[s] = [4][3]float64{{t, -w, z(t)}, {t, w, z(t)}, {-w, 0, -w * t}, {w + 1, 0, (w + 1) * t}}
		case geom.PointEdge:
			f[s] = [4][3]float64{p, {-w, 0, -w * t}, {w + 1, 0, (w + 1) * t}}
		case geom.PointPoint: // they pass each other
			f[s] = [4][3]float64{{t - t0, 0, 0}, {t0 - t, 0, 0}}
		default:
			panic("ccdtest: " + k.String())
		}
	}
	*d = math.Ldexp(1, -2-r.IntN(20))
	if r.IntN(2) == 0 { // lift by exactly d, or nearly: the ball grazes
		lift := *d * float64(r.IntN(3)-1)
		for s := range f {
			for i := range k.Info().Split {
				f[s][i][2] += lift
			}
		}
	}
	if r.IntN(3) == 0 {
		f.jitter(r)
	}
}

func ends(r *rand.Rand, k geom.Kind, f *frames, d *float64) {
	f.random(integers(r, 16))
	u, v := parameters(r, k, 3)
	gap := [3]float64{}
	*d = math.Ldexp(float64(1+r.IntN(4)), -r.IntN(3))
	if r.IntN(2) == 0 {
		gap[r.IntN(3)] = *d
	}
	if r.IntN(2) == 0 {
		f.meet(k, 0, u, v, gap)
	} else {
		f.steer(k, 1, u, v, gap)
	}
	if r.IntN(3) == 0 {
		f.jitter(r)
	}
}

// threshold lets F reach the surface of the cube of half-width d: a face, an edge or a corner of
// it.
func threshold(r *rand.Rand, k geom.Kind, f *frames, d *float64) {
	f.random(integers(r, 8))
	*d = math.Ldexp(float64(1+r.IntN(7)), -r.IntN(4))
	gap := [3]float64{}
	for a := range 3 {
		gap[a] = *d * float64(r.IntN(5)-2) / 2
	}
	gap[r.IntN(3)] = *d
	u, v := parameters(r, k, 3)
	t := float64(r.IntN(9)) / 8
	f.meet(k, t, u, v, gap)
	if r.IntN(3) == 0 { // tangent: no motion across the face that is touched
		a := r.IntN(3)
		for i := range f[1] {
			f[1][i][a] = f[0][i][a]
		}
	}
	if r.IntN(3) == 0 {
		*d = math.Nextafter(*d, float64(r.IntN(2)))
	}
	if r.IntN(4) == 0 {
		f.jitter(r)
	}
}

// edgesOf lists the point pairs that span a kind's primitives.
func edgesOf(k geom.Kind) [][2]int {
	switch k {
	case geom.EdgeEdge:
		return [][2]int{{0, 1}, {2, 3}}
	case geom.VertexFace:
		return [][2]int{{1, 2}, {1, 3}}
	case geom.PointEdge:
		return [][2]int{{1, 2}}
	case geom.PointPoint:
		return nil
	}
	panic("ccdtest: " + k.String())
}

// aligned lays edges along the axes and moves each primitive along one axis.
func aligned(r *rand.Rand, k geom.Kind, f *frames, d *float64) {
	f.random(integers(r, 4))
	for _, e := range edgesOf(k) {
		f[0][e[1]] = f[0][e[0]]
		f[0][e[1]][r.IntN(3)] += float64(1 + r.IntN(4))
	}
	f[1] = f[0]
	for _, p := range [2][2]int{{0, k.Info().Split}, {k.Info().Split, k.Points()}} {
		a, w := r.IntN(3), float64(r.IntN(17)-8)
		for i := p[0]; i < p[1]; i++ {
			f[1][i][a] += w
		}
	}
	*d = math.Ldexp(1, -r.IntN(5))
	if r.IntN(2) == 0 {
		u, v := parameters(r, k, 2)
		gap := [3]float64{}
		gap[r.IntN(3)] = *d * float64(r.IntN(3)-1)
		f.meet(k, float64(r.IntN(5))/4, u, v, gap)
	}
	if r.IntN(2) == 0 {
		s := float64(float32(logUniform(r, 1e-3, 1e3)))
		f.each(func(x float64) float64 { return x * s })
		*d *= s
	}
}

// parting starts at a distance from nothing to a little beyond d, in any direction or along an
// axis, and goes apart or past: primitives that are parallel or degenerate among them, far from the
// origin, and at all scales.
func parting(r *rand.Rand, k geom.Kind, f *frames, d *float64) {
	f.random(uniform(r))
	switch r.IntN(4) {
	case 0:
		parallel(r, k, f, d)
	case 1:
		shared(r, k, f, d)
	}
	*d = logUniform(r, 1e-9, 1)
	way := [3]float64{}
	if r.IntN(4) == 0 {
		way[r.IntN(3)] = 1
	} else {
		for a := range 3 {
			way[a] = 2*r.Float64() - 1
		}
	}
	far := *d * [...]float64{0, r.Float64(), 0.5 * r.Float64(), logUniform(r, 1e-9, 1), logUniform(r, 1e-3, 1),
		1.5 * r.Float64()}[r.IntN(6)]
	speed := *d * logUniform(r, 1e-3, 10)
	if r.IntN(4) == 0 {
		speed = -speed // towards each other, and perhaps past
	}
	common, turning := logUniform(r, 1e-6, 10), logUniform(r, 1e-12, 1)
	if r.IntN(2) == 0 {
		turning = 0
	}
	u, v := parameters(r, k, 0)
	f.meet(k, 0, u, v, [3]float64{far * way[0], far * way[1], far * way[2]})
	for a := range 3 {
		w := common * (2*r.Float64() - 1)
		for i := range f[1] {
			f[1][i][a] = f[0][i][a] + w + float64(turning*(2*r.Float64()-1))
			if i < k.Info().Split {
				f[1][i][a] += float64(speed * way[a])
			}
		}
	}
	switch r.IntN(4) {
	case 0:
		at := logUniform(r, 1, 1e9)
		f.each(func(x float64) float64 { return x + at })
	case 1:
		e := r.IntN(1461) - 996 // 2^-996 is 1e-300, 2^464 is 1e140
		f.each(func(x float64) float64 { return math.Ldexp(x, e) })
		*d = math.Ldexp(*d, e)
	}
}

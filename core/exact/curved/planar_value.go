package curved

import (
	"math"

	"ccd/core/exact"
	"ccd/core/geom"
)

// Values of the polynomial of planar.go: in doubles where no proof rests on them, and in
// double-doubles with a bound on their error.

// zeroOf returns about where a polynomial in Bernstein form whose coefficients change their sign
// once has its root, in [0, 1]: Newton's method from where the control polygon crosses 0, within a
// bracket. The powers of s lose up to n log2(3) bits: no proof rests on it.
func zeroOf(f []float64) float64 {
	n := len(f) - 1
	lo, hi, up := 0.0, 1.0, f[n] > 0
	i := 0
	for i < n-1 && f[i+1] > 0 != up {
		i++
	}
	s := (float64(i) + f[i]/(f[i]-f[i+1])) / float64(n)
	var p planarPoly
	copy(p[:], f)
	for m := 1; m <= n; m++ { // differences
		for j := n; j >= m; j-- {
			p[j] -= p[j-1]
		}
	}
	for m := 1; m < n; m++ {
		p[m] *= choose[n][m]
	}
	for range 40 {
		y, d := p[n], 0.0
		for j := n - 1; j >= 0; j-- {
			d = y + float64(d*s)
			y = p[j] + float64(y*s)
		}
		if y == 0 {
			return s
		}
		if y > 0 == up {
			hi = s
		} else {
			lo = s
		}
		next := s - y/d
		if !(next > lo && next < hi) {
			next = 0.5 * (lo + hi)
		} else if math.Abs(next-s) < 0x1p-26 {
			return next // the next step is below the rounding
		}
		s = next
	}
	return s
}

// bernsteinAt returns the polynomial at s in [0, 1]: Horner's scheme in s / (1 - s), or in its
// inverse. A term takes a product with a binomial, n sums, n products with the ratio, whose own
// error counts n times, n products with the power, whose base errs by u: less than 5n u of what the
// terms' magnitudes add up to, which is at most the largest coefficient.
func bernsteinAt(f []float64, s float64) float64 {
	n := len(f) - 1
	r, b, y := 1-s, 1.0, 0.0
	if s <= 0.5 {
		x := s / r
		for i := n; i >= 0; i-- {
			y = float64(y*x) + float64(f[i]*choose[n][i])
		}
		for range n {
			b *= r
		}
		return y * b
	}
	x := r / s
	for i := range n + 1 {
		y = float64(y*x) + float64(f[i]*choose[n][i])
	}
	for range n {
		b *= s
	}
	return y * b
}

// err bounds the error of value.
func (p *motionPlanar) err() float64 {
	return float64(planarDoubles*p.size*p.power) + planarUnderflow
}

// loadDoubles computes the entries in double-doubles: exactly, but for what underflows.
func (p *motionPlanar) loadDoubles() {
	if p.loaded {
		return
	}
	p.loaded = true
	h := p.q.T1 - p.q.T0
	p.unit = math.Ldexp(1, -math.Ilogb(h))
	p.width = h * p.unit * (1 + 0x1p-50)
	p.power = 1
	for range p.n {
		p.power *= p.width
	}
	for l := range p.degree + 1 {
		x := p.q.Control[12*l : 12*l+12 : 12*l+12]
		for k := range 3 {
			if p.square {
				p.da[l][k], p.db[l][k], p.dc[l][k] = exact.Difference(x[k], x[6+k]), exact.Difference(x[3+k], x[k]),
					exact.Difference(x[6+k], x[9+k])
			} else {
				p.da[l][k], p.db[l][k], p.dc[l][k] = exact.Difference(x[k], x[3+k]), exact.Difference(x[3+k], x[6+k]),
					exact.Difference(x[3+k], x[9+k])
			}
			if p.s0 != 1 || p.s1 != 1 {
				for _, y := range [3]*exact.DD{&p.da[l][k], &p.db[l][k], &p.dc[l][k]} {
					y.H, y.L = y.H*p.s0*p.s1, y.L*p.s0*p.s1
				}
			}
		}
	}
}

// weights returns C(k,l) (t - T0)^l (T1 - t)^(k-l), times a power of two.
func (p *motionPlanar) weights(t float64) (w [MaxMotionDegree + 1]exact.DD) {
	k := p.degree
	var up, down exact.DD
	if p.q.T0 == 0 && p.q.T1 == 1 {
		up, down = exact.DD{H: t, L: 0}, exact.Difference(1, t)
	} else {
		up, down = exact.Difference(t, p.q.T0), exact.Difference(p.q.T1, t)
		up.H, up.L, down.H, down.L = up.H*p.unit, up.L*p.unit, down.H*p.unit, down.L*p.unit
	}
	var u, d [MaxMotionDegree + 1]exact.DD
	u[0], d[0] = exact.DD{H: 1, L: 0}, exact.DD{H: 1, L: 0}
	for l := range k {
		u[l+1], d[l+1] = u[l].Mul(up), d[l].Mul(down)
	}
	for l := range k + 1 {
		w[l] = u[l].Mul(d[k-l]).Times(choose[k][l])
	}
	return w
}

// value returns f at t, times a positive number, and about its derivative in s times the same
// number.
func (p *motionPlanar) value(t float64) (y exact.DD, slope float64) {
	w := p.weights(t)
	var a, b, c exact.VecDD
	for k := range 3 {
		a[k], b[k], c[k] = p.da[0][k].Mul(w[0]), p.db[0][k].Mul(w[0]), p.dc[0][k].Mul(w[0])
		for l := 1; l <= p.degree; l++ {
			a[k], b[k], c[k] = a[k].Add(p.da[l][k].Mul(w[l])), b[k].Add(p.db[l][k].Mul(w[l])),
				c[k].Add(p.dc[l][k].Mul(w[l]))
		}
	}
	n := b.Cross(&c)
	f := a.Dot(&n)
	// The derivative of the determinant: entry by entry, in doubles.
	x, z, v := [3]float64{a[0].H, a[1].H, a[2].H}, [3]float64{b[0].H, b[1].H, b[2].H},
		[3]float64{c[0].H, c[1].H, c[2].H}
	s := (t - p.q.T0) / (p.q.T1 - p.q.T0)
	da, db, dc := p.rates(s)
	n0, n1, n2 := geom.Cross3(&z, &v), geom.Cross3(&v, &x), geom.Cross3(&x, &z)
	return f, geom.Dot3(&da, &n0) + geom.Dot3(&db, &n1) + geom.Dot3(&dc, &n2)
}

// rates returns about the derivatives of the entries in s, times width^k.
func (p *motionPlanar) rates(s float64) (a, b, c [3]float64) {
	k, r := p.degree, 1-s
	scale := float64(k)
	for range k {
		scale *= p.width
	}
	var w [MaxMotionDegree]float64
	for l := range k {
		w[l] = choose[k-1][l] * scale
		for range l {
			w[l] *= s
		}
		for range k - 1 - l {
			w[l] *= r
		}
	}
	for l := range k {
		for i := range 3 {
			a[i] += float64(w[l] * (p.a[l+1][i] - p.a[l][i]))
			b[i] += float64(w[l] * (p.b[l+1][i] - p.b[l][i]))
			c[i] += float64(w[l] * (p.c[l+1][i] - p.c[l][i]))
		}
	}
	return a, b, c
}

// at returns A, B and C at s, in doubles.
func (p *motionPlanar) at(s float64) (a, b, c [3]float64) {
	r := 1 - s
	var w [MaxMotionDegree + 1]float64
	for l := range p.degree + 1 {
		w[l] = choose[p.degree][l]
		for range l {
			w[l] *= s
		}
		for range p.degree - l {
			w[l] *= r
		}
	}
	for l := range p.degree + 1 {
		for i := range 3 {
			a[i] += float64(w[l] * p.a[l][i])
			b[i] += float64(w[l] * p.b[l][i])
			c[i] += float64(w[l] * p.c[l][i])
		}
	}
	return a, b, c
}

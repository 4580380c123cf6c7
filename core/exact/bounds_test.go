package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/exact/internal/algebra"
	"ccd/core/geom"
)

// Every bound of the float stages is held against rational arithmetic. worst keeps the largest
// share of a bound that an error ever took; above 1 the bound is wrong.
type worst map[string]float64

func (w worst) see(t *testing.T, name string, got float64, want *big.Rat, bound float64) {
	t.Helper()
	x := new(big.Rat).SetFloat64(got)
	e, _ := x.Sub(x, want).Float64()
	if e = math.Abs(e); e > 0 {
		w[name] = max(w[name], e/bound)
		if !(e <= bound) {
			t.Fatalf("%s: off by %g, the bound is %g", name, e, bound)
		}
	}
}

func rational(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

type ratVec [3]*big.Rat

func (a ratVec) dot(b ratVec) *big.Rat {
	s := new(big.Rat)
	for k := range 3 {
		s.Add(s, new(big.Rat).Mul(a[k], b[k]))
	}
	return s
}

func (a ratVec) cross(b ratVec) (r ratVec) {
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		r[k] = new(big.Rat).Sub(new(big.Rat).Mul(a[i], b[j]), new(big.Rat).Mul(a[j], b[i]))
	}
	return r
}

func (a ratVec) mix(b ratVec, t *big.Rat) (r ratVec) {
	for k := range 3 {
		r[k] = new(big.Rat).Sub(b[k], a[k])
		r[k].Add(a[k], r[k].Mul(r[k], t))
	}
	return r
}

// truthOf returns A, B, C at both ends, axis k times 2^-e[k].
func truthOf(domain geom.Domain, q *[24]float64, e [3]int) (a, b, c [2]ratVec) {
	for s := range 2 {
		for k := range 3 {
			scale := new(big.Rat).SetFrac(new(big.Int).Lsh(big.NewInt(1), uint(max(0, -e[k]))),
				new(big.Int).Lsh(big.NewInt(1), uint(max(0, e[k]))))
			d := func(i, j int) *big.Rat {
				x := new(big.Rat).Sub(rational(q[12*s+3*i+k]), rational(q[12*s+3*j+k]))
				return x.Mul(x, scale)
			}
			if domain == geom.Square {
				a[s][k], b[s][k], c[s][k] = d(0, 2), d(1, 0), d(2, 3)
			} else {
				a[s][k], b[s][k], c[s][k] = d(0, 1), d(1, 2), d(1, 3)
			}
		}
	}
	return a, b, c
}

// bernsteinOf returns the coefficients of A.(B x C), the middle ones times three.
func bernsteinOf(a, b, c *[2]ratVec) (d [4]*big.Rat) {
	for i := range d {
		d[i] = new(big.Rat)
	}
	for i := range 8 {
		x, y, z := i&1, i>>1&1, i>>2
		d[x+y+z].Add(d[x+y+z], a[x].dot(b[y].cross(c[z])))
	}
	return d
}

func hostileQuery(rng *rand.Rand, q *[24]float64) geom.Domain {
	e := []int{-1015, -300, -20, 0, 30, 200}[rng.IntN(6)]
	offset := math.Ldexp(rng.Float64(), rng.IntN(60)-30)
	near := math.Ldexp(1, -rng.IntN(50))
	for i := range q {
		x := rng.Float64()*2 - 1
		if rng.IntN(3) == 0 {
			x *= near
		}
		if rng.IntN(8) == 0 && i >= 3 {
			x = math.Ldexp(q[i-3], -e) - offset
		}
		q[i] = math.Ldexp(x+offset, e)
	}
	if rng.IntN(2) == 0 {
		return geom.Square
	}
	return geom.Triangle
}

func TestFilterBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 4))
	w := worst{}
	for range 1000 {
		var q [24]float64
		domain := hostileQuery(rng, &q)
		var f ends
		f.load(domain, &q)
		a, b, c := truthOf(domain, &q, [3]int{})
		want := bernsteinOf(&a, &b, &c)
		e := boundCubic*f.volume() + underflow
		n0, n2 := geom.Cross3(&f.b[0], &f.c[0]), geom.Cross3(&f.b[1], &f.c[1])
		d1, d2 := f.middle(&n0, &n2)
		w.see(t, "outer coefficients", geom.Dot3(&f.a[0], &n0), want[0], e)
		w.see(t, "outer coefficients", geom.Dot3(&f.a[1], &n2), want[3], e)
		w.see(t, "middle coefficients", d1, want[1], 3*e)
		w.see(t, "middle coefficients", d2, want[2], 3*e)
		d := [3]float64{rng.Float64() - 0.5, rng.Float64() - 0.5, rng.Float64() - 0.5}
		z := 0.0
		for k := range 3 {
			z += math.Abs(d[k]) * (f.ma[k] + f.mb[k] + f.mc[k])
		}
		for s := range 2 {
			dr := ratVec{rational(d[0]), rational(d[1]), rational(d[2])}
			x, y, v := dr.dot(a[s]), dr.dot(b[s]), dr.dot(c[s])
			least := new(big.Rat)
			zero := new(big.Rat)
			if domain == geom.Square {
				least.Add(x, minRat(y, zero))
				least.Add(least, minRat(v, zero))
			} else {
				least.Add(x, minRat(zero, minRat(y, v)))
			}
			w.see(t, "direction", f.least(domain, s, &d), least, boundDirection*z+underflow)
		}
	}
	t.Log(w)
}

func minRat(x, y *big.Rat) *big.Rat {
	if x.Cmp(y) < 0 {
		return x
	}
	return y
}

func TestDoubleBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 4))
	w := worst{}
	var f double
	for range long.Part(1000, 3) {
		var q [24]float64
		domain := hostileQuery(rng, &q)
		f.load(domain, &q)
		a, b, c := truthOf(domain, &q, f.exponent)
		certain := f.expand()
		want := bernsteinOf(&a, &b, &c)
		power := [4]*big.Rat{}
		for i, m := range [4][4]int64{{1}, {-3, 1}, {3, -2, 1}, {-1, 1, -1, 1}} {
			power[i] = new(big.Rat)
			for j, x := range m {
				power[i].Add(power[i], new(big.Rat).Mul(big.NewRat(x, 1), want[j]))
			}
		}
		x := rng.Float64()
		y := f.value(x)
		value := new(big.Rat)
		for i := 3; i >= 0; i-- {
			value.Add(value.Mul(value, rational(x)), power[i])
		}
		value.Sub(value, rational(y.L))
		if certain { // else the value is never asked for
			w.see(t, "value", y.H, value, f.err)
		}
		// Cramer's numerators and the denominator, between x and the next double.
		next := math.Nextafter(x, 2)
		n, bound := f.cramer(x)
		for _, at := range []float64{x, next, x + (next-x)*0.5} {
			s := rational(at)
			ra, rb, rc := a[0].mix(a[1], s), b[0].mix(b[1], s), c[0].mix(c[1], s)
			for k := range 3 {
				w.see(t, "N", n[0][k], rb.cross(rc)[k], bound[0][k])
				w.see(t, "U", n[1][k], rc.cross(ra)[k], bound[1][k])
				w.see(t, "V", n[2][k], ra.cross(rb)[k], bound[2][k])
			}
		}
	}
	t.Log(w)
}

func TestFixedBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 4))
	w := worst{}
	for range 6000 {
		var p quadratic
		for i := range p {
			p[i] = algebra.Mul64(rng.Int64()>>(rng.IntN(60)+2), rng.Int64()>>(rng.IntN(60)+2))
		}
		t0 := rng.Float64()
		e := boundQuadratic * (math.Abs(p[0].Float()) + math.Abs(p[1].Float()) + math.Abs(p[2].Float()))
		for _, x := range []float64{t0, math.Nextafter(t0, 2)} {
			r, one := rational(x), big.NewRat(1, 1)
			s := new(big.Rat).Sub(one, r)
			value := new(big.Rat).Mul(new(big.Rat).Mul(rat128(p[0]), s), s)
			value.Add(value, new(big.Rat).Mul(new(big.Rat).Mul(rat128(p[1]), s), r))
			value.Add(value, new(big.Rat).Mul(new(big.Rat).Mul(rat128(p[2]), r), r))
			if e > 0 {
				w.see(t, "quadratic", p.value(t0), value, e)
			}
		}
		if got, ok := p.signAt(t0); ok {
			r, one := rational(t0), big.NewRat(1, 1)
			s := new(big.Rat).Sub(one, r)
			value := new(big.Rat).Mul(new(big.Rat).Mul(rat128(p[0]), s), s)
			value.Add(value, new(big.Rat).Mul(new(big.Rat).Mul(rat128(p[1]), s), r))
			value.Add(value, new(big.Rat).Mul(new(big.Rat).Mul(rat128(p[2]), r), r))
			if got != value.Sign() {
				t.Fatalf("sign of %v at %v: %d, should be %d", p, t0, got, value.Sign())
			}
		}
	}
	t.Log(w)
}

func rat128(x algebra.Int128) *big.Rat {
	n := new(big.Int).Lsh(big.NewInt(x.Hi), 64)
	return new(big.Rat).SetInt(n.Add(n, new(big.Int).SetUint64(x.Lo)))
}

// The polar forms by which monotone proves its segments, against rationals.
func TestBlossomBound(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	w := worst{}
	for range 6000 {
		var f cubic
		var b [4]*big.Rat
		most := 0.0
		for i := range b {
			x := rng.Float64()*2 - 1
			b[i] = rational(x)
			f.bern[i] = x
			most = max(most, math.Abs(x))
		}
		x, y := rng.Float64(), rng.Float64()
		mix := func(p, q *big.Rat, t float64) *big.Rat {
			d := new(big.Rat).Sub(q, p)
			return d.Add(p, d.Mul(d, rational(t)))
		}
		l := [3]*big.Rat{mix(b[0], b[1], x), mix(b[1], b[2], x), mix(b[2], b[3], x)}
		want := mix(mix(l[0], l[1], x), mix(l[1], l[2], x), y)
		w.see(t, "polar form", f.polar(x, x, y), want, boundBlossom*most)
	}
	t.Log(w)
}

// The parts of a quadratic's Bernstein form, after as many halvings as apartPointEdge makes.
func TestCodimBound(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 10))
	w := worst{}
	for range long.Part(2000, 3) {
		var q [24]float64
		hostileQuery(rng, &q)
		var f ends
		f.load(geom.Triangle, &q)
		a, b, _ := truthOf(geom.Triangle, &q, [3]int{})
		x, z := geom.Cross3(&f.a[0], &f.b[0]), geom.Cross3(&f.a[1], &f.b[1])
		y, v := geom.Cross3(&f.a[0], &f.b[1]), geom.Cross3(&f.a[1], &f.b[0])
		rx, rz := a[0].cross(b[0]), a[1].cross(b[1])
		ry, rv := a[0].cross(b[1]), a[1].cross(b[0])
		half := big.NewRat(1, 2)
		for k := range 3 {
			got := [3]float64{x[k], 0.5 * (y[k] + v[k]), z[k]}
			middle := new(big.Rat).Add(ry[k], rv[k])
			want := [3]*big.Rat{rx[k], middle.Mul(middle, half), rz[k]}
			e := boundCodim*Permanent(&f.ma, &f.mb, k) + underflow
			for depth := 0; ; depth++ {
				for i := range got {
					w.see(t, "codimensional", got[i], want[i], e)
				}
				if depth == depthCodim {
					break
				}
				mean := func(i, j int) *big.Rat {
					s := new(big.Rat).Add(want[i], want[j])
					return s.Mul(s, half)
				}
				l, r := 0.5*(got[0]+got[1]), 0.5*(got[1]+got[2])
				rl, rr := mean(0, 1), mean(1, 2)
				m := 0.5 * (l + r)
				rm := new(big.Rat).Add(rl, rr)
				rm.Mul(rm, half)
				if rng.IntN(2) == 0 {
					got, want = [3]float64{got[0], l, m}, [3]*big.Rat{want[0], rl, rm}
				} else {
					got, want = [3]float64{m, r, got[2]}, [3]*big.Rat{rm, rr, want[2]}
				}
			}
		}
	}
	t.Log(w)
}

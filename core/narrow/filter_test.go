package narrow

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
)

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// exactF returns F_k(t,u,v) of a query over the rationals, straight from the definition in
// docs/numerics.md.
func exactF(kind geom.Kind, q []float64, k int, t, u, v *big.Rat) *big.Rat {
	n := kind.Points()
	mix := func(a, b, w *big.Rat) *big.Rat {
		d := new(big.Rat).Sub(b, a)
		return d.Add(a, d.Mul(d, w))
	}
	p := func(i int) *big.Rat { return mix(rat(q[3*i+k]), rat(q[3*(n+i)+k]), t) }
	switch kind {
	case geom.EdgeEdge:
		a := mix(p(0), p(1), u)
		return a.Sub(a, mix(p(2), p(3), v))
	case geom.VertexFace:
		f := p(1)
		x := new(big.Rat).Sub(p(2), f)
		y := new(big.Rat).Sub(p(3), f)
		f.Add(f, x.Mul(x, u)).Add(f, y.Mul(y, v))
		return f.Sub(p(0), f)
	case geom.PointEdge:
		return new(big.Rat).Sub(p(0), mix(p(1), p(2), u))
	}
	return new(big.Rat).Sub(p(0), p(1))
}

var magnitudes = []float64{1e-300, 1e-6, 1, 1e4, 1e9, 1e140}

// randomQuery draws coordinates about m: far from or near the origin, of one size or of many, and
// with small differences.
func randomQuery(r *rand.Rand, kind geom.Kind, m float64) []float64 {
	q := make([]float64, kind.Len())
	base := [3]float64{}
	if r.IntN(2) == 0 {
		base = [3]float64{m * (2*r.Float64() - 1), m * (2*r.Float64() - 1), m * (2*r.Float64() - 1)}
		m *= math.Ldexp(1, -r.IntN(60))
	}
	wild := r.IntN(3) == 0
	for i := range q {
		x := m * (2*r.Float64() - 1)
		if wild {
			x = math.Ldexp(x, -r.IntN(80))
		}
		q[i] = base[i%3] + x
	}
	return q
}

// worst returns the largest error of at and rangeOf on a random cell, in units of eps.
func worst(t *testing.T, r *rand.Rand, f *form, kind geom.Kind, q []float64) float64 {
	t.Helper()
	bound := func(end float64) (float64, float64) {
		a, b := r.Float64()*end, r.Float64()*end
		switch r.IntN(4) {
		case 0:
			return 0, end
		case 1:
			return a, a
		}
		return min(a, b), max(a, b)
	}
	var c cell
	c.t0, c.t1 = bound(1)
	c.u0, c.u1 = bound(f.uEnd)
	c.v0, c.v1 = bound(f.vEnd)
	scale := rat(f.scale)
	err := 0.0
	for k := range 3 {
		var lo, hi *big.Rat
		for _, x := range []float64{c.t0, c.t1} {
			for _, u := range []float64{c.u0, c.u1} {
				for _, v := range []float64{c.v0, c.v1} {
					e := exactF(kind, q, k, rat(x), rat(u), rat(v))
					e.Mul(e, scale)
					if lo == nil || e.Cmp(lo) < 0 {
						lo = e
					}
					if hi == nil || e.Cmp(hi) > 0 {
						hi = e
					}
					d, _ := new(big.Rat).Sub(e, rat(f.at(x, u, v)[k])).Float64()
					err = max(err, math.Abs(d)/f.eps[k])
				}
			}
		}
		l, h := f.rangeOf(k, &c)
		d, _ := new(big.Rat).Sub(lo, rat(l)).Float64()
		err = max(err, math.Abs(d)/f.eps[k])
		d, _ = new(big.Rat).Sub(hi, rat(h)).Float64()
		err = max(err, math.Abs(d)/f.eps[k])
	}
	return err
}

// TestFilterHolds compares evaluated points and boxes with the exact ones at all magnitudes.
func TestFilterHolds(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var f form
	most := 0.0
	for _, m := range magnitudes {
		for i := range 300 {
			kind := geom.VertexFace + geom.Kind(i%4)
			q := randomQuery(r, kind, m)
			f.load(kind, q, &Options{Tolerance: 1e-6, TMax: 1})
			e := worst(t, r, &f, kind, q)
			if e > 1 {
				t.Fatalf("magnitude %g, %v %v: error is %v eps", m, kind, q, e)
			}
			most = max(most, e)
		}
	}
	t.Logf("largest error: %.3f eps", most)
	if most < 0.02 {
		t.Errorf("largest error %v eps: the test no longer stresses the bound", most)
	}
}

func FuzzFilter(f *testing.F) {
	for i, m := range magnitudes {
		f.Add(uint64(i), m, uint8(i))
	}
	f.Fuzz(func(t *testing.T, seed uint64, m float64, k uint8) {
		if !(math.Abs(m) <= 1e149) {
			return
		}
		r := rand.New(rand.NewPCG(seed, 9))
		kind := geom.VertexFace + geom.Kind(k%4)
		q := randomQuery(r, kind, m)
		var g form
		g.load(kind, q, &Options{Tolerance: 1e-6, TMax: 1})
		if e := worst(t, r, &g, kind, q); e > 1 {
			t.Fatalf("%v %v: error is %v eps", kind, q, e)
		}
	})
}

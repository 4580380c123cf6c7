package patch

import (
	"ccd/core/status"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// exactBlossom returns the polar form over the rationals, in homogeneous coordinates {w x0, w x1,
// w}, by the plain recurrence.
func exactBlossom(d [][7]*big.Rat, knots []float64, r, p, k int) [7]*big.Rat {
	for j := 1; j <= p; j++ {
		t := knots[r]
		if j > p-k {
			t = knots[r+1]
		}
		for i := p; i >= j; i-- {
			lo, hi := rat(knots[r-p+i]), rat(knots[r-p+i+p+1-j])
			a := new(big.Rat).Quo(new(big.Rat).Sub(rat(t), lo), new(big.Rat).Sub(hi, lo))
			b := new(big.Rat).Sub(rat(1), a)
			for c := range 7 {
				d[i][c] = new(big.Rat).Add(new(big.Rat).Mul(b, d[i-1][c]), new(big.Rat).Mul(a, d[i][c]))
			}
		}
	}
	return d[p]
}

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

func randomKnots(r *rand.Rand, n, p int, clamped bool) []float64 {
	k := make([]float64, n+p+1)
	x := r.Float64()
	for i := range k {
		k[i] = x
		if r.IntN(4) > 0 { // some repeat
			x += r.Float64() * math.Exp(3*r.NormFloat64())
		}
	}
	if clamped {
		for i := range p {
			k[i], k[n+p-i] = k[p], k[n]
		}
	}
	if !(k[p] < k[n]) {
		return randomKnots(r, n, p, clamped)
	}
	return k
}

// The bounds that a curve's Bezier patches carry hold against rational arithmetic, for any knots,
// degrees and weights.
func TestNURBSBoundsHold(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	worst := 0.0
	for trial := range 300 {
		p := 1 + r.IntN(6)
		n := p + 1 + r.IntN(5)
		s := NURBS{U: p, KnotsU: randomKnots(r, n, p, trial%2 == 0)}
		x0, x1 := make([]float64, 3*n), make([]float64, 3*n)
		for i := range x0 {
			x0[i], x1[i] = 10*r.NormFloat64(), 1e3+r.NormFloat64()
		}
		if trial%3 != 0 {
			s.W = make([]float64, n)
			for i := range s.W {
				s.W[i] = math.Exp(3 * r.NormFloat64())
			}
		}
		patches, _, err := s.Bezier(x0, x1)
		if err != nil {
			t.Fatal(err)
		}
		for i, b := range knotSpans(s.KnotsU, p) {
			for k := 0; k <= p; k++ {
				d := make([][7]*big.Rat, p+1)
				for c := range d {
					at := b - p + c
					w := rat(1)
					if s.W != nil {
						w = rat(s.W[at])
					}
					for e := range 3 {
						d[c][e] = new(big.Rat).Mul(w, rat(x0[3*at+e]))
						d[c][3+e] = new(big.Rat).Mul(w, rat(x1[3*at+e]))
					}
					d[c][6] = w
				}
				want := exactBlossom(d, s.KnotsU, b, p, k)
				got := patches[i]
				for e := range 6 {
					x := got.X0
					if e > 2 {
						x = got.X1
					}
					diff, _ := new(big.Rat).Sub(rat(x[3*k+e%3]), new(big.Rat).Quo(want[e], want[6])).Float64()
					if math.Abs(diff) > got.Err {
						t.Fatalf("trial %d: point %d coordinate %d is %v off, bound %v", trial, k, e, diff, got.Err)
					}
					if got.Err > 0 {
						worst = max(worst, math.Abs(diff)/got.Err)
					}
				}
				if got.W != nil {
					diff, _ := new(big.Rat).Quo(new(big.Rat).Sub(rat(got.W[k]), want[6]), want[6]).Float64()
					if math.Abs(diff) > got.WErr {
						t.Fatalf("trial %d: weight %d is %v off, bound %v", trial, k, diff, got.WErr)
					}
				}
			}
		}
	}
	t.Logf("worst error: %.2f of its bound", worst)
}

// coxDeBoor returns the definition of the basis function i of degree p, on the half-open spans.
func coxDeBoor(k []float64, i, p int, t float64) float64 {
	if p == 0 {
		if k[i] <= t && t < k[i+1] {
			return 1
		}
		return 0
	}
	s := 0.0
	if d := k[i+p] - k[i]; d > 0 {
		s += (t - k[i]) / d * coxDeBoor(k, i, p-1, t)
	}
	if d := k[i+p+1] - k[i+1]; d > 0 {
		s += (k[i+p+1] - t) / d * coxDeBoor(k, i+1, p-1, t)
	}
	return s
}

// The patches of a surface are the surface, by its definition.
func TestNURBSPatchesAreTheSurface(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	for trial := range 60 {
		s := NURBS{U: 1 + r.IntN(4), V: 1 + r.IntN(4)}
		nu, nv := s.U+1+r.IntN(3), s.V+1+r.IntN(3)
		s.KnotsU, s.KnotsV = randomKnots(r, nu, s.U, trial%2 == 0), randomKnots(r, nv, s.V, trial%3 == 0)
		x0, x1 := make([]float64, 3*nu*nv), make([]float64, 3*nu*nv)
		for i := range x0 {
			x0[i], x1[i] = r.NormFloat64(), r.NormFloat64()
		}
		s.W = make([]float64, nu*nv)
		for i := range s.W {
			s.W[i] = math.Exp(r.NormFloat64())
		}
		patches, where, err := s.Bezier(x0, x1)
		if err != nil {
			t.Fatal(err)
		}
		for n, p := range patches {
			if err := p.Check(); err != nil {
				t.Fatal(err)
			}
			a, b, tm := r.Float64(), r.Float64(), r.Float64()
			u := where[n].U0 + a*(where[n].U1-where[n].U0)
			v := where[n].V0 + b*(where[n].V1-where[n].V0)
			var want [3]float64
			w := 0.0
			for i := range nu {
				for j := range nv {
					c := coxDeBoor(s.KnotsU, i, s.U, u) * coxDeBoor(s.KnotsV, j, s.V, v) * s.W[i*nv+j]
					w += c
					for k := range 3 {
						want[k] += c * ((1-tm)*x0[3*(i*nv+j)+k] + tm*x1[3*(i*nv+j)+k])
					}
				}
			}
			for k := range want {
				want[k] /= w
			}
			if d := distance(p.At(a, b, tm), want); d > 1e-8 { // the definition, too, is rounded
				t.Fatalf("trial %d patch %d: %v apart", trial, n, d)
			}
		}
	}
}

// Where the arithmetic loses nothing the bounds are zero: knots and points that are small integers.
func TestNURBSExactWhereItCanBe(t *testing.T) {
	s := NURBS{U: 2, KnotsU: []float64{0, 1, 2, 3, 4, 5, 6}, W: []float64{1, 1, 1, 1}}
	patches, where, err := s.Bezier([]float64{0, 0, 0, 2, 4, 6, 8, -2, 4, 0, 2, 4}, make([]float64, 12))
	if err != nil {
		t.Fatal(err)
	}
	if len(patches) != 2 || where[1] != (KnotSpan{U0: 3, U1: 4}) {
		t.Fatalf("%d patches over %v", len(patches), where)
	}
	for _, p := range patches {
		if p.Err != 0 || p.WErr != 0 {
			t.Errorf("bounds %v, %v", p.Err, p.WErr)
		}
	}
	if want := [3]float64{1, 2, 3}; [3]float64(patches[0].X0[:3]) != want {
		t.Errorf("the first point is %v, not %v", patches[0].X0[:3], want)
	}
}

// A circle of four arcs of degree 2 becomes four rational curves on the circle.
func TestNURBSCircle(t *testing.T) {
	h := math.Sqrt2 / 2
	s := NURBS{U: 2, KnotsU: []float64{0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4}, W: []float64{1, h, 1, h, 1, h, 1, h, 1}}
	x := []float64{1, 0, 0, 1, 1, 0, 0, 1, 0, -1, 1, 0, -1, 0, 0, -1, -1, 0, 0, -1, 0, 1, -1, 0, 1, 0, 0}
	patches, _, err := s.Bezier(x, x)
	if err != nil {
		t.Fatal(err)
	}
	if len(patches) != 4 {
		t.Fatalf("%d arcs", len(patches))
	}
	for _, p := range patches {
		for u := 0.0; u <= 1; u += 0.125 {
			if d := distance(p.At(u, 0, 0.5), [3]float64{}); math.Abs(d-1) > 1e-15 {
				t.Errorf("radius %v", d)
			}
		}
	}
}

func TestNURBSRejects(t *testing.T) {
	for _, c := range []struct {
		s    NURBS
		text string
	}{
		{NURBS{U: 2, KnotsU: []float64{0, 0, 0, 1, 1}}, "knots_u has 5 knots"},
		{NURBS{U: 1, KnotsU: []float64{0, 0, 1, 0.5}}, "knots_u[3] is 0.5"},
		{NURBS{U: 1, KnotsU: []float64{0, 1, 1, 2}}, "the surface is empty"},
		{NURBS{U: 1, KnotsU: []float64{0, math.NaN(), 1, 1}}, "knots_u[1] is NaN"},
		{NURBS{U: 1, V: 1, KnotsU: []float64{0, 0, 1, 1}, KnotsV: []float64{0, 0, 1}}, "knots_v has 3"},
		{NURBS{U: 0, KnotsU: []float64{0, 1}}, "u degree 0"},
		{NURBS{U: -1, KnotsU: []float64{0, 0, 1, 1}}, "u degree -1"},
		{NURBS{U: math.MinInt32, KnotsU: []float64{0, 0, 1, 1}}, "u degree -2147483648"},
		{NURBS{U: 1, V: -1, KnotsU: []float64{0, 0, 1, 1}}, "v degree -1"},
		{NURBS{U: 1, KnotsU: []float64{0, 0, 1, 1}, W: []float64{1, -2}}, "weights[1] is -2"},
	} {
		if err := c.s.Check(); err == nil || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%q: got %v", c.text, err)
		}
	}
	s := NURBS{U: 1, KnotsU: []float64{0, 0, 1, 1}}
	if _, _, err := s.Bezier(make([]float64, 6), make([]float64, 3)); !errors.Is(err, status.ErrArgument) {
		t.Errorf("a short frame: %v", err)
	}
}

// A Hermite element has the positions and the derivatives that it was given.
func TestHermite(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	var h [2][48]float64
	for i := range 48 {
		h[0][i], h[1][i] = r.NormFloat64(), r.NormFloat64()
	}
	p, err := Hermite(h[0][:], h[1][:])
	if err != nil || p.Check() != nil {
		t.Fatal(err, p.Check())
	}
	if !(p.Err > 0 && p.Err < 1e-14) {
		t.Errorf("bound %v", p.Err)
	}
	const e = 1e-5
	for c := range 4 {
		u, v := float64(c/2), float64(c%2)
		for k := range 3 {
			f := func(du, dv float64) float64 { return byDefinition(p, u+du, v+dv, 0)[k] }
			got := [4]float64{f(0, 0), (f(e, 0) - f(-e, 0)) / (2 * e), (f(0, e) - f(0, -e)) / (2 * e),
				(f(e, e) - f(e, -e) - f(-e, e) + f(-e, -e)) / (4 * e * e)}
			for w, x := range got {
				if want := h[0][12*c+3*w+k]; math.Abs(x-want) > 1e-4 {
					t.Errorf("corner %d, %d, axis %d: %v, not %v", c, w, k, x, want)
				}
			}
		}
	}
	h[1][5] = math.NaN()
	if _, err := Hermite(h[0][:], h[1][:]); err == nil || !strings.Contains(err.Error(), "h1[5]") {
		t.Errorf("NaN: %v", err)
	}
	// Multiples of nine lose nothing.
	for i := range 48 {
		h[0][i], h[1][i] = float64(9*i), float64(-18*i)
	}
	if p, err = Hermite(h[0][:], h[1][:]); err != nil || p.Err != 0 {
		t.Errorf("multiples of nine: bound %v, %v", p.Err, err)
	}
}

package patch

import (
	"ccd/core/status"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// forms returns all that the tests go through: every shape, low and high degrees, unequal ones.
func forms() []Form {
	f := []Form{{Curve, 0, 0}, {Quad, 1, 3}, {Quad, 4, 2}, {Quad, 9, 1}}
	for d := 1; d <= MaxDegree; d++ {
		f = append(f, Form{Curve, d, 0}, Form{Triangle, d, d}, Form{Quad, d, d})
	}
	return f
}

// randomPatch has control points in a cube around a point, and weights if asked.
func randomPatch(r *rand.Rand, f Form, rational bool) *Patch {
	n := f.Points()
	p := &Patch{Form: f, X0: make([]float64, 3*n), X1: make([]float64, 3*n)}
	for i := range p.X0 {
		p.X0[i], p.X1[i] = 2*r.Float64()-1, 2*r.Float64()-1
	}
	if rational {
		p.W = make([]float64, n)
		for i := range p.W {
			p.W[i] = math.Exp(2 * r.NormFloat64())
		}
	}
	return p
}

func bernsteinBasis(n, i int, s float64) float64 {
	c := 1.0
	for k := range i {
		c = c * float64(n-k) / float64(k+1)
	}
	return c * math.Pow(s, float64(i)) * math.Pow(1-s, float64(n-i))
}

// byDefinition sums weighted Bernstein polynomials: the definition of a patch.
func byDefinition(p *Patch, u, v, t float64) [3]float64 {
	var x [3]float64
	total := 0.0
	f := p.Form
	for i := 0; i <= f.U; i++ {
		for j := 0; j <= f.V; j++ {
			if f.Shape == Triangle && i+j > f.U {
				continue
			}
			b := bernsteinBasis(f.U, i, u) * bernsteinBasis(f.V, j, v)
			if f.Shape == Triangle {
				k := f.U - i - j
				b = math.Gamma(float64(f.U+1)) /
					(math.Gamma(float64(i+1)) * math.Gamma(float64(j+1)) * math.Gamma(float64(k+1))) *
					math.Pow(u, float64(i)) * math.Pow(v, float64(j)) * math.Pow(1-u-v, float64(k))
			}
			at := f.Index(i, j)
			if p.W != nil {
				b *= p.W[at]
			}
			total += b
			for k := range 3 {
				x[k] += b * ((1-t)*p.X0[3*at+k] + t*p.X1[3*at+k])
			}
		}
	}
	for k := range x {
		x[k] /= total
	}
	return x
}

func TestAtIsTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	for _, f := range forms() {
		for trial := range 6 {
			p := randomPatch(r, f, trial%2 == 1)
			if err := p.Check(); err != nil {
				t.Fatalf("%v: %v", f, err)
			}
			u, v, s := r.Float64(), r.Float64(), r.Float64()
			if f.Shape == Triangle && u+v > 1 {
				u, v = 1-u, 1-v
			}
			a, b := p.At(u, v, s), byDefinition(p, u, v, s)
			if d := distance(a, b); d > 1e-13 {
				t.Errorf("%v at (%v, %v): %v apart", f, u, v, d)
			}
		}
	}
}

func distance(a, b [3]float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}

func TestIndexIsAPermutation(t *testing.T) {
	for _, f := range forms() {
		seen := map[int]bool{}
		for i := 0; i <= f.U; i++ {
			for j := 0; j <= f.V; j++ {
				if f.Shape != Triangle || i+j <= f.U {
					seen[f.Index(i, j)] = true
				}
			}
		}
		if len(seen) != f.Points() || !seen[0] || !seen[f.Points()-1] {
			t.Errorf("%v: %d places for %d points", f, len(seen), f.Points())
		}
	}
}

// Errors name the argument and the index.
func TestPatchRejects(t *testing.T) {
	f := Form{Quad, 1, 1}
	for _, c := range []struct {
		form   Form
		broken func(p *Patch)
		kind   error
		text   string
	}{
		{Form{0, 1, 1}, nil, status.ErrArgument, "shape 0"},
		{Form{Quad, 10, 1}, nil, status.ErrArgument, "u degree 10"},
		{Form{Quad, 1, 0}, nil, status.ErrArgument, "v degree 0"},
		{Form{Triangle, 2, 1}, nil, status.ErrArgument, "degrees 2 and 1"},
		{Form{Curve, 2, 1}, nil, status.ErrArgument, "v degree 1 of a curve"},
		{Form{Quad, -1, 1}, nil, status.ErrArgument, "u degree -1"},
		{f, func(p *Patch) { p.X1 = p.X1[:9] }, status.ErrArgument, "x1 has 9 coordinates"},
		{f, func(p *Patch) { p.X0[7] = math.NaN() }, status.ErrNonFinite, "x0[2][1]"},
		{f, func(p *Patch) { p.X1[0] = math.Inf(1) }, status.ErrNonFinite, "x1[0][0]"},
		{f, func(p *Patch) { p.X1[11] = 1e151 }, status.ErrNonFinite, "x1[3][2]"},
		{f, func(p *Patch) { p.W = []float64{1, 1, 1} }, status.ErrArgument, "3 weights for 4"},
		{f, func(p *Patch) { p.W = []float64{1, 1, 0, 1} }, status.ErrArgument, "weights[2] is 0"},
		{f, func(p *Patch) { p.W = []float64{1, -1, 1, 1} }, status.ErrArgument, "weights[1] is -1"},
		{f, func(p *Patch) { p.W = []float64{1, 1, 1, math.NaN()} }, status.ErrNonFinite, "weights[3]"},
		{f, func(p *Patch) { p.W = []float64{1, 1e40, 1, 1} }, status.ErrArgument, "weights[1] is 1e+40"},
		{f, func(p *Patch) { p.W = []float64{1e-200, 1e-200, 1e-200, 1e-200} }, status.ErrArgument, "weights[0]"},
		{f, func(p *Patch) { p.Err = -1 }, status.ErrArgument, "bound -1"},
		{f, func(p *Patch) { p.WErr = 1 }, status.ErrArgument, "error of weights"},
	} {
		p := &Patch{Form: c.form, X0: make([]float64, 12), X1: make([]float64, 12)}
		if c.broken != nil {
			c.broken(p)
		}
		err := p.Check()
		if err == nil || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%q: got %v", c.text, err)
		}
	}
}

package patch

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/trim"
)

// All points of a subpatch whose parameters are in the wide region are in the hull of its clip, by
// its error: in any direction, in 300 bits, for the control points that the subpatch has.
func TestClipsHold(t *testing.T) {
	r := rand.New(rand.NewPCG(50, 3))
	made, inside, worst := 0, 0, 0.0
	for range 400 {
		form := Form{Quad, 1 + r.IntN(3), 1 + r.IntN(3)}
		p := randomQuad(r, form)
		region, window := wavyRegion(r)
		var q query
		o := DefaultOptions()
		p.trimming = &trimming{region: region, window: window}
		far := &Patch{Form: Form{Curve, 0, 0}, X0: []float64{0, 0, 5}, X1: []float64{0, 0, 5}}
		q.beginQuery(p, far, &o, nothingShared{}, 0)
		i := 0
		if q.surf[0].trimming == nil {
			i = 1
		}
		tr := &q.trees[i]
		id := int32(0)
		for range 2 + r.IntN(10) {
			tr.node(id)
			id = tr.halve(id) + int32(r.IntN(2))
		}
		c := clipOf(&q, i, id)
		if c == nil {
			continue
		}
		made++
		nd := tr.nodes[id]
		var hull Subpatch
		selectPart(&q, i, id, &hull)
		for range 30 {
			s, v := r.Float64(), r.Float64()
			if r.IntN(2) == 0 { // At the loops, and as far from them as the tolerance allows.
				s, v = nearLoops(r, p.trimming, &nd, s, v)
			}
			from, d := nd.domain[0], [2]float64{nd.domain[1][0], nd.domain[2][1]}
			u := [2]float64{from[0] + s*(d[0]-from[0]), from[1] + v*(d[1]-from[1])}
			if at := p.trimming.place(u[0], u[1]); region.Classify(at, at) == trim.Outside {
				continue
			}
			inside++
			n := [3]float64{r.Float64() - 0.5, r.Float64() - 0.5, r.Float64() - 0.5}
			when := r.Float64()
			value := exactlyAlong(tr, id, s, v, when, n)
			best := new(big.Float).SetPrec(300).SetInf(true)
			for k := range hull.n {
				x := new(big.Float).SetPrec(300)
				for e := range 3 {
					rate := wide(hull.x[(3+e)*hull.pad+k])
					x.Add(x, wideTimes(n[e], widePlus(hull.x[e*hull.pad+k], wideTimes(when, rate))))
				}
				if x.Cmp(best) > 0 {
					best = x
				}
			}
			over, _ := value.Sub(value, best).Float64()
			bound := hull.err - nd.err
			if over /= bound * (math.Abs(n[0]) + math.Abs(n[1]) + math.Abs(n[2])); over > worst {
				worst = over
			}
			if over > 1 {
				t.Fatalf("a point is %v times the bound outside of the clip of %v, form %v", over, c.polygon, form)
			}
		}
	}
	if made < 60 || inside < 500 {
		t.Errorf("%d clips, %d points", made, inside)
	}
	t.Logf("%d clips, %d points, worst %v of the bound", made, inside, worst)
}

// nearLoops returns parameters of a subpatch whose place differs from a point of the loops by at
// most the tolerance.
func nearLoops(r *rand.Rand, c *trimming, nd *node, s, v float64) (float64, float64) {
	d, e := nd.domain[1][0]-nd.domain[0][0], nd.domain[2][1]-nd.domain[0][1]
	at, _, _ := c.region.Nearest(c.place(nd.domain[0][0]+s*d, nd.domain[0][1]+v*e), c.scale())
	for k, tol := range c.region.Tolerance() {
		at[k] += tol * float64(r.IntN(3)-1)
	}
	u := c.parameters(at)
	return min(max((u[0]-nd.domain[0][0])/d, 0), 1), min(max((u[1]-nd.domain[0][1])/e, 0), 1)
}

func wide(x float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(x) }
func wideTimes(x float64, y *big.Float) *big.Float {
	return new(big.Float).SetPrec(300).Mul(wide(x), y)
}
func widePlus(x float64, y *big.Float) *big.Float { return new(big.Float).SetPrec(300).Add(wide(x), y) }

// exactlyAlong returns the projection on n of the point of a subpatch at its own parameters.
func exactlyAlong(t *tree, id int32, s, v, when float64, n [3]float64) *big.Float {
	one := func(p int, k int, x float64) *big.Float { // a Bernstein polynomial
		out := wide(float64(choose(p, k)))
		rest := new(big.Float).SetPrec(300).Sub(wide(1), wide(x))
		for range k {
			out.Mul(out, wide(x))
		}
		for range p - k {
			out.Mul(out, rest)
		}
		return out
	}
	above, below := wide(0), wide(0)
	for i := 0; i <= t.form.U; i++ {
		for j := 0; j <= t.form.V; j++ {
			at := t.form.Index(i, j)
			b := one(t.form.U, i, s)
			b.Mul(b, one(t.form.V, j, v))
			if t.rational {
				b.Mul(b, wide(t.at(id, 6)[at]))
			}
			below.Add(below, b)
			x := wide(0)
			for e := range 3 {
				x.Add(x, wideTimes(n[e], widePlus(t.at(id, e)[at], wideTimes(when, wide(t.at(id, 3+e)[at])))))
			}
			above.Add(above, x.Mul(x, b))
		}
	}
	return above.Quo(above, below)
}

func choose(n, k int) int {
	c := 1
	for i := range k {
		c = c * (n - i) / (i + 1)
	}
	return c
}

// randomQuad returns a wavy quad over the unit square, polynomial or rational, that moves and
// bends.
func randomQuad(r *rand.Rand, form Form) *Patch {
	n := form.Points()
	p := &Patch{Form: form, X0: make([]float64, 3*n), X1: make([]float64, 3*n)}
	if r.IntN(2) == 0 {
		p.W = make([]float64, n)
	}
	high := r.Float64() * float64(r.IntN(2))
	for i := 0; i <= form.U; i++ {
		for j := 0; j <= form.V; j++ {
			at := form.Index(i, j)
			copy(p.X0[3*at:], []float64{float64(i) / float64(form.U), float64(j) / float64(form.V), high * r.Float64()})
			for k := range 3 {
				p.X1[3*at+k] = p.X0[3*at+k] + float64(k) + 0.2*high*r.Float64()
			}
			if p.W != nil {
				p.W[at] = 0.5 + r.Float64()
			}
		}
	}
	return p
}

// wavyRegion returns a region with some hundred corners and the window of a patch that it crosses.
func wavyRegion(r *rand.Rand) (*trim.Region, [2][2]float64) {
	n := 4 + r.IntN(200)
	corners := make([][2]float64, n)
	waves := 0.1 * r.Float64()
	for i := range corners {
		a := 2 * math.Pi * float64(i) / float64(n)
		far := 0.6 + waves*math.Cos(5*a)
		corners[i] = [2]float64{7 + 2*far*math.Cos(a), -3 + far*math.Sin(a)}
	}
	tol := math.Ldexp(r.Float64(), -20)
	region, err := trim.New(corners, []int32{int32(n)}, [2]float64{2 * tol, tol})
	if err != nil {
		panic(err)
	}
	return region, [2][2]float64{{5, 9}, {-2, -4}}
}

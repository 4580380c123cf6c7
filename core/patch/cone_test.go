package patch

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// climb returns a patch whose x rises by step with i and is anything with j, at rest.
func climb(r *rand.Rand, f Form, w, anything []float64, step float64) *Patch {
	p := &Patch{Form: f, X0: make([]float64, 3*f.Points()), W: w}
	for i := 0; i <= f.U; i++ {
		for j := 0; j <= f.V; j++ {
			if f.Shape == Triangle && i+j > f.U {
				break
			}
			p.X0[3*f.Index(i, j)] = step*float64(i) + anything[j]
		}
	}
	p.X1 = p.X0
	return p
}

// Weights that are no products bend a patch: where the differences along u exceed what twisted
// allows for, x rises with u; where they are a tenth of it, it need not.
func TestTwistedWeights(t *testing.T) {
	r := rand.New(rand.NewPCG(74, 1))
	tried, falls := 0, 0
	forms := []Form{{Quad, 1, 1}, {Quad, 2, 2}, {Quad, 3, 1}, {Quad, 1, 4}, {Triangle, 1, 1}, {Triangle, 2, 2},
		{Triangle, 3, 3}}
	for range 400 {
		f := forms[r.IntN(len(forms))]
		w, anything := make([]float64, f.Points()), make([]float64, f.V+1)
		much := 0.02 + 0.4*r.Float64()
		for i := range w {
			w[i] = math.Exp(much * r.NormFloat64())
		}
		for j := range anything {
			anything[j] = 2*r.Float64() - 1
		}
		var tr tree
		bound := func(step float64) float64 {
			p := climb(r, f, w, anything, step)
			local := localSpaceOf(p)
			tr.load(p, &local)
			return tr.weightError(0, 0) / local.unit
		}
		step := bound(0)
		for range 100 { // the extent grows with the step
			step = bound(step) * 1.000001
		}
		if !(bound(step) < step && step < 10) {
			continue
		}
		tried++
		for _, part := range []float64{1, 0.1} {
			p := climb(r, f, w, anything, part*step)
			for range 40 {
				u0, v := randomPlace(r, f)
				u1, _ := randomPlace(r, f)
				if u0, u1 = min(u0, u1), max(u0, u1); f.Shape == Triangle && u1+v > 1 {
					continue
				}
				rise := p.At(u1, v, 0)[0] - p.At(u0, v, 0)[0]
				if part == 1 && rise < -1e-14 {
					t.Fatalf("%v falls by %v from u = %v to %v", f, rise, u0, u1)
				}
				if rise < -1e-12 {
					falls++
				}
			}
		}
	}
	if tried < 200 || falls < 20 {
		t.Errorf("%d patches tried, %d falls", tried, falls)
	}
}

// The least projection of a cone's vectors on a direction is that of the differences of the
// subpatch meant, in rational arithmetic and times the scale, up to the cone's bound.
func TestConeBoundHolds(t *testing.T) {
	r := rand.New(rand.NewPCG(75, 1))
	worst := 0.0
	for range 60 {
		f := []Form{{Triangle, 2, 2}, {Triangle, 4, 4}, {Quad, 1, 1}, {Quad, 3, 3}, {Quad, 5, 2}}[r.IntN(5)]
		p := randomPatch(r, f, false)
		if r.IntN(2) == 0 {
			p.move([3]float64{1e3, 0, -1e3}, [3]float64{1e3, 1e3, 0})
		}
		if r.IntN(3) == 0 {
			p.scale(0x1p-300)
		}
		local := localSpaceOf(p)
		var tr tree
		tr.load(p, &local)
		net, id := exactOf(p), int32(0)
		for range 1 + r.IntN(12) {
			second := r.IntN(2)
			d := int(tr.node(id).dir)
			id = tr.halve(id) + int32(second)
			net = net.halve(tr.rows[d], second == 1)
		}
		var c cone
		h := []float64{0, 0x1p-6}[r.IntN(2)]
		c.clear(0)
		d := r.IntN(2)
		c.addDifferences(&tr, id, d, -1, h)
		at := r.Float64()
		n := vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		n, _ = n.unit()
		a, _ := c.least(n, at, at)
		var least *big.Rat
		for _, row := range tr.rows[d] {
			for i := 1; i < len(row); i++ {
				v := new(big.Rat)
				for k, nk := range [3]float64{n.X, n.Y, n.Z} {
					step := func(e int) *big.Rat { return new(big.Rat).Sub(net[row[i]][3*e+k], net[row[i-1]][3*e+k]) }
					x := step(0)
					x.Add(x, new(big.Rat).Mul(rat(at), new(big.Rat).Sub(step(1), x)))
					v.Add(v, x.Mul(x, rat(nk)))
				}
				if least == nil || v.Cmp(least) < 0 {
					least = v
				}
			}
		}
		least.Mul(least, rat(local.unit*c.sets[0].scale))
		diff, _ := least.Sub(least, rat(a.at)).Float64()
		worst = max(worst, math.Abs(diff)/c.bound())
	}
	t.Logf("worst error %.2g of the bound", worst)
	if worst > 1 || worst < 1e-4 {
		t.Errorf("worst error %v of the bound", worst)
	}
}

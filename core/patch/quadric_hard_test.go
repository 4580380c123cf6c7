package patch

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/narrow"
)

// hardPatch returns a patch on which bounds are strained: weights up to 2^100 apart, control points
// near a point, a line or a plane, far from the origin, whose errors are large.
func hardPatch(r *rand.Rand, f Form) *Patch {
	p := randomPatch(r, f, r.IntN(3) > 0)
	for i := range p.W {
		p.W[i] = math.Exp2(float64(r.IntN(101) - 50))
	}
	thin := math.Exp2(-float64(r.IntN(52)))
	flat := [3]bool{r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(2) == 0}
	for i := range p.X0 {
		if flat[i%3] {
			p.X0[i], p.X1[i] = p.X0[i]*thin, p.X1[i]*thin
		}
	}
	if r.IntN(2) == 0 { // It moves little.
		for i, x := range p.X0 {
			p.X1[i] = x + thin*p.X1[i]
		}
	}
	if r.IntN(2) == 0 {
		far := [3]float64{1e6 * r.NormFloat64(), 1e3 * r.NormFloat64(), 0}
		p.move(far, far)
	}
	p.Err, p.WErr = []float64{0, 1e-12, 1e-3}[r.IntN(3)], []float64{0, 0x1p-50, 0x1p-21}[r.IntN(3)]
	return p
}

// deepNode halves a node up to n times, each time along some direction.
func deepNode(r *rand.Rand, t *tree, n int) (id int32) {
	for range n {
		d := int(t.node(id).dir)
		if d < 0 {
			break
		}
		if e := r.IntN(t.dirs); t.form.Shape == Quad && t.edge(&t.nodes[id], e) > leastEdge {
			d = e
		}
		id = halveAlong(t, id, d) + int32(r.IntN(2))
	}
	return id
}

// hardQuadric is one fitted to the subpatch, or a random one with its origin near or far.
func hardQuadric(r *rand.Rand, t *tree, id int32) *quadric {
	q := randomQuadric(r)
	var f fitter
	if r.IntN(2) == 0 && t.form.Shape != Curve {
		f.fit(q, productsOf(t.form), t, id, r.Float64())
	}
	switch r.IntN(4) {
	case 0:
		q.n = vec{}
	case 1:
		q.c = q.c.times(1e5)
	case 2:
		q.k = [6]float64{q.k[0], q.k[0], q.k[0]}
	}
	return q
}

// The coefficients, the gradients and the steepest gradient hold on subpatches that strain their
// bounds, in rational numbers.
func TestComposedBoundsHoldOnHardPatches(t *testing.T) {
	r := rand.New(rand.NewPCG(464, 1))
	forms := []Form{{Curve, 3, 0}, {Triangle, 2, 2}, {Quad, 1, 1}, {Quad, 2, 1}, {Quad, 2, 2}}
	var c composed
	var tr tree
	worst, slope, step, finite := 0.0, 0.0, 0.0, 0
	trials := 200
	if testing.Short() {
		trials = 100
	}
	for trial := range trials {
		f := forms[trial%len(forms)]
		p := hardPatch(r, f)
		l := localSpaceOf(p)
		tr.load(p, &l)
		id := deepNode(r, &tr, []int{0, 3, 12, 48}[r.IntN(4)])
		q := hardQuadric(r, &tr, id)
		from, t0, t1, until := someTimes(r)
		c.compose(q, productsOf(f), &tr, id, from, until, true)
		if math.IsNaN(c.err) || math.IsInf(c.slopeErr, 0) {
			continue
		}
		finite++
		e, exact := exactQuadricOf(q), near(r, &tr, id)
		now := rat(t1)
		values, _ := exact.compose(func(i, j int) *big.Rat { return e.polar(exact.at(i, now), exact.at(j, now), now) })
		lengths, _ := exact.compose(func(i, j int) *big.Rat {
			g, h := e.gradient(exact.at(i, now), now), e.gradient(exact.at(j, now), now)
			sum := new(big.Rat)
			for k := range g {
				sum.Add(sum, new(big.Rat).Mul(g[k], h[k]))
			}
			return sum
		})
		for o := range values {
			maxRatio(&worst, c.over(&c.values[o], t0, t1)[2], values[o], c.err)
			maxRatio(&slope, c.over(&c.slopes[o], t0, t1)[2], lengths[o], c.slopeErr)
		}
		for i, g := range c.steps {
			want, got := e.gradient(exact.at(i, now), now), g[0].along(t1-from, g[1])
			for k, x := range [3]float64{got.X, got.Y, got.Z} {
				maxRatio(&step, x, want[k], c.stepErr)
			}
		}
		at := rat(t0 + 0.25*(t1-t0))
		u, v := randomPlace(r, f)
		g := e.gradient(exact.point(rat(u), rat(v), at), at)
		square, sum := new(big.Rat), new(big.Rat)
		for k := range g {
			square.Add(square, new(big.Rat).Mul(g[k], g[k]))
			sum.Add(sum, g[k].Abs(g[k]))
		}
		if most := rat(c.steepest(true, t0, t1)); most.Mul(most, most).Cmp(square) < 0 {
			t.Errorf("trial %d: the gradient is longer than proven", trial)
		}
		if rat(c.steepest(false, t0, t1)).Cmp(sum) < 0 {
			t.Errorf("trial %d: the gradient's sum is greater than proven", trial)
		}
	}
	t.Logf("%d finite; worst errors: %.3f of the bound, %.3f of slopes, %.3f of gradients", finite, worst, slope, step)
	if worst > 1 || slope > 1 || step > 1 || 10*finite < 9*trials {
		t.Errorf("%d finite; errors of %v, %v and %v of their bounds", finite, worst, slope, step)
	}
}

// Where weights alone err, the coefficients and the slopes are off by no more than their bounds,
// and by a good part of them: the exact weights are greater at control points at which the function
// is above its mean, and less at the others.
func TestComposedBoundsHoldForWeights(t *testing.T) {
	r := rand.New(rand.NewPCG(467, 1))
	forms := []Form{{Curve, 2, 0}, {Curve, 5, 0}, {Triangle, 2, 2}, {Quad, 1, 1}, {Quad, 2, 1}, {Quad, 2, 2}}
	var c composed
	var tr tree
	for _, werr := range []float64{0x1p-46, 0x1p-21} {
		worst, slope := 0.0, 0.0
		for trial := range 36 {
			f := forms[trial%len(forms)]
			p := randomPatch(r, f, true)
			for i := range p.W {
				p.W[i] = 0.5 + r.Float64()
			}
			p.Err, p.WErr = 0, werr
			l := localSpaceOf(p)
			tr.load(p, &l)
			q := randomQuadric(r)
			c.compose(q, productsOf(f), &tr, 0, 0, 1, true)
			e, exact := exactQuadricOf(q), asComputed(&tr, 0)
			now := r.Float64()
			at := rat(now)
			value := func(i, j int) *big.Rat { return e.polar(exact.at(i, at), exact.at(j, at), at) }
			length := func(i, j int) *big.Rat {
				g, h, sum := e.gradient(exact.at(i, at), at), e.gradient(exact.at(j, at), at), new(big.Rat)
				for k := range g {
					sum.Add(sum, new(big.Rat).Mul(g[k], h[k]))
				}
				return sum
			}
			for _, one := range []struct {
				of    func(i, j int) *big.Rat
				got   []parabola
				bound float64
				worst *float64
			}{{value, c.values, c.err, &worst}, {length, c.slopes, c.slopeErr, &slope}} {
				exact.strain(func(i int) *big.Rat { return one.of(i, i) }, werr)
				want, _ := exact.compose(one.of)
				for o := range want {
					maxRatio(one.worst, one.got[o].over(0, now)[2], want[o], one.bound)
				}
				exact = asComputed(&tr, 0)
			}
		}
		t.Logf("weights off by %.3g; worst errors: %.3f of the bound, %.3f of slopes", werr, worst, slope)
		if worst > 1 || slope > 1 || worst < 0.02 || slope < 0.001 {
			t.Errorf("weights off by %v: errors of %v and %v of their bounds", werr, worst, slope)
		}
	}
}

// strain makes the weights smaller by a share, or greater where a function of the control points is
// above its mean.
func (p *exactPatch) strain(of func(i int) *big.Rat, share float64) {
	sum := new(big.Rat)
	for i := range p.w {
		sum.Add(sum, of(i))
	}
	mean := sum.Quo(sum, big.NewRat(int64(len(p.w)), 1))
	for i := range p.w {
		by := share
		if of(i).Cmp(mean) < 0 {
			by = -share
		}
		p.w[i].Mul(p.w[i], new(big.Rat).Add(big.NewRat(1, 1), rat(by)))
	}
}

// beside returns a patch that nearly follows p at a small distance and comes nearer, turns and
// grows.
func beside(r *rand.Rand, p *Patch) *Patch {
	q := &Patch{Form: p.Form, W: append([]float64(nil), p.W...), Err: p.Err, WErr: p.WErr}
	if p.W == nil {
		q.W = nil
	}
	axis := vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
	gap := math.Exp2(-float64(r.IntN(30)))
	way := vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.times(gap)
	turn := gap * r.NormFloat64() * float64(r.IntN(2))
	q.X0 = turnedAbout(p.X0, axis, 0, way)
	q.X1 = turnedAbout(p.X1, axis, turn, way.times(-r.Float64()))
	grow := 1 + 0.5*gap*r.NormFloat64()
	for i := range q.X1 {
		q.X1[i] *= grow
	}
	return q
}

// What two hard subpatches are proven apart for holds in rational numbers: their exact points, at
// the corners and at random places of their domains, up to the proven time.
func TestQuadricsKeepHardPatchesApart(t *testing.T) {
	r := rand.New(rand.NewPCG(465, 1))
	forms := []Form{{Triangle, 2, 2}, {Quad, 1, 1}, {Quad, 2, 1}, {Quad, 2, 2}, {Quad, 3, 3}}
	var s Solver
	proven, partly, trials := 0, 0, 1000
	if testing.Short() {
		trials = 400
	}
	for trial := range trials {
		a := hardPatch(r, forms[trial%len(forms)])
		b := beside(r, a)
		a.Err, b.Err = min(a.Err, 1e-12), min(b.Err, 1e-12)
		o := DefaultOptions()
		if trial%2 == 1 {
			o.MinSeparation = math.Exp2(-float64(2 + r.IntN(30)))
		}
		if trial%4 == 3 {
			o.Flags |= narrow.MaxNorm
		}
		s.begin(a, b, &o)
		s.curved.prepare()
		depth := r.IntN(6)
		m, n := deepNode(r, &s.trees[0], depth), deepNode(r, &s.trees[1], depth)
		at := 0.0
		if through := !s.curved.advance(&at, 1, m, n, nil); !through && at == 0 {
			continue
		} else if !through {
			partly++
		}
		proven++
		p, q := near(r, &s.trees[0], 0), near(r, &s.trees[1], 0)
		place := func(t *tree, id int32, k int) (u, v *big.Rat) {
			d := &t.nodes[id].domain
			x, y := randomPlace(r, t.form)
			if k < 4 {
				x, y = float64(k%2), float64(k/2)
				if t.form.Shape == Triangle && k == 3 {
					x, y = 0.5, 0.5
				}
			}
			along := func(k int) *big.Rat {
				z := rat(d[0][k])
				z.Add(z, new(big.Rat).Mul(rat(x), new(big.Rat).Sub(rat(d[1][k]), rat(d[0][k]))))
				return z.Add(z, new(big.Rat).Mul(rat(y), new(big.Rat).Sub(rat(d[2][k]), rat(d[0][k]))))
			}
			return along(0), along(1)
		}
		for k := range 6 {
			now := at * []float64{0, 1, 1, 1, 1, 0.5}[k]
			u, v := place(&s.trees[0], m, k)
			x, y := place(&s.trees[1], n, k)
			far := exactDistance(p.point(u, v, rat(now)), q.point(x, y, rat(now)), s.check.euclidean)
			if !(far > s.check.separation) {
				t.Fatalf("trial %d: proven up to %v, but %v apart at %v, separation %v", trial, at, far, now,
					s.check.separation)
			}
		}
	}
	t.Logf("%d proven, %d of them for a part of the step", proven, partly)
	if 10*proven < trials || partly == 0 {
		t.Errorf("%d proven, %d of them for a part of the step", proven, partly)
	}
}

package patch

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/narrow"
)

// exactQuadric is a quadric in rational numbers, with its polar form.
type exactQuadric struct {
	n, c, v [3]*big.Rat
	k       [3][3]*big.Rat
}

func exactQuadricOf(q *quadric) (e exactQuadric) {
	for i, x := range [3][3]float64{{q.n.X, q.n.Y, q.n.Z}, {q.c.X, q.c.Y, q.c.Z}, {q.v.X, q.v.Y, q.v.Z}} {
		for k := range 3 {
			[3]*[3]*big.Rat{&e.n, &e.c, &e.v}[i][k] = rat(x[k])
		}
	}
	place := [3][3]int{{0, 3, 4}, {3, 1, 5}, {4, 5, 2}}
	for i := range 3 {
		for j := range 3 {
			e.k[i][j] = rat(q.k[place[i][j]])
		}
	}
	return e
}

// polar returns phi(x, y) at time t: phi(x) if x is y.
func (e *exactQuadric) polar(x, y [3]*big.Rat, t *big.Rat) *big.Rat {
	var d [2][3]*big.Rat
	for i, p := range [2][3]*big.Rat{x, y} {
		for k := range 3 {
			d[i][k] = new(big.Rat).Sub(p[k], e.c[k])
			d[i][k].Sub(d[i][k], new(big.Rat).Mul(e.v[k], t))
		}
	}
	sum, half := new(big.Rat), big.NewRat(1, 2)
	for i := range 3 {
		s := new(big.Rat).Add(d[0][i], d[1][i])
		sum.Add(sum, s.Mul(s.Mul(s, half), e.n[i]))
		for j := range 3 {
			p := new(big.Rat).Mul(d[0][i], d[1][j])
			sum.Sub(sum, p.Mul(p, e.k[i][j]))
		}
	}
	return sum
}

// gradient returns grad phi at x.
func (e *exactQuadric) gradient(x [3]*big.Rat, t *big.Rat) (g [3]*big.Rat) {
	for i := range 3 {
		g[i] = new(big.Rat).Set(e.n[i])
		for j := range 3 {
			d := new(big.Rat).Sub(x[j], e.c[j])
			d.Sub(d, new(big.Rat).Mul(e.v[j], t))
			d.Mul(d, e.k[i][j])
			g[i].Sub(g[i], d.Add(d, d))
		}
	}
	return g
}

// exactPatch is a Bezier patch in rational numbers: control points {x y z vx vy vz} and weights.
type exactPatch struct {
	form Form
	x    [][6]*big.Rat
	w    []*big.Rat
}

// asComputed returns the subpatch of a node as it is computed.
func asComputed(t *tree, id int32) *exactPatch {
	p := &exactPatch{form: t.form}
	for i := range t.n {
		var x [6]*big.Rat
		for k := range x {
			x[k] = rat(t.at(id, k)[i])
		}
		w := big.NewRat(1, 1)
		if t.rational {
			w = rat(t.at(id, 6)[i])
		}
		p.x, p.w = append(p.x, x), append(p.w, w)
	}
	return p
}

// near returns the exact subpatch of a node, with points and weights moved at random by as much as
// the node's bounds allow.
func near(r *rand.Rand, t *tree, id int32) *exactPatch {
	p, nd := asComputed(t, id), &t.nodes[id]
	for i := range t.n {
		for k := range 3 {
			p.x[i][k].Add(p.x[i][k], rat(nd.err*float64(r.IntN(3)-1)))
		}
		if t.rational {
			p.w[i].Mul(p.w[i], new(big.Rat).Add(big.NewRat(1, 1), rat(nd.werr*float64(r.IntN(3)-1))))
		}
	}
	return p
}

func (p *exactPatch) at(i int, t *big.Rat) (x [3]*big.Rat) {
	for k := range x {
		x[k] = new(big.Rat).Mul(p.x[i][3+k], t)
		x[k].Add(x[k], p.x[i][k])
	}
	return x
}

// polynomials returns the value of each Bernstein polynomial of a form at u, v.
func polynomials(f Form, u, v *big.Rat) []*big.Rat {
	power := func(x *big.Rat, n int) *big.Rat {
		y := big.NewRat(1, 1)
		for range n {
			y.Mul(y, x)
		}
		return y
	}
	choose := func(n, k int) *big.Rat { return new(big.Rat).SetInt(new(big.Int).Binomial(int64(n), int64(k))) }
	one := big.NewRat(1, 1)
	out := make([]*big.Rat, f.Points())
	for i := 0; i <= f.U; i++ {
		for j := 0; j <= f.V && (f.Shape != Triangle || i+j <= f.U); j++ {
			b := new(big.Rat).Mul(power(u, i), power(v, j))
			if f.Shape == Triangle {
				w := new(big.Rat).Sub(new(big.Rat).Sub(one, u), v)
				b.Mul(b, power(w, f.U-i-j))
				b.Mul(b, choose(f.U, i))
				b.Mul(b, choose(f.U-i, j))
			} else {
				b.Mul(b, power(new(big.Rat).Sub(one, u), f.U-i))
				b.Mul(b, power(new(big.Rat).Sub(one, v), f.V-j))
				b.Mul(b, choose(f.U, i))
				b.Mul(b, choose(f.V, j))
			}
			out[f.Index(i, j)] = b
		}
	}
	return out
}

// point returns the point of the patch at u, v and t.
func (p *exactPatch) point(u, v, t *big.Rat) (x [3]*big.Rat) {
	b := polynomials(p.form, u, v)
	sum := new(big.Rat)
	for k := range x {
		x[k] = new(big.Rat)
	}
	for i := range p.x {
		w := new(big.Rat).Mul(b[i], p.w[i])
		sum.Add(sum, w)
		y := p.at(i, t)
		for k := range x {
			x[k].Add(x[k], y[k].Mul(y[k], w))
		}
	}
	for k := range x {
		x[k].Quo(x[k], sum)
	}
	return x
}

// compose returns the Bernstein coefficients of a symmetric form of two control points at a time,
// and their denominators: by the definition, over all ordered pairs.
func (p *exactPatch) compose(of func(i, j int) *big.Rat) (values, sums []*big.Rat) {
	f := p.form
	twice := Form{f.Shape, 2 * f.U, 2 * f.V}
	values, sums = make([]*big.Rat, twice.Points()), make([]*big.Rat, twice.Points())
	for o := range values {
		values[o], sums[o] = new(big.Rat), new(big.Rat)
	}
	each := func(visit func(k, i, j int)) {
		for i := 0; i <= f.U; i++ {
			for j := 0; j <= f.V && (f.Shape != Triangle || i+j <= f.U); j++ {
				visit(f.Index(i, j), i, j)
			}
		}
	}
	factor := func(g Form, i, j int) *big.Int {
		b := new(big.Int).Binomial(int64(g.U), int64(i))
		if g.Shape == Triangle {
			return b.Mul(b, new(big.Int).Binomial(int64(g.U-i), int64(j)))
		}
		return b.Mul(b, new(big.Int).Binomial(int64(g.V), int64(j)))
	}
	each(func(k, i, j int) {
		each(func(l, x, y int) {
			o := twice.Index(i+x, j+y)
			w := new(big.Rat).SetFrac(new(big.Int).Mul(factor(f, i, j), factor(f, x, y)), factor(twice, i+x, j+y))
			w.Mul(w, p.w[k])
			w.Mul(w, p.w[l])
			sums[o].Add(sums[o], w)
			values[o].Add(values[o], w.Mul(w, of(k, l)))
		})
	})
	for o := range values {
		values[o].Quo(values[o], sums[o])
	}
	return values, sums
}

func randomQuadric(r *rand.Rand) *quadric {
	q := &quadric{n: vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()},
		c: vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()},
		v: vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}}
	size := math.Exp(4 * r.NormFloat64())
	for k := range q.k {
		q.k[k] = size * r.NormFloat64()
	}
	return q
}

// someSubpatch loads a random patch and halves it some times.
func someSubpatch(r *rand.Rand, f Form, t *tree) (id int32) {
	p := randomPatch(r, f, r.IntN(2) == 0)
	p.WErr = []float64{0, 0x1p-50}[r.IntN(2)]
	far := []float64{0, 100}[r.IntN(2)]
	p.move([3]float64{far, far, 0}, [3]float64{far, far, 0})
	l := localSpaceOf(p)
	t.load(p, &l)
	for range r.IntN(4) {
		id = t.halve(id) + int32(r.IntN(2))
	}
	return id
}

// composedForms are forms that can be composed with a quadric.
var composedForms = []Form{{Curve, 1, 0}, {Curve, 3, 0}, {Curve, 9, 0}, {Triangle, 1, 1}, {Triangle, 2, 2},
	{Triangle, 4, 4}, {Quad, 1, 1}, {Quad, 2, 2}, {Quad, 3, 3}, {Quad, 2, 1}, {Quad, 1, 4}}

func maxRatio(worst *float64, got float64, want *big.Rat, bound float64) {
	d := new(big.Rat).Sub(rat(got), want)
	far, _ := d.Abs(d).Float64()
	*worst = max(*worst, far/bound)
}

// someTimes returns an interval of time, and one around it, for which a quadric is composed: from
// the start of the step or from later on, for long or for short.
func someTimes(r *rand.Rand) (from, t0, t1, until float64) {
	if r.IntN(3) > 0 {
		from = r.Float64()
	}
	until = from + (1-from)*math.Exp2(-float64(r.IntN(60)))
	place := func() float64 { return min(from+r.Float64()*(until-from), until) }
	t0, t1 = place(), place()
	return from, min(t0, t1), max(t0, t1), until
}

// The Bernstein coefficients of a quadric on a subpatch, and of its gradient's squared length, are
// within their bounds of those of any patch that the node may stand for, at the ends and in the
// middle of intervals of time. These are in rational numbers, by the definition.
func TestComposedBoundsHold(t *testing.T) {
	r := rand.New(rand.NewPCG(461, 1))
	var c composed
	var tr tree
	worst, slope, step := 0.0, 0.0, 0.0
	for trial := range 66 {
		f := composedForms[trial%len(composedForms)]
		if testing.Short() && f.Points() > 12 && trial > 11 {
			continue
		}
		id := someSubpatch(r, f, &tr)
		q := randomQuadric(r)
		from, t0, t1, until := someTimes(r)
		c.compose(q, productsOf(f), &tr, id, from, until, true)
		e, p := exactQuadricOf(q), near(r, &tr, id)
		for k, at := range [2]float64{t0, t1} {
			if k == 0 && trial%2 == 0 {
				continue
			}
			now := rat(at)
			values, _ := p.compose(func(i, j int) *big.Rat { return e.polar(p.at(i, now), p.at(j, now), now) })
			lengths, _ := p.compose(func(i, j int) *big.Rat {
				g, h := e.gradient(p.at(i, now), now), e.gradient(p.at(j, now), now)
				sum := new(big.Rat)
				for k := range g {
					sum.Add(sum, g[k].Mul(g[k], h[k]))
				}
				return sum
			})
			for o := range values {
				maxRatio(&worst, c.over(&c.values[o], t0, t1)[2*k], values[o], c.err)
				maxRatio(&slope, c.over(&c.slopes[o], t0, t1)[2*k], lengths[o], c.slopeErr)
			}
			for i, g := range c.steps {
				want, got := e.gradient(p.at(i, now), now), g[0].along(at-from, g[1])
				for k, x := range [3]float64{got.X, got.Y, got.Z} {
					maxRatio(&step, x, want[k], c.stepErr)
				}
			}
		}
		// A parabola's middle coefficient is twice its value in the middle, less half its ends.
		for o := range c.values {
			b, m := c.over(&c.values[o], t0, t1), rat(0.5)
			m.Mul(m, new(big.Rat).Add(rat(t0), rat(t1)))
			p := &c.values[o]
			value := func(x *big.Rat) *big.Rat {
				x = new(big.Rat).Sub(x, rat(from))
				y := new(big.Rat).Mul(rat(p[2]), x)
				y.Mul(y.Add(y, rat(p[1])), x)
				return y.Add(y, rat(p[0]))
			}
			want := value(m)
			want.Add(want, want)
			ends := new(big.Rat).Add(value(rat(t0)), value(rat(t1)))
			want.Sub(want, ends.Mul(ends, rat(0.5)))
			maxRatio(&worst, b[1], want, c.err)
		}
	}
	t.Logf("worst errors: %.3f of the bound, %.3f of slopes, %.3f of gradients", worst, slope, step)
	if worst > 1 || slope > 1 || step > 1 {
		t.Errorf("errors of %v, %v and %v of their bounds", worst, slope, step)
	}
	if worst < 0.01 {
		t.Errorf("an error of %v of the bound alone: the test tests nothing", worst)
	}
}

// The definition of the coefficients gives the quadric on the patch, in rational numbers; between
// two points it differs by the mean gradient times their difference.
func TestComposedIsQuadric(t *testing.T) {
	r := rand.New(rand.NewPCG(462, 1))
	var tr tree
	for trial := range 44 {
		f := composedForms[trial%len(composedForms)]
		if f.Points() > 12 && testing.Short() {
			continue
		}
		id := someSubpatch(r, f, &tr)
		e, p := exactQuadricOf(randomQuadric(r)), near(r, &tr, id)
		now := rat(r.Float64())
		values, sums := p.compose(func(i, j int) *big.Rat { return e.polar(p.at(i, now), p.at(j, now), now) })
		var points [2][3]*big.Rat
		for k := range points {
			u, v := randomPlace(r, f)
			u, v = math.Round(64*u)/64, math.Round(64*v)/64
			points[k] = p.point(rat(u), rat(v), now)
			sum, all := new(big.Rat), new(big.Rat)
			for o, b := range polynomials(Form{f.Shape, 2 * f.U, 2 * f.V}, rat(u), rat(v)) {
				b.Mul(b, sums[o])
				all.Add(all, b)
				sum.Add(sum, b.Mul(b, values[o]))
			}
			if sum.Quo(sum, all).Cmp(e.polar(points[k], points[k], now)) != 0 {
				t.Fatalf("%v: the coefficients are not the quadric's", f)
			}
		}
		a, b := points[0], points[1]
		want := new(big.Rat).Sub(e.polar(b, b, now), e.polar(a, a, now))
		g, h, got := e.gradient(a, now), e.gradient(b, now), new(big.Rat)
		for k := range g {
			g[k].Add(g[k], h[k])
			d := new(big.Rat).Sub(b[k], a[k])
			got.Add(got, d.Mul(d, g[k].Mul(g[k], rat(0.5))))
		}
		if got.Cmp(want) != 0 {
			t.Fatalf("%v: the mean gradient is not the difference quotient", f)
		}
	}
}

// What two subpatches are proven apart for holds: their exact points at random places and times,
// up to the proven one, are farther apart than the separation, in either norm. The places are
// those at which the quadrics come nearest to each other among many.
func TestQuadricsKeepApart(t *testing.T) {
	r := rand.New(rand.NewPCG(463, 1))
	var s Solver
	proven, partly := 0, 0
	for trial := range 200 {
		a, b := touchingSpheres(r, trial)
		o := DefaultOptions()
		if trial%2 == 1 {
			o.MinSeparation = 0.01 * r.Float64()
		}
		if trial%4 == 3 {
			o.Flags |= narrow.MaxNorm
		}
		s.begin(a, b, &o)
		var bend int8
		at := 0.0
		s.curved.prepare()
		if through := !s.curved.advance(&at, 1, 0, 0, &bend); !through && at == 0 {
			continue
		} else if !through {
			partly++
		}
		proven++
		p, q := near(r, &s.trees[0], 0), near(r, &s.trees[1], 0)
		for k := range 6 {
			now := at * []float64{0, 0.5, 0.9, 0.99, 1, 1}[k]
			u, v, x, y := s.nearestSample(r, now)
			d := s.check.separation
			one, two := p.point(rat(u), rat(v), rat(now)), q.point(rat(x), rat(y), rat(now))
			far := exactDistance(one, two, s.check.euclidean)
			if !(far > d) {
				t.Fatalf("trial %d: proven up to %v, but %v apart at %v, separation %v", trial, at, far, now, d)
			}
		}
	}
	t.Logf("%d proven, %d of them for a part of the step", proven, partly)
	if proven < 100 || partly < 50 {
		t.Errorf("%d proven, %d of them for a part of the step", proven, partly)
	}
}

// exactDistance returns the distance of two points rounded up a little, in either norm.
func exactDistance(a, b [3]*big.Rat, euclidean bool) float64 {
	sum, most := new(big.Rat), 0.0
	for k := range a {
		d := new(big.Rat).Sub(a[k], b[k])
		x, _ := new(big.Rat).Abs(d).Float64()
		most = max(most, x)
		sum.Add(sum, d.Mul(d, d))
	}
	if !euclidean {
		return most * (1 + 0x1p-52)
	}
	x, _ := sum.Float64()
	return math.Sqrt(x) * (1 + 0x1p-50)
}

// touchingSpheres returns patches of two spheres, one inside the other and not much smaller, turned
// at random, that come together and change their sizes.
func touchingSpheres(r *rand.Rand, trial int) (a, b *Patch) {
	small := 1 - 0.1*r.Float64()*r.Float64()
	axis, angle := vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}, 6*r.Float64()
	turn := 6 * r.Float64()
	sphere := func(r0, r1 float64, turn float64, v0, v1 vec) *Patch {
		s := math.Sqrt(0.5)
		p := &Patch{Form: Form{Quad, 2, 2}}
		c, d := math.Cos(turn), math.Sin(turn)
		for i, e := range [3][2]float64{{c, d}, {c - d, d + c}, {-d, c}} {
			for j, m := range [3][2]float64{{0, -1}, {1, -1}, {1, 0}} {
				x := vec{m[0] * e[0], m[0] * e[1], m[1]}
				p.X0 = append(p.X0, turnedAbout([]float64{r0 * x.X, r0 * x.Y, r0 * x.Z}, axis, angle, v0)...)
				p.X1 = append(p.X1, turnedAbout([]float64{r1 * x.X, r1 * x.Y, r1 * x.Z}, axis, angle, v1)...)
				p.W = append(p.W, []float64{1, s, 1}[i]*[]float64{1, s, 1}[j])
			}
		}
		return p
	}
	grow := 1 + 0.05*r.NormFloat64()*float64(trial/2%2)
	way := vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.times(0.3)
	return sphere(small, small*grow, turn, vec{}, way), sphere(1, 1, turn+r.Float64(), vec{}, vec{})
}

// nearestSample returns parameters at which two patches are near to each other at a time: the best
// of a grid, improved a little.
func (s *Solver) nearestSample(r *rand.Rand, t float64) (u, v, x, y float64) {
	best := math.Inf(1)
	var p place
	for range 40 {
		try := place{x: [4]float64{r.Float64(), r.Float64(), r.Float64(), r.Float64()}}
		if far := s.approach(&try, t, 0); far < best {
			best, p = far, try
		}
		if best == 0 {
			break
		}
	}
	return p.x[0], p.x[1], p.x[2], p.x[3]
}

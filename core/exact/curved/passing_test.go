package curved

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/exact/clearance"
	"ccd/core/geom"
)

// anyFrame returns three vectors of about the length 1 at about right angles.
func anyFrame(rng *rand.Rand) (f [3][3]float64) {
	unit := func(x [3]float64) [3]float64 {
		n := math.Sqrt(geom.Dot3(&x, &x))
		return [3]float64{x[0] / n, x[1] / n, x[2] / n}
	}
	random := func() [3]float64 { return [3]float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()} }
	a, b := unit(random()), random()
	c := unit(geom.Cross3(&a, &b))
	return [3][3]float64{a, geom.Cross3(&c, &a), c}
}

// coplanarQuery returns a pair in one plane up to rounding: points of a grid or anywhere, of which
// the first primitive slides over the second on paths of some degree, a rounding above or below it
// or through it, in any plane, near the origin or far away. Edges may be parallel, and points move
// by some roundings of their own. No axis keeps it apart.
func coplanarQuery(rng *rand.Rand, kind geom.Kind) (q MotionQuery) {
	for again := true; again; again = apartOnAxes(&q) {
		q = drawCoplanar(rng, kind)
	}
	return q
}

func drawCoplanar(rng *rand.Rand, kind geom.Kind) (q MotionQuery) {
	degree := 1 + rng.IntN(MaxMotionDegree)
	q = MotionQuery{Kind: kind, Degree: degree, T1: 1}
	if rng.IntN(4) == 0 {
		q.T0 = rng.Float64() / 2
		q.T1 = q.T0 + (1-q.T0)*(1-rng.Float64())
	}
	frame := anyFrame(rng)
	far := [...]float64{0, 0, 1, 1e5}[rng.IntN(4)]
	rounding := 0x1p-53 * max(1, far)
	gap := [...]float64{0, 1, -1, 3, 20}[rng.IntN(5)] * rounding
	size := math.Ldexp(1, rng.IntN(7)-3)
	n := float64(1 + rng.IntN(8))
	number := func() float64 {
		if n > 6 {
			return rng.NormFloat64()
		}
		return math.Floor((n+1)*rng.Float64()) / n
	}
	var p [4][2]float64
	for i := range p {
		p[i] = [2]float64{number(), number()}
	}
	if kind == geom.EdgeEdge && rng.IntN(2) == 0 {
		f := [...]float64{1, -1, 0.5, number()}[rng.IntN(4)]
		for k := range 2 {
			p[3][k] = p[2][k] + f*(p[1][k]-p[0][k])
		}
	}
	way := [2]float64{3 * (number() - 0.5), 3 * (number() - 0.5)}
	bend := float64(rng.IntN(3)) * rng.NormFloat64() / 4
	drop := float64(rng.IntN(2)) * rng.NormFloat64() * rounding
	if rng.IntN(4) == 0 { // It comes through, by more than a rounding.
		drop = -gap * math.Ldexp(2+rng.Float64(), rng.IntN(30))
		gap *= math.Ldexp(1, rng.IntN(30))
	}
	jitter := rng.IntN(3) == 0
	for l := range degree + 1 {
		s := float64(l) / float64(degree)
		for i := range kind.Points() {
			x, y, z := p[i][0], p[i][1], 0.0
			if i < kind.Info().Split {
				x, y, z = x+way[0]*s, y+way[1]*s+bend*s*(1-s), gap+drop*s
			}
			var at [3]float64
			for k := range 3 {
				at[k] = size*(x*frame[0][k]+y*frame[1][k]+z*frame[2][k]) + far
				if jitter {
					at[k] += rng.NormFloat64() * rounding
				}
			}
			q.Control = append(q.Control, at[:]...)
		}
	}
	return q
}

// What double-doubles decide of pairs in one plane up to rounding is what integers decide, in every
// bit; and they decide most.
func TestPassingAgreesWithIntegers(t *testing.T) {
	rng := rand.New(rand.NewPCG(46, 9))
	var r MotionResolver
	rounds, contacts := long.Part(3000, 12), 0
	for range rounds {
		q := coplanarQuery(rng, []geom.Kind{geom.EdgeEdge, geom.VertexFace}[rng.IntN(2)])
		end := q.T1
		if rng.IntN(4) == 0 {
			end = q.T0 + rng.Float64()*(q.T1-q.T0)
		}
		before := r.Stats
		var out geom.Impact
		r.Resolve(&q, end, &out)
		if r.Stats.Fine == before.Fine && r.Stats.Passing == before.Passing {
			continue
		}
		want := newMotionWide(&q).First(q.T0, min(end, q.T1))
		found := out.Verdict == geom.Contact
		if found != want.Contact || found && (out.TOILo != want.Lo || out.TOIHi != want.Hi) {
			t.Fatalf("%+v to %v: %+v, integers %+v", q, end, out, want)
		}
		if found {
			contacts++
		}
	}
	t.Logf("%d pairs, %d contacts: %+v", rounds, contacts, r.Stats)
	if r.Stats.Fine < int64(rounds/10) || r.Stats.Passing < int64(rounds/40) || r.Stats.Integers > int64(rounds/4) {
		t.Errorf("double-doubles decide too few: %+v", r.Stats)
	}
}

// castle returns a polynomial in Bernstein form at a share of its part, in rational numbers.
func castle(f []float64, s *big.Rat) *big.Rat {
	c := make([]*big.Rat, len(f))
	for i, x := range f {
		c[i] = rat(x)
	}
	for n := len(c) - 1; n > 0; n-- {
		for l := range n {
			d := new(big.Rat).Sub(c[l+1], c[l])
			c[l] = new(big.Rat).Add(c[l], d.Mul(d, s))
		}
	}
	return c[0]
}

// share returns a double in a query's time, and its share of that time.
func share(rng *rand.Rand, q *MotionQuery) (t float64, s *big.Rat) {
	t = min(q.T1, max(q.T0, q.T0+rng.Float64()*(q.T1-q.T0)))
	s = new(big.Rat).Sub(rat(t), rat(q.T0))
	return t, s.Quo(s, new(big.Rat).Sub(rat(q.T1), rat(q.T0)))
}

// The coefficients of the polynomial of coplanarity in double-doubles, and those of its halves, are
// within their bound: against rational numbers. The bound is far below what doubles have.
func TestFinePolynomialAgainstRationals(t *testing.T) {
	rng := rand.New(rand.NewPCG(46, 10))
	worst, finer := 0.0, 0
	n := long.Part(400, 8)
	for range n {
		q := drawCoplanar(rng, []geom.Kind{geom.EdgeEdge, geom.VertexFace}[rng.IntN(2)])
		var p motionPlanar
		p.load(&q)
		before := p.margin(0)
		p.refine()
		if p.margin(0) < 0x1p-40*before {
			finer++
		}
		at, s := share(rng, &q)
		want := rationalPlane(&q, at)
		f, depth := p.f, 0
		for ; depth < 3; depth++ { // parts that have the time
			off, _ := new(big.Rat).Sub(castle(f[:p.n+1], s), want).Float64()
			worst = max(worst, math.Abs(off)/p.margin(depth))
			var left planarPoly
			x := f
			for m := range p.n + 1 {
				left[m], f[p.n-m] = x[0], x[p.n-m]
				for j := range p.n - m {
					x[j] = 0.5 * (x[j] + x[j+1])
				}
			}
			s.Add(s, s)
			if s.Cmp(rat(1)) <= 0 {
				f = left
			} else {
				s.Sub(s, rat(1))
			}
		}
	}
	t.Logf("the largest error takes %.3f of its bound; %d of %d are finer by 2^40", worst, finer, n)
	if worst > 1 || worst < 1e-3 || finer < n/4 {
		t.Error("a bound does not hold, or is not told from another")
	}
}

// The polynomials of the directions are within their bounds, as are their values at doubles.
func TestPassingDirectionsAgainstRationals(t *testing.T) {
	rng := rand.New(rand.NewPCG(46, 11))
	worst, worstDoubles := 0.0, 0.0
	for range long.Part(300, 6) {
		q := drawCoplanar(rng, []geom.Kind{geom.EdgeEdge, geom.VertexFace}[rng.IntN(2)])
		var f motionFloats
		var m motionDistance
		f.load(&q)
		m.load(&q, &f)
		v := passing{q: &q, m: &m, n: 2 * q.Degree}
		shape := &clearance.Shapes[q.Kind]
		edge, axis, side := rng.IntN(len(shape.Edges)), rng.IntN(3), rng.IntN(2)
		v.expand(edge, axis)
		d := &v.dirs[0]
		at, s := share(rng, &q)
		component := func(pair [2]int8, k int) *big.Rat {
			x := make([]float64, q.Degree+1)
			y := make([]float64, q.Degree+1)
			for l := range x {
				x[l], y[l] = q.at(l, int(pair[0]), k)*f.s0*f.s1, q.at(l, int(pair[1]), k)*f.s0*f.s1
			}
			z := castle(x, s)
			return z.Sub(z, castle(y, s))
		}
		p, e := shape.Corners[shape.Across[edge][side]], shape.Edges[edge]
		i, j := (axis+1)%3, (axis+2)%3
		want := component(p, i)
		want.Mul(want, component(e, j))
		want.Sub(want, new(big.Rat).Mul(component(p, j), component(e, i)))
		off, _ := new(big.Rat).Sub(castle(d.poly[side][:v.n+1], s), want).Float64()
		worst = max(worst, math.Abs(off)/(float64(levelError*0x1p-53*d.size)+motionUnderflow))
		v.look(at)
		off, _ = new(big.Rat).Sub(ratOf(v.value(d, side)), want).Float64()
		worstDoubles = max(worstDoubles, math.Abs(off)/(float64(levelDoubles*d.size)+motionUnderflow))
	}
	t.Logf("the largest errors take %.3f and %.3f of their bounds", worst, worstDoubles)
	if worst > 1 || worstDoubles > 1 || worst < 1e-3 || worstDoubles < 1e-4 {
		t.Error("a bound does not hold, or no errors were seen")
	}
}

// Parallel edges one of which passes the other at a height of 7 x 2^-50, whose square no
// double-doubles show, are apart; at the height 0 they touch, and nothing is said.
func TestPassingEdgesAtTheHeightOfARounding(t *testing.T) {
	for _, height := range []float64{0x1p-50, -0x1p-50, 0} {
		q := MotionQuery{Kind: geom.EdgeEdge, Degree: 2, T1: 1}
		for _, y := range []float64{-0.25, 0.125, 0.75} {
			for _, x := range [][3]float64{{-1, y, height}, {1, y, height}, {-0.75, 0, 0}, {1.25, 0, 0}} {
				// In a plane that is no plane of coordinates, by an exact rotation.
				q.Control = append(q.Control, 2*x[0]+3*x[1]+6*x[2], 3*x[0]-6*x[1]+2*x[2], 6*x[0]+2*x[1]-3*x[2])
			}
		}
		var f motionFloats
		var m motionDistance
		var v passing
		f.load(&q)
		m.load(&q, &f)
		if apart := v.apart(&q, &m); apart != (height != 0) {
			t.Errorf("height %v: apart %v", height, apart)
		}
		if got := newMotionWide(&q).First(0, 1); got.Contact != (height == 0) {
			t.Errorf("height %v: integers %+v", height, got)
		}
	}
}

// Parallel edges that touch as they pass, at a third of the query's time, which no double-double
// is: all values are rounding there, and nothing is said.
func TestPassingSaysNothingWithinRounding(t *testing.T) {
	for i := range 16 {
		q := MotionQuery{Kind: geom.EdgeEdge, Degree: 2, T0: float64(i) / 64, T1: float64(i)/64 + 0.75}
		for _, y := range []float64{-0.25, 0.125, 0.5} {
			for _, x := range [][2]float64{{-1, y}, {1, y}, {-0.75, 0}, {1.25, 0}} {
				q.Control = append(q.Control, 2*x[0]+3*x[1], 3*x[0]-6*x[1], 6*x[0]+2*x[1])
			}
		}
		var f motionFloats
		var m motionDistance
		var v passing
		f.load(&q)
		m.load(&q, &f)
		if v.apart(&q, &m) {
			t.Errorf("from %v: apart", q.T0)
		}
		at := q.T0 + 0.25
		if got := newMotionWide(&q).First(q.T0, q.T1); got != (clearance.Instant{Contact: true, Lo: at, Hi: at}) {
			t.Errorf("from %v: integers %+v", q.T0, got)
		}
	}
}

package curved

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/exact"
	"ccd/core/geom"
)

// randomMotion returns a query of four points of some degree, over the step or a part of it, of one
// size or of several.
func randomMotion(rng *rand.Rand, whole bool) MotionQuery {
	q := MotionQuery{Kind: []geom.Kind{geom.VertexFace, geom.EdgeEdge}[rng.IntN(2)],
		Degree: 1 + rng.IntN(MaxMotionDegree), T1: 1}
	if !whole && rng.IntN(2) == 0 {
		q.T0 = rng.Float64() * 0.9
		q.T1 = min(1, q.T0+math.Ldexp(rng.Float64(), -rng.IntN(12)))
		if !(q.T1 > q.T0) {
			q.T1 = 1
		}
	}
	q.Control = make([]float64, 12*(q.Degree+1))
	spread := 1 + rng.IntN(9)
	for i := range q.Control {
		q.Control[i] = math.Ldexp(rng.Float64()-0.5, rng.IntN(spread))
		if rng.IntN(8) == 0 {
			q.Control[i] = q.Control[i%12] // equal to an earlier one: less moves
		}
	}
	return q
}

// rationalPlane returns f at a double t in rational numbers, by de Casteljau's algorithm, as the
// entries of motionPlanar have it: without a scale.
func rationalPlane(q *MotionQuery, t float64) *big.Rat {
	s := new(big.Rat).Sub(rat(t), rat(q.T0))
	s.Quo(s, new(big.Rat).Sub(rat(q.T1), rat(q.T0)))
	at := func(i, k int) *big.Rat {
		var c [MaxMotionDegree + 1]*big.Rat
		for l := range q.Degree + 1 {
			c[l] = rat(q.at(l, i, k))
		}
		for m := range q.Degree {
			for l := range q.Degree - m {
				d := new(big.Rat).Sub(c[l+1], c[l])
				c[l] = new(big.Rat).Add(c[l], d.Mul(d, s))
			}
		}
		return c[0]
	}
	var m [3][3]*big.Rat
	pairs := [3][2]int{{0, 1}, {1, 2}, {1, 3}}
	if q.Kind == geom.EdgeEdge {
		pairs = [3][2]int{{0, 2}, {1, 0}, {2, 3}}
	}
	for r, p := range pairs {
		for k := range 3 {
			m[r][k] = new(big.Rat).Sub(at(p[0], k), at(p[1], k))
		}
	}
	sum := new(big.Rat)
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		x := new(big.Rat).Mul(m[1][i], m[2][j])
		x.Sub(x, new(big.Rat).Mul(m[1][j], m[2][i]))
		sum.Add(sum, x.Mul(x, m[0][k]))
	}
	return sum
}

func ratOf(x exact.DD) *big.Rat { return new(big.Rat).Add(rat(x.H), rat(x.L)) }

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// The errors of f in doubles and double-doubles are within what the proof allows: against rational
// numbers.
func TestMotionPlanarErrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	worst, worstDoubles := 0.0, 0.0
	for range long.Part(2000, 4) {
		q := randomMotion(rng, false)
		var p motionPlanar
		p.load(&q)
		p.loadDoubles()
		if !(p.size > 0) {
			continue
		}
		at := q.T0 + rng.Float64()*(q.T1-q.T0)
		if !(at > q.T0 && at < q.T1) {
			continue
		}
		want := rationalPlane(&q, at)
		// In doubles: the coefficients' own errors show in every value of theirs, which is computed
		// in rational numbers here.
		s := new(big.Rat).Sub(rat(at), rat(q.T0))
		s.Quo(s, new(big.Rat).Sub(rat(q.T1), rat(q.T0)))
		c := make([]*big.Rat, p.n+1)
		for i := range c {
			c[i] = rat(p.f[i])
		}
		for m := range p.n {
			for l := range p.n - m {
				d := new(big.Rat).Sub(c[l+1], c[l])
				c[l] = new(big.Rat).Add(c[l], d.Mul(d, s))
			}
		}
		off, _ := c[0].Sub(c[0], want).Float64()
		worst = max(worst, math.Abs(off)/(planarError*0x1p-53*p.size))
		// In double-doubles: times the width^3k, in units of its power of two.
		y, _ := p.value(at)
		width := new(big.Rat).Sub(rat(q.T1), rat(q.T0))
		width.Mul(width, rat(p.unit))
		if q.T0 == 0 && q.T1 == 1 {
			width = rat(1)
		}
		for range p.n {
			want.Mul(want, width)
		}
		off, _ = want.Sub(want, ratOf(y)).Float64()
		worstDoubles = max(worstDoubles, math.Abs(off)/p.err())
	}
	t.Logf("the largest errors take %.3f and %.3f of their bounds", worst, worstDoubles)
	if worst > 1 || worstDoubles > 1 {
		t.Error("an error is above its bound")
	}
	if worst < 0.001 || worstDoubles < 0.001 {
		t.Error("no errors were seen")
	}
}

// Where the polynomial decides, the other stages agree in every bit; and it decides nearly all
// queries that are not degenerate.
func TestMotionPlanarAgreesWithIntegers(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	n, decided, contacts := 1500, 0, 0
	if testing.Short() {
		n = 300
	}
	for range n {
		q := randomMotion(rng, false)
		if rng.IntN(3) == 0 { // a grid: roots that are doubles, multiple ones, at ends of primitives
			for i := range q.Control {
				q.Control[i] = float64(rng.IntN(5) - 2)
			}
		}
		end := q.T1
		if rng.IntN(3) == 0 {
			end = q.T0 + rng.Float64()*(q.T1-q.T0)
		}
		var r MotionResolver
		if !r.planar.load(&q) {
			t.Fatal("not for the polynomial")
		}
		got := r.planar.decide(q.T0, end)
		if got == exact.Unknown {
			continue
		}
		decided++
		want := r.search(&q, end)
		if (got == exact.Yes) != want.Contact ||
			got == exact.Yes && (r.planar.found.Lo != want.Lo || r.planar.found.Hi != want.Hi) {
			t.Fatalf("%+v up to %v: %v %+v, the other stages %+v", q, end, got, r.planar.found, want)
		}
		if want.Contact {
			contacts++
		}
	}
	t.Logf("%d of %d decided, %d contacts", decided, n, contacts)
	if decided < n/2 || contacts < n/60 {
		t.Errorf("%d of %d decided, %d contacts", decided, n, contacts)
	}
}

// The points at a contact in double-doubles have the bits of 400 bits.
func TestMotionDoublesPlaceAsWide(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var used, all [2]int // over a piece, over the whole step
	for range 3000 {
		q := randomMotion(rng, rng.IntN(2) == 0)
		whole := 0
		if q.T0 == 0 && q.T1 == 1 {
			whole = 1
		}
		if rng.IntN(2) == 0 { // some points rest
			for i := 12; i < len(q.Control); i++ {
				if i%12 < 6 {
					q.Control[i] = q.Control[i%12]
				}
			}
		}
		if rng.IntN(3) == 0 { // some keep the first point's offset, exactly or up to rounding
			offset := float64(rng.IntN(3)-1) / 8
			for i := 12; i < len(q.Control); i += 12 {
				for k := range 3 {
					q.Control[k] = math.Round(q.Control[k]*64) / 64
					q.Control[i+k] = math.Round(q.Control[i+k]*64) / 64
					q.Control[3+k], q.Control[i+3+k] = q.Control[k]+offset, q.Control[i+k]+offset
					if k == 1 {
						q.Control[i+4] += q.Control[i+4] * 0x1p-52 * float64(rng.IntN(2))
					}
				}
			}
		}
		lo := q.T0 + rng.Float64()*(q.T1-q.T0)*(1-0x1p-40)
		a := geom.Impact{Kind: q.Kind, Verdict: geom.Contact, TOILo: lo, TOIHi: math.Nextafter(lo, 1)}
		b := a
		var r MotionResolver
		var x, y [24]float64
		r.Place(&q, &a, x[:])
		r.placeWide(&q, &b, y[:])
		if a != b || x != y {
			t.Fatalf("%+v\n%+v\n%+v", q, a, b)
		}
		if r.doubles.load(&q, lo) {
			if _, ok := r.doubles.relative(&q, x[:12]); ok {
				used[whole]++
			}
		}
		all[whole]++
	}
	t.Logf("double-doubles place %d of %d", used, all)
	for i := range used {
		if used[i] < all[i]/2 || all[i] < 500 {
			t.Errorf("double-doubles place only %d of %d", used, all)
		}
	}
}

// A root to which Newton's method leads from a part is one of this part only if its doubles lie in
// it.
func TestMotionPlanarRootsAreOfTheirPart(t *testing.T) {
	q := MotionQuery{Kind: geom.VertexFace, Degree: 1, T1: 1, Control: []float64{
		0.25, 0.25, 0.3, 0, 0, 0, 1, 0, 0, 0, 1, 0,
		0.25, 0.25, -0.7, 0, 0, 0, 1, 0, 0, 0, 1, 0,
	}}
	var p motionPlanar
	if !p.load(&q) {
		t.Fatal("not for the polynomial")
	}
	p.from, p.end = 0, 1
	e := planarError * 0x1p-53 * p.size
	if x := p.root(&p.f, e, 0, 0); x != exact.Yes || !(p.found.Lo <= 0.3 && p.found.Hi >= 0.3 && p.found.Hi < 0.31) {
		t.Fatalf("the whole step: %v, %+v", x, p.found)
	}
	for i, f := range []planarPoly{ // polynomials that have a root at an end of these quarters, near to none of f
		{p.f[0], p.f[0], p.f[0], -0.01 * p.f[0]}, {}, {0.01 * p.f[0], -p.f[0], -p.f[0], -p.f[0]},
		{0.01 * p.f[0], -p.f[0], -p.f[0], -p.f[0]},
	} {
		if i == 1 {
			continue // the root's own
		}
		if x := p.root(&f, e, uint64(i), 2); x != exact.Unknown {
			t.Errorf("quarter %d: %v, %+v", i, x, p.found)
		}
	}
}

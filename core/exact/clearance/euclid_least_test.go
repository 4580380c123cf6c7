package clearance

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
	"ccd/core/reference/oracle"
)

// thinQuery has points near one line, from 1e-17 of its length to all of it, and primitives that
// rest or move.
func thinQuery(r *rand.Rand, k geom.Kind) []float64 {
	share := func(least float64) float64 { return math.Exp(math.Log(least) * r.Float64()) }
	width, off := [3]float64{1, share(1e-17), share(1e-17)}, [3]float64{share(1e-12), share(1e-12), share(1e-12)}
	if r.IntN(2) == 0 { // slivers and nearly parallel edges that meshes have
		width, off = [3]float64{4, 1e-6 * share(1e-3), 1e-6 * share(1e-3)},
			[3]float64{0, 1e-5 * share(1e-5), 1e-5 * share(1e-5)}
	}
	far := [3]float64{share(1e-9) - share(1e-9), share(1e-9) - share(1e-9), share(1e-9) - share(1e-9)}
	own := share(1e-14) * float64(r.IntN(2))
	var axes [3][3]float64
	for i := range axes {
		axes[i] = [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
	}
	n := k.Points()
	q := make([]float64, 6*n)
	put := func(i int, c *[3]float64) {
		for j := range 3 {
			q[3*i+j] = float64(c[0]*axes[0][j]) + float64(c[1]*axes[1][j]) + float64(c[2]*axes[2][j])
		}
	}
	for i := range n {
		var c [3]float64
		for j := range c {
			if c[j] = width[j] * (2*r.Float64() - 1); i < k.Info().Split {
				c[j] += off[j]
			}
		}
		put(i, &c)
		for j := range c {
			if c[j] += own * width[j] * r.NormFloat64(); i < k.Info().Split {
				c[j] += far[j]
			}
		}
		put(n+i, &c)
	}
	return q
}

// squareAt returns the squared distance of a query at a time, over rational numbers.
func squareAt(k geom.Kind, q []float64, t float64) *big.Rat {
	n := 3 * k.Points()
	x := make([]*big.Rat, n)
	at := new(big.Rat).SetFloat64(t)
	for i := range x {
		from, to := new(big.Rat).SetFloat64(q[i]), new(big.Rat).SetFloat64(q[n+i])
		x[i] = from.Add(from, to.Sub(to, from).Mul(to, at))
	}
	return oracle.DistanceOf(k, x).Squared
}

func square(x float64) *big.Rat {
	r := new(big.Rat).SetFloat64(x)
	return r.Mul(r, r)
}

// newLeastSearch returns a search in q with the tolerance of a pair that is a scene of its own.
func newLeastSearch(k geom.Kind, q []float64) *leastSearch {
	s := &leastSearch{EuclideanResolver: new(EuclideanResolver),
		q: LeastQuery{Kind: k, Q: q, TMax: 1, Cutoff: math.Inf(1)}, tolerance: 0x1p-31}
	s.load()
	return s
}

// Floats bound the distance of slivers at one time to within a quarter of the tolerance, and
// integers to within rounding: both ends hold.
func TestLeastDistanceAtOneTime(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	worst, refined := 0.0, 0
	for i := range 4000 {
		k := geom.StepKinds[i%len(geom.StepKinds)]
		s := newLeastSearch(k, thinQuery(r, k))
		at := float64(r.IntN(2)) * r.Float64()
		var x moment
		s.look(at, &x.nearest)
		if x.lo, x.hi = s.least(&x.nearest), s.above(&x.nearest); x.hi-x.lo > 0.25*s.tolerance {
			refined++
			s.closer(&x)
		}
		if x.hi-x.lo > 0.25*s.tolerance {
			t.Fatalf("%v, %v at %v: floats leave [%v, %v]", k, s.q.Q, at, x.lo, x.hi)
		}
		y := moment{nearest: nearest{T: at, p: x.p}, hi: math.Inf(1)}
		s.exactly(&y)
		worst = max(worst, y.hi-y.lo)
		if i%16 != 0 {
			continue
		}
		truth := squareAt(k, s.q.Q, at)
		for _, z := range []*moment{&x, &y} {
			lo, hi := math.Ldexp(z.lo, s.Lines.exponent), math.Ldexp(z.hi, s.Lines.exponent)
			if square(lo).Cmp(truth) > 0 || square(hi).Cmp(truth) < 0 {
				t.Fatalf("%v, %v at %v: the squared distance is %v, not in [%v, %v]^2", k, s.q.Q, at, truth, lo, hi)
			}
		}
	}
	if worst > 0x1p-44 {
		t.Errorf("integers leave %v of the longest difference", worst)
	}
	if refined < 20 {
		t.Errorf("look is too wide for %d queries only", refined)
	}
}

// A search that may look nowhere finds a bracket of the same width by exact comparisons, around the
// same distance.
func TestLeastDistanceByComparisons(t *testing.T) {
	usual := leastLooks
	defer func() { leastLooks = usual }()
	r := rand.New(rand.NewPCG(43, 44))
	compared := 0
	for i := range 400 {
		k := geom.StepKinds[i%len(geom.StepKinds)]
		q := thinQuery(r, k)
		var e EuclideanResolver
		query := LeastQuery{Kind: k, Q: q, TMax: [...]float64{1, 0.5, 0}[r.IntN(3)], Tolerance: 1e-9,
			Cutoff: math.Inf(1)}
		var with, without geom.LeastDistance
		leastLooks = usual
		e.Least(&query, &with)
		if e.Stats != (EuclideanStats{}) {
			t.Errorf("%v, %v: comparisons after all looks: %+v", k, q, e.Stats)
		}
		if with.Lo == 0 {
			continue
		}
		leastLooks = 0
		e.Least(&query, &without)
		if e.Stats != (EuclideanStats{}) {
			compared++
		}
		if !(without.Hi-without.Lo <= 1e-9 && without.Lo <= with.Hi && without.Hi >= with.Lo) {
			t.Fatalf("%v, %v: %+v, with looks %+v", k, q, without, with)
		}
		if squareAt(k, q, without.T).Cmp(square(without.Hi)) > 0 {
			t.Fatalf("%v, %v: %+v is farther apart at its time", k, q, without)
		}
	}
	if compared < 30 {
		t.Errorf("%d queries took comparisons", compared)
	}
}

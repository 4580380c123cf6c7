package clearance

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/exact/internal/algebra"
	"ccd/core/geom"
	"ccd/core/reference/oracle"
)

// The last stage alone, on all of [0, 1], gives the oracle's times: on small integers, where all
// degeneracies meet, and on numbers of full precision.
func TestEuclideanWideAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 31))
	n := 1200
	if testing.Short() {
		n = 300
	}
	contacts := 0
	for i := range n {
		kind := geom.StepKinds[i%len(geom.StepKinds)]
		q := make([]float64, kind.Len())
		for j := range q {
			if q[j] = float64(r.IntN(7) - 3); i%3 == 0 {
				q[j] = 4*r.Float64() - 2
			}
		}
		d := float64(1+r.IntN(8)) / 4
		var w EuclideanWide
		w.load(kind, q, d)
		got := w.First(0, 1)
		want := oracle.EuclideanSeparation(kind, q, d, 1)
		if got.Contact != want.Contact || got.Contact && (got.Lo != want.Lo || got.Hi != want.Hi) {
			t.Fatalf("%v %v d = %v: %+v, the oracle says %+v", kind, q, d, got, want)
		}
		if got.Contact && got.Hi > 0 {
			contacts++
		}
	}
	t.Logf("%d queries, %d contacts after the start", n, contacts)
}

// Polynomials with roots at given places: as many are found, each of them once, and the sign of
// another polynomial at a root is right where that has the same root.
func TestEuclideanPolynomials(t *testing.T) {
	linear := func(num, den int64) algebra.BigPoly { // den t + num
		return algebra.BigPoly{big.NewInt(num), big.NewInt(den)}
	}
	product := func(list ...algebra.BigPoly) algebra.BigPoly {
		p := list[0]
		for _, q := range list[1:] {
			p = p.Times(q)
		}
		return p
	}
	count := func(p algebra.BigPoly) (n int) {
		p = p.Simple()
		lo, hi := algebra.BigDyadicOf(0), algebra.BigDyadicOf(1)
		p.Isolate(lo, hi, p.Bernstein(lo, hi), func(_, _ algebra.BigDyadic) bool { n++; return false })
		return n
	}
	a, b, c := linear(-1, 3), linear(-3, 5), linear(-1, 7)
	for _, x := range []struct {
		p algebra.BigPoly
		n int
	}{{a, 1}, {product(a, a), 1}, {product(a, b), 2}, {product(a, a, b, b, c, c), 3}, {product(a, a, a, a, a, a),
		1}, {product(a, linear(1, 1)), 1}} {
		if n := count(x.p); n != x.n {
			t.Errorf("%v has %d roots, not %d", x.p, n, x.n)
		}
	}
	lo, hi := algebra.BigDyadicOf(0.25), algebra.BigDyadicOf(0.5)
	for _, x := range []struct {
		q    algebra.BigPoly
		want bool
	}{{a, false}, {product(a, b), false}, {c, true}, {c.Negated(), false}, {b, false}, {b.Negated(), true}, {nil,
		false}} {
		l, h := lo, hi
		if got := x.q.PositiveAtRoot(a, &l, &h); got != x.want {
			t.Errorf("%v > 0 at 1/3 is %v", x.q, got)
		}
	}
	// Bernstein coefficients of t^6 on [0, 1/2] are those of its end alone.
	power := product(linear(0, 1), linear(0, 1), linear(0, 1), linear(0, 1), linear(0, 1), linear(0, 1))
	for i, x := range power.Bernstein(algebra.BigDyadicOf(0), algebra.BigDyadicOf(0.5)) {
		if (x.Sign() != 0) != (i == 6) {
			t.Errorf("t^6: coefficient %d is %v", i, x)
		}
	}
}

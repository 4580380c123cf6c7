package oracle

import (
	"math/big"

	"ccd/core/geom"
)

// Time is the first time in [0, 1] at which the pair is within d, to within 2^-bits; false if there is none. It serves differences of times.
func Time(kind geom.Kind, q []float64, d float64, maxNorm bool, bits int) (*big.Float, bool) {
	if d > 0 && maxNorm {
		certificates := certificatesOf(kind, q, d)
		now, end := exactRoot(sepDyadicOf(0)), exactRoot(sepDyadicOf(1))
		for c := holding(certificates, now); c != nil; c = holding(certificates, now) {
			if now = c.end(now); now == nil || sepCompare(now, end) > 0 {
				return nil, false
			}
		}
		for i := 0; i < bits && !now.exact(); i++ {
			now.halve()
		}
		return float(now.hi.n, now.hi.k), true
	}
	first := firstRoot(kind, q, d)
	if first == nil {
		return nil, false
	}
	for i := 0; i < bits && !first.exact(); i++ {
		first.refine()
	}
	return float(first.hi.n, first.hi.k), true
}

// firstRoot is the first time of contact, without a separation or with one in the Euclidean norm; nil without contact.
func firstRoot(kind geom.Kind, q []float64, d float64) (first *root) {
	if d > 0 {
		return euclideanRoot(kind, q, d)
	}
	s := newIntegerQuery(kind, q)
	candidates := []*root{exactly(dyadicOf(0))}
	if len(s.f) != 0 {
		candidates = append(candidates, isolate(s.f)...)
	} else {
		candidates = append(candidates, isolateAll(s.consulted())...)
	}
	for _, r := range candidates {
		if _, _, ok := s.feasible(r); ok {
			return r
		}
	}
	return nil
}

// float is n / 2^k.
func float(n *big.Int, k uint) *big.Float {
	x := new(big.Float).SetPrec(uint(n.BitLen()) + 1).SetInt(n)
	return x.SetMantExp(x, -int(k))
}

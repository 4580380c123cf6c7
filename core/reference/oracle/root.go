package oracle

import (
	"math"
	"math/big"
	"slices"
)

// root is the only root of the square-free polynomial p in the open interval (lo, hi), and p(hi) is
// not zero; once the root is known to be dyadic, lo = hi = the root.
type root struct {
	p      poly
	lo, hi dyadic
}

func exactly(x dyadic) *root { return &root{lo: x, hi: x} }

func (r *root) exact() bool { return r.lo.cmp(r.hi) == 0 }

// cut narrows the interval to one side of x.
func (r *root) cut(x dyadic) {
	if x.cmp(r.lo) <= 0 || x.cmp(r.hi) >= 0 {
		return
	}
	switch s := r.p.sign(x); {
	case s == 0:
		r.lo, r.hi = x, x
	case s == r.p.sign(r.hi): // the only root changes the sign, and it is not behind x
		r.hi = x
	default:
		r.lo = x
	}
}

func (r *root) refine() {
	if !r.exact() {
		r.cut(r.lo.mid(r.hi))
	}
}

// sign is the sign of q at the root, which may move the interval's ends.
func (r *root) sign(q poly) int {
	if len(q) == 0 {
		return 0
	}
	chain := q.squarefree().sturm()
	for common := false; ; common = true {
		if r.exact() {
			return q.sign(r.hi)
		}
		if q.sign(r.hi) != 0 && count(chain, r.lo, r.hi) == 0 {
			return q.sign(r.hi)
		}
		if !common {
			if g := gcd(r.p, q); len(g) > 1 && count(g.squarefree().sturm(), r.lo, r.hi) > 0 {
				return 0
			}
		}
		r.refine()
	}
}

// compare orders two roots.
func (r *root) compare(s *root) int {
	for !r.exact() && !s.exact() {
		r.cut(s.lo)
		r.cut(s.hi)
		s.cut(r.lo)
		s.cut(r.hi)
		if r.exact() || s.exact() {
			break
		}
		if r.hi.cmp(s.lo) <= 0 {
			return -1
		}
		if s.hi.cmp(r.lo) <= 0 {
			return 1
		}
		// The intervals are now the same.
		if g := gcd(r.p, s.p); len(g) > 1 && count(g.squarefree().sturm(), r.lo, r.hi) > 0 {
			return 0
		}
		r.refine()
		s.refine()
	}
	if !r.exact() {
		return -s.compare(r)
	}
	s.cut(r.hi)
	switch {
	case s.exact():
		return r.hi.cmp(s.hi)
	case r.hi.cmp(s.lo) <= 0:
		return -1
	}
	return 1
}

// floor is the largest double not above the root, which lies in [0, 1].
func (r *root) floor() float64 {
	lo, hi := uint64(0), math.Float64bits(1)+1 // doubles of one sign are ordered as their bits
	for hi-lo > 1 {
		m := lo + (hi-lo)/2
		x := dyadicOf(math.Float64frombits(m))
		r.cut(x)
		if x.cmp(r.lo) <= 0 {
			lo = m
		} else {
			hi = m
		}
	}
	return math.Float64frombits(lo)
}

// value is n / d at the root, where d is not zero, to within an ulp or two of a double.
func (r *root) value(n, d poly) *big.Float {
	r.sign(d)
	if r.sign(n) == 0 {
		return new(big.Float)
	}
	at := func(x dyadic) *big.Float {
		y, z := new(big.Float).SetInt(n.eval(x)), new(big.Float).SetInt(d.eval(x))
		y.SetMantExp(y, int(x.k)*(len(d)-len(n))) // eval has multiplied each by its own power of two
		return y.Quo(y.SetPrec(80), z.SetPrec(80))
	}
	for {
		if d.sign(r.lo) != 0 && d.sign(r.hi) != 0 {
			a, b := at(r.lo), at(r.hi)
			gap := new(big.Float).Sub(a, b)
			if gap.Sign() == 0 || gap.MantExp(nil) < b.MantExp(nil)-54 {
				return b
			}
		}
		for range 8 {
			r.refine()
		}
	}
}

// isolate finds the distinct roots of the non-zero polynomial p in (0, 1].
func isolate(p poly) (roots []*root) {
	if len(p) < 2 {
		return nil
	}
	p = p.squarefree()
	chain := p.sturm()
	var split func(lo, hi dyadic)
	split = func(lo, hi dyadic) {
		switch count(chain, lo, hi) {
		case 0:
		case 1:
			r := &root{p: p, lo: lo, hi: hi}
			if p.sign(hi) == 0 {
				r.lo = hi
			}
			roots = append(roots, r)
		default:
			m := lo.mid(hi)
			split(lo, m)
			split(m, hi)
		}
	}
	split(dyadicOf(0), dyadicOf(1))
	return roots
}

func isolateAll(ps []poly) (roots []*root) {
	for _, p := range ps {
		roots = append(roots, isolate(p)...)
	}
	slices.SortStableFunc(roots, (*root).compare)
	return roots
}

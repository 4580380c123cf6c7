package oracle

import (
	"math/big"

	"ccd/core/geom"
)

// Moved is a query whose coordinates are rational numbers that no double need hold: q + 2^-Shift s.
// Times change with q by as little as the caller wishes, without any rounding.
type Moved struct {
	Kind    geom.Kind
	Q       []float64
	D       float64
	MaxNorm bool
	S       []int64 // nil: the query itself
	Shift   uint    // the shift in units of the lowest bit of all lengths
	Back    bool    // - s in place of s
}

// integers are the lengths in one unit, the coordinates and then d.
func (m *Moved) integers() []*big.Int {
	list := inOneUnit(m.Kind, m.Q, m.D)
	for i, x := range list {
		x.Lsh(x, m.Shift)
		if i < len(m.S) && m.Back {
			x.Sub(x, big.NewInt(m.S[i]))
		} else if i < len(m.S) {
			x.Add(x, big.NewInt(m.S[i]))
		}
	}
	return list
}

// Unit is the length of which s has multiples: a power of two, as its exponent.
func (m *Moved) Unit() int {
	low := lowestBit(m.D)
	for _, x := range m.Q {
		low = min(low, lowestBit(x))
	}
	return low - int(m.Shift)
}

// Time is the first time in [0, 1] at which the pair is within d, to within 2^-bits; false if there
// is none. It serves differences of times.
func (m *Moved) Time(bits int) (*big.Float, bool) {
	x := m.integers()
	if m.D > 0 && m.MaxNorm {
		return firstWithin(certificatesIn(m.Kind, func(k int) (list []*big.Int, half *big.Int) {
			for i := k; i < len(m.Q); i += 3 {
				list = append(list, x[i])
			}
			return list, x[len(m.Q)]
		}), bits)
	}
	var first *root
	if m.D > 0 {
		first = euclideanRoot(featuresIn(m.Kind, x))
	} else {
		first = firstContact(m.Kind, x)
	}
	if first == nil {
		return nil, false
	}
	for i := 0; i < bits && !first.exact(); i++ {
		first.refine()
	}
	return float(first.hi.n, first.hi.k), true
}

// firstWithin is the first time at which no certificate holds.
func firstWithin(certificates []*certificate, bits int) (*big.Float, bool) {
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

// firstContact is the first time of contact without a separation; nil without contact.
func firstContact(kind geom.Kind, x []*big.Int) *root {
	s := &integerQuery{kind: kind, square: kind == geom.EdgeEdge}
	info := kind.Info()
	var points [8]vec
	for end := range 2 {
		for i := range 4 {
			from := i
			if info.Points < 4 {
				from = int(info.Widen[i])
			}
			for k := range 3 {
				points[4*end+i][k] = trim(poly{x[3*(info.Points*end+from)+k]})
			}
		}
	}
	s.load(&points)
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

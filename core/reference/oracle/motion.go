package oracle

import (
	"math"
	"math/big"

	"ccd/core/geom"
)

// The oracles for points that move on polynomials in t. Contact, Separation and EuclideanSeparation
// argue at a fixed t about signs of polynomials, and nothing in their arguments depends on a
// degree: only the setting up of A, B and C does, which is here.

// Motion is a pair whose points move on polynomials of a degree for t in [T0, T1]: with s = (t -
// T0)/(T1 - T0), point i is at sum_l C(Degree,l) s^l (1-s)^(Degree-l) Control[l][i]. Control has
// Degree + 1 blocks of Kind.Points() points.
type Motion struct {
	Kind    geom.Kind
	Degree  int
	Control []float64
	T0, T1  float64
}

// MotionContact is the first contact in [T0, T1], without a separation.
func MotionContact(m *Motion) SeparationTruth {
	s := &integerQuery{kind: m.Kind, square: m.Kind == geom.EdgeEdge}
	at := m.lines(0, true)
	form := &m.Kind.Info().Form
	s.a, s.b, s.c = at(form[0]), at(form[1]), at(form[2])
	s.n, s.u, s.v = s.b.cross(s.c), s.c.cross(s.a), s.a.cross(s.b)
	s.f = s.a.dot(s.n)
	var candidates []*root
	if len(s.f) != 0 {
		candidates = isolate(s.f)
	} else {
		candidates = isolateAll(s.consulted())
	}
	return m.first(candidates, func(r *root) bool {
		_, _, ok := s.feasible(r)
		return ok
	})
}

// first is the first of T0 and the candidates in (T0, T1] that is a contact; the candidates ascend.
func (m *Motion) first(candidates []*root, contact func(r *root) bool) SeparationTruth {
	begin, end := exactly(dyadicOf(m.T0)), exactly(dyadicOf(m.T1))
	list := []*root{begin}
	for _, r := range candidates {
		if r.compare(begin) > 0 && r.compare(end) <= 0 {
			list = append(list, r)
		}
	}
	for _, r := range list {
		if contact(r) {
			return m.truth(r)
		}
	}
	return SeparationTruth{Lo: math.Inf(1), Hi: math.Inf(1)}
}

func (m *Motion) truth(r *root) SeparationTruth {
	t := SeparationTruth{Contact: true, Lo: r.floor()}
	t.Hi = t.Lo
	if !r.exact() || r.hi.cmp(dyadicOf(t.Lo)) != 0 { // a dyadic time may have more bits than a double
		t.Hi = math.Nextafter(t.Lo, 2)
	}
	return t
}

// MotionEuclidean is the first contact in [T0, T1] with a separation d > 0 in the Euclidean norm.
func MotionEuclidean(m *Motion, d float64) SeparationTruth {
	at := m.lines(d, false)
	form := &m.Kind.Info().Form
	radius := poly{new(big.Int).Mul(m.integer(d, m.unit(d, -1)), m.weight())}
	var first *root
	begin, end := exactly(dyadicOf(m.T0)), exactly(dyadicOf(m.T1))
	for _, f := range euclideanFeaturesOf(m.Kind, at(form[0]), at(form[1]), at(form[2]), trim(radius)) {
		candidates := []*root{begin}
		for _, p := range f.polynomials() {
			if len(p) != 0 {
				candidates = append(candidates, isolate(p)...)
			}
		}
		for _, r := range candidates {
			if r.compare(begin) >= 0 && r.compare(end) <= 0 && (first == nil || r.compare(first) < 0) && f.holds(r) {
				first = r
			}
		}
	}
	if first == nil {
		return SeparationTruth{Lo: math.Inf(1), Hi: math.Inf(1)}
	}
	return m.truth(first)
}

// MotionSeparation is the first contact in [T0, T1] with a separation d >= 0 in the max norm.
func MotionSeparation(m *Motion, d float64) SeparationTruth {
	at := m.lines(d, true)
	form := &m.Kind.Info().Form
	var half polyVec
	for k := range half {
		half[k] = trimmed(intPoly{new(big.Int).Mul(m.integer(d, m.unit(d, k)), m.weight())})
	}
	to := func(v vec) (r polyVec) {
		for k := range v {
			r[k] = intPoly(v[k])
		}
		return r
	}
	certificates := certificatesFrom(m.Kind, to(at(form[0])), to(at(form[1])), to(at(form[2])), half)
	now, end := exactRoot(sepDyadicOf(m.T0)), exactRoot(sepDyadicOf(m.T1))
	for {
		c := holding(certificates, now)
		if c == nil {
			lo, hi := now.floor()
			return SeparationTruth{Contact: true, Lo: lo, Hi: hi}
		}
		if now = c.end(now); now == nil || sepCompare(now, end) > 0 {
			return SeparationTruth{Lo: math.Inf(1), Hi: math.Inf(1)}
		}
	}
}

// lines returns a function that writes the difference of two points as integer polynomials in t,
// times weight. axes gives each axis a unit of its own.
func (m *Motion) lines(d float64, axes bool) func(pair [2]uint8) vec {
	n := m.Kind.Points()
	a, h, shift := m.span()
	return func(pair [2]uint8) (v vec) {
		for k := range v {
			unit := m.unit(d, -1)
			if axes {
				unit = m.unit(d, k)
			}
			// Differences of the control points of rising order are the coefficients of s^j, but
			// for C(Degree,j).
			row := make([]*big.Int, m.Degree+1)
			for l := range row {
				x := m.integer(m.Control[3*(l*n+int(pair[0]))+k], unit)
				row[l] = x.Sub(x, m.integer(m.Control[3*(l*n+int(pair[1]))+k], unit))
			}
			// s = (2^shift t - a) / h: the sum over j of the coefficient times (2^shift t - a)^j
			// h^(Degree-j).
			s := trim(poly{new(big.Int).Neg(a), new(big.Int).Lsh(big.NewInt(1), shift)})
			power := poly{big.NewInt(1)}
			for j := range m.Degree + 1 {
				c := new(big.Int).Mul(row[0], new(big.Int).Binomial(int64(m.Degree), int64(j)))
				c.Mul(c, new(big.Int).Exp(h, big.NewInt(int64(m.Degree-j)), nil))
				v[k] = v[k].plus(power.times(trim(poly{c})))
				power = power.times(s)
				for l := 0; l+1 < len(row); l++ {
					row[l] = new(big.Int).Sub(row[l+1], row[l])
				}
				row = row[:len(row)-1]
			}
		}
		return v
	}
}

// span writes T0 as a / 2^shift and T1 - T0 as h / 2^shift.
func (m *Motion) span() (a, h *big.Int, shift uint) {
	x, y := dyadicOf(m.T0).reduce(), dyadicOf(m.T1).reduce()
	shift = max(x.k, y.k)
	a = new(big.Int).Lsh(x.n, shift-x.k)
	h = new(big.Int).Lsh(y.n, shift-y.k)
	return a, h.Sub(h, a), shift
}

// weight is the factor of all lengths as lines writes them: h^Degree.
func (m *Motion) weight() *big.Int {
	_, h, _ := m.span()
	return h.Exp(h, big.NewInt(int64(m.Degree)), nil)
}

// unit is the largest power of two of which all coordinates of an axis and d are multiples; of all
// axes for -1.
func (m *Motion) unit(d float64, axis int) int {
	low := lowestBit(d)
	for i, x := range m.Control {
		if axis < 0 || i%3 == axis {
			low = min(low, lowestBit(x))
		}
	}
	return low
}

// integer is x / 2^unit.
func (m *Motion) integer(x float64, unit int) *big.Int {
	f, e := math.Frexp(x)
	z := big.NewInt(int64(f * 0x1p53))
	if x != 0 {
		if e -= 53 + unit; e >= 0 {
			z.Lsh(z, uint(e))
		} else {
			z.Rsh(z, uint(-e)) // exact: the unit divides x
		}
	}
	return z
}

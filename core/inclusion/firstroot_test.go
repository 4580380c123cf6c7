package inclusion

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
	"ccd/core/num"
)

// jet is a value with its first two derivatives by time, enclosed.
type jet struct{ f, d, dd num.Interval }

func constant(x float64) jet { return jet{num.Point(x), num.Point(0), num.Point(0)} }

func (a jet) add(b jet) jet { return jet{a.f.Add(b.f), a.d.Add(b.d), a.dd.Add(b.dd)} }

func (a jet) mul(b jet) jet {
	return jet{a.f.Mul(b.f), a.d.Mul(b.f).Add(a.f.Mul(b.d)),
		a.dd.Mul(b.f).Add(a.d.Mul(b.d).Scale(2)).Add(a.f.Mul(b.dd))}
}

// formula makes a Curve of a function of jets.
type formula func(t jet) jet

func (c formula) At(t float64) (f, df num.Interval) {
	j := c(jet{num.Point(t), num.Point(1), num.Point(0)})
	return j.f, j.d
}

func (c formula) Over(t num.Interval) (f, ddf num.Interval) {
	j := c(jet{t, num.Point(1), num.Point(0)})
	return j.f, j.dd
}

// roots is scale (t - r0)(t - r1)...
func roots(scale float64, r ...float64) formula {
	return func(t jet) jet {
		p := constant(scale)
		for _, x := range r {
			p = p.mul(t.add(constant(-x)))
		}
		return p
	}
}

// lifted returns f + c.
func lifted(f formula, c float64) formula { return func(t jet) jet { return f(t).add(constant(c)) } }

var hard = []struct {
	name  string
	f     formula
	first float64 // the first root in [0,1]; +Inf for none
}{
	{"simple", roots(1, 0.3), 0.3},
	{"from below", roots(-1, 0.3), 0.3},
	{"at the start", roots(1, 0, 0.5), 0},
	{"at the end", roots(1, 1), 1},
	{"just behind the end", roots(1, 1+0x1p-40), math.Inf(1)},
	{"just before the start", roots(1, -0x1p-40), math.Inf(1)},
	{"tangent", roots(1, 0.3, 0.3), 0.3},
	{"tangent from below", roots(-1e9, 0.3, 0.3), 0.3},
	{"tangent of order four", roots(1, 0.7, 0.7, 0.7, 0.7), 0.7},
	{"inflection", roots(1, 0.7, 0.7, 0.7), 0.7},
	{"nearly tangent", lifted(roots(1, 0.3, 0.3), 0x1p-40), math.Inf(1)},
	{"two close", roots(1, 0.5, 0.5+0x1p-30), 0.5},
	{"cluster", roots(1e6, 0.5, 0.5+0x1p-30, 0.5+0x1p-29, 0.5+0x1p-20, 0.75), 0.5},
	{"many", roots(1e8, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875), 0.125},
	{"zero everywhere", roots(0, 0.5), 0},
	{"constant", func(jet) jet { return constant(1e-300) }, math.Inf(1)},
	{"tiny", roots(0x1p-1000, 0.25), 0.25},
	{"huge", roots(0x1p1000, 0.25, 0.75), 0.25},
}

func TestFirstRootOfHardFunctions(t *testing.T) {
	var s Finder
	for _, c := range hard {
		for name, find := range map[string]func(Curve, func(num.Interval) bool, num.Interval, float64, int) RootBracket{
			"parabolas": s.FirstRoot, "bisection": s.Bisect,
		} {
			for _, eps := range []float64{0x1p-10, 0x1p-45} {
				m := find(c.f, nil, num.Interval{Lo: 0, Hi: 1}, eps, 1<<20)
				switch {
				case math.IsInf(c.first, 1):
					// An eps that is coarser than the gap may take a near miss for a root: only the
					// fine one must tell.
					if eps == 0x1p-45 && m.Verdict != geom.Separate {
						t.Errorf("%s by %s: %+v, there is no root", c.name, name, m)
					}
				case m.Verdict != geom.Contact || m.Lo > c.first:
					t.Errorf("%s by %s: %+v, the first root is %v", c.name, name, m, c.first)
				case m.Crossing && m.Hi < c.first:
					t.Errorf("%s by %s: %+v crosses nothing", c.name, name, m)
				case m.Hi-m.Lo > eps:
					t.Errorf("%s by %s: %+v is wider than %v", c.name, name, m, eps)
				}
			}
		}
	}
}

// The paper drops what follows a proven root; a root that does not count must not hide one that
// does.
func TestARefusedRootHidesNoLaterOne(t *testing.T) {
	var s Finder
	f := roots(1, 0.25, 0.5)
	keep := func(i num.Interval) bool { return i.Hi >= 0.4 }
	m := s.FirstRoot(f, keep, num.Interval{Lo: 0, Hi: 1}, 1e-9, 0)
	if m.Verdict != geom.Contact || !(m.Lo <= 0.5 && 0.5 <= m.Hi) {
		t.Errorf("%+v, the root that counts is 0.5", m)
	}
}

// loose is the constant 1, enclosed the more widely the longer the time is.
type loose struct{}

func (loose) At(float64) (f, df num.Interval) { return num.Point(1), num.Point(0) }

func (loose) Over(t num.Interval) (f, ddf num.Interval) {
	const bend = 2 + 0x1p-28 // the lower parabola 1 - bend/2 x^2 from 0 ends within 2^-29 before 1
	w := t.Width()
	return num.Interval{Lo: 1 - float64(bend*w), Hi: 1 + float64(bend*w)}, num.Interval{Lo: -bend, Hi: bend}
}

// What a parabola over a long interval leaves is short, and f need not come near zero there.
func TestAShortRestIsAskedAbout(t *testing.T) {
	var s Finder
	if m := s.FirstRoot(loose{}, nil, num.Interval{Lo: 0, Hi: 1}, 0x1p-20, 0); m.Verdict != geom.Separate {
		t.Errorf("%+v, there is no root", m)
	}
}

// Roots that are drawn are never overtaken, and both finders see the same.
func TestFirstRootsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var s Finder
	steps, plain := 0, 0
	for range 3000 {
		list := make([]float64, 1+r.IntN(5))
		first := math.Inf(1)
		for i := range list {
			list[i] = 2*r.Float64() - 0.5
			if i > 0 && r.IntN(4) == 0 {
				list[i] = list[i-1] + math.Ldexp(r.Float64(), -r.IntN(40))
			}
			if list[i] >= 0 && list[i] <= 1 {
				first = min(first, list[i])
			}
		}
		f := roots(math.Ldexp(1, r.IntN(200)-100), list...)
		eps := math.Ldexp(1, -10-r.IntN(30))
		a := s.FirstRoot(f, nil, num.Interval{Lo: 0, Hi: 1}, eps, 0)
		b := s.Bisect(f, nil, num.Interval{Lo: 0, Hi: 1}, eps, 0)
		steps, plain = steps+a.Steps, plain+b.Steps
		for _, m := range []RootBracket{a, b} {
			if m.Verdict == geom.Separate && first <= 1 || m.Verdict == geom.Contact && m.Lo > first {
				t.Fatalf("roots %v: %+v is late", list, m)
			}
			if m.Crossing && (m.Hi < first || m.Lo > first) {
				t.Fatalf("roots %v: %+v holds none", list, m)
			}
		}
	}
	if steps >= plain {
		t.Errorf("parabolas took %d steps, bisection %d: the shortening does nothing", steps, plain)
	}
}

func TestBudgetLeavesAProvenBound(t *testing.T) {
	var s Finder
	f := roots(1, 0.7, 0.7)
	for budget := 1; budget < 40; budget++ {
		m := s.FirstRoot(f, nil, num.Interval{Lo: 0, Hi: 1}, 0x1p-48, budget)
		if m.Lo > 0.7 || m.Verdict == geom.Separate || m.Steps > budget {
			t.Fatalf("budget %d: %+v", budget, m)
		}
		if m.Verdict == geom.Contact {
			return
		}
	}
}

// The ends of a shortened interval, against rational arithmetic.
func TestParabolaEndsAreRoundedOutwards(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	checked := 0
	for range 40000 {
		span := []int{2, 60, 900}[r.IntN(3)]
		draw := func() float64 { return math.Ldexp(2*r.Float64()-1, r.IntN(span)-span/2) }
		g, b, a := math.Abs(draw()), draw(), draw()
		if r.IntN(8) == 0 {
			a = 0
		}
		if r.IntN(8) == 0 {
			b = -2 * math.Sqrt(math.Abs(a)*g) // nearly tangent
		}
		p := Parabola{num.Point(g), num.Point(b), num.Point(a)}
		if g == 0 {
			continue
		}
		if x, none := p.Free(); !none && x > 0 {
			checked++
			if !positiveUpTo(g, b, a, x) {
				t.Fatalf("g %v b %v a %v: not positive up to %v", g, b, a, x)
			}
		} else if none && hasRoot(g, b, a) {
			t.Fatalf("g %v b %v a %v: has a root", g, b, a)
		}
		if x := p.Crossed(); x <= math.MaxFloat64 {
			checked++
			if sign(g, b, a, x) > 0 && positiveUpTo(g, b, a, x) {
				t.Fatalf("g %v b %v a %v: positive still at %v", g, b, a, x)
			}
		}
	}
	for range 20000 {
		span := []int{2, 60, 900}[r.IntN(3)]
		draw := func() float64 { return math.Ldexp(2*r.Float64()-1, r.IntN(span)-span/2) }
		g, b, a := draw(), draw(), math.Abs(draw())
		p := Parabola{num.Point(g), num.Point(b), num.Point(a)}
		if x := p.Rid(); x <= math.MaxFloat64 {
			checked++
			// Not negative there, and rising from there on: 2 a x + b >= 0.
			slope := new(big.Rat).Mul(rational(2), new(big.Rat).Mul(rational(a), rational(x)))
			if hasAny(g, b, a) && (sign(g, b, a, x) < 0 || slope.Add(slope, rational(b)).Sign() < 0) {
				t.Fatalf("g %v b %v a %v: not rid of roots at %v", g, b, a, x)
			}
		}
	}
	if checked < 20000 {
		t.Errorf("only %d ends were checked", checked)
	}
}

func rational(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// sign returns the exact sign of g + b x + a x^2.
func sign(g, b, a, x float64) int {
	s := new(big.Rat).Mul(rational(a), rational(x))
	s.Add(s, rational(b))
	s.Mul(s, rational(x))
	return s.Add(s, rational(g)).Sign()
}

// positiveUpTo tells that g + b x + a x^2, g > 0, has no root in [0, x).
func positiveUpTo(g, b, a, x float64) bool {
	if sign(g, b, a, x) < 0 {
		return false
	}
	if a <= 0 || b >= 0 {
		return true // concave, or rising: only the end counts
	}
	if !hasRoot(g, b, a) {
		return true
	}
	v := new(big.Rat).Mul(rational(a), rational(x)) // left of the vertex -b / 2a?
	v.Mul(v, rational(2))
	return v.Cmp(rational(-b)) <= 0
}

// hasAny tells that g + b x + a x^2 has a real root at all.
func hasAny(g, b, a float64) bool {
	d := new(big.Rat).Mul(rational(a), rational(g))
	d.Mul(d, rational(4))
	return new(big.Rat).Mul(rational(b), rational(b)).Cmp(d) >= 0
}

// hasRoot tells that g + b x + a x^2, g > 0, has a root at x > 0.
func hasRoot(g, b, a float64) bool {
	if a < 0 || a == 0 && b < 0 {
		return true
	}
	if b >= 0 {
		return false
	}
	d := new(big.Rat).Mul(rational(a), rational(g))
	d.Mul(d, rational(4))
	return new(big.Rat).Mul(rational(b), rational(b)).Cmp(d) >= 0
}

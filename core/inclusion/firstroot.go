package inclusion

import (
	"ccd/core/geom"
	"ccd/core/num"
)

// Curve is a function f of time, twice differentiable, by enclosures.
type Curve interface {
	// At encloses f(t) and f'(t).
	At(t float64) (f, df num.Interval)
	// Over encloses f and f'' over an interval.
	Over(t num.Interval) (f, ddf num.Interval)
}

// RootBracket is the result of a Finder: [Lo, Hi] holds what may be the first root that counts, and
// there is none before Lo. Crossing: f changes its sign in there, so a root of f is certain.
// Separate: f has no root that counts. Undecided: the budget ended the search at Lo.
type RootBracket struct {
	Verdict  geom.Verdict
	Lo, Hi   float64
	Crossing bool
	Steps    int // the number of intervals looked at
}

// Finder finds first roots and keeps its memory.
type Finder struct{ stack []num.Interval }

// FirstRoot returns the hybrid root finder of [Buddingh2017], algorithm 2 with the shortening of
// algorithm 3: the earliest interval of at most epsilon in which f may have a root and keep (the
// paper's gamma; nil keeps all) allows one. budget bounds the intervals; 0 is no limit.
//
// It departs from the paper in three points. Every end is rounded outwards. Where the upper
// parabola proves a first root by some time, the paper never looks beyond; but keep may refuse that
// root and allow a later one, so the rest stays on the stack. And where f vanishes at the start, or
// cannot be distinguished from zero, nothing is cut off: the paper drops such horizontal pieces.
func (s *Finder) FirstRoot(f Curve, keep func(num.Interval) bool, domain num.Interval, epsilon float64,
	budget int) RootBracket {
	r := RootBracket{}
	s.stack = append(s.stack[:0], domain)
	for len(s.stack) > 0 {
		t := s.stack[len(s.stack)-1]
		if budget > 0 && r.Steps >= budget {
			return RootBracket{Verdict: geom.Undecided, Lo: t.Lo, Hi: domain.Hi, Steps: r.Steps}
		}
		s.stack = s.stack[:len(s.stack)-1]
		r.Steps++
		if keep != nil && !keep(t) {
			continue
		}
		value, ddf := f.Over(t)
		if !value.Contains(0) {
			continue
		}
		part, rest := shorten(f, t, ddf)
		if !part.some {
			continue
		}
		if part.t.Width() <= epsilon || !splittable(part.t) {
			if part.t != t && (keep != nil && !keep(part.t) || !vanishes(f, part.t)) {
				s.later(rest)
				continue
			}
			r.Verdict, r.Lo, r.Hi = geom.Contact, part.t.Lo, part.t.Hi
			r.Crossing = crosses(f, part.t)
			return r
		}
		s.later(rest)
		m := middle(part.t)
		s.stack = append(s.stack, num.Interval{Lo: m, Hi: part.t.Hi}, num.Interval{Lo: part.t.Lo, Hi: m})
	}
	r.Verdict = geom.Separate
	return r
}

// vanishes reports whether f may have a root in t. The parabola that cut t out of a long interval
// need not come near to f.
func vanishes(f Curve, t num.Interval) bool {
	value, _ := f.Over(t)
	return value.Contains(0)
}

// optionalInterval is a part of an interval, if there is some.
type optionalInterval struct {
	t    num.Interval
	some bool
}

func (s *Finder) later(p optionalInterval) {
	if p.some {
		s.stack = append(s.stack, p.t)
	}
}

// shorten cuts from t what the parabola from its start proves free of roots, and splits off as rest
// what comes after a root is sure ([Buddingh2017], algorithm 3).
func shorten(f Curve, t, ddf num.Interval) (part, rest optionalInterval) {
	g, df := f.At(t.Lo)
	if g.Contains(0) {
		return optionalInterval{t, true}, optionalInterval{}
	}
	p := Parabola{g, df, ddf.Scale(0.5)}.flip()
	x, none := p.Free()
	if none {
		return optionalInterval{}, optionalInterval{}
	}
	lo := num.AddDown(t.Lo, x)
	if lo > t.Hi {
		return optionalInterval{}, optionalInterval{}
	}
	if hi := num.AddUp(t.Lo, p.Crossed()); hi < t.Hi {
		return optionalInterval{num.Interval{Lo: max(lo, t.Lo), Hi: hi}, true},
			optionalInterval{num.Interval{Lo: hi, Hi: t.Hi}, true}
	}
	return optionalInterval{num.Interval{Lo: max(lo, t.Lo), Hi: t.Hi}, true}, optionalInterval{}
}

func splittable(t num.Interval) bool {
	m := middle(t)
	return m > t.Lo && m < t.Hi
}

// crosses reports whether f has opposite signs at the ends of t.
func crosses(f Curve, t num.Interval) bool {
	a, _ := f.At(t.Lo)
	b, _ := f.At(t.Hi)
	return a.Hi < 0 && b.Lo > 0 || a.Lo > 0 && b.Hi < 0
}

// Bisect is algorithm 1 of [Buddingh2017], bisection by enclosures of f alone: the reference
// implementation of FirstRoot.
func (s *Finder) Bisect(f Curve, keep func(num.Interval) bool, domain num.Interval, epsilon float64,
	budget int) RootBracket {
	r := RootBracket{}
	s.stack = append(s.stack[:0], domain)
	for len(s.stack) > 0 {
		t := s.stack[len(s.stack)-1]
		if budget > 0 && r.Steps >= budget {
			return RootBracket{Verdict: geom.Undecided, Lo: t.Lo, Hi: domain.Hi, Steps: r.Steps}
		}
		s.stack = s.stack[:len(s.stack)-1]
		r.Steps++
		if keep != nil && !keep(t) {
			continue
		}
		if value, _ := f.Over(t); !value.Contains(0) {
			continue
		}
		if t.Width() <= epsilon || !splittable(t) {
			r.Verdict, r.Lo, r.Hi, r.Crossing = geom.Contact, t.Lo, t.Hi, crosses(f, t)
			return r
		}
		m := middle(t)
		s.stack = append(s.stack, num.Interval{Lo: m, Hi: t.Hi}, num.Interval{Lo: t.Lo, Hi: m})
	}
	r.Verdict = geom.Separate
	return r
}

// middle lies within i, and the halves share it: no value between them is lost.
func middle(i num.Interval) float64 {
	m := i.Lo + float64(0.5*(i.Hi-i.Lo))
	return min(max(m, i.Lo), i.Hi)
}

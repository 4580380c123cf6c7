package proof

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Operations on double-doubles are one operation for each part of their result: Code is
// "pair_plus", "pair_minus", "pair_times", "pair_scaled" or "pair_twice", Name is "high" or "low",
// and Args are the parts of the arguments. The inputs "A0x.h" and "A0x.l" are one pair, which is
// exact, or off by Offs of itself.
//
// A pair (h, l) has |l| <= u |h|. Its value is a sum of terms as that of a number (doc.go), but g
// bounds the high part. With values x, y of scales g1, g2 a result is off by at most k u^2 times
// its scale, where machine/pair_*.g prove k:
//
//	sum, difference       21/4 u^2 (g1 + g2)
//	product                  9 u^2 g1 g2
//	product with a number 17/4 u^2 g1 g2
//	twice                    0
//	sum, difference of exact.DD                 13/4 u^2 (g1 + g2)    (machine/dd_*.g)
//	product of exact.DD                            9 u^2 g1 g2
//	product of exact.DD with a number           13/4 u^2 g1 g2
//
// A pair's value is at most (1 + u) g. That, and the rounding of high parts, is in a factor of
// 1 + 2^-40 on every error and scale.
func pairRule(code string) float64 {
	return map[string]float64{"pair_plus": 5.25, "pair_minus": 5.25, "pair_times": 9, "pair_scaled": 4.25,
		"pair_dd_plus": 3.25, "pair_dd_minus": 3.25, "pair_dd_times": 9, "pair_dd_scaled": 3.25}[code]
}

// isPair reports whether v is a part of a pair that was computed, or one with its sign flipped.
func (p *Program) isPair(v int) bool {
	o := p.Ops[v]
	if o.Code == "flip" || o.Code == "neg" {
		return p.isPair(o.Args[0])
	}
	return strings.HasPrefix(o.Code, "pair_")
}

// few is a factor for terms of higher order.
var few = addUp(from(1), power(-40))

// pair returns the polynomial of the pair of which v is the high part.
func (s *state) pair(v int) *Poly {
	o := s.Ops[v]
	if o.Code == "input" {
		return atom(o.Name, from(s.Offs[o.Name]))
	}
	if p, ok := s.memo["pair "+s.key(v, nil)]; ok {
		return p
	}
	p := s.computePair(o)
	s.memo["pair "+s.key(v, nil)] = p
	return p
}

func (s *state) computePair(o Op) *Poly {
	k := mulUp(from(pairRule(o.Code)), mulUp(s.u(), s.u()))
	x := s.pair(o.Args[0])
	switch strings.Replace(o.Code, "_dd_", "_", 1) {
	case "pair_twice":
		return s.pairSum(x, x, 1, zero)
	case "pair_plus":
		return s.pairSum(x, s.pair(o.Args[2]), 1, k)
	case "pair_minus":
		return s.pairSum(x, s.pair(o.Args[2]), -1, k)
	case "pair_times":
		return s.pairProduct(x, s.pair(o.Args[2]), k, s.size(o.Args[0]), s.size(o.Args[2]))
	case "pair_scaled":
		return s.pairProduct(x, s.multiplier(o.Args[2]), k, s.size(o.Args[0]), s.size(o.Args[2]))
	}
	panic("proof: " + o.Code + " is no operation on pairs")
}

func (s *state) pairSum(x, y *Poly, sign float64, k number) *Poly {
	found := map[string]term{}
	for _, p := range []*Poly{x, y} {
		for m := range p.terms {
			a, b := x.term(m), y.term(m)
			g := mulUp(addUp(a.g, b.g), few)
			e := mulUp(addUp(addUp(a.e, b.e), mulUp(k, g)), few)
			found[m] = term{sumExact(a.c, productExact(from(sign), b.c)), e, g}
		}
	}
	return &Poly{terms: found, under: mulUp(addUp(x.under, y.under), few)}
}

// pairProduct multiplies; its four products may underflow. |x| and |y| are at most sx and sy.
func (s *state) pairProduct(x, y *Poly, k, sx, sy number) *Poly {
	found := map[string]term{}
	for mx, a := range x.terms {
		for my, b := range y.terms {
			g := mulUp(a.g, b.g)
			e := addUp(addUp(mulUp(a.e, addUp(b.g, b.e)), mulUp(a.g, b.e)), mulUp(k, g))
			m := join(mx, my)
			t, ok := found[m]
			if !ok {
				t = term{zero, zero, zero}
			}
			found[m] = term{sumExact(t.c, productExact(a.c, b.c)), addUp(t.e, mulUp(e, few)), addUp(t.g, mulUp(g, few))}
		}
	}
	under := addUp(mulUp(x.under, addUp(sy, y.under)), mulUp(y.under, addUp(sx, x.under)))
	return &Poly{terms: found, under: addUp(mulUp(under, few), mulUp(from(4), s.eta()))}
}

// multiplier returns a number that is made of times by exact operations: the ends of a piece are
// integers below 2^17 times one power of two, so that sums and products of three are exact.
func (s *state) multiplier(v int) *Poly {
	o := s.Ops[v]
	switch {
	case o.Code == "const":
		return s.constant(o)
	case o.Code == "input" && slices.Contains(s.Weights, o.Name):
		return atom(o.Name, zero)
	case o.Code == "add":
		return s.exactly(s.multiplier(o.Args[0]), s.multiplier(o.Args[1]), false)
	case o.Code == "mul":
		return s.exactly(s.multiplier(o.Args[0]), s.multiplier(o.Args[1]), true)
	}
	panic("proof: a multiplier of " + s.Name + " is not made of times")
}

func (s *state) exactly(x, y *Poly, multiply bool) *Poly {
	found := map[string]term{}
	add := func(m string, c number) {
		if old, ok := found[m]; ok {
			c = sumExact(c, old.c)
		}
		found[m] = term{c, zero, magnitude(c)}
	}
	for mx, a := range x.terms {
		if !multiply {
			add(mx, a.c)
			continue
		}
		for my, b := range y.terms {
			add(join(mx, my), productExact(a.c, b.c))
		}
	}
	if !multiply {
		for my, b := range y.terms {
			add(my, b.c)
		}
	}
	return &Poly{terms: found, under: zero}
}

// Product returns the exact value of the pair of which v is the high part, one product of inputs
// that are not negative, and how far the pair is from it, relative to itself.
func (p *Program) Product(v int) (f Formula, off float64, err error) {
	s := p.state(map[int]string{})
	x := s.pair(v)
	if len(x.terms) != 1 {
		return nil, 0, fmt.Errorf("%s: operation %d is no product", p.Name, v)
	}
	for _, t := range x.terms {
		off, _ = divUp(t.e, subDown(t.c, t.e)).Float64()
	}
	return s.formula(x), math.Nextafter(off, 1), nil
}

// sizeOfPair returns a number that the magnitude of a pair does not exceed.
func (p *Program) sizeOfPair(o Op) number {
	x := p.size(o.Args[0])
	var r number
	switch strings.Replace(o.Code, "_dd_", "_", 1) {
	case "pair_twice":
		r = addUp(x, x)
	case "pair_plus", "pair_minus":
		r = addUp(x, p.size(o.Args[2]))
	default:
		r = mulUp(x, p.size(o.Args[2]))
	}
	return addUp(mulUp(r, few), mulUp(from(4), p.eta()))
}

package proof

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
)

// Brackets returns the claim of a test as scripts for Gappa, a prover that shares nothing with this
// package.
//
// A value is a sum of constants times monomials times factors 1 + e, |e| <= u, one for each
// rounding on the way. With T a monomial of the bound and q the share of it that a monomial of
// computed inputs is, the claim is a sum of brackets, one for each T:
//
//	sum of c (1 + e).. of the bound's terms in T - u / 64 >= | sum of c (q ((1 + e).. - 1) + w) |
//
// where |q| is at most the product of (1 + entry), and w, how far q is from its exact value, at
// most that less 1. What underflows is for Check. A test of double-doubles has none: machine/*.g
// have the lemmas that it rests on. Nor has one of shares of a whole. Every script is one bracket;
// equal ones are given once.
func (p *Program) Brackets(t Test) ([]string, error) {
	if p.isPair(t.Value) || len(p.Shares) > 0 {
		return nil, nil
	}
	t.Value, t.Bound = p.signed(t.Value), p.positive(t.Bound)
	s := p.state(p.directions(t.Bound))
	poly := s.value(t.Bound, choice{})
	atoms := map[string]bool{}
	for m := range poly.terms {
		for name := range strings.FieldsSeq(m) {
			atoms[name] = true
		}
	}
	found := map[string]bool{}
	for _, chosen := range s.choices(t.Value) {
		x := &expansion{state: s, chosen: chosen, memo: map[int][]product{}}
		bound, value := x.of(t.Bound), x.of(t.Value)
		brackets := map[string]*bracket{}
		for _, b := range bound {
			at(brackets, b.monomial).bound = append(brackets[b.monomial].bound, b)
		}
		for _, f := range value {
			key, wide := "", from(1)
			for name := range strings.FieldsSeq(f.monomial) {
				above, err := s.above(name, atoms)
				if err != nil {
					return nil, err
				}
				key = join(key, above)
				wide = mulUp(wide, addUp(from(1), x.entries[name]))
			}
			if brackets[key] == nil {
				return nil, fmt.Errorf("%s, comparison %d: the bound has no term %q", p.Name, t.At, key)
			}
			brackets[key].value = append(brackets[key].value, part{f, wide})
		}
		for _, b := range brackets {
			if len(b.value) > 0 {
				found[b.script(p)] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// product is a constant times a monomial times factors 1 + e, by the numbers of the roundings.
type product struct {
	c        number
	monomial string
	factors  []int
}

type part struct {
	product
	wide number // what the monomial of computed inputs is at most, relative to its maximum
}

type bracket struct {
	bound []product
	value []part
}

func at(all map[string]*bracket, key string) *bracket {
	if all[key] == nil {
		all[key] = &bracket{}
	}
	return all[key]
}

// expansion writes values as sums of products.
type expansion struct {
	*state
	chosen  choice
	memo    map[int][]product
	entries map[string]number // how far atoms are from their exact values
	count   int
}

func (x *expansion) rounding() []int {
	x.count++
	return []int{x.count}
}

func (x *expansion) of(v int) []product {
	if found, ok := x.memo[v]; ok {
		return found
	}
	found := x.expand(v)
	x.memo[v] = found
	return found
}

func (x *expansion) expand(v int) []product {
	o := x.Ops[v]
	if x.ends(v) && o.Code != "const" {
		for name, t := range x.value(v, x.chosen).terms {
			if x.entries == nil {
				x.entries = map[string]number{}
			}
			x.entries[name] = t.e
			return []product{{from(1), name, nil}}
		}
	}
	if w := x.factors(v); w != nil { // fl(|x y|)
		return []product{{from(1), join("|"+x.nameOf(w[0])+"|", "|"+x.nameOf(w[1])+"|"), x.rounding()}}
	}
	switch o.Code {
	case "const":
		if o.Value == 0 {
			return nil
		}
		p := product{c: from(o.Value)}
		if t := x.value(v, x.chosen).term(""); t.e.Sign() > 0 {
			p.factors = x.rounding()
		}
		return []product{p}
	case "add", "sub":
		a, b := x.of(o.Args[0]), x.of(o.Args[1])
		var e []int
		if len(a) > 0 && len(b) > 0 {
			e = x.rounding()
		}
		sign := from(1)
		if o.Code == "sub" {
			sign = from(-1)
		}
		return append(times(a, product{c: from(1), factors: e}), times(b, product{c: sign, factors: e})...)
	case "mul":
		a, b := x.of(o.Args[0]), x.of(o.Args[1])
		one := product{c: from(1)}
		if !x.value(o.Args[0], x.chosen).isPower() && !x.value(o.Args[1], x.chosen).isPower() {
			one.factors = x.rounding()
		}
		var found []product
		for _, each := range b {
			found = append(found, times(times(a, each), one)...)
		}
		return found
	case "neg":
		return times(x.of(o.Args[0]), product{c: from(-1)})
	case "min", "max":
		return x.of(o.Args[x.chosen[v]])
	}
	return x.of(o.Args[0]) // abs is of a maximum, flip changes the sign alone.
}

func times(all []product, by product) []product {
	found := make([]product, len(all))
	for i, a := range all {
		found[i] = product{productExact(a.c, by.c), join(a.monomial, by.monomial),
			slices.Concat(a.factors, by.factors)}
	}
	return found
}

// script writes the bracket for Gappa. Roundings are numbered as they appear, so that equal
// brackets of different components are equal texts.
func (b *bracket) script(p *Program) string {
	names, ranges := map[int]string{}, []string{}
	u := dyadic(p.u())
	factors := func(all []int) string {
		var out strings.Builder
		for _, f := range all {
			if names[f] == "" {
				names[f] = fmt.Sprintf("e%d", len(names)+1)
				ranges = append(ranges, fmt.Sprintf("%s in [-%s,%s]", names[f], u, u))
			}
			fmt.Fprintf(&out, "*(1+%s)", names[f])
		}
		return out.String()
	}
	var bound, value []string
	for _, t := range b.bound {
		bound = append(bound, dyadic(t.c)+factors(t.factors))
	}
	for i, t := range b.value {
		q, w := fmt.Sprintf("q%d", i+1), fmt.Sprintf("w%d", i+1)
		wide, off := dyadic(t.wide), dyadic(addUp(t.wide, from(-1)))
		ranges = append(ranges, fmt.Sprintf("%s in [-%s,%s]", q, wide, wide),
			fmt.Sprintf("%s in [-%s,%s]", w, off, off))
		value = append(value, fmt.Sprintf("%s*(%s*(1%s - 1) + %s)", dyadic(t.c), q, factors(t.factors), w))
	}
	slack := dyadic(mulUp(p.u(), power(-6)))
	return fmt.Sprintf("B = %s - %s;\nE = %s;\n{ %s\n  -> B - E >= 0 /\\ B + E >= 0 }\n",
		strings.Join(bound, " + "), slack, strings.Join(value, " + "), strings.Join(ranges, "\n  /\\ "))
}

// dyadic writes a number as an integer times a power of two, in Gappa's notation.
func dyadic(x number) string {
	if x.Sign() == 0 {
		return "0"
	}
	m := new(big.Float)
	e := x.MantExp(m) - int(x.MinPrec())
	whole, _ := m.SetMantExp(m, int(x.MinPrec())).Int(nil)
	return fmt.Sprintf("%vb%d", whole, e)
}

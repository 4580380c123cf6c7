package proof

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// Formula is a polynomial with exact coefficients, by monomial, as in Poly: what a value means.
type Formula map[string]*big.Rat

// Input returns an input as a formula.
func Input(name string) Formula { return Formula{name: big.NewRat(1, 1)} }

// Plus returns f + k g.
func (f Formula) Plus(k *big.Rat, g Formula) Formula {
	sum := Formula{}
	for m, c := range f {
		sum[m] = new(big.Rat).Set(c)
	}
	for m, c := range g {
		old, ok := sum[m]
		if !ok {
			old = new(big.Rat)
		}
		sum[m] = new(big.Rat).Add(old, new(big.Rat).Mul(k, c))
		if sum[m].Sign() == 0 {
			delete(sum, m)
		}
	}
	return sum
}

// Times returns f g.
func (f Formula) Times(g Formula) Formula {
	product := Formula{}
	for m, c := range f {
		part := Formula{}
		for n, d := range g {
			part[join(m, n)] = new(big.Rat).Mul(c, d)
		}
		product = product.Plus(big.NewRat(1, 1), part)
	}
	return product
}

// String writes the formula so that equal ones look equal, even if coefficients were rounded to
// float32 once: in multiples of 1 / (2520 * 512), of which all coefficients of the kernels'
// formulas are.
func (f Formula) String() string {
	var parts []string
	for m, c := range f {
		n := new(big.Rat).Mul(c, big.NewRat(2520*512, 1))
		parts = append(parts, fmt.Sprintf("%s %s", n.FloatString(0), m))
	}
	slices.Sort(parts)
	return strings.Join(parts, "  ")
}

// formula returns the exact part of a polynomial. A blend of inputs has the name of the last one;
// one of the time "start" that of the first.
func (s *state) formula(p *Poly) Formula {
	f := Formula{}
	for m, t := range p.terms {
		if t.c.Sign() == 0 {
			continue
		}
		var names []string
		for name := range strings.FieldsSeq(m) {
			if b, ok := s.blends[name]; ok {
				name = b.Names[len(b.Names)-1]
				if slices.Equal(b.Weights, []string{"start"}) {
					name = b.Names[0]
				}
			}
			names = append(names, name)
		}
		slices.Sort(names)
		c, _ := t.c.Rat(nil)
		f = f.Plus(big.NewRat(1, 1), Formula{strings.Join(names, " "): c})
	}
	return f
}

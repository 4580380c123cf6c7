package proof

import (
	"fmt"
	"strings"
)

// Norm is the proof that a computed component of a normal, and the bound's share of its area, are
// together no less than the exact component.
type Norm struct {
	At, Component int
	Share         float64 // Share of the bound that is used.
	Value         Formula
}

// Norms checks the constants whose names contain NormBound: a bound multiplies the separation by
// the sum of computed magnitudes of components of B x C and this constant times the areas.
func (p *Program) Norms() (found []Norm, err error) {
	for i, o := range p.Ops {
		if o.Code != "mul" || !p.isNorm(o.Args[0]) && !p.isNorm(o.Args[1]) {
			continue
		}
		for _, v := range p.components(i) {
			s := p.state(map[int]string{})
			bound, f := s.value(i, choice{}), s.value(v, choice{})
			share, err := s.covers(bound, f)
			if err != nil {
				return nil, fmt.Errorf("%s, component %d: %w", p.Name, v, err)
			}
			n := Norm{At: i, Component: v, Value: s.formula(f)}
			n.Share, _ = share.Float64()
			if err := s.keepsUnderflow(i, bound, f, share); err != nil {
				return nil, fmt.Errorf("%s, component %d: %w", p.Name, v, err)
			}
			if share.Cmp(from(1)) >= 0 {
				return nil, fmt.Errorf("%s, component %d: its error may take %.4f of its bound", p.Name, v, n.Share)
			}
			found = append(found, n)
		}
	}
	return found, nil
}

func (p *Program) isNorm(v int) bool {
	o := p.Ops[v]
	return o.Code == "const" && strings.Contains(strings.ToLower(o.Name), "normbound")
}

// components returns the values, no inputs, whose magnitudes the first bound that uses i adds up.
func (p *Program) components(i int) (found []int) {
	for _, t := range p.Tests() {
		used := p.below(t.Bound)
		if !used[i] {
			continue
		}
		for v := range p.Ops {
			if o := p.Ops[v]; used[v] && o.Code == "abs" && p.Ops[o.Args[0]].Code != "input" {
				found = append(found, o.Args[0])
			}
		}
		return found
	}
	return nil
}

// keepsUnderflow checks that what underflows in a component fits in what the bound of its area
// keeps.
//
// The guard's value is A.(areas) >= least with |A| <= 2^Limit, so the areas add up to least /
// 2^Limit or more, less a few roundings: half of that is taken. The bound keeps (1 - share) of the
// constant times it.
func (s *state) keepsUnderflow(i int, bound, f *Poly, share number) error {
	constant := s.Ops[i].Args[0]
	if !s.isNorm(constant) {
		constant = s.Ops[i].Args[1]
	}
	least := number(nil)
	for _, g := range s.guards() {
		if least == nil || g.Cmp(least) < 0 {
			least = g
		}
	}
	if least == nil {
		return fmt.Errorf("no guard keeps the areas from underflowing")
	}
	areas := mulDown(least, power(-s.Limit-1))
	rest := mulDown(mulDown(subDown(from(1), share), from(s.Ops[constant].Value)), areas)
	if mulUp(from(3), addUp(f.under, bound.under)).Cmp(rest) > 0 { // Three components share it.
		return fmt.Errorf("what underflows exceeds what the bound keeps")
	}
	return nil
}

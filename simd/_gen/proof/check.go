package proof

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// Proof is what is known of a test.
type Proof struct {
	Test
	Polynomials int
	// Share is how much of its bound the error may take: below 1 the claim holds.
	Share float64
	// Underflow is how much of the rest what underflows may take.
	Underflow float64
	Values    []Formula // Values of F, one for each choice.
	Bound     Formula
}

// Check proves |f - F| <= b for a test, or says why it cannot.
func (p *Program) Check(t Test) (Proof, error) {
	t.Value, t.Bound = p.signed(t.Value), p.positive(t.Bound)
	s := p.state(p.directions(t.Bound))
	bound := s.value(t.Bound, choice{})
	s.bound, s.spare = t.Bound, t.Spare
	proof := Proof{Test: t, Bound: s.formula(bound)}
	worst, most := zero, zero
	for _, chosen := range s.choices(t.Value) {
		f := s.value(t.Value, chosen)
		proof.Polynomials++
		proof.Values = append(proof.Values, s.formula(f))
		share, err := s.covers(bound, f)
		if err != nil {
			return proof, fmt.Errorf("%s, comparison %d: %w", p.Name, t.At, err)
		}
		if p.isPair(t.Value) { // The high part stands for the pair: |value - high| <= u |high|.
			share = mulUp(share, growth(p.u(), 4))
		}
		worst = larger(worst, share)
		rest, err := s.rest(bound, f, share)
		if err != nil {
			return proof, fmt.Errorf("%s, comparison %d: %w", p.Name, t.At, err)
		}
		most = larger(most, divUp(addUp(f.under, bound.under), rest))
	}
	proof.Share, _ = worst.Float64()
	proof.Underflow, _ = most.Float64()
	switch {
	case worst.Cmp(from(1)) >= 0:
		return proof, fmt.Errorf("%s, comparison %d: the error may take %.4f of the bound %v", p.Name, t.At,
			proof.Share, p.Constants(t))
	case most.Cmp(from(1)) > 0:
		return proof, fmt.Errorf("%s, comparison %d: what underflows may take %.3g of the rest", p.Name, t.At,
			proof.Underflow)
	}
	return proof, s.separations(bound)
}

// signed returns the value of which v is the magnitude.
func (p *Program) signed(v int) int {
	if o := p.Ops[v]; o.Code == "abs" {
		return o.Args[0]
	}
	return v
}

// positive returns the bound of a value that is less than minus it.
func (p *Program) positive(v int) int {
	if o := p.Ops[v]; o.Code == "neg" {
		return o.Args[0]
	}
	return v
}

// directions returns the values that a bound multiplies by their magnitudes and that are no inputs.
// Each is a direction, whose error does not matter: it is taken as the number it is.
func (p *Program) directions(bound int) map[int]string {
	found := map[int]string{}
	for v := range p.below(bound) {
		for _, w := range p.factors(v) {
			if o := p.Ops[w]; o.Code != "input" && o.Code != "const" {
				found[w] = fmt.Sprintf("d%d", w)
			}
		}
		if p.Ops[v].Code != "mul" {
			continue
		}
		for _, a := range p.Ops[v].Args {
			if o := p.Ops[a]; o.Code == "abs" && p.Ops[o.Args[0]].Code != "input" {
				found[o.Args[0]] = fmt.Sprintf("d%d", o.Args[0])
			}
		}
	}
	return found
}

// factors returns the factors of the product of which v is the magnitude, or nothing. They round
// alike: |fl(x y)| = fl(|x| |y|).
func (p *Program) factors(v int) []int {
	o := p.Ops[v]
	if o.Code != "abs" || p.Ops[o.Args[0]].Code != "mul" {
		return nil
	}
	args := p.Ops[o.Args[0]].Args
	if p.isConst(args[0]) || p.isConst(args[1]) {
		return nil
	}
	return args
}

// covers returns the largest share of a term of the bound that the errors of f take.
func (s *state) covers(bound, f *Poly) (number, error) {
	errs, err := s.errors(bound, f)
	if err != nil {
		return nil, err
	}
	worst := zero
	for m, e := range errs {
		t := bound.term(m)
		least := subDown(t.c, t.e)
		if least.Sign() <= 0 {
			return nil, fmt.Errorf("the bound has no term %q", m)
		}
		worst = larger(worst, divUp(e, least))
	}
	return worst, nil
}

// errors returns the errors of f in monomials of the bound.
func (s *state) errors(bound, f *Poly) (map[string]number, error) {
	atoms := map[string]bool{}
	for m := range bound.terms {
		for name := range strings.FieldsSeq(m) {
			atoms[name] = true
		}
	}
	found, shared := map[string]number{}, map[[3]string]number{}
	for m, t := range f.terms {
		e, names, of := t.e, []string{}, [3]string{}
		for name := range strings.FieldsSeq(m) {
			if slices.Contains(s.Weights, name) {
				continue // A time is at most 1.
			}
			if w, ok := s.Shares[name]; ok {
				e, of[1], of[2] = mulUp(e, from(w.Most)), of[1]+w.Of+" ", of[2]+name+" "
				continue
			}
			above, err := s.above(name, atoms)
			if err != nil {
				return nil, err
			}
			if above != name && !s.isCut(name) { // The exact value may be larger than its computed maximum.
				e = mulUp(e, addUp(from(1), s.entry()))
			}
			names = append(names, above)
		}
		slices.Sort(names)
		if of[0] = strings.Join(names, " "); of[1] != "" {
			if old, ok := shared[of]; ok {
				e = addUp(e, old)
			}
			shared[of] = e
			continue
		}
		if old, ok := found[of[0]]; ok {
			e = addUp(e, old)
		}
		found[of[0]] = e
	}
	return s.largestShares(found, shared), nil
}

// largestShares adds to errors the largest of each sum: numbers that share one whole weigh their
// errors, so that the largest of these bounds them all. The keys are the monomial, the wholes and
// the numbers, one of each whole.
func (s *state) largestShares(found map[string]number, shared map[[3]string]number) map[string]number {
	largest := map[[2]string]number{}
	for of, e := range shared {
		key := [2]string{of[0], of[1]}
		if old, ok := largest[key]; ok {
			e = larger(e, old)
		}
		largest[key] = e
	}
	for key, e := range largest {
		if old, ok := found[key[0]]; ok {
			e = addUp(e, old)
		}
		found[key[0]] = e
	}
	return found
}

func (s *state) isCut(name string) bool {
	for _, cut := range s.cut {
		if cut == name {
			return true
		}
	}
	return false
}

// above returns the atom among those of a bound that is no smaller in magnitude.
func (s *state) above(name string, atoms map[string]bool) (string, error) {
	inputs := s.blends[name].Names
	if inputs == nil {
		inputs = []string{name}
	}
	found := ""
	for a := range atoms {
		whole := a == name || !slices.ContainsFunc(inputs, func(x string) bool { return s.Maxima[x] != a })
		if of := s.bounds[a]; !whole && of != nil {
			whole = true
			for _, x := range inputs {
				whole = whole && slices.Contains(of, x)
			}
		}
		if whole && (found == "" || a < found) {
			found = a
		}
	}
	if found == "" {
		return "", fmt.Errorf("the bound has no maximum of %s", name)
	}
	return found, nil
}

// rest returns a lower bound of what the bound keeps beyond the errors: what underflows must fit
// in.
//
// With a guard, a value V >= least of the same monomials: the rest is at least (1 - share) sum of
// (c - e) M, that is (1 - share) (least of (c - e) / g) V. Without one it is the bound's constant.
// A test with a spare keeps that.
func (s *state) rest(bound, f *Poly, share number) (number, error) {
	if s.spare > 0 {
		return from(s.spare), nil
	}
	left := subDown(from(1), share)
	if left.Sign() <= 0 {
		return power(-1 << 20), nil
	}
	errs, err := s.errors(bound, f)
	if err != nil {
		return nil, err
	}
	guards, inBound := s.guards(), s.below(s.bound)
	for v, least := range guards {
		if !inBound[v] {
			continue
		}
		guard := s.value(v, choice{})
		ratio, fits := number(nil), true
		for m := range errs {
			_, ok := guard.terms[m]
			fits = fits && ok
		}
		for m, g := range guard.terms {
			t := bound.term(m)
			each := subDown(t.c, t.e)
			if each.Sign() <= 0 {
				fits = false
				break
			}
			if each = divDown(each, g.g); ratio == nil || each.Cmp(ratio) < 0 {
				ratio = each
			}
		}
		if fits && ratio != nil {
			return mulDown(mulDown(left, ratio), subDown(least, guard.under)), nil
		}
	}
	t := bound.term("")
	if least := subDown(t.c, t.e); least.Sign() > 0 {
		return least, nil
	}
	return nil, errors.New("no guard keeps the bound above what underflows")
}

// separations checks that the terms of a separation in a bound, which was increased by the slack,
// are no less than the whole number of times that they stand for, whatever was rounded.
func (s *state) separations(bound *Poly) error {
	half := big.NewFloat(0.5)
	for m, t := range bound.terms {
		if !strings.Contains(" "+m, " sep") || t.c.Cmp(half) < 0 {
			continue
		}
		wanted, _ := new(big.Float).SetPrec(wide).Add(t.c, big.NewFloat(0.25)).Int(nil)
		if mulDown(subDown(t.c, t.e), s.slack()).Cmp(new(big.Float).SetInt(wanted)) < 0 {
			return fmt.Errorf("%s: the bound has less than %v times %s", s.Name, wanted, m)
		}
	}
	return nil
}

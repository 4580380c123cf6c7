package proof

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// Poly is a value as a polynomial in atoms, by monomial: atoms in their order, joined by spaces.
type Poly struct {
	terms map[string]term
	under number // what has underflowed, at most
}

type term struct{ c, e, g number }

var zero = from(0)

// state is what the polynomials of one test share.
type state struct {
	*Program
	bound  int                 // the operation of the bound
	spare  float64             // what the test allows beyond it
	cut    map[int]string      // values that are taken as the numbers they are, by name
	bounds map[string][]string // what an atom is the maximum of
	blends map[string]Blend    // the atoms that are blends
	memo   map[string]*Poly
	turns  map[int][]int // minima and maxima below a value that choose between polynomials
}

func (p *Program) state(cut map[int]string) *state {
	return &state{Program: p, cut: cut, bounds: map[string][]string{}, blends: map[string]Blend{},
		memo: map[string]*Poly{}, turns: map[int][]int{}}
}

func atom(name string, e number) *Poly {
	return &Poly{terms: map[string]term{name: {from(1), e, addUp(from(1), e)}}, under: zero}
}

// nameOf returns the atom of a value whose magnitude enters a maximum.
func (s *state) nameOf(v int) string {
	if name, ok := s.cut[v]; ok {
		return name
	}
	if o := s.Ops[v]; o.Code == "input" {
		return o.Name
	}
	return fmt.Sprintf("v%d", v)
}

// value returns the polynomial of v where minima and maxima choose so.
func (s *state) value(v int, chosen choice) *Poly {
	key := s.key(v, chosen)
	if p, ok := s.memo[key]; ok {
		return p
	}
	p := s.compute(v, chosen)
	s.memo[key] = p
	return p
}

// magnitudeOf returns the polynomial of |v|, of an input or a direction.
func (s *state) magnitudeOf(v int) *Poly {
	name := s.nameOf(v)
	s.bounds["|"+name+"|"] = []string{name}
	return atom("|"+name+"|", zero)
}

func (s *state) compute(v int, chosen choice) *Poly {
	o := s.Ops[v]
	if name, ok := s.cut[v]; ok {
		return atom(name, zero)
	}
	if o.Code == "input" {
		return atom(o.Name, s.off(o.Name))
	}
	if b, ok := s.blended(v); ok {
		return s.blendAtom(v, b)
	}
	if x := o.Args; o.Code == "abs" && s.Spread && (s.Ops[x[0]].Code != "input" || s.Maxima[s.Ops[x[0]].Name] != "") {
		return s.spread(s.value(o.Args[0], chosen))
	}
	if x := s.factors(v); x != nil {
		return s.product(Op{Code: "mul", Args: x}, s.magnitudeOf(x[0]), s.magnitudeOf(x[1]))
	}
	if leaves, ok := s.leaves(v); ok {
		names := make([]string, len(leaves))
		for i, x := range leaves {
			names[i] = s.nameOf(x)
		}
		slices.Sort(names)
		name := "|" + strings.Join(names, ",") + "|"
		s.bounds[name] = names
		return atom(name, zero)
	}
	arg := func(i int) *Poly { return s.value(o.Args[i], chosen) }
	if strings.HasPrefix(o.Code, "pair_") && o.Name == "high" {
		return s.pair(v)
	}
	switch o.Code {
	case "const":
		return s.constant(o)
	case "add":
		return s.sum(arg(0), arg(1), 1)
	case "sub":
		return s.sum(arg(0), arg(1), -1)
	case "mul":
		return s.product(o, arg(0), arg(1))
	case "div":
		return s.quotient(o, arg(0))
	case "neg":
		return s.sum(&Poly{under: zero}, arg(0), -1)
	case "flip": // The sign is that of another value: the error is the same.
		return arg(0)
	case "min", "max": // One of its arguments: every choice is checked.
		return arg(chosen[v])
	}
	panic(fmt.Sprintf("proof: operation %d of %s is %q", v, s.Name, o.Code))
}

// blendAtom returns a blend as an atom, off by what a chain of blends costs beside its maximum.
//
// A level has a weight that is rounded once, a product and a sum: with weights that add up to one
// and inputs of at most M, (1 + u)^3 M less M in all; see lerp for x + t (y - x). Each level adds
// two products that may underflow.
func (s *state) blendAtom(v int, b Blend) *Poly {
	name := fmt.Sprintf("blend%d", v)
	s.blends[name] = b
	e := addUp(mulUp(addUp(from(1), s.entry()), growth(s.u(), b.roundings)), from(-1))
	under := mulUp(from(float64(2*b.depth)), mulUp(s.eta(), growth(s.u(), b.roundings)))
	if least := s.least(); least != nil { // The maximum counts as least at the least.
		return atom(name, addUp(e, divUp(under, least)))
	}
	p := atom(name, e)
	p.under = under
	return p
}

// constant returns a constant. One that has no name and many bits stands for a real number that was
// rounded to it.
func (s *state) constant(o Op) *Poly {
	c := from(o.Value)
	if o.Value == 0 {
		return &Poly{under: zero}
	}
	e := zero
	if o.Name == "" && c.MinPrec() > 20 {
		e = mulUp(magnitude(c), s.u())
	}
	return &Poly{terms: map[string]term{"": {c, e, addUp(magnitude(c), e)}}, under: zero}
}

func (s *state) sum(x, y *Poly, sign float64) *Poly {
	u := s.u()
	if len(x.terms) == 0 || len(y.terms) == 0 { // A sum with zero is exact.
		u = zero
	}
	up, found := addUp(from(1), u), make(map[string]term, len(x.terms)+len(y.terms))
	add := func(m string) {
		if _, ok := found[m]; ok {
			return
		}
		a, b := x.term(m), y.term(m)
		g := addUp(a.g, b.g)
		found[m] = term{
			c: sumExact(a.c, productExact(from(sign), b.c)),
			e: addUp(addUp(a.e, b.e), mulUp(u, g)),
			g: mulUp(g, up),
		}
	}
	for m := range x.terms {
		add(m)
	}
	for m := range y.terms {
		add(m)
	}
	return &Poly{terms: found, under: mulUp(addUp(x.under, y.under), up)}
}

func (p *Poly) term(m string) term {
	if t, ok := p.terms[m]; ok {
		return t
	}
	return term{zero, zero, zero}
}

func (s *state) product(o Op, x, y *Poly) *Poly {
	u, up := s.u(), addUp(from(1), s.u())
	scaled := x.isPower() || y.isPower() // A product with a power of two is exact, but for underflow.
	found := make(map[string]term, len(x.terms)*len(y.terms))
	for mx, a := range x.terms {
		for my, b := range y.terms {
			g := mulUp(a.g, b.g)
			e := addUp(addUp(mulUp(a.e, magnitude(b.c)), mulUp(magnitude(a.c), b.e)), mulUp(a.e, b.e))
			if !scaled {
				e, g = addUp(e, mulUp(u, g)), mulUp(g, up)
			}
			m := join(mx, my)
			t, ok := found[m]
			if !ok {
				t = term{zero, zero, zero}
			}
			found[m] = term{sumExact(t.c, productExact(a.c, b.c)), addUp(t.e, e), addUp(t.g, g)}
		}
	}
	under := zero
	if x.under.Sign() > 0 {
		under = addUp(under, mulUp(x.under, addUp(s.size(o.Args[1]), y.under)))
	}
	if y.under.Sign() > 0 {
		under = addUp(under, mulUp(y.under, s.size(o.Args[0])))
	}
	under = mulUp(under, up)
	if !s.whole(o.Args[0]) && !s.whole(o.Args[1]) { // A whole number times a double does not underflow.
		under = addUp(under, s.eta())
	}
	return &Poly{terms: found, under: under}
}

// quotient returns a polynomial divided by a constant: a product with its inverse, which is known
// to within 2^-200 of itself, and a rounding.
func (s *state) quotient(o Op, x *Poly) *Poly {
	by := from(s.Ops[o.Args[1]].Value)
	if isPower(by) {
		inverse := new(big.Float).SetPrec(wide).Quo(from(1), by)
		one := &Poly{terms: map[string]term{"": {inverse, zero, magnitude(inverse)}}, under: zero}
		return s.underflows(s.product(o, x, one))
	}
	inverse := new(big.Float).SetPrec(wide).Set(new(big.Float).SetPrec(200).Quo(from(1), by))
	e := mulUp(magnitude(inverse), power(-199))
	one := &Poly{terms: map[string]term{"": {inverse, e, addUp(magnitude(inverse), e)}}, under: zero}
	return s.underflows(s.product(o, x, one))
}

// underflows adds what a quotient loses where it underflows; the product with a whole number, in
// which its place is taken, loses nothing.
func (s *state) underflows(p *Poly) *Poly { return &Poly{p.terms, addUp(p.under, s.eta())} }

// spread returns the magnitude of a value: ||x| - |X|| <= |x - X|. Its coefficients are as large as
// they can be, so that sums and products with exact numbers have no error that is too small.
func (s *state) spread(x *Poly) *Poly {
	found := make(map[string]term, len(x.terms))
	for m, t := range x.terms {
		found[m] = term{magnitude(t.c), t.e, t.g}
	}
	return &Poly{found, x.under}
}

func (p *Poly) isPower() bool {
	t, ok := p.terms[""]
	return ok && len(p.terms) == 1 && t.e.Sign() == 0 && isPower(t.c)
}

func (p *Program) whole(v int) bool { return p.isConst(v) && from(p.Ops[v].Value).IsInt() }

// join returns the product of two monomials.
func join(x, y string) string {
	switch {
	case x == "":
		return y
	case y == "":
		return x
	}
	names := append(strings.Split(x, " "), strings.Split(y, " ")...)
	slices.Sort(names)
	return strings.Join(names, " ")
}

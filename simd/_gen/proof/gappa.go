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
// A value is a sum of monomials times their coefficients, each of which is an expression of
// constants and of 1 + e, |e| <= u, for the roundings on the way. With T a monomial of the bound
// and q the share of it that a monomial of computed inputs is, the claim is a sum of brackets, one
// for each T:
//
//	sum of the bound's coefficients of T - u / 64 >= | sum of q (k - c) + c w |
//
// where k is the coefficient of a monomial of the value, c what it is without roundings, |q| at
// most the product of (1 + entry), and w, how far q is from its exact value, at most that less 1.
// What underflows is for Check. A bracket is not one script: each operation on coefficients is a
// claim of its own, that what it makes is within a range wherever its arguments are within theirs.
// So scripts stay small, whatever the degree, and equal ones, which many brackets have, are given
// once. Of monomials with shares of a whole, each share is a bracket of its own: the computed
// shares add up to at most 1, so the largest error of one bounds their sum. A test of
// double-doubles has none: machine/*.g have the lemmas that it rests on.
func (p *Program) Brackets(t Test) ([]string, error) {
	if p.isPair(t.Value) {
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
	found := &claims{p.u(), map[*node]number{}, map[string]bool{}}
	x := &expansion{state: s, memo: map[string]map[string]*node{}, entries: map[string]number{}}
	for _, x.chosen = range s.choices(t.Value) {
		brackets := map[string]*bracket{}
		for m, k := range x.of(t.Bound) {
			brackets[m] = &bracket{bound: k, parts: map[string][]part{}}
		}
		for m, k := range x.of(t.Value) {
			key, wide, most, share, whole := "", from(1), from(1), "", ""
			for name := range strings.FieldsSeq(m) {
				if w, ok := p.Shares[name]; ok { // The exact one may be 1 / (1 - off) of it.
					off := addUp(from(1), x.entries[name])
					wide, most = mulUp(wide, mulUp(off, off)), mulUp(most, from(w.Most))
					share, whole = share+" "+name, whole+" "+w.Of
					continue
				}
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
			b := brackets[key]
			if len(b.parts) > 0 && b.whole != whole {
				return nil, fmt.Errorf("%s, comparison %d: %q has shares of different wholes", p.Name, t.At, key)
			}
			b.whole = whole
			b.parts[share] = append(b.parts[share], part{k, mulUp(wide, most), mulUp(addUp(wide, from(-1)), most)})
		}
		for _, b := range brackets {
			for _, value := range b.parts {
				found.bracket(b.bound, value)
			}
		}
	}
	return slices.Sorted(maps.Keys(found.scripts)), nil
}

// node is a coefficient: a constant; or a sum of other ones, each alone or times another, and,
// where it rounds, then times 1 + e.
type node struct {
	c      number // what it is without roundings
	sum    []pair
	rounds bool
}

// pair is a product of two coefficients; the second may be nil.
type pair struct {
	x, y  *node
	minus bool
}

type part struct {
	*node
	wide number // what the monomial of computed inputs is at most, relative to its maximum
	off  number // how far that is from its exact value
}

type bracket struct {
	bound *node
	parts map[string][]part // Parts are kept by the share of a whole that their monomials have, or by "".
	whole string
}

// expansion writes values as sums of monomials.
type expansion struct {
	*state
	chosen  choice
	memo    map[string]map[string]*node
	entries map[string]number // how far atoms are from their exact values
}

func (x *expansion) of(v int) map[string]*node {
	key := x.key(v, x.chosen)
	if found, ok := x.memo[key]; ok {
		return found
	}
	found := x.expand(v)
	x.memo[key] = found
	return found
}

func constantNode(c number) *node { return newNode(&node{c: c}) }

// newNode sets the exact value of a node.
func newNode(n *node) *node {
	if n.sum == nil {
		return n
	}
	n.c = zero
	for _, p := range n.sum {
		c := p.x.c
		if p.y != nil {
			c = productExact(c, p.y.c)
		}
		if p.minus {
			c = productExact(from(-1), c)
		}
		n.c = sumExact(n.c, c)
	}
	return n
}

// coefficients returns sums, by monomial, times 1 + e where they round.
func coefficients(sums map[string][]pair, round bool) map[string]*node {
	found := map[string]*node{}
	for m, all := range sums {
		if len(all) == 1 && !round && all[0].y == nil && !all[0].minus {
			found[m] = all[0].x
			continue
		}
		found[m] = newNode(&node{sum: all, rounds: round})
	}
	return found
}

func (x *expansion) expand(v int) map[string]*node {
	o := x.Ops[v]
	if x.ends(v) && o.Code != "const" {
		for name, t := range x.value(v, x.chosen).terms {
			x.entries[name] = t.e
			return map[string]*node{name: constantNode(from(1))}
		}
	}
	if w := x.factors(v); w != nil { // fl(|x y|)
		m := join("|"+x.nameOf(w[0])+"|", "|"+x.nameOf(w[1])+"|")
		return coefficients(map[string][]pair{m: {{x: constantNode(from(1))}}}, true)
	}
	sums := map[string][]pair{}
	switch o.Code {
	case "const":
		if o.Value == 0 {
			return nil
		}
		sums[""] = []pair{{x: constantNode(from(o.Value))}}
		if t := x.value(v, x.chosen).term(""); t.e.Sign() > 0 {
			return coefficients(sums, true)
		}
		return coefficients(sums, false)
	case "add", "sub":
		a, b := x.of(o.Args[0]), x.of(o.Args[1])
		for m, k := range a {
			sums[m] = append(sums[m], pair{x: k})
		}
		for m, k := range b {
			sums[m] = append(sums[m], pair{x: k, minus: o.Code == "sub"})
		}
		if len(a) > 0 && len(b) > 0 {
			return coefficients(sums, true)
		}
		return coefficients(sums, false)
	case "mul":
		a, b := x.of(o.Args[0]), x.of(o.Args[1])
		for _, m := range slices.Sorted(maps.Keys(a)) {
			for _, n := range slices.Sorted(maps.Keys(b)) {
				both := join(m, n)
				sums[both] = append(sums[both], pair{x: a[m], y: b[n]})
			}
		}
		if !x.value(o.Args[0], x.chosen).isPower() && !x.value(o.Args[1], x.chosen).isPower() {
			return coefficients(sums, true)
		}
		return coefficients(sums, false)
	case "neg":
		for m, k := range x.of(o.Args[0]) {
			sums[m] = []pair{{x: k, minus: true}}
		}
		return coefficients(sums, false)
	case "min", "max":
		return x.of(o.Args[x.chosen[v]])
	}
	return x.of(o.Args[0]) // abs is of a maximum, flip changes the sign alone.
}

// claims are scripts for Gappa, each of one operation on coefficients. A claim is of all numbers in
// the ranges of its arguments, which other claims have: where every claim holds, so does the
// bracket.
type claims struct {
	u       number
	offs    map[*node]number
	scripts map[string]bool
}

// most is how many terms one claim adds.
const most = 16

// coarse returns a number of few digits that is no less, so that claims that say nearly the same
// are one.
func coarse(x number) number { return new(big.Float).SetPrec(24).SetMode(big.ToPositiveInf).Set(x) }

// around writes the range of what is at most e from c.
func around(c, e number) string {
	return fmt.Sprintf("[%s,%s]", dyadic(sumExact(c, productExact(from(-1), e))), dyadic(sumExact(c, e)))
}

// claim adds a script: of all variables in their ranges, the conclusion holds.
func (s *claims) claim(ranges []string, conclusion string) {
	if len(ranges) > 0 {
		conclusion = strings.Join(ranges, " /\\ ") + "\n  -> " + conclusion
	}
	s.scripts["{ "+conclusion+" }\n"] = true
}

// off returns how far a coefficient may be from what it is without roundings, and claims that.
func (s *claims) off(n *node) number {
	if n.sum == nil {
		return zero
	}
	if e, ok := s.offs[n]; ok {
		return e
	}
	e, products := zero, make([]written, len(n.sum))
	for i, p := range n.sum {
		x, y := s.off(p.x), zero
		each := x
		if p.y != nil {
			y = s.off(p.y)
			each = addUp(addUp(mulUp(x, magnitude(p.y.c)), mulUp(magnitude(p.x.c), y)), mulUp(x, y))
		}
		e = addUp(e, each)
		products[i] = s.product(p)
	}
	if n.rounds {
		e = addUp(e, mulUp(s.u, addUp(magnitude(n.c), e)))
	}
	e = coarse(e)
	s.offs[n] = e
	text, ranges := sumOf(products)
	if n.rounds {
		text = "(" + text + ")*(1+e)"
		ranges = append(ranges, "e in "+around(zero, s.u))
	}
	s.claim(ranges, text+" in "+around(n.c, e))
	return e
}

// written is a term of a sum: a text in which each %s is a variable, with the ranges of these.
type written struct {
	text   string
	ranges []string
}

func (s *claims) product(p pair) written {
	w := s.factor(p.x)
	if p.y != nil {
		y := s.factor(p.y)
		w = written{w.text + "*" + y.text, append(w.ranges, y.ranges...)}
	}
	w.text = map[bool]string{true: " - ", false: " + "}[p.minus] + w.text
	return w
}

// factor writes a coefficient: a number, or a variable that is within its range.
func (s *claims) factor(n *node) written {
	e := s.off(n)
	if e.Sign() == 0 {
		return written{"(" + dyadic(n.c) + ")", nil}
	}
	return written{"%s", []string{"%s in " + around(n.c, e)}}
}

// sumOf writes a sum and the ranges of its variables, which are numbered as they appear. The terms
// are sorted: equal sums are equal texts.
func sumOf(terms []written) (text string, ranges []string) {
	slices.SortFunc(terms, func(x, y written) int {
		return strings.Compare(x.text+strings.Join(x.ranges, " "), y.text+strings.Join(y.ranges, " "))
	})
	var b strings.Builder
	for _, t := range terms {
		var names []any
		for _, r := range t.ranges {
			name := fmt.Sprintf("k%d", len(ranges)+1)
			ranges = append(ranges, fmt.Sprintf(r, name))
			names = append(names, name)
		}
		fmt.Fprintf(&b, t.text, names...)
	}
	return strings.TrimPrefix(b.String(), " + "), ranges
}

// bracket claims that the bound's coefficient, less the slack, is no less than the errors of the
// value's.
func (s *claims) bracket(bound *node, value []part) {
	var parts []number
	for _, t := range value {
		e := s.off(t.node)
		all := coarse(addUp(mulUp(t.wide, e), mulUp(magnitude(t.c), t.off)))
		if all.Sign() == 0 {
			continue
		}
		ranges := []string{"k in " + around(t.c, e), "q in " + around(zero, t.wide), "w in " + around(zero, t.off)}
		s.claim(ranges, fmt.Sprintf("q*(k - %s) + %s*w in %s", dyadic(t.c), dyadic(t.c), around(zero, all)))
		parts = append(parts, all)
	}
	for len(parts) > most {
		var sums []number
		for group := range slices.Chunk(parts, most) {
			text, ranges := sumOf(within(group))
			all := zero
			for _, x := range group {
				all = addUp(all, x)
			}
			all = coarse(all)
			s.claim(ranges, text+" in "+around(zero, all))
			sums = append(sums, all)
		}
		parts = sums
	}
	text, ranges := sumOf(within(parts))
	if text == "" {
		text = "0"
	}
	slack := dyadic(mulUp(s.u, power(-6)))
	ranges = append(ranges, "b in "+around(bound.c, s.off(bound)))
	s.claim(ranges, fmt.Sprintf("b - %s - (%s) >= 0 /\\ b - %s + (%s) >= 0", slack, text, slack, text))
}

// within returns terms that are at most so large.
func within(sizes []number) []written {
	terms := make([]written, len(sizes))
	for i, x := range sizes {
		terms[i] = written{" + %s", []string{"%s in " + around(zero, x)}}
	}
	return terms
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

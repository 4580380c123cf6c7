package proof

import (
	"fmt"
	"hash/fnv"
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
// What underflows is for Check. A test of double-doubles has none: machine/*.g have the lemmas that
// it rests on. Nor has one of shares of a whole. Every script is one bracket; equal ones are given
// once.
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
		x := &expansion{state: s, chosen: chosen, memo: map[int]map[string]*node{}}
		brackets := map[string]*bracket{}
		for m, k := range x.of(t.Bound) {
			brackets[m] = &bracket{bound: k}
		}
		for m, k := range x.of(t.Value) {
			key, wide := "", from(1)
			for name := range strings.FieldsSeq(m) {
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
			brackets[key].value = append(brackets[key].value, part{k, wide})
		}
		for _, b := range brackets {
			if len(b.value) > 0 {
				found[b.script(p)] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// node is a coefficient: a constant; or a sum of other ones, each alone or times another, and then
// times 1 + e. rounding is the number of e, or 0.
type node struct {
	c        number // what it is without roundings
	sum      []pair
	rounding int
	hash     uint64 // hash of its form: equal for coefficients that differ in the numbers of roundings
}

// pair is a product of two coefficients; the second may be nil.
type pair struct {
	x, y  *node
	minus bool
}

type part struct {
	*node
	wide number // what the monomial of computed inputs is at most, relative to its maximum
}

type bracket struct {
	bound *node
	value []part
}

// expansion writes values as sums of monomials.
type expansion struct {
	*state
	chosen  choice
	memo    map[int]map[string]*node
	entries map[string]number // how far atoms are from their exact values
	count   int
}

func (x *expansion) rounding() int {
	x.count++
	return x.count
}

func (x *expansion) of(v int) map[string]*node {
	if found, ok := x.memo[v]; ok {
		return found
	}
	found := x.expand(v)
	x.memo[v] = found
	return found
}

func constantNode(c number) *node { return newNode(&node{c: c}) }

// newNode sets the exact value and the form of a node.
func newNode(n *node) *node {
	h := fnv.New64a()
	if n.sum == nil {
		fmt.Fprint(h, dyadic(n.c))
		n.hash = h.Sum64()
		return n
	}
	slices.SortStableFunc(n.sum, func(a, b pair) int {
		switch x, y := a.hash(), b.hash(); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
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
		fmt.Fprint(h, p.hash(), " ")
	}
	fmt.Fprint(h, n.rounding > 0)
	n.hash = h.Sum64()
	return n
}

func (p pair) hash() uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, p.minus, p.x.hash)
	if p.y != nil {
		fmt.Fprint(h, p.y.hash)
	}
	return h.Sum64()
}

// rounded returns sums, by monomial, times 1 + e with one e.
func rounded(sums map[string][]pair, rounding int) map[string]*node {
	found := map[string]*node{}
	for m, all := range sums {
		if len(all) == 1 && rounding == 0 && all[0].y == nil && !all[0].minus {
			found[m] = all[0].x
			continue
		}
		found[m] = newNode(&node{sum: all, rounding: rounding})
	}
	return found
}

func (x *expansion) expand(v int) map[string]*node {
	o := x.Ops[v]
	if x.ends(v) && o.Code != "const" {
		for name, t := range x.value(v, x.chosen).terms {
			if x.entries == nil {
				x.entries = map[string]number{}
			}
			x.entries[name] = t.e
			return map[string]*node{name: constantNode(from(1))}
		}
	}
	if w := x.factors(v); w != nil { // fl(|x y|)
		m := join("|"+x.nameOf(w[0])+"|", "|"+x.nameOf(w[1])+"|")
		return rounded(map[string][]pair{m: {{x: constantNode(from(1))}}}, x.rounding())
	}
	sums := map[string][]pair{}
	switch o.Code {
	case "const":
		if o.Value == 0 {
			return nil
		}
		sums[""] = []pair{{x: constantNode(from(o.Value))}}
		if t := x.value(v, x.chosen).term(""); t.e.Sign() > 0 {
			return rounded(sums, x.rounding())
		}
		return rounded(sums, 0)
	case "add", "sub":
		a, b := x.of(o.Args[0]), x.of(o.Args[1])
		for m, k := range a {
			sums[m] = append(sums[m], pair{x: k})
		}
		for m, k := range b {
			sums[m] = append(sums[m], pair{x: k, minus: o.Code == "sub"})
		}
		if len(a) > 0 && len(b) > 0 {
			return rounded(sums, x.rounding())
		}
		return rounded(sums, 0)
	case "mul":
		a, b := x.of(o.Args[0]), x.of(o.Args[1])
		for _, m := range slices.Sorted(maps.Keys(a)) {
			for _, n := range slices.Sorted(maps.Keys(b)) {
				both := join(m, n)
				sums[both] = append(sums[both], pair{x: a[m], y: b[n]})
			}
		}
		if !x.value(o.Args[0], x.chosen).isPower() && !x.value(o.Args[1], x.chosen).isPower() {
			return rounded(sums, x.rounding())
		}
		return rounded(sums, 0)
	case "neg":
		for m, k := range x.of(o.Args[0]) {
			sums[m] = []pair{{x: k, minus: true}}
		}
		return rounded(sums, 0)
	case "min", "max":
		return x.of(o.Args[x.chosen[v]])
	}
	return x.of(o.Args[0]) // abs is of a maximum, flip changes the sign alone.
}

// writer writes coefficients. Roundings and definitions are numbered as they appear, so that equal
// brackets of different components are equal texts.
type writer struct {
	names       map[int]string
	known       map[*node]string
	definitions strings.Builder
	ranges      []string
	u           string
}

func (w *writer) rounding(r int) string {
	if w.names[r] == "" {
		w.names[r] = fmt.Sprintf("e%d", len(w.names)+1)
		w.ranges = append(w.ranges, fmt.Sprintf("%s in [-%s,%s]", w.names[r], w.u, w.u))
	}
	return "(1+" + w.names[r] + ")"
}

// write returns the name of a coefficient, or its number.
func (w *writer) write(n *node) string {
	if name, ok := w.known[n]; ok {
		return name
	}
	if n.sum == nil {
		return dyadic(n.c)
	}
	var terms strings.Builder
	for i, p := range n.sum {
		if sign := map[bool]string{true: " - ", false: " + "}[p.minus]; i > 0 || p.minus {
			terms.WriteString(sign)
		}
		terms.WriteString(w.write(p.x))
		if p.y != nil {
			terms.WriteString("*" + w.write(p.y))
		}
	}
	text := terms.String()
	if n.rounding > 0 {
		text = "(" + text + ")*" + w.rounding(n.rounding)
	}
	name := fmt.Sprintf("k%d", len(w.known)+1)
	w.known[n] = name
	fmt.Fprintf(&w.definitions, "%s = %s;\n", name, text)
	return name
}

// script writes the bracket for Gappa.
func (b *bracket) script(p *Program) string {
	w := &writer{names: map[int]string{}, known: map[*node]string{}, u: dyadic(p.u())}
	slices.SortStableFunc(b.value, func(x, y part) int {
		switch {
		case x.hash < y.hash:
			return -1
		case x.hash > y.hash:
			return 1
		}
		return 0
	})
	bound := w.write(b.bound)
	var value []string
	for i, t := range b.value {
		q, off := fmt.Sprintf("q%d", i+1), fmt.Sprintf("w%d", i+1)
		wide, most := dyadic(t.wide), dyadic(addUp(t.wide, from(-1)))
		w.ranges = append(w.ranges, fmt.Sprintf("%s in [-%s,%s]", q, wide, wide),
			fmt.Sprintf("%s in [-%s,%s]", off, most, most))
		value = append(value, fmt.Sprintf("(%s*(%s - %s) + %s*%s)", q, w.write(t.node), dyadic(t.c), dyadic(t.c), off))
	}
	slack := dyadic(mulUp(p.u(), power(-6)))
	return fmt.Sprintf("%sB = %s - %s;\nE = %s;\n{ %s\n  -> B - E >= 0 /\\ B + E >= 0 }\n",
		w.definitions.String(), bound, slack, strings.Join(value, " + "), strings.Join(w.ranges, "\n  /\\ "))
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

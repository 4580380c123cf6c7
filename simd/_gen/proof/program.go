package proof

import (
	"fmt"
	"slices"
	"strings"
)

// Op is an operation of a program. Its arguments are operations before it.
type Op struct {
	// Code is "input", "const", "add", "sub", "mul", "div" by a constant, "min", "max", a
	// comparison "lt", "le", "gt", "ge", "abs" of the first argument, "neg" of it, "flip" of it by
	// the sign of the second, or "other".
	Code  string
	Args  []int
	Name  string  // Name of an input, or of a constant that has one.
	Value float64 // Value of a constant.
}

// Program is the operations of a kernel with what its inputs are.
type Program struct {
	Name   string
	Single bool // Numbers are float32.
	Ops    []Op

	Entry float64 // Entry is how far an input may be from its exact value, relative to its maximum.
	// Limit: every input is at most 2^Limit, and a separation, or three times one, at most eight
	// times that. Beyond, no test holds: |f| is at most the normal or the direction times the
	// limit.
	Limit   int
	Weights []string
	// Offs is, for inputs that are not off by Entry, how far they may be from their exact values,
	// relative to their maxima. Maxima are inputs that are no less than others in magnitude. Claims
	// are tests without a comparison.
	Offs   map[string]float64
	Maxima map[string]string
	Claims []Test
	// Shares are inputs that are parts of a whole: numbers that are not negative, off by Offs of
	// themselves.
	Shares map[string]Share
	// Spread: the magnitude of a computed value is followed as a sum, not taken as the number it
	// is. What is subtracted from a sum with such magnitudes must be final (package source sees to
	// it).
	Spread bool

	ranges map[int]number
}

// Share says of which whole an input is a part. The inputs of a whole, each over its Most, add up
// to at most 1, exactly and as they are computed.
type Share struct {
	Of   string
	Most float64
}

// u is the relative error of an operation, eta the absolute one of a product that underflows.
func (p *Program) u() number {
	if p.Single {
		return power(-24)
	}
	return power(-53)
}

func (p *Program) eta() number {
	if p.Single {
		return power(-150)
	}
	return power(-1075)
}

// least is what a maximum counts as at least, in single precision.
func (p *Program) least() number {
	if p.Single {
		return power(-100)
	}
	return nil
}

// slack is the factor by which a separation was increased before.
func (p *Program) slack() number {
	if p.Single {
		return addUp(from(1), power(-19))
	}
	return addUp(from(1), power(-48))
}

func (p *Program) entry() number { return from(p.Entry) }

// off returns how far an input may be from its exact value.
func (p *Program) off(name string) number {
	if x, ok := p.Offs[name]; ok {
		return from(x)
	}
	return p.entry()
}

func (p *Program) isConst(v int) bool { return p.Ops[v].Code == "const" }

// leaves returns the values whose magnitudes v is the maximum of, and whether it is one.
func (p *Program) leaves(v int) (found []int, ok bool) {
	switch o := p.Ops[v]; {
	case o.Code == "abs":
		return o.Args[:1], true
	case o.Code == "const" && strings.HasPrefix(o.Name, "least"):
		return nil, true
	case o.Code == "max":
		x, okX := p.leaves(o.Args[0])
		y, okY := p.leaves(o.Args[1])
		found = append(slices.Clone(x), y...)
		slices.Sort(found)
		return slices.Compact(found), okX && okY && len(found) > 0
	}
	return nil, false
}

// weight reports whether v is a time in [0, 1], or one less such a time.
func (p *Program) weight(v int) bool {
	switch o := p.Ops[v]; o.Code {
	case "input":
		return slices.Contains(p.Weights, o.Name)
	case "sub":
		one := p.Ops[o.Args[0]]
		return one.Code == "const" && one.Value == 1 && p.weight(o.Args[1])
	}
	return false
}

// Blend is a convex combination of inputs by weights of time.
type Blend struct {
	Names   []string // Names of the inputs, sorted.
	Weights []string // Weights: the inputs that they are, or that they are one less of.

	depth, roundings int
}

// lerp returns the blend of x + t (y - x), of inputs or blends x and y and a time t.
//
// With |x|, |y| <= A the difference is (y - x)(1 + e1), the product t (y - x)(1 + e1)(1 + e2), off
// by at most 2A (2u + u^2), and the sum rounds by u (A + 2A (2u + u^2)): together at most ((1 +
// u)^5 - 1) A.
func (p *Program) lerp(o Op) (b Blend, ok bool) {
	m := p.Ops[o.Args[1]]
	if m.Code != "mul" {
		return Blend{}, false
	}
	for i, t := range m.Args {
		d := p.Ops[m.Args[1-i]]
		if !p.weight(t) || d.Code != "sub" || d.Args[1] != o.Args[0] {
			continue
		}
		x, okX := p.blended(d.Args[1])
		y, okY := p.blended(d.Args[0])
		if !okX || !okY {
			continue
		}
		b = Blend{Names: append(slices.Clone(x.Names), y.Names...),
			Weights:   append(append(slices.Clone(x.Weights), y.Weights...), p.Ops[t].Name),
			depth:     max(x.depth, y.depth) + 1,
			roundings: max(x.roundings, y.roundings) + 5}
		for _, names := range []*[]string{&b.Names, &b.Weights} {
			slices.Sort(*names)
			*names = slices.Compact(*names)
		}
		return b, true
	}
	return Blend{}, false
}

// blended returns the inputs that v blends; an input blends itself.
//
// The weights of the two are 1 - t and t, in this order, and the first input of the one is not
// after that of the other: a blend with its ends exchanged is none.
func (p *Program) blended(v int) (b Blend, ok bool) {
	o := p.Ops[v]
	if o.Code == "input" {
		return Blend{Names: []string{o.Name}}, true
	}
	if o.Code != "add" {
		return Blend{}, false
	}
	if b, ok := p.lerp(o); ok {
		return b, true
	}
	var first [2]string
	var weights [2]int
	for i, a := range o.Args {
		m := p.Ops[a]
		if m.Code != "mul" || !p.weight(m.Args[1]) {
			return Blend{}, false
		}
		x, ok := p.blended(m.Args[0])
		if !ok {
			return Blend{}, false
		}
		first[i], weights[i] = x.Names[0], m.Args[1]
		b.Names = append(b.Names, x.Names...)
		b.Weights = append(b.Weights, x.Weights...)
		b.depth, b.roundings = max(b.depth, x.depth+1), max(b.roundings, x.roundings+3)
	}
	b.Weights = append(b.Weights, p.Ops[weights[1]].Name)
	for _, names := range []*[]string{&b.Names, &b.Weights} {
		slices.Sort(*names)
		*names = slices.Compact(*names)
	}
	return b, first[0] < first[1] && p.complement(weights[0], weights[1])
}

// complement reports whether the weight v is one less the weight w: by the operations, or by their
// names.
func (p *Program) complement(v, w int) bool {
	x, y := p.Ops[v], p.Ops[w]
	if x.Code == "sub" {
		return x.Args[1] == w
	}
	return x.Name == "w0" && y.Name == "w1"
}

// size returns a number that the magnitude of the computed value v does not exceed.
func (p *Program) size(v int) number {
	if r, ok := p.ranges[v]; ok {
		return r
	}
	if p.ranges == nil {
		p.ranges = map[int]number{}
	}
	o, up := p.Ops[v], addUp(from(1), p.u())
	var r number
	b, isBlend := p.blended(v)
	share, isShare := p.Shares[o.Name]
	switch {
	case p.weight(v):
		r = from(1)
	case isShare && o.Code == "input":
		r = from(share.Most)
	case o.Code == "input" && strings.HasPrefix(o.Name, "sep"):
		r = power(p.Limit + 3)
	case isBlend:
		r = addUp(mulUp(power(p.Limit), growth(p.u(), b.roundings)), mulUp(from(float64(2*b.depth)), p.eta()))
	case o.Code == "const":
		r = magnitude(from(o.Value))
	case o.Code == "add" || o.Code == "sub":
		r = mulUp(addUp(p.size(o.Args[0]), p.size(o.Args[1])), up)
	case o.Code == "mul":
		r = addUp(mulUp(mulUp(p.size(o.Args[0]), p.size(o.Args[1])), up), p.eta())
	case o.Code == "div":
		r = addUp(mulUp(divUp(p.size(o.Args[0]), magnitude(from(p.Ops[o.Args[1]].Value))), up), p.eta())
	case o.Code == "min" || o.Code == "max":
		r = larger(p.size(o.Args[0]), p.size(o.Args[1]))
	case o.Code == "abs" || o.Code == "neg" || o.Code == "flip":
		r = p.size(o.Args[0])
	case strings.HasPrefix(o.Code, "pair_"):
		r = p.sizeOfPair(o)
	default:
		panic(fmt.Sprintf("proof: operation %d of %s is %q, whose range is not known", v, p.Name, o.Code))
	}
	p.ranges[v] = r
	return r
}

// below returns v and all that it is computed from.
func (p *Program) below(v int) map[int]bool {
	seen := map[int]bool{}
	var visit func(int)
	visit = func(v int) {
		if !seen[v] {
			seen[v] = true
			for _, a := range p.Ops[v].Args {
				visit(a)
			}
		}
	}
	visit(v)
	return seen
}

// Test is a comparison of a value with a bound.
type Test struct {
	At, Value, Bound int
	// Spare is what the claim allows beyond the bound, for what underflows; 0 where the bound pays.
	Spare float64
}

// Tests returns the comparisons with what is no constant.
func (p *Program) Tests() (tests []Test) {
	for i, o := range p.Ops {
		switch o.Code {
		case "gt", "ge", "lt", "le":
			if !p.isConst(o.Args[1]) {
				tests = append(tests, Test{At: i, Value: o.Args[0], Bound: o.Args[1]})
			}
		}
	}
	return append(tests, p.Claims...)
}

// guards returns the values that must be at least a constant for a test to count, and the
// constants.
func (p *Program) guards() map[int]number {
	found := map[int]number{}
	for _, o := range p.Ops {
		if o.Code == "ge" && p.isConst(o.Args[1]) {
			found[o.Args[0]] = from(p.Ops[o.Args[1]].Value)
		}
	}
	return found
}

// Constants returns the named constants in the bound of a test, sorted.
func (p *Program) Constants(t Test) (names []string) {
	for v := range p.below(t.Bound) {
		if o := p.Ops[v]; o.Code == "const" && o.Name != "" && !strings.HasPrefix(o.Name, "least") {
			names = append(names, o.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Largest returns an upper bound of all values that a test is computed from, as an exponent of two.
// The separation and what is computed from it are left out: where they overflow, no test holds.
func (p *Program) Largest() int {
	most := 0
	for _, t := range p.Tests() {
		for _, v := range []int{t.Value, t.Bound} {
			for w := range p.below(v) {
				switch p.Ops[w].Code {
				case "add", "sub", "mul", "pair_plus", "pair_minus", "pair_times", "pair_scaled", "pair_twice",
					"pair_dd_plus", "pair_dd_minus", "pair_dd_times", "pair_dd_scaled":
					if !p.separated(w) {
						most = max(most, p.size(w).MantExp(nil))
					}
				}
			}
		}
	}
	return most
}

// separated reports whether v depends on a separation.
func (p *Program) separated(v int) bool {
	for w := range p.below(v) {
		if o := p.Ops[w]; o.Code == "input" && strings.HasPrefix(o.Name, "sep") {
			return true
		}
	}
	return false
}

// Fresh returns the program without what was computed of it, for a program whose operations were
// changed.
func (p Program) Fresh() *Program {
	p.ranges = nil
	return &p
}

// Reaches reports whether a test depends on the operation v other than through its directions.
func (p *Program) Reaches(t Test, v int) bool {
	cut := p.directions(p.positive(t.Bound))
	seen := map[int]bool{}
	var visit func(int) bool
	visit = func(w int) bool {
		if _, isCut := cut[w]; isCut || seen[w] {
			return false
		}
		seen[w] = true
		return w == v || slices.ContainsFunc(p.Ops[w].Args, visit)
	}
	return visit(t.Value) || visit(t.Bound)
}

package source

import (
	"fmt"
	"go/token"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"ccd/simd/gen/proof"
)

// run is one way through a function.
type run struct {
	module      *Module
	ops         []proof.Op
	known       map[string]int
	exact       map[operation]bool // inputs that are the doubles they are
	nonnegative map[operation]bool
	offs        map[string]float64   // how far inputs are from their exact values, in roundings
	entries     map[string][3]string // sums and differences of exact inputs
	maxima      map[string]string
	decisions   []bool
	taken       int
	hooks       map[string]func([]value) value
	times       map[operation]bool // numbers in [0, 1]
	weights     []string
	spread      bool               // magnitudes of computed values are sums
	spreads     map[operation]bool // what contains such magnitudes
	final       map[operation]bool // what contains a difference of such magnitudes
	claims      []claim
	quotients   bool // quotients are operations, of which claims take the parts
	depth       int
}

type claim struct {
	value, bound operation
	spare        float64
}

// stopped ends a way where a function begins that need not be read.
type stopped struct{}

// decided returns a truth. Where it depends on numbers, both answers are followed, in other runs.
func (r *run) decided(v value) truth {
	if t, ok := v.(truth); ok {
		return t
	}
	if _, ok := v.(operation); !ok {
		panic(unknown("a condition %T", v))
	}
	if r.taken == len(r.decisions) {
		r.decisions = append(r.decisions, false)
	}
	r.taken++
	return truth(r.decisions[r.taken-1])
}

// Scene prepares arguments in a run, and calls functions with them.
type Scene struct {
	r    *run
	unit *unit
}

// Input returns a new input of a name, which is exact.
func (s *Scene) Input(name string) any {
	v := s.r.op(proof.Op{Code: "input", Name: name})
	s.r.offs[name] = 0
	s.r.exact[v] = true
	return v
}

// Size returns an input that is not negative.
func (s *Scene) Size(name string) any {
	v := s.Input(name).(operation)
	s.r.nonnegative[v] = true
	delete(s.r.exact, v)
	return v
}

// Time returns an exact input in [0, 1]; one less it is a number of its own.
func (s *Scene) Time(name string) any {
	v := s.Input(name).(operation)
	s.r.nonnegative[v], s.r.times[v] = true, true
	return v
}

// Weight returns a time that blends, as t in x + t (y - x), or that only multiplies.
func (s *Scene) Weight(name string) any {
	v := s.Size(name)
	s.r.times[v.(operation)] = true
	s.r.weights = append(s.r.weights, name)
	return v
}

// Off returns an input that is off by some roundings of its maximum, which is an input too; "" is
// the magnitude of the input.
func (s *Scene) Off(name string, roundings float64, maximum string) any {
	v := s.Input(name).(operation)
	delete(s.r.exact, v)
	s.r.offs[name] = roundings
	if maximum != "" {
		s.r.maxima[name] = maximum
	}
	return v
}

// OffSize returns an input that is not negative, and off by some roundings of itself.
func (s *Scene) OffSize(name string, roundings float64) any {
	v := s.Off(name, roundings, "").(operation)
	s.r.nonnegative[v] = true
	return v
}

// Zero2 returns n arrays of m zeros.
func (s *Scene) Zero2(n, m int) any {
	a := &array{}
	for range n {
		b := &array{}
		for range m {
			b.cells = append(b.cells, &cell{whole(0)})
		}
		a.cells = append(a.cells, &cell{b})
	}
	return a
}

// Vector returns three inputs, or what make returns for the names.
func (s *Scene) Vector(name string, make func(name string) any) any {
	a := &array{}
	for k := range 3 {
		a.cells = append(a.cells, &cell{make(fmt.Sprintf("%s[%d]", name, k))})
	}
	return a
}

// Inputs returns n exact inputs.
func (s *Scene) Inputs(name string, n int) any {
	a := &array{}
	for k := range n {
		a.cells = append(a.cells, &cell{s.Input(fmt.Sprintf("%s[%d]", name, k))})
	}
	return a
}

// Whole returns a whole number.
func (s *Scene) Whole(n int) any { return whole(n) }

// Zero returns the zero value of a type of the package.
func (s *Scene) Zero(typeName string) any { return s.r.zeroNamed(s.unit, typeName) }

// Value returns a constant or a variable of the package.
func (s *Scene) Value(name string) any { return copied(s.r.valueOf(s.unit, name)) }

// Pointer returns a pointer to a value.
func (s *Scene) Pointer(v any) any { return pointer{&cell{v}} }

// Set sets a field or an element, as in "Lines.Mp[2]". Where a pointer is on the way, its target.
func (s *Scene) Set(v any, path string, to any) { *s.at(v, path) = cell{to} }

// Get returns a field or an element.
func (s *Scene) Get(v any, path string) any { return s.at(v, path).v }

func (s *Scene) at(v any, path string) *cell {
	c := &cell{v}
	for _, part := range strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(".[]", r) }) {
		switch x := followed(c.v).(type) {
		case *record:
			c = x.fields[part]
		case *array:
			i, err := strconv.Atoi(part)
			if err != nil || i >= len(x.cells) {
				panic(unknown("%s has no element %s", path, part))
			}
			c = x.cells[i]
		}
		if c == nil {
			panic(unknown("%s has no part %s", path, part))
		}
	}
	return c
}

// Call calls a function of the package; a method's receiver comes first, as "Type.name".
func (s *Scene) Call(name string, args ...any) any {
	var receiver *cell
	values := make([]value, len(args))
	for i, a := range args {
		values[i] = a
	}
	if strings.Contains(name, ".") {
		if p, ok := values[0].(pointer); ok {
			receiver = p.to
		} else {
			receiver = &cell{values[0]}
		}
		values = values[1:]
	}
	return s.r.function(s.unit, name, receiver, values)
}

// Claim says that a value is within a bound of what it is without rounding. A claim of a value less
// a bound, as it is computed, is about the value.
func (s *Scene) Claim(v, bound any) {
	s.ClaimWith(v, bound, 0)
}

// ClaimWith is Claim with what may underflow beyond the bound.
func (s *Scene) ClaimWith(v, bound any, spare float64) {
	s.r.claims = append(s.r.claims, claim{s.r.number(v), s.r.number(bound), spare})
}

// Hook calls a function in place of one of the module.
func (s *Scene) Hook(full string, f func(args []any) any) {
	s.r.hooks[full] = func(args []value) value {
		values := make([]any, len(args))
		for i, a := range args {
			values[i] = a
		}
		return f(values)
	}
}

// Results returns several results of a hook.
func Results(v ...any) any {
	t := make(tuple, len(v))
	for i, x := range v {
		t[i] = x
	}
	return t
}

// Plus and Minus return the sum and the difference of two numbers, as rounded.
func (s *Scene) Plus(x, y any) any  { return s.r.arithmetic(token.ADD, x, y) }
func (s *Scene) Minus(x, y any) any { return s.r.arithmetic(token.SUB, x, y) }

// Of returns the scene in another package.
func (s *Scene) Of(path string) *Scene { return &Scene{s.r, s.r.module.unit(path)} }

// Number returns a constant that is a double.
func (s *Scene) Number(x float64) any { return literal{Rat: new(big.Rat).SetFloat64(x)} }

// Pairs takes operations on double-doubles of a type of the package, with the fields H and L, as
// one operation each: methods Add, Sub, Mul and, with a number, Times. What they lose is proven by
// Gappa.
func (s *Scene) Pairs(typeName string) {
	for method, code := range map[string]string{"Add": "plus", "Sub": "minus", "Mul": "times", "Times": "scaled"} {
		s.Hook(s.unit.path+"."+typeName+"."+method, func(args []any) any {
			var parts []int
			for _, a := range args {
				if x, ok := a.(*record); ok {
					parts = append(parts, int(s.r.number(x.fields["H"].v)), int(s.r.number(x.fields["L"].v)))
					continue
				}
				parts = append(parts, int(s.r.number(a)))
			}
			d := s.Zero(typeName)
			for field, part := range map[string]string{"H": "high", "L": "low"} {
				s.Set(d, field, s.r.op(proof.Op{Code: "pair_dd_" + code, Args: parts, Name: part}))
			}
			return d
		})
	}
}

// Pair returns a double-double of two inputs, NAME.h and NAME.l, which is exact.
func (s *Scene) Pair(typeName, name string) any {
	d := s.Zero(typeName)
	for field, part := range map[string]string{"H": ".h", "L": ".l"} {
		x := s.Input(name + part).(operation)
		delete(s.r.exact, x)
		s.Set(d, field, x)
	}
	return d
}

// Less takes apart a value from which its bound was subtracted last.
func (s *Scene) Less(v any) (value, bound any) {
	o := s.r.ops[v.(operation)]
	if o.Code != "sub" {
		panic(unknown("no bound was subtracted last"))
	}
	return operation(o.Args[0]), operation(o.Args[1])
}

// Quotients takes quotients of numbers as they are. No claim may be about one, but about its parts.
func (s *Scene) Quotients() { s.r.quotients = true }

// Parts returns the arguments of the operation that computes a number.
func (s *Scene) Parts(v any) (parts []any) {
	for _, a := range s.r.ops[s.r.number(v)].Args {
		parts = append(parts, operation(a))
	}
	return parts
}

// Magnitude returns the magnitude of a number.
func (s *Scene) Magnitude(x any) any { return s.r.magnitude(x) }

// Bound returns a number of roundings times a maximum, for a claim of which the text has no bound.
func (s *Scene) Bound(roundings float64, maximum any) any {
	c := s.r.op(proof.Op{Code: "const", Name: "claimed", Value: roundings * 0x1p-53})
	tiny := s.r.op(proof.Op{Code: "const", Name: "tiny", Value: 0x1p-1000})
	return s.r.make("add", s.r.make("mul", c, s.r.number(maximum)), tiny)
}

// Larger returns the larger magnitude of two numbers.
func (s *Scene) Larger(x, y any) any { return s.r.extreme("max", s.r.magnitude(x), s.r.magnitude(y)) }

// Program is one way through a function, as operations, with the sums and differences of exact
// inputs that are inputs of their own.
type Program struct {
	*proof.Program
	Entries   map[string][3]string
	Sizes     map[string]bool // Sizes are inputs that are not negative, Times those in [0, 1].
	Times     map[string]bool
	decisions []bool
}

// Reading says what of a package is read, and how.
type Reading struct {
	Path  string // Path is that of the package.
	Limit int    // No input exceeds 2^Limit.
	// Stops are functions, with the paths of their packages, at which a way ends.
	Stops []string
	// Spread: magnitudes of computed values are followed as sums.
	Spread bool
	// Ways are the answers to the conditions of the ways to follow; nil are all.
	Ways  [][]bool
	Scene func(*Scene)
}

// Run follows the ways through a reading's scene and returns their operations.
func (m *Module) Run(q *Reading) (all []Program, err error) {
	defer func() {
		if e := recover(); e != nil {
			what, ok := e.(unknownError)
			if !ok {
				panic(e)
			}
			err = what
		}
	}()
	for _, way := range q.Ways {
		all = append(all, m.run(q, way))
	}
	if len(q.Ways) > 0 {
		return all, nil
	}
	var decisions []bool
	for len(all) < 4096 {
		p := m.run(q, decisions)
		all = append(all, p)
		decisions = p.decisions
		for len(decisions) > 0 && decisions[len(decisions)-1] {
			decisions = decisions[:len(decisions)-1]
		}
		if len(decisions) == 0 {
			return all, nil
		}
		decisions[len(decisions)-1] = true
	}
	return nil, unknown("more than %d ways", len(all))
}

func (m *Module) run(q *Reading, decisions []bool) Program {
	r := &run{module: m, known: map[string]int{}, exact: map[operation]bool{}, nonnegative: map[operation]bool{},
		times: map[operation]bool{}, spreads: map[operation]bool{}, final: map[operation]bool{},
		offs: map[string]float64{}, entries: map[string][3]string{}, maxima: map[string]string{},
		decisions: slices.Clone(decisions), hooks: map[string]func([]value) value{}, spread: q.Spread}
	for _, s := range q.Stops {
		r.hooks[s] = func([]value) value { panic(stopped{}) }
	}
	r.follow(func() { q.Scene(&Scene{r, m.unit(q.Path)}) })
	sizes, times := map[string]bool{}, map[string]bool{}
	for v := range r.nonnegative {
		sizes[r.ops[v].Name] = r.nonnegative[v]
		times[r.ops[v].Name] = r.times[v]
	}
	return Program{r.program(q), r.entries, sizes, times, r.decisions[:r.taken]}
}

// follow runs a scene up to its end or to a function that stops it.
func (r *run) follow(scene func()) {
	defer func() {
		if e := recover(); e != nil {
			if _, ok := e.(stopped); !ok {
				panic(e)
			}
		}
	}()
	scene()
}

func (r *run) program(q *Reading) *proof.Program {
	p := &proof.Program{Name: q.Path, Ops: r.ops, Limit: q.Limit, Offs: map[string]float64{}, Maxima: r.maxima,
		Weights: r.weights, Spread: q.Spread}
	for n, k := range r.offs {
		p.Offs[n] = k * 0x1p-53
		p.Entry = max(p.Entry, k*0x1p-53)
	}
	for _, c := range r.claims {
		p.Claims = append(p.Claims, proof.Test{At: int(c.value), Value: int(c.value), Bound: int(c.bound),
			Spare: c.spare})
	}
	return p
}

package source

import (
	"fmt"
	"go/token"
	"math/big"

	"ccd/simd/gen/proof"
)

// op returns an operation; of equal ones there is one.
func (r *run) op(o proof.Op) operation {
	key := fmt.Sprintf("%s %v %s %x", o.Code, o.Args, o.Name, o.Value)
	if i, ok := r.known[key]; ok {
		return operation(i)
	}
	r.ops = append(r.ops, o)
	r.known[key] = len(r.ops) - 1
	return operation(len(r.ops) - 1)
}

func (r *run) make(code string, args ...operation) operation {
	o := proof.Op{Code: code}
	spreads, final := false, false
	for _, a := range args {
		o.Args = append(o.Args, int(a))
		spreads, final = spreads || r.spreads[a], final || r.final[a]
	}
	z := r.op(o)
	r.spreads[z], r.final[z] = spreads, final
	return z
}

// number returns a number as an operation. A literal without a name that is no double stands for a
// real number that is rounded.
func (r *run) number(v value) operation {
	switch v := v.(type) {
	case operation:
		return v
	case literal:
		if v.inf {
			panic(unknown("an infinite number is computed with"))
		}
		x, exact := v.Float64()
		n := v.name
		if k := x * 0x1p53; n == "" && exact && !v.IsInt() {
			if n = fmt.Sprint(x); k >= 1 && k < 0x1p20 {
				n = fmt.Sprintf("%g U", k)
			}
		}
		return r.op(proof.Op{Code: "const", Name: n, Value: x})
	}
	panic(unknown("%T is no number", v))
}

func isZero(v value) bool {
	l, ok := v.(literal)
	return ok && !l.inf && l.Sign() == 0
}

func isOne(v value) bool {
	l, ok := v.(literal)
	return ok && !l.inf && l.Cmp(big.NewRat(1, 1)) == 0
}

// arithmetic returns x op y.
func (r *run) arithmetic(op token.Token, x, y value) value {
	a, okA := x.(literal)
	b, okB := y.(literal)
	if okA && okB && !a.inf && !b.inf {
		return folded(op, a, b)
	}
	switch {
	case op == token.ADD && isZero(x), op == token.MUL && isOne(x):
		return y
	case (op == token.ADD || op == token.SUB) && isZero(y), (op == token.MUL || op == token.QUO) && isOne(y):
		return x
	case op == token.SUB && isZero(x):
		return r.negative(y)
	case op == token.SUB && x == y:
		return whole(0)
	case op == token.MUL && (isZero(x) || isZero(y)):
		return whole(0)
	case op == token.MUL && okA && a.Sign() < 0:
		return r.negative(r.arithmetic(op, r.negative(x), y))
	case op == token.MUL && okB && b.Sign() < 0:
		return r.negative(r.arithmetic(op, x, r.negative(y)))
	}
	v, w := r.number(x), r.number(y)
	if r.final[v] || r.final[w] {
		panic(unknown("a difference of magnitudes is computed with"))
	}
	switch op {
	case token.ADD, token.SUB:
		if (r.exact[v] || isOne(x)) && r.exact[w] {
			return r.entry(op, v, w)
		}
		z := r.make(map[token.Token]string{token.ADD: "add", token.SUB: "sub"}[op], v, w)
		r.final[z] = op == token.SUB && r.spreads[z]
		return z
	case token.MUL:
		return r.product(v, w)
	case token.QUO:
		if okB || r.quotients {
			return r.make(map[bool]string{true: "div", false: "quotient"}[okB], v, w)
		}
	}
	panic(unknown("%s of operations", op))
}

// product returns x y. A number that contains magnitudes of computed values is multiplied by
// numbers without an error alone.
func (r *run) product(x, y operation) operation {
	for _, p := range [][2]operation{{x, y}, {y, x}} {
		if !r.spreads[p[0]] {
			continue
		}
		if o := r.ops[p[1]]; r.spread && o.Code != "const" && (o.Code != "input" || r.offs[o.Name] != 0) {
			panic(unknown("a magnitude is multiplied by what has an error"))
		}
	}
	return r.make("mul", x, y)
}

// entry returns the sum or difference of two exact inputs, which is off by one rounding of itself.
func (r *run) entry(op token.Token, v, w operation) operation {
	x, y := r.ops[v].Name, r.ops[w].Name
	if r.ops[v].Code == "const" {
		x = "1"
	}
	n := "(" + x + op.String() + y + ")"
	r.offs[n] = 1
	r.entries[n] = [3]string{x, op.String(), y}
	z := r.op(proof.Op{Code: "input", Name: n})
	r.nonnegative[z] = x == "1" && r.times[w] // One less a time.
	return z
}

func folded(op token.Token, a, b literal) value {
	x := new(big.Rat)
	switch op {
	case token.ADD:
		x.Add(a.Rat, b.Rat)
	case token.SUB:
		x.Sub(a.Rat, b.Rat)
	case token.MUL:
		x.Mul(a.Rat, b.Rat)
	case token.QUO:
		x.Quo(a.Rat, b.Rat)
	case token.REM:
		x.SetInt(new(big.Int).Rem(a.Num(), b.Num()))
	case token.OR:
		x.SetInt(new(big.Int).Or(a.Num(), b.Num()))
	case token.SHL:
		x.SetInt(new(big.Int).Lsh(a.Num(), uint(b.Num().Uint64())))
	default:
		panic(unknown("%s of constants", op))
	}
	return literal{Rat: x}
}

func (r *run) negative(v value) value {
	if l, ok := v.(literal); ok {
		return literal{Rat: new(big.Rat).Neg(l.Rat)}
	}
	x := r.number(v)
	if o := r.ops[x]; o.Code == "neg" {
		return operation(o.Args[0])
	}
	return r.make("neg", x)
}

// magnitude returns |v|. That of a product is the product of the magnitudes.
func (r *run) magnitude(v value) value {
	if l, ok := v.(literal); ok {
		return literal{Rat: new(big.Rat).Abs(l.Rat)}
	}
	x := r.number(v)
	switch o := r.ops[x]; {
	case r.positive(x):
		return x
	case o.Code == "neg":
		return r.magnitude(operation(o.Args[0]))
	case o.Code == "const":
		return r.op(proof.Op{Code: "const", Name: o.Name, Value: -o.Value})
	case o.Code == "mul":
		return r.make("mul", r.number(r.magnitude(operation(o.Args[0]))), r.number(r.magnitude(operation(o.Args[1]))))
	}
	z := r.make("abs", x)
	o := r.ops[x]
	r.spreads[z] = r.spread && (o.Code != "input" || r.maxima[o.Name] != "")
	return z
}

// positive reports whether an operation is known not to be negative.
func (r *run) positive(v operation) bool {
	o := r.ops[v]
	arg := func(i int) bool { return r.positive(operation(o.Args[i])) }
	switch o.Code {
	case "abs":
		return true
	case "const":
		return o.Value >= 0
	case "input":
		return r.nonnegative[v]
	case "mul", "add", "min":
		return arg(0) && arg(1)
	case "max":
		return arg(0) || arg(1)
	}
	return false
}

// extreme returns the larger or the smaller of two numbers.
func (r *run) extreme(code string, x, y value) value {
	a, okA := x.(literal)
	b, okB := y.(literal)
	switch {
	case okA && a.inf && code == "min":
		return y
	case okB && b.inf && code == "min":
		return x
	case okA && okB:
		if (a.Cmp(b.Rat) > 0) == (code == "max") {
			return a
		}
		return b
	case x == y:
		return x
	case code == "max" && isZero(x) && r.positive(r.number(y)):
		return y
	case code == "max" && isZero(y) && r.positive(r.number(x)):
		return x
	}
	return r.make(code, r.leaf(x), r.leaf(y))
}

// leaf returns an input that is not negative as its magnitude, so that a maximum is one of
// magnitudes.
func (r *run) leaf(v value) operation {
	x := r.number(v)
	if r.ops[x].Code == "input" && r.nonnegative[x] {
		return r.make("abs", x)
	}
	return x
}

// integer returns a constant that is a whole number.
func (r *run) integer(v value) int {
	l, ok := v.(literal)
	if !ok || !l.IsInt() {
		panic(unknown("a number that is computed stands where a whole one is needed"))
	}
	return int(l.Num().Int64())
}

package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// longest is the length beyond which an expression becomes a variable.
const longest = 90

// writer writes the body of one function: values that are read once stand where they are read.
type writer struct {
	*program
	uses []int
	name []string // name[v] is the name of value v, or empty if v has none.
	n    int
	out  strings.Builder
}

// text returns the body of a function that returns the values.
func (p *program) text(result []value, s *shape) string {
	w := &writer{program: p, uses: make([]int, len(p.ops)), name: make([]string, len(p.ops))}
	w.count(result, s)
	for i := range p.ops {
		w.statement(value(i))
	}
	answer := ""
	if s.fields == nil && w.ops[result[0]].code != opPart && w.ops[result[0]].code != opConstant &&
		w.name[result[0]] == "" {
		answer = w.operator(&w.ops[result[0]]) // An answer stays one expression at any length.
	} else {
		answer = w.group(result, s)
	}
	fmt.Fprintf(&w.out, "    return %s;\n", answer)
	return w.out.String()
}

// count finds how often each value is read: a variable once for every part of it that stands in the
// text.
func (w *writer) count(result []value, s *shape) {
	w.read(result, s)
	for i := len(w.ops) - 1; i >= 0; i-- {
		o := &w.ops[i]
		switch {
		case w.uses[i] == 0 && o.code != opReturnIf || o.code == opPart:
		case o.code == opGroup:
			w.read(o.args, o.shape)
		case o.code == opCall:
			args := o.args
			for _, a := range o.list {
				q := w.unit.shape(a.of)
				w.read(args[:q.size], q)
				args = args[q.size:]
			}
		default:
			for _, v := range o.args {
				w.read([]value{v}, number)
			}
		}
	}
}

// read counts what group prints.
func (w *writer) read(v []value, s *shape) {
	if _, whole := w.path(v, s); whole {
		if o := &w.ops[v[0]]; o.code == opPart {
			w.uses[o.args[0]]++
		} else {
			w.uses[v[0]]++
		}
		return
	}
	for _, q := range s.parts {
		w.read(v[:q.size], q)
		v = v[q.size:]
	}
}

// statement writes what has to stand on a line of its own.
func (w *writer) statement(v value) {
	o := &w.ops[v]
	switch {
	case o.code == opReturnIf:
		fmt.Fprintf(&w.out, "    if (%s) return %d;\n", w.expression(o.args[0]), o.bits)
	case o.code == opParameter:
		w.name[v] = o.name
	case w.uses[v] > 1 && o.code != opConstant && o.code != opPart && !w.trivial(v):
		w.variable(v, w.expression(v))
	}
}

// trivial values may be written twice.
func (w *writer) trivial(v value) bool {
	o := &w.ops[v]
	return o.code == opBitXor && w.isConstant(o.args[1], 1<<63) && w.name[o.args[0]] != ""
}

func (w *writer) variable(v value, text string) string {
	name := fmt.Sprintf("v%d", w.n)
	w.n++
	fmt.Fprintf(&w.out, "    const %s %s = %s;\n", w.typeOf(v), name, text)
	w.name[v] = name
	return name
}

func (w *writer) typeOf(v value) string {
	switch o := &w.ops[v]; {
	case o.code == opCall:
		return o.callee.result.name
	case o.code == opGroup:
		return o.shape.name
	case w.isMask(v):
		return "int"
	}
	return "double"
}

// expression returns a value as it stands in another one; it is made a variable first if it is
// long.
func (w *writer) expression(v value) string {
	if w.name[v] != "" {
		return w.name[v]
	}
	o := &w.ops[v]
	switch o.code {
	case opConstant:
		return w.constantText(o)
	case opPart:
		return w.partText(v)
	}
	text := w.operator(o)
	if w.uses[v] == 1 && len(text) > longest {
		return w.variable(v, text)
	}
	return text
}

// nested returns an expression in parentheses unless it is a name or a call.
func (w *writer) nested(v value) string {
	text := w.expression(v)
	depth := 0
	for i, c := range text {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth == 0 && (c == ' ' || (c == '-' || c == '!') && i == 0):
			return "(" + text + ")"
		}
	}
	return text
}

var infix = map[opcode]string{opAdd: "+", opSub: "-", opDiv: "/", opLess: "<", opLessEq: "<=", opGreater: ">",
	opGreaterEq: ">=",
	opAnd:       "&&", opOr: "||"}

var prefix = map[opcode]string{opMul: "CCDK_MUL", opMin: "ccdk_min", opMax: "ccdk_max", opFma: "CCDK_FMA",
	opBitAnd: "ccdk_bits_and",
	opBitXor: "ccdk_bits_xor", opIntAdd: "ccdk_bits_add", opIntSub: "ccdk_bits_sub"}

func (w *writer) operator(o *operation) string {
	if sign, ok := infix[o.code]; ok {
		return w.nested(o.args[0]) + " " + sign + " " + w.nested(o.args[1])
	}
	switch {
	case o.code == opBitAnd && w.isConstant(o.args[1], math.MaxInt64):
		return "CCDK_ABS(" + w.expression(o.args[0]) + ")"
	case o.code == opBitAnd && w.isConstant(o.args[1], 1<<63):
		return "ccdk_sign_bit(" + w.expression(o.args[0]) + ")"
	case o.code == opBitXor && w.isConstant(o.args[1], 1<<63):
		return "-" + w.nested(o.args[0])
	case o.code == opPick:
		return fmt.Sprintf("%s ? %s : %s", w.nested(o.args[0]), w.nested(o.args[2]), w.nested(o.args[1]))
	case o.code == opAndNot:
		return fmt.Sprintf("!%s && %s", w.nested(o.args[0]), w.nested(o.args[1]))
	case o.code == opFms:
		return fmt.Sprintf("CCDK_FMA(%s, %s, -%s)",
			w.expression(o.args[0]), w.expression(o.args[1]), w.nested(o.args[2]))
	case o.code == opFalse:
		return "0"
	case o.code == opNot:
		return "!" + w.nested(o.args[0])
	case o.code == opGroup:
		return w.group(o.args, o.shape)
	case o.code == opCall:
		return w.callText(o)
	}
	name, ok := prefix[o.code]
	if !ok {
		panic(fmt.Sprintf("code %d has no text", o.code))
	}
	list := make([]string, len(o.args))
	for i, v := range o.args {
		list[i] = w.expression(v)
	}
	return name + "(" + strings.Join(list, ", ") + ")"
}

func (w *writer) callText(o *operation) string {
	var list []string
	args := o.args
	for _, a := range o.list {
		s := w.unit.shape(a.of)
		list = append(list, w.group(args[:s.size], s))
		args = args[s.size:]
	}
	return o.callee.name + "(" + strings.Join(list, ", ") + ")"
}

// group returns a variable, a part of one, or a constructor.
func (w *writer) group(v []value, s *shape) string {
	if s.fields == nil {
		return w.expression(v[0])
	}
	if _, whole := w.path(v, s); whole {
		root := w.ops[v[0]].args[0]
		return w.expression(root) + w.suffix(w.rootShape(root), int(w.ops[v[0]].bits), s)
	}
	var list []string
	for _, q := range s.parts {
		list = append(list, w.group(v[:q.size], q))
		v = v[q.size:]
	}
	return maker(s) + "(" + strings.Join(list, ", ") + ")"
}

func (w *writer) partText(v value) string {
	root := w.ops[v].args[0]
	s := w.rootShape(root)
	leaf := number
	if w.leaf(s, int(w.ops[v].bits)) == logical {
		leaf = logical
	}
	return w.expression(root) + w.suffix(s, int(w.ops[v].bits), leaf)
}

// path reports whether the values are a part of one variable that has the shape.
func (p *program) path(v []value, s *shape) (root value, whole bool) {
	if s.fields == nil {
		return v[0], true
	}
	first := &p.ops[v[0]]
	if first.code != opPart {
		return 0, false
	}
	for k, x := range v {
		o := &p.ops[x]
		if o.code != opPart || o.args[0] != first.args[0] || o.bits != first.bits+uint64(k) {
			return 0, false
		}
	}
	root = first.args[0]
	return root, p.find(p.rootShape(root), int(first.bits), s)
}

func (p *program) rootShape(root value) *shape {
	if o := &p.ops[root]; o.code == opCall {
		return o.callee.result
	}
	return p.ops[root].shape
}

// find reports whether a part of shape s begins at the number k of a variable.
func (p *program) find(in *shape, k int, s *shape) bool {
	for in != s || k != 0 {
		i := 0
		for i < len(in.parts) && k >= in.parts[i].size {
			k -= in.parts[i].size
			i++
		}
		if i == len(in.parts) {
			return false
		}
		in = in.parts[i]
	}
	return true
}

// suffix names the part of shape s that begins at the number k.
func (p *program) suffix(in *shape, k int, s *shape) (text string) {
	for in != s || k != 0 {
		i := 0
		for k >= in.parts[i].size {
			k -= in.parts[i].size
			i++
		}
		text += "." + in.fields[i]
		in = in.parts[i]
	}
	return text
}

// leaf returns the type of the number k.
func (p *program) leaf(in *shape, k int) *shape {
	for in.fields != nil {
		i := 0
		for k >= in.parts[i].size {
			k -= in.parts[i].size
			i++
		}
		in = in.parts[i]
	}
	return in
}

// isMask reports whether a value is a mask.
func (p *program) isMask(v value) bool {
	switch o := &p.ops[v]; o.code {
	case opFalse:
		return true
	case opLess, opLessEq, opGreater, opGreaterEq, opAnd, opOr, opAndNot, opNot:
		return true
	case opCall:
		return o.callee.result == logical
	case opPart:
		return p.leaf(p.rootShape(o.args[0]), int(o.bits)) == logical
	}
	return false
}

func (p *program) isConstant(v value, bits uint64) bool {
	o := &p.ops[v]
	return o.code == opConstant && o.bits == bits
}

// constantText writes decimals, which C++ before 2017 reads as well: 17 digits name one double.
func (w *writer) constantText(o *operation) string {
	if o.name != "" {
		return w.unit.bound(o.name)
	}
	x := math.Float64frombits(o.bits)
	switch {
	case o.bits == 1:
		return "CCDK_FLOAT(1)"
	case math.IsInf(x, 1):
		return "CCDK_FLOAT(0x7ff0000000000000)"
	case math.IsNaN(x) || math.IsInf(x, -1) || o.bits == 1<<63:
		panic("no text for this constant")
	}
	return decimal(x)
}

// decimal returns x in the least number of digits that name it alone.
func decimal(x float64) string {
	s := strconv.FormatFloat(x, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

// macro returns the name in C of a constant of simd: CCDK_AXIS_BOUND for axisBound.
func macro(name string) string {
	var b strings.Builder
	b.WriteString("CCDK_")
	for _, c := range name {
		if unicode.IsUpper(c) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToUpper(c))
	}
	return b.String()
}

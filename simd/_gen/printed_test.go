package main

import (
	"fmt"
	"math"

	"ccd/simd/gen/proof"

	. "github.com/mmcloughlin/avo/operand"
)

// proofCodes are the operations whose rounding package proof knows.
var proofCodes = map[opcode]string{opInput: "input", opBroadcast: "input", opConstant: "const", opAdd: "add",
	opSub: "sub", opMul: "mul", opMin: "min", opMax: "max", opLess: "lt", opLessEq: "le", opGreater: "gt",
	opGreaterEq: "ge"}

// printed returns a program's operations as package proof takes them.
func (p *program) printed(name string) *proof.Program {
	q := &proof.Program{Name: name, Single: p.single, Entry: 0x1p-53, Limit: 250,
		Weights: []string{"w0", "w1", "start", "end"}}
	if p.single { // From doubles, and with an underflow of 2^-150, which is at most 2^-50 of a maximum.
		q.Entry, q.Limit = 0x1p-24+0x1p-52+0x1p-50, 30
	}
	for i := range p.ops {
		q.Ops = append(q.Ops, p.printedOp(i))
	}
	programOf[q] = p
	return q
}

// programOf are the programs that were printed.
var programOf = map[*proof.Program]*program{}

func (p *program) printedOp(i int) proof.Op {
	o := p.ops[i]
	args := make([]int, len(o.args))
	for k, a := range o.args {
		args[k] = int(a)
	}
	code, ok := proofCodes[o.code]
	switch {
	case o.code == opInput || o.code == opBroadcast:
		return proof.Op{Code: code, Name: o.at.Symbol.Name}
	case o.code == opConstant:
		return proof.Op{Code: code, Name: o.name, Value: p.number(i)}
	case o.code == opKept:
		return proof.Op{Code: o.name, Args: args, Name: []string{"high", "low"}[o.bits]}
	case o.code == opBitAnd && p.isBits(o.args[1], false):
		return proof.Op{Code: "abs", Args: args[:1]}
	case o.code == opBitXor && p.isBits(o.args[1], true):
		return proof.Op{Code: "neg", Args: args[:1]}
	case o.code == opBitXor && p.isSign(o.args[1]):
		return proof.Op{Code: "flip", Args: args}
	case !ok:
		return proof.Op{Code: "other", Args: args}
	}
	return proof.Op{Code: code, Args: args}
}

// number returns the value of a constant.
func (p *program) number(i int) float64 {
	if p.single {
		return float64(math.Float32frombits(uint32(p.ops[i].bits)))
	}
	return math.Float64frombits(p.ops[i].bits)
}

// isMask reports whether v is the constant of the sign's bit, or of all other bits.
func (p *program) isBits(v value, sign bool) bool {
	o := p.ops[v]
	want := uint64(math.MaxInt64)
	if p.single {
		want = math.MaxInt32
	}
	if sign {
		want++
	}
	if p.single {
		want |= want << 32
	}
	return o.code == opConstant && o.bits == want
}

func (p *program) isSign(v value) bool {
	o := p.ops[v]
	return o.code == opBitAnd && p.isBits(o.args[1], true)
}

func inputCalled(name string) Mem { return Mem{Symbol: Symbol{Name: name}} }

func (p *program) vectorOf(name string) vector3 {
	return p.each(func(k int) value { return p.load(inputCalled(name + "xyz"[k:k+1])) })
}

func (p *program) motions() (m [3]motion3) {
	for v := range m {
		for end := range m[v] {
			m[v][end] = p.vectorOf(fmt.Sprintf("%c%d", "ABC"[v], end))
		}
	}
	return m
}

func (p *program) separationOf() *separation {
	return &separation{p.broadcast(inputCalled("sep")), p.broadcast(inputCalled("sep3"))}
}

// printedFilter is the program of linear.FilterVF and its like.
func printedFilter(kind string, single, part bool) *proof.Program {
	p := newProgram(nil, 512, nil)
	p.single = single
	m, weights, s, name := p.motions(), [2]value{}, (*separation)(nil), "filter"
	if part {
		weights, s, name = p.weightsOf(), p.separationOf(), "filterPart"
	}
	p.filter(kind, m, weights, s, nil)
	return p.printed(name + precision(single) + kind)
}

func (p *program) weightsOf() [2]value {
	return [2]value{p.broadcast(inputCalled("w0")), p.broadcast(inputCalled("w1"))}
}

func precision(single bool) string {
	if single {
		return "32"
	}
	return ""
}

// printedCurve is the program of curve.FilterVF and its like.
func printedCurve(kind string, degree int, single, part bool) *proof.Program {
	p := newProgram(nil, 512, nil)
	p.single = single
	q := &curve{degree: degree}
	for v, to := range []*[]vector3{&q.a, &q.b, &q.c} {
		for i := range degree + 1 {
			*to = append(*to, p.vectorOf(fmt.Sprintf("%c%d", "ABC"[v], i)))
		}
	}
	q.measure(p)
	var s *separation
	name := fmt.Sprintf("curved%s%d%s", precision(single), degree, kind)
	if part {
		w := p.weightsOf()
		q.cut(p, w[0], w[1])
		name = fmt.Sprintf("curvedPart%s%d%s", precision(single), degree, kind)
	}
	if part || single {
		s = p.separationOf()
	}
	if single {
		p.curved32(kind, q, s, part, nil)
	} else {
		p.curved(kind, q, s, nil)
	}
	return p.printed(name)
}

// printedTurns is the program of the kernels of pieces of time.
func printedTurns(kind string, apart bool) *proof.Program {
	p := newProgram(nil, 512, nil)
	m, name := p.motions(), "turns"
	var sep func() value
	if apart {
		sep, name = func() value { return p.broadcast(inputCalled("sep")) }, "turnsApart"
	}
	p.turns(kind, m, inputCalled("start"), inputCalled("end"), sep, nil)
	q := p.printed(name + kind)
	q.Limit = 150 // largestPiece
	return q
}

// printedCrossing is the program of still.FilterEF.
func printedCrossing() *proof.Program {
	p := newProgram(nil, 512, nil)
	k := &edgeFace{still: &still{program: p}}
	k.decide([4]vector3{p.vectorOf("B"), p.vectorOf("C"), p.vectorOf("P"), p.vectorOf("Q")}, nil, nil)
	q := p.printed("crossing")
	q.Limit = 502
	return q
}

// printedRoots is the program that decides whether the cubic of a piece has a root, in
// double-doubles.
func printedRoots() *proof.Program {
	p := keepingPairs()
	var m [3]exactMotion
	for v := range m {
		for end := range m[v] {
			for k := range 3 {
				name := fmt.Sprintf("%c%d%c", "ABC"[v], end, "xyz"[k])
				m[v][end][k] = double{p.load(inputCalled(name + ".h")), p.load(inputCalled(name + ".l"))}
			}
		}
	}
	s := textState()
	s.start, s.end = inputCalled("start"), inputCalled("end")
	p.isolate(m, s, nil, nil)
	return p.printed("roots")
}

// printedKernels are the programs whose bounds are proven here.
func printedKernels() (all []*proof.Program) {
	for _, kind := range []string{"VF", "EE"} {
		for _, single := range []bool{false, true} {
			for _, part := range []bool{false, true} {
				all = append(all, printedFilter(kind, single, part))
				for _, degree := range []int{2, 3} {
					all = append(all, printedCurve(kind, degree, single, part))
				}
			}
		}
		all = append(all, printedTurns(kind, false), printedTurns(kind, true))
	}
	for _, kind := range []string{"VF", "EE"} {
		all = append(all, printedNear(kind), printedAlong(kind), printedPlaces(kind), printedPieces(kind, false),
			printedPieces(kind, true))
	}
	return append(all, printedCrossing(), printedRoots(), printedTimes(2), printedTimes(3))
}

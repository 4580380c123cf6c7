package main

import (
	"math"

	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A program is straight-line arithmetic on float64, written once as a list of operations on values
// that are assigned once. machine.go emits it as vector instructions, one query per lane: registers
// of 512 bits (8 lanes, 32 registers, masks in K registers) or 256 bits (4 lanes, 16 registers,
// masks in vectors).
type program struct {
	c      *build.Context
	w      int  // 512 or 256
	single bool // numbers are float32, twice as many lanes
	frame  *frame
	ops    []operation
	exit   string // the label to which leave jumps

	// The following fields are for text (text.go), which has no memory: places are names of values,
	// and masks are kept in order.
	unit   *unit
	groups map[string]value
	places map[string]value
	masks  []value

	kept map[string]bool // calls of which a proof knows what they are off by
}

// value is the result of the operation of that number.
type value int

// operation is one step of a program. Those of portable code have the same meaning for every
// printer.
type operation struct {
	code opcode
	args []value
	bits uint64 // the bits of a constant
	at   Mem    // the place of an input or a store
	to   reg.Register
	full uint64  // the mask with which opLeave leaves
	how  lowered // the instructions, chosen by lower; given beforehand for opMachine

	name   string // the name of a constant of simd, or of a parameter
	callee *function
	list   []argument
	shape  *shape
}

type opcode uint8

const (
	opMachine   opcode = iota // anything that only one instruction set has
	opInput                   // a vector in memory that stays as it is while the program runs
	opBroadcast               // one double in memory in every lane
	opConstant
	opAdd
	opSub
	opMul
	opDiv
	opMin // the first argument where it is less than the second, else the second
	opMax
	opSqrt
	opFma // a*b + c, rounded once
	opFms // a*b - c, rounded once
	opLess
	opLessEq
	opGreater
	opGreaterEq
	opAnd // combines masks
	opOr
	opAndNot
	opBitAnd // combines the bits of numbers
	opBitXor
	opIntAdd // adds the bits of numbers as integers
	opIntSub
	opPick  // mask, b, a: a where the mask holds, else b
	opStore // writes a vector
	opBits  // moves a mask to a general register
	opLeave // opBits, and a jump to the exit if all lanes are set

	// The following are used for text alone.
	opParameter
	opPart  // a part of a parameter, a call or a group
	opGroup // a variable made of values
	opCall
	opReturnIf // returns bits where the mask holds
	opNot
	opFalse

	opKept // a part of the result of a call, which a proof takes as one operation
)

func newProgram(c *build.Context, w int, f *frame) *program { return &program{c: c, w: w, frame: f} }

func (p *program) lanes() int {
	if p.single {
		return p.w / 32
	}
	return p.w / 64
}

func (p *program) bytes() int { return p.w / 8 }

func (p *program) push(o operation) value {
	p.ops = append(p.ops, o)
	return value(len(p.ops) - 1)
}

func (p *program) op(code opcode, args ...value) value {
	return p.push(operation{code: code, args: args})
}

// load returns a vector in memory that stays as it is while the program runs.
func (p *program) load(m Mem) value {
	if p.unit != nil {
		return p.places[m.Symbol.Name]
	}
	return p.push(operation{code: opInput, at: m})
}

// broadcast loads one double into every lane.
func (p *program) broadcast(m Mem) value { return p.push(operation{code: opBroadcast, at: m}) }

// constant returns x in every lane, pattern the double of these bits.
func (p *program) constant(x float64) value {
	if p.single {
		return p.twice(math.Float32bits(float32(x)))
	}
	return p.pattern(math.Float64bits(x))
}
func (p *program) pattern(bits uint64) value {
	return p.push(operation{code: opConstant, bits: bits})
}

func (p *program) add(a, b value) value { return p.op(opAdd, a, b) }
func (p *program) sub(a, b value) value { return p.op(opSub, a, b) }
func (p *program) mul(a, b value) value { return p.op(opMul, a, b) }
func (p *program) div(a, b value) value { return p.op(opDiv, a, b) }

// min returns a where a < b, else b; max is a where a > b, else b.
func (p *program) min(a, b value) value { return p.op(opMin, a, b) }
func (p *program) max(a, b value) value { return p.op(opMax, a, b) }

func (p *program) abs(a value) value {
	if p.single {
		return p.bitAnd(a, p.twice(math.MaxInt32))
	}
	return p.bitAnd(a, p.pattern(math.MaxInt64))
}
func (p *program) neg(a value) value  { return p.bitXor(a, p.signBit()) }
func (p *program) sign(a value) value { return p.bitAnd(a, p.signBit()) }

// signBit returns the sign of every lane.
func (p *program) signBit() value {
	if p.single {
		return p.twice(1 << 31)
	}
	return p.pattern(1 << 63)
}

// twice returns the float32 of these bits in every lane.
func (p *program) twice(bits uint32) value { return p.pattern(uint64(bits)<<32 | uint64(bits)) }

func (p *program) sqrt(a value) value { return p.op(opSqrt, a) }

// fma returns a*b + c, fms is a*b - c, each rounded once.
func (p *program) fma(a, b, c value) value { return p.op(opFma, a, b, c) }
func (p *program) fms(a, b, c value) value { return p.op(opFms, a, b, c) }

// Comparisons are false where an argument is NaN.
func (p *program) less(a, b value) value      { return p.op(opLess, a, b) }
func (p *program) lessEq(a, b value) value    { return p.op(opLessEq, a, b) }
func (p *program) greater(a, b value) value   { return p.op(opGreater, a, b) }
func (p *program) greaterEq(a, b value) value { return p.op(opGreaterEq, a, b) }

func (p *program) and(a, b value) value { return p.op(opAnd, a, b) }
func (p *program) or(a, b value) value  { return p.op(opOr, a, b) }

// not and falsehood are used for text alone.
func (p *program) not(a value) value { return p.op(opNot, a) }
func (p *program) falsehood() value  { return p.op(opFalse) }

// andNot returns b and not a, in the order of the instructions.
func (p *program) andNot(a, b value) value { return p.op(opAndNot, a, b) }

// bitAnd and bitXor combine the bits of two numbers; intAdd and intSub take them as integers.
func (p *program) bitAnd(a, b value) value { return p.op(opBitAnd, a, b) }
func (p *program) bitXor(a, b value) value { return p.op(opBitXor, a, b) }
func (p *program) intAdd(a, b value) value { return p.op(opIntAdd, a, b) }
func (p *program) intSub(a, b value) value { return p.op(opIntSub, a, b) }

// pick returns a where the mask holds, else b.
func (p *program) pick(mask, a, b value) value { return p.op(opPick, mask, b, a) }

// store writes a vector to memory.
func (p *program) store(v value, m Mem) {
	if p.unit != nil {
		p.places[m.Symbol.Name] = v
		return
	}
	p.push(operation{code: opStore, args: []value{v}, at: m})
}

// bits moves a mask to a general register, one bit per lane.
func (p *program) bits(mask value, to reg.Register) {
	if p.unit != nil {
		p.masks = append(p.masks, mask)
		return
	}
	p.push(operation{code: opBits, args: []value{mask}, to: to})
}

// leave jumps to the exit with the mask in a general register if every lane is set.
func (p *program) leave(mask value, to reg.Register, full uint64) {
	p.push(operation{code: opLeave, args: []value{mask}, to: to, full: full})
}

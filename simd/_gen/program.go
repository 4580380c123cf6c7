package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A program is straight-line arithmetic on vectors of float64, one query per lane. It is written once, as a list of
// operations on values that are assigned once, and emitted for registers of 512 bits (8 lanes, 32 registers, masks in K
// registers) or 256 bits (4 lanes, 16 registers, masks in vectors). Avo allocates registers but cannot spill; these
// programs are too large for the register file, so program allocates vectors itself: in order, evicting the value whose
// next use is farthest (Belady 1966), which is optimal for straight-line code up to the cost of stores.
type program struct {
	c     *build.Context
	w     int // 512 or 256
	frame *frame
	ops   []operation
	exit  string // where leave jumps to
}

// value is the result of the operation of that number.
type value int

type operation struct {
	args   []value
	mask   bool                   // the result lives in a K register (512 bits only)
	source Mem                    // not zero: the value is in memory and may be fetched again at any time
	fetch  func(m Mem, dst Op)    // how to fetch it; nil: a plain load, which an instruction can fold
	fold   bool                   // the last argument may be a memory operand
	inout  bool                   // the result replaces the last argument
	emit   func(src []Op, dst Op) // dst is nil if nothing results
	result bool
}

func newProgram(c *build.Context, w int, f *frame) *program { return &program{c: c, w: w, frame: f} }

func (p *program) lanes() int { return p.w / 64 }
func (p *program) bytes() int { return p.w / 8 }

func (p *program) push(o operation) value {
	p.ops = append(p.ops, o)
	return value(len(p.ops) - 1)
}

// load is a vector in memory that stays as it is while the program runs.
func (p *program) load(m Mem) value { return p.push(operation{source: m, result: true}) }

// broadcast is one double in memory in every lane.
func (p *program) broadcast(m Mem) value {
	return p.push(operation{source: m, fetch: func(m Mem, dst Op) { p.c.VBROADCASTSD(m, dst) }, result: true})
}

// constant is x in every lane.
func (p *program) constant(x float64) value { return p.load(constant(p.c, x)) }

func (p *program) binary(ins func(...Op), a, b value) value {
	return p.push(operation{args: []value{a, b}, fold: true, result: true,
		emit: func(s []Op, d Op) { ins(s[1], s[0], d) }})
}

func (p *program) add(a, b value) value { return p.binary(p.c.VADDPD, a, b) }
func (p *program) sub(a, b value) value { return p.binary(p.c.VSUBPD, a, b) }
func (p *program) mul(a, b value) value { return p.binary(p.c.VMULPD, a, b) }
func (p *program) div(a, b value) value { return p.binary(p.c.VDIVPD, a, b) }

// min is a where a < b, else b; max is a where a > b, else b.
func (p *program) min(a, b value) value { return p.binary(p.c.VMINPD, a, b) }
func (p *program) max(a, b value) value { return p.binary(p.c.VMAXPD, a, b) }

func (p *program) abs(a value) value {
	return p.binary(p.c.VANDPD, a, p.load(pattern(p.c, math.MaxInt64)))
}
func (p *program) neg(a value) value { return p.binary(p.c.VXORPD, a, p.load(pattern(p.c, 1<<63))) }

func (p *program) sqrt(a value) value {
	return p.push(operation{args: []value{a}, fold: true, result: true, emit: func(s []Op, d Op) { p.c.VSQRTPD(s[0], d) }})
}

// fma is a*b + c, fms is a*b - c, each rounded once.
func (p *program) fma(a, b, c value) value { return p.fused(p.c.VFMADD231PD, a, b, c) }
func (p *program) fms(a, b, c value) value { return p.fused(p.c.VFMSUB231PD, a, b, c) }

func (p *program) fused(ins func(...Op), a, b, c value) value {
	return p.push(operation{args: []value{a, b, c}, inout: true, result: true,
		emit: func(s []Op, d Op) { ins(s[1], s[0], d) }})
}

// Comparisons are false where an argument is NaN.
func (p *program) less(a, b value) value      { return p.compare(ltOQ, a, b) }
func (p *program) lessEq(a, b value) value    { return p.compare(leOQ, a, b) }
func (p *program) greater(a, b value) value   { return p.compare(gtOQ, a, b) }
func (p *program) greaterEq(a, b value) value { return p.compare(geOQ, a, b) }

func (p *program) compare(predicate Constant, a, b value) value {
	return p.push(operation{args: []value{a, b}, fold: true, result: true, mask: p.w == 512,
		emit: func(s []Op, d Op) { p.c.VCMPPD(predicate, s[1], s[0], d) }})
}

func (p *program) and(a, b value) value { return p.logic(p.c.KANDB, p.c.VANDPD, a, b) }
func (p *program) or(a, b value) value  { return p.logic(p.c.KORB, p.c.VORPD, a, b) }

// andNot is b and not a, in the order of the instructions.
func (p *program) andNot(a, b value) value { return p.logic(p.c.KANDNB, p.c.VANDNPD, a, b) }

func (p *program) logic(k func(k, k1, k2 Op), v func(...Op), a, b value) value {
	if p.w == 512 {
		return p.push(operation{args: []value{a, b}, mask: true, result: true,
			emit: func(s []Op, d Op) { k(s[1], s[0], d) }})
	}
	return p.binary(v, a, b)
}

// pick is a where the mask holds, else b.
func (p *program) pick(mask, a, b value) value {
	return p.push(operation{args: []value{mask, b, a}, fold: true, result: true, emit: func(s []Op, d Op) {
		if p.w == 512 {
			p.c.VBLENDMPD(s[2], s[1], s[0], d)
		} else {
			p.c.VBLENDVPD(s[0], s[2], s[1], d)
		}
	}})
}

// shuffle combines two vectors by an instruction with an immediate.
func (p *program) shuffle(ins func(...Op), imm uint64, a, b value) value {
	return p.binary(func(o ...Op) { ins(append([]Op{Imm(imm)}, o...)...) }, a, b)
}

// integer applies an instruction for 64-bit integers to the bits of two vectors.
func (p *program) integer(ins func(...Op), a, b value) value { return p.binary(ins, a, b) }

// store writes a vector to memory.
func (p *program) store(v value, m Mem) {
	p.push(operation{args: []value{v}, emit: func(s []Op, _ Op) { p.c.VMOVUPD(s[0], m) }})
}

// bits moves a mask to a general register, one bit per lane.
func (p *program) bits(mask value, to reg.Register) {
	p.push(operation{args: []value{mask}, emit: func(s []Op, _ Op) {
		if p.w == 512 {
			p.c.KMOVB(s[0], to)
		} else {
			p.c.VMOVMSKPD(s[0], to)
		}
	}})
}

// leave jumps to the exit with the mask in a general register if every lane is set.
func (p *program) leave(mask value, to reg.Register, full uint64) {
	p.bits(mask, to)
	p.do(func() {
		p.c.CMPL(to, U32(full))
		p.c.JEQ(LabelRef(p.exit))
	})
}

// do runs f between operations: a branch forward out of the program, say.
func (p *program) do(f func()) { p.push(operation{emit: func([]Op, Op) { f() }}) }

// frame hands out aligned memory on the stack of one function.
type frame struct {
	base reg.Register
	size int
	used int
}

// newFrame reserves size bytes. The budget is fixed beforehand, because the stack pointer is rounded down to a cache line
// before it is known what the programs spill.
func newFrame(c *build.Context, size int) *frame {
	m := c.AllocLocal(size + 64)
	base := c.GP64()
	c.LEAQ(m, base)
	c.ADDQ(Imm(63), base)
	c.ANDQ(I8(-64), base)
	return &frame{base: base, size: size}
}

func (f *frame) alloc(n int) Mem {
	m := Mem{Base: f.base, Disp: f.used}
	f.used += n
	if f.used > f.size {
		panic(fmt.Sprintf("frame of %d bytes is too small", f.size))
	}
	return m
}

// constants of the file being written: 64 bytes each, so that either width can fold them.
var constants map[*build.Context]map[uint64]Mem

func constant(c *build.Context, x float64) Mem { return pattern(c, math.Float64bits(x)) }

func pattern(c *build.Context, bits uint64) Mem {
	if constants == nil {
		constants = map[*build.Context]map[uint64]Mem{}
	}
	if constants[c] == nil {
		constants[c] = map[uint64]Mem{}
	}
	m, ok := constants[c][bits]
	if !ok {
		m = c.StaticGlobal(fmt.Sprintf("c%016x", bits))
		c.DataAttributes(attr.RODATA | attr.NOPTR)
		for i := range 8 {
			c.AddDatum(8*i, U64(bits))
		}
		constants[c][bits] = m
	}
	return m
}

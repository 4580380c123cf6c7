package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lowered is how the machine carries out an operation. Avo allocates registers but cannot spill;
// these programs are too large for the register file, so allocate.go assigns vectors itself: in
// order, evicting the value whose next use is farthest (Belady 1966), which is optimal for
// straight-line code up to the cost of stores.
type lowered struct {
	mask   bool                   // the result lives in a K register (512 bits only)
	source Mem                    // not zero: the value is in memory and may be fetched again at any time
	fetch  func(m Mem, dst Op)    // how to fetch it; nil: a plain load, which an instruction can fold
	fold   bool                   // the last argument may be a memory operand
	inout  bool                   // the result replaces the last argument
	emit   func(src []Op, dst Op) // dst is nil if nothing results
	result bool
}

// lower chooses the instructions of every operation.
func (p *program) lower() {
	m := p.instructions()
	for i := range p.ops {
		if o := &p.ops[i]; o.code != opMachine {
			o.how = m.lower(p, o)
		}
	}
}

// instructions are those of 512 or 256 bits.
type instructions struct {
	plain     map[opcode]func(...Op)
	fused     map[opcode]func(...Op)
	predicate map[opcode]Constant
	mask      map[opcode]func(a, b, d Op) // K registers, 512 bits only
}

func (p *program) instructions() *instructions {
	c := p.c
	m := &instructions{
		plain: map[opcode]func(...Op){opAdd: c.VADDPD, opSub: c.VSUBPD, opMul: c.VMULPD, opDiv: c.VDIVPD,
			opMin: c.VMINPD,
			opMax: c.VMAXPD, opBitAnd: c.VANDPD, opBitXor: c.VXORPD, opIntAdd: c.VPADDQ, opIntSub: c.VPSUBQ},
		fused:     map[opcode]func(...Op){opFma: c.VFMADD231PD, opFms: c.VFMSUB231PD},
		predicate: map[opcode]Constant{opLess: ltOQ, opLessEq: leOQ, opGreater: gtOQ, opGreaterEq: geOQ},
	}
	if p.single {
		m.plain = map[opcode]func(...Op){opAdd: c.VADDPS, opSub: c.VSUBPS, opMul: c.VMULPS, opDiv: c.VDIVPS,
			opMin: c.VMINPS,
			opMax: c.VMAXPS, opBitAnd: c.VANDPS, opBitXor: c.VXORPS}
		m.fused = nil
	}
	if p.w == 512 && p.single {
		m.mask = map[opcode]func(a, b, d Op){opAnd: c.KANDW, opOr: c.KORW, opAndNot: c.KANDNW}
	} else if p.w == 512 {
		m.mask = map[opcode]func(a, b, d Op){opAnd: c.KANDB, opOr: c.KORB, opAndNot: c.KANDNB}
	} else {
		m.plain[opAnd], m.plain[opOr], m.plain[opAndNot] = c.VANDPD, c.VORPD, c.VANDNPD
	}
	return m
}

func (m *instructions) lower(p *program, o *operation) lowered {
	c := p.c
	if p.single && (o.code == opSqrt || o.code == opPick) {
		panic("no instruction in single precision")
	}
	switch o.code {
	case opInput:
		return lowered{source: o.at, result: true}
	case opBroadcast:
		return lowered{source: o.at, result: true, fetch: func(m Mem, d Op) {
			if p.single {
				c.VBROADCASTSS(m, d)
			} else {
				c.VBROADCASTSD(m, d)
			}
		}}
	case opConstant:
		return lowered{source: pattern(c, o.bits), result: true}
	case opSqrt:
		return lowered{fold: true, result: true, emit: func(s []Op, d Op) { c.VSQRTPD(s[0], d) }}
	case opStore:
		return lowered{emit: func(s []Op, _ Op) { c.VMOVUPD(s[0], o.at) }}
	case opBits:
		return lowered{emit: func(s []Op, _ Op) { p.moveMask(s[0], o.to) }}
	case opLeave:
		return lowered{emit: func(s []Op, _ Op) {
			p.moveMask(s[0], o.to)
			c.CMPL(o.to, U32(o.full))
			c.JEQ(LabelRef(p.exit))
		}}
	case opPick:
		return lowered{fold: true, result: true, emit: func(s []Op, d Op) {
			if p.w == 512 {
				c.VBLENDMPD(s[2], s[1], s[0], d)
			} else {
				c.VBLENDVPD(s[0], s[2], s[1], d)
			}
		}}
	}
	if ins, ok := m.fused[o.code]; ok {
		return lowered{inout: true, result: true, emit: func(s []Op, d Op) { ins(s[1], s[0], d) }}
	}
	if k, ok := m.predicate[o.code]; ok {
		return lowered{fold: true, result: true, mask: p.w == 512, emit: func(s []Op, d Op) {
			if p.single {
				c.VCMPPS(k, s[1], s[0], d)
			} else {
				c.VCMPPD(k, s[1], s[0], d)
			}
		}}
	}
	if ins, ok := m.mask[o.code]; ok {
		return lowered{mask: true, result: true, emit: func(s []Op, d Op) { ins(s[1], s[0], d) }}
	}
	return two(m.plain[o.code])
}

// two wraps an instruction of two arguments.
func two(ins func(...Op)) lowered {
	return lowered{fold: true, result: true, emit: func(s []Op, d Op) { ins(s[1], s[0], d) }}
}

func (p *program) moveMask(mask, to Op) {
	switch {
	case p.w == 512 && p.single:
		p.c.KMOVW(mask, to)
	case p.w == 512:
		p.c.KMOVB(mask, to)
	case p.single:
		p.c.VMOVMSKPS(mask, to)
	default:
		p.c.VMOVMSKPD(mask, to)
	}
}

// binary returns an instruction that only this machine has.
func (p *program) binary(ins func(...Op), a, b value) value {
	return p.push(operation{args: []value{a, b}, how: two(ins)})
}

// shuffle combines two vectors by an instruction with an immediate.
func (p *program) shuffle(ins func(...Op), imm uint64, a, b value) value {
	return p.binary(func(o ...Op) { ins(append([]Op{Imm(imm)}, o...)...) }, a, b)
}

// do runs f between operations: a branch forward out of the program, say.
func (p *program) do(f func()) {
	p.push(operation{how: lowered{emit: func([]Op, Op) { f() }}})
}

// frame hands out aligned memory on the stack of one function.
type frame struct {
	base reg.Register
	size int
	used int
}

// newFrame reserves size bytes. The budget is fixed beforehand, because the stack pointer is
// rounded down to a cache line before it is known what the programs spill.
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

package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets in patch.Gap; TestGapLayout holds them.
const (
	gapN              = 0
	gapT0, gapT1      = 24, 32
	gapReach, gapLeft = 40, 48
	gapEnd            = 56
	gapA, gapB        = 64, 72
)

// gaps writes the kernels of patch.Gap.Close: for sets of 8 points, and for 8 or 16. The latter
// takes a set of 8 twice, so that both have 16 points; the first of equal points is in the first
// half.
func gaps(c *build.Context) {
	for _, w := range []int{512, 256} {
		for _, k := range []struct {
			size   string
			points int
		}{{"Eight", 8}, {"Sixteen", 16}} {
			name := fmt.Sprintf("gap%s%d", k.size, w)
			begin(c, name, fmt.Sprintf("%s is Close for sets of at most %d points.", name, k.points),
				"func(q *Gap, a *float64, padA int, b *float64, padB int) int", 0)
			newGapKernel(c, w, k.points).write()
		}
	}
}

// gapKernel is the kernel for one width. Where registers suffice projections stay in them.
type gapKernel struct {
	c     *build.Context
	w, n  int // the bits of a register, and the number of registers that have the points of a set
	g     reg.Register
	sides [2]gapSide
}

// gapSide is a set of points.
type gapSide struct {
	pos, vel []Op // the projections
	store    Mem  // where vel is stored
	height   []reg.VecVirtual
}

func newGapKernel(c *build.Context, w, points int) *gapKernel {
	return &gapKernel{c: c, w: w, n: 64 * points / w, g: c.Load(c.Param("q"), c.GP64())}
}

func (k *gapKernel) field(at int) Mem { return Mem{Base: k.g, Disp: at} }

func (k *gapKernel) write() {
	c := k.c
	f := newFrame(c, 512)
	var n [3]reg.VecVirtual
	for i := range n {
		n[i] = vector(c, k.w)
		c.VBROADCASTSD(k.field(gapN+8*i), n[i])
	}
	k.project(0, f, "a", "padA", n)
	sign := pattern(c, 1<<63)
	for i := range n {
		c.VXORPD(sign, n[i], n[i])
	}
	k.project(1, f, "b", "padB", n)

	t, gap, left := vector(c, k.w), c.XMM(), c.GP64()
	c.VBROADCASTSD(k.field(gapT0), t)
	tops := k.tops(t, gap)
	var at [2]reg.GPVirtual
	for s := range at {
		at[s] = k.place(s, tops[s])
		c.MOVQ(at[s], k.field(gapA+8*s))
	}
	state := c.GP64()
	c.XORQ(state, state)
	c.VUCOMISD(k.field(gapLeft), gap)
	c.JBE(LabelRef("done"))

	c.MOVQ(U32(2), state) // The state if the set is apart at once.
	c.MOVQ(U32(16), left)
	c.VBROADCASTSD(k.field(gapT1), t)
	c.Label("again")
	tops = k.tops(t, gap)
	c.VUCOMISD(k.field(gapLeft), gap)
	c.JA(LabelRef("proven"))
	c.MOVQ(U32(1), state)
	for s := range at {
		at[s] = k.place(s, tops[s])
	}
	speed, zero := c.XMM(), c.XMM()
	a, b := k.sides[0].store, k.sides[1].store
	a.Index, a.Scale, b.Index, b.Scale = at[0], 8, at[1], 8
	c.VXORPD(zero, zero, zero)
	c.VMOVSD(b, speed)
	c.VXORPD(sign, speed, speed)
	c.VSUBSD(a, speed, speed)
	c.VUCOMISD(speed, zero)
	c.JBE(LabelRef("stays"))
	twice := c.XMM()
	c.VMOVSD(k.field(gapLeft), twice)
	c.VADDSD(twice, twice, twice)
	c.VSUBSD(twice, gap, gap)
	c.VDIVSD(speed, gap, gap)
	c.VSUBSD(gap, t.AsX(), gap)
	c.VUCOMISD(k.field(gapT0), gap)
	c.JBE(LabelRef("stays"))
	c.VBROADCASTSD(gap, t)
	c.DECQ(left)
	c.JNZ(LabelRef("again"))

	c.Label("stays")
	c.MOVQ(U32(1), state)
	c.VBROADCASTSD(k.field(gapT0), t)
	c.Label("proven")
	c.VMOVSD(t.AsX(), k.field(gapEnd))
	c.Label("done")
	c.Store(state, c.ReturnIndex(0))
	c.VZEROUPPER()
	c.RET()
}

// project projects a set on n.
func (k *gapKernel) project(side int, f *frame, base, pad string, n [3]reg.VecVirtual) {
	c := k.c
	row, half := c.Load(c.Param(base), c.GP64()), c.Load(c.Param(pad), c.GP64())
	stride := c.GP64()
	c.MOVQ(half, stride)
	c.SHLQ(Imm(3), stride)
	c.LEAQ(Mem{Base: stride, Disp: -64}, half) // half is 0 or 64: the offset of the second eight points.
	at := func(r int) Mem {
		byte := r * k.w / 8
		if byte < 64 {
			return Mem{Base: row, Disp: byte}
		}
		return Mem{Base: row, Index: half, Scale: 1, Disp: byte - 64}
	}
	s := &k.sides[side]
	for group := range 2 {
		sum := make([]reg.VecVirtual, k.n)
		term := vector(c, k.w)
		for e := range 3 {
			for r := range sum {
				if e == 0 {
					sum[r] = vector(c, k.w)
					c.VMULPD(at(r), n[e], sum[r])
				} else {
					c.VMULPD(at(r), n[e], term)
					c.VADDPD(term, sum[r], sum[r])
				}
			}
			c.ADDQ(stride, row)
		}
		store := f.alloc(128)
		for r := range sum {
			m := store
			m.Disp += r * k.w / 8
			if k.w == 256 || group == 1 {
				c.VMOVUPD(sum[r], m)
			}
			held := Op(sum[r])
			if k.w == 256 {
				held = m
			}
			if group == 0 {
				s.pos = append(s.pos, held)
			} else {
				s.vel = append(s.vel, held)
			}
		}
		s.store = store
	}
}

// tops computes the heights of all points at t, and returns the greatest of each set; gap is what
// is between them.
func (k *gapKernel) tops(t reg.VecVirtual, gap reg.VecVirtual) (top [2]reg.VecVirtual) {
	c := k.c
	var four [2]reg.VecVirtual
	for i := range k.sides {
		s := &k.sides[i]
		s.height = nil
		for r := range k.n {
			h := vector(c, k.w)
			c.VMULPD(s.vel[r], t, h)
			c.VADDPD(s.pos[r], h, h)
			s.height = append(s.height, h)
		}
		most := s.height[0]
		for _, h := range s.height[1:] {
			next := vector(c, k.w)
			c.VMAXPD(h, most, next)
			most = next
		}
		if k.w == 512 {
			high := c.YMM()
			c.VEXTRACTF64X4(Imm(1), most, high)
			c.VMAXPD(high, most.AsY(), high)
			most = high
		}
		four[i] = most
	}
	low, high := c.YMM(), c.YMM()
	c.VUNPCKLPD(four[1].AsY(), four[0].AsY(), low)
	c.VUNPCKHPD(four[1].AsY(), four[0].AsY(), high)
	c.VMAXPD(high, low, low)
	c.VEXTRACTF128(Imm(1), low, high.AsX())
	c.VMAXPD(high.AsX(), low.AsX(), low.AsX()) // The low half is the maximum of set a, and the high half that of set b.
	top[0], top[1] = low, c.YMM()
	c.VPERMILPD(Imm(1), low.AsX(), top[1].AsX())
	c.VXORPD(pattern(c, 1<<63), top[1].AsX(), gap)
	c.VSUBSD(low.AsX(), gap, gap)
	c.VSUBSD(k.field(gapReach), gap, gap)
	return top
}

// place returns the first point of a set whose height is the greatest.
func (k *gapKernel) place(side int, top reg.VecVirtual) reg.GPVirtual {
	c := k.c
	s := &k.sides[side]
	most, bits, at := vector(c, k.w), c.GP64(), c.GP64()
	c.VBROADCASTSD(top.AsX(), most)
	switch {
	case k.n == 1:
		same := c.K()
		c.VCMPPD(Imm(0), s.height[0], most, same)
		c.KMOVB(same, bits.As32())
	case k.w == 512:
		low, high := c.K(), c.K()
		c.VCMPPD(Imm(0), s.height[0], most, low)
		c.VCMPPD(Imm(0), s.height[1], most, high)
		c.KUNPCKBW(low, high, low)
		c.KMOVW(low, bits.As32())
	default:
		part, same := c.GP64(), c.YMM()
		for r := k.n - 1; r >= 0; r-- {
			c.VCMPPD(Imm(0), s.height[r], most, same)
			if r == k.n-1 {
				c.VMOVMSKPD(same, bits.As32())
				continue
			}
			c.VMOVMSKPD(same, part.As32())
			c.SHLL(Imm(4), bits.As32())
			c.ORL(part.As32(), bits.As32())
		}
	}
	c.BSFL(bits.As32(), at.As32())
	return at
}

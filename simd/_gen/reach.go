package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets in patch.Reach; TestReachLayout holds them.
const (
	reachPos  = 0
	reachVel  = 832
	reachTops = 1664 // two times: a height and a place each
)

// reach writes the loops of Reach: projections with the highest at two times, and the highest at
// another time.
func reach(c *build.Context) {
	for _, w := range []int{512, 256} {
		name := fmt.Sprintf("reachAlong%d", w)
		begin(c, name, name+" is the loop of Along.", "func(x *float64, pad int, n0, n1, n2, t0, t1 float64, r *Reach)",
			attr.NOSPLIT)
		reachAlong(c, w)
		name = fmt.Sprintf("reachAt%d", w)
		begin(c, name, name+" is the loop of At.", "func(r *Reach, pad int, t float64)", attr.NOSPLIT)
		reachAt(c, w)
	}
}

// reachTop keeps the highest of what it is shown, lane by lane, and where it was.
type reachTop struct {
	c        *build.Context
	w        int
	best, at reg.VecVirtual
}

func newReachTop(c *build.Context, w int) *reachTop {
	t := &reachTop{c, w, vector(c, w), vector(c, w)}
	low := c.GP64()
	c.MOVQ(U64(0xfff0000000000000), low) // minus infinity
	c.VMOVQ(low, t.best.AsX())
	c.VBROADCASTSD(t.best.AsX(), t.best)
	c.VXORPD(t.at.AsX(), t.at.AsX(), t.at.AsX())
	return t
}

func (t *reachTop) show(h, place reg.VecVirtual) {
	c := t.c
	if t.w == 512 {
		k := c.K()
		c.VCMPPD(ltOQ, h, t.best, k)
		c.VMOVAPD(h, k, t.best)
		c.VMOVAPD(place, k, t.at)
		return
	}
	m := vector(c, t.w)
	c.VCMPPD(ltOQ, h, t.best, m)
	c.VBLENDVPD(m, h, t.best, t.best)
	c.VBLENDVPD(m, place, t.at, t.at)
}

// store folds the lanes to the highest, of equal ones that of the first point, and writes it.
func (t *reachTop) store(r reg.Register, n int) {
	c := t.c
	best, at := t.best.AsY(), t.at.AsY()
	fold := func(b, a reg.VecVirtual) {
		higher, same, before := c.YMM(), c.YMM(), c.YMM()
		c.VCMPPD(ltOQ, b, best, higher)
		c.VCMPPD(Imm(0), b, best, same)
		c.VCMPPD(ltOQ, at, a, before)
		c.VPAND(same, before, same)
		c.VPOR(same, higher, higher)
		c.VBLENDVPD(higher, b, best, best)
		c.VBLENDVPD(higher, a, at, at)
	}
	if t.w == 512 {
		b, a := c.YMM(), c.YMM()
		c.VEXTRACTF64X4(Imm(1), t.best, b)
		c.VEXTRACTF64X4(Imm(1), t.at, a)
		fold(b, a)
	}
	b, a := c.YMM(), c.YMM()
	c.VPERM2F128(Imm(1), best, best, b)
	c.VPERM2F128(Imm(1), at, at, a)
	fold(b, a)
	c.VPERMILPD(Imm(5), best, b)
	c.VPERMILPD(Imm(5), at, a)
	fold(b, a)
	c.VMOVSD(t.best.AsX(), Mem{Base: r, Disp: reachTops + 16*n})
	c.VMOVSD(t.at.AsX(), Mem{Base: r, Disp: reachTops + 16*n + 8})
}

// reachPlaces returns the numbers of the lanes, and their count.
func reachPlaces(c *build.Context, w int) (place, step reg.VecVirtual) {
	place, step = vector(c, w), vector(c, w)
	c.VMOVUPD(NewDataAddr(NewStaticSymbol("reachLanes"), 0), place)
	c.VBROADCASTSD(NewDataAddr(NewStaticSymbol("reachLanes"), 64+8*(w/512)), step)
	return place, step
}

func reachAlong(c *build.Context, w int) {
	if w == 512 {
		c.StaticGlobal("reachLanes")
		c.DataAttributes(attr.RODATA | attr.NOPTR)
		for k, v := range []float64{0, 1, 2, 3, 4, 5, 6, 7, 4, 8} {
			c.AddDatum(8*k, U64(math.Float64bits(v)))
		}
	}
	x := c.Load(c.Param("x"), c.GP64())
	pad := c.Load(c.Param("pad"), c.GP64())
	r := c.Load(c.Param("r"), c.GP64())
	spread := func(name string) reg.VecVirtual {
		v := vector(c, w)
		a, err := c.Param(name).Resolve()
		if err != nil {
			panic(err)
		}
		c.VBROADCASTSD(a.Addr, v)
		return v
	}
	n := [3]reg.VecVirtual{spread("n0"), spread("n1"), spread("n2")}
	t0, t1 := spread("t0"), spread("t1")
	first, second := newReachTop(c, w), newReachTop(c, w)
	place, step := reachPlaces(c, w)
	stride, row := c.GP64(), c.GP64()
	c.MOVQ(pad, stride)
	c.SHLQ(Imm(3), stride)
	c.MOVQ(x, row)

	c.Label("loop")
	// project returns the product of three rows with n, and leaves row at the fourth.
	project := func() reg.VecVirtual {
		sum, term := vector(c, w), vector(c, w)
		c.VMULPD(Mem{Base: row}, n[0], sum)
		for k := 1; k < 3; k++ {
			c.ADDQ(stride, row)
			c.VMULPD(Mem{Base: row}, n[k], term)
			c.VADDPD(term, sum, sum)
		}
		c.ADDQ(stride, row)
		return sum
	}
	c.MOVQ(x, row)
	p := project()
	v := project()
	c.VMOVUPD(p, Mem{Base: r, Disp: reachPos})
	c.VMOVUPD(v, Mem{Base: r, Disp: reachVel})
	h := vector(c, w)
	c.VMULPD(t0, v, h)
	c.VADDPD(h, p, h)
	first.show(h, place)
	c.VMULPD(t1, v, h)
	c.VADDPD(h, p, h)
	second.show(h, place)
	c.VADDPD(step, place, place)
	c.ADDQ(Imm(uint64(w/8)), x)
	c.ADDQ(Imm(uint64(w/8)), r)
	c.SUBQ(Imm(uint64(w/64)), pad)
	c.JG(LabelRef("loop"))

	c.SUBQ(stride, r)
	first.store(r, 0)
	second.store(r, 1)
	c.VZEROUPPER()
	c.RET()
}

func reachAt(c *build.Context, w int) {
	r := c.Load(c.Param("r"), c.GP64())
	pad := c.Load(c.Param("pad"), c.GP64())
	t := vector(c, w)
	a, err := c.Param("t").Resolve()
	if err != nil {
		panic(err)
	}
	c.VBROADCASTSD(a.Addr, t)
	top := newReachTop(c, w)
	place, step := reachPlaces(c, w)
	at := c.GP64()
	c.MOVQ(r, at)

	c.Label("loop")
	h := vector(c, w)
	c.VMULPD(Mem{Base: at, Disp: reachVel}, t, h)
	c.VADDPD(Mem{Base: at, Disp: reachPos}, h, h)
	top.show(h, place)
	c.VADDPD(step, place, place)
	c.ADDQ(Imm(uint64(w/8)), at)
	c.SUBQ(Imm(uint64(w/64)), pad)
	c.JG(LabelRef("loop"))

	top.store(r, 0)
	c.VZEROUPPER()
	c.RET()
}

package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets in patch.Net; TestNetLayout holds them.
const (
	netPrevious, netNext = 0, 128
	netWeight            = 256
	netHalves            = 384
	netStages, netPad    = 448, 456
)

// halve writes the kernels of patch.Net. Of the first half each stage averages every point but the
// first ones of a row with the one before, of the second every point but the last ones with the
// next: what is final stays, and all points of a component are averaged at once.
func halve(c *build.Context) {
	begin(c, "halve512", "halve512 is Halve for nets of 8 and of 16 points.",
		"func(d *Net, src *float64, a *float64, b *float64)", 0)
	k := newNetKernel(c)
	out := [2]reg.GPVirtual{c.GP64(), c.GP64()}
	c.Load(c.Param("a"), out[0])
	c.Load(c.Param("b"), out[1])
	k.widths(func(n int) { k.halves(n, out) })

	begin(c, "longestRow512", "longestRow512 is Longest for nets of 8 and of 16 points.",
		"func(d *Net, src *float64) float64", 0)
	k = newNetKernel(c)
	k.widths(k.longest)
}

type netKernel struct {
	c      *build.Context
	d, src reg.Register
}

func newNetKernel(c *build.Context) *netKernel {
	return &netKernel{c, c.Load(c.Param("d"), c.GP64()), c.Load(c.Param("src"), c.GP64())}
}

func (k *netKernel) field(at int) Mem { return Mem{Base: k.d, Disp: at} }

// widths writes the code for one and for two registers a component.
func (k *netKernel) widths(write func(n int)) {
	c := k.c
	c.CMPQ(k.field(netPad), Imm(8))
	c.JNE(LabelRef("two"))
	write(1)
	c.VZEROUPPER()
	c.RET()
	c.Label("two")
	write(2)
	c.VZEROUPPER()
	c.RET()
}

// order loads which points take the places of others.
func (k *netKernel) order(at, n int) (index []reg.VecVirtual) {
	for r := range n {
		z := k.c.ZMM()
		k.c.VMOVDQU64(k.field(at+64*r), z)
		index = append(index, z)
	}
	return index
}

// permuted is register r of x in that order.
func (k *netKernel) permuted(x, index []reg.VecVirtual, r int) reg.VecVirtual {
	c, to := k.c, k.c.ZMM()
	if len(x) == 1 {
		c.VPERMPD(x[0], index[0], to)
		return to
	}
	c.VMOVDQA64(index[r], to)
	c.VPERMI2PD(x[1], x[0], to)
	return to
}

// load returns a component of the net.
func (k *netKernel) load(component, n int) (x []reg.VecVirtual) {
	for r := range n {
		z := k.c.ZMM()
		k.c.VMOVUPD(Mem{Base: k.src, Disp: 64 * (component*n + r)}, z)
		x = append(x, z)
	}
	return x
}

func (k *netKernel) halves(n int, out [2]reg.GPVirtual) {
	c := k.c
	index := [2][]reg.VecVirtual{k.order(netPrevious, n), k.order(netNext, n)}
	half := c.ZMM()
	c.VMOVUPD(pattern(c, 0x3fe0000000000000), half)
	for group := range 2 {
		var x [3][2][]reg.VecVirtual
		for e := range x {
			x[e] = [2][]reg.VecVirtual{k.load(3*group+e, n), k.load(3*group+e, n)}
		}
		stage, left := c.GP64(), c.GP64()
		c.MOVQ(k.d, stage)
		c.MOVQ(k.field(netStages), left)
		loop, done := fmt.Sprintf("stage%d%d", n, group), fmt.Sprintf("done%d%d", n, group)
		c.TESTQ(left, left)
		c.JZ(LabelRef(done))
		c.Label(loop)
		var masks [2][]reg.OpmaskVirtual
		for h := range masks {
			low := c.K()
			c.KMOVW(Mem{Base: stage, Disp: netHalves + 2*h}, low)
			masks[h] = append(masks[h], low)
			if n == 2 {
				high := c.K()
				c.KSHIFTRW(Imm(8), low, high)
				masks[h] = append(masks[h], high)
			}
		}
		for e := range x {
			for h := range x[e] {
				var sum []reg.VecVirtual
				for r := range n {
					s := k.permuted(x[e][h], index[h], r)
					c.VADDPD(x[e][h][r], s, s)
					sum = append(sum, s)
				}
				for r := range n {
					c.VMULPD(half, sum[r], masks[h][r], x[e][h][r])
				}
			}
		}
		c.ADDQ(Imm(4), stage)
		c.DECQ(left)
		c.JNZ(LabelRef(loop))
		c.Label(done)
		for e := range x {
			for h := range x[e] {
				for r := range n {
					c.VMOVUPD(x[e][h][r], Mem{Base: out[h], Disp: 64 * ((3*group+e)*n + r)})
				}
			}
		}
	}
}

// longest adds up squares along all rows at once: after stage s every point but the first s of a
// row has the sum of the s segments before it.
func (k *netKernel) longest(n int) {
	c := k.c
	index := k.order(netPrevious, n)
	var square [2][]reg.VecVirtual
	for e := range 3 {
		x, v := k.load(e, n), k.load(3+e, n)
		for r := range n {
			from, by := k.permuted(x, index, r), k.permuted(v, index, r)
			c.VSUBPD(from, x[r], from)
			c.VSUBPD(by, v[r], by)
			c.VADDPD(by, from, by)
			for t, way := range []reg.VecVirtual{from, by} {
				c.VMULPD(way, way, way)
				if e == 0 {
					square[t] = append(square[t], way)
				} else {
					c.VADDPD(way, square[t][r], square[t][r])
				}
			}
		}
	}
	var sum [2][]reg.VecVirtual
	for t := range sum {
		for r := range n {
			z := c.ZMM()
			c.VMOVAPD(square[t][r], z)
			sum[t] = append(sum[t], z)
		}
	}
	stage, left := c.GP64(), c.GP64()
	c.MOVQ(k.d, stage)
	c.MOVQ(k.field(netStages), left)
	loop, done := fmt.Sprintf("sum%d", n), fmt.Sprintf("summed%d", n)
	c.SUBQ(Imm(1), left)
	c.JLE(LabelRef(done))
	c.Label(loop)
	c.ADDQ(Imm(4), stage)
	low, high := c.K(), c.K()
	c.KMOVW(Mem{Base: stage, Disp: netHalves}, low)
	c.KSHIFTRW(Imm(8), low, high)
	for t := range sum {
		var before []reg.VecVirtual
		for r := range n {
			before = append(before, k.permuted(sum[t], index, r))
		}
		for r := range n {
			c.VADDPD(square[t][r], before[r], []reg.OpmaskVirtual{low, high}[r], sum[t][r])
		}
	}
	c.DECQ(left)
	c.JNZ(LabelRef(loop))
	c.Label(done)
	for r := range n {
		c.VMAXPD(sum[1][r], sum[0][r], sum[0][r])
		c.VMULPD(k.field(netWeight+64*r), sum[0][r], sum[0][r])
	}
	most := sum[0][0]
	if n == 2 {
		c.VMAXPD(sum[0][1], most, most)
	}
	half := c.YMM()
	c.VEXTRACTF64X4(Imm(1), most, half)
	c.VMAXPD(half, most.AsY(), half)
	other := c.XMM()
	c.VEXTRACTF128(Imm(1), half, other)
	c.VMAXPD(other, half.AsX(), other)
	two := c.XMM()
	c.VPERMILPD(Imm(1), other, two)
	c.VMAXSD(two, other, other)
	c.Store(other, c.ReturnIndex(0))
}

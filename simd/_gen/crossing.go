package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// crossing writes the kernels of FilterEF. The order of the operations is that of crossing.go.
func crossing(c *build.Context) {
	for _, w := range []int{512, 256} {
		name := fmt.Sprintf("filterEF%d", w)
		begin(c, name, name+" is FilterEF.",
			"func(rec []float64, edges [][2]int32, faces [][3]int32, pairs [][2]int32, out []int32) int", 0)
		k := new(edgeFace)
		k.edges, k.faces, k.pairs = c.Load(c.Param("edges").Base(), c.GP64()),
			c.Load(c.Param("faces").Base(), c.GP64()), c.Load(c.Param("pairs").Base(), c.GP64())
		k.still = newStill(c, w, "pairs")
		apart, inside := c.GP32(), c.GP32()
		k.decide(k.differences(), apart, inside)
		k.write(apart, inside)
	}
}

// edgeFace is the state of FilterEF while it is emitted.
type edgeFace struct {
	*still
	edges, faces, pairs reg.Register
}

// differences returns the face's first vertex minus its second, its third, and the edge's ends, a
// pair in a lane.
func (k *edgeFace) differences() (d [4]vector3) {
	rows := make([][4]value, k.lanes())
	for i := range rows {
		rows[i] = k.lane(i)
	}
	for v := range d {
		d[v] = k.transpose(func(lane int) value { return rows[lane][v] })
	}
	return d
}

// lane returns the four differences of one pair.
func (k *edgeFace) lane(i int) [4]value {
	c := k.c
	at, edge, face := c.GP64(), c.GP64(), c.GP64()
	k.do(func() {
		k.pair(i, at)
		c.MOVLQSX(Mem{Base: k.pairs, Index: at, Scale: 8}, edge)
		c.MOVLQSX(Mem{Base: k.pairs, Index: at, Scale: 8, Disp: 4}, face)
		c.LEAQ(Mem{Base: face, Index: face, Scale: 2}, face)
	})
	ofEdge := func(j int) Mem { return Mem{Base: k.edges, Index: edge, Scale: 8, Disp: 4 * j} }
	ofFace := func(j int) Mem { return Mem{Base: k.faces, Index: face, Scale: 4, Disp: 4 * j} }
	first := k.point(ofFace(0))
	return [4]value{k.minus(first, ofFace(1)), k.minus(first, ofFace(2)), k.minus(first, ofEdge(0)),
		k.minus(first, ofEdge(1))}
}

// decide sets the bits of the pairs that are apart, and of those that cross inside of both.
func (k *edgeFace) decide(d [4]vector3, apart, inside reg.Register) {
	b, c, p, q := d[0], d[1], d[2], d[3]
	longest := func(a, b vector3) value {
		m := k.max3(k.abs3(a), k.abs3(b))
		return k.max(k.max(m[0], m[1]), m[2])
	}
	face, edge := longest(b, c), longest(p, q)
	n, m := k.cross(b, c), k.cross(p, q)
	atP, atQ := k.dot(n, p), k.dot(n, q)
	besideB, besideC := k.dot(m, b), k.dot(m, c)
	across := k.sub(k.sub(atQ, atP), k.sub(besideB, besideC))
	scaled := k.mul(face, k.bound("crossingScale"))
	bound := func(a, b value) value {
		return k.add(k.mul(k.mul(k.mul(scaled, a), b), k.bound("crossingBound")), k.bound("crossingTiny"))
	}
	e, f := bound(face, edge), bound(edge, edge)
	g := k.mul(k.bound("crossingSum"), k.add(e, f))

	// Masks live shortly: there are seven registers of them.
	either := func(x, e, y, f value) (some, both value) {
		mx, my := k.greater(x, e), k.less(y, f)
		return k.or(mx, my), k.and(mx, my)
	}
	lessE, lessF, lessG := k.neg(e), k.neg(f), k.neg(g)
	pAbove, qBelow := k.greater(atP, e), k.less(atQ, lessE)
	down := k.and(pAbove, qBelow)
	qAbove := k.greater(atQ, e)
	bothAbove := k.and(pAbove, qAbove)
	pBelow := k.less(atP, lessE)
	oneSide := k.or(bothAbove, k.and(pBelow, qBelow))
	through := k.or(down, k.and(pBelow, qAbove))

	some, allSome := either(besideB, f, besideC, lessF)
	other, allOther := either(besideC, f, besideB, lessF)
	acrossAbove := k.greater(across, g)
	some, allSome = k.or(some, acrossAbove), k.and(allSome, acrossAbove)
	acrossBelow := k.less(across, lessG)
	other, allOther = k.or(other, acrossBelow), k.and(allOther, acrossBelow)
	k.bits(k.or(oneSide, k.and(some, other)), apart)
	k.bits(k.and(through, k.or(allSome, allOther)), inside)
}

package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// near writes the kernels of NearVF and NearEE. The order of the operations is that of near.go.
func near(c *build.Context) {
	for _, w := range []int{512, 256} {
		for _, kind := range []string{"VF", "EE"} {
			name := fmt.Sprintf("near%s%d", kind, w)
			begin(c, name, name+" is Near"+kind+".",
				"func(rec []float64, idx [][4]int32, square float64, out []int32) int", 0)
			k := &nearby{kind: kind, idx: c.Load(c.Param("idx").Base(), c.GP64())}
			k.still = newStill(c, w, "idx")
			apart := c.GP32()
			k.decide(apart)
			k.write(apart, nil)
		}
	}
}

// nearby is the state of NearVF and NearEE while they are emitted.
type nearby struct {
	*still
	kind string
	idx  reg.Register
}

func (k *nearby) decide(apart reg.Register) {
	rows := make([][3]value, k.lanes())
	for i := range rows {
		at := k.c.GP64()
		k.do(func() {
			k.pair(i, at)
			k.c.SHLQ(Imm(4), at)
		})
		vertex := func(j int) Mem { return Mem{Base: k.idx, Index: at, Scale: 1, Disp: 4 * j} }
		for v, d := range differences[k.kind] {
			rows[i][v] = k.minus(k.point(vertex(d[0])), vertex(d[1]))
		}
	}
	column := func(v int) vector3 { return k.transpose(func(lane int) value { return rows[lane][v] }) }
	a, b, c := column(0), column(1), column(2)
	scale := k.add3(k.add3(k.abs3(a), k.abs3(b)), k.abs3(c))
	small := k.lessEq(k.sum(scale), k.bound("largestPiece"))
	square, err := k.c.Param("square").Resolve()
	if err != nil {
		panic(err)
	}
	least := k.broadcast(square.Addr)
	k.bits(k.and(small, k.isFar(k.kind, a, b, c, scale, least)), apart)
}

// isFar reports whether a direction proves that the primitives are farther apart than the root of
// least, where a + u b + v c are their differences and scale is the sum of their magnitudes.
func (p *program) isFar(kind string, a, b, c, scale vector3, least value) value {
	times := p.constant(2)
	if kind == "VF" {
		times = p.constant(3)
	}
	middle := p.each(func(i int) value { return p.add(p.add(p.mul(times, a[i]), b[i]), c[i]) })
	far := func(w vector3) value {
		e := p.mul(p.dot(p.abs3(w), scale), p.bound("nearBound"))
		r := p.reach(kind, p.dot(w, a), p.dot(w, b), p.dot(w, c))
		gap := p.sub(p.max(r[0], p.neg(r[1])), e)
		ww := p.dot(w, w)
		beyond := p.greater(p.mul(gap, gap), p.add(p.mul(least, ww), p.bound("nearTiny")))
		return p.and(beyond, p.and(p.greater(gap, p.constant(0)), p.greaterEq(ww, p.bound("leastDirection"))))
	}
	return p.or(far(middle), far(p.cross(b, c)))
}

package main

import (
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// differences lists A, B, C of a query as differences of its points: F = A + u B + v C.
var differences = map[string][3][2]int{
	"VF": {{0, 1}, {1, 2}, {1, 3}}, // v - f0, f0 - f1, f0 - f2
	"EE": {{0, 2}, {1, 0}, {2, 3}}, // a0 - b0, a1 - a0, b0 - b1
}

// list is a kernel's loop over a list of positions in a slice of queries, one group of lanes at a
// time.
type list struct {
	c                     *build.Context
	w, lanes              int
	in, out               reg.Register
	last, group, survivor reg.Register // last valid number in the list, first of the group, number written
}

// newList loads the parameters list and out, and begins the loop; an empty list jumps to "done".
func newList(c *build.Context, w int) *list {
	l := newInput(c, w)
	l.out = c.Load(c.Param("out").Base(), c.GP64())
	l.survivor = c.GP64()
	c.XORQ(l.survivor, l.survivor)
	return l.begin()
}

// newInput is newList for a kernel that writes no list.
func newInput(c *build.Context, w int) *list {
	l := &list{c: c, w: w, lanes: w / 64}
	l.in = c.Load(c.Param("list").Base(), c.GP64())
	l.last = c.Load(c.Param("list").Len(), c.GP64())
	return l
}

func (l *list) begin() *list {
	l.group = l.c.GP64()
	l.c.XORQ(l.group, l.group)
	l.c.DECQ(l.last)
	l.c.JS(LabelRef("done"))
	return l
}

// rows writes the vectors A, B, C of each lane's query to memory, one row of 64 bytes each, both
// ends of the motion side by side, as they come: a load and a subtraction per vector. Lanes beyond
// the list repeat its last query.
func (l *list) rows(kind string, to Mem) {
	l.eachRow(kind, to, func(a, b, row, _ Mem) {
		x := vector(l.c, l.w)
		l.c.VMOVUPD(a, x)
		l.c.VSUBPD(b, x, x)
		l.c.VMOVUPD(x, row)
	})
}

// eachRow loops over the lanes and has f write, from two vertex records, a row of A, B or C, and
// perhaps the row of the same number in a second set behind the three.
func (l *list) eachRow(kind string, to Mem, f func(a, b, row, second Mem)) {
	c, lanes := l.c, l.lanes
	rec := c.Load(c.Param("rec").Base(), c.GP64())
	idx := c.Load(c.Param("idx").Base(), c.GP64())
	q, at := c.GP64(), c.GP64()
	c.XORQ(q, q)
	c.LEAQ(to, at)
	c.Label("rows")
	t := c.GP64()
	point := l.vertices(idx, t, Mem{Base: l.group, Index: q, Scale: 1})
	for disp := 0; disp < 64; disp += l.w / 8 {
		for k, d := range differences[kind] {
			f(Mem{Base: rec, Index: point[d[0]], Scale: 1, Disp: disp},
				Mem{Base: rec, Index: point[d[1]], Scale: 1, Disp: disp},
				Mem{Base: at, Disp: k*lanes*64 + disp}, Mem{Base: at, Disp: (3+k)*lanes*64 + disp})
		}
	}
	c.ADDQ(Imm(64), at)
	c.INCQ(q)
	c.CMPQ(q, Imm(uint64(lanes)))
	c.JLT(LabelRef("rows"))
}

// seek sets t to the position in the list of a lane at a position; of lanes beyond the list, to
// that of its last query.
func (l *list) seek(t reg.Register, lane Mem) {
	l.c.LEAQ(lane, t)
	l.c.CMPQ(t, l.last)
	l.c.CMOVQGT(l.last, t)
}

// query sets t to where the indices of a lane's query begin.
func (l *list) query(t reg.Register, lane Mem) {
	l.seek(t, lane)
	l.c.MOVLQSX(Mem{Base: l.in, Index: t, Scale: 4}, t)
	l.c.SHLQ(Imm(4), t)
}

// vertices returns where the records of a lane's four vertices begin, of 64 bytes each.
func (l *list) vertices(idx, t reg.Register, lane Mem) (point [4]reg.Register) {
	l.query(t, lane)
	for k := range point {
		point[k] = l.c.GP64()
		l.c.MOVLQSX(Mem{Base: idx, Index: t, Scale: 1, Disp: 4 * k}, point[k])
		l.c.SHLQ(Imm(6), point[k])
	}
	return point
}

// nextLane goes on to the next lane at "lane", after the last one to the next group, and after the
// list to "done"; q counts lanes.
func (l *list) nextLane(q reg.Register) {
	c := l.c
	c.INCQ(q)
	c.INCQ(l.group)
	c.CMPQ(l.group, l.last)
	c.JGT(LabelRef("done"))
	c.CMPQ(q, Imm(uint64(l.w/64)))
	c.JLT(LabelRef("lane"))
	c.JMP(LabelRef("group"))
}

// write appends the positions of the group's lanes whose bit is set in alive, then goes on to the
// next group at label. It may write one position too many at the end, never beyond the ones read:
// out may be the list itself.
func (l *list) write(alive reg.Register, label string) {
	c := l.c
	c.Label("write")
	t := c.GP32()
	c.MOVL(Mem{Base: l.in, Index: l.group, Scale: 4}, t)
	c.MOVL(t, Mem{Base: l.out, Index: l.survivor, Scale: 4})
	c.SHRL(Imm(1), alive)
	c.ADCQ(Imm(0), l.survivor)
	c.INCQ(l.group)
	c.CMPQ(l.group, l.last)
	c.JGT(LabelRef("done"))
	c.TESTQ(U32(l.lanes-1), l.group)
	c.JNZ(LabelRef("write"))
	c.JMP(LabelRef(label))
}

// columns turns the rows of one vector into its components, one query per lane, at both ends.
func (p *program) columns(rows Mem) motion3 {
	row := func(q, end int) value { return p.load(rows.Offset(64*q + 32*end)) }
	if p.w == 256 {
		halves := func(o ...Op) { p.c.VPERM2F128(o[0], o[1], o[2], o[3]) }
		var m motion3
		for end := range m {
			low, high := [2]value{}, [2]value{} // {x x z z}, {y y 0 0} of two rows each
			for h := range 2 {
				a, b := row(2*h, end), row(2*h+1, end)
				low[h], high[h] = p.binary(p.c.VUNPCKLPD, a, b), p.binary(p.c.VUNPCKHPD, a, b)
			}
			m[end] = vector3{
				p.shuffle(halves, 0x20, low[0], low[1]),
				p.shuffle(halves, 0x20, high[0], high[1]),
				p.shuffle(halves, 0x31, low[0], low[1]),
			}
		}
		return m
	}
	var low, high [4]value // {x0 x0 z0 z0 x1 x1 z1 z1}, {y0 y0 0 0 y1 y1 0 0} of two rows each
	for h := range low {
		a, b := row(2*h, 0), row(2*h+1, 0)
		low[h], high[h] = p.binary(p.c.VUNPCKLPD, a, b), p.binary(p.c.VUNPCKHPD, a, b)
	}
	const even, odd = 0x88, 0xdd // quarters 0 and 2, or 1 and 3, of each argument
	four := func(imm uint64, v [4]value) (a, b value) {
		return p.shuffle(p.c.VSHUFF64X2, imm, v[0], v[1]), p.shuffle(p.c.VSHUFF64X2, imm, v[2], v[3])
	}
	xa, xb := four(even, low)
	za, zb := four(odd, low)
	ya, yb := four(even, high)
	end := func(imm uint64) vector3 {
		return vector3{
			p.shuffle(p.c.VSHUFF64X2, imm, xa, xb),
			p.shuffle(p.c.VSHUFF64X2, imm, ya, yb),
			p.shuffle(p.c.VSHUFF64X2, imm, za, zb),
		}
	}
	return motion3{end(even), end(odd)}
}

package broad

import (
	"math"

	"ccd/core/bound"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// boxBounds computes boxes of doubles that overlap wherever records do.
type boxBounds struct {
	m   *mesh.Mesh
	mo  *geom.Trajectories
	how *PlanOptions

	lo, hi [3]float64 // lo and hi bound all vertices at both ends.
	slack  float64
	grown  float64 // how far each box is inflated in all, where all radii are equal
}

// emptyBox returns the box without points.
func emptyBox() bound.Box {
	inf := math.Inf(1)
	return bound.Box{Min: [3]float64{inf, inf, inf}, Max: [3]float64{-inf, -inf, -inf}}
}

// find computes the bounds of all vertices, and the slack of boxes.
func (b *boxBounds) find() error {
	blocks := blocks(b.mo.N, b.how.Work.Threads)
	parts := make([]bound.Box, blocks)
	err := engine.Parallel(blocks, func(i int) {
		box := emptyBox()
		for v := b.mo.N * i / blocks; v < b.mo.N*(i+1)/blocks; v++ {
			r := b.mo.Rec[8*v : 8*v+8 : 8*v+8]
			for k := range 3 {
				box.Min[k], box.Max[k] = min(box.Min[k], r[k], r[4+k]), max(box.Max[k], r[k], r[4+k])
			}
		}
		parts[i] = box
	})
	whole := emptyBox()
	for i := range parts {
		for k := range 3 {
			whole.Min[k], whole.Max[k] = min(whole.Min[k], parts[i].Min[k]), max(whole.Max[k], parts[i].Max[k])
		}
	}
	b.lo, b.hi = whole.Min, whole.Max
	b.slack = b.inflate()
	b.grown = b.slack + b.how.most()
	return err
}

// largest returns the largest magnitude of a coordinate.
func (b *boxBounds) largest() (m float64) {
	for k := range 3 {
		m = max(m, -b.lo[k], b.hi[k])
	}
	return m
}

// inflate returns how far boxes are inflated, beside their own inflation r: so far that the records
// of two primitives can overlap at an end of the motion only if their boxes do.
//
// Derivation. With the terms of bound.RecordSpace.Slack, S = Slack(r) and a = 6.25 2^-24: where a
// record's lo at an end is no larger than the hi of another,
//
//	s (x - r - c) <= lo + a |lo| + S <= hi + a |lo| + S
//	              <= s (x' + r' - c) + a (|lo| + |hi|) + S + S',
//
// so that x - r and x' + r' are apart by no more than the sum, over both, of a |lo| / s + S / s.
// Let L be the largest extent of the scene, M the largest magnitude of a coordinate and R the
// largest r. The center of a record space is within L/2 of the box of all vertices, and moves by at
// most L: it is the middle of primitives seen from a frame that travels as a vertex does. So |lo| /
// s <= (5/2 L + r + w)(1 + 2^-20) + 2^-148 / s, and as S <= (4 s w + 2^-145 + 2^-18 s (r + w))(1 +
// 2^-19), w = 2^-50 M + 2^-1072, and 1/s <= max(M, R, 2^-1000), or 1 where nothing has an extent,
// the sum for one of the two is less than
//
//	2^-20 L + 1.1 2^-18 R + 1.1 2^-48 M + 2^-1068.
//
// The rounding of x - r - slack is below 2^-52 M + 2^-52 (R + slack). So twice the bound is enough.
func (b *boxBounds) inflate() float64 {
	extent := 0.0
	for k := range 3 {
		extent = max(extent, b.hi[k]-b.lo[k])
	}
	return float64(0x1p-19*extent) + float64(0x1p-16*b.how.most()) + float64(0x1p-46*b.largest()) + 0x1p-1060
}

// vertex returns the inflated box of a vertex over the time of the plan: at its start, or on its
// whole way.
func (b *boxBounds) vertex(v int) (lo, hi [3]float64) {
	r := b.mo.Rec[8*v : 8*v+8 : 8*v+8]
	g := b.grown
	if !b.how.Input.Radii.Uniform() {
		g = b.slack + Inflation(b.how.Input.Separation, b.how.Input.Radii, b.how.Input.Radii.Around(int32(v)))
	}
	for k := range 3 {
		from, to := r[k], r[4+k]
		if b.how.Input.Until == 0 {
			to = from
		}
		lo[k], hi[k] = min(from, to)-g, max(from, to)+g
	}
	return lo, hi
}

// codes writes the cells of the boxes of the vertices from number first on to out.
func (b *boxBounds) codes(o *occupancy, first int, out []cellCode) {
	if !b.how.Input.Radii.Uniform() {
		for i := range out {
			lo, hi := b.vertex(first + i)
			out[i] = o.code(&lo, &hi)
		}
		return
	}
	g, end := b.grown, 4 // the position of the end of the motion in a record
	if b.how.Input.Until == 0 {
		end = 0
	}
	for i := range out {
		r := b.mo.Rec[8*(first+i) : 8*(first+i)+8 : 8*(first+i)+8]
		x0, x1, y0, y1, z0, z1 := r[0], r[end&4], r[1], r[end&4+1], r[2], r[end&4+2]
		if x0 > x1 {
			x0, x1 = x1, x0
		}
		if y0 > y1 {
			y0, y1 = y1, y0
		}
		if z0 > z1 {
			z0, z1 = z1, z0
		}
		out[i] = o.cell(0, x0-g) | o.cell(1, y0-g)<<8 | o.cell(2, z0-g)<<16 |
			(maxCell-o.cell(0, x1+g))<<24 | (maxCell-o.cell(1, y1+g))<<32 | (maxCell-o.cell(2, z1+g))<<40
	}
}

// box returns the inflated box of some vertices.
func (b *boxBounds) box(vertices []int32) bound.Box {
	lo, hi := b.vertex(int(vertices[0]))
	for _, v := range vertices[1:] {
		from, to := b.vertex(int(v))
		for k := range 3 {
			lo[k], hi[k] = min(lo[k], from[k]), max(hi[k], to[k])
		}
	}
	return bound.Box{Min: lo, Max: hi}
}

package bound

import (
	"math"

	"ccd/core/geom"
)

// RecordLen is the number of floats in a record: one 64-byte line.
const RecordLen = 16

// A record is the box of a primitive at both ends of [0, t]: lo at 0, lo at t, -hi at 0, -hi at t, three floats each, and
// four zeros. The sign of hi lets one vector minimum join the records of a primitive's vertices into the primitive's own.
// The axes are in the frame's order.
//
// Records stores the record of every vertex over [0, t], inflated by r, in out (RecordLen floats a vertex).
//
// Law 1 holds in the frame: lo <= s (x - c) <= hi in real arithmetic at both ends, s and c being the frame's scale and centre,
// hence at all times between, for x - c is linear. Translations and scalings change no overlap of real boxes, so records
// that are apart at both ends, on one axis and one side, prove their primitives more than 2 r apart throughout.
func (f *Frame) Records(mo *geom.Motion, t, r float64, out []float32) {
	for v := range mo.N {
		f.record(mo.Rec[8*v:8*v+8], t, r, out[RecordLen*v:RecordLen*v+RecordLen])
	}
}

func (f *Frame) record(x []float64, t, r float64, out []float32) {
	for k := range 3 {
		a := f.Axis[k]
		x0, x1, e := x[a], x[4+a], r
		if t < 1 {
			var w float64
			x1, w = position(x0, x1, t)
			e = AddUp(r, w)
		}
		out[k] = f.down(x0, r, f.C[0][k])
		out[3+k] = f.down(x1, e, f.C[1][k])
		out[6+k] = -f.up(x0, r, f.C[0][k])
		out[9+k] = -f.up(x1, e, f.C[1][k])
	}
	out[12], out[13], out[14], out[15] = 0, 0, 0, 0
}

// position is x0 + t (x1 - x0), and a bound on its error, for t in [0, 1].
//
// With u = 2^-53 and M = max(|x0|, |x1|): the difference is off by at most 2 u M, t scales that down, and the fused sum, at
// most M (1 + 2 u) in magnitude, is rounded once more: u M (1 + 2 u) + 2^-1075 where it is denormal. Together less than
// 4 u M + 2^-1074, and 4 u M = 2^-51 M; 2^-1074 is also the most that 2^-51 M loses by underflow, hence twice that.
func position(x0, x1, t float64) (x, bound float64) {
	x = math.FMA(t, x1-x0, x0)
	return x, 0x1p-51*math.Max(math.Abs(x0), math.Abs(x1)) + 0x1p-1073
}

// down is the largest float not above s (x - r - c), or a little less: each operation is rounded downwards.
func (f *Frame) down(x, r, c float64) float32 {
	if r != 0 {
		x = AddDown(x, -r)
	}
	if c != 0 {
		x = AddDown(x, -c)
	}
	return -toFloatUp(-x, f.Scale)
}

// up is the smallest float not below s (x + r - c), or a little more.
func (f *Frame) up(x, r, c float64) float32 {
	if r != 0 {
		x = AddUp(x, r)
	}
	if c != 0 {
		x = AddUp(x, -c)
	}
	return toFloatUp(x, f.Scale)
}

// toFloatUp is the smallest float not below s x, for a power of two s. The product is exact unless it is far below the
// smallest float, and then it keeps its sign or becomes zero.
func toFloatUp(x, s float64) float32 {
	p := x * s
	y := float32(p)
	if float64(y) < p || y == 0 && x > 0 {
		y = math.Nextafter32(y, float32(math.Inf(1)))
	}
	return y
}

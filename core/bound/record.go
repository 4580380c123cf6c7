package bound

import (
	"ccd/core/geom"
	"ccd/simd/box"
)

// RecordLen is the number of floats in a record: one 64-byte line.
const RecordLen = 16

// A record is the box of a primitive at both ends of [0, t]: lo at 0, lo at t, -hi at 0, -hi at t,
// three floats each, and four zeros. The sign of hi lets one vector minimum join the records of a
// primitive's vertices into the primitive's own. The axes are in the frame's order.
//
// Records stores the record of every vertex over [0, t], inflated by r, in out (RecordLen floats a
// vertex).
//
// Law 1 holds in the frame: lo <= s (x -+ r - c) <= hi in real arithmetic at both ends, s and c
// being the frame's scale and center, hence at all times between, for x - c is linear. Translations
// and scalings change no overlap of real boxes, so records that are apart at both ends, on one axis
// and one side, prove their primitives more than 2 r apart throughout.
//
// Derivation, with u = 2^-53, v = 2^-24, y = s (x - c), for the operations of box.VertexRecords.
// The difference errs by a factor 1 + d, |d| <= u; the product with a power of two is exact but for
// an underflow below 2^-1074; rounding to float errs by v relatively and 2^-150 where it is
// denormal, or by 2^-126 on a device that takes denormal floats for zero. So
//
//	|z - y| <= v (1 + 2^-20) |z| + 2^-125.
//
// The float e = fl(fl(|z| 4v) + G) is at least (4 v |z| - 2^-126 + G)(1 - v), and fl(z - e) <= z +
// v |z| - e (1 - v) + 2^-126. This is at most y - s (r + w), where w bounds the error of x itself,
// if
//
//	e (1 - v) >= (2 + 2^-20) v |z| + 2^-124 + s (r + w),
//
// for which G (1 - 2v) >= s (r + w) + 2^-123 is enough: grow has that, and is no denormal. The same
// with -z gives hi.
//
// For t = 1, x is a given double. For t < 1 it is fl(t fl(x1 - x0) + x0), fused. With M the scene's
// largest magnitude the difference is off by at most 2 u M, t scales that down, and the sum, at
// most M (1 + 2u), is rounded once: together below 4 u M + 2^-1073. w = 2^-50 M + 2^-1072 is more
// than twice that, for t = 1 too: with room to spare, records that are apart prove that fl(b - a),
// the rounded gap of the doubles, exceeds 2 r as well, so that a test by rounded gaps sees what the
// sweep has seen.
//
// With a Map, x is a coordinate of the map. Its double is off by 5.3 u L + 2^-1073, L = M / 2
// (Map.Apply), at both ends and so at t, which adds 2.7 u M to the 4 u M above: Error is 2^-49 M +
// 2^-1071 then, twice what is needed.
func (f *RecordSpace) Records(mo *geom.Trajectories, t, r float64, out []float32) {
	m := f.VertexMap(t, r)
	if f.Map == nil {
		box.VertexRecords(mo.Rec, &m, out)
		return
	}
	var mapped [8 * mapRun]float64
	for rec := mo.Rec[:8*mo.N]; len(rec) > 0; {
		n := min(len(rec), len(mapped))
		f.Map.Apply(rec[:n], mapped[:])
		box.VertexRecords(mapped[:n], &m, out)
		rec, out = rec[n:], out[2*n:]
	}
}

// mapRun is the number of vertices that are mapped at once.
const mapRun = 64

// VertexMap returns how the records over [0, t], inflated by r, are made.
func (f *RecordSpace) VertexMap(t, r float64) box.VertexMap {
	m := box.VertexMap{Scale: f.Scale, T: t, Grow: f.grow(r)}
	for k, a := range f.Axis {
		m.Order[k], m.Order[3+k] = int32(a), int32(4+a)
		m.C[a], m.C[4+a] = f.C[0][k], f.C[1][k]
	}
	m.Order[6], m.Order[7] = 3, 3
	return m
}

// grow is the G of the derivation: more than (s (r + w) + 2^-121) / (1 - 2^-23). The factor 1 +
// 2^-20 covers the division, the roundings of this expression and the one to float.
func (f *RecordSpace) grow(r float64) float32 {
	return float32((float64(f.Scale*(r+f.Error())) + 0x1p-120) * (1 + 0x1p-20))
}

// Error is the w of the derivation.
func (f *RecordSpace) Error() float64 {
	if f.Map != nil {
		return float64(0x1p-49*f.Largest) + 0x1p-1071
	}
	return float64(0x1p-50*f.Largest) + 0x1p-1072
}

// Slack bounds by how much a record may be too large: lo + a |lo| + Slack(r), a = 6.25 2^-24, is at
// least s (x - r - c), and so for -hi.
//
// In the terms above, e <= (4 v |z| + 2^-150 + G)(1 + v), and z <= lo + e + v (|z| + e). Hence
//
//	y - s r <= lo + (6 v + 9 v^2 + 2^-44) |z| + G (1 + 3v) - s r + 2^-147,
//
// and |z| <= (|lo| + G (1 + 3v) + 2^-149)(1 + 5.1v), so that the term in |z| is less than a |lo| +
// 6.2 v G + 2^-149. As G - s r <= s w + 2^-120 + 1.07 2^-20 G, a slack of s w + 2^-120 + 2^-146 +
// 1.07 2^-20 G + 10 v G is enough. Here is more than twice that, for the roundings of this
// expression.
func (f *RecordSpace) Slack(r float64) float32 {
	return float32((float64(4*(float64(f.Scale*f.Error())+0x1p-120)) + float64(0x1p-18*float64(f.grow(r)))) *
		(1 + 0x1p-20))
}

// PairSlack is the slack of a list of boxes (box.ListSelf): where lo of one box is at most
//
//	h = fl(hi - fl(fl(2^-20 |hi|) + PairSlack)),
//
// hi of another, the records being as large as they may, the primitives' true bounds keep the same
// order.
//
// With b = Slack(r) it is to be shown that lo + a |lo| + b <= hi - a |hi| - b. The left side is at
// most h + a |h| + b, and
//
//	h <= hi - (2^-20 - 2v) |hi| - (1 - 3v) S + 2^-149,
//	|h| <= (1 + 2^-19) |hi| + 2 S,   S = PairSlack.
//
// 2^-20 - 2v = 14 v is more than a (2 + 2^-19), and S = 2.5 b more than (2 b + 2^-149) / (1 - 3v -
// 2a), for b > 2^-146.
func (f *RecordSpace) PairSlack(r float64) float32 { return 2.5 * f.Slack(r) }

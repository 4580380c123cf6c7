package geom

import "cmp"

// LeastDistance is the least distance of a pair over a step, or that of all pairs. Its layout is
// that of ccd_clearance: 144 bytes, no hidden padding. Laws D1 to D6 of docs/numerics.md.
type LeastDistance struct {
	Kind     Kind
	Reserved int32
	A, B     int64   // indices of the two primitives; -1 for a bare pair
	T        float64 // a time at which the distance is at most Hi
	Lo, Hi   float64 // the least distance is in [Lo, Hi]
	U, V     float64 // parameters of the nearest points at T, as in Impact

	PointA, PointB [3]float64 // the nearest points of the surfaces at T; one point where they touch
	Normal         [3]float64 // unit, from b to a; 0 where nothing gives one
	Epsilon        float64    // how far each of the points may be from its surface
}

// Compare orders results by (Hi, Kind, A, B).
func (d *LeastDistance) Compare(e *LeastDistance) int {
	return cmp.Or(cmp.Compare(d.Hi, e.Hi), cmp.Compare(d.Kind, e.Kind), cmp.Compare(d.A, e.A), cmp.Compare(d.B, e.B))
}

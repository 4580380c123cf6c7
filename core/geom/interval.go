package geom

import "cmp"

// FinalContact is a flag of an Interval, beside InitialContact: the contact is still there at the
// end of time. It has the value of the C constant.
const FinalContact uint32 = 1 << 4

// Interval is a time during which a pair is in contact, that is, within its separation. Its layout
// is that of ccd_interval: 48 bytes, no hidden padding.
//
// Let S be the set of the times t in [0, t_max] at which the distance is at most d, in exact
// arithmetic. S is a union of closed intervals, some of which may be single instants. The intervals
// of the pair are these, with their ends rounded outwards to doubles, and made one where neither a
// double nor an open interval between neighboring doubles separates them: laws T1 to T5 of
// docs/numerics.md.
type Interval struct {
	Kind        Kind
	Flags       uint32 // InitialContact: S contains 0. FinalContact: S contains t_max
	A, B        int64  // indices of the two primitives; -1 for a bare pair
	Enter, Exit float64
	// The sign of the volume just before and just after; 0 where the motion has not begun or has
	// ended, where the volume is 0 for a while, for points against edges and points, and with a
	// separation.
	SideBefore, SideAfter int32
}

// Compare orders intervals by (Enter, Kind, A, B): the order of the list of a step. Intervals of
// one pair have different Enter.
func (i *Interval) Compare(j *Interval) int {
	return cmp.Or(cmp.Compare(i.Enter, j.Enter), cmp.Compare(i.Kind, j.Kind), cmp.Compare(i.A, j.A),
		cmp.Compare(i.B, j.B))
}

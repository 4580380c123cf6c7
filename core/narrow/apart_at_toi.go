package narrow

import (
	"math"

	"ccd/core/geom"
)

// This file implements the flag ApartAtTOI. Without it a contact is reported when it is made, with
// d = 0 when the primitives touch: their distance at toi is often 0 in floats too, and code that
// takes its logarithm, or a normal from it, gets infinity or NaN. With the flag, the impact is the
// time at which the distance first falls to d + g, for a small g > 0:
//
//  1. The verdict, Separate included, is that without the flag; and so is every field of a pair
//     that is Separate, or in contact at t = 0.
//  2. Otherwise let g be the largest of Tolerance 2^-k, k = 0, 1, ..., for which the distance at t
//     = 0 exceeds d' = fl(d + 2 g), and d' is at most 1e150. The impact is that for the separation
//     fl(d + g): times, contact data and flags.
//  3. So laws 2, 3, 5 and 9 hold with fl(d + g) <= d + Tolerance in the place of d; the distance is
//     at least that at TOILo.
//  4. If fl(d + g) is d, because Tolerance, or half of what the pair is apart beyond d at the
//     start, is below half an ulp of d, the impact is that without the flag.
//
// There is such a contact: the distance is continuous, exceeds fl(d + 2 g) >= fl(d + g) at t = 0
// and is d or less within [0, TMax]. g is unique, so law 7 holds, and law 6, as Tolerance is scaled
// too.
//
// Solve supports the flag; Batch and Until do not.

// moveApart changes an exact impact as ApartAtTOI demands.
func (s *Solver) moveApart(kind geom.Kind, q []float64, o *Options, out *geom.Impact) {
	if out.Verdict != geom.Contact || out.Flags&geom.InitialContact != 0 {
		return
	}
	inner := *o
	inner.Flags &^= ApartAtTOI
	g := s.room(kind, q, inner)
	if inner.MinSeparation = o.MinSeparation + g; inner.MinSeparation > o.MinSeparation {
		s.decide(kind, q, o.TMax, &inner, out)
	}
}

// room returns g. The test at t = 0 is monotone in k, so galloping and bisection find the least k
// quickly.
func (s *Solver) room(kind geom.Kind, q []float64, o Options) float64 {
	d := o.MinSeparation
	fits := func(k int) bool {
		var im geom.Impact
		o.MinSeparation = d + 2*math.Ldexp(o.Tolerance, -k)
		if !(o.MinSeparation <= geom.MaxCoordinate) {
			return false
		}
		s.decide(kind, q, 0, &o, &im)
		return im.Verdict == geom.Separate
	}
	if fits(0) {
		return o.Tolerance
	}
	no, yes := 0, 1
	for ; !fits(yes); yes *= 2 { // The loop ends: the pair is apart at t = 0, and d + 2 g becomes d.
		no = yes
	}
	for no+1 < yes {
		if mid := (no + yes) / 2; fits(mid) {
			yes = mid
		} else {
			no = mid
		}
	}
	return math.Ldexp(o.Tolerance, -yes)
}

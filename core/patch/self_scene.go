package patch

import (
	"ccd/core/status"
	"cmp"
	"math"
	"slices"
)

// Neighbourhood is the usual width, in parameters of the patches, of what may be left out beside points that patches of a body have in
// common.
const Neighbourhood = 0x1p-6

// SelfEarliest is the first contact of a body with itself, between two patches or within one: Impact.A <= Impact.B.
//
// Patches that share control points along an edge or at a corner touch there at all times, as a patch touches itself; that is no
// contact. Two points are one when they come together or, with a separation, within it, and they are no closer than width in
// parameters to a common point of their patches (or, of one patch, to each other). Nearer ones are proven not to meet, or left out, and
// Unresolved counts what was: docs/numerics.md, "Neighbours". width is in [2^-20, 1/2], rounded down to a power of two; 0 takes the usual.
//
// Laws 1 to 5 hold as for Earliest, with these contacts. Of methods only the default is supported.
func (s *Scene) SelfEarliest(f *BodyStep, width float64, o *Options) (im Impact, left Unresolved, err error) {
	left, err = s.alone(f, width, o, func() (float64, error) {
		im, err = s.Earliest(f, f, o)
		return im.TOILo, err
	})
	return im, left, err
}

// SelfCollisions are the impacts of all pairs of patches of a body that are not Separate, in order; a patch makes a pair with
// itself, too.
func (s *Scene) SelfCollisions(f *BodyStep, width float64, o *Options) (list []Impact, left Unresolved, err error) {
	left, err = s.alone(f, width, o, func() (float64, error) {
		list, err = s.Collisions(f, f, o)
		return math.Inf(1), err
	})
	return list, left, err
}

// SelfManifold samples where a body comes into contact with itself first: see Manifold.
func (s *Scene) SelfManifold(f *BodyStep, lag, apart, width float64, o *Options) (list []Impact, left Unresolved, err error) {
	left, err = s.alone(f, width, o, func() (float64, error) {
		list, err = s.Manifold(f, f, lag, apart, o)
		return s.race.best.TOILo, err
	})
	return list, left, err
}

// alone makes a call on one body as both. The call returns the time up to which it answers: what was left out later does not matter.
func (s *Scene) alone(f *BodyStep, width float64, o *Options, call func() (end float64, err error)) (Unresolved, error) {
	h := Neighbourhood
	if width != 0 {
		if !(width >= 0x1p-20 && width <= 0.5) {
			return Unresolved{}, status.Errorf(status.ErrArgument, "neighbourhood %v: must be 0 or in [2^-20, 1/2]", width)
		}
		_, exp := math.Frexp(width)
		h = math.Ldexp(0.5, exp)
	}
	if o.Method != 0 {
		return Unresolved{}, status.Errorf(status.ErrUnsupported, "method %d for a body against itself", o.Method)
	}
	s.hood.h = h
	s.Solver.hood = &s.hood
	defer func() { s.Solver.hood = nil }()
	end, err := call()
	return unresolvedBefore(s.left, end), err
}

// sweepSelf lists the pairs of boxes of one list that meet, along x, and each box with itself.
func (s *Scene) sweepSelf(a []bounds) {
	slices.SortFunc(a, func(x, y bounds) int {
		return cmp.Or(cmp.Compare(x.lo[0], y.lo[0]), cmp.Compare(x.patch, y.patch))
	})
	for i := range a {
		s.pair(a[i].patch, a[i].patch)
		for k := i + 1; k < len(a) && a[k].lo[0] <= a[i].hi[0] && !s.budget.Over(); k++ {
			if across(&a[i], &a[k]) {
				s.pair(min(a[i].patch, a[k].patch), max(a[i].patch, a[k].patch))
			}
		}
	}
}

package patch

import (
	"math"

	"ccd/core/status"
)

// Neighbourhood is the default width, in parameters of the patches, of the parts that may be left
// out beside points that patches of a body have in common.
const Neighbourhood = 0x1p-6

// oneBody is the subject of calls on one body.
type oneBody struct {
	body  *BodyStep
	width float64 // the width of the neighbourhood in parameters, a power of two
}

// itselfOf checks the arguments of a call on one body.
func itselfOf(f *BodyStep, width float64, o *Options) (of oneBody, err error) {
	of = oneBody{f, Neighbourhood}
	if width != 0 {
		if !(width >= 0x1p-20 && width <= 0.5) {
			return of, status.Errorf(status.ErrArgument, "neighbourhood is %v: must be 0 or in [2^-20, 1/2]", width)
		}
		_, exp := math.Frexp(width)
		of.width = math.Ldexp(0.5, exp)
	}
	if o.Search != nil {
		return of, status.Errorf(status.ErrUnsupported,
			"options.method: a body against itself has the default method alone")
	}
	return of, nil
}

func (t oneBody) steps() (a, b *BodyStep) { return t.body, t.body }

func (t oneBody) sweep(s *Scene, separation float64) {
	boxes := t.body.boxes(separation)
	s.built(len(boxes))
	s.sweepSelf(boxes)
}

func (t oneBody) begin(s *Solver, a, b *Patch, same bool, o *Options) pairSearch {
	s.beginNear(a, b, same, t.width, o)
	return joined{&s.selfSearch}
}

// SelfEarliest returns the first contact of a body with itself, between two patches or within one:
// Impact.A <= Impact.B.
//
// Patches that share control points along an edge or at a corner touch there at all times, as a
// patch touches itself; that is no contact. Two points are a contact if they come together or, with
// a separation, within it, and they are no closer than width in parameters to a common point of
// their patches (or, within one patch, to each other). Nearer points are proven not to meet, or
// left out, and Unresolved counts those left out: docs/proofs/patches.md, "Neighbors". width is in
// [2^-20, 1/2], rounded down to a power of two; 0 stands for Neighbourhood.
//
// Laws 1 to 5 hold as for Earliest, with these contacts. Of methods only the default is supported.
func (s *Scene) SelfEarliest(f *BodyStep, width float64, o *Options) (im Impact, u Unresolved, err error) {
	of, err := itselfOf(f, width, o)
	if err == nil {
		im, err = s.earliest(of, o)
	}
	if err != nil {
		return im, u, err
	}
	return im, s.unresolvedBefore(im.TOILo), nil
}

// SelfCollisions returns the impacts of all pairs of patches of a body that are not Separate, in
// order; a patch makes a pair with itself, too.
func (s *Scene) SelfCollisions(f *BodyStep, width float64, o *Options) (list []Impact, u Unresolved, err error) {
	of, err := itselfOf(f, width, o)
	if err == nil {
		list, err = s.collisions(of, o)
	}
	if err != nil {
		return nil, u, err
	}
	return list, s.unresolvedBefore(math.Inf(1)), nil
}

// SelfManifold returns a sample of where a body first comes into contact with itself: see Manifold.
func (s *Scene) SelfManifold(f *BodyStep, timeWindow, minDistance, width float64, o *Options) (list []Impact,
	u Unresolved, err error) {
	of, err := itselfOf(f, width, o)
	if err == nil {
		list, err = s.manifold(of, timeWindow, minDistance, o)
	}
	if err != nil {
		return nil, u, err
	}
	return list, s.unresolvedBefore(s.incumbent.Best().TOILo), nil
}

// Unresolved counts what a result leaves open: pairs of neighboring parts, no wider than the
// neighbourhood in their parameters, that are not proven to meet only where they always do.
type Unresolved struct {
	Pairs int64
	TFrom float64 // the time up to which all of the pairs are proven; +Inf if there are none
}

// unresolvedBefore counts what the queries of the call left open before a time: pairs that are open
// later do not matter to a result that ends there.
func (s *Scene) unresolvedBefore(end float64) Unresolved {
	u := Unresolved{0, math.Inf(1)}
	for _, w := range s.workers {
		for _, t := range w.unresolved {
			if t < end {
				u.Pairs++
				u.TFrom = min(u.TFrom, t)
			}
		}
	}
	return u
}

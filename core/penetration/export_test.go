package penetration

import (
	"ccd/core/geom"
	"ccd/core/rigid"
)

// ExactDepth is Depth without a draft.
func (s *Solver) ExactDepth(a *rigid.Body, pa *geom.Pose, b *rigid.Body, pb *geom.Pose, o rigid.DistanceOptions,
	out *Depth) error {
	return s.depth(a, pa, b, pb, o, false, out)
}

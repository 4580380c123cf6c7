package step

import (
	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
)

// Region restricts a call to the pairs whose corner it contains (Options.Region).
//
// If regions partition space, every pair belongs to exactly one of them, and the input's doubles
// alone decide to which. So a scene may be distributed over machines, each with the primitives that
// extend into its region: the least of their Earliest impacts (geom.Impact.Before) is that of the
// whole scene, and their Collisions together are those of the whole scene, bit for bit. A region of
// a motion owns pairs by the least coordinates of the control points of their vertices, on all
// pieces.
type Region = broad.Region

// hullsOf returns the step on which each vertex goes from the least to the greatest corner of the
// box of its control points.
func hullsOf(m *mesh.Mesh, paths *motion.Motion) (*geom.Trajectories, error) {
	if err := fits(m, paths); err != nil {
		return nil, err
	}
	lo, hi := corners(paths)
	hulls := new(geom.Trajectories)
	return hulls, hulls.Load(lo, hi)
}

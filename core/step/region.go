package step

import "ccd/core/broad"

// Region restricts a call to the pairs whose corner it contains (Options.Region).
//
// If regions partition space, every pair belongs to exactly one of them, and the input's doubles
// alone decide to which. So a scene may be distributed over machines, each with the primitives that
// extend into its region: the least of their Earliest impacts (geom.Impact.Before) is that of the
// whole scene, and their Collisions together are those of the whole scene, bit for bit. A region of
// a motion owns pairs by the least coordinates of the control points of their vertices, on all
// pieces.
type Region = broad.Region

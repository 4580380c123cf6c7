package geom

import "gonum.org/v1/gonum/spatial/r3"

// Vec is a point or a direction of space.
type Vec = r3.Vec

// Box is an axis-aligned box.
type Box = r3.Box

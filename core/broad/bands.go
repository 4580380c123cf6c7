package broad

import (
	"ccd/core/bound"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// Bands bound paths more tightly than segments with radii do: on each axis vertex i is between Lo
// and Hi at any time, two segments that are no farther from its own than Input.Radii allow, less
// what the radii here add. Then records made of Lo and Hi are within those of the plain step with
// its radii, and what is derived for primitives whose records overlap holds for fewer of them.
//
// A record is lo and -hi at both ends (bound.RecordSpace.Records): lo is taken from the record of
// Lo, -hi from that of Hi. So lo <= s (x - r - c) and hi >= s (x + r - c) at both ends for any x
// between Lo and Hi, and at all times between, for Lo and Hi are linear.
type Bands struct {
	Lo, Hi *geom.Trajectories
	Radii  *mesh.Radii
}

// largest is the largest magnitude of a coordinate.
func (b *Bands) largest() float64 {
	if b == nil {
		return 0
	}
	return max(b.Lo.Largest(), b.Hi.Largest())
}

// records computes the records of the vertices from to to-1.
func (b *Bands) records(space *bound.RecordSpace, until, separation float64, from, to int, out []float32) {
	var upper [bound.RecordLen * vertexRun]float32
	for at := from; at < to; at += vertexRun {
		end := min(at+vertexRun, to)
		lower := out[bound.RecordLen*at : bound.RecordLen*end]
		inflatedRecords(space, b.Lo, until, separation, b.Radii, at, end, lower)
		inflatedRecords(space, b.Hi, until, separation, b.Radii, at, end, upper[:])
		for i := 0; i < len(lower); i += bound.RecordLen {
			copy(lower[i+6:i+12], upper[i+6:i+12])
		}
	}
}

package step

import (
	"math"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/num"
)

// Size returns a safe step alpha: for every t in [0, alpha] all pairs keep more than the
// separation. alpha is TMax if no pair comes too near, and with NoZeroTOI it is 0 only if a pair is
// too near at t = 0, or before t = 2^-1073 (law 8 names the exception).
//
// Distances exceed the separation for t < TOILo and may equal it at TOILo, so alpha is the double
// before.
//
// The motion is that of real arithmetic. Positions x0 + alpha (x1 - x0) that are computed in
// doubles are rounded, and a pair may be nearer there: Advance returns positions that are proven.
func Size(m *mesh.Mesh, x0, x1 []float64, o *Options) (float64, error) {
	return sizeOn(m, &segments{x0, x1}, o)
}

// sizeOn is Size on any course.
func sizeOn(m *mesh.Mesh, on course, o *Options) (float64, error) {
	im, err := runEarliest(on.begin(m, o))
	if err != nil {
		return 0, err
	}
	own := orDefault(o)
	return sizeOf(&im, own.TMax), nil
}

// sizeOf returns the step that the earliest impact leaves.
func sizeOf(im *geom.Impact, tMax float64) float64 {
	if im.Verdict == geom.Separate {
		return tMax
	}
	return math.Max(0, num.Down(im.TOILo))
}

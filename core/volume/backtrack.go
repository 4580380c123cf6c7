package volume

import (
	"fmt"
	"math"

	"ccd/core/geom"
	"ccd/core/status"
)

// Backtrack computes start positions for vertices that were created during a step: x0 = x1 - s v,
// with v their mean velocity and s the duration of the step ([Tang2011], section 6.3). x0, x1 and
// velocity hold three doubles for every vertex; vertices that are not listed keep their x0.
//
// The rounded x0 defines the motion: the step is exact for the motion from x0 to x1.
func Backtrack(x0, x1, velocity []float64, s float64, vertices []int32) error {
	if len(x0) != len(x1) || len(velocity) != len(x1) {
		return fmt.Errorf("x0, x1 and velocity have %d, %d and %d numbers: the numbers must be equal: %w",
			len(x0), len(x1), len(velocity), status.ErrArgument)
	}
	if !(math.Abs(s) <= geom.MaxCoordinate) {
		return fmt.Errorf("duration is %v: %w", s, status.ErrNonFinite)
	}
	for i, v := range vertices {
		if v < 0 || 3*int(v)+2 >= len(x1) {
			return status.Errorf(status.ErrIndex, "vertices[%d] is %d: out of range for %d vertices", i, v, len(x1)/3)
		}
		for k := 3 * int(v); k < 3*int(v)+3; k++ {
			if !(math.Abs(x1[k]) <= geom.MaxCoordinate) {
				return fmt.Errorf("x1[%d][%d] is %v: %w", v, k%3, x1[k], status.ErrNonFinite)
			}
			if !(math.Abs(velocity[k]) <= geom.MaxCoordinate) {
				return fmt.Errorf("velocity[%d][%d] is %v: %w", v, k%3, velocity[k], status.ErrNonFinite)
			}
			if x := x1[k] - float64(s*velocity[k]); !(math.Abs(x) <= geom.MaxCoordinate) {
				return fmt.Errorf("x1[%d][%d] - duration * velocity is %v: %w", v, k%3, x, status.ErrNonFinite)
			}
		}
	}
	for _, v := range vertices {
		for k := 3 * int(v); k < 3*int(v)+3; k++ {
			x0[k] = x1[k] - float64(s*velocity[k])
		}
	}
	return nil
}

package constraint

import (
	"math"

	"ccd/core/status"
)

// checkConstraints checks what a caller may have changed in constraints of a mesh of n vertices.
func checkConstraints(set []Constraint, n int) error {
	if len(set) > math.MaxInt32 {
		return status.Errorf(status.ErrArgument, "count is %d: must be at most 2^31 - 1", len(set))
	}
	for i := range set {
		c := &set[i]
		for k, v := range c.Vertices {
			if v < 0 || int(v) >= n {
				return status.Errorf(status.ErrIndex, "constraints[%d].vertices[%d] is %d: there are %d vertices",
					i, k, v, n)
			}
		}
		for k, w := range c.Weights {
			if err := checkNumber(w, "constraints[%d].weights[%d]", i, k); err != nil {
				return err
			}
		}
		for k, x := range c.Normal {
			if err := checkNumber(x, "constraints[%d].impact.normal[%d]", i, k); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkNumber checks that a number has at most the magnitude of a coordinate. The name is a format
// for the indices at.
func checkNumber(x float64, name string, at ...any) error {
	if math.Abs(x) <= maxMagnitude {
		return nil
	}
	return status.Errorf(status.ErrNonFinite, name+" is %v: not finite or above 1e150", append(at, x)...)
}

// maxMagnitude bounds the numbers of an argument, as it bounds coordinates.
const maxMagnitude = 1e150

// CheckInverseMass returns an error for the first inverse mass of a vertex that is negative or no
// number.
func CheckInverseMass(inverseMass []float64) error {
	for i, m := range inverseMass {
		if err := checkNumber(m, "inverse_mass[%d]", i); err != nil {
			return err
		}
		if m < 0 {
			return status.Errorf(status.ErrArgument, "inverse_mass[%d] is %v: must not be negative", i, m)
		}
	}
	return nil
}

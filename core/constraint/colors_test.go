package constraint_test

import (
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/constraints"
	"ccd/core/constraint"
)

// More colors than a pass has: all constraints at one vertex, with others between them.
func TestColorsOfManyPasses(t *testing.T) {
	r := ccdtest.NewRand(1, 33)
	for _, size := range []int{1, 63, 64, 65, 130, 400} {
		set := make([]constraint.Constraint, size)
		for i := range set {
			free := 1 + r.Perm(3 * size)[:3][0]
			set[i] = ofTwo(0, int32(free), int32(3*size+1), int32(3*size+1))
			if r.IntN(4) == 0 {
				set[i].Vertices[0] = int32(1 + r.IntN(3*size))
			}
		}
		if count := constraints.CheckColors(t, set, 3*size+2, nil); count < size/2 {
			t.Errorf("%d constraints: %d colors", size, count)
		}
		still := make([]float64, 3*size+2)
		if count := constraints.CheckColors(t, set, 3*size+2, still); count != 1 {
			t.Errorf("%d constraints of vertices at rest: %d colors", size, count)
		}
	}
}

func TestColorsOfNothing(t *testing.T) {
	if count, err := constraint.Colors(nil, 0, nil, nil); count != 0 || err != nil {
		t.Errorf("%d colors, error %v", count, err)
	}
}

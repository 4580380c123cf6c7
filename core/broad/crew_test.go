package broad

import (
	"errors"
	"testing"
)

func TestCrewCatchesPanics(t *testing.T) {
	for _, n := range []int{1, 3} {
		err := Crew(n, func(w int) {
			if w == n-1 {
				panic("on purpose")
			}
		})
		if !errors.Is(err, ErrInternal) {
			t.Errorf("%d workers: %v", n, err)
		}
	}
}

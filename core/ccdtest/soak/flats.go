package main

import (
	"fmt"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/flats"
)

// flatSteps is a goroutine that holds the calls of a step to their laws on flat grids, 3 to 16
// wide, that rest on each other.
type flatSteps struct {
	seeded
	scenes int64
	counts flats.Counts
}

// step looks at one scene.
func (w *flatSteps) step() {
	seed := w.seed()
	w.scenes++
	w.test(seed, fmt.Sprintf("flat seed %d", seed), func() error {
		r := ccdtest.NewRand(seed, 94)
		width := 3
		if r.IntN(8) == 0 {
			width += r.IntN(14) // wide ones take minutes
		}
		s, err := flats.Make(r, width)
		if err != nil {
			return err
		}
		return s.Check(r, &w.counts)
	})
}

func (w *flatSteps) print() {
	fmt.Printf("flat grids: %d scenes, %d impacts, %d pairs compared, %d scenes apart, %d are wrong\n",
		w.scenes, w.counts.Impacts, w.counts.Compared, w.counts.Apart, w.wrong.Load())
}

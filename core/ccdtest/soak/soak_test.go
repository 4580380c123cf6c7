package main

import (
	"testing"
	"time"

	"ccd/core/ccdtest/long"
)

// TestSoakFindsNothing runs each domain and the single queries on some seeds: what the soak expects
// must follow the library, or it says that everything is wrong and nobody looks.
func TestSoakFindsNothing(t *testing.T) {
	dir := t.TempDir()
	few := map[string]int{"flat": 1, "static": 1, "step": 1, "volume": 2, "crumple": 2, "rigid": 4, "patches": 4,
		"scene": 2} // one of their scenes is compared in a tenth of a second to three seconds
	for _, d := range domainsOf(dir, 1) {
		t.Run(d.title(), func(t *testing.T) {
			steps := 12
			if n := few[d.title()]; n > 0 {
				steps = n
			}
			steps = long.Part(steps, 2)
			for range steps {
				d.step()
			}
			if n := d.failures(); n > 0 {
				t.Fatalf("%d of %d scenes are wrong", n, steps)
			}
		})
	}
	r := &record{dir: dir, start: time.Now()}
	w := newWorker(1, 0, r)
	for range 100 {
		w.step()
	}
	if r.violations > 0 {
		t.Fatalf("%d queries break a law", r.violations)
	}
}

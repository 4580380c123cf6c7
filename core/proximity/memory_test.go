package proximity

import (
	"runtime"
	"testing"

	"ccd/core/engine"
	"ccd/core/mesh"
)

// Two triangles: a call allocates its results and little more, so that a thousand calls hardly start the garbage collector.
func TestSmallCallsAllocateLittle(t *testing.T) {
	x := []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, .2, .2, .5, 1.2, .2, .51, .2, 1.2, .52}
	m, err := mesh.New(6, nil, []int32{0, 1, 2, 3, 4, 5})
	if err != nil {
		t.Fatal(err)
	}
	o := &Options{CallOptions: engine.CallOptions{Threads: 1}}
	calls := map[string]func() error{
		"near":       func() error { _, err := Near(m, x, .6, o); return err },
		"distance":   func() error { _, err := Distance(m, x, o); return err },
		"intersects": func() error { _, err := Intersects(m, x, o); return err },
	}
	for name, call := range calls {
		const n = 1000
		var before, after runtime.MemStats
		for i := range n + 10 {
			if i == 10 {
				runtime.ReadMemStats(&before)
			}
			if err := call(); err != nil {
				t.Fatal(err)
			}
		}
		runtime.ReadMemStats(&after)
		if each := (after.TotalAlloc - before.TotalAlloc) / n; each > 8<<10 {
			t.Errorf("%s: %d bytes a call", name, each)
		}
	}
}

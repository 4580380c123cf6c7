package proximity

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"ccd/core/ccdtest"
	"ccd/core/engine"
	"ccd/core/mesh"
)

// Two triangles: a call allocates its results and little more, so that a thousand calls hardly
// start the garbage collector.
func TestSmallCallsAllocateLittle(t *testing.T) {
	if ccdtest.Racing {
		t.Skip("pools drop memory under the race detector")
	}
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

// Results in memory that was given back are what they are in new memory, share none with a result
// in use, and hold at most twice what they need.
func TestResultsReuseMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	faces, x := sheet(30, func(int, int) float64 { return 0.6 * r.NormFloat64() })
	m, err := mesh.New(len(x)/3, nil, faces)
	if err != nil {
		t.Fatal(err)
	}
	find := func(d float64, limit uint64) []NearPair {
		l, err := Near(m, x, d, &Options{CallOptions: engine.CallOptions{Threads: 1, MemoryLimit: limit}})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	distances := []float64{1.2, 1.15, 1.2, 0.8, 0.9, 1.2}
	var want [][]NearPair
	for _, d := range distances {
		want = append(want, find(d, 0)) // none is given back
	}
	if len(want[0]) < 2*len(want[3]) || len(want[3]) == 0 {
		t.Fatalf("%d and %d pairs: too alike", len(want[0]), len(want[3]))
	}
	reused := 0
	for i, d := range distances {
		for range 4 { // the race detector makes pools forget
			first := find(d, 0)
			memory := unsafe.SliceData(first)
			Reuse(first)
			used := find(d, 0)
			if unsafe.SliceData(used) == memory {
				reused++
			}
			if other := find(d, 0); unsafe.SliceData(other) == unsafe.SliceData(used) || !slices.Equal(other, want[i]) {
				t.Fatal("a result lies in the memory of one that is in use")
			}
			if !slices.Equal(used, want[i]) || cap(used) > 2*len(used) {
				t.Fatalf("d = %v: %d pairs in memory for %d, want %d", d, len(used), cap(used), len(want[i]))
			}
			Reuse(used)
			memory = unsafe.SliceData(used)
			if limited := find(d, 1<<30); cap(limited) != len(limited) || unsafe.SliceData(limited) == memory {
				t.Fatal("a call with a limit used memory that was given back")
			}
			if small := find(0.8, 0); cap(small) > 2*len(small) || !slices.Equal(small, want[3]) {
				t.Fatalf("%d pairs hold memory for %d", len(small), cap(small))
			}
		}
	}
	if reused == 0 {
		t.Fatal("no result lay in memory that was given back")
	}
}

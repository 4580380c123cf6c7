package step

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
)

// pile is n triangles that all pass through each other: nearly every pair of them is an impact of
// some kind.
func pile(t testing.TB, n int) scene {
	t.Helper()
	s, r := scene{name: "pile"}, rand.New(rand.NewPCG(7, 8))
	faces := make([]int32, 3*n)
	for i := range faces {
		faces[i] = int32(i)
		for range 3 {
			s.x0, s.x1 = append(s.x0, r.Float64()), append(s.x1, r.Float64())
		}
	}
	var err error
	if s.m, err = mesh.New(3*n, nil, faces); err != nil {
		t.Fatal(err)
	}
	return s
}

// heapAfter is the live memory, and what was allocated in all.
func heapAfter() (live, all uint64) {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc, m.TotalAlloc
}

// A listing keeps its memory limit, results included: it ends with status.ErrMemory where they do
// not fit. What it allocates before it does is within the limit, for nothing that results are kept
// in grows by copying.
func TestListingsKeepTheMemoryLimit(t *testing.T) {
	s := pile(t, 260)
	o := DefaultOptions()
	var stats engine.Stats
	o.Threads, o.Stats = 2, &stats
	want, err := Collisions(s.m, s.x0, s.x1, &o)
	if err != nil || len(want) < 20000 {
		t.Fatalf("%d impacts, %v", len(want), err)
	}
	const limit = 4 << 20
	if need := len(want) * listedBytes; need < 2*limit {
		t.Fatalf("%d impacts are too few", len(want))
	}
	lists := map[string]func() error{
		"collisions": func() error { _, err := Collisions(s.m, s.x0, s.x1, &o); return err },
		"active set": func() error { _, err := ActiveSet(s.m, s.x0, s.x1, &o); return err },
	}
	for name, list := range lists {
		o.MemoryLimit = limit
		_, before := heapAfter()
		err := list()
		_, after := heapAfter()
		if !errors.Is(err, status.ErrMemory) || !strings.Contains(err.Error(), "options.memory_limit is 4194304") {
			t.Errorf("%s: %v", name, err)
		}
		if after-before > 3*limit/2 { // records, solvers and reading statistics count here
			t.Errorf("%s: %d bytes were allocated with a limit of %d", name, after-before, limit)
		}
		o.MemoryLimit = uint64(len(want)*(listedBytes+176)) + 16<<20
		if err := list(); err != nil {
			t.Errorf("%s with room: %v", name, err)
		} else if stats.PeakBytes > int64(o.MemoryLimit) {
			t.Errorf("%s: peak %d with a limit of %d", name, stats.PeakBytes, o.MemoryLimit)
		}
	}
}

// What is visited takes no more memory however much there is.
func TestVisitsKeepTheMemoryLimit(t *testing.T) {
	s := pile(t, 260)
	o, n := DefaultOptions(), 0
	var stats engine.Stats
	o.Threads, o.Stats, o.MemoryLimit = 2, &stats, 2<<20
	_, before := heapAfter()
	err := Visit(s.m, s.x0, s.x1, &o, func(batch []geom.Impact) bool { n += len(batch); return false })
	_, after := heapAfter()
	if err != nil || int64(n) != stats.Impacts || n < 20000 {
		t.Fatalf("%d impacts, %+v, %v", n, stats, err)
	}
	if stats.PeakBytes > 2<<20 || after-before > 3<<20 {
		t.Errorf("peak %d, %d bytes allocated", stats.PeakBytes, after-before)
	}
}

// A visitor stops a call, and is not called again; so does the progress.
func TestVisitorsStopACall(t *testing.T) {
	s := pile(t, 120)
	// The other threads have impacts, too, and wait for the first visit to end.
	large, o, calls := pile(t, 300), DefaultOptions(), 0
	o.Threads = 4
	err := Visit(large.m, large.x0, large.x1, &o, func([]geom.Impact) bool {
		calls++
		time.Sleep(200 * time.Millisecond)
		return true
	})
	if !errors.Is(err, status.ErrCancelled) || calls != 1 {
		t.Errorf("%d calls of a visitor that stops at the first, %v", calls, err)
	}
	for _, limit := range []uint64{0, 1} {
		o, calls := DefaultOptions(), 0
		o.MemoryLimit = limit
		err := Visit(s.m, s.x0, s.x1, &o, func([]geom.Impact) bool { calls++; return calls == 3 })
		if !errors.Is(err, status.ErrCancelled) || calls != 3 || !strings.Contains(err.Error(), "visitor") {
			t.Errorf("%d calls, %v", calls, err)
		}
		o.Progress = func(float64) bool { return calls > 4 }
		if err := Visit(s.m, s.x0, s.x1, &o, func([]geom.Impact) bool { calls++; return false }); !errors.Is(err,
			status.ErrCancelled) {
			t.Errorf("%d calls, %v", calls, err)
		}
	}
}

package step

import (
	"errors"
	"math"
	"strings"
	"testing"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/status"
)

// Each world has the bits of a call of its own, whatever the threads, the limit and the norm.
func TestEarliestBatchHasTheBitsOfEachWorld(t *testing.T) {
	s := sheets(t, 8, 0.01)
	n, worlds := 3*s.m.NV, 7
	x0, x1 := make([]float64, 0, n*worlds), make([]float64, 0, n*worlds)
	for w := range worlds {
		for i := range n {
			x0 = append(x0, s.x0[i])
			x1 = append(x1, s.x0[i]+float64(w)/float64(worlds-1)*(s.x1[i]-s.x0[i]))
		}
	}
	want, apart := make([]geom.Impact, worlds), 0
	for _, threads := range []int{1, 2, 16} {
		for _, limit := range []uint64{0, 1 << 22} {
			var stats engine.Stats
			o := DefaultOptions()
			o.Threads, o.MemoryLimit, o.Stats = threads, limit, &stats
			got := make([]geom.Impact, worlds)
			if err := EarliestBatch(s.m, x0, x1, got, &o); err != nil {
				t.Fatal(err)
			}
			for w := range worlds {
				o.Stats = nil
				im, err := Earliest(s.m, x0[n*w:n*(w+1)], x1[n*w:n*(w+1)], &o)
				if err != nil || got[w] != im {
					t.Fatalf("world %d of %d threads: %+v, alone %+v, %v", w, threads, got[w], im, err)
				}
				want[w] = im
				if im.Verdict == geom.Separate {
					apart++
				}
			}
			boxes := int64(worlds * (s.m.NV + len(s.m.Edges) + len(s.m.Faces)))
			if stats.Boxes != boxes || stats.Threads < 1 {
				t.Errorf("statistics count %d boxes, not %d", stats.Boxes, boxes)
			}
		}
	}
	if apart == 0 || apart == 6*worlds {
		t.Errorf("%d of %d worlds are separate", apart, 6*worlds)
	}
}

func TestEarliestBatchNamesTheWorld(t *testing.T) {
	s := sheets(t, 8, 0.01)
	n := 3 * s.m.NV
	x := append(append(append([]float64(nil), s.x0...), s.x0...), s.x0...)
	out := make([]geom.Impact, 3)
	if err := EarliestBatch(s.m, x, x[n:], out, nil); !errors.Is(err, status.ErrArgument) ||
		!strings.Contains(err.Error(), "x1 has") {
		t.Errorf("too few coordinates: %v", err)
	}
	bad := append([]float64(nil), x...)
	bad[n+4], bad[2*n] = math.NaN(), math.Inf(1)
	o := DefaultOptions()
	o.Threads = 1
	err := EarliestBatch(s.m, x, bad, out, &o)
	if !errors.Is(err, status.ErrNonFinite) || !strings.Contains(err.Error(), "world 1: x1[1][1]") {
		t.Errorf("a coordinate that is NaN: %v", err)
	}
	o.Progress = func(float64) bool { return true }
	if err := EarliestBatch(s.m, x, x, out, &o); !errors.Is(err, status.ErrCancelled) {
		t.Errorf("a call that is cancelled: %v", err)
	}
	if err := EarliestBatch(s.m, nil, nil, nil, nil); err != nil {
		t.Errorf("no world: %v", err)
	}
}

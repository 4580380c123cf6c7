package step

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
	"ccd/core/step/device"
)

// sameAdvances fails unless each world has the bits of calls of its own, whether x is an array of
// its own, x0 or x1. It returns how many worlds stop on their way.
func sameAdvances(t *testing.T, m *mesh.Mesh, x0, x1 []float64, share float64, worlds int, o Options) (short int) {
	t.Helper()
	n := 3 * m.NV
	for alias := range 3 {
		a, b := slices.Clone(x0), slices.Clone(x1)
		x := [][]float64{make([]float64, len(x0)), a, b}[alias]
		alpha, impacts := make([]float64, worlds), make([]geom.Impact, worlds)
		if alias == 2 {
			impacts = nil
		}
		if err := AdvanceBatch(m, a, b, share, alpha, x, impacts, &o); err != nil {
			t.Fatal(err)
		}
		one := o
		one.Device, one.DeviceOnly = nil, false
		for w := range worlds {
			from, to := x0[n*w:n*(w+1)], x1[n*w:n*(w+1)]
			place := make([]float64, n)
			want, err := Advance(m, from, to, place, share, &one)
			if err != nil {
				t.Fatal(err)
			}
			if alpha[w] != want || !sameBits(x[n*w:n*(w+1)], place) {
				t.Fatalf("world %d of %d, x is array %d: step %v to %v, alone %v to %v", w, worlds, alias, alpha[w],
					x[n*w:n*(w+1)], want, place)
			}
			if want > 0 && want < share*o.TMax {
				short++
			}
			if impacts == nil {
				continue
			}
			if im, err := Earliest(m, from, to, &one); err != nil || impacts[w] != im {
				t.Fatalf("world %d of %d: impact %+v, alone %+v, %v", w, worlds, impacts[w], im, err)
			}
		}
	}
	return short
}

// Law J3 of docs/numerics.md: the step of a world of a batch has the bits of a call of its own,
// where the hierarchy of the mesh finds the pairs of many worlds and where a sweep does for each of
// few.
func TestWorldsLawSameSteps(t *testing.T) {
	short, all := 0, 0
	for seed := range uint64(120) {
		m, x0, x1, worlds, o := fuzzedWorlds(t, seed)
		if seed%4 == 0 {
			worlds = 2
		}
		n := 3 * m.NV * worlds
		share := []float64{1, 0.9}[seed%2]
		short += sameAdvances(t, m, x0[:n], x1[:n], share, worlds, o)
		all += 3 * worlds
	}
	if short < all/20 {
		t.Errorf("%d of %d worlds stop on their way: the test shows little", short, all)
	}
}

// The same where a device finds the impacts, knows nothing or fails.
func TestWorldsOnDeviceLawSameSteps(t *testing.T) {
	defer func(n int) { device.Least.Boxes = n }(device.Least.Boxes)
	device.Least.Boxes = 1
	used := 0
	for seed := range uint64(40) {
		m, x0, x1, worlds, o := fuzzedWorlds(t, seed)
		d := &finding{pretended: pretended{know: seed%4 != 0}, room: 1 << 18}
		if seed%7 == 0 {
			d.fail = 1 + int(seed%5)
		}
		o.Device = d
		sameAdvances(t, m, x0, x1, 1, worlds, o)
		if d.plans > 0 {
			used++
		}
	}
	if used < 10 {
		t.Errorf("the device was used %d times", used)
	}
}

func FuzzAdvanceWorlds(f *testing.F) {
	f.Add(uint64(1), 1.0)
	f.Add(uint64(1<<40), 0.5)
	f.Fuzz(func(t *testing.T, seed uint64, share float64) {
		m, x0, x1, worlds, o := fuzzedWorlds(t, seed)
		if !(share > 0 && share <= 1) {
			share = 1
		}
		sameAdvances(t, m, x0, x1, share, worlds, o)
	})
}

// After an error steps are 0 and positions those at the start, also where x is x0 and worlds before
// the wrong one are computed.
func TestAdvanceBatchErrors(t *testing.T) {
	s := sheets(t, 8, 0.01)
	n, worlds := 3*s.m.NV, 9
	x0, x1 := slices.Repeat(s.x0, worlds), slices.Repeat(s.x1, worlds)
	wrong := slices.Clone(x1)
	wrong[7*n+4] = math.NaN()
	cancel := DefaultOptions()
	cancel.Progress = func(float64) bool { return true }
	for _, c := range []struct {
		x1    []float64
		share float64
		o     *Options
		kind  error
		text  string
	}{
		{wrong, 1, nil, status.ErrNonFinite, "world 7: x1[1][1]"},
		{x1, 0, nil, status.ErrArgument, "share is 0: must be in (0, 1]"},
		{x1, math.NaN(), nil, status.ErrArgument, "share is NaN"},
		{x1[:n], 1, nil, status.ErrArgument, "x1 has"},
		{x1, 1, &cancel, status.ErrCancelled, ""},
	} {
		for _, own := range []bool{false, true} {
			from := slices.Clone(x0)
			x, alpha := from, slices.Repeat([]float64{7}, worlds)
			if own {
				x = make([]float64, len(x0))
			}
			err := AdvanceBatch(s.m, from, c.x1, c.share, alpha, x, nil, c.o)
			if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.text) {
				t.Errorf("error %v, want %q", err, c.text)
			}
			if !sameBits(x, x0) || !slices.Equal(alpha, make([]float64, worlds)) {
				t.Errorf("%v: steps %v", err, alpha)
			}
		}
	}
	if err := AdvanceBatch(s.m, x0, x1, 1, make([]float64, worlds), x0[:n], nil, nil); err == nil {
		t.Error("positions of one world for many: no error")
	}
	if err := AdvanceBatch(s.m, nil, nil, 1, nil, nil, nil, nil); err != nil {
		t.Errorf("no world: %v", err)
	}
}

// Statistics add up all searches, and progress ascends to 1.
func TestAdvanceBatchCounts(t *testing.T) {
	s := sheets(t, 8, 0.01)
	worlds := 9
	x0, x1 := slices.Repeat(s.x0, worlds), slices.Repeat(s.x1, worlds)
	var one, all engine.Stats
	o := DefaultOptions()
	o.Threads, o.Stats = 2, &one
	if err := EarliestBatch(s.m, x0, x1, make([]geom.Impact, worlds), &o); err != nil {
		t.Fatal(err)
	}
	var seen []float64
	o.Stats, o.Progress = &all, func(f float64) bool {
		seen = append(seen, f)
		return false
	}
	if err := AdvanceBatch(s.m, x0, x1, 1, make([]float64, worlds), x1, nil, &o); err != nil {
		t.Fatal(err)
	}
	if all.Boxes <= one.Boxes || all.Threads != 2 {
		t.Errorf("%d boxes by %d threads, those of the impacts alone are %d", all.Boxes, all.Threads, one.Boxes)
	}
	if !slices.IsSorted(seen) || len(seen) == 0 || seen[len(seen)-1] != 1 {
		t.Errorf("progress is %v", seen)
	}
}

// A loop goes on in worlds that are far from the origin, where rounded steps would stand still.
func TestAdvanceBatchLoop(t *testing.T) {
	m, err := mesh.New(4, nil, []int32{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 3))
	worlds := 200
	var x, down []float64
	for range worlds {
		at, fall := 10+990*r.Float64(), 1+2*r.Float64()
		for i, c := range []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.25, 0.1} {
			x = append(x, at+c)
			down = append(down, []float64{0, fall}[i/11])
		}
	}
	o := DefaultOptions()
	o.MinSeparation = 0.01
	impacts := make([]geom.Impact, worlds)
	for range 3 {
		to := slices.Clone(x)
		for i := range to {
			to[i] -= down[i]
		}
		if err := AdvanceBatch(m, x, to, 1, make([]float64, worlds), x, nil, &o); err != nil {
			t.Fatal(err)
		}
		if err := EarliestBatch(m, x, x, impacts, &o); err != nil {
			t.Fatal(err)
		}
		for w := range impacts {
			if impacts[w].Verdict != geom.Separate {
				t.Fatalf("world %d stands within its separation: %+v", w, impacts[w])
			}
		}
	}
}

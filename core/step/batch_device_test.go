package step

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/status"
	"ccd/core/step/device"
)

// Law J1 with a device: a world has the bits of a call of its own, whether the device works, knows
// nothing or fails.
func TestWorldsOnDeviceLawSameBits(t *testing.T) {
	all, used, hits := 0, 0, 0
	defer func(n, boxes int) { mostTogether, device.Least.Boxes = n, boxes }(mostTogether, device.Least.Boxes)
	device.Least.Boxes = 1
	for seed := range uint64(300) {
		m, x0, x1, worlds, o := fuzzedWorlds(t, seed)
		o.Device = nil
		want := make([]geom.Impact, worlds)
		if err := EarliestBatch(m, x0, x1, want, &o); err != nil {
			t.Fatal(err)
		}
		mostTogether = []int{1 << 22, 200, 1}[seed%3]
		d := &finding{pretended: pretended{know: seed%4 != 0}, room: []int{1 << 18, 7}[seed%2]}
		if seed%7 == 0 {
			d.fail = 1 + int(seed%5)
		}
		o.Device, o.DeviceOnly = d, seed%2 == 0
		served := searchesWorlds(&o)
		got := make([]geom.Impact, worlds)
		err := EarliestBatch(m, x0, x1, got, &o)
		all++
		if o.DeviceOnly && (!served || d.fail > 0) {
			if err == nil && (!served || d.calls >= d.fail) { // Few pairs need no more calls of the device.
				t.Fatalf("seed %d: no error", seed)
			}
			if err != nil {
				if !errors.Is(err, status.ErrUnsupported) ||
					!strings.HasPrefix(err.Error(), "options.device is CCD_DEVICE_GPU: ") {
					t.Fatalf("seed %d: %v", seed, err)
				}
				continue
			}
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !slices.Equal(got, want) {
			for w := range got {
				if got[w] != want[w] {
					t.Fatalf("seed %d, world %d of %d:\n%+v, without a device\n%+v", seed, w, worlds, got[w], want[w])
				}
			}
		}
		if d.plans > 0 {
			used++
		}
		for i := range got {
			if got[i].Verdict != geom.Separate {
				hits++
			}
		}
	}
	if used < all/4 || hits < all {
		t.Errorf("%d of %d calls used the device, %d impacts: the test shows little", used, all, hits)
	}
}

// One plan serves all worlds, whose copies never meet each other: all are in one place.
func TestWorldsOnDeviceTogether(t *testing.T) {
	const worlds = 40
	m, x0, x1 := ballsOnSheets(t, 5, 10, 2, 5, worlds)
	want, got := make([]geom.Impact, worlds), make([]geom.Impact, worlds)
	o := DefaultOptions()
	var stats [2]engine.Stats
	o.Stats = &stats[0]
	if err := EarliestBatch(m, x0, x1, want, &o); err != nil {
		t.Fatal(err)
	}
	d := &finding{pretended: pretended{know: true}, room: 1 << 18}
	o.Device, o.DeviceOnly, o.Stats = d, true, &stats[1]
	for call := range 2 {
		if err := EarliestBatch(m, x0, x1, got, &o); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) || d.plans != call+1 {
			t.Fatalf("%d plans; the same impacts: %v", d.plans, slices.Equal(got, want))
		}
	}
	if !stats[1].DeviceUsed || stats[1].Impacts != stats[0].Impacts || stats[1].Candidates[1] == 0 {
		t.Errorf("statistics %+v, without a device %+v", stats[1], stats[0])
	}
	x1[3*m.NV*7+5] = math.NaN()
	if err := EarliestBatch(m, x0, x1, got, &o); err == nil || !strings.Contains(fmt.Sprint(err), "world 7: x1[1][2]") {
		t.Errorf("a bad number: %v", err)
	}
}

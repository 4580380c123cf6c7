package step

import (
	"runtime/debug"
	"testing"

	"ccd/core/broad"
	"ccd/core/geom"
)

// The allocations of a search by the hierarchy do not grow with the mesh, whether its plan is of
// the whole step or of the short time that an excerpt's impact leaves.
func TestEarliestAllocatesNothingForEachBlock(t *testing.T) {
	defer func(before broad.Hierarchies) { broad.UseHierarchy = before }(broad.UseHierarchy)
	broad.UseHierarchy = broad.HierarchyAlways
	defer func(before broad.Orientation) { orientation = before }(orientation)
	orientation = broad.AlongAxes                    // How many maps are tried depends on the scene.
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // A collection empties the pools of memory.
	allocations := func(n, calls int, gap float64) float64 {
		m, x0, x1 := fallingSheet(t, n, gap)
		o := DefaultOptions()
		o.Threads = 1
		return testing.AllocsPerRun(calls, func() {
			im, err := Earliest(m, x0, x1, &o)
			if err != nil || im.Verdict != geom.Contact {
				t.Fatal(im, err)
			}
		})
	}
	for _, c := range []struct {
		name      string
		few, many int // vertices along a side
		calls     int
		gap       float64
	}{{"whole steps", 40, 60, 3, 1}, {"short times, whose excerpt is made twice", 76, 84, 17, 0.05}} {
		few, many := allocations(c.few, c.calls, c.gap), allocations(c.many, c.calls, c.gap)
		if few != many {
			t.Errorf("%s: %v allocations for %d vertices along a side, %v for %d", c.name, few, c.few, many, c.many)
		}
	}
}

package exact_test

import (
	"math"
	"slices"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/exact"
	"ccd/core/geom"
	"ccd/core/reference/oracle"
)

// watcher computes the intervals of a case by the resolver for its separation.
type watcher struct {
	plain  exact.Resolver
	euclid exact.EuclideanResolver
}

func (w *watcher) intervals(c *ccdtest.Case) []geom.Interval {
	if c.D == 0 {
		return w.plain.Intervals(c.Kind, c.Q, c.TMax, nil)
	}
	return w.euclid.Intervals(c.Kind, c.Q, c.D, c.TMax, nil)
}

// first is the first contact of a case.
func (w *watcher) first(c *ccdtest.Case) (out geom.Impact) {
	if c.D == 0 {
		w.plain.Resolve(c.Kind, c.Q, c.TMax, &out)
	} else {
		w.euclid.Resolve(c.Kind, c.Q, c.D, c.TMax, &out)
	}
	return out
}

// checkIntervals returns what is wrong with the intervals of a case: laws T1 to T5 by the oracle, and T2 by the first contact.
func (w *watcher) check(t *testing.T, c *ccdtest.Case) []geom.Interval {
	t.Helper()
	list := w.intervals(c)
	if want := oracle.Intervals(c.Kind, c.Q, c.D, c.TMax); !slices.Equal(list, want) {
		t.Fatalf("%v:\nintervals %+v\noracle    %+v", c, list, want)
	}
	first := w.first(c)
	switch {
	case len(list) == 0 && first.Verdict != geom.Separate, len(list) > 0 && first.Verdict != geom.Contact:
		t.Fatalf("%v:\nintervals %+v\nfirst contact %+v", c, list, first)
	case len(list) > 0 && (math.Float64bits(list[0].Enter) != math.Float64bits(first.TOILo) ||
		list[0].Flags&geom.InitialContact != first.Flags&geom.InitialContact):
		t.Fatalf("%v:\nintervals %+v\nfirst contact %+v", c, list, first)
	}
	return list
}

// The intervals are those of the oracle, in every bit, on every family (laws T1, T3, T4, T5), and the first begins at toi (T2).
func TestIntervalsAgreeWithOracle(t *testing.T) {
	n := 16
	if testing.Short() {
		n = 6
	}
	for _, fam := range ccdtest.Families {
		var w watcher
		seen := map[string]int{}
		for _, k := range kinds {
			r := ccdtest.NewRand(61, uint64(k))
			for i := range 2 * n {
				c := fam.Make(r, k, i%2 == 0)
				if !(spread(&c) <= 0x1p120) && c.D > 0 {
					continue // the oracle would take seconds
				}
				list := w.check(t, &c)
				if len(list) > 0 {
					seen["contact"]++
				}
				if len(list) > 1 {
					seen["several"]++
				}
				if len(list) > 0 && list[0].Exit > math.Nextafter(list[0].Enter, 2) {
					seen["lasting"]++
				}
			}
		}
		t.Logf("%-12s %v, %+v", fam.Name, seen, w.euclid.Stats)
	}
}

func FuzzIntervals(f *testing.F) {
	for i, fam := range ccdtest.Families {
		c := fam.Make(ccdtest.NewRand(62, uint64(i)), geom.Kind(1+i%4), i/4%2 == 0)
		f.Add(byte(c.Kind), c.D, c.TMax, ccdtest.Pack(c.Q))
	}
	f.Fuzz(func(t *testing.T, kind byte, d, tMax float64, raw []byte) {
		c := ccdtest.Unpack(kind, d, 1, tMax, raw)
		if c.D > 0 && !(spread(&c) <= 0x1p120) {
			return
		}
		new(watcher).check(t, &c)
	})
}

// parabolaOver is a vertex over a turning face whose volume is s^2 + e s - 3 e / 4 for s = 3 t - 2: two roots beside t = 2/3.
func parabolaOver(e float64) *ccdtest.Case {
	return &ccdtest.Case{Kind: geom.VertexFace, TMax: 1, Q: []float64{
		-1.75, 0.25, 0.5, 0, 0, e, 1, 0, 2, 0, 1, e,
		1.25, 0.25, -0.25, 0, 0, e, 1, 0, -1, 0, 1, e,
	}}
}

// Two crossings are two intervals, unless no double lies between their rounded ends: then they are one, which passes to no other side.
func TestIntervalsOfTwoCrossings(t *testing.T) {
	var w watcher
	list := w.check(t, parabolaOver(0x1p-60))
	if len(list) != 2 || list[0].SideBefore != 1 || list[0].SideAfter != -1 || list[1].SideBefore != -1 || list[1].SideAfter != 1 {
		t.Errorf("crossings: %+v", list)
	}
	third := math.Nextafter(2.0/3, 0)
	list = w.check(t, parabolaOver(0x1p-118))
	if len(list) != 1 || list[0].Exit != math.Nextafter(list[0].Enter, 1) || math.Abs(list[0].Enter-third) > 0x1p-52 ||
		list[0].SideBefore != 1 || list[0].SideAfter != 1 {
		t.Errorf("crossings without a double between: %+v", list)
	}
}

// Of two crossings, one is at t = 1/2 and the other e / 3 before it, nearer than a double: one interval, on either side of 1/2.
func TestIntervalsThatShareADouble(t *testing.T) {
	var w watcher
	for _, e := range []float64{0x1p-56, -0x1p-56} {
		c := &ccdtest.Case{Kind: geom.VertexFace, TMax: 1, Q: []float64{
			-0.75, 0.25, 0.25, 0, 0, e, 1, 0, 1, 0, 1, e,
			1.25, 0.25, -0.25, 0, 0, -e, 1, 0, -1, 0, 1, -e,
		}}
		list := w.check(t, c)
		if len(list) != 1 || list[0].Enter != 0.5 && list[0].Exit != 0.5 || list[0].Enter == list[0].Exit || list[0].SideBefore != list[0].SideAfter {
			t.Errorf("e = %v: %+v", e, list)
		}
	}
}

// A point passes another: contact at one instant, and entries and exits at doubles.
func TestIntervalsThatOnlyTouch(t *testing.T) {
	var w watcher
	// A point passes another at distance 1 exactly at t = 1/2: within 1 at that instant alone, within 5/4 while |x| <= 3/4.
	c := &ccdtest.Case{Kind: geom.PointPoint, TMax: 1, D: 1, Q: []float64{-2, 1, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0}}
	if list := w.check(t, c); len(list) != 1 || list[0].Enter != 0.5 || list[0].Exit != 0.5 || list[0].Flags != 0 {
		t.Errorf("got %+v", list)
	}
	c.D = 1.25
	if list := w.check(t, c); len(list) != 1 || list[0].Enter != 5.0/16 || list[0].Exit != 11.0/16 {
		t.Errorf("got %+v", list)
	}
	if c.D = math.Nextafter(1, 0); len(w.check(t, c)) != 0 {
		t.Error("within less than the least distance")
	}
	if c.D, c.TMax = 1.25, 11.0/16; w.check(t, c)[0].Flags != geom.FinalContact {
		t.Error("the end of contact at the end of time")
	}
}

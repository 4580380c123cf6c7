package exact_test

import (
	"math"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/exact"
	"ccd/core/exact/clearance"
	"ccd/core/geom"
)

// watcher computes the intervals of a case by the resolver for its separation.
type watcher struct {
	plain   exact.Resolver
	euclid  clearance.EuclideanResolver
	cube    clearance.SeparationResolver
	maxNorm bool
}

func (w *watcher) intervals(c *ccdtest.Case) []geom.Interval {
	switch {
	case c.D == 0:
		return w.plain.Intervals(c.Kind, c.Q, c.TMax, nil)
	case w.maxNorm:
		return w.cube.Intervals(c.Kind, c.Q, c.D, c.TMax, nil)
	}
	return w.euclid.Intervals(c.Kind, c.Q, c.D, c.TMax, nil)
}

// first returns the first contact of a case.
func (w *watcher) first(c *ccdtest.Case) (out geom.Impact) {
	switch {
	case c.D == 0:
		w.plain.Resolve(c.Kind, c.Q, c.TMax, &out)
	case w.maxNorm:
		w.cube.Resolve(c.Kind, c.Q, c.D, c.TMax, &out)
	default:
		w.euclid.Resolve(c.Kind, c.Q, c.D, c.TMax, &out)
	}
	return out
}

// check holds the intervals of a case to laws T1 to T5.
func (w *watcher) check(t *testing.T, c *ccdtest.Case) []geom.Interval {
	t.Helper()
	list, first := w.intervals(c), w.first(c)
	if err := ccdtest.CheckIntervals(c, w.maxNorm, list, &first); err != nil {
		t.Fatal(err)
	}
	return list
}

// The intervals are those of the oracle, in every bit, on every family (laws T1, T3, T4, T5), and
// the first begins at toi (T2).
func TestIntervalsAgreeWithOracle(t *testing.T) {
	n := 16
	if testing.Short() {
		n = long.Part(3, 2)
	}
	for _, fam := range ccdtest.Families {
		var w watcher
		seen := map[string]int{}
		for _, k := range kinds {
			r := ccdtest.NewRand(61, uint64(k))
			for i := range 2 * n {
				c := fam.Make(r, k, i%3 > 0)
				if w.maxNorm = i%3 == 1; !(spread(&c) <= 0x1p120) && c.D > 0 {
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
		t.Logf("%-12s %v, %+v, max norm %+v", fam.Name, seen, w.euclid.Stats, w.cube.Stats)
	}
}

func FuzzIntervals(f *testing.F) {
	for i, fam := range ccdtest.Families {
		c := fam.Make(ccdtest.NewRand(62, uint64(i)), geom.Kind(1+i%4), i/4%2 == 0)
		f.Add(byte(c.Kind), i%2 == 0, c.D, c.TMax, ccdtest.Pack(c.Q))
	}
	f.Fuzz(func(t *testing.T, kind byte, maxNorm bool, d, tMax float64, raw []byte) {
		c := ccdtest.Unpack(kind, d, 1, tMax, raw)
		if c.D > 0 && !(spread(&c) <= 0x1p120) {
			return
		}
		w := watcher{maxNorm: maxNorm}
		w.check(t, &c)
	})
}

// parabolaOver returns a vertex over a turning face whose volume is s^2 + e s - 3 e / 4 for s = 3
// t - 2: two roots beside t = 2/3.
func parabolaOver(e float64) *ccdtest.Case {
	return &ccdtest.Case{Kind: geom.VertexFace, TMax: 1, Q: []float64{
		-1.75, 0.25, 0.5, 0, 0, e, 1, 0, 2, 0, 1, e,
		1.25, 0.25, -0.25, 0, 0, e, 1, 0, -1, 0, 1, e,
	}}
}

// Two crossings are two intervals, unless no double lies between their rounded ends: then they are
// one, which passes to no other side.
func TestIntervalsOfTwoCrossings(t *testing.T) {
	var w watcher
	list := w.check(t, parabolaOver(0x1p-60))
	if len(list) != 2 || list[0].SideBefore != 1 || list[0].SideAfter != -1 || list[1].SideBefore != -1 ||
		list[1].SideAfter != 1 {
		t.Errorf("crossings: %+v", list)
	}
	third := math.Nextafter(2.0/3, 0)
	list = w.check(t, parabolaOver(0x1p-118))
	if len(list) != 1 || list[0].Exit != math.Nextafter(list[0].Enter, 1) || math.Abs(list[0].Enter-third) > 0x1p-52 ||
		list[0].SideBefore != 1 || list[0].SideAfter != 1 {
		t.Errorf("crossings without a double between: %+v", list)
	}
}

// Of two crossings, one is at t = 1/2 and the other e / 3 before it, nearer than a double: one
// interval, on either side of 1/2.
func TestIntervalsThatShareADouble(t *testing.T) {
	var w watcher
	for _, e := range []float64{0x1p-56, -0x1p-56} {
		c := &ccdtest.Case{Kind: geom.VertexFace, TMax: 1, Q: []float64{
			-0.75, 0.25, 0.25, 0, 0, e, 1, 0, 1, 0, 1, e,
			1.25, 0.25, -0.25, 0, 0, -e, 1, 0, -1, 0, 1, -e,
		}}
		list := w.check(t, c)
		if len(list) != 1 || list[0].Enter != 0.5 && list[0].Exit != 0.5 || list[0].Enter == list[0].Exit ||
			list[0].SideBefore != list[0].SideAfter {
			t.Errorf("e = %v: %+v", e, list)
		}
	}
}

// A point passes another: contact at one instant, and entries and exits at doubles.
func TestIntervalsThatOnlyTouch(t *testing.T) {
	var w watcher
	// A point passes another at distance 1 exactly at t = 1/2: within 1 at that instant alone,
	// within 5/4 while |x| <= 3/4.
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

// In the max norm contact ends where the polygon leaves the cube: through a face of it, over one of
// its edges, and again.
func TestIntervalsInTheMaxNorm(t *testing.T) {
	w := watcher{maxNorm: true}
	// A point passes a corner of the cube [-1, 1]^3: |x| <= 1 and |y| <= 1 for t in [1/4, 3/4], the
	// square's corners exactly.
	c := &ccdtest.Case{Kind: geom.PointPoint, TMax: 1, D: 1, Q: []float64{-2, 0.5, 0, 0, 0, 0, 2, 0.5, 0, 0, 0, 0}}
	if list := w.check(t, c); len(list) != 1 || list[0].Enter != 0.25 || list[0].Exit != 0.75 {
		t.Errorf("through faces: %+v", list)
	}
	c.Q = []float64{-2, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0} // it touches an edge of the cube at t = 1/2 alone
	if list := w.check(t, c); len(list) != 1 || list[0].Enter != 0.5 || list[0].Exit != 0.5 {
		t.Errorf("an edge: %+v", list)
	}
	if c.D = math.Nextafter(1, 0); len(w.check(t, c)) != 0 {
		t.Error("a cube that is a little smaller")
	}
	// A short edge that turns a half turn, as straight motions do, passes the corner of the cube
	// twice, or stays there.
	twice := 0
	r := ccdtest.NewRand(66, 0)
	n := 400
	if testing.Short() {
		n = 40
	}
	for range n {
		c := &ccdtest.Case{Kind: geom.PointEdge, TMax: 1, D: 0.25 + 0.5*r.Float64(),
			Q: []float64{0, 0, 0, 1, -3, 0, -3, 1, 0, 0, 0, 0, -1, 3, 0, 3, -1, 0}}
		for i := range c.Q {
			c.Q[i] += 0.3 * (2*r.Float64() - 1)
		}
		if len(w.check(t, c)) > 1 {
			twice++
		}
	}
	if twice == 0 {
		t.Error("no pair comes within d twice")
	}
	t.Logf("%d of %d twice, %+v", twice, n, w.cube.Stats)
}

func BenchmarkIntervals(b *testing.B) {
	for _, maxNorm := range []bool{false, true} {
		for _, k := range kinds {
			name := k.String() + map[bool]string{false: ", Euclidean", true: ", max norm"}[maxNorm]
			b.Run(name, func(b *testing.B) {
				fam, _ := ccdtest.FamilyNamed("meshlike")
				r := ccdtest.NewRand(67, uint64(k))
				w := watcher{maxNorm: maxNorm}
				var cases []ccdtest.Case
				for len(cases) < 256 {
					c := fam.Make(r, k, true)
					if im := w.first(&c); im.Verdict == geom.Contact {
						cases = append(cases, c)
					}
				}
				var list []geom.Interval
				for i := 0; b.Loop(); i++ {
					c := &cases[i%len(cases)]
					if maxNorm {
						list = w.cube.Intervals(c.Kind, c.Q, c.D, c.TMax, list[:0])
					} else {
						list = w.euclid.Intervals(c.Kind, c.Q, c.D, c.TMax, list[:0])
					}
				}
			})
		}
	}
}

package exact_test

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"ccd/core/broad"
	"ccd/core/ccdtest"
	"ccd/core/exact"
	"ccd/core/geom"
)

// familyQueries returns queries of all families, each with vertices of its own.
func familyQueries(t *testing.T, rng *rand.Rand, kind geom.Kind, count int) (*geom.Trajectories, [][4]int32) {
	t.Helper()
	var x [2][]float64
	var idx [][4]int32
	n := kind.Points()
	for i := range count {
		c := ccdtest.Families[i%len(ccdtest.Families)].Make(rng, kind, false)
		at := [4]int32{}
		for j := range n {
			at[j] = int32(len(x[0])/3 + j)
		}
		x[0], x[1] = append(x[0], c.Q[:3*n]...), append(x[1], c.Q[3*n:]...)
		idx = append(idx, at)
	}
	mo, err := geom.NewTrajectories(x[0], x[1])
	if err != nil {
		t.Fatal(err)
	}
	return mo, idx
}

// A batch gives the bits of single calls, for every kind and every end of time.
func TestBatchIsResolve(t *testing.T) {
	rng := ccdtest.NewRand(11, 3)
	for _, kind := range []geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.PointEdge, geom.PointPoint} {
		for _, tMax := range []float64{1, 0.4375, 0.1, 0} {
			mo, idx := familyQueries(t, rng, kind, 3000)
			var single, batch exact.Resolver
			got := map[int]geom.Impact{}
			last := -1
			batch.Batch(kind, mo, idx, tMax, func(i int, im *geom.Impact) {
				if i <= last {
					t.Errorf("%v: query %d after %d", kind, i, last)
				}
				last = i
				got[i] = *im
			})
			for i := range idx {
				var q [24]float64
				var want geom.Impact
				mo.Query(kind, &idx[i], &q)
				single.Resolve(kind, q[:], tMax, &want)
				have, emitted := got[i]
				if emitted != (want.Verdict == geom.Contact) || emitted && have != want {
					t.Fatalf("%v until %v, query %d %v:\n got %+v\nwant %+v", kind, tMax, i, q, have, want)
				}
			}
			if len(got) == 0 {
				t.Errorf("%v until %v: no contact at all", kind, tMax)
			}
		}
	}
}

// Lowering the end of time as impacts come does not change the earliest.
func TestUntilFindsTheEarliest(t *testing.T) {
	rng := ccdtest.NewRand(5, 9)
	fam, _ := ccdtest.FamilyNamed("generic")
	var x [2][]float64
	var idx [][4]int32
	for i := range int32(5000) {
		c := fam.Make(rng, geom.EdgeEdge, false)
		x[0], x[1] = append(x[0], c.Q[:12]...), append(x[1], c.Q[12:]...)
		idx = append(idx, [4]int32{4 * i, 4*i + 1, 4*i + 2, 4*i + 3})
	}
	mo, err := geom.NewTrajectories(x[0], x[1])
	if err != nil {
		t.Fatal(err)
	}
	var r exact.Resolver
	all, running := math.Inf(1), math.Inf(1)
	r.Batch(geom.EdgeEdge, mo, idx, 1, func(_ int, im *geom.Impact) { all = min(all, im.TOILo) })
	tMax := 1.0
	r.Until(geom.EdgeEdge, mo, idx, &tMax, func(_ int, im *geom.Impact) {
		running = min(running, im.TOILo)
		tMax = min(tMax, im.TOIHi)
	})
	if all != running || math.IsInf(all, 1) {
		t.Errorf("the earliest of all is %v, with a running end of time %v", all, running)
	}
}

// BenchmarkScenes times every candidate of the broad phase. CCD_SCENE chooses a scene by name; the
// default is the smallest.
func BenchmarkScenes(b *testing.B) {
	name := os.Getenv("CCD_SCENE")
	if name == "" {
		name = "cloth-funnel"
	}
	for _, s := range ccdtest.Scenes(b) {
		if ok, _ := filepath.Match(name, s.Name); !ok {
			continue
		}
		mo, m := loadScene(b, &s)
		candidates, err := broad.Sweep(m, mo, broad.Options{})
		if err != nil {
			b.Fatal(err)
		}
		for _, k := range []geom.Kind{geom.VertexFace, geom.EdgeEdge} {
			var idx [][4]int32
			for _, p := range candidates.Of(k) {
				idx = append(idx, m.Indices(k, p[0], p[1]))
			}
			contacts := 0
			b.Run(s.Name+"/"+k.String()+"/one by one", func(b *testing.B) {
				var r exact.Resolver
				for b.Loop() {
					contacts = 0
					for i := range idx {
						var q [24]float64
						var im geom.Impact
						mo.Query(k, &idx[i], &q)
						r.Resolve(k, q[:], 1, &im)
						if im.Verdict == geom.Contact {
							contacts++
						}
					}
				}
				report(b, &r, len(idx))
			})
			b.Run(s.Name+"/"+k.String()+"/batch", func(b *testing.B) {
				var r exact.Resolver
				seen := 0
				for b.Loop() {
					seen = 0
					r.Batch(k, mo, idx, 1, func(int, *geom.Impact) { seen++ })
				}
				report(b, &r, len(idx))
				if seen != contacts {
					b.Errorf("%d contacts in a batch, %d one by one", seen, contacts)
				}
			})
		}
	}
}

func report(b *testing.B, r *exact.Resolver, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/query")
	b.ReportMetric(float64(n), "queries")
	total := float64(b.N * n)
	for s := range exact.Stages {
		b.ReportMetric(100*float64(r.Stats.Separate[s]+r.Stats.Contact[s])/total, "%"+s.String())
	}
}

// A batch whose places are not wanted has the verdicts, times and flags of one whose places are.
func TestTimesAreThoseWithPlaces(t *testing.T) {
	rng := ccdtest.NewRand(23, 12)
	for _, kind := range geom.StepKinds {
		mo, idx := familyQueries(t, rng, kind, 3000)
		var r exact.Resolver
		want := map[int]geom.Impact{}
		r.Batch(kind, mo, idx, 1, func(i int, im *geom.Impact) { want[i] = *im })
		r.Times = true
		some, bare := 0, 0
		r.Batch(kind, mo, idx, 1, func(i int, im *geom.Impact) {
			some++
			w := want[i]
			if im.Verdict != w.Verdict || im.Kind != w.Kind || im.TOILo != w.TOILo || im.TOIHi != w.TOIHi ||
				im.Flags != w.Flags {
				t.Fatalf("%v %d: %+v, with its place %+v", kind, i, *im, w)
			}
			if im.Normal == [3]float64{} && w.Normal != [3]float64{} {
				bare++
			}
		})
		if some != len(want) || some == 0 {
			t.Errorf("%v: %d of %d impacts", kind, some, len(want))
		}
		if (kind == geom.VertexFace || kind == geom.EdgeEdge) && bare == 0 {
			t.Errorf("%v: all have places", kind)
		}
	}
}

// Queries that are not wanted are left out, whether the kernels or the single stages find their
// contact; the others keep their bits.
func TestUntilLeavesOutWhatIsNotWanted(t *testing.T) {
	rng := ccdtest.NewRand(23, 11)
	for _, name := range []string{"generic", "integers"} {
		fam, ok := ccdtest.FamilyNamed(name)
		if !ok {
			t.Fatal(name)
		}
		for _, kind := range []geom.Kind{geom.VertexFace, geom.EdgeEdge} {
			var x [2][]float64
			var idx [][4]int32
			for i := range int32(2500) {
				c := fam.Make(rng, kind, false)
				x[0], x[1] = append(x[0], c.Q[:12]...), append(x[1], c.Q[12:]...)
				idx = append(idx, [4]int32{4 * i, 4*i + 1, 4*i + 2, 4*i + 3})
			}
			mo, err := geom.NewTrajectories(x[0], x[1])
			if err != nil {
				t.Fatal(err)
			}
			var r exact.Resolver
			all := map[int]geom.Impact{}
			r.Batch(kind, mo, idx, 1, func(i int, im *geom.Impact) { all[i] = *im })
			wanted := func(i int) bool { return i%3 != 0 }
			r.Wanted = wanted
			some := 0
			r.Batch(kind, mo, idx, 1, func(i int, im *geom.Impact) {
				if some++; !wanted(i) || *im != all[i] {
					t.Fatalf("%s %v %d: %+v, alone %+v", name, kind, i, *im, all[i])
				}
			})
			left := 0
			for i := range all {
				if wanted(i) {
					left++
				}
			}
			if some != left || left < 100 || left == len(all) {
				t.Errorf("%s %v: %d of %d impacts, wanted %d", name, kind, some, len(all), left)
			}
		}
	}
}

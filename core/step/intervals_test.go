package step

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/reference/oracle"
	"ccd/core/status"
)

// The list has the intervals of every pair of the brute force, as the single calls return them, and
// its first ones are the impacts of Collisions: the same for any number of threads, candidates,
// slab and memory limit.
func TestStepIntervals(t *testing.T) {
	seen := 0
	for _, s := range scenes(t) {
		for i, d := range []float64{0, 0.05 * s.size(), 0.05 * s.size()} {
			o := DefaultOptions()
			o.MinSeparation, o.Threads = d, 1
			if i == 2 {
				o.Flags = narrow.MaxNorm
			}
			list := intervalsOf(t, &s, o)
			seen += len(list)
			compareWithCollisions(t, &s, o, list)
			same := func(what string, o Options) {
				t.Helper()
				if got := intervalsOf(t, &s, o); !slices.Equal(got, list) {
					t.Errorf("%s, d = %v, %s: %d intervals instead of %d", s.name, d, what, len(got), len(list))
				}
			}
			other := o
			other.Threads = 3
			same("three threads", other)
			other = o
			other.Flags |= narrow.BruteForce
			same("brute force", other)
			other = o
			other.MemoryLimit = 4 << 20
			same("a memory limit", other)
			candidates, err := broad.Sweep(s.m, s.motion(t), broad.Options{MinSeparation: d})
			if err != nil {
				t.Fatal(err)
			}
			other = o
			other.Candidates = candidates
			same("candidates", other)
			o.Threads = 2
			comparePairIntervals(t, &s, o, candidates, list)
		}
	}
	if seen < 100 {
		t.Errorf("%d intervals in all scenes", seen)
	}
}

// comparePairIntervals holds the intervals of given pairs, which may repeat, against those of the
// list.
func comparePairIntervals(t *testing.T, s *scene, o Options, candidates *broad.Candidates, list []geom.Interval) {
	t.Helper()
	for _, k := range geom.StepKinds {
		var pairs [][2]int64
		for i, p := range candidates.Of(k) {
			pairs = append(pairs, [2]int64{int64(p[0]), int64(p[1])})
			if i%7 == 0 {
				pairs = append(pairs, pairs[len(pairs)-1])
			}
		}
		got, err := PairIntervals(s.m, s.x0, s.x1, k, pairs, &o)
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		var want []geom.Interval
		for _, p := range pairs {
			for _, x := range list {
				if x.Kind == k && x.A == p[0] && x.B == p[1] {
					want = append(want, x)
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s, %v, d = %v: %d intervals of given pairs, want %d",
				s.name, k, o.MinSeparation, len(got), len(want))
		}
	}
}

func intervalsOf(t *testing.T, s *scene, o Options) []geom.Interval {
	t.Helper()
	list, err := Intervals(s.m, s.x0, s.x1, &o)
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	return list
}

// compareWithCollisions holds the first intervals of pairs against their impacts, and each pair's
// intervals against the oracle's.
func compareWithCollisions(t *testing.T, s *scene, o Options, list []geom.Interval) {
	t.Helper()
	type pair struct {
		kind geom.Kind
		a, b int64
	}
	byPair := map[pair][]geom.Interval{}
	for i, x := range list {
		if i > 0 && list[i-1].Compare(&x) >= 0 {
			t.Fatalf("%s: %+v before %+v", s.name, list[i-1], x)
		}
		p := pair{x.Kind, x.A, x.B}
		byPair[p] = append(byPair[p], x)
	}
	impacts, err := Collisions(s.m, s.x0, s.x1, &o)
	if err != nil {
		t.Fatal(err)
	}
	if len(impacts) != len(byPair) {
		t.Fatalf("%s: %d impacts, intervals of %d pairs", s.name, len(impacts), len(byPair))
	}
	mo := s.motion(t)
	for i, im := range impacts {
		of := byPair[pair{im.Kind, im.A, im.B}]
		if len(of) == 0 || math.Float64bits(of[0].Enter) != math.Float64bits(im.TOILo) {
			t.Fatalf("%s: impact %+v, intervals %+v", s.name, im, of)
		}
		if i%16 != 0 || s.size() != 1 {
			continue // the oracle takes a millisecond
		}
		var q [24]float64
		v := s.m.Indices(im.Kind, int32(im.A), int32(im.B))
		mo.Query(im.Kind, &v, &q)
		d := s.m.Filter().Radii().Pair(im.Kind, int32(im.A), int32(im.B), o.MinSeparation)
		want := oracle.Intervals(im.Kind, q[:im.Kind.Len()], d, o.Flags&narrow.MaxNorm != 0, o.TMax)
		for j := range want {
			want[j].A, want[j].B = im.A, im.B
		}
		if !slices.Equal(of, want) {
			t.Fatalf("%s: %+v\nintervals %+v\noracle    %+v", s.name, im, of, want)
		}
	}
}

// With radii each pair has its own separation.
func TestStepIntervalsWithRadii(t *testing.T) {
	for _, s := range scenes(t) {
		radii := make([]float64, s.m.NV)
		for i := range radii {
			radii[i] = float64(i%3) * 0.02 * s.size()
		}
		if err := s.m.SetRadii(radii); err != nil {
			t.Fatal(err)
		}
		o := DefaultOptions()
		compareWithCollisions(t, &s, o, intervalsOf(t, &s, o))
	}
}

func TestStepIntervalsRefuse(t *testing.T) {
	m, err := mesh.New(6, nil, []int32{0, 1, 2, 3, 4, 5})
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, 18)
	for _, c := range []struct {
		change func(o *Options)
		want   string
	}{
		{func(o *Options) { o.Method = narrow.TightInclusion }, "options.method is 1"},
		{func(o *Options) { o.CheckStart = true }, "CCD_CHECK_START"},
		{func(o *Options) { o.DeviceOnly = true }, "CCD_DEVICE_GPU"},
	} {
		o := DefaultOptions()
		c.change(&o)
		if _, err := Intervals(m, x, x, &o); !errors.Is(err, status.ErrUnsupported) ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", c.want, err)
		}
	}
	o := DefaultOptions()
	o.Flags = narrow.MaxNorm
	if list, err := Intervals(m, x, x, &o); err != nil || len(list) == 0 {
		t.Errorf("the max norm without a separation: %v, %v", list, err)
	}
	if err := m.SetRadii([]float64{1, 0, 0, 0, 0, 0}); err != nil {
		t.Fatal(err)
	}
	if list, err := Intervals(m, x, x, &o); err != nil || len(list) == 0 {
		t.Errorf("the max norm with radii: %v, %v", list, err)
	}
	if _, err := PairIntervals(m, x, x, geom.VertexFace, [][2]int64{{0, 1}, {0, 2}}, &o); !errors.Is(err,
		status.ErrIndex) || !strings.Contains(err.Error(), "pairs[1][1] is 2") {
		t.Errorf("a face that is not there: %v", err)
	}
}

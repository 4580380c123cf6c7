package step

import (
	"errors"
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ccd/core/broad"
	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/status"
)

var sizesScenes = flag.Int("sizes", 200, "random scenes of TestSizesLaws")

// sizesOptions draws options for the steps of a scene's vertices.
func sizesOptions(r *rand.Rand, m *mesh.Mesh, x0 []float64) (so SizesOptions, o Options) {
	size := math.SmallestNonzeroFloat64
	for i := range x0 {
		size = max(size, math.Abs(x0[i]-x0[i%3]))
	}
	so, o = DefaultSizesOptions(), DefaultOptions()
	o.Threads = 1 + r.IntN(3)
	if r.IntN(2) == 0 {
		o.MinSeparation = size * math.Pow(10, -0.5-5*r.Float64())
		o.Flags = []uint32{0, narrow.MaxNorm, narrow.NoZeroTOI}[r.IntN(3)]
	}
	if r.IntN(3) == 0 {
		so.Share = []float64{0.5, 0.99, 1 - 0x1p-53, 1e-3, 1e-300, r.Float64()/2 + 0.1}[r.IntN(6)]
	}
	if r.IntN(3) == 0 {
		so.KeepRatio = []float64{0, 1, r.Float64()}[r.IntN(3)]
	}
	if r.IntN(3) == 0 {
		so.MaxPasses = 1 + r.IntN(4)
	}
	switch r.IntN(4) {
	case 0:
		so.Groups = m.Components()
	case 1:
		so.Groups = make([]int32, m.NV)
		for i := range so.Groups {
			so.Groups[i] = int32(r.IntN(m.NV+1)) - 1
		}
	}
	return so, o
}

// plainSizes is the algorithm of Sizes as its comment states it: every pass tests every pair by
// itself.
func plainSizes(t testing.TB, s *scene, so *SizesOptions, o Options) (alpha, y []float64, passes int) {
	t.Helper()
	if s.m.NV == 0 {
		return nil, nil, 1
	}
	all, err := broad.BruteForce(s.m, s.motion(t), broad.Options{MinSeparation: o.MinSeparation})
	if err != nil {
		t.Fatal(err)
	}
	solver, w := narrow.NewSolver(), &worker{}
	own := o.Options
	own.Flags &^= narrow.NoZeroTOI
	alpha, y = slices.Repeat([]float64{1}, s.m.NV), slices.Clone(s.x1)
	moves := func(v int32) bool { return !slices.Equal(s.x0[3*v:3*v+3], s.x1[3*v:3*v+3]) }
	floor := 0.0
	for passes = 1; ; passes++ {
		next, first := slices.Clone(alpha), math.Inf(1)
		var mo geom.Trajectories
		if err := mo.Load(s.x0, y); err != nil {
			t.Fatal(err)
		}
		for _, k := range geom.StepKinds {
			for _, p := range all.Of(k) {
				idx := s.m.Indices(k, p[0], p[1])
				var q [24]float64
				mo.Query(k, &idx, &q)
				var im geom.Impact
				o := own
				o.MinSeparation = s.m.Filter().Radii().Pair(k, p[0], p[1], o.MinSeparation)
				solver.Solve(k, q[:k.Len()], &o, &im)
				touches := false
				if im.Verdict == geom.Contact && im.Flags&geom.InitialContact != 0 {
					touches = true
					if o.MinSeparation > 0 {
						h := w.nearness(k, &q, o.MinSeparation, o)
						if touches = h < 0; !touches {
							o.MinSeparation = so.KeepRatio * h
							solver.Solve(k, q[:k.Len()], &o, &im)
						}
					}
				}
				if im.Verdict == geom.Separate {
					continue
				}
				lowered := false
				if !touches {
					first = min(first, im.TOILo)
					for _, v := range idx[:k.Points()] {
						a := max(floor, float64(alpha[v]*float64(so.Share*im.TOILo)))
						if moves(v) && a < alpha[v] && passes <= so.MaxPasses {
							next[v], lowered = min(next[v], a), true
						}
					}
				}
				for _, v := range idx[:k.Points()] {
					if moves(v) && !lowered {
						next[v] = 0
					}
				}
			}
		}
		if passes == 1 {
			floor = min(1, float64(so.Share*first))
		}
		for v, g := range so.Groups {
			for w, h := range so.Groups {
				if g >= 0 && g == h {
					next[v] = min(next[v], next[w])
				}
			}
		}
		if slices.Equal(next, alpha) {
			return alpha, y, passes
		}
		if alpha = next; passes == so.MaxPasses+finishPasses {
			clear(alpha)
		}
		for i, x := range s.x0 {
			if a := alpha[i/3]; a == 0 {
				y[i] = x
			} else {
				y[i] = place(x, s.x1[i], a)
			}
		}
		if passes == so.MaxPasses+finishPasses {
			return alpha, y, passes
		}
	}
}

// checkSizes holds the steps of a scene's vertices to laws 1 to 4, with exact arithmetic and the
// plain algorithm.
func checkSizes(t testing.TB, s scene, so SizesOptions, o Options) SizesReport {
	t.Helper()
	alpha, y := make([]float64, s.m.NV), make([]float64, len(s.x0))
	r, err := Sizes(s.m, s.x0, s.x1, alpha, y, &so, &o)
	if err != nil {
		t.Fatal(err)
	}
	if err := ccdtest.CheckSizes(s.m, s.x0, y, o.MinSeparation, so.KeepRatio, o.Flags&narrow.MaxNorm == 0); err != nil {
		t.Fatalf("%s: law 1: %+v, %+v: %v", s.name, so, o.Options, err)
	}
	var resting int64
	for v, a := range alpha {
		still := slices.Equal(s.x0[3*v:3*v+3], s.x1[3*v:3*v+3])
		if a == 0 && !still {
			resting++
		}
		if !(a == 0 || a >= r.Floor && a <= 1) {
			t.Fatalf("%s: law 4: alpha[%d] is %v, floor %v", s.name, v, a, r.Floor)
		}
		for i := 3 * v; i < 3*v+3; i++ { // law 2, as a user computes it
			want := s.x0[i] + float64(a*(s.x1[i]-s.x0[i]))
			if a == 1 {
				want = s.x1[i]
			}
			if y[i] != want || a == 0 && math.Float64bits(y[i]) != math.Float64bits(s.x0[i]) ||
				y[i] < min(s.x0[i], s.x1[i]) || y[i] > max(s.x0[i], s.x1[i]) {
				t.Fatalf("%s: law 2: coordinate %d at %v from %v to %v is %v, want %v",
					s.name, i, a, s.x0[i], s.x1[i], y[i], want)
			}
		}
	}
	if resting != r.Resting || !(r.Used >= 0 && r.Used <= 1+1e-12) || !(r.Floor >= 0 && r.Floor <= 1) {
		t.Fatalf("%s: %+v, of which %d vertices rest", s.name, r, resting)
	}
	for v, g := range so.Groups {
		if w := slices.Index(so.Groups, g); g >= 0 && alpha[v] != alpha[w] {
			t.Fatalf("%s: vertices %d and %d of group %d at %v and %v", s.name, v, w, g, alpha[v], alpha[w])
		}
	}
	if want, place, passes := plainSizes(t, &s, &so, o); !slices.Equal(want, alpha) || !slices.Equal(place, y) ||
		int64(passes) != r.Passes {
		t.Fatalf("%s: law 3: %v in %d passes, want %v in %d; %+v, %+v",
			s.name, alpha, r.Passes, want, passes, so, o.Options)
	}
	return r
}

// Laws 1 to 4 on random scenes. The long run is
//
//	go test ./core/step -run SizesLaws -sizes 100000 -timeout 4h
func TestSizesLaws(t *testing.T) {
	n, repeated, rested, finished := *sizesScenes, 0, 0, 0
	if testing.Short() {
		n = min(n, long.Part(30, 2))
	}
	for seed := range n {
		r := ccdtest.NewRand(uint64(seed), 20)
		m, x0, x1, err := ccdtest.Soup(r)
		if err != nil {
			t.Fatal(err)
		}
		so, o := sizesOptions(r, m, x0)
		if seed%4 == 3 {
			radius := make([]float64, m.NV)
			for i := range radius {
				radius[i] = math.Abs(x0[0]-x0[3]) * 0.01 * r.Float64()
			}
			if err := m.SetRadii(radius); err != nil {
				t.Fatal(err)
			}
		}
		if seed%5 == 4 { // some do not move
			for i := range x1 {
				if i/3%4 < 2 {
					x1[i] = x0[i]
				}
			}
		}
		report := checkSizes(t, scene{name: "soup", m: m, x0: x0, x1: x1}, so, o)
		if report.Passes > 2 {
			repeated++
		}
		if report.Resting > 0 {
			rested++
		}
		if int(report.Passes) > so.MaxPasses+1 {
			finished++
		}
	}
	t.Logf("%d scenes: more than two passes in %d, vertices that rest in %d, passes beyond the largest number in %d",
		n, repeated, rested, finished)
	if repeated < n/20 || rested < n/20 || finished == 0 {
		t.Error("the scenes are too easy")
	}
}

// Law 7, on scenes of all scales: threads, candidates, memory and brute force change nothing. The
// output may be an input.
func TestSizesLaw3SameBits(t *testing.T) {
	for _, s := range everyScene(t) {
		for _, d := range []float64{0, 1e-3 * s.size()} {
			o := DefaultOptions()
			o.MinSeparation = d
			alpha, want := make([]float64, s.m.NV), make([]float64, len(s.x0))
			report, err := Sizes(s.m, s.x0, s.x1, alpha, want, nil, &o)
			if err != nil {
				t.Fatal(err)
			}
			given, err := broad.Sweep(s.m, s.motion(t), broad.Options{MinSeparation: d})
			if err != nil {
				t.Fatal(err)
			}
			for name, change := range map[string]func(*Options){
				"one thread":    func(o *Options) { o.Threads = 1 },
				"three threads": func(o *Options) { o.Threads = 3 },
				"candidates":    func(o *Options) { o.Candidates = given },
				"little memory": func(o *Options) { o.MemoryLimit = 1 },
				"brute force": func(o *Options) {
					if s.m.NV < 1000 {
						o.Flags |= narrow.BruteForce
					}
				},
				"y is x1": func(*Options) {},
				"y is x0": func(*Options) {},
			} {
				o := o
				change(&o)
				x0, x1 := slices.Clone(s.x0), slices.Clone(s.x1)
				y := map[string][]float64{"y is x0": x0, "y is x1": x1}[name]
				if y == nil {
					y = make([]float64, len(x0))
				}
				got := make([]float64, s.m.NV)
				if r, err := Sizes(s.m, x0, x1, got, y, nil, &o); err != nil || r != report ||
					!sameBits(got, alpha) || !sameBits(y, want) {
					t.Errorf("%s, separation %v, %s: %+v, %v, want %+v", s.name, d, name, r, err, report)
				}
			}
		}
	}
}

func TestSizesLaw5Errors(t *testing.T) {
	s := falling(t)
	options := func(edit func(so *SizesOptions, o *Options)) (*SizesOptions, *Options) {
		so, o := DefaultSizesOptions(), DefaultOptions()
		edit(&so, &o)
		return &so, &o
	}
	nan := slices.Clone(s.x1)
	nan[7] = math.NaN()
	for _, c := range []struct {
		want string
		x1   []float64
		edit func(so *SizesOptions, o *Options)
	}{
		{"share is 0", s.x1, func(so *SizesOptions, _ *Options) { so.Share = 0 }},
		{"share is 1", s.x1, func(so *SizesOptions, _ *Options) { so.Share = 1 }},
		{"share is NaN", s.x1, func(so *SizesOptions, _ *Options) { so.Share = math.NaN() }},
		{"keep_ratio is -1", s.x1, func(so *SizesOptions, _ *Options) { so.KeepRatio = -1 }},
		{"keep_ratio is NaN", s.x1, func(so *SizesOptions, _ *Options) { so.KeepRatio = math.NaN() }},
		{"max_passes is 0", s.x1, func(so *SizesOptions, _ *Options) { so.MaxPasses = 0 }},
		{"groups has 1 ids", s.x1, func(so *SizesOptions, _ *Options) { so.Groups = []int32{0} }},
		{"groups[1] is 4", s.x1, func(so *SizesOptions, _ *Options) { so.Groups = []int32{0, 4, -1, 0} }},
		{"options.t_max is 0.5", s.x1, func(_ *SizesOptions, o *Options) { o.TMax = 0.5 }},
		{"options.method is 1", s.x1, func(_ *SizesOptions, o *Options) { o.Method = narrow.TightInclusion }},
		{"options.region", s.x1, func(_ *SizesOptions, o *Options) { o.Region = everywhere() }},
		{"options.min_separation", s.x1, func(_ *SizesOptions, o *Options) { o.MinSeparation = -1 }},
		{"cancelled", s.x1, func(_ *SizesOptions, o *Options) { o.Progress = func(float64) bool { return true } }},
		{"x1[2][1]", nan, func(*SizesOptions, *Options) {}},
		{"x1 has 9", s.x1[:9], func(*SizesOptions, *Options) {}},
	} {
		so, o := options(c.edit)
		alpha, y := []float64{7, 7, 7, 7}, make([]float64, len(s.x0))
		_, err := Sizes(s.m, s.x0, c.x1, alpha, y, so, o)
		if err == nil || !strings.Contains(err.Error(), c.want) || slices.Max(alpha) != 0 || !sameBits(y, s.x0) {
			t.Errorf("%s: %v, %v, %v", c.want, alpha, y, err)
		}
	}
	if _, err := Sizes(s.m, s.x0, s.x1, make([]float64, 4), make([]float64, 3), nil, nil); err == nil ||
		!strings.Contains(err.Error(), "y has 3") {
		t.Errorf("short y: %v", err)
	}
	if _, err := Sizes(s.m, s.x0, s.x1, make([]float64, 3), make([]float64, 12), nil, nil); err == nil ||
		!strings.Contains(err.Error(), "alpha has 3") {
		t.Errorf("short alpha: %v", err)
	}
}

func TestSizesProgressAndStats(t *testing.T) {
	s := soup(t, "soup", 40, rand.New(rand.NewPCG(3, 4)).Float64, 1)
	o := DefaultOptions()
	o.Stats = new(engine.Stats)
	last := -1.0
	o.Progress = func(f float64) bool {
		if f < last {
			t.Errorf("progress goes from %v to %v", last, f)
		}
		last = f
		return false
	}
	alpha, y := make([]float64, s.m.NV), make([]float64, len(s.x0))
	r, err := Sizes(s.m, s.x0, s.x1, alpha, y, nil, &o)
	all, _ := Collisions(s.m, s.x0, s.x1, nil)
	if err != nil || last != 1 || r.Passes < 3 || o.Stats.Impacts <= int64(len(all)) || o.Stats.PeakBytes == 0 {
		t.Errorf("%+v, error %v, progress up to %v, %+v", r, err, last, o.Stats)
	}
	o.Progress = func(f float64) bool { return f > 0.6 } // That is in the second pass, or after it.
	if _, err := Sizes(s.m, s.x0, s.x1, alpha, y, nil, &o); !errors.Is(err, status.ErrCancelled) ||
		slices.Max(alpha) != 0 || !sameBits(y, s.x0) {
		t.Errorf("cancelled: %v, %v", alpha, err)
	}
}

// FuzzSizes holds steps of two triangles, a rod and a point to the laws. Few distinct values make
// ties common.
func FuzzSizes(f *testing.F) {
	f.Add([]byte("0123456789abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"), uint64(1))
	f.Add([]byte("\x00\x01\x80\x7f\x20\x30\x00\x01\x80\x7f\x20\x30\x00\x01\x80\x7f\x20\x30\x00\x01\x80\x7f\x20\x30"),
		uint64(77))
	f.Fuzz(func(t *testing.T, b []byte, seed uint64) {
		r := ccdtest.NewRand(seed, 21)
		s := fuzzScene(t, r, b)
		so, o := sizesOptions(r, s.m, s.x0)
		checkSizes(t, s, so, o)
	})
}

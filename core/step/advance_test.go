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

var advanceScenes = flag.Int("advance", 400, "random scenes of TestAdvanceLaws")

// advanceOptions draws options and a share for a step.
func advanceOptions(r *rand.Rand, x0 []float64) (o Options, share float64) {
	size := math.SmallestNonzeroFloat64
	for i := range x0 {
		size = max(size, math.Abs(x0[i]-x0[i%3]))
	}
	o = DefaultOptions()
	o.Tolerance, o.MaxIterations = 1e-6*size+math.SmallestNonzeroFloat64, 2000
	o.Threads = 1 + r.IntN(3)
	if r.IntN(3) == 0 {
		o.TMax = r.Float64()
	}
	if r.IntN(4) == 0 {
		o.Method = narrow.Method(r.IntN(4))
	}
	if r.IntN(2) == 0 {
		o.MinSeparation = size * math.Pow(10, -1-5*r.Float64())
		o.Flags = []uint32{0, narrow.MaxNorm, narrow.NoZeroTOI}[r.IntN(3)]
	}
	return o, []float64{1, 1, 1, 0.9, 1 - r.Float64()}[r.IntN(5)]
}

// steady is law 3 with brute force: the first attempt whose motion is separate.
func steady(t testing.TB, s scene, size, share float64, o Options) (float64, []float64) {
	t.Helper()
	o.Method, o.TMax = narrow.Exact, 1
	still := slices.Equal(s.x0, s.x1)
	for k := range attempts {
		alpha := attempt(share*size, k)
		x := make([]float64, len(s.x0))
		for i := range x {
			x[i] = place(s.x0[i], s.x1[i], alpha)
		}
		if alpha == 0 || slices.Equal(x, s.x0) && !still {
			break
		}
		to := s
		to.x1 = x
		if len(allPairs(t, &to, &o)) == 0 {
			return alpha, x
		}
	}
	return 0, s.x0
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// checkAdvance holds an advance to laws 1 to 3, with exact arithmetic and brute force, and to
// law 7. It returns the step, and whether the positions of Size's own step are refused.
func checkAdvance(t testing.TB, s scene, share float64, o Options) (alpha float64, refused bool) {
	t.Helper()
	x := make([]float64, len(s.x0))
	alpha, err := Advance(s.m, s.x0, s.x1, x, share, &o)
	if err != nil {
		t.Fatal(err)
	}
	size, err := Size(s.m, s.x0, s.x1, &o)
	if err != nil {
		t.Fatal(err)
	}
	if !(alpha >= 0 && alpha <= share*size) {
		t.Fatalf("%s: a step of %v, share %v of %v", s.name, alpha, share, size)
	}
	if alpha > 0 {
		if err := ccdtest.CheckStep(s.m, s.x0, x, o.MinSeparation, o.Flags&narrow.MaxNorm == 0); err != nil {
			t.Fatalf("%s: law 1: alpha %v, share %v, %+v: %v", s.name, alpha, share, o.Options, err)
		}
	}
	for i := range x { // law 2, as a user computes it
		a, b := s.x0[i], s.x1[i]
		want := a + float64(alpha*(b-a))
		if alpha == 1 {
			want = b
		}
		if x[i] != want || alpha == 0 && math.Float64bits(x[i]) != math.Float64bits(a) {
			t.Fatalf("%s: law 2: coordinate %d at %v from %v to %v is %v, want %v", s.name, i, alpha, a, b, x[i], want)
		}
	}
	if want, place := steady(t, s, size, share, o); want != alpha || !slices.Equal(place, x) {
		t.Fatalf("%s: law 3: alpha %v, want %v, share %v, %+v", s.name, alpha, want, share, o.Options)
	}
	if size == 0 {
		return alpha, false
	}
	naive := s
	naive.x1 = make([]float64, len(x))
	for i := range x {
		naive.x1[i] = s.x0[i] + float64(size*(s.x1[i]-s.x0[i]))
	}
	o.Method, o.TMax = narrow.Exact, 1
	return alpha, len(allPairs(t, &naive, &o)) > 0
}

// Laws 1 to 3 on random scenes. The long run is
//
//	go test ./core/step -run AdvanceLaws -advance 100000 -timeout 2h
func TestAdvanceLaws(t *testing.T) {
	refused, stuck, n := 0, 0, *advanceScenes
	if testing.Short() {
		n = min(n, long.Part(50, 2))
	}
	for seed := range n {
		r := ccdtest.NewRand(uint64(seed), 17)
		m, x0, x1, err := ccdtest.Soup(r)
		if err != nil {
			t.Fatal(err)
		}
		o, share := advanceOptions(r, x0)
		if seed%4 == 3 {
			radius := make([]float64, m.NV)
			for i := range radius {
				radius[i] = math.Abs(x0[0]-x0[3]) * 0.01 * r.Float64()
			}
			if err := m.SetRadii(radius); err != nil {
				t.Fatal(err)
			}
		}
		alpha, no := checkAdvance(t, scene{name: "soup", m: m, x0: x0, x1: x1}, share, o)
		if no {
			refused++
			if alpha == 0 {
				stuck++
			}
		}
	}
	t.Logf("%d scenes: the positions of Size's step refused in %d of them, no positions found in %d", n, refused, stuck)
	if refused == 0 {
		t.Error("no scene needs Advance")
	}
}

// Law 7, on scenes of all scales: threads, candidates, memory and brute force change nothing. The
// output may be an input.
func TestAdvanceLaw7SameBits(t *testing.T) {
	for _, s := range everyScene(t) {
		for _, d := range []float64{0, 1e-3 * s.size()} {
			o := DefaultOptions()
			o.MinSeparation = d
			want := make([]float64, len(s.x0))
			alpha, err := Advance(s.m, s.x0, s.x1, want, 1, &o)
			if err != nil {
				t.Fatal(err)
			}
			if im, err := Earliest(s.m, s.x0, want, &o); alpha > 0 && (err != nil || im.Verdict != geom.Separate) {
				t.Errorf("%s: %+v on the way to the positions at %v", s.name, im, alpha)
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
				"x is x1": func(*Options) {},
				"x is x0": func(*Options) {},
			} {
				o := o
				change(&o)
				x0, x1 := slices.Clone(s.x0), slices.Clone(s.x1)
				x := map[string][]float64{"x is x0": x0, "x is x1": x1}[name]
				if x == nil {
					x = make([]float64, len(x0))
				}
				if got, err := Advance(s.m, x0, x1, x, 1, &o); err != nil || got != alpha || !sameBits(x, want) {
					t.Errorf("%s, %s: %v, %v, want %v", s.name, name, got, err, alpha)
				}
			}
		}
	}
}

// A loop that always goes as far as it can comes near and never touches.
func TestAdvanceSequence(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		s := soup(t, "soup", 6, func() float64 { return 2*r.Float64() - 1 }, 0.3)
		if im, err := Earliest(s.m, s.x0, s.x0, nil); err != nil || im.Verdict != geom.Separate {
			continue
		}
		for range 6 {
			alpha, err := Advance(s.m, s.x0, s.x1, s.x0, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			if im, err := Earliest(s.m, s.x0, s.x0, nil); err != nil || im.Verdict != geom.Separate {
				t.Fatalf("after a step of %v: %+v, %v", alpha, im, err)
			}
		}
	}
}

// The attempts never grow, and the coordinate of a step lies between its ends and does not run
// backwards.
func TestAdvanceLaw2Between(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	for range 100000 {
		a := math.Ldexp(2*r.Float64()-1, r.IntN(120)-60)
		b := a + math.Ldexp(2*r.Float64()-1, r.IntN(120)-60)
		switch r.IntN(4) {
		case 0: // the least numbers
			a, b = math.Ldexp(math.Round(0x1p55*a), -1074), math.Ldexp(math.Round(0x1p55*b), -1074)
		case 1: // differences that are rounded by about half an ulp
			a = 1 - math.Ldexp(float64(r.IntN(8)), -53)
			b = -math.Ldexp(float64(r.IntN(64)), -56)
		}
		first, last := math.Ldexp(r.Float64(), -r.IntN(60)*r.IntN(20)), math.Inf(1)
		if r.IntN(4) == 0 {
			first = 1 - math.Ldexp(float64(1+r.IntN(4)), -53) // where the rounded sum may lie beyond b
		}
		before := math.NaN()
		for k := range attempts {
			alpha := attempt(first, k)
			if !(alpha <= last && alpha >= first/17) {
				t.Fatalf("attempt %d of %v is %v, after %v", k, first, alpha, last)
			}
			last = alpha
			x := place(a, b, alpha)
			if x < min(a, b) || x > max(a, b) || math.Abs(x-before) > 0 && (x > before) != (a > b) {
				t.Fatalf("from %v to %v at %v: %v, after %v", a, b, alpha, x, before)
			}
			before = x
		}
		if place(a, b, 0) != a || place(a, b, 1) != b {
			t.Fatalf("from %v to %v: ends %v, %v", a, b, place(a, b, 0), place(a, b, 1))
		}
	}
}

func TestAdvanceLaw4Errors(t *testing.T) {
	s := falling(t)
	bad := DefaultOptions()
	bad.TMax = 2
	region, cancelled := DefaultOptions(), DefaultOptions()
	region.Region = everywhere()
	cancelled.Progress = func(float64) bool { return true }
	nan := slices.Clone(s.x1)
	nan[7] = math.NaN()
	for _, c := range []struct {
		want  string
		x1    []float64
		share float64
		o     *Options
	}{
		{"share is 0", s.x1, 0, nil},
		{"share is 1.5", s.x1, 1.5, nil},
		{"share is NaN", s.x1, math.NaN(), nil},
		{"options.t_max", s.x1, 1, &bad},
		{"options.region", s.x1, 1, &region},
		{"cancelled", s.x1, 1, &cancelled},
		{"x1[2][1]", nan, 1, nil},
		{"x1 has 9", s.x1[:9], 1, nil},
	} {
		x := make([]float64, len(s.x0))
		alpha, err := Advance(s.m, s.x0, c.x1, x, c.share, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) || alpha != 0 || !sameBits(x, s.x0) {
			t.Errorf("%s: %v, %v, %v", c.want, alpha, x, err)
		}
	}
	if _, err := Advance(s.m, s.x0, s.x1, make([]float64, 3), 1, nil); err == nil ||
		!strings.Contains(err.Error(), "x has 3") {
		t.Errorf("short x: %v", err)
	}
}

func TestAdvanceProgressAndStats(t *testing.T) {
	for _, s := range []scene{falling(t), soup(t, "soup", 20, rand.Float64, 1)} {
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
		x := make([]float64, len(s.x0))
		if _, err := Advance(s.m, s.x0, s.x1, x, 1, &o); err != nil || last != 1 || o.Stats.Boxes == 0 {
			t.Errorf("error %v, progress up to %v, %+v", err, last, o.Stats)
		}
		o.Progress = func(f float64) bool { return f > 0.8 } // That is in the second search, or after it.
		if alpha, err := Advance(s.m, s.x0, s.x1, x, 1, &o); !errors.Is(err, status.ErrCancelled) || alpha != 0 ||
			!sameBits(x, s.x0) {
			t.Errorf("cancelled: %v, %v", alpha, err)
		}
	}
}

// fuzzScene is two triangles, a rod and a point, with coordinates from b at a random scale and
// distance from the origin.
func fuzzScene(t *testing.T, r *rand.Rand, b []byte) scene {
	t.Helper()
	m, err := mesh.New(9, []int32{0, 1, 1, 2, 2, 0, 3, 4, 4, 5, 5, 3, 6, 7}, []int32{0, 1, 2, 3, 4, 5})
	if err != nil {
		t.Fatal(err)
	}
	scale := math.Ldexp(1, r.IntN(1400)-935) // Coordinates stay below 1e150.
	far := []float64{0, 1, 1e4, -1e9}[r.IntN(4)]
	s := scene{name: "fuzz", m: m, x0: make([]float64, 27), x1: make([]float64, 27)}
	for i := range 54 {
		c := 0.0
		if i < len(b) {
			c = float64(int8(b[i])) / 16
		}
		if i < 27 {
			s.x0[i] = (far + c) * scale
		} else {
			s.x1[i-27] = (far + c) * scale
		}
	}
	return s
}

// FuzzAdvance holds steps of two triangles, a rod and a point to the laws. Few distinct values make
// ties common.
func FuzzAdvance(f *testing.F) {
	f.Add([]byte("0123456789abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"), uint64(1))
	f.Add([]byte("\x00\x01\x80\x7f\x20\x30\x00\x01\x80\x7f\x20\x30\x00\x01\x80\x7f\x20\x30\x00\x01\x80\x7f\x20\x30"),
		uint64(77))
	f.Fuzz(func(t *testing.T, b []byte, seed uint64) {
		r := ccdtest.NewRand(seed, 18)
		s := fuzzScene(t, r, b)
		o, share := advanceOptions(r, s.x0)
		checkAdvance(t, s, share, o)
	})
}

// A start that crosses is no start for an advance, where it is checked.
func TestAdvanceChecksTheStart(t *testing.T) {
	m, err := mesh.New(6, nil, []int32{0, 1, 2, 3, 4, 5})
	if err != nil {
		t.Fatal(err)
	}
	x0 := []float64{0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, -1, 1, 1, 1, 1.5, 1, 1}
	x1 := slices.Clone(x0)
	for i := 11; i < len(x1); i += 3 {
		x1[i] += 0.25
	}
	for _, checked := range []bool{false, true} {
		o := DefaultOptions()
		o.CheckStart = checked
		x := make([]float64, len(x0))
		alpha, err := Advance(m, x0, x1, x, 1, &o)
		if want, at := map[bool]float64{false: 1, true: 0}[checked],
			map[bool][]float64{false: x1, true: x0}[checked]; err != nil || alpha != want || !sameBits(x, at) {
			t.Errorf("checked %v: %v, %v, %v", checked, alpha, x, err)
		}
	}
}

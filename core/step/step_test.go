package step

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/status"
)

// scene is a mesh with both frames of a step.
type scene struct {
	name   string
	m      *mesh.Mesh
	x0, x1 []float64
}

// size is the scene's scale: separations are chosen to suit it, for a mixture of scales is slow to
// decide exactly.
func (s *scene) size() float64 {
	switch s.name {
	case "tiny":
		return 1e-300
	case "huge":
		return 1e140
	}
	return 1
}

func (s *scene) motion(t testing.TB) *geom.Trajectories {
	t.Helper()
	mo := new(geom.Trajectories)
	if err := s.m.Load(mo, s.x0, s.x1); err != nil {
		t.Fatal(err)
	}
	return mo
}

// soup is n loose triangles with rods and points between them, so that every kind of pair occurs,
// moving at the given speed.
func soup(t testing.TB, name string, n int, coordinate func() float64, speed float64) scene {
	t.Helper()
	s := scene{name: name}
	edges, faces := []int32{}, []int32{}
	nv := int32(0)
	vertex := func() int32 {
		for range 3 {
			x := coordinate()
			s.x0, s.x1 = append(s.x0, x), append(s.x1, x+speed*coordinate())
		}
		nv++
		return nv - 1
	}
	for range n {
		a, b, c := vertex(), vertex(), vertex()
		faces = append(faces, a, b, c)
		edges = append(edges, a, b, c, b, a, c)
	}
	for range n / 2 {
		edges = append(edges, vertex(), vertex())
		vertex()
	}
	var err error
	if s.m, err = mesh.New(int(nv), edges, faces); err != nil {
		t.Fatal(err)
	}
	return s
}

func scenes(t testing.TB) []scene {
	r := rand.New(rand.NewPCG(1, 2))
	uniform := func(scale float64) func() float64 { return func() float64 { return scale * (2*r.Float64() - 1) } }
	integers := func() float64 { return float64(r.IntN(4)) }
	out := []scene{
		soup(t, "fast", 12, uniform(1), 1),
		soup(t, "slow", 12, uniform(1), 0.05),
		soup(t, "integers", 8, integers, 1),
		soup(t, "static", 12, uniform(1), 0),
		soup(t, "tiny", 8, uniform(1e-300), 1),
		soup(t, "huge", 8, uniform(1e140), 1),
		soup(t, "all at one point", 4, func() float64 { return 1 }, 0),
		soup(t, "nothing", 0, integers, 0),
		soup(t, "one face", 1, uniform(1), 1),
	}
	together := soup(t, "together", 12, uniform(1), 0.05)
	for i := range together.x1 {
		together.x1[i] += 1000
	}
	return append(out, together)
}

// allPairs solves every candidate by itself: a reference implementation of Collisions.
func allPairs(t testing.TB, s *scene, o *Options) []geom.Impact {
	t.Helper()
	mo := s.motion(t)
	c, err := broad.BruteForce(s.m, mo, broad.Options{MinSeparation: o.MinSeparation})
	if err != nil {
		t.Fatal(err)
	}
	var out []geom.Impact
	solver := narrow.NewSolver()
	var q [24]float64
	for k := geom.VertexFace; k <= geom.PointPoint; k++ {
		for _, p := range c.Of(k) {
			idx := s.m.Indices(k, p[0], p[1])
			mo.Query(k, &idx, &q)
			var im geom.Impact
			own := o.Options
			own.MinSeparation = s.m.Filter().Radii().Pair(k, p[0], p[1], o.MinSeparation)
			solver.Solve(k, q[:k.Len()], &own, &im)
			if im.Verdict != geom.Separate {
				im.A, im.B = int64(p[0]), int64(p[1])
				out = append(out, im)
			}
		}
	}
	slices.SortFunc(out, func(x, y geom.Impact) int {
		if x.Before(&y) {
			return -1
		}
		return 1
	})
	return out
}

// settings are the options that the tests of whole steps run through.
func settings() map[string]Options {
	d := DefaultOptions()
	d.MaxIterations = 2000
	out := map[string]Options{"defaults": d}
	with := func(name string, change func(o *Options)) {
		o := d
		change(&o)
		out[name] = o
	}
	with("separation", func(o *Options) { o.MinSeparation = 1e-2 })
	with("half the step", func(o *Options) { o.TMax = 0.5 })
	with("no step", func(o *Options) { o.TMax = 0 })
	with("tight inclusion", func(o *Options) { o.Method = narrow.TightInclusion })
	with("no zero toi", func(o *Options) { o.MinSeparation, o.Flags = 1e-2, narrow.NoZeroTOI })
	with("max norm", func(o *Options) { o.MinSeparation, o.Flags = 1e-2, narrow.MaxNorm })
	with("small budget", func(o *Options) { o.Method, o.MaxIterations = narrow.TightInclusion, 5 })
	return out
}

// Law 7, and completeness: the step's results are those of all the pairs by themselves, for any
// number of threads.
func TestStepLaw7SameBits(t *testing.T) {
	for _, s := range scenes(t) {
		for name, o := range settings() {
			o.MinSeparation *= s.size()
			o.Tolerance *= s.size()
			want := allPairs(t, &s, &o)
			counts := []int{1, 8}
			if name == "defaults" {
				counts = []int{1, 2, 8}
			}
			for _, threads := range counts {
				o.Threads = threads
				label := fmt.Sprintf("%s, %s, %d threads", s.name, name, threads)
				got, err := Collisions(s.m, s.x0, s.x1, &o)
				if err != nil {
					t.Fatalf("%s: %v", label, err)
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s: %d impacts, want %d", label, len(got), len(want))
				}
				first, err := Earliest(s.m, s.x0, s.x1, &o)
				if err != nil {
					t.Fatalf("%s: %v", label, err)
				}
				if len(want) == 0 {
					if first.Verdict != geom.Separate || !math.IsInf(first.TOILo, 1) || first.A != -1 {
						t.Errorf("%s: earliest is %+v, want none", label, first)
					}
				} else if first != want[0] {
					t.Errorf("%s: earliest is %+v, want %+v", label, first, want[0])
				}
			}
		}
	}
}

func TestPairsAnswersInOrder(t *testing.T) {
	for _, s := range scenes(t) {
		o := DefaultOptions()
		for _, im := range allPairs(t, &s, &o) {
			got, err := Pairs(s.m, s.x0, s.x1, im.Kind, [][2]int64{{im.A, im.B}, {im.A, im.B}}, &o)
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != 2 || got[0] != im || got[1] != im {
				t.Fatalf("%s: %+v, want %+v twice", s.name, got, im)
			}
		}
	}
}

// A safe step of 0 does not always mean that a pair is too near at the start: it is the double
// below toi_lo, and no double lies between 0 and a contact time below 2^-1073.
func TestSizeBelowTheSmallestDouble(t *testing.T) {
	m, err := mesh.New(2, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	o := DefaultOptions()
	o.Flags = narrow.NoZeroTOI
	for e := -610; e <= -560; e++ { // the time is 2^(e - 490) all but exactly: a little less
		alpha, err := Size(m, []float64{math.Ldexp(1, e), 0, 0, 0, 0, 0}, []float64{-0x1p490, 0, 0, 0, 0, 0}, &o)
		if err != nil || (alpha > 0) != (e-490 > -1073) {
			t.Errorf("contact at 2^%d: a step of %v, %v", e-490, alpha, err)
		}
	}
}

func TestSizeIsSafe(t *testing.T) {
	for _, s := range scenes(t) {
		for name, o := range settings() {
			o.MinSeparation *= s.size()
			o.Tolerance *= s.size()
			alpha, err := Size(s.m, s.x0, s.x1, &o)
			if err != nil {
				t.Fatal(err)
			}
			first, err := Earliest(s.m, s.x0, s.x1, &o)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case first.Verdict == geom.Separate && alpha != o.TMax:
				t.Errorf("%s, %s: alpha = %v of a free step to %v", s.name, name, alpha, o.TMax)
			case first.Verdict != geom.Separate && alpha >= first.TOILo && alpha > 0:
				t.Errorf("%s, %s: alpha = %v, impact at %v", s.name, name, alpha, first.TOILo)
			}
		}
	}
}

func TestBadInput(t *testing.T) {
	s := soup(t, "soup", 3, rand.Float64, 1)
	change := func(f func(o *Options)) *Options { o := DefaultOptions(); f(&o); return &o }
	nan := slices.Clone(s.x1)
	nan[7] = math.NaN()
	for name, f := range map[string]func() error{
		"NaN":      func() error { _, err := Earliest(s.m, s.x0, nan, nil); return err },
		"short x1": func() error { _, err := Collisions(s.m, s.x0, s.x1[3:], nil); return err },
		"tolerance": func() error {
			_, err := Size(s.m, s.x0, s.x1, change(func(o *Options) { o.Tolerance = -1 }))
			return err
		},
		"separation": func() error {
			_, err := Size(s.m, s.x0, s.x1, change(func(o *Options) { o.MinSeparation = -1 }))
			return err
		},
		"t_max": func() error {
			_, err := Earliest(s.m, s.x0, s.x1,
				change(func(o *Options) { o.TMax = 2 }))
			return err
		},
		"threads": func() error {
			_, err := Earliest(s.m, s.x0, s.x1, change(func(o *Options) { o.Threads = -2 }))
			return err
		},
		"bound": func() error {
			_, err := Earliest(s.m, s.x0, s.x1, change(func(o *Options) { o.SceneBound[1] = 1e-3 }))
			return err
		},
		"kind": func() error { _, err := Pairs(s.m, s.x0, s.x1, 5, nil, nil); return err },
		"index": func() error {
			_, err := Pairs(s.m, s.x0, s.x1, geom.VertexFace, [][2]int64{{0, 3}},
				nil)
			return err
		},
	} {
		if f() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestCancelAndProgress(t *testing.T) {
	s := soup(t, "soup", 60, rand.Float64, 1)
	for _, threads := range []int{1, 4} {
		o := DefaultOptions()
		o.Threads = threads
		last, inside := 0.0, false
		o.Progress = func(f float64) bool {
			if inside || f < last || f > 1 {
				t.Errorf("progress goes from %v to %v", last, f)
			}
			last, inside = f, false
			return false
		}
		if _, err := Collisions(s.m, s.x0, s.x1, &o); err != nil || last != 1 {
			t.Errorf("error %v, progress up to %v", err, last)
		}
		o.Progress = func(float64) bool { return true }
		for name, f := range map[string]func() error{
			"collisions": func() error { _, err := Collisions(s.m, s.x0, s.x1, &o); return err },
			"earliest":   func() error { _, err := Earliest(s.m, s.x0, s.x1, &o); return err },
			"pairs": func() error {
				_, err := Pairs(s.m, s.x0, s.x1, geom.VertexFace, make([][2]int64, 1000), &o)
				return err
			},
		} {
			if err := f(); !errors.Is(err, status.ErrCancelled) {
				t.Errorf("%s cancelled: %v", name, err)
			}
		}
	}
}

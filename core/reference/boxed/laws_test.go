package boxed_test

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/patch"
	"ccd/core/reference/boxed"
)

var methods = map[string]boxed.Options{
	"time-contracted, oriented":        {},
	"time-contracted, oriented at t=0": {InitialAxes: true},
	"time-contracted, axis-aligned":    {AxisAligned: true},
	"traditional, oriented":            {Traditional: true},
	"traditional, axis-aligned":        {Traditional: true, AxisAligned: true},
}

// check answers a random pair by a method and by the default: laws 1 to 4 and 9. A contact that the
// default has certified is not missed and not late, with any budget; what is called contact is
// near; what the default calls separate is no contact, but for the tolerance.
func check(t *testing.T, s *patch.Solver, name string, seed uint64) patch.Impact {
	t.Helper()
	c := ccdtest.RandomPatchPair(seed)
	var want, got patch.Impact
	o := c.Options
	o.Search, o.MaxIterations = nil, 100000
	if err := s.Solve(c.A, c.B, &o, &want); err != nil {
		t.Fatal(err)
	}
	c.Options.Search, c.Options.MaxIterations = methods[name], []int64{1, 30, 3000}[seed%3]
	got, err := c.Check(s)
	if err != nil {
		t.Fatalf("%s, seed %d: %v", name, seed, err)
	}
	if want.Flags&geom.Certified != 0 && (got.Verdict == geom.Separate || got.TOILo > want.TOIHi) {
		t.Fatalf("%s, seed %d: %+v, but there is a contact: %+v", name, seed, got, want)
	}
	return got
}

func TestLaws(t *testing.T) {
	var s patch.Solver
	seeds := uint64(300)
	if testing.Short() {
		seeds = uint64(long.Part(150, 3))
	}
	for name := range methods {
		contacts := 0
		for seed := range seeds {
			if im := check(t, &s, name, seed); im.Verdict == geom.Contact {
				contacts++
			}
		}
		if contacts < int(seeds/30) {
			t.Errorf("%s: only %d contacts", name, contacts)
		}
	}
}

// Contacts that are known exactly are not missed and not late, whatever the patches look like.
func TestWalls(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 1))
	var s patch.Solver
	contacts := 0
	for name, search := range methods {
		for range 300 {
			v, err := ccdtest.RandomPatchWall(r).Check(r, &s, search)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if v == geom.Contact {
				contacts++
			}
		}
	}
	if contacts < 100 {
		t.Errorf("only %d contacts", contacts)
	}
}

// FuzzBoxed soaks the methods: `go test ./core/reference/boxed -fuzz FuzzBoxed`.
func FuzzBoxed(f *testing.F) {
	var s patch.Solver
	for i := range uint64(6) {
		f.Add(i, uint8(i))
	}
	names := []string{"time-contracted, oriented", "time-contracted, oriented at t=0", "time-contracted, axis-aligned",
		"traditional, oriented", "traditional, axis-aligned"}
	f.Fuzz(func(t *testing.T, seed uint64, which uint8) {
		name, r := names[int(which)%len(names)], rand.New(rand.NewPCG(seed, 48))
		check(t, &s, name, seed)
		if _, err := ccdtest.RandomPatchWall(r).Check(r, &s, methods[name]); err != nil {
			t.Error(err)
		}
	})
}

// quads are two random patches above each other, which meet during the step or stay apart by a gap.
func quads(r *rand.Rand, gap float64, apart bool) (a, b *patch.Patch) {
	list := [2]*patch.Patch{}
	f := patch.Form{Shape: patch.Quad, U: 1 + r.IntN(3), V: 1 + r.IntN(3)}
	for k := range list {
		p := &patch.Patch{Form: f}
		for i := range f.Points() {
			x, y, z := float64(i/(f.V+1))/float64(f.U), float64(i%(f.V+1))/float64(f.V), 0.2*r.Float64()+
				float64(k)*(0.2+gap)
			down := 0.0
			if !apart {
				down = float64(k) * (0.5 + gap)
			}
			p.X0, p.X1 = append(p.X0, x, y, z), append(p.X1, x+0.1*r.Float64(), y, z-down)
		}
		list[k] = p
	}
	return list[0], list[1]
}

// Where both decide, the methods have the default's verdicts, and its times up to the way to the
// tolerance.
func TestAgreeWithDefault(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 1))
	var s patch.Solver
	for name, search := range methods {
		decided := 0
		for trial := range 30 {
			a, b := quads(r, 0.3*r.Float64(), trial%3 == 0)
			o := patch.DefaultOptions()
			o.Tolerance, o.TMax = 1e-5, 0.5+0.5*r.Float64()
			var want, got patch.Impact
			if err := s.Solve(a, b, &o, &want); err != nil {
				t.Fatal(err)
			}
			o.Search, o.MaxIterations = search, 3000
			if err := s.Solve(a, b, &o, &got); err != nil {
				t.Fatal(err)
			}
			if got.Verdict == geom.Undecided {
				if want.Flags&geom.Certified != 0 && got.TOILo > want.TOIHi {
					t.Errorf("%s, %d: open at %v, after a contact at %v", name, trial, got.TOILo, want.TOIHi)
				}
				continue
			}
			decided++
			if got.Verdict != want.Verdict || got.Verdict == geom.Contact && math.Abs(got.TOILo-want.TOILo) > 1e-2 {
				t.Errorf("%s, %d: %v at %v, the default %v at %v", name, trial, got.Verdict, got.TOILo, want.Verdict,
					want.TOILo)
			}
		}
		if decided < 8 {
			t.Errorf("%s decided only %d", name, decided)
		}
	}
}

// On the cases of data/patch the paper's method agrees with the paper's program, whose tolerance is
// one of parameters.
func TestPaperAgreesWithData(t *testing.T) {
	home := "../../../../shared/data"
	if h := os.Getenv("CCD_DATA"); h != "" {
		home = h
	}
	var s patch.Solver
	for kind, f := range map[string]patch.Form{
		"T1": {Shape: patch.Triangle, U: 1, V: 1}, "T3": {Shape: patch.Triangle, U: 3, V: 3},
		"Q1": {Shape: patch.Quad, U: 1, V: 1}, "Q3": {Shape: patch.Quad, U: 3, V: 3},
	} {
		cases, answers := doubles(t, filepath.Join(home, "patch", "cases_"+kind+".bin")),
			doubles(t, filepath.Join(home, "patch", "answers_"+kind+".bin"))
		n, open := 3*f.Points(), 0
		// A case has the control points and velocities of each patch; an impact has its time first.
		for i := 0; 4*n*i < len(cases); i += 12 {
			x, toi := cases[4*n*i:4*n*(i+1)], answers[8*i]
			for j := range 2 * n {
				x[j/n*2*n+n+j%n] += x[j/n*2*n+j%n]
			}
			a, b := &patch.Patch{Form: f, X0: x[:n], X1: x[n : 2*n]},
				&patch.Patch{Form: f, X0: x[2*n : 3*n], X1: x[3*n:]}
			o := patch.DefaultOptions()
			o.Search, o.MaxIterations = boxed.Options{}, 20000
			var im patch.Impact
			if err := s.Solve(a, b, &o, &im); err != nil {
				t.Fatal(err)
			}
			if im.Verdict == geom.Undecided {
				open++
				continue
			}
			if (im.Verdict == geom.Contact) != (toi >= 0) ||
				toi >= 0 && !(im.TOILo <= toi+1e-5 && im.TOILo >= toi-1e-3) {
				t.Errorf("%s %d: %v at %v, theirs %v", kind, i, im.Verdict, im.TOILo, toi)
			}
		}
		if open > 3 {
			t.Errorf("%s: %d undecided", kind, open)
		}
	}
}

func doubles(t *testing.T, path string) (x []float64) {
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Skip(err)
	}
	for i := 0; i < len(raw); i += 8 {
		x = append(x, math.Float64frombits(binary.LittleEndian.Uint64(raw[i:])))
	}
	return x
}

// The tolerance may be one of parameters, as in the paper: then the answer is early by little, and
// never late.
func TestToleranceInParameters(t *testing.T) {
	r := rand.New(rand.NewPCG(44, 1))
	var s patch.Solver
	contacts := 0
	for range 40 {
		a, b := quads(r, 0.3*r.Float64(), false)
		o := patch.DefaultOptions()
		var want, im patch.Impact
		if err := s.Solve(a, b, &o, &want); err != nil {
			t.Fatal(err)
		}
		o.Search, o.Tolerance, o.MaxIterations = boxed.Options{InParameters: true}, 1e-3, 20000
		if err := s.Solve(a, b, &o, &im); err != nil {
			t.Fatal(err)
		}
		if want.Flags&geom.Certified != 0 && (im.Verdict == geom.Separate || im.TOILo > want.TOIHi) {
			t.Fatalf("they meet at %v: %v at %v", want.TOIHi, im.Verdict, im.TOILo)
		}
		if im.Verdict == geom.Contact {
			contacts++
			p, q := a.At(im.UVA[0], im.UVA[1], im.TOILo), b.At(im.UVB[0], im.UVB[1], im.TOILo)
			if d := math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]), p[2]-q[2]); d > 0.1 {
				t.Errorf("points %v apart", d)
			}
		}
	}
	if contacts < 25 {
		t.Errorf("only %d contacts", contacts)
	}
}

// Law 6, powers of two change no bit; law 7, a used solver answers as a fresh one, and a pair in
// the other order has the same answer; law 8, a positive time where one is required.
func TestLaws678(t *testing.T) {
	var used patch.Solver
	r := rand.New(rand.NewPCG(46, 1))
	for name, search := range methods {
		for trial := range 20 {
			a, b := quads(r, math.Exp(-12*r.Float64()), trial%4 == 0)
			o := patch.DefaultOptions()
			o.Search, o.Tolerance, o.MaxIterations, o.Flags = search, 1e-4, 500, narrow.NoZeroTOI
			var want, again, other, got patch.Impact
			err := errors.Join(new(patch.Solver).Solve(a, b, &o, &want), used.Solve(a, b, &o, &again),
				used.Solve(b, a, &o, &other))
			if err != nil || want != again {
				t.Fatalf("%s: %+v, by a used solver %+v, %v", name, want, again, err)
			}
			if other.Verdict != want.Verdict || other.TOILo != want.TOILo || other.UVA != want.UVB ||
				other.UVB != want.UVA {
				t.Fatalf("%s: %+v, in the other order %+v", name, want, other)
			}
			if want.Verdict == geom.Contact && !(want.TOILo > 0) {
				t.Fatalf("%s: %+v", name, want)
			}
			const by = 0x1p40
			for _, x := range [4][]float64{a.X0, a.X1, b.X0, b.X1} {
				for i := range x {
					x[i] *= by
				}
			}
			o.Tolerance *= by
			if err := used.Solve(a, b, &o, &got); err != nil {
				t.Fatal(err)
			}
			for k := range 3 {
				want.Point[k] *= by
			}
			if want.Width *= by; got != want {
				t.Fatalf("%s: %+v, not %+v", name, got, want)
			}
		}
	}
}

// A small memory limit ends a search that would need more, with a safe answer.
func TestMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 1))
	a, _ := quads(r, 0, true)
	b := &patch.Patch{Form: a.Form}
	for i := range a.X0 { // the same patch, one to the right of it, moves onto it
		x := [3]float64{1, 0, 0}[i%3]
		b.X0, b.X1 = append(b.X0, a.X0[i]+x), append(b.X1, a.X1[i]-x)
	}
	o := patch.DefaultOptions()
	o.Search, o.Tolerance, o.MaxIterations, o.MemoryLimit = boxed.Options{Traditional: true, AxisAligned: true}, 1e-9,
		0, 1<<20
	var s patch.Solver
	var im patch.Impact
	if err := s.Solve(a, b, &o, &im); err != nil {
		t.Fatal(err)
	}
	if im.Verdict != geom.Undecided || im.TOILo > 0.5 {
		t.Errorf("%+v", im)
	}
}

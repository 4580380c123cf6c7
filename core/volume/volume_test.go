package volume

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"ccd/core/ccdtest"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/meshfile"
	"ccd/core/narrow"
	"ccd/core/status"
	"ccd/simd"
)

func sceneOf(t testing.TB, c *meshfile.Cells) *Scene {
	t.Helper()
	v, err := c.Volume()
	if err != nil {
		t.Fatal(err)
	}
	return New(v)
}

func collisions(t testing.TB, s *Scene, x0, x1 []float64, change func(o *Options)) []Contact {
	t.Helper()
	o := DefaultOptions()
	change(&o)
	list, err := s.Collisions(x0, x1, &o)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func sameContacts(t testing.TB, what string, got, want []Contact) {
	t.Helper()
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("%s: contact %d is\n%+v, want\n%+v", what, i, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%s: %d contacts, want %d", what, len(got), len(want))
	}
}

// The tree finds what brute force finds, in every bit: for all classes or some, inside or on the
// surface alone, with a separation, with an earlier end.
func TestCollisionsAreThoseOfBruteForce(t *testing.T) {
	found, classes := 0, Class(0)
	for seed := range uint64(60) {
		x := ccdtest.RandomVolume(seed)
		s := sceneOf(t, x.Cells)
		change := func(o *Options) {
			o.Classes = Class(seed % uint64(AllClasses+1))
			o.Surface = seed%5 == 0
			if seed%4 == 1 {
				o.MinSeparation = 0.01
			}
			if seed%6 == 1 {
				o.TMax = 0.5
			}
		}
		got := collisions(t, s, x.X0, x.X1, change)
		want := collisions(t, s, x.X0, x.X1, func(o *Options) { change(o); o.Flags |= narrow.BruteForce })
		sameContacts(t, "tree against brute force", got, want)
		found += len(got)
		for i := range got {
			classes |= got[i].Class
		}
		o := DefaultOptions()
		change(&o)
		first, err := s.Earliest(x.X0, x.X1, &o)
		if err != nil {
			t.Fatal(err)
		}
		if len(want) == 0 && first.Verdict != geom.Separate || len(want) > 0 && first != want[0] {
			t.Fatalf("seed %d: the earliest contact is\n%+v, want the first of\n%+v", seed, first, want)
		}
	}
	if found < 2000 || classes != DefaultClasses {
		t.Errorf("%d contacts, classes %#x: the test shows too little", found, classes)
	}
}

// Law 7: the same bits for any number of threads and any SIMD level, and whatever the scene has
// seen before.
func TestLaw7SameBits(t *testing.T) {
	for seed := range uint64(12) {
		x := ccdtest.RandomVolume(100 + seed)
		s := sceneOf(t, x.Cells)
		want := collisions(t, s, x.X0, x.X1, func(o *Options) { o.Threads = 1 })
		sameContacts(t, "a second call", collisions(t, s, x.X0, x.X1, func(*Options) {}), want)
		collisions(t, s, x.X1, x.X0, func(*Options) {})
		for _, level := range simd.Levels() {
			restore, err := simd.Force(level)
			if err != nil {
				t.Fatal(err)
			}
			for _, threads := range []int{1, 2, 5} {
				sameContacts(t, level, collisions(t, s, x.X0, x.X1, func(o *Options) { o.Threads = threads }), want)
			}
			restore()
		}
	}
}

// Calls from several goroutines are answered as if each were alone, also while the topology is
// edited between them.
func TestConcurrentCalls(t *testing.T) {
	x := ccdtest.RandomVolume(7)
	s := sceneOf(t, x.Cells)
	there := collisions(t, s, x.X0, x.X1, func(*Options) {})
	back := collisions(t, s, x.X1, x.X0, func(*Options) {})
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 10 {
				from, to, want := x.X0, x.X1, there
				if i%2 == 1 {
					from, to, want = x.X1, x.X0, back
				}
				got, err := s.Collisions(from, to, nil)
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("goroutine %d: %d contacts, want %d; %v", i, len(got), len(want), err)
				}
				if err := s.Edit(func(v *mesh.Volume) error { return v.Remove(nil) }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// Law 6: multiplying all lengths by a power of two changes no time and no parameter.
func TestLaw6Scale(t *testing.T) {
	for seed := range uint64(10) {
		x := ccdtest.RandomVolume(200 + seed)
		s := sceneOf(t, x.Cells)
		want := collisions(t, s, x.X0, x.X1, func(*Options) {})
		for _, f := range []float64{0x1p-300, 0x1p+90} {
			scale := func(x []float64) []float64 {
				return ccdtest.Moved(x, func(p [3]float64) [3]float64 {
					return [3]float64{p[0] * f, p[1] * f, p[2] * f}
				})
			}
			got := collisions(t, s, scale(x.X0), scale(x.X1), func(*Options) {})
			if len(got) != len(want) {
				t.Fatalf("seed %d scaled by %v: %d contacts, want %d", seed, f, len(got), len(want))
			}
			for i := range got {
				if got[i].TOILo != want[i].TOILo || got[i].U != want[i].U || got[i].V != want[i].V ||
					got[i].Vertices != want[i].Vertices {
					t.Fatalf("seed %d scaled by %v: contact %d is\n%+v, want\n%+v", seed, f, i, got[i], want[i])
				}
			}
		}
	}
}

// A tetrahedron that is turned inside out is squeezed flat: vertex 3 passes the opposite face at
// t = 1/2. So do the edges.
func TestWithinElement(t *testing.T) {
	s := sceneOf(t, &meshfile.Cells{Vertices: make([]float64, 12), Kinds: []mesh.Element{mesh.Tetrahedron},
		Corners: []int32{0, 1, 2, 3}})
	x0 := []float64{0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 1}
	x1 := slices.Clone(x0)
	x1[11] = -1
	list := collisions(t, s, x0, x1, func(*Options) {})
	if len(list) != 1 || list[0].Class != WithinElement || list[0].TOILo != 0.5 ||
		list[0].Vertices != [4]int32{3, 0, 1, 2} ||
		list[0].Elements != [2]int32{0, 0} {
		t.Errorf("%+v", list)
	}
	if list := collisions(t, s, x0, x1, func(o *Options) {
		o.Classes = WithinObject | BetweenObjects
	}); len(list) != 0 {
		t.Errorf("without the class: %+v", list)
	}
}

// Two tetrahedra with a common side part along it, then close again: the sides touch at t = 0 by
// construction, and are left out unless their class is wanted. Once they have separated, they
// count.
func TestAtSplit(t *testing.T) {
	c := &meshfile.Cells{
		Vertices: []float64{0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 2, 1, 1, -2},
		Kinds:    []mesh.Element{mesh.Tetrahedron, mesh.Tetrahedron}, Corners: []int32{0, 1, 2, 3, 0, 1, 2, 4},
	}
	s := sceneOf(t, c)
	still := slices.Clone(c.Vertices)
	for k := range int32(3) {
		if err := s.Edit(func(v *mesh.Volume) error { _, err := v.Split(k, []int32{1}); return err }); err != nil {
			t.Fatal(err)
		}
		still = append(still, c.Vertices[3*k:3*k+3]...)
	}
	open := slices.Clone(still)
	for _, v := range []int{4, 5, 6, 7} {
		open[3*v+2] -= 1
	}
	if list := collisions(t, s, still, open, func(*Options) {}); len(list) != 0 {
		t.Errorf("parting: %+v", list)
	}
	list := collisions(t, s, still, open, func(o *Options) { o.Classes = AllClasses })
	if len(list) == 0 {
		t.Error("parting: no contact of the class AtSplit")
	}
	for i := range list {
		if list[i].Class != AtSplit || list[i].TOILo != 0 {
			t.Errorf("parting: %+v", list[i])
		}
	}
	closed := slices.Clone(still)
	for _, v := range []int{4, 5, 6, 7} {
		closed[3*v+2] += 1
	}
	list = collisions(t, s, open, closed, func(*Options) {})
	if len(list) == 0 || list[0].Class != BetweenObjects || list[0].TOILo != 0.5 {
		t.Errorf("closing: %+v", list)
	}
}

// Random edits between steps: an edited scene has the results of one made of the live elements, and
// of brute force.
func TestEditsAreARebuild(t *testing.T) {
	found := 0
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 3))
		x := ccdtest.RandomVolume(300 + seed)
		s := sceneOf(t, x.Cells)
		x0, x1 := x.X0, x.X1
		for range 8 {
			for range 1 + r.IntN(4) {
				// The volume refuses some edits.
				_ = s.Edit(func(v *mesh.Volume) error { return ccdtest.RandomEdit(r, v, seed%3 > 0) })
			}
			x0, x1 = ccdtest.Follow(r, s.v, x0, x1)
			got := collisions(t, s, x0, x1, func(o *Options) { o.Classes = AllClasses })
			found += len(got)
			sameContacts(t, "edited against brute force", got,
				collisions(t, s, x0, x1, func(o *Options) { o.Classes, o.Flags = AllClasses, narrow.BruteForce }))
			fresh, was, err := s.v.Compact()
			if err != nil {
				t.Fatal(err)
			}
			want := collisions(t, New(fresh), x0, x1, func(o *Options) { o.Classes = AllClasses })
			for i := range want { // numbers of features and elements are those of the other volume
				want[i].Elements = [2]int32{was[want[i].Elements[0]], was[want[i].Elements[1]]}
				if i < len(got) {
					want[i].A, want[i].B = got[i].A, got[i].B
				}
			}
			sameContacts(t, "edited against built anew", got, want)
		}
	}
	if found < 1000 {
		t.Errorf("only %d contacts: the test shows too little", found)
	}
}

// The tree is refitted as long as that serves, and built anew once a call has opened many more
// pairs of patches than at first.
func TestTreeIsBuiltAnewByNeed(t *testing.T) {
	c := ccdtest.Block(40, 4, 4, func(int) mesh.Element { return mesh.Tetrahedron })
	folded := ccdtest.Moved(c.Vertices, func(p [3]float64) [3]float64 {
		return [3]float64{p[1] + 0.01*p[0], math.Mod(7*p[0], 5), p[2]} // what was apart lies together
	})
	s := sceneOf(t, c)
	for i, step := range []struct {
		x       []float64
		rebuilt bool
	}{{c.Vertices, true}, {c.Vertices, false}, {folded, false}, {folded, true}, {folded, false}, {folded, false}} {
		var st Stats
		o := DefaultOptions()
		o.VolumeStats = &st
		if _, err := s.Earliest(step.x, step.x, &o); err != nil {
			t.Fatal(err)
		}
		if st.Rebuilt != step.rebuilt {
			t.Errorf("call %d: the tree was built anew: %v; %d pairs of patches", i, st.Rebuilt, st.PatchPairs)
		}
	}
}

// A limit to memory makes a call slower at most: it changes no bit, and takes the boxes out of what
// is held.
func TestMemoryLimit(t *testing.T) {
	q := ccdtest.Torus(0.75)
	free, bound := sceneOf(t, q.Cells), sceneOf(t, q.Cells)
	refused, kept := 0, 0
	if err := q.Run(free.Edit, func(i int, x0, x1 []float64) error {
		if i%6 != 5 {
			return nil
		}
		var most, least Stats
		want := collisions(t, free, x0, x1, func(o *Options) { o.VolumeStats, o.Threads = &most, 1 })
		o := DefaultOptions()
		o.VolumeStats, o.Threads, o.MemoryLimit = &least, 1, 1
		got, err := bound.Collisions(x0, x1, &o)
		if need := int64(len(want)) * int64(contactBytes); errors.Is(err, status.ErrMemory) &&
			need > engine.LeastResults {
			refused++
			return nil
		} else if err != nil {
			t.Fatalf("%d contacts take %d bytes: %v", len(want), need, err)
		}
		kept++
		sameContacts(t, "with a limit", got, want)
		if saved := most.PeakBytes - least.PeakBytes; saved < int64(free.layout.boxBytes())/2 {
			t.Errorf("step %d: %d bytes with a limit, %d without", i, least.PeakBytes, most.PeakBytes)
		}
		sameContacts(t, "with a wide limit", collisions(t, bound, x0, x1, func(o *Options) {
			o.MemoryLimit = 1 << 40
		}), want)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if refused == 0 || kept == 0 {
		t.Errorf("%d steps were refused, %d answered", refused, kept)
	}
}

func TestContactHasTheLayoutOfC(t *testing.T) {
	var c Contact
	if n := unsafe.Sizeof(c); n != 152 || unsafe.Offsetof(c.Vertices) != 120 || unsafe.Offsetof(c.Elements) != 136 ||
		unsafe.Offsetof(c.Class) != 144 {
		t.Errorf("a contact takes %d bytes, its parts at %d, %d, %d",
			n, unsafe.Offsetof(c.Vertices), unsafe.Offsetof(c.Elements), unsafe.Offsetof(c.Class))
	}
}

func TestBadArguments(t *testing.T) {
	x := ccdtest.RandomVolume(1)
	s := sceneOf(t, x.Cells)
	bad := slices.Clone(x.X1)
	bad[4] = math.NaN()
	for text, call := range map[string]func(o *Options) error{
		"x0 has 3 coordinates; the volume has": func(o *Options) error {
			_, err := s.Collisions(x.X0[:3], x.X1, o)
			return err
		},
		"x1[1][1] is NaN": func(o *Options) error { _, err := s.Earliest(x.X0, bad, o); return err },
		"classes is 0x10: unknown bits 0x10": func(o *Options) error {
			o.Classes = 16
			_, err := s.Earliest(x.X0, x.X1, o)
			return err
		},
		"options.threads is -1": func(o *Options) error {
			o.Threads = -1
			_, err := s.Earliest(x.X0, x.X1, o)
			return err
		},
		"options.t_max is 2": func(o *Options) error {
			o.TMax = 2
			_, err := s.Earliest(x.X0, x.X1, o)
			return err
		},
		"beyond options.scene_bound[0]": func(o *Options) error {
			o.SceneBound[0] = 1e-9
			_, err := s.Earliest(x.X0, x.X1, o)
			return err
		},
	} {
		o := DefaultOptions()
		if err := call(&o); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v, want %q", err, text)
		}
	}
}

func TestNothingCollidesWithNothing(t *testing.T) {
	for _, c := range []*meshfile.Cells{{}, {Vertices: make([]float64, 9)},
		{Vertices: make([]float64, 9), Kinds: []mesh.Element{mesh.Triangle}, Corners: []int32{0, 1, 2}}} {
		s := sceneOf(t, c)
		if list, err := s.Collisions(c.Vertices, c.Vertices, nil); err != nil || len(list) != 0 {
			t.Errorf("%d vertices: %+v, %v", len(c.Vertices)/3, list, err)
		}
		if first, err := s.Earliest(c.Vertices, c.Vertices, nil); err != nil || first.Verdict != geom.Separate {
			t.Errorf("%d vertices: %+v, %v", len(c.Vertices)/3, first, err)
		}
	}
}

func TestCancel(t *testing.T) {
	x := ccdtest.RandomVolume(2)
	s := sceneOf(t, x.Cells)
	o := DefaultOptions()
	o.Progress = func(float64) bool { return true }
	if _, err := s.Collisions(x.X0, x.X1, &o); !errors.Is(err, status.ErrCancelled) {
		t.Errorf("%v, want %v", err, status.ErrCancelled)
	}
	last := -1.0
	o.Progress = func(f float64) bool {
		if f < last || f > 1 {
			t.Errorf("progress %v after %v", f, last)
		}
		last = f
		return false
	}
	if _, err := s.Collisions(x.X0, x.X1, &o); err != nil || last != 1 {
		t.Errorf("%v, last fraction %v", err, last)
	}
}

func TestBacktrack(t *testing.T) {
	x0 := []float64{1, 2, 3, 0, 0, 0}
	x1 := []float64{4, 5, 6, 7, 8, 9}
	if err := Backtrack(x0, x1, []float64{9, 9, 9, 2, 4, -6}, 0.5, []int32{1}); err != nil ||
		!slices.Equal(x0, []float64{1, 2, 3, 6, 6, 12}) {
		t.Errorf("%v, %v", x0, err)
	}
	if err := Backtrack(x0, x1, x1, 1, []int32{2}); err == nil || !strings.Contains(err.Error(), "vertices[0] is 2") {
		t.Errorf("%v", err)
	}
	if err := Backtrack(x0, x1, x1[:3], 1, nil); err == nil {
		t.Error("a short velocity is taken")
	}
	nan, before := []float64{0, 0, 0, 0, math.NaN(), 0}, slices.Clone(x0)
	for want, call := range map[string]func() error{
		"duration is NaN":       func() error { return Backtrack(x0, x1, x1, math.NaN(), nil) },
		"x1[1][1] is NaN":       func() error { return Backtrack(x0, nan, x1, 1, []int32{0, 1}) },
		"velocity[1][1] is NaN": func() error { return Backtrack(x0, x1, nan, 1, []int32{0, 1}) },
	} {
		if err := call(); !errors.Is(err, status.ErrNonFinite) || !strings.HasPrefix(err.Error(), want) ||
			!slices.Equal(x0, before) {
			t.Errorf("%s: %v, %v", want, err, x0)
		}
	}
	if err := Backtrack(x0, nan, nan, 1, []int32{0}); err != nil {
		t.Errorf("vertex 1 is not listed: %v", err)
	}
}

// FuzzVolume compares the tree with brute force on random scenes, edits and options.
func FuzzVolume(f *testing.F) {
	f.Add(uint64(1), uint8(0), uint8(7), 0.0, 1.0)
	f.Add(uint64(2), uint8(5), uint8(15), 1e-3, 0.5)
	f.Fuzz(func(t *testing.T, seed uint64, edits, classes uint8, separation, tMax float64) {
		r := rand.New(rand.NewPCG(seed, uint64(edits)))
		x := ccdtest.RandomVolume(seed)
		s := sceneOf(t, x.Cells)
		x0, x1 := x.X0, x.X1
		collisions(t, s, x0, x1, func(*Options) {}) // a tree to be edited
		for range edits % 16 {
			_ = s.Edit(func(v *mesh.Volume) error { return ccdtest.RandomEdit(r, v, true) }) // some are refused
		}
		x0, x1 = ccdtest.Follow(r, s.v, x0, x1)
		o := DefaultOptions()
		o.Classes, o.Surface = Class(classes)&AllClasses, classes&16 != 0
		if separation >= 0 && separation < 1 {
			o.MinSeparation = separation
		}
		if tMax >= 0 && tMax <= 1 {
			o.TMax = tMax
		}
		got := collisions(t, s, x0, x1, func(p *Options) { *p = o })
		want := collisions(t, s, x0, x1, func(p *Options) { *p = o; p.Flags |= narrow.BruteForce })
		sameContacts(t, "tree against brute force", got, want)
		first, err := s.Earliest(x0, x1, &o)
		if err != nil || len(want) > 0 && first != want[0] || len(want) == 0 && first.Verdict != geom.Separate {
			t.Fatalf("the earliest is %+v, %v", first, err)
		}
	})
}

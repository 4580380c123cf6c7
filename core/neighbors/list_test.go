package neighbors

import (
	"errors"
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/proximity"
	"ccd/core/status"
	"ccd/core/step"
)

var worlds = flag.Int("worlds", 60, "random worlds of TestListLaws")

// world is a mesh whose vertices walk, and its list.
type world struct {
	m    *mesh.Mesh
	l    *List
	x    []float64
	size float64

	pairs, hits int // near pairs and impacts that were compared
}

func newWorld(t testing.TB, r *rand.Rand) *world {
	t.Helper()
	m, x, _, err := ccdtest.Soup(r)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{m: m, x: x}
	for i := range x {
		w.size = max(w.size, math.Abs(x[i]-x[i%3]))
	}
	w.filter(t, r)
	reach := w.size * math.Pow(10, -2*r.Float64())
	if w.l,
		err = New(m, w.x, reach, &proximity.Options{CallOptions: engine.CallOptions{Threads: 1 + r.IntN(3)}}); err !=
		nil {
		t.Fatal(err)
	}
	return w
}

// filter sets groups, static vertices, exclusions and radii, or none.
func (w *world) filter(t testing.TB, r *rand.Rand) {
	t.Helper()
	var group []int32
	var static []bool
	var radii []float64
	var excluded [][2]int64
	for v := range w.m.NV {
		group, static, radii = append(group, int32(v/3%3)-1), append(static, v%5 == 0),
			append(radii, 0.05*w.size*r.Float64())
	}
	for range r.IntN(20) {
		excluded = append(excluded, [2]int64{int64(r.IntN(w.m.NV)), int64(r.IntN(len(w.m.Faces)))})
	}
	if r.IntN(3) > 0 {
		group = nil
	}
	if r.IntN(3) > 0 {
		static = nil
	}
	if r.IntN(3) > 0 {
		radii = nil
	}
	if r.IntN(3) > 0 {
		excluded = nil
	}
	err := errors.Join(w.m.SetGroups(group), w.m.SetStatic(static), w.m.SetRadii(radii),
		w.m.SetExcluded(geom.VertexFace, excluded))
	if err != nil {
		t.Fatal(err)
	}
}

// walk returns positions a little away: all vertices move alike, each by itself, or a few by much.
func (w *world) walk(r *rand.Rand) []float64 {
	x, speed := slices.Clone(w.x), w.l.reach*math.Pow(10, -3*r.Float64())
	drift := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
	how := r.IntN(4)
	for i := range x {
		switch {
		case how == 0:
			x[i] += speed * drift[i%3]
		case how == 1 || i%7 == 0:
			x[i] += speed * r.NormFloat64()
		}
	}
	return x
}

// sameNear is law 1 of Near.
func (w *world) sameNear(t testing.TB, r *rand.Rand, x []float64) {
	t.Helper()
	d := w.l.reach * r.Float64()
	o := proximity.Options{CallOptions: engine.CallOptions{Threads: 1 + r.IntN(3)}, BruteForce: r.IntN(8) == 0}
	want, err := proximity.Near(w.m, x, d, &o)
	got, err2 := w.l.Near(x, d, &o)
	if (err == nil) != (err2 == nil) || !slices.Equal(got, want) {
		t.Fatalf("law 1: near %d, %v; fresh %d, %v (reach %v, d %v, %+v)", len(got), err2, len(want), err, w.l.reach,
			d, w.l.Report())
	}
	w.pairs += len(got)
	if len(got) > 0 { // the border: a pair's own bounds
		for _, d := range []float64{got[0].Lo, got[len(got)-1].Hi} {
			if d > w.l.reach {
				continue
			}
			want, err := proximity.Near(w.m, x, d, &o)
			if got, err2 := w.l.Near(x, d, &o); err != nil || err2 != nil || !slices.Equal(got, want) {
				t.Fatalf("law 1: near %d, %v; fresh %d, %v (reach %v, d %v)", len(got), err2, len(want), err, w.l.reach,
					d)
			}
		}
	}
}

// sameSteps is law 1 of the calls on a step.
func (w *world) sameSteps(t testing.TB, r *rand.Rand, x0, x1 []float64) {
	t.Helper()
	o := step.DefaultOptions()
	o.Threads, o.CheckStart = 1+r.IntN(3), r.IntN(4) == 0
	o.Flags = []uint32{0, 0, narrow.MaxNorm, narrow.NoZeroTOI, narrow.BruteForce}[r.IntN(5)]
	if r.IntN(2) == 0 {
		o.MinSeparation = w.l.reach * math.Pow(10, -3*r.Float64())
	}
	if r.IntN(4) == 0 {
		o.TMax = r.Float64()
	}
	if r.IntN(6) == 0 {
		o.Method, o.MaxIterations = narrow.TightInclusion, 2000
	}
	all, err := step.Collisions(w.m, x0, x1, &o)
	ours, err2 := w.l.Step(x0, x1).Collisions(&o)
	if (err == nil) != (err2 == nil) || !slices.Equal(all, ours) {
		t.Fatalf("law 1: collisions %d, %v; fresh %d, %v (%+v; %+v)", len(ours), err2, len(all), err, o, w.l.Report())
	}
	w.hits += len(all)
	first, err := step.Earliest(w.m, x0, x1, &o)
	im, err2 := w.l.Step(x0, x1).Earliest(&o)
	if (err == nil) != (err2 == nil) || im != first {
		t.Fatalf("law 1: earliest %+v, %v; fresh %+v, %v (%+v)", im, err2, first, err, o)
	}
	size, err := step.Size(w.m, x0, x1, &o)
	alpha, err2 := w.l.Step(x0, x1).Size(&o)
	if (err == nil) != (err2 == nil) || alpha != size {
		t.Fatalf("law 1: size %v, %v; fresh %v, %v", alpha, err2, size, err)
	}
	a, b := make([]float64, len(x0)), make([]float64, len(x0))
	size, err = step.Advance(w.m, x0, x1, a, 0.9, &o)
	alpha, err2 = w.l.Step(x0, x1).Advance(b, 0.9, &o)
	if (err == nil) != (err2 == nil) || alpha != size || !slices.Equal(a, b) {
		t.Fatalf("law 1: advance %v, %v; fresh %v, %v", alpha, err2, size, err)
	}
}

// round is a few calls, and a move.
func (w *world) round(t testing.TB, r *rand.Rand) {
	t.Helper()
	x1 := w.walk(r)
	w.sameNear(t, r, w.x)
	w.sameSteps(t, r, w.x, x1)
	if r.IntN(2) == 0 { // a line search
		half := slices.Clone(w.x)
		for i := range half {
			half[i] += 0.5 * (x1[i] - half[i])
		}
		w.sameSteps(t, r, w.x, half)
		w.sameNear(t, r, half)
	}
	w.x = x1
	if r.IntN(10) == 0 {
		w.filter(t, r)
	}
}

// TestListLaws compares calls on a list with fresh ones, along walks of random worlds.
func TestListLaws(t *testing.T) {
	pairs, hits, sum := 0, 0, Report{}
	n := *worlds
	if testing.Short() {
		n /= 3
	}
	for i := range n {
		r := ccdtest.NewRand(uint64(i), 31)
		w := newWorld(t, r)
		for range 8 {
			w.round(t, r)
		}
		rep := w.l.Report()
		pairs, hits = pairs+w.pairs, hits+w.hits
		sum.Builds, sum.Served, sum.Fresh = sum.Builds+rep.Builds, sum.Served+rep.Served, sum.Fresh+rep.Fresh
	}
	t.Logf("%d near pairs, %d impacts, %+v", pairs, hits, sum)
	if pairs < 10*n || hits < 5*n || sum.Served < int64(10*n) || sum.Fresh < int64(5*n) || sum.Builds < int64(2*n) {
		t.Fatalf("too little was compared: %d near pairs, %d impacts, %+v", pairs, hits, sum)
	}
}

// FuzzList does the same for walks of other seeds.
func FuzzList(f *testing.F) {
	for i := range 4 {
		f.Add(uint64(i), uint8(6))
	}
	f.Fuzz(func(t *testing.T, seed uint64, rounds uint8) {
		r := ccdtest.NewRand(seed, 32)
		w := newWorld(t, r)
		for range min(rounds, 20) {
			w.round(t, r)
		}
	})
}

// grid is a square sheet of n x n vertices a unit apart over another at the height h.
func grid(t testing.TB, n int, h float64) (*mesh.Mesh, []float64) {
	t.Helper()
	var x []float64
	var faces []int32
	for s := range 2 {
		first := int32(s * n * n)
		for i := range n * n {
			x = append(x, float64(i%n), float64(i/n), h*float64(s)+0.01*float64(i%7))
		}
		for i := range int32((n - 1) * (n - 1)) {
			a := first + i/int32(n-1)*int32(n) + i%int32(n-1)
			faces = append(faces, a, a+1, a+int32(n), a+1, a+int32(n)+1, a+int32(n))
		}
	}
	m, err := mesh.New(len(x)/3, nil, faces)
	if err != nil {
		t.Fatal(err)
	}
	return m, x
}

// lift returns x with the second half of the vertices higher.
func lift(x []float64, by float64) []float64 {
	y := slices.Clone(x)
	for i := len(y)/2 + 2; i < len(y); i += 3 {
		y[i] += by
	}
	return y
}

// TestListServes states when a list serves a call, and when its pairs are found anew.
func TestListServes(t *testing.T) {
	m, x := grid(t, 8, 0.2)
	l, err := New(m, x, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	near := func(x []float64, d float64) {
		t.Helper()
		want, err := proximity.Near(m, x, d, nil)
		got, err2 := l.Near(x, d, nil)
		if err != nil || err2 != nil || !slices.Equal(got, want) || len(got) == 0 {
			t.Fatalf("%d, %v; fresh %d, %v", len(got), err2, len(want), err)
		}
	}
	counts := func(when string, builds, served, fresh int64) {
		t.Helper()
		if r := l.Report(); r.Builds != builds || r.Served != served || r.Fresh != fresh || r.Pairs == 0 ||
			r.Bytes < 12*r.Pairs {
			t.Fatalf("%s: %+v, want %d builds, %d served, %d fresh", when, r, builds, served, fresh)
		}
	}
	primitives := m.NV + len(m.Edges) + len(m.Faces)
	enough := (primitives + l.now.Load().pairs.Len() + primitives - 1) / primitives // calls of Near that pay for a list
	near(x, 0.6)
	near(lift(x, 0.19), 0.6) // two vertices of a pair may both have moved
	counts("within", 1, 2, 0)
	for range enough - 2 {
		near(x, 0.6)
	}
	near(lift(x, 0.21), 0.6)
	counts("beyond, after enough calls", 2, int64(enough+1), 0)
	l.now.Load().saved.Store(savesNear)
	near(x, 0.6)
	counts("beyond again, after one call", 2, int64(enough+1), 1)
	served := int64(enough + 2)
	enough = (primitives + l.now.Load().pairs.Len() + primitives - 1) / primitives
	for range enough - 1 {
		near(x, 0.6)
	}
	counts("after enough calls without", 3, served, int64(enough-1))
	if err := m.SetGroups(make([]int32, m.NV)); err != nil {
		t.Fatal(err)
	}
	l.trial = nil
	l.now.Load().saved.Store(1 << 20)
	if got, err := l.Near(x, 0.6, nil); err != nil || len(got) != 0 {
		t.Fatal(got, err)
	}
	if r := l.Report(); r.Pairs != 0 || r.Builds != 4 {
		t.Fatalf("another filter: %+v", r)
	}
}

// TestListGivesUp checks that no pairs are found where every call is beyond their reach, and that
// they are once calls stay.
func TestListGivesUp(t *testing.T) {
	m, x := grid(t, 4, 0.5)
	l, err := New(m, x, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		if _, err := l.Near(lift(x, 2*float64(i)), 0.5, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Step(x, lift(x, -3)).Earliest(nil); err != nil { // no list of this reach serves it
			t.Fatal(err)
		}
	}
	if r := l.Report(); r.Builds != 1 || r.Served != 1 || r.Fresh != 399 {
		t.Fatalf("%+v", r)
	}
	for range 50 {
		if _, err := l.Step(lift(x, 3), lift(x, 3.1)).Earliest(nil); err != nil {
			t.Fatal(err)
		}
	}
	if r := l.Report(); r.Builds != 2 || r.Served < 20 {
		t.Fatalf("%+v", r)
	}
}

// TestListErrors checks what calls refuse, and law 2.
func TestListErrors(t *testing.T) {
	m, x := grid(t, 4, 0.5)
	for _, reach := range []float64{0, -1, math.NaN(), math.Inf(1), 2e150} {
		if _, err := New(m, x, reach, nil); !errors.Is(err, status.ErrArgument) {
			t.Errorf("reach %v: %v", reach, err)
		}
	}
	if _, err := New(m, x[3:], 1, nil); err == nil {
		t.Error("too few positions")
	}
	l, err := New(m, x, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	o := step.DefaultOptions()
	o.MinSeparation = 1.5
	bad := slices.Clone(x)
	bad[4] = math.NaN()
	for name, call := range map[string]func() error{
		"d":              func() error { _, err := l.Near(x, 1.5, nil); return err },
		"d NaN":          func() error { _, err := l.Near(x, math.NaN(), nil); return err },
		"min_separation": func() error { _, err := l.Step(x, x).Earliest(&o); return err },
		"NaN":            func() error { _, err := l.Near(bad, 0.5, nil); return err },
		"NaN at x1":      func() error { _, err := l.Step(x, bad).Size(nil); return err },
		"length":         func() error { _, err := l.Step(x, x[3:]).Collisions(nil); return err },
		"threads": func() error {
			_, err := l.Near(x, 0.5, &proximity.Options{CallOptions: engine.CallOptions{Threads: -1}})
			return err
		},
		"advance": func() error { _, err := l.Step(x, x).Advance(slices.Clone(x), 2, nil); return err },
	} {
		if err := call(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	want, err := proximity.Near(m, x, 0.6, nil)
	if got, err2 := l.Near(x, 0.6, nil); err != nil || err2 != nil || !slices.Equal(got, want) {
		t.Fatal(err, err2)
	}
}

// TestListProgress checks that the progress rises from 0 to 1 where the pairs are found anew, and
// that each part can be cancelled.
func TestListProgress(t *testing.T) {
	m, x := grid(t, 40, 0.5)
	l, err := New(m, x, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	last := -1.0
	o := proximity.Options{CallOptions: engine.CallOptions{Progress: func(f float64) bool {
		if f < last || f > 1 {
			t.Errorf("%v after %v", f, last)
		}
		last = f
		return false
	}}}
	if _, err := l.Near(lift(x, 2), 0.5, &o); err != nil || last != 1 {
		t.Fatal(err, last)
	}
	for _, until := range []float64{0.4, 0.9} {
		before := l.Report()
		l.trial = nil
		l.now.Load().saved.Store(1 << 20)
		o.Progress = func(f float64) bool { return f > until }
		if _, err := l.Near(lift(x, 4*until), 0.5, &o); !errors.Is(err, status.ErrCancelled) {
			t.Fatal(err)
		}
		if r := l.Report(); (r.Builds == before.Builds) != (until < 0.5) {
			t.Fatalf("%+v after %+v", r, before)
		}
	}
	// A callback may use the list that the call is on.
	l.trial = nil
	l.now.Load().saved.Store(1 << 20)
	inner := 0
	o.Progress = func(float64) bool {
		inner++
		_, err := l.Near(lift(x, 9), 0.5, nil)
		return err != nil
	}
	if _, err := l.Near(lift(x, 7), 0.5, &o); err != nil || inner == 0 {
		t.Fatal(err, inner)
	}
}

// TestListLimit checks that too little memory for the pairs is no error of a call that needs less.
func TestListLimit(t *testing.T) {
	m, x := grid(t, 60, 3)
	l, err := New(m, x, 1e-3, nil)
	if err != nil {
		t.Fatal(err)
	}
	l.reach = 6 // so that the pairs are many
	l.trial = nil
	l.now.Load().saved.Store(1 << 20)
	o := proximity.Options{CallOptions: engine.CallOptions{MemoryLimit: 3 << 20, Threads: 1}}
	got, err := l.Near(lift(x, 1), 0.5, &o)
	want, err2 := proximity.Near(m, lift(x, 1), 0.5, &o)
	if err != nil || err2 != nil || !slices.Equal(got, want) || l.Report().Fresh != 1 {
		t.Fatal(len(got), err, len(want), err2, l.Report())
	}
}

// TestListThreads uses a list from several threads, some of which find the pairs anew.
func TestListThreads(t *testing.T) {
	m, x := grid(t, 12, 0.5)
	l, err := New(m, x, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			for j := range 20 {
				y := lift(x, 0.1*float64((i+j)%9))
				want, err := proximity.Near(m, y, 0.6, nil)
				got, err2 := l.Near(y, 0.6, nil)
				if err != nil || err2 != nil || !slices.Equal(got, want) {
					t.Errorf("%d, %v; fresh %d, %v", len(got), err2, len(want), err)
				}
			}
		})
	}
	group.Wait()
	if r := l.Report(); r.Served+r.Fresh != 80 || r.Served == 0 {
		t.Fatalf("%+v", r)
	}
}

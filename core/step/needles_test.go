package step

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"ccd/core/broad"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/status"
)

// orient sets how plans of exact methods choose directions, until the test ends.
func orient(t testing.TB, how broad.Orientation) {
	t.Helper()
	before := orientation
	orientation = how
	t.Cleanup(func() { orientation = before })
}

// randomNeedles is n rods and n thin triangles of one direction to three or of any, at rest,
// moving, or turning; with a random filter and radii.
func randomNeedles(t testing.TB, r *rand.Rand, n int) scene {
	t.Helper()
	s := scene{name: "needles"}
	directions := make([][3]float64, 1+r.IntN(4))
	for i := range directions {
		directions[i] = randomDirection(r)
	}
	spread, way, turn := []float64{0, 0.01, 0.2}[r.IntN(3)], []float64{0, 0.02, 0.3}[r.IntN(3)],
		[]float64{0, 0.02, 0.3}[r.IntN(3)]
	near := func(x [3]float64, by float64) [3]float64 {
		for k := range x {
			x[k] += by * r.NormFloat64()
		}
		return x
	}
	edges, faces := []int32{}, []int32{}
	vertex := func(x, to [3]float64) int32 {
		s.x0, s.x1 = append(s.x0, x[:]...), append(s.x1, to[:]...)
		return int32(len(s.x0)/3 - 1)
	}
	for i := range 2 * n {
		d := randomDirection(r)
		if len(directions) < 4 {
			d = near(directions[i%len(directions)], spread)
		}
		a, b := along(r, d, 0.1+r.Float64())
		c, move := near(a, 0.01), near([3]float64{}, way)
		v := vertex(a, add(a, move))
		w := vertex(b, near(add(b, move), turn))
		if edges = append(edges, v, w); i%2 == 0 {
			u := vertex(c, add(c, move))
			edges, faces = append(edges, w, u, u, v), append(faces, v, w, u)
		}
		if i%4 == 0 {
			vertex(near(b, 0.1), b)
		}
	}
	nv := len(s.x0) / 3
	var err error
	if s.m, err = mesh.New(nv, edges, faces); err != nil {
		t.Fatal(err)
	}
	var radii []float64
	var groups []int32
	var static []bool
	for range nv {
		radii = append(radii, 0.004*float64(r.IntN(3)))
		groups, static = append(groups, int32(r.IntN(5))-1), append(static, r.IntN(8) == 0)
	}
	if r.IntN(2) == 0 {
		err = s.m.SetRadii(radii)
	}
	if err == nil && r.IntN(3) == 0 {
		err = s.m.SetGroups(groups)
	}
	if err == nil && r.IntN(3) == 0 {
		err = s.m.SetStatic(static)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func add(a, b [3]float64) [3]float64 { return [3]float64{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

// Directions and pieces change no bit: with plans that always compare boxes along other directions,
// or of pieces, impacts are those of brute force, on needles that rest, move and turn, with
// separations in both norms, radii, groups, static vertices, slabs, threads and memory limits.
func TestOrientedStepsAgreeWithBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(91, 92))
	impacts, rounds := 0, 40
	if testing.Short() {
		rounds = 12
	}
	for round := range rounds {
		orient(t, []broad.Orientation{broad.OrientAlways, broad.DivideAlways}[round%2])
		s := randomNeedles(t, r, 25)
		o := DefaultOptions()
		o.Threads, o.TMax = 1+r.IntN(2), []float64{1, 0.6}[r.IntN(2)]
		o.MinSeparation = []float64{0, 0, 1e-3, 0.02}[r.IntN(4)]
		if r.IntN(3) == 0 {
			o.Flags |= narrow.MaxNorm
		}
		brute := o
		brute.Flags |= narrow.BruteForce
		want, err := Collisions(s.m, s.x0, s.x1, &brute)
		if err != nil {
			t.Fatal(err)
		}
		impacts += len(want)
		label := fmt.Sprintf("round %d", round)
		same(t, label, &s, &o, want)
		limited := o
		limited.MemoryLimit = 1 << 20
		same(t, label+" with little memory", &s, &limited, want)
		regions := slabsOf(t, s.m, s.x0, s.x1, 3)
		var all []geom.Impact
		for i := range regions {
			o.Region = &regions[i]
			list, err := Collisions(s.m, s.x0, s.x1, &o)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, list...)
		}
		slices.SortFunc(all, func(x, y geom.Impact) int {
			if x.Before(&y) {
				return -1
			}
			return 1
		})
		if !slices.Equal(all, want) {
			t.Errorf("%s in slabs: %d impacts, want %d", label, len(all), len(want))
		}
	}
	if t.Logf("%d impacts", impacts); impacts < 20*rounds {
		t.Errorf("%d impacts: too few for a test", impacts)
	}
}

// The other calls of a step return the same with and without other directions.
func TestOrientedCallsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(93, 94))
	for round := range 12 {
		s := randomNeedles(t, r, 30)
		o := DefaultOptions()
		o.MinSeparation, o.CheckStart = []float64{0, 1e-3}[r.IntN(2)], round%2 == 0
		var want string
		for _, how := range []broad.Orientation{broad.AlongAxes, broad.OrientAlways, broad.DivideAlways} {
			orient(t, how)
			alpha, y := make([]float64, s.m.NV), make([]float64, len(s.x0))
			report, err := Sizes(s.m, s.x0, s.x1, alpha, y, nil, &o)
			if err != nil {
				t.Fatal(err)
			}
			first, err := Earliest(s.m, s.x0, s.x1, &o)
			if err != nil {
				t.Fatal(err)
			}
			plain := o
			plain.CheckStart = false
			times, err := Intervals(s.m, s.x0, s.x1, &plain)
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprintf("%+v %x %x %+v %+v", report, alpha, y, first, times)
			if how == broad.AlongAxes {
				want = got
			} else if got != want {
				t.Errorf("round %d: with directions\n%s\nwithout\n%s", round, got, want)
			}
		}
	}
}

// Of needles that all boxes overlap, few pairs are left where a sample finds that directions pay;
// with a method whose answers depend on the pairs that it gets, all are.
func TestOrientPays(t *testing.T) {
	for _, n := range needleScenes[:5] {
		m, x0, x1 := n.load(t, 5000)
		var stats [2][4]int64
		var found [2][]geom.Impact
		for i, how := range []broad.Orientation{broad.AlongAxes, broad.OrientIfItPays} {
			if n.name == "across" && how == broad.AlongAxes { // 12 million pairs
				continue
			}
			orient(t, how)
			o := DefaultOptions()
			o.Stats = new(engine.Stats)
			var err error
			if found[i], err = Collisions(m, x0, x1, &o); err != nil {
				t.Fatal(err)
			}
			copy(stats[i][:], o.Stats.Candidates[:])
		}
		t.Logf("%s: %v pairs along the axes, %v with directions", n.name, stats[0], stats[1])
		if n.name != "across" && !slices.Equal(found[0], found[1]) {
			t.Errorf("%s: impacts differ", n.name)
		}
		if all := stats[0][0] + stats[0][1]; n.name != "across" && 3*(stats[1][0]+stats[1][1]) > all ||
			stats[1][0]+stats[1][1] > 20*5000 {
			t.Errorf("%s: %v of %v pairs are left", n.name, stats[1], stats[0])
		}
	}
}

// What a method with a tolerance reports may depend on the pairs that it gets: it gets those of
// boxes along the axes, whatever call came before.
func TestOrientLeavesTolerantMethods(t *testing.T) {
	r := rand.New(rand.NewPCG(95, 96))
	for range 4 {
		s := randomNeedles(t, r, 40)
		var want [8]int64
		for i, how := range []broad.Orientation{broad.AlongAxes, broad.OrientAlways, broad.OrientAlways} {
			orient(t, how)
			o := DefaultOptions()
			o.Stats = new(engine.Stats)
			if i == 2 { // the next call has the memory of one that has directions
				if _, err := Earliest(s.m, s.x0, s.x1, &o); err != nil {
					t.Fatal(err)
				}
			}
			o.Method, o.MaxIterations, o.Threads = narrow.TightInclusion, 1000, 1
			if _, err := Collisions(s.m, s.x0, s.x1, &o); err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				want = o.Stats.Candidates
			} else if o.Stats.Candidates != want {
				t.Errorf("case %d: %v candidates, want %v", i, o.Stats.Candidates, want)
			}
		}
	}
}

// A call looks at its progress while pieces are swept: the callback cancels it there, and sees it
// rise otherwise.
func TestPiecesAreCancelled(t *testing.T) {
	orient(t, broad.DivideAlways)
	s := randomNeedles(t, rand.New(rand.NewPCG(97, 98)), 60)
	inPieces := func() bool { return strings.Contains(string(debug.Stack()), "pieceSweeper") }
	for name, call := range map[string]func(o *Options) error{
		"collisions": func(o *Options) error { _, err := Collisions(s.m, s.x0, s.x1, o); return err },
		"earliest":   func(o *Options) error { _, err := Earliest(s.m, s.x0, s.x1, o); return err },
		"line search": func(o *Options) error {
			o.MinSeparation = 0.01
			_, err := LineSearch(s.m, s.x0, s.x1, 0.5, o)
			return err
		},
		"the start": func(o *Options) error { o.CheckStart = true; _, err := Earliest(s.m, s.x0, s.x1, o); return err },
	} {
		for _, stop := range []bool{true, false} {
			o := DefaultOptions()
			o.Threads = 2
			last, swept := 0.0, false
			o.Progress = func(f float64) bool {
				if f < last {
					t.Errorf("%s: progress goes from %v to %v", name, last, f)
				}
				last, swept = f, swept || inPieces()
				return stop && swept
			}
			if err := call(&o); !swept || errors.Is(err, status.ErrCancelled) != stop || stop && last >= 0.9 ||
				!stop && (err != nil || last != 1) {
				t.Errorf("%s, cancelled %v: %v, progress up to %v, looked at in pieces: %v",
					name, stop, err, last, swept)
			}
		}
	}
}

// With a memory limit needles of many directions are divided, too, where it has room for slices of
// pieces; it holds, and changes no bit.
func TestPiecesMemoryLimit(t *testing.T) {
	for _, n := range needleScenes[6:7] {
		s := scene{name: n.name}
		s.m, s.x0, s.x1 = n.load(t, 5000)
		o := DefaultOptions()
		o.Threads, o.Stats = 1, new(engine.Stats)
		want, err := Collisions(s.m, s.x0, s.x1, &o)
		if err != nil {
			t.Fatal(err)
		}
		least := o.Stats.Candidates[geom.EdgeEdge-1]
		for times := range int64(3) {
			limit := uint64(s.floor(t, 1)) << (2 * times)
			o.MemoryLimit, o.Stats = limit, new(engine.Stats)
			same(t, n.name, &s, &o, want)
			pairs := o.Stats.Candidates[geom.EdgeEdge-1]
			if t.Logf("%s: %d of %d bytes, %d candidates", n.name, o.Stats.PeakBytes, limit,
				pairs); uint64(o.Stats.PeakBytes) > limit {
				t.Errorf("%s: %d bytes, the limit is %d", n.name, o.Stats.PeakBytes, limit)
			}
			if times == 2 && pairs > 2*least {
				t.Errorf("%s: %d candidates, %d without a limit", n.name, pairs, least)
			}
		}
	}
}

// A memory limit holds with directions, changes no bit, and is the same as without.
func TestOrientMemoryLimit(t *testing.T) {
	for _, n := range needleScenes[:4] {
		s := scene{name: n.name}
		s.m, s.x0, s.x1 = n.load(t, 8000)
		o := DefaultOptions()
		o.Threads = 1
		want, err := Collisions(s.m, s.x0, s.x1, &o)
		if err != nil {
			t.Fatal(err)
		}
		for _, limit := range []uint64{uint64(s.floor(t, 1)), uint64(2 * s.floor(t, 1))} {
			o.MemoryLimit, o.Stats = limit, new(engine.Stats)
			same(t, n.name, &s, &o, want)
			if t.Logf("%s: %d of %d bytes, %v candidates", n.name, o.Stats.PeakBytes, limit,
				o.Stats.Candidates); uint64(o.Stats.PeakBytes) > limit {
				t.Errorf("%s: %d bytes, the limit is %d", n.name, o.Stats.PeakBytes, limit)
			}
		}
	}
}

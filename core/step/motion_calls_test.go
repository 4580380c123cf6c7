package step

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/narrow"
	"ccd/core/status"
	"ccd/core/step/curved"
)

// moving runs a test on scenes with some of the options each.
func eachMotion(t *testing.T, seed uint64, skip int, test func(t *testing.T, r *rand.Rand, s *motionScene, o Options)) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 30))
	turn := 0
	settings := motionSettings()
	names := make([]string, 0, len(settings))
	for name := range settings {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, s := range motionScenes(t, r) {
		for _, name := range names {
			if turn++; turn%skip > 0 {
				continue
			}
			o := settings[name]
			size := (&scene{name: s.name[:strings.IndexByte(s.name+",", ',')], m: s.m}).size()
			o.MinSeparation *= size
			o.Tolerance *= size
			o.Threads = 1 + turn%2
			if turn/skip%3 == 0 {
				groupSome(t, r, s.m)
			}
			test(t, r, &motionScene{fmt.Sprintf("%s, %s, turn %d", s.name, name, turn), s.m, s.mo}, o)
			resetFilter(t, s.m)
		}
	}
}

// linearScene is a plain step as a motion.
func linearScene(t testing.TB, s *scene) motionScene {
	return motionScene{s.name, s.m, must[*motion.Motion](t)(motion.New(s.m.NV, 1, nil,
		append(append([]float64(nil), s.x0...), s.x1...), nil))}
}

// Given pairs have the bits of SolveMotion, those that are separate too, in their order.
func TestMotionPairsHaveTheBitsOfSolveMotion(t *testing.T) {
	contacts := 0
	eachMotion(t, 31, 3, func(t *testing.T, r *rand.Rand, s *motionScene, o Options) {
		solver := narrow.NewSolver()
		for _, k := range geom.StepKinds {
			shapes := k.Info().Shapes
			if s.m.Count(shapes[0]) == 0 || s.m.Count(shapes[1]) == 0 {
				continue
			}
			var pairs [][2]int64
			for range 60 {
				pairs = append(pairs, [2]int64{int64(r.IntN(s.m.Count(shapes[0]))),
					int64(r.IntN(s.m.Count(shapes[1])))})
			}
			got := must[[]geom.Impact](t)(Curved(s.m, s.mo).Pairs(k, pairs, &o))
			for i, p := range pairs {
				var want geom.Impact
				one, idx := o.Options, s.m.Indices(k, int32(p[0]), int32(p[1]))
				one.MinSeparation = s.m.Filter().Radii().Query(k, &idx, o.MinSeparation)
				solver.SolveMotion(s.mo, k, idx[:k.Points()], &one, &want)
				want.A, want.B = p[0], p[1]
				if got[i] != want {
					t.Fatalf("%s, %v %v: %+v, alone %+v", s.name, k, p, got[i], want)
				}
				if want.Verdict != geom.Separate {
					contacts++
				}
			}
		}
	})
	if contacts < 300 {
		t.Errorf("only %d contacts", contacts)
	}
}

// A visitor receives the impacts of the list, each once.
func TestMotionVisitHasTheImpactsOfCollisions(t *testing.T) {
	all := 0
	eachMotion(t, 32, 4, func(t *testing.T, r *rand.Rand, s *motionScene, o Options) {
		o.CheckStart = r.IntN(2) == 0
		want := must[[]geom.Impact](t)(Curved(s.m, s.mo).Collisions(&o))
		var got []geom.Impact
		if err := Curved(s.m, s.mo).Visit(&o, func(batch []geom.Impact) bool {
			got = append(got, batch...)
			return false
		}); err != nil {
			t.Fatal(err)
		}
		order := func(x, y geom.Impact) int {
			return cmp.Or(cmp.Compare(x.TOILo, y.TOILo), cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.A, y.A),
				cmp.Compare(x.B, y.B))
		}
		slices.SortFunc(got, order)
		slices.SortFunc(want, order)
		if !slices.Equal(got, want) {
			t.Fatalf("%s: %d impacts visited, %d listed", s.name, len(got), len(want))
		}
		if all += len(want); len(want) > 0 {
			if err := Curved(s.m, s.mo).Visit(&o, func([]geom.Impact) bool { return true }); !errors.Is(err,
				status.ErrCancelled) {
				t.Fatalf("%s: stopped: %v", s.name, err)
			}
		}
	})
	if all < 300 {
		t.Errorf("only %d impacts", all)
	}
}

// Candidates serve their motion, and others within its boxes of another degree and other pieces:
// with the bits of all pairs.
func TestMotionCandidatesHaveTheBitsOfAllPairs(t *testing.T) {
	contacts, others := 0, 0
	eachMotion(t, 33, 3, func(t *testing.T, r *rand.Rand, s *motionScene, o Options) {
		seen := curved.Tuning.SeenBefore
		curved.Tuning.SeenBefore = 0
		defer func() { curved.Tuning.SeenBefore = seen }()
		for _, brute := range []bool{false, true} {
			known := must[*broad.Candidates](t)(Curved(s.m, s.mo).Candidates(brute,
				broad.Options{MinSeparation: o.MinSeparation, Threads: o.Threads}))
			with := o
			with.Candidates = known
			want := everyPair(t, s, &o, nil)
			contacts += len(want)
			sameMotion(t, s.name+", its candidates", s, &with, want)
			if other := inside(t, r, s); other.mo != nil {
				want := everyPair(t, &other, &o, nil)
				others += len(want)
				sameMotion(t, s.name+", candidates of a larger motion", &other, &with, want)
			}
		}
	})
	if contacts < 300 || others < 100 {
		t.Errorf("only %d and %d contacts", contacts, others)
	}
}

// inside is another motion within the boxes of the control points: of two pieces and degree 2, with
// the radii of the first piece; none for bodies that turn.
func inside(t testing.TB, r *rand.Rand, s *motionScene) motionScene {
	t.Helper()
	if s.mo.Refines() {
		return motionScene{}
	}
	n, control := s.m.NV, s.mo.Control()
	lo, hi := slices.Clone(control[:3*n]), slices.Clone(control[:3*n])
	for i, x := range control {
		lo[i%(3*n)], hi[i%(3*n)] = min(lo[i%(3*n)], x), max(hi[i%(3*n)], x)
	}
	out, radius := make([]float64, 6*3*n), make([]float64, 2*n)
	for l := range 6 {
		for i := range 3 * n {
			x := place(lo[i], hi[i], r.Float64())
			if l == 3 {
				x = out[2*3*n+i] // where the pieces join
			}
			out[3*n*l+i] = x
		}
	}
	for i := range radius {
		radius[i] = s.mo.Radius(0, i%n)
	}
	return motionScene{s.name, s.m, must[*motion.Motion](t)(motion.New(n, 2, []float64{0, 0.4, 1}, out, radius))}
}

// Candidates are refused for motions that they may not hold for, with the number that is outside.
func TestMotionCandidatesAreChecked(t *testing.T) {
	r := rand.New(rand.NewPCG(34, 30))
	s := soup(t, "fast", 6, func() float64 { return 2*r.Float64() - 1 }, 1)
	curved, tube := bent(t, r, &s, 3, 2, 0.3), tubes(t, r, &s)
	find := func(mo *motion.Motion) *broad.Candidates {
		return must[*broad.Candidates](t)(Curved(s.m, mo).Candidates(false, broad.Options{MinSeparation: 0.01}))
	}
	wide := slices.Clone(curved.mo.Control())
	at := 3*s.m.NV*5 + 3*7 + 1 // piece 1, control point 1, vertex 7, y
	wide[at] = 9
	outside := must[*motion.Motion](t)(motion.New(s.m.NV, 3, curved.mo.Times(), wide, nil))
	thick := must[*motion.Motion](t)(motion.New(s.m.NV, 1, nil, tube.mo.Control(),
		slices.Repeat([]float64{0.5}, s.m.NV)))
	other := must[*mesh.Mesh](t)(mesh.New(s.m.NV, nil, nil))
	for name, c := range map[string]struct {
		m          *mesh.Mesh
		mo         *motion.Motion
		known      *broad.Candidates
		separation float64
		says       string
	}{
		"outside": {s.m, outside, find(curved.mo), 0.01, "control[1][1][7][1] is 9: outside of ["},
		"separation": {s.m, curved.mo, find(curved.mo), 0.02,
			"options.candidates are for a separation of 0.01, not 0.02"},
		"radius": {s.m, thick, find(tube.mo), 0.01, "options.candidates are for a radius of"},
		"mesh":   {other, curved.mo, find(curved.mo), 0.01, "options.candidates are of another mesh"},
	} {
		o := DefaultOptions()
		o.MinSeparation, o.Candidates = c.separation, c.known
		if _, err := Curved(c.m, c.mo).Earliest(&o); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Curved(other, must[*motion.Motion](t)(motion.New(2, 1, nil, make([]float64, 12),
		nil))).Candidates(false, broad.Options{}); !errors.Is(err, status.ErrArgument) {
		t.Errorf("another number of vertices: %v", err)
	}
	// A plain step's candidates hold for a motion of radius 0 within it, and a motion's for a plain
	// step.
	plain := must[*broad.Candidates](t)(broad.Find(s.m, s.x0, s.x1, false, broad.Options{MinSeparation: 0.01}))
	elevated := make([]float64, 0, 9*s.m.NV)
	for _, f := range []float64{0, 0.5, 1} {
		for i := range s.x0 {
			elevated = append(elevated, place(s.x0[i], s.x1[i], f))
		}
	}
	o := DefaultOptions()
	o.MinSeparation = 0.01
	ms := motionScene{"elevated", s.m, must[*motion.Motion](t)(motion.New(s.m.NV, 2, nil, elevated, nil))}
	want, list := everyPair(t, &ms, &o, nil), must[[]geom.Impact](t)(Collisions(s.m, s.x0, s.x1, &o))
	o.Candidates = plain
	sameMotion(t, "candidates of a plain step", &ms, &o, want)
	o.Candidates = find(ms.mo)
	if got := must[[]geom.Impact](t)(Collisions(s.m, s.x0, s.x1, &o)); !slices.Equal(got, list) || len(list) == 0 {
		t.Errorf("a plain step with candidates of a motion: %d impacts, not %d", len(got), len(list))
	}
}

// Laws 1 to 4 of Advance on paths.
func TestMotionAdvanceKeepsItsLaws(t *testing.T) {
	moved, short := 0, 0
	eachMotion(t, 35, 3, func(t *testing.T, r *rand.Rand, s *motionScene, o Options) {
		share := []float64{1, 0.9, 0.5}[r.IntN(3)]
		x, p, radius := make([]float64, 3*s.m.NV), make([]float64, 3*s.m.NV), make([]float64, s.m.NV)
		alpha := must[float64](t)(Curved(s.m, s.mo).Advance(x, share, &o))
		size := must[float64](t)(Curved(s.m, s.mo).Size(&o))
		s.mo.Place(alpha, p, radius)
		switch {
		case s.mo.Linear():
			want := make([]float64, len(x))
			if a := must[float64](t)(Advance(s.m, p, s.mo.Control()[3*s.m.NV:], want, share, &o)); alpha == 0 &&
				a != 0 {
				t.Fatalf("%s: alpha 0, plain %v", s.name, a)
			}
			return // TestMotionAdvanceOfDegreeOne
		case !(alpha >= 0 && alpha <= share*size):
			t.Fatalf("%s: alpha %v, of a step of %v", s.name, alpha, size)
		case !slices.Equal(x, p):
			t.Fatalf("%s: other positions than at %v", s.name, alpha)
		case alpha == 0:
			if size > 0 {
				short++
			}
			return
		}
		// Rounding takes some 2^-50 of coordinates near 1, which is 2^-39 of a step of 2^-11;
		// attempts are 2^4 apart.
		if moved++; alpha < share*size*(1-0x1p-35) {
			short++
		}
		// At x, and in balls around it, no pair is within the separation.
		still := motionScene{s.name, s.m, must[*motion.Motion](t)(motion.New(s.m.NV, 1, nil,
			append(slices.Clone(x), x...), radius))}
		exact := o
		exact.TMax, exact.MaxIterations = 1, 0
		if near := everyPair(t, &still, &exact, nil); len(near) > 0 {
			t.Fatalf("%s: at %v of %v: %+v", s.name, alpha, size, near[0])
		}
		still.mo = must[*motion.Motion](t)(motion.New(s.m.NV, 1, nil, append(slices.Clone(x), x...), nil))
		if near := everyPair(t, &still, &exact, nil); len(near) > 0 {
			t.Fatalf("%s: positions at %v: %+v", s.name, alpha, near[0])
		}
	})
	if moved < 10 || short > moved/4 {
		t.Errorf("%d moved, of which %d were much shorter than the step", moved, short)
	}
}

// A point that falls on a parabola onto a face, and one that turns onto a plate, go nearly all of
// their safe way; positions of a body that turns have the rounding's radii, not those of its
// pieces.
func TestMotionAdvanceGoesFar(t *testing.T) {
	m := must[*mesh.Mesh](t)(mesh.New(4, nil, []int32{1, 2, 3}))
	corners := []float64{1, 0, 0, 0, 0.5, -1, 2, 0.5, -1, 1, 0.5, 2}
	bones := []motion.Bone{{Rotation: [4]float64{1}, AngularVelocity: [3]float64{0, 0, math.Pi / 2}},
		{Rotation: [4]float64{1}}}
	turn := must[*motion.Motion](t)(motion.Skinned(4, corners, bones, []float64{1, 0, 0, 1, 0, 1, 0, 1}, 0, 1))
	fall := must[*motion.Motion](t)(motion.Accelerated(4, corners, make([]float64, 12),
		[]float64{0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}))
	for name, c := range map[string]struct {
		mo     *motion.Motion
		toi, y float64
	}{"turns": {turn, 1.0 / 3, 0.5}, "falls": {fall, math.Sqrt(0.5), 0.5}} {
		o := DefaultOptions()
		o.Tolerance = 1e-12
		x := make([]float64, 12)
		alpha := must[float64](t)(Curved(m, c.mo).Advance(x, 1, &o))
		if !(alpha < c.toi) || alpha < c.toi-1e-11 || !(x[1] < 0.5) || x[1] < 0.5-1e-10 {
			t.Errorf("%s: alpha %v, y %v", name, alpha, x[1])
		}
		o.CheckStart, o.TMax = true, 0.1
		if alpha := must[float64](t)(Curved(m, c.mo).Advance(x, 0.5, &o)); alpha != 0.05 {
			t.Errorf("%s: alpha %v of a step without contact", name, alpha)
		}
		if _, err := Curved(m, c.mo).Advance(x, 1.5, &o); err == nil || x[0] != 1 || x[1] != 0 {
			t.Errorf("%s: share 1.5: %v, x %v", name, err, x[:3])
		}
		if _, err := Curved(m, c.mo).Advance(x[:9], 1, &o); err == nil {
			t.Errorf("%s: short x", name)
		}
	}
}

// Of two points that fall onto faces at one time, the one with large coordinates needs more room
// for its rounding than the first, which limits the step: only the search of the whole
// configuration sees it.
func TestMotionAdvanceSearchesTheConfiguration(t *testing.T) {
	m := must[*mesh.Mesh](t)(mesh.New(8, nil, []int32{1, 2, 3, 5, 6, 7}))
	var x, still, fall []float64
	for _, far := range []float64{0, 0x1p20} {
		x = append(x, far+0.25, 0.5, 0.25, far, 0, 0, far+1, 0, 0, far, 0, 1)
		still, fall = append(still, make([]float64, 12)...), append(fall, 0, -2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	}
	mo := must[*motion.Motion](t)(motion.Accelerated(8, x, still, fall))
	o, y, radius := DefaultOptions(), make([]float64, 24), make([]float64, 8)
	o.Threads = 1
	alpha := must[float64](t)(Curved(m, mo).Advance(y, 1, &o))
	mo.Place(alpha, y, radius)
	if first := must[geom.Impact](t)(Curved(m, mo).Earliest(&o)); first.A != 0 {
		t.Fatalf("%+v limits the step, not the point near the origin", first)
	}
	if !(alpha > 0.7 && y[1] > radius[0] && y[13] > radius[4]) {
		t.Errorf("alpha %v: the points are at %v and %v, their radii %v and %v",
			alpha, y[1], y[13], radius[0], radius[4])
	}
}

// The distance that a pair within its separation keeps is a part of what radii leave of the
// distance at the start: a point with a radius of 0.1 at 0.3 above a face, which keeps 0.9 of 0.2,
// may rise.
func TestMotionSizesKeepADistanceLessTheRadii(t *testing.T) {
	m := must[*mesh.Mesh](t)(mesh.New(4, nil, []int32{1, 2, 3}))
	face := []float64{0, 0, 0, 1, 0, 0, 0, 0, 1}
	var control []float64
	for _, y := range []float64{0.3, 0.4, 0.6} {
		control = append(append(control, 0.25, y, 0.25), face...)
	}
	mo := must[*motion.Motion](t)(motion.New(4, 2, nil, control, []float64{0.1, 0, 0, 0}))
	so, o := DefaultSizesOptions(), DefaultOptions()
	so.KeepRatio, o.MinSeparation = 0.9, 0.5
	alpha, y := make([]float64, 4), make([]float64, 12)
	if _, err := Curved(m, mo).Sizes(alpha, y, &so, &o); err != nil || alpha[0] != 1 || y[1] != 0.6 {
		t.Errorf("%v, %v: %v", err, alpha, y[:3])
	}
}

// A motion of degree 1 has the bits of plain steps in every call.
func TestMotionCallsOfDegreeOneHaveTheBitsOfPlainSteps(t *testing.T) {
	for _, s := range scenes(t) {
		if s.m.NV == 0 {
			continue
		}
		ms := linearScene(t, &s)
		for name, o := range motionSettings() {
			if name != "separation" && testing.Short() || o.TMax != 1 {
				continue
			}
			n := s.m.NV
			x, y := make([]float64, 3*n), make([]float64, 3*n)
			a, b := must[float64](t)(Curved(s.m, ms.mo).Advance(x, 0.9, &o)),
				must[float64](t)(Advance(s.m, s.x0, s.x1, y, 0.9, &o))
			if a != b || !slices.Equal(x, y) {
				t.Fatalf("%s, %s: advance %v, plain %v", s.name, name, a, b)
			}
			alpha, beta := make([]float64, n), make([]float64, n)
			p, q := must[SizesReport](t)(Curved(s.m, ms.mo).Sizes(alpha, x, nil, &o)),
				must[SizesReport](t)(Sizes(s.m, s.x0, s.x1, beta, y, nil, &o))
			if p != q || !slices.Equal(alpha, beta) || !slices.Equal(x, y) {
				t.Fatalf("%s, %s: sizes %+v, plain %+v", s.name, name, p, q)
			}
			known := must[*broad.Candidates](t)(Curved(s.m, ms.mo).Candidates(false,
				broad.Options{MinSeparation: o.MinSeparation}))
			want := must[*broad.Candidates](t)(broad.Find(s.m, s.x0, s.x1, false,
				broad.Options{MinSeparation: o.MinSeparation}))
			for _, k := range geom.StepKinds {
				if !slices.Equal(known.Of(k), want.Of(k)) {
					t.Fatalf("%s, %s: other candidates", s.name, name)
				}
			}
		}
	}
}

// Laws of Sizes on paths, for scenes of one piece: no pair comes within its separation on the cut
// paths, pairs that touch rest.
func TestMotionSizesKeepTheirLaws(t *testing.T) {
	used, resting, kept := 0.0, int64(0), 0
	eachMotion(t, 36, 1, func(t *testing.T, r *rand.Rand, s *motionScene, o Options) {
		if s.mo.Pieces() > 1 || s.mo.Linear() || o.TMax != 1 {
			return
		}
		n := s.m.NV
		so := DefaultSizesOptions()
		so.KeepRatio = []float64{0, 0.5, 1}[r.IntN(3)]
		if r.IntN(3) == 0 {
			for range n {
				so.Groups = append(so.Groups, int32(r.IntN(n))-2)
			}
		}
		alpha, y := make([]float64, n), make([]float64, 3*n)
		report := must[SizesReport](t)(Curved(s.m, s.mo).Sizes(alpha, y, &so, &o))
		cut := s.mo.Cut(alpha)
		control := cut.Control()
		if !slices.Equal(y, control[len(control)-3*n:]) {
			t.Fatalf("%s: y is not where the cut motion ends", s.name)
		}
		again, z := make([]float64, n), make([]float64, 3*n)
		other := o
		other.Threads, other.Flags = 3-o.Threads, o.Flags|narrow.BruteForce
		if second := must[SizesReport](t)(Curved(s.m, s.mo).Sizes(again, z, &so, &other)); second != report ||
			!slices.Equal(alpha, again) || !slices.Equal(y, z) {
			t.Fatalf("%s: another number of threads: %+v, %+v", s.name, report, second)
		}
		used, resting = used+report.Used, resting+report.Resting
		for v, a := range alpha {
			if a != 0 && (a < report.Floor || a > 1) {
				t.Fatalf("%s: alpha[%d] is %v, the floor %v", s.name, v, a, report.Floor)
			}
			if g := int32(-1); so.Groups != nil {
				if g = so.Groups[v]; g >= 0 && a != alpha[slices.Index(so.Groups, g)] {
					t.Fatalf("%s: group %d has two steps", s.name, g)
				}
			}
		}
		// The start, as balls of the radii, says what a pair keeps.
		radius := make([]float64, n)
		for v := range radius {
			radius[v] = s.mo.Radius(0, v)
		}
		still := must[*motion.Motion](t)(motion.New(n, 1, nil, append(slices.Clone(control[:3*n]), control[:3*n]...),
			radius))
		solver := narrow.NewSolver()
		moving := motionScene{s.name, s.m, cut}
		exact := o
		exact.MaxIterations = 0
		everyPair(t, &moving, &exact, func(k geom.Kind, idx []int32, own *narrow.Options, im *geom.Impact) {
			if im.Verdict == geom.Separate {
				return
			}
			rests := true
			for _, v := range idx {
				rests = rests && !cut.Moves(int(v))
			}
			var at geom.Impact
			within := func(d float64) bool {
				one := *own
				one.MinSeparation = d
				solver.SolveMotion(still, k, idx, &one, &at)
				return at.Verdict != geom.Separate
			}
			if !within(own.MinSeparation) {
				t.Fatalf("%s: %v %v was farther apart, and comes within %v: %+v", s.name, k, idx, own.MinSeparation, im)
			}
			if within(0) {
				if !rests {
					t.Fatalf("%s: %v %v touches, and moves", s.name, k, idx)
				}
				return
			}
			// It keeps at least the part KeepRatio / 2 of what it has: bisect that.
			lo, hi := 0.0, own.MinSeparation
			for range 60 {
				if mid := 0.5 * (lo + hi); within(mid) {
					hi = mid
				} else {
					lo = mid
				}
			}
			one := *own
			one.MinSeparation = so.KeepRatio * lo / 2
			if solver.SolveMotion(cut, k, idx, &one, &at); at.Verdict != geom.Separate && !rests {
				t.Fatalf("%s: %v %v was %v apart, and comes within %v: %+v", s.name, k, idx, lo, one.MinSeparation, at)
			}
			kept++
		})
	})
	least := 20
	if testing.Short() {
		least = 10 // A third of the scenes has so many.
	}
	if used < 5 || resting == 0 || kept < least {
		t.Errorf("used %v in all, %d rest, %d were within the separation", used, resting, kept)
	}
}

func TestMotionSizesErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 30))
	s := soup(t, "fast", 6, func() float64 { return 2*r.Float64() - 1 }, 1)
	alpha, y := make([]float64, s.m.NV), make([]float64, 3*s.m.NV)
	curved, pieces := bent(t, r, &s, 2, 1, 0.3), bent(t, r, &s, 2, 3, 0.3)
	for name, c := range map[string]struct {
		mo     *motion.Motion
		change func(so *SizesOptions, o *Options)
		says   string
	}{
		"pieces": {pieces.mo, func(*SizesOptions, *Options) {}, "motion has 3 pieces"},
		"share":  {curved.mo, func(so *SizesOptions, _ *Options) { so.Share = 1 }, "share is 1"},
		"t_max":  {curved.mo, func(_ *SizesOptions, o *Options) { o.TMax = 0.5 }, "options.t_max"},
		"candidates": {curved.mo, func(_ *SizesOptions, o *Options) { o.Candidates = new(broad.Candidates) },
			"options.candidates"},
		"cancelled": {curved.mo, func(_ *SizesOptions,
			o *Options) {
			o.Progress = func(float64) bool { return true }
		}, status.ErrCancelled.Error()},
	} {
		for i := range alpha {
			alpha[i] = 7
		}
		so, o := DefaultSizesOptions(), DefaultOptions()
		c.change(&so, &o)
		_, err := Curved(s.m, c.mo).Sizes(alpha, y, &so, &o)
		if err == nil || !strings.Contains(err.Error(), c.says) || slices.Max(alpha) != 0 ||
			!slices.Equal(y, c.mo.Control()[:3*s.m.NV]) {
			t.Errorf("%s: %v, alpha %v", name, err, alpha[:1])
		}
	}
}

// Threads may share a motion and candidates.
func TestMotionCallsAtOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(38, 30))
	s := soup(t, "fast", 8, func() float64 { return 2*r.Float64() - 1 }, 1)
	ms := bent(t, r, &s, 3, 1, 0.3)
	known := must[*broad.Candidates](t)(Curved(ms.m, ms.mo).Candidates(false, broad.Options{}))
	o := DefaultOptions()
	want := must[float64](t)(Curved(ms.m, ms.mo).Advance(make([]float64, 3*ms.m.NV), 1, &o))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			o := o
			o.Candidates = known
			if got, err := Curved(ms.m, ms.mo).Advance(make([]float64, 3*ms.m.NV), 1, &o); err != nil || got != want {
				t.Errorf("%v %v, alone %v", got, err, want)
			}
		})
	}
	all.Wait()
}

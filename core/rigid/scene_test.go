package rigid

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/rigid/poses"
	"ccd/core/status"
)

// someScene draws bodies in a box that move and turn in all ways.
func someScene(r *rand.Rand) (*Scene, *Options) {
	v := func(s float64) r3.Vec {
		return r3.Vec{X: s * (2*r.Float64() - 1), Y: s * (2*r.Float64() - 1), Z: s * (2*r.Float64() - 1)}
	}
	s, o := new(Scene), DefaultOptions()
	shapes := []*Body{soup(r, 2), soup(r, 4)}
	o.TMin = []float64{0, -2, 1e3}[r.IntN(3)]
	o.TMax = o.TMin + 0.5*r.Float64()
	if r.IntN(3) == 0 {
		o.MinSeparation, o.Tolerance = 0.05*r.Float64(), 1e-6
	}
	far, room := geom.Scale(float64(r.IntN(2)), v(1e4)), 0.8+float64(r.IntN(3))
	for range 2 + r.IntN(12) {
		m := Motion{Rotation: quat.Number{Real: r.NormFloat64(), Imag: r.NormFloat64(), Jmag: r.NormFloat64(),
			Kmag: r.NormFloat64()}}
		switch r.IntN(4) {
		case 0: // stands still
		case 1:
			m.Velocity = v(6)
		case 2:
			m.Velocity, m.AngularVelocity = v(3), v(3)
		case 3:
			m.AngularVelocity, m.Pivot = v(20), v(1)
		}
		m.Position = r3.Add(far, r3.Sub(v(room), geom.Scale(o.TMin, m.Velocity)))
		s.Bodies, s.Motions = append(s.Bodies, shapes[r.IntN(2)]), append(s.Motions, m)
	}
	return s, &o
}

// bruteForce tests all pairs, one by one and in full.
func bruteForce(t *testing.T, s *Scene, o *Options) []SceneImpact {
	t.Helper()
	var all []SceneImpact
	var solver Solver
	for a := range s.Bodies {
		for b := a + 1; b < len(s.Bodies); b++ {
			im := SceneImpact{A: int64(a), B: int64(b)}
			if err := solver.Earliest(s.Bodies[a], s.Bodies[b], &s.Motions[a], &s.Motions[b], o,
				&im.Impact); err != nil {
				t.Fatal(err)
			}
			if im.Verdict != geom.Separate {
				all = append(all, im)
			}
		}
	}
	slices.SortStableFunc(all, func(x, y SceneImpact) int { return x.compare(&y) })
	return all
}

func TestSceneHasTheBitsOfBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 8))
	hits, ties := 0, 0
	for range 600 {
		s, o := someScene(r)
		if r.IntN(4) == 0 {
			o.Flags = IgnoreSeparating
		}
		want := bruteForce(t, s, o)
		hits += len(want)
		if len(want) > 1 && want[0].TOILo == want[1].TOILo {
			ties++
		}
		for _, s.Threads = range []int{0, 1, 3} {
			got, err := s.Collisions(o)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("contacts %+v, brute force %+v, %v", got, want, err)
			}
			first, err := s.Earliest(o)
			if err != nil {
				t.Fatal(err)
			}
			if len(want) == 0 && (first.Verdict != geom.Separate || first.A != -1 || first.TOILo != math.Inf(1)) {
				t.Fatalf("earliest %+v of none", first)
			}
			if len(want) > 0 && first != want[0] {
				t.Fatalf("earliest %+v, brute force %+v", first, want[0])
			}
		}
	}
	if hits < 500 || ties < 10 {
		t.Errorf("only %d contacts and %d ties were met", hits, ties)
	}
}

func TestSceneByD2M(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 8))
	for n := range 80 {
		s, o := someScene(r)
		o.Search, s.Threads = Reference, 2
		if n%4 > 0 { // far to step back: a contact that is late may have a time that is not
			o.MinSeparation, o.Tolerance, o.MaxIterations = 0.2*r.Float64(), 1e-3, 30000
		}
		want := bruteForce(t, s, o)
		got, err := s.Collisions(o)
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("contacts %+v, brute force %+v, %v", got, want, err)
		}
		if first, err := s.Earliest(o); err != nil || len(want) > 0 && first != want[0] {
			t.Fatalf("earliest %+v, brute force %+v, %v", first, want, err)
		}
	}
}

// The search that is cut short at a time is late exactly when the answer lies after it, and else
// has the same bits.
func TestAnswersAreLateOrTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 8))
	late := 0
	for range 300 {
		c := someCourse(r)
		var s Solver
		var full, cut Impact
		if err := s.Earliest(c.a, c.b, &c.ma, &c.mb, &c.o, &full); err != nil {
			t.Fatal(err)
		}
		for _, s.until = range []float64{full.TOILo, c.o.TMin + r.Float64()*(c.o.TMax-c.o.TMin), num.Down(full.TOILo)} {
			s.late = false
			if err := s.earliest(c.a, c.b, &c.ma, &c.mb, &c.o, &cut); err != nil {
				t.Fatal(err)
			}
			if s.late {
				late++
			}
			if s.late && full.TOILo <= s.until || !s.late && cut != full {
				t.Fatalf("until %v late %v: %+v, in full %+v", s.until, s.late, cut, full)
			}
		}
	}
	if late < 50 {
		t.Errorf("only %d late answers", late)
	}
}

// Portions of pairs do not change the answers, and statistics tell how many there were.
func TestSceneStatsAndMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	b := soup(r, 1)
	s, o := new(Scene), DefaultOptions()
	more := func(n int) {
		for range n {
			v := r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
			s.Bodies = append(s.Bodies, b)
			s.Motions = append(s.Motions,
				Motion{Rotation: quat.Number{Real: 1, Imag: r.Float64()}, Position: v, Velocity: geom.Scale(-1, v)})
		}
	}
	more(110)
	var whole, parts engine.Stats
	s.Stats, s.Threads = &whole, 1
	want, err := s.Collisions(&o)
	if err != nil {
		t.Fatal(err)
	}
	if whole.Boxes != 110 || whole.Candidates[0] <= leastPairs || whole.Impacts != int64(len(want)) ||
		whole.Undecided != 0 || whole.Threads != 1 ||
		whole.PeakBytes < 8*whole.Candidates[0] || whole.SecondsTotal < whole.SecondsNarrow ||
		whole.SecondsNarrow <= 0 {
		t.Errorf("%+v with %d contacts", whole, len(want))
	}
	s.Stats, s.MemoryLimit, s.Threads = &parts, 1, 2
	got, err := s.Collisions(&o)
	if err != nil || !slices.Equal(got, want) || parts.Candidates[0] != whole.Candidates[0] ||
		parts.PeakBytes >= whole.PeakBytes || parts.Threads != 2 {
		t.Errorf("%+v, in portions %+v, %v", whole, parts, err)
	}
	first, err := s.Earliest(&o)
	if err != nil || first != want[0] || parts.Impacts < 1 || parts.Impacts > whole.Impacts {
		t.Errorf("earliest %+v, not %+v, %v", first, want[0], err)
	}
	s.Threads = 1
	if n := testing.AllocsPerRun(3, func() { _, err = s.Earliest(&o) }); err != nil || n > 20 {
		// Each portion may allocate what starting the goroutines takes.
		t.Errorf("%v allocations for %d pairs, %v", n, parts.Candidates[0], err)
	}
	s.Threads = 2
	more(60) // what is found does not fit now, and is refused; where one contact alone is wanted it does
	if _, err := s.Collisions(&o); !errors.Is(err, status.ErrMemory) {
		t.Errorf("more than there is room for: %v", err)
	}
	s.Release()
	if s.Bodies != nil || s.Stats != nil || s.memory == nil {
		t.Errorf("released: %+v", s)
	}
}

// Every vertex is in the swept box at sampled times: by the arc of the single time, which encloses
// the true place.
func TestSweptBoxesHoldTheirBodies(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 8))
	for range 200 {
		s, o := someScene(r)
		b, m := s.Bodies[0], &s.Motions[0]
		box := swept(b, m, o.TMin, o.TMax)
		ball := b.radiusAbout(m.Pivot)
		for k := range 20 {
			at := o.TMin + (o.TMax-o.TMin)*float64(k)/19
			arc := m.Around(at)
			one := arc.Over(num.Point(0))
			for _, tri := range b.tri {
				for _, p := range tri {
					for axis, x := range one.Position(p) {
						if x.Hi < box[axis].Lo || x.Lo > box[axis].Hi {
							t.Fatalf("%v at %v is outside %v on axis %d", x, at, box, axis)
						}
					}
				}
			}
		}
		way := geom.MaxAbs(m.Velocity) * (o.TMax - o.TMin)
		for axis := range box {
			if w := box[axis].Width(); w > 2*ball+way+1e-9*(1+geom.MaxAbs(m.Position)) {
				t.Fatalf("the box %v is wider than the ball %v on its way %v", box, ball, way)
			}
		}
	}
}

func TestSweepFindsThePairsOfBoxesInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	for range 200 {
		boxes := make([]poses.Box, 1+r.IntN(40))
		for i := range boxes {
			for k := range 3 {
				x := float64(r.IntN(12))
				boxes[i][k] = num.Interval{Lo: x, Hi: x + float64(r.IntN(4))}
			}
		}
		reach := float64(r.IntN(2)) * 0.5
		var want []pair
		for a := range boxes {
			for b := a + 1; b < len(boxes); b++ {
				if within(&boxes[a], &boxes[b], reach) && a%7 != 3 {
					want = append(want, pair{int32(a), int32(b)})
				}
			}
		}
		w, got := sweep{boxes: boxes}, []pair{}
		w.begin(reach)
		most := []int{1, 5, 1000}[r.IntN(3)]
		for part := []pair(nil); ; got = append(got, part...) {
			if part = w.more(part, most, func(p pair) bool { return p.a%7 != 3 }); len(part) == 0 {
				break
			}
			if len(part) > most || !slices.IsSortedFunc(part, pair.compare) {
				t.Fatalf("%d pairs where at most %d were asked for: %v", len(part), most, part)
			}
		}
		slices.SortFunc(got, pair.compare)
		if !slices.Equal(got, want) {
			t.Fatalf("pairs %v, brute force %v", got, want)
		}
	}
}

func TestSceneLeavesOut(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 8))
	seen := 0
	for range 200 {
		s, o := someScene(r)
		for i := range s.Bodies {
			s.Groups = append(s.Groups, int32(i%3)-1)
		}
		s.Skip = [][2]int32{{1, 0}, {0, 1}}
		want := slices.DeleteFunc(bruteForce(t, s, o), func(im SceneImpact) bool {
			left := im.A%3 == im.B%3 && im.A%3 != 0 || im.A == 0 && im.B == 1
			if left {
				seen++
			}
			return left
		})
		if got, err := s.Collisions(o); err != nil || !slices.Equal(got, want) {
			t.Fatalf("contacts %+v, wanted %+v, %v", got, want, err)
		}
	}
	if seen < 10 {
		t.Errorf("only %d contacts were left out", seen)
	}
}

func TestSceneErrorsNameTheArgument(t *testing.T) {
	s, _ := someScene(rand.New(rand.NewPCG(7, 8)))
	bad := func(change func(s *Scene, o *Options)) error {
		c, o := *s, DefaultOptions()
		c.Motions = slices.Clone(s.Motions)
		change(&c, &o)
		first, err := c.Earliest(&o)
		if first.Verdict != geom.Undecided || first.TOILo != math.Inf(-1) {
			t.Errorf("%v came with %+v", err, first)
		}
		return err
	}
	for _, c := range []struct {
		change func(s *Scene, o *Options)
		kind   error
		text   string
	}{
		{func(s *Scene, o *Options) {
			s.Motions[1].AngularVelocity.Y = math.NaN()
		}, status.ErrNonFinite, "motions[1]: angular_velocity[1] is NaN: "},
		{func(s *Scene, o *Options) { s.Motions = s.Motions[1:] }, status.ErrArgument, "motions has "},
		{func(s *Scene, o *Options) { s.Groups = []int32{} }, status.ErrArgument, "groups has 0 "},
		{func(s *Scene, o *Options) { s.Skip = [][2]int32{{0, 99}} }, status.ErrIndex, "skip[0][1] is 99: "},
		{func(s *Scene, o *Options) { o.TMax = -1 }, status.ErrArgument, "options.t_max is -1"},
		{func(s *Scene, o *Options) { s.Progress = func(float64) bool { return true } }, status.ErrCancelled, ""},
	} {
		err := bad(c.change)
		if !errors.Is(err, c.kind) || len(err.Error()) < len(c.text) || err.Error()[:len(c.text)] != c.text {
			t.Errorf("wanted %v %q, got %v", c.kind, c.text, err)
		}
	}
	last := 0.0
	s.Progress = func(f float64) bool { last = f; return false }
	if _, err := s.Collisions(nil); err != nil || last != 1 {
		t.Errorf("progress ended at %v, %v", last, err)
	}
	empty := Scene{}
	if all, err := empty.Collisions(nil); err != nil || len(all) != 0 {
		t.Errorf("the empty scene has %v, %v", all, err)
	}
	if reflect.TypeFor[SceneImpact]().Size() != 152 {
		t.Error("SceneImpact has not the layout of ccd_rigid_scene_impact")
	}
}

// A plate that turns little is not taken for its ball.
func TestSweptBoxesOfSlabsAreFlat(t *testing.T) {
	plate, err := NewBody([]float64{-5, -5, 0, 5, -5, 0, 5, 5, 0, -5, 5, 0}, [][3]int32{{0, 1, 2}, {0, 2, 3}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	box := swept(plate, &Motion{Rotation: quat.Number{Real: 1}}, 0, 1)
	if box[2].Width() > 1e-13 || box[0].Width() > 10+1e-13 || box[0].Width() < 10 {
		t.Errorf("the plate is in %v", box)
	}
}

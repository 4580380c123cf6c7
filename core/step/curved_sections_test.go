package step

import (
	"errors"

	"math/rand/v2"
	"slices"

	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/narrow"
	"ccd/core/status"
)

// Sections are made of one piece and of several, unless a part of the step has no meaning or one
// plan is counted on.
func TestMotionSections(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 28))
	s := soup(t, "fast", 6, func() float64 { return 2*r.Float64() - 1 }, 1)
	bending, turning := bent(t, r, &s, 2, 1, 0.5), turning(t, r, &s, 0)
	pieces := turning.mo.Pieces()
	for name, c := range map[string]struct {
		mo     *motion.Motion
		change func(o *Options)
		last   [2]int // the number of the last section, of how many
	}{
		"one piece":    {bending.mo, func(*Options) {}, [2]int{7, 8}},
		"three pieces": {bent(t, r, &s, 3, 3, 0.5).mo, func(*Options) {}, [2]int{5, 6}},
		"nine pieces":  {bent(t, r, &s, 2, 9, 0.5).mo, func(*Options) {}, [2]int{8, 9}},
		"t_max":        {bending.mo, func(o *Options) { o.TMax = 0.3 }, [2]int{2, 8}},
		"nine, t_max":  {bent(t, r, &s, 1, 9, 0.5).mo, func(o *Options) { o.TMax = 0.3 }, [2]int{2, 9}},
		"turning":      {turning.mo, func(*Options) {}, [2]int{pieces - 1, pieces}},
		"memory limit": {bending.mo, func(o *Options) { o.MemoryLimit = 1 << 40 }, [2]int{0, 1}},
		"region":       {bending.mo, func(o *Options) { o.Region = alongAxis(0, -9, 9) }, [2]int{7, 8}},
	} {
		o := DefaultOptions()
		c.change(&o)
		got := inSections(func() [2]int {
			call := must[*call](t)(newCourse(c.mo).begin(s.m, &o))
			defer call.end()
			must[[]geom.Impact](t)(call.collisions(listedBytes))
			s := call.path.(curvedPath).Inspect()
			return [2]int{s.First, s.All}
		})
		if got != c.last {
			t.Errorf("%s: the last section and their number are %d, not %d", name, got, c.last)
		}
	}
	if pieces < 2 {
		t.Errorf("turning in %d pieces", pieces)
	}
}

// A step in many pieces has the bits of all pairs in sections of one piece, of several pieces and
// of the whole: with and without radii, on paths that are enclosed anew, with a budget of halvings
// that is spent, and with contacts on several pieces.
func TestMotionStepsInManyPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 46))
	contacts, spent, several := 0, 0, 0
	for i := range 12 {
		s := soup(t, "pieces", 6, func() float64 { return 2*r.Float64() - 1 }, 0.7)
		pieces := []int{9, 12, 40}[i%3]
		var ms motionScene
		if i%4 == 3 {
			ms = turning(t, r, &s, pieces)
		} else {
			ms = bent(t, r, &s, 1+i%4, pieces, 0.02)
		}
		if i%4 == 2 {
			radius := make([]float64, pieces*s.m.NV)
			for j := range radius {
				radius[j] = 0.02 * r.Float64()
			}
			ms.mo = must[*motion.Motion](t)(motion.New(s.m.NV, ms.mo.Degree(), ms.mo.Times(), ms.mo.Control(), radius))
		}
		o := DefaultOptions()
		o.Threads, o.Tolerance = 1+i%2, 1e-9
		switch {
		case i%4 == 3:
			o.MaxIterations = []int64{0, 1, 150, 1000}[i/4]
		case i%4 == 0:
			o.MinSeparation = 0.1
		case i == 6:
			o.TMax = 0.55
		}
		want := everyPair(t, &ms, &o, nil)
		contacts += len(want)
		for _, im := range want {
			if im.Verdict == geom.Undecided {
				spent++
			}
		}
		sameMotion(t, ms.name, &ms, &o, want)
		for _, margin := range []float64{0.3, 1, 2, 4} {
			withMargin(margin, func() bool {
				if got := must[geom.Impact](t)(Curved(ms.m, ms.mo).Earliest(&o)); !sameEarliest(got, want) {
					t.Fatalf("%s: %+v, of all pairs %+v", ms.name, got, want[:min(1, len(want))])
				}
				c := must[*call](t)(newCourse(ms.mo).begin(ms.m, &o))
				defer c.end()
				sameImpacts(t, ms.name, must[[]geom.Impact](t)(c.collisions(listedBytes)), want)
				if n := c.path.(curvedPath).Inspect().Swept; n > 1 && n < pieces {
					several++
				}
				return true
			})
		}
	}
	if contacts < 300 || spent < 10 || several < 10 {
		t.Errorf("%d contacts, %d of them undecided, %d calls in sections of several pieces", contacts, spent, several)
	}
}

// A budget of halvings is that of a pair on all pieces, though sections solve it on some of them:
// it is spent on pieces before the one on which it ends.
func TestMotionBudgetsOfSeveralPieces(t *testing.T) {
	long.Test(t)
	r := rand.New(rand.NewPCG(38, 47))
	together := 0
	for i := range 6 {
		s := soup(t, "turning", 7, func() float64 { return 0.6 * (2*r.Float64() - 1) }, 0)
		ms := turning(t, r, &s, 3+i%2)
		for _, budget := range []int64{1, 2, 3, 5} {
			o := DefaultOptions()
			o.Tolerance, o.MaxIterations, o.Threads = 1e-9, budget, 1
			want := everyPair(t, &ms, &o, func(k geom.Kind, idx []int32, one *narrow.Options, im *geom.Impact) {
				if im.Verdict != geom.Undecided {
					return
				}
				own := 0
				for own+1 < ms.mo.Pieces() && ms.mo.Times()[own+1] <= im.TOILo {
					own++
				}
				var alone geom.Impact
				narrow.NewSolver().SolveMotionPieces(ms.mo, k, idx, own, own+1, one, 1, &alone)
				if alone.Verdict != geom.Undecided {
					together++
				}
			})
			sameMotion(t, ms.name, &ms, &o, want)
		}
	}
	if together < 5 {
		t.Errorf("%d budgets were spent on several pieces together", together)
	}
}

// A vertex falls on each of nine faces at a multiple of 1/8, where two sections meet, at the
// beginning and at the end: each impact is listed once.
func TestMotionContactsBetweenSections(t *testing.T) {
	var x []float64
	var edges, faces []int32
	for i := range 9 {
		at := float64(4 * i)
		x = append(x, at, 0, 0, at+1, 0, 0, at, 1, 0, at+0.2, 0.2, float64(i))
		v := int32(4 * i)
		edges = append(edges, v, v+1, v+1, v+2, v, v+2)
		faces = append(faces, v, v+1, v+2)
	}
	m := must[*mesh.Mesh](t)(mesh.New(36, edges, faces))
	for degree := 2; degree <= 4; degree++ {
		control := make([]float64, 0, (degree+1)*len(x))
		for l := range degree + 1 {
			for i, c := range x {
				if i%12 == 11 {
					c -= float64(l) * 12 / float64(degree) * 8 / 12
				}
				control = append(control, c)
			}
		}
		if degree == 3 { // thirds of 8 are rounded; the path stays a line between these doubles
			continue
		}
		mo := must[*motion.Motion](t)(motion.New(36, degree, nil, control, nil))
		for _, threads := range []int{1, 2} {
			o := DefaultOptions()
			o.Threads = threads
			got := inSections(func() []geom.Impact { return must[[]geom.Impact](t)(Curved(m, mo).Collisions(&o)) })
			if len(got) != 9 {
				t.Fatalf("degree %d: %d impacts", degree, len(got))
			}
			for i, im := range got {
				if im.TOIHi != float64(i)/8 || im.A != int64(4*i+3) || im.B != int64(i) {
					t.Errorf("degree %d: impact %d is %+v", degree, i, im)
				}
			}
		}
	}
}

// The earliest impact is searched in sections, in the order of time, if none is known: up to the
// section in which it is, and through all of them where there is none.
func TestMotionEarliestInSections(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 32))
	early, late, none := 0, 0, 0
	for i := range 60 {
		s := soup(t, "few", 2+i%3, func() float64 { return 2*r.Float64() - 1 }, 0.3)
		ms := bent(t, r, &s, 2+i%3, 1+i/3%2, 0.3)
		o := DefaultOptions()
		o.Threads, o.TMax = 1+i%2, []float64{1, 0.7}[i/2%2]
		want := everyPair(t, &ms, &o, nil)
		last := inSections(func() int {
			c := must[*call](t)(newCourse(ms.mo).begin(ms.m, &o))
			defer c.end()
			if got := must[geom.Impact](t)(c.earliest()); !sameEarliest(got, want) {
				t.Fatalf("%s: %+v, of all pairs %+v", ms.name, got, want[:min(1, len(want))])
			}
			s := c.path.(curvedPath).Inspect()
			if s.Whole {
				return -1
			}
			return s.First
		})
		switch {
		case last < 0:
		case len(want) == 0:
			if none++; last != int(8*o.TMax-0x1p-20) {
				t.Errorf("%s: the last of 8 sections is %d, and there is no impact", ms.name, last)
			}
		case last == int(8*want[0].TOILo):
			late++
		default:
			t.Errorf("%s: the last of 8 sections is %d, the first impact at %v", ms.name, last, want[0].TOILo)
		}
		if last < 0 {
			early++
		}
	}
	if late < 5 || none < 5 {
		t.Errorf("%d searches ended in the section of the impact, %d found none, %d had no sections", late, none, early)
	}
}

// With a separation pairs stay near each other through several sections. They are solved once, and
// a call that was stopped leaves nothing to the next.
func TestMotionPairsAreSolvedOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(20, 29))
	s := soup(t, "slow", 12, func() float64 { return 2*r.Float64() - 1 }, 0.3)
	again := 0
	for _, degree := range []int{2, 3, 4} {
		ms := bent(t, r, &s, degree, 1, 0.2)
		o := DefaultOptions()
		o.MinSeparation, o.Threads = 0.2, 1+degree%2
		want := must[[]geom.Impact](t)(Curved(ms.m, ms.mo).Collisions(&o))
		for range 3 {
			err := inSections(func() error {
				return Curved(ms.m, ms.mo).Visit(&o,
					func([]geom.Impact) bool { return true })
			})
			if len(want) > 0 && !errors.Is(err, status.ErrCancelled) {
				t.Fatal(err)
			}
			sameImpacts(t, ms.name, inSections(func() []geom.Impact {
				return must[[]geom.Impact](t)(Curved(ms.m,
					ms.mo).Collisions(&o))
			}), want)
		}
		var stats engine.Stats
		o.Stats = &stats
		visited := make(map[[3]int64]int)
		err := inSections(func() error {
			return Curved(ms.m, ms.mo).Visit(&o, func(batch []geom.Impact) bool {
				for _, im := range batch {
					visited[[3]int64{int64(im.Kind), im.A, im.B}]++
				}
				return false
			})
		})
		if err != nil || len(visited) != len(want) || stats.Impacts != int64(len(want)) {
			t.Fatalf("%s: %d pairs visited, %d impacts counted, %d listed, %v",
				ms.name, len(visited), stats.Impacts, len(want), err)
		}
		for pair, n := range visited {
			if n != 1 {
				t.Fatalf("%s: %v was visited %d times", ms.name, pair, n)
			}
		}
		again += len(want)
	}
	if again < 300 {
		t.Errorf("only %d impacts", again)
	}
}

// Sizes has the same steps in sections.
func TestMotionSizesInSections(t *testing.T) {
	shorter := 0
	eachMotion(t, 35, 5, func(t *testing.T, r *rand.Rand, s *motionScene, o Options) {
		if s.mo.Pieces() > 1 || o.TMax < 1 {
			return
		}
		n := s.m.NV
		var alpha, y [2][]float64
		for i := range 2 {
			alpha[i], y[i] = make([]float64, n), make([]float64, 3*n)
			run := func() error {
				_, err := Curved(s.m, s.mo).Sizes(alpha[i], y[i], nil, &o)
				return err
			}
			err := error(nil)
			if i == 0 {
				err = run()
			} else {
				err = inSections(run)
			}
			if err != nil {
				t.Fatalf("%s: %v", s.name, err)
			}
		}
		if !slices.Equal(alpha[0], alpha[1]) || !slices.Equal(y[0], y[1]) {
			t.Fatalf("%s: other steps in sections", s.name)
		}
		for _, a := range alpha[0] {
			if a < 1 {
				shorter++
			}
		}
	})
	if shorter < 50 {
		t.Errorf("only %d vertices have shorter steps", shorter)
	}
}

// The number of sections follows from a sample: where boxes of the whole are wide there are some,
// where little moves there are none, whatever the threads.
func TestMotionSectionsAreChosenByASample(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 31))
	s := soup(t, "sections", 600, func() float64 { return 2*r.Float64() - 1 }, 0.5)
	var at, way float64
	for k := range 3 { // small triangles that fly about
		for i := k; i < len(s.x0); i += 3 {
			if i/3%3 == 0 {
				at, way = 2*r.Float64()-1, r.Float64()-0.5
			}
			s.x0[i] = at + 0.02*s.x0[i]
			s.x1[i] = s.x0[i] + way
		}
	}
	for _, c := range []struct {
		bend float64
		many bool
	}{{0.2, true}, {0, false}} {
		if !c.many {
			s = soup(t, "sections", 600, func() float64 { return 40 * (2*r.Float64() - 1) }, 0.001)
		}
		ms := bent(t, r, &s, 2, 1, c.bend)
		for _, threads := range []int{1, 2} {
			o := DefaultOptions()
			o.Threads = threads
			call := must[*call](t)(newCourse(ms.mo).begin(ms.m, &o))
			want := everyImpact(call, nil)
			run := newRun(call, call.path, must[source](t)(newSource(call, narrowed{})), want)
			run.portions.Begin(nil)
			if err := run.build(); err != nil {
				t.Fatal(err)
			}
			h := call.path.Divide(run.plan, want.every(), run.estimatePairs).Halvings
			if pairs := run.estimatePairs(); c.many != (h > 0) {
				t.Errorf("bend %v: %d halvings for %v pairs", c.bend, h, pairs)
			}
			call.end()
		}
	}
}

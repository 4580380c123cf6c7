package rigid

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/rigid/screw"
)

// ScrewsAtOnce makes searches look at the whole motion at once, and not after a thousand steps.
func ScrewsAtOnce(t *testing.T) {
	t.Helper()
	steps := screwSteps
	screwSteps = 0
	t.Cleanup(func() { screwSteps = steps })
}

// bodyFrom is a body of NewBody whose arguments are in order.
func bodyFrom(t *testing.T, x []float64, faces [][3]int32) *Body {
	t.Helper()
	b, err := NewBody(x, faces, 1)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// thread is that of ccdtest.
func thread(t *testing.T, n, turns int, in, out, pitch, gap float64, nut bool) *Body {
	t.Helper()
	x, faces := ccdtest.Thread(n, turns, in, out, pitch, gap, nut)
	return bodyFrom(t, x, faces)
}

// tube is that of ccdtest.
func tube(t *testing.T, n int, radius, rim, lo, hi float64) *Body {
	t.Helper()
	x, faces := ccdtest.Tube(n, radius, rim, lo, hi)
	return bodyFrom(t, x, faces)
}

// turnOfZ is a motion about z that begins at a height.
func turnOfZ(z, speed, rate float64) Motion {
	return Motion{Rotation: quat.Number{Real: 1}, Position: r3.Vec{Z: z}, Velocity: r3.Vec{Z: speed},
		AngularVelocity: r3.Vec{Z: rate}}
}

// lastingScenes are pairs of bodies that stay near each other for a whole turn, or way.
func lastingScenes(t *testing.T, gap float64) map[string]struct {
	a, b   *Body
	ma, mb Motion
} {
	n := 40
	shaft := tube(t, n, 1, 0, -1, 1)
	sleeve := tube(t, n, (1+gap)/math.Cos(math.Pi/float64(n)), 1.5, -0.8, 0.8)
	knuckle := tube(t, n, 1, 0, 1+gap, 2)
	rail := tube(t, 4, 1, 0, -3, 3)
	slider := tube(t, 4, 1+gap*math.Sqrt2, 1.5, -0.8, 0.8)
	return map[string]struct {
		a, b   *Body
		ma, mb Motion
	}{
		"nut on bolt": {thread(t, 60, 5, 1, 1.2, 0.3, 0, false), thread(t, 60, 3, 1, 1.2, 0.3, gap, true),
			turnOfZ(0, 0, 0), turnOfZ(0.3, 0.3, 2*math.Pi)},
		"shaft in sleeve": {shaft, sleeve, turnOfZ(0, 0, 5), turnOfZ(0, 0, 0)},
		"spindle":         {shaft, sleeve, turnOfZ(0, 0.1, 5), turnOfZ(0, 0, 0)},
		"hinge":           {shaft, knuckle, turnOfZ(0, 0, 1), turnOfZ(0, 0, -2)},
		"slider":          {rail, slider, turnOfZ(0, 0, 0), turnOfZ(-1, 2, 0)},
	}
}

// TestContactThatLastsIsDecided: bodies that stay near each other while one moves as a screw are
// proven separate in a number of steps that the gap hardly changes.
func TestContactThatLastsIsDecided(t *testing.T) {
	for _, gap := range []float64{1e-2, 1e-4, 1e-6} {
		for name, c := range lastingScenes(t, gap) {
			if name == "nut on bolt" && gap < 1e-3 {
				continue // the facets of a nut that coarse pass through those of the bolt
			}
			var s Solver
			var im Impact
			if err := s.Earliest(c.a, c.b, &c.ma, &c.mb, nil, &im); err != nil {
				t.Fatal(err)
			}
			t.Logf("%s, gap %v: %v, %d steps", name, gap, im.Verdict, im.Iterations)
			if im.Verdict != geom.Separate || im.Iterations > 20000 {
				t.Errorf("%s, gap %v: %+v", name, gap, im)
			}
		}
	}
}

// TestImagesChangeTimeAlone: results have the same bits for a body that has images of many axes,
// for one that has none, and for threads that share bodies.
func TestImagesChangeTimeAlone(t *testing.T) {
	first := map[string]Impact{}
	for name, c := range lastingScenes(t, 1e-3) {
		var s Solver
		var im Impact
		if err := s.Earliest(c.a, c.b, &c.ma, &c.mb, nil, &im); err != nil {
			t.Fatal(err)
		}
		first[name] = im
	}
	scenes := lastingScenes(t, 1e-3)
	r := rand.New(rand.NewPCG(46, 35))
	for _, c := range scenes {
		for range 16 { // more than a body keeps
			p := r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
			body := pictured{c.a}
			screw.ImagesOf(body, screw.AxisOf(body, p, someUnit(r)), 0)
		}
	}
	var wait sync.WaitGroup
	failed := make(chan string, 64)
	for i := range 4 {
		for name, c := range scenes {
			wait.Add(1)
			go func() {
				defer wait.Done()
				var s Solver
				var im Impact
				if err := s.Earliest(c.a, c.b, &c.ma, &c.mb, nil, &im); err != nil || im != first[name] {
					failed <- fmt.Sprintf("%s, thread %d: %+v, first %+v, %v", name, i, im, first[name], err)
				}
			}()
		}
	}
	wait.Wait()
	close(failed)
	for text := range failed {
		t.Error(text)
	}
}

// TestScrewsAgreeWithTheSearch compares answers with those of the search in time alone: of threads
// that jam, of tubes that are not round enough for their gap, near and far from the start.
func TestScrewsAgreeWithTheSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 36))
	n, count := 60, map[geom.Verdict]int{}
	if testing.Short() {
		n = 16
	}
	for i := range n {
		facets, gap := 8+r.IntN(12), math.Ldexp(1, -2-r.IntN(9))
		a, b := thread(t, facets, 3, 1, 1.2, 0.3, 0, false), thread(t, facets, 2, 1, 1.2, 0.3, gap, true)
		ma, mb := turnOfZ(0, 0, 0), turnOfZ(0.3, 0.3*r.Float64(), 2*math.Pi*r.Float64())
		if i%2 == 0 {
			hole := (1 + gap*(r.Float64()-0.2)) / math.Cos(math.Pi/float64(facets))
			a, b = tube(t, facets, 1, 0, -1, 1), tube(t, facets+r.IntN(2), hole, 1.5, -0.8, 0.8)
			ma, mb = turnOfZ(0, 0, 4*r.Float64()), turnOfZ(0, 0.1*r.NormFloat64(), -r.Float64())
		}
		var s Solver
		var im, other Impact
		o := DefaultOptions()
		o.MaxIterations, o.Tolerance = 400000, 1e-6
		steps := screwSteps
		if r.IntN(2) == 0 {
			screwSteps = 0
		}
		err := s.Earliest(a, b, &ma, &mb, &o, &im)
		screwSteps = math.MaxInt64 / 2
		if e := s.Earliest(a, b, &ma, &mb, &o, &other); err != nil || e != nil {
			t.Fatal(err, e)
		}
		screwSteps = steps
		count[im.Verdict]++
		switch {
		case other.Verdict == geom.Undecided: // then it says how far the bodies are apart for certain
			if im.Verdict == geom.Contact && im.TOIHi < other.TOILo {
				t.Errorf("contact at %v, though the bodies are apart until %v", im.TOIHi, other.TOILo)
			}
		case im.Verdict == geom.Undecided:
		case im.Verdict != other.Verdict:
			t.Errorf("%v, else %v: gap %v, %+v, %+v", im, other, gap, ma, mb)
		case im.Verdict == geom.Contact && math.Abs(im.TOILo-other.TOILo) > 1e-3:
			t.Errorf("contact at %v, else at %v", im.TOILo, other.TOILo)
		}
	}
	t.Logf("%v", count)
	if count[geom.Contact] < n/8 || count[geom.Separate] < n/8 {
		t.Errorf("verdicts %v", count)
	}
}

// withCopies returns a body with copies of each triangle of another one, turned about z, and moved
// by nothing, by rounding, or by about as much as copies may be off.
func withCopies(t *testing.T, r *rand.Rand, b *Body) *Body {
	t.Helper()
	var x []float64
	var faces [][3]int32
	off := []float64{0, 0x1p-50, 0x1p-42, 0x1p-25, 0x1p-23}[r.IntN(5)]
	for i := range b.tri {
		for n := range 1 + r.IntN(4) {
			angle := math.Pi * (2*r.Float64() - 1)
			if n == 0 {
				angle = 0
			}
			sin, cos := math.Sincos(angle)
			first := int32(len(x) / 3)
			for _, p := range b.tri[i] {
				x = append(x, p.X*cos-p.Y*sin+off*r.NormFloat64(), p.X*sin+p.Y*cos+off*r.NormFloat64(),
					p.Z+off*r.NormFloat64())
			}
			faces = append(faces, [3]int32{first, first + 1, first + 2})
		}
	}
	return bodyFrom(t, x, faces)
}

// TestCopiesChangeNoVerdict compares searches whose bodies share images with the search in time
// alone: tubes and threads whose facets are moved by about as much as copies may be off, and by
// about as much as their gap.
func TestCopiesChangeNoVerdict(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 51))
	ScrewsAtOnce(t)
	count := [2]int{}
	for range 24 {
		gap := math.Ldexp(1, -6-r.IntN(16))
		n := 12 + r.IntN(20)
		a := withCopies(t, r, tube(t, n, 1, 0.5, -1, 1))
		b := tube(t, n, (1+gap)/math.Cos(math.Pi/float64(n)), 1.5, -0.8, 0.8)
		ma, mb := turnOfZ(0, 0, 3*r.Float64()), turnOfZ(0, 0.1*r.NormFloat64(), -r.Float64())
		var s Solver
		var im, other Impact
		o := DefaultOptions()
		o.MaxIterations, o.Tolerance = 200000, 1e-7
		if err := s.Earliest(a, b, &ma, &mb, &o, &im); err != nil {
			t.Fatal(err)
		}
		screwSteps = math.MaxInt64 / 2
		err := s.Earliest(a, b, &ma, &mb, &o, &other)
		screwSteps = 0
		if err != nil {
			t.Fatal(err)
		}
		if im.Verdict == other.Verdict {
			count[0]++
		} else if count[1]++; other.Verdict != 0 && im.Verdict != 0 {
			t.Errorf("%v, else %v: gap %v", im, other, gap)
		}
	}
	t.Logf("%d agree, %d are decided by one alone", count[0], count[1])
	if count[0] < 16 {
		t.Errorf("only %d of 24 answers could be compared", count[0])
	}
}

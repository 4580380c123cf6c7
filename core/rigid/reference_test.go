package rigid

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/status"
)

// Reference and ReferenceSpheres are the searches of core/reference/d2m, which package rigid_test
// hands over: d2m imports this package.
var Reference, ReferenceSpheres Search

// lastInterval returns how wide the root finder's last interval is at most.
func lastInterval(c *Call) float64 {
	return max(0.125*c.Options.Tolerance/max(c.Speed, 0x1p-500),
		0x1p-52*max(math.Abs(c.Options.TMin), math.Abs(c.Options.TMax)))
}

// compareMethods holds the two methods against each other, and D2M's answer against samples and
// exact distances.
func (c *course) compareMethods(t *testing.T, s *Solver) (verdict geom.Verdict) {
	t.Helper()
	var fast, slow Impact
	if err := s.Earliest(c.a, c.b, &c.ma, &c.mb, &c.o, &fast); err != nil {
		t.Fatal(err)
	}
	plain := *c
	plain.o.Search = Reference
	if err := s.Earliest(c.a, c.b, &c.ma, &c.mb, &plain.o, &slow); err != nil {
		t.Fatal(err)
	}
	touch := plain
	touch.o.MinSeparation = 0
	end := c.o.TMax
	if slow.Verdict != geom.Separate {
		end = slow.TOILo
	}
	if err := touch.sampled(&slow, end); err != nil {
		t.Errorf("%v\n%v", err, c)
	}
	switch {
	case slow.Verdict == geom.Contact && fast.Verdict == geom.Separate:
		t.Errorf("D2M finds %+v, advancement nothing\n%v", slow, c)
	case slow.Verdict == geom.Contact && fast.Verdict == geom.Contact && fast.TOILo > slow.TOIHi+
		2*lastInterval(&s.call):
		// The surfaces touch within epsilon of TOIHi; times round by as much at most.
		t.Errorf("D2M finds %+v, advancement only %+v\n%v", slow, fast, c)
	case slow.Verdict == geom.Separate && fast.Verdict == geom.Contact:
		// The bodies may come close and not touch; then they do so at the time found.
		if d := c.exactDistance(fast.TOIHi); fast.Flags&Intersecting != 0 ||
			d > (c.o.MinSeparation+c.o.Tolerance)*(1+1e-9) || d == 0 {
			t.Errorf("advancement finds %+v, D2M nothing\n%v", fast, c)
		}
	case slow.Verdict == geom.Contact && slow.Flags&InitialContact == 0:
		if d := c.exactDistance(slow.TOILo); !(d > c.o.MinSeparation*(1-1e-9)) {
			t.Errorf("D2M steps back to %+v, a distance of %v\n%v", slow, d, c)
		}
	}
	return slow.Verdict
}

// TestD2MAgreesWithAdvancement: the searches share nothing but the motion, and agree.
func TestD2MAgreesWithAdvancement(t *testing.T) {
	n := 400
	if testing.Short() {
		n = 60
	}
	var s Solver
	r := rand.New(rand.NewPCG(31, 12))
	count := map[geom.Verdict]int{}
	for range n {
		c := someCourse(r)
		c.o.MaxIterations = 200000
		if geom.MaxAbs(c.mb.AngularVelocity) > 100 {
			continue // hundreds of turns cost the root finder its budget
		}
		count[c.compareMethods(t, &s)]++
	}
	if count[geom.Contact] < n/25 || count[geom.Separate] < n/10 || count[geom.Undecided] > n/50 {
		t.Errorf("verdicts %v", count)
	}
}

// TestD2MTrials runs some of the trials: every contact of the reference is found, none is invented,
// none is late.
func TestD2MTrials(t *testing.T) {
	every := 16
	if testing.Short() {
		every = 128
	}
	var s Solver
	for _, pair := range pairs {
		a, b := bodyOf(t, pair[0]), bodyOf(t, pair[1])
		for _, speed := range []int{4, 512} {
			steps, n := int64(0), int64(0)
			for i, tr := range trials(t, pair, speed) {
				if i%every != 0 || tr.toi < -1 {
					continue
				}
				o := DefaultOptions()
				o.Search, o.MaxIterations = Reference, 0
				var im, rough Impact
				if err := s.Earliest(a, b, &tr.a, &tr.b, &o, &im); err != nil {
					t.Fatal(err)
				}
				o.Search = ReferenceSpheres
				if err := s.Earliest(a, b, &tr.a, &tr.b, &o, &rough); err != nil {
					t.Fatal(err)
				}
				steps, n = steps+im.Iterations, n+1
				if (tr.toi >= 0) != (im.Verdict == geom.Contact) {
					t.Errorf("%v %d: trial %d: %+v, the reference says %v", pair, speed, i, im, tr)
					continue
				}
				if tr.toi < 0 {
					continue
				}
				// The pose is a step back from the contact: 1.5e-10 of distance, more where the
				// speed changes.
				slack := 1e-7/closing(&tr, &im) + 1e-15*float64(speed)
				if im.TOIHi > tr.toi+slack || im.TOILo < tr.toi-slack {
					t.Errorf("%v %d: trial %d: %+v, the reference says %v", pair, speed, i, im, tr)
				}
				if rough.Verdict != geom.Contact || rough.TOILo > im.TOIHi || rough.Flags&Approximate == 0 {
					t.Errorf("%v %d: trial %d: Capoeira says %+v, contact is at %v", pair, speed, i, rough, im.TOIHi)
				}
			}
			t.Logf("%v %d: %d steps a trial", pair, speed, steps/n)
		}
	}
}

func TestD2MBudgetAndOptions(t *testing.T) {
	var s Solver
	r := rand.New(rand.NewPCG(32, 1))
	open := 0
	for range 100 {
		c := someCourse(r)
		c.o.Search, c.o.MaxIterations = Reference, int64(1+r.IntN(300))
		var im Impact
		if err := s.Earliest(c.a, c.b, &c.ma, &c.mb, &c.o, &im); err != nil {
			t.Fatal(err)
		}
		if im.Verdict == geom.Undecided {
			open++
			c.o.MinSeparation = 0
			if err := c.sampled(&im, im.TOILo); err != nil {
				t.Error(err)
			}
		}
	}
	if open < 10 {
		t.Errorf("only %d budgets ended", open)
	}
	c := someCourse(r)
	var im Impact
	c.o.Search, c.o.Flags = Reference, IgnoreSeparating
	if err := s.Earliest(c.a, c.b, &c.ma, &c.mb, &c.o, &im); !errors.Is(err, status.ErrUnsupported) ||
		!math.IsInf(im.TOILo, -1) {
		t.Errorf("a flag of the default method: %v, %+v", err, im)
	}
}

// A query of one instant is a distance test: both ends of the interval belong to it.
func TestOneInstant(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 1))
	var s Solver
	far, close := 0, 0
	for range 200 {
		c := someCourse(r)
		c.o.MinSeparation, c.o.Tolerance = 1.5*r.Float64(), 1e-9
		c.o.TMax = c.o.TMin
		d := c.exactDistance(c.o.TMin)
		if crossed := distanceAt(c.a, c.b, c.ma.At(c.o.TMin), c.mb.At(c.o.TMin)) == 0; crossed {
			d = 0
		}
		var im Impact
		if err := s.Earliest(c.a, c.b, &c.ma, &c.mb, &c.o, &im); err != nil {
			t.Fatal(err)
		}
		switch {
		case d < c.o.MinSeparation*(1-1e-9):
			close++
			if im.Verdict == geom.Separate {
				t.Errorf("a distance of %v, below %v: %+v\n%v", d, c.o.MinSeparation, im, c)
			}
		case d > c.o.MinSeparation+c.o.Tolerance+1e-9:
			far++
			if im.Verdict != geom.Separate {
				t.Errorf("a distance of %v, above %v: %+v\n%v", d, c.o.MinSeparation, im, c)
			}
		}
	}
	if far < 20 || close < 20 {
		t.Errorf("%d far and %d close", far, close)
	}
}

// The pair that touches first need not be the one that keeps the bodies near: a beam swings down on
// two slabs, and meets the far one, fast, a moment before the near one, to which it has come
// slowly. What opens the separation at the first is no step back from the second.
func TestD2MStepsBackFromEveryPair(t *testing.T) {
	beam, err := NewBody([]float64{0.02, 0, 0, 1, 0, 0, 0.5, 0, 1}, [][3]int32{{0, 1, 2}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	slabs, err := NewBody([]float64{
		0.9, -0.5, 1e-7, 1.5, 0, 1e-7, 0.9, 0.5, 1e-7,
		-1, -0.5, 0, 0.1, -0.5, 0, 0, 0.5, 0,
	}, [][3]int32{{0, 1, 2}, {3, 4, 5}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	swing := Motion{Rotation: quat.Number{Real: math.Cos(0.125), Jmag: -math.Sin(0.125)},
		AngularVelocity: r3.Vec{Y: 0.5}}
	c := course{beam, slabs, swing, Motion{Rotation: quat.Number{Real: 1}}, DefaultOptions()}
	c.o.Search, c.o.MinSeparation, c.o.Tolerance = Reference, 1e-3, 1e-6
	var s Solver
	var im Impact
	if err := s.Earliest(c.a, c.b, &c.ma, &c.mb, &c.o, &im); err != nil {
		t.Fatal(err)
	}
	if im.Verdict != geom.Contact || im.IndexB != 0 || im.Flags&InitialContact != 0 || math.Abs(im.TOIHi-0.5) > 1e-6 {
		t.Fatalf("the beam meets the far slab, unlike %+v", im)
	}
	if d := c.exactDistance(im.TOILo); !(d > c.o.MinSeparation*(1-1e-9)) {
		t.Errorf("a step back to %+v, a distance of %v", im, d)
	}
	// The near end is 1e-3 above its slab where the beam stands at an angle whose sine is 1/20.
	if early := 0.5 - 2*math.Asin(0.05); im.TOILo > early {
		t.Errorf("a step back to %v, not to %v", im.TOILo, early)
	}
}

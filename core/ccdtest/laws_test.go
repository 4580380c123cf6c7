package ccdtest_test

import (
	"math"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/reference/oracle"
)

// perfect answers by the oracle itself: it must pass every law.
func perfect() ccdtest.Method {
	return func(k geom.Kind, q []float64, o *narrow.Options, out *geom.Impact) {
		truth := oracle.Separation(k, q, o.MinSeparation, o.TMax)
		if !truth.Contact {
			out.SetSeparate(k)
			return
		}
		*out = geom.Impact{Verdict: geom.Contact, Kind: k, A: -1, B: -1, TOILo: truth.Lo, TOIHi: truth.Hi,
			Flags: geom.Certified}
		if truth.Hi == 0 {
			out.Flags |= geom.InitialContact
		}
	}
}

func TestPerfectMethodPassesEveryLaw(t *testing.T) {
	s := &ccdtest.Suite{New: perfect, Options: func(o *narrow.Options) { o.Flags |= narrow.MaxNorm }, Exact: true}
	s.Queries = long.Part(3, 3)
	for _, k := range []geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.PointEdge, geom.PointPoint} {
		s.Law0WellFormed(t, k)
		s.Law1SeparateIsProof(t, k)
		s.Law2SafeBeforeTOI(t, k)
		s.Law3ContactIsNear(t, k)
		s.Law4UndecidedOnlyWhenSpent(t, k)
		s.Law5CertifiedContactExists(t, k)
		s.Law6Scale(t, k)
		s.Law7SameBits(t, k)
		s.Law8PositiveStep(t, k)
	}
}

// A wrong answer must break the law it is wrong under: a checker that cannot fail is no test.
func TestCheckersCatchWrongAnswers(t *testing.T) {
	q := []float64{0, 0, 1, 0, 0, 0 /* t = 1 */, 0, 0, -1, 0, 0, 0} // two points that meet at t = 1/2
	j := ccdtest.NewKnownCase(ccdtest.Case{Kind: geom.PointPoint, Q: q, TMax: 1, Delta: 1e-6})
	o := j.Options()
	contact := func(lo, hi float64) geom.Impact {
		return geom.Impact{Verdict: geom.Contact, Kind: geom.PointPoint, A: -1, B: -1, TOILo: lo, TOIHi: hi}
	}
	var separate, certified, nan, undecided geom.Impact
	separate.SetSeparate(geom.PointPoint)
	certified = contact(0, 0.25)
	certified.Flags = geom.Certified
	nan = contact(0.5, 0.5)
	nan.U = math.NaN()
	undecided = contact(0, 1)
	undecided.Verdict = geom.Undecided
	for _, c := range []struct {
		law     int
		out     geom.Impact
		exactly bool
	}{
		{0, nan, false}, {1, separate, false}, {2, contact(0.6, 0.7), false}, {3, contact(0, 0.25), false},
		{3, contact(0.49999, 0.5), true}, {4, undecided, true}, {5, certified, false}, {8, contact(0, 0.5), true},
	} {
		caught := false
		for _, err := range ccdtest.Check(&j, &o, &c.out, ccdtest.Promise{Exact: c.exactly}) {
			caught = caught || err.(*ccdtest.Violation).Law == c.law
		}
		if !caught {
			t.Errorf("law %d does not see what is wrong with %+v", c.law, c.out)
		}
	}
	good := contact(0.5, 0.5)
	good.Normal = [3]float64{0, 0, 1}
	if broken := ccdtest.Check(&j, &o, &good, ccdtest.Promise{Exact: true}); len(broken) != 0 {
		t.Errorf("a right answer is blamed: %v", broken)
	}
	late := contact(0.45, 0.46)
	o.MinSeparation = 0.2 // the points come within 0.2 at t = 0.4
	j.D = 0.2
	if broken := ccdtest.Check(&j, &o, &late, ccdtest.Promise{}); len(broken) == 0 {
		t.Error("a late Euclidean answer passes")
	}
}

// The families are the same on every machine, and each holds contacts and separate pairs of every
// kind.
func TestFamilies(t *testing.T) {
	for _, k := range []geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.PointEdge, geom.PointPoint} {
		count := map[string][2]int{}
		for _, separation := range []bool{false, true} {
			for _, j := range ccdtest.Cases(k, separation, 12, 0) {
				n := count[j.Family]
				if j.Truth.Contact {
					n[0]++
				}
				n[1]++
				count[j.Family] = n
			}
		}
		for name, n := range count {
			if n[0] == 0 || n[0] == n[1] {
				t.Errorf("%v %s: %d contacts in %d cases", k, name, n[0], n[1])
			}
		}
		t.Log(k, count)
	}
}

func TestDistanceSquared(t *testing.T) {
	q := []float64{0.25, 0.25, 2, 0, 0, 0, 1, 0, 0, 0, 1, 0}
	vf := append(q, q...)
	if d, _ := ccdtest.DistanceSquared(geom.VertexFace, vf, 0.5).Float64(); d != 4 {
		t.Errorf("distance^2 above a face is %v", d)
	}
	if d, _ := ccdtest.DistanceSquared(geom.PointPoint, []float64{0, 0, 0, 3, 4, 0, 0, 0, 0, 3, 4, 0},
		0).Float64(); d != 25 {
		t.Errorf("distance^2 of two points is %v", d)
	}
	ee := []float64{0, 0, 0, 1, 0, 0, 2, 1, 1, 2, -1, 1}
	ee = append(ee, ee...)
	if d, _ := ccdtest.DistanceSquared(geom.EdgeEdge, ee, 0).Float64(); d != 2 {
		t.Errorf("distance^2 of an end and an edge is %v", d)
	}
}

package ccdtest_test

import (
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/num"
)

// generic solves queries by searcher on F in natural intervals: Tight Inclusion without its tight
// bounds and fused loop, for which it is the reference implementation.
func generic() ccdtest.Method {
	var s searcher
	return func(k geom.Kind, q []float64, o *narrow.Options, out *geom.Impact) {
		var wide [24]float64
		geom.Widen(k, q, &wide)
		triangle := k != geom.EdgeEdge
		unit := num.Interval{Lo: 0, Hi: 1}
		r := s.search(&problem{
			Domain:   []num.Interval{{Lo: 0, Hi: o.TMax}, unit, unit},
			Values:   3,
			Distance: o.MinSeparation, Tolerance: o.Tolerance, Budget: int(min(o.MaxIterations, 1000)),
			Enclose: func(c, f []num.Interval) { enclose(&wide, triangle, c, f) },
			Outside: func(c []num.Interval) bool { return triangle && num.AddDown(c[1].Lo, c[2].Lo) > 1 },
		})
		out.SetSeparate(k)
		if r.Verdict != geom.Separate {
			*out = geom.Impact{Verdict: r.Verdict, Kind: k, A: -1, B: -1, TOILo: r.Lo, TOIHi: r.Hi}
		}
	}
}

// enclose is F(t, u, v) of a vertex-face or edge-edge query, by natural interval extension over
// differences of points.
func enclose(q *[24]float64, triangle bool, c, f []num.Interval) {
	for a := range 3 {
		between := func(i, j int) num.Interval {
			d0 := num.Point(q[3*i+a]).Sub(num.Point(q[3*j+a]))
			d1 := num.Point(q[12+3*i+a]).Sub(num.Point(q[12+3*j+a]))
			return d0.Add(c[0].Mul(d1.Sub(d0)))
		}
		if triangle {
			f[a] = between(0, 1).Sub(c[1].Mul(between(2, 1))).Sub(c[2].Mul(between(3, 1)))
		} else {
			f[a] = between(0, 2).Add(c[1].Mul(between(1, 0))).Sub(c[2].Mul(between(3, 2)))
		}
	}
}

// The generic engine obeys the laws on the family of queries that every method answers. It may be
// undecided (law 4), for natural intervals converge slowly, and it takes no part in laws about
// bits.
func TestInclusionSearchLaws(t *testing.T) {
	s := &ccdtest.Suite{New: generic, Options: func(o *narrow.Options) { o.Flags |= narrow.MaxNorm }, Queries: 2}
	for _, k := range []geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.PointEdge, geom.PointPoint} {
		s.Law0WellFormed(t, k)
		s.Law1SeparateIsProof(t, k)
		s.Law2SafeBeforeTOI(t, k)
		s.Law3ContactIsNear(t, k)
	}
}

// Where both decide, it and Tight Inclusion return the same verdict, but for times within their
// tolerance.
func TestInclusionSearchDecides(t *testing.T) {
	var solver narrow.Solver
	decided, contacts := 0, 0
	for _, k := range []geom.Kind{geom.VertexFace, geom.EdgeEdge} {
		for _, j := range ccdtest.Cases(k, false, 4, 0) {
			if j.Family != "generic" && j.Family != "meshlike" {
				continue
			}
			o := j.Options()
			var slow, fast geom.Impact
			generic()(k, j.Q, &o, &slow)
			o.Method = narrow.TightInclusion
			solver.Solve(k, j.Q, &o, &fast)
			if slow.Verdict == geom.Undecided {
				continue
			}
			decided++
			if slow.Verdict == geom.Contact {
				contacts++
			}
			if j.Truth.Contact && (slow.Verdict != geom.Contact || fast.Verdict != geom.Contact) {
				t.Errorf("%v: %v and %v, but it is a contact", &j.Case, slow.Verdict, fast.Verdict)
			}
		}
	}
	if decided < 8 || contacts < 2 {
		t.Errorf("the search decided %d queries, %d contacts", decided, contacts)
	}
}

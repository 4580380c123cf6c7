package exact_test

import (
	"flag"
	"math"
	"math/big"
	"testing"
	"time"

	"ccd/core/ccdtest"
	"ccd/core/exact"
	"ccd/core/exact/clearance"
	"ccd/core/exact/curved"
	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/reference/oracle"
)

var motionQueries = flag.Int("motions", 0,
	"how many queries of a degree TestMotionsAgreeWithOracle compares; 0 for a few")

// motionTruth returns the oracle's answer.
func motionTruth(q *curved.MotionQuery) oracle.SeparationTruth {
	m := oracle.Motion{Kind: q.Kind, Degree: q.Degree, Control: q.Control, T0: q.T0, T1: q.T1}
	switch {
	case q.Separation == 0:
		return oracle.MotionContact(&m)
	case q.MaxNorm:
		return oracle.MotionSeparation(&m, q.Separation)
	}
	return oracle.MotionEuclidean(&m, q.Separation)
}

func compareMotion(t *testing.T, r *curved.MotionResolver, q *curved.MotionQuery) (contact bool) {
	t.Helper()
	var out geom.Impact
	r.Resolve(q, 1, &out)
	truth := motionTruth(q)
	if (out.Verdict == geom.Contact) != truth.Contact || out.TOILo != truth.Lo || out.TOIHi != truth.Hi {
		t.Fatalf("%+v:\nresolver %+v\noracle %+v", *q, out, truth)
	}
	return truth.Contact
}

// The resolver has the oracle's times in every bit: on degenerate queries of all kinds and degrees,
// without a separation and in both norms.
func TestMotionsAgreeWithOracle(t *testing.T) {
	for degree := 1; degree <= curved.MaxMotionDegree; degree++ {
		if degree > 3 && testing.Short() {
			break
		}
		n := *motionQueries / (len(ccdtest.MotionFamilies) * len(kinds) * 3)
		if *motionQueries == 0 {
			n = 4
			if testing.Short() {
				n = 1
			}
		}
		if degree > 3 {
			n = min(n, 2) // the oracle takes long
		}
		for _, fam := range ccdtest.MotionFamilies {
			var r curved.MotionResolver
			contacts, total := 0, 0
			var ours, theirs time.Duration
			for _, k := range kinds {
				rng := ccdtest.NewRand(uint64(degree), uint64(k))
				for range n {
					for norm := range 3 {
						if norm == 1 && degree > 3 {
							continue // degrees of 24 and 30 in Sturm's theorem
						}
						q := fam.Make(rng, k, degree)
						q.MaxNorm = norm == 2
						if norm == 0 {
							q.Separation = 0
						}
						var out geom.Impact
						b := time.Now()
						r.Resolve(&q, 1, &out)
						ours += time.Since(b)
						b = time.Now()
						if compareMotion(t, &r, &q) {
							contacts++
						}
						theirs += time.Since(b)
						total++
					}
				}
			}
			t.Logf("degree %d %-9s %5d queries, %5d contacts, %+v; %v, oracle %v a query", degree, fam.Name, total,
				contacts, r.Stats, ours/time.Duration(total), theirs/time.Duration(total))
		}
	}
}

// A path of degree 1 has the times of the linear resolvers, and so has the same path written with
// more control points.
func TestMotionsOfLinesHaveTheTimesOfTheLinearResolvers(t *testing.T) {
	n := 40
	if testing.Short() {
		n = 8
	}
	contacts := 0
	for _, fam := range ccdtest.Families {
		for _, k := range kinds {
			rng := ccdtest.NewRand(31, uint64(k))
			for range n {
				c := fam.Make(rng, k, true)
				if !(spread(&c) <= 0x1p120) {
					continue
				}
				for degree := 1; degree <= curved.MaxMotionDegree; degree++ {
					elevated, ok := elevate(c.Q, degree)
					if !ok {
						continue
					}
					for norm := range 3 {
						q := curved.MotionQuery{Kind: k, Degree: degree, Control: elevated, T1: 1, Separation: c.D,
							MaxNorm: norm == 2}
						var want, got geom.Impact
						switch {
						case norm == 0 || c.D == 0:
							q.Separation = 0
							new(exact.Resolver).Resolve(k, c.Q, c.TMax, &want)
						case norm == 1:
							new(clearance.EuclideanResolver).Resolve(k, c.Q, c.D, c.TMax, &want)
						default:
							new(clearance.SeparationResolver).Resolve(k, c.Q, c.D, c.TMax, &want)
						}
						new(curved.MotionResolver).Resolve(&q, c.TMax, &got)
						if got.Verdict != want.Verdict || got.TOILo != want.TOILo || got.TOIHi != want.TOIHi ||
							got.Flags != want.Flags {
							t.Fatalf("%v degree %d, max norm %v: %+v, the linear resolver %+v", c, degree, q.MaxNorm,
								got, want)
						}
						if want.Verdict == geom.Contact {
							contacts++
						}
					}
				}
			}
		}
	}
	if contacts < 100 {
		t.Errorf("only %d contacts", contacts)
	}
}

// elevate writes a linear query with degree + 1 control points; false where one is no double.
func elevate(q []float64, degree int) ([]float64, bool) {
	n := len(q) / 2
	out := make([]float64, (degree+1)*n)
	for l := range degree + 1 {
		for i := range n {
			x, y := new(big.Rat).SetFloat64(q[i]), new(big.Rat).SetFloat64(q[n+i])
			x.Add(x.Mul(x, big.NewRat(int64(degree-l), int64(degree))), y.Mul(y, big.NewRat(int64(l), int64(degree))))
			var whole bool
			if out[n*l+i], whole = x.Float64(); !whole {
				return nil, false
			}
		}
	}
	return out, true
}

// Kernels for roots agree with the oracle in every bit, wherever they decide, on degenerate
// queries.
func TestMotionRootsAgreeWithOracle(t *testing.T) {
	for degree := 2; degree <= 3; degree++ {
		n := *motionQueries / (2 * len(ccdtest.MotionFamilies))
		if *motionQueries == 0 {
			n = 6
		}
		decided, contacts, total := 0, 0, 0
		for _, fam := range ccdtest.MotionFamilies {
			for _, k := range []geom.Kind{geom.VertexFace, geom.EdgeEdge} {
				rng := ccdtest.NewRand(uint64(degree), 100+uint64(k))
				for range n {
					q := fam.Make(rng, k, degree)
					q.Separation, q.T0, q.T1 = 0, 0, 1
					c := kernel.Curves{Degree: degree}
					for i := range 4 {
						for l := range degree + 1 {
							c.Rec = append(c.Rec, q.Control[12*l+3*i:][:3]...)
						}
					}
					c.Rec = append(c.Rec, 0)
					var finder curved.CurveFinder
					var toi [1]float64
					var state [1]uint8
					finder.Find(&c, k, [][4]int32{{0, 1, 2, 3}}, 1, toi[:], state[:])
					if total++; state[0] == kernel.Unknown {
						continue
					}
					decided++
					want := motionTruth(&q)
					if (state[0] == kernel.Contact) != want.Contact || want.Contact &&
						(toi[0] != want.Lo || want.Hi != math.Nextafter(want.Lo, 2)) {
						t.Fatalf("%s: %+v: state %d at %v, the oracle %+v", fam.Name, q, state[0], toi[0], want)
					}
					if want.Contact {
						contacts++
					}
				}
			}
		}
		t.Logf("degree %d: %d of %d decided, %d contacts", degree, decided, total, contacts)
		if decided < total/5 || contacts == 0 {
			t.Errorf("degree %d: %d of %d decided, %d contacts: the test shows too little", degree, decided, total,
				contacts)
		}
	}
}

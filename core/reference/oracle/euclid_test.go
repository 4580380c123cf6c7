package oracle_test

import (
	"math"
	"math/big"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/reference/oracle"
)

// spread is the ratio of the largest to the least length of a query.
func spread(c *ccdtest.Case) float64 {
	low, high := math.Abs(c.D), math.Abs(c.D)
	for _, x := range c.Q {
		if x = math.Abs(x); x != 0 && (x < low || low == 0) {
			low = x
		}
		high = max(high, x)
	}
	return high / low
}

// The oracle against distances in 512 bits at sampled times, many of them beside its answer: none
// before Lo is a contact, and none is missed.
func TestEuclideanSeparationAgainstDistances(t *testing.T) {
	n := 9
	if testing.Short() {
		n = long.Part(4, 2)
	}
	contacts, total := 0, 0
	for _, fam := range ccdtest.Families {
		for _, k := range kinds {
			r := ccdtest.NewRand(11, uint64(k))
			for range n {
				c := fam.Make(r, k, true)
				if !(spread(&c) <= 0x1p100) {
					continue
				}
				truth := oracle.EuclideanSeparation(k, c.Q, c.D, 1)
				times := []float64{0, 1}
				for range 30 {
					times = append(times, r.Float64())
				}
				total++
				if truth.Contact {
					contacts++
					times = append(times, truth.Lo, truth.Hi, math.Nextafter(truth.Lo, 0), math.Nextafter(truth.Hi, 1))
					for e := 1e-15; e < 1; e *= 1e3 {
						times = append(times, truth.Lo*(1-e), min(1, truth.Hi*(1+e)))
					}
					if truth.Lo < truth.Hi && math.Nextafter(truth.Lo, 2) != truth.Hi {
						t.Fatalf("%+v is no rounded time", truth)
					}
				}
				for _, x := range times {
					againstDistance(t, &c, truth, x)
				}
			}
		}
	}
	t.Logf("%d queries, %d in contact", total, contacts)
}

func againstDistance(t *testing.T, c *ccdtest.Case, truth oracle.SeparationTruth, x float64) {
	t.Helper()
	d2 := new(big.Float).SetPrec(512).SetFloat64(c.D)
	d2.Mul(d2, d2)
	gap := new(big.Float).Sub(ccdtest.DistanceSquared(c.Kind, c.Q, x), d2)
	over, _ := gap.Quo(gap, d2).Float64()
	at := oracle.EuclideanContactAt(c.Kind, c.Q, c.D, x)
	if math.Abs(over) > 1e-60 && at != (over < 0) { // nearer to d a quotient may have been rounded across it
		t.Fatalf("%v: contact at %v is %v, the distance squared exceeds d squared by %v of it", c, x, at, over)
	}
	if at && (!truth.Contact || x < truth.Hi) || !at && truth.Contact && truth.Lo == truth.Hi && x == truth.Lo {
		t.Fatalf("%v: contact at %v is %v, the oracle says %+v", c, x, at, truth)
	}
}

// Where the norms agree, along one axis and without a separation, so do their oracles, whose
// arithmetic differs.
func TestEuclideanSeparationAgainstMaxNorm(t *testing.T) {
	n := 12
	if testing.Short() {
		n = 3
	}
	contacts, total := 0, 0
	compare := func(c *ccdtest.Case, d float64) {
		t.Helper()
		got, want := oracle.EuclideanSeparation(c.Kind, c.Q, d, c.TMax), oracle.Separation(c.Kind, c.Q, d, c.TMax)
		if got != want {
			t.Fatalf("%v with d = %v:\n%+v, in the max norm %+v", c, d, got, want)
		}
		total++
		if got.Contact {
			contacts++
		}
	}
	for _, fam := range ccdtest.Families {
		for _, k := range kinds {
			r := ccdtest.NewRand(12, uint64(k))
			for range n {
				c := fam.Make(r, k, true)
				if spread(&c) > 0x1p200 {
					continue
				}
				compare(&c, 0)
				for i := range c.Q {
					if i%3 != 1 {
						c.Q[i] = 0
					}
				}
				compare(&c, c.D)
			}
		}
	}
	t.Logf("%d comparisons, %d contacts", total, contacts)
}

// A point and an edge that turns about an end point at distance 1: contact with d = 1 is at the end
// throughout, with d = 0.75 never.
func TestEuclideanSeparationByHand(t *testing.T) {
	q := []float64{0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, -2, 0}
	if got := oracle.EuclideanSeparation(geom.PointEdge, q, 1, 1); !got.Contact || got.Lo != 0 || got.Hi != 0 {
		t.Errorf("d = 1: %+v", got)
	}
	if got := oracle.EuclideanSeparation(geom.PointEdge, q, 0.75, 1); got.Contact || !math.IsInf(got.Lo, 1) {
		t.Errorf("d = 0.75: %+v", got)
	}
	// Two points that pass each other at the distance 3/5 in x and come within 1 when |1 - 2t| =
	// 4/5.
	p := []float64{0.6, 1, 0, 0, 0, 0, 0.6, -1, 0, 0, 0, 0}
	got := oracle.EuclideanSeparation(geom.PointPoint, p, 1, 1)
	if !got.Contact || math.Abs(got.Lo-0.1) > 1e-15 || got.Hi != math.Nextafter(got.Lo, 1) {
		t.Errorf("two points: %+v", got)
	}
	if got := oracle.EuclideanSeparation(geom.PointPoint, p, 1, 0.0625); got.Contact {
		t.Errorf("two points up to 1/16: %+v", got)
	}
	// From 3 to -1 with d = 1: at t = 1/2 exactly.
	line := []float64{3, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0}
	if got := oracle.EuclideanSeparation(geom.PointPoint, line, 1, 0.5); !got.Contact || got.Lo != 0.5 ||
		got.Hi != 0.5 {
		t.Errorf("along a line: %+v", got)
	}
}

package oracle_test

import (
	"math"
	"math/big"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/reference/oracle"
)

// A vertex falls through a face that turns, which it meets at t = 1/4 and 3/4, from above and from
// below.
func TestIntervalsHaveSides(t *testing.T) {
	q := []float64{
		0, 0, 3, -8, -8, 0, 8, -8, 0, 0, 8, 0,
		0, 0, 3, -8, -8, 16, 8, -8, 16, 0, 8, 16,
	}
	// z of the vertex 3, that of the face 16 t: one crossing, from above to below.
	list := oracle.Intervals(geom.VertexFace, q, 0, false, 1)
	if len(list) != 1 || list[0].Enter != 3.0/16 || list[0].Exit != 3.0/16 || list[0].SideBefore != 1 ||
		list[0].SideAfter != -1 {
		t.Errorf("got %+v", list)
	}
	if list := oracle.Intervals(geom.VertexFace, q, 1, false, 1); len(list) != 1 || list[0].Enter != 2.0/16 ||
		list[0].Exit != 4.0/16 {
		t.Errorf("within 1: %+v", list)
	}
	if list := oracle.Intervals(geom.VertexFace, q, 0, false, 3.0/16); len(list) != 1 ||
		list[0].Flags != geom.FinalContact || list[0].SideAfter != 0 {
		t.Errorf("up to the contact: %+v", list)
	}
	if list := oracle.Intervals(geom.VertexFace, q, 0, false, 2.0/16); len(list) != 0 {
		t.Errorf("before the contact: %+v", list)
	}
}

// Two edges of one line slide through each other: contact lasts.
func TestIntervalsLast(t *testing.T) {
	q := []float64{
		0, 0, 0, 1, 0, 0, 2, 0, 0, 4, 0, 0,
		8, 0, 0, 9, 0, 0, 2, 0, 0, 4, 0, 0,
	}
	list := oracle.Intervals(geom.EdgeEdge, q, 0, false, 1)
	if len(list) != 1 || list[0].Enter != 1.0/8 || list[0].Exit != 0.5 || list[0].Flags != 0 {
		t.Errorf("got %+v", list)
	}
}

// At doubles, the intervals agree with the rational distance there: at random ones, and beside the
// ends.
func TestIntervalsAgainstDistances(t *testing.T) {
	n := 6
	if testing.Short() {
		n = 2
	}
	seen := map[string]int{}
	for _, fam := range ccdtest.Families {
		for _, k := range geom.StepKinds {
			r := ccdtest.NewRand(41, uint64(k))
			for i := range 2 * n {
				c := fam.Make(r, k, i%2 == 0)
				if spreadOf(&c) > 0x1p120 {
					continue // the oracle would take seconds
				}
				list := oracle.Intervals(k, c.Q, c.D, false, c.TMax)
				times := []float64{0, c.TMax, c.TMax * r.Float64(), c.TMax * r.Float64(), 0.5 * c.TMax}
				for _, x := range list {
					for _, y := range [2]float64{x.Enter, x.Exit} {
						times = append(times, math.Nextafter(y, -1), y, math.Nextafter(y, 2))
					}
					times = append(times, 0.5*(x.Enter+x.Exit))
					seen["intervals"]++
					if x.Exit > math.Nextafter(x.Enter, 2) {
						seen["lasting"]++
					}
					if x.SideBefore*x.SideAfter < 0 {
						seen["crossing"]++
					}
				}
				if len(list) > 1 {
					seen["several"]++
				}
				for _, at := range times {
					if at >= 0 && at <= c.TMax {
						checkWithin(t, &c, list, at)
					}
				}
			}
		}
	}
	t.Log(seen)
	for _, what := range []string{"intervals", "lasting", "crossing", "several"} {
		if seen[what] == 0 {
			t.Errorf("no %s among the cases", what)
		}
	}
}

// spreadOf is the ratio of the largest to the least length of a query.
func spreadOf(c *ccdtest.Case) float64 {
	low, high := math.Inf(1), 0.0
	for _, x := range append([]float64{c.D}, c.Q...) {
		if x = math.Abs(x); x != 0 {
			low, high = min(low, x), max(high, x)
		}
	}
	return high / low
}

// checkWithin compares the intervals at one double with the distance there. At an end that is
// rounded either is right, unless flags say.
func checkWithin(t *testing.T, c *ccdtest.Case, list []geom.Interval, at float64) {
	t.Helper()
	within := oracle.WithinAt(c.Kind, c.Q, c.D, new(big.Rat).SetFloat64(at))
	inside, end := false, false
	for _, x := range list {
		inside = inside || x.Enter < at && at < x.Exit || x.Enter == at && x.Exit == at
		end = end || x.Enter == at || x.Exit == at
		if at == 0 && x.Enter == 0 && within != (x.Flags&geom.InitialContact != 0) {
			t.Fatalf("%v:\n%+v: at t = 0 the distance says %v", c, list, within)
		}
		if at == c.TMax && x.Exit == at && within != (x.Flags&geom.FinalContact != 0) {
			t.Fatalf("%v:\n%+v: at the end the distance says %v", c, list, within)
		}
	}
	if inside && !within || within && !inside && !end {
		t.Fatalf("%v:\n%+v: at t = %v the distance says %v", c, list, at, within)
	}
}

package rigid

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
)

// TestGatheredPairsChangeNoBit: a search that tests four pairs at a time has the results of one
// that tests one pair, but for which of several triangles that share a point is named, and where
// bodies stay apart it takes as many steps.
func TestGatheredPairsChangeNoBit(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 7))
	list := []*course{onRack(t, 16, 1e-3), gears(t, 16, 1e-3)}
	list[1].o.TMax = 0.2
	for k := range 40 {
		c := onRack(t, 6, 1e-3)
		if k%2 == 0 {
			c = gears(t, 6, 1e-3)
		}
		c.o.TMax = 0.1 + 0.2*r.Float64()
		c.ma.AngularVelocity.Z *= 1 + 1e-3*r.NormFloat64()
		c.ma.AngularVelocity.X += 1e-3 * r.NormFloat64()
		list = append(list, c)
	}
	long, met, separate := 0, 0, 0
	for k, c := range list {
		var alone, four Impact
		for _, test := range []struct {
			from int64
			out  *Impact
		}{{math.MaxInt64, &alone}, {longSearch, &four}} {
			gatherFrom = test.from
			err := new(Solver).Earliest(c.a, c.b, &c.ma, &c.mb, &c.o, test.out)
			gatherFrom = longSearch
			if err != nil {
				t.Fatal(err)
			}
		}
		if more := four.Iterations - alone.Iterations; four.Verdict == geom.Contact && (more < 0 || more > 1000) ||
			four.Verdict != geom.Contact && more != 0 {
			t.Errorf("case %d: %d steps alone, %d gathered", k, alone.Iterations, four.Iterations)
		}
		if alone.Iterations > longSearch {
			long++
		}
		if four.Verdict == geom.Contact {
			met++
		} else {
			separate++
		}
		four.Iterations = alone.Iterations
		if four.PointA == alone.PointA && four.PointB == alone.PointB {
			// Triangles that share this point meet at one time.
			four.IndexA, four.IndexB, four.FeatureA, four.FeatureB = alone.IndexA, alone.IndexB, alone.FeatureA,
				alone.FeatureB
		}
		if four != alone {
			t.Errorf("case %d: %+v alone, %+v gathered", k, alone, four)
		}
	}
	t.Logf("%d long searches, %d end in contact, %d separate", long, met, separate)
	if long < 20 || met < 5 || separate < 5 {
		t.Error("too one-sided")
	}
}

package rigid_test

import (
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/ccdtest/rigids"
	"ccd/core/geom"
	"ccd/core/rigid"
)

// TestLawsOfScrews holds answers to all laws where the search looks at the whole motion at once.
func TestLawsOfScrews(t *testing.T) {
	rigid.ScrewsAtOnce(t)
	n := long.Part(4000, 10)
	if testing.Short() {
		n = min(n, 300)
	}
	var m rigids.Method
	r := ccdtest.NewRand(67, 1)
	count := map[geom.Verdict]int{}
	for i := range n {
		c := rigids.Make(r, "screws", false)
		if i%3 == 0 {
			c.O.Flags = rigid.IgnoreSeparating
		}
		im, err := m.Solve(c)
		if err != nil {
			t.Fatal(err)
		}
		count[im.Verdict]++
		for _, err := range append(c.Check(&im), m.Laws6And7(c, &im, 9, -4)) {
			if err != nil {
				t.Errorf("%v\n%v", err, c)
			}
		}
	}
	t.Logf("%v", count)
	if count[geom.Contact] < n/20 || count[geom.Separate] < n/20 || count[geom.Undecided] > 0 {
		t.Errorf("verdicts %v", count)
	}
}

// TestFamiliesWithScrews does so with all families, few of which are screws.
func TestFamiliesWithScrews(t *testing.T) {
	rigid.ScrewsAtOnce(t)
	s := suite{Seed: 68, Cases: 6}
	s.Law1SeparateIsProof(t)
	s.Law2SafeBeforeTOI(t)
	s.Law8Start(t)
	s.Law9ContactData(t)
}

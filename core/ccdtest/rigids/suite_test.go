package rigids_test

import (
	"math"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/rigids"
	"ccd/core/geom"
	"ccd/core/rigid"
)

// TestChecksSeeBrokenAnswers: answers that are wrong on purpose break the law that they should.
func TestChecksSeeBrokenAnswers(t *testing.T) {
	var m rigids.Method
	r := ccdtest.NewRand(3, 1)
	seen := map[int]int{}
	note := func(c *rigids.Case, im rigid.Impact) {
		for _, err := range c.Check(&im) {
			seen[err.(*ccdtest.Violation).Law]++
		}
	}
	for k := range 60 {
		c := rigids.Make(r, "generic", k%2 == 0)
		im, err := m.Solve(c)
		if err != nil {
			t.Fatal(err)
		}
		if broken := c.Check(&im); len(broken) > 0 {
			t.Fatalf("%v\n%v", broken, c)
		}
		if im.Verdict != geom.Contact || im.Flags != 0 {
			continue
		}
		wrong := im
		wrong.TOILo = math.NaN()
		note(c, wrong)
		note(c, rigid.Impact{Verdict: geom.Separate, TOILo: math.Inf(1), TOIHi: math.Inf(1), IndexA: -1, IndexB: -1})
		wrong = im
		wrong.TOILo += 1e-6
		wrong.TOIHi = wrong.TOILo
		note(c, wrong)
		wrong = im
		wrong.TOILo -= 1e-6
		wrong.TOIHi = wrong.TOILo
		note(c, wrong)
		wrong = im
		wrong.Flags = rigid.InitialContact
		note(c, wrong)
	}
	for _, law := range []int{0, 1, 2, 3, 8} {
		if seen[law] == 0 {
			t.Errorf("no broken answer breaks law %d: %v", law, seen)
		}
	}
}

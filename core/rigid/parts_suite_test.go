package rigid_test

import (
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/rigids"
	"ccd/core/rigid"
)

// TestLawsOfShortParts holds answers of all families to the laws where parts of time are cut after
// a few steps.
func TestLawsOfShortParts(t *testing.T) {
	rigid.PartsCutAt(t, 4)
	s := suite{Seed: 70, Cases: 8}
	s.Law1SeparateIsProof(t)
	s.Law2SafeBeforeTOI(t)
	s.Law3ContactIsNear(t)
	s.Law6Scale(t)
	s.Law7SameBits(t)
	s.Law8Start(t)
	s.Law9ContactData(t)
}

// FuzzShortParts does so for ever, with the number of steps drawn too: go test ./core/rigid -fuzz
// FuzzShortParts.
func FuzzShortParts(f *testing.F) {
	for i := range uint64(4) {
		f.Add(i, uint8(5*i), uint8(i))
	}
	var m rigids.Method
	f.Fuzz(func(t *testing.T, seed uint64, family, steps uint8) {
		rigid.PartsCutAt(t, 1+int64(steps%64))
		c := rigids.Make(ccdtest.NewRand(seed, 2), rigids.Families[int(family)%len(rigids.Families)], false)
		im, err := m.Solve(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range append(c.Check(&im), m.Laws6And7(c, &im, 5, -2)) {
			if err != nil {
				t.Errorf("%v\n%v", err, c)
			}
		}
	})
}

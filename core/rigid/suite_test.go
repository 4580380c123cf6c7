package rigid_test

import (
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/rigids"
	"ccd/core/geom"
	"ccd/core/rigid"
)

var (
	advancement = suite{Seed: 61}
	reference   = suite{Search: rigids.D2M, Seed: 62, Cases: 6}
	spheres     = suite{Search: rigids.Spheres, Seed: 63}
)

func init() { rigid.Reference, rigid.ReferenceSpheres = rigids.D2M, rigids.Spheres }

func TestAdvancementLaw0WellFormed(t *testing.T)      { advancement.Law0WellFormed(t) }
func TestAdvancementLaw1SeparateIsProof(t *testing.T) { advancement.Law1SeparateIsProof(t) }
func TestAdvancementLaw2SafeBeforeTOI(t *testing.T)   { advancement.Law2SafeBeforeTOI(t) }
func TestAdvancementLaw3ContactIsNear(t *testing.T)   { advancement.Law3ContactIsNear(t) }
func TestAdvancementLaw4UndecidedOnlyWhenSpent(t *testing.T) {
	advancement.Law4UndecidedOnlyWhenSpent(t)
}
func TestAdvancementLaw6Scale(t *testing.T)       { advancement.Law6Scale(t) }
func TestAdvancementLaw7SameBits(t *testing.T)    { advancement.Law7SameBits(t) }
func TestAdvancementLaw8Start(t *testing.T)       { advancement.Law8Start(t) }
func TestAdvancementLaw9ContactData(t *testing.T) { advancement.Law9ContactData(t) }

func TestD2MLaw0WellFormed(t *testing.T)             { reference.Law0WellFormed(t) }
func TestD2MLaw1SeparateIsProof(t *testing.T)        { reference.Law1SeparateIsProof(t) }
func TestD2MLaw2SafeBeforeTOI(t *testing.T)          { reference.Law2SafeBeforeTOI(t) }
func TestD2MLaw3ContactIsNear(t *testing.T)          { reference.Law3ContactIsNear(t) }
func TestD2MLaw4UndecidedOnlyWhenSpent(t *testing.T) { reference.Law4UndecidedOnlyWhenSpent(t) }
func TestD2MLaw6Scale(t *testing.T)                  { reference.Law6Scale(t) }
func TestD2MLaw7SameBits(t *testing.T)               { reference.Law7SameBits(t) }
func TestD2MLaw9ContactData(t *testing.T)            { reference.Law9ContactData(t) }

func TestSpheresLaw0WellFormed(t *testing.T)      { spheres.Law0WellFormed(t) }
func TestSpheresLaw1SeparateIsProof(t *testing.T) { spheres.Law1SeparateIsProof(t) }
func TestSpheresLaw2SafeBeforeTOI(t *testing.T)   { spheres.Law2SafeBeforeTOI(t) }
func TestSpheresLaw9ContactData(t *testing.T)     { spheres.Law9ContactData(t) }

// FuzzLaws holds answers to the laws, of two bodies and over a mesh: go test ./core/rigid -fuzz
// FuzzLaws.
func FuzzLaws(f *testing.F) {
	for i := range uint64(4) {
		f.Add(i, uint8(3*i), i%2 == 0)
	}
	var m rigids.Method
	f.Fuzz(func(t *testing.T, seed uint64, family uint8, mesh bool) {
		c := rigids.Make(ccdtest.NewRand(seed, 1), rigids.Families[int(family)%len(rigids.Families)], mesh)
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

func TestAdvancementPartingAfterImpact(t *testing.T) { advancement.PartingAfterImpact(t) }

// FuzzContactData holds answers about triangles with small whole coordinates to the laws, law 9
// above all: they touch, slide and lie in one plane as those drawn at random never do. go test
// ./core/rigid -fuzz FuzzContactData.
func FuzzContactData(f *testing.F) {
	f.Add([]byte{0, 0, 0, 8, 0, 0, 0, 8, 0, 1, 1, 4, 3, 1, 8, 1, 3, 8, 0, 0, 0, 0, 0, 252}, uint8(0))
	f.Add([]byte{0, 0, 0, 8, 0, 0, 0, 8, 0, 1, 1, 4, 3, 1, 252, 1, 3, 8, 0, 0, 1, 0, 0, 252, 1, 0, 0, 0, 2, 1},
		uint8(1))
	f.Add([]byte{0, 0, 0, 8, 0, 0, 0, 8, 0, 8, 0, 0, 0, 8, 0, 8, 8, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 8}, uint8(6))
	f.Add([]byte{0, 0, 0, 8, 0, 0, 0, 8, 0, 4, 4, 0, 4, 4, 8, 8, 4, 8, 0, 0, 0, 0, 0, 1}, uint8(8))
	var m rigids.Method
	f.Fuzz(func(t *testing.T, raw []byte, how uint8) {
		c := rigids.FromBytes(raw, how)
		im, err := m.Solve(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range c.Check(&im) {
			t.Errorf("%v\n%v", err, c)
		}
	})
}

// TestWholeCoordinatesLaws0To9 does so with bytes drawn at random, small ones above all.
func TestWholeCoordinatesLaws0To9(t *testing.T) {
	n := 3000
	if testing.Short() {
		n = 600
	}
	var m rigids.Method
	r := ccdtest.NewRand(65, 1)
	count := map[geom.Verdict]int{}
	for range n {
		raw := make([]byte, 24+r.IntN(24))
		most := []int{2, 8, 24}[r.IntN(3)]
		for i := range raw {
			raw[i] = byte((r.IntN(2*most+1) - most) * (8 / min(most, 8)))
		}
		c := rigids.FromBytes(raw, uint8(r.IntN(96)))
		im, err := m.Solve(c)
		if err != nil {
			t.Fatal(err)
		}
		count[im.Verdict]++
		for _, err := range c.Check(&im) {
			t.Errorf("%v\n%v", err, c)
		}
	}
	t.Logf("%v", count)
	if count[geom.Contact] < n/8 || count[geom.Separate] < n/8 {
		t.Errorf("verdicts %v", count)
	}
}

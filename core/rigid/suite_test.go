package rigid_test

import (
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/rigids"
	"ccd/core/rigid"
)

var (
	advancement = rigids.Suite{Method: rigid.Default, Seed: 61}
	d2m         = rigids.Suite{Method: rigid.D2M, Seed: 62, Cases: 6}
)

func TestAdvancementLaw0WellFormed(t *testing.T)      { advancement.Law0WellFormed(t) }
func TestAdvancementLaw1SeparateIsProof(t *testing.T) { advancement.Law1SeparateIsProof(t) }
func TestAdvancementLaw2SafeBeforeTOI(t *testing.T)   { advancement.Law2SafeBeforeTOI(t) }
func TestAdvancementLaw3ContactIsNear(t *testing.T)   { advancement.Law3ContactIsNear(t) }
func TestAdvancementLaw4UndecidedOnlyWhenSpent(t *testing.T) {
	advancement.Law4UndecidedOnlyWhenSpent(t)
}
func TestAdvancementLaw6Scale(t *testing.T)    { advancement.Law6Scale(t) }
func TestAdvancementLaw7SameBits(t *testing.T) { advancement.Law7SameBits(t) }
func TestAdvancementLaw8Start(t *testing.T)    { advancement.Law8Start(t) }

func TestD2MLaw0WellFormed(t *testing.T)             { d2m.Law0WellFormed(t) }
func TestD2MLaw1SeparateIsProof(t *testing.T)        { d2m.Law1SeparateIsProof(t) }
func TestD2MLaw2SafeBeforeTOI(t *testing.T)          { d2m.Law2SafeBeforeTOI(t) }
func TestD2MLaw3ContactIsNear(t *testing.T)          { d2m.Law3ContactIsNear(t) }
func TestD2MLaw4UndecidedOnlyWhenSpent(t *testing.T) { d2m.Law4UndecidedOnlyWhenSpent(t) }
func TestD2MLaw6Scale(t *testing.T)                  { d2m.Law6Scale(t) }
func TestD2MLaw7SameBits(t *testing.T)               { d2m.Law7SameBits(t) }

// FuzzLaws holds answers to the laws, of two bodies and over a mesh: go test ./core/rigid -fuzz FuzzLaws.
func FuzzLaws(f *testing.F) {
	for i := range uint64(4) {
		f.Add(i, uint8(3*i), i%2 == 0)
	}
	var m rigids.Method
	f.Fuzz(func(t *testing.T, seed uint64, family uint8, mesh bool) {
		c := rigids.Make(ccdtest.NewRand(seed, 1), rigids.Families[int(family)%len(rigids.Families)], mesh)
		im, err := m.Ask(c)
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

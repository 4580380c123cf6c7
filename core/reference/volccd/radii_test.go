package volccd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/narrow"
	"ccd/core/volume"
)

// With radii the method finds the contacts of brute force, bit for bit: its boxes and axes take the
// largest separation of the volume.
func TestRadii(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 17))
	contacts := 0
	for i := range ccdtest.VolumeFamilies {
		for seed := range uint64(3) {
			c := ccdtest.NewVolumeCase(&ccdtest.VolumeFamilies[i], seed)
			size := math.Abs(c.X0[0] - c.X0[3])
			radius := make([]float64, c.Volume.NV)
			for j := range radius {
				radius[j] = size * math.Ldexp(r.Float64(), -2-r.IntN(8))
			}
			if err := c.Volume.SetRadii(radius); err != nil {
				t.Fatal(err)
			}
			o := volume.DefaultOptions()
			o.Classes, o.MinSeparation, o.TMax = volume.AllClasses, c.D, c.TMax
			brute := o
			brute.Flags |= narrow.BruteForce
			o.Search = Options{}
			s := volume.New(c.Volume)
			want, err := s.Collisions(c.X0, c.X1, &brute)
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.Collisions(c.X0, c.X1, &o)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("%v: %d contacts, %v; by brute force %d", &c, len(got), err, len(want))
			}
			contacts += len(want)
		}
	}
	if contacts < 500 {
		t.Errorf("only %d contacts", contacts)
	}
}

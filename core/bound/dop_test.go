package bound

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// Law 1: a DOP holds every point that was added, with its box, in exact arithmetic; at any
// magnitude.
func TestDOPLaw1HoldsItsPoints(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	dot := func(s, p *[3]float64) *big.Rat {
		sum := new(big.Rat)
		for k := range 3 {
			sum.Add(sum, new(big.Rat).Mul(new(big.Rat).SetFloat64(s[k]), new(big.Rat).SetFloat64(p[k])))
		}
		return sum
	}
	for range 300 {
		k := []DOP{DOP6, DOP16, DOP18, DOP26}[r.IntN(4)]
		d := make([]float64, k.Len())
		k.Clear(d)
		magnitude := math.Ldexp(1, r.IntN(600)-300)
		radius := 0.0
		if r.IntN(2) == 0 {
			radius = magnitude * math.Ldexp(r.Float64(), -r.IntN(60))
		}
		var points [][3]float64
		for range 5 {
			var p [3]float64
			for j := range p {
				p[j] = magnitude * math.Ldexp(r.NormFloat64(), -r.IntN(60))
			}
			k.Add(d, &p, radius)
			points = append(points, p)
		}
		for _, p := range points {
			for i := range int(k) {
				s := &directions[i]
				reach := dot(&[3]float64{math.Abs(s[0]), math.Abs(s[1]), math.Abs(s[2])},
					&[3]float64{radius, radius, radius})
				x := dot(s, &p)
				if new(big.Rat).Sub(x, reach).Cmp(new(big.Rat).SetFloat64(d[i])) < 0 ||
					new(big.Rat).Add(x, reach).Cmp(new(big.Rat).SetFloat64(-d[int(k)+i])) > 0 {
					t.Fatalf("direction %v: %v, radius %v, is outside [%v, %v]", s, p, radius, d[i], -d[int(k)+i])
				}
			}
		}
	}
}

// Directions tell shapes apart that fewer do not, and touching is meeting.
func TestDOPMeet(t *testing.T) {
	of := func(k DOP, points ...[3]float64) []float64 {
		d := make([]float64, k.Len())
		k.Clear(d)
		for i := range points {
			one := make([]float64, k.Len())
			k.Clear(one)
			k.Add(one, &points[i], 0)
			k.Join(d, one)
		}
		return d
	}
	for i, x := range []struct {
		a, b  [][3]float64
		apart DOP // the first that separates
	}{
		{[][3]float64{{0, 0, 0}}, [][3]float64{{1, 0, 0}}, DOP6},
		{[][3]float64{{0, 0, 0}, {1, 1, 0}}, [][3]float64{{0.75, 0.25, 0}, {0.7, 0.2, 0}}, DOP16},
		{[][3]float64{{0, 0, 0}, {0, 1, 1}}, [][3]float64{{0, 0.75, 0.25}, {0, 0.7, 0.2}}, DOP18},
		{[][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, [][3]float64{{0.4, 0.4, 0.4}}, DOP26},
		{[][3]float64{{0, 0, 0}, {1, 0, 0}}, [][3]float64{{1, 0, 0}, {2, 0, 0}}, DOP26 + 1},
	} {
		for _, k := range []DOP{DOP6, DOP16, DOP18, DOP26} {
			if got := k.Meet(of(k, x.a...), of(k, x.b...)); got != (k < x.apart) {
				t.Errorf("case %d, %d directions: meet is %v", i, k, got)
			}
		}
	}
}

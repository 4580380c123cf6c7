package rigid_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/rigid"
)

// Bodies times a power of two have that times the distance. Down to 2^-240 all of laws B1 to B3
// hold, below that what may not underflow: the bracket, and that zero is contact.
func TestDistanceOfSmallBodies(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	lattice := func(n int) (v []float64) {
		for range n {
			v = append(v, math.Round(r.NormFloat64()*16)/16)
		}
		return v
	}
	var ruler rigid.Ruler
	met, apart := 0, 0
	for range 300 {
		va, vb, xa, xb := lattice(9), lattice(9), lattice(3), lattice(3)
		switch r.IntN(4) {
		case 0:
			copy(va[6:], va[:3])
		case 1:
			for k := range 3 {
				xb[k] = xa[k] + va[k] - vb[k]
			}
		}
		q := quat.Number{Real: 1}
		if r.IntN(2) == 0 {
			q = quat.Number{Real: r.NormFloat64(), Imag: r.NormFloat64(), Kmag: 1}
		}
		at := func(e int) (g rigid.Gap, size float64) {
			s := math.Ldexp(1, e)
			times := func(v []float64) (out []float64) {
				for _, x := range v {
					out = append(out, x*s)
				}
				return out
			}
			a, errA := rigid.NewBody(times(va), [][3]int32{{0, 1, 2}}, 1)
			b, errB := rigid.NewBody(times(vb), [][3]int32{{0, 1, 2}}, 1)
			pa := geom.Pose{Rotation: q, Position: geom.VecOf(times(xa))}
			pb := geom.Pose{Rotation: q, Position: geom.VecOf(times(xb))}
			if errA != nil || errB != nil {
				t.Fatal(errA, errB)
			}
			if err := ruler.Distance(a, &pa, b, &pb, rigid.DistanceOptions{}, &g); err != nil {
				t.Fatal(err)
			}
			return g, s
		}
		want, _ := at(0)
		if want.Flags == rigid.GapIntersecting {
			met++
		} else {
			apart++
		}
		for _, e := range []int{-100, -240, -400, -600, -900, -1000} {
			g, s := at(e)
			if g.Flags != want.Flags || !(g.Lo <= want.Hi*s && g.Hi >= want.Lo*s) || (g.Hi == 0) != (want.Hi == 0) {
				t.Fatalf("times 2^%d: %+v, of %+v", e, g, want)
			}
			if e < -240 {
				continue
			}
			d := geom.Norm(r3.Sub(geom.Scale(1/s, g.PointA), geom.Scale(1/s, g.PointB))) * s
			if !(g.Hi-g.Lo <= 0x1p-33*s && d >= g.Lo-3*g.Epsilon && d <= g.Hi+3*g.Epsilon && g.Epsilon <= 0x1p-30*s) {
				t.Fatalf("times 2^%d: %+v, of %+v: points are %v apart", e, g, want, d)
			}
			if n := geom.Norm(g.Normal); g.Lo > 16*g.Epsilon && !(math.Abs(n-1) < 1e-12) {
				t.Fatalf("times 2^%d: normal of length %v", e, n)
			}
		}
	}
	if met < 20 || apart < 100 {
		t.Fatalf("%d meet, %d are apart", met, apart)
	}
}

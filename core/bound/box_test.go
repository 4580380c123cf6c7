package bound

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
	"ccd/core/num"
)

// magnitudes are those at which roundings go wrong: denormal, tiny, ordinary, huge.
var magnitudes = []float64{5e-324, 1e-310, 1e-160, 1e-6, 1, 1e4, 1e9, 1e140}

func anyDouble(r *rand.Rand) float64 {
	return (2*r.Float64() - 1) * magnitudes[r.IntN(len(magnitudes))]
}

func exact(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

func TestHalfIsEnough(t *testing.T) {
	for _, d := range []float64{0, 5e-324, 1e-323, 1.5e-323, 2e-308, 1e-3, 1, 3, 1e150} {
		r := Half(d)
		if two := new(big.Rat).Add(exact(r), exact(r)); two.Cmp(exact(d)) < 0 {
			t.Errorf("2 Half(%v) = %v", d, two)
		}
		if p := math.Nextafter(r, 0); d > 0 && new(big.Rat).Add(exact(p), exact(p)).Cmp(exact(d)) >= 0 {
			t.Errorf("Half(%v) = %v is not the smallest", d, r)
		}
	}
}

// motion of n random vertices at mixed magnitudes.
func motion(t testing.TB, r *rand.Rand, n int) *geom.Trajectories {
	x0, x1 := make([]float64, 3*n), make([]float64, 3*n)
	for i := range x0 {
		x0[i], x1[i] = anyDouble(r), anyDouble(r)
	}
	mo, err := geom.NewTrajectories(x0, x1)
	if err != nil {
		t.Fatal(err)
	}
	return mo
}

// at is the coordinate k of vertex v at time tm, exactly.
func at(mo *geom.Trajectories, v int32, k int, tm *big.Rat) *big.Rat {
	a, b := exact(mo.Rec[8*int(v)+k]), exact(mo.Rec[8*int(v)+4+k])
	d := new(big.Rat).Sub(b, a)
	return d.Mul(d, tm).Add(d, a)
}

func TestSweptLaw1Contains(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		mo := motion(t, r, 3)
		b := Swept(mo, 0, 1, 2)
		var seenLo, seenHi [3]bool
		for _, num := range []int64{0, 1, 333, 999, 1000} {
			tm := big.NewRat(num, 1000)
			for v := range int32(3) {
				for k := range 3 {
					p := at(mo, v, k, tm)
					if p.Cmp(exact(b.Min[k])) < 0 || p.Cmp(exact(b.Max[k])) > 0 {
						t.Fatalf("vertex %d leaves its box on axis %d at t = %v", v, k, tm)
					}
					seenLo[k] = seenLo[k] || p.Cmp(exact(b.Min[k])) == 0
					seenHi[k] = seenHi[k] || p.Cmp(exact(b.Max[k])) == 0
				}
			}
		}
		for k := range 3 {
			if !seenLo[k] || !seenHi[k] {
				t.Fatalf("the box is not tight on axis %d", k)
			}
		}
	}
}

// Boxes that are exactly d apart, or nearer, overlap when inflated by Half(d), whatever d's size
// beside the coordinates.
func TestInflateLaw2Near(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	near := 0
	for range 20000 {
		a, d := anyDouble(r), math.Abs(anyDouble(r))
		b := num.AddDown(a, d) // the gap b - a is at most d
		if gap := new(big.Rat).Sub(exact(b), exact(a)); gap.Cmp(exact(d)) > 0 || gap.Sign() < 0 {
			continue
		}
		near++
		x := Box{Min: [3]float64{a, 0, 0}, Max: [3]float64{a, 1, 1}}
		y := Box{Min: [3]float64{b, 0, 0}, Max: [3]float64{b, 1, 1}}
		x.Inflate(Half(d))
		y.Inflate(Half(d))
		if !x.Overlaps(&y) || !y.Overlaps(&x) {
			t.Fatalf("%v and %v are within %v, their boxes apart", a, b, d)
		}
	}
	if near < 10000 {
		t.Fatalf("only %d pairs were near", near)
	}
}

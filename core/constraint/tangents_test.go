package constraint

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/status"
)

func ratsOf(x []float64) (out [3]*big.Rat) {
	for k := range out {
		out[k] = new(big.Rat).SetFloat64(x[k])
	}
	return out
}

func dotOf(a, b [3]*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for k := range a {
		sum.Add(sum, new(big.Rat).Mul(a[k], b[k]))
	}
	return sum
}

// checkTangents is law 3 over the rationals. It returns the largest error, in units of 2^-53.
func checkTangents(t testing.TB, normal [3]float64) float64 {
	t.Helper()
	out := make([]float64, 6)
	if err := Tangents(normal[:], out); err != nil {
		t.Fatal(err)
	}
	n, first, second := ratsOf(normal[:]), ratsOf(out[:3]), ratsOf(out[3:])
	square, worst := dotOf(n, n), 0.0
	note := func(what string, x float64) {
		if worst = max(worst, math.Abs(x)); !(math.Abs(x) <= 0x1p-49) {
			t.Fatalf("normal %v, tangents %v: %s is off by %v", normal, out, what, x)
		}
	}
	for _, v := range [][3]*big.Rat{first, second} {
		dot := dotOf(n, v)
		cos, _ := dot.Quo(dot.Mul(dot, dot), square).Float64()
		note("the angle to the normal", math.Sqrt(cos))
		length := dotOf(v, v)
		twice, _ := length.Sub(length, big.NewRat(1, 1)).Float64()
		note("the length", twice/2)
	}
	for _, x := range out {
		if x == 0 && math.Signbit(x) {
			t.Fatalf("normal %v, tangents %v: a component is -0", normal, out)
		}
	}
	between, _ := dotOf(first, second).Float64()
	note("the angle of the tangents", between)
	cross := [3]*big.Rat{}
	for k := range cross {
		i, j := (k+1)%3, (k+2)%3
		cross[k] = new(big.Rat).Sub(new(big.Rat).Mul(first[i], second[j]), new(big.Rat).Mul(first[j], second[i]))
	}
	if dotOf(cross, n).Sign() <= 0 {
		t.Fatalf("normal %v, tangents %v: not right-handed", normal, out)
	}
	return worst * 0x1p53
}

// hostile are normals at which constructions of frames fail: along axes, with tiny components of
// either sign, beside (0, 0, -1), short, long, and with zeros of either sign.
func hostile() (out [][3]float64) {
	zero := math.Copysign(0, -1)
	for _, a := range []float64{0, zero, 1, -1, 5e-324, -5e-324, 1e-320, 1e-160, -1e-160, 1e-17, -1e-17, 1e-8, -1e-8,
		0.5, 1 - 0x1p-53, 1 + 0x1p-52, 1e150, -1e150} {
		for _, b := range []float64{0, zero, 1, -1, 5e-324, 1e-160, -1e-17, 1e-8, 0x1p-26, 0x1p-27, -1e150} {
			for _, c := range []float64{0, zero, 1, -1, -0.7, 5e-324, -5e-324, -1e-160, 1e-17, -1e-9, -1 + 0x1p-53,
				-1 - 0x1p-52, 1e150} {
				if a != 0 || b != 0 || c != 0 {
					out = append(out, [3]float64{a, b, c}, [3]float64{c, a, b}, [3]float64{b, c, a})
				}
			}
		}
	}
	return out
}

func TestTangentsLaw3(t *testing.T) {
	worst := 0.0
	for _, n := range hostile() {
		worst = max(worst, checkTangents(t, n))
	}
	r := ccdtest.NewRand(1, 32)
	for range long.Part(5000, 4) {
		worst = max(worst, checkTangents(t, randomNormal(r)))
	}
	t.Logf("largest error: %.2f x 2^-53", worst)
}

// randomNormal has components of many sizes, or lies beside an axis or a plane.
func randomNormal(r *rand.Rand) (n [3]float64) {
	for k := range n {
		n[k] = math.Ldexp(r.NormFloat64(), -r.IntN(60)*r.IntN(2))
	}
	if r.IntN(2) == 0 {
		length := math.Hypot(math.Hypot(n[0], n[1]), n[2])
		for k := range n {
			n[k] /= length
		}
	}
	return n
}

// The frame has unit vectors of the axes where the normal is one.
func TestTangentsOfAxes(t *testing.T) {
	for _, k := range []struct{ normal, first, second [3]float64 }{
		{[3]float64{0, 0, 1}, [3]float64{1, 0, 0}, [3]float64{0, 1, 0}},
		{[3]float64{0, 0, -1}, [3]float64{1, 0, 0}, [3]float64{0, -1, 0}},
		{[3]float64{1, 0, 0}, [3]float64{0, 0, -1}, [3]float64{0, 1, 0}},
		{[3]float64{0, 2, 0}, [3]float64{1, 0, 0}, [3]float64{0, 0, -1}},
	} {
		if first, second := tangents(&k.normal); first != k.first || second != k.second {
			t.Errorf("%v: %v and %v, want %v and %v", k.normal, first, second, k.first, k.second)
		}
	}
}

func TestTangentsRefuse(t *testing.T) {
	for _, k := range []struct {
		last float64
		kind error
		text string
	}{
		{0, status.ErrArgument, "normals[1] is 0: it has no direction"},
		{math.NaN(), status.ErrNonFinite, "normals[1][2] is NaN: not finite or above 1e150"},
		{-1e151, status.ErrNonFinite, "normals[1][2] is -1e+151: not finite or above 1e150"},
	} {
		out := []float64{7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7}
		err := Tangents([]float64{0, 0, 1, 0, 0, k.last}, out)
		if err == nil || err.Error() != k.text || !errors.Is(err, k.kind) || out[0] != 0 {
			t.Errorf("error %q, tangents %v, want %q", err, out, k.text)
		}
	}
}

// FuzzTangents holds the frame of any normal to law 3.
func FuzzTangents(f *testing.F) {
	f.Add(0.0, 0.0, -1.0)
	f.Add(1e-17, -5e-324, -1.0)
	f.Add(0.6, -0.8, 0.0)
	f.Fuzz(func(t *testing.T, x, y, z float64) {
		n := [3]float64{x, y, z}
		if err := Tangents(n[:], make([]float64, 6)); err == nil {
			checkTangents(t, n)
		}
	})
}

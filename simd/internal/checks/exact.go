package checks

import (
	"encoding/binary"
	"math"
	"math/big"
	"testing"

	"ccd/simd/internal/vec"
)

// Packed returns the bytes of x, the least first.
func Packed(x []float64) (data []byte) {
	for _, v := range x {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
	}
	return data
}

// Wide returns v in double precision.
func Wide(v vec.Vec32) vec.Vec3 { return vec.Vec3{X: float64(v.X), Y: float64(v.Y), Z: float64(v.Z)} }

// MulAdd adds sign times the product of f to s.
func MulAdd(s *big.Rat, sign int64, f ...*big.Rat) {
	p := big.NewRat(sign, 1)
	for _, x := range f {
		p.Mul(p, x)
	}
	s.Add(s, p)
}

// Determinant returns the determinant of three vectors.
func Determinant(a, b, c [3]*big.Rat) *big.Rat {
	s := new(big.Rat)
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		MulAdd(s, 1, a[k], b[i], c[j])
		MulAdd(s, -1, a[k], b[j], c[i])
	}
	return s
}

// Share is |got - want| / bound.
func Share(got float64, want *big.Rat, bound float64) float64 {
	d := new(big.Rat).SetFloat64(got)
	d.Sub(d, want).Abs(d)
	f, _ := d.Quo(d, new(big.Rat).SetFloat64(bound)).Float64()
	return f
}

// WorstShares are the largest errors as shares of their bounds, by name.
type WorstShares map[string]float64

// Note takes a share, which must be at most 1.
func (w WorstShares) Note(t *testing.T, name string, x float64) {
	t.Helper()
	w[name] = max(w[name], x)
	if !(x <= 1) {
		t.Fatalf("%s: error is %g of its bound", name, x)
	}
}

// At returns component k of v.
func At(v vec.Vec3, k int) float64 { return [3]float64{v.X, v.Y, v.Z}[k] }

package geom

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// exactRotation returns the matrix of q/|q| over the rationals.
func exactRotation(q quat.Number) (m [3][3]*big.Rat) {
	var c [4]*big.Rat
	n := new(big.Rat)
	for i, x := range []float64{q.Real, q.Imag, q.Jmag, q.Kmag} {
		c[i] = new(big.Rat).SetFloat64(x)
		n.Add(n, new(big.Rat).Mul(c[i], c[i]))
	}
	prod := func(i, j int) *big.Rat { return new(big.Rat).Mul(c[i], c[j]) }
	for i := range 3 {
		for j := range 3 {
			x := prod(i+1, j+1) // v v^T
			x.Mul(x, big.NewRat(2, 1))
			if i == j {
				x.Add(x, prod(0, 0))
				for k := 1; k < 4; k++ {
					x.Sub(x, prod(k, k))
				}
			} else {
				k := 3 - i - j
				w := new(big.Rat).Mul(big.NewRat(2, 1), prod(0, k+1))
				if (j+1)%3 == i { // the entries below w: +, above: -
					x.Add(x, w)
				} else {
					x.Sub(x, w)
				}
			}
			m[i][j] = x.Quo(x, n)
		}
	}
	return m
}

// TestRotationAgainstRationals measures every entry, and that what is compared with is a rotation.
func TestRotationAgainstRationals(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	worst := 0.0
	for n := range 3000 {
		f := func() float64 { return math.Ldexp(r.NormFloat64(), r.IntN(1+n%40)) }
		q := quat.Number{Real: f(), Imag: f(), Jmag: f(), Kmag: f()}
		q = quat.Scale(math.Ldexp(1, r.IntN(600)-300), q)
		if n%10 == 0 {
			q.Imag = 0
		}
		got, want := Rotation(q), exactRotation(q)
		for i, row := range []r3.Vec{got.X, got.Y, got.Z} {
			for j, x := range []float64{row.X, row.Y, row.Z} {
				e, _ := new(big.Rat).Sub(new(big.Rat).SetFloat64(x), want[i][j]).Float64()
				worst = max(worst, math.Abs(e)/RotationBound)
			}
		}
		v := r3.Vec{X: 1, Y: 2, Z: -3}
		if g := quat.Mul(quat.Mul(q, quat.Number{Imag: v.X, Jmag: v.Y, Kmag: v.Z}), quat.Inv(q)); math.Abs(g.Imag-
			got.Apply(v).X)+
			math.Abs(g.Jmag-got.Apply(v).Y)+math.Abs(g.Kmag-got.Apply(v).Z) > 1e-13 {
			t.Fatalf("q v q^-1 is %v, the matrix gives %v", g, got.Apply(v))
		}
	}
	t.Logf("worst error: %.2f of the bound", worst)
	if worst > 1 || worst < 0.1 {
		t.Errorf("the worst error is %v of the bound", worst)
	}
}

func TestVectorsAgreeWithGonum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	near := func(a, b r3.Vec) bool { return MaxAbs(r3.Sub(a, b)) < 1e-14 }
	for range 100 {
		v := func() r3.Vec { return r3.Vec{X: r.Float64() - 0.5, Y: r.Float64() - 0.5, Z: r.Float64() - 0.5} }
		a, b := v(), v()
		p := quat.Number{Real: r.NormFloat64(), Imag: a.X, Jmag: a.Y, Kmag: a.Z}
		q := quat.Number{Real: r.NormFloat64(), Imag: b.X, Jmag: b.Y, Kmag: b.Z}
		if quat.Abs(quat.Sub(quat.Mul(p, q), Product(p, q))) > 1e-13 {
			t.Fatalf("Product(%v, %v)", p, q)
		}
		m := Rotation(p)
		if !near(m.ApplyTransposed(m.Apply(a)), a) {
			t.Fatalf("the transpose of %v does not undo it", m)
		}
		if math.Abs(Dot(a, b)-r3.Dot(a, b)) > 1e-15 || !near(Cross(a, b), r3.Cross(a, b)) ||
			math.Abs(Norm(a)-r3.Norm(a)) > 1e-15 ||
			!near(Scale(0.3, a), r3.Scale(0.3, a)) || VecOf([]float64{a.X, a.Y, a.Z}) != a {
			t.Fatalf("vectors %v and %v", a, b)
		}
		pose := Pose{Rotation: p, Position: b}
		if !near(pose.Apply(a), r3.Add(b, m.Apply(a))) {
			t.Fatalf("pose %v", pose)
		}
	}
}

package solid

import (
	"math"
	"math/big"
	"math/rand"
	"testing"

	"ccd/simd/internal/vec"
)

// someSpun draws a box and a spin: boxes of all shapes, across the axis or along it, at scales down
// to those at which squares underflow.
func someSpun(r *rand.Rand) (spin vec.Vec3, b placed) {
	scale := math.Ldexp(1, []int{0, 0, 0, -60, -270, 60}[r.Intn(6)])
	size := func() float64 { return scale * math.Ldexp(r.Float64(), -r.Intn(12)) }
	b.x, b.y, b.z = someAxes(r)
	b.h = vec.Vec3{X: size(), Y: size(), Z: size()}
	b.r = math.Sqrt(vec.Dot(b.h, b.h)) * (1 + 0x1p-50)
	if b.r < 0x1p-400 {
		b.r = 0x1p-250
	}
	rate := math.Ldexp(r.NormFloat64(), []int{0, 0, 8, -270}[r.Intn(4)])
	axis := [3]vec.Vec3{b.x, b.y, b.z}[r.Intn(3)]
	switch r.Intn(3) {
	case 0:
		axis, _, _ = someAxes(r)
	case 1:
		axis = vec.Plus(axis, vec.Vec3{X: 1e-3 * r.NormFloat64(), Y: 1e-3 * r.NormFloat64()})
	}
	return vec.Vec3{X: rate * axis.X, Y: rate * axis.Y, Z: rate * axis.Z}, b
}

// mostSpun returns the greatest |W x r| of a box's corners, in rational arithmetic, as a float.
func (b *placed) mostSpun(spin vec.Vec3) float64 {
	rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	three := func(v vec.Vec3) [3]*big.Rat { return [3]*big.Rat{rat(v.X), rat(v.Y), rat(v.Z)} }
	w, axes, h := three(spin), [3][3]*big.Rat{three(b.x), three(b.y), three(b.z)}, three(b.h)
	most := new(big.Rat)
	for corner := range 8 {
		var p [3]*big.Rat
		for i := range p {
			p[i] = new(big.Rat)
			for k := range axes {
				x := new(big.Rat).Mul(axes[k][i], h[k])
				if corner>>k&1 == 1 {
					x.Neg(x)
				}
				p[i].Add(p[i], x)
			}
		}
		square := new(big.Rat)
		for i := range p {
			j, k := (i+1)%3, (i+2)%3
			x := new(big.Rat).Sub(new(big.Rat).Mul(w[j], p[k]), new(big.Rat).Mul(w[k], p[j]))
			square.Add(square, x.Mul(x, x))
		}
		if square.Cmp(most) > 0 {
			most = square
		}
	}
	f := new(big.Float).SetPrec(400).SetRat(most)
	x, _ := f.Sqrt(f).Float64()
	return x
}

// TestSpunIsABound: no corner of a box goes faster about its center than spun, up to what rounded
// axes add, and one of them goes as fast but for the margin.
func TestSpunIsABound(t *testing.T) {
	r := rand.New(rand.NewSource(73))
	tight, less := 0, 0
	for n := range 500 {
		w, b := someSpun(r)
		rate := math.Sqrt(vec.Dot(w, w)) * (1 + 0x1p-50)
		if rate < 0x1p-400 {
			l := max(math.Abs(w.X), math.Abs(w.Y), math.Abs(w.Z))
			u := vec.Vec3{X: w.X / l, Y: w.Y / l, Z: w.Z / l}
			rate = l * math.Sqrt(vec.Dot(u, u)) * (1 + 0x1p-50)
		}
		got, want := spun(w, rate, &b), b.mostSpun(w)
		if got < want*(1-0x1p-48) || got > rate*b.r {
			t.Fatalf("case %d: corners go at %v, the bound is %v, that of the ball %v", n, want, got, rate*b.r)
		}
		if got <= want+0x1p-21*rate*b.r+0x1p-499 {
			tight++
		}
		if got < 0.1*rate*b.r {
			less++
		}
	}
	t.Logf("%d of 500 bounds are tight, %d a tenth of the ball's", tight, less)
	if tight < 495 || less < 10 {
		t.Error("the bound is not the corners'")
	}
}

func FuzzSpun(f *testing.F) {
	for seed := range int64(20) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed int64) {
		r := rand.New(rand.NewSource(seed))
		w, b := someSpun(r)
		l := max(math.Abs(w.X), math.Abs(w.Y), math.Abs(w.Z), 0x1p-1000)
		u := vec.Vec3{X: w.X / l, Y: w.Y / l, Z: w.Z / l}
		rate := l * math.Sqrt(vec.Dot(u, u)) * (1 + 0x1p-50)
		if got, want := spun(w, rate, &b), b.mostSpun(w); got < want*(1-0x1p-48) {
			t.Fatalf("corners go at %v, the bound is %v", want, got)
		}
	})
}

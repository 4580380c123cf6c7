package penetration_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/penetration"
	"ccd/core/rigid"
)

// ofCells is a pair of bodies made of unit cells, both turned by one rotation.
type ofCells struct {
	cells [2][][3]int
	turn  quat.Number
	at    [2]r3.Vec
}

func cellsFrom(rnd *rand.Rand, size, far float64) (p ofCells) {
	p.cells = [2][][3]int{cellsOf(rnd, 1+rnd.IntN(5)), cellsOf(rnd, 3+rnd.IntN(8))}
	part := func() float64 { return float64(rnd.IntN(33)-16) / 8 }
	p.turn = quat.Number{Real: 1}
	if rnd.IntN(3) > 0 {
		p.turn = quat.Number{Real: part(), Imag: part(), Jmag: part(), Kmag: 1}
	}
	p.at[1] = r3.Vec{X: part() * far, Y: part() * far, Z: part() * far}
	p.at[0] = r3.Add(p.at[1], r3.Vec{X: part() * size, Y: part() * size, Z: part() * size})
	return p
}

// bodies returns the bodies, whose cells are of a size, and their poses.
func (p *ofCells) bodies(size float64) (b [2]*rigid.Body, poses [2]geom.Pose) {
	for i := range b {
		x, faces := grid(p.cells[i]...)
		for k := range x {
			x[k] *= size
		}
		b[i] = must(rigid.NewBody(x, faces, 1))
		poses[i] = geom.Pose{Rotation: p.turn, Position: p.at[i]}
	}
	return b, poses
}

// apart reports in rational arithmetic whether the bodies share no point after a translation of A:
// as the bodies see it, each cell of A is beyond a side of each of B.
func (p *ofCells) apart(t r3.Vec, size float64) bool {
	square, rows := rigid.RotationInIntegers(p.turn)
	way := func(v r3.Vec) (out [3]*big.Rat) {
		for k, x := range [3]float64{v.X, v.Y, v.Z} {
			out[k] = rat(x)
		}
		return out
	}
	a, b, moved := way(p.at[0]), way(p.at[1]), way(t)
	var d [3]*big.Rat
	for k := range d { // The rows of the inverse rotation are the columns of this one.
		d[k] = new(big.Rat)
		for j := range 3 {
			x := new(big.Rat).Add(a[j], moved[j])
			x.Sub(x, b[j])
			d[k].Add(d[k], x.Mul(x, new(big.Rat).SetInt(rows[j][k])))
		}
		d[k].Quo(d[k], new(big.Rat).Mul(new(big.Rat).SetInt(square), rat(size)))
	}
	one := big.NewRat(1, 1)
	for _, c := range p.cells[0] {
		for _, e := range p.cells[1] {
			beyond := false
			for k := range 3 {
				x := new(big.Rat).Add(d[k], big.NewRat(int64(c[k]-e[k]), 1))
				beyond = beyond || x.Abs(x).Cmp(one) > 0
			}
			if !beyond {
				return false
			}
		}
	}
	return true
}

// holdSurfaces holds the depth of a pair to laws W2 and W4.
func holdSurfaces(t *testing.T, rnd *rand.Rand, size, far float64) {
	t.Helper()
	p := cellsFrom(rnd, size, far)
	b, poses := p.bodies(size)
	var s penetration.Solver
	var d penetration.Depth
	if err := s.Depth(b[0], &poses[0], b[1], &poses[1], rigid.DistanceOptions{}, &d); err != nil {
		t.Fatal(err)
	}
	if d.Hi == 0 {
		if d.Flags&penetration.UpperBound != 0 {
			t.Errorf("%+v: no depth, but an upper bound: %+v", p, d)
		}
		return
	}
	length2 := new(big.Rat)
	for _, x := range [3]float64{d.Translation.X, d.Translation.Y, d.Translation.Z} {
		length2.Add(length2, new(big.Rat).Mul(rat(x), rat(x)))
	}
	if hi := rat(d.Hi); length2.Cmp(hi.Mul(hi, hi)) > 0 || !p.apart(d.Translation, size) {
		t.Errorf("size %v, %+v: not apart after %+v", size, p, d)
	}
	if gap := r3.Sub(r3.Add(d.PointA, d.Translation), d.PointB); !(geom.Norm(gap) <= d.Epsilon*(1+1e-6)) {
		t.Errorf("size %v, %+v: the deepest points are %v apart: %+v", size, p, geom.Norm(gap), d)
	}
}

// Laws W2 and W4 of bodies that are not convex, of all sizes, turned, and far from the origin,
// against rational arithmetic.
func TestDepthOfSurfacesLaws(t *testing.T) {
	rnd := rand.New(rand.NewPCG(51, 79))
	for range long.Part(300, 10) {
		for _, size := range [...]float64{1, 0x1p-40, 0x1p-160, 0x1p60} {
			holdSurfaces(t, rnd, size, math.Ldexp(size, 4*rnd.IntN(10)))
		}
	}
}

// FuzzSurfaces: laws W2 and W4 of bodies of cells, against rational arithmetic.
func FuzzSurfaces(f *testing.F) {
	f.Add(uint64(1), uint64(2), int8(0), uint8(3))
	f.Add(uint64(7), uint64(11), int8(-90), uint8(30))
	f.Fuzz(func(t *testing.T, seed, stream uint64, exponent int8, far uint8) {
		size := math.Ldexp(1, int(exponent))
		holdSurfaces(t, rand.New(rand.NewPCG(seed, stream)), size, math.Ldexp(size, int(far%48)))
	})
}

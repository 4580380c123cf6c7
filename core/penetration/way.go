package penetration

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
)

// wide is the precision of floats that hold products of doubles and integers of corners. What they
// round is far below leastWay.
const wide = 512

// leastWay, times the size of the bodies, is by how much a way out is longer than it need be: more
// than floats of the precision wide round. What is left of it is 0 beside a double.
const leastWay = 0x1p-400

// direction is a vector in integers, times 2^unit, and a vector along it in floats, off by
// rounding.
type direction struct {
	whole num.IntVec
	unit  int
	n     r3.Vec
}

// along returns the direction of a vector of doubles.
func along(n r3.Vec) direction {
	var whole [1]num.IntVec
	unit, _ := num.IntVecs([]float64{n.X, n.Y, n.Z}, whole[:])
	return direction{whole[0], unit, n}
}

// times returns the product with a vector of floats.
func (d *direction) times(v r3.Vec) *big.Float {
	sum := new(big.Float).SetPrec(wide)
	for k, x := range [3]float64{v.X, v.Y, v.Z} {
		y := new(big.Float).SetPrec(wide).SetInt(d.whole[k])
		sum.Add(sum, y.Mul(y, new(big.Float).SetFloat64(x)))
	}
	return sum.SetMantExp(sum, d.unit)
}

// length returns the length.
func (d *direction) length() *big.Float {
	x := new(big.Float).SetPrec(wide).SetInt(d.whole.Dot(d.whole))
	x.Sqrt(x)
	return x.SetMantExp(x, d.unit)
}

// way returns a translation of A along m, in the world, after which the two bodies, the hulls of
// their corners with radii, share no point; 0 if m parts them as they are, or they only touch
// there.
//
// Let h be the greatest product of m with a corner of C, and r the sum of the radii. m.T > h + r
// |m| puts A's body on one side of a plane and B's on the other, whatever m is.
func (d *difference) way(m direction, ra, rb float64) r3.Vec {
	length := m.length()
	need := new(big.Float).SetPrec(wide).SetFloat64(ra)
	need.Add(need, new(big.Float).SetPrec(wide).SetFloat64(rb))
	need.Mul(need, length)
	need.Add(need, d.reach(&m))
	if need.Sign() <= 0 {
		return r3.Vec{}
	}
	more := new(big.Float).SetMantExp(length, d.exponent)
	need.Add(need, more.Mul(more, big.NewFloat(leastWay)))
	s, _ := new(big.Float).SetPrec(wide).Quo(need, m.times(m.n)).Float64()
	for {
		t := geom.Scale(s, m.n)
		if m.times(t).Cmp(need) > 0 {
			return t
		}
		s = num.Up(s)
	}
}

// reach returns the greatest product of a direction with a corner of C: exactly, but for its
// rounding to the precision wide. The products in floats of the corners of a body err by less than
// (12 sqrt(3) + 4) u |n|, the rounding of n itself included: so those that may be the farthest are
// within 96u |n| of the greatest.
func (d *difference) reach(m *direction) *big.Float {
	_, e := math.Frexp(geom.MaxAbs(m.n))
	n := r3.Vec{X: math.Ldexp(m.n.X, -e), Y: math.Ldexp(m.n.Y, -e), Z: math.Ldexp(m.n.Z, -e)}
	off := float64(96*u*geom.Norm(n)) + 0x1p-140
	var top [2]*big.Int
	for side, b := range [2]*placed{&d.a, &d.b} {
		sign := float64(2*side - 1)
		_, most := b.far(n, sign)
		for i := range b.at {
			if float64(sign*(most-geom.Dot(n, b.at[i]))) > off {
				continue
			}
			if x := m.whole.Dot(d.exactOf(side, int32(i))); top[side] == nil || x.Cmp(top[side]) == 2*side-1 {
				top[side] = x
			}
		}
	}
	h := new(big.Float).SetPrec(wide).SetInt(new(big.Int).Sub(top[1], top[0]))
	h.Quo(h, new(big.Float).SetPrec(wide).SetInt(d.scale))
	return h.SetMantExp(h, m.unit+d.unit)
}

// lengthUp returns a double not below the length of v, for lengths from 1e-300 on.
func lengthUp(v r3.Vec) float64 {
	size := geom.MaxAbs(v)
	if size == 0 {
		return 0
	}
	_, e := math.Frexp(size)
	x, y, z := math.Ldexp(v.X, -e), math.Ldexp(v.Y, -e), math.Ldexp(v.Z, -e)
	sum := num.AddUp(num.AddUp(num.MulUp(x, x), num.MulUp(y, y)), num.MulUp(z, z))
	return math.Ldexp(num.SqrtUp(sum), e)
}

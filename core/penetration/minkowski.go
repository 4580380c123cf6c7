package penetration

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/rigid"
)

// u is the rounding unit.
const u = 0x1p-53

// difference is the set C of a point of B less one of A, for the hulls of the corners of two bodies
// at poses.
//
// Floats are in a unit of 2^exponent, in which the corners of A about its origin, those of B about
// its own, and the way between the origins have lengths that add up to less than 1/2. Integers are
// in units of 2^unit over scale.
type difference struct {
	exponent int
	a, b     placed
	apart    r3.Vec // the way from A's origin to B's, scaled

	poses [2]*geom.Pose
	known bool // The integers are known.
	scale *big.Int
	unit  int
	turn  [2][3]num.IntVec
	shift num.IntVec // the way between the origins, times the scale
}

// placed is the corners of one body, turned, about A's origin.
type placed struct {
	own   []r3.Vec // The coordinates are those of the body.
	at    []r3.Vec // scaled
	exact []num.IntVec
}

// corner is a difference of two corners: that of B with the number b, less that of A.
type corner struct {
	a, b int32
	at   r3.Vec
}

// set places the corners. A component of a corner of a body, and of a corner of C, errs by less
// than 12u, which the bounds of products with them are derived from.
//
// Let ra and rb be the radii, x the way between the origins: ra + rb + |x| < 1/2. The entries of a
// rotation err by 9u, three products of a row and a point in all by 9 sqrt(3) u r < 15.6u r, and
// their rounding by 3 sqrt(3) u r < 5.2u r: 20.8u r, and 20.8u (ra + rb) < 10.4u for both. The way
// between the origins rounds by u |x|, its sum with a corner of B by u (rb + |x|), the difference
// by u/2: less than 1.5u. Scaling is exact but below 2^-1022. So corners of bodies err by 11.4u,
// and differences by 11.9u.
func (d *difference) set(a []r3.Vec, ra float64, pa *geom.Pose, b []r3.Vec, rb float64, pb *geom.Pose) {
	x := r3.Sub(pb.Position, pa.Position)
	_, d.exponent = math.Frexp(2 * (ra + rb + geom.Norm(x)) * (1 + 0x1p-40))
	d.poses, d.known = [2]*geom.Pose{pa, pb}, false
	d.apart = d.scaled(x)
	d.a.set(a, geom.Rotation(pa.Rotation), -d.exponent, r3.Vec{})
	d.b.set(b, geom.Rotation(pb.Rotation), -d.exponent, d.apart)
}

func (d *difference) scaled(v r3.Vec) r3.Vec {
	return r3.Vec{X: math.Ldexp(v.X, -d.exponent), Y: math.Ldexp(v.Y, -d.exponent), Z: math.Ldexp(v.Z, -d.exponent)}
}

func (p *placed) set(own []r3.Vec, turn geom.Mat, exponent int, shift r3.Vec) {
	p.own, p.at, p.exact = own, p.at[:0], p.exact[:0]
	s := math.Ldexp(1, exponent)
	for _, v := range own {
		p.at = append(p.at, r3.Add(turn.Apply(geom.Scale(s, v)), shift))
	}
}

// far returns the corner whose product with n is the greatest, for sign 1, or the least, for -1.
func (p *placed) far(n r3.Vec, sign float64) (at int32, most float64) {
	most = math.Inf(-1)
	for i := range p.at {
		if x := float64(sign * geom.Dot(n, p.at[i])); x > most {
			at, most = int32(i), x
		}
	}
	return at, float64(sign * most)
}

// support returns the corner of C that is the farthest along n, in floats.
func (d *difference) support(n r3.Vec) corner {
	a, _ := d.a.far(n, -1)
	b, _ := d.b.far(n, 1)
	return d.corner(a, b)
}

func (d *difference) corner(a, b int32) corner {
	return corner{a, b, r3.Sub(d.b.at[b], d.a.at[a])}
}

// load computes the rotations in integers, and the unit.
func (d *difference) load() {
	if d.known {
		return
	}
	d.known = true
	na, rowsA := rigid.RotationInIntegers(d.poses[0].Rotation)
	nb, rowsB := rigid.RotationInIntegers(d.poses[1].Rotation)
	d.scale = new(big.Int).Mul(na, nb)
	for i := range 3 {
		for j := range 3 {
			rowsA[i][j].Mul(rowsA[i][j], nb)
			rowsB[i][j].Mul(rowsB[i][j], na)
		}
	}
	d.turn = [2][3]num.IntVec{rowsA, rowsB}
	d.unit = math.MaxInt32
	for _, list := range [...][]r3.Vec{d.a.own, d.b.own, {d.poses[0].Position, d.poses[1].Position}} {
		for _, v := range list {
			for _, x := range [3]float64{v.X, v.Y, v.Z} {
				if m, e := num.OddPart(x); m != 0 {
					d.unit = min(d.unit, e)
				}
			}
		}
	}
	if d.unit == math.MaxInt32 {
		d.unit = 0
	}
	d.shift = d.integers(d.poses[1].Position).Minus(d.integers(d.poses[0].Position))
	for _, x := range d.shift {
		x.Mul(x, d.scale)
	}
	for _, p := range [2]*placed{&d.a, &d.b} {
		p.exact = append(p.exact[:0], make([]num.IntVec, len(p.own))...)
	}
}

// integers returns a vector in the unit.
func (d *difference) integers(v r3.Vec) (out num.IntVec) {
	for k, x := range [3]float64{v.X, v.Y, v.Z} {
		m, e := num.OddPart(x)
		out[k] = big.NewInt(m)
		if m != 0 {
			out[k].Lsh(out[k], uint(e-d.unit))
		}
	}
	return out
}

// exactOf returns where a corner of a body, 0 for A, is about A's origin, in integers.
func (d *difference) exactOf(side int, i int32) num.IntVec {
	d.load()
	p := [2]*placed{&d.a, &d.b}[side]
	if p.exact[i][0] == nil {
		v := d.integers(p.own[i])
		for k := range 3 {
			p.exact[i][k] = d.turn[side][k].Dot(v)
			if side == 1 {
				p.exact[i][k].Add(p.exact[i][k], d.shift[k])
			}
		}
	}
	return p.exact[i]
}

// exact returns a corner of C in integers.
func (d *difference) exact(c corner) num.IntVec { return d.exactOf(1, c.b).Minus(d.exactOf(0, c.a)) }

// rank returns the number of dimensions of C: exactly, from the differences with two corners fixed.
// axes are as many directions that span it.
func (d *difference) rank() (n int, axes [3]num.IntVec) {
	add := func(e num.IntVec) {
		switch n {
		case 0:
			if isZero(e) {
				return
			}
		case 1:
			if isZero(axes[0].Cross(e)) {
				return
			}
		case 2:
			if axes[0].Cross(axes[1]).Dot(e).Sign() == 0 {
				return
			}
		default:
			return
		}
		axes[n] = e
		n++
	}
	for side, p := range [2]*placed{&d.a, &d.b} {
		for i := range p.own {
			if n < 3 && i > 0 {
				add(d.exactOf(side, int32(i)).Minus(d.exactOf(side, 0)))
			}
		}
	}
	return n, axes
}

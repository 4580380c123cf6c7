package penetration

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
)

// facet is a triangle of the polytope, seen from outside counterclockwise.
type facet struct {
	v      [3]int32
	next   [3]int32 // the facet beyond the edge from v[i] to v[i+1]
	n      r3.Vec   // the product of two edges, scaled
	length float64  // the length of n
	off    float64  // how far n may be from the exact product
	// The distance of the plane from the origin, scaled, is in [lo, hi]: below 0 the origin is
	// beyond it.
	lo, hi float64
	sharp  bool // lo and hi are from integers
	gone   bool
	mark   int32
	exact  *plane // the plane in integers, once known
}

// plane is N.x = c in integers: N in units of 2^(2 unit) over scale^2.
type plane struct {
	n num.IntVec
	c *big.Int
}

// slack covers the roundings of bounds themselves, relatively.
const slack = 1 + 0x1p-40

// describe computes the plane of a facet in floats, or where these tell little in integers.
//
// Corners err by 12u on an axis and are shorter than 1/2, so an edge e, of length at most 1, errs
// by 24u + u/2 |e| < 25u. A product of two edges errs, on an axis, by 25u times four components,
// whose magnitudes add up to at most sqrt(2) (|e1| + |e2|), and rounds by 3u |e1| |e2|: as a vector
// by less than 62u (|e1| + |e2|) + 6u |e1| |e2| < 65u (|e1| + |e2|), and (25u)^2 terms. 128u and
// 2^-90 are more than that.
//
// The product n.v with a corner v errs by off |v| <= off / 2, by 12 sqrt(3) u < 21u of |n|, and
// rounds by 3u |n| |v|: off / 2 + 32u |n| is more. So does its quotient by |n|, whose length may
// differ from the exact one by off and rounds by 3u.
func (p *polytope) describe(f *facet) {
	a, b, c := p.v[f.v[0]].at, p.v[f.v[1]].at, p.v[f.v[2]].at
	e1, e2 := r3.Sub(b, a), r3.Sub(c, a)
	f.n = geom.Cross(e1, e2)
	f.length = geom.Norm(f.n)
	f.off = float64(128*u*(geom.Norm(e1)+geom.Norm(e2))*slack) + 0x1p-90
	if f.off > f.length*0x1p-12 {
		f.lo, f.hi, f.sharp = p.distance(f)
		return
	}
	d := geom.Dot(f.n, a) / f.length
	err := float64((float64(0.5*f.off) + float64(32*u*f.length) + float64(math.Abs(d)*(f.off+float64(4*u*f.length)))) /
		(f.length - f.off) * slack)
	f.lo, f.hi = d-err, d+err
	if f.lo, f.hi = num.Down(f.lo), num.Up(f.hi); f.hi-f.lo > 0x1p-30 {
		f.lo, f.hi, f.sharp = p.distance(f)
	}
}

// plane returns the plane of a facet in integers.
func (p *polytope) plane(f *facet) *plane {
	if f.exact == nil {
		p.integers++
		a := p.d.exact(p.v[f.v[0]])
		n := p.d.exact(p.v[f.v[1]]).Minus(a).Cross(p.d.exact(p.v[f.v[2]]).Minus(a))
		f.exact = &plane{n, n.Dot(a)}
	}
	return f.exact
}

// precision is that of floats which stand for quotients and roots of integers.
const precision = 192

// distance encloses the distance of a facet's plane from the origin, scaled, from integers: it errs
// by less than 2^-51 of itself, and 2^-900.
func (p *polytope) distance(f *facet) (lo, hi float64, sharp bool) {
	e := p.plane(f)
	square := new(big.Float).SetPrec(precision).SetInt(e.n.Dot(e.n))
	d := new(big.Float).SetPrec(precision).SetInt(e.c)
	d.Quo(d, square.Sqrt(square))
	d.Quo(d, new(big.Float).SetPrec(precision).SetInt(p.d.scale))
	x, _ := d.SetMantExp(d, p.d.unit-p.d.exponent).Float64()
	if e.c.Sign() == 0 {
		return 0, 0, true
	}
	lo, hi = num.Down(x), num.Up(x)
	if e.c.Sign() > 0 {
		return max(lo, 0), hi, true
	}
	return lo, min(hi, 0), true
}

// normal returns the direction of a facet's normal, in floats a unit: that of the plane, whichever
// three corners it has.
func (p *polytope) normal(f *facet) direction { return toward(p.plane(f).n) }

// toward returns the direction of an integer vector other than 0, in floats a unit.
func toward(n num.IntVec) direction { return direction{n, 0, unitOf(n)} }

// unitOf returns the unit vector along an integer vector other than 0, each component rounded once
// but for 2^-180 of it.
func unitOf(n num.IntVec) r3.Vec {
	length := new(big.Float).SetPrec(precision).SetInt(n.Dot(n))
	length.Sqrt(length)
	var out [3]float64
	for k := range out {
		x := new(big.Float).SetPrec(precision).SetInt(n[k])
		out[k], _ = x.Quo(x, length).Float64()
		out[k] += 0 // No -0.
	}
	return geom.VecOf(out[:])
}

// side returns on which side of a facet's plane a corner is: 1 beyond it, 0 in it.
//
// The way from a corner of the facet to it, of length l <= 1, errs by 25 sqrt(3) u < 44u. Its
// product with n errs by off l, 44u |n|, and rounds by 3u |n| l.
func (p *polytope) side(f *facet, c corner) int {
	w := r3.Sub(c.at, p.v[f.v[0]].at)
	s := geom.Dot(f.n, w)
	if bound := float64((float64(f.off*geom.Norm(w))+float64(64*u*f.length))*slack) + 0x1p-140; s > bound {
		return 1
	} else if s < -bound {
		return -1
	}
	for _, v := range f.v {
		if p.v[v].a == c.a && p.v[v].b == c.b {
			return 0
		}
	}
	e := p.plane(f)
	return e.n.Dot(p.d.exact(c)).Cmp(e.c)
}

// beyond returns a corner of C that is strictly beyond a facet, the farthest in floats or exactly;
// ok is false if there is none: then the facet lies in the border of C.
//
// A product of n with a corner of a body, which is shorter than 1/2, errs by off / 2, by 12 sqrt(3)
// u |n| and 2u |n|: those of two by less than off + 64u |n|, and only corners so near to the
// greatest can be the exactly farthest.
func (p *polytope) beyond(f *facet) (c corner, ok bool) {
	if c = p.d.support(f.n); p.side(f, c) > 0 {
		return c, true
	}
	off := float64((f.off+float64(64*u*f.length))*slack) + 0x1p-140
	e := p.plane(f)
	best := [2]int32{}
	for side, b := range [2]*placed{&p.d.a, &p.d.b} {
		sign := float64(2*side - 1)
		_, most := b.far(f.n, sign)
		var top *big.Int
		for i := range b.at {
			if float64(sign*(most-geom.Dot(f.n, b.at[i]))) > off {
				continue
			}
			x := e.n.Dot(p.d.exactOf(side, int32(i)))
			if top == nil || x.Cmp(top) == 2*side-1 {
				top, best[side] = x, int32(i)
			}
		}
	}
	c = p.d.corner(best[0], best[1])
	return c, e.n.Dot(p.d.exact(c)).Cmp(e.c) > 0
}

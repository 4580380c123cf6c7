package overlap

import (
	"math"
	"math/big"

	"ccd/core/contain"
	"ccd/core/engine"
	"ccd/core/geom"
)

// sidesMost is the most sides of planes that are computed in the search for one that separates.
const sidesMost = 20_000_000

// separated reports whether the plane of a triangle of one solid has the two on different sides:
// closed ones, so the solids may touch it. All signs are exact.
//
// A solid is in the hull of its corners; so two on different sides have no inner point in common.
func (m *measure) separated() bool {
	same := contain.Identity()
	a, b := cornersOf(m.a, m.ab), cornersOf(m.b, &same)
	left := work{sidesMost, &m.c.Progress}
	for _, s := range [2]*corners{a, b} {
		for i := 0; i+2 < len(s.at); i += 3 {
			if left.sides < 0 {
				return false
			}
			p := s.plane(i)
			// Most planes have a corner of each solid on one side.
			if one, other := a.first(p, &left), b.first(p, &left); one == 0 || one != -other {
				continue
			}
			if a.side(p, &left) != mixed && b.side(p, &left) != mixed {
				return true
			}
		}
	}
	return false
}

// work is what is left of a search, and where its call may be cancelled.
type work struct {
	sides    int
	progress *engine.Progress
}

// take takes a side, and looks from time to time whether the call was cancelled: then nothing is
// left.
func (w *work) take() {
	if w.sides--; w.sides%64 == 0 && !w.progress.Pass(0) {
		w.sides = -1
	}
}

// corners are those of a solid's triangles, three each.
type corners struct {
	at  []contain.Point
	rat []*contain.Rational // what Exact returned
}

func cornersOf(s *contain.Solid, by *contain.Placement) *corners {
	tri := s.Triangles()
	c := &corners{at: make([]contain.Point, 3*len(tri)), rat: make([]*contain.Rational, 3*len(tri))}
	for i := range tri {
		for k := range tri[i] {
			c.at[3*i+k] = by.Point(&tri[i][k])
		}
	}
	return c
}

// exactly returns a corner in rational numbers.
func (c *corners) exactly(i int) *contain.Rational {
	if c.rat[i] == nil {
		if p := &c.at[i]; p.Err != 0 {
			c.rat[i] = p.Exact()
		} else {
			r := new(contain.Rational)
			for k, x := range p.At {
				r[k] = new(big.Rat).SetFloat64(x)
			}
			c.rat[i] = r
		}
	}
	return c.rat[i]
}

// plane is one through three corners.
type plane struct {
	of    *corners
	i     int // the first of the corners
	n     geom.Vec
	exact *contain.Rational // the normal, or nil
}

func (c *corners) plane(i int) *plane {
	p := &plane{of: c, i: i}
	u, w := geom.Sub3(&c.at[i+1].At, &c.at[i].At), geom.Sub3(&c.at[i+2].At, &c.at[i].At)
	p.n = geom.Cross3(&u, &w)
	return p
}

// mixed says that points are on both sides.
const mixed = 2

// side returns on which side of a plane all corners are, or on it: 1, -1, or 0 where all are on the
// plane.
func (c *corners) side(p *plane, left *work) (side int) {
	stride := engine.Stride(len(c.at))
	for i, n := 0, 0; n < len(c.at) && left.sides >= 0; n++ {
		s := p.sideOf(c, i)
		left.take()
		if s != 0 {
			if side == -s {
				return mixed
			}
			side = s
		}
		if i += stride; i >= len(c.at) {
			i -= len(c.at)
		}
	}
	if left.sides < 0 {
		return mixed
	}
	return side
}

// first returns the side of a corner that is not on the plane: of the first that is found.
func (c *corners) first(p *plane, left *work) (side int) {
	for i := 0; i < len(c.at) && side == 0 && left.sides >= 0; i++ {
		side = p.sideOf(c, i)
		left.take()
	}
	return side
}

// sideOf returns on which side of the plane a corner is.
//
// In floats, the components of the differences u, w and d err by e, twice the errors of the points
// and a rounding of 2^-53 of themselves. The determinant has six terms of three factors; with q the
// sum of the products of the magnitudes, each increased by its error, and p that without, it errs
// by q - p, and by 16 roundings of q.
func (p *plane) sideOf(c *corners, i int) int {
	o, x := &p.of.at[p.i], &c.at[i]
	d := geom.Sub3(&x.At, &o.At)
	det := geom.Dot3(&p.n, &d)
	u, w := geom.Sub3(&p.of.at[p.i+1].At, &o.At), geom.Sub3(&p.of.at[p.i+2].At, &o.At)
	e := [3]float64{2 * o.Err, 2 * o.Err, x.Err + o.Err}
	var q, r float64
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		r += float64(math.Abs(d[k]) * (float64(math.Abs(u[i])*math.Abs(w[j])) + float64(math.Abs(u[j])*math.Abs(w[i]))))
		s := float64((math.Abs(u[i])+e[0])*(math.Abs(w[j])+e[1])) + float64((math.Abs(u[j])+e[0])*(math.Abs(w[i])+e[1]))
		q += float64((math.Abs(d[k]) + e[2]) * s)
	}
	bound := (q - r) + float64(64*0x1p-53*q) + 0x1p-560
	switch {
	case det > bound:
		return 1
	case det < -bound:
		return -1
	}
	a := p.of.exactly(p.i)
	if p.exact == nil {
		p.exact = cross(minus(p.of.exactly(p.i+1), a), minus(p.of.exactly(p.i+2), a))
	}
	y := minus(c.exactly(i), a)
	sum := new(big.Rat)
	for k := range y {
		sum.Add(sum, y[k].Mul(y[k], p.exact[k]))
	}
	return sum.Sign()
}

func minus(a, b *contain.Rational) *contain.Rational {
	var c contain.Rational
	for k := range c {
		c[k] = new(big.Rat).Sub(a[k], b[k])
	}
	return &c
}

func cross(a, b *contain.Rational) *contain.Rational {
	var c contain.Rational
	for k := range c {
		i, j := (k+1)%3, (k+2)%3
		c[k] = new(big.Rat).Mul(a[i], b[j])
		c[k].Sub(c[k], new(big.Rat).Mul(a[j], b[i]))
	}
	return &c
}

package overlap

import (
	"math/big"
	"math/rand/v2"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/geom"
)

// point is a point with rational coordinates.
type point [3]*big.Rat

func pointOf(p r3.Vec) (q point) {
	for k, x := range [3]float64{p.X, p.Y, p.Z} {
		q[k] = new(big.Rat).SetFloat64(x)
	}
	return q
}

// tetrahedron is one with rational corners.
type tetrahedron [4]point

// six returns six times the signed volume.
func (t *tetrahedron) six() *big.Rat {
	var d [3]point
	for i := range d {
		for k := range d[i] {
			d[i][k] = new(big.Rat).Sub(t[i+1][k], t[0][k])
		}
	}
	sum := new(big.Rat)
	for _, o := range [6][4]int{{0, 1, 2, 1}, {1, 2, 0, 1}, {2, 0, 1, 1}, {0, 2, 1, -1}, {1, 0, 2, -1}, {2, 1, 0, -1}} {
		x := new(big.Rat).Mul(d[0][o[0]], d[1][o[1]])
		x.Mul(x, d[2][o[2]])
		sum.Add(sum, x.Mul(x, big.NewRat(int64(o[3]), 1)))
	}
	return sum
}

// clipped returns the part of a tetrahedron on the side of a plane, through a, b and c, on which d
// is, as tetrahedra that share no inner point.
func (t *tetrahedron) clipped(a, b, c, d point) (out []tetrahedron) {
	side := (&tetrahedron{a, b, c, d}).six()
	var in, off []int
	var h [4]*big.Rat
	for i := range t {
		h[i] = (&tetrahedron{a, b, c, t[i]}).six()
		h[i].Mul(h[i], side)
		if h[i].Sign() >= 0 {
			in = append(in, i)
		} else {
			off = append(off, i)
		}
	}
	cut := func(i, j int) (p point) {
		s := new(big.Rat).Quo(h[i], new(big.Rat).Sub(h[i], h[j]))
		for k := range p {
			p[k] = new(big.Rat).Sub(t[j][k], t[i][k])
			p[k].Mul(p[k], s)
			p[k].Add(p[k], t[i][k])
		}
		return p
	}
	prism := func(p, q [3]point) []tetrahedron {
		return []tetrahedron{{p[0], p[1], p[2], q[0]}, {p[1], p[2], q[0], q[1]}, {p[2], q[0], q[1], q[2]}}
	}
	switch len(in) {
	case 0:
		return nil
	case 1:
		i := in[0]
		return []tetrahedron{{t[i], cut(i, off[0]), cut(i, off[1]), cut(i, off[2])}}
	case 2:
		i, j := in[0], in[1]
		return prism([3]point{t[i], cut(i, off[0]), cut(i, off[1])}, [3]point{t[j], cut(j, off[0]), cut(j, off[1])})
	case 3:
		o := off[0]
		return prism([3]point{t[in[0]], t[in[1]], t[in[2]]}, [3]point{cut(in[0], o), cut(in[1], o), cut(in[2], o)})
	}
	return []tetrahedron{*t}
}

// sixInBoth returns six times the volume that two tetrahedra have in common.
func sixInBoth(s, t *tetrahedron) *big.Rat {
	parts := []tetrahedron{*s}
	for k := range 4 {
		a, b, c, d := t[k], t[(k+1)%4], t[(k+2)%4], t[(k+3)%4]
		var next []tetrahedron
		for i := range parts {
			next = append(next, parts[i].clipped(a, b, c, d)...)
		}
		parts = next
	}
	sum := new(big.Rat)
	for i := range parts {
		x := parts[i].six()
		sum.Add(sum, x.Abs(x))
	}
	return sum
}

// tetrahedra returns those between a point and each triangle, without flat ones, and their signs.
func tetrahedra(from r3.Vec, tri []bvh.Triangle) (out []tetrahedron, signs []int) {
	for _, t := range tri {
		x := tetrahedron{pointOf(from), pointOf(t[0]), pointOf(t[1]), pointOf(t[2])}
		if s := x.six().Sign(); s != 0 {
			out, signs = append(out, x), append(signs, s)
		}
	}
	return out, signs
}

// trueCommon returns the integral of the product of the winding numbers of two closed surfaces in
// rational numbers: a sum over pairs of tetrahedra. It shares no arithmetic and no formula with the
// package.
func trueCommon(a, b []bvh.Triangle) *big.Rat {
	ta, sa := tetrahedra(a[0][0], a)
	tb, sb := tetrahedra(b[0][0], b)
	sum := new(big.Rat)
	for i := range ta {
		for j := range tb {
			x := sixInBoth(&ta[i], &tb[j])
			sum.Add(sum, x.Mul(x, big.NewRat(int64(sa[i]*sb[j]), 6)))
		}
	}
	return sum
}

// trueVolume returns the integral of the winding number.
func trueVolume(a []bvh.Triangle) *big.Rat {
	t, _ := tetrahedra(a[0][0], a)
	sum := new(big.Rat)
	for i := range t {
		sum.Add(sum, t[i].six())
	}
	return sum.Quo(sum, big.NewRat(6, 1))
}

// boxTriangles are those of a box, wound outwards.
func boxTriangles(lo, hi r3.Vec) (out []bvh.Triangle) {
	at := func(i int) r3.Vec {
		p := lo
		if i&1 != 0 {
			p.X = hi.X
		}
		if i&2 != 0 {
			p.Y = hi.Y
		}
		if i&4 != 0 {
			p.Z = hi.Z
		}
		return p
	}
	for _, f := range [12][3]int{
		{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2},
		{1, 3, 7}, {1, 7, 5},
	} {
		out = append(out, bvh.Triangle{at(f[0]), at(f[1]), at(f[2])})
	}
	return out
}

// wedge returns the border of a tetrahedron, wound outwards.
func wedge(p [4]r3.Vec) []bvh.Triangle {
	x := tetrahedron{pointOf(p[0]), pointOf(p[1]), pointOf(p[2]), pointOf(p[3])}
	if x.six().Sign() < 0 {
		p[0], p[1] = p[1], p[0]
	}
	return []bvh.Triangle{{p[0], p[2], p[1]}, {p[0], p[1], p[3]}, {p[1], p[2], p[3]}, {p[2], p[0], p[3]}}
}

// inverted returns the triangles wound the other way.
func inverted(tri []bvh.Triangle) []bvh.Triangle {
	out := make([]bvh.Triangle, len(tri))
	for i, t := range tri {
		out[i] = bvh.Triangle{t[0], t[2], t[1]}
	}
	return out
}

// mapped changes all corners alike.
func mapped(tri []bvh.Triangle, f func(p r3.Vec) r3.Vec) []bvh.Triangle {
	out := make([]bvh.Triangle, len(tri))
	for i, t := range tri {
		out[i] = bvh.Triangle{f(t[0]), f(t[1]), f(t[2])}
	}
	return out
}

// pairOfSolids returns two random closed surfaces with winding numbers 0 and 1, of which many touch
// or have faces, edges or corners in common, and changes both alike.
func pairOfSolids(r *rand.Rand) (a, b []bvh.Triangle) {
	lattice := r.IntN(2) == 0
	coordinate := func() float64 {
		if lattice {
			return float64(r.IntN(4))
		}
		return 3 * r.Float64()
	}
	corner := func() r3.Vec { return r3.Vec{X: coordinate(), Y: coordinate(), Z: coordinate()} }
	solid := func() []bvh.Triangle {
		switch r.IntN(4) {
		case 0:
			lo := corner()
			return boxTriangles(lo, r3.Add(lo, r3.Vec{X: 1 + coordinate(), Y: 1 + coordinate(), Z: 1 + coordinate()}))
		case 1: // a box with a cavity
			lo := corner()
			out := boxTriangles(lo, r3.Add(lo, r3.Vec{X: 3, Y: 3, Z: 3}))
			in := r3.Add(lo, r3.Vec{X: 1, Y: 1, Z: 1})
			return append(out, inverted(boxTriangles(in, r3.Add(in, r3.Vec{X: 1, Y: 1, Z: 1})))...)
		}
		return wedge([4]r3.Vec{corner(), corner(), corner(), corner()})
	}
	a = solid()
	if b = solid(); r.IntN(5) == 0 {
		b = a // equal bodies
	}
	if r.IntN(5) == 0 { // mirrored at a plane that touches
		x := 0.0
		for _, t := range a {
			x = max(x, t[0].X, t[1].X, t[2].X)
		}
		b = inverted(mapped(a, func(p r3.Vec) r3.Vec { return r3.Vec{X: 2*x - p.X, Y: p.Y, Z: p.Z} }))
	}
	turned := false
	change := func(p r3.Vec) r3.Vec { return p }
	switch r.IntN(6) {
	case 0:
		s := []float64{0x1p-200, 0x1p200, 0x1p-20, 1e-90, 1e90}[r.IntN(5)]
		change = func(p r3.Vec) r3.Vec { return geom.Scale(s, p) }
	case 1:
		o := r3.Vec{X: 1e3, Y: -3e5, Z: 7.1}
		change = func(p r3.Vec) r3.Vec { return r3.Add(p, o) }
	case 2: // another lattice, whose edges and faces no axis is along
		turned = true
		change = func(p r3.Vec) r3.Vec {
			return r3.Vec{X: p.X + 2*p.Y - p.Z, Y: p.Y - 3*p.Z + p.X, Z: 2*p.X - p.Y - p.Z}
		}
	case 3: // thin, and nearly along an axis
		change = func(p r3.Vec) r3.Vec { return r3.Vec{X: p.X, Y: p.Y + 0x1p-30*p.X, Z: 0x1p-25*p.Z + 0x1p-30*p.Y} }
	}
	a, b = mapped(a, change), mapped(b, change)
	if turned {
		a, b = inverted(a), inverted(b)
	}
	if trueVolume(a).Sign() <= 0 || trueVolume(b).Sign() <= 0 { // A flat wedge, or one that rounding turned over.
		return pairOfSolids(r)
	}
	return a, b
}

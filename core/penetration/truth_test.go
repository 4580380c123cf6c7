package penetration_test

import (
	"math/big"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// What follows has nothing in common with the package: rational coordinates, and all directions
// that a facet of the difference of two polytopes may have.

type ratVec [3]*big.Rat

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

func ratOf(v r3.Vec) ratVec { return ratVec{rat(v.X), rat(v.Y), rat(v.Z)} }

func (a ratVec) minus(b ratVec) (r ratVec) {
	for k := range r {
		r[k] = new(big.Rat).Sub(a[k], b[k])
	}
	return r
}

func (a ratVec) dot(b ratVec) *big.Rat {
	sum := new(big.Rat)
	for k := range a {
		sum.Add(sum, new(big.Rat).Mul(a[k], b[k]))
	}
	return sum
}

func (a ratVec) cross(b ratVec) (r ratVec) {
	for k := range r {
		i, j := (k+1)%3, (k+2)%3
		r[k] = new(big.Rat).Sub(new(big.Rat).Mul(a[i], b[j]), new(big.Rat).Mul(a[j], b[i]))
	}
	return r
}

func (a ratVec) isZero() bool { return a[0].Sign() == 0 && a[1].Sign() == 0 && a[2].Sign() == 0 }

func (a ratVec) negative() (r ratVec) {
	for k := range r {
		r[k] = new(big.Rat).Neg(a[k])
	}
	return r
}

// ratPose is a pose in rational numbers; the quaternion need not be a unit.
type ratPose struct {
	q [4]*big.Rat
	x ratVec
}

func ratPoseOf(p *geom.Pose) ratPose {
	q := p.Rotation
	return ratPose{[4]*big.Rat{rat(q.Real), rat(q.Imag), rat(q.Jmag), rat(q.Kmag)}, ratOf(p.Position)}
}

// times returns the product of quaternions.
func times(p, q [4]*big.Rat) (r [4]*big.Rat) {
	term := func(s int64, i, j int) *big.Rat {
		x := new(big.Rat).Mul(p[i], q[j])
		return x.Mul(x, big.NewRat(s, 1))
	}
	sum := func(x ...*big.Rat) *big.Rat {
		s := new(big.Rat)
		for _, y := range x {
			s.Add(s, y)
		}
		return s
	}
	return [4]*big.Rat{
		sum(term(1, 0, 0), term(-1, 1, 1), term(-1, 2, 2), term(-1, 3, 3)),
		sum(term(1, 0, 1), term(1, 1, 0), term(1, 2, 3), term(-1, 3, 2)),
		sum(term(1, 0, 2), term(-1, 1, 3), term(1, 2, 0), term(1, 3, 1)),
		sum(term(1, 0, 3), term(1, 1, 2), term(-1, 2, 1), term(1, 3, 0)),
	}
}

// at returns where the point v of a body is: q v q* / |q|^2 + x.
func (p *ratPose) at(v ratVec) ratVec {
	conj := [4]*big.Rat{p.q[0], new(big.Rat).Neg(p.q[1]), new(big.Rat).Neg(p.q[2]), new(big.Rat).Neg(p.q[3])}
	square := times(p.q, conj)[0]
	r := times(times(p.q, [4]*big.Rat{new(big.Rat), v[0], v[1], v[2]}), conj)
	var out ratVec
	for k := range out {
		out[k] = new(big.Rat).Add(new(big.Rat).Quo(r[k+1], square), p.x[k])
	}
	return out
}

func (p *ratPose) all(points []r3.Vec) (out []ratVec) {
	for _, v := range points {
		out = append(out, p.at(ratOf(v)))
	}
	return out
}

// reach returns the greatest product of n with a point of b less one of a.
func reach(a, b []ratVec, n ratVec) *big.Rat {
	var least, most *big.Rat
	for _, v := range a {
		if x := v.dot(n); least == nil || x.Cmp(least) < 0 {
			least = x
		}
	}
	for _, v := range b {
		if x := v.dot(n); most == nil || x.Cmp(most) > 0 {
			most = x
		}
	}
	return most.Sub(most, least)
}

// directions lists the normals that facets of the difference of two polytopes may have: products of
// two differences of corners of one, and of one of each. Both signs are needed.
func directions(a, b []ratVec) (list []ratVec) {
	edges := func(v []ratVec) (out []ratVec) {
		for i := range v {
			for j := range i {
				out = append(out, v[i].minus(v[j]))
			}
		}
		return out
	}
	ea, eb := edges(a), edges(b)
	pairs := func(x, y []ratVec, same bool) {
		for i := range x {
			for j := range y {
				if same && j >= i {
					break
				}
				if n := x[i].cross(y[j]); !n.isZero() {
					list = append(list, n, n.negative())
				}
			}
		}
	}
	pairs(ea, ea, true)
	pairs(eb, eb, true)
	pairs(ea, eb, false)
	return list
}

// truth is the depth of two polytopes with insides, or that one of them has: h / |n|, the least
// over all directions; where it is at most 0 they touch or are apart.
//
// Coordinates are whole numbers, scale times the true ones: rational numbers without denominators
// are computed with much faster.
type truth struct {
	scale  *big.Rat
	h      *big.Rat
	n      ratVec
	square *big.Rat // |n|^2
	all    []ratVec
	a, b   []ratVec
}

// less reports whether x / |n| < y / |m|.
func less(x, nn, y, mm *big.Rat) bool {
	if s, t := x.Sign(), y.Sign(); s != t || s == 0 {
		return s < t
	}
	p := new(big.Rat).Mul(new(big.Rat).Mul(x, x), mm)
	q := new(big.Rat).Mul(new(big.Rat).Mul(y, y), nn)
	return p.Cmp(q)*x.Sign() < 0
}

func truthOf(a, b []ratVec) (t truth) {
	common := big.NewInt(1)
	for _, v := range append(append([]ratVec(nil), a...), b...) {
		for _, x := range v {
			d := x.Denom()
			common.Mul(common, new(big.Int).Quo(d, new(big.Int).GCD(nil, nil, common, d)))
		}
	}
	t.scale = new(big.Rat).SetInt(common)
	whole := func(list []ratVec) (out []ratVec) {
		for _, v := range list {
			out = append(out, t.scaled(v))
		}
		return out
	}
	a, b = whole(a), whole(b)
	t.a, t.b, t.all = a, b, directions(a, b)
	for _, n := range t.all {
		h, nn := reach(a, b, n), n.dot(n)
		if t.h == nil || less(h, nn, t.h, t.square) {
			t.h, t.n, t.square = h, n, nn
		}
	}
	return t
}

func (t *truth) scaled(v ratVec) (out ratVec) {
	for k := range out {
		out[k] = new(big.Rat).Mul(v[k], t.scale)
	}
	return out
}

// compare returns the sign of the depth less x.
func (t *truth) compare(x *big.Rat) int {
	one := big.NewRat(1, 1)
	x = new(big.Rat).Mul(x, t.scale)
	switch {
	case less(t.h, t.square, x, one):
		return -1
	case less(x, one, t.h, t.square):
		return 1
	}
	return 0
}

// parts reports whether A moved by v, and all points within r of it, share no point with B: along
// one of the directions.
func (t *truth) parts(v ratVec, r *big.Rat) bool {
	v, r = t.scaled(v), new(big.Rat).Mul(r, t.scale)
	for _, n := range t.all {
		rest := new(big.Rat).Sub(n.dot(v), reach(t.a, t.b, n))
		if less(r, big.NewRat(1, 1), rest, n.dot(n)) {
			return true
		}
	}
	return false
}

// float returns the depth as a float of many bits.
func (t *truth) float() *big.Float {
	const bits = 600
	s := new(big.Float).SetPrec(bits).SetRat(t.square)
	h := new(big.Float).SetPrec(bits).SetRat(t.h)
	h.Quo(h, s.Sqrt(s))
	return h.Quo(h, new(big.Float).SetPrec(bits).SetRat(t.scale))
}

// unturned is a pose without a turn.
func unturned(x, y, z float64) geom.Pose {
	return geom.Pose{Rotation: quat.Number{Real: 1}, Position: r3.Vec{X: x, Y: y, Z: z}}
}

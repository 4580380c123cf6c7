package contain

import (
	"math/big"

	"ccd/core/geom"
	"ccd/core/num"
)

// Rational is a point with rational coordinates.
type Rational [3]*big.Rat

// exactPoint is a point of doubles, or of rational numbers where rat is not nil.
type exactPoint struct {
	at  geom.Vec
	rat *Rational
}

// integers writes points as integers in one unit. Signs of determinants do not depend on it.
func integers(points ...exactPoint) []num.IntVec {
	out := make([]num.IntVec, len(points))
	x, rational := make([]float64, 0, 3*len(points)), false
	for i := range points {
		x = append(x, points[i].at[:]...)
		rational = rational || points[i].rat != nil
	}
	if !rational {
		num.IntVecs(x, out)
		return out
	}
	common := big.NewInt(1)
	all := make([]Rational, len(points))
	for i := range points {
		if points[i].rat != nil {
			all[i] = *points[i].rat
		} else {
			for k, c := range points[i].at {
				all[i][k] = new(big.Rat).SetFloat64(c)
			}
		}
		for _, c := range all[i] {
			d := c.Denom()
			rest := new(big.Int).Div(d, new(big.Int).GCD(nil, nil, common, d))
			common.Mul(common, rest)
		}
	}
	for i := range all {
		for k, c := range all[i] {
			v := new(big.Int).Div(common, c.Denom())
			out[i][k] = v.Mul(v, c.Num())
		}
	}
	return out
}

// areaSign returns the sign of (b - a) x (p - a) along the third axis.
func areaSign(a, b, p num.IntVec, i, j int) sign {
	u, d := b.Minus(a), p.Minus(a)
	return sign(num.Minor(u[i], d[j], u[j], d[i]).Sign())
}

// normal returns the normal of a triangle, and an axis along which it is not 0, or -1.
func normal(a, b, c num.IntVec) (n num.IntVec, axis int) {
	n = b.Minus(a).Cross(c.Minus(a))
	for k := range n {
		if n[k].Sign() != 0 {
			return n, k
		}
	}
	return n, -1
}

// onTriangle reports whether a point is on a closed triangle, which may be a segment or a point.
func onTriangle(p, a, b, c num.IntVec) bool {
	n, k := normal(a, b, c)
	if k < 0 {
		return onSegment(p, a, b) || onSegment(p, b, c) || onSegment(p, c, a)
	}
	return n.Dot(p.Minus(a)).Sign() == 0 && within(p, a, b, c, k)
}

// within reports whether the point p in the plane of a triangle is in it; the normal is not 0 along
// the axis k.
func within(p, a, b, c num.IntVec, k int) bool {
	i, j := (k+1)%3, (k+2)%3
	return !opposite(areaSign(a, b, p, i, j), areaSign(b, c, p, i, j), areaSign(c, a, p, i, j))
}

// onSegment reports whether a point is on a closed segment, which may be a point.
func onSegment(p, a, b num.IntVec) bool {
	u, v := p.Minus(a), p.Minus(b)
	cross := u.Cross(v)
	for k := range cross {
		if cross[k].Sign() != 0 {
			return false
		}
	}
	return u.Dot(v).Sign() <= 0
}

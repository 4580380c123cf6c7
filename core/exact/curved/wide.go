package curved

import (
	"math"
	"math/big"

	"ccd/core/exact/clearance"
	"ccd/core/exact/internal/algebra"
	"ccd/core/geom"
)

// The last stage of a MotionQuery without a separation, and in the Euclidean norm: the features of
// euclid.go, whose polynomials are now those of control points, of degree 2k, 4k and 6k for paths
// of degree k.
//
// Without a separation a feature's near is a polynomial that vanishes if and only if F does there:
//
//	feature          near = 0                                         degree
//	a corner p       the greatest common divisor of the p_k           k
//	a side p, p + e  that of the components of p x e                  2k
//	the inside       A.N                                              3k
//
// The theorem of euclid.go holds with near = 0 in place of near <= 0: docs/proofs/motions.md,
// "First contact".

// newMotionWide makes the features of a query.
func newMotionWide(q *MotionQuery) *clearance.EuclideanWide {
	x := newMotionIntegers(q, q.Separation == 0)
	corners, edges := clearance.PolygonOf(q.Kind, x.move)
	w := new(clearance.EuclideanWide)
	if q.Separation > 0 {
		w.Build(q.Kind, corners, edges, x.half[0].Times(x.half[0]))
	} else {
		buildTouching(w, q.Kind, corners, edges)
	}
	return w
}

// buildTouching makes the features of a polygon without a separation.
func buildTouching(w *clearance.EuclideanWide, kind geom.Kind, corners, edges []algebra.BigVector) {
	for i := range corners {
		w.Features = append(w.Features, clearance.EuclideanFeature{Near: corners[i].Divisor(), Zero: true})
	}
	for _, z := range clearance.PolygonSides[kind] {
		p, e := &corners[z.From], &edges[z.Edge]
		x, ee, pe := p.Cross(e), e.Dot(e), p.Dot(e)
		w.Features = append(w.Features, clearance.EuclideanFeature{
			Near:   x.Divisor(),
			Region: []algebra.BigPoly{pe.Negated(), pe.Plus(ee), ee},
			Zero:   true,
		})
	}
	if len(edges) > 1 {
		an, region := clearance.InsideOf(kind, &corners[0], &edges[0], &edges[1])
		w.Features = append(w.Features, clearance.EuclideanFeature{Near: an, Region: region, Zero: true})
	}
}

// motionIntegers are the points of a query as polynomials in t with integer coefficients.
//
// With T0 = a / 2^s and T1 = b / 2^s, x(t) (b - a)^k = sum_l C(k,l) (2^s t - a)^l (b - 2^s t)^(k-l)
// c_l. The factor (b - a)^k > 0 is the same for all points and the separation. So is the power of
// two in which lengths are measured, on each axis one of its own if axes is set.
type motionIntegers struct {
	q     *MotionQuery
	basis []algebra.BigPoly // basis has for each l the factor of c_l.
	unit  [3]int
	half  [3]algebra.BigPoly // the separation on each axis
}

func newMotionIntegers(q *MotionQuery, axes bool) *motionIntegers {
	x := &motionIntegers{q: q}
	for k := range 3 {
		x.unit[k] = math.MaxInt32
		lowest := func(y float64) {
			if m, e := algebra.Mantissa(math.Abs(y)); m != 0 {
				x.unit[k] = min(x.unit[k], e)
			}
		}
		lowest(q.Separation)
		for i := k; i < len(q.Control); i += 3 {
			lowest(q.Control[i])
		}
	}
	if !axes {
		least := min(x.unit[0], x.unit[1], x.unit[2])
		x.unit = [3]int{least, least, least}
	}
	a, b, s := algebra.BigDyadicOf(q.T0).Aligned(algebra.BigDyadicOf(q.T1))
	two := new(big.Int).Lsh(big.NewInt(1), s)
	up := algebra.BigPoly{new(big.Int).Neg(a), two}
	down := algebra.BigPoly{b, new(big.Int).Neg(two)}
	n := q.Degree
	for l := range n + 1 {
		p := algebra.BigPoly{big.NewInt(algebra.Binomials[n][l])}
		for range l {
			p = p.Times(up)
		}
		for range n - l {
			p = p.Times(down)
		}
		x.basis = append(x.basis, p.Trimmed())
	}
	weight := new(big.Int).Exp(new(big.Int).Sub(b, a), big.NewInt(int64(n)), nil)
	for k := range 3 {
		x.half[k] = algebra.BigPoly{new(big.Int).Mul(x.integer(q.Separation, k), weight)}.Trimmed()
	}
	return x
}

// integer returns a length along axis k as a multiple of the axis's unit.
func (x *motionIntegers) integer(y float64, k int) *big.Int { return integerIn(y, x.unit[k]) }

// move returns the first point of a pair less the second.
func (x *motionIntegers) move(pair [2]int8) (v algebra.BigVector) {
	for k := range v {
		for l, p := range x.basis {
			c := x.integer(x.q.at(l, int(pair[0]), k), k)
			c.Sub(c, x.integer(x.q.at(l, int(pair[1]), k), k))
			v[k] = v[k].Plus(p.Times(algebra.BigPoly{c}.Trimmed()))
		}
	}
	return v
}

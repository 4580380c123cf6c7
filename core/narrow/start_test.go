package narrow

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
)

// The distance at the start is the reference's, for small integers, for numbers of all sizes, and where it is within an ulp of d.
func TestStartIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(91, 92))
	n := 400
	if testing.Short() {
		n = 100
	}
	for i := range n {
		kind := geom.VertexFace + geom.Kind(i%4)
		q := make([]float64, kind.Len())
		e := [3]int{r.IntN(1500) - 1050, r.IntN(1500) - 1050, r.IntN(1500) - 1050}
		for j := range q {
			switch i / 4 % 3 {
			case 0:
				q[j] = float64(r.IntN(7) - 3)
			case 1:
				q[j] = math.Ldexp(2*r.Float64()-1, e[r.IntN(3)])
			default:
				q[j] = r.NormFloat64()
			}
		}
		for _, euclidean := range []bool{false, true} {
			got, want := newStart(kind, q, euclidean), newRatStart(kind, q, euclidean)
			compare := func(d float64) bool {
				over := want.exceeds(new(big.Rat).SetFloat64(d))
				if got.exceeds(d) != over {
					t.Fatalf("%v %v, euclidean %v: beyond %v is %v", kind, q, euclidean, d, !over)
				}
				return over
			}
			compare(0)
			compare(math.Ldexp(r.Float64(), e[0]))
			if i%8 == 0 { // to neighbouring doubles
				lo, hi := uint64(0), math.Float64bits(math.MaxFloat64)
				for hi-lo > 1 {
					if d := lo + (hi-lo)/2; compare(math.Float64frombits(d)) {
						lo = d
					} else {
						hi = d
					}
				}
			}
			if !got.exceeds(0) {
				continue
			}
			x := got.gap(0)
			power := func(e int) *big.Rat {
				p := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(e, -e))))
				if e < 0 {
					p.Inv(p)
				}
				return p
			}
			if !want.exceeds(power(x)) || want.exceeds(power(x+1)) {
				t.Fatalf("%v %v, euclidean %v: the gap is no 2^%d", kind, q, euclidean, x)
			}
		}
	}
}

// ratStart decides the distance at t = 0 over rational numbers, by other means than start: it clips the domain.
type ratStart struct {
	corner    [][2]*big.Rat // of the domain of (u,v), in order
	a, b, c   [3]*big.Rat   // F(0,u,v) = a + u b + v c
	euclidean bool
}

func newRatStart(kind geom.Kind, q []float64, euclidean bool) *ratStart {
	s := &ratStart{euclidean: euclidean}
	p := func(i, k int) *big.Rat { return new(big.Rat).SetFloat64(q[3*i+k]) }
	sub := func(i, j, k int) *big.Rat { return new(big.Rat).Sub(p(i, k), p(j, k)) }
	corners := [][2]int64{{0, 0}}
	for k := range 3 {
		s.b[k], s.c[k] = new(big.Rat), new(big.Rat)
		switch kind {
		case geom.VertexFace:
			s.a[k], s.b[k], s.c[k] = sub(0, 1, k), sub(1, 2, k), sub(1, 3, k)
			corners = [][2]int64{{0, 0}, {1, 0}, {0, 1}}
		case geom.EdgeEdge:
			s.a[k], s.b[k], s.c[k] = sub(0, 2, k), sub(1, 0, k), sub(2, 3, k)
			corners = [][2]int64{{0, 0}, {1, 0}, {1, 1}, {0, 1}}
		case geom.PointEdge:
			s.a[k], s.b[k] = sub(0, 1, k), sub(1, 2, k)
			corners = [][2]int64{{0, 0}, {1, 0}}
		default:
			s.a[k] = sub(0, 1, k)
		}
	}
	for _, c := range corners {
		s.corner = append(s.corner, [2]*big.Rat{big.NewRat(c[0], 1), big.NewRat(c[1], 1)})
	}
	return s
}

// exceeds reports whether the distance at t = 0 is greater than r, exactly.
func (s *ratStart) exceeds(r *big.Rat) bool {
	if s.euclidean {
		return s.square().Cmp(new(big.Rat).Mul(r, r)) > 0
	}
	// |F| <= r in the max norm: clip the domain by the six half-planes r -+ F_k >= 0.
	poly := s.corner
	for k := range 3 {
		for _, sign := range []int64{1, -1} {
			g := big.NewRat(sign, 1)
			poly = clipRat(poly, func(p [2]*big.Rat) *big.Rat {
				x := s.value(k, p)
				return x.Sub(r, x.Mul(x, g))
			})
		}
	}
	return len(poly) == 0
}

// value is F_k at a point of the domain.
func (s *ratStart) value(k int, p [2]*big.Rat) *big.Rat {
	x := new(big.Rat).Mul(p[0], s.b[k])
	y := new(big.Rat).Mul(p[1], s.c[k])
	return x.Add(x, y.Add(y, s.a[k]))
}

// clipRat keeps the part of a convex polygon, segment or point where the affine g is not negative (Sutherland, Hodgman).
func clipRat(poly [][2]*big.Rat, g func([2]*big.Rat) *big.Rat) (out [][2]*big.Rat) {
	for i, p := range poly {
		q := poly[(i+1)%len(poly)]
		gp, gq := g(p), g(q)
		if gp.Sign() >= 0 {
			out = append(out, p)
		}
		if gp.Sign()*gq.Sign() < 0 {
			w := new(big.Rat).Sub(gp, gq)
			w.Quo(gp, w)
			var x [2]*big.Rat
			for j := range x {
				x[j] = new(big.Rat).Sub(q[j], p[j])
				x[j].Add(p[j], x[j].Mul(x[j], w))
			}
			out = append(out, x)
		}
	}
	return out
}

// square is the least |F(0,u,v)|^2 over the domain: at the critical point if that is inside, else on the boundary.
func (s *ratStart) square() *big.Rat {
	mul := func(x, y *[3]*big.Rat) *big.Rat {
		z := new(big.Rat)
		for k := range 3 {
			z.Add(z, new(big.Rat).Mul(x[k], y[k]))
		}
		return z
	}
	cross := func(a, b, c, d *big.Rat) *big.Rat {
		x := new(big.Rat).Mul(a, b)
		return x.Sub(x, new(big.Rat).Mul(c, d))
	}
	at := func(p [2]*big.Rat) *[3]*big.Rat { return &[3]*big.Rat{s.value(0, p), s.value(1, p), s.value(2, p)} }
	bb, cc, bc, ab, ac := mul(&s.b, &s.b), mul(&s.c, &s.c), mul(&s.b, &s.c), mul(&s.a, &s.b), mul(&s.a, &s.c)
	if det := cross(bb, cc, bc, bc); det.Sign() > 0 {
		p := [2]*big.Rat{cross(bc, ac, cc, ab), cross(bc, ab, bb, ac)}
		p[0].Quo(p[0], det)
		p[1].Quo(p[1], det)
		if s.inside(p) {
			x := at(p)
			return mul(x, x)
		}
	}
	var best *big.Rat
	for i, p := range s.corner {
		x, y := at(p), at(s.corner[(i+1)%len(s.corner)])
		var e [3]*big.Rat
		for k := range 3 {
			e[k] = new(big.Rat).Sub(y[k], x[k])
		}
		ee, xe := mul(&e, &e), mul(x, &e)
		// Least of |x + w e|^2 for w in [0,1]; w = 1 is the next corner's business.
		d := mul(x, x)
		if xe.Sign() < 0 && new(big.Rat).Neg(xe).Cmp(ee) < 0 {
			d.Sub(d, xe.Mul(xe, xe).Quo(xe, ee))
		}
		if best == nil || d.Cmp(best) < 0 {
			best = d
		}
	}
	return best
}

// inside reports whether p lies in the domain, whose corners run counter-clockwise.
func (s *ratStart) inside(p [2]*big.Rat) bool {
	if len(s.corner) < 3 {
		return false // no interior; square then looks at the boundary
	}
	one := big.NewRat(1, 1)
	if p[0].Sign() < 0 || p[1].Sign() < 0 {
		return false
	}
	if len(s.corner) == 3 {
		return new(big.Rat).Add(p[0], p[1]).Cmp(one) <= 0
	}
	return p[0].Cmp(one) <= 0 && p[1].Cmp(one) <= 0
}

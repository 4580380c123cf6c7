package clearance

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/exact/internal/algebra"
	"ccd/core/geom"
)

// drawn is a course of control points drawn at random, for tests of the polynomials alone.
type drawn struct{ *EuclideanResolver }

// ratPoly has exact Bernstein coefficients, without the binomials.
type ratPoly []*big.Rat

func ratOf(x Double2) *big.Rat {
	a, b := new(big.Rat).SetFloat64(x.Hi), new(big.Rat).SetFloat64(x.Lo)
	return a.Add(a, b)
}

func (p ratPoly) times(q ratPoly) ratPoly {
	n, m := len(p)-1, len(q)-1
	r := make(ratPoly, n+m+1)
	for k := range r {
		r[k] = new(big.Rat)
	}
	for i := range p {
		for j := range q {
			w := big.NewRat(algebra.Binomials[n][i]*algebra.Binomials[m][j], algebra.Binomials[n+m][i+j])
			r[i+j].Add(r[i+j], w.Mul(w, new(big.Rat).Mul(p[i], q[j])))
		}
	}
	return r
}

func (p ratPoly) plus(q ratPoly, sign int64) ratPoly {
	r := make(ratPoly, len(p))
	for k := range r {
		x := new(big.Rat).Mul(big.NewRat(sign, 1), q[k])
		r[k] = x.Add(x, p[k])
	}
	return r
}

// constantRat is x throughout, in the degree.
func constantRat(x *big.Rat, degree int) ratPoly {
	r := make(ratPoly, degree+1)
	for k := range r {
		r[k] = x
	}
	return r
}

type ratVec [3]ratPoly

func (u ratVec) dot(v ratVec) ratPoly {
	return u[0].times(v[0]).plus(u[1].times(v[1]), 1).plus(u[2].times(v[2]), 1)
}

func (u ratVec) cross(v ratVec) (w ratVec) {
	for k := range w {
		i, j := (k+1)%3, (k+2)%3
		w[k] = u[i].times(v[j]).plus(u[j].times(v[i]), -1)
	}
	return w
}

// featuresOf are the polynomials of a part, in rationals, from the text of euclid.go.
func featuresOf(f *Follower, part int8) (list []ratPoly) {
	vector := func(p *[3][MaxFollowed + 1]Double2) (v ratVec) {
		for k := range v {
			for _, x := range p[k][:f.Degree+1] {
				v[k] = append(v[k], ratOf(x))
			}
		}
		return v
	}
	square := new(big.Rat).SetFloat64(f.d)
	square.Mul(square, square)
	switch {
	case part >= atCorner:
		p := vector(&f.Corners[part-atCorner])
		return []ratPoly{p.dot(p).plus(constantRat(square, 2*f.Degree), -1)}
	case part == Inner2d:
		a, b, c := vector(&f.Corners[0]), vector(&f.Edges[0]), vector(&f.Edges[1])
		n := b.cross(c)
		an, nn, u, v := a.dot(n), n.dot(n), c.cross(a).dot(n), a.cross(b).dot(n)
		near := an.times(an).plus(nn.times(constantRat(square, 2*f.Degree)), -1)
		if f.kind == geom.EdgeEdge {
			return []ratPoly{near, u, v, nn.plus(u, -1), nn.plus(v, -1)}
		}
		return []ratPoly{near, u, v, nn.plus(u, -1).plus(v, -1)}
	}
	z := PolygonSides[f.kind][part]
	p, e := vector(&f.Corners[z.From]), vector(&f.Edges[z.Edge])
	x, ee, pe := p.cross(e), e.dot(e), p.dot(e)
	zero := constantRat(new(big.Rat), 2*f.Degree)
	return []ratPoly{x.dot(x).plus(ee.times(constantRat(square, 2*f.Degree)), -1), zero.plus(pe, -1), pe.plus(ee, 1)}
}

// halfRat is the left or the right half.
func (p ratPoly) halfRat(right bool) ratPoly {
	x, r := append(ratPoly(nil), p...), make(ratPoly, len(p))
	n := len(p) - 1
	for i := range p {
		if right {
			r[n-i] = x[n-i]
		} else {
			r[i] = x[0]
		}
		for j := range n - i {
			s := new(big.Rat).Add(x[j], x[j+1])
			x[j] = s.Mul(s, big.NewRat(1, 2))
		}
	}
	return r
}

// Over draws control points: edges nearly parallel, corners nearly at d, magnitudes of any size.
func (c drawn) Over(lo, _ float64, f *Follower) {
	r := rand.New(rand.NewPCG(uint64(lo*1e6), 5))
	f.Degree = 1 + r.IntN(MaxFollowed)
	f.CornerErrors, f.EdgeErrors = [3]float64{}, [3][3]float64{}
	small := math.Ldexp(1, -r.IntN(80))
	draw := func() Double2 {
		x := 2*r.Float64() - 1
		return Double2{x, (r.Float64() - 0.5) * 0x1p-53 * math.Abs(x)}
	}
	for k := range 3 {
		for i := range f.Degree + 1 {
			for c := range f.Corners {
				f.Corners[c][k][i] = draw()
				if r.IntN(3) == 0 {
					f.Corners[c][k][i] = draw().By(small)
				}
			}
			for e := range f.Edges {
				f.Edges[e][k][i] = draw()
				if e > 0 && r.IntN(2) == 0 {
					f.Edges[e][k][i] = f.Edges[0][k][i].Plus(draw().By(small))
				}
			}
		}
	}
}

// The polynomials differ from exact ones by no more than their bounds, at the whole part and at a
// part of it that ten halvings leave.
func TestFollowerPolynomialsAgainstRationals(t *testing.T) {
	worst, seen := 0.0, map[int8]int{}
	for _, kind := range []geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.PointEdge, geom.PointPoint} {
		f := &Follower{}
		r := rand.New(rand.NewPCG(9, uint64(kind)))
		for i := range 6 {
			f.Begin(kind, math.Ldexp(r.Float64(), -r.IntN(40)), false, drawn{})
			list, _ := f.load(float64(i)/16, 2)
			for j := range list {
				x := &f.all[j]
				seen[x.part]++
				for p, exact := range featuresOf(f, x.part) {
					c := x.poly[p].c
					for depth := 0; ; depth++ {
						for k := range c {
							truth := exact[k]
							off, _ := new(big.Rat).Sub(ratOf(c[k]), truth).Float64()
							size, _ := truth.Float64()
							margin := x.poly[p].margin(depth)
							worst = max(worst, math.Abs(off)/margin)
							if !(math.Abs(off) <= margin) || !(math.Abs(size) <= x.poly[p].most) {
								t.Fatalf("%v, part %d, polynomial %d of degree %d, depth %d: off by %g of %g, %g of %g",
									kind, x.part, p, len(c)-1, depth, off, margin, size, x.poly[p].most)
							}
						}
						if depth == 3 {
							break
						}
						left, right := make([]Double2, len(c)), make([]Double2, len(c))
						halve(c, left, right)
						side := r.IntN(2) == 0
						if c = left; side {
							c = right
						}
						exact = exact.halfRat(side)
					}
				}
			}
		}
	}
	t.Logf("the largest error is %.3f of its bound; %v", worst, seen)
	if worst < 1e-3 {
		t.Errorf("the errors are only %g of their bounds: the bounds are not tested", worst)
	}
}

// Floats exclude a corner or a side only if exact coefficients do.
func TestFarFeaturesAgainstRationals(t *testing.T) {
	excluded := 0
	for _, kind := range []geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.PointEdge} {
		f := &Follower{}
		r := rand.New(rand.NewPCG(3, uint64(kind)))
		for i := range 60 {
			f.Begin(kind, math.Ldexp(r.Float64(), -r.IntN(8)), false, drawn{})
			list, beyond := f.load(float64(i)/16, 4)
			kept := map[int8]bool{}
			for j := range list {
				kept[f.all[j].part] = true
			}
			for part := range atCorner + int8(len(Shapes[kind].Corners)) {
				if beyond || kept[part] || part < atCorner && int(part) >= len(PolygonSides[kind]) {
					continue
				}
				excluded++
				exact := featuresOf(f, part)
				out := sameSign(exact[0], 1)
				for _, p := range exact[1:] {
					out = out || sameSign(p, -1)
				}
				if !out {
					t.Errorf("%v, degree %d: floats exclude part %d, exact coefficients do not", kind, f.Degree, part)
				}
			}
		}
	}
	if excluded < 50 {
		t.Errorf("floats exclude only %d features", excluded)
	}
}

func sameSign(p ratPoly, sign int) bool {
	for _, x := range p {
		if x.Sign() != sign {
			return false
		}
	}
	return true
}

package clearance

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
)

// euclidean is arithmetic with what a product with a double adds to the error, of the product of
// magnitudes.
type euclidean struct {
	arithmetic
	by float64
}

func (r euclidean) scaled(a tracked) tracked { return tracked{a.m, a.e + r.by*a.m} }

// corner returns a corner's component at a time: see arithmetic.component.
func (r euclidean) corner(e, operands float64) tracked {
	return tracked{1, e + 2*r.sum + 2*r.by + operands*r.sum}
}

// total returns a sum of so many terms, of which the first is the largest by far: it is rounded
// with each of the others.
func (r euclidean) total(first tracked, terms int) tracked {
	for range terms - 1 {
		first = r.plus(first, tracked{})
	}
	return first
}

// certificate returns the error of a coefficient over sum |n_k| m_k + d |n|, whichever of the two
// is larger. length is that of |n| over |n|.
func (r euclidean) certificate(corner tracked, length float64) (worst float64) {
	exactly := tracked{1, 0} // a component of n: any will do
	inner := r.total(r.times(corner, exactly), 3)
	twice := r.plus(inner, inner)
	size := r.scaled(r.plus(tracked{1, length}, tracked{1, length}))
	for _, d := range []float64{0, 1, 0x1p30} {
		difference := r.plus(twice, tracked{d * size.m, d * size.e})
		worst = max(worst, difference.e/difference.m)
	}
	return worst
}

// The constants cover their derivations with something left for the squares, and not much more.
func TestEuclideanBoundsCoverTheirDerivations(t *testing.T) {
	check := func(name string, have, least float64) {
		t.Logf("%s: %.4g, derived %.4g", name, have, least)
		if have < least*1.02 || have > 2*least {
			t.Errorf("%s is %.4g units, its derivation asks for %.4g", name, have, least)
		}
	}
	exactly := tracked{1, 0}
	floats := euclidean{arithmetic{sum: 1, product: 1}, 1}
	corner := floats.corner(1, 1)
	square := floats.total(floats.times(exactly, exactly), 3)
	// A root halves the relative error, and rounds once.
	check("euclideanError", euclideanError*0x1p53, floats.certificate(corner, square.e/2+1))
	check("euclideanContactError", euclideanContactError*0x1p53, floats.total(floats.times(corner, exactly), 4).e)

	doubles := euclidean{arithmetic{sum: 5, product: 11}, 5}
	corner = doubles.corner(0, 3)
	square = doubles.total(doubles.times(exactly, exactly), 3)
	over := doubles.plus(square, doubles.scaled(exactly)) // the square less l^2
	// The dividend is at most 4 u, and its error 2 u of that.
	length := over.e/2 + 4*2 + doubles.sum
	check("the length from above, 2^-101", 0x1p-101*0x1p106, length) // NearestDouble.Size states this bound.
	check("euclideanDoubleError", EuclideanDoubleError*0x1p106, doubles.certificate(corner, length))
	point := doubles.total(doubles.times(corner, exactly), 4)
	far := doubles.total(doubles.times(point, point), 3)
	reach := doubles.scaled(doubles.total(exactly, 4))
	reach = doubles.times(reach, reach)
	check("euclideanDoubleContactError", euclideanDoubleContactError*0x1p106, max(far.e, reach.e)+doubles.sum)
}

// certificateCase returns a query in the resolver's unit with two vectors and a time, for the test
// below.
func certificateCase(r *rand.Rand, s *EuclideanResolver, kind geom.Kind) (q []float64, d float64, ok bool) {
	q = make([]float64, kind.Len())
	size, far := math.Ldexp(1, r.IntN(600)-300), 0.0
	if r.IntN(3) == 0 {
		far = size * 1e6 * r.Float64()
	}
	for j := range q {
		q[j] = far + size*(2*r.Float64()-1)
	}
	d = size * math.Ldexp(r.Float64(), -r.IntN(20))
	s.Lines.Shape = &Shapes[kind]
	s.Sides, s.Plane = PolygonSides[kind], len(s.Lines.Shape.Edges) > 1
	if s.Lines.load(q, len(q)/2, d) {
		return nil, 0, false
	}
	s.Lines.loadLow(q, len(q)/2)
	return q, d, true
}

// The coefficients of certificates against arithmetic in 300 bits: lower bounds all of them, and
// the errors' share of the bounds.
func TestEuclideanCertificatesAreLowerBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	var worst [2]float64
	n := 1500
	if testing.Short() {
		n = 150
	}
	for i := range n {
		kind := geom.Kind(1 + i%4)
		s := new(EuclideanResolver)
		q, d, ok := certificateCase(r, s, kind)
		if !ok {
			continue
		}
		a := r.Float64()
		b := a + (1-a)*math.Ldexp(r.Float64(), -r.IntN(50))
		var x, y nearest
		s.look(a, &x)
		s.look(b, &y)
		nx, ny := wideVector(&x.n, nil), wideVector(&y.n, nil)
		got := s.certificate(&x, &y, &x, &y)
		floatBound := s.rounding(&x, &y)
		compareCertificate(t, s, kind, q, d, got, [2]float64{a, b}, nx, ny,
			[3]float64{floatBound, floatBound, floatBound}, &worst[0])
		var xx, yy NearestDouble
		s.LookDouble(a, &xx)
		s.LookDouble(b, &yy)
		got = s.certificateDouble(&xx, &yy, s.Ahead(&xx))
		high := func(v *[3]Double2) (h, l [3]float64) {
			for k := range v {
				h[k], l[k] = v[k].Hi, v[k].Lo
			}
			return h, l
		}
		h, l := high(&xx.N)
		nx = wideVector(&h, &l)
		h, l = high(&yy.N)
		ny = wideVector(&h, &l)
		bounds := [3]float64{xx.Rounding, 0.5 * (xx.Rounding + yy.Rounding), yy.Rounding}
		compareCertificate(t, s, kind, q, d, got, [2]float64{a, b}, nx, ny, bounds, &worst[1])
	}
	t.Logf("largest errors over their bounds: floats %.3g, double-doubles %.3g", worst[0], worst[1])
}

func wideFloat(x float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(x) }

func wideVector(h, l *[3]float64) (v [3]*big.Float) {
	for k := range v {
		v[k] = wideFloat(h[k])
		if l != nil {
			v[k].Add(v[k], wideFloat(l[k]))
		}
	}
	return v
}

func wideInner(a, b *[3]*big.Float) *big.Float {
	sum := wideFloat(0)
	for k := range a {
		sum.Add(sum, wideFloat(0).Mul(a[k], b[k]))
	}
	return sum
}

func compareCertificate(t *testing.T, s *EuclideanResolver, kind geom.Kind, q []float64, d float64, got parabola,
	times [2]float64,
	nx, ny [3]*big.Float, bounds [3]float64, worst *float64) {
	t.Helper()
	points := 3 * kind.Points()
	scale := wideFloat(1)
	scale.SetMantExp(scale, -s.Lines.exponent)
	corner := func(pair [2]int8, x float64) (v [3]*big.Float) {
		for k := range 3 {
			i, j := 3*int(pair[0])+k, 3*int(pair[1])+k
			y0, y1 := wideFloat(q[i]), wideFloat(q[points+i])
			y0.Sub(y0, wideFloat(q[j]))
			y1.Sub(y1, wideFloat(q[points+j]))
			y1.Sub(y1, y0)
			v[k] = y0.Add(y0, y1.Mul(y1, wideFloat(x)))
			v[k].Mul(v[k], scale)
		}
		return v
	}
	lx, ly := wideFloat(0).Sqrt(wideInner(&nx, &nx)), wideFloat(0).Sqrt(wideInner(&ny, &ny))
	radius := wideFloat(d)
	radius.Mul(radius, scale)
	var want [3]*big.Float
	least := func(l int, x *big.Float) {
		if want[l] == nil || x.Cmp(want[l]) < 0 {
			want[l] = x
		}
	}
	for _, pair := range s.Lines.Shape.Corners {
		p, z := corner(pair, times[0]), corner(pair, times[1])
		least(0, wideInner(&nx, &p))
		mixed := wideInner(&nx, &z)
		least(1, mixed.Mul(mixed.Add(mixed, wideInner(&ny, &p)), wideFloat(0.5)))
		least(2, wideInner(&ny, &z))
	}
	both := wideFloat(0).Add(lx, ly)
	both.Mul(both, wideFloat(0.5))
	for l, size := range []*big.Float{lx, both, ly} {
		want[l].Sub(want[l], size.Mul(size, radius))
		// got is to be the true value less an error below the bound, less the bound.
		off, _ := wideFloat(0).Sub(wideFloat(got[l]), want[l]).Float64()
		share := math.Abs(off+bounds[l]) / (bounds[l] + 0x1p-52*math.Abs(got[l]))
		*worst = max(*worst, share)
		if !(share <= 1) {
			t.Fatalf("%v: coefficient %d is %v, above the true one by %g: bound %g", kind, l, got[l], off, bounds[l])
		}
	}
}

// What positive returns is proven: the quadratic is positive on [0, s) by exact arithmetic, and on
// [0, 1] when s is 1.
func TestParabolaPositive(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	near := 0
	for range 20000 {
		c := parabola{r.Float64(), 4*r.Float64() - 2, 4*r.Float64() - 2}
		switch r.IntN(4) {
		case 0: // a root that is nearly double
			c[2] = c[1] * c[1] / c[0] * (1 + math.Ldexp(r.Float64()-0.5, -r.IntN(60)))
		case 1:
			c[0] = math.Ldexp(c[0], -r.IntN(60))
		}
		s := c.positive()
		if s == 0 {
			continue
		}
		// On [0, s] the coefficients are c0, l and m; a quadratic with a positive first one is
		// positive before s if all are, or else if it has no root: l^2 < c0 m.
		w := new(big.Rat).Sub(rat(1), rat(s))
		mix := func(x, y *big.Rat) *big.Rat {
			z := new(big.Rat).Mul(w, x)
			return z.Add(z, new(big.Rat).Mul(rat(s), y))
		}
		l := mix(rat(c[0]), rat(c[1]))
		m := mix(l, mix(rat(c[1]), rat(c[2])))
		disc := new(big.Rat).Mul(l, l)
		disc.Sub(disc, new(big.Rat).Mul(rat(c[0]), m))
		if !(m.Sign() > 0 || m.Sign() == 0 && s < 1) || l.Sign() <= 0 && disc.Sign() >= 0 {
			t.Fatalf("%v: %v", c, s)
		}
		if s < 1 && s > 1e-9 {
			near++
		}
	}
	t.Logf("%d roots", near)
}

// A point beyond the end of a side is none of the polygon's, though the line through the side comes
// near enough.
func TestEuclideanWeightsStayInside(t *testing.T) {
	// The point is beside the line of the edge, 1 before its end.
	q := []float64{-1, 0.5, 0, 0, 0, 0, 4, 0, 0, -1, 0.5, 0, 0, 0, 0, 4, 0, 0}
	r := &EuclideanResolver{Sides: PolygonSides[geom.PointEdge]}
	r.Lines.Shape = &Shapes[geom.PointEdge]
	if r.Lines.load(q, 9, 1) {
		t.Fatal("an axis separates")
	}
	r.Lines.loadLow(q, 9)
	var x NearestDouble
	r.LookDouble(0.5, &x)
	if r.Touches(&x) {
		t.Fatalf("the corner is farther than d, but touches: %+v", x.nearest)
	}
	for _, s := range []float64{0, 0x1p-60, 0x1p-30} { // if floats took it for a point of the side
		x.Part, x.w = 0, [4]float64{1 - s, s}
		if r.Touches(&x) {
			t.Errorf("touches at %v of the side", s)
		}
	}
	// With the edge turned towards the point's foot it does.
	q[3], q[12] = -2, -2
	if r.Lines.load(q, 9, 1) {
		t.Fatal("an axis separates")
	}
	r.Lines.loadLow(q, 9)
	r.LookDouble(0.5, &x)
	x.w = [4]float64{1, 0}
	if !r.Touches(&x) {
		t.Error("a step from the corner does not lead to the foot")
	}
}

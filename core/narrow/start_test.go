package narrow

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
)

// The distance at the start is the reference's, for small integers, for numbers of all sizes, and
// where it is within an ulp of d.
func TestStartIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(91, 92))
	n := 400
	if testing.Short() {
		n = long.Part(100, 2)
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
			if i%8 == 0 { // Every eighth trial bisects to neighboring doubles.
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

// ratStart decides the distance at t = 0 over rational numbers. It shares neither code nor method
// with start and startPlace: it knows the corners of the set of differences, not the parameters of
// F; see exceeds.
type ratStart struct {
	corners   []ratPoint // the corners of the polygon that the differences of the two primitives fill
	parallel  bool       // it is a parallelogram with the corners in the order 00, 01, 10, 11
	euclidean bool
}

type ratPoint [3]*big.Rat

func newRatStart(kind geom.Kind, q []float64, euclidean bool) *ratStart {
	ends := map[geom.Kind][2][]int{
		geom.VertexFace: {{0}, {1, 2, 3}}, geom.EdgeEdge: {{0, 1}, {2, 3}}, geom.PointEdge: {{0}, {1, 2}},
		geom.PointPoint: {{0}, {1}},
	}[kind]
	s := &ratStart{parallel: kind == geom.EdgeEdge, euclidean: euclidean}
	for _, i := range ends[0] {
		for _, j := range ends[1] {
			var p ratPoint
			for k := range p {
				p[k] = new(big.Rat).Sub(new(big.Rat).SetFloat64(q[3*i+k]), new(big.Rat).SetFloat64(q[3*j+k]))
			}
			s.corners = append(s.corners, p)
		}
	}
	return s
}

// exceeds reports whether the distance at t = 0 is greater than r, exactly.
func (s *ratStart) exceeds(r *big.Rat) bool {
	if s.euclidean {
		x := s.nearest()
		return x.dot(x).Cmp(new(big.Rat).Mul(r, r)) > 0
	}
	return !s.meetsCube(r)
}

// nearest returns the point of the polygon nearest to the origin. By Caratheodory's theorem it lies
// in a simplex of at most three corners, with positive weights: it is the nearest point of the
// plane, line or point through them. That x is the nearest of all is proven by x.(p - x) >= 0 for
// all corners p.
func (s *ratStart) nearest() ratPoint {
	n := len(s.corners)
	for i := range n {
		for j := i; j < n; j++ {
			for l := j; l < n; l++ {
				if x, ok := footIn(s.corners[i], s.corners[j], s.corners[l]); ok && s.nearestOfAll(x) {
					return x
				}
			}
		}
	}
	panic("no nearest point")
}

func (s *ratStart) nearestOfAll(x ratPoint) bool {
	for _, p := range s.corners {
		if x.dot(p.minus(x)).Sign() < 0 {
			return false
		}
	}
	return true
}

// footIn returns the nearest point of the plane through three points, of the line where two are
// equal, or the point where all are, if it has no negative weight: p + y (q - p) + z (r - p) with
// the normal equations for y and z. It is none where the points lie on a line.
func footIn(p, q, r ratPoint) (x ratPoint, ok bool) {
	e, f := q.minus(p), r.minus(p)
	ee, ef, ff, pe, pf := e.dot(e), e.dot(f), f.dot(f), p.dot(e), p.dot(f)
	y, z := new(big.Rat), new(big.Rat)
	switch det := det2(ee, ef, ef, ff); {
	case det.Sign() != 0:
		y.Quo(det2(pf, ff, pe, ef), det)
		z.Quo(det2(pe, pf, ee, ef), det)
	case ee.Sign() == 0 && ff.Sign() != 0: // p = q
		z.Quo(pf, ff).Neg(z)
	case ee.Sign() != 0:
		return x, false // The points lie on a line: two of them give the same foot.
	}
	if y.Sign() < 0 || z.Sign() < 0 || new(big.Rat).Add(y, z).Cmp(big.NewRat(1, 1)) > 0 {
		return x, false
	}
	for k := range x {
		x[k] = new(big.Rat).Mul(y, e[k])
		x[k].Add(x[k], new(big.Rat).Mul(z, f[k])).Add(x[k], p[k])
	}
	return x, true
}

// meetsCube reports whether the polygon meets the cube |x| <= r, by listing: the weights of two of
// its sides make a bounded polygon of ten half-planes at most, and if that is not empty it has a
// corner, where the borders of two half-planes cross.
func (s *ratStart) meetsCube(r *big.Rat) bool {
	one, zero := big.NewRat(1, 1), new(big.Rat)
	half := func(x, y int64, most *big.Rat) halfPlane {
		return halfPlane{big.NewRat(x, 1), big.NewRat(y, 1), most}
	}
	planes := []halfPlane{half(-1, 0, zero), half(0, -1, zero)}
	p := s.corners[0]
	e, f := p.minus(p), p.minus(p)
	switch n := len(s.corners); {
	case n == 1:
		planes = append(planes, half(1, 1, zero))
	case n == 2:
		e = s.corners[1].minus(p)
		planes = append(planes, half(1, 0, one), half(0, 1, zero))
	case s.parallel:
		e, f = s.corners[1].minus(p), s.corners[2].minus(p)
		planes = append(planes, half(1, 0, one), half(0, 1, one))
	default:
		e, f = s.corners[1].minus(p), s.corners[2].minus(p)
		planes = append(planes, half(1, 1, one))
	}
	for k := range p {
		up, down := new(big.Rat).Sub(r, p[k]), new(big.Rat).Add(r, p[k])
		planes = append(planes, halfPlane{e[k], f[k], up},
			halfPlane{new(big.Rat).Neg(e[k]), new(big.Rat).Neg(f[k]), down})
	}
	for i := range planes {
		for j := range i {
			if crossingHeld(planes, &planes[i], &planes[j]) {
				return true
			}
		}
	}
	return false
}

// halfPlane is x u + y v <= most.
type halfPlane struct{ x, y, most *big.Rat }

// crossingHeld reports whether the point where the borders of two half-planes cross lies in all.
func crossingHeld(planes []halfPlane, a, b *halfPlane) bool {
	det := det2(a.x, a.y, b.x, b.y)
	if det.Sign() == 0 {
		return false
	}
	u, v := det2(a.most, a.y, b.most, b.y), det2(a.x, a.most, b.x, b.most)
	u.Quo(u, det)
	v.Quo(v, det)
	for _, h := range planes {
		s := new(big.Rat).Mul(h.x, u)
		if s.Add(s, new(big.Rat).Mul(h.y, v)).Cmp(h.most) > 0 {
			return false
		}
	}
	return true
}

// det2 returns a d - b c.
func det2(a, b, c, d *big.Rat) *big.Rat {
	x := new(big.Rat).Mul(a, d)
	return x.Sub(x, new(big.Rat).Mul(b, c))
}

func (a ratPoint) minus(b ratPoint) (r ratPoint) {
	for k := range r {
		r[k] = new(big.Rat).Sub(a[k], b[k])
	}
	return r
}

func (a ratPoint) dot(b ratPoint) *big.Rat {
	s := new(big.Rat)
	for k := range a {
		s.Add(s, new(big.Rat).Mul(a[k], b[k]))
	}
	return s
}

// The place of a start that integers decide, in the Euclidean norm: it has the least distance,
// exactly, which no point of a grid on the domain undercuts.
func TestStartPlaceLaw9HasTheLeastDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	inner := 0
	for range 400 {
		kind := geom.StepKinds[r.IntN(len(geom.StepKinds))]
		q := make([]float64, 24)
		for i := range q {
			q[i] = float64(r.IntN(9) - 4)
		}
		s := newStartPlace(kind, q, true)
		square := func(p [2]*big.Rat) *big.Rat {
			sum := new(big.Rat)
			for k := range 3 {
				x := s.value(k, p)
				sum.Add(sum, x.Mul(x, x))
			}
			return sum
		}
		least, p := s.square()
		if square(p).Cmp(least) != 0 {
			t.Fatalf("%v %v: at (%v, %v) the square is %v, not %v", kind, q, p[0], p[1], square(p), least)
		}
		for i := range p {
			if !p[i].IsInt() {
				inner++
			}
		}
		for _, at := range grid(s.corner) {
			if square(at).Cmp(least) < 0 {
				t.Fatalf("%v %v: at (%v, %v) the square is less than %v", kind, q, at[0], at[1], least)
			}
		}
	}
	if inner < 50 {
		t.Errorf("%d coordinates within the domain", inner)
	}
}

// grid returns weighted means of the corners of a domain, with weights of eighths.
func grid(corner [][2]*big.Rat) (out [][2]*big.Rat) {
	var add func(rest int64, i int, p [2]*big.Rat)
	add = func(rest int64, i int, p [2]*big.Rat) {
		for w := int64(0); w <= rest; w++ {
			if i == len(corner)-1 {
				w = rest
			}
			var x [2]*big.Rat
			for j := range x {
				x[j] = new(big.Rat).Mul(big.NewRat(w, 8), corner[i][j])
				x[j].Add(x[j], p[j])
			}
			if i == len(corner)-1 {
				out = append(out, x)
			} else {
				add(rest-w, i+1, x)
			}
		}
	}
	add(8, 0, [2]*big.Rat{new(big.Rat), new(big.Rat)})
	return out
}

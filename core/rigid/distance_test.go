package rigid_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/rigid"
)

// ratVec is a vector of rational numbers.
type ratVec [3]*big.Rat

func ratOf(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

func ratVecOf(v r3.Vec) ratVec { return ratVec{ratOf(v.X), ratOf(v.Y), ratOf(v.Z)} }

func (a ratVec) minus(b ratVec) (c ratVec) {
	for k := range c {
		c[k] = new(big.Rat).Sub(a[k], b[k])
	}
	return c
}

func (a ratVec) dot(b ratVec) *big.Rat { return ratDot(a, b) }

// placed returns where a pose takes a point, in rational numbers: p + 2 w (v x p) + 2 v x (v x p)
// over |q|^2, for q = w + v with the products as they stand.
func placed(p *geom.Pose, x r3.Vec) (out ratVec) {
	q := p.Rotation
	w, v, y := ratOf(q.Real), ratVecOf(r3.Vec{X: q.Imag, Y: q.Jmag, Z: q.Kmag}), ratVecOf(x)
	n := new(big.Rat).Add(new(big.Rat).Mul(w, w), v.dot(v))
	first := ratVec(ratCross(v, y))
	second := ratVec(ratCross(v, first))
	at := ratVecOf(p.Position)
	for k := range out {
		s := new(big.Rat).Mul(w, first[k])
		s.Add(s, second[k])
		s.Mul(s, big.NewRat(2, 1))
		s.Quo(s, n)
		out[k] = s.Add(s.Add(s, y[k]), at[k])
	}
	return out
}

// intVec is a vector of integers.
type intVec [3]*big.Int

func (a intVec) minus(b intVec) (c intVec) {
	for k := range c {
		c[k] = new(big.Int).Sub(a[k], b[k])
	}
	return c
}

func (a intVec) dot(b intVec) *big.Int {
	sum, product := new(big.Int), new(big.Int)
	for k := range a {
		sum.Add(sum, product.Mul(a[k], b[k]))
	}
	return sum
}

// wholeOf returns sets of points times the least number that makes all coordinates integers.
func wholeOf(sets ...[]ratVec) (out [][]intVec, scale *big.Int) {
	scale = big.NewInt(1)
	for _, set := range sets {
		for _, v := range set {
			for _, x := range v {
				common := new(big.Int).GCD(nil, nil, scale, x.Denom())
				scale = new(big.Int).Mul(scale, common.Quo(x.Denom(), common))
			}
		}
	}
	for _, set := range sets {
		var whole []intVec
		for _, v := range set {
			var w intVec
			for k, x := range v {
				w[k] = new(big.Int).Quo(scale, x.Denom())
				w[k].Mul(w[k], x.Num())
			}
			whole = append(whole, w)
		}
		out = append(out, whole)
	}
	return out, scale
}

// solve solves a linear system whose matrix is that of the dot products of some vectors, by the
// elimination of Bareiss, whose divisions leave nothing: the solution is x over det, which is
// positive, and 0 where the vectors depend on each other. Such a matrix needs no exchange of rows.
func solve(m [][]*big.Int) (x []*big.Int, det *big.Int) {
	det = big.NewInt(1)
	product := new(big.Int)
	for c := range m {
		pivot := m[c][c]
		if pivot.Sign() == 0 {
			return nil, pivot
		}
		for r := range m {
			if r == c {
				continue
			}
			factor := m[r][c]
			for k, other := range m[c] {
				entry := new(big.Int).Mul(m[r][k], pivot)
				m[r][k] = entry.Quo(entry.Sub(entry, product.Mul(factor, other)), det)
			}
		}
		det = pivot
	}
	for _, row := range m {
		x = append(x, row[len(m)])
	}
	return x, det
}

// squareOfSets returns the square of the distance of the hulls of two sets of points: the least
// over all pairs of subsets of the distance of their affine hulls, where the nearest points are
// convex combinations.
func squareOfSets(a, b []ratVec) *big.Rat {
	whole, scale := wholeOf(a, b)
	var best, under *big.Int // the square is best over under
	for s := 1; s < 1<<len(a); s++ {
		for t := 1; t < 1<<len(b); t++ {
			var p, q []intVec
			for i, v := range whole[0] {
				if s>>i&1 == 1 {
					p = append(p, v)
				}
			}
			for i, v := range whole[1] {
				if t>>i&1 == 1 {
					q = append(q, v)
				}
			}
			square, by := squareOfHulls(p, q)
			if square != nil && (best == nil || new(big.Int).Mul(square, under).Cmp(new(big.Int).Mul(best, by)) < 0) {
				best, under = square, by
			}
		}
	}
	return new(big.Rat).SetFrac(best, under.Mul(under, scale.Mul(scale, scale)))
}

// squareOfHulls returns the square of the distance of the affine hulls of two sets of points as a
// fraction, or nil where the nearest points are no convex combinations, or not the only ones.
func squareOfHulls(p, q []intVec) (square, by *big.Int) {
	// The difference is d + sum x_i e_i, with e the edges of p from its first point, and those of q
	// reversed.
	d, e := p[0].minus(q[0]), []intVec{}
	for _, v := range p[1:] {
		e = append(e, v.minus(p[0]))
	}
	for _, v := range q[1:] {
		e = append(e, q[0].minus(v))
	}
	if len(e) > 3 {
		return nil, nil
	}
	m := make([][]*big.Int, len(e))
	for i := range e {
		for j := range e {
			m[i] = append(m[i], e[i].dot(e[j]))
		}
		m[i] = append(m[i], new(big.Int).Neg(e[i].dot(d)))
	}
	x, det := solve(m)
	if det.Sign() == 0 {
		return nil, nil
	}
	var sums [2]big.Int
	for k := range d {
		d[k].Mul(d[k], det)
	}
	for i := range x {
		if x[i].Sign() < 0 {
			return nil, nil
		}
		side := 0
		if i >= len(p)-1 {
			side = 1
		}
		sums[side].Add(&sums[side], x[i])
		for k := range d {
			d[k].Add(d[k], new(big.Int).Mul(x[i], e[i][k]))
		}
	}
	if sums[0].Cmp(det) > 0 || sums[1].Cmp(det) > 0 {
		return nil, nil
	}
	return d.dot(d), new(big.Int).Mul(det, det)
}

// pair is two bodies at poses.
type pair struct {
	tri   [2][][3]r3.Vec
	poses [2]geom.Pose
	known *big.Rat // the square of the distance, once it is computed
}

func (p *pair) body(side int) *rigid.Body {
	var v []float64
	var f [][3]int32
	for _, t := range p.tri[side] {
		n := int32(len(v) / 3)
		f = append(f, [3]int32{n, n + 1, n + 2})
		for _, c := range t {
			v = append(v, c.X, c.Y, c.Z)
		}
	}
	b, err := rigid.NewBody(v, f, 1)
	if err != nil {
		panic(err)
	}
	return b
}

// corners returns the places of the corners of a triangle.
func (p *pair) corners(side int, face int64) (out []ratVec) {
	for _, c := range p.tri[side][face] {
		out = append(out, placed(&p.poses[side], c))
	}
	return out
}

// square returns the square of the distance of the surfaces.
func (p *pair) square() *big.Rat {
	if p.known != nil {
		return p.known
	}
	var best *big.Rat
	for i := range p.tri[0] {
		for j := range p.tri[1] {
			d := squareOfSets(p.corners(0, int64(i)), p.corners(1, int64(j)))
			if best == nil || d.Cmp(best) < 0 {
				best = d
			}
		}
	}
	p.known = best
	return best
}

// size returns the sum of the radii about the origins, and the distance of these.
func (p *pair) size() (radii, apart float64) {
	for side := range 2 {
		r := 0.0
		for _, t := range p.tri[side] {
			for _, c := range t {
				r = max(r, geom.Norm(c))
			}
		}
		radii += r
	}
	return radii, geom.Norm(r3.Sub(p.poses[1].Position, p.poses[0].Position))
}

// atLeast reports whether x is at least y in magnitude, given the square of x.
func atLeast(x2 *big.Rat, y float64) bool {
	r := ratOf(y)
	return x2.Cmp(new(big.Rat).Mul(r, r)) >= 0
}

// check holds a distance to the laws of Ruler.Distance.
func (p *pair) check(g *rigid.Gap, tolerance float64) error {
	d2 := p.square()
	if !(g.Lo >= 0 && g.Lo <= g.Hi) || !atLeast(d2, g.Lo) || g.Hi < math.MaxFloat64 && !atMost(d2, g.Hi) {
		f, _ := d2.Float64()
		return fmt.Errorf("distance %v is not in [%v, %v]", math.Sqrt(f), g.Lo, g.Hi)
	}
	radii, apart := p.size()
	if wide := g.Hi - g.Lo; wide > tolerance+0x1p-38*radii+0x1p-46*apart+1e-200 {
		return fmt.Errorf("[%v, %v] is %v wide", g.Lo, g.Hi, wide)
	}
	meets := d2.Sign() == 0
	if meets != (g.Flags&rigid.GapIntersecting != 0) || meets != (g.Hi == 0) {
		return fmt.Errorf("meets %v, flags %v, Hi %v", meets, g.Flags, g.Hi)
	}
	at := [2]r3.Vec{g.PointA, g.PointB}
	for side, face := range [2]int64{g.IndexA, g.IndexB} {
		if off := squareOfSets([]ratVec{ratVecOf(at[side])}, p.corners(side, face)); !atMost(off, g.Epsilon) {
			f, _ := off.Float64()
			return fmt.Errorf("point %d is %v off its triangle, epsilon %v", side, math.Sqrt(f), g.Epsilon)
		}
	}
	way := ratVecOf(g.PointA).minus(ratVecOf(g.PointB))
	w2 := way.dot(way)
	if low := g.Lo - 2*g.Epsilon; low > 0 && !atLeast(w2, low) || !atMost(w2, g.Hi+2*g.Epsilon) {
		f, _ := w2.Float64()
		return fmt.Errorf("points are %v apart in [%v, %v], epsilon %v", math.Sqrt(f), g.Lo, g.Hi, g.Epsilon)
	}
	most := 64*(0x1p-43*radii+0x1p-49*(apart+geom.Norm(g.PointA)+geom.Norm(p.poses[0].Position))) + 1e-200
	if g.Epsilon > most {
		return fmt.Errorf("epsilon is %v, more than %v", g.Epsilon, most)
	}
	n := geom.Norm(g.Normal)
	if n != 0 && math.Abs(n-1) > 1e-12 {
		return fmt.Errorf("normal %v has length %v", g.Normal, n)
	}
	if g.Lo > 16*g.Epsilon && !(geom.Dot(g.Normal, r3.Sub(g.PointA, g.PointB)) > 0.5*g.Lo) {
		return fmt.Errorf("normal %v does not lead from b to a: %v to %v", g.Normal, g.PointB, g.PointA)
	}
	return nil
}

func atMost(x2 *big.Rat, y float64) bool {
	r := ratOf(y)
	return x2.Cmp(new(big.Rat).Mul(r, r)) <= 0
}

// somePair draws bodies of a few triangles: on a lattice, where they touch and lie in one plane; or
// anywhere; or nearly parallel; some triangles are edges or points.
func somePair(r *rand.Rand) *pair {
	p := new(pair)
	kind, scale := r.IntN(4), math.Ldexp(1, r.IntN(3)*(r.IntN(41)-20))
	number := func() float64 {
		if kind == 0 {
			return float64(r.IntN(5) - 2)
		}
		return r.Float64()*2 - 1
	}
	vec := func() r3.Vec { return r3.Vec{X: number(), Y: number(), Z: number()} }
	for side := range 2 {
		for range 1 + r.IntN(2) {
			t := [3]r3.Vec{vec(), vec(), vec()}
			switch r.IntN(8) {
			case 0:
				t[2] = t[1]
			case 1:
				t[1], t[2] = t[0], t[0]
			case 2: // a sliver
				t[2] = r3.Add(r3.Add(t[0], geom.Scale(0.5, r3.Sub(t[1], t[0]))),
					geom.Scale(math.Ldexp(1, -r.IntN(50)), vec()))
			}
			if kind == 2 && side == 1 { // nearly the same as one of A
				s := p.tri[0][r.IntN(len(p.tri[0]))]
				for k := range 3 {
					t[k] = r3.Add(s[k], geom.Scale(math.Ldexp(1, -r.IntN(60)), vec()))
				}
			}
			p.tri[side] = append(p.tri[side], t)
		}
		q := quat.Number{Real: number(), Imag: number(), Jmag: number(), Kmag: number()}
		if q == (quat.Number{}) || kind == 2 {
			q = quat.Number{Real: 1}
		}
		p.poses[side] = geom.Pose{Rotation: quat.Scale(math.Ldexp(1, r.IntN(9)-4), q),
			Position: geom.Scale(math.Ldexp(1, r.IntN(2)*r.IntN(4)), vec())}
		if kind == 2 {
			p.poses[side].Position = geom.Scale(math.Ldexp(1, -r.IntN(60)), vec())
		}
	}
	if kind == 3 { // far from the origin
		away := geom.Scale(math.Ldexp(1, r.IntN(20)), vec())
		for side := range 2 {
			p.poses[side].Position = r3.Add(p.poses[side].Position, away)
		}
	}
	for side := range 2 {
		p.poses[side].Position = geom.Scale(scale, p.poses[side].Position)
		for i := range p.tri[side] {
			for k := range 3 {
				p.tri[side][i][k] = geom.Scale(scale, p.tri[side][i][k])
			}
		}
	}
	return p
}

// nearlyOne draws two points, or a point and an edge, that are one but for rounding, or one.
func nearlyOne(r *rand.Rand) *pair {
	p := new(pair)
	x := r3.Vec{X: r.Float64(), Y: r.Float64(), Z: r.Float64()}
	off := r3.Vec{X: math.Ldexp(float64(r.IntN(3)-1), -52), Z: math.Ldexp(float64(r.IntN(3)-1), -53)}
	end := r3.Add(x, r3.Vec{X: r.Float64(), Y: 1})
	for side := range 2 {
		p.poses[side].Rotation = quat.Number{Real: 1}
		p.tri[side] = [][3]r3.Vec{{x, x, x}}
	}
	if r.IntN(2) == 0 {
		p.tri[0][0] = [3]r3.Vec{x, end, end}
	}
	y := r3.Add(x, off)
	p.tri[1][0] = [3]r3.Vec{y, y, y}
	return p
}

// TestDistanceOfPoints holds distances of points and edges that may be one to their laws.
func TestDistanceOfPoints(t *testing.T) {
	var s rigid.Ruler
	for i := range 200 {
		r := rand.New(rand.NewPCG(72, uint64(i)))
		nearlyOne(r).hold(t, r, &s)
	}
}

// hold measures a pair and holds the answers to the laws.
func (p *pair) hold(t *testing.T, r *rand.Rand, s *rigid.Ruler) {
	t.Helper()
	a, b := p.body(0), p.body(1)
	radii, _ := p.size()
	o := rigid.DistanceOptions{}
	if r.IntN(3) == 0 {
		o.Tolerance = radii * math.Ldexp(1, -r.IntN(40))
	}
	var g, again, back rigid.Gap
	if err := s.Distance(a, &p.poses[0], b, &p.poses[1], o, &g); err != nil {
		t.Fatal(err)
	}
	if err := p.check(&g, o.Tolerance); err != nil {
		t.Errorf("%v\n%+v\n%+v", err, g, p)
	}
	if err := new(rigid.Ruler).Distance(a, &p.poses[0], b, &p.poses[1], o, &again); err != nil || again != g {
		t.Errorf("%+v, then %+v, %v", g, again, err)
	}
	if err := s.Distance(b, &p.poses[1], a, &p.poses[0], o, &back); err != nil || back.Hi < g.Lo || back.Lo > g.Hi {
		t.Errorf("%+v, but %+v in the other order, %v", g, back, err)
	}
	meets, err := s.Intersects(a, &p.poses[0], b, &p.poses[1])
	if err != nil || meets != (g.Flags&rigid.GapIntersecting != 0) {
		t.Errorf("intersects %v, %v, but %+v\n%+v", meets, err, g, p)
	}
}

// TestDistanceLaws holds distances at poses to their laws in rational arithmetic.
func TestDistanceLaws(t *testing.T) {
	cases := 1500
	if testing.Short() {
		cases = 200
	}
	var s rigid.Ruler
	met := 0
	for i := range cases {
		r := rand.New(rand.NewPCG(71, uint64(i)))
		p := somePair(r)
		p.hold(t, r, &s)
		if p.square().Sign() == 0 {
			met++
		}
		if t.Failed() {
			t.Fatalf("case %d", i)
		}
	}
	if met < cases/20 || met > cases/2 {
		t.Errorf("%d of %d pairs meet", met, cases)
	}
}

// FuzzDistance holds distances to their laws: go test ./core/rigid -fuzz FuzzDistance.
func FuzzDistance(f *testing.F) {
	for i := range uint64(4) {
		f.Add(i, 7*i)
	}
	var s rigid.Ruler
	f.Fuzz(func(t *testing.T, seed, stream uint64) {
		r := rand.New(rand.NewPCG(seed, stream))
		somePair(r).hold(t, r, &s)
	})
}

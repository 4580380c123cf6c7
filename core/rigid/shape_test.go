package rigid_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/rigid"
)

// solidShape is a body with what it is: the points within a radius of the hull of some points.
type solidShape struct {
	body   *rigid.Body
	name   string
	hull   []r3.Vec
	radius float64
}

func must(b *rigid.Body, err error) *rigid.Body {
	if err != nil {
		panic(err)
	}
	return b
}

// someShape draws a shape whose hull has at most most points.
func someShape(r *rand.Rand, most int, length func() float64) (s solidShape) {
	switch k := r.IntN(4); {
	case k == 0:
		s.radius = length()
		s.name, s.body, s.hull = "sphere", must(rigid.Sphere(s.radius)), []r3.Vec{{}}
	case k == 1:
		s.radius = length()
		l := length()
		s.name, s.body, s.hull = "capsule", must(rigid.Capsule(s.radius, l)), []r3.Vec{{Z: -l / 2}, {Z: l / 2}}
	case k == 2 && most >= 8:
		size := [3]float64{length(), length(), length()}
		s.name, s.body = "box", must(rigid.BoxBody(size))
		for i := range 8 {
			sign := func(k int) float64 { return float64(2*(i>>k&1)-1) * size[k] / 2 }
			s.hull = append(s.hull, r3.Vec{X: sign(0), Y: sign(1), Z: sign(2)})
		}
	default:
		var x []float64
		for range min(most, 4) {
			p := r3.Vec{X: length(), Y: length(), Z: length()}
			s.hull = append(s.hull, p)
			x = append(x, p.X, p.Y, p.Z)
		}
		s.name, s.body = "hull", must(rigid.HullBody(x))
	}
	if r.IntN(3) == 0 {
		padding := length()
		s.body, s.radius = must(s.body.Padded(padding)), s.radius+padding
	}
	return s
}

// lattice draws lengths that are sums of few powers of two, so that shapes touch exactly.
func lattice(r *rand.Rand) func() float64 {
	return func() float64 { return float64(1+r.IntN(4)) / 2 }
}

// shapePair is two shapes at poses.
type shapePair struct {
	s     [2]solidShape
	poses [2]geom.Pose
}

func someShapePair(r *rand.Rand) (p shapePair) {
	exactly := r.IntN(2) == 0
	length := lattice(r)
	if !exactly {
		length = func() float64 { return math.Exp(r.NormFloat64()) }
	}
	most := 8
	if !exactly { // Rational numbers of a turned box have too many digits.
		most = 4
	}
	p.s[0] = someShape(r, most, length)
	far := 4.0
	if r.IntN(4) == 0 || p.s[0].name == "box" && r.IntN(2) == 0 { // The second is small, and near.
		whole := length
		length, far = func() float64 { return whole() / 16 }, 0.25
	}
	p.s[1] = someShape(r, min(most, 8/len(p.s[0].hull)), length)
	for i := range p.poses {
		p.poses[i] = somePose(r, far)
		if exactly {
			p.poses[i] = geom.Pose{Rotation: quat.Number{Real: 1}, Position: r3.Vec{
				X: far / 8 * float64(r.IntN(9)-4), Y: far / 8 * float64(r.IntN(9)-4),
				Z: far / 8 * float64(r.IntN(9)-4)}}
		}
	}
	return p
}

// hullAt returns where the points of a shape are.
func (p *shapePair) hullAt(side int) (out []ratVec) {
	for _, c := range p.s[side].hull {
		out = append(out, placed(&p.poses[side], c))
	}
	return out
}

// compareRoot compares the root of a square with the sum of some numbers.
func compareRoot(square *big.Rat, sum ...float64) int {
	all := new(big.Rat)
	for _, x := range sum {
		all.Add(all, ratOf(x))
	}
	if all.Sign() < 0 {
		return 1
	}
	return square.Cmp(all.Mul(all, all))
}

// check holds the distance of two shapes to laws E2 and E3.
func (p *shapePair) check(g *rigid.Gap, meets bool) error {
	square := squareOfSets(p.hullAt(0), p.hullAt(1))
	ra, rb := p.s[0].radius, p.s[1].radius
	touch := compareRoot(square, ra, rb) <= 0
	if found := g.Flags&rigid.GapIntersecting != 0; found != touch || meets != touch || (g.Hi == 0) != touch {
		return fmt.Errorf("share a point: %v, flags %v, intersects %v, [%v, %v]", touch, g.Flags, meets, g.Lo, g.Hi)
	}
	if touch && g.Lo != 0 || g.Lo < 0 || g.Lo > g.Hi {
		return fmt.Errorf("[%v, %v]", g.Lo, g.Hi)
	}
	if !touch && (compareRoot(square, ra, rb, g.Lo) < 0 || compareRoot(square, ra, rb, g.Hi) > 0) {
		f, _ := square.Float64()
		return fmt.Errorf("distance %v is not in [%v, %v]", math.Sqrt(f)-ra-rb, g.Lo, g.Hi)
	}
	size := geom.Norm(r3.Sub(p.poses[1].Position, p.poses[0].Position))
	for _, s := range p.s {
		far := 0.0
		for _, c := range s.hull {
			far = max(far, geom.Norm(c))
		}
		size += far + s.radius
	}
	if wide := g.Hi - g.Lo; wide > 0x1p-37*size {
		return fmt.Errorf("[%v, %v] is %v wide", g.Lo, g.Hi, wide)
	}
	if g.Epsilon > 0x1p-36*size {
		return fmt.Errorf("epsilon is %v", g.Epsilon)
	}
	points := [2]ratVec{ratVecOf(g.PointA), ratVecOf(g.PointB)}
	inside := g.Flags&rigid.GapInside != 0
	for side, x := range points {
		radius := p.s[side].radius
		if inside { // The points are those of the triangles.
			radius = 0
		}
		if off := squareOfSets([]ratVec{x}, p.hullAt(side)); compareRoot(off, radius, g.Epsilon) > 0 {
			f, _ := off.Float64()
			return fmt.Errorf("point %d is %v from the hull, radius %v, epsilon %v", side, math.Sqrt(f),
				radius, g.Epsilon)
		}
	}
	if inside {
		return nil
	}
	way := points[0].minus(points[1])
	if w2 := way.dot(way); compareRoot(w2, g.Hi, 2*g.Epsilon) > 0 || compareRoot(w2, g.Lo, -2*g.Epsilon) < 0 {
		f, _ := w2.Float64()
		return fmt.Errorf("points are %v apart in [%v, %v]", math.Sqrt(f), g.Lo, g.Hi)
	}
	return nil
}

// checkShapes draws shapes at poses, and holds their distance to the laws.
func checkShapes(t *testing.T, s *rigid.Ruler, r *rand.Rand) (touching, inside bool) {
	t.Helper()
	p := someShapePair(r)
	a, b := p.s[0].body, p.s[1].body
	var g rigid.Gap
	if err := s.Distance(a, &p.poses[0], b, &p.poses[1], rigid.DistanceOptions{}, &g); err != nil {
		t.Fatal(err)
	}
	meets, err := s.Intersects(a, &p.poses[0], b, &p.poses[1])
	if err != nil {
		t.Fatal(err)
	}
	if err := p.check(&g, meets); err != nil {
		t.Errorf("%v\n%v %v at %v\n%v %v at %v", err, p.s[0].name, p.s[0].hull, p.poses[0], p.s[1].name, p.s[1].hull,
			p.poses[1])
	}
	return g.Flags&rigid.GapIntersecting != 0, g.Flags&rigid.GapInside != 0
}

// Laws E2 and E3: distances of shapes, against rational arithmetic.
func TestShapesLawsE2AndE3(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 1))
	var s rigid.Ruler
	touching, nested, n := 0, 0, long.Part(1200, 10)
	for range n {
		meets, inside := checkShapes(t, &s, r)
		if meets {
			touching++
		}
		if inside {
			nested++
		}
	}
	if touching < n/5 || nested < n/60 {
		t.Errorf("of %d pairs %d share a point, %d are nested: too few", n, touching, nested)
	}
}

func FuzzShapes(f *testing.F) {
	for i := range uint64(4) {
		f.Add(i, i*5)
	}
	var s rigid.Ruler
	f.Fuzz(func(t *testing.T, seed, stream uint64) { checkShapes(t, &s, rand.New(rand.NewPCG(seed, stream))) })
}

// Law E3: spheres that touch exactly share a point, and do not one double farther.
func TestSpheresTouchExactly(t *testing.T) {
	one, third := must(rigid.Sphere(1)), must(rigid.Sphere(1./3))
	var s rigid.Ruler
	// 1 + fl(1/3) is no double; the sum lies between two.
	sum := 1 + 1./3
	for _, x := range []float64{math.Nextafter(sum, 0), sum, math.Nextafter(sum, 2)} {
		pa, pb := geom.Pose{Rotation: quat.Number{Real: 1}}, geom.Pose{Rotation: quat.Number{Real: 3, Kmag: 4}}
		pb.Position.X = x
		want := ratOf(x).Cmp(new(big.Rat).Add(ratOf(1), ratOf(1./3))) <= 0
		for range 2 {
			if got, err := s.Intersects(one, &pa, third, &pb); got != want || err != nil {
				t.Errorf("at %v: %v, %v", x, got, err)
			}
			pa, pb = pb, pa
			one, third = third, one
		}
	}
}

// roundDistance returns the distance of a point from a cylinder or a cone, in 300 bits.
func roundDistance(p ratVec, radius, length float64, cone bool) *big.Float {
	f := func(x *big.Rat) *big.Float { return new(big.Float).SetPrec(300).SetRat(x) }
	num := func(x float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(x) }
	hypot := func(x, y *big.Float) *big.Float {
		s := new(big.Float).Mul(x, x)
		return s.Sqrt(s.Add(s, new(big.Float).Mul(y, y)))
	}
	zero := num(0)
	from := f(new(big.Rat).Add(new(big.Rat).Mul(p[0], p[0]), new(big.Rat).Mul(p[1], p[1])))
	from.Sqrt(from)
	z, half := f(p[2]), num(length/2)
	r := num(radius)
	if !cone {
		x, y := new(big.Float).Sub(from, r), new(big.Float).Sub(new(big.Float).Abs(z), half)
		if x.Sign() < 0 {
			x = zero
		}
		if y.Sign() < 0 {
			y = zero
		}
		return hypot(x, y)
	}
	// In the half plane: the triangle (0, -h), (r, -h), (0, h).
	best := (*big.Float)(nil)
	segment := func(ax, ay, bx, by *big.Float) {
		dx, dy := new(big.Float).Sub(bx, ax), new(big.Float).Sub(by, ay)
		px, py := new(big.Float).Sub(from, ax), new(big.Float).Sub(z, ay)
		dot := func(a, b, c, d *big.Float) *big.Float {
			s := new(big.Float).Mul(a, c)
			return s.Add(s, new(big.Float).Mul(b, d))
		}
		s := new(big.Float).Quo(dot(px, py, dx, dy), dot(dx, dy, dx, dy))
		if s.Sign() < 0 {
			s = zero
		} else if s.Cmp(num(1)) > 0 {
			s = num(1)
		}
		d := hypot(new(big.Float).Sub(px, new(big.Float).Mul(s, dx)), new(big.Float).Sub(py, new(big.Float).Mul(s, dy)))
		if best == nil || d.Cmp(best) < 0 {
			best = d
		}
	}
	low := new(big.Float).Neg(half)
	segment(zero, low, r, low)
	segment(r, low, zero, half)
	// Inside: above the base, below the slanted side r (half - z) - 2 half from >= 0.
	above := new(big.Float).Sub(z, low)
	below := new(big.Float).Mul(r, new(big.Float).Sub(half, z))
	below.Sub(below, new(big.Float).Mul(num(length), from))
	if above.Sign() >= 0 && below.Sign() >= 0 {
		return zero
	}
	return best
}

// Laws E1 and E2: cylinders and cones, against their equations.
func TestRoundShapesLawsE1AndE2(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 2))
	var s rigid.Ruler
	used := 0.0
	for i := range long.Part(900, 3) {
		radius, length := math.Exp(r.NormFloat64()), math.Exp(r.NormFloat64())
		share := math.Pow(10, -1-3*r.Float64())
		cone := i%2 == 0
		make := rigid.Cylinder
		if cone {
			make = rigid.Cone
		}
		b := must(make(radius, length, share*radius))
		if d := b.Deviation(); !(d > 0 && d <= share*radius) {
			t.Fatalf("deviation %v, %v were asked for", d, share*radius)
		}
		padding := 0.0
		if i%3 == 0 {
			padding = length / 8
			b = must(b.Padded(padding))
		}
		ball := must(rigid.Sphere(radius / 16))
		pa := geom.Pose{Rotation: quat.Number{Real: 1}}
		pb := somePose(r, 2*(radius+length))
		var g rigid.Gap
		if err := s.Distance(b, &pa, ball, &pb, rigid.DistanceOptions{}, &g); err != nil {
			t.Fatal(err)
		}
		d := roundDistance(ratVecOf(pb.Position), radius, length, cone)
		for _, x := range []float64{padding, radius / 16} {
			d.Sub(d, new(big.Float).SetFloat64(x))
		}
		lo, hi := new(big.Float).SetPrec(300).SetFloat64(g.Lo), new(big.Float).SetPrec(300).SetFloat64(g.Hi)
		if d.Sign() > 0 && (lo.Cmp(d) > 0 || hi.Cmp(d) < 0) || d.Sign() <= 0 && g.Lo > 0 {
			t.Errorf("cone %v, radius %v, length %v, deviation %v: %v is not in [%v, %v]", cone, radius, length,
				b.Deviation(), d, g.Lo, g.Hi)
		}
		if g.Flags&rigid.GapIntersecting != 0 && d.Sign() > 0 {
			t.Errorf("cone %v: intersecting at a distance of %v", cone, d)
		}
		if wide := g.Hi - g.Lo; wide > b.Deviation()+1e-9*(radius+length) {
			t.Errorf("[%v, %v] is %v wide, deviation %v", g.Lo, g.Hi, wide, b.Deviation())
		}
		if f, _ := d.Float64(); f > 0 {
			used = max(used, (g.Hi-f)/b.Deviation())
		}
		meets, err := s.Intersects(b, &pa, ball, &pb)
		if err != nil || !meets && d.Sign() <= 0 || meets && g.Lo > 0 {
			t.Errorf("intersects %v at a distance of %v, %v", meets, d, err)
		}
	}
	if used < 0.5 {
		t.Errorf("no distance uses more than %v of the deviation: it may be smaller", used)
	}
}

// Law E1: the corners of the polygons are in the circle, and its points as near as stated.
func TestPolygonsInCircles(t *testing.T) {
	for _, share := range []float64{0.4, 0.1, 1e-2, 1e-3, 1e-5} {
		const radius = 0.7
		b := must(rigid.Cylinder(radius, 1, share*radius))
		r2 := new(big.Rat).Mul(ratOf(radius), ratOf(radius))
		var rim [][2]*big.Rat
		n := int32(len(b.Faces) / 4)
		for i := range n {
			c := b.Corners(4 * i)[0]
			x, y := ratOf(c.X), ratOf(c.Y)
			if s := new(big.Rat).Add(new(big.Rat).Mul(x, x), new(big.Rat).Mul(y, y)); s.Cmp(r2) > 0 {
				t.Fatalf("%d sides: corner %d is outside", n, i)
			}
			rim = append(rim, [2]*big.Rat{x, y})
		}
		// Points of the circle, exactly: ((1 - s^2), 2 s) / (1 + s^2).
		d2 := new(big.Rat).Mul(ratOf(b.Deviation()), ratOf(b.Deviation()))
		worst := 0.0
		for k := range 400 {
			s := big.NewRat(int64(k)-200, 77)
			w := new(big.Rat).Add(big.NewRat(1, 1), new(big.Rat).Mul(s, s))
			x := new(big.Rat).Quo(new(big.Rat).Sub(big.NewRat(2, 1), w), w)
			y := new(big.Rat).Quo(new(big.Rat).Mul(big.NewRat(2, 1), s), w)
			p := ratVec{x.Mul(x, ratOf(radius)), y.Mul(y, ratOf(radius)), new(big.Rat)}
			var best *big.Rat
			for i := range rim {
				j := (i + 1) % len(rim)
				fx, _ := new(big.Rat).Sub(rim[i][0], p[0]).Float64()
				fy, _ := new(big.Rat).Sub(rim[i][1], p[1]).Float64()
				if best != nil && math.Hypot(fx, fy) > 8*radius/float64(len(rim)) {
					continue
				}
				side := []ratVec{{rim[i][0], rim[i][1], new(big.Rat)}, {rim[j][0], rim[j][1], new(big.Rat)}}
				if d := squareOfSets([]ratVec{p}, side); best == nil || d.Cmp(best) < 0 {
					best = d
				}
			}
			if best.Cmp(d2) > 0 {
				t.Fatalf("%d sides: a point of the circle is beyond the deviation, %v", n, b.Deviation())
			}
			f, _ := best.Float64()
			worst = max(worst, math.Sqrt(f)/b.Deviation())
		}
		if worst < 0.9 {
			t.Errorf("%d sides: no point is farther than %v of the deviation", n, worst)
		}
	}
}

// Law E6: the hull of points is that, in exact arithmetic.
func TestHullLawE6(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 3))
	flat := 0
	for i := range long.Part(400, 3) {
		n := 1 + r.IntN(60)
		var x []float64
		var points []ratVec
		for range n {
			p := someVec(r)
			switch i % 4 {
			case 1: // A lattice has many points in planes, on lines and in one place.
				p = r3.Vec{X: float64(r.IntN(4)), Y: float64(r.IntN(3)), Z: float64(r.IntN(3))}
			case 2: // The sizes differ much.
				p = geom.Scale(math.Ldexp(1, r.IntN(40)), p)
			case 3: // They are in a plane but for rounding.
				p.Z = 0.3*p.X + 0.7*p.Y
			}
			if i%20 == 5 {
				p.Z = 2 // All are in a plane.
			}
			x = append(x, p.X, p.Y, p.Z)
			points = append(points, ratVecOf(p))
		}
		b := must(rigid.HullBody(x))
		if !b.Solid() {
			flat++
			checkFlat(t, b, points)
			continue
		}
		edges := map[[2]r3.Vec]int{}
		for f := range b.Faces {
			c := b.Corners(int32(f))
			var v [3]ratVec
			for k := range c {
				edges[[2]r3.Vec{c[k], c[(k+1)%3]}]++
				edges[[2]r3.Vec{c[(k+1)%3], c[k]}]--
				v[k] = ratVecOf(c[k])
			}
			n := ratVec(ratCross(v[1].minus(v[0]), v[2].minus(v[0])))
			if n.dot(n).Sign() == 0 {
				t.Fatalf("case %d: face %d is flat", i, f)
			}
			for k, p := range points {
				if n.dot(p.minus(v[0])).Sign() > 0 {
					t.Fatalf("case %d: point %d is beyond face %d of the hull", i, k, f)
				}
			}
		}
		for e, n := range edges {
			if n != 0 {
				t.Fatalf("case %d: the edge %v is open", i, e)
			}
		}
	}
	if flat < 5 {
		t.Errorf("only %d hulls are flat", flat)
	}
}

// checkFlat checks the hull of points in a plane, on a line, or at one place: no point is away from
// it, and its corners are points.
func checkFlat(t *testing.T, b *rigid.Body, points []ratVec) {
	t.Helper()
	for _, p := range points {
		away := true
		for f := range b.Faces {
			c := b.Corners(int32(f))
			if squareOfSets([]ratVec{p}, []ratVec{ratVecOf(c[0]), ratVecOf(c[1]), ratVecOf(c[2])}).Sign() == 0 {
				away = false
				break
			}
		}
		if away {
			t.Fatalf("a point is not in the flat hull %v", b.Faces)
		}
	}
	for f := range b.Faces {
		for _, c := range b.Corners(int32(f)) {
			v, found := ratVecOf(c), false
			for _, p := range points {
				d := p.minus(v)
				found = found || d.dot(d).Sign() == 0
			}
			if !found {
				t.Fatalf("corner %v is no point", c)
			}
		}
	}
}

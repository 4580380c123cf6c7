package rigid_test

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/rigid"
	"ccd/core/status"
)

// roundAbout returns a body whose points are within r of the origin, and which reaches it along x.
func roundAbout(rnd *rand.Rand, r float64) *rigid.Body {
	point := must(rigid.HullBody(make([]float64, 3)))
	switch rnd.IntN(4) {
	case 0:
		return must(point.Padded(r))
	case 1:
		return must(must(rigid.Sphere(r / 2)).Padded(r / 2))
	case 2: // It reaches r on all axes but z.
		return must(rigid.Capsule(r, r/4))
	}
	return must(rigid.Sphere(r))
}

// leastTolerance is what the tolerance 0 stands for: ccd.h has the formula.
func leastTolerance(radii [2]float64, motions ...*rigid.Motion) float64 {
	sum := 0.0
	for i, m := range motions {
		far := max(geom.Norm(m.Position), geom.Norm(r3.Add(m.Position, m.Velocity)))
		r := radii[i]
		sum += 0x1p-40*r + 0x1p-46*(far+geom.Norm(m.Velocity)+geom.Norm(m.AngularVelocity)*r)
	}
	return max(1e-10, sum*(1+1e-9))
}

// Law E4 by default: balls, capsules and padded points of any size, a little more or less than
// their radii apart, touch or are separate. Contact is as near as the least tolerance, and what is
// separate does not touch, in rational arithmetic.
func TestDefaultToleranceOfShapes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(47, 11))
	var s rigid.Solver
	verdicts := map[geom.Verdict]int{}
	n := long.Part(4000, 4)
	for i := range n {
		size := math.Ldexp(1, rnd.IntN(50)-10)
		ra, rb := size*(0.5+rnd.Float64()), size*math.Exp(-8*rnd.Float64())
		gap := max(size, 1e3) * 1e-12 * math.Exp(4*rnd.NormFloat64())
		if i == 0 {
			ra, rb, gap = 1e4, 1e4, 2e-9
		}
		a, b := roundAbout(rnd, ra), roundAbout(rnd, rb)
		ma, mb := rigid.Motion{Rotation: quat.Number{Real: 1}}, rigid.Motion{Rotation: quat.Number{Real: 1}}
		mb.Position.X = ra + rb + gap
		speed := 0.0
		if i%3 == 1 { // They pass each other at the gap, or meet.
			speed = size * rnd.NormFloat64()
			mb.Position.Y, mb.Velocity.Y = -0.5*speed, speed
		} else if i%3 == 2 {
			speed = size * rnd.Float64()
			mb.Position.X, mb.Velocity.X = mb.Position.X+0.5*speed, -speed
		}
		if i%2 == 1 {
			ma.AngularVelocity, mb.AngularVelocity = r3.Vec{Z: rnd.Float64()}, r3.Vec{Z: rnd.NormFloat64()}
		}
		o := rigid.Options{TMax: 1, MaxIterations: 1e4}
		var im rigid.Impact
		if err := s.Earliest(a, b, &ma, &mb, &o, &im); err != nil {
			t.Fatal(err)
		}
		verdicts[im.Verdict]++
		if im.Verdict == geom.Undecided {
			// Bodies that turn and stay near may spend the budget.
			if i%2 == 0 || im.Flags&geom.ReasonCoarse != 0 {
				t.Errorf("case %d: undecided at %v, radii %v and %v, gap %v: %+v", i, im.TOILo, ra, rb, gap, im)
			}
			continue
		}
		// Nothing has a z but the capsules, which are alike above and below: the distance is that
		// of circles.
		apart := func(at float64) *big.Rat {
			sum := new(big.Rat)
			for _, c := range [2][2]float64{{mb.Position.X, mb.Velocity.X}, {mb.Position.Y, mb.Velocity.Y}} {
				way := new(big.Rat).Mul(ratOf(c[1]), ratOf(at))
				way.Add(way, ratOf(c[0]))
				sum.Add(sum, way.Mul(way, way))
			}
			return sum
		}
		most := leastTolerance([2]float64{ra * 1.2, rb * 1.2}, &ma, &mb)
		if im.Verdict == geom.Contact && compareRoot(apart(im.TOIHi), ra, rb, most) > 0 {
			t.Errorf("case %d: contact beyond %v: radii %v and %v, gap %v: %+v", i, most, ra, rb, gap, im)
		}
		for _, at := range []float64{0, 0.5, 1} {
			if im.Verdict == geom.Separate && compareRoot(apart(at), ra, rb, 1.25e-11) <= 0 {
				t.Errorf("case %d: separate, but in contact at %v: radii %v and %v, gap %v", i, at, ra, rb, gap)
			}
		}
		if i%16 == 0 {
			checkRadiiInScenes(t, a, b, &ma, &mb, &o, &im)
		}
	}
	if verdicts[geom.Undecided] > n/25 || verdicts[geom.Contact] < n/4 || verdicts[geom.Separate] < n/50 {
		t.Errorf("verdicts %v", verdicts)
	}
}

// checkRadiiInScenes: a scene has the answer of the pair alone, and a body over a mesh of one
// vertex's size is decided.
func checkRadiiInScenes(t *testing.T, a, b *rigid.Body, ma, mb *rigid.Motion, o *rigid.Options, im *rigid.Impact) {
	t.Helper()
	s := rigid.Scene{Bodies: []*rigid.Body{a, b}, Motions: []rigid.Motion{*ma, *mb}}
	found, err := s.Collisions(o)
	if err != nil || len(found) > 0 != (im.Verdict == geom.Contact) || len(found) > 0 && found[0].Impact != *im {
		t.Errorf("in a scene %+v, alone %+v, %v", found, im, err)
	}
	one, err := mesh.New(3, nil, []int32{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	x := geom.Norm(mb.Position) - b.Radius()
	ground := []float64{x, -1, 0, x, 1, 0, x, 0, 1}
	over := rigid.MeshScene{Bodies: []*rigid.Body{a}, Motions: []rigid.Motion{*ma}, Mesh: one}
	if im, err := over.Earliest(ground, ground, o); err != nil || im.Verdict == geom.Undecided {
		t.Errorf("over a mesh at %v: %+v, %v", x, im, err)
	}
}

// A tolerance that is given is used as it is, also below the least one: balls at rest are separate
// where the distance of their centers says so.
func TestGivenToleranceOfShapes(t *testing.T) {
	ball := must(rigid.Sphere(1e4))
	still := rigid.Motion{Rotation: quat.Number{Real: 1}}
	var s rigid.Solver
	for _, c := range []struct {
		gap, tolerance float64
		want           geom.Verdict
	}{
		{2e-9, 1e-10, geom.Separate}, {2e-9, 1e-9, geom.Separate}, {2e-9, 1e-7, geom.Contact},
		{1e-6, 1e-7, geom.Separate},
	} {
		for _, separation := range []float64{0, 0.5} {
			mb := still
			mb.Position.X = 2e4 + separation + c.gap
			o := rigid.Options{TMax: 1, Tolerance: c.tolerance, MinSeparation: separation, MaxIterations: 1e6}
			var im rigid.Impact
			if err := s.Earliest(ball, ball, &still, &mb, &o, &im); err != nil || im.Verdict != c.want {
				t.Errorf("%+v, separation %v: %+v, %v", c, separation, im, err)
			}
		}
	}
}

// Law E5: a body that is padded by lengths has all points within their sum, in rational arithmetic,
// and no others than its deviation says.
func TestPaddingsAddUpLawE5(t *testing.T) {
	rnd := rand.New(rand.NewPCG(47, 12))
	var ruler rigid.Ruler
	var solver rigid.Solver
	point := must(rigid.HullBody(make([]float64, 3)))
	between := 0
	for i := range long.Part(2000, 4) {
		length := func() float64 { return rnd.Float64() * math.Ldexp(1, rnd.IntN(8)) }
		paddings := []float64{length(), length()}
		if i == 0 {
			paddings = []float64{.6459190760203048, .5836785352350194}
		}
		for range i % 3 {
			paddings = append(paddings, length())
		}
		whole := must(rigid.Sphere(paddings[0]))
		if i%2 == 0 {
			whole = must(point.Padded(paddings[0]))
		}
		sum := ratOf(paddings[0])
		for _, p := range paddings[1:] {
			whole = must(whole.Padded(p))
			sum.Add(sum, ratOf(p))
		}
		inner, outer := ratOf(whole.Radius()), new(big.Rat).Add(ratOf(whole.Radius()), ratOf(whole.Deviation()))
		if inner.Cmp(sum) > 0 || outer.Cmp(sum) < 0 {
			t.Fatalf("paddings %v: radius %v, deviation %v", paddings, whole.Radius(), whole.Deviation())
		}
		if most := float64(len(paddings)) * 0x1p-52 * whole.Radius(); whole.Deviation() > most {
			t.Errorf("paddings %v: deviation %v, above %v", paddings, whole.Deviation(), most)
		}
		if inner.Cmp(sum) < 0 {
			between++
		}
		// The point is at exactly the sum of two paddings, or just below that of more.
		pa, pb := geom.Pose{Rotation: quat.Number{Real: 1}}, geom.Pose{Rotation: quat.Number{Real: 1}}
		pa.Position.X = -paddings[0]
		rest := new(big.Rat).Sub(sum, ratOf(paddings[0]))
		x, _ := rest.Float64()
		if ratOf(x).Cmp(rest) > 0 {
			x = math.Nextafter(x, 0)
		}
		for _, at := range []struct {
			x     float64
			meets bool
		}{{x, true}, {x + whole.Deviation() + 0x1p-51*whole.Radius(), false}} {
			pb.Position.X = at.x
			meets, err := ruler.Intersects(whole, &pa, point, &pb)
			if err != nil || meets != at.meets {
				t.Errorf("paddings %v, a point at %v: %v, %v", paddings, at.x, meets, err)
			}
			var g rigid.Gap
			if err := ruler.Distance(whole, &pa, point, &pb, rigid.DistanceOptions{}, &g); err != nil ||
				at.meets && g.Lo != 0 || !at.meets && g.Flags&rigid.GapIntersecting != 0 {
				t.Errorf("paddings %v, a point at %v: %+v, %v", paddings, at.x, g, err)
			}
		}
		pb.Position.X = x
		ma, mb := rigid.Motion{Rotation: pa.Rotation, Position: pa.Position},
			rigid.Motion{Rotation: pb.Rotation, Position: pb.Position}
		var im rigid.Impact
		if err := solver.Earliest(whole, point, &ma, &mb, nil, &im); err != nil || im.Verdict != geom.Contact {
			t.Errorf("paddings %v, a point at %v: %+v, %v", paddings, x, im, err)
		}
	}
	if between == 0 {
		t.Error("all sums are doubles")
	}
}

// Law E5 for deviations: they add up, rounded up, and leave the radius as it is; the bracket of a
// distance is wider by them and holds both the body and all points within its deviation.
func TestDeviationsAddUpLawE5(t *testing.T) {
	rnd := rand.New(rand.NewPCG(31, 5))
	var ruler rigid.Ruler
	for i := range long.Part(2000, 4) {
		radius, x := rnd.Float64(), 3+rnd.Float64()
		ball := must(rigid.Sphere(radius))
		body, sum := ball, new(big.Rat)
		for range 1 + i%4 {
			e := rnd.Float64() * math.Ldexp(1, -rnd.IntN(60))
			body = must(body.Deviating(e))
			sum.Add(sum, ratOf(e))
		}
		outer := new(big.Rat).Add(ratOf(body.Radius()), ratOf(body.Deviation()))
		if body.Radius() != radius || outer.Cmp(new(big.Rat).Add(ratOf(radius), sum)) < 0 {
			t.Fatalf("radius %v, deviation %v: a sum of deviations is lost", body.Radius(), body.Deviation())
		}
		if body.Solid() != ball.Solid() || body.Deviation() > 4.001+0x1p-40 {
			t.Fatalf("solid %v, deviation %v", body.Solid(), body.Deviation())
		}
		pa, pb := geom.Pose{Rotation: quat.Number{Real: 1}}, geom.Pose{Rotation: quat.Number{Real: 1}}
		pb.Position.X = x
		var g rigid.Gap
		if err := ruler.Distance(body, &pa, ball, &pb, rigid.DistanceOptions{}, &g); err != nil {
			t.Fatal(err)
		}
		plain := new(big.Rat).Sub(ratOf(x), ratOf(2*radius))
		far := new(big.Rat).Sub(plain, sum)
		if far.Sign() > 0 && ratOf(g.Lo).Cmp(far) > 0 || ratOf(g.Hi).Cmp(plain) < 0 {
			t.Fatalf("radius %v at %v: [%v, %v] is not about %v", radius, x, g.Lo, g.Hi, plain)
		}
	}
	for _, wrong := range []float64{-1, math.NaN(), math.Inf(1), rigid.MaxMagnitude} {
		if _, err := must(rigid.Sphere(1)).Deviating(wrong); !errors.Is(err, status.ErrArgument) {
			t.Errorf("deviation %v: %v", wrong, err)
		}
	}
}

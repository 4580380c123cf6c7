package penetration

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/rigid"
)

// drawn returns a draft of two bodies, begun.
func drawn(t *testing.T, a *rigid.Body, pa *geom.Pose, b *rigid.Body, pb *geom.Pose) *Solver {
	t.Helper()
	s := &Solver{a: a, b: b, pa: *pa, pb: *pb}
	if !s.draft.set(a, &s.pa, b, &s.pb) {
		t.Fatal("the draft does not serve")
	}
	return s
}

// rough returns a hull with many corners in nearly one plane, and the normal of that: products with
// it are alike but for rounding.
func rough(rnd *rand.Rand, n int) (*rigid.Body, r3.Vec) {
	turn := geom.Rotation(poseOf(rnd, 1).Rotation)
	x := make([]float64, 0, 3*n)
	for range n {
		p := turn.Apply(r3.Vec{X: rnd.NormFloat64(), Y: rnd.NormFloat64(), Z: 1})
		x = append(x, p.X, p.Y, p.Z)
	}
	return made(rigid.HullBody(append(x, 0, 0, 0))), turn.Apply(r3.Vec{Z: 1})
}

// product returns the product of a vector of balls without errors with one of integers.
func product(m *num.BallVec, v num.IntVec) *big.Float {
	sum := new(big.Float).SetPrec(4000)
	for k := range m {
		x := new(big.Float).SetPrec(4000).SetFloat64(m[k].H)
		x.Add(x, new(big.Float).SetFloat64(m[k].L))
		sum.Add(sum, x.Mul(x, new(big.Float).SetPrec(4000).SetInt(v[k])))
	}
	return sum
}

// holds reports whether a ball holds x.
func holds(b num.Ball, x *big.Float) bool {
	rest := new(big.Float).SetPrec(4000).Sub(x, new(big.Float).SetPrec(4000).SetFloat64(b.H))
	rest.Sub(rest, new(big.Float).SetFloat64(b.L))
	return rest.Abs(rest).Cmp(new(big.Float).SetFloat64(b.E)) <= 0
}

// The greatest product with a corner is in the ball, also of corners that floats do not tell apart.
func TestReachOfADraftHoldsTheGreatestProduct(t *testing.T) {
	rnd := rand.New(rand.NewPCG(51, 50))
	for range long.Part(400, 10) {
		a, na := rough(rnd, 40)
		b, nb := rough(rnd, 12)
		pa, pb := poseOf(rnd, 1), poseOf(rnd, 1)
		s := drawn(t, a, &pa, b, &pb)
		d := &s.draft
		d.load()
		var exact difference
		exact.set(a.Convexity().Corners, a.Reach(), &s.pa, b.Convexity().Corners, b.Reach(), &s.pb)
		exact.load()
		for side, body := range [2]*drafted{&d.side[0], &d.side[1]} {
			n := body.turn.Apply([2]r3.Vec{geom.Scale(-1, na), nb}[side])
			m := num.BallVec{num.BallOf(n.X), num.BallOf(n.Y), num.BallOf(n.Z)}
			_, got := d.reach(side, &m, geom.Norm(n))
			var most *big.Float
			for i := range body.shape.Corners {
				v := exact.exactOf(side, int32(i))
				if side == 1 {
					v = v.Minus(exact.shift)
				}
				x := product(&m, v)
				if side == 0 {
					x.Neg(x)
				}
				if most == nil || x.Cmp(most) > 0 {
					most = x
				}
			}
			most.Quo(most, new(big.Float).SetPrec(4000).SetInt(exact.scale))
			most.SetMantExp(most, exact.unit-d.exponent)
			if !holds(got, most) || !(got.E < 0x1p-90) {
				t.Errorf("body %d: %v does not hold %v", side, got, most)
			}
		}
	}
}

// Corners whose products differ by about the errors of their balls: the greatest need not be in the
// ball of the first, so the answer is the union.
func TestReachOfADraftUnitesWhatBallsDoNotTell(t *testing.T) {
	cube, at := made(rigid.BoxBody([3]float64{1, 1, 1})), geom.Pose{Rotation: quat.Number{Real: 1}}
	s := drawn(t, cube, &at, cube, &at)
	d := &s.draft
	d.load()
	half := math.Ldexp(0.5, -d.exponent)
	for k := range 512 {
		x := math.Ldexp(float64(k), -109)
		m := num.BallVec{num.BallOf(x), num.BallOf(0), num.BallOf(1)}
		for side := range d.side {
			_, got := d.reach(side, &m, 1)
			most := new(big.Float).SetPrec(400).SetFloat64(half)
			if most.Add(most, new(big.Float).SetFloat64(x*half)); !holds(got, most) {
				t.Errorf("%v, body %d: %v does not hold the greatest product", x, side, got)
			}
		}
	}
}

// The bracket of a face's distance, in floats and from balls, holds the exact one: of faces of all
// shapes, some of them needles.
func TestFacesOfADraftHoldTheirDistances(t *testing.T) {
	rnd := rand.New(rand.NewPCG(51, 51))
	floats, sharp := 0, 0
	for round := range long.Part(60, 12) {
		bodies := bodiesOf(rnd, math.Ldexp(1, rnd.IntN(40)-20))
		a, b := bodies[rnd.IntN(len(bodies))], bodies[rnd.IntN(len(bodies))]
		if round%3 == 0 { // Corners nearly on a line: all faces are needles.
			x := make([]float64, 36)
			for i := range x {
				x[i] = rnd.NormFloat64()
				if i%3 > 0 {
					x[i] *= 1e-4
				}
			}
			a, b = made(rigid.HullBody(x)), made(rigid.Sphere(1))
		}
		size := a.Reach() + a.Outer()
		pa, pb := poseOf(rnd, size), poseOf(rnd, size)
		s := drawn(t, a, &pa, b, &pb)
		d := &s.draft
		var p polytope
		p.d = &s.d
		s.d.set(a.Convexity().Corners, a.Reach()+a.Outer(), &s.pa, b.Convexity().Corners, b.Reach()+b.Outer(), &s.pb)
		for range 60 {
			d.v = d.v[:0]
			for range 3 {
				i, j := rnd.IntN(len(a.Convexity().Corners)), rnd.IntN(len(b.Convexity().Corners))
				d.v = append(d.v, d.corner(int32(i), int32(j)))
			}
			p.v = append(p.v[:0], d.v...)
			g := facet{v: [3]int32{0, 1, 2}}
			e := p.plane(&g)
			if isZero(e.n) {
				continue
			}
			float := func() *big.Float { return new(big.Float).SetPrec(1000) }
			far := float().Sqrt(float().SetInt(e.n.Dot(e.n)))
			far.Quo(far.Quo(float().SetInt(e.c), far), float().SetInt(s.d.scale))
			far.SetMantExp(far, s.d.unit-s.d.exponent)
			f := draftFace{v: g.v}
			for d.describe(&f); ; d.sharpen(&f) {
				if far.Cmp(big.NewFloat(f.lo)) < 0 || far.Cmp(big.NewFloat(f.hi)) > 0 {
					t.Errorf("sharp %v: [%v, %v], exactly %v", f.sharp, f.lo, f.hi, far)
				}
				if f.sharp {
					sharp++
					break
				}
				floats++
			}
		}
	}
	if floats < 100 || sharp < floats {
		t.Errorf("%d in floats, %d from balls", floats, sharp)
	}
}

// The first polytope of a draft has its faces seen from outside: each has the corner that is not
// its own behind it.
func TestDraftsBeginRightSideOut(t *testing.T) {
	rnd := rand.New(rand.NewPCG(51, 52))
	count := 0
	for range 3 {
		bodies := bodiesOf(rnd, 1)
		for _, a := range bodies {
			for _, b := range bodies {
				pa, pb := poseOf(rnd, 1), poseOf(rnd, 1)
				s := drawn(t, a, &pa, b, &pb)
				d := &s.draft
				if d.approach(0) != around {
					continue
				}
				d.enclose()
				for i, other := range [4]int32{3, 1, 0, 2} {
					f := &d.faces[i]
					x := geom.Dot(f.n, r3.Sub(d.v[other].at, d.v[f.v[0]].at))
					if count++; x > float64(0x1p-40*f.length) {
						t.Errorf("face %d has corner %d beyond it: %v", i, other, x)
					}
				}
			}
		}
	}
	if count < 100 {
		t.Errorf("only %d faces", count)
	}
}

// A polytope that is inside out is given up where a corner is beyond all of its faces: none would
// be left, and the bound of one that is gone proves nothing.
func TestDraftsInsideOutAreGivenUp(t *testing.T) {
	cube := made(rigid.BoxBody([3]float64{1, 1, 1}))
	at := geom.Pose{Rotation: poseOf(rand.New(rand.NewPCG(1, 1)), 1).Rotation}
	d := &drawn(t, cube, &at, cube, &at).draft
	corners := [4]r3.Vec{{X: 0.1, Y: 0.1, Z: 0.1}, {X: -0.1, Y: -0.1, Z: 0.1}, {X: -0.1, Y: 0.1, Z: -0.1},
		{X: 0.1, Y: -0.1, Z: -0.1}}
	for i, x := range corners {
		d.near.c[i].at = x
	}
	d.enclose()
	for i := range d.faces {
		d.faces[i].v[1], d.faces[i].v[2] = d.faces[i].v[2], d.faces[i].v[1]
		d.faces[i].next[0], d.faces[i].next[2] = d.faces[i].next[2], d.faces[i].next[0]
		d.describe(&d.faces[i])
	}
	if d.expand(0, corner{}); !d.failed {
		t.Error("the draft goes on without a face")
	}
}

// A plane is refused that bodies, or their radii, reach over, and taken where they do not.
func TestDraftsPartWhatIsApart(t *testing.T) {
	cube, at := made(rigid.BoxBody([3]float64{1, 1, 1})), geom.Pose{Rotation: quat.Number{Real: 1}}
	for _, c := range []struct{ gap, radius float64 }{
		{0x1p-30, 0}, {0x1p-30, 0x1p-31}, {0x1p-30, 0x1p-30}, {0.25, 0.25},
	} {
		a := made(cube.Padded(c.radius))
		for _, side := range [2]float64{-1, 1} {
			x := at
			x.Position.X = 1 + float64(side*c.gap)
			d := &drawn(t, a, &at, cube, &x).draft
			d.near.v = r3.Vec{X: 0.3}
			want := side > 0 && c.gap > c.radius
			if d.parted(c.radius) != want {
				t.Errorf("gap %v, radius %v: parted is not %v", x.Position.X-1, c.radius, want)
			}
		}
	}
}

// Boxes along the axes whose depth is a double: the way out is longer, as they would touch else.
func TestWaysOutOfDraftsLeaveNoContact(t *testing.T) {
	rnd := rand.New(rand.NewPCG(51, 55))
	cube := made(rigid.BoxBody([3]float64{1, 1, 1}))
	for range 60 {
		pa, pb := geom.Pose{Rotation: quat.Number{Real: 1}}, geom.Pose{Rotation: quat.Number{Real: 1}}
		k := func() float64 { return float64(rnd.IntN(13)-6) / 8 }
		pb.Position = r3.Vec{X: k(), Y: k(), Z: k()}
		var s Solver
		var d Depth
		if err := s.Depth(cube, &pa, cube, &pb, rigid.DistanceOptions{}, &d); err != nil {
			t.Fatal(err)
		}
		want := 1 - geom.MaxAbs(pb.Position)
		if !s.draft.answered || !(d.Lo <= want && geom.MaxAbs(d.Translation) > want && d.Hi > want) {
			t.Errorf("at %v: %+v, drafted %v", pb.Position, d, s.draft.answered)
		}
	}
}

// A rim that meets a corner twice is given up: which face is beyond an edge there would be unclear.
// The polytope is an octahedron, of which all but two faces that meet at the top are visible.
func TestDraftsGiveUpRimsThatMeetACornerTwice(t *testing.T) {
	cube, at := made(rigid.BoxBody([3]float64{1, 1, 1})), geom.Pose{Rotation: quat.Number{Real: 1}}
	d := &drawn(t, cube, &at, cube, &at).draft
	d.v = d.v[:0]
	for _, x := range [6]r3.Vec{{X: 0.1}, {Y: 0.1}, {X: -0.1}, {Y: -0.1}, {Z: 0.1}, {Z: -0.1}} {
		d.v = append(d.v, corner{at: x})
	}
	var top, low [4]draftFace
	for k := range int32(4) {
		after, before := (k+1)%4, (k+3)%4
		top[k] = draftFace{v: [3]int32{k, after, 4}, next: [3]int32{4 + k, after, before}}
		low[k] = draftFace{v: [3]int32{after, k, 5}, next: [3]int32{k, 4 + before, 4 + after}}
	}
	c := corner{at: r3.Vec{X: 0.01, Y: 0.02, Z: 0.03}}
	d.faces = append(append(d.faces[:0], top[:]...), low[:]...)
	for i := range d.faces {
		f := &d.faces[i]
		f.n, f.length = r3.Sub(c.at, d.v[f.v[0]].at), 1 // It sees the corner.
		if i == 1 || i == 3 {
			f.n = geom.Scale(-1, f.n)
		}
	}
	if d.expand(0, c); !d.failed || len(d.rim) != 6 {
		t.Errorf("failed %v, with a rim of %d edges", d.failed, len(d.rim))
	}
}

// A normal so short that underflow is not small beside its square proves nothing.
func TestDraftsRefuseNormalsThatUnderflow(t *testing.T) {
	cube := made(rigid.BoxBody([3]float64{1, 1, 1}))
	at := geom.Pose{Rotation: poseOf(rand.New(rand.NewPCG(1, 2)), 1).Rotation}
	for _, e := range []int{0, -100, -400, -460, -500, -530, -537, -600} {
		s := drawn(t, cube, &at, cube, &at)
		var m num.BallVec
		for k, x := range [3]float64{0.3, -0.4, 0.7} {
			m[k] = num.BallOf(math.Ldexp(x, e))
		}
		var out Depth
		_, ok := s.prove(&m, 0, 10, &out)
		if ok && math.Abs(geom.Norm(out.Normal)-1) > 1e-15 || ok != (e > -450) {
			t.Errorf("2^%d: %v, normal %v", e, ok, out.Normal)
		}
	}
}

// Where a ball meets the cylinder that facets stand for, or only the points within the deviation of
// them, nothing says that they overlap.
func TestDraftsThatMayTouchDoNotOverlap(t *testing.T) {
	cylinder, ball := made(rigid.Cylinder(0.5, 1, 0.01)), made(rigid.Sphere(0.5))
	at, count := geom.Pose{Rotation: quat.Number{Real: 1}}, 0
	for k := range 200 {
		sin, cos := math.Sincos(float64(k) / 10)
		far, other := 1-float64(1e-4*float64(k)), at
		other.Position = r3.Vec{X: float64(far * cos), Y: float64(far * sin)}
		var s Solver
		var d Depth
		if err := s.Depth(cylinder, &at, ball, &other, rigid.DistanceOptions{}, &d); err != nil {
			t.Fatal(err)
		}
		if (d.Flags&Overlapping != 0) != (d.Lo > 0) {
			t.Errorf("at %v: flags %v of [%v, %v]", other.Position, d.Flags, d.Lo, d.Hi)
		}
		if s.draft.answered && d.Lo == 0 && d.Hi > 0 {
			count++
		}
	}
	if count < 10 {
		t.Errorf("only %d drafts of bodies that may touch", count)
	}
}

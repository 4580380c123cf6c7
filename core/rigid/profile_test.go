package rigid_test

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/rigid"
	"ccd/core/status"
)

// A passage is two bodies that move, and a time.
type passage struct {
	pair
	motions [2]rigid.Motion
	t       float64
}

// somePassage draws bodies that are where those of a pair are at some time, or nearly so.
func somePassage(r *rand.Rand) *passage {
	p := &passage{pair: *somePair(r), t: math.Ldexp(float64(r.IntN(17)-8), -r.IntN(5))}
	size, _ := p.size()
	vec := func(s float64) r3.Vec {
		return r3.Vec{X: s * float64(r.IntN(9)-4), Y: s * float64(r.IntN(9)-4), Z: s * float64(r.IntN(9)-4)}
	}
	for side := range p.motions {
		m := &p.motions[side]
		m.Rotation = p.poses[side].Rotation
		if r.IntN(2) == 0 {
			m.Velocity = vec(math.Ldexp(1, math.Ilogb(size+1e-300)-r.IntN(4)))
		}
		if r.IntN(2) == 0 {
			m.AngularVelocity = vec(math.Ldexp(1, -r.IntN(5)))
		}
		if r.IntN(3) == 0 {
			m.Pivot = vec(size)
		}
		m.Position = r3.Sub(p.poses[side].Position, geom.Scale(p.t, m.Velocity))
	}
	return p
}

// place returns where the corners of both bodies are, rounded to 128 bits: rational arithmetic on
// longer numbers takes seconds.
func (p *passage) place() (at [2][][]ratVec) {
	for side := range at {
		for _, tri := range p.tri[side] {
			var corners []ratVec
			for _, c := range tri {
				x, _, _ := ccdtest.RigidMotion(p.motions[side]).At(c, ccdtest.Big(p.t))
				var v ratVec
				for k := range v {
					v[k], _ = x[k].SetPrec(128).Rat(nil)
				}
				corners = append(corners, v)
			}
			at[side] = append(at[side], corners)
		}
	}
	return at
}

// checkProfile holds the distance at the time of a passage to law B8.
func (p *passage) checkProfile(t *testing.T, r *rand.Rand, c *rigid.ClearanceSolver) (wide bool) {
	t.Helper()
	a, b := p.body(0), p.body(1)
	radii, far := 0.0, 1.0
	for side := range p.motions {
		most := 0.0
		for _, tri := range p.tri[side] {
			for _, x := range tri {
				most = max(most, geom.Norm(r3.Sub(x, p.motions[side].Pivot)))
			}
		}
		radii += most
		m := &p.motions[side]
		far = max(far, geom.Norm(m.Position)+math.Abs(p.t)*geom.Norm(m.Velocity)+geom.Norm(m.Pivot)+most)
	}
	var o rigid.DistanceOptions
	if r.IntN(3) == 0 {
		o.Tolerance = radii * math.Ldexp(1, -r.IntN(40))
	}
	out := make([]rigid.Gap, 2)
	if err := c.Profile(a, b, &p.motions[0], &p.motions[1], []float64{p.t, p.t}, o, out); err != nil {
		t.Fatal(err)
	}
	g := &out[0]
	if out[1] != *g || g.Time != p.t {
		t.Fatalf("%+v, then %+v at %v", *g, out[1], p.t)
	}
	at := p.place()
	var d2 *big.Rat
	for _, x := range at[0] {
		for _, y := range at[1] {
			if d := squareOfSets(x, y); d2 == nil || d.Cmp(d2) < 0 {
				d2 = d
			}
		}
	}
	d, _ := d2.Float64()
	tiny := 0x1p-120 * (far + radii) // what places are rounded by
	if !(g.Lo >= 0 && g.Lo <= g.Hi) || !atLeast(d2, g.Lo-tiny) && g.Lo > tiny || !atMost(d2, g.Hi+tiny) {
		t.Errorf("distance %v is not in [%v, %v]", math.Sqrt(d), g.Lo, g.Hi)
	}
	if meets := g.Flags&rigid.GapIntersecting != 0; meets != (g.Hi == 0) || meets && !atMost(d2, tiny) {
		t.Errorf("distance %v, but %+v", math.Sqrt(d), g)
	}
	if w := g.Hi - g.Lo; w > o.Tolerance+0x1p-38*radii+0x1p-40*far {
		t.Errorf("[%v, %v] is %v wide", g.Lo, g.Hi, w)
	}
	for side, x := range [2]r3.Vec{g.PointA, g.PointB} {
		face := [2]int64{g.IndexA, g.IndexB}[side]
		if off := squareOfSets([]ratVec{ratVecOf(x)}, at[side][face]); !atMost(off, g.Epsilon) {
			t.Errorf("point %d of %+v is off its triangle", side, g)
		}
	}
	return d > 0 && g.Lo == 0
}

// TestProfileLawB8 holds distances at times of motions to their true places.
func TestProfileLawB8(t *testing.T) {
	var c rigid.ClearanceSolver
	wide, cases := 0, long.Part(600, 20)
	for i := range cases {
		r := rand.New(rand.NewPCG(181, uint64(i)))
		p := somePassage(r)
		if p.checkProfile(t, r, &c) {
			wide++
		}
		if t.Failed() {
			t.Fatalf("case %d: %+v", i, p)
		}
	}
	if wide > cases/10 {
		t.Errorf("%d of %d pairs may touch for all that is known", wide, cases)
	}
}

// FuzzProfile holds distances at times of motions to law B8: go test ./core/rigid -fuzz
// FuzzProfile.
func FuzzProfile(f *testing.F) {
	for i := range uint64(4) {
		f.Add(i, 7*i)
	}
	var c rigid.ClearanceSolver
	f.Fuzz(func(t *testing.T, seed, stream uint64) {
		r := rand.New(rand.NewPCG(seed, stream))
		somePassage(r).checkProfile(t, r, &c)
	})
}

// TestProfileAtExactPoses: at times at which poses are doubles, distances are those of Distance,
// and touching is decided.
func TestProfileAtExactPoses(t *testing.T) {
	var c rigid.ClearanceSolver
	var s rigid.Ruler
	compared := 0
	for i := range long.Part(400, 4) {
		r := rand.New(rand.NewPCG(182, uint64(i)))
		p := somePassage(r)
		for side := range p.motions {
			p.motions[side].Pivot = r3.Vec{}
			if p.t != 0 {
				p.motions[side].AngularVelocity = r3.Vec{}
			}
		}
		// Positions of few bits, to which no rounding does anything.
		for side := range p.motions {
			m := &p.motions[side]
			m.Position = r3.Vec{X: float64(float32(m.Position.X)), Y: float64(float32(m.Position.Y)),
				Z: float64(float32(m.Position.Z))}
			p.poses[side].Position = r3.Add(m.Position, geom.Scale(p.t, m.Velocity))
			for _, x := range [][3]float64{{m.Position.X, m.Velocity.X, p.poses[side].Position.X},
				{m.Position.Y, m.Velocity.Y, p.poses[side].Position.Y},
				{m.Position.Z, m.Velocity.Z, p.poses[side].Position.Z}} {
				sum := new(big.Rat).Mul(ratOf(p.t), ratOf(x[1]))
				if sum.Add(sum, ratOf(x[0])).Cmp(ratOf(x[2])) != 0 {
					p = nil
					break
				}
			}
			if p == nil {
				break
			}
		}
		if p == nil {
			continue
		}
		a, b := p.body(0), p.body(1)
		var want rigid.Gap
		out := make([]rigid.Gap, 1)
		if err := s.Distance(a, &p.poses[0], b, &p.poses[1], rigid.DistanceOptions{}, &want); err != nil {
			t.Fatal(err)
		}
		err := c.Profile(a, b, &p.motions[0], &p.motions[1], []float64{p.t}, rigid.DistanceOptions{}, out)
		if err != nil {
			t.Fatal(err)
		}
		if want.Time = p.t; out[0] != want {
			t.Errorf("case %d: %+v, but %+v", i, out[0], want)
		}
		compared++
	}
	if compared < 20 {
		t.Errorf("only %d poses are doubles", compared)
	}
}

// TestProfileOfShapes: distances by formula of a ball that turns about a far pivot, and comes to be
// inside of a box that turns.
func TestProfileOfShapes(t *testing.T) {
	ball, box := must(rigid.Sphere(0.5)), must(rigid.BoxBody([3]float64{4, 4, 4}))
	still := rigid.Motion{Rotation: quat.Number{Real: 1}, AngularVelocity: r3.Vec{X: 1}}
	comes := rigid.Motion{Rotation: quat.Number{Real: 1}, Position: r3.Vec{X: 8}, Velocity: r3.Vec{X: -1},
		AngularVelocity: r3.Vec{Y: 3, X: 1}}
	times := []float64{-1, 0, 3, 5.25, 5.75, 7.75}
	want := []float64{6.5, 5.5, 2.5, 0.25, 0, 0}
	out := make([]rigid.Gap, len(times))
	var c rigid.ClearanceSolver
	if err := c.Profile(ball, box, &comes, &still, times, rigid.DistanceOptions{}, out); err != nil {
		t.Fatal(err)
	}
	for i, g := range out {
		if meets := g.Flags&rigid.GapIntersecting != 0; !(g.Lo <= want[i] && want[i] <= g.Hi) || g.Hi-g.Lo > 1e-11 ||
			meets != (want[i] == 0) || (i == 5) != (g.Flags&rigid.GapInside != 0) {
			t.Errorf("at %v: %+v, want %v", times[i], g, want[i])
		}
	}
}

// TestProfileErrors: errors name the argument, and a callback ends the call.
func TestProfileErrors(t *testing.T) {
	box := must(rigid.BoxBody([3]float64{1, 1, 1}))
	still := rigid.Motion{Rotation: quat.Number{Real: 1}}
	fast := rigid.Motion{Rotation: quat.Number{Real: 1}, AngularVelocity: r3.Vec{X: 1e9}}
	out := make([]rigid.Gap, 2)
	var c rigid.ClearanceSolver
	for _, x := range []struct {
		times []float64
		m     *rigid.Motion
		text  string
	}{
		{[]float64{0, math.NaN()}, &still, "times[1] is NaN: not finite or above 1e+60 in magnitude"},
		{[]float64{0, 2e60}, &still, "times[1] is 2e+60: not finite or above 1e+60 in magnitude"},
		{[]float64{0, 1e9}, &fast, "mb: angular_velocity turns the body by 1e+18 radians"},
	} {
		err := c.Profile(box, box, &still, x.m, x.times, rigid.DistanceOptions{}, out)
		if err == nil || len(err.Error()) < len(x.text) || err.Error()[:len(x.text)] != x.text {
			t.Errorf("%v, want %v", err, x.text)
		}
	}
	c.CallOptions.Progress = func(float64) bool { return true }
	err := c.Profile(box, box, &still, &still, []float64{0, 1}, rigid.DistanceOptions{}, out)
	if !errors.Is(err, status.ErrCancelled) {
		t.Error(err)
	}
}

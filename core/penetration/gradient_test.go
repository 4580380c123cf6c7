package penetration_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/gradient"
	"ccd/core/penetration"
	"ccd/core/rigid"
)

func gradientOf(t *testing.T, a *rigid.Body, pa geom.Pose, b *rigid.Body, pb geom.Pose) (g penetration.Gradient) {
	t.Helper()
	var s penetration.Solver
	if err := s.Gradient(a, &pa, b, &pb, rigid.DistanceOptions{}, &g); err != nil {
		t.Fatal(err)
	}
	return g
}

// moved is a pose after a time h with a velocity, and a turn about its origin whose angular
// velocity is w: by Cayley's form (1, h w / 2), which is the turn up to h^3.
func moved(p ratPose, v, w r3.Vec, h *big.Rat) ratPose {
	half := new(big.Rat).Mul(h, big.NewRat(1, 2))
	turn := [4]*big.Rat{big.NewRat(1, 1), new(big.Rat).Mul(half, rat(w.X)), new(big.Rat).Mul(half, rat(w.Y)),
		new(big.Rat).Mul(half, rat(w.Z))}
	x := ratOf(v)
	for k := range x {
		x[k].Mul(x[k], h)
		x[k].Add(x[k], p.x[k])
	}
	return ratPose{times(turn, p.q), x}
}

// Law W5: derivatives are those of differences in rational arithmetic over a time of 2^-80, to both
// sides, and those to both sides are equal.
func TestDepthGradientsLawL5(t *testing.T) {
	rnd := rand.New(rand.NewPCG(51, 3))
	states := map[gradient.State]int{}
	for i := range long.Part(64, 4) {
		points := func() []float64 {
			x := make([]float64, 3*4)
			for k := range x {
				x[k] = rnd.NormFloat64()
				if rnd.IntN(3) == 0 {
					x[k] = float64(rnd.IntN(3) - 1)
				}
			}
			return x
		}
		xa, xb := points(), points()
		a, b := must(rigid.HullBody(xa)), must(rigid.HullBody(xb))
		if !a.Solid() || !b.Solid() {
			continue
		}
		pa := geom.Pose{Rotation: randomTurn(rnd), Position: r3.Vec{X: rnd.NormFloat64()}}
		pb := geom.Pose{Rotation: randomTurn(rnd)}
		pb.Position = geom.Scale(0.4, r3.Vec{X: rnd.NormFloat64(), Y: rnd.NormFloat64()})
		if i%4 == 0 { // Parallel edges and faces.
			pa, pb = unturned(0, 0, 0), unturned(0.25, 0.125, 0)
		}
		g := gradientOf(t, a, pa, b, pb)
		states[g.State]++
		if g.State != gradient.Defined {
			if g.State == gradient.Tie && !math.IsNaN(g.PositionA.X) {
				t.Errorf("a tie has %v", g.PositionA)
			}
			continue
		}
		ra, rb := ratPoseOf(&pa), ratPoseOf(&pb)
		random := func() r3.Vec { return r3.Vec{X: rnd.NormFloat64(), Y: rnd.NormFloat64(), Z: rnd.NormFloat64()} }
		va, wa, vb, wb := random(), random(), random(), random()
		want := geom.Dot(g.PositionA, va) + geom.Dot(g.RotationA, wa)
		want += geom.Dot(g.PositionB, vb) + geom.Dot(g.RotationB, wb)
		start := truthOf(ra.all(vecs(xa)), rb.all(vecs(xb)))
		for _, sign := range []int64{1, -1} {
			h := new(big.Rat).SetFrac(big.NewInt(sign), new(big.Int).Lsh(big.NewInt(1), 80))
			qa, qb := moved(ra, va, wa, h), moved(rb, vb, wb, h)
			end := truthOf(qa.all(vecs(xa)), qb.all(vecs(xb)))
			slope := new(big.Float).SetPrec(600).Sub(end.float(), start.float())
			slope.Quo(slope, new(big.Float).SetPrec(600).SetRat(h))
			if got, _ := slope.Float64(); math.Abs(got-want) > 1e-11 {
				t.Errorf("case %d: the depth changes at %v, not %v: %+v", i, got, want, g)
			}
		}
	}
	if states[gradient.Defined] < 6 {
		t.Errorf("states %v", states)
	}
}

// What has no derivative is said: ties, parallel faces, touching bodies; bodies that are apart have
// 0; bodies that are not convex are undetermined.
func TestDepthGradientStates(t *testing.T) {
	cube, ball := must(rigid.BoxBody([3]float64{2, 2, 2})), must(rigid.Sphere(0.5))
	tip := must(rigid.HullBody([]float64{0, 0, 0, 1, 1, 3, -1, 1, 3, 0, -1, 3}))
	open := must(rigid.NewBody([]float64{0, 0, -1, 1, 0, 1, 0, 1, 1, -1, -1, 2}, [][3]int32{{0, 1, 2}, {0, 2, 3}}, 1))
	rod := must(rigid.Capsule(0.25, 2))
	lying := must(must(rigid.HullBody([]float64{-1, 0.1, 0.2, 1, 0, 0})).Padded(0.25))
	turned := geom.Pose{Rotation: quat.Number{Real: 1, Imag: 0.3, Jmag: 0.2}}
	for _, c := range []struct {
		name string
		a, b *rigid.Body
		at   geom.Pose // Where a is.
		want gradient.State
	}{
		{"parallel faces", cube, cube, unturned(1.5, 0, 0), gradient.Tie},
		{"six ways", cube, cube, unturned(0, 0, 0), gradient.Tie},
		{"touching", cube, cube, unturned(2, 0, 0), gradient.Tie},
		{"apart", cube, cube, unturned(3, 0, 0), gradient.NoImpact},
		{"far apart", cube, cube, unturned(30, 0, 0), gradient.NoImpact},
		{"a corner in a face", tip, cube, unturned(.1, .2, .9), gradient.Defined},
		{"a tip in the middle", tip, cube, unturned(0, 0, 0), gradient.Defined},
		{"a ball inside", ball, cube, unturned(.1, .2, .5), gradient.Defined},
		{"a ball in the middle", ball, cube, unturned(0, 0, 0), gradient.Tie},
		{"a ball above", ball, cube, unturned(.1, .2, 1.25), gradient.Defined},
		{"a ball on a face", ball, cube, unturned(.1, .2, 1), gradient.Tie},
		{"balls", ball, ball, unturned(.1, .2, .3), gradient.Defined},
		{"a ball and a capsule", ball, rod, unturned(.1, .2, .3), gradient.Defined},
		{"a ball at the end of a capsule", ball, rod, unturned(.1, .2, 1.2), gradient.Defined},
		{"capsules that cross", lying, rod, unturned(.1, .2, .3), gradient.Defined},
		{"parallel capsules", rod, rod, unturned(.1, .2, .3), gradient.Tie},
		{"concentric balls", ball, ball, unturned(0, 0, 0), gradient.Tie},
		{"turned", cube, cube, turned, gradient.Defined},
		{"a surface", open, cube, unturned(0, 0, 1), gradient.Undetermined},
	} {
		g := gradientOf(t, c.a, c.at, c.b, unturned(0, 0, 0))
		if c.name == "turned" && g.State == gradient.Tie { // A centered cube is symmetric.
			continue
		}
		if g.State != c.want {
			t.Errorf("%s: %v, not %v: %+v", c.name, g.State, c.want, g)
		}
		if g.State == gradient.Defined && geom.Norm(r3.Sub(g.PositionB, g.Depth.Normal)) > 1e-12 {
			t.Errorf("%s: %v by the position, normal %v", c.name, g.PositionB, g.Depth.Normal)
		}
		if g.State == gradient.NoImpact && (g.PositionA != r3.Vec{} || g.RotationB != r3.Vec{}) {
			t.Errorf("%s: %+v", c.name, g)
		}
	}
}

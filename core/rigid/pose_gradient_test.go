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
	"ccd/core/gradient"
	"ccd/core/rigid"
)

// exactPose is a pose in rational numbers, whose rotation is that of the quaternion w + v.
type exactPose struct {
	w     *big.Rat
	v, at ratVec
}

func exactPoseOf(p *geom.Pose) exactPose {
	q := p.Rotation
	return exactPose{ratOf(q.Real), ratVecOf(r3.Vec{X: q.Imag, Y: q.Jmag, Z: q.Kmag}), ratVecOf(p.Position)}
}

func (a ratVec) plus(s *big.Rat, b ratVec) (c ratVec) {
	for k := range c {
		c[k] = new(big.Rat).Mul(s, b[k])
		c[k].Add(c[k], a[k])
	}
	return c
}

// moved returns the pose after the time h at a velocity and an angular velocity about its origin,
// up to terms of the order h^3.
func (p exactPose) moved(h *big.Rat, velocity, spin r3.Vec) exactPose {
	half := new(big.Rat).Quo(h, big.NewRat(2, 1))
	u := ratVec{new(big.Rat), new(big.Rat), new(big.Rat)}.plus(half, ratVecOf(spin))
	// (1 + u)(w + v) = w - u.v + v + w u + u x v
	w := new(big.Rat).Sub(p.w, u.dot(p.v))
	v := p.v.plus(p.w, u).plus(big.NewRat(1, 1), ratVec(ratCross(u, p.v)))
	return exactPose{w, v, p.at.plus(h, ratVecOf(velocity))}
}

// place returns where the pose takes a point: p + 2 w (v x p) + 2 v x (v x p) over |q|^2.
func (p exactPose) place(x r3.Vec) ratVec {
	n := new(big.Rat).Add(new(big.Rat).Mul(p.w, p.w), p.v.dot(p.v))
	two := new(big.Rat).Quo(big.NewRat(2, 1), n)
	first := ratVec(ratCross(p.v, ratVecOf(x)))
	second := ratVec(ratCross(p.v, first))
	return ratVecOf(x).plus(new(big.Rat).Mul(two, p.w), first).plus(two, second).plus(big.NewRat(1, 1), p.at)
}

// squareAt returns the square of the distance of two triangles at poses.
func (p *pair) squareAt(poses *[2]exactPose, faces [2]int) *big.Rat {
	var c [2][]ratVec
	for side := range 2 {
		for _, x := range p.tri[side][faces[side]] {
			c[side] = append(c[side], poses[side].place(x))
		}
	}
	return squareOfSets(c[0], c[1])
}

// nearestAt returns the distance of the surfaces at poses, to 600 bits, and the pairs of triangles
// that are equally near, or nearly so.
func (p *pair) nearestAt(poses [2]exactPose, faces [][2]int) (d *big.Float, nearest [][2]int) {
	var squares []*big.Rat
	var best *big.Rat
	for _, f := range faces {
		d2 := p.squareAt(&poses, f)
		if squares = append(squares, d2); best == nil || d2.Cmp(best) < 0 {
			best = d2
		}
	}
	most := new(big.Rat).Mul(best, ratOf(1+0x1p-20))
	for i, d2 := range squares {
		if d2.Cmp(most) <= 0 {
			nearest = append(nearest, faces[i])
		}
	}
	d = new(big.Float).SetPrec(600).SetRat(best)
	return d.Sqrt(d), nearest
}

// pairs are all pairs of triangles that are about as near as the nearest.
func (p *pair) pairs(hi float64) (out [][2]int) {
	place := func(side int, t [3]r3.Vec) (c [3]r3.Vec) {
		turn := geom.Rotation(p.poses[side].Rotation)
		for k := range 3 {
			c[k] = r3.Add(turn.Apply(t[k]), p.poses[side].Position)
		}
		return c
	}
	ball := func(t [3]r3.Vec) (c r3.Vec, r float64) {
		c = geom.Scale(1/3., r3.Add(t[0], r3.Add(t[1], t[2])))
		for k := range 3 {
			r = max(r, geom.Norm(r3.Sub(t[k], c)))
		}
		return c, r
	}
	for i, s := range p.tri[0] {
		c, r := ball(place(0, s))
		for j, t := range p.tri[1] {
			if d, q := ball(place(1, t)); geom.Norm(r3.Sub(c, d)) <= (r+q+hi)*(1+1e-9) {
				out = append(out, [2]int{i, j})
			}
		}
	}
	return out
}

// checkGradient compares derivatives with exact differences on both sides, over a time of 2^-80,
// along a random motion of both bodies.
func (p *pair) checkGradient(r *rand.Rand, g *rigid.GapGradient) error {
	radii, _ := p.size()
	some := func() r3.Vec { return r3.Vec{X: 2*r.Float64() - 1, Y: 2*r.Float64() - 1, Z: 2*r.Float64() - 1} }
	var velocity, spin [2]r3.Vec
	for side := range 2 {
		velocity[side], spin[side] = geom.Scale(radii, some()), some()
	}
	rate := geom.Dot(g.PositionA, velocity[0]) + geom.Dot(g.RotationA, spin[0]) +
		geom.Dot(g.PositionB, velocity[1]) + geom.Dot(g.RotationB, spin[1])
	h := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 80))
	poses := [2]exactPose{exactPoseOf(&p.poses[0]), exactPoseOf(&p.poses[1])}
	here, faces := p.nearestAt(poses, p.pairs(g.Gap.Hi))
	for _, sign := range []int64{1, -1} {
		step := new(big.Rat).Mul(h, big.NewRat(sign, 1))
		there, _ := p.nearestAt([2]exactPose{poses[0].moved(step, velocity[0], spin[0]),
			poses[1].moved(step, velocity[1], spin[1])}, faces)
		there.Sub(there, here)
		x, _ := there.Quo(there, new(big.Float).SetRat(step)).Float64()
		// Twelve components are off by the tolerance at most.
		if !(math.Abs(x-rate) <= 14*gradient.Tolerance*radii) {
			return fmt.Errorf("rate %v to the side %v: %v expected, a difference of %v of the radii", rate, sign, x,
				(x-rate)/radii)
		}
	}
	return nil
}

// holdGradient computes the derivatives of a pair and holds them to law B6.
func (p *pair) holdGradient(t *testing.T, r *rand.Rand, s *rigid.Ruler) gradient.State {
	t.Helper()
	a, b := p.body(0), p.body(1)
	var g, back rigid.GapGradient
	var gap rigid.Gap
	o := rigid.DistanceOptions{}
	if err := s.DistanceGradient(a, &p.poses[0], b, &p.poses[1], o, &g); err != nil {
		t.Fatal(err)
	}
	if err := s.Distance(a, &p.poses[0], b, &p.poses[1], o, &gap); err != nil {
		t.Fatal(err)
	}
	if gap.Iterations = g.Gap.Iterations; gap != g.Gap {
		t.Errorf("the distance is %+v, but with derivatives %+v", gap, g.Gap)
	}
	if err := s.DistanceGradient(b, &p.poses[1], a, &p.poses[0], o, &back); err != nil {
		t.Fatal(err)
	}
	radii, _ := p.size()
	if back.State != g.State {
		t.Errorf("%v, but %v in the other order", g.State, back.State)
	}
	switch g.State {
	case gradient.Defined:
		if err := p.checkGradient(r, &g); err != nil {
			t.Errorf("%v\n%+v\n%+v", err, g, p)
		}
		for i, d := range []r3.Vec{r3.Sub(g.PositionA, back.PositionB), r3.Sub(g.RotationA, back.RotationB),
			r3.Sub(g.PositionB, back.PositionA), r3.Sub(g.RotationB, back.RotationA)} {
			if most := [2]float64{1, radii}[i%2]; !(geom.Norm(d) <= 4*gradient.Tolerance*most) {
				t.Errorf("%+v, but %+v in the other order", g, back)
			}
		}
	case gradient.Initial:
		if p.square().Sign() != 0 || g.PositionA != (r3.Vec{}) || g.RotationB != (r3.Vec{}) {
			t.Errorf("in contact: %+v\n%+v", g, p)
		}
	default:
		if !math.IsNaN(g.PositionA.X) || !math.IsNaN(g.RotationB.Z) {
			t.Errorf("%v with numbers: %+v", g.State, g)
		}
	}
	if (p.square().Sign() == 0) != (g.State == gradient.Initial) {
		t.Errorf("%v of a distance of %v", g.State, g.Gap.Hi)
	}
	return g.State
}

// Law B6.
func TestDistanceLaw6Gradients(t *testing.T) {
	cases := 75
	if testing.Short() {
		cases = 40
	}
	var s rigid.Ruler
	states := map[gradient.State]int{}
	for i := range cases {
		r := rand.New(rand.NewPCG(73, uint64(i)))
		p := somePair(r)
		if i%3 == 0 {
			// Two equal bodies that are turned alike have parallel sides, and often several nearest
			// points.
			p.tri[1], p.poses[1].Rotation = p.tri[0], p.poses[0].Rotation
		}
		states[p.holdGradient(t, r, &s)]++
		if t.Failed() {
			t.Fatalf("case %d", i)
		}
	}
	if states[gradient.Defined] < cases/2 || states[gradient.Initial] < cases/20 || states[gradient.Tie] < cases/20 {
		t.Errorf("%d cases: %v", cases, states)
	}
}

// cubeTriangles are those of a cube.
func cubeTriangles(half float64) (out [][3]r3.Vec) {
	at := func(k int) r3.Vec {
		return r3.Vec{X: half * float64(k/4*2-1), Y: half * float64(k/2%2*2-1), Z: half * float64(k%2*2-1)}
	}
	for _, f := range [][4]int{{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}} {
		out = append(out, [3]r3.Vec{at(f[0]), at(f[1]), at(f[2])}, [3]r3.Vec{at(f[0]), at(f[2]), at(f[3])})
	}
	return out
}

// TestDistanceGradientOfCubes names the states of placements whose derivatives are known, with
// features of several triangles that are nearest.
func TestDistanceGradientOfCubes(t *testing.T) {
	var s rigid.Ruler
	still := quat.Number{Real: 1}
	onCorner := quat.Number{Real: 8, Imag: 3, Jmag: 2, Kmag: 1}
	for _, c := range []struct {
		name string
		q    quat.Number
		at   r3.Vec
		want gradient.State
	}{
		{"face over face", still, r3.Vec{X: 3}, gradient.Tie},
		{"edge beside edge", still, r3.Vec{X: 3, Y: 3}, gradient.Tie},
		{"corner to corner", still, r3.Vec{X: 3, Y: 3, Z: 3}, gradient.Defined},
		{"edge over face", quat.Number{Real: 5, Kmag: 2}, r3.Vec{X: 3}, gradient.Tie},
		{"corner over face", onCorner, r3.Vec{X: 3}, gradient.Defined},
		{"corner over the diagonal of a face", onCorner, r3.Vec{X: 4, Y: 0.25, Z: 0.25}, gradient.Defined},
		{"face on face", still, r3.Vec{X: 2}, gradient.Initial},
		{"nested at the middle", still, r3.Vec{}, gradient.Initial},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &pair{tri: [2][][3]r3.Vec{cubeTriangles(1), cubeTriangles(1)},
				poses: [2]geom.Pose{{Rotation: still}, {Rotation: c.q, Position: c.at}}}
			var g rigid.GapGradient
			err := s.DistanceGradient(p.body(0), &p.poses[0], p.body(1), &p.poses[1], rigid.DistanceOptions{}, &g)
			if err != nil {
				t.Fatal(err)
			}
			if g.State != c.want {
				t.Errorf("%v: %v expected; %+v", g.State, c.want, g)
			}
			if g.State == gradient.Defined {
				if err := p.checkGradient(rand.New(rand.NewPCG(1, 2)), &g); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// FuzzDistanceGradient holds derivatives to law B6: go test ./core/rigid -fuzz
// FuzzDistanceGradient.
func FuzzDistanceGradient(f *testing.F) {
	for i := range uint64(4) {
		f.Add(i, 7*i)
	}
	var s rigid.Ruler
	f.Fuzz(func(t *testing.T, seed, stream uint64) {
		r := rand.New(rand.NewPCG(seed, stream))
		somePair(r).holdGradient(t, r, &s)
	})
}

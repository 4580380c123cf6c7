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
	"ccd/core/penetration"
	"ccd/core/rigid"
)

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func vecs(x []float64) (out []r3.Vec) {
	for i := 0; i < len(x); i += 3 {
		out = append(out, geom.VecOf(x[i:]))
	}
	return out
}

func randomTurn(rnd *rand.Rand) quat.Number {
	x := rnd.NormFloat64
	return quat.Number{Real: x(), Imag: x(), Jmag: x(), Kmag: x()}
}

// depth is the result of a call that must not fail.
func depth(t *testing.T, a *rigid.Body, pa geom.Pose, b *rigid.Body, pb geom.Pose) (out penetration.Depth) {
	t.Helper()
	var s penetration.Solver
	if err := s.Depth(a, &pa, b, &pb, rigid.DistanceOptions{}, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// checkLaws compares a depth with the truth: of polytopes with insides, both enlarged by radii
// whose sum is r. It returns whether they overlap without radii.
func checkLaws(t *testing.T, name string, d *penetration.Depth, w *truth, r *big.Rat) bool {
	t.Helper()
	if !(d.Lo >= 0 && d.Lo <= d.Hi && d.Hi <= math.MaxFloat64) {
		t.Fatalf("%s: [%v, %v]", name, d.Lo, d.Hi)
	}
	if w.h.Sign() < 0 && r.Sign() > 0 {
		return false // The distance may be that of corners: another test has it.
	}
	if w.h.Sign() <= 0 && r.Sign() == 0 {
		if *d != (penetration.Depth{Iterations: d.Iterations}) {
			t.Errorf("%s: they do not overlap: %+v", name, d)
		}
		return false
	}
	// Law W1: lo <= r + depth <= hi.
	if w.compare(new(big.Rat).Sub(rat(d.Lo), r)) < 0 || w.compare(new(big.Rat).Sub(rat(d.Hi), r)) > 0 {
		x, _ := w.float().Float64()
		y, _ := r.Float64()
		t.Errorf("%s: depth %v + %v, not in [%v, %v]", name, x, y, d.Lo, d.Hi)
	}
	if width := d.Hi - d.Lo; width > 0x1p-45*d.Hi+1e-119*d.Hi {
		t.Errorf("%s: [%v, %v] is wide: %v of it", name, d.Lo, d.Hi, width/d.Hi)
	}
	// Law W2: the translation is a way out, of at most that length.
	v := ratOf(d.Translation)
	if !w.parts(v, r) {
		t.Errorf("%s: moved by %v they are not apart", name, d.Translation)
	}
	if v.dot(v).Cmp(new(big.Rat).Mul(rat(d.Hi), rat(d.Hi))) > 0 {
		t.Errorf("%s: the translation is longer than %v", name, d.Hi)
	}
	if d.Flags != penetration.Overlapping {
		t.Errorf("%s: flags %v", name, d.Flags)
	}
	if n := geom.Norm(d.Normal); math.Abs(n-1) > 1e-15 ||
		geom.Norm(r3.Sub(d.Translation, geom.Scale(d.Hi, d.Normal))) > 1e-15*d.Hi {
		t.Errorf("%s: normal %v of %v", name, d.Normal, d.Translation)
	}
	return true
}

// Laws W1 to W3: hulls of a few points at random poses, from deep inside to hardly touching.
func TestDepthLawsOfHulls(t *testing.T) {
	rnd := rand.New(rand.NewPCG(51, 1))
	overlaps, apart := 0, 0
	for range long.Part(400, 12) {
		size := math.Ldexp(1, rnd.IntN(80)-40)
		points := func() []float64 {
			x := make([]float64, 3*(4+rnd.IntN(3)))
			for i := range x {
				x[i] = size * rnd.NormFloat64()
				if rnd.IntN(3) == 0 {
					x[i] = size * float64(rnd.IntN(3)-1)
				}
			}
			return x
		}
		xa, xb := points(), points()
		a, b := must(rigid.HullBody(xa)), must(rigid.HullBody(xb))
		if !a.Solid() && !b.Solid() {
			continue
		}
		pa, pb := geom.Pose{Rotation: randomTurn(rnd)}, geom.Pose{Rotation: randomTurn(rnd)}
		pa.Position = geom.Scale(size, r3.Vec{X: rnd.NormFloat64(), Y: 1e3 * rnd.NormFloat64()})
		pb.Position = r3.Add(pa.Position, geom.Scale(size*rnd.Float64(), r3.Vec{X: 1, Y: rnd.NormFloat64()}))
		if rnd.IntN(3) == 0 {
			pa.Rotation, pb.Rotation = quat.Number{Real: 1}, quat.Number{Real: 1}
		}
		d := depth(t, a, pa, b, pb)
		ra, rb := ratPoseOf(&pa), ratPoseOf(&pb)
		w := truthOf(ra.all(vecs(xa)), rb.all(vecs(xb)))
		if checkLaws(t, "hulls", &d, &w, new(big.Rat)) {
			overlaps++
			checkPoints(t, "hulls", &d, &w)
			// Padded, by lengths whose sum is a double.
			p := size * float64(1+rnd.IntN(8)) / 8
			padded := depth(t, must(a.Padded(p)), pa, must(b.Padded(p/2)), pb)
			checkLaws(t, "padded", &padded, &w, rat(1.5*p))
			// The other order.
			back := depth(t, b, pb, a, pa)
			if math.Abs(back.Hi-d.Hi) > 0x1p-48*d.Hi {
				t.Errorf("exchanged: %v and %v", d.Hi, back.Hi)
			}
		} else {
			apart++
		}
	}
	if overlaps < 10 || apart < 3 {
		t.Errorf("%d overlap, %d do not", overlaps, apart)
	}
}

// checkPoints: each point lies in its body, up to Epsilon, and their difference is the translation.
func checkPoints(t *testing.T, name string, d *penetration.Depth, w *truth) {
	t.Helper()
	if lack := geom.Norm(r3.Sub(r3.Sub(d.PointB, d.PointA), d.Translation)); lack > d.Epsilon {
		t.Errorf("%s: points differ by %v from the translation, above %v", name, lack, d.Epsilon)
	}
	for k, body := range [][]ratVec{w.a, w.b} {
		p := [2]r3.Vec{d.PointA, d.PointB}[k]
		point, most := []ratVec{w.scaled(ratOf(p))}, new(big.Rat).Mul(rat(d.Epsilon), w.scale)
		for _, n := range w.all {
			over := reach([]ratVec{{new(big.Rat), new(big.Rat), new(big.Rat)}}, point, n)
			own := reach([]ratVec{{new(big.Rat), new(big.Rat), new(big.Rat)}}, body, n)
			beyond := over.Sub(over, own)
			if less(most, big.NewRat(1, 1), beyond, n.dot(n)) {
				t.Errorf("%s: point %d is more than %v outside of its body", name, k, d.Epsilon)
				return
			}
		}
	}
}

// The conventions of the table of peers: a small box in a large one, off the center, goes out by
// the shortest way; coincident cubes; what touches has the depth 0, whatever touches.
func TestDepthOfBoxes(t *testing.T) {
	cube, small, large := must(rigid.BoxBody([3]float64{2, 2, 2})), must(rigid.BoxBody([3]float64{.2, .2, .2})),
		must(rigid.BoxBody([3]float64{10, 10, 10}))
	for _, c := range []struct {
		name string
		a, b *rigid.Body
		at   geom.Pose // Where a is.
		want float64
		way  r3.Vec
	}{
		{"face", cube, cube, unturned(1.5, 0, 0), .5, r3.Vec{X: 1}},
		{"nested", small, cube, unturned(.3, 0, 0), .8, r3.Vec{X: 1}},
		{"nested in a large one", cube, large, unturned(0, -.5, 0), 5.5, r3.Vec{Y: -1}},
		{"coincident", cube, cube, unturned(0, 0, 0), 2, r3.Vec{}},
		{"touching faces", cube, cube, unturned(2, 0, 0), 0, r3.Vec{}},
		{"touching edges", cube, cube, unturned(2, 2, 0), 0, r3.Vec{}},
		{"touching corners", cube, cube, unturned(2, 2, -2), 0, r3.Vec{}},
		{"apart", cube, cube, unturned(2.5, 0, 0), 0, r3.Vec{}},
		{"apart at corners", cube, cube, unturned(2.5, 2.5, 2.5), 0, r3.Vec{}},
		{"one bit deep", cube, cube, unturned(math.Nextafter(2, 0), 0, 0), 0x1p-52, r3.Vec{X: 1}},
		{"one bit apart", cube, cube, unturned(math.Nextafter(2, 3), 0, 0), 0, r3.Vec{}},
		{"one bit deep at edges", cube, cube, unturned(0, math.Nextafter(2, 0), 2-0x1p-40), 0x1p-52, r3.Vec{Y: 1}},
	} {
		d := depth(t, c.a, c.at, c.b, unturned(0, 0, 0))
		if math.Abs(d.Hi-c.want) > 1e-15*c.want || math.Abs(d.Lo-c.want) > 1e-15*c.want {
			t.Errorf("%s: depth in [%v, %v], not %v", c.name, d.Lo, d.Hi, c.want)
		}
		if c.way != (r3.Vec{}) && d.Normal != c.way {
			t.Errorf("%s: normal %v, not %v", c.name, d.Normal, c.way)
		}
		if c.want == 0 { // Also with a tolerance.
			var s penetration.Solver
			var wide penetration.Depth
			here := unturned(0, 0, 0)
			err := s.Depth(c.a, &c.at, c.b, &here, rigid.DistanceOptions{Tolerance: 0.5}, &wide)
			if err != nil || wide.Lo != 0 || wide.Hi != 0 {
				t.Errorf("%s: with a tolerance %+v, %v", c.name, wide, err)
			}
		}
		if c.want == 0 && (d.Flags != 0 || d.Translation != r3.Vec{} || d.Normal != r3.Vec{}) {
			t.Errorf("%s: %+v", c.name, d)
		}
	}
}

// Boxes that turn, in rational arithmetic; a box on its edge.
func TestDepthLawsOfBoxes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(51, 2))
	cube := must(rigid.BoxBody([3]float64{2, 2, 2}))
	for i := range long.Part(24, 8) {
		pa, pb := unturned(0, 0, 0), unturned(0, 0, 0)
		pb.Position = geom.Scale(1.2, r3.Vec{X: rnd.Float64(), Y: rnd.Float64(), Z: rnd.Float64()})
		pb.Rotation = randomTurn(rnd)
		if i%3 == 0 { // Edges parallel to faces.
			pb.Rotation = quat.Number{Real: 1, Kmag: float64(rnd.IntN(4)) / 2}
		}
		d := depth(t, cube, pa, cube, pb)
		ra, rb := ratPoseOf(&pa), ratPoseOf(&pb)
		corners := cube.Convexity().Corners
		w := truthOf(ra.all(corners), rb.all(corners))
		checkLaws(t, "boxes", &d, &w, new(big.Rat))
	}
}

// Balls and boxes, in closed form: the center outside, on the surface and inside.
func TestDepthOfBalls(t *testing.T) {
	cube, ball := must(rigid.BoxBody([3]float64{2, 2, 2})), must(rigid.Sphere(0.5))
	for _, c := range []struct {
		name string
		b    *rigid.Body
		at   geom.Pose // Where the ball is.
		want float64
		way  r3.Vec
	}{
		{"face", cube, unturned(1.25, .1, .2), .25, r3.Vec{X: 1}},
		{"inside", cube, unturned(.1, .2, -.75), .75, r3.Vec{Z: -1}},
		{"center on a face", cube, unturned(.1, 1, .2), .5, r3.Vec{Y: 1}},
		{"corner", cube, unturned(1.1, 1.2, 1.2), .2, r3.Vec{X: 1. / 3, Y: 2. / 3, Z: 2. / 3}},
		{"edge", cube, unturned(1.3, 1.4, 0), 0, r3.Vec{}},
		{"touching", cube, unturned(1.5, 0, 0), 0, r3.Vec{}},
		{"apart", cube, unturned(1.75, 0, 0), 0, r3.Vec{}},
		{"balls", ball, unturned(.6, 0, .0), .4, r3.Vec{X: 1}},
		{"concentric balls", ball, unturned(0, 0, 0), 1, r3.Vec{Z: 1}},
		{"touching balls", ball, unturned(0, 1, 0), 0, r3.Vec{}},
	} {
		d := depth(t, ball, c.at, c.b, unturned(0, 0, 0))
		if !(d.Lo <= c.want+1e-15 && d.Hi >= c.want-1e-15 && d.Hi-d.Lo <= 1e-12) {
			t.Errorf("%s: depth in [%v, %v], not %v", c.name, d.Lo, d.Hi, c.want)
		}
		if c.way != (r3.Vec{}) && geom.Norm(r3.Sub(d.Normal, c.way)) > 1e-12 {
			t.Errorf("%s: normal %v, not %v", c.name, d.Normal, c.way)
		}
		if c.want > 0 && geom.Norm(r3.Sub(r3.Sub(d.PointB, d.PointA), d.Translation)) > d.Epsilon {
			t.Errorf("%s: points %v and %v", c.name, d.PointA, d.PointB)
		}
	}
	// Capsules that cross, that lie in one line, and that are the same.
	rod := must(rigid.Capsule(0.25, 2))
	lying := geom.Pose{Rotation: quat.Number{Real: 1, Imag: 1}}
	for _, c := range []struct {
		pa   geom.Pose
		want float64
	}{
		{lying, .5}, {unturned(0, 0, 1), .5}, {unturned(0, 0, 2.25), .25}, {unturned(.25, 0, 0), .25},
		{unturned(0, 0, 2.5), 0},
	} {
		d := depth(t, rod, c.pa, rod, unturned(0, 0, 0))
		if !(d.Lo <= c.want+1e-15 && d.Hi >= c.want-1e-15 && d.Hi-d.Lo <= 1e-12) {
			t.Errorf("capsules at %v: [%v, %v], not %v", c.pa, d.Lo, d.Hi, c.want)
		}
	}
}

// A cylinder is known up to its deviation, and the bracket says so.
func TestDepthOfCylinders(t *testing.T) {
	cylinder, cube := must(rigid.Cylinder(1, 2, 1e-3)), must(rigid.BoxBody([3]float64{2, 2, 2}))
	for _, x := range []float64{1.25, 1.75, 1.9995, 2.5} {
		d := depth(t, cylinder, unturned(x, 0, 0), cube, unturned(0, 0, 0))
		want := max(0, 2-x)
		if d.Lo > want+1e-15 || d.Hi < want-1e-15 || d.Hi-d.Lo > 1.1e-3 {
			t.Errorf("at %v: [%v, %v], not %v", x, d.Lo, d.Hi, want)
		}
	}
}

// A mesh is convex if its surface is that of its hull: a cube in any cut and orientation is; with a
// face missing, or with a dent, it is not.
func TestConvexMeshes(t *testing.T) {
	box := must(rigid.BoxBody([3]float64{2, 2, 2}))
	var x []float64
	for _, p := range box.Convexity().Corners {
		x = append(x, p.X, p.Y, p.Z)
	}
	number := map[r3.Vec]int32{}
	for i, p := range box.Convexity().Corners {
		number[p] = int32(i)
	}
	var faces, turned [][3]int32
	for f := range box.Faces {
		c := box.Corners(int32(f))
		v := [3]int32{number[c[0]], number[c[1]], number[c[2]]}
		faces, turned = append(faces, v), append(turned, [3]int32{v[0], v[2], v[1]})
	}
	for name, c := range map[string]struct {
		x      []float64
		faces  [][3]int32
		convex bool
	}{
		"cube": {x, faces, true}, "inverted": {x, turned, true}, "open": {x, faces[1:], false},
		"twice, once inverted": {x, append(append([][3]int32(nil), faces...), turned...), false},
		"dent": {append(append([]float64(nil), x...), 0, 0, 0.9),
			append(append([][3]int32(nil), faces[1:]...), [3]int32{faces[0][0], faces[0][1], 8},
				[3]int32{faces[0][1], faces[0][2], 8}, [3]int32{faces[0][2], faces[0][0], 8}), false},
	} {
		b := must(rigid.NewBody(c.x, c.faces, 1))
		if got := b.Convexity().Convex; got != c.convex {
			t.Errorf("%s: convex is %v", name, got)
		}
		d := depth(t, b, unturned(0.5, 0, 0), box, unturned(0, 0, 0))
		if c.convex && (d.Flags != penetration.Overlapping || math.Abs(d.Hi-1.5) > 1e-15 || d.Lo < 1.5-1e-15) {
			t.Errorf("%s: %+v", name, d)
		}
		if !c.convex && (d.Flags != penetration.UpperBound || d.Lo != 0 || d.Hi < 1.5-1e-9 || d.Hi > 1.5+1e-6) {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

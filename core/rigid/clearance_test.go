package rigid_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/rigid"
)

// blob returns a closed surface around the origin, of radius about 1, with bumps.
func blob(r *rand.Rand, rows int) *rigid.Body {
	columns := 2 * rows
	k, phase := float64(1+r.IntN(4)), r.Float64()*6
	var v []float64
	for i := range rows {
		for j := range columns {
			a, b := math.Pi*(float64(i)+0.5)/float64(rows), 2*math.Pi*float64(j)/float64(columns)
			d := 0.8 + 0.2*math.Sin(k*a+phase)*math.Cos(k*b)
			v = append(v, d*math.Sin(a)*math.Cos(b), d*math.Sin(a)*math.Sin(b), d*math.Cos(a))
		}
	}
	v = append(v, 0, 0, 0.7, 0, 0, -0.7)
	top := int32(rows * columns)
	var f [][3]int32
	for i := range int32(rows) {
		for j := range int32(columns) {
			n := (j + 1) % int32(columns)
			p, q := i*int32(columns)+j, i*int32(columns)+n
			if i == 0 {
				f = append(f, [3]int32{top, p, q})
			}
			if i == int32(rows)-1 {
				f = append(f, [3]int32{top + 1, q, p})
				continue
			}
			f = append(f, [3]int32{p, p + int32(columns), q}, [3]int32{q, p + int32(columns), q + int32(columns)})
		}
	}
	b, err := rigid.NewBody(v, f, 1)
	if err != nil {
		panic(err)
	}
	return b
}

func someVec(r *rand.Rand) r3.Vec {
	return r3.Vec{X: 2*r.Float64() - 1, Y: 2*r.Float64() - 1, Z: 2*r.Float64() - 1}
}

func somePose(r *rand.Rand, far float64) geom.Pose {
	return geom.Pose{
		Rotation: quat.Number{Real: r.NormFloat64(), Imag: r.NormFloat64(), Jmag: r.NormFloat64(),
			Kmag: r.NormFloat64()},
		Position: geom.Scale(far, someVec(r)),
	}
}

func someMotion(r *rand.Rand) rigid.Motion {
	p := somePose(r, 2)
	return rigid.Motion{Rotation: p.Rotation, Position: p.Position, Velocity: geom.Scale(3, someVec(r)),
		AngularVelocity: geom.Scale(4, someVec(r)), Pivot: geom.Scale(0.3, someVec(r))}
}

// TestDistanceWithoutTrees compares distances with those of all pairs of triangles, each in a body
// of its own.
func TestDistanceWithoutTrees(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 1))
	var s rigid.Ruler
	for range 25 {
		a, b := blob(r, 3+r.IntN(2)), blob(r, 3+r.IntN(3))
		pa, pb := somePose(r, 2), somePose(r, 2)
		var all, g rigid.Gap
		all.Lo, all.Hi = math.Inf(1), math.Inf(1)
		for i := range a.Faces {
			for j := range b.Faces {
				if err := s.Distance(alone(a, i), &pa, alone(b, j), &pb, rigid.DistanceOptions{}, &g); err != nil {
					t.Fatal(err)
				}
				all.Lo, all.Hi, all.Flags = min(all.Lo, g.Lo), min(all.Hi, g.Hi), all.Flags|g.Flags
			}
		}
		if err := s.Distance(a, &pa, b, &pb, rigid.DistanceOptions{}, &g); err != nil {
			t.Fatal(err)
		}
		if g.Lo > all.Hi || g.Hi < all.Lo || g.Flags != all.Flags || math.Abs(g.Hi-all.Hi) > 1e-11 {
			t.Errorf("%+v, but [%v, %v], flags %v", g, all.Lo, all.Hi, all.Flags)
		}
	}
}

// alone returns a face of a body as a body.
func alone(b *rigid.Body, face int) *rigid.Body {
	var v []float64
	for _, p := range b.Corners(int32(face)) {
		v = append(v, p.X, p.Y, p.Z)
	}
	out, err := rigid.NewBody(v, [][3]int32{{0, 1, 2}}, 1)
	if err != nil {
		panic(err)
	}
	return out
}

// TestDistanceTolerance compares brackets that may be wide with narrow ones.
func TestDistanceTolerance(t *testing.T) {
	r := rand.New(rand.NewPCG(85, 1))
	var s rigid.Ruler
	a, b := blob(r, 12), blob(r, 16)
	wide := 0
	for range 100 {
		pa, pb := somePose(r, 3), somePose(r, 3)
		var g, rough rigid.Gap
		if err := s.Distance(a, &pa, b, &pb, rigid.DistanceOptions{}, &g); err != nil {
			t.Fatal(err)
		}
		for _, tolerance := range []float64{0.5, 0.1, 0.02} {
			o := rigid.DistanceOptions{Tolerance: tolerance}
			if err := s.Distance(a, &pa, b, &pb, o, &rough); err != nil {
				t.Fatal(err)
			}
			if rough.Lo > g.Hi || rough.Hi < g.Lo || rough.Flags != g.Flags || rough.Hi-rough.Lo > tolerance*(1+1e-9) {
				t.Errorf("tolerance %v: %+v, but %+v", tolerance, rough, g)
			}
			if rough.Hi > g.Hi+1e-6 {
				wide++
			}
		}
	}
	if wide < 20 {
		t.Errorf("%d brackets do not end at the distance", wide)
	}
}

// TestIterationsEndADistance holds distances to their bracket where the budget ends the search.
func TestIterationsEndADistance(t *testing.T) {
	r := rand.New(rand.NewPCG(82, 1))
	var s rigid.Ruler
	a, b := blob(r, 12), blob(r, 12)
	ended := 0
	for range 40 {
		pa, pb := somePose(r, 3), somePose(r, 3)
		var g, cut rigid.Gap
		if err := s.Distance(a, &pa, b, &pb, rigid.DistanceOptions{}, &g); err != nil {
			t.Fatal(err)
		}
		o := rigid.DistanceOptions{MaxIterations: 1 + r.Int64N(g.Iterations)}
		if err := s.Distance(a, &pa, b, &pb, o, &cut); err != nil {
			t.Fatal(err)
		}
		if cut.Lo > g.Hi || cut.Hi < g.Lo {
			t.Errorf("%+v, but %+v after %d iterations", g, cut, o.MaxIterations)
		}
		if cut.Flags&rigid.GapUnfinished != 0 {
			ended++
		} else if cut.Hi-cut.Lo > 1e-11 {
			t.Errorf("%+v is wide", cut)
		}
	}
	if ended == 0 {
		t.Error("no search was ended")
	}
}

// TestClearanceLaws holds least distances over motions to distances at times of the motions, whose
// poses are rounded by less than 1e-12 here.
func TestClearanceLaws(t *testing.T) {
	cases := 60
	if testing.Short() {
		cases = 20
	}
	var c rigid.ClearanceSolver
	var s rigid.Ruler
	met, apart := 0, 0
	for i := range cases {
		r := rand.New(rand.NewPCG(83, uint64(i)))
		a, b, ma, mb := blob(r, 4+r.IntN(6)), blob(r, 4+r.IntN(6)), someMotion(r), someMotion(r)
		o := rigid.DefaultOptions()
		o.TMin = -r.Float64()
		o.Tolerance = math.Pow(10, -3-7*r.Float64())
		o.MaxIterations = 0
		var g, at rigid.Gap
		if err := c.Clearance(a, b, &ma, &mb, &o, &g); err != nil {
			t.Fatal(err)
		}
		measure := func(x float64) *rigid.Gap {
			pa, pb := ma.At(x), mb.At(x)
			if err := s.Distance(a, &pa, b, &pb, rigid.DistanceOptions{}, &at); err != nil {
				t.Fatal(err)
			}
			return &at
		}
		if g.Hi-g.Lo > o.Tolerance || g.Lo > g.Hi || g.Time < o.TMin || g.Time > o.TMax ||
			g.Flags&rigid.GapUnfinished != 0 {
			t.Errorf("case %d: %+v, tolerance %v", i, g, o.Tolerance)
		}
		if d := measure(g.Time); d.Lo > g.Hi+1e-12 || d.Hi < g.Lo-1e-12 {
			t.Errorf("case %d: %+v, but %+v", i, g, d)
		}
		if way := geom.Norm(r3.Sub(g.PointA, g.PointB)); way > g.Hi+2*g.Epsilon || way < g.Lo-2*g.Epsilon {
			t.Errorf("case %d: points %v apart, %+v", i, way, g)
		}
		for range 60 {
			x := o.TMin + r.Float64()*(o.TMax-o.TMin)
			if r.IntN(3) == 0 {
				x = min(max(g.Time+1e-3*r.NormFloat64(), o.TMin), o.TMax)
			}
			if d := measure(x); d.Hi < g.Lo-1e-12 {
				t.Errorf("case %d: %+v, but %+v at %v", i, g, d, x)
			}
		}
		if g.Hi == 0 {
			met++
		} else if g.Lo > 0 {
			apart++
		}
	}
	if met < 3 || apart < 3 {
		t.Errorf("%d meet, %d stay apart of %d", met, apart, cases)
	}
}

// TestClearanceOfPoints compares with the formula of a point that turns around another one's path.
func TestClearanceOfPoints(t *testing.T) {
	point, err := rigid.NewBody([]float64{0, 0, 0}, [][3]int32{{0, 0, 0}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	arm, err := rigid.NewBody([]float64{2, 0, 0}, [][3]int32{{0, 0, 0}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	var c rigid.ClearanceSolver
	// The arm turns from 0 to pi/2 about z; the point stands at 3 (cos x, sin x, 0.5).
	for _, x := range []float64{0.3, 1, 1.5, 2.5} {
		ma := rigid.Motion{Rotation: quat.Number{Real: 1}, AngularVelocity: r3.Vec{Z: math.Pi / 2}}
		mb := rigid.Motion{Rotation: quat.Number{Real: 1},
			Position: r3.Vec{X: 3 * math.Cos(x), Y: 3 * math.Sin(x), Z: 0.5}}
		y := max(0, x-math.Pi/2) // how far the arm stays behind
		want := math.Sqrt(4 + 9 - 12*math.Cos(y) + 0.25)
		var g rigid.Gap
		if err := c.Clearance(arm, point, &ma, &mb, nil, &g); err != nil {
			t.Fatal(err)
		}
		if want < g.Lo-1e-12 || want > g.Hi+1e-12 || g.Hi-g.Lo > 1e-8 ||
			math.Abs(g.Time-min(x/(math.Pi/2), 1)) > 1e-3 {
			t.Errorf("%v: %+v, not %v", x, g, want)
		}
	}
}

// TestClearanceBetweenSamples passes two points fast. The nearer one is passed between two of the
// times that are looked at first, the other one at one of them: only the proof finds the nearer.
func TestClearanceBetweenSamples(t *testing.T) {
	points, err := rigid.NewBody([]float64{250, 2, 0, 781, 1, 0}, [][3]int32{{0, 0, 0}, {1, 1, 1}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	point, err := rigid.NewBody([]float64{0, 0, 0}, [][3]int32{{0, 0, 0}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	var c rigid.ClearanceSolver
	still := rigid.Motion{Rotation: quat.Number{Real: 1}}
	fast := rigid.Motion{Rotation: quat.Number{Real: 1}, Velocity: r3.Vec{X: 1000}}
	var g rigid.Gap
	if err := c.Clearance(points, point, &still, &fast, nil, &g); err != nil {
		t.Fatal(err)
	}
	if g.Lo > 1 || g.Hi < 1 || g.Hi-g.Lo > 1e-6 || math.Abs(g.Time-0.781) > 1e-6 || g.IndexA != 1 {
		t.Errorf("%+v", g)
	}
}

// TestWithin compares the pairs of a scene with those of all pairs of bodies.
func TestWithin(t *testing.T) {
	r := rand.New(rand.NewPCG(84, 1))
	bodies := []*rigid.Body{blob(r, 5), blob(r, 7)}
	var s rigid.Scene
	var poses []geom.Pose
	for i := range 30 {
		s.Bodies = append(s.Bodies, bodies[i%2])
		poses = append(poses, somePose(r, 6))
		s.Groups = append(s.Groups, int32(r.IntN(8)-4))
	}
	s.Skip = [][2]int32{{3, 1}, {0, 2}}
	for _, d := range []float64{0, 0.5, 2} {
		s.Threads = 1
		found, err := s.Within(poses, d, rigid.DistanceOptions{})
		if err != nil {
			t.Fatal(err)
		}
		s.Threads = 3
		again, err := s.Within(poses, d, rigid.DistanceOptions{})
		if err != nil || len(again) != len(found) {
			t.Fatal(len(again), len(found), err)
		}
		var ruler rigid.Ruler
		n := 0
		for i := range poses {
			for j := i + 1; j < len(poses); j++ {
				if s.Groups[i] >= 0 && s.Groups[i] == s.Groups[j] || i == 1 && j == 3 || i == 0 && j == 2 {
					continue
				}
				var g rigid.Gap
				err := ruler.Distance(s.Bodies[i], &poses[i], s.Bodies[j], &poses[j], rigid.DistanceOptions{}, &g)
				if err != nil {
					t.Fatal(err)
				}
				if g.Lo > d {
					continue
				}
				if n == len(found) || found[n].A != int64(i) || found[n].B != int64(j) || found[n] != again[n] ||
					math.Abs(found[n].Gap.Hi-g.Hi) > 1e-11 || found[n].Gap.Flags != g.Flags {
					t.Fatalf("%v: pair %d %d, %+v is not in %+v", d, i, j, g, found)
				}
				n++
			}
		}
		if n != len(found) || n == 0 && d > 0 {
			t.Errorf("%v: %d pairs, not %d", d, len(found), n)
		}
	}
}

// TestClearanceEndsWhereTheDistanceHalves: a body that turns ten times a unit about a far pivot
// comes to less than half of the distance that samples find: a search for contact less that half
// must not ask for a separation of 0 for ever.
func TestClearanceEndsWhereTheDistanceHalves(t *testing.T) {
	a, errA := rigid.NewBody([]float64{2, 2, 0.79, 1, 1, -1, 0.6, 0.14, -0.81}, [][3]int32{{0, 1, 2}}, 1)
	b, errB := rigid.NewBody([]float64{2, -2, -0.18, 0.89, -1, -0.85, -2, 0.37, -0.95}, [][3]int32{{0, 1, 2}}, 1)
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	tested := 0
	r := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		ma := rigid.Motion{
			Rotation: quat.Number{Real: r.NormFloat64(), Imag: 0.27, Jmag: r.NormFloat64(), Kmag: 0.59},
			Position: r3.Vec{X: 2.5, Y: -3.2, Z: 0.83}, Velocity: r3.Vec{Y: -0.08, Z: 1.95},
			AngularVelocity: r3.Vec{Z: 40 + 40*r.Float64()}, Pivot: r3.Vec{X: 0.6, Y: 100},
		}
		mb := rigid.Motion{
			Rotation: quat.Number{Real: -0.8, Imag: -1.93, Jmag: r.NormFloat64(), Kmag: -1.15},
			Position: r3.Vec{X: -3, Y: -4, Z: 2.18}, Velocity: r3.Vec{Y: 2.65, Z: -1.54}, Pivot: r3.Vec{Y: 100},
		}
		o := rigid.Options{TMax: 2, MaxIterations: 20000}
		ended := make(chan rigid.Gap, 1)
		go func() {
			var c rigid.ClearanceSolver
			var g rigid.Gap
			if err := c.Clearance(a, b, &ma, &mb, &o, &g); err != nil {
				t.Error(err)
			}
			ended <- g
		}()
		select {
		case g := <-ended:
			if !(g.Lo <= g.Hi) {
				t.Fatalf("%+v", g)
			}
			tested++
		case <-time.After(5 * time.Second):
			t.Fatalf("a clearance of %v and %v does not end", ma, mb)
		}
	}
	t.Log(tested, "clearances")
}

// TestClearanceOfWires moves a wire through a triangle: neither has an inside that the other
// crosses, but an edge passes through the face.
func TestClearanceOfWires(t *testing.T) {
	wire, err := rigid.NewBody([]float64{0, 0, 0, 0, 0, 1}, [][3]int32{{0, 1, 1}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	face, err := rigid.NewBody([]float64{-9, -9, 0, 9, -9, 0, 0, 9, 0}, [][3]int32{{0, 1, 2}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	var c rigid.ClearanceSolver
	for _, swap := range []bool{false, true} {
		ma := rigid.Motion{Rotation: quat.Number{Real: 1}, Position: r3.Vec{Z: 1}, Velocity: r3.Vec{Z: -1.5},
			AngularVelocity: r3.Vec{Z: 2}}
		mb := rigid.Motion{Rotation: quat.Number{Real: 1}}
		a, b := wire, face
		if swap {
			a, b, ma, mb = b, a, mb, ma
		}
		var g rigid.Gap
		if err := c.Clearance(a, b, &ma, &mb, nil, &g); err != nil {
			t.Fatal(err)
		}
		if g.Flags != rigid.GapIntersecting || g.Hi != 0 || g.Time < 1/1.5-1e-9 ||
			geom.Norm(r3.Sub(g.PointA, g.PointB)) > 2*g.Epsilon || math.Abs(g.Normal.Z) < 1-1e-9 {
			t.Errorf("%+v", g)
		}
	}
}

// TestClearanceOfBoxes moves boxes through each other whose faces lie in one plane all the time, so
// that edges lie in faces and insides of triangles do not cross.
func TestClearanceOfBoxes(t *testing.T) {
	b := block{half: [3]int64{8, 8, 8}, turn: [4]int64{1, 0, 0, 0}}
	var v []float64
	var f [][3]int32
	for _, s := range b.surface(1) {
		n := int32(len(v) / 3)
		f = append(f, [3]int32{n, n + 1, n + 2})
		for _, p := range s {
			v = append(v, p.X, p.Y, p.Z)
		}
	}
	box, err := rigid.NewBody(v, f, 1)
	if err != nil {
		t.Fatal(err)
	}
	var c rigid.ClearanceSolver
	for _, y := range []float64{0, 0.5, 2} {
		still := rigid.Motion{Rotation: quat.Number{Real: 1}}
		past := rigid.Motion{Rotation: quat.Number{Real: 1}, Position: r3.Vec{X: 3, Y: y}, Velocity: r3.Vec{X: -6}}
		var g rigid.Gap
		if err := c.Clearance(box, box, &still, &past, nil, &g); err != nil {
			t.Fatal(err)
		}
		if meets := g.Flags == rigid.GapIntersecting; meets != (y < 2) || meets != (g.Hi == 0) || g.Hi > 1e-8 {
			t.Errorf("%v: %+v", y, g)
		}
	}
}

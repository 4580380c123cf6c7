package rigid_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/rigid"
	"ccd/core/status"
)

// Law E4: the first contact of shapes that move without turning, against rational arithmetic.
func TestShapesLawE4(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 4))
	var s rigid.Solver
	verdicts, starts := map[geom.Verdict]int{}, 0
	for i := range long.Part(600, 8) {
		p := someShapePair(r)
		v := geom.Scale(4, someVec(r))
		if r.IntN(2) == 0 { // Toward the first, from farther away.
			p.poses[1].Position = geom.Scale(5, p.poses[1].Position)
			v = geom.Scale(-1, p.poses[1].Position)
		}
		at := func(k int, v r3.Vec) rigid.Motion {
			return rigid.Motion{Rotation: p.poses[k].Rotation, Position: p.poses[k].Position, Velocity: v}
		}
		ma, mb := at(0, r3.Vec{}), at(1, v)
		o := rigid.DefaultOptions()
		if o.Tolerance = 1e-7; i%3 == 0 {
			o.MinSeparation = 0.1
		}
		var im rigid.Impact
		if err := s.Earliest(p.s[0].body, p.s[1].body, &ma, &mb, &o, &im); err != nil {
			t.Fatal(err)
		}
		verdicts[im.Verdict]++
		moved := func(t float64) *big.Rat {
			b := p.hullAt(1)
			for k, x := range []float64{v.X, v.Y, v.Z} {
				way := new(big.Rat).Mul(ratOf(x), ratOf(t))
				for i := range b {
					b[i][k] = new(big.Rat).Add(b[i][k], way)
				}
			}
			return squareOfSets(p.hullAt(0), b)
		}
		ra, rb := p.s[0].radius, p.s[1].radius
		kept := o.MinSeparation
		if kept == 0 {
			kept = 0.125 * o.Tolerance
		}
		start := im.Flags&rigid.InitialContact != 0
		switch im.Verdict {
		case geom.Separate:
			for _, x := range []float64{0, 0.5, 1} {
				if compareRoot(moved(x), ra, rb, kept) <= 0 {
					t.Errorf("case %d: separate, but in contact at %v", i, x)
				}
			}
		case geom.Contact:
			if start {
				starts++
			}
			if compareRoot(moved(im.TOIHi), ra, rb, o.MinSeparation, o.Tolerance) > 0 {
				t.Errorf("case %d: law 3: apart at %v", i, im.TOIHi)
			}
			if !start && compareRoot(moved(im.TOILo), ra, rb, kept) <= 0 {
				t.Errorf("case %d: law 2: in contact at %v, before", i, im.TOILo)
			}
			if d := im.Distance; im.Flags&rigid.Intersecting == 0 && d > o.MinSeparation+o.Tolerance {
				t.Errorf("case %d: the points are %v apart", i, d)
			}
			if way := r3.Sub(im.PointA, im.PointB); im.Flags&rigid.Intersecting == 0 &&
				math.Abs(geom.Norm(way)-im.Distance) > 1e-11 {
				t.Errorf("case %d: points %v apart, distance %v", i, geom.Norm(way), im.Distance)
			}
		case geom.Undecided:
			t.Errorf("case %d: undecided", i)
		}
		if deep := compareRoot(moved(0), ra, rb, -1e-9) < 0; deep != (im.Flags&rigid.Intersecting != 0) &&
			compareRoot(moved(0), ra, rb, 1e-9) > 0 {
			t.Errorf("case %d: intersecting at the start: %v, flags %v", i, deep, im.Flags)
		}
		if overlap := compareRoot(moved(0), ra, rb, -1e-9) < 0 && moved(0).Sign() > 0; overlap &&
			(!start || im.Flags&rigid.Intersecting == 0) {
			t.Errorf("case %d: %s and %s overlap at the start: %+v", i, p.s[0].name, p.s[1].name, im)
		}
	}
	if verdicts[geom.Separate] < 8 || verdicts[geom.Contact]-starts < 8 || starts < 8 {
		t.Errorf("verdicts %v, %d at the start", verdicts, starts)
	}
}

// Law E4: a solid that holds the other body at the start intersects it, whatever moves; a surface
// does not.
func TestSolidsHoldAtTheStart(t *testing.T) {
	small, still := must(rigid.Sphere(0.1)), rigid.Motion{Rotation: quat.Number{Real: 1}}
	turning := rigid.Motion{Rotation: quat.Number{Real: 1}, AngularVelocity: r3.Vec{X: 1}, Position: r3.Vec{X: 0.1}}
	surface := func(b *rigid.Body) *rigid.Body {
		var v []float64
		var f [][3]int32
		for i := range b.Faces {
			n := int32(len(v) / 3)
			for _, c := range b.Corners(int32(i)) {
				v = append(v, c.X, c.Y, c.Z)
			}
			f = append(f, [3]int32{n, n + 1, n + 2})
		}
		return must(rigid.NewBody(v, f, 1))
	}
	var s rigid.Solver
	var c rigid.ClearanceSolver
	for _, large := range []*rigid.Body{must(rigid.BoxBody([3]float64{2, 3, 4})), must(rigid.Cylinder(1, 2, 0)),
		must(rigid.Cone(1, 2, 0)), must(must(rigid.BoxBody([3]float64{2, 2, 2})).Padded(0.5))} {
		for _, o := range []rigid.Options{{TMax: 1}, {TMin: 1, TMax: 2, MinSeparation: 0.01},
			{TMax: 1, Flags: rigid.IgnoreSeparating}} {
			for k, b := range []*rigid.Body{large, surface(large)} {
				for side := range 2 {
					first, second, ma, mb := small, b, &turning, &still
					if side == 1 {
						first, second, ma, mb = b, small, &still, &turning
					}
					var im rigid.Impact
					if err := s.Earliest(first, second, ma, mb, &o, &im); err != nil {
						t.Fatal(err)
					}
					if got := im.Flags&rigid.Intersecting != 0 && im.TOILo == o.TMin; got != (k == 0) {
						t.Errorf("surface %v: %+v", k == 1, im)
					}
					var g rigid.Gap
					over := rigid.Options{TMin: o.TMin, TMax: o.TMax}
					if err := c.Clearance(first, second, ma, mb, &over, &g); err != nil {
						t.Fatal(err)
					}
					if got := g.Flags == rigid.GapIntersecting|rigid.GapInside && g.Hi == 0; got != (k == 0) ||
						k == 1 && !(g.Lo > 0.2) {
						t.Errorf("surface %v: %+v", k == 1, g)
					}
				}
			}
		}
	}
}

// Law E5: clearance of shapes over a motion.
func TestClearanceOfShapes(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 5))
	var c rigid.ClearanceSolver
	var s rigid.Ruler
	met, apart := 0, 0
	for range long.Part(60, 3) {
		p := someShapePair(r)
		if r.IntN(3) == 0 {
			p.s[0].body = must(rigid.Cylinder(0.5, 2, 0.01))
		}
		a, b := p.s[0].body, p.s[1].body
		ma, mb := rigid.Motion{Rotation: p.poses[0].Rotation, Position: p.poses[0].Position}, someMotion(r)
		mb.Position = geom.Scale(2.5, mb.Position)
		o := rigid.Options{TMax: 1, Tolerance: 1e-6, MaxIterations: 1e6}
		var g rigid.Gap
		if err := c.Clearance(a, b, &ma, &mb, &o, &g); err != nil {
			t.Fatal(err)
		}
		if g.Flags&rigid.GapIntersecting != 0 {
			met++
		} else if g.Lo > 0 {
			apart++
		}
		if g.Flags&rigid.GapUnfinished != 0 {
			t.Errorf("unfinished: %+v", g)
		}
		if wide := g.Hi - g.Lo; wide > o.Tolerance+a.Deviation()+b.Deviation() {
			t.Errorf("[%v, %v] is %v wide", g.Lo, g.Hi, wide)
		}
		for k := range 33 {
			x := float64(k) / 32
			pa, pb := ma.At(x), mb.At(x)
			var at rigid.Gap
			if err := s.Distance(a, &pa, b, &pb, rigid.DistanceOptions{}, &at); err != nil {
				t.Fatal(err)
			}
			if at.Hi < g.Lo-1e-12 {
				t.Errorf("lo %v, but %v at %v", g.Lo, at.Hi, x)
			}
		}
		pa, pb := ma.At(g.Time), mb.At(g.Time)
		var at rigid.Gap
		if err := s.Distance(a, &pa, b, &pb, rigid.DistanceOptions{}, &at); err != nil || at.Lo > g.Hi+1e-12 {
			t.Errorf("hi %v, but %v at %v, %v", g.Hi, at.Lo, g.Time, err)
		}
	}
	if met < 3 || apart < 3 {
		t.Errorf("%d met, %d stay apart", met, apart)
	}
}

// A scene finds what its pairs do: padding and radii count in the broad phase, and what is inside
// of a solid is near.
func TestScenesOfShapes(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 6))
	var solver rigid.Solver
	var ruler rigid.Ruler
	listed := 0
	for range long.Part(40, 2) {
		var s rigid.Scene
		var poses []geom.Pose
		for range 8 {
			shape := someShape(r, 8, func() float64 { return math.Exp(r.NormFloat64()) })
			s.Bodies = append(s.Bodies, shape.body)
			m := someMotion(r)
			m.Position = geom.Scale(4, m.Position)
			s.Motions = append(s.Motions, m)
			poses = append(poses, geom.Pose{Rotation: m.Rotation, Position: m.Position})
		}
		found, err := s.Collisions(nil)
		if err != nil {
			t.Fatal(err)
		}
		near, err := s.Within(poses, 0.5, rigid.DistanceOptions{})
		if err != nil {
			t.Fatal(err)
		}
		impacts, gaps := map[[2]int64]rigid.Impact{}, map[[2]int64]rigid.Gap{}
		for _, im := range found {
			impacts[[2]int64{im.A, im.B}] = im.Impact
		}
		for _, g := range near {
			gaps[[2]int64{g.A, g.B}] = g.Gap
		}
		listed += len(near)
		for i := range s.Bodies {
			for j := range i {
				pair := [2]int64{int64(j), int64(i)}
				var im rigid.Impact
				a, b := s.Bodies[j], s.Bodies[i]
				if err := solver.Earliest(a, b, &s.Motions[j], &s.Motions[i], nil, &im); err != nil {
					t.Fatal(err)
				}
				if got, ok := impacts[pair]; ok != (im.Verdict != geom.Separate) || ok && got != im {
					t.Errorf("pair %v: %+v, alone %+v", pair, got, im)
				}
				var g rigid.Gap
				if err := ruler.Distance(a, &poses[j], b, &poses[i], rigid.DistanceOptions{}, &g); err != nil {
					t.Fatal(err)
				}
				if got, ok := gaps[pair]; ok != (g.Lo <= 0.5) || ok && math.Abs(got.Hi-g.Hi) > 1e-12 {
					t.Errorf("pair %v: %+v, alone %+v", pair, got, g)
				}
			}
		}
	}
	if listed < 30 {
		t.Errorf("only %d pairs are near", listed)
	}
}

// Padding lessens distances by itself, and is seen in all calls.
func TestPaddingLawE5(t *testing.T) {
	box := must(rigid.BoxBody([3]float64{1, 1, 1}))
	padded := must(must(box.Padded(0.125)).Padded(0.125))
	if padded.Radius() != 0.25 || padded.Deviation() != 0 || !padded.Solid() || box.Radius() != 0 {
		t.Errorf("radius %v, deviation %v", padded.Radius(), padded.Deviation())
	}
	pa, pb := geom.Pose{Rotation: quat.Number{Real: 1}}, geom.Pose{Rotation: quat.Number{Real: 1}}
	pb.Position.X = 3
	var s rigid.Ruler
	var g rigid.Gap
	for _, q := range []struct {
		a, b *rigid.Body
		want float64
	}{{box, box, 2}, {padded, box, 1.75}, {padded, padded, 1.5}} {
		err := s.Distance(q.a, &pa, q.b, &pb, rigid.DistanceOptions{}, &g)
		if err != nil || !(math.Abs(g.Hi-q.want) < 1e-11) {
			t.Errorf("distance %v, want %v, %v", g.Hi, q.want, err)
		}
	}
	if g.PointA.X != 0.75 || g.PointB.X != 2.25 {
		t.Errorf("points %v and %v", g.PointA, g.PointB)
	}
	cylinder := must(must(rigid.Cylinder(1, 1, 0.01)).Padded(0.5))
	if cylinder.Radius() != 0.5 || !(cylinder.Deviation() > 0 && cylinder.Deviation() <= 0.01) {
		t.Errorf("radius %v, deviation %v", cylinder.Radius(), cylinder.Deviation())
	}
}

// What shapes refuse names the argument.
func TestShapesRefuse(t *testing.T) {
	ball := must(rigid.Sphere(1))
	nan := math.NaN()
	for _, c := range []struct {
		err  error
		kind error
		text string
	}{
		{errOf(rigid.Sphere(0)), status.ErrArgument, "radius is 0"},
		{errOf(rigid.Sphere(nan)), status.ErrNonFinite, "radius is NaN"},
		{errOf(rigid.Capsule(1, -1)), status.ErrArgument, "length is -1"},
		{errOf(rigid.Capsule(-1, 1)), status.ErrArgument, "radius is -1"},
		{errOf(rigid.BoxBody([3]float64{1, 0, 1})), status.ErrArgument, "size[1] is 0"},
		{errOf(rigid.Cylinder(1, 1, -1)), status.ErrArgument, "deviation is -1"},
		{errOf(rigid.Cylinder(1, 1, 1e-12)), status.ErrArgument, "deviation is 1e-12"},
		{errOf(rigid.Cylinder(0, 1, 0)), status.ErrArgument, "radius is 0"},
		{errOf(rigid.Cone(1, 0, 0)), status.ErrArgument, "length is 0"},
		{errOf(rigid.Cone(1, 1, nan)), status.ErrNonFinite, "deviation is NaN"},
		{errOf(rigid.HullBody(nil)), status.ErrArgument, "points has 0"},
		{errOf(rigid.HullBody([]float64{0, 0, nan})), status.ErrNonFinite, "points[0][2] is NaN"},
		{errOf(ball.Padded(-1)), status.ErrArgument, "padding is -1"},
		{errOf(ball.Padded(nan)), status.ErrArgument, "padding is NaN"},
		{errOf(ball.Padded(rigid.MaxMagnitude)), status.ErrArgument, "padding is 1e+60: with the radius"},
	} {
		if !errors.Is(c.err, c.kind) || !strings.HasPrefix(c.err.Error(), c.text) {
			t.Errorf("%v, want %q", c.err, c.text)
		}
	}
}

func errOf(_ *rigid.Body, err error) error { return err }

// A clearance reports its progress, and ends when the callback cancels it.
func TestClearanceIsCancelled(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 7))
	a, b := blob(r, 24), blob(r, 24)
	still, turning := rigid.Motion{Rotation: quat.Number{Real: 1}}, rigid.Motion{Rotation: quat.Number{Real: 1},
		Position: r3.Vec{X: 4}, AngularVelocity: r3.Vec{X: 3, Y: 2, Z: 1}}
	calls := 0
	c := rigid.ClearanceSolver{CallOptions: engine.CallOptions{Progress: func(fraction float64) bool {
		if !(fraction >= 0 && fraction <= 1) {
			t.Errorf("fraction %v", fraction)
		}
		calls++
		return calls == 2
	}}}
	var g rigid.Gap
	err := c.Clearance(a, b, &still, &turning, &rigid.Options{TMax: 40, MaxIterations: 1e9, Tolerance: 1e-12}, &g)
	if !errors.Is(err, status.ErrCancelled) || calls != 2 {
		t.Errorf("%v after %d calls", err, calls)
	}
	c.Progress = nil
	if err := c.Clearance(a, b, &still, &turning, &rigid.Options{TMax: 0.1, Tolerance: 1e-3}, &g); err != nil {
		t.Error(err)
	}
}

// A separation of a pair takes the place of that of the options, in the broad phase too.
func TestSeparationsOfPairs(t *testing.T) {
	ball, still := must(rigid.Sphere(0.5)), rigid.Motion{Rotation: quat.Number{Real: 1}}
	s := rigid.Scene{Bodies: []*rigid.Body{ball, ball, ball}, Motions: []rigid.Motion{still, still, still}}
	s.Motions[1].Position.X, s.Motions[2].Position.X = 1.25, 3.25
	s.Motions[1].Velocity.X = 0.125
	o := rigid.DefaultOptions()
	o.MinSeparation = 0.3
	for _, c := range []struct {
		separations []rigid.PairSeparation
		want        [][2]int64
	}{
		{nil, [][2]int64{{0, 1}}},
		{[]rigid.PairSeparation{{A: 1, B: 0, Separation: 0.2}}, nil},
		{[]rigid.PairSeparation{{A: 1, B: 0, Separation: 0}, {A: 1, B: 2, Separation: 0.9}}, [][2]int64{{1, 2}}},
		{[]rigid.PairSeparation{{A: 2, B: 0, Separation: 2.5}}, [][2]int64{{0, 1}, {0, 2}}},
	} {
		s.Separations = c.separations
		found, err := s.Collisions(&o)
		if err != nil {
			t.Fatal(err)
		}
		first, err := s.Earliest(&o)
		if err != nil || (first.A >= 0) != (len(c.want) > 0) {
			t.Errorf("%v: the first is %v, %v", c.separations, first, err)
		}
		var pairs [][2]int64
		for _, im := range found {
			pairs = append(pairs, [2]int64{im.A, im.B})
		}
		if fmt.Sprint(pairs) != fmt.Sprint(c.want) {
			t.Errorf("%v: %v, want %v", c.separations, pairs, c.want)
		}
	}
	for _, c := range []struct {
		pair rigid.PairSeparation
		kind error
		text string
	}{
		{rigid.PairSeparation{A: 0, B: 3}, status.ErrIndex, "separations[1].b is 3"},
		{rigid.PairSeparation{A: -1, B: 1}, status.ErrIndex, "separations[1].a is -1"},
		{rigid.PairSeparation{A: 1, B: 1}, status.ErrArgument, "separations[1] is of body 1 alone"},
		{rigid.PairSeparation{A: 1, B: 2, Separation: -1}, status.ErrArgument, "separations[1].separation is -1"},
		{rigid.PairSeparation{A: 1, B: 0}, status.ErrArgument, "separations[1] is of the bodies 1 and 0"},
	} {
		s.Separations = []rigid.PairSeparation{{A: 0, B: 1}, c.pair}
		if _, err := s.Earliest(nil); !errors.Is(err, c.kind) || !strings.HasPrefix(err.Error(), c.text) {
			t.Errorf("%v, want %q", err, c.text)
		}
	}
}

// Law E4 over a mesh: radii and padding count, and what is inside of a solid body touches it.
func TestShapesOverAMesh(t *testing.T) {
	ground, err := mesh.New(3, nil, []int32{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	x := []float64{-5, -5, 0, 5, -5, 0, 0, 5, 0}
	ball, box := must(rigid.Sphere(0.5)), must(rigid.BoxBody([3]float64{20, 20, 4}))
	at := func(z, speed float64) rigid.Motion {
		return rigid.Motion{Rotation: quat.Number{Real: 1}, Position: r3.Vec{Z: z}, Velocity: r3.Vec{Z: speed}}
	}
	for _, c := range []struct {
		name     string
		body     *rigid.Body
		motion   rigid.Motion
		toi      float64 // +Inf: separate
		overlaps bool
	}{
		{"falls", ball, at(2, -3), 0.5, false},
		{"deep", ball, at(0.25, 1), 0, true},
		{"apart", must(ball.Padded(0.25)), at(0.8, 0), math.Inf(1), false},
		{"padded", must(ball.Padded(0.5)), at(0.8, 0), 0, true},
		{"inside", box, at(0, 0), 0, true},
		{"above", box, at(2.5, 0), math.Inf(1), false},
	} {
		for _, flags := range []uint32{0, rigid.IgnoreSeparating} {
			s := rigid.MeshScene{Bodies: []*rigid.Body{c.body}, Motions: []rigid.Motion{c.motion}, Mesh: ground}
			im, err := s.Earliest(x, x, &rigid.Options{TMax: 1, MaxIterations: 1e6, Flags: flags})
			if err != nil {
				t.Fatal(err)
			}
			if early := c.toi - im.TOILo; im.TOILo != c.toi && !(early > 0 && early < 1e-9) {
				t.Errorf("%s: contact at %v, want %v", c.name, im.TOILo, c.toi)
			}
			if overlaps := im.Flags&rigid.Intersecting != 0; overlaps != c.overlaps {
				t.Errorf("%s: intersects %v: %+v", c.name, overlaps, im)
			}
			if c.name == "falls" && !(math.Abs(im.PointA.Z) < 1e-9 && im.Normal.Z > 1-1e-12 && im.Distance < 1e-10) {
				t.Errorf("%s: %+v", c.name, im)
			}
		}
	}
}

// Law E5: what is deep inside of a solid body is near it, whatever the distance of the surfaces is.
func TestScenesOfShapesListWhatIsInside(t *testing.T) {
	s := rigid.Scene{Bodies: []*rigid.Body{must(rigid.BoxBody([3]float64{20, 20, 20})), must(rigid.Sphere(0.5))}}
	poses := []geom.Pose{{Rotation: quat.Number{Real: 1}}, {Rotation: quat.Number{Real: 1}, Position: r3.Vec{X: 1}}}
	found, err := s.Within(poses, 0.25, rigid.DistanceOptions{})
	if err != nil || len(found) != 1 || found[0].Gap.Flags != rigid.GapIntersecting|rigid.GapInside ||
		found[0].Gap.Hi != 0 {
		t.Errorf("%+v, %v", found, err)
	}
}

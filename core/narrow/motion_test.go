package narrow_test

import (
	"math"
	"testing"
	"time"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/motion"
	"ccd/core/narrow"
	"ccd/core/num"
)

func solveMotion(t *testing.T, m *motion.Motion, kind geom.Kind, o *narrow.Options) geom.Impact {
	t.Helper()
	vertices := []int32{0, 1, 2, 3}[:kind.Points()]
	for _, err := range []error{o.Check(), narrow.CheckMotion(o), narrow.CheckPair(m, kind, vertices)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	var out geom.Impact
	narrow.NewSolver().SolveMotion(m, kind, vertices, o, &out)
	return out
}

func must(t *testing.T) func(m *motion.Motion, err error) *motion.Motion {
	return func(m *motion.Motion, err error) *motion.Motion {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
}

// turningPoint returns a point that turns about z, and rises, before a face that rests.
func turningPoint(t *testing.T, p [3]float64, face [9]float64, angle, rise float64) *motion.Motion {
	t.Helper()
	x := append(append([]float64(nil), p[:]...), face[:]...)
	one := [4]float64{1}
	bones := []motion.Bone{
		{Rotation: one, AngularVelocity: [3]float64{0, 0, angle}, Velocity: [3]float64{0, 0, rise}},
		{Rotation: one},
	}
	return must(t)(motion.Skinned(4, x, bones, []float64{1, 0, 0, 1, 0, 1, 0, 1}, 0, 0))
}

// The cases of ../shared/design/motions.md, at which ipctk 1.6.1 takes up to 4.8 s and reports
// contacts of arcs that pass.
func TestMotionTurningCases(t *testing.T) {
	plate := func(y float64) [9]float64 { return [9]float64{-1, y, -1, 1, y, -1, 0, y, 2} }
	type turn struct {
		name        string
		p           [3]float64
		face        [9]float64
		angle, rise float64
		toi         float64
	}
	inf := math.Inf(1)
	cases := []turn{
		{"a plate at pi/6 of pi/2", [3]float64{1, 0, 0}, [9]float64{0, .5, -1, 2, .5, -1, 1, .5, 2},
			math.Pi / 2, 0, 1.0 / 3},
		{"ten turns of a screw", [3]float64{1, 0, .1}, [9]float64{-3, -3, 1, 3, -3, 1, 0, 3, 1}, 20 * math.Pi, 1, 0.9},
	}
	for _, g := range []float64{1e-2, 1e-4, 1e-6, 1e-8} {
		cases = append(cases,
			turn{"an arc that passes", [3]float64{1, 0, 0}, plate(1 + g), math.Pi, 0, inf},
			turn{"an arc that dips", [3]float64{1, 0, 0}, plate(1 - g), math.Pi, 0, math.Asin(1-g) / math.Pi})
	}
	o := narrow.DefaultOptions()
	o.Tolerance = 1e-9
	for _, c := range cases {
		m := turningPoint(t, c.p, c.face, c.angle, c.rise)
		began := time.Now()
		got := solveMotion(t, m, geom.VertexFace, &o)
		took := time.Since(began)
		if math.IsInf(c.toi, 1) {
			if got.Verdict != geom.Separate {
				t.Errorf("%s: %+v, but the distance is positive", c.name, got)
			}
			continue
		}
		// In contact the distance is at most 1e-9 (and rounding): the time is early by that over
		// the speed towards the plate.
		speed := c.angle * math.Abs(math.Cos(c.angle*c.toi))
		if c.rise > 0 {
			speed = c.rise
		}
		early := c.toi - got.TOILo
		if got.Verdict != geom.Contact || early < -1e-16 || early > 1.01e-9/speed {
			t.Errorf("%s: %+v, the true time %v, early by %v", c.name, got, c.toi, early)
		}
		if got.Flags != 0 {
			t.Errorf("%s: flags %v: a contact of paths that are known to a radius is not certified", c.name, got.Flags)
		}
		t.Logf("%s: toi %.12g, true %.12g, early by %.2g, in %v", c.name, got.TOILo, c.toi, early, took)
	}
}

// Two points on parabolas that bulge towards each other: their radii add up. The larger of them
// alone would miss this contact, as ipctk 1.6.1 does.
func TestMotionRadiiAddUp(t *testing.T) {
	const b, d0, d1 = 0.009, 0.01845, 0.0135
	y := func(t float64) float64 { return -(d0+(d1-d0)*t)/2 + 4*b*t*(1-t) }
	exactly := must(t)(motion.New(2, 2, nil, []float64{
		0, -d0 / 2, 0, 0, d0 / 2, 0,
		0, -(d0+d1)/4 + 2*b, 0, 0, (d0+d1)/4 - 2*b, 0,
		0, -d1 / 2, 0, 0, d1 / 2, 0}, nil))
	o := narrow.DefaultOptions()
	want := solveMotion(t, exactly, geom.PointPoint, &o)
	if want.Verdict != geom.Contact || math.Abs(want.TOILo-0.363) > 1e-2 || want.Flags&geom.Certified == 0 {
		t.Fatalf("%+v", want)
	}
	// A tube: the chord, with the sagitta b as the radius.
	const pieces = 1
	var times, control, radius []float64
	for j := range pieces + 1 {
		times = append(times, float64(j)/pieces)
	}
	for j := range pieces {
		for _, s := range times[j : j+2] {
			control = append(control, 0, y(s), 0, 0, -y(s), 0)
		}
		r := b / (pieces * pieces) * (1 + 1e-9)
		radius = append(radius, r, r)
	}
	tubes := must(t)(motion.New(2, 1, times, control, radius))
	got := solveMotion(t, tubes, geom.PointPoint, &o)
	if got.Verdict != geom.Contact || got.TOILo > want.TOILo {
		t.Errorf("tubes: %+v, but the contact is at %v", got, want.TOILo)
	}
	// The chords come within two radii, but not within one.
	least := math.Inf(1)
	for i := range 10001 {
		s := float64(i) / 10000
		j := min(int(s*pieces), pieces-1)
		u := s*pieces - float64(j)
		least = min(least, -2*((1-u)*y(times[j])+u*y(times[j+1])))
	}
	if r := radius[0]; !(least > r && least <= 2*r) {
		t.Errorf("the chords come within %v: the case needs more than one radius %v, and at most two", least, r)
	}
}

// A motion of degree 1 has every bit of the linear query; the same with more control points has its
// times.
func TestMotionOfDegreeOneHasTheBitsOfTheQuery(t *testing.T) {
	n := 200
	if testing.Short() {
		n = 40
	}
	contacts := 0
	for _, fam := range ccdtest.Families {
		for _, k := range geom.StepKinds {
			rng := ccdtest.NewRand(41, uint64(k))
			for i := range n {
				c := fam.Make(rng, k, i%2 == 0)
				m := must(t)(motion.New(k.Points(), 1, nil, c.Q, nil))
				o := narrow.DefaultOptions()
				o.MinSeparation, o.TMax = c.D, c.TMax
				if i%4 == 0 {
					o.Flags = narrow.MaxNorm
				}
				var want geom.Impact
				narrow.NewSolver().Solve(k, c.Q, &o, &want)
				if got := solveMotion(t, m, k, &o); got != want {
					t.Fatalf("%v: %+v, the query %+v", c, got, want)
				}
				if want.Verdict == geom.Contact {
					contacts++
				}
			}
		}
	}
	if contacts < 100 {
		t.Errorf("only %d contacts", contacts)
	}
}

// Pieces change no time: the same path, cut at 1/4 and 1/2 by de Casteljau's algorithm on a grid
// that keeps every bit.
func TestMotionInPieces(t *testing.T) {
	contacts := 0
	for degree := 1; degree <= 3; degree++ {
		for _, k := range geom.StepKinds {
			rng := ccdtest.NewRand(43, uint64(10*degree)+uint64(k))
			for range 40 {
				q := ccdtest.MotionFamilies[rng.IntN(5)].Make(rng, k, degree)
				whole := must(t)(motion.New(k.Points(), degree, nil, q.Control, nil))
				l, r := halves(q.Control, degree)
				ll, lr := halves(l, degree)
				parts := must(t)(
					motion.New(k.Points(), degree, []float64{0, 0.25, 0.5, 1}, append(append(ll, lr...), r...), nil))
				for _, d := range []float64{0, q.Separation} {
					o := narrow.DefaultOptions()
					o.MinSeparation = d
					a, b := solveMotion(t, whole, k, &o), solveMotion(t, parts, k, &o)
					if a.Verdict != b.Verdict || a.TOILo != b.TOILo || a.TOIHi != b.TOIHi || a.Flags != b.Flags {
						t.Fatalf("%+v, in pieces %+v", a, b)
					}
					if a.Verdict == geom.Contact {
						contacts++
					}
				}
			}
		}
	}
	if contacts < 50 {
		t.Errorf("only %d contacts", contacts)
	}
}

// halves cuts the control points at the middle.
func halves(control []float64, degree int) (l, r []float64) {
	n := len(control) / (degree + 1)
	c := append([]float64(nil), control...)
	l, r = make([]float64, len(c)), make([]float64, len(c))
	for m := range degree + 1 {
		copy(l[m*n:], c[:n])
		copy(r[(degree-m)*n:(degree-m+1)*n], c[(degree-m)*n:])
		for j := range degree - m {
			for i := range n {
				c[j*n+i] = 0.5 * (c[j*n+i] + c[(j+1)*n+i])
			}
		}
	}
	return l, r
}

// Law 9 on exact contacts: the points that u and v name are within d at toi_hi, the normal has
// length 1 and points from b to a.
func TestMotionContactData(t *testing.T) {
	contacts, directed := 0, 0
	for degree := 2; degree <= 3; degree++ {
		for _, k := range geom.StepKinds {
			rng := ccdtest.NewRand(47, uint64(10*degree)+uint64(k))
			for i := range 60 {
				q := ccdtest.MotionFamilies[rng.IntN(len(ccdtest.MotionFamilies)-1)].Make(rng, k, degree)
				m := must(t)(motion.New(k.Points(), degree, nil, q.Control, nil))
				o := narrow.DefaultOptions()
				if i%3 > 0 {
					o.MinSeparation = q.Separation
				}
				if i%3 == 2 {
					o.Flags = narrow.MaxNorm
				}
				got := solveMotion(t, m, k, &o)
				if got.Verdict != geom.Contact {
					continue
				}
				contacts++
				x := make([]float64, 3*k.Points())
				m.At(got.TOIHi, x, nil)
				size := 1.0
				for _, c := range q.Control {
					size = max(size, math.Abs(c))
				}
				weights := k.Info().Weights(got.U, got.V)
				var f [3]float64
				for p := range k.Points() {
					for a := range 3 {
						f[a] += weights[p] * x[3*p+a]
					}
				}
				far := math.Sqrt(geom.Dot3(&f, &f))
				if o.Flags&narrow.MaxNorm != 0 {
					far = max(math.Abs(f[0]), math.Abs(f[1]), math.Abs(f[2]))
				}
				if far > o.MinSeparation+0x1p-40*size {
					t.Fatalf("%v %+v: the points are %v apart at toi_hi, d = %v\n%+v", k, q, far, o.MinSeparation, got)
				}
				if n := math.Sqrt(geom.Dot3(&got.Normal, &got.Normal)); math.Abs(n-1) > 1e-12 {
					t.Fatalf("normal %v of length %v", got.Normal, n)
				}
				if o.MinSeparation > 0 && far > 1e-3 {
					if directed++; geom.Dot3(&f, &got.Normal) < (1-1e-9)*math.Sqrt(geom.Dot3(&f, &f)) {
						t.Fatalf("normal %v, but b to a is %v", got.Normal, f)
					}
				}
				if u, v := got.U, got.V; u < 0 || v < 0 || u > 1 || v > 1 || k != geom.EdgeEdge && u+v > 1 {
					t.Fatalf("u %v, v %v", u, v)
				}
			}
		}
	}
	if contacts < 60 || directed < 20 {
		t.Errorf("%d contacts, %d of them apart", contacts, directed)
	}
}

// Law 6: lengths times a power of two change no bit of the times, u, v and the normal.
func TestMotionScale(t *testing.T) {
	contacts := 0
	for _, k := range geom.StepKinds {
		rng := ccdtest.NewRand(53, uint64(k))
		for i := range 60 {
			q := ccdtest.MotionFamilies[rng.IntN(len(ccdtest.MotionFamilies)-1)].Make(rng, k, 3)
			o := narrow.DefaultOptions()
			if i%2 == 0 {
				o.MinSeparation = q.Separation
			}
			a := solveMotion(t, must(t)(motion.New(k.Points(), 3, nil, q.Control, nil)), k, &o)
			for i := range q.Control {
				q.Control[i] *= 0x1p40
			}
			o.MinSeparation *= 0x1p40
			b := solveMotion(t, must(t)(motion.New(k.Points(), 3, nil, q.Control, nil)), k, &o)
			if a.Verdict != b.Verdict || a.TOILo != b.TOILo || a.U != b.U || a.V != b.V || a.Normal != b.Normal {
				t.Fatalf("%+v, scaled %+v", a, b)
			}
			if a.Verdict == geom.Contact {
				contacts++
			}
		}
	}
	if contacts < 30 {
		t.Errorf("only %d contacts", contacts)
	}
}

// t_max cuts the answer and changes no time; the budget leaves a time before which the pair is
// apart.
func TestMotionLimits(t *testing.T) {
	m := turningPoint(t, [3]float64{1, 0, 0}, [9]float64{0, .5, -1, 2, .5, -1, 1, .5, 2}, math.Pi/2, 0)
	o := narrow.DefaultOptions()
	whole := solveMotion(t, m, geom.VertexFace, &o)
	o.TMax = num.Down(whole.TOILo)
	if got := solveMotion(t, m, geom.VertexFace, &o); got.Verdict != geom.Separate {
		t.Errorf("%+v before the contact at %v", got, whole.TOILo)
	}
	o.TMax = 0.4
	if got := solveMotion(t, m, geom.VertexFace, &o); got != whole {
		t.Errorf("%+v up to 0.4, %+v up to 1", got, whole)
	}
	o.TMax, o.MaxIterations = 1, 1
	got := solveMotion(t, m, geom.VertexFace, &o)
	if got.Verdict != geom.Undecided || got.TOILo > whole.TOILo || !(got.TOILo >= 0) {
		t.Errorf("%+v with one halving; the contact is at %v", got, whole.TOILo)
	}
}

package rigid

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/ccdtest/long"
	"ccd/core/geom"
)

// FuzzEarliest holds answers to the laws on courses drawn from seeds: go test ./core/rigid -fuzz
// FuzzEarliest.
func FuzzEarliest(f *testing.F) {
	for i := range uint64(4) {
		f.Add(i, i*7)
	}
	var s Solver
	f.Fuzz(func(t *testing.T, seed, stream uint64) { checkCourse(t, &s, rand.New(rand.NewPCG(seed, stream))) })
}

// checkCourse draws a course and checks its answer, that of a fresh solver, and those of the course
// in other units.
func checkCourse(t *testing.T, s *Solver, r *rand.Rand) {
	t.Helper()
	c := someCourse(r)
	var im, again Impact
	if err := s.Earliest(c.a, c.b, &c.ma, &c.mb, &c.o, &im); err != nil {
		t.Fatal(err)
	}
	if err := c.check(&im); err != nil {
		t.Errorf("%v\n%v", err, c)
	}
	if err := new(Solver).Earliest(c.a, c.b, &c.ma, &c.mb, &c.o, &again); err != nil || again != im {
		t.Errorf("law 7: %+v, then %+v, %v\n%v", im, again, err, c)
	}
	length, time := math.Ldexp(1, r.IntN(40)-20), math.Ldexp(1, r.IntN(20)-10)
	d := c.scaled(length, time)
	if err := s.Earliest(d.a, d.b, &d.ma, &d.mb, &d.o, &again); err != nil {
		t.Fatal(err)
	}
	if again.Verdict != im.Verdict || again.TOILo != im.TOILo*time || again.Distance != im.Distance*length ||
		again.Iterations != im.Iterations ||
		again.Normal != im.Normal {
		t.Errorf("law 6: %+v, but %+v in units of %v and %v\n%v", im, again, length, time, c)
	}
}

// scaled returns the course in other units of length and time, powers of two.
func (c *course) scaled(length, time float64) *course {
	d := *c
	body := func(b *Body) *Body {
		var v []float64
		for _, t := range b.tri {
			for _, p := range t {
				v = append(v, p.X*length, p.Y*length, p.Z*length)
			}
		}
		f := make([][3]int32, len(b.tri))
		for i := range f {
			f[i] = [3]int32{int32(3 * i), int32(3*i + 1), int32(3*i + 2)}
		}
		out, err := NewBody(v, f, 1)
		if err != nil {
			panic(err)
		}
		return out
	}
	d.a, d.b = body(c.a), body(c.b)
	for _, m := range []*Motion{&d.ma, &d.mb} {
		m.Position, m.Pivot = geom.Scale(length, m.Position), geom.Scale(length, m.Pivot)
		m.Velocity, m.AngularVelocity = geom.Scale(length/time, m.Velocity), geom.Scale(1/time, m.AngularVelocity)
	}
	d.o.TMin, d.o.TMax = c.o.TMin*time, c.o.TMax*time
	d.o.MinSeparation, d.o.Tolerance = c.o.MinSeparation*length, c.o.Tolerance*length
	return &d
}

// TestEarliestLaws6And7 wants the same bits in other units, and whatever was computed before.
func TestEarliestLaws6And7(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	var s Solver
	for range long.Part(6, 2) {
		checkCourse(t, &s, r)
	}
}

// TestLeafAdvanceHolds: two triangles keep the separation while they are advanced along any
// direction, good or bad; along the nearest features' own one the advance is as long as second
// order allows.
func TestLeafAdvanceHolds(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	advanced := 0
	for range 4000 {
		c := someCourse(r)
		c.a.tri, c.b.tri = c.a.tri[:1], c.b.tri[:1]
		var q query
		var f posePair
		q.set(c.a, c.b, &c.ma, &c.mb, &c.o)
		q.poses(c.o.TMin, &f)
		var l leaf
		l.set(&q, &c.a.tri[0], &c.b.tri[0])
		n, ok := l.direction(&q)
		if !ok {
			continue
		}
		switch r.IntN(4) {
		case 0:
			n.n1 = geom.Scale(2*r.NormFloat64(), n.n1)
		case 1:
			n.n1 = r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
		}
		h := c.o.TMax - c.o.TMin
		step := l.advance(&q, &f, &n, h)
		if step == 0 || step >= h {
			continue
		}
		advanced++
		for k := range 5 {
			at := c.o.TMin + step*(1-math.Ldexp(1, -3*k-1))
			pa, pb := c.ma.At(at), c.mb.At(at)
			rounding := 64 * 0x1p-53 * (4 + geom.Norm(pa.Position) + geom.Norm(pb.Position))
			if d := distanceAt(c.a, c.b, pa, pb); d+rounding < c.o.MinSeparation || d == 0 {
				t.Fatalf("advanced by %v along %v, distance %v at %v: %v", step, n, d, at, c)
			}
		}
	}
	if advanced < 300 {
		t.Errorf("only %d pairs were advanced within the interval", advanced)
	}
}

// TestPersistentCloseness: a ball turning in a slightly larger copy of itself stays close all the
// time; the budget ends the search with a bound that holds, and a larger budget has a later one.
func TestPersistentCloseness(t *testing.T) {
	var v, w []float64
	var faces [][3]int32
	const n = 12
	for i := range n + 1 {
		for j := range n {
			s, c := math.Sincos(math.Pi * float64(i) / n)
			u, x := math.Sincos(2 * math.Pi * float64(j) / n)
			v = append(v, s*u, s*x, c)
			if i < n {
				at := func(i, j int) int32 { return int32(i*n + j%n) }
				faces = append(faces, [3]int32{at(i, j), at(i+1, j), at(i, j+1)},
					[3]int32{at(i, j+1), at(i+1, j), at(i+1, j+1)})
			}
		}
	}
	for _, x := range v {
		w = append(w, x*0.9)
	}
	outer, _ := NewBody(v, faces, 1)
	inner, _ := NewBody(w, faces, 1)
	still := Motion{}
	still.Rotation.Real = 1
	turning := still
	turning.AngularVelocity = r3.Vec{X: 0.3, Y: 3, Z: 0.2}
	o := DefaultOptions()
	var s Solver
	last := -1.0
	for _, o.MaxIterations = range []int64{300, 2000, 20000} {
		var im Impact
		if err := s.Earliest(outer, inner, &still, &turning, &o, &im); err != nil {
			t.Fatal(err)
		}
		if im.Verdict == geom.Contact && im.Distance > 2e-10 || im.TOILo < last || im.Iterations > o.MaxIterations+8 {
			t.Errorf("%d steps: %+v", o.MaxIterations, im)
		}
		last = im.TOILo
	}
}

// TestIgnoreParting: two plates just after a bounce part for ever, though they are within the
// tolerance at first.
func TestIgnoreParting(t *testing.T) {
	plate := bvh.Triangle{{X: -1, Y: -1}, {X: 1, Y: -1}, {Y: 1}}
	var v []float64
	for _, p := range plate {
		v = append(v, p.X, p.Y, p.Z)
	}
	b, err := NewBody(v, [][3]int32{{0, 1, 2}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	still := Motion{}
	still.Rotation.Real = 1
	up := still
	up.Position.Z, up.Velocity.Z, up.AngularVelocity.Z = 1.5e-10, 1, 30
	o := DefaultOptions()
	o.Flags = IgnoreSeparating
	var s Solver
	var im Impact
	if err := s.Earliest(b, b, &still, &up, &o, &im); err != nil || im.Verdict != geom.Separate {
		t.Errorf("%+v, %v", im, err)
	}
	up.Velocity.Z = -1
	if err := s.Earliest(b, b, &still, &up, &o, &im); err != nil || im.Verdict != geom.Contact || im.TOILo > 1e-9 {
		t.Errorf("%+v, %v", im, err)
	}
}

// TestEarliestAllocatesNothing after warm-up.
func TestEarliestAllocatesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 28))
	var list []*course
	for range 20 {
		list = append(list, someCourse(r))
	}
	var s Solver
	var im Impact
	run := func() {
		for _, c := range list {
			if err := s.Earliest(c.a, c.b, &c.ma, &c.mb, &c.o, &im); err != nil {
				t.Fatal(err)
			}
		}
	}
	run()
	if n := testing.AllocsPerRun(3, run); n > 0 {
		t.Errorf("%v allocations in 20 queries", n)
	}
}

func TestErrorsNameTheArgument(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 30))
	c := someCourse(r)
	for text, change := range map[string]func(*course){
		"options.t_min":          func(c *course) { c.o.TMin = math.NaN() },
		"options.t_max":          func(c *course) { c.o.TMax = c.o.TMin - 1 },
		"options.min_separation": func(c *course) { c.o.MinSeparation = -1 },
		"options.tolerance":      func(c *course) { c.o.Tolerance = -1 },
		"options.max_iterations": func(c *course) { c.o.MaxIterations = -1 },
		"options.flags":          func(c *course) { c.o.Flags = 1 << 30 },
		"ma: position":           func(c *course) { c.ma.Position.X = math.Inf(1) },
		"mb: rotation":           func(c *course) { c.mb.Rotation = Motion{}.Rotation },
	} {
		d := *c
		change(&d)
		var im Impact
		err := new(Solver).Earliest(d.a, d.b, &d.ma, &d.mb, &d.o, &im)
		if err == nil || len(err.Error()) < len(text) || err.Error()[:len(text)] != text {
			t.Errorf("%s: %v", text, err)
		}
		if im.Verdict != geom.Undecided || !math.IsInf(im.TOILo, -1) {
			t.Errorf("%s: an error leaves %+v", text, im)
		}
	}
}

package rigid_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/ccdtest/rigids"
	"ccd/core/geom"
	"ccd/core/rigid"
)

// shapes are what the bodies of a world look like.
var shapes = map[string]func(r *rand.Rand) rigids.Solid{
	"cubes":  func(*rand.Rand) rigids.Solid { return rigids.Box(1, 1, 1) },
	"bricks": func(r *rand.Rand) rigids.Solid { return rigids.Box(1, 0.2+r.Float64(), 0.2+r.Float64()) },
	"soups": func(r *rand.Rand) (s rigids.Solid) {
		for range 1 + r.IntN(6) {
			s = append(s, [3]r3.Vec{somewhere(r), somewhere(r), somewhere(r)})
		}
		return s
	},
}

func somewhere(r *rand.Rand) r3.Vec {
	return r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
}

// TestLaw12Worlds: bodies that fly, bounce, slide and come to rest in a box go on through thousands
// of impacts: every frame ends, nothing is reported again at once that parts already, and nothing
// ever intersects.
func TestLaw12Worlds(t *testing.T) {
	frames := 90
	if testing.Short() {
		frames = 8
	}
	for i, name := range []string{"cubes", "bricks", "soups"} {
		for k, restitution := range []float64{1, 0.5, 0} {
			r := ccdtest.NewRand(91, uint64(10*i+k))
			w, err := rigids.NewWorld(r, 8, 1, shapes[name])
			if err != nil {
				t.Fatal(err)
			}
			w.Restitution, w.Part, w.Gravity = restitution, 1e-3, r3.Vec{Z: -5}
			if name == "cubes" { // they land flat, and on each other
				for j := range w.Motions[1:] {
					w.Motions[j+1].Rotation, w.Motions[j+1].AngularVelocity = quat.Number{Real: 1}, r3.Vec{}
				}
			}
			for f := range frames {
				if err := w.Frame(1.0/30, 2000); err != nil {
					t.Fatalf("%s, restitution %v, frame %d: %v", name, restitution, f, err)
				}
			}
			t.Logf("%s, restitution %v: %d impacts, %d at the time of the one before, at most %d in a row",
				name, restitution, w.Events, w.AtOnce, w.MostAtOnce)
		}
	}
}

// TestLaw12Stacks: stacks of boxes that touch, or are nearer than what is kept, go on at every gap,
// near the origin and far from it, where their poses round to gaps and overlaps; nothing is said to
// intersect, and in the end nothing does.
func TestLaw12Stacks(t *testing.T) {
	boxes, frames := 3, 3
	if testing.Short() {
		boxes, frames = 2, 1
	}
	for _, at := range []r3.Vec{{}, {X: 1e5, Y: -3e5, Z: 1e5}} {
		for _, gap := range []float64{0, 1e-12, 1e-11, 2e-11, 9e-11} {
			for _, edge := range []float64{0.3, 1}[:long.Part(2, 2)] {
				w, err := rigids.NewStack(boxes, edge, gap, at)
				if err != nil {
					t.Fatal(err)
				}
				w.O.Tolerance, w.Part, w.Gravity = 0, 1e-3, r3.Vec{X: 0.5, Z: -5}
				for f := range frames {
					if err := w.Frame(1.0/120, 3000); err != nil {
						t.Fatalf("a gap of %v, edge %v, at %v, frame %d: %v", gap, edge, at, f, err)
					}
				}
				t.Logf("a gap of %v, edge %v, at %v: %d impacts, %d at the time of the one before",
					gap, edge, at, w.Events, w.AtOnce)
			}
		}
	}
}

// resting returns a case of two bodies, or of one over a mesh, in contact along points, edges or
// faces, with velocities at random: some of their points part, others come nearer. The gap is the
// separation and what rounding, or the tolerance, may add.
func resting(r *rand.Rand, mesh bool) *rigids.Case {
	c := &rigids.Case{O: rigid.DefaultOptions(), MA: rigid.Motion{Rotation: quat.Number{Real: 1}},
		MB: rigid.Motion{Rotation: quat.Number{Real: 1}}}
	c.O.Flags, c.O.MinSeparation = rigid.IgnoreSeparating, 1e-10*float64(r.IntN(2))
	gap := c.O.MinSeparation
	if gap == 0 {
		gap = 0.125 * c.O.Tolerance
	}
	if gap += []float64{0, 1e-13, 1e-12, 0.8e-10}[r.IntN(4)] * r.Float64(); r.IntN(3) == 0 {
		gap = []float64{0, 1e-16, 1e-13, 1e-12, 1.25e-11}[r.IntN(5)] * r.Float64() // they touch, or nearly do
	}
	box := rigids.Box(0.3+r.Float64(), 0.3+r.Float64(), 0.5)
	upper, high := rigids.Box(0.3+r.Float64(), 0.3+r.Float64(), 0.5), 0.5
	kind := r.IntN(3)
	if kind > 0 { // an edge comes down
		upper, high = prism(0.2+r.Float64(), 1), 0
	}
	c.MA.Position = r3.Vec{X: r.Float64() - 0.5, Y: r.Float64() - 0.5, Z: 0.5 + high + gap}
	c.MA.Rotation = quat.Number{Real: 1, Kmag: (2*r.Float64() - 1) * float64(r.IntN(2))}
	if kind == 2 { // onto another edge, across it or nearly along it
		box = prism(0.2+r.Float64(), -1)
		c.MA.Position = r3.Vec{Y: 0.5 * (r.Float64() - 0.5), Z: gap}
		c.MA.Rotation.Kmag = math.Pow(10, -9*r.Float64())
	}
	if r.IntN(2) == 0 { // tilted a little, and lifted by as much as an end comes down
		tilt := math.Pow(10, -10-6*r.Float64())
		c.MA.Rotation.Imag, c.MA.Position.Z = tilt, c.MA.Position.Z+float64(2.2*tilt)
	}
	c.A, c.B = upper, box
	c.MA.Velocity = r3.Vec{X: r.Float64() - 0.5, Y: r.Float64() - 0.5, Z: r.Float64() - 0.3}
	c.MA.AngularVelocity = r3.Vec{X: 2*r.Float64() - 1, Y: 2*r.Float64() - 1, Z: 2*r.Float64() - 1}
	if r.IntN(2) == 0 && !mesh { // both turned
		q := quat.Number{Real: r.NormFloat64(), Imag: r.NormFloat64(), Jmag: r.NormFloat64(), Kmag: r.NormFloat64()}
		q = quat.Scale(1/quat.Abs(q), q)
		m := geom.Rotation(q)
		c.MA.Rotation, c.MB.Rotation = quat.Mul(q, c.MA.Rotation), q
		c.MA.Position, c.MA.Velocity, c.MA.AngularVelocity = m.Apply(c.MA.Position), m.Apply(c.MA.Velocity),
			m.Apply(c.MA.AngularVelocity)
	}
	if mesh { // The second solid moves and is stretched, or rests.
		c.To = append(rigids.Solid{}, c.B...)
		way, stretch := geom.Scale(0.3, somewhere(r)), geom.Scale(0.3, somewhere(r))
		for i := range c.To {
			for k, p := range c.To[i] {
				if way.X > 0 {
					c.To[i][k] = r3.Add(r3.Add(p, way),
						r3.Vec{X: stretch.X * p.Y, Y: stretch.Y * p.Z, Z: stretch.Z * p.X})
				}
			}
		}
	}
	return c
}

// prism has an edge of length 2h along y through the origin, and lies above it, or below it.
func prism(h, up float64) (s rigids.Solid) {
	p := []r3.Vec{{Y: -h}, {Y: h}, {X: -1, Y: -h, Z: up}, {X: -1, Y: h, Z: up}, {X: 1, Y: -h, Z: up},
		{X: 1, Y: h, Z: up}}
	for _, f := range [][3]int{{0, 1, 2}, {1, 3, 2}, {0, 4, 1}, {1, 4, 5}, {2, 3, 4}, {3, 5, 4}, {0, 2, 4}, {1, 5, 3}} {
		s = append(s, [3]r3.Vec{p[f[0]], p[f[1]], p[f[2]]})
	}
	return s
}

// checkResting holds an answer to the laws and reports whether contact at the start is reported, or
// ignored.
func checkResting(t *testing.T, m *rigids.Method, c *rigids.Case) (reported, ignored bool) {
	t.Helper()
	im, err := m.Solve(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.CheckOnward(&im); err != nil {
		t.Errorf("%v\n%v", err, c)
	}
	reported = im.Flags&rigid.InitialContact != 0
	return reported, !reported
}

// TestLaw12Resting: of bodies that lie flat on each other some points part, others come nearer.
// What is reported at the start does not part; so where all points part nothing is.
func TestLaw12Resting(t *testing.T) {
	n := 30000
	if testing.Short() {
		n = long.Part(4000, 3)
	}
	var m rigids.Method
	r := ccdtest.NewRand(93, 1)
	reported, ignored := 0, 0
	for k := range n {
		a, b := checkResting(t, &m, resting(r, k%3 == 2))
		if a {
			reported++
		}
		if b {
			ignored++
		}
	}
	t.Logf("%d reported, %d ignored", reported, ignored)
	if min(reported, ignored) < n/8 {
		t.Errorf("%d reported, %d ignored", reported, ignored)
	}
}

// TestLaw12NotAtOnce: after an impact that two bodies have, an impulse at its points lets time go
// on: the next impact of the same two is later, or has other points.
func TestLaw12NotAtOnce(t *testing.T) {
	n := 40
	if testing.Short() {
		n = 10
	}
	var m rigids.Method
	impacts := 0
	for i, family := range rigids.Families {
		r := ccdtest.NewRand(94, uint64(i))
		for range n {
			c := rigids.Make(r, family, false)
			c.O.Flags, c.O.TMax = 0, max(c.O.TMax, c.O.TMin+1)
			im, err := m.Solve(c)
			if err != nil || im.Verdict != geom.Contact || im.Flags != 0 {
				continue
			}
			d := c.Back(im.TOILo)
			if _, slack := d.Distance(0); slack > im.Distance/16 {
				continue // so far from the origin that rounding brings the bodies nearer than they kept
			}
			d.MA.Velocity, d.MA.AngularVelocity, d.O.TMax = r3.Add(c.MA.Velocity, somewhere(r)),
				r3.Add(c.MA.AngularVelocity, somewhere(r)), 1
			d.MB.Velocity, d.MB.AngularVelocity = c.MB.Velocity, c.MB.AngularVelocity
			impacts++
			for k := 0; ; k++ { // impulses on A alone, without a lever
				im, err := m.Solve(d)
				if err != nil {
					t.Fatal(err)
				}
				if im.Verdict != geom.Contact || im.TOILo > 0 || im.Flags&rigid.Intersecting != 0 {
					break
				}
				if err := d.CheckOnward(&im); err != nil {
					t.Errorf("%v\n%v", err, d)
				}
				if k == 100 {
					t.Errorf("still there after 100 impulses: %+v\n%v", im, d)
					break
				}
				d.MA.Velocity = r3.Add(d.MA.Velocity, geom.Scale(0.01-d.Parting(&im), im.Normal))
			}
		}
	}
	if impacts < n*len(rigids.Families)/8 {
		t.Errorf("only %d impacts", impacts)
	}
}

// TestRestingAllocatesNothing after warm-up.
func TestRestingAllocatesNothing(t *testing.T) {
	r := ccdtest.NewRand(95, 1)
	var s rigid.Solver
	var list []func()
	for range 60 {
		c := resting(r, false)
		a, _ := rigids.Body(c.A)
		b, _ := rigids.Body(c.B)
		var im rigid.Impact
		list = append(list, func() {
			if err := s.Earliest(a, b, &c.MA, &c.MB, &c.O, &im); err != nil {
				t.Fatal(err)
			}
		})
	}
	run := func() {
		for _, query := range list {
			query()
		}
	}
	run()
	if n := testing.AllocsPerRun(3, run); n > 0 {
		t.Errorf("%v allocations in %d queries", n, len(list))
	}
}

// FuzzLaw12 holds answers to bodies that rest on each other to the laws: go test ./core/rigid -fuzz
// FuzzLaw12.
func FuzzLaw12(f *testing.F) {
	for i := range uint64(4) {
		f.Add(i, i%2 == 0)
	}
	var m rigids.Method
	f.Fuzz(func(t *testing.T, seed uint64, mesh bool) {
		checkResting(t, &m, resting(ccdtest.NewRand(seed, 7), mesh))
	})
}

package rigid

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// A boxCourse is two boxes on a course, with their corners and edges.
type boxCourse struct {
	course
	corners [2][8]r3.Vec
}

// boxBody returns the surface of a box of half extents h around c, and its corners.
func boxBody(t testing.TB, c, h r3.Vec) (b *Body, corners [8]r3.Vec) {
	t.Helper()
	var vertices []float64
	for k := range corners {
		sign := func(bit int) float64 { return float64(k>>bit&1*2 - 1) }
		p := r3.Vec{X: c.X + sign(0)*h.X, Y: c.Y + sign(1)*h.Y, Z: c.Z + sign(2)*h.Z}
		corners[k], vertices = p, append(vertices, p.X, p.Y, p.Z)
	}
	b, err := NewBody(vertices, [][3]int32{{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
		{2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return b, corners
}

// turningBoxes draws two boxes that turn beside each other, of all shapes: strips, plates and
// needles, along the axis of their turn or across it, far from it or around it. Of most pairs the
// gap is small at first and neither closes nor opens: what curves their ways closes it, or not.
func turningBoxes(t testing.TB, r *rand.Rand) *boxCourse {
	v := func(s float64) r3.Vec {
		return r3.Vec{X: s * (2*r.Float64() - 1), Y: s * (2*r.Float64() - 1), Z: s * (2*r.Float64() - 1)}
	}
	size := func() float64 { return math.Ldexp(0.5+r.Float64(), -r.IntN(8)) }
	shape := func() r3.Vec { return r3.Vec{X: size(), Y: size(), Z: size()} }
	turn := func() quat.Number {
		q := quat.Number{Real: r.NormFloat64(), Imag: r.NormFloat64(), Jmag: r.NormFloat64(), Kmag: r.NormFloat64()}
		if r.IntN(3) == 0 {
			q = quat.Number{Real: 1}
		}
		return q
	}
	spin := func() r3.Vec {
		switch r.IntN(4) {
		case 0:
			return r3.Vec{Z: 4 * r.NormFloat64()}
		case 1:
			return r3.Vec{}
		}
		return v(3)
	}
	c := &boxCourse{course: course{o: DefaultOptions()}}
	c.a, c.corners[0] = boxBody(t, v(2*float64(r.IntN(2))), shape())
	c.b, c.corners[1] = boxBody(t, v(2*float64(r.IntN(2))), shape())
	c.ma = Motion{Rotation: turn(), AngularVelocity: spin()}
	c.mb = Motion{Rotation: turn(), Position: v(3), AngularVelocity: spin(), Velocity: v(1)}
	small := math.Ldexp(1, -2-r.IntN(12))
	if r.IntN(2) == 0 { // Strips, as of teeth: what curves their ways is far more than they turn by.
		size = func() float64 { return math.Ldexp(0.5+r.Float64(), -9-r.IntN(6)) }
		c.b, c.corners[1] = boxBody(t, r3.Add(r3.Vec{X: 1, Y: 1}, v(1)), shape())
		c.mb.AngularVelocity, small = v(3), math.Ldexp(1, -7-r.IntN(8))
		if r.IntN(4) > 0 {
			c.ma.AngularVelocity = r3.Vec{}
		}
	}
	gap, n := c.apart(0)
	if gap < 0 || r.IntN(4) == 0 {
		return c
	}
	c.mb.Position = r3.Sub(c.mb.Position, geom.Scale(gap-small, n))
	const dt = 1e-6
	later, _ := c.apart(dt)
	c.mb.Velocity = r3.Sub(c.mb.Velocity, geom.Scale((later-small)/dt, n))
	return c
}

// apart returns how far the boxes are apart at a time, along the axes of both and the products of
// these: more than 0 if and only if they are. It places corners by the definition of a motion. n is
// the direction of the greatest gap.
func (c *boxCourse) apart(t float64) (gap float64, n r3.Vec) {
	var corners [2][8]r3.Vec
	var axes [2][3]r3.Vec
	for i, m := range []*Motion{&c.ma, &c.mb} {
		pose := m.At(t)
		rot := geom.Rotation(pose.Rotation)
		for k, p := range c.corners[i] {
			corners[i][k] = r3.Add(rot.Apply(p), pose.Position)
		}
		axes[i] = [3]r3.Vec{rot.Apply(r3.Vec{X: 1}), rot.Apply(r3.Vec{Y: 1}), rot.Apply(r3.Vec{Z: 1})}
	}
	gap = math.Inf(-1)
	try := func(v r3.Vec) {
		length := geom.Norm(v)
		if !(length > 1e-6) {
			return
		}
		var least, most [2]float64
		for i := range corners {
			least[i], most[i] = math.Inf(1), math.Inf(-1)
			for _, p := range corners[i] {
				x := geom.Dot(v, p) / length
				least[i], most[i] = min(least[i], x), max(most[i], x)
			}
		}
		if g := least[1] - most[0]; g > gap {
			gap, n = g, geom.Scale(1/length, v)
		}
		if g := least[0] - most[1]; g > gap {
			gap, n = g, geom.Scale(-1/length, v)
		}
	}
	for i, x := range axes[0] {
		try(x)
		try(axes[1][i])
		for _, y := range axes[1] {
			try(geom.Cross(x, y))
		}
	}
	return gap, n
}

// hold advances the roots of two boxes, by the bounds of a short search and by those of a long one,
// and looks at them until the steps end. It returns the part of the time to contact that the step
// of a long search takes, or 0 where that is not known.
func (c *boxCourse) hold(t *testing.T) (share float64) {
	var q query
	var f posePair
	q.set(c.a, c.b, &c.ma, &c.mb, &c.o)
	q.poses(c.o.TMin, &f)
	h := c.o.TMax - c.o.TMin
	x, i := c.a.boxOf(0)
	y, j := c.b.boxOf(0)
	var short, long [4]float64
	q.advance(x, y, 1<<(2*i+j), f.goal, h, &short)
	q.advanceTurning(x, y, 1<<(2*i+j), f.goal, h, &long)
	if long[2*i+j] < short[2*i+j]*(1-0x1p-40) {
		t.Fatalf("a long search advances by %v, a short one by %v: %v", long[2*i+j], short[2*i+j], c)
	}
	c.holdFor(t, short[2*i+j], h)
	return c.holdFor(t, long[2*i+j], h)
}

// holdFor is hold for one step.
func (c *boxCourse) holdFor(t *testing.T, step, h float64) (share float64) {
	if step == 0 {
		return 0
	}
	for k := range 32 { // Boxes that meet too early may be through each other at the end.
		part := (float64(k) + 0.5) / 24
		if k >= 24 {
			part = 1 - math.Ldexp(1, -5*(k-23))
		}
		at := c.o.TMin + step*part
		if gap, _ := c.apart(at); gap < -1e-13 {
			t.Fatalf("advanced by %v, but at %v boxes overlap by %v: %v", step, at, -gap, c)
		}
	}
	if step >= h {
		return 0
	}
	for k := range 50 {
		at := c.o.TMin + step*(1+0.1*float64(k))
		if gap, _ := c.apart(at); gap < 0 {
			return step / (at - c.o.TMin)
		}
	}
	return 0
}

// TestBoxesStayApart: over the time that two boxes are advanced they do not meet; and where they
// meet later, many steps come close to that time.
func TestBoxesStayApart(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 1))
	known, near := 0, 0
	for range 1500 {
		if share := turningBoxes(t, r).hold(t); share > 0 {
			known++
			if share > 0.8 {
				near++
			}
		}
	}
	t.Logf("%d boxes meet, %d of them soon after the step", known, near)
	if known < 60 || near < 50 {
		t.Error("the test does not look where bounds are tight")
	}
}

func FuzzBoxesStayApart(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(46, seed))
		for range 5 {
			turningBoxes(t, r).hold(t)
		}
	})
}

// rackOf returns the flanks of a rack that a gear of module 1 and a pressure angle of 20 degrees
// runs along: each is two rectangles, and is moved back by half the gap along its normal. It points
// up y, and its middle tooth is at x = 0.
func rackOf(t testing.TB, teeth int, gap float64) *Body {
	t.Helper()
	slope := math.Tan(math.Pi / 9)
	back := gap / 2 / math.Cos(math.Pi/9)
	var outline [][2]float64
	for k := range teeth {
		x := math.Pi * float64(k-teeth/2)
		for _, p := range [4][2]float64{{-math.Pi/4 - 1.25*slope + back, -1.25}, {-math.Pi/4 + slope + back, 1},
			{math.Pi/4 - slope - back, 1}, {math.Pi/4 + 1.25*slope - back, -1.25}} {
			outline = append(outline, [2]float64{x + p[0], p[1]})
		}
	}
	var vertices []float64
	var faces [][3]int32
	n := int32(len(outline))
	for _, z := range []float64{-2, 0, 2} {
		for _, p := range outline {
			vertices = append(vertices, p[0], p[1], z)
		}
	}
	for layer := range int32(2) {
		for i := range n - 1 {
			a := layer*n + i
			faces = append(faces, [3]int32{a, a + n, a + 1}, [3]int32{a + 1, a + n, a + 1 + n})
		}
	}
	body, err := NewBody(vertices, faces, 1)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// onRack returns a gear that runs along a rack for half a turn.
func onRack(t testing.TB, facets int, gap float64) *course {
	const teeth = 17
	c := &course{a: gear(t, teeth, facets, gap, -math.Pi/2+math.Pi/teeth), b: rackOf(t, 25, gap), o: DefaultOptions()}
	c.ma = Motion{Rotation: quat.Number{Real: math.Sqrt(0.5), Kmag: -math.Sqrt(0.5)},
		AngularVelocity: r3.Vec{Z: math.Pi}}
	c.mb = Motion{Rotation: quat.Number{Real: 1}, Position: r3.Vec{X: -teeth * math.Pi / 4, Y: -teeth / 2.0},
		Velocity: r3.Vec{X: teeth * math.Pi / 2}}
	c.o.MaxIterations = 0
	return c
}

// TestGearsTakeFewSteps: strips of flanks, whose pairs come due many times, are tested again and
// are not opened, and lose no more to turning than their width; and flanks of a rack, which are
// flat, stay whole while those of the gear are opened.
func TestGearsTakeFewSteps(t *testing.T) {
	var s Solver
	for _, test := range []struct {
		name string
		c    *course
		tmax float64
		most int64
	}{
		{"16 facets", gears(t, 16, 1e-3), 0.1, 9000}, {"48 facets", gears(t, 48, 1e-3), 0.1, 10000},
		{"a rack", onRack(t, 16, 1e-3), 1, 15200},
	} {
		test.c.o.TMax = test.tmax
		var im Impact
		if err := s.Earliest(test.c.a, test.c.b, &test.c.ma, &test.c.mb, &test.c.o, &im); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d steps", test.name, im.Iterations)
		if im.Verdict != geom.Separate || im.Iterations > test.most {
			t.Errorf("%s: %v, %d steps", test.name, im.Verdict, im.Iterations)
		}
	}
}

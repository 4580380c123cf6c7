package rigid

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/geom"
)

// from returns the motion from the pose at the time t on, which becomes 0, with other velocities.
func from(m *Motion, t float64, velocity, spin r3.Vec) Motion {
	out := *m
	out.Rotation = m.At(t).Rotation
	out.Position = r3.Add(m.Position, geom.Scale(t, m.Velocity))
	out.Velocity, out.AngularVelocity = velocity, spin
	return out
}

// back returns the course that goes back from the time t, where the pose is rounded.
func (c *course) back(t float64) *course {
	d := *c
	d.ma = from(&c.ma, t, geom.Scale(-1, c.ma.Velocity), geom.Scale(-1, c.ma.AngularVelocity))
	d.mb = from(&c.mb, t, geom.Scale(-1, c.mb.Velocity), geom.Scale(-1, c.mb.AngularVelocity))
	d.o.TMin, d.o.TMax = 0, t-c.o.TMin
	d.o.Flags = IgnoreSeparating
	return &d
}

func (c *course) solve(t *testing.T, s *Solver) (im Impact) {
	t.Helper()
	if err := s.Earliest(c.a, c.b, &c.ma, &c.mb, &c.o, &im); err != nil {
		t.Fatal(err)
	}
	return im
}

// TestImpactsPart: from every impact that was found the bodies go back where they came from; poses
// are rounded, and the impact lies within the margin of the separation now and then, but they part.
func TestImpactsPart(t *testing.T) {
	every := 4
	if testing.Short() {
		every = 16
	}
	var s Solver
	for _, pair := range pairs {
		a, b := bodyOf(t, pair[0]), bodyOf(t, pair[1])
		for _, speed := range []int{4, 512} {
			impacts := 0
			for i, tr := range trials(t, pair, speed) {
				if i%every != 0 {
					continue
				}
				c := &course{a, b, tr.a, tr.b, DefaultOptions()}
				im := c.solve(t, &s)
				if im.Verdict != geom.Contact || im.Flags != 0 {
					continue
				}
				impacts++
				if back := c.back(im.TOILo).solve(t, &s); back.Verdict != geom.Separate {
					t.Errorf("%v %d: trial %d: back from %+v: %+v", pair, speed, i, im, back)
				}
			}
			if impacts < 5 {
				t.Errorf("%v %d: %d impacts", pair, speed, impacts)
			}
		}
	}
}

// bounce returns both bodies, as heavy as each other and with a ball's inertia, the impulse along
// the normal that makes the points of the impact part at the share rest of the speed with which
// they met, which it returns.
func (c *course) bounce(im *Impact, rest float64) (met float64) {
	arm := func(m *Motion, p r3.Vec) r3.Vec { return r3.Sub(p, m.Position) }
	ra, rb := arm(&c.ma, im.PointA), arm(&c.mb, im.PointB)
	va, vb := r3.Add(c.ma.Velocity, geom.Cross(c.ma.AngularVelocity, ra)),
		r3.Add(c.mb.Velocity, geom.Cross(c.mb.AngularVelocity, rb))
	met = -geom.Dot(im.Normal, r3.Sub(va, vb))
	la, lb := geom.Cross(ra, im.Normal), geom.Cross(rb, im.Normal)
	const inertia = 0.1
	j := (1 + rest) * met / (2 + (geom.Dot(la, la)+geom.Dot(lb, lb))/inertia)
	c.ma.Velocity, c.mb.Velocity = r3.Add(c.ma.Velocity, geom.Scale(j, im.Normal)),
		r3.Sub(c.mb.Velocity, geom.Scale(j, im.Normal))
	c.ma.AngularVelocity, c.mb.AngularVelocity = r3.Add(c.ma.AngularVelocity, geom.Scale(j/inertia, la)),
		r3.Sub(c.mb.AngularVelocity, geom.Scale(j/inertia, lb))
	return met
}

// TestBounces: a loop that advances to the impact and bounces is never told again of points that
// part.
func TestBounces(t *testing.T) {
	n := 800
	if testing.Short() {
		n = 200
	}
	var s Solver
	r := rand.New(rand.NewPCG(71, 1))
	bounces, again := 0, 0
	for range n {
		c := &course{a: soup(r, 1+r.IntN(8)), b: soup(r, 1+r.IntN(8)), o: DefaultOptions()}
		v := func(x float64) r3.Vec {
			return r3.Vec{X: x * (2*r.Float64() - 1), Y: x * (2*r.Float64() - 1), Z: x * (2*r.Float64() - 1)}
		}
		c.ma = Motion{Rotation: quat.Number{Real: 1}, AngularVelocity: v(5)}
		c.mb = Motion{Rotation: quat.Number{Real: 1}, Position: geom.Scale(2, r3.Unit(v(1))), AngularVelocity: v(5)}
		c.mb.Velocity = r3.Sub(v(0.1), c.mb.Position)
		c.o.Flags, c.o.TMax = IgnoreSeparating, 4
		rest := []float64{0.1, 0.5, 1}[r.IntN(3)]
		for range 20 {
			im := c.solve(t, &s)
			if im.Verdict != geom.Contact || im.Flags&Intersecting != 0 {
				break
			}
			at := im.TOILo
			c.ma, c.mb = from(&c.ma, at, c.ma.Velocity, c.ma.AngularVelocity),
				from(&c.mb, at, c.mb.Velocity, c.mb.AngularVelocity)
			bounces++
			met := c.bounce(&im, rest)
			if at == 0 {
				again++
			}
			// Points that part slowly may come back within the tolerance.
			if met < -1e-5 && at == 0 {
				t.Fatalf("points that part at %v meet again: %+v\n%v", -met, im, c)
			}
			c.o.TMax -= at
		}
	}
	t.Logf("%d bounces, %d of them at once after another", bounces, again)
	if bounces < n/2 {
		t.Errorf("only %d bounces", bounces)
	}
}

// TestTouchingBodiesPart: cubes that share a face, a part of it, an edge or a corner, exactly, part
// where they move apart, and are in contact where they come nearer. So do those that are turned,
// and touch but for rounding.
func TestTouchingBodiesPart(t *testing.T) {
	b := rod(t, 0.5, 1)
	var s Solver
	r := rand.New(rand.NewPCG(72, 1))
	for i, at := range []r3.Vec{{Z: 1}, {X: 0.25, Y: 0.5, Z: 1}, {X: 1, Z: 1}, {X: 1, Y: 0.5, Z: 1}, {X: 1, Y: 1, Z: 1},
		{X: -1, Y: 1, Z: 1}} {
		for range 50 {
			c := course{a: b, b: b, ma: Motion{Rotation: quat.Number{Real: 1}},
				mb: Motion{Rotation: quat.Number{Real: 1}, Position: at}, o: DefaultOptions()}
			c.o.Flags = IgnoreSeparating
			if r.IntN(2) == 0 {
				c.o.MinSeparation = 0
			}
			if r.IntN(2) == 0 { // both turned alike, and moved
				q := quat.Number{Real: r.NormFloat64(), Imag: r.NormFloat64(), Jmag: r.NormFloat64(),
					Kmag: r.NormFloat64()}
				m := geom.Rotation(q)
				c.ma.Rotation, c.mb.Rotation, c.mb.Position = q, q, m.Apply(at)
			}
			m := geom.Rotation(c.ma.Rotation)
			up := r3.Vec{X: 0.8 * (2*r.Float64() - 1), Y: 0.8 * (2*r.Float64() - 1), Z: 0.05 + r.Float64()}
			c.mb.Velocity = m.Apply(up)
			if im := c.solve(t, &s); im.Verdict != geom.Separate {
				t.Errorf("cubes at %v that part by %v: %+v", at, up, im)
			}
			c.mb.Velocity = m.Apply(r3.Vec{X: -at.X, Y: -at.Y, Z: -0.1 * r.Float64()})
			if im := c.solve(t, &s); im.Verdict != geom.Contact || im.TOILo != 0 {
				t.Errorf("cubes at %v that come nearer: %+v", at, im)
			}
			c.mb.Velocity, c.mb.AngularVelocity = m.Apply(up), m.Apply(r3.Vec{X: 40})
			if im := c.solve(t, &s); i < 2 && im.Verdict != geom.Contact { // a corner turns into the other's face
				t.Errorf("cubes at %v that part and turn: %+v", at, im)
			}
		}
	}
}

// TestPartedMeetAgain: what parts at the start is met where it comes back. A rod's end leaves a
// plate, and the other end comes down on it.
func TestPartedMeetAgain(t *testing.T) {
	plate := oneFace(t, []r3.Vec{{X: -9, Y: -9}, {X: 9, Y: -9}, {Y: 9}})
	bar := oneFace(t, []r3.Vec{{Z: -1}, {Z: 1.5}, {Z: 1.5}})
	still := Motion{Rotation: quat.Number{Real: 1}}
	o := DefaultOptions()
	o.Flags, o.TMax = IgnoreSeparating, 3
	var s Solver
	for _, above := range []float64{0, 0.5e-10, 1e-10, 1.001e-10, 1.5e-10} {
		turning := still
		turning.Position, turning.Velocity, turning.AngularVelocity = r3.Vec{Z: 1 + above}, r3.Vec{Z: 0.1},
			r3.Vec{X: 2, Y: 1}
		c := course{plate, bar, still, turning, o}
		im := c.solve(t, &s)
		// The ends are at 1 + t/10 - cos wt and 1 + t/10 + 1.5 cos wt, w^2 = 5: the other one comes
		// down before the half turn.
		if im.Verdict != geom.Contact || !(im.TOILo > 0.5) || im.Flags != 0 {
			t.Errorf("%v above: %+v", above, im)
			continue
		}
		later := c
		later.o.TMin, later.o.Flags = 0.5, 0
		if want := later.solve(t, &s); math.Abs(want.TOILo-im.TOILo) > 1e-9 {
			t.Errorf("%v above: %+v, from later on %+v", above, im, want)
		}
	}
}

// TestPartsHold: while two triangles part along any direction, good or bad, they come no nearer
// than they are or the separation is; and once they are the separation apart they keep it. With
// separations that are no rounding what is forgotten shows.
func TestPartsHold(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 1))
	parted := 0
	for range 12000 {
		c := someCourse(r)
		c.a.tri, c.b.tri = c.a.tri[:1], c.b.tri[:1]
		if r.IntN(3) == 0 { // points: nothing but the two of them ends the time
			for _, tri := range []*bvh.Triangle{&c.a.tri[0], &c.b.tri[0]} {
				tri[1], tri[2] = tri[0], tri[0]
			}
		}
		start := distanceAt(c.a, c.b, c.ma.At(c.o.TMin), c.mb.At(c.o.TMin))
		if start == 0 || geom.MaxAbs(c.ma.Position) > 100 || geom.MaxAbs(c.ma.Velocity) > 100 {
			continue // they intersect, or round by too much to be looked at so
		}
		c.o.MinSeparation = start * (1 + 0.3*r.Float64())
		var q query
		var f posePair
		var l leaf
		q.set(c.a, c.b, &c.ma, &c.mb, &c.o)
		q.poses(c.o.TMin, &f)
		l.set(&q, &c.a.tri[0], &c.b.tri[0])
		l.low = l.lowest(&q, &f)
		var list []turning
		if n, ok := l.direction(&q); ok {
			list = append(list, n)
		}
		l.directions(&q, func(n turning) { list = append(list, n) })
		for _, n := range list[:min(len(list), 9)] { // beside them, some that do not turn, and some that are no good
			beside := r3.Unit(r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()})
			skew := r3.Unit(r3.Add(n.n0, geom.Scale(r.Float64(), beside)))
			list = append(list, turning{n0: n.n0}, turning{n0: skew},
				turning{n0: skew, n1: geom.Cross(c.ma.AngularVelocity, skew)})
		}
		h := c.o.TMax - c.o.TMin
		for _, n := range list {
			step := l.separatingAlong(&q, &f, &n, h)
			if step == 0 {
				continue
			}
			parted++
			left := false
			for k := range 40 {
				at := c.o.TMin + step*float64(k+1)/40*(1-0x1p-40)
				d := distanceAt(c.a, c.b, c.ma.At(at), c.mb.At(at))
				if d < start-1e-12 || left && d < c.o.MinSeparation-1e-12 {
					t.Fatalf("%v apart at the start, %v at %v of %v along %v: %v", start, d, at-c.o.TMin, step, n, c)
				}
				left = left || d > c.o.MinSeparation+1e-9
			}
			if d := distanceAt(c.a, c.b, c.ma.At(c.o.TMin+step), c.mb.At(c.o.TMin+step)); step < h &&
				2*step*geom.Norm(n.n1) < 0.99 && d < c.o.MinSeparation-1e-12 {
				t.Fatalf("%v apart at the start, only %v at the end of %v along %v: %v", start, d, step, n, c)
			}
		}
	}
	if parted < 1000 {
		t.Errorf("only %d parted", parted)
	}
}

// TestPartingFromAMesh: what stands on a mesh, but for rounding, leaves it, and is met where it
// comes down.
func TestPartingFromAMesh(t *testing.T) {
	sheet := []r3.Vec{{X: -9, Y: -9}, {X: 9, Y: -9}, {Y: 9}}
	bar := oneFace(t, []r3.Vec{{Z: -1}, {Z: 1.5}, {Z: 1.5}})
	o := DefaultOptions()
	o.Flags, o.TMax = IgnoreSeparating, 3
	for _, above := range []float64{0, 0.1e-10, 0.125e-10, 0.126e-10, 0.5e-10, 1e-10, 1.5e-10} {
		m := Motion{Rotation: quat.Number{Real: 1}, Position: r3.Vec{Z: 1 + above}, Velocity: r3.Vec{Z: 0.1}}
		d := MeshScene{Bodies: []*Body{bar}, Motions: []Motion{m}}
		first, err := overMeshBy(t, &d, sheet, &o)
		if err != nil || first.Verdict != geom.Separate {
			t.Errorf("%v above, straight up: %+v, %v", above, first, err)
		}
		d.Motions[0].AngularVelocity = r3.Vec{X: 2, Y: 1}
		first, err = overMeshBy(t, &d, sheet, &o)
		if err != nil || first.Verdict != geom.Contact || !(first.TOILo > 0.5) || first.Flags != 0 {
			t.Errorf("%v above, and over: %+v, %v", above, first, err)
		}
		d.Motions[0].Velocity.Z = -0.1
		first, err = overMeshBy(t, &d, sheet, &o)
		if err != nil || first.Verdict != geom.Contact || first.TOILo > 2e-9 {
			t.Errorf("%v above, down: %+v, %v", above, first, err)
		}
	}
}

package rigid

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/rigid/triangle"
)

// TestLaw8Start: what is within separation and tolerance at TMin, or intersects there, is reported
// at TMin with its flag, whatever the bodies do afterwards, by both methods and over a mesh; what
// is farther apart is not, and then stays apart for a while.
func TestLaw8Start(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 1))
	var s Solver
	near, far, pierced := 0, 0, 0
	for range 500 {
		c := someCourse(r)
		if geom.MaxAbs(c.ma.Position) > 100 {
			continue // rounded to more than the tolerance below
		}
		c.o.MinSeparation, c.o.Tolerance = []float64{0, 1e-9, 0.01}[r.IntN(3)], []float64{1e-9, 0.01}[r.IntN(2)]
		if r.IntN(4) == 0 {
			c.nearBy(-0.2*r.Float64(), 1) // through each other
		} else {
			c.nearBy((c.o.MinSeparation+c.o.Tolerance)*[]float64{0.1, 0.6, 0.99, 1.01, 2}[r.IntN(5)], 4)
		}
		d := c.exactDistance(c.o.TMin)
		crossed := distanceAt(c.a, c.b, c.ma.At(c.o.TMin), c.mb.At(c.o.TMin)) == 0
		reach := c.o.MinSeparation + c.o.Tolerance
		if !crossed && math.Abs(d-reach) < 1e-11 {
			continue
		}
		within := crossed || d < reach
		var im Impact
		if err := s.Earliest(c.a, c.b, &c.ma, &c.mb, &c.o, &im); err != nil {
			t.Fatal(err)
		}
		c.starts(t, "advancement", &im, within)
		if im := c.overMesh(t); im != nil {
			c.starts(t, "over a mesh", im, within)
		}
		switch {
		case crossed:
			pierced++
		case within:
			near++
		default:
			far++
		}
		if im.Flags&Intersecting != 0 && !crossed && d > 0 {
			t.Errorf("said to pierce at a distance of %v: %+v\n%v", d, im, c)
		}
	}
	if near < 50 || far < 50 || pierced < 20 {
		t.Errorf("%d near, %d far, %d pierced", near, far, pierced)
	}
}

// nearBy moves B along the line between the nearest points until, after a few rounds, the distance
// at TMin is about d.
func (c *course) nearBy(d float64, rounds int) {
	for range rounds {
		pa, pb := c.ma.At(c.o.TMin), c.mb.At(c.o.TMin)
		var best triangle.Near
		best.D2 = math.Inf(1)
		ra, rb := geom.Rotation(pa.Rotation), geom.Rotation(pb.Rotation)
		for i := range c.a.tri {
			for j := range c.b.tri {
				var l leaf
				for k := range 3 {
					l.A.P[k] = r3.Add(ra.Apply(c.a.tri[i][k]), pa.Position)
					l.B.P[k] = r3.Add(rb.Apply(c.b.tri[j][k]), pb.Position)
				}
				l.A.Set()
				l.B.Set()
				triangle.Nearest(&l.A, &l.B, &l.Near)
				if l.Near.D2 < best.D2 {
					best = l.Near
				}
			}
		}
		if n, ok := geom.Unit(r3.Sub(best.PB, best.PA), r3.Sub(best.PB, best.PA)); ok {
			c.mb.Position = r3.Add(c.mb.Position, geom.Scale(d-math.Sqrt(best.D2), n))
		}
	}
}

// starts checks what an answer says of TMin.
func (c *course) starts(t *testing.T, how string, im *Impact, within bool) {
	t.Helper()
	flagged := im.Flags&InitialContact != 0
	if within && !(im.Verdict == geom.Contact && im.TOILo == c.o.TMin && im.TOIHi == c.o.TMin && flagged) {
		t.Errorf("%s: in contact at TMin, but %+v\n%v", how, im, c)
	}
	if !within && (flagged || im.Verdict == geom.Contact && im.TOILo <= c.o.TMin) {
		t.Errorf("%s: not in contact at TMin, but %+v\n%v", how, im, c)
	}
}

// overMesh returns the answer of A over a mesh, of B's triangles where B is at TMin, that stands
// still; nil where B has none.
func (c *course) overMesh(t *testing.T) *Impact {
	t.Helper()
	pose := c.mb.At(c.o.TMin)
	var x []float64
	var faces []int32
	for _, tri := range c.b.tri {
		if tri[0] == tri[1] || tri[1] == tri[2] {
			return nil
		}
		for _, p := range tri {
			q := pose.Apply(p)
			faces = append(faces, int32(len(x)/3))
			x = append(x, q.X, q.Y, q.Z)
		}
	}
	m, err := mesh.New(len(x)/3, nil, faces)
	if err != nil {
		t.Fatal(err)
	}
	s := MeshScene{Bodies: []*Body{c.a}, Motions: []Motion{c.ma}, Mesh: m}
	im, err := s.Earliest(x, x, &c.o)
	if err != nil {
		t.Fatal(err)
	}
	return &im.Impact
}

// TestStepBackIsDisjoint: at TOILo, exactly, the bodies are more than the separation apart unless
// contact is there at TMin: by both methods, for separations from nothing to large, in all the ways
// of someCourse. Between numbers of 400 bits, each rounded once to 2^-53 of itself.
func TestStepBackIsDisjoint(t *testing.T) {
	n := 250
	if testing.Short() {
		n = 60
	}
	r := rand.New(rand.NewPCG(52, 1))
	var s Solver
	seen := 0
	for range n {
		c := someCourse(r)
		c.o.MinSeparation = []float64{0, 1e-12, 1e-10, 1e-6, 1e-3, 0.1}[r.IntN(6)]
		c.o.Tolerance = []float64{1e-10, 1e-3}[r.IntN(2)]
		for _, c.o.Search = range []Search{nil, Reference} {
			if c.o.Search == Reference && (geom.MaxAbs(c.mb.AngularVelocity) > 100 || seen%4 > 0) {
				continue
			}
			var im Impact
			if err := s.Earliest(c.a, c.b, &c.ma, &c.mb, &c.o, &im); err != nil {
				t.Fatal(err)
			}
			if im.Verdict != geom.Contact || im.Flags&InitialContact != 0 {
				continue
			}
			seen++
			if d, kept := c.exactDistance(im.TOILo), c.o.resolved().MinSeparation; !(d > kept*(1-1e-15)-1e-16) {
				t.Errorf("method %v: a distance of %v, at most %v: %+v\n%v", c.o.Search, d, kept, im, c)
			}
		}
	}
	if seen < n/8 {
		t.Errorf("only %d contacts", seen)
	}
}

// TestFarAndLong: courses seen from far away, and late on a long interval, have the answers of the
// same course nearby and at once, but for what the doubles of the motion lose.
func TestFarAndLong(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 1))
	var s Solver
	hits := 0
	for range 150 {
		c := someCourse(r)
		if geom.MaxAbs(c.ma.Position) > 100 || geom.MaxAbs(c.ma.Velocity) > 100 || c.o.TMin != 0 ||
			geom.MaxAbs(c.mb.Velocity) > 100 {
			continue
		}
		c.o.MinSeparation, c.o.Tolerance = 1e-6, 1e-7
		var plain, far, long Impact
		if err := s.Earliest(c.a, c.b, &c.ma, &c.mb, &c.o, &plain); err != nil {
			t.Fatal(err)
		}
		shift := r3.Vec{X: 1e5, Y: -3e5, Z: 2e5} // doubles there are 6e-11 apart
		d := *c
		d.ma.Position, d.mb.Position = r3.Add(c.ma.Position, shift), r3.Add(c.mb.Position, shift)
		if err := s.Earliest(d.a, d.b, &d.ma, &d.mb, &d.o, &far); err != nil {
			t.Fatal(err)
		}
		d = *c
		const turns = 1 << 14 // whole turns of B, so that its pose is the same; at 2^14 doubles are 4e-12 apart
		d.ma.AngularVelocity, c.ma.AngularVelocity = r3.Vec{}, r3.Vec{}
		spin := geom.Norm(c.mb.AngularVelocity)
		if spin == 0 {
			continue
		}
		at := turns * 2 * math.Pi / spin
		d.o.TMin, d.o.TMax = 0, at+c.o.TMax
		for _, m := range []*Motion{&d.ma, &d.mb} {
			m.Position = r3.Sub(m.Position, geom.Scale(at, m.Velocity))
		}
		if err := s.Earliest(c.a, c.b, &c.ma, &c.mb, &c.o, &plain); err != nil {
			t.Fatal(err)
		}
		d.o.TMin = at
		if err := s.Earliest(d.a, d.b, &d.ma, &d.mb, &d.o, &long); err != nil {
			t.Fatal(err)
		}
		if plain.Verdict == geom.Contact && plain.Flags == 0 {
			hits++
			if long.Verdict != geom.Contact || math.Abs(long.TOILo-at-plain.TOILo) > 1e-3 {
				t.Errorf("%+v, after %v turns at %v %+v\n%v", plain, turns, at, long, c)
			}
		}
		if far.Verdict == geom.Undecided || long.Verdict == geom.Undecided {
			t.Errorf("%+v, %+v\n%v", far, long, c)
		}
	}
	if hits < 10 {
		t.Errorf("only %d contacts", hits)
	}
}

// TestInOnePlaneApart: triangles in one plane whose boxes overlap, but that are apart, do not
// intersect, whatever signs rounding gives to volumes that are 0.
func TestInOnePlaneApart(t *testing.T) {
	r := rand.New(rand.NewPCG(57, 1))
	one := oneFace(t, []r3.Vec{{}, {X: 1}, {Y: 1}})
	other := oneFace(t, []r3.Vec{{X: 1, Y: 1}, {X: 0.8, Y: 1}, {X: 1, Y: 0.9}})
	var s Solver
	for range 500 {
		q := quat.Number{Real: r.NormFloat64(), Imag: r.NormFloat64(), Jmag: r.NormFloat64(), Kmag: r.NormFloat64()}
		c := course{a: one, b: other, ma: Motion{Rotation: q}, mb: Motion{Rotation: q}, o: DefaultOptions()}
		if im := c.solve(t, &s); im.Verdict != geom.Separate {
			t.Fatalf("%+v\n%v", im, c.ma)
		}
	}
}

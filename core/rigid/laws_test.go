package rigid

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest"
	"ccd/core/geom"
)

// A query of two small bodies on a collision course, or nearly.
type course struct {
	a, b   *Body
	ma, mb Motion
	o      Options
}

func (c *course) String() string {
	return fmt.Sprintf("%v %v %+v %+v %+v", c.a.tri, c.b.tri, c.ma, c.mb, c.o)
}

// someCourse draws motions that bring the bodies together in [TMin, TMax], with the features that
// tests are after.
func someCourse(r *rand.Rand) *course {
	v := func(s float64) r3.Vec {
		return r3.Vec{X: s * (2*r.Float64() - 1), Y: s * (2*r.Float64() - 1), Z: s * (2*r.Float64() - 1)}
	}
	c := &course{a: soup(r, 1+r.IntN(3)), b: soup(r, 1+r.IntN(3)), o: DefaultOptions()}
	turn := func() quat.Number {
		if r.IntN(4) == 0 {
			return quat.Number{Real: 1}
		}
		return quat.Number{Real: r.NormFloat64(), Imag: r.NormFloat64(), Jmag: r.NormFloat64(), Kmag: r.NormFloat64()}
	}
	c.ma = Motion{Rotation: turn(), AngularVelocity: v(3)}
	c.mb = Motion{Rotation: turn(), Position: v(1.2), AngularVelocity: v(3)}
	meet := r.Float64()
	c.mb.Velocity = r3.Sub(geom.Scale(-1/(meet+0.1), c.mb.Position), v(0.3))
	switch r.IntN(12) {
	case 0:
		c.ma.AngularVelocity = r3.Vec{}
	case 1:
		c.ma.AngularVelocity, c.mb.AngularVelocity = r3.Vec{}, r3.Vec{}
	case 2:
		c.mb.AngularVelocity = v(300)
	case 3:
		c.mb.Velocity = r3.Vec{}
	case 4:
		c.mb.Pivot, c.ma.Pivot = v(1), v(1)
	case 5: // far from the world's origin
		far := v(1e6)
		c.ma.Position, c.mb.Position = r3.Add(c.ma.Position, far), r3.Add(c.mb.Position, far)
	case 6: // a common velocity
		fast := v(1e4)
		c.ma.Velocity, c.mb.Velocity = r3.Add(c.ma.Velocity, fast), r3.Add(c.mb.Velocity, fast)
	case 7: // another interval of time
		c.o.TMin, c.o.TMax = -2, -2+3*r.Float64()
	case 8: // fast
		c.mb.Velocity = geom.Scale(300, c.mb.Velocity)
	case 9: // a large separation
		c.o.MinSeparation, c.o.Tolerance = 0.1*r.Float64(), 1e-6
	case 10:
		c.o.MinSeparation = 0
	}
	return c
}

// check holds an answer to the laws of Earliest.
func (c *course) check(im *Impact) error {
	end := c.o.TMax
	if im.Verdict != geom.Separate {
		end = im.TOILo
	}
	if err := c.sampled(im, end); err != nil {
		return err
	}
	// The interval proof is blunt: rounding in intervals and far coordinates cost it 1e-9 of the
	// sizes at hand.
	size := 10 + geom.Norm(c.ma.Position) + geom.Norm(c.mb.Position) +
		2*(geom.Norm(c.ma.Velocity)+geom.Norm(c.mb.Velocity))
	slack := 1e-9 * size
	if im.Verdict != geom.Separate { // the last bit before contact is left to the samples
		speed := geom.Norm(r3.Sub(c.mb.Velocity, c.ma.Velocity)) +
			2*(geom.Norm(c.ma.AngularVelocity)+geom.Norm(c.mb.AngularVelocity))
		end -= 1e-5 * (c.o.TMax - c.o.TMin) / (1 + speed)
	}
	w := intervalProof{a: c.a, b: c.b, ma: &c.ma, mb: &c.mb, sep: c.o.MinSeparation - slack}
	if w.sep < 0 {
		w.sep = 0
	}
	if end > c.o.TMin && !w.apart(c.o.TMin, end) && w.steps < 20000 {
		return fmt.Errorf("the intervalProof cannot prove the bodies apart until %v (%d steps)", end, w.steps)
	}
	if im.Verdict == geom.Contact {
		return c.near(im)
	}
	return nil
}

// sampled looks for a time before end at which the bodies are too close: laws 1 and 2.
func (c *course) sampled(im *Impact, end float64) error {
	for k := range 60 {
		t := c.o.TMin + (end-c.o.TMin)*float64(k)/59
		if k > 30 {
			t = end - (end-c.o.TMin)*math.Ldexp(1, 30-k)
		}
		if !(t < end || im.Verdict == geom.Separate && t <= end) {
			continue
		}
		pa, pb := c.ma.At(t), c.mb.At(t)
		rounding := 64 * 0x1p-53 * (4 + geom.Norm(pa.Position) + geom.Norm(pb.Position))
		if d := distanceAt(c.a, c.b, pa, pb); d+rounding < c.o.MinSeparation {
			return fmt.Errorf("%+v: the distance is %v at %v", im, d, t)
		} else if d == 0 && c.o.MinSeparation == 0 && c.exactDistance(t) == 0 {
			return fmt.Errorf("%+v: the bodies touch at %v", im, t)
		}
	}
	return nil
}

// near checks law 3 with positions of 400 bits, rounded once, and distances of 512 bits.
func (c *course) near(im *Impact) error {
	if im.Flags&Intersecting != 0 {
		if d := distanceAt(c.a, c.b, c.ma.At(c.o.TMin), c.mb.At(c.o.TMin)); d > 1e-12 || im.TOILo != c.o.TMin {
			return fmt.Errorf("%+v: said to pierce at a distance of %v", im, d)
		}
		return nil
	}
	d := c.exactDistance(im.TOIHi)
	if most := (c.o.MinSeparation + c.o.Tolerance) * (1 + 1e-9); d > most || im.Distance > most {
		return fmt.Errorf("%+v: contact at a distance of %v", im, d)
	}
	if im.TOILo > c.o.TMin && d < c.o.MinSeparation*(1-1e-9) {
		return fmt.Errorf("%+v: the distance is %v, below the separation, at contact", im, d)
	}
	size := 1 + geom.Norm(im.PointA)
	if got := geom.Norm(r3.Sub(im.PointA, im.PointB)); math.Abs(got-im.Distance) > 1e-15*size*8 {
		return fmt.Errorf("%+v: the points are %v apart", im, got)
	}
	if n := geom.Norm(im.Normal); math.Abs(n-1) > 1e-12 && im.Distance > 0 {
		return fmt.Errorf("%+v: a normal of length %v", im, n)
	}
	return nil
}

// exactDistance returns the distance of the corners' exact positions at t seen from A's pivot, each
// rounded once.
func (c *course) exactDistance(t float64) float64 {
	points := func(b *Body, m *Motion) (out [][3][3]float64) {
		for _, tri := range b.tri {
			var p [3][3]float64
			for k := range 3 {
				x, _, _ := truth(m, tri[k], ccdtest.Big(t))
				o, _, _ := truth(&c.ma, c.ma.Pivot, ccdtest.Big(t))
				for i := range 3 {
					o[i].Neg(o[i])
					p[k][i], _ = ccdtest.Plus(x[i], o[i]).Float64()
				}
			}
			out = append(out, p)
		}
		return out
	}
	best := math.Inf(1)
	pa, pb := points(c.a, &c.ma), points(c.b, &c.mb)
	for i := range pa {
		for j := range pb {
			best = min(best, exactTriangles(&pa[i], &pb[j]))
		}
	}
	return best
}

// exactTriangles returns the distance of two triangles that do not pierce, over numbers of 512
// bits.
func exactTriangles(a, b *[3][3]float64) float64 {
	best := math.Inf(1)
	ask := func(k geom.Kind, points ...[3]float64) {
		var q []float64
		for range 2 {
			for _, p := range points {
				q = append(q, p[:]...)
			}
		}
		d, _ := ccdtest.DistanceSquared(k, q, 0).Float64()
		best = min(best, math.Sqrt(d))
	}
	for i := range 3 {
		ask(geom.VertexFace, a[i], b[0], b[1], b[2])
		ask(geom.VertexFace, b[i], a[0], a[1], a[2])
		for j := range 3 {
			ask(geom.EdgeEdge, a[i], a[(i+1)%3], b[j], b[(j+1)%3])
		}
	}
	return best
}

// TestEarliestLaws1To4 solves random courses and holds every result to the laws, against samples,
// exact distances and the interval proof.
func TestEarliestLaws1To4(t *testing.T) {
	n := 60
	if testing.Short() {
		n = 15
	}
	var s Solver
	r := rand.New(rand.NewPCG(11, 12))
	count := map[geom.Verdict]int{}
	for i := range n {
		c := someCourse(r)
		var im Impact
		if err := s.Earliest(c.a, c.b, &c.ma, &c.mb, &c.o, &im); err != nil {
			t.Fatal(err)
		}
		count[im.Verdict]++
		if err := c.check(&im); err != nil {
			t.Errorf("course %d: %v\n%v", i, err, c)
		}
		if im.Verdict == geom.Undecided {
			t.Logf("course %d: %+v %v", i, im, c)
		}
	}
	t.Logf("%v", count)
	if count[geom.Contact] < n/10 || count[geom.Separate] < n/10 {
		t.Errorf("the courses are too one-sided: %v", count)
	}
	if count[geom.Undecided] > n/100 {
		t.Errorf("%d answers stay open", count[geom.Undecided])
	}
}

// TestPointsMeet: bodies that are points have boxes without size, and still meet in few steps.
func TestPointsMeet(t *testing.T) {
	point, err := NewBody([]float64{0, 0, 0}, [][3]int32{{0, 0, 0}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	still := Motion{}
	still.Rotation.Real = 1
	m := still
	m.Position, m.Velocity = r3.Vec{X: 1.25, Y: 0.3, Z: 0.7}, r3.Vec{X: -2.5, Y: -0.6, Z: -1.4}
	var s Solver
	var im Impact
	if err := s.Earliest(point, point, &still, &m, nil, &im); err != nil || im.Verdict != geom.Contact ||
		im.Iterations > 20 ||
		!(im.TOILo < 0.5 && im.TOILo > 0.5-1e-9) {
		t.Errorf("%+v, %v", im, err)
	}
}

// TestNearestAgainstExact compares the nearest points with distances of 512 bits.
func TestNearestAgainstExact(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	worst := 0.0
	for range 800 {
		a, b := soup(r, 1), soup(r, 1)
		var pa, pb [3][3]float64
		for k := range 3 {
			pa[k], pb[k] = geom.Components(a.tri[0][k]), geom.Components(b.tri[0][k])
		}
		still := Motion{Rotation: quat.Number{Real: 1}}
		var q query
		var f posePair
		var l leaf
		q.set(a, b, &still, &still, &Options{})
		q.poses(0, &f)
		l.set(&q, &a.tri[0], &b.tri[0])
		want := exactTriangles(&pa, &pb)
		got := math.Sqrt(l.Near.D2)
		worst = max(worst, math.Abs(got-want))
		if !(got >= want-1e-15 && got <= want+1e-7) {
			t.Errorf("%v, %v: distance %v, not %v", a.tri, b.tri, got, want)
		}
	}
	t.Logf("worst error %v", worst)
}

package solid

import (
	"math"
	"math/rand"
	"testing"

	"ccd/simd/internal/vec"
)

// rotated turns v about the axis and by the angle of a vector: Rodrigues' formula.
func rotated(by, v vec.Vec3) vec.Vec3 {
	angle := math.Sqrt(vec.Dot(by, by))
	if angle == 0 {
		return v
	}
	axis := times(1/angle, by)
	sin, cos := math.Sincos(angle)
	out := vec.Plus(times(cos, v), times(sin, vec.Cross(axis, v)))
	return vec.Plus(out, times((1-cos)*vec.Dot(axis, v), axis))
}

// carriedCase is two boxes that turn, and a search for what the axis of one of them proves.
type carriedCase struct {
	m         RelativeMotion
	spin, arm [2]vec.Vec3
	x, v      vec.Vec3
	a, b      placed
	axis      int
	s         slabs
}

// someCarried draws two boxes that turn beside each other, near each other for their size, and an
// axis of one of them: thin ones, too, far from their pivots or near, about the same axis or not.
func someCarried(r *rand.Rand) *carriedCase {
	draw := func(s float64) vec.Vec3 {
		return vec.Vec3{X: s * r.NormFloat64(), Y: s * r.NormFloat64(), Z: s * r.NormFloat64()}
	}
	c := &carriedCase{}
	kind := r.Intn(4)
	size := math.Ldexp(1, -r.Intn(10))
	for i := range c.spin {
		c.spin[i], c.arm[i] = draw(2), draw([]float64{0.01, 1, 4}[r.Intn(3)])
		if kind == 0 {
			c.spin[i] = vec.Vec3{Z: 3 * r.NormFloat64()}
		}
		if r.Intn(4) == 0 {
			c.spin[i] = vec.Vec3{}
		}
	}
	if kind == 1 {
		c.spin[1] = vec.Plus(c.spin[0], draw(0.1))
	}
	c.v = draw([]float64{0, 0.1, 1, 4}[r.Intn(4)])
	for i, p := range [2]*placed{&c.a, &c.b} {
		rate := math.Sqrt(vec.Dot(c.spin[i], c.spin[i]))
		turn := vec.Cross(c.spin[i], c.arm[i])
		p.x, p.y, p.z = someAxes(r)
		thin := func() float64 { return size * math.Ldexp(r.Float64(), -r.Intn(6)) }
		p.h = vec.Vec3{X: thin(), Y: thin(), Z: thin()}
		p.r = math.Sqrt(vec.Dot(p.h, p.h)) * (1 + 0x1p-50)
		p.v, p.accel, p.spin, p.rate = turn, vec.Cross(c.spin[i], turn), c.spin[i], rate*(1+0x1p-50)
		p.far = math.Sqrt(vec.Dot(c.arm[i], c.arm[i]))
		p.spun = spun(p.spin, p.rate, p)
	}
	c.axis = r.Intn(6)
	c.s.ofB = c.axis >= 3
	n := c.normal(0)
	gap := size * math.Ldexp(1, -r.Intn(12))
	// The pivots stand so that the boxes are at the gap along the axis, with a shift across it.
	c.x = vec.Minus(c.arm[0], c.arm[1])
	c.x = vec.Plus(c.x, times(gap-c.gap(0), n))
	if across := draw(size); r.Intn(2) == 0 {
		c.x = vec.Plus(c.x, vec.Minus(across, times(vec.Dot(across, n), n)))
	}
	c.a.c, c.b.c = c.arm[0], vec.Plus(c.arm[1], c.x)
	if r.Intn(2) == 0 { // The gap neither closes nor opens at first.
		const dt = 1e-7
		c.v = vec.Plus(c.v, times((c.gap(0)-c.gap(dt))/dt, n))
	}
	c.b.v = vec.Plus(c.b.v, c.v)
	c.s.axis, c.s.d = n, c.gap(0)
	if r.Intn(2) == 0 {
		c.s.axis = times(-1, n)
	}
	c.s.g, c.s.gd = vec.Minus(c.b.c, c.a.c), vec.Minus(c.b.v, c.a.v)
	c.s.accel = vec.Minus(c.b.accel, c.a.accel)
	c.s.h, c.s.best = math.Ldexp(1, -r.Intn(3)), math.Ldexp(1, -r.Intn(12))
	d := vec.Minus(c.spin[1], c.spin[0])
	for i := range 4 {
		c.m[MotionSpan][i], c.m[MotionSpeed][i] = c.s.h, math.Sqrt(vec.Dot(c.v, c.v))*(1+0x1p-50)
		c.m[MotionD][i], c.m[MotionD+1][i], c.m[MotionD+2][i] = d.X, d.Y, d.Z
		c.m[MotionApart][i] = math.Sqrt(vec.Dot(d, d)) * advanceStretch
		c.m[MotionWay][i] = math.Sqrt(vec.Dot(c.x, c.x)) * advanceStretch
	}
	return c
}

// normal returns the axis at a time, from A to B: one that turns with its body.
func (c *carriedCase) normal(t float64) vec.Vec3 {
	n := [6]vec.Vec3{c.a.x, c.a.y, c.a.z, c.b.x, c.b.y, c.b.z}[c.axis]
	return rotated(times(t, c.spin[c.axis/3]), n)
}

// gap returns how far the boxes are apart along the axis at a time, by the definition of the
// motion.
func (c *carriedCase) gap(t float64) float64 {
	n := c.normal(t)
	at := func(i int) vec.Vec3 { return rotated(times(t, c.spin[i]), c.arm[i]) }
	gap := vec.Dot(n, vec.Minus(vec.Plus(vec.Plus(c.x, times(t, c.v)), at(1)), at(0)))
	for i, p := range [2]*placed{&c.a, &c.b} {
		for k, axis := range [3]vec.Vec3{p.x, p.y, p.z} {
			h := [3]float64{p.h.X, p.h.Y, p.h.Z}[k]
			gap -= h * math.Abs(vec.Dot(n, rotated(times(t, c.spin[i]), axis)))
		}
	}
	return gap
}

// hold looks whether the gap stays positive until the step ends, and returns which part of the time
// that takes the step is, or 0 where nothing ends it.
func (c *carriedCase) hold(t *testing.T) (share float64) {
	step := c.s.carried(&c.m, 0, &c.a, &c.b)
	if step > min(c.s.h, advanceAhead*c.s.best) {
		t.Fatalf("a step of %v for a time of %v: %+v", step, c.s.h, c)
	}
	for k := range 24 {
		at := step * float64(k+1) / 24
		if gap := c.gap(at); gap < -1e-13*(1+c.m[MotionWay][0]+c.m[MotionSpeed][0]+c.a.far+c.b.far) {
			t.Fatalf("a step of %v, but at %v the gap is %v: %+v", step, at, gap, c)
		}
	}
	if step == min(c.s.h, advanceAhead*c.s.best) {
		return 0
	}
	for k := range 40 {
		if at := step * (1 + 0.05*float64(k)); c.gap(at) < 0 {
			return step / at
		}
	}
	return 0
}

// TestCarriedGapsStayOpen: the gap along the axis of a box that turns with its body stays open
// until the step ends, and often closes soon after.
func TestCarriedGapsStayOpen(t *testing.T) {
	r := rand.New(rand.NewSource(75))
	near, long := 0, 0
	for range 20000 {
		c := someCarried(r)
		if c.s.d <= 0 {
			continue
		}
		if share := c.hold(t); share > 0.9 {
			near++
		} else if share == 0 {
			long++
		}
	}
	t.Logf("%d steps end at nine tenths of the true time or later, %d at their limit or long before", near, long)
	if near < 1000 {
		t.Error("the test does not look where the bound is tight")
	}
}

func FuzzCarriedBoxes(f *testing.F) {
	for seed := range int64(8) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed int64) {
		r := rand.New(rand.NewSource(seed))
		for range 50 {
			if c := someCarried(r); c.s.d > 0 {
				c.hold(t)
			}
		}
	})
}

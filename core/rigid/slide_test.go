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

	"ccd/core/geom"
	"ccd/core/rigid"
	"ccd/core/status"
)

// slid is two convex bodies of triangles that move.
type slid struct {
	tri    [2][][3]r3.Vec
	motion [2]rigid.Motion
}

func (c *slid) body(side int) *rigid.Body {
	p := pair{tri: c.tri}
	return p.body(side)
}

// placedAt is where a motion puts a point, by the textbook: quaternion, Rodrigues' formula.
func placedAt(m *rigid.Motion, t float64, x r3.Vec) r3.Vec {
	q := quat.Scale(1/quat.Abs(m.Rotation), m.Rotation)
	v := r3.Sub(x, m.Pivot)
	w := geom.Product(geom.Product(q, quat.Number{Imag: v.X, Jmag: v.Y, Kmag: v.Z}), quat.Conj(q))
	v = r3.Vec{X: w.Imag, Y: w.Jmag, Z: w.Kmag}
	if rate := geom.Norm(m.AngularVelocity); rate > 0 {
		sin, cos := math.Sincos(rate * t)
		axis := geom.Scale(1/rate, m.AngularVelocity)
		k := geom.Cross(axis, v)
		v = r3.Add(v, r3.Add(geom.Scale(sin, k), geom.Scale(1-cos, geom.Cross(axis, k))))
	}
	return r3.Add(v, r3.Add(m.Position, geom.Scale(t, m.Velocity)))
}

// signed returns the signed distance of the bodies at a time: the largest gap along the normal of a
// face or the product of two edges, if that is below 0, else the distance of the triangles.
func (c *slid) signed(t float64) float64 {
	var at [2][][3]r3.Vec
	for side := range 2 {
		for _, u := range c.tri[side] {
			v := [3]r3.Vec{}
			for k := range 3 {
				v[k] = placedAt(&c.motion[side], t, u[k])
			}
			at[side] = append(at[side], v)
		}
	}
	best := math.Inf(-1)
	try := func(n r3.Vec) {
		size := geom.Norm(n)
		if size < 1e-9 {
			return
		}
		for _, sign := range []float64{1, -1} {
			least, most := math.Inf(1), math.Inf(-1)
			for _, u := range at[0] {
				for _, x := range u {
					least = min(least, sign*geom.Dot(n, x)/size)
				}
			}
			for _, u := range at[1] {
				for _, x := range u {
					most = max(most, sign*geom.Dot(n, x)/size)
				}
			}
			best = max(best, least-most)
		}
	}
	edges := [2][]r3.Vec{}
	for side := range 2 {
		for _, u := range at[side] {
			try(geom.Cross(r3.Sub(u[1], u[0]), r3.Sub(u[2], u[0])))
			for k := range 3 {
				edges[side] = append(edges[side], r3.Sub(u[(k+1)%3], u[k]))
			}
		}
	}
	for _, e := range edges[0] {
		for _, f := range edges[1] {
			try(geom.Cross(e, f))
		}
	}
	if best <= 0 {
		return best
	}
	p := pair{tri: at}
	here := poseAt(0, 0, 0)
	var g rigid.Gap // its laws are held to rational arithmetic by TestDistanceLaws
	if err := new(rigid.Ruler).Distance(p.body(0), &here, p.body(1), &here, rigid.DistanceOptions{}, &g); err != nil {
		panic(err)
	}
	return g.Hi
}

// hold holds a result to laws L1 to L4 at some times.
func (c *slid) hold(out *rigid.Slide, tol, t0, t1 float64) error {
	return holdSlide(c.signed, out, tol, t0, t1)
}

func holdSlide(signed func(t float64) float64, out *rigid.Slide, tol, t0, t1 float64) error {
	const off = 1e-9
	from, to, most := t0, min(out.TLo, t1), tol
	if out.Event == rigid.SlideStays {
		to, most = t1, tol*33/32
	}
	for k := range 24 {
		if out.Flags&rigid.SlideInitial != 0 {
			break
		}
		t := from + (to-from)*float64(k)/24
		if s := signed(t); math.Abs(s) > most+off {
			return fmt.Errorf("at %v the signed distance is %v", t, s)
		}
	}
	s := 0.0
	switch out.Event {
	case rigid.SlidePenetrates:
		if s = signed(out.THi); !(s < -tol+off) {
			return fmt.Errorf("at THi the signed distance is %v", s)
		}
	case rigid.SlideParts:
		if s = signed(out.THi); !(s > tol-off) {
			return fmt.Errorf("at THi the signed distance is %v", s)
		}
	case rigid.SlideStays:
		s = signed(t1)
	default:
		s = signed(out.TLo)
	}
	if !(s >= out.Lo-off && s <= out.Hi+off) {
		return fmt.Errorf("the signed distance %v is not in [%v, %v]", s, out.Lo, out.Hi)
	}
	if out.Event != rigid.SlideStays && out.TLo > out.THi {
		return fmt.Errorf("[%v, %v]", out.TLo, out.THi)
	}
	return nil
}

func (c *slid) run(t testing.TB, tol, t0, t1 float64) rigid.Slide {
	t.Helper()
	var s rigid.SlideSolver
	var out rigid.Slide
	o := rigid.DefaultOptions()
	o.TMin, o.TMax = t0, t1
	a, b := []*rigid.Body{c.body(0)}, []*rigid.Body{c.body(1)}
	if err := s.Slide(a, b, &c.motion[0], &c.motion[1], tol, &o, &out); err != nil {
		t.Fatal(err)
	}
	if err := c.hold(&out, tol, t0, t1); err != nil {
		t.Errorf("%v: %+v", err, out)
	}
	return out
}

func moving(position, velocity, spin r3.Vec) rigid.Motion {
	return rigid.Motion{Rotation: quat.Number{Real: 1}, Position: position, Velocity: velocity, AngularVelocity: spin}
}

// A box that slides on a table: over its edge, into it, up from it, and turning with it.
func TestSlideOfABoxOnATable(t *testing.T) {
	table, box := boxOfCells(r3.Vec{X: 2, Y: 2, Z: 1}, 1, nil), boxOfCells(r3.Vec{X: 0.5, Y: 0.5, Z: 0.5}, 1, nil)
	still := moving(r3.Vec{}, r3.Vec{}, r3.Vec{})
	const tol = 1e-6
	on := r3.Vec{Z: 1.5}
	for _, test := range []struct {
		name  string
		box   rigid.Motion
		table rigid.Motion
		event rigid.SlideEvent
		t     float64
	}{
		{"stays", moving(on, r3.Vec{X: 0.5}, r3.Vec{}), still, rigid.SlideStays, 0},
		{"off the edge", moving(on, r3.Vec{X: 4}, r3.Vec{}), still, rigid.SlideParts, (2.5 + tol) / 4},
		{"sinks", moving(on, r3.Vec{X: 0.5, Z: -2e-3}, r3.Vec{}), still, rigid.SlidePenetrates, 0.5e-3},
		{"rises", moving(on, r3.Vec{X: 0.5, Z: 2e-3}, r3.Vec{}), still, rigid.SlideParts, 0.5e-3},
		{"spins", moving(on, r3.Vec{X: 0.5}, r3.Vec{Z: 3}), still, rigid.SlideStays, 0},
		{"is carried", moving(on, r3.Vec{X: 0.25}, r3.Vec{Z: 3}), moving(r3.Vec{}, r3.Vec{}, r3.Vec{Z: 3}),
			rigid.SlideStays, 0},
	} {
		c := slid{[2][][3]r3.Vec{box, table}, [2]rigid.Motion{test.box, test.table}}
		out := c.run(t, tol, 0, 1)
		if out.Event != test.event || out.Flags != 0 {
			t.Errorf("%s: %+v", test.name, out)
		}
		if test.t > 0 && !(out.TLo <= test.t && out.THi >= test.t && out.THi-out.TLo < 1e-7) {
			t.Errorf("%s: [%v, %v] for %v", test.name, out.TLo, out.THi, test.t)
		}
		if test.event == rigid.SlideStays && (out.TLo != 1 || !math.IsInf(out.THi, 1)) {
			t.Errorf("%s: %+v", test.name, out)
		}
		t.Logf("%s: %d iterations", test.name, out.Iterations)
	}
}

// A box that tips about one of its edges, one that tips into the table, and one that starts apart.
func TestSlideOfABoxThatTips(t *testing.T) {
	table, box := boxOfCells(r3.Vec{X: 2, Y: 2, Z: 1}, 1, nil), boxOfCells(r3.Vec{X: 0.5, Y: 0.5, Z: 0.5}, 1, nil)
	still := moving(r3.Vec{}, r3.Vec{}, r3.Vec{})
	tip := rigid.Motion{Rotation: quat.Number{Real: 1}, Position: r3.Vec{X: 0.5, Z: 1}, Pivot: r3.Vec{X: 0.5, Z: -0.5}}
	tip.AngularVelocity = r3.Vec{Y: 1}
	c := slid{[2][][3]r3.Vec{box, table}, [2]rigid.Motion{tip, still}}
	if out := c.run(t, 1e-6, 0, 1); out.Event != rigid.SlideStays {
		t.Errorf("on its edge: %+v", out)
	} else {
		t.Logf("%d iterations", out.Iterations)
	}
	c.motion[0].AngularVelocity = r3.Vec{Y: -1}
	if out := c.run(t, 1e-3, 0, 1); out.Event != rigid.SlidePenetrates || math.Abs(out.TLo-math.Asin(1e-3)) > 1e-4 {
		t.Errorf("into the table: %+v", out)
	}
	c.motion[0] = moving(r3.Vec{Z: 2}, r3.Vec{Z: -1}, r3.Vec{})
	if out := c.run(t, 1e-3, 0, 1); out.Event != rigid.SlideParts || out.Flags != rigid.SlideInitial || out.THi != 0 {
		t.Errorf("from apart: %+v", out)
	}
	for _, z := range []float64{0, 0.5} { // It is in the middle, or touches the top from inside.
		c.motion[0] = moving(r3.Vec{Z: z}, r3.Vec{Z: -1}, r3.Vec{})
		out := c.run(t, 1e-3, 0, 1)
		if out.Event != rigid.SlidePenetrates || out.Flags != rigid.SlideInitial || out.Hi > -0.99*(1.5-z) {
			t.Errorf("inside: %+v", out)
		}
	}
}

// Balls and capsules: the radii count.
func TestSlideOfShapes(t *testing.T) {
	box, _ := rigid.BoxBody([3]float64{4, 4, 2})
	ball, _ := rigid.Sphere(0.5)
	capsule, _ := rigid.Capsule(0.25, 1)
	var s rigid.SlideSolver
	var out rigid.Slide
	still := moving(r3.Vec{}, r3.Vec{}, r3.Vec{})
	const tol = 1e-4
	for _, test := range []struct {
		name  string
		a     *rigid.Body
		m     rigid.Motion
		event rigid.SlideEvent
		t     float64
	}{
		{"ball", ball, moving(r3.Vec{Z: 1.5}, r3.Vec{X: 1}, r3.Vec{Y: 2}), rigid.SlideStays, 0},
		{"ball that sinks", ball, moving(r3.Vec{Z: 1.5}, r3.Vec{X: 1, Z: -2 * tol}, r3.Vec{Y: 2}),
			rigid.SlidePenetrates, 0.5},
		{"capsule", capsule, rigid.Motion{Rotation: quat.Number{Real: math.Sqrt2 / 2, Imag: math.Sqrt2 / 2},
			Position: r3.Vec{Z: 1.25}, Velocity: r3.Vec{X: 0.5}, AngularVelocity: r3.Vec{Z: 2}}, rigid.SlideStays, 0},
	} {
		if err := s.Slide([]*rigid.Body{test.a}, []*rigid.Body{box}, &test.m, &still, tol, nil, &out); err != nil {
			t.Fatal(err)
		}
		if out.Event != test.event || test.t > 0 && !(out.TLo <= test.t && test.t <= out.THi) {
			t.Errorf("%s: %+v", test.name, out)
		}
	}
}

// What is not convex is refused by name, and so are bad numbers.
func TestSlideErrors(t *testing.T) {
	box := boxOfCells(r3.Vec{X: 1, Y: 1, Z: 1}, 2, nil)
	dented := append([][3]r3.Vec(nil), box...)
	for i := range dented {
		for k := range 3 {
			if dented[i][k] == (r3.Vec{Z: 1}) {
				dented[i][k].Z = 0.5
			}
		}
	}
	good, bad := bodyOf(t, box), bodyOf(t, dented)
	m := moving(r3.Vec{}, r3.Vec{}, r3.Vec{})
	var out rigid.Slide
	err := new(rigid.SlideSolver).Slide([]*rigid.Body{good}, []*rigid.Body{bad}, &m, &m, 1e-3, nil, &out)
	if !errors.Is(err, status.ErrUnsupported) || !strings.HasPrefix(err.Error(), "b is not convex") {
		t.Error(err)
	}
	open := bodyOf(t, box[:20])
	err = new(rigid.SlideSolver).Slide([]*rigid.Body{open}, []*rigid.Body{good}, &m, &m, 1e-3, nil, &out)
	if !errors.Is(err, status.ErrUnsupported) {
		t.Error(err)
	}
	for _, tol := range []float64{0, -1, math.NaN(), 1e-12, math.Inf(1)} {
		err = new(rigid.SlideSolver).Slide([]*rigid.Body{good}, []*rigid.Body{good}, &m, &m, tol, nil, &out)
		if !errors.Is(err, status.ErrArgument) {
			t.Error(tol, err)
		}
	}
}

// slides draws a body that rests on another one and moves along it, nearly.
func slides(r *rand.Rand) (c slid, tol float64) {
	tol = math.Pow(10, -2-float64(r.IntN(4)))
	half := func() r3.Vec { return r3.Vec{X: 0.3 + r.Float64(), Y: 0.3 + r.Float64(), Z: 0.3 + r.Float64()} }
	a, b := half(), half()
	c.tri = [2][][3]r3.Vec{boxOfCells(a, 1, nil), boxOfCells(b, 1, nil)}
	vec := func(s float64) r3.Vec {
		return r3.Vec{X: s * (r.Float64()*2 - 1), Y: s * (r.Float64()*2 - 1), Z: s * (r.Float64()*2 - 1)}
	}
	spin := r3.Vec{}
	on := r3.Vec{X: r.Float64() - 0.5, Y: r.Float64() - 0.5, Z: a.Z + b.Z + tol*(r.Float64()*1.6-0.8)}
	c.motion[0] = moving(on, vec(1), spin)
	c.motion[1] = moving(r3.Vec{}, r3.Vec{}, spin)
	c.motion[0].Velocity.Z *= tol * float64(r.IntN(5))
	switch r.IntN(5) {
	case 0:
		c.motion[0].AngularVelocity = r3.Vec{Z: 4 * r.Float64()}
	case 1:
		c.motion[0].AngularVelocity = vec(2 * tol)
	case 2:
		c.motion[1].AngularVelocity = vec(1)
		c.motion[0].AngularVelocity = c.motion[1].AngularVelocity
	case 3:
		c.motion[0].AngularVelocity, c.motion[1].AngularVelocity = vec(1), vec(1)
	}
	return c, tol
}

// TestSlideLaws holds results to laws L1 to L4, also for the bodies exchanged.
func TestSlideLaws(t *testing.T) {
	cases := 60
	if testing.Short() {
		cases = 15
	}
	count := map[rigid.SlideEvent]int{}
	worst := int64(0)
	for i := range cases {
		c, tol := slides(rand.New(rand.NewPCG(152, uint64(i))))
		out := c.run(t, tol, 0, 1)
		back := slid{[2][][3]r3.Vec{c.tri[1], c.tri[0]}, [2]rigid.Motion{c.motion[1], c.motion[0]}}
		again := back.run(t, tol, 0, 1)
		if again.TLo > out.THi || out.TLo > again.THi {
			t.Errorf("[%v, %v], but [%v, %v] in the other order", out.TLo, out.THi, again.TLo, again.THi)
		}
		count[out.Event]++
		worst = max(worst, out.Iterations)
		if t.Failed() {
			t.Fatalf("case %d, tolerance %v: %+v", i, tol, c.motion)
		}
	}
	t.Log(count, worst)
	if count[rigid.SlideUndecided] > 0 || len(count) != 3 {
		t.Error(count)
	}
}

// compare returns, in rational arithmetic, for bodies that do not turn, whether the signed distance
// at a time is below -tol, and whether it is above tol.
func (c *slid) compare(t, tol float64) (deep, far bool) {
	at := [2][][]ratVec{}
	for side := range 2 {
		m := &c.motion[side]
		pose := geom.Pose{Rotation: m.Rotation, Position: m.Position}
		for _, u := range c.tri[side] {
			var v []ratVec
			for _, x := range u {
				p := placed(&pose, x)
				for k, y := range ratVecOf(m.Velocity) {
					p[k].Add(p[k], y.Mul(y, ratOf(t)))
				}
				v = append(v, p)
			}
			at[side] = append(at[side], v)
		}
	}
	square := new(big.Rat).Mul(ratOf(tol), ratOf(tol))
	shallow := false
	var edges [2][]ratVec
	try := func(n ratVec) {
		n2 := n.dot(n)
		for _, sign := range []int64{1, -1} {
			var least, most *big.Rat
			for side := range 2 {
				for _, u := range at[side] {
					for _, x := range u {
						d := n.dot(x)
						d.Mul(d, big.NewRat(sign, 1))
						if side == 0 && (least == nil || d.Cmp(least) < 0) {
							least = d
						}
						if side == 1 && (most == nil || d.Cmp(most) > 0) {
							most = d
						}
					}
				}
			}
			gap := new(big.Rat).Sub(least, most)
			g2 := new(big.Rat).Mul(gap, gap)
			shallow = shallow || n2.Sign() > 0 && (gap.Sign() >= 0 || g2.Cmp(new(big.Rat).Mul(square, n2)) <= 0)
		}
	}
	for side := range 2 {
		for _, u := range at[side] {
			try(ratVec(ratCross(u[1].minus(u[0]), u[2].minus(u[0]))))
			for k := range 3 {
				edges[side] = append(edges[side], u[(k+1)%3].minus(u[k]))
			}
		}
	}
	for _, e := range edges[0] {
		for _, f := range edges[1] {
			if shallow {
				break
			}
			try(ratVec(ratCross(e, f)))
		}
	}
	if !shallow {
		return true, false
	}
	far = true
	for _, u := range at[0] {
		for _, v := range at[1] {
			if far = far && squareOfSets(u, v).Cmp(square) > 0; !far {
				return false, false
			}
		}
	}
	return false, true
}

// TestSlideExactly holds bodies that do not turn to laws L1 and L2 without any rounding.
func TestSlideExactly(t *testing.T) {
	for i := range 6 {
		r := rand.New(rand.NewPCG(153, uint64(i)))
		c, tol := slides(r)
		for side, sign := range []float64{1, -1} { // pyramids with their bases on each other
			a, b, d := r3.Vec{X: -1, Y: -1}, r3.Vec{X: 1.5, Y: -0.5}, r3.Vec{Y: 1}
			tip := r3.Vec{X: r.Float64(), Z: sign}
			c.tri[side] = [][3]r3.Vec{{a, d, b}, {a, b, tip}, {b, d, tip}, {d, a, tip}}
			if side == 1 {
				c.tri[side] = [][3]r3.Vec{{a, b, d}, {a, tip, b}, {b, tip, d}, {d, tip, a}}
			}
		}
		c.motion[0].Position.Z = tol * (r.Float64()*1.6 - 0.8)
		for side := range 2 {
			c.motion[side].AngularVelocity = r3.Vec{}
			if i%4 == 0 {
				c.motion[side].Rotation = quat.Number{Real: 3, Imag: 1, Jmag: -2, Kmag: 1}
			}
		}
		rot := geom.Rotation(c.motion[0].Rotation)
		c.motion[0].Position, c.motion[0].Velocity = rot.Apply(c.motion[0].Position), rot.Apply(c.motion[0].Velocity)
		out := c.run(t, tol, 0, 1)
		for k := range 2 {
			if deep, far := c.compare(min(out.TLo, 1)*float64(k+1)*0.499, tol); deep || far {
				t.Errorf("case %d: before TLo %v %v: %+v", i, deep, far, out)
			}
		}
		if out.Event == rigid.SlideStays {
			continue
		}
		if deep, far := c.compare(out.THi, tol); deep != (out.Event == rigid.SlidePenetrates) ||
			far != (out.Event == rigid.SlideParts) {
			t.Errorf("case %d: at THi %v %v: %+v", i, deep, far, out)
		}
	}
}

// FuzzSlide holds results to their laws: go test ./core/rigid -fuzz FuzzSlide.
func FuzzSlide(f *testing.F) {
	for i := range uint64(4) {
		f.Add(i, 7*i)
	}
	f.Fuzz(func(t *testing.T, seed, stream uint64) {
		c, tol := slides(rand.New(rand.NewPCG(seed, stream)))
		c.run(t, tol, 0, 1)
	})
}

// Whole turns, after which everything is as before: a pyramid that turns about its tip dips into
// the table, and a box that is swung about a far axis leaves its pedestal.
func TestSlideOverAWholeTurn(t *testing.T) {
	table, box := boxOfCells(r3.Vec{X: 2, Y: 2, Z: 1}, 1, nil), boxOfCells(r3.Vec{X: 0.5, Y: 0.5, Z: 0.5}, 1, nil)
	still := moving(r3.Vec{}, r3.Vec{}, r3.Vec{})
	a, b, d := r3.Vec{X: -0.2, Y: -0.2, Z: 1}, r3.Vec{X: 0.2, Y: -0.2, Z: 1}, r3.Vec{Y: 0.2, Z: 1}
	tip := r3.Vec{}
	pyramid := [][3]r3.Vec{{a, b, d}, {a, tip, b}, {b, tip, d}, {d, tip, a}}
	spun := moving(r3.Vec{Z: 1}, r3.Vec{}, r3.Vec{Y: 2 * math.Pi})
	c := slid{[2][][3]r3.Vec{pyramid, table}, [2]rigid.Motion{spun, still}}
	if out := c.run(t, 1e-3, 0, 1); out.Event != rigid.SlidePenetrates || out.TLo > 0.25 {
		t.Errorf("a pyramid: %+v", out)
	}
	swung := rigid.Motion{Rotation: quat.Number{Real: 1}, Position: r3.Vec{X: 9, Z: 1.5}, Pivot: r3.Vec{X: 9},
		AngularVelocity: r3.Vec{Z: 2 * math.Pi}}
	c = slid{[2][][3]r3.Vec{box, table}, [2]rigid.Motion{swung, still}}
	if out := c.run(t, 1e-3, 0, 1); out.Event != rigid.SlideParts || out.TLo > 0.25 {
		t.Errorf("a box that is swung: %+v", out)
	}
}

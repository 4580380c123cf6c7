package rigid_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/rigid"
	"ccd/core/status"
)

// Contacts that last while bodies turn take few steps, however small the tolerance is.
func TestStepsOfSlidesThatTurn(t *testing.T) {
	table, box := boxOfCells(r3.Vec{X: 2, Y: 2, Z: 1}, 1, nil), boxOfCells(r3.Vec{X: 0.5, Y: 0.5, Z: 0.5}, 1, nil)
	on, still, spin := r3.Vec{Z: 1.5}, moving(r3.Vec{}, r3.Vec{}, r3.Vec{}), r3.Vec{Z: 3}
	ship := r3.Vec{X: 0.3, Y: -0.2, Z: 1}
	for _, test := range []struct {
		name       string
		box, table rigid.Motion
		most       int64
	}{
		{"spins", moving(on, r3.Vec{X: 0.5}, spin), still, 16},
		{"the table spins", moving(on, r3.Vec{X: 0.5}, r3.Vec{}), moving(r3.Vec{}, r3.Vec{}, spin), 16},
		{"spins the other way", moving(on, r3.Vec{}, spin), moving(r3.Vec{}, r3.Vec{}, geom.Scale(-1, spin)), 16},
		{"is carried", moving(on, r3.Vec{X: 0.25}, spin), moving(r3.Vec{}, r3.Vec{}, spin), 16},
		{"is carried by a ship",
			rigid.Motion{Rotation: quat.Number{Real: 1}, AngularVelocity: ship, Pivot: r3.Vec{Z: -1.5}},
			moving(r3.Vec{}, r3.Vec{}, ship), 16},
		{"orbits", rigid.Motion{Rotation: quat.Number{Real: 1}, Position: on, Pivot: r3.Vec{X: 1},
			AngularVelocity: spin}, still, 16},
		{"tips", rigid.Motion{Rotation: quat.Number{Real: 1}, Position: r3.Vec{X: 0.5, Z: 1},
			Pivot: r3.Vec{X: 0.5, Z: -0.5}, AngularVelocity: r3.Vec{Y: 1}}, still, 64},
	} {
		for _, tol := range []float64{1e-3, 1e-5, 1e-7} {
			c := slid{[2][][3]r3.Vec{box, table}, [2]rigid.Motion{test.box, test.table}}
			out := c.run(t, tol, 0, 1)
			if out.Event != rigid.SlideStays || out.Iterations > test.most {
				t.Errorf("%s, tolerance %v: %+v", test.name, tol, out)
			}
			c = slid{[2][][3]r3.Vec{table, box}, [2]rigid.Motion{test.table, test.box}}
			if out = c.run(t, tol, 0, 1); out.Event != rigid.SlideStays || out.Iterations > test.most {
				t.Errorf("%s, exchanged, tolerance %v: %+v", test.name, tol, out)
			}
		}
	}
}

// slabs cuts a box into slabs along x.
func slabs(half r3.Vec, n int) (parts [][][3]r3.Vec) {
	for k := range n {
		width := half.X / float64(n)
		tri := boxOfCells(r3.Vec{X: width, Y: half.Y, Z: half.Z}, 1, nil)
		for i := range tri {
			for j := range tri[i] {
				tri[i][j].X += width*float64(2*k+1) - half.X
			}
		}
		parts = append(parts, tri)
	}
	return parts
}

// slidParts is two bodies by parts.
type slidParts struct {
	tri    [2][][][3]r3.Vec
	motion [2]rigid.Motion
}

// signed is the least signed distance of two parts.
func (c *slidParts) signed(t float64) float64 {
	least := math.Inf(1)
	for _, a := range c.tri[0] {
		for _, b := range c.tri[1] {
			p := slid{[2][][3]r3.Vec{a, b}, c.motion}
			least = min(least, p.signed(t))
		}
	}
	return least
}

func (c *slidParts) run(t testing.TB, tol float64) rigid.Slide {
	t.Helper()
	var parts [2][]*rigid.Body
	for side := range 2 {
		for _, tri := range c.tri[side] {
			parts[side] = append(parts[side], bodyOf(t, tri))
		}
	}
	var out rigid.Slide
	if err := new(rigid.SlideSolver).Slide(parts[0], parts[1], &c.motion[0], &c.motion[1], tol, nil, &out); err != nil {
		t.Fatal(err)
	}
	if err := holdSlide(c.signed, &out, tol, 0, 1); err != nil {
		t.Errorf("%v: %+v", err, out)
	}
	return out
}

// slidesOfParts draws bodies as slides does, cut into parts.
func slidesOfParts(r *rand.Rand) (c slidParts, tol float64) {
	whole, tol := slides(r)
	c.motion = whole.motion
	for side := range 2 {
		last := whole.tri[side][len(whole.tri[side])-1][1]
		c.tri[side] = slabs(r3.Vec{X: math.Abs(last.X), Y: math.Abs(last.Y), Z: math.Abs(last.Z)}, 1+r.IntN(3))
	}
	return c, tol
}

// TestSlideOfParts holds bodies by parts to laws L1 to L5, at signed distances by their definition.
func TestSlideOfParts(t *testing.T) {
	cases := 30
	if testing.Short() {
		cases = 10
	}
	count := map[rigid.SlideEvent]int{}
	for i := range cases {
		c, tol := slidesOfParts(rand.New(rand.NewPCG(154, uint64(i))))
		out := c.run(t, tol)
		if count[out.Event]++; t.Failed() {
			t.Fatalf("case %d, tolerance %v: %+v", i, tol, c.motion)
		}
	}
	if t.Log(count); len(count) < 2 {
		t.Error(count)
	}
}

// A box goes over the joint of two halves of a table, and off the second one; a hook is caught by
// the part of its own that comes first.
func TestSlideOverAJoint(t *testing.T) {
	table := slabs(r3.Vec{X: 2, Y: 2, Z: 1}, 2)
	box := boxOfCells(r3.Vec{X: 0.5, Y: 0.5, Z: 0.5}, 1, nil)
	c := slidParts{[2][][][3]r3.Vec{{box}, table}, [2]rigid.Motion{
		moving(r3.Vec{X: -1, Z: 1.5}, r3.Vec{X: 7}, r3.Vec{}), moving(r3.Vec{}, r3.Vec{}, r3.Vec{})}}
	out := c.run(t, 1e-6)
	if end := 3.5 / 7; out.Event != rigid.SlideParts || math.Abs(out.TLo-end) > 1e-6 || out.PartB != 1 {
		t.Errorf("over a joint: %+v", out)
	}
	wall := boxOfCells(r3.Vec{X: 0.5, Y: 0.5, Z: 0.5}, 1, nil)
	for i := range wall {
		for j := range wall[i] {
			wall[i][j] = r3.Add(wall[i][j], r3.Vec{X: 1.5, Z: 1.5})
		}
	}
	c.tri[1] = append(c.tri[1], wall)
	out = c.run(t, 1e-6)
	if end := 1.5 / 7; out.Event != rigid.SlidePenetrates || math.Abs(out.TLo-end) > 1e-6 || out.PartB != 2 {
		t.Errorf("against a wall: %+v", out)
	}
}

// A box that slides over a table has an arm beside it, which passes through a post half way: at
// both ends of the motion the post is far from all parts.
func TestSlideWithAPostInTheWay(t *testing.T) {
	cube := func(half float64, at r3.Vec) [][3]r3.Vec {
		box := boxOfCells(r3.Vec{X: half, Y: half, Z: half}, 1, nil)
		for i := range box {
			for j := range box[i] {
				box[i][j] = r3.Add(box[i][j], at)
			}
		}
		return box
	}
	table := boxOfCells(r3.Vec{X: 4, Y: 2, Z: 1}, 1, nil)
	c := slidParts{[2][][][3]r3.Vec{{cube(0.5, r3.Vec{}), cube(0.25, r3.Vec{Y: 3})},
		{table, cube(0.25, r3.Vec{Y: 3, Z: 1.5})}}, [2]rigid.Motion{
		moving(r3.Vec{X: -3, Z: 1.5}, r3.Vec{X: 6}, r3.Vec{}), moving(r3.Vec{}, r3.Vec{}, r3.Vec{})}}
	out := c.run(t, 1e-6)
	if end := 2.5 / 6; out.Event != rigid.SlidePenetrates || math.Abs(out.TLo-end) > 1e-6 ||
		out.PartA != 1 || out.PartB != 1 {
		t.Errorf("%+v", out)
	}
}

// A part that is not convex is named.
func TestSlideNamesParts(t *testing.T) {
	box := bodyOf(t, boxOfCells(r3.Vec{X: 1, Y: 1, Z: 1}, 1, nil))
	open := bodyOf(t, boxOfCells(r3.Vec{X: 1, Y: 1, Z: 1}, 1, nil)[:8])
	m := moving(r3.Vec{}, r3.Vec{}, r3.Vec{})
	var out rigid.Slide
	var s rigid.SlideSolver
	err := s.Slide([]*rigid.Body{box}, []*rigid.Body{box, open}, &m, &m, 1e-3, nil, &out)
	if !errors.Is(err, status.ErrUnsupported) || !strings.HasPrefix(err.Error(), "b[1] is not convex") {
		t.Error(err)
	}
	if err = s.Slide(nil, []*rigid.Body{box}, &m, &m, 1e-3, nil, &out); !errors.Is(err, status.ErrArgument) {
		t.Error(err)
	}
}

// FuzzSlideOfParts holds bodies by parts to their laws.
func FuzzSlideOfParts(f *testing.F) {
	for i := range uint64(4) {
		f.Add(i, 5*i)
	}
	f.Fuzz(func(t *testing.T, seed, stream uint64) {
		c, tol := slidesOfParts(rand.New(rand.NewPCG(seed, stream)))
		c.run(t, tol)
	})
}

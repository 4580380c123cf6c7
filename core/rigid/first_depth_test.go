package rigid_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
	"ccd/core/rigid"
	"ccd/core/status"
)

// firstDepth asks for the first time at which two bodies are deeper than a limit.
func (c *slid) firstDepth(t testing.TB, limit float64) (out rigid.Slide) {
	t.Helper()
	a, b := []*rigid.Body{c.body(0)}, []*rigid.Body{c.body(1)}
	if err := new(rigid.SlideSolver).FirstDepth(a, b, &c.motion[0], &c.motion[1], limit, nil, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// holdDepth holds a result to the laws of FirstDepth at some times.
func (c *slid) holdDepth(out *rigid.Slide, limit float64) error {
	const off = 1e-9
	to, most := min(out.TLo, 1), limit
	if out.Event == rigid.SlideStays {
		to, most = 1, limit*33/32
	}
	for k := range 40 {
		t := to * float64(k) / 40
		if s := c.signed(t); out.Flags&rigid.SlideInitial == 0 && s < -most-off {
			return fmt.Errorf("at %v the signed distance is %v", t, s)
		}
	}
	if out.Event == rigid.SlidePenetrates {
		if s := c.signed(out.THi); !(s < -limit+off) || !(s >= out.Lo-off && s <= out.Hi+off) {
			return fmt.Errorf("at THi the signed distance is %v", s)
		}
	}
	return nil
}

// TestFirstDepthLaws: boxes that fly into, through and past each other, turning.
func TestFirstDepthLaws(t *testing.T) {
	count, wide := map[rigid.SlideEvent]int{}, 0
	for i := range long.Part(240, 16) {
		r := rand.New(rand.NewPCG(171, uint64(i)))
		c, _ := slides(r)
		limit := math.Pow(10, -3*r.Float64()) / 4
		vec := func(s float64) r3.Vec {
			return r3.Vec{X: s * (r.Float64()*2 - 1), Y: s * (r.Float64()*2 - 1), Z: s * (r.Float64()*2 - 1)}
		}
		// They are near each other at some time, which may be at the start.
		at, v := r.Float64(), vec(4)
		c.motion[0] = moving(r3.Sub(vec(2), r3.Scale(at, v)), v, vec(3))
		c.motion[1] = moving(r3.Vec{}, r3.Vec{}, vec(3))
		out := c.firstDepth(t, limit)
		if err := c.holdDepth(&out, limit); err != nil {
			t.Errorf("case %d, limit %v, %+v: %v: %+v", i, limit, c.motion, err, out)
		}
		count[out.Event]++
		if out.Event == rigid.SlidePenetrates && out.THi-out.TLo > 1e-4*limit {
			wide++
		}
	}
	t.Log(count, wide)
	if count[rigid.SlideUndecided] > 0 || count[rigid.SlideParts] > 0 || min(count[rigid.SlideStays],
		count[rigid.SlidePenetrates]) < 2 || wide > (count[rigid.SlidePenetrates]+19)/20 {
		t.Error(count, wide)
	}
}

// TestFirstDepthOfShapes: times by formula, of a ball, of parts, of a round body with a deviation,
// and at the start.
func TestFirstDepthOfShapes(t *testing.T) {
	table, ball := must(rigid.BoxBody([3]float64{4, 4, 2})), must(rigid.Sphere(1))
	disk := must(rigid.Cylinder(1, 0.5, 1e-3))
	still, falls := moving(r3.Vec{}, r3.Vec{}, r3.Vec{}), moving(r3.Vec{Z: 3}, r3.Vec{Z: -1}, r3.Vec{})
	flat := moving(r3.Vec{Z: 2}, r3.Vec{Z: -1}, r3.Vec{Z: 1})
	passes := moving(r3.Vec{X: -5, Z: 1.9}, r3.Vec{X: 10}, r3.Vec{})
	o := rigid.DefaultOptions()
	o.TMax = 2
	for _, c := range []struct {
		name  string
		a     []*rigid.Body
		m     *rigid.Motion
		limit float64
		event rigid.SlideEvent
		at    float64
		wide  float64
	}{
		{"a ball", []*rigid.Body{ball}, &falls, 0.25, rigid.SlidePenetrates, 1.25, 1e-6},
		{"a ball, less", []*rigid.Body{ball}, &falls, 1e-6, rigid.SlidePenetrates, 1 + 1e-6, 1e-10},
		{"a ball that is not so deep", []*rigid.Body{ball}, &falls, 1.5, rigid.SlideStays, 0, 0},
		{"a ball that passes", []*rigid.Body{ball}, &passes, 0.11, rigid.SlideStays, 0, 0},
		{"a ball and a part in it", []*rigid.Body{must(rigid.Sphere(0.5)), ball}, &falls, 0.25,
			rigid.SlidePenetrates, 1.25, 1e-6},
		{"a disk, on its flat end", []*rigid.Body{disk}, &flat, 0.125, rigid.SlidePenetrates, 0.875, 2.2e-3},
	} {
		for _, turn := range []bool{false, true} {
			a, b, ma, mb := c.a, []*rigid.Body{table}, c.m, &still
			if turn {
				a, b, ma, mb = b, a, mb, ma
			}
			var out rigid.Slide
			if err := new(rigid.SlideSolver).FirstDepth(a, b, ma, mb, c.limit, &o, &out); err != nil {
				t.Fatal(err)
			}
			if out.Event != c.event || out.Flags&rigid.SlideInitial != 0 || c.event == rigid.SlidePenetrates &&
				!(out.TLo <= c.at && c.at <= out.THi && out.THi-out.TLo <= c.wide) {
				t.Errorf("%s, exchanged %v: %+v, want %v in a bracket of %v", c.name, turn, out, c.at, c.wide)
			}
		}
	}
	var out rigid.Slide
	inside := moving(r3.Vec{}, r3.Vec{}, r3.Vec{})
	if err := new(rigid.SlideSolver).FirstDepth([]*rigid.Body{ball}, []*rigid.Body{table}, &inside, &still, 0.5, nil,
		&out); err != nil || out.Event != rigid.SlidePenetrates || out.Flags&rigid.SlideInitial == 0 || out.THi != 0 {
		t.Errorf("%v, %+v", err, out)
	}
	err := new(rigid.SlideSolver).FirstDepth([]*rigid.Body{ball}, []*rigid.Body{table}, &inside, &still, 0, nil, &out)
	if !errors.Is(err, status.ErrArgument) || err.Error() != "limit is 0: must be in (0, 1e+60]" {
		t.Error(err)
	}
}

// TestSlideOfRoundBodies: a deviation hides when the tolerance is exceeded, but not that it is: the
// bracket of the time is wider by what the deviation hides.
func TestSlideOfRoundBodies(t *testing.T) {
	table := must(rigid.BoxBody([3]float64{8, 8, 2}))
	still := moving(r3.Vec{}, r3.Vec{}, r3.Vec{})
	const tol = 1e-3
	for _, share := range []float64{0.01, 0.04, 0.1, 0.5} {
		disk := must(rigid.Cylinder(1, 2, share*tol))
		for _, up := range []float64{-1, 1} {
			m := moving(r3.Vec{X: -1, Z: 2}, r3.Vec{X: 1, Z: 10 * tol * up}, r3.Vec{})
			var out rigid.Slide
			if err := new(rigid.SlideSolver).Slide([]*rigid.Body{disk}, []*rigid.Body{table}, &m, &still, tol, nil,
				&out); err != nil {
				t.Fatal(err)
			}
			want := map[float64]rigid.SlideEvent{-1: rigid.SlidePenetrates, 1: rigid.SlideParts}[up]
			if out.Event != want || !(out.TLo <= 0.1 && 0.1 <= out.THi) || out.THi-out.TLo > 0.1*(2*share+0.05) {
				t.Errorf("deviation %v, %v: %+v", share*tol, up, out)
			}
		}
	}
}

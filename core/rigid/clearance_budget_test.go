package rigid_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/rigid"
)

// barrel returns the side of a prism around the z axis whose corners are on a cylinder of radius r,
// 2 long.
func barrel(t *testing.T, r float64, columns, rows int) *rigid.Body {
	t.Helper()
	var v []float64
	var f [][3]int32
	for i := range rows + 1 {
		for j := range columns {
			a := 2 * math.Pi * float64(j) / float64(columns)
			v = append(v, r*math.Cos(a), r*math.Sin(a), 2*float64(i)/float64(rows)-1)
			if p, q := int32(i*columns+j), int32(i*columns+(j+1)%columns); i < rows {
				n := int32(columns)
				f = append(f, [3]int32{p, q, q + n}, [3]int32{p, q + n, p + n})
			}
		}
	}
	b, err := rigid.NewBody(v, f, 1)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestClearanceProvesWithinItsBudget turns a finely cut shaft that leans a little in a tube: at all
// times many triangles are about as near as the nearest ones. Measuring them must leave steps for
// proofs, and a proof that takes too many must leave some for one that asks for less.
func TestClearanceProvesWithinItsBudget(t *testing.T) {
	const play = 0.05
	var c rigid.ClearanceSolver
	var s rigid.Ruler
	r := rand.New(rand.NewPCG(50, 1))
	last := map[int]float64{}
	for i, most := range []int64{20_000, 60_000, 20_000, 60_000} {
		tube, shaft := barrel(t, 1, 90, 3), barrel(t, 1-play, 70, 4)
		still := rigid.Motion{Rotation: quat.Number{Real: 1}}
		turning := rigid.Motion{Rotation: quat.Number{Real: 1, Imag: 0.002}, AngularVelocity: r3.Vec{Z: 2}}
		if i >= 2 { // the tube has a radius, and the shaft slides as well
			padded, err := tube.Padded(0.01)
			if err != nil {
				t.Fatal(err)
			}
			tube, turning.Velocity = padded, r3.Vec{Z: 0.3}
		}
		o := rigid.Options{TMax: 1, MaxIterations: most, Tolerance: 1e-8}
		var g rigid.Gap
		if err := c.Clearance(tube, shaft, &still, &turning, &o, &g); err != nil {
			t.Fatal(err)
		}
		if g.Iterations > most+most/20 {
			t.Errorf("%d steps of %d", g.Iterations, most)
		}
		if !(g.Lo > 0.5*g.Hi) || g.Hi-g.Lo > o.Tolerance && g.Flags&rigid.GapUnfinished == 0 {
			t.Errorf("%d steps: %+v", most, g)
		}
		if g.Lo < last[i/2]-o.Tolerance {
			t.Errorf("more steps prove less: %v, not %v", g.Lo, last[i/2])
		}
		last[i/2] = g.Lo
		for range 20 {
			pa, pb := geom.Pose{Rotation: quat.Number{Real: 1}}, turning.At(r.Float64())
			var at rigid.Gap
			if err := s.Distance(tube, &pa, shaft, &pb, rigid.DistanceOptions{}, &at); err != nil {
				t.Fatal(err)
			}
			if at.Hi < g.Lo-1e-12 {
				t.Errorf("%+v, but %+v", g, at)
			}
		}
		t.Logf("%d steps: %v to %v with flags %d, %d steps", most, g.Lo, g.Hi, g.Flags, g.Iterations)
	}
}

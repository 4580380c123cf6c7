package rigid_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/ccdtest/rigids"
	"ccd/core/geom"
)

// A stackCase is a stack of boxes on a floor, each a gap above the one below.
type stackCase struct {
	n, cuts int // boxes, and how often their triangles are cut into four
	gap     float64
	far     float64 // how far from the origin the stack stands
	tilted  bool    // floor, stack and gravity are turned together, so poses round
	twisted bool    // each box is turned about the vertical and shifted
	spin    float64 // the largest component of an angular velocity at the start
	sliding float64 // a speed along the floor, of every second box
}

// world makes the stack; its loop leaves every impact at a speed above the epsilon of law 12.
func (c *stackCase) world(r *rand.Rand) (*rigids.World, error) {
	const edge = 1
	w, err := rigids.NewCutStack(c.n, edge, c.gap, r3.Vec{}, c.cuts)
	if err != nil {
		return nil, err
	}
	q, at := quat.Number{Real: 1}, r3.Vec{X: c.far, Y: -3 * c.far, Z: c.far}
	if c.tilted {
		q = quat.Number{Real: 0.8, Imag: r.NormFloat64(), Jmag: r.NormFloat64(), Kmag: r.NormFloat64()}
		q = quat.Scale(1/quat.Abs(q), q)
	}
	turn := geom.Rotation(q)
	for i := range w.Motions {
		m := &w.Motions[i]
		if i > 0 && c.twisted {
			m.Rotation = quat.Exp(quat.Number{Kmag: r.Float64()})
			m.Position = r3.Add(m.Position, r3.Vec{X: 0.4*r.Float64() - 0.2, Y: 0.4*r.Float64() - 0.2})
		}
		if i > 0 {
			m.AngularVelocity = turn.Apply(geom.Scale(c.spin, r3.Vec{X: 2*r.Float64() - 1, Y: 2*r.Float64() - 1,
				Z: 2*r.Float64() - 1}))
			m.Velocity = turn.Apply(r3.Vec{X: c.sliding * float64(i%2)})
		}
		m.Rotation, m.Position = quat.Mul(q, m.Rotation), r3.Add(at, turn.Apply(m.Position))
	}
	w.O.Tolerance, w.Part, w.Gravity = 0, max(1e-3, c.epsilon()), turn.Apply(r3.Vec{X: 0.5, Z: -5})
	return w, nil
}

// epsilon is law 12's bound for speeds and rates to 3 of bodies that touch, doubled: the term of D
// with D an eighth of the default tolerance 8 (grain + grain), so D = 2 grains with the part of the
// distance sqrt(11) far to the origin; the other terms are below 1e-4.
func (c *stackCase) epsilon() float64 {
	const w, s = 3, 3
	d := 2 * 0x1p-49 * math.Sqrt(11) * c.far
	return 2 * math.Sqrt(8*w*s*d)
}

func (c *stackCase) String() string { return fmt.Sprintf("%+v", *c) }

// TestLaw12StacksTurned: stacks of boxes that touch, or are up to 1e-6 apart, go on in the loop of
// law 12: upright and tilted, aligned and twisted, at rest, sliding and with angular velocities,
// near the origin, and so far from it that a pose rounds by more than the gap.
func TestLaw12StacksTurned(t *testing.T) {
	places, gaps := []float64{0, 1e5, 1e7}, []float64{0, 1e-12, 1e-10, 1e-8, 1e-6}
	if testing.Short() {
		gaps = gaps[1:2]
	}
	for i, far := range places {
		for _, gap := range gaps {
			for kind := range 12 {
				if !long.On() && (kind+kind/3)%3 != i {
					continue // Each kind at one place; at each place all that differs between kinds.
				}
				c := &stackCase{n: 2 + 2*(kind%2), gap: gap, far: far, tilted: kind%3 > 0, twisted: kind%3 == 2,
					spin: 0.5 * float64(kind/3%2), sliding: float64(kind / 6)}
				w, err := c.world(ccdtest.NewRand(96, uint64(kind)))
				if err != nil {
					t.Fatal(err)
				}
				if err := w.Frame(1.0/120, 2500); err != nil {
					t.Errorf("%v: %v", c, err)
				}
				t.Logf("%v: %d impacts, at most %d at one time", c, w.Events, w.MostAtOnce)
			}
		}
	}
}

// TestLaw12StacksOfCorners: corners of tilted boxes that slide at a gap of some rounding errors.
// The difference of two corners is off by the speed at which a response lets them part, and corners
// that rounding parts along an edge say nothing of how directions turn.
func TestLaw12StacksOfCorners(t *testing.T) {
	long.Test(t)
	for _, far := range []float64{0, 1} {
		for k := range uint64(12) {
			for _, gap := range []float64{1e-13, 3e-13, 1e-12, 1e-11} {
				c := &stackCase{n: 4, gap: gap, far: far, tilted: true, sliding: 1}
				w, err := c.world(ccdtest.NewRand(96, 7+12*k))
				if err != nil {
					t.Fatal(err)
				}
				if err := w.Frame(1.0/120, 2500); err != nil {
					t.Errorf("%d, %v: %v", k, c, err)
				}
			}
		}
	}
}

// TestLaw12StacksInLine: equal boxes whose corners coincide and whose sides lie in common planes.
// The sides of two of them touch along edges, and say nothing of where the boxes are.
func TestLaw12StacksInLine(t *testing.T) {
	most := 5
	if testing.Short() {
		most = 4
	}
	for i, far := range []float64{0, 1e5} {
		for j, gap := range []float64{0, 1e-12} {
			for n := 3; n <= most; n++ {
				for kind := range 2 {
					if !long.On() && (i+j+n+kind)%2 == 0 {
						continue // Any three of place, gap, number and kind come together.
					}
					c := &stackCase{n: n, gap: gap, far: far, sliding: 0.3 * float64(kind)}
					w, err := c.world(ccdtest.NewRand(97, uint64(n)))
					if err != nil {
						t.Fatal(err)
					}
					if err := w.Frame(1.0/120, 6000); err != nil {
						t.Errorf("%v: %v", c, err)
					}
					t.Logf("%v: %d impacts, at most %d at one time", c, w.Events, w.MostAtOnce)
				}
			}
		}
	}
}

// TestLaw12StacksCut: stacks of boxes whose faces are cut into many triangles, as programs that
// mesh them finely leave them, go on as others do.
func TestLaw12StacksCut(t *testing.T) {
	for kind := range long.Part(13, 4) {
		c := &stackCase{n: 2, cuts: 1 + kind/12, gap: []float64{0, 1e-12}[kind%2], tilted: kind%3 > 0,
			twisted: kind%3 == 2, spin: 0.5 * float64(kind/3%2), sliding: 0.3 * float64(kind/6%2)}
		w, err := c.world(ccdtest.NewRand(98, uint64(kind)))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Frame(1.0/120, 2500); err != nil {
			t.Errorf("%v: %v", c, err)
		}
		t.Logf("%v: %d impacts, at most %d at one time", c, w.Events, w.MostAtOnce)
	}
}

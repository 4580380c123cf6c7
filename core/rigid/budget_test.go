package rigid

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// TestTurnsBeyondTheBudgetEndEarly: bodies that turn by more radians than the budget has steps
// cannot be proven separate, and take a share of it only, by every method, whichever method
// answers. Contact in their first turns is found; the time before an open answer is proven.
func TestTurnsBeyondTheBudgetEndEarly(t *testing.T) {
	for _, method := range []Search{nil, Reference} {
		open, met := 0, 0
		for seed := range uint64(8) {
			r := rand.New(rand.NewPCG(seed, 5))
			v := func(s float64) r3.Vec {
				return r3.Vec{X: s * float64(2*r.Float64()-1), Y: s * float64(2*r.Float64()-1),
					Z: s * float64(2*r.Float64()-1)}
			}
			var scene Scene
			for range 3 {
				q := quat.Number{Real: r.NormFloat64(), Imag: r.NormFloat64(), Jmag: r.NormFloat64(),
					Kmag: r.NormFloat64()}
				scene.Bodies = append(scene.Bodies, soup(r, 5))
				scene.Motions = append(scene.Motions,
					Motion{Rotation: q, Position: v(0.6), Velocity: v(0.1), AngularVelocity: r3.Vec{Z: 0x1p31}})
			}
			o := DefaultOptions()
			o.Search = method
			all, err := scene.Collisions(&o)
			if err != nil {
				t.Fatal(err)
			}
			for i := range all {
				im := &all[i]
				if im.Iterations > leastBudget+100 {
					t.Errorf("method %v, seed %d: %+v takes more steps than it should", method, seed, *im)
				}
				if im.Verdict == geom.Contact {
					met++
					continue
				}
				open++
				c := course{scene.Bodies[im.A], scene.Bodies[im.B], scene.Motions[im.A], scene.Motions[im.B], o}
				if method != nil {
					c.o.MinSeparation = 0
				}
				if err := c.sampled(&im.Impact, im.TOILo); err != nil || !(im.TOILo > 0) {
					t.Errorf("method %v, seed %d: %+v: %v", method, seed, *im, err)
				}
			}
		}
		if open < 4 || met < 4 {
			t.Errorf("method %v: %d answers are open, %d are contacts", method, open, met)
		}
	}
}

// TestTurnsBeyondTheBudgetOverAMesh: a blade that turns for very long beside a sheet that it does
// not reach.
func TestTurnsBeyondTheBudgetOverAMesh(t *testing.T) {
	blade := oneFace(t, []r3.Vec{{X: 1}, {X: -1}, {Y: 0.1}})
	sheet := []r3.Vec{{X: 0.99, Y: 0.99, Z: -1}, {X: 0.99, Y: 0.99, Z: 1}, {X: 2, Y: 2}}
	d := MeshScene{Bodies: []*Body{blade},
		Motions: []Motion{{Rotation: quat.Number{Real: 1}, AngularVelocity: r3.Vec{Z: 0x1p31}}}}
	o := DefaultOptions()
	for _, o.Search = range []Search{nil, Reference} {
		first, err := overMeshBy(t, &d, sheet, &o)
		if err != nil || first.Verdict != geom.Undecided || !(first.TOILo > 0) || first.Iterations > leastBudget+100 {
			t.Errorf("method %v: %+v, %v", o.Search, first, err)
		}
	}
}

// TestBudget: what may be spent is MaxIterations where as many radians can be followed, never more,
// and grows with it.
func TestBudget(t *testing.T) {
	budget := func(most int64, angle float64) int64 { return (&Options{MaxIterations: most}).budget(angle) }
	for _, angle := range []float64{0, 1, 4096, 1e6, 0x1p32, 0x1p40, math.Inf(1)} {
		last := int64(0)
		for _, most := range []int64{1, 100, leastBudget, 1e5, 1e6, 1 << 33, math.MaxInt64} {
			got := budget(most, angle)
			if got > most || got < last || got < min(most, leastBudget) || angle <= float64(most) && got != most {
				t.Errorf("%d steps at most, for %v radians: %d", most, angle, got)
			}
			last = got
		}
		if got := budget(0, angle); got != 0 {
			t.Errorf("no limit for %v radians: %d", angle, got)
		}
	}
}

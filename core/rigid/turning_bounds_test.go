package rigid

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest"
	"ccd/core/geom"
)

// TestRingsHoldTheBody: at no time does a corner reach farther along a unit than the rings do, up
// to the margin of a gap.
func TestRingsHoldTheBody(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 1))
	tight := 0
	for range 25 {
		b, m := soup(r, 1+r.IntN(40)), someMotion(r)
		if r.IntN(5) == 0 {
			m.AngularVelocity = r3.Vec{}
		}
		var s bodyState
		s.set(b, &m)
		var v revolution
		v.set(&s)
		for range 8 {
			n := r3.Unit(r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()})
			reach, at := v.support(n)
			if got := geom.Dot(n, at); math.Abs(got-reach) > 1e-12*s.radius {
				t.Fatalf("the point of support is at %v, not %v", got, reach)
			}
			when := ccdtest.Big(100 * r.Float64())
			pivot, _, _ := truth(&m, m.Pivot, when)
			most := math.Inf(-1)
			for _, tri := range b.tri {
				x, _, _ := truth(&m, tri[r.IntN(3)], when)
				p := ccdtest.Big(0)
				for k := range 3 {
					arm := ccdtest.Plus(x[k], ccdtest.Times(ccdtest.Big(-1), pivot[k]))
					p = ccdtest.Plus(p, ccdtest.Times(arm, ccdtest.Big(geom.Components(n)[k])))
				}
				along, _ := p.Float64()
				most = max(most, along)
			}
			if most > reach {
				t.Fatalf("a corner reaches %v along %v, the rings %v: %+v", most, n, reach, m)
			}
			if most > 0.7*reach {
				tight++
			}
		}
	}
	if tight < 15 {
		t.Errorf("the rings are loose: %d", tight)
	}
}

// rod returns a thin box along z.
func rod(t testing.TB, half, length float64) *Body {
	var v []float64
	for i := range 8 {
		v = append(v, half*float64(2*(i&1)-1), half*float64(i&2-1), 0.5*length*float64(i>>1&2-1))
	}
	b, err := NewBody(v, [][3]int32{{0, 1, 3}, {0, 3, 2}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4}, {2, 3, 7},
		{2, 7, 6}, {0, 2, 6}, {0, 6, 4},
		{1, 3, 7}, {1, 7, 5}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestWhirlingRods: rods that spin about themselves, side by side, are deep within each other's
// balls and never meet; nor do they before their cylinders, when they come closer; then at once.
func TestWhirlingRods(t *testing.T) {
	b := rod(t, 0.1, 2)
	radius := 0.1 * math.Sqrt2
	ma := Motion{Rotation: quat.Number{Real: 1}, AngularVelocity: r3.Vec{Z: 1e6}}
	mb := Motion{Rotation: quat.Number{Real: 1}, AngularVelocity: r3.Vec{Z: -0.7e6}, Position: r3.Vec{X: 2.2 * radius}}
	for _, method := range []Search{nil, Reference} {
		o := DefaultOptions()
		o.Search = method
		var s Solver
		var im Impact
		ask := func(velocity r3.Vec) {
			mb.Velocity = velocity
			if err := s.Earliest(b, b, &ma, &mb, &o, &im); err != nil {
				t.Fatal(err)
			}
		}
		for _, v := range []r3.Vec{{}, {X: 1}, {Y: 3}} {
			if ask(v); im.Verdict != geom.Separate || im.Iterations != 0 {
				t.Errorf("method %v, rods side by side, %v: %+v", method, v, im)
			}
		}
		ask(r3.Vec{X: -1000}) // they come closer by a twentieth of their width in a turn
		if from := 0.2e-3 * radius; im.Verdict != geom.Contact || im.TOILo < from-1e-12 || im.TOILo > from+3e-5 ||
			im.Distance > 1e-9 {
			t.Errorf("method %v, rods that close: %+v", method, im)
		}
	}
}

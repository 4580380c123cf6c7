package rigid

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest"
	"ccd/core/geom"
)

// TestWindow: outside of the window the pivots are farther apart than the balls reach, over numbers
// of 400 bits; and it is tight.
func TestWindow(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 1))
	none, cut, whole := 0, 0, 0
	for range 4000 {
		c := someCourse(r)
		switch r.IntN(4) {
		case 0: // The bodies meet from afar, after a long time.
			c.mb.Position = geom.Scale(1e8, c.mb.Position)
			c.mb.Velocity = geom.Scale(-math.Ldexp(1, -r.IntN(20)), c.mb.Position)
			c.o.TMax = 1e6
		case 1: // The bodies pass each other.
			c.mb.Position = r3.Add(c.mb.Position, r3.Vec{X: 4 * r.NormFloat64(), Y: 4 * r.NormFloat64()})
		case 2: // The bodies are nearly as fast as each other.
			c.ma.Velocity = r3.Add(c.mb.Velocity, r3.Vec{X: 1e-9})
		}
		var q query
		q.set(c.a, c.b, &c.ma, &c.mb, &c.o)
		from, to, some := q.window(&c.o)
		reach := ccdtest.Plus(ccdtest.Plus(ccdtest.Big(q.a.radius), ccdtest.Big(q.b.radius)),
			ccdtest.Plus(ccdtest.Big(c.o.MinSeparation), ccdtest.Big(c.o.Tolerance)))
		beyond := func(at float64) *big.Float { // above 0 where the balls are apart
			s := ccdtest.Big(0)
			for k := range 3 {
				pa, pb := geom.Components(c.ma.Position)[k], geom.Components(c.mb.Position)[k]
				va, vb := geom.Components(c.ma.Velocity)[k], geom.Components(c.mb.Velocity)[k]
				v := ccdtest.Plus(ccdtest.Big(vb), ccdtest.Big(-va))
				y := ccdtest.Plus(ccdtest.Plus(ccdtest.Big(pb), ccdtest.Big(-pa)), v.Mul(v, ccdtest.Big(at)))
				s = ccdtest.Plus(s, y.Mul(y, y))
			}
			rho := new(big.Float).Mul(reach, reach)
			return ccdtest.Plus(s, rho.Neg(rho))
		}
		outside := func(lo, hi float64) {
			for _, at := range []float64{lo, hi, lo + (hi-lo)*r.Float64(), hi - (hi-lo)*1e-9, lo + (hi-lo)*1e-9} {
				if at >= lo && at <= hi && beyond(at).Sign() <= 0 {
					t.Fatalf("the balls meet at %v, outside of [%v, %v], %v: %v", at, from, to, some, c)
				}
			}
		}
		switch {
		case !some:
			none++
			outside(c.o.TMin, c.o.TMax)
			continue
		case from > c.o.TMin || to < c.o.TMax:
			cut++
		default:
			whole++
		}
		if !(from >= c.o.TMin && from <= to && to <= c.o.TMax) {
			t.Fatalf("[%v, %v] is no part of [%v, %v]", from, to, c.o.TMin, c.o.TMax)
		}
		if from > c.o.TMin {
			outside(c.o.TMin, math.Nextafter(from, c.o.TMin))
		}
		if to < c.o.TMax {
			outside(math.Nextafter(to, c.o.TMax), c.o.TMax)
		}
	}
	t.Logf("%d have no window, %d one that is less than the interval, %d all of it", none, cut, whole)
	if min(none, cut, whole) < 300 {
		t.Error("too one-sided")
	}
}

// TestFarAndLongCostNothing: far places, far bodies and long intervals cost no accuracy and next to
// no time.
func TestFarAndLongCostNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(52, 1))
	a := soup(r, 30)
	one := quat.Number{Real: 1}
	near := Options{TMax: 1, MinSeparation: 1e-10, Tolerance: 1e-10, MaxIterations: 100000}
	long := near
	long.TMax = 1e6
	far := r3.Vec{X: 1e8, Y: -1e8, Z: 1e8}
	spinA, spinB := r3.Vec{X: 1, Y: 2}, r3.Vec{Z: 3}
	ask := func(method Search, o Options, ma, mb Motion) (im Impact) {
		o.Search = method
		var s Solver
		if err := s.Earliest(a, a, &ma, &mb, &o, &im); err != nil {
			t.Fatal(err)
		}
		return im
	}
	for _, method := range []Search{nil, Reference} {
		here := ask(method, near, Motion{Rotation: one, AngularVelocity: spinA},
			Motion{Rotation: one, Position: r3.Vec{X: 4}, Velocity: r3.Vec{X: -4}, AngularVelocity: spinB})
		there := ask(method, near, Motion{Rotation: one, Position: far, AngularVelocity: spinA},
			Motion{Rotation: one, Position: r3.Add(far, r3.Vec{X: 4}), Velocity: r3.Vec{X: -4}, AngularVelocity: spinB})
		if here.Verdict != geom.Contact || there.Verdict != geom.Contact || here.TOILo != there.TOILo ||
			here.Distance != there.Distance {
			t.Errorf("method %v: %+v here, %+v far away", method, here, there)
		}
		meet := ask(method, long, Motion{Rotation: one, AngularVelocity: spinA},
			Motion{Rotation: one, Position: r3.Vec{X: 1e6}, Velocity: r3.Vec{X: -2}, AngularVelocity: spinB})
		if meet.Verdict != geom.Contact || math.Abs(meet.TOILo-5e5) > 2 || meet.Distance > 2e-10 {
			t.Errorf("method %v: after a long time %+v", method, meet)
		}
		if orbit := ask(method, long, Motion{Rotation: one, AngularVelocity: spinA},
			Motion{Rotation: one, Position: r3.Vec{X: 2.01 * a.radius},
				AngularVelocity: geom.Scale(1e4, spinB)}); orbit.Verdict != geom.Separate || orbit.Iterations > 0 {
			t.Errorf("method %v: apart for long, %+v", method, orbit)
		}
		// At this speed neighboring doubles are 2e-8 of way apart: contact cannot be told, and the
		// bound is as late as it can be.
		fast := ask(method, near, Motion{Rotation: one, AngularVelocity: spinA},
			Motion{Rotation: one, Position: r3.Vec{X: 1e8}, Velocity: r3.Vec{X: -2e8}, AngularVelocity: spinB})
		if fast.Verdict == geom.Separate || math.Abs(fast.TOILo-0.5) > 2e-8 || fast.Iterations > 20000 {
			t.Errorf("method %v: from afar, %+v", method, fast)
		}
		// A millimeter of way takes thousands of turns: the budget ends the search, with a bound
		// that holds.
		spinning := ask(method, near, Motion{Rotation: one, AngularVelocity: geom.Scale(1e6, spinA)},
			Motion{Rotation: one, Position: r3.Vec{X: 4}, Velocity: r3.Vec{X: -4},
				AngularVelocity: geom.Scale(1e6, spinB)})
		if from := (4 - 2*a.radius) / 4; spinning.Verdict == geom.Separate || spinning.TOILo < from-1e-9 ||
			spinning.TOILo > 1 {
			t.Errorf("method %v: many turns, %+v", method, spinning)
		}
	}
}

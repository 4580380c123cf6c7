package rigid

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/simd/solid"
)

// relative returns the motion over numbers of 400 bits of B's point q as seen from A's pivot.
func relative(ma, m *Motion, q r3.Vec, t float64) (x, v, a [3]*big.Float) {
	at := ccdtest.Big(t)
	x, v, a = truth(m, q, at)
	pivot := Motion{Rotation: ma.Rotation, Position: ma.Position, Velocity: ma.Velocity}
	px, pv, _ := truth(&pivot, r3.Vec{}, at)
	for k := range x {
		x[k] = ccdtest.Plus(x[k], px[k].Neg(px[k]))
		v[k] = ccdtest.Plus(v[k], pv[k].Neg(pv[k]))
	}
	return x, v, a
}

func off(x *big.Float, y float64) float64 {
	e, _ := ccdtest.Plus(x, ccdtest.Big(-y)).Float64()
	return math.Abs(e)
}

// TestMargins compares positions and velocities in a frame with numbers of 400 bits: the errors lie
// well within the margins, at far times, far from the world's origin, and after many turns.
func TestMargins(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	var worstX, worstV, worstTurn float64
	for n := range 700 {
		c := someCourse(r)
		at := c.o.TMin + (c.o.TMax-c.o.TMin)*r.Float64()
		if n%5 == 0 {
			c.o.TMax = 1e6
			at = 1e6 * r.Float64()
			c.mb.Velocity, c.ma.Velocity = geom.Scale(1e-6, c.mb.Velocity), geom.Scale(1e-6, c.ma.Velocity)
		}
		var q query
		var f posePair
		q.set(c.a, c.b, &c.ma, &c.mb, &c.o)
		q.poses(at, &f)
		var turned geom.Mat
		q.b.turned(q.course[solid.MotionSin][2], q.course[solid.MotionCos][2], &turned)
		var l leaf
		l.set(&q, &c.a.tri[0], &c.b.tri[0])
		for k := range 3 {
			x, v, _ := relative(&c.ma, &c.ma, c.a.tri[0][k], at)
			y, w, _ := relative(&c.ma, &c.mb, c.b.tri[0][k], at)
			for i := range 3 {
				ex := off(x[i], geom.Components(l.A.P[k])[i]) + off(y[i], geom.Components(l.B.P[k])[i])
				ev := off(w[i], geom.Components(l.vb[k])[i])
				av, _ := ccdtest.Plus(v[i], ccdtest.Big(-geom.Components(l.va[k])[i])).Float64()
				worstX, worstV = max(worstX, ex/f.margin), max(worstV, (ev+math.Abs(av))/q.vMargin)
			}
		}
		// Columns of the rotation, from a motion that leaves the unit vectors' feet at the origin.
		m := Motion{Rotation: c.mb.Rotation, AngularVelocity: c.mb.AngularVelocity}
		for k, e := range []r3.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
			x, _, _ := truth(&m, e, ccdtest.Big(at))
			for i, row := range []r3.Vec{turned.X, turned.Y, turned.Z} {
				worstTurn = max(worstTurn, off(x[i], geom.Components(row)[k])*3/turnBound)
			}
		}
	}
	t.Logf("positions: %.3f of the margin; velocities: %.3f; rotations: %.3f", worstX, worstV, worstTurn)
	if worstX > 0.5 || worstV > 0.5 || worstTurn > 1 {
		t.Error("beyond the margin")
	}
	if worstX < 1e-3 || worstTurn < 0.02 {
		t.Error("the test does not look where errors are")
	}
}

// TestRoot: the polynomial is not negative before the computed root, over the rationals, and the
// root is nearly the true one.
func TestRoot(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	value := func(d, v, k, s float64) *big.Rat {
		x := new(big.Rat).SetFloat64(s)
		y := new(big.Rat).Mul(new(big.Rat).SetFloat64(-k), x)
		y.Add(y, new(big.Rat).SetFloat64(v)).Mul(y, x)
		return y.Add(y, new(big.Rat).SetFloat64(d))
	}
	for range 20000 {
		size := func() float64 { return math.Ldexp(r.Float64(), r.IntN(120)-60) }
		d, v, k := size(), size(), size()
		if r.IntN(2) == 0 {
			v = -v
		}
		switch r.IntN(20) {
		case 0:
			k = 0
		case 1:
			v = 0
		case 2:
			d = -d
		}
		const h = 0x1p200
		s := root(d, v, k, h)
		if d <= 0 {
			if s != 0 {
				t.Fatalf("root(%v, %v, %v) = %v", d, v, k, s)
			}
			continue
		}
		if s < h && value(d, v, k, s).Sign() < 0 || s == h && (k > 0 || v < 0) ||
			s < h && value(d, v, k, s*(1+0x1p-44)).Sign() > 0 {
			t.Fatalf("root(%v, %v, %v) = %v", d, v, k, s)
		}
	}
}

// TestAdvanceHolds: over the time that a pair of nodes or triangles is advanced, no two of their
// points come as near as the separation. Points are taken where the bound is tightest: shortly
// before its end.
func TestAdvanceHolds(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	tight := 0
	for range 1500 {
		c := someCourse(r)
		var q query
		var f posePair
		q.set(c.a, c.b, &c.ma, &c.mb, &c.o)
		q.poses(c.o.TMin, &f)
		h := c.o.TMax - c.o.TMin
		i, j := r.IntN(len(c.a.child)), r.IntN(len(c.b.child))
		x, k := c.a.boxOf(int32(i))
		y, l := c.b.boxOf(int32(j))
		var steps [4]float64
		q.advance(x, y, 1<<(2*k+l), f.goal, h, &steps)
		step := steps[2*k+l]
		a, b := c.a.under(i), c.b.under(j)
		for k := range 8 {
			at := c.o.TMin + step*(1-math.Ldexp(1, -4*k))
			if k == 0 {
				at = c.o.TMin + step*r.Float64()
			}
			rounding := 64 * 0x1p-53 * (4 + geom.Norm(c.ma.At(at).Position) + geom.Norm(c.mb.At(at).Position))
			d := distanceAt(a, b, c.ma.At(at), c.mb.At(at))
			if step > 0 && at < c.o.TMin+step && (d+rounding < c.o.MinSeparation || d == 0) {
				t.Fatalf("advanced by %v, distance %v at %v: %v", step, d, at, c)
			}
		}
		if len(a.tri) == 1 && len(b.tri) == 1 && step > 0 && step < h {
			tight++
		}
	}
	if tight < 50 {
		t.Errorf("only %d pairs of leaves were advanced within the interval", tight)
	}
}

// under returns the body of a node's triangles.
func (b *Body) under(i int) *Body {
	var out Body
	todo := []int32{int32(i)}
	for len(todo) > 0 {
		child := b.child[todo[0]]
		todo = todo[1:]
		if child < 0 {
			out.tri = append(out.tri, b.tri[^child])
		} else {
			todo = append(todo, child, child+1)
		}
	}
	return &out
}

// The kernel gives the bits of num.Sincos, for which the bound is derived, and 0 and 1 where a body
// does not turn.
func TestTurnIsSincos(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 18))
	for n := range 2000 {
		c := someCourse(r)
		if n%4 == 0 {
			c.mb.AngularVelocity = r3.Vec{}
		}
		var q query
		var f posePair
		q.set(c.a, c.b, &c.ma, &c.mb, &c.o)
		at := (r.Float64() - 0.5) * math.Ldexp(1, r.IntN(20))
		q.poses(at, &f)
		for k, s := range []*bodyState{&q.a, &q.b} {
			sin, cos := s.angle(at)
			for _, lane := range []int{2 * k, 2*k + 1} {
				if x, y := q.course[solid.MotionSin][lane],
					q.course[solid.MotionCos][lane]; math.Float64bits(x) != math.Float64bits(sin) ||
					math.Float64bits(y) != math.Float64bits(cos) {
					t.Fatalf("body %d at %v: %v %v, not %v %v", k, at, x, y, sin, cos)
				}
			}
		}
	}
}

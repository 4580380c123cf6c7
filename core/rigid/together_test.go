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

// somePairThatTurnsTogether draws a course of bodies with nearly one turn: alike, or with rates,
// places and velocities that differ by little or much.
func somePairThatTurnsTogether(r *rand.Rand) *course {
	v := func(s float64) r3.Vec { return geom.Scale(s, someUnit(r)) }
	small := func() float64 { return math.Ldexp(float64(r.IntN(2)), -r.IntN(40)) }
	c := someCourse(r)
	c.o.TMin, c.o.TMax, c.o.MinSeparation = 0, 1, 0
	c.ma.AngularVelocity = v(math.Ldexp(1, r.IntN(8)-4))
	rate := geom.Norm(c.ma.AngularVelocity)
	c.mb.AngularVelocity = r3.Add(c.ma.AngularVelocity, v(0.24*rate*small()))
	switch r.IntN(4) { // else they meet, as someCourse has it
	case 0:
		c.mb.Velocity = r3.Add(c.ma.Velocity, v(small()))
		c.mb.Position = c.ma.Position
	case 1:
		c.mb.Velocity = r3.Add(c.ma.Velocity, geom.Cross(c.ma.AngularVelocity, r3.Sub(c.mb.Position, c.ma.Position)))
	}
	return c
}

func someUnit(r *rand.Rand) r3.Vec {
	n, _ := geom.Unit(r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}, r3.Vec{X: 1})
	return n
}

// carriedGap returns the gap of the corner p of the other body along n0, turned with the carrier
// for s, to the nearest corner of the carrier: in numbers of 400 bits.
func (c *course) carriedGap(p r3.Vec, n0 r3.Vec, onB bool, t, s float64) *big.Float {
	carrier, other, rest, sign := &c.ma, &c.mb, &c.a.tri[0], 1.0
	if onB {
		carrier, other, rest, sign = other, carrier, &c.b.tri[0], -1
	}
	at := ccdtest.Plus(ccdtest.Big(t), ccdtest.Big(s))
	turn := Motion{Rotation: quat.Number{Real: 1}, AngularVelocity: carrier.AngularVelocity}
	n, _, _ := truth(&turn, geom.Scale(sign, n0), ccdtest.Big(s))
	far, _, _ := truth(other, p, at)
	var least *big.Float
	for _, corner := range rest {
		near, _, _ := truth(carrier, corner, at)
		g := ccdtest.Big(0)
		for k := range 3 {
			g = ccdtest.Plus(g, ccdtest.Times(n[k], ccdtest.Plus(far[k], ccdtest.Times(ccdtest.Big(-1), near[k]))))
		}
		if least == nil || g.Cmp(least) < 0 {
			least = g
		}
	}
	return least
}

// TestCarriedGapsAreBounds compares the gaps in the frame of one body with numbers of 400 bits, and
// says how much of a bound is used up.
func TestCarriedGapsAreBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 2))
	n, used := 600, 0.0
	if testing.Short() {
		n = 150
	}
	for i := range n {
		used = max(used, checkCarried(t, r, i%2 == 1))
	}
	t.Logf("%.3f of a bound is used", used)
	if used < 0.8 {
		t.Errorf("%.3f of a bound is used: it is blunt, or the test does not look where it is not", used)
	}
}

// checkCarried holds the bounds of a random pair against the motion, and returns the greatest share
// of a bend that is used.
func checkCarried(t *testing.T, r *rand.Rand, onB bool) (used float64) {
	t.Helper()
	c := somePairThatTurnsTogether(r)
	at, h, n0 := r.Float64(), math.Ldexp(1, -r.IntN(8)), someUnit(r)
	var q query
	var f posePair
	var l leaf
	q.set(c.a, c.b, &c.ma, &c.mb, &c.o)
	q.poses(at, &f)
	l.set(&q, &c.a.tri[0], &c.b.tri[0])
	corners := &c.b.tri[0]
	if onB {
		corners = &c.a.tri[0]
	}
	for j, g := range carriedGaps(&l, &q, &f, n0, onB, h) {
		for _, s := range []float64{0, h * r.Float64(), h} {
			true0 := c.carriedGap(corners[j], n0, onB, at, s)
			bound := ccdtest.Plus(ccdtest.Big(g.d), ccdtest.Times(ccdtest.Big(s),
				ccdtest.Plus(ccdtest.Big(g.v), ccdtest.Times(ccdtest.Big(-g.k), ccdtest.Big(s)))))
			over, _ := ccdtest.Plus(true0, ccdtest.Times(ccdtest.Big(-1), bound)).Float64()
			if over < 0 {
				t.Fatalf("corner %d, after %v: the gap is %v below its bound %+v\n%v", j, s, -over, g, c)
			}
			if bend := g.k * s * s; bend > 1e-6 {
				used = max(used, 1-over/bend)
			}
		}
	}
	return used
}

// FuzzCarriedGaps holds the gaps in a frame to the motion: go test ./core/rigid -fuzz
// FuzzCarriedGaps.
func FuzzCarriedGaps(f *testing.F) {
	for i := range uint64(4) {
		f.Add(i, i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, seed uint64, onB bool) {
		checkCarried(t, ccdtest.NewRand(seed, 9), onB)
	})
}

// TestSharedTurnsLoseNothing: a corner that does not move in the frame keeps its gap up to the
// margins, for a radian.
func TestSharedTurnsLoseNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 3))
	for i := range 200 {
		c := somePairThatTurnsTogether(r)
		c.mb.Position, c.mb.Velocity, c.mb.AngularVelocity = c.ma.Position, c.ma.Velocity, c.ma.AngularVelocity
		var q query
		var f posePair
		var l leaf
		q.set(c.a, c.b, &c.ma, &c.mb, &c.o)
		q.poses(r.Float64(), &f)
		l.set(&q, &c.a.tri[0], &c.b.tri[0])
		h := 1 / q.a.rate
		for _, g := range carriedGaps(&l, &q, &f, someUnit(r), i%2 == 1, h) {
			if lost := -(g.v*h - g.k*h*h); lost < 0 || lost > 2*f.margin {
				t.Fatalf("%v is lost in %v, %v margins: %+v\n%v", lost, h, lost/f.margin, g, c)
			}
		}
	}
}

// TestLawsOfBodiesThatTurnTogether holds the answers to laws 1 to 3.
func TestLawsOfBodiesThatTurnTogether(t *testing.T) {
	var s Solver
	r := rand.New(rand.NewPCG(46, 4))
	n := 200
	if testing.Short() {
		n = 40
	}
	count := map[geom.Verdict]int{}
	for range n {
		c := somePairThatTurnsTogether(r)
		im := c.solve(t, &s)
		if err := c.check(&im); err != nil {
			t.Errorf("%v\n%v", err, c)
		}
		count[im.Verdict]++
	}
	if count[geom.Contact] < n/25 || count[geom.Separate] < n/10 || count[geom.Undecided] > 0 {
		t.Errorf("verdicts %v", count)
	}
}

// onTiltedFloor returns a box over a floor, a gap apart: both turn about a tilted axis, at rates
// that differ by diff.
func onTiltedFloor(t testing.TB, gap float64, diff r3.Vec) *course {
	box := func(size float64) *Body {
		var v []float64
		for i := range 8 {
			v = append(v, size*(float64(i>>2)-0.5), size*(float64(i>>1&1)-0.5), float64(i&1)-0.5)
		}
		b, err := NewBody(v, [][3]int32{{1, 3, 0}, {4, 1, 0}, {0, 3, 2}, {2, 4, 0}, {1, 7, 3}, {5, 1, 4},
			{5, 7, 1}, {3, 7, 2}, {6, 4, 2}, {2, 7, 6}, {6, 5, 4}, {7, 5, 6}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	c := &course{a: box(10), b: box(1), o: DefaultOptions()}
	w := r3.Vec{X: 0.3, Y: 0.5, Z: 1}
	one := quat.Number{Real: 1}
	c.ma = Motion{Rotation: one, Pivot: r3.Vec{Z: 0.5}, AngularVelocity: w}
	c.mb = Motion{Rotation: one, Pivot: r3.Vec{Z: -0.5 - gap}, AngularVelocity: r3.Add(w, diff)}
	return c
}

// TestStepsOfASharedTurn: the steps do not depend on the gap, and a gap of 1e-9 is decided.
func TestStepsOfASharedTurn(t *testing.T) {
	var s Solver
	for _, diff := range []r3.Vec{{}, {X: 1e-12}, {Z: 1e-3}} {
		for _, gap := range []float64{1e-2, 1e-4, 1e-6, 1e-8, 1e-9} {
			for _, swapped := range []bool{false, true} {
				c := onTiltedFloor(t, gap, diff)
				if swapped {
					c.a, c.b, c.ma, c.mb = c.b, c.a, c.mb, c.ma
				}
				im := c.solve(t, &s)
				t.Logf("gap %v, difference %v: %v after %d steps", gap, diff, im.Verdict, im.Iterations)
				if im.Iterations > 600 {
					t.Errorf("gap %v, difference %v, swapped %v: %d steps", gap, diff, swapped, im.Iterations)
				}
				end := c.o.TMax
				if im.Verdict == geom.Contact {
					end = im.TOILo
					if err := c.near(&im); err != nil {
						t.Error(err)
					}
				}
				if err := c.sampled(&im, end); err != nil {
					t.Error(err)
				}
				if im.Verdict == geom.Undecided || geom.Norm(diff) < 1e-9 && im.Verdict != geom.Separate {
					t.Errorf("gap %v, difference %v, swapped %v: %+v", gap, diff, swapped, im)
				}
			}
		}
	}
}

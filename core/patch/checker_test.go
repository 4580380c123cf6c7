package patch

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/geom"
)

// exactGap returns the gap of a check's hulls along the double vector n at the double t, over the
// rationals, the points taken for what they are.
func exactGap(c *checker, n vec, t float64) *big.Rat {
	at := func(s *movingPoints, i int) *big.Rat {
		sum := new(big.Rat)
		for k, w := range [3]float64{n.X, n.Y, n.Z} {
			x := new(big.Rat).Mul(rat(t), rat(s.x[(3+k)*s.pad+i]))
			x.Add(x, rat(s.x[k*s.pad+i]))
			sum.Add(sum, x.Mul(x, rat(w)))
		}
		return sum
	}
	hi, lo := at(&c.a.movingPoints, 0), at(&c.b.movingPoints, 0)
	for i := range c.a.pad {
		if h := at(&c.a.movingPoints, i); h.Cmp(hi) > 0 {
			hi = h
		}
	}
	for i := range c.b.pad {
		if h := at(&c.b.movingPoints, i); h.Cmp(lo) < 0 {
			lo = h
		}
	}
	reach := new(big.Rat)
	for _, w := range []float64{n.X, n.Y, n.Z} {
		reach.Add(reach, new(big.Rat).Mul(rat(math.Abs(w)), rat(c.separation)))
	}
	return lo.Sub(lo.Sub(lo, hi), reach)
}

// The gap as computed is within its bound, less what the nodes' own errors take of it, for any
// direction and time.
func TestGapBoundHolds(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	worst := 0.0
	for trial := range 400 {
		var trees [2]tree
		p, q := randomPatch(r, small[r.IntN(11)], false), randomPatch(r, small[r.IntN(11)], false)
		if trial%3 == 0 {
			q.scale(1e-9)
		}
		f := localSpaceOf(p, q)
		trees[0].load(p, &f)
		trees[1].load(q, &f)
		var c checker
		c.a.set(&trees[0], 0)
		c.b.set(&trees[1], 0)
		if trial%2 == 0 {
			c.separation = r.Float64() * 0.5
		}
		bound := gapBound(&c.a, &c.b, c.separation) - sqrt3*(c.a.err+c.b.err)
		n, _ := vec{r.NormFloat64(), r.NormFloat64() * math.Exp(9*r.NormFloat64()), r.NormFloat64()}.unit()
		tm := r.Float64()
		hi, _ := c.a.project(n, tm, 1)
		lo, _ := c.b.project(n.times(-1), tm, 1)
		got := -lo.at - hi.at - c.reach(n)
		d, _ := new(big.Rat).Sub(rat(got), exactGap(&c, n, tm)).Float64()
		if math.Abs(d) > bound {
			t.Fatalf("trial %d: off by %v, bound %v", trial, d, bound)
		}
		worst = max(worst, math.Abs(d)/bound)
	}
	t.Logf("worst error: %.3f of its bound", worst)
}

// What advance has left behind is apart: along its direction over the rationals, at the old time,
// the new, and between.
func TestAdvanceIsProven(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 2))
	advanced := 0
	for trial := range 600 {
		var trees [2]tree
		p, q := randomPatch(r, small[r.IntN(11)], trial%2 == 0), randomPatch(r, small[r.IntN(11)], false)
		q.move([3]float64{2, 1, 1}, [3]float64{r.Float64(), 0, 0})
		f := localSpaceOf(p, q)
		trees[0].load(p, &f)
		trees[1].load(q, &f)
		var c checker
		c.a.set(&trees[0], 0)
		c.b.set(&trees[1], 0)
		if trial%3 == 0 {
			c.separation = r.Float64() * 0.2
		}
		t0, dir := 0.0, vec{}
		apart := !c.advance(&t0, 1, &dir)
		if apart {
			t0 = 1
		}
		if t0 == 0 {
			continue
		}
		advanced++
		for _, s := range []float64{0, 0.5, 1} { // some direction separates: ask a fresh GJK at that instant
			at, d := s*t0, vec{}
			instant := checker{a: c.a, b: c.b, separation: c.separation}
			if instant.advance(&at, at, &d) && c.separation == 0 && s < 1 {
				t.Fatalf("trial %d: not apart at %v of %v", trial, at, t0)
			} else if d != (vec{}) && exactGap(&c, d, s*t0).Sign() <= 0 {
				t.Fatalf("trial %d: the gap is not positive at %v of %v", trial, s*t0, t0)
			}
		}
	}
	if advanced < 300 {
		t.Errorf("only %d advances", advanced)
	}
}

// definite agrees with determinants over the rationals: it never calls a matrix positive definite
// that is not.
func TestDefinite(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 3))
	yes := 0
	for range 3000 {
		n := 1 + r.IntN(4)
		m := quadratic{n: n}
		h := &m.h
		var mid [4][4]float64
		for i := range n {
			for j := range i + 1 {
				x, w := r.NormFloat64(), math.Abs(r.NormFloat64())*0.1
				if i == j {
					x = 3 * math.Abs(x)
				}
				h[i][j] = interval{x - w, x + w}
				h[j][i] = h[i][j]
				x = h[i][j].lo + (h[i][j].hi-h[i][j].lo)*r.Float64()
				mid[i][j], mid[j][i] = x, x
			}
		}
		if !m.definite() {
			continue
		}
		yes++
		for k := 1; k <= n; k++ {
			if determinant(mid, k).Sign() <= 0 {
				t.Fatalf("%v is not positive definite", mid)
			}
		}
	}
	if yes < 300 {
		t.Errorf("only %d were found positive definite", yes)
	}
}

// determinant of the leading k x k block, by expansion over the rationals.
func determinant(m [4][4]float64, k int) *big.Rat {
	var minor func(row int, used int) *big.Rat
	minor = func(row, used int) *big.Rat {
		if row == k {
			return rat(1)
		}
		sum, sign := new(big.Rat), 1.0
		for c := range k {
			if used>>c&1 != 0 {
				continue
			}
			sum.Add(sum, new(big.Rat).Mul(rat(sign*m[row][c]), minor(row+1, used|1<<c)))
			sign = -sign
		}
		return sum
	}
	return minor(0, 0)
}

// Spans hold what they say, at every size.
func TestSpansHold(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 4))
	number := func() float64 { return r.NormFloat64() * math.Ldexp(1, r.IntN(80)-60) }
	for range 20000 {
		a, b := number(), number()
		x := interval{min(a, b), max(a, b)}
		c, d := number(), number()
		y := interval{min(c, d), max(c, d)}
		p, q := [2]float64{x.lo, x.hi}[r.IntN(2)], [2]float64{y.lo, y.hi}[r.IntN(2)]
		hold := func(name string, s interval, v *big.Rat) {
			if rat(s.lo).Cmp(v) > 0 || rat(s.hi).Cmp(v) < 0 {
				t.Fatalf("%s: %v does not hold %v", name, s, v)
			}
		}
		hold("add", x.add(y), new(big.Rat).Add(rat(p), rat(q)))
		hold("mul", x.mul(y), new(big.Rat).Mul(rat(p), rat(q)))
		hold("times", x.times(q), new(big.Rat).Mul(rat(p), rat(q)))
		hold("around", around(p, math.Abs(q)), new(big.Rat).Add(rat(p), rat(q)))
	}
}

// In no box that is excluded does a contact before its time come to light: neither by looking at
// random places, nor by Newton's method from them.
func TestExclusionsHold(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 5))
	var s Solver
	boxes, rational := 0, 0
	for trial := range 900 {
		f, g := small[r.IntN(10)], small[r.IntN(10)]
		e := families[[]string{"met", "approach", "flat", "integers"}[trial%4]](r, randomPatch(r, f, trial > 300),
			randomPatch(r, g, trial > 450))
		o := DefaultOptions()
		o.Tolerance, o.MaxIterations = 1e-12, 2000
		if trial > 300 {
			o.Tolerance = 1e-9
		}
		var im Impact
		if err := s.Solve(e.a, e.b, &o, &im); err != nil {
			t.Fatal(err)
		}
		for i := range s.excluder.list {
			boxes++
			if s.trees[0].rational {
				rational++
			}
			x := &s.excluder.list[i]
			for range 40 {
				if f, at, tm := s.within(r, x); f < 1e-14 {
					t.Fatalf("trial %d: %v and %v touch at %v, time %v, before %v",
						trial, e.a.Form, e.b.Form, at, tm, x.t)
				}
			}
		}
	}
	if boxes-rational < 80 || rational < 40 {
		t.Errorf("only %d boxes, %d of them of rational patches", boxes, rational)
	}
}

// within looks for a contact in a box before its time, from a random place and time, and returns
// |F| where it ends.
func (s *Solver) within(r *rand.Rand, x *exclusion) (float64, place, float64) {
	var p place
	for i := range 2 {
		a, b := &x.axes[i][0], &x.axes[i][1] // random in the box: solve the two axes for u, v
		y0 := x.box[2*i].lo + r.Float64()*(x.box[2*i].hi-x.box[2*i].lo) - a[0]
		y1 := x.box[2*i+1].lo + r.Float64()*(x.box[2*i+1].hi-x.box[2*i+1].lo) - b[0]
		det := a[1]*b[2] - a[2]*b[1]
		u, v := (y0*b[2]-a[2]*y1)/det, (a[1]*y1-y0*b[1])/det
		if s.surf[i].form.Shape == Triangle && u+v > 1 {
			return 1, p, 0
		}
		p.x[2*i], p.x[2*i+1] = u, v
	}
	tm := x.t * (1 - 1e-9 - 0.1*r.Float64()*r.Float64()*r.Float64())
	f := s.approach(&p, tm, 0)
	for i := range 2 {
		for k := range 2 {
			c := x.axes[i][k][0] + x.axes[i][k][1]*p.x[2*i] + x.axes[i][k][2]*p.x[2*i+1]
			if c < x.box[2*i+k].lo || c > x.box[2*i+k].hi {
				return 1, p, tm
			}
		}
	}
	return f, p, tm
}

// A contact that is not the first is not excluded around: a tilted segment that sinks into a plane
// meets it with its low end first, and the contact of its high end has earlier ones beside it.
func TestExcludeRefusesLaterContacts(t *testing.T) {
	segment := &Patch{Form: Form{Curve, 1, 0}, X0: []float64{0.2, 0.3, 1, 0.8, 0.6, 0.9},
		X1: []float64{0.2, 0.3, -1, 0.8, 0.6, -1.1}}
	plane := &Patch{Form: Form{Quad, 1, 1}, X0: []float64{0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0}}
	plane.X1 = plane.X0
	var s Solver
	o := DefaultOptions()
	o.TMax = 0.1 // the query itself finds nothing
	var im Impact
	if err := s.Solve(segment, plane, &o, &im); err != nil || im.Verdict != geom.Separate {
		t.Fatal(im.Verdict, err)
	}
	for end, first := range map[float64]bool{1: true, 0: false} {
		in := newtonContact{found: true, t: 0.5, speed: 2}
		in.x = [4]float64{0, 0, 0.2, 0.3}
		in.active[0] = 1
		if end == 1 {
			in.t, in.x, in.active[0] = 0.45, [4]float64{1, 0, 0.8, 0.6}, 2
		}
		s.evaluate(&in.x, 2)
		if f := s.difference(in.t).length(); f > 1e-14 {
			t.Fatalf("end %v: %v apart", end, f)
		}
		in.lambda = vec{0, 0, -1 / s.velocity().Z}
		if got := s.excluder.prepare(&in, 0) && s.excluder.exclude(0.25); got != first {
			t.Errorf("end %v: excluded is %v", end, got)
		}
	}
}

// Nor is a contact at the end of a curve that sags lower beside it, although the curve bends away
// from the plane everywhere.
func TestExcludeRefusesEndsThatFall(t *testing.T) {
	for _, c := range []struct {
		slope float64
		first bool
	}{{-0.1, false}, {0.1, true}} {
		// height u slope + u^2, less the time, over a plane
		sag := &Patch{Form: Form{Curve, 2, 0},
			X0: []float64{0.2, 0.5, 0.5, 0.4, 0.5, 0.5 + 0.5*c.slope, 0.6, 0.5, 1.5 + c.slope}}
		sag.X1 = slices.Clone(sag.X0)
		for k := 2; k < 9; k += 3 {
			sag.X1[k]--
		}
		plane := &Patch{Form: Form{Quad, 1, 1}, X0: []float64{0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0}}
		plane.X1 = plane.X0
		var s Solver
		o := DefaultOptions()
		o.TMax = 0.1 // the query itself finds nothing
		var im Impact
		if err := s.Solve(sag, plane, &o, &im); err != nil || im.Verdict != geom.Separate {
			t.Fatal(im.Verdict, err)
		}
		in := newtonContact{found: true, t: 0.5, speed: 1}
		in.x = [4]float64{0, 0, 0.2, 0.5}
		in.active[0] = 1
		s.evaluate(&in.x, 2)
		in.lambda = vec{0, 0, -1 / s.velocity().Z}
		if got := s.excluder.prepare(&in, 0) && s.excluder.exclude(0.25); got != c.first {
			t.Errorf("slope %v: excluded is %v", c.slope, got)
		}
	}
}

// Certified contacts are there: with the times cut just after them the answer is still a contact,
// and before TOILo the the reference finds none (laws_test.go). Generic contacts inside of patches
// are certified.
func TestCertified(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 6))
	var s Solver
	var certified, contacts [2]int // counts of polynomial patches, and of others
	for trial := range 600 {
		f, g := small[3+r.IntN(7)], small[3+r.IntN(7)]
		e := families["approach"](r, randomPatch(r, f, trial >= 300), randomPatch(r, g, trial >= 450))
		o := DefaultOptions()
		o.Tolerance = 1e-9
		var im Impact
		if err := s.Solve(e.a, e.b, &o, &im); err != nil {
			t.Fatal(err)
		}
		if im.Verdict != geom.Contact || im.TOILo == 0 {
			continue
		}
		kind := min(trial/300, 1)
		contacts[kind]++
		if im.Flags&geom.Certified == 0 {
			continue
		}
		certified[kind]++
		if !(im.TOIHi <= 1) || im.Width > 2.1e-9 {
			t.Fatalf("certified in [%v, %v], width %v", im.TOILo, im.TOIHi, im.Width)
		}
		o.TMax = im.TOIHi
		if err := s.Solve(e.a, e.b, &o, &im); err != nil || im.Verdict == geom.Separate {
			t.Fatalf("separate up to %v, where a contact is certified", o.TMax)
		}
	}
	t.Logf("%v of %v contacts certified", certified, contacts)
	for kind, part := range [2]int{2, 2} {
		if certified[kind] < contacts[kind]/part {
			t.Errorf("only %d of %d contacts certified", certified[kind], contacts[kind])
		}
	}
}

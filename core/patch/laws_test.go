package patch

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
	"ccd/core/narrow"
)

// small are the forms of the law tests: all shapes, degrees 0 to 4, and one of the highest.
var small = []Form{
	{Curve, 0, 0}, {Curve, 1, 0}, {Curve, 3, 0}, {Triangle, 1, 1}, {Triangle, 2, 2}, {Triangle, 3, 3}, {Triangle, 4, 4},
	{Quad, 1, 1}, {Quad, 2, 2}, {Quad, 3, 3}, {Quad, 1, 3}, {Quad, 4, 2}, {Quad, 9, 9},
}

// example is a query that a family made. If meets is set, the patches certainly touch at that time,
// crossing each other.
type example struct {
	a, b  *Patch
	meets float64
}

func (p *Patch) move(by0, by1 [3]float64) {
	for i := range p.X0 {
		p.X0[i] += by0[i%3]
		p.X1[i] += by1[i%3]
	}
}

func (p *Patch) scale(f float64) {
	for i := range p.X0 {
		p.X0[i] *= f
		p.X1[i] *= f
	}
}

func randomPlace(r *rand.Rand, f Form) (u, v float64) {
	u, v = r.Float64(), r.Float64()
	if f.Shape == Triangle && u+v > 1 {
		u, v = 1-u, 1-v
	}
	if f.Shape == Curve {
		v = 0
	}
	return u, v
}

// meet moves b so that it touches a at a random place and time.
func meet(r *rand.Rand, a, b *Patch) float64 {
	t := r.Float64()
	u, v := randomPlace(r, a.Form)
	p := a.At(u, v, t)
	u, v = randomPlace(r, b.Form)
	q := b.At(u, v, t)
	var by [3]float64
	for k := range by {
		by[k] = p[k] - q[k]
	}
	b.move(by, by)
	return t
}

// crosses reports whether two forms can cross in space for certain where they meet: surfaces with
// surfaces or curves.
func crosses(a, b Form) bool {
	da, db := 2, 2
	if a.Shape == Curve {
		da = min(a.U, 1)
	}
	if b.Shape == Curve {
		db = min(b.U, 1)
	}
	return da+db >= 3
}

// families make queries of one sort each.
var families = map[string]func(r *rand.Rand, a, b *Patch) example{
	"random": func(r *rand.Rand, a, b *Patch) example { return example{a, b, -1} },
	"met": func(r *rand.Rand, a, b *Patch) example {
		t := meet(r, a, b)
		if !crosses(a.Form, b.Form) {
			t = -1
		}
		return example{a, b, t}
	},
	"approach": func(r *rand.Rand, a, b *Patch) example { // The patches approach as those of data/patch do.
		d := [3]float64{2 * r.Float64(), 2*r.Float64() - 1, 2*r.Float64() - 1}
		e := [3]float64{-d[0], -d[1], -d[2]}
		a.move(d, [3]float64{0.1, 0, 0})
		b.move(e, [3]float64{})
		return example{a, b, -1}
	},
	"static": func(r *rand.Rand, a, b *Patch) example {
		meet(r, a, b)
		copy(a.X1, a.X0)
		copy(b.X1, b.X0)
		return example{a, b, -1}
	},
	"far": func(r *rand.Rand, a, b *Patch) example {
		meet(r, a, b)
		a.move([3]float64{1e6, -1e6, 1e6}, [3]float64{1e6, 1e6, 1e6})
		b.move([3]float64{1e6, -1e6, 1e6}, [3]float64{1e6, 1e6, 1e6})
		return example{a, b, -1}
	},
	"huge": func(r *rand.Rand, a, b *Patch) example {
		t := meet(r, a, b)
		a.scale(0x1p40)
		b.scale(0x1p40)
		if !crosses(a.Form, b.Form) {
			t = -1
		}
		return example{a, b, t}
	},
	"tiny": func(r *rand.Rand, a, b *Patch) example {
		meet(r, a, b)
		a.scale(0x1p-300)
		b.scale(0x1p-300)
		return example{a, b, -1}
	},
	"flat": func(r *rand.Rand, a, b *Patch) example { // Both patches are flat, and one plane closes on the other.
		for i := 2; i < len(a.X0); i += 3 {
			a.X0[i], a.X1[i] = 1, -1
		}
		for i := 2; i < len(b.X0); i += 3 {
			b.X0[i], b.X1[i] = 0, 0
		}
		return example{a, b, -1}
	},
	"collapsed": func(r *rand.Rand, a, b *Patch) example { // control points that coincide
		for i := range a.Form.Points() {
			if r.IntN(2) == 0 {
				copy(a.X0[3*i:3*i+3], a.X0[:3])
				copy(a.X1[3*i:3*i+3], a.X1[:3])
			}
		}
		meet(r, a, b)
		return example{a, b, -1}
	},
	"integers": func(r *rand.Rand, a, b *Patch) example {
		for _, p := range []*Patch{a, b} {
			for i := range p.X0 {
				p.X0[i], p.X1[i] = math.Round(2*p.X0[i]), math.Round(2*p.X1[i])
			}
		}
		return example{a, b, -1}
	},
}

var familyNames = []string{"random", "met", "approach", "static", "far", "huge", "tiny", "flat",
	"collapsed", "integers"}

// each runs examples of every family and pair of forms, fewer of the costly ones.
func each(t *testing.T, seed uint64, n int, run func(t *testing.T, r *rand.Rand, e example)) {
	for i, name := range familyNames {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			for range n {
				f, g := small[r.IntN(len(small))], small[r.IntN(len(small))]
				a, b := randomPatch(r, f, r.IntN(3) == 0), randomPatch(r, g, r.IntN(3) == 0)
				run(t, r, families[name](r, a, b))
			}
		})
	}
}

func reach(e example) float64 {
	m := 0.0
	for _, p := range []*Patch{e.a, e.b} {
		for i := range p.X0 {
			m = max(m, math.Abs(p.X0[i]), math.Abs(p.X1[i]))
		}
	}
	return m
}

func wellFormed(t *testing.T, im *Impact, o *Options) {
	t.Helper()
	if im.Verdict == geom.Separate {
		if !math.IsInf(im.TOILo, 1) || !math.IsInf(im.TOIHi, 1) || im.Normal != [3]float64{} {
			t.Fatalf("separate, but %+v", im)
		}
		return
	}
	if !(im.TOILo >= 0 && im.TOILo <= im.TOIHi && im.TOIHi <= o.TMax) {
		t.Fatalf("times [%v, %v]", im.TOILo, im.TOIHi)
	}
	n := math.Sqrt(im.Normal[0]*im.Normal[0] + im.Normal[1]*im.Normal[1] + im.Normal[2]*im.Normal[2])
	if !(math.Abs(n-1) < 1e-12) || !(im.Width >= 0) {
		t.Fatalf("normal %v, width %v", im.Normal, im.Width)
	}
	for _, x := range im.Point {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			t.Fatalf("point %v", im.Point)
		}
	}
}

// TestLaw2SafeBeforeTOI: a contact that is known by construction is not missed, and TOILo is not
// after it; with any budget.
func TestLaw2SafeBeforeTOI(t *testing.T) {
	var s Solver
	each(t, 21, 150, func(t *testing.T, r *rand.Rand, e example) {
		o := DefaultOptions()
		o.Tolerance *= reach(e)
		o.MaxIterations = []int64{1, 10, 100, 3000}[r.IntN(4)]
		if r.IntN(4) == 0 {
			o.MinSeparation = 0.1 * r.Float64() * reach(e)
		}
		var im Impact
		if err := s.Solve(e.a, e.b, &o, &im); err != nil {
			t.Fatal(err)
		}
		wellFormed(t, &im, &o)
		if e.meets >= 0 && (im.Verdict == geom.Separate || im.TOILo > e.meets) {
			t.Fatalf("%v and %v meet at %v: %v at %v", e.a.Form, e.b.Form, e.meets, im.Verdict, im.TOILo)
		}
	})
}

// TestLaw1And2ByReference: the reference implementation proves that nothing comes near well before
// TOILo, or at all if Separate. Where it can not tell, it says so, and that must stay rare.
func TestLaw1And2ByReference(t *testing.T) {
	var s Solver
	told, untold := 0, 0
	each(t, 22, 12, func(t *testing.T, r *rand.Rand, e example) {
		if e.a.Form.Points() > 16 || e.b.Form.Points() > 16 {
			return
		}
		o := DefaultOptions()
		m := reach(e)
		o.Tolerance *= m
		if r.IntN(3) == 0 {
			o.MinSeparation = 0.1 * r.Float64() * m
		}
		var im Impact
		if err := s.Solve(e.a, e.b, &o, &im); err != nil {
			t.Fatal(err)
		}
		end := min(im.TOILo, 1) - 0.05
		if im.Verdict == geom.Separate {
			end = 1
		}
		if end <= 0 {
			return
		}
		w := reference{separation: o.MinSeparation, margin: 1e-12 * m, least: 0.01 * m, budget: 4000}
		apart, ok := w.apart(referenceOf(e.a).within(0, end), referenceOf(e.b).within(0, end))
		if ok && !apart {
			t.Fatalf("%v and %v come together before %v", e.a.Form, e.b.Form, end)
		}
		if apart {
			told++
		} else {
			untold++
		}
	})
	t.Logf("the reference could tell %d, and not %d", told, untold)
	if told < untold {
		t.Errorf("the reference could tell only %d of %d", told, told+untold)
	}
}

// TestLaw3ContactIsNear: the points reported are within separation and tolerance at TOIHi.
func TestLaw3ContactIsNear(t *testing.T) {
	var s Solver
	contacts := 0
	each(t, 23, 100, func(t *testing.T, r *rand.Rand, e example) {
		o := DefaultOptions()
		m := reach(e)
		o.Tolerance *= m * []float64{1, 1e-3, 1e-6}[r.IntN(3)]
		if r.IntN(3) == 0 {
			o.MinSeparation = 0.1 * r.Float64() * m
		}
		if r.IntN(2) == 0 {
			o.Flags |= narrow.MaxNorm
		}
		o.MaxIterations = 3000
		var im Impact
		if err := s.Solve(e.a, e.b, &o, &im); err != nil {
			t.Fatal(err)
		}
		if im.Verdict != geom.Contact {
			return
		}
		contacts++
		p, q := e.a.At(im.UVA[0], im.UVA[1], im.TOIHi), e.b.At(im.UVB[0], im.UVB[1], im.TOIHi)
		d := 0.0
		if o.Flags&narrow.MaxNorm == 0 {
			d = distance([3]float64{p[0] / m, p[1] / m, p[2] / m}, [3]float64{q[0] / m, q[1] / m, q[2] / m}) * m
		} else {
			for k := range 3 {
				d = max(d, math.Abs(p[k]-q[k]))
			}
		}
		if d > o.MinSeparation+o.Tolerance+2*s.gapError/s.local.unit+1e-14*m {
			t.Fatalf("%v and %v: %v apart at %v, separation %v, tolerance %v",
				e.a.Form, e.b.Form, d, im.TOIHi, o.MinSeparation, o.Tolerance)
		}
	})
	if contacts < 300 {
		t.Errorf("only %d contacts", contacts)
	}
}

// TestLaw3WeightsFarApart: with weights up to 10^12 apart parts of the least parameters may be
// larger than the tolerance. Such a query is undecided, never a contact of points that are farther
// apart.
func TestLaw3WeightsFarApart(t *testing.T) {
	var s Solver
	r := rand.New(rand.NewPCG(1, 2))
	contacts, stuck := 0, 0
	for range 3000 {
		a, b := randomPatch(r, small[1+r.IntN(len(small)-2)], true), randomPatch(r, small[1+r.IntN(len(small)-2)], true)
		e := families[[]string{"random", "met", "approach", "static"}[r.IntN(4)]](r, a, b)
		for _, p := range []*Patch{e.a, e.b} {
			for k := range p.W {
				p.W[k] = math.Pow(10, 12*r.Float64())
			}
		}
		o := DefaultOptions()
		o.Tolerance, o.MaxIterations = 0.3*math.Pow(10, -6*r.Float64()), 5000
		var im Impact
		if err := s.Solve(e.a, e.b, &o, &im); err != nil {
			t.Fatal(err)
		}
		if im.Verdict == geom.Undecided && s.Work.Checks < o.MaxIterations {
			stuck++
		}
		if im.Verdict != geom.Contact {
			continue
		}
		contacts++
		p, q := e.a.At(im.UVA[0], im.UVA[1], im.TOIHi), e.b.At(im.UVB[0], im.UVB[1], im.TOIHi)
		for k := range 3 {
			if d := math.Abs(p[k] - q[k]); d > o.Tolerance+s.contactTolerance/s.local.unit {
				t.Fatalf("%v and %v: %v apart with tolerance %v: %+v", a.Form, b.Form, d, o.Tolerance, im)
			}
		}
	}
	if contacts < 1000 || stuck == 0 {
		t.Errorf("%d contacts, %d that cannot be halved further", contacts, stuck)
	}
}

// TestLaw4UndecidedOnlyWhenSpent: with the default budget generic queries are decided.
func TestLaw4UndecidedOnlyWhenSpent(t *testing.T) {
	var s Solver
	for _, name := range []string{"random", "met", "approach", "huge", "static"} {
		r := rand.New(rand.NewPCG(24, 1))
		for range 60 {
			f, g := small[r.IntN(11)], small[r.IntN(11)]
			e := families[name](r, randomPatch(r, f, false), randomPatch(r, g, false))
			o := DefaultOptions()
			o.Tolerance *= reach(e)
			var im Impact
			if err := s.Solve(e.a, e.b, &o, &im); err != nil {
				t.Fatal(err)
			}
			if im.Verdict == geom.Undecided {
				t.Errorf("%s: %v and %v undecided after %d checks", name, f, g, s.Work.Checks)
			}
		}
	}
}

// TestLaw6Scale: powers of two change no bit of the times and parameters.
func TestLaw6Scale(t *testing.T) {
	var s Solver
	each(t, 26, 25, func(t *testing.T, r *rand.Rand, e example) {
		o := DefaultOptions()
		o.Tolerance *= reach(e)
		o.MaxIterations = 500
		if r.IntN(3) == 0 {
			o.MinSeparation = 0.1 * r.Float64() * reach(e)
		}
		var want Impact
		if err := s.Solve(e.a, e.b, &o, &want); err != nil {
			t.Fatal(err)
		}
		const by = 0x1p40
		e.a.scale(by)
		e.b.scale(by)
		o.Tolerance *= by
		o.MinSeparation *= by
		var got Impact
		if err := s.Solve(e.a, e.b, &o, &got); err != nil {
			t.Fatal(err)
		}
		for k := range 3 {
			want.Point[k] *= by
		}
		want.Width *= by
		if got != want {
			t.Fatalf("%+v, not %+v", got, want)
		}
	})
}

// TestLaw8PositiveStep: patches that are apart at first have a positive time when asked for one;
// patches that meet at first are a contact at 0.
func TestLaw8PositiveStep(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 1))
	var s Solver
	for range 200 {
		f, g := small[r.IntN(len(small))], small[r.IntN(len(small))]
		a, b := randomPatch(r, f, false), randomPatch(r, g, false)
		gap := math.Exp(-20 * r.Float64())
		top, low := math.Inf(-1), math.Inf(1)
		for i := 2; i < len(a.X0); i += 3 {
			top = max(top, a.X0[i])
		}
		for i := 2; i < len(b.X0); i += 3 {
			low = min(low, b.X0[i])
		}
		b.move([3]float64{0, 0, top - low + gap}, [3]float64{})
		o := DefaultOptions()
		o.Flags = narrow.NoZeroTOI
		o.Tolerance = 1e-3
		var im Impact
		if err := s.Solve(a, b, &o, &im); err != nil {
			t.Fatal(err)
		}
		if im.Verdict != geom.Separate && !(im.TOILo > 0) {
			t.Fatalf("%v and %v, %v apart: %+v", f, g, gap, im)
		}
	}
}

// Every case on which the paper's program never ends is answered at once and rightly.
func TestHardCasesEndAtOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 1))
	var s Solver
	o := DefaultOptions()
	solve := func(name string, a, b *Patch, verdict geom.Verdict, toi float64, most int64) {
		t.Helper()
		var im Impact
		if err := s.Solve(a, b, &o, &im); err != nil {
			t.Fatal(err)
		}
		if im.Verdict != verdict || verdict == geom.Contact && !(im.TOILo <= toi && im.TOILo > toi-1e-5) ||
			s.Work.Checks > most {
			t.Errorf("%s: %v at [%v, %v] after %d checks", name, im.Verdict, im.TOILo, im.TOIHi, s.Work.Checks)
		}
		if toi == 0 && verdict == geom.Contact && im.Flags&geom.InitialContact == 0 {
			t.Errorf("%s: not flagged as initial", name)
		}
	}
	for _, f := range small {
		if f.Shape == Curve || f.U > 4 {
			continue
		}
		a, b := randomPatch(r, f, false), randomPatch(r, f, false)
		meet(r, a, b)
		copy(a.X1, a.X0)
		copy(b.X1, b.X0)
		t0 := meet(r, a, b)
		_ = t0
		solve("static interpenetration", a, b, geom.Contact, 0, 60)
		for i := range a.X1 {
			a.X1[i], b.X1[i] = a.X0[i]+float64(i%3), b.X0[i]+float64(i%3)
		}
		solve("interpenetration with a common velocity", a, b, geom.Contact, 0, 60)
		c := &Patch{Form: f, X0: append([]float64{}, a.X0...), X1: append([]float64{}, a.X1...)}
		for i := range c.X0 { // shares the edge v = 0 and moves alike
			if j := i / 3; f.Shape == Triangle && j > f.U || f.Shape == Quad && j%(f.V+1) > 0 {
				c.X0[i] += r.Float64()
				c.X1[i] = c.X0[i] + float64(i%3)
			}
		}
		solve("shared edge, moving alike", a, c, geom.Contact, 0, 60)
		solve("the same patch twice", a, a, geom.Contact, 0, 60)
	}
	point := func(x0, x1 [3]float64) *Patch { return &Patch{Form: Form{Curve, 0, 0}, X0: x0[:], X1: x1[:]} }
	solve("point on point", point([3]float64{}, [3]float64{1, 1, 1}), point([3]float64{1, 1, 1}, [3]float64{}),
		geom.Contact, 0.5, 60)
	solve("point past point", point([3]float64{}, [3]float64{1, 1, 1}), point([3]float64{1, 1, 1.1}, [3]float64{}),
		geom.Separate, 0, 60)
	plane := func(z0, z1 float64) *Patch {
		p := &Patch{Form: Form{Quad, 1, 1}, X0: []float64{0, 0, z0, 0, 1, z0, 1, 0, z0, 1, 1, z0}}
		p.X1 = []float64{0, 0, z1, 0, 1, z1, 1, 0, z1, 1, 1, z1}
		return p
	}
	solve("planes meeting over a region", plane(0, 0), plane(1, -1), geom.Contact, 0.5, 60)
	solve("a touch at the end of the step", plane(0, 0), plane(1, 0), geom.Contact, 1, 60)
}

// FuzzLaws makes queries of every family from a seed, for ever: what is met is not missed, the
// answer is well formed, and the points of a contact are near.
func FuzzLaws(f *testing.F) {
	for i := range familyNames {
		f.Add(uint64(i), uint8(i), uint8(3*i), uint8(5*i))
	}
	f.Add(uint64(4), uint8(2), uint8(14), uint8('1')) // parts of 2^-50 are larger than the tolerance
	var s Solver
	f.Fuzz(func(t *testing.T, seed uint64, family, first, second uint8) {
		r := rand.New(rand.NewPCG(seed, uint64(family)))
		fa, fb := small[int(first)%len(small)], small[int(second)%len(small)]
		e := families[familyNames[int(family)%len(familyNames)]](r, randomPatch(r, fa, first%2 == 1),
			randomPatch(r, fb, second%2 == 1))
		o := DefaultOptions()
		m := reach(e)
		o.Tolerance = math.Pow(10, -12*r.Float64()) * m
		o.MaxIterations = int64(1 + r.IntN(2000))
		o.TMax = []float64{1, r.Float64(), 0}[r.IntN(3)]
		if r.IntN(3) == 0 {
			o.MinSeparation = r.Float64() * r.Float64() * m
		}
		var im Impact
		if err := s.Solve(e.a, e.b, &o, &im); err != nil {
			t.Fatal(err)
		}
		wellFormed(t, &im, &o)
		if e.meets >= 0 && e.meets <= o.TMax && (im.Verdict == geom.Separate || im.TOILo > e.meets) {
			t.Fatalf("%v and %v meet at %v: %v at %v", fa, fb, e.meets, im.Verdict, im.TOILo)
		}
		if im.Verdict != geom.Contact {
			return
		}
		p, q := e.a.At(im.UVA[0], im.UVA[1], im.TOIHi), e.b.At(im.UVB[0], im.UVB[1], im.TOIHi)
		for k := range 3 {
			if d := math.Abs(p[k] - q[k]); d > o.MinSeparation+o.Tolerance+2*s.gapError/s.local.unit+1e-13*m {
				t.Fatalf("%v and %v: %v apart", fa, fb, d)
			}
		}
	})
}

package patch

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
	"ccd/core/narrow"
)

// boxedMethod is a method that searches by boxes. initial: with the axes of t=0, as the paper has them.
type boxedMethod struct {
	name    string
	method  narrow.Method
	flags   uint32
	initial bool
}

var boxedMethods = []boxedMethod{
	{"paper, oriented", narrow.TimeContracted, 0, false},
	{"paper, oriented at t=0", narrow.TimeContracted, 0, true},
	{"paper, axis-aligned", narrow.TimeContracted, narrow.AxisAligned, false},
	{"traditional, oriented", narrow.TightInclusion, 0, false},
	{"traditional, axis-aligned", narrow.TightInclusion, narrow.AxisAligned, false},
}

func (m *boxedMethod) solver() *Solver {
	s := new(Solver)
	s.boxed.initial = m.initial
	return s
}

func (m *boxedMethod) options() Options {
	o := DefaultOptions()
	o.Method, o.Flags = m.method, m.flags
	return o
}

// The envelope is the greatest (least) of the lines at every time, and the interval of a gap is where it is positive.
func TestEnvelopes(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 1))
	inside := 0
	for range 3000 {
		var s [2]side
		var order [2][maxPad]int32
		var e [2]envelope
		t0 := 0.5 * r.Float64()
		t1 := t0 + (1-t0)*r.Float64()
		for k := range s {
			s[k].n = 1 + r.IntN(12)
			for i := range s[k].n {
				s[k].pos[i], s[k].vel[i] = r.NormFloat64(), 3*r.NormFloat64()
				if r.IntN(3) == 0 { // equal slopes and equal lines
					s[k].vel[i] = math.Round(s[k].vel[i])
					s[k].pos[i] = math.Round(s[k].pos[i])
				}
				s[k].pos[i] += float64(2 * k)
			}
			e[k].build(&s[k], bySlope(&s[k], &order[k]), float64(1-2*k), t0, t1)
		}
		from, to, ok := gapInterval(&e[0], &e[1], t0, t1, 0)
		for range 10 {
			x := t0 + (t1-t0)*r.Float64()
			high, _ := s[0].highest(x)
			low, _ := s[1].lowest(x)
			for k, want := range [2]float64{high, -low} {
				if got := e[k].value(x); math.Abs(got-want) > 1e-13 {
					t.Fatalf("the envelope is %v at %v, not %v", got, x, want)
				}
			}
			gap := low - high
			if math.Abs(gap) > 1e-12 && (gap > 0) != (ok && x > from && x < to) {
				t.Fatalf("a gap of %v at %v, but [%v, %v] %v", gap, x, from, to, ok)
			}
			if gap > 0 {
				inside++
			}
		}
	}
	if inside < 1000 {
		t.Errorf("only %d times in gaps", inside)
	}
}

// value is the envelope at a time.
func (e *envelope) value(t float64) float64 {
	k := 0
	for k+1 < e.n && e.at[k+1] <= t {
		k++
	}
	return e.pos[k] + t*e.vel[k]
}

// What a period leaves out is apart over the rationals: at every time of it some axis has a positive gap.
func TestPeriodIsProven(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 2))
	cut, shut, holes := 0, 0, 0
	for trial := range 200 {
		var trees [2]tree
		p, q := randomPatch(r, small[r.IntN(11)], trial%2 == 0), randomPatch(r, small[r.IntN(11)], false)
		q.move([3]float64{3 * r.Float64(), 1, 1}, [3]float64{r.Float64(), r.Float64(), 3 - 6*r.Float64()})
		f := frameOf(p, q)
		trees[0].load(p, &f)
		trees[1].load(q, &f)
		var c checker
		c.a.set(&trees[0], 0)
		c.b.set(&trees[1], 0)
		if trial%3 == 0 {
			c.separation, c.euclidean = r.Float64()*0.2, trial%6 == 0
		}
		var d period
		d.choose(&c, trial%4 > 0, 0, 0)
		t0, t1 := 0.0, 1.0
		times := []float64{0, 0.3, 0.6, 1}
		if d.find(&c, &t0, &t1) {
			times = times[:0]
			if t0 > 0 {
				times = append(times, 0, 0.5*t0, t0)
			}
			if t1 < 1 {
				times = append(times, t1, 0.5+0.5*t1, 1)
			}
			holes += len(d.cuts)
			cut += len(times)
		} else {
			shut++
		}
		for _, x := range times {
			if !apartAt(&c, d.axes, x) {
				t.Fatalf("trial %d: no axis tells the hulls apart at %v, but [%v, %v] is left", trial, x, t0, t1)
			}
		}
	}
	t.Logf("%d times left out, %d closed, %d holes", cut, shut, holes)
	if cut < 200 || shut < 30 {
		t.Errorf("only %d cuts, %d closed", cut, shut)
	}
}

func apartAt(c *checker, axes []vec, t float64) bool {
	if c.euclidean { // exactGap takes the greater reach |n|_1
		e := *c
		e.separation /= 2
		c = &e
	}
	for _, n := range axes {
		if exactGap(c, n, t).Sign() > 0 || exactGap(c, n.times(-1), t).Sign() > 0 {
			return true
		}
	}
	return false
}

// Laws 1 to 4 for every method by boxes: a contact known by construction is not missed, with any budget; what is called
// contact is near.
func TestBoxedLaws(t *testing.T) {
	for _, m := range boxedMethods {
		t.Run(m.name, func(t *testing.T) {
			s, contacts := m.solver(), 0
			each(t, 42, 25, func(t *testing.T, r *rand.Rand, e example) {
				o := m.options()
				reached := reach(e)
				o.Tolerance = reached * []float64{1e-2, 1e-4, 1e-6}[r.IntN(3)]
				o.MaxBoxes = []int64{1, 30, 3000}[r.IntN(3)]
				if r.IntN(3) == 0 {
					o.MinSeparation = 0.1 * r.Float64() * reached
				}
				if r.IntN(3) == 0 {
					o.Flags |= narrow.Euclidean
				}
				var im Impact
				if err := s.Solve(e.a, e.b, &o, &im); err != nil {
					t.Fatal(err)
				}
				wellFormed(t, &im, &o)
				if e.meets >= 0 && (im.Verdict == geom.Separate || im.TOILo > e.meets) {
					t.Fatalf("%v and %v meet at %v: %v at %v", e.a.Form, e.b.Form, e.meets, im.Verdict, im.TOILo)
				}
				if im.Verdict == geom.Contact {
					contacts++
					near(t, s, &e, &o, &im)
				}
			})
			if contacts < 25 {
				t.Errorf("only %d contacts", contacts)
			}
		})
	}
}

// near holds an answer to law 3.
func near(t *testing.T, s *Solver, e *example, o *Options, im *Impact) {
	t.Helper()
	p, q := e.a.At(im.UVA[0], im.UVA[1], im.TOIHi), e.b.At(im.UVB[0], im.UVB[1], im.TOIHi)
	m, d := reach(*e), 0.0
	if o.Flags&narrow.Euclidean != 0 {
		d = distance([3]float64{p[0] / m, p[1] / m, p[2] / m}, [3]float64{q[0] / m, q[1] / m, q[2] / m}) * m
	} else {
		for k := range 3 {
			d = max(d, math.Abs(p[k]-q[k]))
		}
	}
	if d > o.MinSeparation+o.Tolerance+2*s.slack/s.frame.unit+1e-14*m {
		t.Fatalf("%v and %v: %v apart at %v, separation %v, tolerance %v", e.a.Form, e.b.Form, d, im.TOIHi, o.MinSeparation, o.Tolerance)
	}
}

// The methods agree with the default: the same verdicts, and times that the way to the tolerance explains.
func TestBoxedAgreeWithDefault(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 1))
	var fast Solver
	for _, m := range boxedMethods {
		s, decided := m.solver(), 0
		for trial := range 60 {
			f, g := small[3+r.IntN(9)], small[3+r.IntN(9)]
			e := families[[]string{"met", "approach", "random"}[trial%3]](r, randomPatch(r, f, trial%4 == 0), randomPatch(r, g, false))
			o := DefaultOptions()
			o.Tolerance, o.TMax = 1e-5, 0.5+0.5*r.Float64()
			var want, got Impact
			if err := fast.Solve(e.a, e.b, &o, &want); err != nil {
				t.Fatal(err)
			}
			o.Method, o.Flags, o.MaxBoxes = m.method, m.flags, 3000
			if err := s.Solve(e.a, e.b, &o, &got); err != nil {
				t.Fatal(err)
			}
			if got.Verdict == geom.Undecided {
				if got.TOILo > want.TOIHi {
					t.Errorf("%s, %d: open at %v, after a contact at %v", m.name, trial, got.TOILo, want.TOIHi)
				}
				continue
			}
			decided++
			if got.Verdict != want.Verdict || got.Verdict == geom.Contact && math.Abs(got.TOILo-want.TOILo) > 1e-2 {
				t.Errorf("%s, %d: %v and %v: %v at %v, the default %v at %v", m.name, trial, f, g, got.Verdict, got.TOILo, want.Verdict, want.TOILo)
			}
		}
		if decided < 15 {
			t.Errorf("%s decided only %d", m.name, decided)
		}
	}
}

// On the cases of data/patch the paper's method agrees with the paper's program, whose tolerance is one of parameters.
func TestPaperAgreesWithData(t *testing.T) {
	for _, kind := range dataNames {
		s := new(Solver)
		o := DefaultOptions()
		o.Method, o.MaxBoxes = narrow.TimeContracted, 20000
		open := 0
		cases := readCases(t, kind)
		for i := 0; i < len(cases); i += 12 {
			c := cases[i]
			var im Impact
			if err := s.Solve(c.a, c.b, &o, &im); err != nil {
				t.Fatal(err)
			}
			if im.Verdict == geom.Undecided {
				open++
				continue
			}
			if (im.Verdict == geom.Contact) != (c.toi >= 0) {
				t.Errorf("%s %d: %v, theirs %v", kind, i, im.Verdict, c.toi)
			}
			if c.toi >= 0 && !(im.TOILo <= c.toi+1e-5 && im.TOILo >= c.toi-1e-3) {
				t.Errorf("%s %d: %v, theirs %v", kind, i, im.TOILo, c.toi)
			}
		}
		if open > 3 {
			t.Errorf("%s: %d undecided", kind, open)
		}
	}
}

// The tolerance may be one of parameters, as in the paper: then the answer is early by little, and never late.
func TestToleranceInParameters(t *testing.T) {
	r := rand.New(rand.NewPCG(44, 1))
	contacts := 0
	for _, m := range boxedMethods[:1] {
		for range 60 {
			s := m.solver()
			e := families["met"](r, randomPatch(r, Form{Quad, 2, 2}, false), randomPatch(r, Form{Triangle, 2, 2}, false))
			o := m.options()
			o.Flags |= narrow.InParameters
			o.Tolerance, o.MaxBoxes = 1e-3, 20000
			var im Impact
			if err := s.Solve(e.a, e.b, &o, &im); err != nil {
				t.Fatal(err)
			}
			if im.Verdict == geom.Separate || im.TOILo > e.meets {
				t.Fatalf("they meet at %v: %v at %v", e.meets, im.Verdict, im.TOILo)
			}
			if im.Verdict == geom.Contact {
				contacts++
				p, q := e.a.At(im.UVA[0], im.UVA[1], im.TOILo), e.b.At(im.UVB[0], im.UVB[1], im.TOILo)
				if d := distance(p, q); d > 0.1 {
					t.Errorf("points %v apart", d)
				}
			}
		}
	}
	if contacts < 30 {
		t.Errorf("only %d contacts", contacts)
	}
}

// Law 6, powers of two change no bit; law 7, a used solver answers as a fresh one; law 8, a positive time if asked for one.
func TestBoxedLaws678(t *testing.T) {
	for _, m := range boxedMethods {
		used := m.solver()
		each(t, 46, 5, func(t *testing.T, r *rand.Rand, e example) {
			o := m.options()
			o.Tolerance, o.MaxBoxes = 1e-4*reach(e), 500
			o.Flags |= narrow.NoZeroTOI
			var want, again, got Impact
			s := m.solver()
			for _, x := range []struct {
				s  *Solver
				im *Impact
			}{{s, &want}, {used, &again}} {
				if err := x.s.Solve(e.a, e.b, &o, x.im); err != nil {
					t.Fatal(err)
				}
			}
			if want != again {
				t.Fatalf("%s: %+v, by a used solver %+v", m.name, want, again)
			}
			const by = 0x1p40
			e.a.scale(by)
			e.b.scale(by)
			o.Tolerance *= by
			if err := s.Solve(e.a, e.b, &o, &got); err != nil {
				t.Fatal(err)
			}
			for k := range 3 {
				want.Point[k] *= by
			}
			want.Width *= by
			if got != want {
				t.Fatalf("%s: %+v, not %+v", m.name, got, want)
			}
		})
		r := rand.New(rand.NewPCG(47, 1))
		for range 20 {
			f, g := small[r.IntN(len(small)-1)], small[r.IntN(len(small)-1)]
			e := lifted(randomPatch(r, f, false), randomPatch(r, g, false), math.Exp(-12*r.Float64()))
			o := m.options()
			o.Flags |= narrow.NoZeroTOI
			o.Tolerance, o.MaxBoxes = 1e-3, 3000
			var im Impact
			if err := used.Solve(e.a, e.b, &o, &im); err != nil {
				t.Fatal(err)
			}
			if im.Verdict == geom.Contact && !(im.TOILo > 0) {
				t.Fatalf("%s: %v and %v: %+v", m.name, f, g, im)
			}
		}
	}
}

// lifted moves b above a by a gap at t=0.
func lifted(a, b *Patch, gap float64) example {
	top, low := math.Inf(-1), math.Inf(1)
	for i := 2; i < len(a.X0); i += 3 {
		top = max(top, a.X0[i])
	}
	for i := 2; i < len(b.X0); i += 3 {
		low = min(low, b.X0[i])
	}
	b.move([3]float64{0, 0, top - low + gap}, [3]float64{})
	return example{a, b, -1}
}

// A small memory limit ends a search that would need more, with a safe answer.
func TestBoxedMemory(t *testing.T) {
	s := new(Solver)
	r := rand.New(rand.NewPCG(45, 1))
	a := randomPatch(r, Form{Quad, 3, 3}, false)
	o := DefaultOptions()
	o.Method, o.Flags, o.Tolerance, o.MaxBoxes, o.MemoryLimit = narrow.TightInclusion, narrow.AxisAligned, 1e-9, 0, 1<<20
	b := &Patch{Form: a.Form, X0: append([]float64{}, a.X0...), X1: append([]float64{}, a.X1...)}
	b.move([3]float64{1, 0, 0}, [3]float64{-1, 0, 0})
	var im Impact
	if err := s.Solve(a, b, &o, &im); err != nil {
		t.Fatal(err)
	}
	if im.Verdict != geom.Undecided || im.TOILo > 0.5 || s.bytes() > 1<<21 {
		t.Errorf("%+v with %d bytes", im, s.bytes())
	}
}

func TestMethodsAtTheDoor(t *testing.T) {
	for _, c := range []struct {
		method narrow.Method
		flags  uint32
		ok     bool
	}{
		{narrow.Exact, 0, false}, {narrow.Default, narrow.AxisAligned, false}, {narrow.Default, narrow.InParameters, false},
		{narrow.TimeContracted, narrow.AxisAligned | narrow.InParameters, true}, {narrow.TightInclusion, 0, true}, {9, 0, false},
	} {
		o := DefaultOptions()
		o.Method, o.Flags = c.method, c.flags
		if err := o.Check(); (err == nil) != c.ok {
			t.Errorf("method %d, flags %d: %v", c.method, c.flags, err)
		}
	}
}

// FuzzBoxed soaks the methods by boxes: `go test ./core/patch -fuzz FuzzBoxed`. A contact that is known is not missed, what is called
// contact is near.
func FuzzBoxed(f *testing.F) {
	for i := range uint64(6) {
		f.Add(i, uint8(i), uint8(i))
	}
	f.Fuzz(func(t *testing.T, seed uint64, which, kind uint8) {
		r := rand.New(rand.NewPCG(seed, 48))
		m := boxedMethods[int(which)%len(boxedMethods)]
		g, h := small[r.IntN(len(small)-1)], small[r.IntN(len(small)-1)]
		e := families[familyNames[int(kind)%len(familyNames)]](r, randomPatch(r, g, r.IntN(3) == 0), randomPatch(r, h, r.IntN(3) == 0))
		o, scale := m.options(), reach(e)
		o.Tolerance = scale * []float64{1e-2, 1e-4, 1e-7}[r.IntN(3)]
		o.MaxBoxes, o.TMax = []int64{10, 300, 3000}[r.IntN(3)], []float64{1, r.Float64()}[r.IntN(2)]
		if r.IntN(3) == 0 {
			o.MinSeparation = 0.1 * r.Float64() * scale
		}
		o.Flags |= []uint32{0, narrow.Euclidean, narrow.NoZeroTOI}[r.IntN(3)]
		s := m.solver()
		var got Impact
		if err := s.Solve(e.a, e.b, &o, &got); err != nil {
			t.Fatal(err)
		}
		wellFormed(t, &got, &o)
		if e.meets >= 0 && e.meets <= o.TMax && (got.Verdict == geom.Separate || got.TOILo > e.meets) {
			t.Fatalf("%s: %v and %v meet at %v: %v at %v", m.name, g, h, e.meets, got.Verdict, got.TOILo)
		}
		if got.Verdict == geom.Contact {
			near(t, s, &e, &o, &got)
		}
	})
}

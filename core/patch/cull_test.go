package patch

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/engine"
	"ccd/core/geom"
)

// Slabs hold the exact projections of all control points at both ends, and what they are grown by,
// at any distance from the origin and at the edge of underflow; and no more than that and a few
// roundings.
func TestSlabsHold(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 26))
	exact := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	for trial := range 144 {
		scale, far := math.Ldexp(1, []int{0, 40, -600, -1060}[trial%4]), float64(trial/4%3)*1e6
		p := Patch{Form: Form{Quad, 1, 1}, X0: make([]float64, 12), X1: make([]float64, 12),
			Err: float64(trial/12%2) * scale * 1e-9}
		for i := range p.X0 {
			p.X0[i], p.X1[i] = (r.Float64()-0.5+far)*scale, (r.NormFloat64()+far)*scale
		}
		by := float64(trial/24%2) * 0.1 * scale
		var s slabs
		s.measure(&p, by)
		more := exact(by)
		more.Add(more, exact(p.Err))
		for e, x := range [2][]float64{p.X0, p.X1} {
			for k, d := range slabAxes {
				lo, hi := exact(math.MaxFloat64), exact(-math.MaxFloat64)
				norm, size := new(big.Rat), new(big.Rat)
				for i := 0; i < len(x); i += 3 {
					sum := new(big.Rat)
					for c := range 3 {
						sum.Add(sum, new(big.Rat).Mul(exact(x[i+c]), exact(d[c])))
						size.Add(size, exact(math.Abs(x[i+c])))
					}
					if sum.Cmp(lo) < 0 {
						lo = sum
					}
					if sum.Cmp(hi) > 0 {
						hi = sum
					}
				}
				for c := range 3 {
					norm.Add(norm, exact(math.Abs(d[c])))
				}
				grow := new(big.Rat).Mul(norm, more)
				lo, hi = new(big.Rat).Sub(lo, grow), new(big.Rat).Add(hi, grow)
				if got := s.at[e][k]; exact(got.lo).Cmp(lo) > 0 || exact(got.hi).Cmp(hi) < 0 {
					t.Fatalf("trial %d, end %d, axis %v: [%v, %v] does not hold the projections",
						trial, e, d, got.lo, got.hi)
				}
				loose := new(big.Rat).Mul(exact(0x1p-38), grow)
				loose.Add(loose, new(big.Rat).Mul(exact(0x1p-48), size))
				loose.Add(loose, exact(0x1p-1070))
				if got := s.at[e][k]; lo.Sub(lo, exact(got.lo)).Cmp(loose) > 0 ||
					hi.Sub(exact(got.hi), hi).Cmp(loose) > 0 {
					t.Fatalf("trial %d, end %d, axis %v: [%v, %v] is too wide", trial, e, d, got.lo, got.hi)
				}
			}
		}
	}
}

// pebbleAndTorus returns a step in which the pebble flies, turning, at the torus, which turns too.
func pebbleAndTorus(t *testing.T, r *rand.Rand) (a, b *BodyStep) {
	one, x := pebble(t)
	two, y := torus(t, 1.4, 0.45)
	vector := func() vec { return vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()} }
	from, _ := vector().unit()
	k, angle := vector(), 6*r.Float64()
	a, b = &BodyStep{Body: one}, &BodyStep{Body: two}
	a.X0, a.X1 = turnedAbout(x, k, angle, from.times(3)), turnedAbout(x, k, angle+0.2, from.times(1))
	k = vector()
	b.X0, b.X1 = turnedAbout(y, k, 0, vec{}), turnedAbout(y, k, 0.1, vec{})
	return a, b
}

// Pairs that the slabs tell apart are apart by the solver's word; and they are most of those whose
// swept boxes meet.
func TestCulledPairsAreSeparate(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	var s Scene
	var alone Solver
	var p, q Patch
	swept, left := 0, 0
	for trial := range 12 {
		a, b := pebbleAndTorus(t, r)
		o := DefaultOptions()
		o.MinSeparation = float64(trial%2) * 0.05
		s.pairs = s.pairs[:0]
		s.sweep(a.boxes(o.MinSeparation), b.boxes(0))
		all := slices.Clone(s.pairs)
		s.cull(a, b, o.MinSeparation)
		swept, left = swept+len(all), left+len(s.pairs)
		for _, c := range all {
			if slices.Contains(s.pairs, c) {
				continue
			}
			a.gather(int(c.a), &p)
			b.gather(int(c.b), &q)
			var im Impact
			if err := alone.Solve(&p, &q, &o, &im); err != nil || im.Verdict != geom.Separate {
				t.Fatalf("trial %d: pair %d, %d was culled: %+v, %v", trial, c.a, c.b, im, err)
			}
		}
	}
	if 3*left > 2*swept {
		t.Errorf("%d of %d pairs are left", left, swept)
	}
}

// The earliest impact agrees with the least of all pairs, each asked alone over the whole step; the
// order of the patches changes no bit of its time.
func TestEarliestOfAllPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	var s Scene
	var alone Solver
	var p, q Patch
	const near = 1e-5 // the time in which the bodies come nearer by the tolerance, and more
	contacts := 0
	for trial := range 20 {
		a, b := pebbleAndTorus(t, r)
		o := DefaultOptions()
		o.MinSeparation = []float64{0, 0, 0.02}[trial%3]
		lo, hi := math.Inf(1), math.Inf(1)
		for i := range a.Body.Patches() {
			for j := range b.Body.Patches() {
				a.gather(i, &p)
				b.gather(j, &q)
				var im Impact
				if err := alone.Solve(&p, &q, &o, &im); err != nil {
					t.Fatal(err)
				}
				if lo = min(lo, im.TOILo); im.Flags&geom.Certified != 0 {
					hi = min(hi, im.TOIHi)
				}
			}
		}
		got, err := s.Earliest(a, b, &o)
		if err != nil {
			t.Fatal(err)
		}
		if got.TOILo > hi || (got.Verdict == geom.Contact) != (lo <= 1) || !(lo > 1) && math.Abs(got.TOILo-lo) > near {
			t.Errorf("trial %d: %v in [%v, %v], the least of all pairs is %v, one is certain by %v",
				trial, got.Verdict, got.TOILo, got.TOIHi, lo, hi)
		}
		other, err := s.Earliest(reversed(a), reversed(b), &o)
		if err != nil || other.Verdict != got.Verdict || other.TOILo != got.TOILo {
			t.Errorf("trial %d: %+v, in reverse order %+v, %v", trial, got, other, err)
		}
		if got.Verdict == geom.Contact && got.TOILo > 0 {
			contacts++
		}
	}
	if contacts < 12 {
		t.Errorf("only %d contacts", contacts)
	}
}

// reversed returns a step with its patches in the opposite order.
func reversed(f *BodyStep) *BodyStep {
	b := *f.Body
	b.patches = slices.Clone(b.patches)
	slices.Reverse(b.patches)
	return &BodyStep{Body: &b, X0: f.X0, X1: f.X1}
}

// rival returns a search for the earliest impact in which another pair has a contact at a time.
func rival(at float64) *engine.Incumbent[Impact] {
	first := new(engine.Incumbent[Impact])
	beginIncumbent(first)
	first.Enter(&Impact{Verdict: geom.Contact, A: 1, B: 1, TOILo: at, TOIHi: at})
	return first
}

// What is known of other pairs changes no bit of a pair's answer: it is found if it is earlier,
// however little, or at the same time and first in order, and given up if not. Also where boxes
// around the contact are excluded, after which the cells left are apart for long.
func TestSearchUpToAnotherContact(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	var s Solver
	o := DefaultOptions()
	found, excluded := 0, 0
	for trial := range 600 {
		f := []Form{{Triangle, 1, 1}, {Triangle, 2, 2}, {Quad, 2, 2}, {Quad, 3, 3}}[trial%4]
		p, q := bumpyPatch(r, f, vec{}, vec{0, 0, 1}), bumpyPatch(r, f, vec{0, 0, 1.2}, vec{0, 0, -1})
		var im Impact
		s.incumbent = rival(math.Inf(1))
		if err := s.Solve(p, q, &o, &im); err != nil {
			t.Fatal(err)
		}
		if im.Flags&geom.Certified == 0 || im.TOILo == 0 {
			continue
		}
		found++
		excluded += int(min(s.Work.Exclusions, 1))
		for _, after := range []float64{0, 1e-16, 1e-9, 1e-6, 1e-3, 0.1, 1} {
			s.incumbent = rival(im.TOILo + after)
			var got Impact
			if err := s.Solve(p, q, &o, &got); err != nil || got != im {
				t.Fatalf("trial %d, %v after the contact %+v: %+v, %v", trial, after, im, got, err)
			}
		}
		for _, early := range []float64{0.9, 1 - 0x1p-52} {
			s.incumbent = rival(early * im.TOILo)
			var got Impact
			if err := s.Solve(p, q, &o, &got); err != nil ||
				got.Verdict != geom.Separate && (early == 0.9 || got != im) {
				t.Fatalf("trial %d, with a contact before %+v: %+v, %v", trial, im, got, err)
			}
		}
	}
	if found < 200 || excluded < 100 {
		t.Errorf("%d contacts, %d with exclusions", found, excluded)
	}
}

// bumpyPatch returns a bumpy unit patch across z that moves by way, and a little anyhow.
func bumpyPatch(r *rand.Rand, f Form, at, way vec) *Patch {
	p := &Patch{Form: f}
	for i := range f.Points() {
		place := layoutOf(f).places[i]
		x := [3]float64{place[0] - 0.5 + at.X, place[1] - 0.5 + at.Y, at.Z}
		for k, w := range [3]float64{way.X, way.Y, way.Z} {
			p.X0 = append(p.X0, x[k]+0.4*(r.Float64()-0.5))
			p.X1 = append(p.X1, x[k]+w+0.4*(r.Float64()-0.5))
		}
	}
	return p
}

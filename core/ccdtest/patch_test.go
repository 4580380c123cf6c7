package ccdtest_test

import (
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/patch"
	"ccd/core/reference/boxed"
	"ccd/core/reference/oracle"
)

// asPatches answers a query of straight primitives by the methods for curved ones: a vertex is a
// curve of degree 0, an edge one of degree 1, a face a triangle of degree 1 ([Chen2024], section
// 5.3 and table 3). So the whole machinery for patches is held to the oracle.
func asPatches(search patch.Search) func() ccdtest.Method {
	point, edge := patch.Form{Shape: patch.Curve}, patch.Form{Shape: patch.Curve, U: 1}
	face := patch.Form{Shape: patch.Triangle, U: 1, V: 1}
	forms := map[geom.Kind][2]patch.Form{
		geom.VertexFace: {point, face}, geom.EdgeEdge: {edge, edge}, geom.PointEdge: {point, edge},
		geom.PointPoint: {point, point},
	}
	return func() ccdtest.Method {
		var s patch.Solver
		return func(k geom.Kind, q []float64, given *narrow.Options, out *geom.Impact) {
			o := patch.Options{Options: *given}
			o.Method, o.Search = narrow.Default, search
			o.MaxIterations = min(o.MaxIterations, 4000)
			n, half := 3*forms[k][0].Points(), len(q)/2
			a := patch.Patch{Form: forms[k][0], X0: q[:n], X1: q[half : half+n]}
			b := patch.Patch{Form: forms[k][1], X0: q[n:half], X1: q[half+n:]}
			var im patch.Impact
			out.SetSeparate(k)
			if err := s.Solve(&a, &b, &o, &im); err != nil {
				panic(err)
			}
			if im.Verdict == geom.Separate {
				return
			}
			*out = geom.Impact{Verdict: im.Verdict, Flags: im.Flags, Kind: k, A: -1, B: -1, TOILo: im.TOILo,
				TOIHi: im.TOIHi}
			out.U, out.V = im.UVB[0], im.UVB[1]
			switch k {
			case geom.EdgeEdge:
				out.U, out.V = im.UVA[0], im.UVB[0]
			case geom.PointPoint:
				out.U = 0 // a curve of degree 0 has a parameter, and it means nothing
			}
		}
	}
}

// patchMethods are the default for patches, the time-contracted method with both kinds of boxes,
// and the traditional one.
var patchMethods = []struct {
	name   string
	search patch.Search
}{
	{"default", nil},
	{"time-contracted, oriented", boxed.Options{}},
	{"time-contracted, axis-aligned", boxed.Options{AxisAligned: true}},
	{"traditional, oriented", boxed.Options{Traditional: true}},
}

// All methods for patches obey the laws on straight primitives, of all families.
func TestPatchMethodsOnStraightPrimitives(t *testing.T) {
	for _, m := range patchMethods {
		t.Run(m.name, func(t *testing.T) {
			s := &ccdtest.Suite{New: asPatches(m.search), Rounding: ccdtest.PatchRounding, Patches: true}
			s.Queries = long.Part(2, 2)
			for _, k := range []geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.PointEdge, geom.PointPoint} {
				s.Law0WellFormed(t, k)
				s.Law1SeparateIsProof(t, k)
				s.Law2SafeBeforeTOI(t, k)
				s.Law3ContactIsNear(t, k)
				s.Law7SameBits(t, k)
				s.Law8PositiveStep(t, k)
			}
		})
	}
}

// Law 8 on slivers, on edges along each other and on what rests at the separation: with a positive
// time required no method stops at 0 over what is apart by more than rounding, in either norm, and
// the default is never undecided. Doubles alone lose the direction between thin patches nearer
// than 1e-8 of their length.
func TestPatchLaw8OnThinPrimitives(t *testing.T) {
	r := ccdtest.NewRand(8, 41)
	promise := ccdtest.Promise{Rounding: ccdtest.PatchRounding, Patches: true}
	var methods []ccdtest.Method
	for _, m := range patchMethods {
		methods = append(methods, asPatches(m.search)())
	}
	near, positive := 0, 0
	for i := range 1080 {
		c := ccdtest.Thin()[i%3].Make(r, geom.Kind(1+i/3%4), i/12%2 == 1)
		j := ccdtest.NewKnownCase(c)
		for n, method := range methods {
			o := j.Options()
			o.Flags = narrow.NoZeroTOI | [2]uint32{0, narrow.MaxNorm}[i/24%2]
			var out geom.Impact
			method(c.Kind, c.Q, &o, &out)
			for _, err := range ccdtest.Check(&j, &o, &out, promise) {
				if err.(*ccdtest.Violation).Law == 8 {
					t.Errorf("%s: %v\n%v", patchMethods[n].name, &c, err)
				}
			}
			if n == 0 && out.Verdict == geom.Undecided {
				t.Errorf("undecided: %v\n%+v", &c, out)
			}
			if out.TOILo > 0 && !oracle.SeparatedAt(c.Kind, c.Q, c.D+1e-7, 0) {
				near++
				if out.Verdict != geom.Separate {
					positive++
				}
			}
		}
	}
	t.Logf("%d starts less than 1e-7 apart got on, %d of them to a time", near, positive)
	if near < 800 || positive < 40 {
		t.Errorf("only %d starts less than 1e-7 apart got on, %d of them to a time", near, positive)
	}
}

// FuzzPatchLaw8 asks for positive times of straight primitives.
func FuzzPatchLaw8(f *testing.F) {
	s := &ccdtest.Suite{New: asPatches(nil), Rounding: ccdtest.PatchRounding, Patches: true}
	s.Fuzz(f, 8)
}

// A tolerance below what rounding leaves cannot be met: an answer to this query, found by the soak,
// was 2.7e-11 beyond it, which the law allows. The check takes such an answer, though it is out of
// the bound of straight primitives, and takes no more than the law's bound.
func TestPatchRoundingIsTheLaws(t *testing.T) {
	const s = 96.8188705444336
	c := ccdtest.Case{Kind: geom.PointEdge, D: s, Delta: 1e-11, TMax: 1, Q: []float64{
		8 * s, -48 * s, -s, 8 * s, -16 * s, -4 * s, 8 * s, -16 * s, 12 * s, 8 * s, -48 * s, 11 * s, 8 * s, -48 * s,
		-4 * s, 8 * s, -48 * s, 12 * s}}
	j := ccdtest.NewKnownCase(c)
	o := j.Options()
	o.Flags = narrow.MaxNorm
	var out geom.Impact
	ccdtest.Patches()(c.Kind, c.Q, &o, &out)
	law3 := func(out *geom.Impact, rounding float64) (broken bool) {
		p := ccdtest.Promise{Rounding: func(geom.Kind, []float64, *narrow.Options) float64 { return rounding }}
		for _, err := range ccdtest.Check(&j, &o, out, p) {
			broken = broken || err.(*ccdtest.Violation).Law == 3
		}
		return broken
	}
	allowed := ccdtest.PatchRounding(c.Kind, c.Q, &o)
	if out.Verdict != geom.Contact || law3(&out, allowed) {
		t.Errorf("%+v breaks law 3, which allows %v to rounding", out, allowed)
	}
	// The segment comes down from 16 s at 32 s a step.
	before := func(distance float64) geom.Impact {
		early := out
		early.TOIHi -= distance / (32 * s)
		early.TOILo = early.TOIHi
		return early
	}
	straight := 2 * ccdtest.ErrorBound(c.Kind, c.Q, &o)
	within := before(0.5 * (straight + allowed))
	if law3(&within, allowed) {
		t.Errorf("%+v is refused", within)
	}
	if !law3(&within, straight) {
		t.Errorf("%+v is within the bound of straight primitives: another case is needed", within)
	}
	early := before(2 * (allowed + o.Tolerance))
	if !law3(&early, allowed) {
		t.Errorf("%+v is taken", early)
	}
}

// Laws 8 and 9: what a contact says of its start and of its points is true, for pairs of patches
// by all methods.
func TestPatchLaw9ContactData(t *testing.T) {
	var s patch.Solver
	contacts := map[patch.Search]int{}
	seeds := []uint64{
		// Certified after points a tolerance apart went on apart.
		1882567219409955, 1882567219449239, 1882567219523081,
		// Weights far apart, within the tolerance at the start.
		11937, 35655,
	}
	n := long.Part(2500, 3)
	for seed := range uint64(n) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		c := ccdtest.RandomPatchPair(seed)
		im, err := c.Check(&s)
		if err != nil {
			t.Errorf("ccdtest.RandomPatchPair(%d), %+v: %v", seed, c.Options.Options, err)
		}
		if im.Verdict == geom.Contact {
			contacts[c.Options.Search]++
		}
	}
	t.Logf("contacts: %v", contacts)
	of := func(o boxed.Options) int { return contacts[o] }
	if contacts[nil] < n*2/5 || of(boxed.Options{}) < n/500 || of(boxed.Options{Traditional: true}) < n/250 {
		t.Errorf("contacts by method: %v", contacts)
	}
}

// Law 9 for bodies of patches, two and one: the earliest, all, and manifolds.
func TestPatchLaw9InScenes(t *testing.T) {
	var s patch.Scene
	contacts := 0
	for seed := range uint64(150) {
		n, err := ccdtest.RandomPatchScene(seed).Check(&s)
		if err != nil {
			t.Errorf("ccdtest.RandomPatchScene(%d): %v", seed, err)
		}
		contacts += n
	}
	t.Logf("%d contacts", contacts)
	if contacts < 500 {
		t.Errorf("only %d contacts", contacts)
	}
}

// FuzzPatchLaw9 asks pairs and scenes for ever.
func FuzzPatchLaw9(f *testing.F) {
	var s patch.Solver
	var scene patch.Scene
	for seed := range uint64(16) {
		f.Add(seed, seed%8 == 7)
	}
	f.Fuzz(func(t *testing.T, seed uint64, bodies bool) {
		if bodies {
			if _, err := ccdtest.RandomPatchScene(seed).Check(&scene); err != nil {
				t.Error(err)
			}
		} else if _, err := ccdtest.RandomPatchPair(seed).Check(&s); err != nil {
			t.Error(err)
		}
	})
}

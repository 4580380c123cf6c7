package broad

import (
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// defaultFewPairs is fewPairs of production. The other tests of this package make plans with cells,
// however small their scenes are.
var defaultFewPairs = fewPairs

func init() { fewPairs = 0 }

// compareAll makes plans without cells of scenes with up to n pairs, until the test ends.
func compareAll(t *testing.T, n int) {
	fewPairs = n
	t.Cleanup(func() { fewPairs = 0 })
}

// A plan without cells keeps the laws of one with cells.
func TestFewLosesNoPair(t *testing.T) {
	compareAll(t, 1<<20)
	t.Run("plan", TestPlanLosesNoPair)
	t.Run("radii", TestRadiiPlanLosesNoPair)
	t.Run("candidates", TestRadiiSweepsAgreeWithBruteForce)
}

// A plan without cells finds no pair whose boxes an axis separates at both ends, by more than the
// margin of grown.
func TestFewFindsNoMore(t *testing.T) {
	long.Test(t)
	compareAll(t, 1<<20)
	found := 0
	for _, s := range adversaries() {
		m, mo := s.load(t)
		for _, d := range []float64{0, 1e-3, 0.5} {
			p := new(Plan)
			if err := p.Build(m, mo, PlanOptions{Input: Input{Separation: d, Until: 1}}); err != nil {
				t.Fatal(err)
			}
			if p.tactic != tactic(&p.own.few) {
				t.Fatalf("%s: the plan has cells", s.name)
			}
			got := plannedPairs(t, p)
			for _, k := range geom.StepKinds {
				for _, x := range got.Of(k) {
					if found++; apart(m, ends(mo), k, x[0], x[1], grown(grown(d))) {
						t.Fatalf("%s, separation %v: %v pair %v is apart", s.name, d, k, x)
					}
				}
			}
		}
	}
	if found < 1000 {
		t.Errorf("%d pairs found: the test sees too little", found)
	}
}

// Two triangles have no cells, a soup of many has, and so has whatever restricts the pairs that are
// wanted.
func TestFewIsForFewPairs(t *testing.T) {
	compareAll(t, defaultFewPairs)
	r := rand.New(rand.NewPCG(5, 5))
	for _, c := range []struct {
		triangles int
		how       PlanOptions
		few       bool
	}{
		{2, PlanOptions{Input: Input{Until: 1}}, true},
		{2, PlanOptions{Input: Input{Until: 0.5}, Work: Work{Threads: 2}}, true},
		{2, PlanOptions{Input: Input{Until: 1}, Keep: Keep{Slab: &Slab{0, -1, 1}}}, false},
		{2, PlanOptions{Input: Input{Until: 1}, Keep: Keep{Region: new(Region)}}, false},
		{2, PlanOptions{Input: Input{Until: 1}, Work: Work{Limit: 1 << 30}}, false},
		{2, PlanOptions{Input: Input{Until: 1}, Keep: Keep{Changed: make([]bool, 6)}}, false},
		{40, PlanOptions{Input: Input{Until: 1}}, false},
	} {
		s := soup(r, c.triangles, r.Float64)
		m, mo := s.load(t)
		p := new(Plan)
		if err := p.Build(m, mo, c.how); err != nil {
			t.Fatal(err)
		}
		if got := p.tactic == tactic(&p.own.few); got != c.few {
			t.Errorf("%d triangles, %+v: a plan without cells %v, want %v", c.triangles, c.how, got, c.few)
		}
	}
}

// The number of pairs of a large mesh does not overflow.
func TestFewOfManyPrimitives(t *testing.T) {
	compareAll(t, defaultFewPairs)
	m := &mesh.Mesh{NV: 1 << 30, Faces: make([][3]int32, 1), Edges: make([][2]int32, 0)}
	if hasFewPairs(m) {
		t.Error("2^30 vertices are few")
	}
}

// A list within a memory limit has cells, however few pairs there are.
func TestFewWithinAMemoryLimit(t *testing.T) {
	compareAll(t, defaultFewPairs)
	s := soup(rand.New(rand.NewPCG(7, 7)), 2, rand.Float64)
	m, mo := s.load(t)
	want, err := Sweep(m, mo, Options{MinSeparation: 1})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Sweep(m, mo, Options{MinSeparation: 1, MemoryLimit: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range geom.StepKinds {
		if got.Count(k) != want.Count(k) {
			t.Errorf("%v: %d pairs within a limit, %d without", k, got.Count(k), want.Count(k))
		}
	}
}

package narrow_test

import (
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/narrow"
)

// The laws of docs/numerics.md, for each method of this package, judged by exact arithmetic.

func solver() ccdtest.Method { return narrow.NewSolver().Solve }

// suites returns the methods with the norms and flags that matter; the budget keeps Tight
// Inclusion's hard cases short.
func suites(budget int64) map[string]*ccdtest.Suite {
	with := func(m narrow.Method, flags uint32) *ccdtest.Suite {
		queries := long.Part(6, 2)
		if flags&narrow.MaxNorm == 0 && m != narrow.Default && m != narrow.Exact {
			queries = 1 // the Euclidean judge of these is slow
		}
		return &ccdtest.Suite{New: solver, Queries: queries, Options: func(o *narrow.Options) {
			o.Method, o.MaxIterations, o.Flags = m, budget, o.Flags|flags
		}}
	}
	all := map[string]*ccdtest.Suite{
		"default":              with(narrow.Default, narrow.MaxNorm),
		"default-euclidean":    with(narrow.Default, narrow.NoZeroTOI),
		"exact":                with(narrow.Exact, narrow.MaxNorm),
		"exact-euclidean":      with(narrow.Exact, 0),
		"tight":                with(narrow.TightInclusion, narrow.MaxNorm),
		"tight-euclidean":      with(narrow.TightInclusion, 0),
		"contracted":           with(narrow.TimeContracted, narrow.MaxNorm),
		"contracted-nozero":    with(narrow.TimeContracted, narrow.MaxNorm|narrow.NoZeroTOI),
		"contracted-euclidean": with(narrow.TimeContracted, 0),
	}
	for _, name := range []string{"default", "default-euclidean", "exact", "exact-euclidean"} {
		all[name].Exact = true
	}
	return all
}

func each(t *testing.T, law func(s *ccdtest.Suite, t *testing.T, k geom.Kind)) {
	for name, s := range suites(2000) {
		for k := geom.VertexFace; k <= geom.PointPoint; k++ {
			t.Run(name+"/"+k.String(), func(t *testing.T) { law(s, t, k) })
		}
	}
}

func TestSuiteLaw0WellFormed(t *testing.T)      { each(t, (*ccdtest.Suite).Law0WellFormed) }
func TestSuiteLaw1SeparateIsProof(t *testing.T) { each(t, (*ccdtest.Suite).Law1SeparateIsProof) }
func TestSuiteLaw2SafeBeforeTOI(t *testing.T)   { each(t, (*ccdtest.Suite).Law2SafeBeforeTOI) }
func TestSuiteLaw3ContactIsNear(t *testing.T)   { each(t, (*ccdtest.Suite).Law3ContactIsNear) }
func TestSuiteLaw5CertifiedExists(t *testing.T) { each(t, (*ccdtest.Suite).Law5CertifiedContactExists) }
func TestSuiteLaw6Scale(t *testing.T)           { each(t, (*ccdtest.Suite).Law6Scale) }
func TestSuiteLaw7SameBits(t *testing.T)        { each(t, (*ccdtest.Suite).Law7SameBits) }
func TestSuiteLaw8PositiveStep(t *testing.T)    { each(t, (*ccdtest.Suite).Law8PositiveStep) }
func TestSuiteLaw9ContactData(t *testing.T)     { each(t, (*ccdtest.Suite).Law9ContactData) }

// Law 4 gives each method a budget that fits it.
func TestSuiteLaw4UndecidedOnlyWhenSpent(t *testing.T) {
	for name, s := range suites(1000000) {
		for k := geom.VertexFace; k <= geom.PointPoint; k++ {
			t.Run(name+"/"+k.String(), func(t *testing.T) { s.Law4UndecidedOnlyWhenSpent(t, k) })
		}
	}
}

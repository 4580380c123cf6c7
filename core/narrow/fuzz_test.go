package narrow_test

import (
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/narrow"
)

// One fuzz target for each law and method: go test ./core/narrow -fuzz FuzzContractedLaw1. Law 4 is
// in the suites: it asks for a budget that fits the query.

func fuzzed(m narrow.Method, flags uint32) *ccdtest.Suite {
	return &ccdtest.Suite{
		New:     func() ccdtest.Method { return narrow.NewSolver().Solve },
		Options: func(o *narrow.Options) { o.Method, o.Flags, o.MaxIterations = m, flags, 1000 },
		Exact:   m == narrow.Exact,
	}
}

func FuzzContractedLaw0(f *testing.F) { fuzzed(narrow.TimeContracted, narrow.MaxNorm).Fuzz(f, 0) }
func FuzzContractedLaw1(f *testing.F) { fuzzed(narrow.TimeContracted, narrow.MaxNorm).Fuzz(f, 1) }
func FuzzContractedLaw2(f *testing.F) { fuzzed(narrow.TimeContracted, narrow.MaxNorm).Fuzz(f, 2) }
func FuzzContractedLaw3(f *testing.F) { fuzzed(narrow.TimeContracted, narrow.MaxNorm).Fuzz(f, 3) }
func FuzzContractedLaw5(f *testing.F) { fuzzed(narrow.TimeContracted, narrow.MaxNorm).Fuzz(f, 5) }
func FuzzContractedLaw6(f *testing.F) { fuzzed(narrow.TimeContracted, narrow.MaxNorm).Fuzz(f, 6) }
func FuzzContractedLaw7(f *testing.F) { fuzzed(narrow.TimeContracted, narrow.MaxNorm).Fuzz(f, 7) }
func FuzzContractedLaw8(f *testing.F) { fuzzed(narrow.TimeContracted, narrow.MaxNorm).Fuzz(f, 8) }
func FuzzContractedLaw9(f *testing.F) { fuzzed(narrow.TimeContracted, narrow.MaxNorm).Fuzz(f, 9) }

func FuzzContractedEuclideanLaw1(f *testing.F) {
	fuzzed(narrow.TimeContracted, 0).Fuzz(f, 1)
}
func FuzzContractedEuclideanLaw2(f *testing.F) {
	fuzzed(narrow.TimeContracted, 0).Fuzz(f, 2)
}
func FuzzContractedEuclideanLaw3(f *testing.F) {
	fuzzed(narrow.TimeContracted, 0).Fuzz(f, 3)
}
func FuzzContractedEuclideanLaw9(f *testing.F) {
	fuzzed(narrow.TimeContracted, narrow.NoZeroTOI).Fuzz(f, 9)
}

func FuzzTightLaw0(f *testing.F) { fuzzed(narrow.TightInclusion, narrow.MaxNorm).Fuzz(f, 0) }
func FuzzTightLaw1(f *testing.F) { fuzzed(narrow.TightInclusion, narrow.MaxNorm).Fuzz(f, 1) }
func FuzzTightLaw2(f *testing.F) { fuzzed(narrow.TightInclusion, narrow.MaxNorm).Fuzz(f, 2) }
func FuzzTightLaw3(f *testing.F) { fuzzed(narrow.TightInclusion, narrow.MaxNorm).Fuzz(f, 3) }
func FuzzTightLaw5(f *testing.F) { fuzzed(narrow.TightInclusion, narrow.MaxNorm).Fuzz(f, 5) }
func FuzzTightLaw6(f *testing.F) { fuzzed(narrow.TightInclusion, narrow.MaxNorm).Fuzz(f, 6) }
func FuzzTightLaw7(f *testing.F) { fuzzed(narrow.TightInclusion, narrow.MaxNorm).Fuzz(f, 7) }
func FuzzTightLaw8(f *testing.F) { fuzzed(narrow.TightInclusion, narrow.MaxNorm).Fuzz(f, 8) }
func FuzzTightLaw9(f *testing.F) { fuzzed(narrow.TightInclusion, narrow.MaxNorm).Fuzz(f, 9) }

func FuzzTightEuclideanLaw1(f *testing.F) { fuzzed(narrow.TightInclusion, 0).Fuzz(f, 1) }
func FuzzTightEuclideanLaw2(f *testing.F) { fuzzed(narrow.TightInclusion, 0).Fuzz(f, 2) }
func FuzzTightEuclideanLaw3(f *testing.F) { fuzzed(narrow.TightInclusion, 0).Fuzz(f, 3) }
func FuzzTightEuclideanLaw9(f *testing.F) {
	fuzzed(narrow.TightInclusion, narrow.NoZeroTOI).Fuzz(f, 9)
}

func FuzzExactLaw0(f *testing.F) { fuzzed(narrow.Exact, narrow.MaxNorm).Fuzz(f, 0) }
func FuzzExactLaw1(f *testing.F) { fuzzed(narrow.Exact, narrow.MaxNorm).Fuzz(f, 1) }
func FuzzExactLaw2(f *testing.F) { fuzzed(narrow.Exact, narrow.MaxNorm).Fuzz(f, 2) }
func FuzzExactLaw3(f *testing.F) { fuzzed(narrow.Exact, narrow.MaxNorm).Fuzz(f, 3) }
func FuzzExactLaw5(f *testing.F) { fuzzed(narrow.Exact, narrow.MaxNorm).Fuzz(f, 5) }
func FuzzExactLaw6(f *testing.F) { fuzzed(narrow.Exact, narrow.MaxNorm).Fuzz(f, 6) }
func FuzzExactLaw7(f *testing.F) { fuzzed(narrow.Exact, narrow.MaxNorm).Fuzz(f, 7) }
func FuzzExactLaw8(f *testing.F) { fuzzed(narrow.Exact, narrow.MaxNorm).Fuzz(f, 8) }
func FuzzExactLaw9(f *testing.F) { fuzzed(narrow.Exact, narrow.MaxNorm).Fuzz(f, 9) }

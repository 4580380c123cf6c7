package patch

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"ccd/bench/cputime"
	"ccd/core/geom"
)

// dataCase is one of data/patch: two patches and the answer of the paper's program, a negative time
// for none.
type dataCase struct {
	a, b     *Patch
	toi, gap float64
}

// dataKinds are the files of data/patch, with the forms in them.
var dataKinds = map[string]Form{
	"T1": {Triangle, 1, 1}, "T2": {Triangle, 2, 2}, "T3": {Triangle, 3, 3},
	"Q1": {Quad, 1, 1}, "Q2": {Quad, 2, 2}, "Q3": {Quad, 3, 3},
}

var dataNames = []string{"T1", "T2", "T3", "Q1", "Q2", "Q3"}

func readDoubles(t testing.TB, path string) []float64 {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float64, len(raw)/8)
	for i := range out {
		out[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))
	}
	return out
}

// dataFolder is where the cases are; it skips the test where there are none.
func dataFolder(t testing.TB) string {
	t.Helper()
	home := os.Getenv("CCD_DATA")
	if home == "" {
		home = "../../../shared/data"
	}
	home = filepath.Join(home, "patch")
	if _, err := os.Stat(home); err != nil {
		t.Skipf("no data (CCD_DATA): %v", err)
	}
	return home
}

// readCases reads the cases of a kind, or skips the test where there is no data. Velocities become
// ends by one rounding.
func readCases(t testing.TB, kind string) []dataCase {
	t.Helper()
	home := dataFolder(t)
	f := dataKinds[kind]
	n := 3 * f.Points()
	x := readDoubles(t, filepath.Join(home, "cases_"+kind+".bin"))
	ans := readDoubles(t, filepath.Join(home, "answers_"+kind+".bin"))
	var out []dataCase
	for i := 0; i*4*n < len(x); i++ {
		q := x[4*n*i : 4*n*(i+1)]
		c := dataCase{toi: ans[8*i], gap: ans[8*i+6]}
		for k, p := range [2]**Patch{&c.a, &c.b} {
			x0, x1 := q[2*k*n:2*k*n+n], make([]float64, n)
			for j := range x1 {
				x1[j] = x0[j] + q[2*k*n+n+j]
			}
			var err error
			if *p, err = New(f, x0, x1, nil); err != nil {
				t.Fatal(err)
			}
		}
		out = append(out, c)
	}
	return out
}

// Hits and misses agree with the answers given, and times are not later than theirs plus their
// uncertainty: the time in which the two points that they report could have come together.
func TestDataAgrees(t *testing.T) {
	dataFolder(t)
	for _, kind := range dataNames {
		t.Run(kind, func(t *testing.T) {
			var s Solver
			o := DefaultOptions()
			for i, c := range readCases(t, kind) {
				var im Impact
				if err := s.Solve(c.a, c.b, &o, &im); err != nil {
					t.Fatal(err)
				}
				if (im.Verdict == geom.Contact) != (c.toi >= 0) {
					t.Errorf("case %d: %v, theirs %v", i, im.Verdict, c.toi)
				}
				if c.toi >= 0 && im.TOILo > c.toi+1e-5 {
					t.Errorf("case %d: %v, theirs %v", i, im.TOILo, c.toi)
				}
				if c.toi >= 0 && im.TOILo < c.toi-1e-4 {
					t.Logf("case %d: %v is early, theirs %v", i, im.TOILo, c.toi)
				}
				if im.Verdict == geom.Contact {
					a := c.a.At(im.UVA[0], im.UVA[1], im.TOIHi)
					b := c.b.At(im.UVB[0], im.UVB[1], im.TOIHi)
					if d := distance(a, b); d > 2e-6 {
						t.Errorf("case %d: the points are %v apart", i, d)
					}
				}
			}
		})
	}
}

// The shares of certified contacts after t=0 that docs/numerics.md gives for law 5, in parts of a
// hundred.
func TestCertifiedShares(t *testing.T) {
	for _, c := range []struct {
		tolerance float64
		least     [6]int // the least share, in percent, of each kind
		most      int    // the greatest share, in percent, of every kind
	}{{1e-6, [6]int{15, 97, 97, 90, 97, 97}, 100}, {1e-9, [6]int{15, 97, 97, 95, 97, 97}, 100}, {1e-12, [6]int{}, 10}} {
		for k, kind := range dataNames {
			var s Solver
			o := DefaultOptions()
			o.Tolerance = c.tolerance
			contacts, certified := 0, 0
			for _, q := range readCases(t, kind) {
				var im Impact
				if err := s.Solve(q.a, q.b, &o, &im); err != nil {
					t.Fatal(err)
				}
				if im.Verdict == geom.Contact && im.TOILo > 0 {
					contacts++
					if im.Flags&geom.Certified != 0 {
						certified++
					}
				}
			}
			if part := 100 * certified / contacts; part < c.least[k] || part > c.most {
				t.Errorf("%s at %v: %d of %d contacts are certified", kind, c.tolerance, certified, contacts)
			}
		}
	}
}

// cpu returns the processor time of this process in seconds: on a busy machine the only fair clock.
func cpu() float64 { return cputime.Process().Seconds() }

func benchmarkData(b *testing.B, kind string, tolerance float64) {
	cases := readCases(b, kind)
	var s Solver
	o := DefaultOptions()
	o.Tolerance = tolerance
	var work Work
	b.ResetTimer()
	from := cpu()
	for range b.N {
		for _, c := range cases {
			s.begin(c.a, c.b, &o).find()
			work.Checks += s.Work.Checks
			work.Directions += s.Work.Directions
			work.Evaluations += s.Work.Evaluations
			work.Exclusions += s.Work.Exclusions
		}
	}
	n := float64(b.N * len(cases))
	b.ReportMetric((cpu()-from)*1e6/n, "cpu-us/case")
	b.ReportMetric(float64(work.Checks)/n, "checks/case")
	b.ReportMetric(float64(work.Directions)/n, "dirs/case")
	b.ReportMetric(float64(work.Exclusions)/n, "excl/case")
	b.ReportMetric(float64(work.Evaluations)/n, "evals/case")
}

func BenchmarkData(b *testing.B) {
	for _, kind := range dataNames {
		b.Run(kind, func(b *testing.B) { benchmarkData(b, kind, 1e-6) })
	}
}

func BenchmarkDataFine(b *testing.B) {
	for _, kind := range dataNames {
		b.Run(kind, func(b *testing.B) { benchmarkData(b, kind, 1e-12) })
	}
}

package narrow

import (
	"encoding/csv"
	"math/big"
	"os"
	"path/filepath"
	"testing"

	"ccd/core/geom"
)

type truth struct {
	q   []float64
	hit bool
}

// handcrafted reads the handcrafted queries of a kind, or skips the test.
func handcrafted(t testing.TB, kind geom.Kind) (all []truth) {
	t.Helper()
	dir := os.Getenv("CCD_DATA")
	if dir == "" {
		dir = "../../../shared/data"
	}
	files, _ := filepath.Glob(filepath.Join(dir, "queries", "*", kind.String(), "*.csv"))
	if len(files) == 0 {
		t.Skipf("no handcrafted queries under %s (set CCD_DATA)", dir)
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(f).ReadAll()
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i+8 <= len(rows); i += 8 {
			x := truth{hit: rows[i][6] == "1"}
			for _, row := range rows[i : i+8] {
				for k := range 3 {
					r, ok := new(big.Rat).SetString(row[2*k] + "/" + row[2*k+1])
					if !ok {
						t.Fatalf("%s: row %d", name, i)
					}
					v, exact := r.Float64()
					if !exact {
						t.Fatalf("%s: row %d is no double", name, i)
					}
					x.q = append(x.q, v)
				}
			}
			all = append(all, x)
		}
	}
	return all
}

// TestHandcraftedNoFalseNegative: contact at d = 0 is contact with any separation, by every method.
func TestHandcraftedNoFalseNegative(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all handcrafted queries")
	}
	for _, kind := range []geom.Kind{geom.VertexFace, geom.EdgeEdge} {
		all := handcrafted(t, kind)
		for _, d := range []float64{0, 1e-8, 1e-3} {
			for _, m := range floatMethods {
				o := DefaultOptions()
				o.Method, o.MinSeparation = m, d
				o.MaxIterations = 20000
				s := NewSolver()
				hits, extra, undecided := 0, 0, 0
				var im geom.Impact
				for i, x := range all {
					s.Solve(kind, x.q, &o, &im)
					if x.hit {
						hits++
						if im.Verdict == geom.Separate {
							t.Errorf("%v %d, d=%g, method %d: false negative", kind, i, d, m)
						}
					} else if im.Verdict != geom.Separate {
						extra++
					}
					if im.Verdict == geom.Undecided {
						undecided++
					}
				}
				t.Logf("%v d=%g method %d: %d queries, %d contacts at d=0, %d more reported, %d undecided",
					kind, d, m, len(all), hits, extra, undecided)
			}
		}
	}
}

package box

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"unsafe"

	"ccd/simd/internal/checks"
)

func TestRowMapLayout(t *testing.T) {
	var m RowMap
	if unsafe.Offsetof(m.C) != 0 || unsafe.Offsetof(m.Scale) != 24 || unsafe.Offsetof(m.Grow) != 32 {
		t.Fatal("the generator has other offsets")
	}
}

// outward is the nearest double to a + b that is not below it; a and b are finite.
func outward(a, b float64) float64 {
	sum := new(big.Rat).Add(new(big.Rat).SetFloat64(a), new(big.Rat).SetFloat64(b))
	s, _ := sum.Float64()
	if new(big.Rat).SetFloat64(s).Cmp(sum) < 0 {
		s = math.Nextafter(s, math.Inf(1))
	}
	return s
}

// StepRows is its formula, written in other words, at each level.
func TestStepRowsFollowTheirFormula(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 45))
	for trial := range 60 {
		n := 1 + r.IntN(9)
		rec := make([]float64, 8*n)
		for v := range n {
			for _, k := range []int{0, 1, 2, 4, 5, 6} {
				rec[8*v+k] = (r.Float64() - 0.5) * math.Ldexp(1, r.IntN(80)-60)
				switch r.IntN(6) {
				case 0:
					rec[8*v+k] = math.Copysign(0, r.Float64()-0.5)
				case 1:
					rec[8*v+k] = math.Copysign(0x1p-1074, r.Float64()-0.5)
				}
			}
		}
		m := RowMap{Scale: math.Ldexp(1, r.IntN(30)-15), Grow: []float64{0, 0, 1e-3, 0x1p-1074, 3e7}[trial%5]}
		for k := range m.C {
			m.C[k] = []float64{0, r.Float64(), -1e5}[(trial+k)%3]
		}
		checks.AtLevels(t, func(level string) {
			rows := make([]float32, len(rec)+1)
			rows[len(rec)] = -7
			StepRows(rec, &m, rows[:len(rec)])
			want := make([]float32, len(rec))
			stepRowsGeneric(rec, &m, want)
			sameFloats(t, level, rows, want)
			for v := range n {
				for k := range 3 {
					lo, hi := math.Min(rec[8*v+k], rec[8*v+4+k]), math.Max(rec[8*v+k], rec[8*v+4+k])
					lo, hi = -outward(-lo, m.Grow), outward(hi, m.Grow)
					wantLo, wantHi := float32((lo-m.C[k])*m.Scale), float32((hi-m.C[k])*m.Scale)
					if rows[8*v+k] != wantLo || -rows[8*v+4+k] != wantHi {
						t.Fatalf("%s: row %v, want %v %v", level, rows[8*v:8*v+8], wantLo, wantHi)
					}
				}
				if rows[8*v+3] != 0 || rows[8*v+7] != 0 {
					t.Fatalf("%s: row %v", level, rows[8*v:8*v+8])
				}
			}
			for end := range 2 { // a box at one end is that of a step between equal ends
				still := make([]float64, len(rec))
				for i := range rec {
					still[i] = rec[i/8*8+4*end+i%4]
				}
				StepRows(still, &m, want)
				EndRows(rec, end, &m, rows[:len(rec)])
				sameFloats(t, level, rows, want)
			}
			if rows[len(rec)] != -7 {
				t.Fatalf("%s: written beyond the end", level)
			}
		})
	}
}

func BenchmarkStepRows(b *testing.B) {
	rec, rows := make([]float64, 8000), make([]float32, 8000)
	for i := range rec {
		rec[i] = math.Sin(float64(i))
	}
	for _, grow := range []float64{0, 1e-3} {
		m := RowMap{Scale: 1, Grow: grow}
		checks.AtLevels(b, func(level string) {
			b.Run(fmt.Sprintf("%v/%s", grow, level), func(b *testing.B) {
				for b.Loop() {
					StepRows(rec, &m, rows)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(1000*b.N), "ns/vertex")
			})
		})
	}
}

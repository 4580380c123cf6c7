package box

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/simd/internal/checks"
)

// Below says it of each two numbers, equal and extreme ones too.
func TestBelowComparesEachTwo(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 45))
	for trial := range 100 {
		blocks := 1 + r.IntN(10)
		ids := make([]int32, 8*blocks)
		for i := range ids {
			ids[i] = []int32{r.Int32N(100), r.Int32(), 0, -1, math.MaxInt32, math.MinInt32}[r.IntN(6)]
		}
		records := someRecords(r, r.IntN(50), blocks, blocks)
		checks.AtLevels(t, func(level string) {
			out := make([]uint64, len(records)+1)
			out[len(records)] = 7
			Below(records, ids, out)
			for k, rec := range records {
				for bit := range 64 {
					less := ids[8*int(rec.A)+bit/8] < ids[8*int(rec.B)+bit%8]
					if less != (out[k]>>bit&1 != 0) {
						t.Fatalf("%s, trial %d: bit %d of record %d is %v", level, trial, bit, k, !less)
					}
				}
			}
			if out[len(records)] != 7 {
				t.Fatalf("%s: written beyond the end", level)
			}
		})
	}
}

// WriteRow writes the numbers of the bits of a row, and nothing where out is full.
func TestWriteRowWritesEachBit(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 45))
	for trial := range 300 {
		rows := make([][64]uint64, r.IntN(5))
		second := make([]int32, 64*len(rows))
		for i := range second {
			second[i] = r.Int32()
		}
		row, first := r.IntN(64), r.Int32()
		var want [][2]int32
		for w := range rows {
			for i := range rows[w] {
				rows[w][i] = []uint64{0, ^uint64(0), r.Uint64(), r.Uint64() & r.Uint64() & r.Uint64()}[r.IntN(4)]
			}
			for k := range 64 {
				if rows[w][row]>>k&1 != 0 {
					want = append(want, [2]int32{first, second[64*w+k]})
				}
			}
		}
		if trial%3 == 0 { // The output is full before the end.
			want = want[:r.IntN(len(want)+1)]
		}
		checks.AtLevels(t, func(level string) {
			checkRow(t, level, rows, row, second, first, want)
			checkRow(t, level, rows, row, second, int64(first)<<20, widened(want, int64(first)<<20))
		})
	}
}

func widened(list [][2]int32, first int64) [][2]int64 {
	out := make([][2]int64, len(list))
	for i, x := range list {
		out[i] = [2]int64{first, int64(x[1])}
	}
	return out
}

func checkRow[T int32 | int64](t *testing.T, level string, rows [][64]uint64, row int, second []int32, first T,
	want [][2]T) {
	t.Helper()
	out := make([][2]T, len(want)+1)
	out[len(want)] = [2]T{-7, -7}
	n := WriteRow(rows, row, second, first, out[:len(want)])
	if n != len(want) || !slices.Equal(out[:n], want) || out[n] != [2]T{-7, -7} {
		t.Fatalf("%s: %v, want %v", level, out[:n], want)
	}
}

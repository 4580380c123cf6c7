package box

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"ccd/simd/internal/checks"
)

// someRecords draws n records of blocks below the given numbers of blocks, with masks that are
// empty, full, or have few or many bits.
func someRecords(r *rand.Rand, n, a, b int) []Record {
	list := make([]Record, n)
	for k := range list {
		list[k] = Record{A: int32(r.IntN(a)), B: int32(r.IntN(b)), Mask: r.Uint64()}
		switch r.IntN(8) {
		case 0:
			list[k].Mask = 0
		case 1:
			list[k].Mask = ^uint64(0)
		case 2, 3, 4, 5:
			list[k].Mask &= r.Uint64() & r.Uint64() & r.Uint64()
		}
	}
	return list
}

// Expand writes the pairs of the bits, and stops where another record might not fit.
func TestExpandWritesEachBit(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 45))
	if unsafe.Sizeof(Record{}) != 16 || unsafe.Offsetof(Record{}.Mask) != 8 {
		t.Fatal("the generator has other offsets")
	}
	stopped := 0
	for trial := range 200 {
		a, b := r.Perm(8*(1+r.IntN(20))), r.Perm(8*(1+r.IntN(20)))
		ida, idb := make([]int32, len(a)), make([]int32, len(b))
		for i, x := range a {
			ida[i] = int32(x)
		}
		for i, x := range b {
			idb[i] = int32(x)
		}
		records := someRecords(r, r.IntN(120), len(a)/8, len(b)/8)
		room, sort := []int{71, 72, 100, 500, 10000}[trial%5], trial%2 == 0
		var want [][2]int32
		read := 0
		for ; read < len(records) && len(want)+72 <= room; read++ {
			for bit := range 64 {
				if records[read].Mask>>bit&1 == 0 {
					continue
				}
				x, y := ida[8*int(records[read].A)+bit/8], idb[8*int(records[read].B)+bit%8]
				if sort {
					x, y = min(x, y), max(x, y)
				}
				want = append(want, [2]int32{x, y})
			}
		}
		if read < len(records) {
			stopped++
		}
		checks.AtLevels(t, func(level string) {
			out := make([][2]int32, room+1)
			out[room] = [2]int32{-7, -7}
			gotRead, n := Expand(records, ida, idb, sort, out[:room])
			if gotRead != read || !slices.Equal(out[:n], want) || out[room] != [2]int32{-7, -7} {
				t.Fatalf("%s: %d pairs of %d records, want %d of %d", level, n, gotRead, len(want), read)
			}
		})
	}
	if stopped < 50 {
		t.Errorf("only %d outputs were full", stopped)
	}
}

func BenchmarkExpand(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 45))
	records := someRecords(r, 1000, 100, 100)
	for k := range records {
		records[k].Mask = r.Uint64() & r.Uint64() & r.Uint64() // 8 pairs a record
	}
	ids, out := make([]int32, 800), make([][2]int32, 64*1001)
	checks.AtLevels(b, func(level string) {
		b.Run(fmt.Sprint(level), func(b *testing.B) {
			pairs := 0
			for b.Loop() {
				_, n := Expand(records, ids, ids, true, out)
				pairs += n
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(pairs), "ns/pair")
		})
	})
}

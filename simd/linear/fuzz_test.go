package linear

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"ccd/simd/internal/checks"
	"ccd/simd/internal/level"
)

// FuzzKernels: all levels agree on any query, what the resolver proves holds over rationals, and
// what it proves to touch is culled by no other kernel.
func FuzzKernels(f *testing.F) {
	unit := make([]byte, 0, 256)
	for _, x := range []float64{0, 0, 1, 0, 0, 0, -1, 0, -1, -1, 0, 0, -1, -1, 0, 0, 1, -1, 0, 0, 1, -1, 0, 0, 0, 1, 0,
		0, 0, 1, 0, 0} {
		unit = binary.LittleEndian.AppendUint64(unit, math.Float64bits(x))
	}
	f.Add(unit, 1.0, 0.0)
	f.Add(unit, 0.7, 0.25)
	f.Add(unit[:200], 0x1p-1000, 0x1p-1074)
	f.Fuzz(func(t *testing.T, data []byte, tmax, sep float64) {
		rec, ok := records(data)
		if !ok || !(tmax >= 0 && tmax <= 1 && sep >= 0 && sep <= 1e150) {
			t.Skip()
		}
		for _, face := range []bool{true, false} {
			fuzzKernels(t, rec, tmax, sep, face)
		}
	})
}

// records reads four vertices; bytes that are no coordinate make no case.
func records(data []byte) ([]float64, bool) {
	rec := make([]float64, 32)
	for i := range rec {
		if 8*i+8 <= len(data) && i%4 != 3 {
			rec[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
		}
		if !(math.Abs(rec[i]) <= 1e150) {
			return nil, false
		}
	}
	return rec, true
}

func fuzzKernels(t *testing.T, rec []float64, tmax, sep float64, face bool) {
	kind := 1
	if face {
		kind = 0
	}
	idx := [][4]int32{{0, 1, 2, 3}}
	type answer struct {
		axis, filter, pieces int
		mask                 uint8
		toi                  [8]float64
		state                [8]uint8
	}
	run := func() (a answer) {
		out, mask, list := []int32{0}, []uint8{0}, []int32{0}
		a.axis = axisCulls[kind].fast(rec, idx, sep, out)
		a.filter = filters[kind].fast(rec, idx, list, tmax, sep, out)
		a.pieces = piecesOf[kind].fast(rec, idx, list, tmax, sep, out, mask)
		a.mask = mask[0]
		if a.pieces == 0 {
			a.mask = 0
		}
		rootsOf[kind].fast(rec, idx, make([]int32, 8), []uint8{0, 1, 2, 3, 4, 5, 6, 7}, tmax, a.toi[:], a.state[:])
		return a
	}
	var all []answer
	checks.AtLevels(t, func(string) { all = append(all, run()) })
	for i := range all {
		if all[i] != all[0] {
			t.Fatalf("face %v: %s gives %+v, generic %+v", face, level.Names[i], all[i], all[0])
		}
	}
	a, ends := all[0], TimePieceEnds(tmax)
	for k, s := range a.state {
		if s == RootUndecided {
			continue
		}
		if err := checkRoot(rec, idx[0], face, ends[k], ends[k+1], a.toi[k], s); err != nil {
			t.Fatalf("face %v, piece %d of %g: %v", face, k, tmax, err)
		}
		if s == RootContact && (a.axis == 0 || a.pieces == 0 || a.mask>>k&1 == 0) {
			t.Fatalf("face %v: contact at %v, but %+v", face, a.toi[k], a)
		}
	}
	if i := slices.Index(a.state[:], RootContact); i >= 0 && a.toi[i] < tmax && a.filter == 0 {
		t.Fatalf("face %v: contact at %v before %v, but %+v", face, a.toi[i], tmax, a)
	}
}

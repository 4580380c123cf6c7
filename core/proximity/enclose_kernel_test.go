package proximity

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/simd"
)

// checkKernel holds the kernel's enclosure of a pair, at every level, against the oracle and the
// scalar stage. It reports whether there is one.
func checkKernel(t testing.TB, w *worker, k geom.Kind, x []float64) bool {
	var mo geom.Trajectories
	if err := mo.Load(x[:12], x[:12]); err != nil {
		t.Fatal(err)
	}
	single := enclosed(w, k, x)
	for _, level := range simd.Levels() {
		restore, err := simd.Force(level)
		if err != nil {
			t.Fatal(err)
		}
		var rows kernel.Enclosures
		kernel.Enclose(k, &mo, [][4]int32{{0, 1, 2, 3}}, []int32{0}, &rows)
		restore()
		lo := rows[kernel.EncloseLo][0]
		if lo == -1 {
			return false
		}
		n := NearPair{Kind: k, Lo: lo, Hi: rows[kernel.EncloseHi][0], U: rows[kernel.EncloseU][0],
			V: rows[kernel.EncloseV][0]}
		copy(w.query[:], x)
		n.place(w.points())
		if err := broken(k, x, &n); err != nil {
			t.Fatalf("%s, %v, %v: %v", level, k, x, err)
		}
		if bitsOf(&n) != bitsOf(&single) {
			t.Fatalf("%s, %v, %v: [%v, %v] at (%v, %v), want [%v, %v] at (%v, %v)",
				level, k, x, n.Lo, n.Hi, n.U, n.V, single.Lo, single.Hi, single.U, single.V)
		}
	}
	return true
}

// bits are those of an enclosure, so that zeros of both signs differ.
func bitsOf(n *NearPair) (b [4]uint64) {
	for i, x := range []float64{n.Lo, n.Hi, n.U, n.V} {
		b[i] = math.Float64bits(x)
	}
	return b
}

func TestEncloseKernelIsAProof(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	w := new(worker)
	n := 150
	if testing.Short() {
		n = 40
	}
	for _, f := range families {
		for _, k := range kinds[:2] {
			found := 0
			for range n {
				if checkKernel(t, w, k, f.make(r, 4)) {
					found++
				}
			}
			t.Logf("%s, %v: %d of %d enclosed", f.name, k, found, n)
			if f.name == "generic" && found < n*9/10 {
				t.Errorf("%s, %v: %d of %d enclosed", f.name, k, found, n)
			}
		}
	}
}

// FuzzEncloseKernel: the kernel's enclosures hold the oracle's distance, and have the bits of the
// scalar stage.
func FuzzEncloseKernel(f *testing.F) {
	r := rand.New(rand.NewPCG(61, 63))
	for i, fam := range families {
		f.Add(ccdtest.Pack(fam.make(r, 4)), i%2 == 0)
		f.Add(ccdtest.Pack(fam.make(r, 4)), i%2 == 1)
	}
	w := new(worker)
	f.Fuzz(func(t *testing.T, raw []byte, face bool) {
		x, ok := coordinates(raw, 4)
		if !ok {
			return
		}
		k := geom.EdgeEdge
		if face {
			k = geom.VertexFace
		}
		checkKernel(t, w, k, x)
	})
}

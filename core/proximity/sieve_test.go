package proximity

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/mesh"
	"ccd/core/reference/oracle"
	"ccd/simd"
)

// leftOut returns the kernel's answer for one pair: whether it is proven to be farther apart
// than d.
func leftOut(t testing.TB, k geom.Kind, x []float64, d float64) bool {
	var mo geom.Trajectories
	if err := mo.Load(x[:12], x[:12]); err != nil {
		t.Fatal(err)
	}
	var out [1]int32
	return kernel.Near(k, &mo, [][4]int32{{0, 1, 2, 3}}, d, out[:]) == 0
}

// checkSieve holds what the kernel leaves out against the oracle, and against the enclosure of the
// distance.
func checkSieve(t testing.TB, w *worker, k geom.Kind, x []float64, d float64) (out bool) {
	for i, level := range simd.Levels() {
		restore, err := simd.Force(level)
		if err != nil {
			t.Fatal(err)
		}
		got := leftOut(t, k, x, d)
		if restore(); i > 0 && got != out {
			t.Fatalf("%v beyond %v: %v with %s: %v", k, d, got, level, x)
		}
		out = got
	}
	if !out {
		return false
	}
	far := new(big.Rat).SetFloat64(d) // d (1 + 2^-21)
	far.Add(far, new(big.Rat).Mul(far, big.NewRat(1, 1<<21)))
	if truth := oracle.Distance(k, x); truth.Squared.Cmp(far.Mul(far, far)) <= 0 {
		t.Fatalf("%v left out at %v, but its distance squared is %v: %v", k, d, truth.Squared.FloatString(40), x)
	}
	if n := enclosed(w, k, x); !(n.Lo > d) {
		t.Fatalf("%v left out at %v, but it is in [%v, %v]: %v", k, d, n.Lo, n.Hi, x)
	}
	return true
}

// Bounds about the distance itself, a little more and a little less, and any.
func TestSieveIsAProof(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 1))
	w := new(worker)
	n := 60
	if testing.Short() {
		n = 20
	}
	for _, f := range families {
		out, beyond := 0, 0
		for range n {
			for _, k := range kinds[:2] {
				x := f.make(r, 4)
				at := enclosed(w, k, x)
				for _, d := range []float64{0, at.Lo / 2, at.Lo * (1 - 0x1p-19), at.Lo * (1 - 0x1p-20),
					at.Lo * (1 - 0x1p-21), at.Lo, at.Hi, 2 * at.Hi} {
					if d <= 1e150 && checkSieve(t, w, k, x, d) {
						out++
					}
				}
				if at.Lo > 0 {
					beyond += 3
				}
			}
		}
		t.Logf("%s: %d left out, of %d that may be", f.name, out, beyond)
		if f.name == "generic" && out < beyond/4 {
			t.Errorf("%s: %d left out, of %d that may be", f.name, out, beyond)
		}
	}
}

// Near has the pairs that it has without the sieve, brute force's, also where the distance is that
// of a pair.
func TestSieveChangesNoResult(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 2))
	for trial := range 12 {
		height := []float64{0.3, 1e-9, 0}[trial%3]
		faces, x := sheet(9, func(int, int) float64 { return height * r.NormFloat64() })
		m, err := mesh.New(len(x)/3, nil, faces)
		if err != nil {
			t.Fatal(err)
		}
		if trial%2 == 1 {
			thickness(t, r, m, x)
		}
		all, err := Near(m, x, 1.5, &Options{BruteForce: true})
		if err != nil || len(all) < 100 {
			t.Fatalf("%d pairs, %v", len(all), err)
		}
		for range 8 {
			d := all[r.IntN(len(all))].Lo
			d *= 1 + float64(r.IntN(5)-2)*0x1p-22
			want, err := Near(m, x, d, &Options{BruteForce: true})
			if err != nil {
				t.Fatal(err)
			}
			got, err := Near(m, x, d, nil)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("trial %d: %d pairs within %v, %v; want %d", trial, len(got), d, err, len(want))
			}
		}
	}
}

// FuzzSieve: what the kernel leaves out is farther apart than the bound.
func FuzzSieve(f *testing.F) {
	r := rand.New(rand.NewPCG(23, 3))
	for i, fam := range families {
		f.Add(ccdtest.Pack(fam.make(r, 4)), i%2 == 0, 0.25)
		f.Add(ccdtest.Pack(fam.make(r, 4)), i%2 == 1, 0.0)
	}
	w := new(worker)
	f.Fuzz(func(t *testing.T, raw []byte, face bool, part float64) {
		x, ok := coordinates(raw, 4)
		if !ok || !(part >= 0 && part <= 2) {
			return
		}
		k := geom.EdgeEdge
		if face {
			k = geom.VertexFace
		}
		n := enclosed(w, k, x)
		for _, d := range []float64{part, n.Lo * part, n.Lo, n.Lo * (1 - 0x1p-20)} {
			if d <= 1e150 && !math.IsNaN(d) {
				checkSieve(t, w, k, x, d)
			}
		}
	})
}

package exact

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/reference/oracle"
)

// leftOutInPlane reports whether the stage InPlane drops a pair of points in a motion.
func leftOutInPlane(t testing.TB, kind geom.Kind, q []float64, tMax, sep float64) bool {
	var mo geom.Trajectories
	if err := mo.Load(q[:12], q[12:]); err != nil {
		t.Fatal(err)
	}
	out := kernel.Survivors{List: make([]int32, 1), TimePieces: make([]uint8, 1)}
	kernel.CPU.Filter(&kernel.Batch{Kind: kind, Step: &mo, Index: [][4]int32{{0, 1, 2, 3}}, TMax: tMax, Separation: sep,
		Stages: kernel.InPlane}, &out)
	return out.N == 0
}

// coplanar returns a query whose points stay in one plane, or nearly: many touch, in a point or at
// an end, and many just miss.
func coplanar(r *rand.Rand, n int) (kind geom.Kind, q []float64) {
	kind, q = []geom.Kind{geom.VertexFace, geom.EdgeEdge}[n%2], make([]float64, 24)
	u, v := [3]float64{1, 0, 0}, [3]float64{0, 1, 0}
	if n/2%2 == 1 { // a tilted plane
		for k := range 3 {
			u[k], v[k] = r.NormFloat64(), r.NormFloat64()
		}
	}
	var x, y [4]float64
	for i := range 4 {
		x[i], y[i] = float64(r.IntN(5))/4, float64(r.IntN(5))/4
	}
	if n/4%3 == 0 { // parallel edges
		x[3], y[3] = x[2]+x[1]-x[0], y[2]+y[1]-y[0]
	}
	shift := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
	grow := []float64{1, 1, 0.5, 1.25}[n/12%4]
	for i := range 4 {
		nudge := []float64{0, 0x1p-52, -0x1p-50}[r.IntN(3)]
		for k := range 3 {
			p := float64(x[i]*u[k]) + float64(y[i]*v[k])
			q[3*i+k], q[12+3*i+k] = p+nudge, float64(p*grow)+shift[k]
		}
	}
	return kind, q
}

// What the stage InPlane drops does not touch, by the oracle, also where it touches an end by a
// hair; with a separation it stays farther apart in the max norm.
func TestInPlaneIsAProof(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 7))
	dropped, apart := 0, 0
	for n := range 4000 {
		kind, q := coplanar(r, n)
		truth := oracle.Contact(kind, q)
		if truth.Verdict != geom.Contact {
			apart++
		}
		if leftOutInPlane(t, kind, q, 1, 0) {
			if dropped++; truth.Verdict == geom.Contact {
				t.Fatalf("%v dropped, but it touches at %v: %v", kind, truth.TOILo, q)
			}
		}
		if n%8 == 0 {
			sep := math.Ldexp(1, -r.IntN(6))
			if leftOutInPlane(t, kind, q, 1, sep) && oracle.Separation(kind, q, sep, 1).Contact {
				t.Fatalf("%v dropped at the separation %v: %v", kind, sep, q)
			}
		}
	}
	t.Logf("%d dropped of %d apart", dropped, apart)
	if dropped < apart/3 {
		t.Errorf("%d dropped of %d apart: the test shows too little", dropped, apart)
	}
}

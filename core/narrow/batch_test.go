package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
)

// TestBatchHasTheBitsOfSolve compares a batch with single calls, for every method, kind and size of
// coordinates.
func TestBatchHasTheBitsOfSolve(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, e := range []int{0, 290, -290} {
		for m := Default; m <= Exact; m++ {
			for _, d := range []float64{0, 0.125} {
				for kind := geom.VertexFace; kind <= geom.PointPoint; kind++ {
					compareBatch(t, r, kind,
						Options{Method: m, MinSeparation: math.Ldexp(d, e), Tolerance: math.Ldexp(0.01, e), TMax: 1,
							MaxIterations: 500}, e)
				}
			}
		}
	}
}

// meetingBatch makes n pairs of a kind that often meet, scaled by 2^e, each with vertices of its
// own.
func meetingBatch(t *testing.T, r *rand.Rand, kind geom.Kind, n, e int) (*geom.Trajectories, [][4]int32) {
	t.Helper()
	k := kind.Points()
	var x0, x1 []float64
	idx := make([][4]int32, n)
	for i := range idx {
		q := meetingQuery(r, kind)
		for j := range q {
			q[j] = math.Ldexp(q[j], e)
		}
		x0, x1 = append(x0, q[:3*k]...), append(x1, q[3*k:]...)
		for j := range k {
			idx[i][j] = int32(i*k + j)
		}
	}
	mo, err := geom.NewTrajectories(x0, x1)
	if err != nil {
		t.Fatal(err)
	}
	return mo, idx
}

func compareBatch(t *testing.T, r *rand.Rand, kind geom.Kind, o Options, e int) {
	t.Helper()
	n := 1500
	if testing.Short() {
		n = 400
	}
	mo, idx := meetingBatch(t, r, kind, n, e)
	want := map[int]geom.Impact{}
	single := NewSolver()
	for i := range idx {
		var q [24]float64
		mo.Query(kind, &idx[i], &q)
		var im geom.Impact
		if single.Solve(kind, q[:kind.Len()], &o, &im); im.Verdict != geom.Separate {
			want[i] = im
		}
	}
	last := -1
	NewSolver().Batch(kind, mo, idx, &o, func(i int, im *geom.Impact) {
		if i <= last || want[i] != *im {
			t.Fatalf("%v %+v: query %d after %d\nbatch  %+v\nsingle %+v", kind, o, i, last, *im, want[i])
		}
		last = i
		delete(want, i)
	})
	if len(want) != 0 {
		t.Fatalf("%v %+v: batch misses %d", kind, o, len(want))
	}
}

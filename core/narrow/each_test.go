package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
)

// separations returns the separations of a batch: a few values, values of any size, or one; 0 among
// them.
func separations(r *rand.Rand, n, how int, unit float64) []float64 {
	d := make([]float64, n)
	for i := range d {
		switch how {
		case 0:
			d[i] = []float64{0, 0.125, 0.25, 1}[r.IntN(4)] * unit
		case 1:
			d[i] = math.Ldexp(r.Float64(), -r.IntN(20)) * unit
		case 2:
			d[i] = 0.125 * unit
		case 3:
			d[i] = []float64{0, 0x1p-60, 0.5 * r.Float64()}[r.IntN(3)] * unit
		}
	}
	return d
}

// A batch whose pairs have separations of their own has the bits of single calls, each with its
// own, for every method, norm and kind.
func TestUntilEachHasTheBitsOfSolve(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 17))
	n := 0
	for _, e := range []int{0, 290, -290} {
		for m := Default; m <= Exact; m++ {
			for _, flags := range []uint32{0, MaxNorm, NoZeroTOI} {
				for kind := geom.VertexFace; kind <= geom.PointPoint; kind++ {
					for how := range 4 {
						if n++; !long.On() && n%3 > 0 { // each third of all combinations
							continue
						}
						o := Options{Method: m, Flags: flags, Tolerance: math.Ldexp(0.01, e), TMax: 1,
							MaxIterations: 500}
						compareEach(t, r, kind, o, e, how)
					}
				}
			}
		}
	}
}

func compareEach(t *testing.T, r *rand.Rand, kind geom.Kind, o Options, e, how int) {
	t.Helper()
	n := []int{1200, 300}[min(1, int(o.Flags))]
	if testing.Short() {
		n /= 4
	}
	mo, idx := meetingBatch(t, r, kind, n, e)
	d := separations(r, n, how, math.Ldexp(1, e))
	want := map[int]geom.Impact{}
	single := NewSolver()
	for i := range idx {
		var q [24]float64
		mo.Query(kind, &idx[i], &q)
		var im geom.Impact
		one := o
		one.MinSeparation = d[i]
		if single.Solve(kind, q[:kind.Len()], &one, &im); im.Verdict != geom.Separate {
			want[i] = im
		}
	}
	tMax := o.TMax
	NewSolver().UntilEach(kind, mo, idx, d, &o, &tMax, func(i int, im *geom.Impact) {
		if want[i] != *im {
			t.Fatalf("%v %+v: query %d, separation %v\nbatch  %+v\nsingle %+v", kind, o, i, d[i], *im, want[i])
		}
		delete(want, i)
	})
	if len(want) != 0 {
		t.Fatalf("%v %+v: batch misses %d", kind, o, len(want))
	}
}

// After its first batch, a solver allocates nothing for a query: as much for a few as for many.
func TestUntilEachAllocatesNothingForAQuery(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 17))
	const n = 1000
	var x0, x1 []float64
	idx := make([][4]int32, n)
	for i := range idx {
		q := meetingQuery(r, geom.EdgeEdge)
		x0, x1 = append(x0, q[:12]...), append(x1, q[12:]...)
		idx[i] = [4]int32{int32(4 * i), int32(4*i + 1), int32(4*i + 2), int32(4*i + 3)}
	}
	mo, err := geom.NewTrajectories(x0, x1)
	if err != nil {
		t.Fatal(err)
	}
	d := separations(r, n, 0, 0x1p-20)
	s, o := NewSolver(), DefaultOptions()
	found := 0
	run := func(n int) func() {
		return func() {
			tMax := 1.0
			s.UntilEach(geom.EdgeEdge, mo, idx[:n], d, &o, &tMax, func(int, *geom.Impact) { found++ })
		}
	}
	run(n)()
	if few, many := testing.AllocsPerRun(20, run(50)), testing.AllocsPerRun(20, run(n)); few != many || found == 0 {
		t.Errorf("%v allocations for 50 queries, %v for %d; %d contacts", few, many, n, found)
	}
}

package narrow

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ccd/core/engine"
	"ccd/core/geom"
)

// A batch has the bits of the single calls, with one separation for all and with one for each; so
// have queries on several threads.
func TestBatchIntervalsHaveTheBitsOfIntervals(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 8))
	several := 0
	for _, o := range []Options{{TMax: 1}, {TMax: 1, MinSeparation: 0.125},
		{TMax: 1, MinSeparation: 0.125, Flags: MaxNorm}} {
		for kind := geom.VertexFace; kind <= geom.PointPoint; kind++ {
			several += compareIntervals(t, r, kind, o)
		}
	}
	if several == 0 {
		t.Error("no query has several intervals")
	}
}

func compareIntervals(t *testing.T, r *rand.Rand, kind geom.Kind, o Options) (several int) {
	t.Helper()
	const n = 1500
	k := kind.Points()
	d := o.MinSeparation
	var x0, x1, all, each []float64
	idx := make([][4]int32, n)
	for i := range idx {
		q := meetingQuery(r, kind)
		all = append(all, q...)
		x0, x1 = append(x0, q[:3*k]...), append(x1, q[3*k:]...)
		each = append(each, d*float64(i%5))
		for j := range k {
			idx[i][j] = int32(i*k + j)
		}
	}
	mo, err := geom.NewTrajectories(x0, x1)
	if err != nil {
		t.Fatal(err)
	}
	for _, separations := range [][]float64{nil, each} {
		want := make([][]geom.Interval, n)
		single := NewSolver()
		for i := range idx {
			one := o
			if separations != nil {
				one.MinSeparation = separations[i]
			}
			want[i] = single.Intervals(kind, all[i*kind.Len():(i+1)*kind.Len()], &one, nil)
			several += max(0, len(want[i])-1)
		}
		got := make([][]geom.Interval, n)
		NewSolver().BatchIntervals(kind, mo, idx, separations, &o, func(i int, list []geom.Interval) {
			got[i] = slices.Clone(list)
		})
		for i := range idx {
			if !slices.Equal(got[i], want[i]) {
				t.Fatalf("%v, d = %v, query %d: %+v in a batch, %+v alone", kind, d, i, got[i], want[i])
			}
		}
		if separations != nil {
			continue
		}
		list, err := QueryIntervals(kind, all, &o, &engine.CallOptions{Threads: 3})
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			for j := range want[i] {
				want[i][j].A = int64(i)
			}
		}
		if !slices.Equal(list, slices.Concat(want...)) {
			t.Fatalf("%v, d = %v: the list of queries differs", kind, d)
		}
	}
	return several
}

func TestQueryIntervalsRefuse(t *testing.T) {
	q := make([]float64, 36)
	q[30] = math.NaN()
	_, err := QueryIntervals(geom.PointPoint, q, &Options{TMax: 1}, &engine.CallOptions{})
	if err == nil || !strings.Contains(err.Error(), "query 2: q[6]") {
		t.Errorf("got %v", err)
	}
	for _, o := range []Options{{Method: TightInclusion}, {Flags: ApartAtTOI}} {
		if o.HasIntervals() == nil {
			t.Errorf("%+v is not refused", o)
		}
	}
}

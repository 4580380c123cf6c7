package exact

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
	kernels "ccd/simd/linear"
)

// What the filter in single precision drops does not touch: queries that touch or miss by 2^-18 to
// 2^-30 of their size, about the precision of float32, at a time before the end or just after it,
// near the origin and far from it, decided by integers.
func TestFilter32IsAProof(t *testing.T) {
	n := 60000
	if testing.Short() {
		n = 10000
	}
	r := rand.New(rand.NewPCG(32, 23))
	solver, dropped, touching := new(Resolver), 0, 0
	for i := range n {
		kind := []geom.Kind{geom.VertexFace, geom.EdgeEdge}[i%2]
		far := []float64{0, 1, 1000}[r.IntN(3)]
		var q [24]float64
		for k := range q {
			q[k] = far + 2*r.Float64() - 1
		}
		tmax, miss := 1.0, math.Ldexp(2*r.Float64()-1, -18-r.IntN(13))
		if r.IntN(3) > 0 {
			tmax = r.Float64()
		}
		if r.IntN(4) == 0 {
			miss = 0
		}
		tau, u, v := tmax*(1+math.Ldexp(1.5*r.Float64()-0.5, -r.IntN(30))), r.Float64(), r.Float64()
		if kind == geom.VertexFace && u+v > 1 {
			u, v = 1-u, 1-v
		}
		if r.IntN(3) == 0 {
			u = math.Round(u)
		}
		for k := range 3 { // the first point meets the others at the time tau, but for miss
			at := func(p int) float64 { return q[3*p+k] + tau*(q[12+3*p+k]-q[3*p+k]) }
			x := at(1) + u*(at(2)-at(1)) + v*(at(3)-at(1))
			if kind == geom.EdgeEdge { // (1-u) a0 + u a1 = b0 + v (b1 - b0)
				u := 0.9 * u
				x = (at(2) + v*(at(3)-at(2)) - u*at(1)) / (1 - u)
			}
			q[12+k] = q[k] + (x+miss-q[k])/max(tau, 0.01)
		}
		motion, err := geom.NewTrajectories(q[:12], q[12:])
		if err != nil {
			t.Fatal(err)
		}
		filter := map[geom.Kind]func([]float64, [][4]int32, []int32, float64, float64, []int32) int{
			geom.VertexFace: kernels.Filter32VF, geom.EdgeEdge: kernels.Filter32EE,
		}[kind]
		out := []int32{0}
		left := filter(motion.Rec, [][4]int32{{0, 1, 2, 3}}, []int32{0}, tmax, 0, out)
		var im geom.Impact
		solver.Resolve(kind, q[:], tmax, &im)
		if im.Verdict != geom.Separate {
			touching++
		}
		if left == 0 {
			dropped++
			if im.Verdict != geom.Separate {
				t.Fatalf("%v %v until %v touches at %v and is dropped", kind, q, tmax, im.TOILo)
			}
		}
	}
	t.Logf("%d queries, %d touch, %d dropped", n, touching, dropped)
	if touching < n/10 || dropped < n/10 {
		t.Errorf("%d queries: %d touch, %d are dropped: the test shows too little", n, touching, dropped)
	}
}

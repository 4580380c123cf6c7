package exact

import (
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/reference/oracle"
)

// coplanarScene draws points of a lattice in a plane, or nearly in one, and edges and faces of them
// without a common vertex.
func coplanarScene(r *rand.Rand, n int) (mo geom.Trajectories, edges [][2]int32, faces [][3]int32,
	pairs [][2]int32, err error) {
	const points = 24
	u, v := [3]float64{1, 0, 0}, [3]float64{0, 1, 0}
	if n%2 == 1 {
		for k := range 3 {
			u[k], v[k] = r.NormFloat64(), r.NormFloat64()
		}
	}
	scale, nudge := []float64{1, 1, 1, 1, 0x1p-200, 1e140}[n/2%6], []float64{0, 0, 0x1p-51, 0x1p-30}[n/3%4]
	x := make([]float64, 3*points)
	for i := range points {
		a, b := float64(r.IntN(7)), float64(r.IntN(7))
		for k := range 3 {
			x[3*i+k] = scale * (float64(a*u[k]) + float64(b*v[k]) + float64(nudge*r.NormFloat64()))
		}
	}
	if err = mo.Load(x, x); err != nil {
		return
	}
	for range 12 {
		p := r.Perm(points)
		edges = append(edges, [2]int32{int32(p[0]), int32(p[1])})
		faces = append(faces, [3]int32{int32(p[2]), int32(p[3]), int32(p[4])})
	}
	for i, e := range edges {
		for j, f := range faces {
			if e[0] != f[0] && e[0] != f[1] && e[0] != f[2] && e[1] != f[0] && e[1] != f[1] && e[1] != f[2] {
				pairs = append(pairs, [2]int32{int32(i), int32(j)})
			}
		}
	}
	return
}

// EachCrossing finds exactly the edges and faces that share a point, by the oracle, in their order,
// also where whole groups of them lie in one plane; most that do not are dropped by kernels.
func TestCrossingsInOnePlane(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 8))
	undecided, dropped, crossing := 0, 0, 0
	scenes := long.Part(24, 2)
	for n := range scenes {
		mo, edges, faces, pairs, err := coplanarScene(r, n)
		if err != nil {
			t.Fatal(err)
		}
		var want, got []int
		for i, p := range pairs {
			var q [15]float64
			mo.EdgeAndFace(&edges[p[0]], &faces[p[1]], &q)
			if oracle.Crossing(q[:]) {
				want = append(want, i)
			}
		}
		var s Resolver
		s.EachCrossing(&mo, edges, faces, pairs, nil, func(i int, _ bool) bool {
			got = append(got, i)
			return true
		})
		if len(got) != len(want) {
			t.Fatalf("scene %d: %d cross, the oracle says %d", n, len(got), len(want))
		}
		for k := range want {
			if got[k] != want[k] {
				t.Fatalf("scene %d: pair %d is found, the oracle says %d", n, got[k], want[k])
			}
		}
		crossing += len(want)
		part := pairs[:min(block, len(pairs))]
		left := make([]int32, len(part))
		left = left[:kernel.Crossings(&mo, edges, faces, part, left)]
		undecided += len(left)
		dropped += len(left) - len(s.runs.dropApart(&mo, edges, faces, part, left))
	}
	t.Logf("%d undecided, %d of them dropped; %d cross", undecided, dropped, crossing)
	if dropped < undecided/5 || crossing < 500*scenes/24 {
		t.Errorf("%d undecided, %d of them dropped; %d cross: the test shows too little", undecided, dropped, crossing)
	}
}

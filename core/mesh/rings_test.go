package mesh

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/geom"
)

// steps returns the least number of edges from each vertex to each other, by Floyd and Warshall.
func steps(m *Mesh) [][]int {
	d := make([][]int, m.NV)
	for i := range d {
		d[i] = slices.Repeat([]int{1 << 20}, m.NV)
		d[i][i] = 0
	}
	for _, e := range m.Edges {
		d[e[0]][e[1]], d[e[1]][e[0]] = 1, 1
	}
	for k := range d {
		for i := range d {
			for j := range d {
				d[i][j] = min(d[i][j], d[i][k]+d[k][j])
			}
		}
	}
	return d
}

// RingPairs and Within find the pairs that are so near by all distances in the mesh, on meshes with
// faces, rods and points.
func TestRingsAgreeWithAllDistances(t *testing.T) {
	r, seen := rand.New(rand.NewPCG(5, 6)), 0
	for range 40 {
		n := 6 + r.IntN(14)
		var faces, rods []int32
		for range r.IntN(12) {
			p := r.Perm(n)
			faces = append(faces, int32(p[0]), int32(p[1]), int32(p[2]))
		}
		for v := range r.IntN(n - 1) {
			rods = append(rods, int32(v), int32(v+1))
		}
		m, err := New(n, rods, faces)
		if err != nil {
			continue
		}
		d := steps(m)
		for k := geom.VertexFace; k <= geom.PointPoint; k++ {
			info := k.Info()
			for rings := 1; rings <= 4; rings++ {
				var all, want [][2]int64
				for a := range int32(m.Count(info.Shapes[0])) {
					for b := range int32(m.Count(info.Shapes[1])) {
						_, isRod := slices.BinarySearch(m.CodimEdges, b)
						if info.Symmetric() && b <= a || k == geom.PointEdge && !isRod || !m.apart(k, a, b) ||
							k == geom.PointPoint {
							continue
						}
						pair, v := [2]int64{int64(a), int64(b)}, m.Indices(k, a, b)
						all = append(all, pair)
						near := false
						for _, x := range v[:info.Split] {
							for _, y := range v[info.Split:info.Points] {
								near = near || d[x][y] <= rings
							}
						}
						if near {
							want = append(want, pair)
						}
					}
				}
				got := m.RingPairs(k, rings)
				slices.SortFunc(got, func(x, y [2]int64) int { return slices.Compare(x[:], y[:]) })
				if !slices.Equal(got, want) || !slices.Equal(m.Within(k, all, rings), want) {
					t.Fatalf("%v, %d rings: %v and %v, want %v", k, rings, got, m.Within(k, all, rings), want)
				}
				seen += len(want)
			}
		}
	}
	if seen < 1000 {
		t.Errorf("%d pairs: too few to mean anything", seen)
	}
}

// Pairs are added to those that are excluded, and only new ones count.
func TestAddExcluded(t *testing.T) {
	m, err := New(6, nil, []int32{0, 1, 2, 3, 4, 5})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SetExcluded(geom.EdgeEdge, [][2]int64{{3, 0}}); err != nil {
		t.Fatal(err)
	}
	if n := m.AddExcluded(geom.EdgeEdge, [][2]int64{{0, 3}, {1, 4}, {4, 1}}); n != 1 ||
		len(m.Filter().Excluded(geom.EdgeEdge)) != 2 {
		t.Errorf("%d added, %v excluded", n, m.Filter().Excluded(geom.EdgeEdge))
	}
	if n := m.AddExcluded(geom.EdgeEdge, [][2]int64{{2, 5}}); n != 1 ||
		len(m.Filter().Excluded(geom.EdgeEdge)) != 3 {
		t.Errorf("another pair: %d added, %v excluded", n, m.Filter().Excluded(geom.EdgeEdge))
	}
	for n, ok := range map[int32]bool{-1: false, 0: true, MostRings: true, MostRings + 1: false} {
		if (CheckRings(n) == nil) != ok {
			t.Errorf("%d rings: %v", n, CheckRings(n))
		}
	}
}

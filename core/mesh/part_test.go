package mesh

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/geom"
)

// partMesh makes a mesh of triangles that share vertices, of rods in chains and triangles, and of points, with random filters and radii.
func partMesh(t *testing.T, r *rand.Rand) *Mesh {
	t.Helper()
	nv := 8 + r.IntN(10)
	seen := map[[2]int32]bool{}
	var edges, faces []int32
	join := func(a, b int) {
		if k := [2]int32{int32(min(a, b)), int32(max(a, b))}; a != b && !seen[k] {
			seen[k] = true
			edges = append(edges, int32(a), int32(b)) // in any direction
		}
	}
	for i := 0; i+2 < nv/2; i++ {
		if r.IntN(2) == 0 {
			faces = append(faces, int32(i), int32(i+2), int32(i+1))
			join(i, i+1)
			join(i+2, i+1)
			join(i, i+2)
		}
	}
	for i := nv / 2; i+2 < nv; i++ {
		if r.IntN(2) == 0 {
			join(i, i+1)
		}
		if r.IntN(2) == 0 {
			join(i, i+2)
		}
	}
	m, err := New(nv, edges, faces)
	if err != nil {
		t.Fatal(err)
	}
	group, radius := make([]int32, nv), make([]float64, nv)
	for i := range group {
		group[i], radius[i] = int32(r.IntN(3)-1), r.Float64()
	}
	if r.IntN(3) == 0 {
		err = m.SetGroups(group)
	}
	if r.IntN(2) == 0 {
		err = m.SetRadii(radius)
	}
	for k := geom.VertexFace; k <= geom.EdgeFace && r.IntN(2) == 0; k++ {
		s := k.Info().Shapes
		var pairs [][2]int64
		for n, c := m.Count(s[0]), m.Count(s[1]); n*c > 0 && len(pairs) < 30; {
			pairs = append(pairs, [2]int64{int64(r.IntN(n)), int64(r.IntN(c))})
		}
		err = m.SetExcluded(k, pairs)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// checkPart compares a part with the mesh, pair by pair.
func checkPart(t *testing.T, m *Mesh, p *Part, part *Mesh, moves []bool) (pairs int) {
	t.Helper()
	for s := range geom.Shape(3) {
		list := p.Of(s)
		if len(list) != part.Count(s) || !slices.IsSorted(list) || len(slices.Compact(slices.Clone(list))) != len(list) {
			t.Fatalf("shape %v: %d primitives, named %v", s, part.Count(s), list)
		}
	}
	names := p.Of(geom.Vertex)
	for k := geom.VertexFace; k <= geom.EdgeFace; k++ {
		s := k.Info().Shapes
		for i, a := range p.Of(s[0]) {
			for j, b := range p.Of(s[1]) {
				i, j := int32(i), int32(j)
				moving := touched(m, moves, s[0], a) || touched(m, moves, s[1], b)
				want := m.Filter().Allows(k, a, b) && moving
				if got := part.Filter().Allows(k, i, j); got != want {
					t.Fatalf("%v %d %d: allowed in the part %v, want %v", k, a, b, got, want)
				}
				if !want || k == geom.EdgeFace {
					continue
				}
				pairs++
				v, w := part.Indices(k, i, j), m.Indices(k, a, b)
				for n := range v {
					if names[v[n]] != w[n] {
						t.Fatalf("%v %d %d: vertices %v are not %v", k, a, b, v, w)
					}
				}
				if x, y := part.Filter().Radii().Pair(k, i, j, 0.5), m.Filter().Radii().Pair(k, a, b, 0.5); x != y {
					t.Fatalf("%v %d %d: separation %v, want %v", k, a, b, x, y)
				}
			}
		}
	}
	return pairs
}

// touched reports whether a vertex of a primitive is marked.
func touched(m *Mesh, marks []bool, s geom.Shape, i int32) bool {
	var v [3]int32
	m.vertices(s, i, v[:])
	return slices.ContainsFunc(v[:s.Vertices()], func(v int32) bool { return marks[v] })
}

// TestPartHasThePairsOfTheWhole builds parts one after the other in the memory of one.
func TestPartHasThePairsOfTheWhole(t *testing.T) {
	pairs, family := 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 24))
		m := partMesh(t, r)
		p := NewPart(m)
		for range 4 {
			moves := make([]bool, m.NV)
			for v := range moves {
				moves[v] = r.IntN(3) == 0
			}
			share := r.IntN(4) + 1
			for f := range m.Faces {
				if r.IntN(share) == 0 {
					p.AddFace(int32(f))
				}
			}
			for _, e := range m.CodimEdges {
				if r.IntN(share) == 0 {
					p.AddEdge(e)
				}
			}
			for _, v := range m.CodimVertices {
				if r.IntN(share) == 0 {
					p.AddVertex(v)
				}
			}
			if v := int32(r.IntN(m.NV)); !slices.Contains(m.EdgePoints, v) {
				p.AddLoose(v)
			}
			part := p.Build(m.Filter(), func(v int32) bool { return moves[v] })
			pairs += checkPart(t, m, p, part, moves)
			family += len(part.EdgePoints) + len(part.CodimEdges)
			for f := range part.Faces {
				for j, e := range part.FaceEdges[f] {
					if p.Of(geom.Edge)[e] != m.FaceEdges[p.Of(geom.Face)[f]][j] {
						t.Fatalf("edge %d of face %d is another one", j, f)
					}
				}
			}
			for _, v := range part.CodimVertices {
				if _, found := slices.BinarySearch(m.CodimVertices, p.Of(geom.Vertex)[v]); !found {
					t.Fatalf("vertex %d is codimensional in the part alone", v)
				}
			}
		}
	}
	if pairs < 10000 || family < 1000 {
		t.Fatalf("%d pairs, %d codimensional primitives: the test sees too little", pairs, family)
	}
}

package mesh

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/geom"
)

// partMesh makes a mesh of triangles that share vertices, of rods in chains and triangles, and of
// points, with random filters and radii.
func partMesh(t *testing.T, r *rand.Rand) *Mesh {
	t.Helper()
	nv := 8 + r.IntN(10)
	seen := map[[2]int32]bool{}
	var edges, faces []int32
	join := func(a, b int) {
		if k := [2]int32{int32(min(a, b)), int32(max(a, b))}; a != b && !seen[k] {
			seen[k] = true
			edges = append(edges, int32(a), int32(b)) // The edge may run either way.
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

// checkPart compares a part with the pieces of the assembly, pair by pair. moves is by number of
// the assembly.
func checkPart(t *testing.T, all *Assembly, p *Part, part *Mesh, moves []bool) (pairs int) {
	t.Helper()
	for s := range geom.Shape(3) {
		list := p.Of(s)
		if len(list) != part.Count(s) || !slices.IsSorted(list) ||
			len(slices.Compact(slices.Clone(list))) != len(list) {
			t.Fatalf("shape %v: %d primitives, named %v", s, part.Count(s), list)
		}
	}
	names := p.Of(geom.Vertex)
	for k := geom.VertexFace; k <= geom.EdgeFace; k++ {
		s := k.Info().Shapes
		for i, a := range p.Of(s[0]) {
			for j, b := range p.Of(s[1]) {
				i, j := int32(i), int32(j)
				v, w := all.touched(moves, s[0], a), all.touched(moves, s[1], b)
				own := all.At(s[0], a)
				one := own == all.At(s[1], b) // pairs of two pieces are allowed if they are of the family
				want := one && own.Filter.Allows(k, a-own.first[s[0]], b-own.first[s[1]]) || !one && all.family(k, a, b)
				want = want && (v || w)
				if got := part.Filter().Allows(k, i, j); got != want {
					t.Fatalf("%v %d %d: allowed in the part %v, want %v", k, a, b, got, want)
				}
				if !want || k == geom.EdgeFace {
					continue
				}
				pairs++
				at, to := part.Indices(k, i, j), all.indices(k, a, b)
				for n := range to {
					if names[at[n]] != to[n] {
						t.Fatalf("%v %d %d: vertices %v are not %v", k, a, b, at, to)
					}
				}
				if x, y := part.Filter().Radii().Pair(k, i, j, 0.5),
					Separation(0.5, all.radius(s[0], a), all.radius(s[1], b)); x != y {
					t.Fatalf("%v %d %d: separation %v, want %v", k, a, b, x, y)
				}
			}
		}
	}
	return pairs
}

// vertices returns the vertices of a primitive.
func (a *Assembly) vertices(s geom.Shape, i int32) []int32 {
	p := a.At(s, i)
	var v [3]int32
	p.Mesh.vertices(s, i-p.first[s], v[:])
	for k := range v {
		v[k] += p.first[geom.Vertex]
	}
	return v[:s.Vertices()]
}

// touched reports whether a vertex of a primitive is marked.
func (a *Assembly) touched(marks []bool, s geom.Shape, i int32) bool {
	return slices.ContainsFunc(a.vertices(s, i), func(v int32) bool { return marks[v] })
}

// indices returns the vertices of a pair.
func (a *Assembly) indices(k geom.Kind, i, j int32) []int32 {
	s := k.Info().Shapes
	return append(a.vertices(s[0], i), a.vertices(s[1], j)...)
}

func (a *Assembly) radius(s geom.Shape, i int32) float64 {
	p := a.At(s, i)
	return p.Filter.Radii().Of(s, i-p.first[s])
}

// family reports whether a pair of two pieces is of its kind's family: for point-edge pairs,
// whether no edge at the point covers it.
func (a *Assembly) family(k geom.Kind, i, j int32) bool {
	if k != geom.PointEdge {
		return true
	}
	p := a.At(geom.Vertex, i)
	_, point := slices.BinarySearch(p.Mesh.CodimVertices, i-p.first[geom.Vertex])
	return point
}

// TestPartHasThePairsOfTheWhole builds parts one after the other in the memory of one, while meshes
// are added to the assembly and removed.
func TestPartHasThePairsOfTheWhole(t *testing.T) {
	pairs, family, several, gaps := 0, 0, 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 24))
		all := Assemble(partMesh(t, r))
		p := NewPart(all)
		for range 4 {
			switch {
			case r.IntN(3) == 0 && len(all.pieces) > 1:
				all.Remove(all.pieces[r.IntN(len(all.pieces))])
			case r.IntN(2) == 0:
				if piece, err := all.Add(partMesh(t, r)); err != nil {
					t.Fatal(err)
				} else if piece != all.pieces[len(all.pieces)-1] {
					gaps++
				}
				p.Fit()
			}
			if len(all.pieces) > 1 {
				several++
			}
			moves := make([]bool, all.Extent(geom.Vertex))
			for v := range moves {
				moves[v] = r.IntN(3) == 0
			}
			share := r.IntN(4) + 1
			for k, piece := range all.pieces {
				if k > 0 && (piece.first[0] < all.pieces[k-1].end[0] || piece.first[3] < all.pieces[k-1].end[3]) {
					t.Fatal("numbers overlap")
				}
				for e := piece.first[Elements]; e < piece.end[Elements]; e++ {
					if r.IntN(share) == 0 {
						p.Add(piece, e)
					}
				}
				if v := int32(r.IntN(piece.Mesh.NV)); !slices.Contains(piece.Mesh.EdgePoints, v) {
					p.AddLoose(v + piece.first[geom.Vertex])
				}
			}
			part := p.Build(func(v int32) bool { return moves[v] })
			pairs += checkPart(t, all, p, part, moves)
			family += len(part.EdgePoints) + len(part.CodimEdges)
			for f := range part.Faces {
				for j, e := range part.FaceEdges[f] {
					whole := p.Of(geom.Face)[f]
					if p.Of(geom.Edge)[e] != all.At(geom.Face, whole).faceEdges(whole)[j] {
						t.Fatalf("edge %d of face %d is another one", j, f)
					}
				}
			}
			for _, v := range part.CodimVertices {
				whole := p.Of(geom.Vertex)[v]
				piece := all.At(geom.Vertex, whole)
				if _, found := slices.BinarySearch(piece.Mesh.CodimVertices, whole-piece.first[geom.Vertex]); !found {
					t.Fatalf("vertex %d is codimensional in the part alone", v)
				}
			}
		}
	}
	if pairs < 10000 || family < 1000 || several < 300 || gaps < 10 {
		t.Fatalf("%d pairs, %d codimensional primitives, %d times several pieces, %d in gaps: the test sees too little",
			pairs, family, several, gaps)
	}
}

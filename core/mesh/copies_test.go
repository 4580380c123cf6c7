package mesh

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"ccd/core/geom"
)

// A mesh of copies is the mesh that New makes of all of them.
func TestCopies(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 1))
	filtered := 0
	for range 100 {
		nv, count := 3+r.IntN(12), 1+r.IntN(5)
		var faces, edges []int32
		for range r.IntN(nv) {
			for _, v := range r.Perm(nv)[:3] {
				faces = append(faces, int32(v))
			}
		}
		m, err := New(nv, nil, faces)
		if err != nil {
			continue // a face that is there twice
		}
		for _, e := range m.Edges {
			edges = append(edges, e[0], e[1])
		}
		for range r.IntN(4) { // rods, free ends and triangles of rods
			p := r.Perm(nv)
			if e := [2]int32{int32(min(p[0], p[1])), int32(max(p[0], p[1]))}; !slices.Contains(m.Edges, e) {
				edges = append(edges, int32(p[0]), int32(p[1]))
			}
		}
		if m, err = New(nv, edges, faces); err != nil {
			continue
		}
		var allFaces, allEdges []int32
		for i := range int32(count) {
			for _, v := range faces {
				allFaces = append(allFaces, v+i*int32(nv))
			}
			for _, v := range edges {
				allEdges = append(allEdges, v+i*int32(nv))
			}
		}
		want, err := New(nv*count, append([]int32{}, allEdges...), allFaces)
		if err != nil {
			t.Fatal(err)
		}
		group, static, radii := make([]int32, nv), make([]bool, nv), make([]float64, nv)
		var excluded [][2]int64
		for v := range nv {
			group[v], static[v], radii[v] = int32(r.IntN(4)-1), r.IntN(2) == 0, float64(r.IntN(3))
			if len(m.Faces) > 0 {
				excluded = append(excluded, [2]int64{int64(v), int64(r.IntN(len(m.Faces)))})
			}
		}
		first := m.Copies(count)
		if group, static := first.Filter().Vertices(); group != nil || static != nil {
			t.Fatal("the copies have a filter that the mesh has not")
		}
		set := func(m *Mesh, count int) {
			var pairs [][2]int64
			for i := range int64(count) {
				for _, p := range excluded {
					pairs = append(pairs, [2]int64{p[0] + i*int64(nv), p[1] + i*int64(len(faces)/3)})
				}
			}
			for _, err := range []error{m.SetGroups(slices.Repeat(group, count)),
				m.SetStatic(slices.Repeat(static, count)), m.SetRadii(slices.Repeat(radii, count)),
				m.SetExcluded(geom.VertexFace, pairs)} {
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		for filters := range 2 {
			got := m.Copies(count)
			if filters == 1 && got == first {
				t.Fatal("the copies have another filter than the mesh")
			}
			if got != m.Copies(count) {
				t.Fatal("the copies are made anew")
			}
			compare := func(name string, a, b any) {
				t.Helper()
				if x, y := reflect.ValueOf(a), reflect.ValueOf(b); x.Len()+y.Len() > 0 && !reflect.DeepEqual(a, b) {
					t.Fatalf("%d copies, %s: %v, want %v", count, name, a, b)
				}
			}
			compare("edges", got.Edges, want.Edges)
			compare("faces", got.Faces, want.Faces)
			compare("edges of faces", got.FaceEdges, want.FaceEdges)
			compare("vertices", got.CodimVertices, want.CodimVertices)
			compare("rods", got.CodimEdges, want.CodimEdges)
			compare("points", got.EdgePoints, want.EdgePoints)
			compare("hinges", got.hinges, want.hinges)
			f, g := got.Filter(), want.Filter()
			for s := range f.group {
				compare("groups", f.group[s], g.group[s])
				compare("static", f.static[s], g.static[s])
				compare("moving", f.moving[s], g.moving[s])
			}
			for k := range f.excluded {
				compare("excluded", f.excluded[k], g.excluded[k])
				filtered += len(f.excluded[k])
			}
			if !reflect.DeepEqual(f.radii, g.radii) {
				t.Fatalf("radii %v, want %v", f.radii, g.radii)
			}
			if got.Copied() != count || got.NV != want.NV || m.Copied() != 1 {
				t.Fatalf("%d copies of %d vertices in all", got.Copied(), got.NV)
			}
			set(m, 1)
			set(want, count)
		}
	}
	if filtered < 100 {
		t.Errorf("%d excluded pairs: the test shows little", filtered)
	}
	big, err := New(1<<20, nil, nil)
	if err != nil || big.Copies(1<<11) != nil || big.Copies(0) != nil {
		t.Errorf("numbers beyond int32 (%v)", err)
	}
}

package mesh

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// slowHinged is Hinged by its definition: every pair that shares no vertex and has a face or an
// edge, and none of whose edge-face pairs is apart.
func slowHinged(m *Mesh) (vf, ee [][2]int32) {
	at := func(list []int32, v int32) bool { return slices.Contains(list, v) }
	apart := func(e, f int32) bool {
		t := m.Faces[f][:]
		return !at(t, m.Edges[e][0]) && !at(t, m.Edges[e][1])
	}
	for v := range int32(m.NV) {
		for f := range int32(len(m.Faces)) {
			degree, seen := 0, false
			for e := range int32(len(m.Edges)) {
				if at(m.Edges[e][:], v) {
					degree++
					seen = seen || apart(e, f)
				}
			}
			if !at(m.Faces[f][:], v) && degree > 0 && !seen {
				vf = append(vf, [2]int32{v, f})
			}
		}
	}
	for e := range int32(len(m.Edges)) {
		for g := e + 1; g < int32(len(m.Edges)); g++ {
			faces, seen := 0, false
			for f := range int32(len(m.Faces)) {
				for i, x := range [2]int32{e, g} {
					if at(m.FaceEdges[f][:], x) {
						faces++
						seen = seen || apart([2]int32{g, e}[i], f)
					}
				}
			}
			if !m.meet(e, g) && faces > 0 && !seen {
				ee = append(ee, [2]int32{e, g})
			}
		}
	}
	return vf, ee
}

func TestHingedIsItsDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var found [2]int
	for range 2000 {
		nv := 4 + r.IntN(5)
		var edges, faces []int32
		used := map[[2]int32]bool{}
		edge := func(a, b int32) {
			if k := [2]int32{min(a, b), max(a, b)}; !used[k] {
				used[k] = true
				edges = append(edges, a, b)
			}
		}
		seen := map[[3]int32]bool{}
		for range r.IntN(6) {
			p := r.Perm(nv)[:3]
			slices.Sort(p)
			f := [3]int32{int32(p[0]), int32(p[1]), int32(p[2])}
			if seen[f] {
				continue
			}
			seen[f] = true
			faces = append(faces, f[:]...)
			edge(f[0], f[1])
			edge(f[1], f[2])
			edge(f[2], f[0])
		}
		for range r.IntN(3) {
			p := r.Perm(nv)
			edge(int32(p[0]), int32(p[1]))
		}
		m, err := New(nv, slices.Concat([]int32{}, edges), faces)
		if err != nil {
			t.Fatal(err)
		}
		vf, ee := m.Hinged()
		wantVF, wantEE := slowHinged(m)
		if !slices.Equal(vf, wantVF) || !slices.Equal(ee, wantEE) {
			t.Fatalf("edges %v faces %v: %v %v, want %v %v", m.Edges, m.Faces, vf, ee, wantVF, wantEE)
		}
		found[0], found[1] = found[0]+len(vf), found[1]+len(ee)
	}
	if found[0] < 100 || found[1] < 100 {
		t.Fatalf("only %v hinged pairs were seen", found)
	}
}

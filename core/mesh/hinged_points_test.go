package mesh

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/geom"
)

// HingedPoints lists the point-edge pairs that apart allows, of points that have an edge: on
// strands, triangles and stars of rods, beside faces.
func TestHingedPoints(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	listed := 0
	for range 300 {
		nv := 4 + r.IntN(9)
		var edges, faces []int32
		for range r.IntN(3) {
			f := r.Perm(nv)[:3]
			for k := range f {
				edges = append(edges, int32(f[k]), int32(f[(k+1)%3]))
			}
			faces = append(faces, int32(f[0]), int32(f[1]), int32(f[2]))
		}
		for range 1 + r.IntN(nv) {
			e := r.Perm(nv)[:2]
			edges = append(edges, int32(e[0]), int32(e[1]))
		}
		m, err := New(nv, unique(edges), faces)
		if err != nil {
			continue // Two faces are equal: draw again.
		}
		var want [][2]int32
		for _, p := range m.EdgePoints {
			for _, e := range m.CodimEdges {
				if _, alone := slices.BinarySearch(m.CodimVertices, p); !alone && m.apart(geom.PointEdge, p, e) {
					want = append(want, [2]int32{p, e})
				}
			}
		}
		got, ok := m.HingedPoints(1000)
		slices.SortFunc(got, func(x, y [2]int32) int { return slices.Compare(x[:], y[:]) })
		if !ok || !slices.Equal(got, want) {
			t.Fatalf("edges %v, faces %v: %v, want %v", m.Edges, m.Faces, got, want)
		}
		if listed += len(got); len(got) > 0 {
			if _, ok := m.HingedPoints(len(got) - 1); ok {
				t.Error("more pairs than were asked for")
			}
		}
	}
	if listed < 300 {
		t.Errorf("%d pairs: too few for a test", listed)
	}
}

// unique returns edges without repetitions.
func unique(edges []int32) (out []int32) {
	seen := make(map[[2]int32]bool)
	for i := 0; i < len(edges); i += 2 {
		e := [2]int32{min(edges[i], edges[i+1]), max(edges[i], edges[i+1])}
		if !seen[e] {
			out = append(out, e[0], e[1])
		}
		seen[e] = true
	}
	return out
}

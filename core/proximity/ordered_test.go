package proximity

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/broad"
	"ccd/core/engine"
	"ccd/core/mesh"
)

// Near pairs and intersections have the same bits, in the same order, whether or not the mesh has
// an order inside, of crumpled sheets whose vertices and faces are in no order; so have distances,
// whose calls use none.
func TestOrderedFramesHaveTheSameBits(t *testing.T) {
	defer func(before broad.Renumber) { broad.Renumbering = before }(broad.Renumbering)
	r := rand.New(rand.NewPCG(43, 7))
	near, crossing := 0, 0
	for i := range 24 {
		n := 12 + r.IntN(12)
		at, faces, x := r.Perm(n*n), []int32{}, make([]float64, 3*n*n)
		for a := range n {
			for b := range n {
				for k, c := range [3]float64{float64(a), float64(b), 0} {
					x[3*at[a*n+b]+k] = c + []float64{0.4, 1.2}[i%2]*(2*r.Float64()-1)
				}
			}
		}
		for _, q := range r.Perm((n - 1) * (n - 1)) {
			v := q/(n-1)*n + q%(n-1)
			faces = append(faces, int32(at[v]), int32(at[v+n]), int32(at[v+1]), int32(at[v+n]), int32(at[v+n+1]),
				int32(at[v+1]))
		}
		m, err := mesh.New(n*n, nil, faces)
		if err != nil {
			t.Fatal(err)
		}
		if i%4 == 3 {
			groups := make([]int32, n*n)
			for v := range groups {
				groups[v] = int32(r.IntN(2))
			}
			if err := m.SetGroups(groups); err != nil {
				t.Fatal(err)
			}
		}
		o := Options{CallOptions: engine.CallOptions{Threads: 1 + i%3}}
		d := []float64{0.05, 0.3}[i%2]
		call := func(when broad.Renumber) ([]NearPair, []Intersection, NearPair) {
			broad.Renumbering = when
			list, err := Near(m, x, d, &o)
			if err != nil {
				t.Fatal(err)
			}
			crossings, err := Intersections(m, x, &o)
			if err != nil {
				t.Fatal(err)
			}
			least, err := Distance(m, x, &o)
			if err != nil {
				t.Fatal(err)
			}
			return list, crossings, least
		}
		list, crossings, least := call(broad.RenumberNever)
		list2, crossings2, least2 := call(broad.RenumberAlways)
		if !slices.Equal(list, list2) || !slices.Equal(crossings, crossings2) || least != least2 {
			t.Fatalf("scene %d: %d near pairs and %d intersections with an order, %d and %d without, or others",
				i, len(list2), len(crossings2), len(list), len(crossings))
		}
		near, crossing = near+len(list), crossing+len(crossings)
	}
	if t.Logf("%d near pairs, %d intersections", near, crossing); near < 1000 || crossing < 1000 {
		t.Errorf("%d near pairs, %d intersections: more are needed to tell", near, crossing)
	}
}

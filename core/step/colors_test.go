package step

import (
	"slices"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/geom"
)

// checkColors is law 6, pair by pair: constraints that share a moving vertex have different colors, and each has the least that those
// before it leave.
func checkColors(t testing.TB, set []Constraint, n int, inverseMass []float64) (count int) {
	t.Helper()
	colors := make([]int32, len(set))
	count, err := Colors(set, n, inverseMass, colors)
	if err != nil {
		t.Fatal(err)
	}
	share := func(a, b *Constraint) bool {
		for i, v := range a.Vertices {
			for j, w := range b.Vertices {
				if v == w && a.Weights[i] != 0 && b.Weights[j] != 0 && (inverseMass == nil || inverseMass[v] > 0) {
					return true
				}
			}
		}
		return false
	}
	most := int32(-1)
	for i := range set {
		taken := map[int32]bool{}
		for j := range i {
			if share(&set[i], &set[j]) {
				if taken[colors[j]] = true; colors[i] == colors[j] {
					t.Fatalf("constraints %d and %d share a vertex and the color %d", i, j, colors[i])
				}
			}
		}
		least := int32(0)
		for taken[least] {
			least++
		}
		if colors[i] != least {
			t.Fatalf("constraint %d has color %d: %d is free", i, colors[i], least)
		}
		most = max(most, least)
	}
	if count != int(most)+1 {
		t.Fatalf("%d colors, the last is %d", count, most)
	}
	return count
}

// More colors than a pass has: all constraints at one vertex, with others between them.
func TestColorsOfManyPasses(t *testing.T) {
	r := ccdtest.NewRand(1, 33)
	for _, size := range []int{1, 63, 64, 65, 130, 400} {
		set := make([]Constraint, size)
		for i := range set {
			free := 1 + r.Perm(3 * size)[:3][0]
			set[i] = Constraint{Impact: geom.Impact{Normal: [3]float64{0, 0, 1}}, Vertices: [4]int32{0, int32(free), int32(3*size + 1), int32(3*size + 1)},
				Weights: [4]float64{1, -1, 0, 0}}
			if r.IntN(4) == 0 {
				set[i].Vertices[0] = int32(1 + r.IntN(3*size))
			}
		}
		if count := checkColors(t, set, 3*size+2, nil); count < size/2 {
			t.Errorf("%d constraints: %d colors", size, count)
		}
		still := make([]float64, 3*size+2)
		if count := checkColors(t, set, 3*size+2, still); count != 1 {
			t.Errorf("%d constraints of vertices at rest: %d colors", size, count)
		}
	}
}

func TestColorsOfNothing(t *testing.T) {
	if count, err := Colors(nil, 0, nil, nil); count != 0 || err != nil {
		t.Errorf("%d colors, error %v", count, err)
	}
}

// Law 6 on a published scene, whose lists are long.
func TestColorsOfACloth(t *testing.T) {
	s := dataScenes[0].load(t)
	o := DefaultOptions()
	o.MinSeparation = 1e-3
	set, err := ActiveSet(s.m, s.x0, s.x1, &o)
	if err != nil || len(set) < 100 {
		t.Fatalf("%d constraints, error %v", len(set), err)
	}
	set = set[:min(len(set), 1500)]
	count := checkColors(t, set, s.m.NV, nil)
	colors := make([]int32, len(set))
	again, err := Colors(slices.Clone(set), s.m.NV, nil, colors)
	if err != nil || again != count {
		t.Errorf("%d colors, then %d, error %v", count, again, err)
	}
	checkEntries(t, set, s.m.NV)
	checkGap(t, set, s.x1)
}

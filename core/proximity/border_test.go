package proximity

import (
	"testing"

	"ccd/core/broad"
	"ccd/core/ccdtest"
	"ccd/core/mesh"
	"ccd/core/num"
)

// TestNearBorder compares Near with brute force where a pair's distance exceeds d by a rounding, so
// that its Lo may be at most d: two points beside the middle of the scene, where records are most
// precise.
func TestNearBorder(t *testing.T) {
	useHierarchies(t, broad.HierarchyNever)
	m, err := mesh.New(2, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := ccdtest.NewRand(1, 1)
	for range 2000 {
		x := make([]float64, 6)
		for k := range 1 + 2*r.IntN(2) {
			x[k] = r.Float64()
			x[3+k] = -x[k]
		}
		all, err := Near(m, x, 10, &Options{BruteForce: true})
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		for _, d := range []float64{num.Down(all[0].Lo), all[0].Lo, num.Up(all[0].Lo), all[0].Hi} {
			want, err := Near(m, x, d, &Options{BruteForce: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, use := range []broad.Hierarchies{broad.HierarchyNever, broad.HierarchyAlways} {
				broad.UseHierarchy = use
				got, err := Near(m, x, d, nil)
				if err != nil || len(got) != len(want) {
					t.Fatalf("x %v, d %v, %d: %d pairs, %d by brute force, %v", x, d, use, len(got), len(want), err)
				}
			}
		}
	}
}

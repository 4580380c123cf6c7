package step

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"ccd/core/broad"
	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/motion"
)

// hostilePaths draws paths from x0 to x1 of a degree in some pieces, with radii or not.
func hostilePaths(t testing.TB, r *rand.Rand, x0, x1 []float64, size float64) (string, *motion.Motion) {
	t.Helper()
	degree, pieces := 2+r.IntN(2), 1+2*r.IntN(2)
	bend := []float64{0, 1e-9, 0.05, 1}[r.IntN(4)] * size
	var control, times, radius []float64
	for j := range pieces {
		for l := range degree + 1 {
			at := float64(j*degree+l) / float64(degree*pieces)
			for i := range x0 {
				x := x0[i] + float64(at*(x1[i]-x0[i]))
				if l > 0 && l < degree && x0[i] != x1[i] {
					x += float64(bend * (2*r.Float64() - 1))
				}
				if l == 0 && j > 0 { // Pieces are continuous.
					x = control[len(control)-len(x0)]
				}
				control = append(control, x)
			}
		}
		times = append(times, float64(j)/float64(pieces))
	}
	if r.IntN(3) == 0 {
		for range pieces * len(x0) / 3 {
			radius = append(radius, float64(0.02*size*r.Float64()))
		}
	}
	mo, err := motion.New(len(x0)/3, degree, append(times, 1), control, radius)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("degree %d, %d pieces, bend %v, radii %v", degree, pieces, bend, radius != nil), mo
}

// Steps on paths, and those of meshes whose vertices have radii of their own or are static, have
// the same bits with a hierarchy, in sections or not, and with as many restarts as there can be.
func TestHierarchyStepsOnPathsAndOfDifferentRadii(t *testing.T) {
	margin := restartMargin
	defer func() { restartMargin = margin }()
	impacts, grouped := 0, 0
	for seed := range long.Part(300, 15) {
		r := rand.New(rand.NewPCG(uint64(seed), 47))
		shape, m := hostileMesh(t, r)
		if m.NV > 30 {
			continue
		}
		for call := range 3 {
			name, x0, x1, size := hostileStep(r, m.NV)
			o := hostileOptions(r, size)
			if call == 1 {
				radii := make([]float64, m.NV)
				for v := range radii {
					radii[v] = float64(0.01 * size * float64(r.IntN(3)))
				}
				if err := m.SetRadii(radii); err != nil {
					t.Fatal(err)
				}
			}
			if call == 2 && seed%2 == 0 {
				static := make([]bool, m.NV)
				for v := range static {
					static[v] = v/5%3 > 0
				}
				if err := m.SetStatic(static); err != nil {
					t.Fatal(err)
				}
			}
			restartMargin = margin * float64(r.IntN(2))
			paths, mo := hostilePaths(t, r, x0, x1, size)
			answers := func(use broad.Hierarchies) (a [2]stepAnswers) {
				renumbering(t, broad.RenumberNever, use)
				a[0] = answersOf(m, x0, x1, o)
				withMargin(float64(seed%2), func() int {
					a[1].first, a[1].errs[0] = Curved(m, mo).Earliest(&o)
					a[1].all, a[1].errs[1] = Curved(m, mo).Collisions(&o)
					return 0
				})
				return a
			}
			want := answers(broad.HierarchyNever)
			if got := answers(broad.HierarchyAlways); !reflect.DeepEqual(got, want) {
				t.Errorf("seed %d, call %d: %s, %s, %s, %+v:\n%+v, want\n%+v",
					seed, call, shape, name, paths, o, got, want)
			}
			if impacts += len(want[1].all); m.Hierarchy() != nil {
				grouped++
			}
		}
	}
	if t.Logf("%d impacts, %d steps by the hierarchy", impacts, grouped); impacts < 1000 || grouped < 20 {
		t.Errorf("%d impacts, %d steps by the hierarchy: the test shows too little", impacts, grouped)
	}
}

// A plan of a path uses the hierarchy of the mesh, and so does one of a mesh with different radii.
func TestHierarchyServesPathsAndDifferentRadii(t *testing.T) {
	renumbering(t, broad.RenumberNever, broad.HierarchyAlways)
	r := rand.New(rand.NewPCG(45, 48))
	s := sheets(t, 8, 0.3)
	for name, change := range map[string]func() (*call, error){
		"paths": func() (*call, error) { return newCourse(bent(t, r, &s, 3, 1, 0.1).mo).begin(s.m, nil) },
		"radii": func() (*call, error) {
			radii := make([]float64, s.m.NV)
			radii[3] = 0.01
			if err := s.m.SetRadii(radii); err != nil {
				return nil, err
			}
			return start(s.m, s.x0, s.x1, nil)
		},
	} {
		c := must[*call](t)(change())
		must[[]geom.Impact](t)(c.collisions(listedBytes))
		if !c.memory.plan.Grouped() {
			t.Errorf("%s: the grid finds the pairs", name)
		}
		c.end()
	}
}

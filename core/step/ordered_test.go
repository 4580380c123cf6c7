package step

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/broad"
	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
)

// renumbering sets when meshes get an order, and a hierarchy, until the test ends.
func renumbering(t testing.TB, when broad.Renumber, hierarchies broad.Hierarchies) {
	t.Helper()
	before, also := broad.Renumbering, broad.UseHierarchy
	broad.Renumbering, broad.UseHierarchy = when, hierarchies
	t.Cleanup(func() { broad.Renumbering, broad.UseHierarchy = before, also })
}

// shuffled returns the scene, of faces alone, with its vertices and faces in another order.
func (s *scene) shuffled(t testing.TB, r *rand.Rand) scene {
	t.Helper()
	vertices, faces := r.Perm(s.m.NV), r.Perm(len(s.m.Faces))
	out := scene{name: s.name + ", shuffled", x0: make([]float64, len(s.x0)), x1: make([]float64, len(s.x1))}
	for old, v := range vertices {
		copy(out.x0[3*v:3*v+3], s.x0[3*old:])
		copy(out.x1[3*v:3*v+3], s.x1[3*old:])
	}
	var list []int32
	for _, f := range faces {
		for _, v := range s.m.Faces[f] {
			list = append(list, int32(vertices[v]))
		}
	}
	var err error
	if out.m, err = mesh.New(s.m.NV, nil, list); err != nil {
		t.Fatal(err)
	}
	return out
}

// The impacts of a step have the same bits, in the same order, whether or not the mesh has an order
// or a hierarchy inside: shuffled or not, with many that touch at one time, with separations,
// radii, filters, static vertices, both norms, methods with a tolerance, and on two threads.
func TestOrderedStepsHaveTheSameBits(t *testing.T) {
	long.Test(t)
	r := rand.New(rand.NewPCG(41, 7))
	all := []scene{sheets(t, 14, 0.4), flatSheets(t, "turned", 14, 0), flatSheets(t, "vertices", 14, 0),
		flatSheets(t, "turned", 14, 1e-3)}
	touching := flatSheets(t, "vertices", 10, 0) // They touch at the start.
	for v := range touching.m.NV {
		touching.x0[3*v+2] = 0
	}
	all = append(all, touching)
	for _, s := range slices.Clone(all) {
		all = append(all, s.shuffled(t, r))
	}
	impacts := 0
	for n, s := range all {
		for i := range 14 {
			if testing.Short() && (n+i)%2 > 0 { // i and i+7 are the same case, with another number of threads
				continue
			}
			o := DefaultOptions()
			o.Threads = 1 + i%2
			switch i % 7 {
			case 1:
				o.MinSeparation = 1e-3
			case 2:
				o.MinSeparation, o.Flags = 0.02, narrow.MaxNorm
			case 3:
				o.CheckStart, o.TMax = true, 0.7
			case 4:
				o.Method, o.Tolerance, o.MinSeparation = narrow.TightInclusion, 1e-3, 1e-3
			case 5:
				groups := make([]int32, s.m.NV)
				for v := range groups {
					groups[v] = int32(r.IntN(3)) - 1
				}
				if err := s.m.SetGroups(groups); err != nil {
					t.Fatal(err)
				}
			case 6:
				static := make([]bool, s.m.NV)
				for v := range static {
					static[v] = r.IntN(3) == 0
				}
				if err := s.m.SetStatic(static); err != nil {
					t.Fatal(err)
				}
			}
			if o.Method == narrow.TightInclusion && testing.Short() && i > 7 {
				continue
			}
			impacts += sameOrdered(t, fmt.Sprintf("%s, case %d", s.name, i), &s, o)
			if err := s.m.SetGroups(nil); err != nil {
				t.Fatal(err)
			}
			if err := s.m.SetStatic(nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	if t.Logf("%d impacts", impacts); impacts < 10000 {
		t.Errorf("%d impacts: more are needed to tell", impacts)
	}
}

// sameOrdered compares the calls that use an order, or a hierarchy, with the same calls without
// both.
func sameOrdered(t *testing.T, label string, s *scene, o Options) (impacts int) {
	t.Helper()
	call := func(when broad.Renumber, hierarchies broad.Hierarchies) (first geom.Impact, all []geom.Impact) {
		renumbering(t, when, hierarchies)
		first, err := Earliest(s.m, s.x0, s.x1, &o)
		if err != nil {
			t.Fatalf("%s: %v", label, err)
		}
		if all, err = Collisions(s.m, s.x0, s.x1, &o); err != nil {
			t.Fatalf("%s: %v", label, err)
		}
		return first, all
	}
	first, all := call(broad.RenumberNever, broad.HierarchyNever)
	for what, how := range map[string]struct {
		broad.Renumber
		broad.Hierarchies
	}{
		"an order":    {broad.RenumberAlways, broad.HierarchyNever},
		"a hierarchy": {broad.RenumberNever, broad.HierarchyAlways},
	} {
		again, list := call(how.Renumber, how.Hierarchies)
		if again != first {
			t.Errorf("%s: earliest is %+v with %s, %+v without", label, again, what, first)
		}
		if !slices.Equal(list, all) {
			t.Errorf("%s: %d impacts with %s, %d without, or others", label, len(list), what, len(all))
		}
	}
	sameFirstImpacts(t, label, Straight(s.m, s.x0, s.x1), &o, all)
	o.CheckStart = false
	for i := range all { // the next call uses the memory of the last one
		im := &all[i]
		if i >= 100 || im.Kind == geom.EdgeFace {
			break
		}
		alone, err := Pairs(s.m, s.x0, s.x1, im.Kind, [][2]int64{{im.A, im.B}}, &o)
		if err != nil || alone[0] != *im {
			t.Fatalf("%s: %+v alone, %+v in the step; error %v", label, alone, *im, err)
		}
	}
	return len(all)
}

// A call of a motion whose positions change from call to call uses the positions of its own: the
// order of a mesh keeps none.
func TestOrderedCallsForgetPositions(t *testing.T) {
	renumbering(t, broad.RenumberAlways, broad.HierarchyNever)
	s := sheets(t, 12, 0.4)
	o := DefaultOptions()
	o.Threads = 1
	for i := range 6 {
		for v := range s.x1 {
			s.x1[v] = s.x0[v] + 0.9*(s.x1[v]-s.x0[v])
		}
		sameOrdered(t, fmt.Sprintf("step %d", i), &s, o)
	}
}

// The impacts of a short step have the same bits with a hierarchy, also where it is made for other
// positions, and its plans find the pairs.
func TestHierarchyStepsHaveTheSameBits(t *testing.T) {
	s := sheets(t, 14, 0.4)
	o := DefaultOptions()
	for i := range 4 {
		o.Threads, o.TMax, o.MinSeparation = 1+i%2, []float64{1, 0.7}[i/2], 0.05*float64(i%2)
		if sameOrdered(t, fmt.Sprintf("case %d", i), &s, o) == 0 {
			t.Error("no impact")
		}
		for v := range s.x1 {
			s.x0[v], s.x1[v] = s.x1[v], s.x0[v]
		}
	}
	if s.m.Hierarchy() == nil {
		t.Error("the mesh has no hierarchy")
	}
}

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

// renumbering sets when meshes get an order, until the test ends.
func renumbering(t testing.TB, when broad.Renumber) {
	t.Helper()
	before := broad.Renumbering
	broad.Renumbering = when
	t.Cleanup(func() { broad.Renumbering = before })
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
// inside: shuffled or not, with many that touch at one time, with separations, radii, filters,
// static vertices, both norms, methods with a tolerance, and on two threads.
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

// sameOrdered compares the calls that use an order with the same calls without one.
func sameOrdered(t *testing.T, label string, s *scene, o Options) (impacts int) {
	t.Helper()
	call := func(when broad.Renumber) (first geom.Impact, all []geom.Impact) {
		renumbering(t, when)
		first, err := Earliest(s.m, s.x0, s.x1, &o)
		if err != nil {
			t.Fatalf("%s: %v", label, err)
		}
		if all, err = Collisions(s.m, s.x0, s.x1, &o); err != nil {
			t.Fatalf("%s: %v", label, err)
		}
		return first, all
	}
	first, all := call(broad.RenumberNever)
	again, list := call(broad.RenumberAlways)
	if again != first {
		t.Errorf("%s: earliest is %+v with an order, %+v without", label, again, first)
	}
	if !slices.Equal(list, all) {
		t.Errorf("%s: %d impacts with an order, %d without, or others", label, len(list), len(all))
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
	renumbering(t, broad.RenumberAlways)
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

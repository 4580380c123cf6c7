package broad

import (
	"reflect"
	"slices"
	"testing"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// An excerpt's pairs are pairs of the whole plan of the same time, each once, and there are fewer
// of them.
func TestExcerptHasPairsOfTheWhole(t *testing.T) {
	const n = 110
	var x0, x1 []float64
	var faces []int32
	for i := range n {
		for j := range n {
			z := float64((i*7+j*13)%11) / 22
			x0, x1 = append(x0, float64(i), float64(j), z), append(x1, float64(i)+float64((i*5+j*3)%7)/2, float64(j),
				z+2)
			if v := int32(i*n + j); i+1 < n && j+1 < n {
				faces = append(faces, v, v+1, v+n, v+1, v+n+1, v+n)
			}
		}
	}
	m, err := mesh.New(n*n, nil, faces)
	if err != nil {
		t.Fatal(err)
	}
	var mo geom.Trajectories
	if err := mo.Load(x0, x1); err != nil {
		t.Fatal(err)
	}
	pays := func(e *Excerpt, threads int) bool {
		t.Helper()
		pays, err := e.Choose(m, &mo, 0, threads)
		if err != nil {
			t.Fatal(err)
		}
		return pays
	}
	e := new(Excerpt)
	if !pays(e, 1) {
		t.Fatal("the excerpt does not pay where boxes grow")
	}
	for _, threads := range []int{2, 7} {
		other := new(Excerpt)
		if !pays(other, threads) || !reflect.DeepEqual(other.lists, e.lists) || !slices.Equal(other.used, e.used) ||
			other.Until != e.Until {
			t.Errorf("another excerpt with %d threads", threads)
		}
	}
	for s, list := range e.lists {
		if len(list) == 0 || len(list) > m.Count(geom.Shape(s))/4 || !slices.IsSorted(list) {
			t.Errorf("shape %d: %d of %d primitives", s, len(list), m.Count(geom.Shape(s)))
		}
	}
	type pair struct {
		k geom.Kind
		p [2]int32
	}
	pairs := func(how PlanOptions) map[pair]int {
		how.Work.Threads = 1
		var p Plan
		if err := p.Build(m, &mo, how); err != nil {
			t.Fatal(err)
		}
		found := map[pair]int{}
		w := NewWorker()
		for i := range p.Tasks() {
			w.Sweep(&p, &p.Tasks()[i], func(k geom.Kind, pairs [][2]int32) bool {
				for _, x := range pairs {
					found[pair{k, x}]++
				}
				return true
			})
		}
		return found
	}
	boxes := func(p pair) bool { // These are boxes of the whole motion.
		a, b := sweptBox(m, &mo, p.k.Info().Shapes[0], p.p[0], 1e-6), sweptBox(m, &mo, p.k.Info().Shapes[1], p.p[1],
			1e-6)
		return a.Overlaps(&b)
	}
	some, all := pairs(PlanOptions{Input: Input{Until: 0.5},
		Keep: Keep{Excerpt: e}}), pairs(PlanOptions{Input: Input{Until: 1}})
	for p, times := range some {
		if times != 1 || !boxes(p) || m.Filter() != nil && !m.Filter().Allows(p.k, p.p[0], p.p[1]) {
			t.Fatalf("%v %v found %d times, in the whole %d times", p.k, p.p, times, all[p])
		}
	}
	if len(some) == 0 || len(some) > len(all)/4 {
		t.Errorf("%d pairs, %d in the whole", len(some), len(all))
	}
	for i := range x1 { // hardly anything moves
		x1[i] = x0[i] + (x1[i]-x0[i])/64
	}
	if err := mo.Load(x0, x1); err != nil {
		t.Fatal(err)
	}
	if pays(e, 1) {
		t.Error("the excerpt pays where boxes do not grow")
	}
	if mo.Load(x0, x0); pays(e, 1) {
		t.Error("the excerpt pays where nothing moves")
	}
}

// The excerpt of a mesh with a hierarchy is for one caller at a time. It serves some steps, and
// then has what is in the cubes of the step at hand.
func TestKeptExcerptServesSomeSteps(t *testing.T) {
	defer func(before Hierarchies) { UseHierarchy = before }(UseHierarchy)
	UseHierarchy = HierarchyAlways
	const n = 110
	var x0, x1 []float64
	var faces []int32
	for i := range n {
		for j := range n {
			x0, x1 = append(x0, float64(i), float64(j), 0), append(x1, float64(i), float64(j), 9)
			if v := int32(i*n + j); i+1 < n && j+1 < n {
				faces = append(faces, v, v+1, v+n, v+1, v+n+1, v+n)
			}
		}
	}
	m, err := mesh.New(n*n, nil, faces)
	if err != nil {
		t.Fatal(err)
	}
	var mo geom.Trajectories
	if err := mo.Load(x0, x1); err != nil {
		t.Fatal(err)
	}
	if KeptExcerpt(m) != nil {
		t.Fatal("a mesh without a hierarchy has an excerpt")
	}
	if ok, err := HasHierarchy(m, &mo, 1); !ok || err != nil {
		t.Fatal(ok, err)
	}
	chosen := func() []int32 {
		e := KeptExcerpt(m)
		if e == nil {
			t.Fatal("nobody has the excerpt, but it cannot be had")
		}
		defer e.Release()
		if KeptExcerpt(m) != nil {
			t.Fatal("two callers have the excerpt")
		}
		if pays, err := e.Choose(m, &mo, 0, 1); !pays || err != nil {
			t.Fatal(pays, err)
		}
		return slices.Clone(e.lists[geom.Vertex])
	}
	first := chosen()
	for v := range n * n { // Far from each other, the vertices are alone in their cubes.
		for k := range 3 {
			mo.Rec[8*v+k] *= 1 + float64(v%7)
		}
	}
	for step := 2; step <= excerptUses; step++ {
		if list := chosen(); !slices.Equal(list, first) {
			t.Fatalf("step %d has another excerpt", step)
		}
	}
	if list := chosen(); slices.Equal(list, first) {
		t.Errorf("step %d has the excerpt of the first", excerptUses+1)
	}
}

package step

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"ccd/core/broad"
	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/status"
)

// hostileMesh draws triangles, a fan, rods, particles, or all of them; their numbers are around
// those that blocks and groups of a hierarchy hold.
func hostileMesh(t testing.TB, r *rand.Rand) (string, *mesh.Mesh) {
	sizes := []int{1, 2, 3, 7, 8, 9, 15, 16, 17, 21, 22, 23, 3, 7, 8, 9, 64}
	n := sizes[r.IntN(len(sizes))]
	var faces, edges []int32
	shape := []string{"soup", "fan", "rods", "particles", "all"}[r.IntN(5)]
	vertices := map[string]int{"fan": n + 2, "rods": n + 1, "all": 4 * n}[shape]
	if vertices == 0 {
		vertices = 3 * n
	}
	for i := range int32(n) {
		switch shape {
		case "soup":
			faces = append(faces, 3*i, 3*i+1, 3*i+2)
		case "fan":
			faces = append(faces, 0, i+1, i+2)
		case "rods":
			edges = append(edges, i, i+1)
		case "all":
			a, b, c := 3*i, 3*i+1, 3*i+2
			faces, edges = append(faces, a, b, c), append(edges, a, b, b, c, c, a)
			if d := int32(3*n) + i; i+1 < int32(n/2) {
				edges = append(edges, d, d+1)
			}
		}
	}
	m, err := mesh.New(vertices, edges, faces)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s of %d", shape, n), m
}

// hostileStep draws clusters of three vertices, of any size and far from the origin or not, on a
// lattice or flat, that cross each other, or hardly move, or move alike; a vertex may fly far.
func hostileStep(r *rand.Rand, vertices int) (name string, x0, x1 []float64, size float64) {
	u := func() float64 { return 2*r.Float64() - 1 }
	size = []float64{1, 1, 1, 1e-300, 1e-310, 1e-20, 1e20, 1e100, 1e140}[r.IntN(9)]
	offset := []float64{0, 0, 1e8, -1e4}[r.IntN(4)] * size
	way, flat, lattice := r.IntN(6), r.IntN(6), r.IntN(5) == 0
	push := [3]float64{u(), u(), u()}
	for i := range 3 * vertices {
		x := 2 * u()
		switch v := i / 3; {
		case i%3 == flat:
			x = 0.25
		case lattice:
			x = float64(r.IntN(5)) / 3
		case v%3 > 0:
			x = (x0[3*(v-v%3)+i%3]-offset)/size + 0.1*x
		}
		x0 = append(x0, offset+float64(size*x))
		y := [6]float64{u(), 0.05 * u(), push[i%3] + 0.02*u(), -2 * x, 0.001 * float64(r.IntN(3)-1), 0}[way]
		if way == 5 && i/3%4 == 0 {
			y = 2 * push[i%3]
		}
		x1 = append(x1, x0[i]+float64(size*y))
	}
	if r.IntN(6) == 0 {
		x1[r.IntN(len(x1))] += 1e3 * size
	}
	return fmt.Sprintf("size %g at %g, way %d, flat %d, lattice %v", size, offset, way, flat, lattice), x0, x1, size
}

// hostileOptions draws options of a step of some size.
func hostileOptions(r *rand.Rand, size float64) Options {
	o := DefaultOptions()
	o.Threads = 1 + r.IntN(3)
	o.TMax = []float64{1, 1, 0.5, 1e-3, 1e-12}[r.IntN(5)]
	o.MinSeparation = []float64{0, 0, 0, 1e-2, 1e-6, 1e-12}[r.IntN(6)] * size
	o.CheckStart = r.IntN(6) == 0
	if r.IntN(4) == 0 {
		o.Flags = narrow.MaxNorm
	}
	if r.IntN(8) == 0 {
		o.MemoryLimit = 1 << 26
	}
	return o
}

// stepAnswers are those of the calls that use a hierarchy.
type stepAnswers struct {
	first   geom.Impact
	all     []geom.Impact
	advance float64
	bound   Bound
	errs    [4]error
}

func answersOf(m *mesh.Mesh, x0, x1 []float64, o Options) (a stepAnswers) {
	a.first, a.errs[0] = Earliest(m, x0, x1, &o)
	a.all, a.errs[1] = Collisions(m, x0, x1, &o)
	o.CheckStart = false
	a.advance, a.errs[2] = Advance(m, x0, x1, make([]float64, len(x0)), 0.9, &o)
	a.bound, a.errs[3] = LineSearch(m, x0, x1, 0.9, &o)
	return a
}

// Steps have the same bits with a hierarchy, whatever the mesh and the numbers, with groups, radii
// and other positions set after it was made, and with as many restarts as there can be.
func TestHierarchyStepsOfHostileMeshes(t *testing.T) {
	margin := restartMargin
	defer func() { restartMargin = margin }()
	impacts := 0
	for seed := range long.Part(400, 10) {
		r := rand.New(rand.NewPCG(uint64(seed), 45))
		shape, m := hostileMesh(t, r)
		for call := range 3 {
			name, x0, x1, size := hostileStep(r, m.NV)
			o := hostileOptions(r, size)
			if restartMargin = margin * float64(r.IntN(2)); call == 1 {
				group := make([]int32, m.NV)
				for i := range group {
					group[i] = r.Int32N(4) - 1
				}
				if err := m.SetGroups(group); err != nil {
					t.Fatal(err)
				}
			}
			renumbering(t, broad.RenumberNever, broad.HierarchyNever)
			want := answersOf(m, x0, x1, o)
			renumbering(t, broad.RenumberNever, broad.HierarchyAlways)
			if got := answersOf(m, x0, x1, o); !reflect.DeepEqual(got, want) {
				t.Errorf("seed %d, call %d: %s, %s, %+v:\n%+v, want\n%+v", seed, call, shape, name, o, got, want)
			}
			impacts += len(want.all)
		}
	}
	if t.Logf("%d impacts", impacts); impacts < 1000 {
		t.Errorf("%d impacts: the test shows too little", impacts)
	}
}

// Steps of vertices have the same bits with a hierarchy, which finds the pairs of vertices that
// have changed, and with an order of the mesh, whatever the mesh, its filter and the numbers.
func TestHierarchySizesOfHostileMeshes(t *testing.T) {
	passes := int64(0)
	for seed := range long.Part(200, 20) {
		r := rand.New(rand.NewPCG(uint64(seed), 47))
		shape, m := hostileMesh(t, r)
		for call := range 3 {
			sizesFilter(t, r, m, call)
			name, x0, x1, size := hostileStep(r, m.NV)
			so, o := sizesOptions(r, m, x0)
			if call == 1 {
				radii := make([]float64, m.NV)
				for v := range radii {
					radii[v] = float64(0.01 * size * float64(r.IntN(3)))
				}
				if err := m.SetRadii(radii); err != nil {
					t.Fatal(err)
				}
			}
			if o.MinSeparation > 0 {
				o.MinSeparation = hostileOptions(r, size).MinSeparation
			}
			answer := func(when broad.Renumber, use broad.Hierarchies) (
				alpha, y []float64, report SizesReport, err error) {
				renumbering(t, when, use)
				alpha, y = make([]float64, m.NV), make([]float64, len(x0))
				report, err = Sizes(m, x0, x1, alpha, y, &so, &o)
				return alpha, y, report, err
			}
			alpha, y, report, err := answer(broad.RenumberNever, broad.HierarchyNever)
			for when, use := range map[broad.Renumber]broad.Hierarchies{
				broad.RenumberNever: broad.HierarchyAlways, broad.RenumberAlways: broad.HierarchyNever,
			} {
				alpha2, y2, report2, err2 := answer(when, use)
				same := report == report2 && sameBits(alpha, alpha2) && sameBits(y, y2)
				if fmt.Sprint(err) != fmt.Sprint(err2) || !same {
					t.Errorf("seed %d, call %d: %s, %s, %+v, %+v: %+v, %v, want %+v, %v",
						seed, call, shape, name, so, o, report2, err2, report, err)
				}
			}
			passes += report.Passes
		}
	}
	if t.Logf("%d passes", passes); passes < 20 {
		t.Errorf("%d passes: the test shows too little", passes)
	}
}

// sizesFilter gives a mesh radii that differ at the second call, and static vertices at the third.
func sizesFilter(t *testing.T, r *rand.Rand, m *mesh.Mesh, call int) {
	t.Helper()
	radii, static := make([]float64, m.NV), make([]bool, m.NV)
	for v := range m.NV {
		radii[v], static[v] = float64(r.IntN(3))*0.01, r.IntN(4) == 0
	}
	var err error
	switch call {
	case 1:
		err = m.SetRadii(radii)
	case 2:
		err = m.SetStatic(static)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// hostileCalls are steps of one mesh, and their answers by the grid.
type hostileCalls struct {
	m      *mesh.Mesh
	x0, x1 [][]float64
	want   []stepAnswers
	lists  []*broad.Candidates
	o      Options
}

// calls makes some of all calls of step i, and compares them.
func (h *hostileCalls) calls(t *testing.T, i, turn int) {
	im, err := Earliest(h.m, h.x0[i], h.x1[i], &h.o)
	if err != nil || im != h.want[i].first {
		t.Errorf("step %d: the earliest is %+v, %v, want %+v", i, im, err, h.want[i].first)
	}
	if turn%8 == 0 {
		all, err := Collisions(h.m, h.x0[i], h.x1[i], &h.o)
		if err != nil || !slices.Equal(all, h.want[i].all) {
			t.Errorf("step %d: %d impacts, %v, want %d", i, len(all), err, len(h.want[i].all))
		}
	}
	left := 1 + turn
	c, err := broad.Find(h.m, h.x0[i], h.x1[i], false, broad.Options{Threads: 2, Progress: func(float64) bool {
		left--
		return turn%4 == 0 && left <= 0
	}})
	if err != nil {
		if !errors.Is(err, status.ErrCancelled) || turn%4 > 0 {
			t.Error(err)
		}
		return
	}
	defer c.Release()
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for _, k := range geom.StepKinds {
				if !slices.Equal(c.Of(k), h.lists[i].Of(k)) {
					t.Errorf("step %d: %d pairs of %v, want %d", i, c.Count(k), k, h.lists[i].Count(k))
				}
			}
		})
	}
	readers.Wait()
}

// Goroutines that call at the same time, and cancel some calls, get the answers of the grid: while
// one of them makes the hierarchy, and while one makes it anew, because most positions are others.
func TestHierarchyServesStepsAtTheSameTime(t *testing.T) {
	s := sheets(t, 8, 0.3)
	h := &hostileCalls{o: DefaultOptions()}
	renumbering(t, broad.RenumberNever, broad.HierarchyNever)
	r := rand.New(rand.NewPCG(45, 45))
	for i := range 3 {
		x0, x1 := slices.Clone(s.x0), slices.Clone(s.x1)
		for v, w := range r.Perm(s.m.NV) {
			for k := 3 * v; k < 3*v+3 && i > 0; k++ {
				x0[k] = 8 * s.x0[3*w+k-3*v]
				x1[k] = x0[k] + 0.01*r.Float64()
			}
		}
		h.x0, h.x1 = append(h.x0, x0), append(h.x1, x1)
		h.want = append(h.want, answersOf(s.m, x0, x1, h.o))
		list, err := broad.Find(s.m, x0, x1, false, broad.Options{})
		if err != nil {
			t.Fatal(err)
		}
		h.lists = append(h.lists, list)
	}
	renumbering(t, broad.RenumberNever, broad.HierarchyAlways)
	h.m = s.m
	var made sync.Map
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for turn := range 24 {
				h.calls(t, min(turn/4, 1)*((g+turn)%3), turn)
				made.Store(h.m.Hierarchy(), true)
			}
		})
	}
	all.Wait()
	n := 0
	made.Range(func(any, any) bool { n++; return true })
	if n < 2 {
		t.Errorf("%d hierarchies: none was made anew", n)
	}
}

// A plan that sieves up to the time of an impact has all impacts up to it.
func TestHierarchySieveKeepsImpacts(t *testing.T) {
	defer func(before float64) { broad.SieveVolume = before }(broad.SieveVolume)
	broad.SieveVolume = 0
	sought, plans := 0, 0
	for seed := range long.Part(1000, 20) {
		r := rand.New(rand.NewPCG(uint64(seed), 46))
		shape, m := hostileMesh(t, r)
		name, x0, x1, size := hostileStep(r, m.NV)
		o := hostileOptions(r, size)
		o.TMax, o.CheckStart = 1, false
		renumbering(t, broad.RenumberNever, broad.HierarchyAlways)
		all, err := Collisions(m, x0, x1, &o)
		if err != nil {
			t.Fatal(err)
		}
		for range min(2, len(all)) {
			until := math.Nextafter(all[r.IntN(len(all))].TOILo, 2)
			if until >= 1 {
				continue
			}
			has := sievedPairs(t, &scene{"", m, x0, x1}, o.MinSeparation, min(1, until*(1+float64(r.IntN(2)))), until)
			plans++
			for i := range all {
				if im := &all[i]; im.TOILo <= until {
					if sought++; !has[[3]int64{int64(im.Kind), im.A, im.B}] {
						t.Fatalf("seed %d: %s, %s: %+v is lost up to %v", seed, shape, name, im, until)
					}
				}
			}
		}
	}
	if t.Logf("%d impacts of %d plans", sought, plans); sought < 1000 || plans < 20 {
		t.Errorf("%d impacts of %d plans: the test shows too little", sought, plans)
	}
}

// sievedPairs are the pairs of a plan up to some time that sieves up to another.
func sievedPairs(t *testing.T, s *scene, separation, whole, until float64) map[[3]int64]bool {
	t.Helper()
	mo, radii := s.motion(t), s.m.Filter().Radii()
	if ok, err := broad.HasHierarchy(s.m, mo, 1); err != nil || !ok {
		t.Fatal(ok, err)
	}
	var p broad.Plan
	err := p.Build(s.m, mo, broad.PlanOptions{
		Input:  broad.Input{Separation: separation, Until: whole, Radii: radii},
		Tactic: broad.Tactic{Hierarchy: true, Sieve: true, Orient: broad.AlongAxes},
	})
	if err != nil || !p.Grouped() {
		t.Fatal(p.Grouped(), err)
	}
	has, w := map[[3]int64]bool{}, broad.NewWorker()
	for i := range p.Tasks() {
		w.SweepUntil(&p, &p.Tasks()[i], until, func(k geom.Kind, pairs [][2]int32) bool {
			for _, x := range pairs {
				has[[3]int64{int64(k), int64(x[0]), int64(x[1])}] = true
			}
			return true
		})
	}
	return has
}

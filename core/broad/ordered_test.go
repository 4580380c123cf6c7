package broad

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"ccd/core/geom"
)

// renumbering sets when meshes get an order, until the test ends.
func renumbering(t testing.TB, when Renumber) {
	t.Helper()
	before, hierarchies := Renumbering, UseHierarchy
	Renumbering, UseHierarchy = when, HierarchyNever // A hierarchy would find the pairs in place of the order.
	t.Cleanup(func() { Renumbering, UseHierarchy = before, hierarchies })
}

// shuffled returns the scene with its vertices and faces in another order.
func (s *scene) shuffled(r *rand.Rand) scene {
	vertices, faces := r.Perm(s.nv), r.Perm(len(s.faces)/3)
	out := scene{name: s.name + ", shuffled", nv: s.nv, x0: make([]float64, 3*s.nv), x1: make([]float64, 3*s.nv)}
	for old, v := range vertices {
		copy(out.x0[3*v:3*v+3], s.x0[3*old:])
		copy(out.x1[3*v:3*v+3], s.x1[3*old:])
	}
	for _, f := range faces {
		for _, v := range s.faces[3*f : 3*f+3] {
			out.faces = append(out.faces, int32(vertices[v]))
		}
	}
	return out
}

// ripples is a sheet of n x n vertices, each of which moves by up to an edge's length.
func ripples(r *rand.Rand, n int) scene {
	return sheet(n, func(i, j int) (x0, x1 [3]float64) {
		x0 = [3]float64{float64(i), float64(j), r.Float64()}
		for k := range x1 {
			x1[k] = x0[k] + 2*r.Float64() - 1
		}
		return x0, x1
	})
}

// Law of Ordered: a plan finds the same pairs with the same vertices, whatever the options; and its
// places are those of the pairs.
func TestOrderedLaw(t *testing.T) {
	renumbering(t, RenumberAlways)
	r := rand.New(rand.NewPCG(81, 82))
	all, used, pairs := adversaries(), 0, 0
	sheet := ripples(r, 40)
	for _, s := range append(all, sheet, sheet.shuffled(r)) {
		m, mo := s.load(t)
		for i := range 16 {
			setRandomFilter(t, r, m, []func() []bool{func() []bool { return nil },
				func() []bool { return randomStatic(r, &s) }}[i%4/3]())
			how := randomHow(r, m, mo)
			if i%2 == 0 {
				how.Keep.Slab, how.Input.Radii = nil, nil
			}
			how.Tactic.cull = []when{never, whenItPays, always}[i%3]
			how.Tactic.Orient = []Orientation{AlongAxes, AlongAxes, OrientAlways}[r.IntN(3)]
			var o Ordered
			ok, err := o.Begin(m, mo, how.Work.Threads)
			if err != nil {
				t.Fatal(err)
			}
			if len(m.CodimEdges)+len(m.CodimVertices) > 0 {
				if ok {
					t.Fatalf("%s has an order, and codimensional primitives", s.name)
				}
				continue
			}
			if how.Keep.Changed != nil && how.Keep.Slab == nil && r.IntN(2) == 0 { // lists of primitives
				how.Keep.Near = new(Near)
				if err := how.Keep.Near.Build(m, mo, how); err != nil {
					t.Fatal(err)
				}
				if err := how.Keep.Near.Select(how.Keep.Changed); err != nil {
					t.Fatal(err)
				}
			}
			var plain, ordered Plan
			if err := plain.Build(m, mo, how); err != nil {
				t.Fatal(err)
			}
			if ok {
				how.Tactic.Ordered = &o
			}
			if err := ordered.Build(m, mo, how); err != nil {
				t.Fatal(err)
			}
			want, got := sweptPairs(&plain), checkedPairs(t, &ordered, mo)
			for k := range want {
				if pairs += len(want[k]); !slices.Equal(got[k], want[k]) {
					t.Fatalf("%s, %+v: %d %v pairs, %d without an order", s.name, how, len(got[k]), geom.Kind(k),
						len(want[k]))
				}
			}
			if ordered.tactic == byPlaces {
				used++
			}
		}
	}
	if t.Logf("%d plans of places, %d pairs", used, pairs); used < 40 || pairs < 10000 {
		t.Errorf("%d plans of places, %d pairs: more are needed to tell", used, pairs)
	}
}

// checkedPairs is sweptPairs that compares the places of each pair.
func checkedPairs(t *testing.T, p *Plan, mo *geom.Trajectories) (out [geom.EdgeFace + 1][][2]int32) {
	t.Helper()
	w := NewWorker()
	var idx, places [][4]int32
	for i := range p.Tasks() {
		w.Sweep(p, &p.Tasks()[i], func(k geom.Kind, pairs [][2]int32) bool {
			out[k] = append(out[k], pairs...)
			at := w.Places()
			if (at != nil) != (p.tactic == byPlaces) {
				t.Fatalf("%d places of %d pairs", len(at), len(pairs))
			}
			if at == nil {
				return true
			}
			o := p.how.Tactic.Ordered
			if k == geom.EdgeFace {
				for j, x := range at {
					if o.Order.EdgeIDs[x[0]] != pairs[j][0] || o.Order.FaceIDs[x[1]] != pairs[j][1] {
						t.Fatalf("places %v are not those of edge and face %v", x, pairs[j])
					}
				}
				return true
			}
			idx, places = p.m.Gather(k, pairs, idx), o.Order.Gather(k, at, places)
			for j := range idx {
				for v := range idx[j] {
					a, b := mo.Rec[8*int(idx[j][v]):][:8], o.Motion.Rec[8*int(places[j][v]):][:8]
					if o.Order.Vertices[places[j][v]] != idx[j][v] || !slices.Equal(a, b) {
						t.Fatalf("%v %v: place %d is vertex %d, not %d", k, pairs[j], places[j][v],
							o.Order.Vertices[places[j][v]], idx[j][v])
					}
				}
			}
			return true
		})
	}
	for k := range out {
		slices.SortFunc(out[k], func(x, y [2]int32) int { return slices.Compare(x[:], y[:]) })
	}
	return out
}

// An order is a permutation of each shape, and its rows are those of the mesh.
func TestOrderIsAPermutation(t *testing.T) {
	r := rand.New(rand.NewPCG(85, 86))
	sheet := ripples(r, 30)
	s := sheet.shuffled(r)
	m, mo := s.load(t)
	o := makeOrder(m, mo)
	for shape, ids := range [][]int32{o.Vertices, o.EdgeIDs, o.FaceIDs} {
		sorted := slices.Clone(ids)
		slices.Sort(sorted)
		for i, id := range sorted {
			if int(id) != i {
				t.Fatalf("%v %d is in the order %v times", geom.Shape(shape), i, ids)
			}
		}
		if len(ids) != m.Count(geom.Shape(shape)) {
			t.Fatalf("%d of %d %v", len(ids), m.Count(geom.Shape(shape)), geom.Shape(shape))
		}
	}
	for v, place := range o.Place {
		if o.Vertices[place] != int32(v) {
			t.Fatalf("vertex %d is at %d, where %d is", v, place, o.Vertices[place])
		}
	}
	for i, e := range o.Edges {
		for k, v := range m.Edges[o.EdgeIDs[i]] {
			if o.Place[v] != e[k] {
				t.Fatalf("edge %d at %d: %v", o.EdgeIDs[i], i, e)
			}
		}
	}
	for i, f := range o.Faces {
		for k, v := range m.Faces[o.FaceIDs[i]] {
			if o.Place[v] != f[k] {
				t.Fatalf("face %d at %d: %v", o.FaceIDs[i], i, f)
			}
		}
	}
	j := jumpSampler{m: m, mo: mo}
	if before, after := j.jumps(nil), j.jumps(o); before < 0.4 || after > before/3 {
		t.Errorf("%v of the neighbors in memory are far apart, %v in the order", before, after)
	}
}

// A mesh gets an order at the third call that one would serve, keeps it while it serves, and drops
// it afterwards. A mesh in order gets none.
func TestOrderWhereItPays(t *testing.T) {
	renumbering(t, RenumberIfItPays)
	r := rand.New(rand.NewPCG(87, 88))
	sheet := ripples(r, 190)
	m, mo := sheet.load(t)
	for range 2 * orderAfter {
		if orderFor(m, mo) != nil {
			t.Fatal("a mesh in order got another one")
		}
	}
	s := looseTriangles(r, 20000)
	m, mo = s.load(t)
	for call := range 2 * orderAfter {
		if got := orderFor(m, mo) != nil; got != (call >= orderAfter-1) {
			t.Fatalf("call %d: order %v", call+1, got)
		}
	}
	first := m.Order()
	s = looseTriangles(r, 20000) // the same topology elsewhere: the order serves no more
	elsewhere, err := geom.NewTrajectories(s.x0, s.x1)
	if err != nil {
		t.Fatal(err)
	}
	for call := range orderAfter {
		if got := orderFor(m, elsewhere); got == first || (got != nil) != (call == orderAfter-1) {
			t.Fatalf("call %d after all triangles moved: order %p, before %p", call+1, got, first)
		}
	}
	for range 2 { // a mesh of no place
		at := &geom.Trajectories{N: mo.N, Rec: make([]float64, 8*mo.N)}
		orderFor(m, at)
	}
}

// looseTriangles is n triangles at random places in a cube, each of three vertices of its own.
func looseTriangles(r *rand.Rand, n int) scene {
	s := scene{name: "triangles", nv: 3 * n}
	for i := range n {
		at := [3]float64{r.Float64(), r.Float64(), r.Float64()}
		for k := range 3 {
			for _, x := range at {
				x += 0.01 * r.Float64()
				s.x0, s.x1 = append(s.x0, x), append(s.x1, x)
			}
			s.faces = append(s.faces, int32(3*i+k))
		}
	}
	return s
}

// Calls on one mesh at once have one order each, whole, and the same pairs.
func TestOrderedTogether(t *testing.T) {
	r := rand.New(rand.NewPCG(89, 90))
	sheet := ripples(r, 190)
	s := sheet.shuffled(r)
	m, mo := s.load(t)
	how := PlanOptions{Input: Input{Until: 1}, Work: Work{Threads: 2}}
	var plain Plan
	if err := plain.Build(m, mo, how); err != nil {
		t.Fatal(err)
	}
	want := sweptPairs(&plain)
	renumbering(t, RenumberIfItPays)
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			for range 3 {
				var p Plan
				var o Ordered
				own := how
				if ok, err := o.Begin(m, mo, 2); err != nil {
					t.Error(err)
				} else if ok {
					own.Tactic.Ordered = &o
				}
				err := p.Build(m, mo, own)
				if got := sweptPairs(&p); err != nil || !slices.Equal(got[geom.EdgeEdge], want[geom.EdgeEdge]) {
					t.Errorf("%d pairs, want %d; error %v", len(got[geom.EdgeEdge]), len(want[geom.EdgeEdge]), err)
				}
			}
		})
	}
	all.Wait()
	if m.Order() == nil {
		t.Error("nine calls made no order")
	}
}

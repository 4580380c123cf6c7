package hierarchy

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// sheet is a square sheet of 2 n^2 faces with its vertices at random or, with flat, in one point.
func sheet(t *testing.T, n int, flat bool) (*mesh.Mesh, *geom.Trajectories) {
	t.Helper()
	var faces []int32
	for i := range n {
		for j := range n {
			v := int32(i*(n+1) + j)
			w := v + int32(n) + 1
			faces = append(faces, v, v+1, w, v+1, w+1, w)
		}
	}
	m, err := mesh.New((n+1)*(n+1), nil, faces)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(uint64(n), 3))
	x := make([]float64, 3*m.NV)
	for i := range x {
		if !flat {
			x[i] = r.Float64()
		}
	}
	mo, err := geom.NewTrajectories(x, x)
	if err != nil {
		t.Fatal(err)
	}
	return m, mo
}

func order(t *testing.T, m *mesh.Mesh, mo *geom.Trajectories) *Order {
	t.Helper()
	o, err := Make(m, mo, 2)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// Each primitive has one place, and a tree has as many nodes as its primitives need.
func TestOrderHasEachPrimitiveOnce(t *testing.T) {
	for _, n := range []int{1, 2, 4, 5, 6, 17, 40} {
		for _, flat := range []bool{false, true} {
			m, mo := sheet(t, n, flat)
			o := order(t, m, mo)
			if len(o.trees) != 3 || len(o.families) != 2 {
				t.Fatalf("%d trees, %d families", len(o.trees), len(o.families))
			}
			for _, tree := range o.trees {
				if got := m.Count(tree.shape); tree.n != got {
					t.Fatalf("%v: %d primitives, want %d", tree.shape, tree.n, got)
				}
				ids := slices.Clone(tree.ids[:tree.n])
				for i := tree.n; i < len(tree.ids); i++ {
					if tree.ids[i] != -1 {
						t.Fatalf("%v: place %d beyond the last has %d", tree.shape, i, tree.ids[i])
					}
				}
				c := maker{m: m}
				for i, id := range ids {
					if !slices.Equal(tree.vertices(i), c.verticesOf(tree.shape, id)) {
						t.Fatalf("%v: place %d has the vertices %v", tree.shape, i, tree.vertices(i))
					}
				}
				slices.Sort(ids)
				for i, id := range ids {
					if int(id) != i {
						t.Fatalf("%v: primitive %d is missing", tree.shape, i)
					}
				}
				if 8*tree.nodes[0] != len(tree.ids) || len(tree.ids)%64 != 0 || tree.nodes[len(tree.nodes)-1] != 1 ||
					len(tree.nodes) != len(o.trees[0].nodes) {
					t.Fatalf("%v: %d primitives have nodes %v", tree.shape, tree.n, tree.nodes)
				}
			}
		}
	}
}

// Cuts leave what is on one side of a plane on one side: of a row of points each block has 8 that
// follow each other, each group 64.
func TestOrderCutsAtNodes(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 3))
	for _, n := range []int{9, 64, 65, 200, 511, 513, 1000, 4700} {
		c := make([]center, n)
		for i, k := range r.Perm(n) {
			c[i] = center{7, int32(20 * k), int32(10 * (k % 3)), int32(k)}
		}
		cut(c)
		for unit := 8; unit < n; unit *= 8 {
			for from := 0; from < n; from += unit {
				part := c[from:min(from+unit, n)]
				least, most := part[0][3], part[0][3]
				for _, x := range part {
					least, most = min(least, x[3]), max(most, x[3])
				}
				if int(most-least) != len(part)-1 {
					t.Fatalf("%d points: those from place %d on are %d to %d", n, from, least, most)
				}
			}
		}
	}
}

// The masks have the pairs that share a vertex, and no others.
func TestIncidenceIsThatOfTheMesh(t *testing.T) {
	for _, n := range []int{1, 3, 9} {
		m, mo := sheet(t, n, false)
		o := order(t, m, mo)
		for i := range o.families {
			f := &o.families[i]
			share := 0
			for p := range f.a.n {
				for q := range f.b.n {
					d := f.dropped(groupPair{int32(p >> 6), int32(q >> 6)})
					d.itself = false // broad's TestHierarchyLaw3AgreesWithBruteForce tells that each pair counts once.
					got := d.of(8*(p>>3&7)+(q>>3&7))>>(8*(p&7)+(q&7))&1 != 0
					want := false
					for _, v := range f.a.vertices(p) {
						want = want || slices.Contains(f.b.vertices(q), v)
					}
					if want && (!f.self || p < q) {
						share++
					} else {
						want = false
					}
					if got != want {
						t.Fatalf("%v, places %d and %d: shared %v, want %v", f.kind, p, q, got, want)
					}
				}
			}
			if share == 0 {
				t.Fatalf("%v: no pair shares a vertex", f.kind)
			}
		}
		if o.Bytes() < int64(4*(m.NV+len(m.Edges)+len(m.Faces))) {
			t.Errorf("%d bytes", o.Bytes())
		}
	}
}

// Threads find the same masks as one.
func TestIncidenceOnThreads(t *testing.T) {
	m, mo := sheet(t, 75, false)
	o := order(t, m, mo)
	for i := range o.families {
		f := &o.families[i]
		if groups := len(f.a.ids) >> groupBits; groups <= partGroups {
			t.Fatalf("%v: %d groups are one part", f.kind, groups)
		}
		one, err := incident(f.a, f.b, f.self, m.NV, 1)
		if err != nil {
			t.Fatal(err)
		}
		some, err := incident(f.a, f.b, f.self, m.NV, 3)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(one.start, some.start) || !slices.Equal(one.group, some.group) ||
			!slices.Equal(one.masks, some.masks) {
			t.Errorf("%v: the masks of threads differ", f.kind)
		}
	}
}

// The k smallest centers come first, whatever ties there are, and none is lost.
func TestOrderCutsPutTheSmallestFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 7))
	for range 2000 {
		n := 2 + r.IntN(3000>>r.IntN(10))
		axis, most := r.IntN(3), int32(1)<<r.IntN(31)
		c, values := make([]center, n), make([]int32, n)
		for i := range c {
			values[i] = max(-mostCenter, min(r.Int32N(most)-r.Int32N(most), mostCenter))
			if r.IntN(5) == 0 {
				values[i] = []int32{-mostCenter, mostCenter}[r.IntN(2)]
			}
			c[i][axis], c[i][3] = values[i], int32(i)
		}
		k := 1 + r.IntN(n-1)
		nth(c, k, axis)
		first, rest, seen := int32(-mostCenter), int32(mostCenter), make([]bool, n)
		for i := range c {
			if id := c[i][3]; seen[id] || values[id] != c[i][axis] {
				t.Fatalf("center %d is there twice, or not the same", id)
			}
			seen[c[i][3]] = true
			if i < k {
				first = max(first, c[i][axis])
			} else {
				rest = min(rest, c[i][axis])
			}
		}
		if first > rest {
			t.Fatalf("%d of %d: %d comes before %d", k, n, first, rest)
		}
	}
}

// Where many vertices share a coordinate, the first search knows that floats leave much to doubles.
func TestOrderOfRepeatedCoordinates(t *testing.T) {
	const n = 40
	m, mo := sheet(t, n, false)
	if order(t, m, mo).doubtful.Load() {
		t.Error("no coordinates are equal")
	}
	for v := range m.NV {
		mo.Rec[8*v+2] = float64(v % (n + 1))
	}
	if !order(t, m, mo).doubtful.Load() {
		t.Error("coordinates of 41 rows are equal")
	}
}

// An order is stale after many searches, when a search compares over 1.5 times the pairs of blocks
// of the first.
func TestOrderBecomesStale(t *testing.T) {
	o := new(Order)
	o.note(100)
	for range staleAfter - 1 {
		o.note(1000)
	}
	if o.note(150); o.Stale() {
		t.Error("stale after too few searches, or at 1.5 times")
	}
	if o.note(151); !o.Stale() {
		t.Error("not stale beyond 1.5 times")
	}
}

// The same for searches of ends, beside the most pairs of groups of the first ones.
func TestOrderBecomesStaleByEnds(t *testing.T) {
	o := new(Order)
	o.noteGroups(10)
	o.noteGroups(100)
	for range staleAfter - 2 {
		o.noteGroups(1000)
	}
	if o.groups.Load() != 1000 || o.Stale() {
		t.Error("the first searches are not compared")
	}
	if o.noteGroups(1500); o.Stale() {
		t.Error("stale at 1.5 times")
	}
	if o.noteGroups(1501); !o.Stale() {
		t.Error("not stale beyond 1.5 times")
	}
}

package scene

import (
	"errors"
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/proximity"
	"ccd/core/reference/oracle"
	"ccd/core/step"
)

var scenes = flag.Int("scenes", 30, "random scenes of TestSceneLaws")

// topology is what is needed to make a mesh.
type topology struct {
	nv           int
	edges, faces []int32
	group        []int32
	static       []bool
	excluded     map[geom.Kind][][2]int64
	radii        []float64
}

// world is a random scene with what is needed to make its mesh anew: that of its parts one after
// the other. Tests number primitives as in this mesh; up and down translate from and to the numbers
// of the scene.
type world struct {
	topology
	parts []*partOf // the parts in order
	up    [3][]int32
	down  [3]map[int32]int32

	m    *mesh.Mesh
	s    *Scene
	x    []float64 // where the vertices are
	size float64

	// Motions that the last view served, that had impacts, that were of a part; proven commits of
	// crossings.
	served, hit, cut, inherited int
	added, removed, filled      int    // parts; those that filled a gap
	gone                        *world // the part removed last, until one like it comes back; or nil
}

// make builds a mesh of the world with these static vertices.
func (w *world) make(t testing.TB, static []bool) *mesh.Mesh {
	t.Helper()
	m, err := mesh.New(w.nv, w.edges, w.faces)
	for k, list := range w.excluded {
		err = errors.Join(err, m.SetExcluded(k, list))
	}
	if err = errors.Join(err, m.SetGroups(w.group), m.SetStatic(static), m.SetRadii(w.radii)); err != nil {
		t.Fatal(err)
	}
	return m
}

// newWorld makes a soup of triangles, rods and points, or sheets of many triangles, with random
// filters and radii.
func newWorld(t testing.TB, r *rand.Rand) *world {
	t.Helper()
	w := &world{topology: topology{excluded: map[geom.Kind][][2]int64{}}}
	if r.IntN(2) == 0 {
		m, x, _, err := ccdtest.Soup(r)
		if err != nil {
			t.Fatal(err)
		}
		w.nv, w.x = m.NV, x
		for _, e := range m.Edges {
			w.edges = append(w.edges, e[:]...)
		}
		for _, f := range m.Faces {
			w.faces = append(w.faces, f[:]...)
		}
	} else {
		w.sheets(r, 1+r.IntN(4))
	}
	for i := range w.x {
		w.size = max(w.size, math.Abs(w.x[i]-w.x[i%3]))
	}
	w.filters(r)
	w.m = w.make(t, w.static)
	var err error
	if w.s, err = New(w.m, w.x); err != nil {
		t.Fatal(err)
	}
	w.s.whole = []float64{2, 2, wholeFrom}[r.IntN(3)] // mostly parts
	info := w.s.Parts()[0]
	w.parts = []*partOf{{topology: w.topology, info: info}}
	w.merge()
	return w
}

// sheets adds square sheets of random sizes at random heights, and some rods and points.
func (w *world) sheets(r *rand.Rand, count int) {
	vertex := func(x, y, z float64) int32 {
		w.x = append(w.x, x, y, z)
		w.nv++
		return int32(w.nv - 1)
	}
	type edge [2]int32
	seen := map[edge]bool{}
	join := func(a, b int32) {
		if k := (edge{min(a, b), max(a, b)}); !seen[k] {
			seen[k] = true
			w.edges = append(w.edges, a, b)
		}
	}
	for range count {
		n, width := 2+r.IntN(5), math.Pow(4, r.Float64()-0.5)
		at, first := [3]float64{r.Float64(), r.Float64(), r.Float64() / 2}, int32(w.nv)
		for i := range n * n {
			vertex(at[0]+width*float64(i%n)/float64(n), at[1]+width*float64(i/n)/float64(n), at[2]+0.02*r.Float64())
		}
		for i := range int32((n - 1) * (n - 1)) {
			a := first + i/int32(n-1)*int32(n) + i%int32(n-1)
			b, c, d := a+1, a+int32(n), a+int32(n)+1
			w.faces = append(w.faces, a, b, c, b, d, c)
			for _, e := range []edge{{a, b}, {b, c}, {c, a}, {b, d}, {d, c}} {
				join(e[0], e[1])
			}
		}
	}
	point := func() int32 { return vertex(r.Float64(), r.Float64(), r.Float64()/2) }
	for range r.IntN(4) {
		a, b := point(), point()
		join(a, b)
		switch c := point(); r.IntN(3) {
		case 0:
			join(b, c)
		case 1: // a triangle of rods: its corners are points of the point-edge family
			join(b, c)
			join(c, a)
		}
	}
}

func (w *world) filters(r *rand.Rand) {
	switch r.IntN(4) {
	case 0:
		w.group = make([]int32, w.nv)
		for i := range w.group {
			w.group[i] = int32(r.IntN(3) - 1)
		}
	case 1:
		m, _ := mesh.New(w.nv, w.edges, w.faces)
		w.group = m.Components()
	}
	if r.IntN(3) == 0 {
		w.static = make([]bool, w.nv)
		for i := range w.static {
			w.static[i] = r.IntN(3) == 0
		}
	}
	if r.IntN(4) == 0 {
		below := [3]int{w.nv, len(w.edges) / 2, len(w.faces) / 3}
		for _, k := range []geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.PointEdge, geom.PointPoint, geom.EdgeFace} {
			shapes := k.Info().Shapes
			if n, m := below[shapes[0]], below[shapes[1]]; n > 0 && m > 0 {
				for range r.IntN(60) {
					w.excluded[k] = append(w.excluded[k], [2]int64{int64(r.IntN(n)), int64(r.IntN(m))})
				}
			}
		}
	}
	switch r.IntN(4) {
	case 0:
		w.radii = make([]float64, w.nv)
		for i := range w.radii {
			w.radii[i] = w.size * 0.1 * r.Float64() * r.Float64()
		}
	case 1:
		w.radii = slices.Repeat([]float64{0.02 * w.size}, w.nv)
	}
}

// again draws a motion of the same vertices as the last one, or another.
func (w *world) again(r *rand.Rand, last []int32) (moved []int32, x1 []float64) {
	if len(last) == 0 || r.IntN(4) == 0 {
		return w.motion(r)
	}
	speed := w.size * math.Pow(10, -1-3*r.Float64())
	for _, v := range last {
		for k := range 3 {
			x := w.x[3*int(v)+k]
			if w.static == nil || !w.static[v] {
				x += speed * (r.Float64() - 0.5)
			}
			x1 = append(x1, x)
		}
	}
	return last, x1
}

// motion draws vertices and where they go.
func (w *world) motion(r *rand.Rand) (moved []int32, x1 []float64) {
	if w.nv == 0 {
		return nil, nil
	}
	share, speed := []float64{0, 0.05, 0.3, 1}[r.IntN(4)], w.size*math.Pow(10, -2*r.Float64())/2
	from, to := 0, w.nv
	if r.IntN(2) == 0 { // neighbors
		from = r.IntN(w.nv)
		to, share = min(w.nv, from+1+r.IntN(8)), 1
	}
	drift := [3]float64{r.Float64() - 0.5, r.Float64() - 0.5, r.Float64() - 0.5}
	for v := from; v < to; v++ {
		if r.Float64() >= share {
			continue
		}
		moved = append(moved, int32(v))
		static, still := w.static != nil && w.static[v], r.IntN(8) == 0
		for k := range 3 {
			x := w.x[3*v+k]
			if !static && !still {
				x += speed * (drift[k] + 0.3*(r.Float64()-0.5))
			}
			x1 = append(x1, x)
		}
	}
	return moved, x1
}

// fresh returns the mesh and the positions of a fresh call for a motion.
func (w *world) fresh(t testing.TB, moved []int32, x1 []float64) (*mesh.Mesh, []float64) {
	rest, to := slices.Repeat([]bool{true}, w.nv), slices.Clone(w.x)
	for i, v := range moved {
		rest[v] = w.static != nil && w.static[v]
		copy(to[3*v:], x1[3*i:3*i+3])
	}
	return w.make(t, rest), to
}

func (w *world) options(r *rand.Rand) step.Options {
	o := step.DefaultOptions()
	o.Threads = 1 + r.IntN(3)
	if r.IntN(2) == 0 {
		o.MinSeparation = w.size * math.Pow(10, -1-4*r.Float64())
	}
	o.Flags = []uint32{0, 0, narrow.MaxNorm, narrow.NoZeroTOI, narrow.BruteForce}[r.IntN(5)]
	o.CheckStart = r.IntN(2) == 0
	if r.IntN(4) == 0 {
		o.TMax = r.Float64()
	}
	return o
}

// sameAnswers is law 1 for one motion.
func (w *world) sameAnswers(t testing.TB, r *rand.Rand, moved []int32, x1 []float64, o step.Options) {
	t.Helper()
	m, to := w.fresh(t, moved, x1)
	if w.s.view.serves(w.s, w.above(moved), x1, o.MinSeparation, o.Flags&narrow.BruteForce != 0) {
		w.served++
	}
	want, err := step.Collisions(m, w.x, to, &o)
	if len(want) > 0 {
		w.hit++
	}
	got, err2 := w.s.Step(w.above(moved), x1).Collisions(&o)
	w.below(got)
	if err != nil || err2 != nil || !slices.Equal(got, want) {
		t.Fatalf("law 1: collisions %d, %v; fresh %d, %v (%+v)", len(got), err2, len(want), err, o)
	}
	if !w.s.view.last.whole {
		w.cut++
	}
	first, err := step.Earliest(m, w.x, to, &o)
	im, err2 := w.s.Step(w.above(moved), x1).Earliest(&o)
	w.belowOne(&im)
	if err != nil || err2 != nil || im != first {
		t.Fatalf("law 1: earliest %+v, %v; fresh %+v, %v", im, err2, first, err)
	}
	size, err := step.Size(m, w.x, to, &o)
	alpha, err2 := w.s.Step(w.above(moved), x1).Size(&o)
	if err != nil || err2 != nil || alpha != size {
		t.Fatalf("law 1: size %v, %v; fresh %v, %v", alpha, err2, size, err)
	}
	w.sameAdvance(t, m, moved, x1, to, 0.5+r.Float64()/2, o)
	w.sameClearance(t, m, moved, x1, to, o)
	o.TMax = 1
	w.sameFarther(t, r, moved, x1, o)
	w.sameSizes(t, r, m, moved, x1, to, o)
}

// nearest and distances are the searches that capi passes.
func nearest(m *mesh.Mesh, on step.Moves, tMax, bracket float64, o *engine.CallOptions) (geom.LeastDistance, error) {
	q := proximity.LeastQuery{Mesh: m, X0: on.X0, X1: on.X1, TMax: tMax, Bracket: bracket}
	return proximity.LeastDistance(&q, &proximity.Options{CallOptions: *o})
}

func distances(m *mesh.Mesh, on step.Moves, times []float64, out []geom.LeastDistance, o *engine.CallOptions) error {
	return proximity.Profile(m, on.X0, on.X1, times, out, &proximity.Options{CallOptions: *o})
}

// sameClearance is law 1 for the least distance of a motion, and for distances at times.
func (w *world) sameClearance(t testing.TB, m *mesh.Mesh, moved []int32, x1, to []float64, o step.Options) {
	t.Helper()
	fresh, ours := step.Straight(m, w.x, to), w.s.Step(w.above(moved), x1)
	want, err := fresh.LeastDistance(nearest, &o)
	got, err2 := ours.LeastDistance(nearest, &o)
	w.belowPair(got.Kind, &got.A, &got.B)
	if err != nil || err2 != nil || got != want {
		t.Fatalf("law 1: clearance %+v, %v; fresh %+v, %v", got, err2, want, err)
	}
	times := []float64{0, 0.4, 1}
	wanted, found := make([]geom.LeastDistance, 3), make([]geom.LeastDistance, 3)
	err = fresh.Profile(times, wanted, distances, &o)
	err2 = ours.Profile(times, found, distances, &o)
	for i := range found {
		w.belowPair(found[i].Kind, &found[i].A, &found[i].B)
	}
	if err != nil || err2 != nil || !slices.Equal(found, wanted) {
		t.Fatalf("law 1: profile %+v, %v; fresh %+v, %v", found, err2, wanted, err)
	}
}

// sameFarther is law 1 for a larger separation, and for a motion that goes farther, which the view
// of the last call need not serve.
func (w *world) sameFarther(t testing.TB, r *rand.Rand, moved []int32, x1 []float64, o step.Options) {
	t.Helper()
	far := slices.Clone(x1)
	if r.IntN(2) == 0 {
		o.MinSeparation += w.size * r.Float64() / 4
	} else {
		for i, v := range moved {
			for k := range 3 {
				far[3*i+k] += 3 * (x1[3*i+k] - w.x[3*int(v)+k])
			}
		}
	}
	m, to := w.fresh(t, moved, far)
	want, err := step.Collisions(m, w.x, to, &o)
	got, err2 := w.s.Step(w.above(moved), far).Collisions(&o)
	w.below(got)
	if err != nil || err2 != nil || !slices.Equal(got, want) {
		t.Fatalf("law 1: farther: collisions %d, %v; fresh %d, %v (%+v)", len(got), err2, len(want), err, o)
	}
}

func (w *world) sameAdvance(t testing.TB, m *mesh.Mesh, moved []int32, x1, to []float64, share float64,
	o step.Options) {
	t.Helper()
	want, got := make([]float64, 3*w.nv), make([]float64, len(x1))
	alpha, err := step.Advance(m, w.x, to, want, share, &o)
	ours, err2 := w.s.Step(w.above(moved), x1).Advance(got, share, &o)
	if err != nil || err2 != nil || alpha != ours || !sameBits(got, gather(moved, want)) {
		t.Fatalf("law 1: advance %v, %v; fresh %v, %v", ours, err2, alpha, err)
	}
}

func (w *world) sameSizes(t testing.TB, r *rand.Rand, m *mesh.Mesh, moved []int32, x1, to []float64, o step.Options) {
	t.Helper()
	so := step.DefaultSizesOptions()
	var own []int32
	if r.IntN(2) == 0 {
		so.Groups = make([]int32, w.nv)
		for i := range so.Groups {
			so.Groups[i] = int32(r.IntN(w.nv)/3*3) - 1
		}
		for _, v := range moved {
			own = append(own, so.Groups[v])
		}
		if own == nil {
			own = []int32{}
		}
		for i := range so.Groups { // vertices that rest are in no group
			if _, found := slices.BinarySearch(moved, int32(i)); !found {
				so.Groups[i] = -1
			}
		}
	}
	alphas, y := make([]float64, w.nv), make([]float64, 3*w.nv)
	want, err := step.Sizes(m, w.x, to, alphas, y, &so, &o)
	so.Groups = own
	ours, at := make([]float64, len(moved)), slices.Clone(x1)
	got, err2 := w.s.Step(w.above(moved), at).Sizes(ours, at, &so, &o)
	if err != nil || err2 != nil || got != want || !sameBits(at, gather(moved, y)) {
		t.Fatalf("law 1: sizes %+v, %v; fresh %+v, %v", got, err2, want, err)
	}
	for i, v := range moved {
		if ours[i] != alphas[v] {
			t.Fatalf("law 1: the alpha of vertex %d is %v; fresh %v", v, ours[i], alphas[v])
		}
	}
}

func gather(moved []int32, x []float64) (rows []float64) {
	for _, v := range moved {
		rows = append(rows, x[3*v:3*v+3]...)
	}
	return rows
}

// place commits a motion in one of the ways that there are, and follows it.
func (w *world) place(t testing.TB, r *rand.Rand, moved []int32, x1 []float64) {
	t.Helper()
	o := step.DefaultOptions()
	y, alpha := slices.Clone(x1), make([]float64, len(moved))
	way := r.IntN(5)
	var err error
	switch way {
	case 0: // not proven
	case 1:
		_, err = w.s.Step(w.above(moved), x1).Advance(y, 0.9, &o)
	case 2, 3:
		_, err = w.s.Step(w.above(moved), x1).Sizes(alpha, y, nil, &o)
	case 4:
		var im geom.Impact
		if im, err = w.s.Step(w.above(moved), x1).Earliest(&o); im.Verdict != geom.Separate {
			way = 0
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	known, crossings := w.s.State()
	if way > 0 && r.IntN(2) == 0 {
		err = w.s.CommitProven()
	} else {
		err = w.s.Commit(w.above(moved), y)
	}
	if err != nil {
		t.Fatal(err)
	}
	if u, k := w.s.State(); way > 0 && w.s.state.loses == 0 && (u != known || k != crossings) {
		t.Fatalf("a proven commit changed the state from %d, %d to %d, %d", known, crossings, u, k)
	}
	if way > 0 && crossings > 0 && w.s.state.loses == 0 && len(moved) > 0 {
		w.inherited++
	}
	for i, v := range moved {
		copy(w.x[3*v:], y[3*i:3*i+3])
	}
	w.checkPositions(t)
	if w.s.CommitProven() == nil {
		t.Fatal("a motion is proven after a commit")
	}
}

// checkState is law 2, by brute force in rational arithmetic.
func (w *world) checkState(t testing.TB) {
	t.Helper()
	listed := map[[2]int32]bool{}
	for _, p := range w.s.state.crossings {
		listed[[2]int32{w.down[geom.Edge][p[0]], w.down[geom.Face][p[1]]}] = true
	}
	for a, e := range w.m.Edges {
		for b, f := range w.m.Faces {
			p := [2]int32{int32(a), int32(b)}
			known := !slices.ContainsFunc(append(e[:], f[:]...),
				func(v int32) bool { return w.s.state.unknown[w.up[geom.Vertex][v]] })
			crosses := w.m.Filter().Allows(geom.EdgeFace, p[0], p[1]) && crossing(w.x, e, f)
			if known && crosses != listed[p] || !known && listed[p] {
				t.Fatalf("law 2: edge %d and face %d: known %v, listed %v, share a point %v", a, b, known, listed[p],
					crosses)
			}
		}
	}
}

// checkGrid sees that each element is in the cells of its box, and in no others.
func (w *world) checkGrid(t testing.TB) {
	t.Helper()
	v := &w.s.view
	if !v.made {
		return
	}
	valid := map[entry]int{}
	for i := range v.grid.shards {
		for _, c := range v.grid.shards[i].cells {
			for _, e := range c.entries {
				if v.grid.stamp[e.element] == e.stamp {
					valid[e]++
				}
			}
		}
	}
	count := 0
	for _, p := range w.s.parts.Pieces() {
		for k := range int32(p.Count(mesh.Elements)) {
			i := p.First(mesh.Elements) + k
			b := v.all.rest(i, w.s.x)
			home, e := v.grid.home(&b), entry{i, v.grid.stamp[i]}
			home.each(func(at [3]int32) {
				c := v.grid.find(home.level, at)
				if c == nil || !slices.Contains(c.entries, e) {
					t.Fatalf("element %d is not in the cell %v of level %d", i, at, home.level)
				}
			})
			if valid[e] != home.count() {
				t.Fatalf("element %d is in %d cells, not in %d", i, valid[e], home.count())
			}
			delete(valid, e)
			count++
		}
	}
	if len(valid) > 0 || count != v.grid.count {
		t.Fatalf("%d elements in the grid are in no part; %d are counted, not %d", len(valid), v.grid.count, count)
	}
}

// crossing reports whether an edge and a face share a point.
func crossing(x []float64, e [2]int32, f [3]int32) bool {
	var q []float64
	for _, v := range [5]int32{e[0], e[1], f[0], f[1], f[2]} {
		q = append(q, x[3*v:3*v+3]...)
	}
	for k := range 3 {
		if max(q[k], q[3+k]) < min(q[6+k], q[9+k], q[12+k]) || min(q[k], q[3+k]) > max(q[6+k], q[9+k], q[12+k]) {
			return false
		}
	}
	return oracle.Crossing(q)
}

// checkLaws plays a random sequence on a random scene.
func checkLaws(t testing.TB, r *rand.Rand, motions int) *world {
	t.Helper()
	w := newWorld(t, r)
	var moved []int32
	var x1 []float64
	for range motions {
		if n := w.nv; w.change(t, r) && w.nv < n {
			moved = nil
		}
		moved, x1 = w.again(r, moved)
		w.sameAnswers(t, r, moved, x1, w.options(r))
		w.place(t, r, moved, x1)
		switch r.IntN(6) {
		case 0, 1:
			if err := w.s.Check(&engine.CallOptions{Threads: 2}); err != nil {
				t.Fatal(err)
			}
			if u, _ := w.s.State(); u != w.nv {
				t.Fatalf("%d of %d vertices are known after a check", u, w.nv)
			}
		case 2:
			to := make([]float64, 3*w.s.Extent(geom.Vertex))
			for i, v := range w.up[geom.Vertex] {
				copy(to[3*v:], w.x[3*i:3*i+3])
			}
			if err := w.s.Reset(to); err != nil {
				t.Fatal(err)
			}
			if u, k := w.s.State(); u != 0 || k != 0 {
				t.Fatalf("the state after a reset is %d, %d", u, k)
			}
		}
		if r.IntN(3) == 0 { // others are placed elsewhere, without a call
			other, to := w.motion(r)
			if err := w.s.Commit(w.above(other), to); err != nil {
				t.Fatal(err)
			}
			for i, v := range other {
				copy(w.x[3*v:], to[3*i:3*i+3])
			}
		}
		w.checkState(t)
		w.checkGrid(t)
	}
	return w
}

func TestSceneLaws(t *testing.T) {
	n := *scenes
	if testing.Short() {
		n /= 6
	}
	if !long.On() {
		n = min(n, 4)
	}
	var all world
	seed := 0
	defer func() {
		if t.Failed() {
			t.Logf("the last seed was %d", seed)
		}
	}()
	for ; seed < n; seed++ {
		w := checkLaws(t, ccdtest.NewRand(uint64(seed), 20), 5)
		all.served, all.hit, all.cut, all.inherited = all.served+w.served, all.hit+w.hit, all.cut+w.cut, all.inherited+
			w.inherited
		all.added, all.removed, all.filled = all.added+w.added, all.removed+w.removed, all.filled+w.filled
	}
	t.Logf("%d scenes of 5 motions: %d served by the last view, %d with impacts, %d on a part, %d commits that "+
		"inherit crossings; %d parts added, %d in a gap, %d removed",
		n, all.served, all.hit, all.cut, all.inherited, all.added, all.filled, all.removed)
	if all.served < n/4 || all.hit < n || all.cut < n || all.inherited < n/4 || all.added < n || all.filled < n/30 ||
		all.removed < n/8 {
		t.Error("the test sees too little")
	}
}

func FuzzSceneLaws(f *testing.F) {
	for seed := range uint64(long.Part(4, 4)) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { checkLaws(t, ccdtest.NewRand(seed, 21), 1) })
}

package hierarchy

import (
	"slices"
	"sync"
	"sync/atomic"

	"ccd/core/bound"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// An Order is what a mesh has of its hierarchies: the order of its primitives, and which of them
// share vertices. It holds no positions. It is made once, for positions that it was made for to be
// fast; it serves all others with the same pairs. It may be used by many goroutines.
type Order struct {
	trees    []*tree
	families []family

	places atomic.Pointer[[]vertexPlaces] // nil until a search of changes needs them
	static atomic.Pointer[movingFlags]    // nil until a search of a mesh with static vertices needs them

	calls  atomic.Int64 // searches by this order so far
	blocks atomic.Int64 // pairs of blocks of its first search; 0: none yet
	groups atomic.Int64 // the most pairs of groups of its first searches of ends
	begun  atomic.Int64 // searches of ends so far
	stale  atomic.Bool  // a search has compared far more pairs of blocks than the first one

	doubtful atomic.Bool  // a search left many pairs to doubles, or will by a sample
	pause    atomic.Int64 // searches during which it is of no use to know that

	// Kept is what callers keep with the order, for one of them at a time.
	Kept struct {
		sync.Mutex
		Value any
	}
}

// family is the pairs of one kind: of primitives of a with some of b, or with self the unordered
// pairs of a.
type family struct {
	kind geom.Kind
	a, b *tree
	self bool
	near incidence
}

// Make makes the order of a mesh whose vertices are where mo begins, by cuts of the centers of its
// primitives, on some threads.
func Make(m *mesh.Mesh, mo *geom.Trajectories, threads int) (*Order, error) {
	vertices := &tree{shape: geom.Vertex, ids: particles(m, numbers(m.NV))}
	edges := &tree{shape: geom.Edge, ids: numbers(len(m.Edges))}
	faces := &tree{shape: geom.Face, ids: numbers(len(m.Faces))}
	points, rods := &tree{shape: geom.Vertex, ids: m.EdgePoints}, &tree{shape: geom.Edge, ids: m.CodimEdges}
	alone := &tree{shape: geom.Vertex, ids: particles(m, m.CodimVertices)}
	all := vertices.ids
	sample := bound.NewSample(mo, mo.Largest(), 1, len(all), true, func(i int) []int32 { return all[i : i+1] })
	space := sample.SpaceAlong(0, 0)
	o := &Order{}
	o.doubtful.Store(repeated(mo, all))
	for _, f := range []family{
		{kind: geom.VertexFace, a: vertices, b: faces}, {kind: geom.EdgeEdge, a: edges, b: edges, self: true},
		{kind: geom.PointEdge, a: points, b: rods}, {kind: geom.PointPoint, a: alone, b: alone, self: true},
	} {
		if f.self && len(f.a.ids) > 1 || !f.self && len(f.a.ids) > 0 && len(f.b.ids) > 0 {
			o.families = append(o.families, f)
			o.use(f.a)
			o.use(f.b)
		}
	}
	c := maker{m: m, mo: mo, space: &space}
	c.place()
	largest := slices.Clone(o.trees) // The largest come first, so that threads end at about one time.
	slices.SortStableFunc(largest, func(a, b *tree) int { return len(b.ids) - len(a.ids) })
	err := engine.Each(len(largest), threads, func(_, i int) { largest[i].build(&c) })
	if err != nil {
		return nil, err
	}
	o.level()
	for i := range o.families {
		f := &o.families[i]
		if f.near, err = incident(f.a, f.b, f.self, m.NV, threads); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// repeated reports whether a coordinate of many vertices, of a sample, is that of another, as on a
// lattice: doubles would decide many pairs.
func repeated(mo *geom.Trajectories, vertices []int32) bool {
	const samples, many = 1024, 4 // one in 4
	n := min(samples, len(vertices))
	at, values := 0, make([]float64, n)
	for axis := range 3 {
		for i, stride := 0, engine.Stride(max(1, len(vertices))); i < n; i, at = i+1, (at+stride)%len(vertices) {
			values[i] = mo.Rec[8*int(vertices[at])+axis]
		}
		slices.Sort(values)
		if distinct := len(slices.Compact(values)); many*(n-distinct) > n {
			return true
		}
	}
	return false
}

// use adds a tree that a family has.
func (o *Order) use(t *tree) {
	if !slices.Contains(o.trees, t) {
		o.trees = append(o.trees, t)
	}
}

// level makes all trees as high as the highest: nodes with one child.
func (o *Order) level() {
	height := 0
	for _, t := range o.trees {
		height = max(height, len(t.nodes))
	}
	for _, t := range o.trees {
		for len(t.nodes) < height {
			t.nodes = append(t.nodes, 1)
		}
	}
}

// numbers returns the numbers below n.
func numbers(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(i)
	}
	return list
}

// particles returns the vertices of a list that the mesh does not ignore.
func particles(m *mesh.Mesh, list []int32) []int32 {
	out := make([]int32, 0, len(list))
	for _, v := range list {
		if !m.Ignores(v) {
			out = append(out, v)
		}
	}
	return out
}

// Primitives whose boxes one worker makes, and then those that pay for each: to wake a thread takes
// as long as to make the boxes of some thousand.
const (
	fewPrimitives    = 50000
	workerPrimitives = 8000
)

// refitters returns how many workers, up to some threads, it is worth to make the boxes.
func (o *Order) refitters(threads int) int {
	n := 0
	for _, t := range o.trees {
		n += t.n
	}
	if n < fewPrimitives {
		return 1
	}
	return min(threads, n/workerPrimitives)
}

// Bytes returns the memory of the order.
func (o *Order) Bytes() int64 {
	n := 0
	for _, t := range o.trees {
		n += 4 * (cap(t.ids) + cap(t.corners))
	}
	for i := range o.families {
		n += o.families[i].near.bytes()
	}
	if places := o.places.Load(); places != nil {
		for _, p := range *places {
			n += 4 * (cap(p.start) + cap(p.places))
		}
	}
	return int64(n)
}

// When an order is made anew. Only speed depends on it.
const (
	staleAfter = 32  // searches that an order serves at least: to make it takes as long as some of them by the grid
	staleRatio = 1.5 // how many more pairs of blocks than its first search a search compares with a stale order
)

// note counts a search that compared some pairs of blocks.
func (o *Order) note(blocks int64) {
	calls := o.calls.Add(1)
	if o.blocks.CompareAndSwap(0, max(1, blocks)) {
		return
	}
	if calls > staleAfter && float64(blocks) > staleRatio*float64(o.blocks.Load()) {
		o.stale.Store(true)
	}
}

// noteGroups counts a search of ends with some pairs of groups. The first ones may be of shorter
// times than later ones.
func (o *Order) noteGroups(groups int64) {
	switch calls := o.begun.Add(1); {
	case calls <= staleAfter/4:
		for most := o.groups.Load(); groups > most && !o.groups.CompareAndSwap(most, groups); most = o.groups.Load() {
		}
	case calls > staleAfter && float64(groups) > staleRatio*float64(o.groups.Load()):
		o.stale.Store(true)
	}
}

// Stale reports whether the order should be made anew: positions have changed so that searches
// compare far more pairs of blocks than the first one.
func (o *Order) Stale() bool { return o.stale.Load() }

package proximity

import (
	"cmp"
	"math"
	"slices"
	"time"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// Distance returns the pair with the smallest distance, less radii, where the vertices of m are at
// x: that with the least Hi, and of several the first in the order (kind, a, b). Lo is a lower
// bound for all pairs, so the smallest distance is in [Lo, Hi]. Without any allowed pair Kind is 0,
// A and B are -1, and both ends are +Inf.
//
// Edges and faces are among the pairs: they are at distance 0 when they share a point. (Otherwise
// some pair of the other kinds is no farther apart than they are.) U and V are then the parameters
// of the point in the face, and both points are that point. So Hi is 0 if and only if something
// intersects or touches; law "complete" says the same of Intersections.
//
// A sweep with a small radius finds near pairs. If there are none, branch and bound searches two
// trees for each family of pairs; Options.MemoryLimit does not include their memory.
//
// # Why the answer does not depend on the route
//
// Let H be the least Hi of all pairs. At any time the search has a bound B >= H, and skips a pair
// only when its boxes, or the pair itself, are proven to be farther apart than B. No pair at H is
// skipped. Lo is the least, over the pairs that were measured, of the larger of a pair's own Lo and
// the distance of its boxes. For a pair that may be skipped at some time this is more than H, so
// whether it is measured does not matter. The same holds for the pairs that a sweep skips, whose
// boxes are farther apart than its radius, when H is less than the radius.
func Distance(m *mesh.Mesh, x []float64, o *Options) (NearPair, error) {
	none := NearPair{A: -1, B: -1, Lo: math.Inf(1), Hi: math.Inf(1)}
	s, err := start(m, x, o)
	if err != nil {
		return none, err
	}
	defer s.end()
	c := &closest{scan: s, filter: m.Filter()}
	c.radii = c.filter.Radii()
	if err := c.radii.CheckDistance("the distance at contact", 0); err != nil {
		return none, err
	}
	c.least.Set(math.Inf(1))
	for _, w := range s.workers {
		w.best, w.lowest = none, math.Inf(1)
	}
	cross, err := c.firstCrossing()
	switch {
	case err != nil:
	case cross.Kind != 0: // A pair that touches is the nearest.
		c.least.Set(0)
		err = c.all(0, false, c.measureBlock)
	case s.o.BruteForce:
		err = s.everyPair(false, c.measureBlock)
	default:
		err = c.find()
	}
	if err != nil {
		return none, err
	}
	best, lo, found := none, math.Inf(1), 0
	if cross.Kind != 0 {
		best, found = cross, 1
	}
	for _, w := range s.workers {
		if w.best.nearer(&best) {
			best, found = w.best, 1
		}
		lo = min(lo, w.lowest)
	}
	best.Lo = min(best.Hi, lo)
	if err := s.finish(found); err != nil {
		return none, err
	}
	return best, nil
}

// nearer orders pairs by (Hi, kind, a, b).
func (n *NearPair) nearer(o *NearPair) bool {
	return cmp.Or(cmp.Compare(n.Hi, o.Hi), byPair(*n, *o)) < 0
}

// closest is a scan for the smallest distance.
type closest struct {
	*scan
	filter *mesh.Filter
	least  engine.Least // the least Hi so far
}

// firstCrossing returns the first edge and face that share a point, in their order; Kind is 0 if
// there is none.
func (c *closest) firstCrossing() (first NearPair, err error) {
	c.share = 0.5
	defer func() { c.share = 1 }()
	err = c.all(0, true, func(w *worker, k geom.Kind, pairs [][2]int32) {
		if k != geom.EdgeFace {
			return
		}
		c.eachTouching(w, k, pairs, func(i int) bool {
			return w.cross.Kind == 0 || byPair(pairOf(k, pairs[i]), w.cross) < 0
		}, func(i int) bool {
			w.cross = pairOf(k, pairs[i])
			return true
		})
	})
	for _, w := range c.workers {
		if w.cross.Kind != 0 && (first.Kind == 0 || byPair(w.cross, first) < 0) {
			first = w.cross
		}
	}
	if err != nil || first.Kind == 0 {
		return NearPair{}, err
	}
	var q [15]float64
	var im geom.Impact
	c.mo.EdgeAndFace(&c.m.Edges[first.A], &c.m.Faces[first.B], &q)
	c.workers[0].resolver.CrossingImpact(&q, &im)
	first.U, first.V, first.PointA, first.PointB = im.U, im.V, im.Point, im.Point
	return first, nil
}

// pairOf returns a pair before it is measured.
func pairOf(k geom.Kind, p [2]int32) NearPair {
	return NearPair{Kind: k, A: int64(p[0]), B: int64(p[1])}
}

// nearest returns the bound beyond which pairs are skipped: the least Hi so far, or over a step
// what its search says.
func (c *closest) nearest() float64 {
	if c.over != nil {
		return c.over.bound(c)
	}
	return c.least.Load()
}

// beyond reports whether boxes at this squared distance, rounded, are farther apart than the bound.
//
// The square errs by 5u relatively, its bound by 2u: 32u is enough, also for the box distance that
// measurePair computes to exceed the bound then. The constant pays for underflow. An overflow
// proves nothing.
func (c *closest) beyond(square float64) bool {
	b := c.nearest()
	return square > float64(float64(b*b)*(1+32*0x1p-53))+0x1p-1000
}

// find tries sweeps with fractions of an edge's length as their radius, and then searches the trees
// with the bound of the sweeps. The last one suffices for most meshes: what is next to a face, but
// does not share a vertex with it, is less than an edge's length away.
func (c *closest) find() error {
	if len(c.m.Edges) > 0 {
		for _, radius := range c.sweepRadii() {
			if err := c.all(radius, false, c.measureBlock); err != nil {
				return err
			}
			if c.nearest() <= 0.99*radius { // The factor covers the rounding of the boxes' distances.
				return nil
			}
		}
	}
	return c.search()
}

// sweepRadii returns the radii of the sweeps.
func (c *closest) sweepRadii() [3]float64 {
	l := c.edgeLength()
	return [3]float64{l / 64, l / 4, l}
}

// edgeLength estimates the mean length of an edge.
func (c *closest) edgeLength() (sum float64) {
	step := 1 + len(c.m.Edges)/1024
	n := float64((len(c.m.Edges) + step - 1) / step)
	for i := 0; i < len(c.m.Edges); i += step {
		b := boxOf(c.m, &c.mo, nil, geom.EdgeEdge, 0, int32(i), 0)
		sum += max(b.Max[0]-b.Min[0], b.Max[1]-b.Min[1], b.Max[2]-b.Min[2]) / n
	}
	return sum
}

// measureBlock measures a block of pairs.
func (c *closest) measureBlock(w *worker, k geom.Kind, pairs [][2]int32) {
	if c.over != nil {
		c.over.block(c, w, k, pairs)
		return
	}
	c.eachNear(w, k, pairs, c.nearest, func(n *NearPair) { c.measured(w, n, -1) })
}

// measurePair measures an allowed pair. square is the squared distance of its boxes, rounded.
func (c *closest) measurePair(w *worker, k geom.Kind, a, b int32, square float64) {
	if c.over != nil {
		c.over.measure(c, w, k, a, b)
		return
	}
	var n NearPair
	if c.measure(w, k, a, b, c.nearest(), &n) {
		c.measured(w, &n, square)
	}
}

// measured updates the bounds with a measured pair. square is the squared distance of its boxes,
// rounded, or negative if it is unknown.
func (c *closest) measured(w *worker, n *NearPair, square float64) {
	if square < 0 {
		x, y := boxOf(c.m, &c.mo, c.radii, n.Kind, 0, int32(n.A), 0),
			boxOf(c.m, &c.mo, c.radii, n.Kind, 1, int32(n.B), 0)
		square = boxSquare(&x, &y)
	}
	// The distance of the boxes, rounded down: 2.5u of the root, u for rounding it, u for the
	// subtraction, which pays for squares that underflow: to nearest, so upwards as well.
	gap := math.Sqrt(max(square-0x1p-1000, 0)) * (1 - 8*0x1p-53)
	w.lowest = min(w.lowest, max(n.Lo, gap))
	if n.nearer(&w.best) {
		w.best = *n
	}
	c.least.Lower(n.Hi)
}

// treePair holds the trees of a family of pairs; b is a when the family pairs a set with itself.
type treePair struct {
	kind geom.Kind
	a, b *tree
}

// task is a pair of nodes of a treePair.
type task struct {
	*treePair
	i, j      int
	distance2 float64
}

// search builds the trees and searches them, the nearest nodes first, so that the bound falls soon.
func (c *closest) search() error {
	began := time.Now()
	var tasks []task
	for _, p := range products(c.m, false) {
		if len(p.a) == 0 || len(p.b) == 0 {
			continue
		}
		d := &treePair{kind: p.kind}
		var err error
		if d.a, err = newTree(c.scan, c.filter, p.kind, 0, p.a); err != nil {
			return err
		}
		if d.b = d.a; !p.self {
			if d.b, err = newTree(c.scan, c.filter, p.kind, 1, p.b); err != nil {
				return err
			}
		}
		c.Stats.PeakBytes += d.a.bytes()
		if d.b != d.a {
			c.Stats.PeakBytes += d.b.bytes()
		}
		tasks = d.split(tasks)
	}
	slices.SortStableFunc(tasks, func(x, y task) int { return cmp.Compare(x.distance2, y.distance2) })
	c.Stats.SecondsBuild += time.Since(began).Seconds()
	return c.runTasks(tasks)
}

// runTasks runs the tasks on all workers.
func (c *closest) runTasks(tasks []task) error {
	began := time.Now()
	c.Progress.Part(int64(len(tasks)), 1)
	next := engine.NewTasks(0, len(tasks))
	err := c.Run(len(tasks), func(i int) {
		w := c.workers[i]
		for j := range next.All() {
			t := &tasks[j]
			if c.visit(w, t.treePair, t.i, t.j, t.distance2); !c.Progress.Pass(1) {
				return
			}
		}
	})
	c.Stats.SecondsBroad += time.Since(began).Seconds()
	return err
}

// bytes returns the memory of a tree.
func (t *tree) bytes() int64 {
	n := 4*cap(t.ids) + 8*cap(t.group)
	for _, a := range t.at {
		n += 48 * (cap(a.prims) + cap(a.nodes))
	}
	return int64(n)
}

// square bounds the squared distance of what is below node i of a and node j of b, rounded: that of
// their boxes.
func (d *treePair) square(i, j int) float64 {
	x, y := &d.a.at, &d.b.at
	if x[1].nodes == nil {
		return boxSquare(&x[0].nodes[i], &y[0].nodes[j])
	}
	return squareOver(&x[0].nodes[i], &x[1].nodes[i], &y[0].nodes[j], &y[1].nodes[j])
}

// boxSquare returns the same for the primitives at the positions i and j.
func (d *treePair) boxSquare(i, j int) float64 {
	x, y := &d.a.at, &d.b.at
	if x[1].prims == nil {
		return boxSquare(&x[0].prims[i], &y[0].prims[j])
	}
	return squareOver(&x[0].prims[i], &x[1].prims[i], &y[0].prims[j], &y[1].prims[j])
}

// split appends the pairs of nodes of a level that has enough of them for all workers.
func (d *treePair) split(tasks []task) []task {
	const most = 64
	n, m := min(d.a.first, most), min(d.b.first, most)
	for i := n; i < 2*n; i++ {
		j := m
		if d.a == d.b {
			j = i
		}
		for ; j < 2*m; j++ {
			tasks = append(tasks, task{d, i, j, d.square(i, j)})
		}
	}
	return tasks
}

// visit measures the pairs below node i of a and node j of b, whose squared distance is given. With
// one tree i <= j on each level, and i = j stands for the pairs within the node.
func (c *closest) visit(w *worker, d *treePair, i, j int, square float64) {
	if c.beyond(square) || d.a.group[i].apart(d.b.group[j]) {
		return
	}
	inner, outer := i < d.a.first, j < d.b.first
	switch {
	case d.a == d.b && i == j:
		if !inner {
			c.leaves(w, d, i, j)
			return
		}
		c.visit(w, d, 2*i, 2*i, 0)
		c.visit(w, d, 2*i+1, 2*i+1, 0)
		c.visit(w, d, 2*i, 2*i+1, d.square(2*i, 2*i+1))
	case !inner && !outer:
		c.leaves(w, d, i, j)
	case inner && (!outer || i <= j):
		c.nearerFirst(w, d, 2*i, j, 2*i+1, j)
	default:
		c.nearerFirst(w, d, i, 2*j, i, 2*j+1)
	}
}

// nearerFirst visits two pairs of nodes, the nearer one first.
func (c *closest) nearerFirst(w *worker, d *treePair, i, j, k, l int) {
	s, t := d.square(i, j), d.square(k, l)
	if t < s {
		i, j, k, l, s, t = k, l, i, j, t, s
	}
	c.visit(w, d, i, j, s)
	c.visit(w, d, k, l, t)
}

// leaves measures the pairs of two leaves.
func (c *closest) leaves(w *worker, d *treePair, i, j int) {
	from, to := (j-d.b.first)*leafLen, min((j-d.b.first+1)*leafLen, len(d.b.ids))
	for x := (i - d.a.first) * leafLen; x < min((i-d.a.first+1)*leafLen, len(d.a.ids)); x++ {
		if d.a == d.b && i == j {
			from = x + 1
		}
		for y := from; y < to; y++ {
			square := d.boxSquare(x, y)
			if c.beyond(square) {
				continue
			}
			a, b := d.a.ids[x], d.b.ids[y]
			if d.a == d.b && a > b {
				a, b = b, a
			}
			if c.filter.Allows(d.kind, a, b) {
				w.pairs[d.kind-1]++
				c.measurePair(w, d.kind, a, b, square)
			}
		}
	}
}

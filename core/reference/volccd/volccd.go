// Package volccd finds the contacts of a step of a volume by the method of [Tang2011], with
// corrections: a tree of k-DOPs over elements, axes that separate two elements at both ends of the
// step (csat.go), and pairs of features assigned to two elements that are apart (assign.go,
// incidence.go), or else to orphan sets (orphan.go). pair_tester.go compares pairs of elements.
//
// It is a reference implementation for the tree over patches of package volume: slower, with the
// same contacts. The two share only the narrow phase. Its Options are a volume.Search, which capi
// passes to a scene; package volume does not depend on it. docs/papers.md lists the departures from
// the paper.
package volccd

import (
	"fmt"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bound"
	"ccd/core/bvh"
	"ccd/core/engine"
	"ccd/core/mesh"
	"ccd/core/volume"
)

// Options are the options of the method; they are a volume.Search. The zero value is the paper's
// choice: 16-DOPs, dynamic assignment and all axes.
type Options struct {
	Sides      int        // k of the k-DOPs: 6, 16, 18 or 26; 0 = 16
	Assignment Assignment // Dynamic or Static
	Axes       Axes
}

// kindsOfDOP are the kinds of DOP by their number of sides.
var kindsOfDOP = map[int]bound.DOP{0: bound.DOP16, 6: bound.DOP6, 16: bound.DOP16, 18: bound.DOP18, 26: bound.DOP26}

// Check returns an error for an invalid option.
func (o Options) Check() error {
	switch {
	case kindsOfDOP[o.Sides] == 0:
		return fmt.Errorf("volccd.sides is %d: must be 6, 16, 18 or 26", o.Sides)
	case o.Assignment < Dynamic || o.Assignment > Static:
		return fmt.Errorf("volccd.assignment is %d: must be %d or %d", o.Assignment, Dynamic, Static)
	case o.Axes < AllAxes || o.Axes > NoAxes:
		return fmt.Errorf("volccd.axes is %d: must be %d to %d", o.Axes, AllAxes, NoAxes)
	}
	return nil
}

// Find passes every pair that the method cannot exclude to the narrow phase.
func (o Options) Find(c *volume.Call) error {
	m, ok := c.Kept().(*state)
	if !ok {
		m = new(state)
		c.Keep(m)
	}
	return m.find(c, o)
}

// state is what the method keeps from step to step.
type state struct {
	call     *volume.Call // the current call
	o        Options
	version  int64 // the version of the volume that the fields below are of
	inc      incidence
	orphans  orphans
	elements []int32 // the live ones: primitive i of the tree is elements[i]
	tree     *bvh.Tree
	kind     bound.DOP
	dops     []float64 // the k-DOP of every node over the whole step
	visited  int64     // pairs of leaves in the last call
	expected int64     // the same in the first call after the tree was built, or the kind was changed; 0: none

	onSurface
	workers []*pairTester
	tasks   []nodePair
}

// onSurface marks the features of the surface where only these are tested; nil: all are.
type onSurface struct{ vertex, edge, face []bool }

// nodePair is two nodes whose leaves are compared or, where b is negative, the a-th run of orphans
// of a kind.
type nodePair struct{ a, b int32 }

const (
	orphansVF  = -1
	orphansEE  = -2
	orphansRun = 4096
)

// find passes every pair that the method cannot exclude to the narrow phase.
func (m *state) find(c *volume.Call, o Options) error {
	began := time.Now()
	m.call, m.o = c, o
	defer func() { m.call = nil }() // the state outlives the call's arguments
	if err := m.fit(); err != nil {
		return err
	}
	c.Common.SecondsBuild += time.Since(began).Seconds()
	began = time.Now()
	for len(m.workers) < int(c.Common.Threads) {
		m.workers = append(m.workers, new(pairTester))
	}
	m.listTasks()
	c.Common.SecondsBroad += time.Since(began).Seconds()
	err := c.Run(len(m.tasks), func(worker int, sink volume.Sink) func(i int) {
		x := m.workers[worker]
		x.state, x.sink, x.leaves, x.separated = m, sink, 0, 0
		return func(i int) { x.run(m.tasks[i]) }
	}, func(worker int) int64 { return m.workers[worker].leaves })
	m.noteStatistics()
	return err
}

// noteStatistics stores the number of pairs of leaves and writes the statistics of the method.
func (m *state) noteStatistics() {
	st := m.call.Stats
	m.visited = 0
	for _, x := range m.workers[:m.call.Common.Threads] {
		m.visited += x.leaves
		st.Separated += x.separated
	}
	if m.expected == 0 {
		m.expected = m.visited
	}
	m.call.Common.Boxes, st.Patches = int64(len(m.dops)/max(1, m.kind.Len())), int64(len(m.elements))
	if m.o.Assignment == Dynamic {
		st.Orphans = int64(len(m.orphans.vf) + len(m.orphans.ee))
	}
}

// fit updates the tree, the orphan sets and the DOPs for the step.
func (m *state) fit() error {
	v := m.call.Volume
	kind := kindsOfDOP[m.o.Sides]
	changed := m.tree == nil || m.version != v.Version()
	if changed {
		m.inc.build(v)
		m.elements = m.elements[:0]
		for e, k := range v.Kinds {
			if k != mesh.Removed {
				m.elements = append(m.elements, int32(e))
			}
		}
		m.version = v.Version()
	}
	if m.o.Assignment == Dynamic {
		m.orphans.update(&m.inc)
	}
	if changed || float64(m.visited) > regrown*float64(m.expected) {
		m.buildTree()
		m.expected = 0
		m.call.Stats.Rebuilt = true
	}
	if m.kind != kind {
		m.kind, m.expected = kind, 0
	}
	m.visited = 0
	m.vertex, m.edge, m.face = nil, nil, nil
	if m.call.Options.Surface {
		m.vertex, m.edge = v.Surface()
		m.face = make([]bool, len(v.Faces))
		for f := range m.face {
			m.face[f] = v.FaceOwner[f] >= 0 && v.OnSurface(int32(f))
		}
	}
	return m.fitDOPs()
}

// regrown is the growth of the number of pairs of leaves, since the tree was built, at which it is
// rebuilt.
const regrown = 1.25

// buildTree builds the tree over the boxes of the step.
func (m *state) buildTree() {
	m.tree = nil
	if len(m.elements) == 0 {
		m.tree = new(bvh.Tree)
		return
	}
	boxes := make([]bvh.Box, len(m.elements))
	for i, e := range m.elements {
		b := bound.Swept(m.call.Motion, m.call.Volume.Corners(e)...)
		boxes[i] = bvh.Box{Lo: r3.Vec{X: b.Min[0], Y: b.Min[1], Z: b.Min[2]},
			Hi: r3.Vec{X: b.Max[0], Y: b.Max[1], Z: b.Max[2]}}
	}
	m.tree = bvh.Build(boxes, int(m.call.Common.Threads))
}

// fitDOPs computes the DOPs: of the leaves in parallel, then of the inner nodes. A node's children
// come after it.
func (m *state) fitDOPs() error {
	const part = 1024
	k, nodes := m.kind, m.tree.Nodes
	m.dops = resized(m.dops, k.Len()*len(nodes))
	radius := bound.Half(m.call.Options.MinSeparation)
	parts := (len(nodes) + part - 1) / part
	tasks := engine.NewTasks(0, parts)
	err := engine.Parallel(min(int(m.call.Common.Threads), parts), func(int) {
		for p := range tasks.All() {
			for i := part * p; i < min(part*(p+1), len(nodes)); i++ {
				d := m.dop(int32(i))
				k.Clear(d)
				if nodes[i].Left != 0 {
					continue
				}
				for _, x := range m.call.Volume.Corners(m.element(int32(i))) {
					r := m.call.Motion.Rec[8*int(x) : 8*int(x)+8]
					k.Add(d, (*[3]float64)(r), radius)
					k.Add(d, (*[3]float64)(r[4:]), radius)
				}
			}
		}
	})
	for i := len(nodes) - 1; i >= 0; i-- {
		if left := nodes[i].Left; left != 0 {
			k.Join(m.dop(int32(i)), m.dop(left))
			k.Join(m.dop(int32(i)), m.dop(left+1))
		}
	}
	return err
}

func (m *state) dop(node int32) []float64 {
	n := m.kind.Len()
	return m.dops[n*int(node) : n*int(node)+n]
}

// element returns the element of a leaf.
func (m *state) element(leaf int32) int32 { return m.elements[m.tree.Order[m.tree.Nodes[leaf].First]] }

// listTasks divides the work into tasks: pairs of nodes, and runs of orphans.
func (m *state) listTasks() {
	const least = 512
	m.tasks = m.tasks[:0]
	if len(m.elements) > 0 {
		m.tasks = append(m.tasks, nodePair{0, 0})
	}
	for before := 0; len(m.tasks) < least && len(m.tasks) != before; {
		before = len(m.tasks)
		var below []nodePair
		for _, t := range m.tasks {
			m.below(t, func(t nodePair) { below = append(below, t) }, func(t nodePair) { below = append(below, t) })
		}
		m.tasks = below
	}
	if m.o.Assignment != Dynamic {
		return
	}
	for i := 0; i < len(m.orphans.vf); i += orphansRun {
		m.tasks = append(m.tasks, nodePair{int32(i / orphansRun), orphansVF})
	}
	for i := 0; i < len(m.orphans.ee); i += orphansRun {
		m.tasks = append(m.tasks, nodePair{int32(i / orphansRun), orphansEE})
	}
}

// below calls inner with the pairs of nodes below t whose DOPs overlap, or leaf with t if it is a
// pair of leaves. t must not be orphans.
func (m *state) below(t nodePair, inner, leaf func(t nodePair)) {
	n, o := &m.tree.Nodes[t.a], &m.tree.Nodes[t.b]
	meet := func(a, b int32) {
		if m.kind.Meet(m.dop(a), m.dop(b)) {
			inner(nodePair{a, b})
		}
	}
	switch {
	case n.Left == 0 && o.Left == 0:
		leaf(t)
	case t.a == t.b:
		inner(nodePair{n.Left, n.Left})
		inner(nodePair{n.Left + 1, n.Left + 1})
		meet(n.Left, n.Left+1)
	case o.Left == 0 || n.Left != 0 && n.Count >= o.Count:
		meet(n.Left, t.b)
		meet(n.Left+1, t.b)
	default:
		meet(t.a, o.Left)
		meet(t.a, o.Left+1)
	}
}

// Bytes returns the memory of the method.
func (m *state) Bytes() int64 {
	n := m.inc.bytes() + m.orphans.bytes() + int64(4*cap(m.elements)+8*cap(m.dops)+cap(m.vertex)+cap(m.edge)+
		cap(m.face)+8*cap(m.tasks))
	if m.tree != nil {
		n += int64(12*cap(m.tree.Nodes) + 4*cap(m.tree.Order))
	}
	return n
}

func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/8)
	}
	return s[:n]
}

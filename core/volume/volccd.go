package volume

import (
	"fmt"
	"sync/atomic"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bound"
	"ccd/core/broad"
	"ccd/core/bvh"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// Search is how pairs of features are found. All ways find the same contacts.
type Search int32

// The searches.
const (
	Patches Search = iota // the default: a tree over patches of elements
	VolCCD                // the method of paper 2011, mended: a tree of k-DOPs over elements, CSAT, assignment, orphan sets
)

// Paper is what may be chosen of the method of paper 2011. The zero value is the paper's: 16-DOPs and dynamic assignment, all axes.
type Paper struct {
	Sides      int        // k of the k-DOPs: 6, 16, 18 or 26; 0 = 16
	Assignment Assignment // Dynamic or Static
	Axes       Axes
}

// kinds of DOP by their number of sides.
var kindsOfDOP = map[int]bound.DOP{0: bound.DOP16, 6: bound.DOP6, 16: bound.DOP16, 18: bound.DOP18, 26: bound.DOP26}

func (o *Options) checkSearch() error {
	switch {
	case o.Search < Patches || o.Search > VolCCD:
		return fmt.Errorf("search is %d: must be %d or %d", o.Search, Patches, VolCCD)
	case kindsOfDOP[o.Paper.Sides] == 0:
		return fmt.Errorf("paper.sides is %d: must be 6, 16, 18 or 26", o.Paper.Sides)
	case o.Paper.Assignment < Dynamic || o.Paper.Assignment > Static:
		return fmt.Errorf("paper.assignment is %d: must be %d or %d", o.Paper.Assignment, Dynamic, Static)
	case o.Paper.Axes < AllAxes || o.Paper.Axes > NoAxes:
		return fmt.Errorf("paper.axes is %d: must be %d to %d", o.Paper.Axes, AllAxes, NoAxes)
	}
	return nil
}

// volCCD is what the method of paper 2011 keeps from step to step. Nothing of it is made before it is asked for.
type volCCD struct {
	s        *Scene
	version  int64 // of the volume that all below are of
	inc      incidence
	orphans  orphans
	elements []int32 // those alive: primitive i of the tree is elements[i]
	tree     *bvh.Tree
	kind     bound.DOP
	dops     []float64 // of every node, over the whole step
	visited  int64     // pairs of leaves in the last call of all pairs
	expected int64     // the same in the first call after the tree was built, or the kind was changed; 0: none

	vertex, edge, face []bool // on the surface; nil: all count
	crew               []*opener
	tasks              []span
}

// span names two nodes whose leaves are to be compared; or, where b is negative, some orphans, the a-th run of a kind.
type span struct{ a, b int32 }

const (
	orphansVF  = -1
	orphansEE  = -2
	orphansRun = 4096
)

// find answers every pair that the method leaves.
func (m *volCCD) find(s *Scene, at func(i, n int) int, emit emitter, goal *search) error {
	began := time.Now()
	m.s = s
	s.classify()
	if err := m.fit(); err != nil {
		return err
	}
	s.stats.SecondsBuild += time.Since(began).Seconds()
	began = time.Now()
	threads := int(s.stats.Threads)
	for len(m.crew) < threads {
		m.crew = append(m.crew, new(opener))
	}
	m.list()
	n := len(m.tasks)
	s.gate.Part(int64(n), 1)
	var next atomic.Int64
	err := broad.Crew(min(threads, max(1, n)), func(i int) {
		x, w := m.crew[i], s.crew[i]
		w.begin(s, emit, goal)
		x.volCCD, x.worker, x.leaves, x.separated = m, w, 0, 0
		for {
			j := int(next.Add(1)) - 1
			if j >= n {
				break
			}
			x.run(m.tasks[at(j, n)])
			if !s.gate.Pass(1) || s.budget.Over() {
				return
			}
		}
		x.flush(geom.VertexFace)
		x.flush(geom.EdgeEdge)
		w.sort()
		w.opened = x.leaves
	})
	s.stats.SecondsBroad += time.Since(began).Seconds()
	if err == nil && s.gate.Cancelled() {
		err = ErrCancelled
	}
	m.note()
	return err
}

// note remembers how many pairs of leaves there were, and writes what the method's own statistics are.
func (m *volCCD) note() {
	st := &m.s.stats
	m.visited = 0
	for _, x := range m.crew[:st.Threads] {
		m.visited += x.leaves
		st.Separated += x.separated
	}
	if m.expected == 0 {
		m.expected = m.visited
	}
	st.Boxes, st.Patches = int64(len(m.dops)/max(1, m.kind.Len())), int64(len(m.elements))
	if m.s.o.Paper.Assignment == Dynamic {
		st.Orphans = int64(len(m.orphans.vf) + len(m.orphans.ee))
	}
}

// fit makes tree, orphan sets and DOPs ready for the step.
func (m *volCCD) fit() error {
	s := m.s
	v := s.v
	kind := kindsOfDOP[s.o.Paper.Sides]
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
	if s.o.Paper.Assignment == Dynamic {
		m.orphans.update(&m.inc)
	}
	if changed || float64(m.visited) > regrown*float64(m.expected) {
		m.plant()
		m.expected = 0
		s.stats.Rebuilt = true
	}
	if m.kind != kind {
		m.kind, m.expected = kind, 0
	}
	m.visited = 0
	m.vertex, m.edge, m.face = nil, nil, nil
	if s.o.Surface {
		m.vertex, m.edge = v.Surface()
		m.face = make([]bool, len(v.Faces))
		for f := range m.face {
			m.face[f] = v.FaceOwner[f] >= 0 && v.OnSurface(int32(f))
		}
	}
	return m.wrap()
}

// plant builds the tree anew, over the boxes of the step.
func (m *volCCD) plant() {
	m.tree = nil
	if len(m.elements) == 0 {
		m.tree = new(bvh.Tree)
		return
	}
	boxes := make([]bvh.Box, len(m.elements))
	for i, e := range m.elements {
		b := bound.Swept(&m.s.mo, m.s.v.Corners(e)...)
		boxes[i] = bvh.Box{Lo: r3.Vec{X: b.Min[0], Y: b.Min[1], Z: b.Min[2]}, Hi: r3.Vec{X: b.Max[0], Y: b.Max[1], Z: b.Max[2]}}
	}
	m.tree = bvh.Build(boxes, int(m.s.stats.Threads))
}

// wrap makes the DOPs: of the leaves in parts, then of the nodes above. A node's children stand after it.
func (m *volCCD) wrap() error {
	const part = 1024
	k, nodes := m.kind, m.tree.Nodes
	m.dops = resized(m.dops, k.Len()*len(nodes))
	radius := bound.Half(m.s.o.MinSeparation)
	var next atomic.Int64
	err := broad.Crew(int(m.s.stats.Threads), func(int) {
		for {
			lo := int(next.Add(part)) - part
			if lo >= len(nodes) {
				return
			}
			for i := lo; i < min(lo+part, len(nodes)); i++ {
				d := m.dop(int32(i))
				k.Clear(d)
				if nodes[i].Left != 0 {
					continue
				}
				for _, x := range m.s.v.Corners(m.element(int32(i))) {
					r := m.s.mo.Rec[8*int(x) : 8*int(x)+8]
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

func (m *volCCD) dop(node int32) []float64 {
	n := m.kind.Len()
	return m.dops[n*int(node) : n*int(node)+n]
}

// element is that of a leaf.
func (m *volCCD) element(leaf int32) int32 { return m.elements[m.tree.Order[m.tree.Nodes[leaf].First]] }

// list cuts the work into tasks: pairs of nodes, and runs of orphans.
func (m *volCCD) list() {
	const least = 512
	m.tasks = m.tasks[:0]
	if len(m.elements) > 0 {
		m.tasks = append(m.tasks, span{0, 0})
	}
	for before := 0; len(m.tasks) < least && len(m.tasks) != before; {
		before = len(m.tasks)
		var below []span
		for _, t := range m.tasks {
			m.below(t, func(t span) { below = append(below, t) }, func(t span) { below = append(below, t) })
		}
		m.tasks = below
	}
	if m.s.o.Paper.Assignment != Dynamic {
		return
	}
	for i := 0; i < len(m.orphans.vf); i += orphansRun {
		m.tasks = append(m.tasks, span{int32(i / orphansRun), orphansVF})
	}
	for i := 0; i < len(m.orphans.ee); i += orphansRun {
		m.tasks = append(m.tasks, span{int32(i / orphansRun), orphansEE})
	}
}

// below calls inner with the spans below t, which must not be orphans, whose DOPs meet; leaf with t where it is one of two leaves.
func (m *volCCD) below(t span, inner, leaf func(t span)) {
	n, o := &m.tree.Nodes[t.a], &m.tree.Nodes[t.b]
	meet := func(a, b int32) {
		if m.kind.Meet(m.dop(a), m.dop(b)) {
			inner(span{a, b})
		}
	}
	switch {
	case n.Left == 0 && o.Left == 0:
		leaf(t)
	case t.a == t.b:
		inner(span{n.Left, n.Left})
		inner(span{n.Left + 1, n.Left + 1})
		meet(n.Left, n.Left+1)
	case o.Left == 0 || n.Left != 0 && n.Count >= o.Count:
		meet(n.Left, t.b)
		meet(n.Left+1, t.b)
	default:
		meet(t.a, o.Left)
		meet(t.a, o.Left+1)
	}
}

func (m *volCCD) bytes() int64 {
	n := m.inc.bytes() + m.orphans.bytes() + int64(4*cap(m.elements)+8*cap(m.dops)+cap(m.vertex)+cap(m.edge)+cap(m.face)+8*cap(m.tasks))
	if m.tree != nil {
		n += int64(12*cap(m.tree.Nodes) + 4*cap(m.tree.Order))
	}
	return n
}

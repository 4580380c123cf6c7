package main

import (
	"fmt"
	"math"
	"slices"

	"ccd/bench/cputime"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/volume"
)

// peer is a method that finds pairs of elements and then tests all their features, duplicates
// included.
type peer struct {
	tally
	pairs  func(b *boxes, emit func(a, b int32))
	solver *narrow.Solver
	idx    [2][][4]int32
	found  map[key]bool
	mo     geom.Trajectories
}

func newPeer(pairs func(b *boxes, emit func(a, b int32))) *peer {
	return &peer{pairs: pairs, solver: narrow.NewSolver()}
}

// step runs one step and compares its contacts.
func (p *peer) step(v *mesh.Volume, x0, x1 []float64, want []volume.Contact) error {
	edges, faces := make([][]int32, len(v.Kinds)), make([][]int32, len(v.Kinds)) // topology is given beforehand
	for e := range v.Kinds {
		if v.Kinds[e] != mesh.Removed {
			edges[e], faces[e] = sides(v, int32(e))
		}
	}
	began := cputime.Now()
	if err := v.Load(&p.mo, x0, x1); err != nil {
		return err
	}
	p.found = map[key]bool{}
	p.pairs(boxesOf(v, &p.mo), func(a, b int32) {
		p.cross(v, v.Corners(a), faces[b])
		if a != b {
			p.cross(v, v.Corners(b), faces[a])
		}
		for _, g := range edges[a] {
			for _, h := range edges[b] {
				p.edges(v.Edges[g], v.Edges[h])
			}
		}
	})
	p.flush(0)
	p.flush(1)
	p.spent += cputime.Now() - began
	p.steps++
	if len(p.found) != len(want) {
		return fmt.Errorf("%d contacts, the tree has %d", len(p.found), len(want))
	}
	for i := range want {
		if !p.found[keyOf(&want[i])] {
			return fmt.Errorf("contact %+v is not found", want[i])
		}
	}
	return nil
}

// cross tests vertices with faces.
func (p *peer) cross(v *mesh.Volume, vertices, faces []int32) {
	for _, x := range vertices {
		for _, f := range faces {
			if t := v.Faces[f]; x != t[0] && x != t[1] && x != t[2] {
				p.ask(0, [4]int32{x, t[0], t[1], t[2]})
			}
		}
	}
}

func (p *peer) edges(a, b [2]int32) {
	if a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1] {
		return
	}
	if a[1] > b[1] {
		a, b = b, a
	}
	p.ask(1, [4]int32{a[0], a[1], b[0], b[1]})
}

func (p *peer) ask(kind int, q [4]int32) {
	p.tests++
	if p.idx[kind] = append(p.idx[kind], q); len(p.idx[kind]) == 1024 {
		p.flush(kind)
	}
}

func (p *peer) flush(kind int) {
	o := narrow.DefaultOptions()
	p.solver.Batch(geom.Kind(kind+1), &p.mo, p.idx[kind], &o, func(i int, im *geom.Impact) {
		p.found[key{p.idx[kind][i], kind == 1, im.TOILo}] = true
	})
	p.idx[kind] = p.idx[kind][:0]
}

// directions of a 16-DOP: the axes, and five diagonals (paper 2011).
const directions = 8

func along(p []float64) [directions]float64 {
	x, y, z := p[0], p[1], p[2]
	return [directions]float64{x, y, z, x + y, x + z, y + z, x - y, x - z}
}

// dop is a swept 16-DOP. Sums are rounded, which is monotone: what is apart in floats is apart.
type dop struct{ lo, hi [directions]float64 }

func (a *dop) meets(b *dop) bool {
	for k := range a.lo {
		if a.lo[k] > b.hi[k] || b.lo[k] > a.hi[k] {
			return false
		}
	}
	return true
}

func (a *dop) join(b *dop) {
	for k := range a.lo {
		a.lo[k], a.hi[k] = min(a.lo[k], b.lo[k]), max(a.hi[k], b.hi[k])
	}
}

func empty() (d dop) {
	for k := range d.lo {
		d.lo[k], d.hi[k] = math.Inf(1), math.Inf(-1)
	}
	return d
}

// boxes are the swept 16-DOPs of the live elements.
type boxes struct {
	element []int32
	dops    []dop
}

func boxesOf(v *mesh.Volume, mo *geom.Trajectories) *boxes {
	b := new(boxes)
	for e, k := range v.Kinds {
		if k == mesh.Removed {
			continue
		}
		d := empty()
		for _, x := range v.Corners(int32(e)) {
			for end := range 2 {
				p := along(mo.Rec[8*int(x)+4*end:])
				d.join(&dop{p, p})
			}
		}
		b.element, b.dops = append(b.element, int32(e)), append(b.dops, d)
	}
	return b
}

// treePairs finds the pairs of elements, each with itself included, whose 16-DOPs overlap, by a
// binary tree of medians.
func treePairs(b *boxes, emit func(a, b int32)) {
	if len(b.dops) == 0 {
		return
	}
	t := &binary{boxes: b, at: make([]int32, len(b.dops))}
	for i := range t.at {
		t.at[i] = int32(i)
	}
	root := t.build(0, len(t.at))
	t.self(root, emit)
}

// binary is a tree whose leaves are elements.
type binary struct {
	*boxes
	at    []int32
	nodes []struct {
		dop         dop
		left, right int // -1: a leaf
		leaf        int32
	}
}

func (t *binary) build(lo, hi int) int {
	i := len(t.nodes)
	t.nodes = append(t.nodes, struct {
		dop         dop
		left, right int
		leaf        int32
	}{empty(), -1, -1, t.at[lo]})
	for _, e := range t.at[lo:hi] {
		t.nodes[i].dop.join(&t.dops[e])
	}
	if hi-lo == 1 {
		return i
	}
	d, axis := &t.nodes[i].dop, 0
	for k := 1; k < 3; k++ {
		if d.hi[k]-d.lo[k] > d.hi[axis]-d.lo[axis] {
			axis = k
		}
	}
	slices.SortFunc(t.at[lo:hi], func(a, b int32) int {
		x, y := t.dops[a].lo[axis]+t.dops[a].hi[axis], t.dops[b].lo[axis]+t.dops[b].hi[axis]
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return int(a - b)
	})
	mid := (lo + hi) / 2
	left := t.build(lo, mid)
	right := t.build(mid, hi)
	t.nodes[i].left, t.nodes[i].right = left, right
	return i
}

func (t *binary) self(i int, emit func(a, b int32)) {
	n := &t.nodes[i]
	if n.left < 0 {
		emit(t.element[n.leaf], t.element[n.leaf])
		return
	}
	t.self(n.left, emit)
	t.self(n.right, emit)
	t.pair(n.left, n.right, emit)
}

func (t *binary) pair(i, j int, emit func(a, b int32)) {
	a, b := &t.nodes[i], &t.nodes[j]
	switch {
	case !a.dop.meets(&b.dop):
	case a.left < 0 && b.left < 0:
		emit(t.element[a.leaf], t.element[b.leaf])
	case b.left < 0 || a.left >= 0 && a.dop.hi[0]-a.dop.lo[0] > b.dop.hi[0]-b.dop.lo[0]:
		t.pair(a.left, j, emit)
		t.pair(a.right, j, emit)
	default:
		t.pair(i, b.left, emit)
		t.pair(i, b.right, emit)
	}
}

// hashPairs finds the pairs of elements whose swept boxes overlap through a hash of the cells of a
// grid; a cell is as wide as a box on the average. A pair is taken in the cell that holds the
// larger minimum on each axis.
func hashPairs(b *boxes, emit func(a, b int32)) {
	width := 0.0
	for i := range b.dops {
		for k := range 3 {
			width += (b.dops[i].hi[k] - b.dops[i].lo[k]) / float64(3*len(b.dops))
		}
	}
	cell := func(x float64) int32 { return int32(math.Floor(x / width)) }
	table := map[[3]int32][]int32{}
	for i := range b.dops {
		d := &b.dops[i]
		for x := cell(d.lo[0]); x <= cell(d.hi[0]); x++ {
			for y := cell(d.lo[1]); y <= cell(d.hi[1]); y++ {
				for z := cell(d.lo[2]); z <= cell(d.hi[2]); z++ {
					c := [3]int32{x, y, z}
					table[c] = append(table[c], int32(i))
				}
			}
		}
	}
	for c, list := range table {
		for n, i := range list {
			for _, j := range list[:n+1] {
				p, q := &b.dops[i], &b.dops[j]
				ours := true
				for k := range 3 {
					ours = ours && c[k] == cell(max(p.lo[k], q.lo[k])) && p.lo[k] <= q.hi[k] && q.lo[k] <= p.hi[k]
				}
				if ours {
					emit(b.element[i], b.element[j])
				}
			}
		}
	}
}

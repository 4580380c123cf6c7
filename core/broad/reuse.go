package broad

import (
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/simd/box"
)

// Reuse makes a plan of known pairs, for example those of a longer step that begins with this one.
// It uses the mesh's current filter. Unless how.Unboxed is set, the pairs are tested with the boxes
// of this step, like those of a sweep. So the candidates of a whole line search cost little in a
// short step of it. Join must be called next.
func (p *Plan) Reuse(m *mesh.Mesh, mo *geom.Trajectories, c *Candidates, how PlanOptions) error {
	p.begin(m, mo, how)
	d := &p.own.known
	p.tactic, d.pairs = d, c
	if err := p.keeps.encode(p.reach(), how.Work.Threads); err != nil {
		return err
	}
	for k := geom.Kind(1); int(k) <= len(c.kinds); k++ {
		n := c.Count(k)
		for i := 0; i < n; i += blockLen {
			end := min(i+blockLen, n)
			p.todo.add(Task{Kind: k, c0: i, c1: end, Weight: end - i})
		}
	}
	if p.todo.total == 0 || how.Tactic.Unboxed {
		return nil
	}
	p.how.largest = mo.Largest()
	if err := p.chooseSpace(families(m), families(m)); err != nil {
		return err
	}
	return p.computeRecords()
}

// Join computes the records of all primitives of given pairs. To compute them pair by pair would
// cost as much as a sweep.
func (p *Plan) Join() {
	if p.todo.total == 0 || p.how.Tactic.Unboxed {
		return
	}
	d := &p.own.known
	d.all[geom.Vertex] = p.vertices.rec
	var used [3]bool // used says of each shape whether pairs have it.
	for _, k := range geom.StepKinds {
		for _, s := range k.Info().Shapes {
			used[s] = used[s] || d.pairs.Count(k) > 0
		}
	}
	if used[geom.Edge] {
		d.all[geom.Edge] = d.join(p.vertices.rec, geom.Edge, flat(p.m.Edges), &d.joined[0])
	}
	if used[geom.Face] {
		d.all[geom.Face] = d.join(p.vertices.rec, geom.Face, flat(p.m.Faces), &d.joined[1])
	}
}

// SizeRatio returns, for a plan of given pairs, the mean volume of its boxes relative to the boxes
// of the sweep that found the pairs: an estimate of the fraction of the pairs that a sweep would
// find now. It is 1 where such a sweep might find other pairs than the given ones, because the
// filter has changed, or where no sweep found them.
func (p *Plan) SizeRatio() float64 {
	c := p.own.known.pairs
	if c.filter != p.filter || len(p.work) == 0 {
		return 1
	}
	return volumeRatio(p.extent(&p.work[p.largest].sample), c.extent)
}

// Given reports whether the plan consists of given pairs.
func (p *Plan) Given() bool { return p.tactic == tactic(&p.own.known) }

// Boxed reports whether the pairs that the plan emits passed a test of their boxes at both ends.
func (p *Plan) Boxed() bool { return !p.how.Tactic.Unboxed }

// join computes the records of all primitives of a shape from those of their vertices.
func (*known) join(rec []float32, s geom.Shape, verts []int32, store *[]float32) []float32 {
	all := len(verts) / s.Vertices()
	out := alignedRecords(store, all)
	var ids [joinLen]int32
	var list box.SweepList // the boxes, which are not needed here
	var floats [joinLen + box.SweepPad]float32
	var ints [joinLen + box.SweepPad]int32
	for k := range list.Box {
		list.Box[k] = floats[:]
	}
	for k := range list.Vert {
		list.Vert[k] = ints[:]
	}
	for first := 0; first < all; first += joinLen {
		n := min(joinLen, all-first)
		for i := range n {
			ids[i] = int32(first + i)
		}
		box.JoinRecords(rec, verts, s.Vertices(), ids[:n], out[16*first:16*(first+n)], &list)
	}
	return out
}

// joinLen is the number of records computed at a time, so that they stay in cache.
const joinLen = 1024

func (d *known) bytes() int64 { return d.found + int64(4*(cap(d.joined[0])+cap(d.joined[1]))) }
func (d *known) forget()      { d.pairs, d.found = nil, 0 }

func (d *known) sweep(w *Worker, p *Plan, t *Task, _ float64, emit emitter) {
	some := d.pairs.Of(t.Kind)[t.c0:t.c1]
	if p.how.Tactic.Unboxed {
		w.block = append(w.block[:0], some...)
	} else {
		shapes := t.Kind.Info().Shapes
		w.block = w.block[:len(some)] // A task has at most blockLen pairs.
		w.block = w.block[:box.Kinetic(d.all[shapes[0]], d.all[shapes[1]], some, w.block)]
	}
	if !d.pairs.allows(p.filter) && (p.how.Tactic.Unboxed || t.Kind == geom.PointEdge || !p.filter.Trivial()) {
		w.block = keep(w.block, func(a, b int32) bool { return p.filter.Allows(t.Kind, a, b) })
	}
	w.block = p.keeps.wanted(t.Kind, w.block)
	w.Swept += int64(t.Weight)
	w.Kept += int64(len(w.block))
	w.emit(t.Kind, emit)
}

package hierarchy

import (
	"cmp"

	"ccd/core/bound"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/simd/box"
)

// Input is what a search is given.
type Input struct {
	Mesh      *mesh.Mesh
	Motion    *geom.Trajectories
	Filter    *mesh.Filter
	Space     *bound.RecordSpace
	Inflation float64 // Inflation is that of all boxes around Motion, or the largest of them.
	Threads   int
	Progress  func(fraction float64) bool // nil, or called from time to time; true cancels the search

	AtRest bool // AtRest makes the search of Begin one of where the step begins, at which it also ends.

	Until float64 // Until is the end of the time [0, Until] that the boxes of Begin cover.
	Sieve bool    // Sieve lets Begin leave out pairs that boxes do not tell apart.

	// Own is nil, or returns the inflation of each primitive, for Find.
	Own func(s geom.Shape, id int32) float64

	// Around is nil, or returns the largest inflation of a primitive at a vertex, for Begin.
	Around func(v int) float64

	// Lo and Hi are nil, or segments between which each vertex is along each axis: the boxes of
	// Begin are around these then, and Beside or Around is their inflation.
	Lo, Hi *geom.Trajectories
	Beside float64
}

// A Search is the memory in which steps are searched, one after the other. The next one reuses it.
type Search struct {
	order *Order
	in    Input
	m     box.RowMap
	rows  []float32 // A row for each vertex.
	later []float32 // Its row at the end, of a search by boxes at both ends.
	hulls []float64 // Its box of doubles, in place of a row: see own.go.
	ends  ends

	changes changes

	sieve bool           // The search leaves out pairs that boxes do not tell apart; see sieve.go.
	trees []boxes        // The boxes of each tree of the order.
	parts []part         // The parts of the lowest levels, for threads.
	seen  []*seenNumbers // One for each thread.
	down  descent
	work  []worker
}

// boxes are the boxes of a tree.
type boxes struct {
	levels  [][]box.Node
	hulls   [2][]float32     // rows of the nodes of a level, and of the next
	columns []box.SieveBlock // What the sieve reads of the blocks.

	// A search by boxes at both ends has those at the start in levels, and these at the end.
	moving bool
	later  [][]box.Node
	after  [2][]float32 // Their hulls.

	flags [][]uint8 // nil, or which children have changed: see changes
}

// groupPair is two nodes of one level.
type groupPair struct{ a, b int32 }

// task is some pairs of groups of a family.
type task struct{ family, from, to int }

// part is some nodes of level 0 of a tree.
type part struct{ tree, from, to int }

const (
	taskPairs   = 32  // pairs of groups of a task
	partNodes   = 512 // nodes of a part
	workerTasks = 4   // tasks that pay for a worker

	partRows = 4096 // vertices whose rows are made at once

	manyDoubts = 32 // Doubles are much of a search where they decide a pair in so many.
	doubtPause = 64 // searches after which closeRows is tried again where it was of no use
)

// Find finds the pairs of a step of the mesh of the order, by family. ok is false where the step
// does not fit: rows might overflow.
func (s *Search) Find(o *Order, in *Input) (found []Pairs, ok bool, err error) {
	s.order, s.in, s.ends.are, s.sieve = o, *in, false, false
	defer func() { s.order, s.in = nil, Input{Threads: in.Threads} }()
	if s.m, ok = newRowMap(in.Space, in.Inflation, in.Motion.Largest()); !ok {
		return nil, false, nil
	}
	if err := s.refit(); err != nil {
		return nil, true, err
	}
	s.flagMoving()
	if err := s.descend(); err != nil {
		return nil, true, err
	}
	found, err = s.run()
	return found, true, err
}

// refit computes the boxes of all nodes.
func (s *Search) refit() error {
	n, o := s.in.Motion.N, s.order
	if s.in.Own != nil {
		s.hulls = grown(s.hulls, 8*n)
	} else {
		s.rows = grown(s.rows, rowLen*n)
	}
	if s.moving() {
		s.later = grown(s.later, rowLen*n)
	}
	threads := o.refitters(s.in.Threads)
	err := engine.Each((n+partRows-1)/partRows, threads, func(_, i int) {
		from, to := partRows*i, min(partRows*(i+1), n)
		s.vertices(from, to)
	})
	if err != nil {
		return err
	}
	if !s.ends.are && !s.in.AtRest && s.in.Own == nil {
		if err := s.closeRows(threads); err != nil {
			return err
		}
	}
	for len(s.trees) < len(o.trees) {
		s.trees = append(s.trees, boxes{})
	}
	s.parts = s.parts[:0]
	for i, t := range o.trees {
		s.trees[i].reserve(t, s.moving())
		if s.sieve {
			s.trees[i].columns = grown(s.trees[i].columns, t.nodes[0])
		}
		for from := 0; from < t.nodes[0]; from += partNodes {
			s.parts = append(s.parts, part{i, from, min(from+partNodes, t.nodes[0])})
		}
	}
	err = engine.Each(len(s.parts), threads, func(_, i int) { s.leaves(&s.parts[i]) })
	if err != nil {
		return err
	}
	return engine.Each(2*len(o.trees), threads, func(_, i int) {
		b := &s.trees[i/2]
		if i%2 == 0 {
			above(b.levels, &b.hulls)
		} else if b.moving {
			above(b.later, &b.after)
		}
	})
}

// vertices computes what nodes are made of for the vertices from to to-1: their rows, or with own
// inflations their hulls.
func (s *Search) vertices(from, to int) {
	switch rec := s.in.Motion.Rec; {
	case s.ends.are:
		later := s.later
		if !s.moving() {
			later = nil
		}
		s.ends.fill(&s.in, from, to, s.rows, later)
	case s.in.Own != nil:
		hullsOf(rec[8*from:8*to], s.hulls[8*from:8*to])
	case s.in.Around != nil:
		m := s.m
		for v := from; v < to; v++ {
			m.Grow = s.in.Around(v)
			box.StepRows(rec[8*v:8*v+8], &m, s.rows[rowLen*v:rowLen*v+rowLen])
		}
	default:
		box.StepRows(rec[8*from:8*to], &s.m, s.rows[rowLen*from:rowLen*to])
	}
}

// moving reports whether the search is by boxes at both ends.
func (s *Search) moving() bool { return s.ends.are && !s.sieve }

// reserve makes room for the boxes of a tree, with moving for those at both ends.
func (b *boxes) reserve(t *tree, moving bool) {
	b.levels, b.flags = nodesOf(b.levels, t), nil
	if b.moving = moving; moving {
		b.later = nodesOf(b.later, t)
	}
	for i := range b.hulls {
		n := rowLen * (t.nodes[i] + box.Children)
		b.hulls[i] = grown(b.hulls[i], n)
		if moving {
			b.after[i] = grown(b.after[i], n)
		}
	}
}

// nodesOf makes room for the nodes of a tree.
func nodesOf(levels [][]box.Node, t *tree) [][]box.Node {
	for len(levels) < len(t.nodes) {
		levels = append(levels, nil)
	}
	levels = levels[:len(t.nodes)]
	for k, n := range t.nodes {
		levels[k] = grown(levels[k], n)
	}
	return levels
}

// leaves computes the nodes of a part, and their hulls.
func (s *Search) leaves(p *part) {
	if s.in.Own != nil {
		s.ownLeaves(p)
		return
	}
	t, b := s.order.trees[p.tree], &s.trees[p.tree]
	width, first := t.shape.Vertices(), box.Children*p.from
	count := max(0, min(t.n-first, box.Children*(p.to-p.from)))
	corners := t.corners[min(len(t.corners), width*first):]
	from, to := rowLen*p.from, rowLen*p.to
	box.Leaves(b.levels[0][p.from:p.to], b.hulls[0][from:to], s.rows, corners, width, count)
	if b.moving {
		box.Leaves(b.later[0][p.from:p.to], b.after[0][from:to], s.later, corners, width, count)
	}
	if s.sieve {
		s.columns(p, corners, width, count)
	}
}

// above computes the nodes above level 0 of the hulls below them.
func above(levels [][]box.Node, rows *[2][]float32) {
	for k := 1; k < len(levels); k++ {
		below, hulls := rows[(k-1)%2], rows[k%2]
		n := len(levels[k])
		for i := rowLen * len(levels[k-1]); i < rowLen*box.Children*n; i++ {
			below[i] = absent
		}
		box.Parents(levels[k], hulls, below[:rowLen*box.Children*n])
	}
}

// Workers returns how many workers the last search was worth: to wake a thread takes as long as
// some tasks.
func (s *Search) Workers() int { return max(1, min(s.in.Threads, len(s.down.tasks)/workerTasks)) }

// run has workers do the tasks, and returns their records by family.
func (s *Search) run() ([]Pairs, error) {
	threads := s.Workers()
	for len(s.work) < threads {
		s.work = append(s.work, worker{})
	}
	var g engine.Progress
	g.Begin(s.in.Progress)
	g.Part(int64(len(s.down.pairs)), 1)
	left := engine.NewTasks(0, len(s.down.tasks))
	err := engine.Parallel(threads, func(i int) {
		w := &s.work[i]
		w.begin(s)
		for j := range left.All() {
			t := &s.down.tasks[j]
			w.do(t)
			if !g.Pass(int64(t.to - t.from)) {
				return
			}
		}
	})
	err = cmp.Or(err, g.End())
	found, blocks, doubts := s.gather(threads)
	all := 0
	for f := range found {
		all += found[f].Len()
		if err != nil {
			found[f].Free()
		}
	}
	if err != nil {
		return nil, err
	}
	s.order.note(blocks)
	if doubts > int64(all/manyDoubts) {
		s.order.doubtful.Store(true)
	}
	return found, nil
}

// gather returns the records of some workers by family, how many pairs of blocks they have
// compared, and how many pairs doubles decided.
func (s *Search) gather(workers int) (found []Pairs, blocks, doubts int64) {
	found = make([]Pairs, len(s.order.families))
	for f := range found {
		found[f] = Pairs{order: s.order, family: f}
	}
	for i := range s.work[:workers] {
		w := &s.work[i]
		blocks, doubts = blocks+w.blocks, doubts+w.decided
		for f := range found {
			found[f].take(&w.found[f])
		}
		w.end()
	}
	return found, blocks, doubts
}

// Bytes returns the memory of the search.
func (s *Search) Bytes() int64 {
	n := 4*(cap(s.rows)+cap(s.later)) + 8*cap(s.hulls)
	n += 24*cap(s.parts) + s.down.bytes() + s.changes.bytes()
	for i := range s.trees {
		b := &s.trees[i]
		n += columnBytes * cap(b.columns)
		for end := range 2 {
			n += 4 * (cap(b.hulls[end]) + cap(b.after[end]))
		}
		for _, levels := range [...][][]box.Node{b.levels, b.later} {
			for _, level := range levels {
				n += nodeBytes * cap(level)
			}
		}
	}
	return int64(n + workerBytes*len(s.work))
}

// grown returns a slice of n elements, in the memory of s if it is enough.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/8)
	}
	return s[:n]
}

package broad

import (
	"math"
	"slices"
	"sort"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/num"
)

// divide makes the plan one of given pairs, found by sweeps of pieces no longer than size. It
// reports false, and leaves the plan as it is, if there are too many pieces or pairs, or too little
// memory. It returns an overLimit error if the pairs of a smaller slab would fit into the limit,
// and status.ErrCancelled if the progress callback cancels the call.
func (p *Plan) divide(size float64) (bool, error) {
	how := p.how
	s := slicing{p: p, size: size, axis: longestAxis(p.mo)}
	hinged := s.choose()
	s.apart = num.AddUp(how.Input.Radii.LargestSeparation(how.Input.Separation), how.Tactic.Farther)
	s.separation = num.AddUp(s.apart, 2*pieceError(how.largest))
	s.reach = num.AddUp(s.separation/2, 0x1p-1074)
	if !s.allot() {
		return false, nil
	}
	if err := s.cut(); err != nil {
		return false, err
	}
	threads := min(s.threads, max(1, len(s.fs)*s.slices()))
	sweepers := make([]pieceSweeper, threads)
	tasks := engine.NewTasks(0, len(s.fs)*s.slices())
	if how.Work.Progress != nil {
		how.Work.Progress.Before(int64(len(s.fs)*s.slices()), how.Work.UpTo, sliceShare)
	}
	err := engine.Parallel(threads, func(i int) {
		w := &sweepers[i]
		w.begin(&s)
		defer w.end()
		for j := range tasks.All() {
			must(w.sweep(&s, j/s.slices(), j%s.slices()))
			if !s.pass(1) || s.full.Load() || s.over(threads) {
				return
			}
		}
	})
	if err == nil {
		err = s.err(threads)
	}
	if err != nil || s.full.Load() {
		for i := range sweepers {
			for k := range sweepers[i].found {
				sweepers[i].found[k].free()
			}
		}
		return false, err
	}
	sweepers[0].keep(&s, geom.PointEdge, hinged)
	c := merge(p, sweepers)
	how.Tactic.Unboxed = true // the boxes of pieces are better
	err = p.Reuse(p.m, p.mo, c, how)
	p.own.known.found = s.bytes(threads)
	return true, err
}

// choose sets the families that are swept, and returns pairs of the others. A point of the
// point-edge family that has edges is wanted only with those edges that are hinged to one of its
// own: of rods these are few, where points are twice as many as rods.
func (s *slicing) choose() (hinged [][2]int32) {
	looked, listed := false, false
	for i := range s.p.work {
		f := s.p.work[i].family
		if f.kind == geom.PointEdge {
			if !looked {
				hinged, listed = s.p.m.HingedPoints(hingedShare * len(s.p.m.CodimEdges))
				looked = true
			}
			if listed {
				f.a = s.withoutEdges(f.a)
			}
		}
		s.fs = append(s.fs, f)
	}
	s.fs = nonEmpty(s.fs)
	return hinged
}

// withoutEdges returns the vertices of a set that have no edge.
func (s *slicing) withoutEdges(of set) set {
	some := make([]int32, 0, len(s.p.m.CodimVertices))
	for _, v := range s.p.m.CodimVertices {
		found := of.ids == nil
		if !found {
			_, found = slices.BinarySearch(of.ids, v)
		}
		if found {
			some = append(some, v)
		}
	}
	return set{geom.Vertex, len(some), some}
}

// cut chooses the planes between slices so that each has about as many pieces, and finds the slices
// of all primitives.
func (s *slicing) cut() error {
	s.choosePlanes()
	s.spans = make([][2][]sliceSpan, len(s.fs))
	boxed := s.p.keeps.box != nil
	for f := range s.fs {
		for i, of := range []set{s.fs[f].a, s.fs[f].b} {
			spans := make([]sliceSpan, of.n)
			s.spans[f][i] = spans
			l := new(layer)
			l.use(s.p.m, of)
			err := inBlocks(of.n, s.p.how.Work.Threads, func(_, from, to int) {
				for j := from; j < to; j++ {
					if boxed && !s.p.keeps.meets(of.Shape, of.id(j)) {
						spans[j] = sliceSpan{1, 0} // none
						continue
					}
					lo, hi := extent(s.p.mo, l.vertices(j), s.axis)
					spans[j] = s.span(lo, hi)
				}
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// span returns the slices that an extent along the axis meets.
func (s *slicing) span(lo, hi float64) sliceSpan {
	lo, hi = num.AddDown(lo, -s.reach), num.AddUp(hi, s.reach)
	first := sort.SearchFloat64s(s.cuts, lo)
	last := first + sort.Search(len(s.cuts)-first, func(i int) bool { return s.cuts[first+i] > hi })
	return sliceSpan{uint16(first), uint16(last)}
}

// slice returns slice number i.
func (s *slicing) slice(i int) slice {
	out := slice{s.axis, math.Inf(-1), math.Inf(1)}
	if i > 0 {
		out.lo = num.AddDown(s.cuts[i-1], -s.reach)
	}
	if i < len(s.cuts) {
		out.hi = num.AddUp(s.cuts[i], s.reach)
	}
	return out
}

// choosePlanes chooses the planes by a histogram of the pieces along the axis, of some primitives.
func (s *slicing) choosePlanes() {
	lo, hi := math.Inf(1), math.Inf(-1)
	each := func(use func(lo, hi, count float64)) {
		for _, f := range s.fs {
			for _, of := range []set{f.a, f.b} {
				if of.Shape == geom.Vertex {
					continue
				}
				l := new(layer)
				l.use(s.p.m, of)
				step := 1 + of.n/sliceSample
				for i := 0; i < of.n; i += step {
					v := l.vertices(i)
					a, b := extent(s.p.mo, v, s.axis)
					use(a, b, s.count(v)*float64(step))
				}
			}
		}
	}
	each(func(a, b, _ float64) { lo, hi = min(lo, a), max(hi, b) })
	s.cuts = nil
	bins := float64(sliceBins) / (float64(hi/2) - float64(lo/2)) / 2
	width, pieces := sliceWidth*(s.size+float64(2*s.reach)), float64(s.pieces)
	if s.pieces < slicePieces { // narrow slices share more pieces, and need less memory
		width /= sliceWidth
	}
	if s.p.how.Tactic.Orient == DivideAlways { // tests have small meshes
		width /= 16
	}
	if !(bins > 0 && bins < math.MaxFloat64 && width < math.MaxFloat64) {
		return
	}
	// rise says by how much the pieces of a bin are more than those of the bin before.
	var rise [sliceBins + 2]float64
	all := 0.0
	each(func(a, b, count float64) {
		from, to := int((a-lo)*bins), int((b-lo)*bins)+1
		rise[from] += count / float64(to-from)
		rise[to] -= count / float64(to-from)
		all += count
	})
	want := max(all/min(slicesMost, math.Ceil(all/pieces)), 1)
	here, sum, before := 0.0, 0.0, lo
	for i := range sliceBins {
		here += rise[i]
		sum += here
		if at := lo + float64(i+1)/bins; sum >= want && at-before >= width && hi-at >= width {
			s.cuts = append(s.cuts, at)
			sum, before = 0, at
		}
	}
}

// count returns about how many pieces a primitive has.
func (s *slicing) count(v []int32) float64 {
	d := pieces{motion: geom.Trajectories{Rec: s.p.mo.Rec}}
	n := math.Exp2(min(pieceDepth, max(0, math.Ceil(math.Log2(d.length(v[0], v[1])/s.size)))))
	if len(v) == 3 {
		n *= n
	}
	return n
}

// pieceSweeper sweeps slices of pieces, on one thread.
type pieceSweeper struct {
	plan   *Plan
	pieces pieces
	worker *Worker
	order  kernel.Order
	idx    [][4]int32
	left   [BlockLen]int32
	found  [geom.EdgeFace + 1]pairList // found has by kind what the kernels leave.
}

// begin takes memory from the pools.
func (w *pieceSweeper) begin(s *slicing) {
	w.plan, w.worker = plans.Get().(*Plan), workers.Get().(*Worker)
	w.pieces.size = s.size
}

// end returns it.
func (w *pieceSweeper) end() {
	w.plan.recycle()
	workers.Put(w.worker)
	w.plan, w.worker, w.pieces = nil, nil, pieces{}
}

// sweep adds the pairs of a slice of a family.
func (w *pieceSweeper) sweep(s *slicing, number, slice int) error {
	p, f, d := s.p, &s.fs[number], &w.pieces
	d.begin()
	d.in = s.slice(slice)
	na := 0
	for i, of := range []set{f.a, f.b} {
		for j, span := range s.spans[number][i] {
			if int(span.first) <= slice && slice <= int(span.last) {
				d.add(p.m, p.mo, of.Shape, of.id(j))
			}
			if j%sliceLook == 0 && !s.goesOn(d) {
				return nil
			}
		}
		if i == 0 {
			na = len(d.parent[of.Shape])
		}
	}
	some := nonEmpty([]family{d.end(f, na)})
	if len(some) == 0 || !s.goesOn(d) {
		return nil
	}
	err := w.build(s, some)
	if isOver(err) {
		s.full.Store(true)
		return nil
	}
	for i := range w.plan.todo.list {
		if err != nil || s.full.Load() || !s.pass(0) {
			break
		}
		w.worker.Sweep(w.plan, &w.plan.todo.list[i], func(k geom.Kind, pairs [][2]int32) bool {
			w.keep(s, k, w.sieve(s, k, pairs))
			return !s.full.Load() && s.pass(0)
		})
	}
	s.note(w.bytes())
	return err
}

// keep copies pairs to those that were found.
func (w *pieceSweeper) keep(s *slicing, k geom.Kind, pairs [][2]int32) {
	into := &w.found[k]
	chunks := len(into.chunks)
	if s.found.Add(int64(len(pairs))) > foundMost {
		s.full.Store(true)
	}
	for len(pairs) > 0 {
		n := copy(into.reserve(), pairs)
		into.commit(n)
		pairs = pairs[n:]
	}
	s.chunks.Add(int64(len(into.chunks) - chunks))
}

// build makes the plan of a family of pieces.
func (w *pieceSweeper) build(s *slicing, fs []family) error {
	q, d, how := w.plan, &w.pieces, &s.p.how
	own := PlanOptions{Input: Input{Until: how.Input.Until, Still: how.Input.Still, AtRest: how.Input.AtRest,
		Separation: s.separation}, Work: Work{Threads: 1}, largest: d.motion.Largest()}
	if s.quota > 0 {
		own.Work.Limit = max(1, s.quota-d.bytes())
	}
	q.begin(&d.mesh, &d.motion, own)
	q.keeps.pieces = d
	if err := q.chooseSpace(fs, fs); err != nil {
		return err
	}
	return q.buildCells()
}

// sieve keeps the pairs of primitives that may come within their separation, and that the filter
// allows.
func (w *pieceSweeper) sieve(s *slicing, k geom.Kind, pairs [][2]int32) [][2]int32 {
	p := s.p
	pairs = p.keeps.wanted(k, pairs)
	left := w.left[:len(pairs)]
	switch {
	case k == geom.EdgeFace && s.apart == 0:
		left = left[:kernel.Crossings(p.mo, p.m.Edges, p.m.Faces, pairs, left)]
	case kernel.CPU.Supports(k):
		w.idx = p.m.Gather(k, pairs, w.idx)
		b := kernel.Batch{
			Kind: k, Step: p.mo, Index: w.idx, TMax: p.how.Input.Until, Separation: s.apart,
			Stages: kernel.Floats | kernel.InPlane, Order: &w.order,
		}
		out := kernel.Survivors{List: left}
		kernel.CPU.Filter(&b, &out)
		left = left[:out.N]
	default:
		for i := range left {
			left[i] = int32(i)
		}
	}
	kept := pairs[:0]
	for _, i := range left {
		if i < 0 { // an edge and a face that are proven to cross
			i = ^i
		}
		if x := pairs[i]; p.filter.Allows(k, x[0], x[1]) {
			kept = append(kept, x)
		}
	}
	return kept
}

// bytes returns the memory of the sweeper, without what it found.
func (w *pieceSweeper) bytes() int64 { return w.plan.Bytes() + w.pieces.bytes() + w.worker.Bytes() }

// merge returns the pairs that were found, each once, as candidates of the mesh of a plan.
func merge(p *Plan, sweepers []pieceSweeper) *Candidates {
	c := &Candidates{mesh: p.m, separation: p.how.Input.Separation, threads: p.how.Work.Threads}
	for k := range c.kinds {
		kind := &c.kinds[k]
		for i := range sweepers {
			found := &sweepers[i].found[k+1]
			kind.found.chunks = append(kind.found.chunks, found.chunks...)
			found.chunks = nil
		}
		kind.n = kind.found.length()
		kind.sorted = slices.Compact(c.Of(geom.Kind(k + 1)))
		kind.n = len(kind.sorted)
	}
	return c
}

package step

import (
	"math"
	"sync"
	"sync/atomic"

	"ccd/core/broad"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/narrow"
	"ccd/core/status"
)

// finishPasses is the number of passes in which vertices in contact rest, before all do. Each of them rests a vertex at least, and
// those that it concerns; so few are needed, but a chain of vertices may need one for each.
const finishPasses = 32

// sizing is the state of one call of Sizes. Later calls reuse its memory.
type sizing struct {
	m      *mesh.Mesh
	x0, x1 []float64
	paths  *motion.Motion // nil: segments
	cut    *motion.Motion // the paths up to alpha, on which the current pass searches; nil: segments
	so     SizesOptions
	o      Options // of the searches
	passes int
	stats  engine.Stats

	alpha, y []float64
	lowering
	vicinity
	first engine.Least
	floor float64
}

// vicinity says how the searches after the first find pairs.
type vicinity struct {
	around   broad.Near
	prepared bool // around is for this step
	plain    bool // the first search compared whole boxes along the axes
	known    knownNearness
}

// lowering is what a pass changes, by vertex.
type lowering struct {
	next    []uint64  // the bits of alpha after this pass, which workers lower
	least   []float64 // of a group
	changed []bool    // whether the vertex was lowered in the last pass, and moves
	lowered int       // number of these
}

// sizings is a pool of finished calls.
var sizings = sync.Pool{New: func() any { return new(sizing) }}

func (s *sizing) begin(m *mesh.Mesh, x0, x1 []float64, so *SizesOptions, o *Options) {
	s.m, s.x0, s.x1, s.so, s.o = m, x0, x1, *so, *o
	s.o.Method, s.o.Flags = narrow.Exact, o.Flags&^narrow.NoZeroTOI
	s.passes, s.stats, s.floor, s.lowered, s.prepared = 0, engine.Stats{}, 0, 0, false
	s.first.Set(math.Inf(1))
	s.y = append(s.y[:0], x1...)
	s.alpha, s.next, s.changed = s.alpha[:0], s.next[:0], s.changed[:0]
	for range m.NV {
		s.alpha, s.next, s.changed = append(s.alpha, 1), append(s.next, math.Float64bits(1)), append(s.changed, false)
	}
	if so.Groups != nil {
		s.least = append(s.least[:0], s.alpha...)
	}
}

func (s *sizing) end() {
	if s.o.MemoryLimit != 0 {
		*s = sizing{} // the memory of larger calls would count
	}
	s.around.Forget()
	s.known.forget()
	s.m, s.x0, s.x1, s.paths, s.cut, s.so, s.o = nil, nil, nil, nil, nil, SizesOptions{}, Options{}
	sizings.Put(s)
}

// choose computes s.alpha and s.y.
func (s *sizing) choose() error {
	for {
		if err := s.pass(); err != nil {
			return err
		}
		if s.passes == 1 {
			s.floor = min(1, float64(s.so.Share*s.first.Load()))
		}
		if s.lower(); s.lowered == 0 {
			break
		}
		if s.passes == s.so.MaxPasses+finishPasses {
			clear(s.alpha)
			copy(s.y, s.x0)
			break
		}
	}
	if s.o.Progress != nil && s.o.Progress(1) {
		return status.ErrCancelled
	}
	return nil
}

// pass finds the pairs that come too near on the way to s.y, among those with a changed vertex from the second pass on, and lowers the
// steps of their vertices in s.next. The progress of pass number i runs from 1 - 2^-i to 1 - 2^-(i+1).
func (s *sizing) pass() error {
	var stats engine.Stats
	o := s.o
	o.Stats = &stats
	if s.o.Progress != nil {
		left := math.Ldexp(1, -s.passes)
		o.Progress = func(f float64) bool { return s.o.Progress(1 - left + float64(left/2*f)) }
	}
	if s.passes > 0 {
		o.CheckStart = false // it has been checked
	}
	c, err := s.startPass(&o)
	if err != nil {
		return err
	}
	defer c.end()
	if err := s.search(c); err != nil {
		return err
	}
	for _, w := range c.workers[:c.Stats.Threads] {
		c.Stats.Impacts += w.hits
	}
	if s.passes == 1 {
		s.plain = c.memory.plan.Plain()
	}
	if err := c.finish(nil); err != nil {
		return err
	}
	stats.PeakBytes += s.around.Bytes() + s.known.bytes()
	s.stats.Add(&stats)
	return nil
}

// startPass begins the search of a pass: on segments to s.y, or on paths up to s.alpha.
func (s *sizing) startPass(o *Options) (*call, error) {
	s.cut = nil
	if s.paths == nil {
		return start(s.m, s.x0, s.y, o)
	}
	c, err := startMotion(s.m, s.paths.Cut(s.alpha), o)
	if err != nil {
		return nil, err
	}
	if p, isCurved := c.path.(*curved); isCurved {
		s.cut = p.paths
	}
	return c, nil
}

// mostChanged is the part of the vertices above which a search sweeps the whole mesh, and drops the pairs without a changed vertex.
const mostChanged = 0.5

// search passes the pairs that come too near to meet, and edges that pass through faces at x0 to cross.
func (s *sizing) search(c *call) (err error) {
	var only narrowed
	if s.passes > 0 {
		if only, err = s.narrow(c); err != nil {
			return err
		}
	}
	s.passes++
	w := everyImpact(c, func(w *worker, im *geom.Impact) {
		w.hits++
		s.meet(c, w, im)
	})
	w.times = true
	return c.sweepAll(only, w, s.cross, false)
}

// narrow restricts a search to the pairs with a changed vertex. No vertex goes farther than in the search for which s.around was
// built. On paths, and with candidates, brute force or a memory limit, the pairs of the whole mesh are found, and those without a
// changed vertex dropped.
func (s *sizing) narrow(c *call) (narrowed, error) {
	only := narrowed{changed: s.changed, alongAxes: s.plain}
	swept := s.cut == nil && c.o.Candidates == nil && c.o.Flags&narrow.BruteForce == 0 && c.o.MemoryLimit == 0
	if !swept || float64(s.lowered) > mostChanged*float64(s.m.NV) {
		return only, nil
	}
	if !s.prepared {
		how := broad.PlanOptions{Separation: c.o.MinSeparation, Radii: c.radii, Threads: int(c.Stats.Threads)}
		if err := s.around.Build(s.m, c.path.segments(), how); err != nil {
			return only, err
		}
		s.prepared = true
	}
	only.around = &s.around
	return only, s.around.Select(s.changed)
}

// meet lowers the steps of a pair that comes within the separation of the options on the way to s.y.
func (s *sizing) meet(c *call, w *worker, im *geom.Impact) {
	k, pair := im.Kind, [2]int32{int32(im.A), int32(im.B)}
	idx := c.m.Indices(k, pair[0], pair[1])
	toi := im.TOILo
	if im.Flags&geom.InitialContact != 0 || s.cut != nil && toi == 0 { // with radii contacts have no flag
		touches, found := false, false
		if touches, toi, found = s.nearAtStart(c, w, k, pair, &idx); touches {
			s.rest(idx[:k.Points()])
			return
		} else if !found {
			return
		}
	}
	if s.passes == 1 {
		s.first.Lower(toi)
	}
	s.shorten(idx[:k.Points()], float64(s.so.Share*toi))
}

// nearAtStart is near, for a motion too.
func (s *sizing) nearAtStart(c *call, w *worker, k geom.Kind, pair [2]int32, idx *[4]int32) (touches bool, toi float64, found bool) {
	if s.cut != nil {
		return s.nearOnPaths(c, w, k, pair, idx)
	}
	return s.near(c, w, k, pair, idx)
}

// near tests a pair that is within the separation of the options at x0: whether it touches, and when it comes too near, if it does.
func (s *sizing) near(c *call, w *worker, k geom.Kind, pair [2]int32, idx *[4]int32) (touches bool, toi float64, found bool) {
	var q [24]float64
	var im geom.Impact
	c.path.segments().Query(k, idx, &q)
	o, h := c.o.Options, -1.0
	if d := c.radii.Pair(k, pair[0], pair[1], o.MinSeparation); d > 0 {
		h = s.nearness(w, k, pair, &q, d)
	}
	if h < 0 {
		return true, 0, true
	}
	o.MinSeparation = float64(s.so.KeepRatio * h) // at most h, so less than the distance
	w.secondSolver().Solve(k, q[:k.Len()], &o, &im)
	return false, im.TOILo, im.Verdict != geom.Separate
}

// nearness returns that of a pair with the separation d. Within a memory limit it is computed anew in each pass.
func (s *sizing) nearness(w *worker, k geom.Kind, pair [2]int32, q *[24]float64, d float64) float64 {
	if s.o.MemoryLimit != 0 {
		return w.nearness(k, q, d, s.o.Options)
	}
	return s.known.find(k, pair, func() float64 { return w.nearness(k, q, d, s.o.Options) })
}

// cross rests the vertices of an edge and a face that pass through each other at x0.
func (s *sizing) cross(_ *worker, im *geom.Impact) {
	e, f := &s.m.Edges[im.A], &s.m.Faces[im.B]
	s.rest([]int32{e[0], e[1], f[0], f[1], f[2]})
}

// rest lowers the steps of vertices that move to 0.
func (s *sizing) rest(vertices []int32) {
	for _, v := range vertices {
		if s.moves(v) {
			s.lowerTo(v, 0)
		}
	}
}

// shorten lowers the steps of vertices that move by a factor, but not below the floor; to 0 if that lowers none.
func (s *sizing) shorten(vertices []int32, factor float64) {
	lowered := false
	if s.passes <= s.so.MaxPasses {
		for _, v := range vertices {
			if !s.moves(v) {
				continue
			}
			if a := max(s.floor, float64(s.alpha[v]*factor)); a < s.alpha[v] {
				s.lowerTo(v, a)
				lowered = true
			}
		}
	}
	if !lowered {
		s.rest(vertices)
	}
}

// moves reports whether x1 of a vertex is not x0, or its path is not one point.
func (s *sizing) moves(v int32) bool {
	if s.paths != nil {
		return s.paths.Moves(int(v))
	}
	i := 3 * v
	return s.x0[i] != s.x1[i] || s.x0[i+1] != s.x1[i+1] || s.x0[i+2] != s.x1[i+2]
}

// lowerTo lowers the step of a vertex. Bits of doubles that are not negative have their order.
func (s *sizing) lowerTo(v int32, a float64) {
	b := math.Float64bits(a)
	for {
		old := atomic.LoadUint64(&s.next[v])
		if old <= b || atomic.CompareAndSwapUint64(&s.next[v], old, b) {
			return
		}
	}
}

// lower takes the steps of s.next, group by group, and moves s.y there.
func (s *sizing) lower() {
	if s.so.Groups != nil {
		s.joinGroups()
	}
	s.lowered = 0
	for v := range s.alpha {
		a := math.Float64frombits(s.next[v])
		s.changed[v] = a < s.alpha[v] && s.moves(int32(v))
		if s.changed[v] {
			s.lowered++
		}
		if a == s.alpha[v] {
			continue
		}
		s.alpha[v] = a
		for i := 3 * v; i < 3*v+3; i++ { // of a vertex that rests too: x1 may have another zero than x0
			s.y[i] = s.x0[i]
			if a > 0 && s.paths == nil {
				s.y[i] = place(s.x0[i], s.x1[i], a)
			}
		}
	}
	if s.paths != nil && s.lowered > 0 {
		control := s.paths.Cut(s.alpha).Control()
		copy(s.y, control[len(control)-len(s.y):])
	}
}

// joinGroups lowers the step of each vertex to the least of its group.
func (s *sizing) joinGroups() {
	for v, g := range s.so.Groups {
		if g >= 0 {
			s.least[g] = min(s.least[g], math.Float64frombits(s.next[v]))
		}
	}
	for v, g := range s.so.Groups {
		if g >= 0 {
			s.next[v] = math.Float64bits(s.least[g])
		}
	}
}

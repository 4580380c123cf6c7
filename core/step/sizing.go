package step

import (
	"math"
	"sync/atomic"

	"ccd/core/broad"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/status"
)

// finishPasses is the number of passes in which vertices in contact rest, before all do. Each of
// them rests a vertex at least, and those that it concerns; so few are needed, but a chain of
// vertices may need one for each.
const finishPasses = 32

// sizing is the state of one call of Sizes. Later calls reuse its memory.
type sizing struct {
	m      *mesh.Mesh
	x0, x1 []float64
	ways   ways
	so     SizesOptions
	o      Options // those of the searches
	passes int
	stats  engine.Stats

	alpha, y []float64
	lowering
	vicinity vicinity
	first    engine.Least
	floor    float64
}

// vicinity says how the searches after the first find pairs.
type vicinity struct {
	around   broad.Near
	prepared bool // around holds for this step
	plain    bool // the first search compared whole boxes along the axes
	known    knownNearness

	last  *call   // nil, or the call of the last pass, with which the next one goes on
	moved []int32 // The vertices whose steps the last pass has lowered.
}

// lowering is what a pass changes. Its slices have an item for each vertex.
type lowering struct {
	next    []uint64  // the bits of alpha after this pass, which workers lower
	least   []float64 // the least alpha of each group
	changed []bool    // whether the vertex was lowered in the last pass, and moves
	lowered int       // the number of these
}

// sizings are the finished calls.
var sizings = pool[sizing]{make: func() *sizing { return new(sizing) }}

func (s *sizing) begin(m *mesh.Mesh, x0, x1 []float64, so *SizesOptions, o *Options) {
	s.m, s.x0, s.x1, s.so, s.o = m, x0, x1, *so, *o
	s.o.Method, s.o.Flags = narrow.Exact, o.Flags&^narrow.NoZeroTOI
	s.passes, s.stats, s.floor, s.lowered, s.vicinity.prepared = 0, engine.Stats{}, 0, 0, false
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
	s.vicinity.drop()
	sizings.put(&s.o, s, func() {
		s.vicinity.around.Forget()
		s.vicinity.known.forget()
		s.m, s.x0, s.x1, s.ways, s.so, s.o = nil, nil, nil, nil, SizesOptions{}, Options{}
	})
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

// pass finds the pairs that come too near on the way to s.y, among those with a changed vertex from
// the second pass on, and lowers the steps of their vertices in s.next. The progress of pass number
// i runs from 1 - 2^-i to 1 - 2^-(i+1).
func (s *sizing) pass() error {
	var stats engine.Stats
	o := s.o
	o.Stats = &stats
	if s.o.Progress != nil {
		ahead := math.Ldexp(1, -s.passes)
		o.Progress = func(f float64) bool { return s.o.Progress(1 - ahead + float64(ahead/2*f)) }
	}
	if s.passes > 0 {
		o.CheckStart = false // The first pass has checked it.
	}
	c, err := s.ways.search(&o)
	if err != nil {
		return err
	}
	if s.vicinity.last = c; !c.mayGoOn() {
		defer s.vicinity.drop()
	}
	if err := s.search(c); err != nil {
		return err
	}
	for _, w := range c.workers[:c.Stats.Threads] {
		c.Stats.Impacts += w.hits
	}
	if s.passes == 1 {
		s.vicinity.plain = c.memory.plan.Plain()
	}
	if err := c.finish(nil); err != nil {
		return err
	}
	stats.PeakBytes += s.vicinity.around.Bytes() + s.vicinity.known.bytes()
	s.stats.Add(&stats)
	return nil
}

// drop ends the call that a later pass might have gone on with.
func (v *vicinity) drop() {
	if v.last != nil {
		v.last.end()
		v.last = nil
	}
}

// mostChanged is the part of the vertices above which a search sweeps the whole mesh, and drops the
// pairs without a changed vertex.
const mostChanged = 0.5

// search passes the pairs that come too near to meet, and edges that pass through faces at x0 to
// cross.
func (s *sizing) search(c *call) (err error) {
	var only narrowed
	if s.passes > 0 {
		if only, err = s.vicinity.narrow(c, s.changed, s.lowered); err != nil {
			return err
		}
	}
	s.passes++
	w := everyImpact(c, func(w *worker, im *geom.Impact) {
		w.hits++
		s.meet(c, w, im)
	})
	w.times = true
	return sweepAll(c, only, w, s.cross, true)
}

// narrow restricts a search to the pairs with a changed vertex. No vertex goes farther than in the
// search for which v.around was built. Where the call may not search around them (tactics), the
// pairs of the whole mesh are found, and those without a changed vertex dropped.
func (v *vicinity) narrow(c *call, changed []bool, lowered int) (narrowed, error) {
	only := narrowed{changed: changed, alongAxes: v.plain}
	grouped := v.plain && c.tactics.hierarchy && c.m.Hierarchy() != nil
	if !c.tactics.around || !grouped && float64(lowered) > mostChanged*float64(c.m.NV) {
		return only, nil
	}
	if !v.prepared {
		how := broad.PlanOptions{Input: broad.Input{Separation: c.o.MinSeparation, Radii: c.radii},
			Tactic: broad.Tactic{Hierarchy: grouped}, Work: broad.Work{Threads: int(c.Stats.Threads)}}
		if err := v.around.Build(c.m, c.path.Segments(), how); err != nil {
			return only, err
		}
		v.prepared = true
	}
	only.around = &v.around
	return only, v.around.Select(changed)
}

// meet lowers the steps of a pair that comes within the separation of the options on the way to
// s.y.
func (s *sizing) meet(c *call, w *worker, im *geom.Impact) {
	k, pair := im.Kind, [2]int32{int32(im.A), int32(im.B)}
	idx := c.m.Indices(k, pair[0], pair[1])
	toi := im.TOILo
	if s.ways.early(im) {
		a := s.ways.near(c, w, k, pair, &idx)
		if a.touches {
			s.rest(idx[:k.Points()])
			return
		} else if !a.closes {
			return
		}
		toi = a.toi
	}
	if s.passes == 1 {
		s.first.Lower(toi)
	}
	s.shorten(idx[:k.Points()], float64(s.so.Share*toi))
}

// nearness returns that of a pair with the separation d. Within a memory limit it is computed anew
// in each pass.
func (s *sizing) nearness(c *call, w *worker, k geom.Kind, pair [2]int32, q *[24]float64, d float64) float64 {
	if !c.tactics.remember {
		return w.nearness(k, q, d, s.o.Options)
	}
	return s.vicinity.known.find(k, pair, func() float64 { return w.nearness(k, q, d, s.o.Options) })
}

// cross rests the vertices of an edge and a face that pass through each other at x0.
func (s *sizing) cross(_ *worker, im *geom.Impact) {
	e, f := &s.m.Edges[im.A], &s.m.Faces[im.B]
	s.rest([]int32{e[0], e[1], f[0], f[1], f[2]})
}

// rest lowers the steps of vertices that move to 0.
func (s *sizing) rest(vertices []int32) {
	for _, v := range vertices {
		if s.ways.goes(v) {
			s.lowerTo(v, 0)
		}
	}
}

// shorten lowers the steps of vertices that move by a factor, but not below the floor; to 0 if that
// lowers none.
func (s *sizing) shorten(vertices []int32, factor float64) {
	lowered := false
	if s.passes <= s.so.MaxPasses {
		for _, v := range vertices {
			if !s.ways.goes(v) {
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
	s.lowered, s.vicinity.moved = 0, s.vicinity.moved[:0]
	for v := range s.alpha {
		a := math.Float64frombits(s.next[v])
		s.changed[v] = a < s.alpha[v] && s.ways.goes(int32(v))
		if s.changed[v] {
			s.lowered++
		}
		if a == s.alpha[v] {
			continue
		}
		s.alpha[v], s.vicinity.moved = a, append(s.vicinity.moved, int32(v))
		copy(s.y[3*v:3*v+3], s.x0[3*v:]) // Also if it rests: x1 may have another zero than x0.
		if a > 0 {
			s.ways.put(v, a)
		}
	}
	if s.lowered > 0 {
		s.ways.putAll()
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

// ways is what the vertices of a call of Sizes go along: segments to x1 (segmentWays), or paths
// (pathWays). It is chosen when the call begins.
type ways interface {
	// goes reports whether a vertex goes anywhere.
	goes(v int32) bool
	// length returns the length of the whole way of a vertex.
	length(v int32) float64
	// search begins the call that searches the ways up to s.alpha.
	search(o *Options) (*call, error)
	// early reports whether the pair of an impact may be within its separation at t = 0.
	early(im *geom.Impact) bool
	// near tests such a pair: it keeps a part of its distance at t = 0.
	near(c *call, w *worker, k geom.Kind, pair [2]int32, idx *[4]int32) approach
	// put sets s.y of a vertex whose step is lowered to a > 0, and putAll of all vertices after
	// that.
	put(v int, a float64)
	putAll()
}

// An approach says how a pair that is within its separation at t = 0 comes nearer.
type approach struct {
	touches bool    // it touches at t = 0, or is not proven not to
	closes  bool    // it comes nearer than it may
	toi     float64 // when it does
}

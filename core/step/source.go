package step

import (
	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/num"
	"ccd/core/status"
)

// narrowed restricts a sweep to the pairs of some vertices. The zero value is all pairs.
type narrowed struct {
	// changed, if not nil, says of each vertex whether its pairs are wanted.
	changed []bool
	// around, if not nil, has the primitives that are around these vertices.
	around *broad.Near
	// alongAxes says that no directions were better than the axes in an earlier search of about
	// the same pairs.
	alongAxes bool
}

// everything reports whether the pairs of all vertices are wanted.
func (n *narrowed) everything() bool { return n.changed == nil && n.around == nil }

// sweep finds the pairs by a broad phase of the step.
type sweep struct {
	c    *call
	path path
	only narrowed

	remote  *broad.Remote  // nil, or a device that finds pairs
	ordered *broad.Ordered // nil, or the mesh in its order
	grouped bool           // the mesh's hierarchy finds the pairs
	tactics tactics        // those of the call that serve this sweep
}

// newSource returns the source of the pairs of a call.
func newSource(c *call, only narrowed) (source, error) {
	s := &sweep{c: c, path: c.path, only: only}
	if only.everything() {
		s.remote, s.tactics = c.device.Finder(), c.tactics
		s.tactics.excerpt = s.tactics.excerpt && s.remote == nil
	}
	if c.o.between != nil { // The plan has little to sweep already: see broad.Keep.
		s.remote, s.only.around, s.tactics.excerpt = nil, nil, false
		s.tactics.order, s.tactics.hierarchy = false, false
	}
	known, err := c.knownPairs()
	if known == nil || err != nil {
		return s, err
	}
	if c.o.between != nil {
		known = c.o.between.Of(known)
	}
	return &given{
		sweep: s, pairs: known,
		unboxed:     c.o.Candidates == nil || known.Unboxed(), // Brute force knows no boxes.
		replaceable: c.tactics.replace,
	}, nil
}

// knownPairs returns the candidates that the caller gives, or all pairs if the call is to sweep
// none; nil where a sweep finds the pairs.
func (c *call) knownPairs() (*broad.Candidates, error) {
	if c.o.Candidates != nil || c.o.Flags&narrow.BruteForce == 0 {
		return c.o.Candidates, nil
	}
	var how broad.PlanOptions
	c.path.Complete(&how)
	return broad.BruteForce(c.m, c.path.Segments(), broad.Options{
		MinSeparation: c.o.MinSeparation, Progress: c.o.Progress, MemoryLimit: c.o.MemoryLimit,
		Radii: how.Input.Radii,
	})
}

// keeps returns which pairs all sweeps of a call keep.
func (c *call) keeps() broad.Keep { return broad.Keep{Region: c.o.Region, Excerpt: c.o.between} }

// options are those of a plan of [0, until] for the current portion.
func (s *sweep) options(until float64) broad.PlanOptions {
	c, how := s.c, &s.c.memory.how
	*how = broad.PlanOptions{
		Input: broad.Input{Separation: num.AddUp(c.o.MinSeparation, c.memory.margin), Until: until,
			Euclidean: c.o.Flags&narrow.MaxNorm == 0},
		Keep:   c.keeps(),
		Tactic: broad.Tactic{Remote: s.remote, Ordered: s.ordered, Hierarchy: s.grouped},
		Work:   broad.Work{Threads: int(c.Stats.Threads), Limit: c.remains()},
	}
	how.Keep.Slab, how.Keep.Changed, how.Keep.Near = c.memory.portions.Slab(), s.only.changed, s.only.around
	c.method.complete(how, s.directions(), &c.Progress, s.upTo())
	if !s.path.Bounded(until) { // The sieve is for times that an impact bounds.
		how.Tactic.Sieve = false
	}
	s.path.Complete(how)
	return *how
}

// directions are those along which boxes are compared.
func (s *sweep) directions() broad.Orientation {
	if s.only.alongAxes {
		return broad.AlongAxes
	}
	return orientation
}

// orientation is that of the plans of exact methods. Tests set OrientAlways.
var orientation = broad.OrientIfItPays

func (s *sweep) build(until float64) error {
	s.c.tactics.room.forget(s.c.workers)
	return s.c.memory.portions.Build(&s.c.memory.plan, s.c.m, s.path.Segments(), s.options(until))
}

func (s *sweep) gather(w *worker, k geom.Kind, pairs [][2]int32) {
	if places := w.sweep.Places(); places != nil {
		w.of, w.idx = &s.ordered.Motion, s.ordered.Order.Gather(k, places, w.idx)
		return
	}
	w.of, w.idx = s.path.Segments(), s.c.m.Gather(k, pairs, w.idx)
}

func (s *sweep) upTo() float64 { return s.path.UpTo(s.c.memory.portions.UpTo()) }

func (s *sweep) arrange() error {
	if s.tactics.hierarchy {
		var err error
		s.grouped, err = broad.HasHierarchy(s.c.m, s.path.Segments(), int(s.c.Stats.Threads))
		if s.grouped || err != nil {
			return err
		}
	}
	if !s.tactics.order {
		return nil
	}
	ok, err := s.c.memory.ordered.Begin(s.c.m, s.path.Segments(), int(s.c.Stats.Threads))
	if ok {
		s.ordered = &s.c.memory.ordered
	}
	return err
}

// given takes pairs that are known. A restart may replace them by a sweep.
type given struct {
	sweep   *sweep
	pairs   *broad.Candidates // nil: the sweep has replaced them
	unboxed bool              // their boxes are not compared again

	replaceable bool // a sweep finds all pairs that matter, so it may replace them
}

func (g *given) build(until float64) error {
	if g.pairs == nil {
		return g.sweep.build(until)
	}
	c := g.sweep.c
	c.tactics.room.forget(c.workers)
	how := g.sweep.options(until)
	how.Tactic.Remote, how.Tactic.Unboxed = nil, g.unboxed
	if err := c.memory.plan.Reuse(c.m, c.path.Segments(), g.pairs, how); err != nil {
		return err
	}
	if !g.sweepPays(c.memory.plan.SizeRatio()) {
		c.memory.plan.Join()
		return nil
	}
	g.pairs = nil
	return g.sweep.build(until)
}

func (g *given) gather(w *worker, k geom.Kind, pairs [][2]int32) { g.sweep.gather(w, k, pairs) }
func (g *given) upTo() float64                                   { return g.sweep.upTo() }
func (g *given) arrange() error                                  { return nil }

// sweepPays reports whether a new sweep is expected to be cheaper than looking up all given pairs,
// where ratio is the volume of the boxes relative to those of the sweep that found the pairs. The
// new sweep finds all pairs that matter, and all of them are among the given ones
// (broad.Plan.SizeRatio is 1 where that is not certain), so an exact method returns the same.
func (g *given) sweepPays(ratio float64) bool {
	const entries = 2 // the number of cells of a primitive, about
	weight := float64(g.sweep.c.memory.plan.Weight())
	sweep := float64(entries*(costBuild+costSweep)*float64(g.sweep.c.Stats.Boxes)) + float64(ratio*costSwept*weight)
	return ratio < 1 && g.replaceable && restartMargin*sweep < costGiven*weight
}

// Group is some primitives of a mesh, by their numbers.
type Group struct{ Vertices, Edges, Faces []int32 }

// lists returns the numbers by shape.
func (g *Group) lists() (lists [3][]int32) {
	lists[geom.Vertex], lists[geom.Edge], lists[geom.Face] = g.Vertices, g.Edges, g.Faces
	return lists
}

// check returns an error for a number that is out of range, or that a group has a second time. Of
// each shape seen has the numbers of the group before, to which it adds.
func (g *Group) check(name string, m *mesh.Mesh, seen *[3][]bool) error {
	for shape, list := range g.lists() {
		s := geom.Shape(shape)
		if seen[s] == nil {
			seen[s] = make([]bool, m.Count(s))
		}
		for i, x := range list {
			if x < 0 || int(x) >= m.Count(s) {
				return status.Errorf(status.ErrIndex, "%s.%s[%d] is %d: out of range for %d %s",
					name, s.Plural(), i, x, m.Count(s), s.Plural())
			}
			if seen[s][x] {
				return status.Errorf(status.ErrIndex,
					"%s.%s[%d] is %d: the groups have it already; each has numbers of its own", name, s.Plural(), i, x)
			}
			seen[s][x] = true
		}
	}
	return nil
}

// Between returns the step with those of its pairs alone of which one primitive is in group a and
// the other in group b. The filter of the mesh applies. Results are those of the step without the
// impacts of other pairs, bit for bit; only the primitives of the groups are swept. A number that
// is out of range, repeated or in both groups is a status.ErrIndex. A step of a scene or of a
// neighbor list has numbers of its own: that is a status.ErrUnsupported, as are calls that concern
// pairs of any distance.
func (s *Step) Between(a, b Group) (*Step, error) {
	if s.source != nil {
		return nil, status.Errorf(status.ErrUnsupported,
			"between: scenes, neighbor lists and steps between groups choose their pairs; make a step of the mesh")
	}
	var seen [3][]bool
	if err := a.check("a", s.mesh, &seen); err != nil {
		return nil, err
	}
	if err := b.check("b", s.mesh, &seen); err != nil {
		return nil, err
	}
	return From(&between{s, broad.NewBetween(s.mesh, a.lists(), b.lists())}), nil
}

// between is the Source of a step between groups.
type between struct {
	of     *Step
	groups *broad.Excerpt
}

// Run runs a call on the step with the groups as an option.
func (x *between) Run(w Wanted, o *Options, call func(p *Part, o *Options) error) error {
	if w == AllPairs {
		return status.Errorf(status.ErrUnsupported,
			"between: this call concerns pairs of any distance; make a step of the mesh")
	}
	own := *o
	own.between = x.groups
	return x.of.run(w, &own, call)
}

// Stay writes where the vertices are at t = 0.
func (x *between) Stay(to []float64) { x.of.stay(to) }

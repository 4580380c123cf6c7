package neighbors

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/num"
	"ccd/core/proximity"
	"ccd/core/status"
)

// List is a list of near pairs of a mesh. Threads may share it: a call uses the pairs that it finds
// when it begins.
type List struct {
	m     *mesh.Mesh
	reach float64
	now   atomic.Pointer[built]

	mutex sync.Mutex // locked by the call that finds pairs; no other call waits for it
	trial *trial     // nil, or positions at which pairs may be found

	builds, served, fresh atomic.Int64
}

// built is the pairs of some positions. Only saved changes.
type built struct {
	x     []float64
	pairs *proximity.PairList
	saved atomic.Int64 // the work that the calls which used these pairs have saved
}

// trial is positions at which pairs are not found yet: what they would have saved so far says
// whether that would have paid.
type trial struct {
	x      []float64
	filter *mesh.Filter
	saved  int64
}

// What a list saves and costs, in units of 50 ns for each primitive of the mesh, measured on three
// scenes (docs/performance.md). Costs change only the time of calls.
//
// Pairs are found where the calls at the last positions, with a list or on trial, have saved as
// much as that costs, or would have. So what is spent on lists that serve no call is at most what
// the calls themselves take.
const (
	savesNear = 5 // work saved by a call of Near
	savesStep = 2 // work saved by a call on a step
	costBuild = 5 // work of finding pairs: for each primitive, and for each pair of the list
)

// Report says what a list holds, and what it did so far. Its layout is that of
// ccd_neighbors_report.
type Report struct {
	Reach  float64
	Pairs  int64 // pairs in the list
	Bytes  int64 // memory of the list and its positions
	Builds int64 // how often the pairs were found
	Served int64 // calls for which the list had the pairs
	Fresh  int64 // calls that were computed without it
}

// New returns a list of the pairs that are at most reach apart where vertex i of m is at x[i]
// (row-major, m.NV x 3 doubles), radii subtracted.
func New(m *mesh.Mesh, x []float64, reach float64, o *proximity.Options) (*List, error) {
	if !(reach > 0) || reach > geom.MaxCoordinate {
		return nil, status.Errorf(status.ErrArgument, "reach is %v: must be in (0, %v]", reach,
			float64(geom.MaxCoordinate))
	}
	l := &List{m: m, reach: reach}
	if o == nil {
		o = &proximity.Options{}
	}
	b, err := l.find(x, *o)
	if err != nil {
		return nil, err
	}
	l.now.Store(b)
	return l, nil
}

// Mesh returns the mesh of the list.
func (l *List) Mesh() *mesh.Mesh { return l.m }

// Report returns the present state.
func (l *List) Report() Report {
	r := Report{Reach: l.reach, Builds: l.builds.Load(), Served: l.served.Load(), Fresh: l.fresh.Load()}
	b := l.now.Load()
	r.Pairs, r.Bytes = int64(b.pairs.Len()), b.pairs.Bytes()+int64(8*cap(b.x))
	return r
}

// find finds the pairs at x.
func (l *List) find(x []float64, o proximity.Options) (*built, error) {
	filter := l.m.Filter()
	o.BruteForce = false
	pairs, err := proximity.List(l.m, x, l.reach, &o)
	if err != nil {
		return nil, err
	}
	if l.m.Filter() != filter || pairs.Filter != filter { // another thread sets it
		pairs.Filter = nil // no call finds that it is the mesh's
	}
	l.builds.Add(1)
	return &built{x: slices.Clone(x), pairs: pairs}, nil
}

// reachOf returns the distance of surfaces beyond which no pair of a call at distance d is.
func reachOf(filter *mesh.Filter, d float64, maxNorm bool) float64 {
	r := filter.Radii().Largest()
	reach := proximity.Beyond(d, r)
	if maxNorm { // sqrt(3) (d + r_a + r_b) - r_a - r_b; sqrt(3) - 1 is below 0.7321
		reach = num.AddUp(reach, num.MulUp(0.7321, num.AddUp(reach, num.AddUp(r, r))))
	}
	return reach
}

// request is a call that a list may serve.
type request struct {
	x0, x1  []float64
	d       float64 // its distance or minimum separation
	maxNorm bool
	saves   int64
	options *engine.CallOptions
}

// cover is what a list has for a call.
type cover struct {
	pairs *proximity.PairList
	limit float64 // pairs with larger gaps do not matter
}

// pays reports whether finding pairs pays where they save as much.
func (l *List) pays(saved int64) bool {
	primitives := int64(l.m.NV + len(l.m.Edges) + len(l.m.Faces))
	return saved*primitives >= costBuild*(primitives+int64(l.now.Load().pairs.Len()))
}

// covers returns the pairs for a call, or nil if it must be computed without. It finds pairs anew,
// at x0, where the present ones do not suffice and it pays: then what remains of the call's
// progress is its second half.
func (l *List) covers(c *request) (*cover, error) {
	if n := 3 * l.m.NV; len(c.x0) != n || len(c.x1) != n {
		return nil, nil // an error of the call
	}
	if found := l.fits(c); found != nil {
		return found, nil
	}
	if !l.mutex.TryLock() { // another call is at it, perhaps the one whose callback calls this
		return nil, nil
	}
	defer l.mutex.Unlock()
	if found := l.fits(c); found != nil {
		return found, nil
	}
	filter := l.m.Filter()
	if !(l.limit(filter, c.x0, c) <= l.reach) || !l.tried(filter, c) {
		return nil, nil
	}
	search := proximity.Options{CallOptions: *c.options}
	search.Stats = nil
	if p := c.options.Progress; p != nil {
		search.Progress = func(f float64) bool { return p(f / 2) }
		c.options.Progress = func(f float64) bool { return p((1 + f) / 2) }
	}
	b, err := l.find(c.x0, search)
	switch {
	case errors.Is(err, status.ErrCancelled):
		return nil, err
	case err != nil: // With too little memory, for example, the call itself decides.
		return nil, nil
	}
	l.trial = nil
	l.now.Store(b)
	return l.fits(c), nil
}

// tried reports whether it pays to find pairs now, and else tries what they would save.
func (l *List) tried(filter *mesh.Filter, c *request) bool {
	t := l.trial
	if t != nil && t.filter == filter && l.limit(filter, t.x, c) <= l.reach {
		t.saved += c.saves
		return l.pays(t.saved)
	}
	saved := l.now.Load().saved.Load()
	if t != nil {
		saved = t.saved
	}
	if l.pays(saved) {
		return true
	}
	if t == nil {
		t = new(trial)
		l.trial = t
	}
	t.x, t.filter, t.saved = append(t.x[:0], c.x0...), filter, c.saves
	return false
}

// limit returns the largest gap at the positions x of a pair that may matter to a call.
func (l *List) limit(filter *mesh.Filter, x []float64, c *request) float64 {
	return num.AddUp(reachOf(filter, c.d, c.maxNorm), displaced(x, c.x0, c.x1, c.options.Workers()))
}

// fits returns what the present pairs have for a call, or nil if that does not suffice.
func (l *List) fits(c *request) *cover {
	b, filter := l.now.Load(), l.m.Filter()
	if b.pairs.Filter != filter {
		return nil
	}
	limit := l.limit(filter, b.x, c)
	if !(limit <= b.pairs.Reach) { // The limit is larger, or NaN.
		return nil
	}
	b.saved.Add(c.saves)
	return &cover{b.pairs, limit}
}

// counted counts a call.
func (l *List) counted(c *cover) {
	if c != nil {
		l.served.Add(1)
	} else {
		l.fresh.Add(1)
	}
}

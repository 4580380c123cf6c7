package ccd

import (
	"slices"

	"ccd/core/engine"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/patch"
	"ccd/core/proximity"
	"ccd/core/rigid"
	"ccd/core/status"
	"ccd/core/step"
)

// Method is the algorithm that decides a pair.
type Method int32

// The methods.
const (
	DefaultMethod  Method = iota // exact
	TightInclusion               // [Wang2021], within Options.Tolerance
	TimeContracted               // [Chen2024], within Options.Tolerance, with proven error bounds
	Exact                        // no tolerance, a unique result
)

// Norm is the norm in which separations are measured.
type Norm int32

// The norms.
const (
	DefaultNorm Norm = iota // Euclidean
	// MaxNorm is the largest of |x|, |y|, |z|. It is never larger than the Euclidean norm, so
	// contact is reported earlier.
	MaxNorm
	EuclideanNorm // the usual length
)

// Unlimited is the Options.MaxIterations without a limit.
const Unlimited = -1

// Options of a call. The zero value, or a nil *Options, selects the defaults. An option that a
// group of calls does not support is ErrUnsupported, as in the C interface. Proximity calls use
// Threads, MemoryLimit, Progress, Stats and BruteForce; of the others they accept those of steps
// and do not need them, but for MaxNorm. For calls on rigid bodies and on patches, see there.
//
// Size: its fields are those of ccd_options.
type Options struct {
	MinSeparation float64 // a length that pairs must keep; 0: contact means touching
	Norm          Norm    // the norm of MinSeparation
	TMin          float64 // rigid bodies: the begin of the interval of time
	// TMax is the end of time: only t in [0, TMax] counts. It is in (0, 1], or for rigid bodies any
	// time from TMin on; 0 stands for 1.
	TMax   float64
	Method Method
	// Tolerance is a length, for methods other than the exact one. 0 stands for 1e-6, and for rigid
	// bodies for 1e-10 or, at large sizes, more.
	Tolerance     float64
	MaxIterations int64 // work that one query of these methods may do, in boxes; 0 stands for 1000000; Unlimited

	NoZeroTOI  bool // methods other than the exact one: TOILo > 0 wherever the pair is apart at t = 0 (law 8)
	BruteForce bool // test all pairs, without a broad phase: for comparison, in quadratic time
	// CheckStart, for steps: also report each edge that passes through a face at x0, as an impact
	// at 0 of the kind EdgeFace.
	CheckStart bool
	// ApartAtTOI, for pairs and the exact method: report a contact when the pair is still a little
	// apart (CCD_APART_AT_TOI in include/ccd.h)
	ApartAtTOI bool
	// IgnoreSeparating: rigid bodies that are within the tolerance, but provably move apart, are
	// not in contact (law 12).
	IgnoreSeparating bool

	Threads     int    // 0: as many as GOMAXPROCS; at most 1024, and at most CCD_NUM_THREADS of the environment
	MemoryLimit uint64 // bytes, as docs/limits.md defines them; 0: no limit
	Stats       *Stats // nil, or written by a call that succeeds

	// Progress is nil, or called from time to time with the fraction of the work that is done. It
	// may be called on any goroutine of the call, but never twice at once. If it returns true, the
	// call ends with ErrCancelled.
	Progress func(fraction float64) (cancel bool)
}

// Stats says what a call did and how long it took.
type Stats struct {
	Boxes      int        // boxes that the broad phase swept
	Candidates [5]int     // pairs that the narrow phase tested: entry k - 1 counts those of Kind k
	Impacts    int        // pairs in contact or undecided; of a proximity call, pairs in the result
	Undecided  int        // pairs among Impacts that are undecided
	Seconds    float64    // wall-clock time of the call
	PeakBytes  int        // working memory of the call
	Threads    int        // goroutines that it used
	Phases     [3]float64 // seconds of the construction of boxes, the search for pairs, and the narrow phase
	Plans      int        // plans of boxes that a step was swept with: see ccd_stats
}

// domain is a group of calls that support the same options.
type domain struct {
	calls string   // what to call them in errors
	has   []string // the options that they support, of those in check
	lacks []string // the options that they do not support, of those in unused
}

var (
	pairCalls = domain{calls: "pairs", has: []string{theMaxNorm, theMethod, noZeroTOI, bruteForce, apartAtTOI}}
	// The core refuses apartAtTOI.
	stepCalls = domain{calls: "steps", has: []string{theMaxNorm, theMethod, noZeroTOI, bruteForce, checkStart,
		apartAtTOI}}
	respondCalls = domain{calls: "responses to contact, whose constraints measure in the Euclidean norm,",
		has: []string{theMethod, noZeroTOI, bruteForce, checkStart}}
	leastCalls   = domain{calls: "clearances of steps", has: []string{theMethod, noZeroTOI, bruteForce, checkStart}}
	profileCalls = domain{calls: "profiles of steps", has: []string{theMethod, noZeroTOI, bruteForce, checkStart},
		lacks: []string{theTMax}}
	proximityCalls = domain{calls: "proximity calls", has: []string{theMethod, noZeroTOI, bruteForce, checkStart}}
	rigidCalls     = domain{calls: "calls on rigid bodies", has: []string{theTMin, ignoreSeparating}}
	distanceCalls  = domain{calls: "distances of rigid bodies", lacks: []string{theSeparation, theTMax}}
	clearanceCalls = domain{calls: "clearances of rigid bodies", has: []string{theTMin}, lacks: []string{theSeparation}}
	manifoldCalls  = domain{calls: "manifolds of rigid bodies",
		lacks: []string{theSeparation, theTMax, theTolerance, theIterations}}
	slideCalls = domain{calls: "slides of rigid bodies", has: []string{theTMin},
		lacks: []string{theSeparation, theTolerance}}
	enclosureCalls = domain{calls: "containments of rigid bodies",
		lacks: []string{theSeparation, theTMax, theTolerance, theIterations}}
	overlapCalls = domain{calls: "common volumes", lacks: []string{theSeparation, theTMax, theIterations}}
	depthCalls   = domain{calls: "depths and volumes",
		lacks: []string{theSeparation, theTMax, theTolerance, theIterations}}
	patchCalls = domain{calls: "calls on patches", has: []string{noZeroTOI, bruteForce}}
)

// The options that not all calls support, as errors call them.
const (
	theTMin          = "options.t_min"
	theMethod        = "options.method"
	theMaxNorm       = "options.norm is CCD_NORM_MAX"
	noZeroTOI        = "options.flags has CCD_NO_ZERO_TOI"
	bruteForce       = "options.flags has CCD_BRUTE_FORCE"
	checkStart       = "options.flags has CCD_CHECK_START"
	apartAtTOI       = "options.flags has CCD_APART_AT_TOI"
	ignoreSeparating = "options.flags has CCD_IGNORE_SEPARATING"
	theSeparation    = "options.min_separation"
	theTMax          = "options.t_max"
	theTolerance     = "options.tolerance"
	theIterations    = "options.max_iterations"
)

// check returns an error for an option that is out of its range for all calls, or that those of d
// do not support.
func (o *Options) check(d *domain) error {
	switch {
	case o.Norm < DefaultNorm || o.Norm > EuclideanNorm:
		return status.Errorf(ErrArgument, "options.norm is %d: must be %d to %d", o.Norm, DefaultNorm, EuclideanNorm)
	case o.Method < DefaultMethod || o.Method > Exact:
		return status.Errorf(ErrArgument, "options.method is %d: must be %d to %d", o.Method, DefaultMethod, Exact)
	}
	for _, special := range []struct {
		name string
		set  bool
	}{
		{theTMin, o.TMin != 0}, {theMethod, o.Method != DefaultMethod}, {theMaxNorm, o.Norm == MaxNorm},
		{noZeroTOI, o.NoZeroTOI},
		{bruteForce, o.BruteForce}, {checkStart, o.CheckStart}, {apartAtTOI, o.ApartAtTOI},
		{ignoreSeparating, o.IgnoreSeparating},
	} {
		if special.set && !slices.Contains(d.has, special.name) {
			return status.Errorf(ErrUnsupported, "%s: %s do not support it", special.name, d.calls)
		}
	}
	return o.checkUnused(d)
}

// checkUnused returns an error for an option that would change what other calls return, and that
// those of d do not use.
func (o *Options) checkUnused(d *domain) error {
	for _, unused := range []struct {
		name  string
		value any
		set   bool
	}{
		{theSeparation, o.MinSeparation, o.MinSeparation != 0},
		{theTMax, o.TMax, o.TMax != 0 && o.TMax != 1},
		{theTolerance, o.Tolerance, o.Tolerance != 0},
		{theIterations, o.MaxIterations, o.MaxIterations != 0},
	} {
		if unused.set && slices.Contains(d.lacks, unused.name) {
			return status.Errorf(ErrUnsupported, "%s is %v: %s do not use it; leave it at its default",
				unused.name, unused.value, d.calls)
		}
	}
	return nil
}

// settings is a call's options as the core takes them.
type settings struct {
	narrow     narrow.Options // the options of all calls but those on rigid bodies
	rigid      rigid.Options
	call       engine.CallOptions
	checkStart bool

	counted engine.Stats
	stats   *Stats
}

// read returns the options of a call of d. The core checks the ranges that depend on the call.
func (o *Options) read(d *domain) (*settings, error) {
	s := &settings{narrow: narrow.DefaultOptions(), rigid: rigid.DefaultOptions()}
	s.rigid.Tolerance = 0 // the core chooses it
	if o == nil {
		return s, nil
	}
	if err := o.check(d); err != nil {
		return nil, err
	}
	n := &s.narrow
	n.MinSeparation, n.Method = o.MinSeparation, narrow.Method(o.Method)
	if o.TMax != 0 {
		n.TMax = o.TMax
	}
	if o.Tolerance != 0 {
		n.Tolerance, s.rigid.Tolerance = o.Tolerance, o.Tolerance
	}
	switch {
	case o.MaxIterations == Unlimited:
		n.MaxIterations = 0
	case o.MaxIterations != 0:
		n.MaxIterations = o.MaxIterations
	}
	for _, f := range []struct {
		set bool
		bit uint32
	}{
		{o.NoZeroTOI, narrow.NoZeroTOI}, {o.BruteForce, narrow.BruteForce}, {o.ApartAtTOI, narrow.ApartAtTOI},
		{o.Norm == MaxNorm, narrow.MaxNorm},
	} {
		if f.set {
			n.Flags |= f.bit
		}
	}
	s.rigid.TMin, s.rigid.TMax, s.rigid.MinSeparation, s.rigid.MaxIterations = o.TMin, n.TMax, n.MinSeparation,
		n.MaxIterations
	if o.IgnoreSeparating {
		s.rigid.Flags |= rigid.IgnoreSeparating
	}
	s.checkStart = o.CheckStart
	s.call = engine.CallOptions{Threads: o.Threads, MemoryLimit: o.MemoryLimit, Progress: o.Progress}
	if o.Stats != nil {
		s.stats, s.call.Stats = o.Stats, &s.counted
	}
	if err := s.call.Check(); err != nil {
		return nil, err
	}
	switch d {
	case &rigidCalls, &distanceCalls, &clearanceCalls, &enclosureCalls, &manifoldCalls, &slideCalls,
		&overlapCalls, &depthCalls:
		return s, nil
	}
	return s, n.Check()
}

// write writes the statistics of a call that has succeeded.
func (s *settings) write() {
	if s.stats == nil {
		return
	}
	c := &s.counted
	*s.stats = Stats{
		Boxes: int(c.Boxes), Impacts: int(c.Impacts), Undecided: int(c.Undecided), Seconds: c.SecondsTotal,
		PeakBytes: int(c.PeakBytes), Threads: int(c.Threads),
		Phases: [3]float64{c.SecondsBuild, c.SecondsBroad, c.SecondsNarrow}, Plans: int(c.Plans),
	}
	for k := range s.stats.Candidates {
		s.stats.Candidates[k] = int(c.Candidates[k])
	}
}

// with reads the options of a call of d, runs it and writes its statistics.
func with[T any](d *domain, o *Options, call func(s *settings) (T, error)) (out T, err error) {
	defer entered(&err)
	s, err := o.read(d)
	if err != nil {
		return out, err
	}
	result, err := call(s)
	if err != nil {
		return out, err
	}
	s.write()
	return result, nil
}

// onMesh does the same for a call on a mesh.
func onMesh[T any](d *domain, m *Mesh, o *Options, call func(m *mesh.Mesh, s *settings) (T, error)) (out T, err error) {
	defer entered(&err)
	c, err := m.get()
	if err != nil {
		return out, err
	}
	return with(d, o, func(s *settings) (T, error) { return call(c, s) })
}

// onStep does the same for a call of package step.
func onStep[T any](m *Mesh, o *Options, call func(m *mesh.Mesh, o *step.Options) (T, error)) (T, error) {
	return onMesh(&stepCalls, m, o, func(m *mesh.Mesh, s *settings) (T, error) { return call(m, s.step()) })
}

func (s *settings) step() *step.Options {
	return &step.Options{Options: s.narrow, CallOptions: s.call, CheckStart: s.checkStart}
}

// patch returns the options of a call on patches.
func (s *settings) patch() *patch.Options {
	return &patch.Options{Options: s.narrow, CallOptions: s.call}
}

// onRest does the same as onMesh for a call of package proximity.
func onRest[T any](m *Mesh, o *Options, call func(m *mesh.Mesh, o *proximity.Options) (T, error)) (T, error) {
	return onMesh(&proximityCalls, m, o, func(m *mesh.Mesh, s *settings) (T, error) {
		return call(m, &proximity.Options{CallOptions: s.call, BruteForce: s.narrow.Flags&narrow.BruteForce != 0})
	})
}

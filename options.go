package ccd

import (
	"ccd/core/engine"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/proximity"
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
	DefaultNorm   Norm = iota // Euclidean
	MaxNorm                   // the largest of |x|, |y|, |z|: never larger than the Euclidean norm, so contact is reported earlier
	EuclideanNorm             // the usual length
)

// Unlimited is the Options.MaxIterations without a limit.
const Unlimited = -1

// Options of a call. The zero value, or a nil *Options, selects the defaults. Proximity calls use Threads, MemoryLimit, Progress, Stats and
// BruteForce; they accept the others and do not need them, but for MaxNorm and ApartAtTOI, which are ErrUnsupported.
type Options struct {
	MinSeparation float64 // a length that pairs must keep; 0: contact means touching
	Norm          Norm    // the norm of MinSeparation
	TMax          float64 // only t in [0, TMax] counts; in (0, 1], and 0 stands for 1
	Method        Method
	Tolerance     float64 // a length, for methods other than the exact one; 0 stands for 1e-6
	MaxIterations int64   // boxes that one query of these methods may look at; 0 stands for 1000000; Unlimited

	NoZeroTOI  bool // methods other than the exact one: TOILo > 0 wherever the pair is apart at t = 0 (law 8)
	BruteForce bool // test all pairs, without a broad phase: for comparison, in quadratic time
	CheckStart bool // steps: also report each edge that passes through a face at x0, as an impact at 0 of the kind EdgeFace
	ApartAtTOI bool // pairs, exact method: report a contact when the pair is still a little apart (CCD_APART_AT_TOI in include/ccd.h)

	Threads     int    // 0: as many as GOMAXPROCS; at most 1024, and at most CCD_NUM_THREADS of the environment
	MemoryLimit uint64 // bytes, as docs/limits.md defines them; 0: no limit
	Stats       *Stats // nil, or written by a call that succeeds

	// Progress is nil, or called from time to time with the fraction of the work that is done. It may be called on any goroutine of the
	// call, but never twice at once. If it returns true, the call ends with ErrCancelled.
	Progress func(fraction float64) (cancel bool)
}

// Stats says what a call did and how long it took.
type Stats struct {
	Boxes      int        // boxes that the broad phase swept
	Candidates [5]int     // pairs that the narrow phase tested: entry k - 1 counts those of Kind k
	Impacts    int        // pairs in contact or undecided; of a proximity call, pairs in the result
	Undecided  int        // of these, pairs that are undecided
	Seconds    float64    // wall-clock time of the call
	PeakBytes  int        // working memory of the call
	Threads    int        // goroutines that it used
	Phases     [3]float64 // seconds of the construction of boxes, the search for pairs, and the narrow phase
}

// settings is a call's options as the core takes them.
type settings struct {
	narrow     narrow.Options
	call       engine.CallOptions
	checkStart bool

	counted engine.Stats
	stats   *Stats
}

// read returns the options of a call. The core checks their ranges.
func (o *Options) read() (*settings, error) {
	s := &settings{narrow: narrow.DefaultOptions()}
	if o == nil {
		return s, nil
	}
	n := &s.narrow
	n.MinSeparation, n.Method = o.MinSeparation, narrow.Method(o.Method)
	if o.TMax != 0 {
		n.TMax = o.TMax
	}
	if o.Tolerance != 0 {
		n.Tolerance = o.Tolerance
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
		{o.NoZeroTOI, narrow.NoZeroTOI}, {o.BruteForce, narrow.BruteForce}, {o.ApartAtTOI, narrow.ApartAtTOI}, {o.Norm == MaxNorm, narrow.MaxNorm},
	} {
		if f.set {
			n.Flags |= f.bit
		}
	}
	s.checkStart = o.CheckStart
	s.call = engine.CallOptions{Threads: o.Threads, MemoryLimit: o.MemoryLimit, Progress: o.Progress}
	if o.Stats != nil {
		s.stats, s.call.Stats = o.Stats, &s.counted
	}
	if o.Norm < DefaultNorm || o.Norm > EuclideanNorm {
		return nil, status.Errorf(ErrArgument, "options.norm is %d: must be %d to %d", o.Norm, DefaultNorm, EuclideanNorm)
	}
	if err := s.call.Check(); err != nil {
		return nil, err
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
		PeakBytes: int(c.PeakBytes), Threads: int(c.Threads), Phases: [3]float64{c.SecondsBuild, c.SecondsBroad, c.SecondsNarrow},
	}
	for k := range s.stats.Candidates {
		s.stats.Candidates[k] = int(c.Candidates[k])
	}
}

// onMesh reads the options of a call on a mesh, runs it and writes its statistics.
func onMesh[T any](m *Mesh, o *Options, call func(m *mesh.Mesh, s *settings) (T, error)) (out T, err error) {
	defer entered(&err)
	c, err := m.get()
	if err != nil {
		return out, err
	}
	s, err := o.read()
	if err != nil {
		return out, err
	}
	result, err := call(c, s)
	if err != nil {
		return out, err
	}
	s.write()
	return result, nil
}

// onStep does the same for a call of package step.
func onStep[T any](m *Mesh, o *Options, call func(m *mesh.Mesh, o *step.Options) (T, error)) (T, error) {
	return onMesh(m, o, func(m *mesh.Mesh, s *settings) (T, error) { return call(m, s.step()) })
}

func (s *settings) step() *step.Options {
	return &step.Options{Options: s.narrow, CallOptions: s.call, CheckStart: s.checkStart}
}

// onRest does the same for a call of package proximity.
func onRest[T any](m *Mesh, o *Options, call func(m *mesh.Mesh, o *proximity.Options) (T, error)) (T, error) {
	return onMesh(m, o, func(m *mesh.Mesh, s *settings) (T, error) {
		if unsupported := s.narrow.Flags & (narrow.MaxNorm | narrow.ApartAtTOI); unsupported != 0 {
			var none T
			name := "options.norm is CCD_NORM_MAX"
			if unsupported&narrow.ApartAtTOI != 0 {
				name = "options.flags has CCD_APART_AT_TOI"
			}
			return none, status.Errorf(ErrUnsupported, "%s: proximity calls measure Euclidean distances at one time", name)
		}
		return call(m, &proximity.Options{CallOptions: s.call, BruteForce: s.narrow.Flags&narrow.BruteForce != 0})
	})
}

package broad

import (
	"errors"
	"sync"

	"ccd/core/kernel"
	"ccd/simd/pairs"
)

// A Remote is a device that finds the pairs of the plans of one call. Workers share it.
//
// A list of the device has one order (package pairs), and the tasks of a plan are windows of it. So
// a device that fails while a plan is swept loses nothing: package pairs finds the windows that
// remain.
type Remote struct {
	Device kernel.PairFinder
	Exact  bool // find the pairs of Sweep, whose boxes of doubles overlap

	mu       sync.Mutex
	err      error // the first of the device, which is not used from then on
	planned  bool  // the device has counted the pairs of a plan
	mesh     *pairs.Mesh
	rec      []float64
	space    pairs.Space
	families []pairs.Family
	spare    *pairs.Plan // nil until the device fails
	next     expected
}

// expected is what FirstOf will be asked first.
type expected struct {
	pairs     int
	tmax, sep float64
}

// Expect says that the windows of the next plan will be asked for what FirstOf leaves of them, with
// these arguments, of so many pairs at first. The device may do that with the plan. r may be nil.
func (r *Remote) Expect(pairs int, tmax, sep float64) {
	if r != nil {
		r.next = expected{pairs, tmax, sep}
	}
}

// ready returns of how many of the first pairs of a list the device knows what FirstOf leaves.
func (r *Remote) ready(list int) int {
	if d, ok := r.Device.(kernel.Foresighted); ok && r.usable() {
		return d.Ready(list)
	}
	return 0
}

// Err returns the error that ended the use of the device, if any. r may be nil.
func (r *Remote) Err() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Used reports whether the device did a part of the work, for how many seconds the call waited for
// it, and its largest memory there. r may be nil.
func (r *Remote) Used() (used bool, seconds float64, peak int64) {
	if r == nil || !r.planned {
		return false, 0, 0
	}
	if u, ok := r.Device.(interface{ Used() (float64, int64) }); ok {
		seconds, peak = u.Used()
	}
	return true, seconds, peak
}

// usable reports whether the device may find pairs.
func (r *Remote) usable() bool { return r != nil && r.Err() == nil }

// serves reports whether the device may find the pairs of a plan: it knows no regions.
func (r *Remote) serves(region *Region) bool { return region == nil && r.usable() }

// fail keeps an error of the device, and returns it; as an *overLimit if memory is not enough,
// which is no failure.
func (r *Remote) fail(err error) error {
	var o over
	if errors.As(err, &o) {
		need, budget := o.Over()
		return &overLimit{need, budget}
	}
	return r.lose(err)
}

// lose keeps the first error that ends the use of the device, and returns it.
func (r *Remote) lose(err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = err
	}
	return err
}

// lists returns the lists of a device that failed.
func (r *Remote) lists() *pairs.Plan {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.spare == nil {
		r.spare = new(pairs.Plan)
		r.spare.Begin(r.rec, r.mesh, &r.space)
		for i := range r.families {
			r.spare.Add(&r.families[i])
		}
	}
	return r.spare
}

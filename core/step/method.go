package step

import (
	"ccd/core/broad"
	"ccd/core/engine"
	"ccd/core/status"
)

// A method says what a search may leave out. The options and the path of a call decide which of
// three it has:
//
//	unique   the result of a pair is unique, so any part of the step that contains it may be
//	         searched, and a pair may be left out that cannot be the least
//	anew     it is the same whatever the horizon (narrow.Solver.SolveMotionUntil), on paths
//	         that are enclosed anew; but boxes must cover the whole step
//	tolerant a method with a tolerance may report a pair that is only nearly in contact. It must
//	         therefore see all pairs that come near within the whole step, as it does in calls pair
//	         by pair.
type method interface {
	// covers returns the end of the time that a plan covers, for impacts that matter up to the
	// horizon.
	covers(horizon float64) float64
	// complete adds to the options of a plan what a method may do without: directions of boxes, a
	// sieve of pairs, and the progress of pairs up to a part of the call.
	complete(how *broad.PlanOptions, directions broad.Orientation, progress *engine.Progress, upTo float64)
	// leaves returns what a search for the earliest impact may leave out.
	leaves() omissions
	// restarts reports whether a search may begin anew, with a plan of boxes or without.
	restarts(boxed bool) bool
	// runsOn reports whether it runs on a device. It is an error if it has to and cannot.
	runsOn(o *Options) (bool, error)
}

// omissions is what a search for the earliest impact may leave out.
type omissions struct {
	floor  float64 // after an impact at this time no later one matters; -1: they all do
	shares bool    // pairs that have no impact before the horizon
	times  bool    // places and normals, because the least impact is solved again
}

// methodOf returns the method of a call on segments.
func methodOf(o *Options) method {
	if o.Unique() {
		return unique{}
	}
	return tolerant{}
}

type unique struct{}

func (unique) covers(horizon float64) float64 { return horizon }

func (unique) complete(
	how *broad.PlanOptions, directions broad.Orientation, progress *engine.Progress, upTo float64) {
	how.Tactic.Orient, how.Work.Progress, how.Work.UpTo = directions, progress, upTo
	how.Tactic.Sieve = true
}

func (unique) leaves() omissions        { return omissions{floor: 0, shares: true, times: true} }
func (unique) restarts(boxed bool) bool { return boxed }

func (unique) runsOn(o *Options) (bool, error) { return o.Device != nil, nil }

type tolerant struct{}

func (tolerant) covers(float64) float64 { return 1 }
func (tolerant) leaves() omissions      { return omissions{floor: -1} }
func (tolerant) restarts(bool) bool     { return false }

func (tolerant) complete(*broad.PlanOptions, broad.Orientation, *engine.Progress, float64) {}

func (tolerant) runsOn(o *Options) (bool, error) {
	if o.Device != nil && o.DeviceOnly {
		return false, status.Errorf(status.ErrUnsupported,
			"options.device is CCD_DEVICE_GPU: only the exact method runs there, options.method is %d", o.Method)
	}
	return false, nil
}

// anew leaves out what tolerant does not, but shares the horizon of a search.
type anew struct{ as tolerant }

func (a anew) covers(horizon float64) float64  { return a.as.covers(horizon) }
func (anew) leaves() omissions                 { return omissions{floor: -1, shares: true} }
func (a anew) restarts(boxed bool) bool        { return a.as.restarts(boxed) }
func (a anew) runsOn(o *Options) (bool, error) { return a.as.runsOn(o) }

func (anew) complete(*broad.PlanOptions, broad.Orientation, *engine.Progress, float64) {}

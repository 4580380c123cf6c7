package engine

import (
	"cmp"
	"os"
	"runtime"
	"strconv"
	"time"

	"ccd/core/status"
)

// CallOptions are the options that every call has, with the meanings of ccd_options.
type CallOptions struct {
	// Threads is the number of threads; 0 stands for as many as the process may use. The variable
	// CCD_NUM_THREADS of the environment is an upper bound.
	Threads     int
	MemoryLimit uint64 // bytes of working memory, as docs/limits.md defines it; 0 = no limit
	// Progress is nil, or called from time to time, never twice at once; if it returns true, the
	// call is canceled.
	Progress func(fraction float64) bool
	Stats    *Stats // nil, or written by a call that succeeds
}

// Check returns an error for an option that is out of its range.
func (o *CallOptions) Check() error {
	if o.Threads < 0 {
		return status.Errorf(status.ErrArgument, "options.threads is %d: must not be negative", o.Threads)
	}
	return nil
}

// maxThreads is the number of threads that a call uses at most: each costs some 170 KiB, and 2^31
// of them the process. Results do not depend on it.
const maxThreads = 1024

// Workers returns how many goroutines a call may use.
func (o *CallOptions) Workers() int {
	n := runtime.GOMAXPROCS(0)
	if o.Threads > 0 {
		n = min(o.Threads, maxThreads)
	}
	if text := os.Getenv("CCD_NUM_THREADS"); text != "" {
		if limit, err := strconv.Atoi(text); err == nil && limit > 0 {
			n = min(n, limit)
		}
	}
	return n
}

// Stats holds what a call did and how long it took, with the meanings of ccd_stats.
type Stats struct {
	Boxes         int64    // boxes that the broad phase swept
	Candidates    [8]int64 // pairs that the broad phase found, by kind - 1; domains without kinds count under the first
	Impacts       int64    // pairs in contact or undecided
	Undecided     int64    // pairs among Impacts whose budget was spent
	SecondsBuild  float64  // boxes, trees, sorting; wall clock
	SecondsBroad  float64  // search for pairs; in a streaming call the mean over its threads
	SecondsNarrow float64  // solution of pairs; the mean likewise
	SecondsTotal  float64
	PeakBytes     int64 // working memory of the call
	Threads       int32 // threads that were used

	DeviceUsed      bool    // a graphics processor did a part of the work
	DeviceSeconds   float64 // seconds for which the call waited for the graphics processor
	DevicePeakBytes int64   // largest memory of the call there

	Plans int64 // plans of the broad phase that a step was swept with
}

// Count counts the result of a pair. impact says whether the pair is in contact or undecided.
func (s *Stats) Count(impact, undecided bool) {
	if impact {
		s.Impacts++
	}
	if undecided {
		s.Undecided++
	}
}

// Add adds the statistics of a search that is a part of a call.
func (s *Stats) Add(of *Stats) {
	s.Boxes += of.Boxes
	for k, n := range of.Candidates {
		s.Candidates[k] += n
	}
	s.Impacts += of.Impacts
	s.Undecided += of.Undecided
	s.SecondsBuild += of.SecondsBuild
	s.SecondsBroad += of.SecondsBroad
	s.SecondsNarrow += of.SecondsNarrow
	s.SecondsTotal += of.SecondsTotal
	s.PeakBytes = max(s.PeakBytes, of.PeakBytes)
	s.Threads = max(s.Threads, of.Threads)
	s.DeviceUsed = s.DeviceUsed || of.DeviceUsed
	s.DeviceSeconds += of.DeviceSeconds
	s.DevicePeakBytes = max(s.DevicePeakBytes, of.DevicePeakBytes)
	s.Plans += of.Plans
}

// Call is one call in progress.
type Call struct {
	options  CallOptions
	Progress Progress
	Budget   Budget // bounds the memory of results that are kept
	Stats    Stats
	clock    Clock
}

// Begin checks the options and starts the clock and the progress.
func (c *Call) Begin(o *CallOptions) error {
	if err := o.Check(); err != nil {
		return err
	}
	c.options, c.Stats = *o, Stats{Threads: int32(o.Workers())}
	c.clock.Start()
	c.Progress.Begin(o.Progress)
	c.Budget.Begin(o.MemoryLimit)
	return nil
}

// Run runs work on as many workers as the call has, but no more than n, and at least on one. A call
// that the callback cancels returns status.ErrCancelled, one whose budget is spent
// status.ErrMemory.
func (c *Call) Run(n int, work func(worker int)) error {
	if err := Parallel(min(int(c.Stats.Threads), max(1, n)), work); err != nil {
		return err
	}
	return cmp.Or(c.Progress.Err(), c.Budget.Err())
}

// Now returns the time where the call's statistics are wanted, else the zero time: reading a clock
// takes as long as comparing ten pairs of boxes.
func (c *Call) Now() (t time.Time) {
	if c.options.Stats != nil {
		t = time.Now()
	}
	return t
}

// Since returns the time since Now returned t.
func (c *Call) Since(t time.Time) time.Duration {
	if c.options.Stats == nil {
		return 0
	}
	return time.Since(t)
}

// Lap returns the seconds since Begin or the last Lap.
func (c *Call) Lap() float64 { return c.clock.Lap() }

// End ends a call. It returns err, or status.ErrCancelled if the progress callback cancels the
// call; else it writes the statistics if the caller wants them.
func (c *Call) End(err error) error {
	if err == nil {
		err = c.Progress.End()
	}
	if err == nil {
		if c.options.Stats != nil {
			c.Stats.SecondsTotal = c.clock.Seconds()
			*c.options.Stats = c.Stats
		}
	}
	c.options = CallOptions{}
	c.Progress.callback = nil
	return err
}

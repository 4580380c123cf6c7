package volume

import (
	"fmt"
	"os"
	"runtime"
	"strconv"

	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/status"
)

// Class is what two features are to one another; a set of classes is their sum. See the package's doc.
type Class uint32

// The classes, with the values of the C constants.
const (
	BetweenObjects Class = 1 << iota
	WithinObject
	WithinElement
	AtSplit

	AllClasses     = BetweenObjects | WithinObject | WithinElement | AtSplit
	DefaultClasses = BetweenObjects | WithinObject | WithinElement
)

// Options of a call. A nil *Options stands for DefaultOptions.
type Options struct {
	narrow.Options
	Classes     Class                       // classes of pairs to look for; 0 = DefaultClasses
	Surface     bool                        // only features of the surface
	Threads     int                         // 0 = as many as the process may use; CCD_NUM_THREADS in the environment caps it
	MemoryLimit uint64                      // bytes of boxes and results; 0 = no limit. Boxes are made where they are needed then
	Progress    func(fraction float64) bool // nil, or called from time to time, never twice at once; true cancels the call
	Stats       *Stats                      // nil, or written
	Search      Search                      // how pairs are found; nil = the tree over patches
}

// DefaultOptions are those of ccd_options_init.
func DefaultOptions() Options { return Options{Options: narrow.DefaultOptions()} }

// Stats is what a call did and how long it took.
type Stats struct {
	Boxes         int64    // boxes of features
	Patches       int64    // leaves of the tree
	PatchPairs    int64    // pairs of patches that were opened
	Overlaps      [2]int64 // pairs whose boxes are not apart, by kind, those with a common vertex left out
	Candidates    [4]int64 // pairs handed to the narrow phase, by kind
	Impacts       int64    // pairs in contact or undecided, of the classes asked for
	Undecided     int64    // of these, pairs whose budget was spent
	Separated     int64    // by a Search: pairs of elements that an axis separates; their boxes are k-DOPs, their patches elements
	Orphans       int64    // by a Search: pairs in the orphan sets
	Rebuilt       bool     // the tree was built anew, not only refitted
	SecondsBuild  float64  // tree and boxes; wall clock
	SecondsBroad  float64  // traversal, summed over threads and divided by their number
	SecondsNarrow float64  // pairs; the same
	SecondsTotal  float64
	PeakBytes     int64 // working memory of the call
	Threads       int32 // threads that were used
}

// check validates the options.
func (o *Options) check() error {
	if err := o.Options.Check(); err != nil {
		return err
	}
	if o.Threads < 0 {
		return fmt.Errorf("options.threads is %d: must not be negative", o.Threads)
	}
	if o.Classes&^AllClasses != 0 {
		return fmt.Errorf("classes is %#x: unknown bits %#x", uint32(o.Classes), uint32(o.Classes&^AllClasses))
	}
	if o.Search != nil {
		if err := o.Search.Check(); err != nil {
			return err
		}
	}
	for _, k := range []geom.Kind{geom.VertexFace, geom.EdgeEdge} {
		if err := o.Options.Supported(k); err != nil {
			return fmt.Errorf("%w: %w", status.ErrUnsupported, err)
		}
	}
	return nil
}

// classes are those to look for.
func (o *Options) classes() Class {
	if o.Classes == 0 {
		return DefaultClasses
	}
	return o.Classes
}

// threads is how many goroutines a call may use.
func (o *Options) threads() int {
	n := runtime.GOMAXPROCS(0)
	if o.Threads > 0 {
		n = o.Threads
	}
	if limit, err := strconv.Atoi(os.Getenv("CCD_NUM_THREADS")); err == nil && limit > 0 {
		n = min(n, limit)
	}
	return n
}

package volume

import (
	"fmt"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/status"
)

// Class is what two features are to one another; a set of classes is their sum. See the package's
// doc.
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
	Classes            Class  // classes of pairs to look for; 0 = DefaultClasses
	Surface            bool   // only features of the surface
	engine.CallOptions        // MemoryLimit bounds boxes, which are made where they are needed then, and results
	VolumeStats        *Stats // nil, or written
	Search             Search // how pairs are found; nil = the tree over patches
}

// DefaultOptions returns the options that ccd_options_init sets.
func DefaultOptions() Options { return Options{Options: narrow.DefaultOptions()} }

// Stats is what a call did and how long it took. Its impacts are those of the wanted classes.
//
// Size: most of the fields are those of every call (engine.Stats).
type Stats struct {
	engine.Stats
	Patches    int64    // leaves of the tree
	PatchPairs int64    // pairs of patches that were opened
	Overlaps   [2]int64 // pairs whose boxes are not apart, by kind, those with a common vertex left out
	// Separated counts, in a Search, pairs of elements that an axis separates. The boxes of such a
	// call are k-DOPs, and its patches are elements.
	Separated int64
	Orphans   int64 // pairs in the orphan sets of a Search
	Rebuilt   bool  // the tree was built anew, not only refitted
}

// check validates the options.
func (o *Options) check() error {
	if err := o.Options.Check(); err != nil {
		return err
	}
	if err := o.CallOptions.Check(); err != nil {
		return err
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

// classes returns the classes to look for.
func (o *Options) classes() Class {
	if o.Classes == 0 {
		return DefaultClasses
	}
	return o.Classes
}

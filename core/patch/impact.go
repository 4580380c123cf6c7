package patch

import (
	"math"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/status"
)

// Impact is the result of a query between patches. Its layout is that of ccd_patch_impact: 128
// bytes, no hidden padding.
//
// Laws 1 to 5 and 8 of docs/numerics.md hold, as for geom.Impact.
type Impact struct {
	Verdict      geom.Verdict
	Flags        uint32     // geom.Certified, geom.InitialContact
	A, B         int64      // indices of the two patches; -1 for a bare pair
	TOILo, TOIHi float64    // fractions of the step; +Inf when separate
	UVA, UVB     [2]float64 // parameters on both patches at the impact
	Point        [3]float64 // the point of contact on patch a
	Normal       [3]float64 // unit, from b to a; zero when separate
	Width        float64    // a bound on the relative motion of the patches from TOILo to TOIHi
}

// SetSeparate writes the verdict Separate.
func (i *Impact) SetSeparate() {
	*i = Impact{Verdict: geom.Separate, A: -1, B: -1, TOILo: math.Inf(1), TOIHi: math.Inf(1)}
}

// Before orders impacts by (TOILo, A, B), the order of every list of impacts.
func (i *Impact) Before(j *Impact) bool {
	if i.TOILo != j.TOILo {
		return i.TOILo < j.TOILo
	}
	if i.A != j.A {
		return i.A < j.A
	}
	return i.B < j.B
}

// Options of a query, with the meanings of ccd_options. MaxIterations counts pairs of subpatches.
//
// Method must be narrow.Default; another method is passed as Search.
type Options struct {
	narrow.Options
	Search Search // nil, or the search that replaces this package's for patches of two bodies
	// CallOptions: MemoryLimit is as in docs/limits.md, where 0 stands for a quarter of a gigabyte
	// for one pair. Progress is called between pairs, and during long ones.
	engine.CallOptions
}

// DefaultOptions returns the options that ccd_options_init sets.
func DefaultOptions() Options { return Options{Options: narrow.DefaultOptions()} }

// CheckAll reports the first option that is out of its range or not supported.
func (o *Options) CheckAll() error {
	if err := o.Options.Check(); err != nil {
		return err
	}
	if err := o.CallOptions.Check(); err != nil {
		return err
	}
	if o.Method != narrow.Default {
		return status.Errorf(status.ErrUnsupported, "method %d for patches", o.Method)
	}
	if o.Search != nil {
		return o.Search.Check()
	}
	return nil
}

// memory returns the limit of a query's memory in bytes.
func (o *Options) memory() int {
	const usual = 1 << 28
	if o.MemoryLimit == 0 {
		return usual
	}
	return int(min(o.MemoryLimit, 1<<40))
}

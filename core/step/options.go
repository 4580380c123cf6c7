package step

import (
	"fmt"

	"ccd/core/broad"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/status"
)

// Options of a step, with the meanings of ccd_options. A nil *Options stands for DefaultOptions.
//
// Size: each option of C is a field, and those of the parts that it embeds count.
type Options struct {
	narrow.Options
	engine.CallOptions

	// Candidates, when not nil, are the pairs to test, instead of a broad phase of this step. The
	// candidates of broad.Sweep for a step x0 -> x0 + dx are valid for every x0 -> x0 + a dx with a
	// in [0, 1], rounded to between the two, and for every separation up to theirs. The filter at
	// the sweep and the current filter of the mesh both apply. If the candidates keep their step
	// (broad.Candidates.Keep), a step that leaves it is an error. Otherwise the caller must ensure
	// that it does not.
	Candidates *broad.Candidates

	// CheckStart reports edges that pass through faces at x0, as impacts at t = 0 of kind
	// geom.EdgeFace with the flag geom.Intersecting. They come before all other impacts. Without it
	// they are not seen. It costs a test of the intersections at x0. Pairs
	// returns status.ErrUnsupported.
	CheckStart bool

	// Device, when not nil, is a graphics processor, on which the exact method runs the filters and
	// finds most roots. If it fails, the CPU computes the rest. It changes no bit of a result. If
	// it has a method Holds(x0, x1 []float64) bool that returns true, it has these positions
	// already.
	Device kernel.Device
	// DeviceOnly makes a failure of the device an error of the call, and uses the device for lists
	// of pairs of any length.
	DeviceOnly bool

	// Region, when not nil, restricts the call to the pairs that it owns: Earliest, Collisions,
	// Visit and Size, also of motions. Of the edges and faces that CheckStart looks at it owns
	// those of the same rule. Other calls return status.ErrUnsupported.
	Region *broad.Region

	between *broad.Excerpt // nil, or the two groups of Step.Between
}

// DefaultOptions returns the options that ccd_options_init sets.
func DefaultOptions() Options { return Options{Options: narrow.DefaultOptions()} }

// orDefault returns the options, or those by default where there are none.
func orDefault(o *Options) Options {
	if o == nil {
		return DefaultOptions()
	}
	return *o
}

// check validates the options for every kind that a mesh may have.
func (o *Options) check() error {
	if err := o.Options.Check(); err != nil {
		return err
	}
	if err := o.CallOptions.Check(); err != nil {
		return err
	}
	if o.Region != nil {
		if err := o.Region.Check(); err != nil {
			return fmt.Errorf("options.%w", err)
		}
	}
	if o.Flags&narrow.ApartAtTOI != 0 {
		return status.Errorf(status.ErrUnsupported,
			"options.flags has CCD_APART_AT_TOI: only queries of single pairs have it")
	}
	for _, k := range geom.StepKinds {
		if err := o.Options.Supported(k); err != nil {
			return fmt.Errorf("%w: %w", status.ErrUnsupported, err)
		}
	}
	return nil
}

// load checks x0 and x1 against the mesh and the scene bound, and packs them.
func load(m *mesh.Mesh, mo *geom.Trajectories, x0, x1 []float64, o *Options) error {
	if err := m.LoadParallel(mo, x0, x1, o.Workers()); err != nil {
		return err
	}
	return o.CheckScene(x0, x1)
}

// unsupported says why a call does not support some options. An empty text is for one that it does.
type unsupported struct {
	candidates string // Candidates
	checkStart string // CheckStart
	region     string // Region
	device     string // DeviceOnly
}

// refuse returns an error for the first option that is set and that a call does not support.
func (o *Options) refuse(why unsupported) error {
	if o == nil {
		return nil
	}
	for _, c := range [...]struct {
		set       bool
		name, why string
	}{
		{o.Candidates != nil, "options.candidates: ", why.candidates},
		{o.CheckStart, "options.flags has CCD_CHECK_START: ", why.checkStart},
		{o.Region != nil, "options.region: ", why.region},
		{o.DeviceOnly, "options.device is CCD_DEVICE_GPU: ", why.device},
	} {
		if c.set && c.why != "" {
			return status.Errorf(status.ErrUnsupported, "%s%s", c.name, c.why)
		}
	}
	return nil
}

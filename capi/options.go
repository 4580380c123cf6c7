package main

// #include "internal.h"
import "C"

import (
	"strings"
	"unsafe"

	"ccd/core/broad"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/reference/d2m"
	"ccd/core/rigid"
)

// rawOptions is ccd_options as bytes. The caller's pointers stay numbers: progress_user may be any
// word at all, and one that is no pointer must not stand where the garbage collector looks for
// pointers.
//
// Size: it has the members of the C struct.
type rawOptions struct {
	structSize    uintptr
	tolerance     float64
	minSeparation float64
	tMin, tMax    float64
	maxIterations int64
	method        int32
	threads       int32
	flags         uint32
	norm          int32
	device        int32
	deviceIndex   int32
	memoryLimit   uintptr
	progress      uintptr
	progressUser  uintptr
	sceneBound    [3]float64
	stats         uintptr
	deviceX0      uintptr
	deviceX1      uintptr
	region        uintptr
	separations   uintptr
	nSeparations  uintptr
}

// The struct grows at its end. A shorter one comes from an older caller: the fields it lacks take
// their defaults. The shortest there ever was ends before progress. A longer one comes from a newer
// caller: the fields that this library does not know must be zero, the value for unchanged
// behavior. More than a page is not a struct that ccd_options_init prepared.
const (
	optionsSize = unsafe.Sizeof(rawOptions{})
	optionsMin  = unsafe.Offsetof(rawOptions{}.progress)
	structMax   = 4096
	statsMin    = unsafe.Offsetof(C.ccd_stats{}.device_used)
)

// A domain describes a group of calls that support the same options.
type domain struct {
	calls     string  // their names, for errors
	tolerance float64 // the value that 0 stands for; 0: the core chooses it
	methods   uint64  // bit m is set if method m is supported
	flags     uint32  // the flags that may be set
	noMaxNorm bool    // CCD_NORM_MAX is unsupported
	times     bool    // t_min may differ from 0, t_max from a fraction of the step
	devices   bool    // a graphics processor may compute
	arrays    bool    // vertices may be in the memory of a device
	regions   bool    // a region may select pairs
	pairs     bool    // pairs may have separations of their own
	unused    numbers // the numbers that must have their defaults, as the calls do not use them
}

// numbers are options that are numbers and change what a call returns.
type numbers uint8

const (
	theSeparation numbers = 1 << iota
	theTimes
	theTolerance
	theIterations
	theBound
)

const (
	pairMethods = 1<<C.CCD_METHOD_DEFAULT | 1<<C.CCD_METHOD_TIGHT_INCLUSION | 1<<C.CCD_METHOD_TIME_CONTRACTED |
		1<<C.CCD_METHOD_EXACT
	stepFlags = C.CCD_NO_ZERO_TOI | C.CCD_BRUTE_FORCE
	meshFlags = stepFlags | C.CCD_CHECK_START
)

var (
	pairCalls = domain{calls: "ccd_pair_* and ccd_pairs_*", tolerance: 1e-6, methods: pairMethods,
		flags: stepFlags | C.CCD_APART_AT_TOI}
	broadCalls = domain{calls: "ccd_broad_*", tolerance: 1e-6, methods: pairMethods, flags: meshFlags, devices: true,
		regions: true}
	stepCalls = domain{calls: "ccd_step_*", tolerance: 1e-6, methods: pairMethods, flags: meshFlags, devices: true,
		arrays: true}
	worldCalls = domain{calls: "ccd_*_batch", tolerance: 1e-6, methods: pairMethods, flags: meshFlags, regions: true,
		devices: true}
	respondCalls = domain{calls: "the constraints of ccd_step_respond", tolerance: 1e-6, methods: pairMethods,
		flags: meshFlags, devices: true, noMaxNorm: true}
	intervalCalls = domain{calls: "ccd_*_intervals", tolerance: 1e-6,
		methods: 1<<C.CCD_METHOD_DEFAULT | 1<<C.CCD_METHOD_EXACT, flags: stepFlags}
	leastCalls = domain{
		calls: "ccd_*_clearance", tolerance: 1e-6, methods: 1<<C.CCD_METHOD_DEFAULT | 1<<C.CCD_METHOD_EXACT,
		flags: meshFlags, noMaxNorm: true,
	}
	profileCalls = domain{
		calls: "ccd_step_run_profile", tolerance: 1e-6, methods: 1<<C.CCD_METHOD_DEFAULT | 1<<C.CCD_METHOD_EXACT,
		flags: meshFlags, noMaxNorm: true, unused: theTimes,
	}
	motionCalls = domain{calls: "ccd_motion_*", tolerance: 1e-6,
		methods: 1<<C.CCD_METHOD_DEFAULT | 1<<C.CCD_METHOD_EXACT, flags: C.CCD_NO_ZERO_TOI}
	motionStepCalls = domain{
		calls: "steps on a motion", tolerance: 1e-6, methods: 1<<C.CCD_METHOD_DEFAULT | 1<<C.CCD_METHOD_EXACT,
		flags: meshFlags,
	}
	nearCalls      = proximityCalls.withRegions()
	proximityCalls = domain{calls: "ccd_proximity_*", tolerance: 1e-6, methods: pairMethods, flags: meshFlags,
		noMaxNorm: true}
	sceneCalls = domain{
		calls: "steps of a scene", tolerance: 1e-6, flags: meshFlags, devices: true,
		methods: 1<<C.CCD_METHOD_DEFAULT | 1<<C.CCD_METHOD_EXACT,
	}
	volumeCalls = domain{calls: "ccd_volume_*", tolerance: 1e-6, methods: pairMethods | 1<<C.CCD_METHOD_VOLCCD,
		flags: stepFlags}
	patchCalls = domain{
		calls: "ccd_patch_*", tolerance: 1e-6, flags: stepFlags, noMaxNorm: true,
		methods: 1<<C.CCD_METHOD_DEFAULT | 1<<C.CCD_METHOD_TIGHT_INCLUSION | 1<<C.CCD_METHOD_TIME_CONTRACTED,
	}
	distanceCalls = domain{
		calls: "distances of rigid bodies", noMaxNorm: true, times: true, methods: 1 << C.CCD_METHOD_DEFAULT,
		unused: theSeparation | theTimes | theBound,
	}
	intersectsCalls = domain{
		calls: "ccd_rigid_intersects", noMaxNorm: true, times: true, methods: 1 << C.CCD_METHOD_DEFAULT,
		unused: theSeparation | theTimes | theTolerance | theIterations | theBound,
	}
	clearanceCalls = domain{
		calls: "ccd_rigid_clearance", noMaxNorm: true, times: true, methods: 1 << C.CCD_METHOD_DEFAULT,
		unused: theSeparation | theBound,
	}
	manifoldCalls = domain{
		calls: "ccd_rigid_manifold", noMaxNorm: true, times: true, methods: 1 << C.CCD_METHOD_DEFAULT,
		unused: theSeparation | theTimes | theTolerance | theIterations | theBound,
	}
	slideCalls = domain{
		calls: "ccd_rigid_slide, ccd_rigid_slide_parts and ccd_rigid_first_depth", noMaxNorm: true, times: true,
		methods: 1 << C.CCD_METHOD_DEFAULT,
		unused:  theSeparation | theTolerance | theBound,
	}
	enclosureCalls = domain{
		calls: "ccd_rigid_winding and ccd_rigid_containment", noMaxNorm: true, times: true,
		methods: 1 << C.CCD_METHOD_DEFAULT, unused: theSeparation | theTimes | theTolerance | theIterations | theBound,
	}
	overlapCalls = domain{
		calls: "ccd_overlap_volume and ccd_rigid_overlaps", noMaxNorm: true, times: true,
		methods: 1 << C.CCD_METHOD_DEFAULT, unused: theSeparation | theTimes | theIterations | theBound,
	}
	depthCalls = domain{
		calls: "ccd_overlap_solid, ccd_overlap_depths and ccd_rigid_depths", noMaxNorm: true, times: true,
		methods: 1 << C.CCD_METHOD_DEFAULT, unused: theSeparation | theTimes | theTolerance | theIterations | theBound,
	}
	rigidSceneCalls = rigidCalls.withPairs()
	rigidCalls      = domain{
		calls: "ccd_rigid_*", flags: C.CCD_IGNORE_SEPARATING, noMaxNorm: true, times: true, unused: theBound,
		methods: 1<<C.CCD_METHOD_DEFAULT | 1<<C.CCD_METHOD_D2M | 1<<C.CCD_METHOD_D2M_SPHERES,
	}
	robotCalls = domain{calls: "ccd_robot_*", tolerance: 1e-6, noMaxNorm: true, methods: 1 << C.CCD_METHOD_DEFAULT}
)

// methodNames lists all methods.
var methodNames = map[int32]string{
	C.CCD_METHOD_DEFAULT:         "CCD_METHOD_DEFAULT",
	C.CCD_METHOD_TIGHT_INCLUSION: "CCD_METHOD_TIGHT_INCLUSION",
	C.CCD_METHOD_TIME_CONTRACTED: "CCD_METHOD_TIME_CONTRACTED",
	C.CCD_METHOD_EXACT:           "CCD_METHOD_EXACT",
	C.CCD_METHOD_D2M:             "CCD_METHOD_D2M",
	C.CCD_METHOD_D2M_SPHERES:     "CCD_METHOD_D2M_SPHERES",
	C.CCD_METHOD_VOLCCD:          "CCD_METHOD_VOLCCD",
}

// flagsIn returns the names of the flags in a set.
func flagsIn(set uint32) string {
	var names []string
	for _, f := range []struct {
		bit  uint32
		name string
	}{
		{C.CCD_NO_ZERO_TOI, "CCD_NO_ZERO_TOI"}, {C.CCD_BRUTE_FORCE, "CCD_BRUTE_FORCE"},
		{C.CCD_IGNORE_SEPARATING, "CCD_IGNORE_SEPARATING"},
		{C.CCD_CHECK_START, "CCD_CHECK_START"}, {C.CCD_APART_AT_TOI, "CCD_APART_AT_TOI"},
	} {
		if set&f.bit != 0 {
			names = append(names, f.name)
		}
	}
	return strings.Join(names, " and ")
}

// check returns an error for an option that the calls of d do not support. The ranges of the
// numbers are the core's to check.
func (d *domain) check(raw *rawOptions) error {
	const allFlags = meshFlags | C.CCD_IGNORE_SEPARATING | C.CCD_APART_AT_TOI
	switch {
	case d.methods>>uint32(raw.method)&1 == 0: // a shift of 64 or more leaves 0
		if methodNames[raw.method] == "" {
			return fail(C.CCD_E_ARGUMENT, "options.method is %d: not a ccd_method", raw.method)
		}
		return fail(C.CCD_E_UNSUPPORTED, "options.method is %s: %s do not support it", methodNames[raw.method], d.calls)
	case raw.flags&^allFlags != 0:
		return fail(C.CCD_E_ARGUMENT, "options.flags is %#x: unknown bits %#x", raw.flags, raw.flags&^allFlags)
	case raw.flags&^d.flags != 0:
		return fail(C.CCD_E_UNSUPPORTED, "options.flags has %s: %s do not support it",
			flagsIn(raw.flags&^d.flags), d.calls)
	case raw.norm < C.CCD_NORM_DEFAULT || raw.norm > C.CCD_NORM_EUCLIDEAN:
		return fail(C.CCD_E_ARGUMENT, "options.norm is %d: not a ccd_norm", raw.norm)
	case raw.norm == C.CCD_NORM_MAX && d.noMaxNorm:
		return fail(C.CCD_E_UNSUPPORTED, "options.norm is CCD_NORM_MAX: %s measure in the Euclidean norm", d.calls)
	case raw.tMin != 0 && !d.times:
		return fail(C.CCD_E_UNSUPPORTED, "options.t_min is %v: %s begin at 0; only ccd_rigid_* have a t_min",
			raw.tMin, d.calls)
	case raw.threads < 0:
		return fail(C.CCD_E_ARGUMENT, "options.threads is %d: must not be negative", raw.threads)
	}
	if raw.region != 0 && !d.regions {
		return fail(C.CCD_E_UNSUPPORTED,
			"options.region: this call concerns all pairs; a region selects those of the earliest impact, lists of "+
				"impacts and the size of a step, of candidates and of near pairs")
	}
	if (raw.separations != 0 || raw.nSeparations != 0) && !d.pairs {
		return fail(C.CCD_E_UNSUPPORTED, "options.separations: %s do not use them; ccd_rigid_scene_earliest and "+
			"ccd_rigid_scene_collisions do", d.calls)
	}
	if err := d.checkUnused(raw); err != nil {
		return err
	}
	return d.checkDevice(raw)
}

// checkUnused returns an error for a number that the calls of d do not use and that is not its
// default.
func (d *domain) checkUnused(raw *rawOptions) error {
	of := &defaultOptions
	for _, n := range []struct {
		bit   numbers
		name  string
		value any
		given bool
	}{
		{theSeparation, "min_separation", raw.minSeparation, raw.minSeparation != of.minSeparation},
		{theTimes, "t_min", raw.tMin, raw.tMin != of.tMin},
		{theTimes, "t_max", raw.tMax, raw.tMax != of.tMax},
		{theTolerance, "tolerance", raw.tolerance, raw.tolerance != of.tolerance},
		{theIterations, "max_iterations", raw.maxIterations, raw.maxIterations != of.maxIterations},
		{theBound, "scene_bound", raw.sceneBound, raw.sceneBound != of.sceneBound},
	} {
		if d.unused&n.bit != 0 && n.given {
			return fail(C.CCD_E_UNSUPPORTED, "options.%s is %v: %s do not use it; leave it at its default",
				n.name, n.value, d.calls)
		}
	}
	return nil
}

// withPairs returns the domain of those calls of d whose pairs may have separations of their own.
func (d domain) withPairs() *domain {
	d.pairs = true
	return &d
}

// withRegions returns the domain of those calls of d that may concern the pairs of a region.
func (d domain) withRegions() *domain {
	d.regions = true
	return &d
}

// settings holds a call's options, read and checked.
type settings struct {
	raw    rawOptions
	region *broad.Region // nil: the call concerns all pairs
	// The separations of pairs of bodies, borrowed for the call.
	separations []rigid.PairSeparation
	narrow      narrow.Options // the options of every domain but rigid
	call        engine.CallOptions
	counted     engine.Stats
	stats       *C.ccd_stats
}

// read fills s from the options that the caller passed to a call of d; nil gives the defaults. An
// error names the option.
func (s *settings) read(d *domain, o unsafe.Pointer) error {
	*s = settings{raw: defaultOptions}
	if o != nil {
		if err := s.raw.copyFrom(o); err != nil {
			return err
		}
		if err := d.check(&s.raw); err != nil {
			return err
		}
		s.call.Threads, s.call.MemoryLimit, s.call.Progress = int(s.raw.threads), uint64(s.raw.memoryLimit), s.report()
		if err := s.readStats((*C.ccd_options)(o)); err != nil {
			return err
		}
		if s.raw.nSeparations != 0 {
			at := (*rigid.PairSeparation)(unsafe.Pointer((*C.ccd_options)(o).separations))
			var err error
			if s.separations, err = view("options.separations", at, "options.n_separations", s.raw.nSeparations,
				1); err != nil {
				return err
			}
		}
		if s.raw.region != 0 {
			r := (*C.ccd_options)(o).region
			s.region = &broad.Region{Lo: [3]float64{float64(r.lo[0]), float64(r.lo[1]), float64(r.lo[2])},
				Hi: [3]float64{float64(r.hi[0]), float64(r.hi[1]), float64(r.hi[2])}}
			if err := s.region.Check(); err != nil {
				return fail(C.CCD_E_ARGUMENT, "options.%v", err)
			}
		}
	}
	if s.raw.tolerance == 0 {
		s.raw.tolerance = d.tolerance
	}
	if d.times {
		return nil
	}
	s.narrow = narrow.Options{
		Tolerance:     s.raw.tolerance,
		MinSeparation: s.raw.minSeparation,
		TMax:          s.raw.tMax,
		MaxIterations: s.raw.maxIterations,
		SceneBound:    s.raw.sceneBound,
	}
	if s.raw.method <= C.CCD_METHOD_EXACT {
		s.narrow.Method = narrow.Method(s.raw.method)
	}
	if s.raw.flags&C.CCD_NO_ZERO_TOI != 0 {
		s.narrow.Flags |= narrow.NoZeroTOI
	}
	if s.raw.flags&C.CCD_BRUTE_FORCE != 0 {
		s.narrow.Flags |= narrow.BruteForce
	}
	if s.raw.flags&C.CCD_APART_AT_TOI != 0 {
		s.narrow.Flags |= narrow.ApartAtTOI
	}
	if s.raw.norm == C.CCD_NORM_MAX {
		s.narrow.Flags |= narrow.MaxNorm
	}
	if err := s.narrow.Check(); err != nil {
		return fail(C.CCD_E_ARGUMENT, "%v", err)
	}
	return nil
}

// rigid returns the options of a call on rigid bodies.
func (s *settings) rigid() rigid.Options {
	o := rigid.Options{
		TMin: s.raw.tMin, TMax: s.raw.tMax, MinSeparation: s.raw.minSeparation, Tolerance: s.raw.tolerance,
		MaxIterations: s.raw.maxIterations,
	}
	switch s.raw.method {
	case C.CCD_METHOD_D2M:
		o.Search = d2m.Search{}
	case C.CCD_METHOD_D2M_SPHERES:
		o.Search = d2m.Search{SpheresOnly: true}
	}
	if s.raw.flags&C.CCD_IGNORE_SEPARATING != 0 {
		o.Flags = rigid.IgnoreSeparating
	}
	return o
}

// readStats finds the caller's ccd_stats, which has its own size.
func (s *settings) readStats(o *C.ccd_options) error {
	if s.raw.stats == 0 {
		return nil
	}
	if size := o.stats.struct_size; uintptr(size) < statsMin || size > structMax || size%8 != 0 {
		return fail(C.CCD_E_ARGUMENT, "options.stats.struct_size is %d: set it to sizeof(ccd_stats)", uint64(size))
	}
	s.stats, s.call.Stats = o.stats, &s.counted
	return nil
}

// writeStats writes the statistics of a successful call, unless the caller passed no ccd_stats.
func (s *settings) writeStats() {
	if s.stats == nil {
		return
	}
	from := &s.counted
	st := C.ccd_stats{
		struct_size:    s.stats.struct_size,
		boxes:          C.int64_t(from.Boxes),
		impacts:        C.int64_t(from.Impacts),
		undecided:      C.int64_t(from.Undecided),
		seconds_build:  C.double(from.SecondsBuild),
		seconds_broad:  C.double(from.SecondsBroad),
		seconds_narrow: C.double(from.SecondsNarrow),
		seconds_total:  C.double(from.SecondsTotal),
		peak_bytes:     C.int64_t(from.PeakBytes),
		threads:        C.int32_t(from.Threads),

		device_seconds:    C.double(from.DeviceSeconds),
		device_peak_bytes: C.int64_t(from.DevicePeakBytes),
		plans:             C.int64_t(from.Plans),
	}
	if from.DeviceUsed {
		st.device_used = 1
	}
	for k, n := range from.Candidates {
		st.candidates[k] = C.int64_t(n)
	}
	n := min(s.stats.struct_size, C.sizeof_ccd_stats) // The struct of an older caller is shorter.
	copy(unsafe.Slice((*byte)(unsafe.Pointer(s.stats)), n), unsafe.Slice((*byte)(unsafe.Pointer(&st)), n))
}

// report returns a progress function for the core that calls the caller's, or nil if there is none.
func (s *settings) report() func(fraction float64) (cancel bool) {
	if s.raw.progress == 0 {
		return nil
	}
	function, user := C.uintptr_t(s.raw.progress), C.uintptr_t(s.raw.progressUser)
	return func(fraction float64) bool {
		return C.ccd_progress_call(function, C.double(fraction), user) != 0
	}
}

// readFor does the same as read for a call that solves queries of one kind.
func (s *settings) readFor(kind geom.Kind, o unsafe.Pointer) error {
	if err := s.read(&pairCalls, o); err != nil {
		return err
	}
	if err := s.narrow.Supported(kind); err != nil {
		return fail(C.CCD_E_UNSUPPORTED, "%v", err)
	}
	return nil
}

// defaultOptions holds the options that ccd_options_init sets.
var defaultOptions = rawOptions{tMax: 1, maxIterations: 1000000}

// copyFrom copies the part of the caller's struct that both sides know.
func (raw *rawOptions) copyFrom(o unsafe.Pointer) error {
	size := *(*uintptr)(o)
	if size < optionsMin || size > structMax || size%8 != 0 {
		return fail(C.CCD_E_ARGUMENT, "options.struct_size is %d: prepare the options with ccd_options_init", size)
	}
	copy(unsafe.Slice((*byte)(unsafe.Pointer(raw)), optionsSize), unsafe.Slice((*byte)(o), size))
	for i, b := range unsafe.Slice((*byte)(o), size)[min(size, optionsSize):] {
		if b != 0 {
			return fail(C.CCD_E_UNSUPPORTED,
				"options has a value at byte %d, beyond what this version of the library knows", int(optionsSize)+i)
		}
	}
	return nil
}

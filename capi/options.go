package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/narrow"
)

// rawOptions is ccd_options as bytes. The caller's pointers stay numbers: progress_user may be any word at all, and one that
// is no pointer must not stand where the garbage collector looks for pointers.
type rawOptions struct {
	structSize    uintptr
	tolerance     float64
	minSeparation float64
	tMax          float64
	maxBoxes      int64
	method        int32
	threads       int32
	flags         uint32
	reserved      uint32
	memoryLimit   uintptr
	progress      uintptr
	progressUser  uintptr
	sceneBound    [3]float64
	stats         uintptr
}

// The struct grows at its end. A shorter one comes from an older caller: the fields it lacks take their defaults. The
// shortest there ever was ends before progress. A longer one comes from a newer caller: what this library does not know
// must be zero, the value that says "as before". More than a page is no struct that anybody prepared.
const (
	optionsSize = unsafe.Sizeof(rawOptions{})
	optionsMin  = unsafe.Offsetof(rawOptions{}.progress)
	structMax   = 4096
)

// threadsMost is the number of threads that a call takes at most, whatever it is asked for: each costs some 170 KiB, and 2^31 of
// them the process. Answers do not depend on it.
const threadsMost = 1024

// A mismatch with the header does not compile.
var (
	_ [optionsSize - C.sizeof_ccd_options]byte
	_ [C.sizeof_ccd_options - optionsSize]byte
)

// settings are a call's options, read and checked.
type settings struct {
	narrow   narrow.Options
	call     engine.CallOptions
	counted  engine.Stats
	progress uintptr
	user     uintptr
	stats    *C.ccd_stats
}

// read fills s from the caller's options; nil gives the defaults. An error names the option.
func (s *settings) read(o unsafe.Pointer) error {
	*s = settings{narrow: narrow.DefaultOptions()}
	if o == nil {
		return nil
	}
	raw, err := rawFrom(o)
	if err != nil {
		return err
	}
	s.narrow = narrow.Options{
		Tolerance:     raw.tolerance,
		MinSeparation: raw.minSeparation,
		TMax:          raw.tMax,
		MaxBoxes:      raw.maxBoxes,
		Method:        narrow.Method(raw.method),
		Flags:         raw.flags,
		SceneBound:    raw.sceneBound,
	}
	if err := s.narrow.Check(); err != nil {
		return fail(C.CCD_E_ARGUMENT, "%v", err)
	}
	switch {
	case raw.threads < 0:
		return fail(C.CCD_E_ARGUMENT, "options.threads is %d: must not be negative", raw.threads)
	case raw.reserved != 0:
		return fail(C.CCD_E_ARGUMENT, "options.reserved is %d: must be 0", raw.reserved)
	}
	s.progress, s.user = raw.progress, raw.progressUser
	s.call.Threads, s.call.MemoryLimit, s.call.Progress = min(int(raw.threads), threadsMost), uint64(raw.memoryLimit), s.report()
	return s.readStats((*C.ccd_options)(o), raw.stats != 0)
}

// readStats finds the caller's ccd_stats, which has its own size.
func (s *settings) readStats(o *C.ccd_options, given bool) error {
	if !given {
		return nil
	}
	if size := o.stats.struct_size; size < C.sizeof_ccd_stats || size > structMax {
		return fail(C.CCD_E_ARGUMENT, "options.stats.struct_size is %d: set it to sizeof(ccd_stats)", uint64(size))
	}
	s.stats, s.call.Stats = o.stats, &s.counted
	return nil
}

// writeStats gives the caller the statistics of a call that succeeded, where they were asked for.
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
	}
	for k, n := range from.Candidates {
		if k >= len(st.candidates) {
			k = 0 // edges against faces
		}
		st.candidates[k] += C.int64_t(n)
	}
	*s.stats = st
}

// report is the core's progress function: it asks the caller's whether to cancel. Nil when there is none.
func (s *settings) report() func(fraction float64) (cancel bool) {
	if s.progress == 0 {
		return nil
	}
	function, user := C.uintptr_t(s.progress), C.uintptr_t(s.user)
	return func(fraction float64) bool {
		return C.ccd_progress_call(function, C.double(fraction), user) != 0
	}
}

// readFor is read for a call that answers queries of one kind.
func (s *settings) readFor(kind geom.Kind, o unsafe.Pointer) error {
	if err := s.read(o); err != nil {
		return err
	}
	if err := s.narrow.Supported(kind); err != nil {
		return fail(C.CCD_E_UNSUPPORTED, "%v", err)
	}
	return nil
}

// rawFrom copies as much of the caller's struct as both sides know.
func rawFrom(o unsafe.Pointer) (rawOptions, error) {
	d := narrow.DefaultOptions()
	raw := rawOptions{tolerance: d.Tolerance, tMax: d.TMax, maxBoxes: d.MaxBoxes}
	size := *(*uintptr)(o)
	if size < optionsMin || size > structMax || size%8 != 0 {
		return raw, fail(C.CCD_E_ARGUMENT, "options.struct_size is %d: prepare the options with ccd_options_init", size)
	}
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&raw)), optionsSize), unsafe.Slice((*byte)(o), size))
	for i, b := range unsafe.Slice((*byte)(o), size)[min(size, optionsSize):] {
		if b != 0 {
			return raw, fail(C.CCD_E_UNSUPPORTED, "options has a value at byte %d, beyond what this version of the library knows",
				int(optionsSize)+i)
		}
	}
	return raw, nil
}

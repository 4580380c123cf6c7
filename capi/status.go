package main

// #include "internal.h"
import "C"

import (
	"errors"
	"fmt"
	"unsafe"

	corestatus "ccd/core/status"
)

// A status is what a call returns: ccd_status.
type status = int32

// A failure is an error with its status.
type failure struct {
	status status
	text   string
}

func (f *failure) Error() string { return f.text }

// fail returns a failure; its text names the argument and the index that is wrong.
func fail(s status, format string, args ...any) error {
	return &failure{s, fmt.Sprintf(format, args...)}
}

// null returns the error for a pointer that must not be NULL.
func null(name string) error { return fail(C.CCD_E_ARGUMENT, "%s is NULL", name) }

// statuses maps the kinds of error of the core to their names in C.
var statuses = []struct {
	err    error
	status status
}{
	{corestatus.ErrArgument, C.CCD_E_ARGUMENT},
	{corestatus.ErrIndex, C.CCD_E_INDEX},
	{corestatus.ErrNonFinite, C.CCD_E_NONFINITE},
	{corestatus.ErrUnsupported, C.CCD_E_UNSUPPORTED},
	{corestatus.ErrFile, C.CCD_E_FILE},
	{corestatus.ErrCancelled, C.CCD_E_CANCELLED},
	{corestatus.ErrMemory, C.CCD_E_MEMORY},
	{corestatus.ErrInternal, C.CCD_E_INTERNAL},
}

// statusOf returns the status of err and stores its text for this thread. Nil is CCD_OK, which
// leaves the text alone.
func statusOf(err error) status {
	if err == nil {
		return C.CCD_OK
	}
	setText(err.Error())
	var f *failure
	if errors.As(err, &f) {
		return f.status
	}
	return statusOfKind(err)
}

// statusOfKind returns the status of an error of the core.
func statusOfKind(err error) status {
	for _, s := range statuses {
		if errors.Is(err, s.err) {
			return s.status
		}
	}
	return C.CCD_E_INTERNAL
}

// invalid returns an error of the core that says what is wrong with an argument: CCD_E_ARGUMENT
// unless it is of a kind of its own.
func invalid(err error) error {
	var f *failure
	if errors.As(err, &f) {
		return err
	}
	return corestatus.Invalid(err)
}

// setText stores the text of this thread's last error. An export runs on the thread that called it.
func setText(text string) {
	C.ccd_error_set((*C.char)(unsafe.Pointer(unsafe.StringData(text))), C.size_t(len(text)))
}

// recovered is deferred by every export: a panic becomes CCD_E_INTERNAL with its text and where it
// arose.
func recovered(s *status) {
	if r := recover(); r != nil {
		setText(corestatus.Recovered(r).Error())
		*s = C.CCD_E_INTERNAL
	}
}

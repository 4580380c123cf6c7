// Package status has the kinds of error that every package of the library returns. Each is one
// status code of the C interface.
//
// An error's text names the argument and the index that is wrong; errors.Is finds its kind. An
// error without a kind that concerns an argument counts as ErrArgument.
package status

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
)

// The kinds of error.
var (
	// A size, shape, option or value out of its range.
	ErrArgument = errors.New("not allowed")
	// An index that is out of range, repeated, or missing.
	ErrIndex     = errors.New("out of range")
	ErrNonFinite = errors.New("not finite or above 1e150 in magnitude") // a coordinate
	// Options that a call does not support together.
	ErrUnsupported = errors.New("not supported")
	// A file that cannot be opened, is truncated, or malformed.
	ErrFile      = errors.New("bad file")
	ErrCancelled = errors.New("cancelled by the progress callback") // the callback returned true
	// The results of a listing exceed it.
	ErrMemory   = errors.New("out of the memory that options.memory_limit grants")
	ErrInternal = errors.New("internal error") // a defect of the library: a panic that was caught
)

// kinds lists all kinds.
var kinds = [...]error{ErrArgument, ErrIndex, ErrNonFinite, ErrUnsupported, ErrFile, ErrCancelled, ErrMemory,
	ErrInternal}

// Kind returns the kind of an error, or nil if it has none.
func Kind(err error) error {
	for _, kind := range kinds {
		if errors.Is(err, kind) {
			return kind
		}
	}
	return nil
}

// Invalid returns an error that concerns an argument as one with a kind: ErrArgument, unless it has
// its own. Nil stays nil.
func Invalid(err error) error {
	if err == nil || Kind(err) != nil {
		return err
	}
	return &ofKind{ErrArgument, err.Error()}
}

// Recovered returns the error for a panic that a deferred function of an entry point has recovered:
// an ErrInternal that names the function and line that panicked.
func Recovered(p any) error {
	return Errorf(ErrInternal, "a defect of the library, please report it: %v (%s)", p, origin())
}

// origin returns the function and line that panicked: of the frames below the deferred function,
// the first that is not the runtime's own.
func origin() string {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(4, pcs[:])])
	for {
		f, more := frames.Next()
		if !more || !strings.HasPrefix(f.Function, "runtime.") {
			return fmt.Sprintf("%s:%d", f.Function, f.Line)
		}
	}
}

// Errorf returns an error of the given kind whose text is the format's alone.
func Errorf(kind error, format string, args ...any) error {
	return &ofKind{kind, fmt.Sprintf(format, args...)}
}

type ofKind struct {
	kind error
	text string
}

func (e *ofKind) Error() string { return e.text }
func (e *ofKind) Unwrap() error { return e.kind }

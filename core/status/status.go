// Package status has the kinds of error that every package of the library returns. Each is one status code of the C interface.
//
// An error's text names the argument and the index that is wrong; errors.Is finds its kind. An error without a kind that concerns an
// argument counts as ErrArgument.
package status

import (
	"errors"
	"fmt"
)

// The kinds of error.
var (
	ErrArgument    = errors.New("not allowed")                                        // a size, shape, option or value out of its range
	ErrIndex       = errors.New("out of range")                                       // an index that is out of range, repeated, or missing
	ErrNonFinite   = errors.New("not finite or above 1e150 in magnitude")             // a coordinate
	ErrUnsupported = errors.New("not supported")                                      // options that a call does not support together
	ErrFile        = errors.New("bad file")                                           // a file that cannot be opened, is truncated, or malformed
	ErrCancelled   = errors.New("cancelled by the progress callback")                 // the callback returned true
	ErrMemory      = errors.New("out of the memory that options.memory_limit grants") // the results of a listing exceed it
	ErrInternal    = errors.New("internal error")                                     // a defect of the library: a panic that was caught
)

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

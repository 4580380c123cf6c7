package mesh

import (
	"errors"
	"fmt"
)

// The kinds of error at the door of this package. The text names the argument and the index that is wrong;
// errors.Is tells the kind. A coordinate that is not finite is geom.ErrNonFinite.
var (
	ErrArgument = errors.New("bad argument") // a size or a value out of its range
	ErrIndex    = errors.New("bad index")    // an index out of range, repeated, or missing
	ErrFile     = errors.New("bad file")     // a file that cannot be opened, is truncated, or malformed
)

// badIndex is an error of the kind ErrIndex whose text is the caller's alone.
func badIndex(format string, args ...any) error {
	return &kindError{ErrIndex, fmt.Sprintf(format, args...)}
}

// badArgument is an error of the kind ErrArgument whose text is the caller's alone.
func badArgument(format string, args ...any) error {
	return &kindError{ErrArgument, fmt.Sprintf(format, args...)}
}

// badFile is an error of the kind ErrFile whose text is the caller's alone.
func badFile(format string, args ...any) error {
	return &kindError{ErrFile, fmt.Sprintf(format, args...)}
}

type kindError struct {
	kind error
	text string
}

func (e *kindError) Error() string { return e.text }
func (e *kindError) Unwrap() error { return e.kind }

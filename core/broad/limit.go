package broad

import (
	"errors"
	"fmt"
	"math"

	"ccd/simd/box"
)

// overLimit is the error of a plan that exceeds its limit. The memory of the vertices is not
// counted.
type overLimit struct{ need, limit int64 }

func (e *overLimit) Error() string {
	return fmt.Sprintf("a plan takes %d bytes or more, %d are left", e.need, e.limit)
}

// times returns how many times smaller the slab should be, with a margin because slabs overlap and
// differ in size.
func (e *overLimit) times() int {
	if e.limit <= 0 {
		return math.MaxInt32
	}
	return 1 + int(min(1.25*float64(e.need)/float64(e.limit), math.MaxInt32-1))
}

// over is an error that says that memory is not enough.
type over interface {
	error
	Over() (need, budget int64)
}

// Over returns the bytes that a plan needs and those that it may use.
func (e *overLimit) Over() (need, budget int64) { return e.need, e.limit }

// isOver reports whether an error says that memory is not enough, so that a smaller slab may do.
func isOver(err error) bool {
	var o over
	return errors.As(err, &o)
}

// listBytes is the memory of a worker's two lists, for cells of a and b entries.
func listBytes(a, b int) int64 {
	const entry, sorted = 4*box.EndColumns + 3*4 + 4, 2 * 8
	return int64((entry+sorted)*(a+b) + 4*entry*box.SweepPad)
}

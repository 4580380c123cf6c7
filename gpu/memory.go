package gpu

import (
	"fmt"
	"math"
	"unsafe"

	"ccd/simd/pairs"
)

// group is the number of items of a group, and tile the number of items that a group takes in a
// prefix sum: WG and TILE of the kernels.
const (
	group = 256
	tile  = 2048
)

// argument is an argument of a kernel.
type argument struct {
	value uint64
	size  uint32
}

func uintArg(n int) argument { return argument{uint64(uint32(n)), 4} }

func boolArg(b bool) argument {
	if b {
		return uintArg(1)
	}
	return uintArg(0)
}

// array is memory of a device that grows.
type array struct {
	on    buffer
	bytes int
}

func (a *array) arg() argument { return argument{uint64(a.on), 8} }

// memory allocates on a device and counts. The caller holds the device's lock.
type memory struct {
	on         *handle
	held, peak int64
	budget     int64 // the bytes that may be held; 0: no limit
}

// OverBudget is the error of a session that needs more memory than it may use.
type OverBudget struct{ Need, Budget int64 }

func (e *OverBudget) Error() string {
	return fmt.Sprintf(
		"it needs %d bytes of the device's memory, of which the call may use %d (memory_limit, or half of it)",
		e.Need, e.Budget)
}

// Over returns the bytes that are needed and those that may be used.
func (e *OverBudget) Over() (need, budget int64) { return e.Need, e.Budget }

// reserve gives a at least so many bytes; if a grows, its content is lost.
func (m *memory) reserve(a *array, bytes int) (err error) {
	bytes = max(bytes, 8)
	if a.bytes >= bytes {
		return nil
	}
	m.release(a)
	if need := m.held + int64(bytes); m.budget > 0 && need > m.budget {
		return &OverBudget{need, m.budget}
	}
	if a.on, err = m.on.alloc(bytes); err != nil {
		return err
	}
	a.bytes = bytes
	m.held += int64(bytes)
	m.peak = max(m.peak, m.held)
	return nil
}

func (m *memory) release(a *array) {
	if a.on != 0 {
		m.on.free(a.on)
		m.held -= int64(a.bytes)
	}
	*a = array{}
}

// number is what lists on a device are made of.
type number interface {
	~int32 | ~uint32 | ~uint64 | ~uint8 | ~float64 | ~float32 | ~[2]int32 | ~[4]int32 | pairs.Box | result
}

// upload reserves memory for x and copies it there.
func upload[T number](m *memory, a *array, x []T) error {
	var item T
	n := len(x) * int(unsafe.Sizeof(item))
	if err := m.reserve(a, n); err != nil || n == 0 {
		return err
	}
	return m.on.up(a.on, unsafe.Pointer(unsafe.SliceData(x)), n)
}

// download fills x from the beginning of a.
func download[T number](m *memory, x []T, a *array) error {
	var item T
	n := len(x) * int(unsafe.Sizeof(item))
	if n == 0 {
		return nil
	}
	return m.on.down(unsafe.Pointer(unsafe.SliceData(x)), a.on, n)
}

// launch runs a kernel on n items.
func (m *memory) launch(kernel string, n int, args ...argument) error {
	return m.on.launch(kernel, (n+group-1)/group, args...)
}

// most is the largest number of items of a list: their positions are 32 bits on the device, those
// of whole tiles too.
const most = math.MaxInt32 - tile

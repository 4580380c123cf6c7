package gpu

import (
	"fmt"
	"unsafe"
)

// Array is the positions of the vertices of a mesh in the memory of a device of NVIDIA's driver.
type Array struct {
	Name   string  // the name of the array in errors
	Data   uintptr // the address of the first coordinate of vertex 0
	Single bool    // floats, else doubles
	Stride int     // bytes from a vertex to the next; 0: packed
	Device int     // position in the list of Devices; -1: where Data is
	Stream uintptr // a stream of CUDA's driver: 0 or 1 is the legacy default stream, 2 the thread's, else a CUstream
}

// ArrayError is an error in what a caller said about an array.
type ArrayError string

func (e ArrayError) Error() string { return string(e) }

func (a *Array) wrong(format string, args ...any) error {
	return ArrayError(a.Name + fmt.Sprintf(format, args...))
}

// item returns the size of a coordinate.
func (a *Array) item() int {
	if a.Single {
		return 4
	}
	return 8
}

// step returns the number of coordinates from a vertex to the next.
func (a *Array) step() int {
	if a.Stride == 0 {
		return 3
	}
	return a.Stride / a.item()
}

// Locate checks an array of n vertices, as far as that is possible without reading it, and returns
// the position of its device. An error is an ArrayError, or says why the driver cannot be asked.
func (a *Array) Locate(n int) (device int, err error) {
	size := uintptr(a.item())
	const far = 1 << 31
	switch {
	case a.Data == 0 && n > 0:
		return 0, a.wrong(".data is NULL, but there are %d vertices", n)
	case a.Data%size != 0:
		return 0, a.wrong(".data is %#x: not a multiple of %d, the size of a coordinate", a.Data, size)
	case a.Stride%int(size) != 0:
		return 0, a.wrong(".stride is %d: not a multiple of %d, the size of a coordinate", a.Stride, size)
	case a.step() <= -far || a.step() >= far:
		return 0, a.wrong(".stride is %d: more than 2^31 coordinates", a.Stride)
	case a.Device < -1:
		return 0, a.wrong(".device is %d: must be -1 or a position in the list of devices", a.Device)
	case n == 0:
		return max(a.Device, 0), nil
	}
	first, last := a.Data, a.Data+2*size+uintptr((n-1)*a.step())*size
	device, known, err := findAddress(first)
	switch {
	case err != nil && known:
		return 0, a.wrong(".data is %#x: %v", a.Data, err)
	case err != nil:
		return 0, fmt.Errorf("%s: %w", a.Name, err)
	case a.Device >= 0 && a.Device != device:
		return 0, a.wrong(".device is %d: the memory is on device %d", a.Device, device)
	}
	end, known, err := findAddress(last)
	switch {
	case err != nil && !known:
		return 0, fmt.Errorf("%s: %w", a.Name, err)
	case err != nil || end != device:
		return 0, a.wrong(
			": vertex %d, at %#x, is not in the memory of device %d: the array has fewer than %d vertices, or "+
				"its stride is wrong", n-1, last-2*size, device, n)
	}
	return device, nil
}

// Read makes the records of n vertices of two arrays on the session's device, where First uses
// them, and returns a copy: {x0 y0 z0 0 x1 y1 z1 0} each. It waits for the work on the streams of
// the arrays. Both have been located on this device.
func (s *Session) Read(x0, x1 *Array, n int) ([]float64, error) {
	defer s.begin()()
	rec := make([]float64, 8*n)
	if n == 0 {
		return rec, nil
	}
	if err := s.on.wait(x0.Stream); err != nil {
		return nil, err
	}
	if x1.Stream != x0.Stream {
		if err := s.on.wait(x1.Stream); err != nil {
			return nil, err
		}
	}
	if err := s.reserve(&s.rec, 64*n); err != nil {
		return nil, err
	}
	for end, x := range []*Array{x0, x1} {
		if err := s.pack(buffer(x.Data), x, end, n); err != nil {
			return nil, err
		}
	}
	return rec, download(&s.memory, rec, &s.rec)
}

// pack writes one end of the records of n vertices, which begin at from.
func (s *Session) pack(from buffer, x *Array, end, n int) error {
	return s.launch("pack", n, argument{uint64(from), 8}, uintArg(x.step()), boolArg(!x.Single), uintArg(end),
		uintArg(n), s.rec.arg())
}

// Keep lets Holds report true for x0 and x1, the positions of the last Read, until the next Load.
func (s *Session) Keep(x0, x1 []float64) {
	s.kept = [2]*float64{unsafe.SliceData(x0), unsafe.SliceData(x1)}
}

// Holds reports whether the records on the device are those of x0 and x1: the very slices that Keep
// was called with.
func (s *Session) Holds(x0, x1 []float64) bool {
	return s.kept[0] != nil && s.kept == [2]*float64{unsafe.SliceData(x0), unsafe.SliceData(x1)}
}

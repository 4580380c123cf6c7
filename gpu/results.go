package gpu

import (
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"
)

// Results is memory of a device with the results of a call, for the caller to read there. Its
// numbers are complete when Put returns, so no stream has to wait for them. Hold protects it from a
// Release by its owner, until Release is called once more; the last Release frees it.
type Results struct {
	device *Device
	on     array
	held   atomic.Int32
}

// ErrForeign is the error of a device whose memory has no address that other libraries of the
// process know.
var ErrForeign = errors.New(
	"a buffer of OpenCL belongs to a context of this library's; only devices of NVIDIA's driver share memory")

// Put copies data to new memory of the device, of at most limit bytes (0: half of the device's
// memory); more is an *OverBudget.
func (d *Device) Put(data []byte, limit uint64) (*Results, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	m := memory{on: d.on, budget: d.budget(limit)}
	r := &Results{device: d}
	if len(data) == 0 {
		return r, nil
	}
	if err := upload(&m, &r.on, data); err != nil {
		m.release(&r.on)
		return nil, err
	}
	return r, nil
}

// Device returns the position of its device in the list of Devices.
func (r *Results) Device() int { return r.device.index }

// Address returns the address of the memory for CUDA's driver; 0 if there is none.
func (r *Results) Address() uintptr { return uintptr(r.on.on) }

// Hold begins another use.
func (r *Results) Hold() { r.held.Add(1) }

// Release ends a use. The last one waits for all work on the device, that of other libraries too,
// which may still read the memory, and frees it.
func (r *Results) Release() {
	if r.held.Add(-1) >= 0 || r.on.on == 0 {
		return
	}
	r.device.mu.Lock()
	defer r.device.mu.Unlock()
	// After an error, work may still read the memory: it stays, or is lost with the context.
	if r.device.on.finish() == nil {
		r.device.on.free(r.on.on)
	}
	r.on = array{}
}

// read copies it to out.
func (r *Results) read(out []byte) error {
	r.device.mu.Lock()
	defer r.device.mu.Unlock()
	if len(out) > r.on.bytes {
		return fmt.Errorf("%d bytes of %d", len(out), r.on.bytes)
	}
	if len(out) == 0 {
		return nil
	}
	return r.device.on.down(unsafe.Pointer(unsafe.SliceData(out)), r.on.on, len(out))
}

// OpenShared opens a device whose memory other libraries of the process may read, by its position
// in the list of Devices, or with -1 the first such device that Open opens.
func OpenShared(index int) (*Device, error) {
	if index >= 0 {
		d, err := Open(index)
		if err == nil && d.driver != cuda {
			err = fmt.Errorf("device %d (%s): %w", index, d.Name, ErrForeign)
		}
		return d, err
	}
	d, err := firstOf(func(i *Info) bool { return i.driver == cuda })
	if errors.Is(err, ErrNone) {
		return nil, fmt.Errorf("there is no device of NVIDIA's driver: %w", err)
	}
	return d, err
}

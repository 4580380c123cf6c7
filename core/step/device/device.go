package device

import (
	"iter"

	"ccd/core/broad"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/status"
)

// Least says from where on a call that need not use the device does. Tests lower it. Neither number
// was measured on a graphics processor.
//
// Pairs is the length of lists. The narrow phase of a list makes four or five launches and two
// copies (counted); at 5 to 20 microseconds each, an assumption, that is 0.03 to 0.15 ms. One
// thread takes 1.2 ms for 8,192 pairs of which a tenth touch, less where fewer do (measured).
//
// Boxes is the number of primitives from which on the device finds the pairs too. A plan and the
// first window of each list make 21 launches and two copies (counted), by the same assumption 0.1
// to 0.5 ms. One thread takes 98 ms for a step of 128,134 primitives that do not move (measured),
// so 50 ms for 2^16: the limit is high enough for a call on several threads, and may be too high
// for one.
var Least = struct{ Pairs, Boxes int }{Pairs: 1 << 13, Boxes: 1 << 16}

// Setup is what a call asks of its device.
type Setup struct {
	Handle kernel.Device
	Must   bool   // a failure is an error of the call
	Queues bool   // pairs may wait until there are enough for it
	Finds  bool   // it may find pairs too
	Boxes  int64  // the number of primitives
	Limit  uint64 // the memory limit; 0: none

	MaxNorm bool // separations are in the max norm
}

// Device is the device of a call. The zero value is none. It is set once, when the call begins.
type Device struct {
	handle kernel.Device // nil: the call has no device
	pairs  *broad.Remote // the device where it finds pairs too, or nil
	must   bool          // a failure is an error of the call
	queues bool          // pairs wait until there are enough for it
	most   int           // the most pairs of a caller's list that it takes at a time
}

// failure is an error of the device of a call that must use it.
func failure(err error) error {
	return status.Errorf(status.ErrUnsupported, "options.device is CCD_DEVICE_GPU: %v", err)
}

// limitedBatch is the most pairs of a caller's list that the device takes at a time under a memory
// limit.
const limitedBatch = 1 << 12

// Begin returns a device that has the vertices x0 and x1, which rec holds for kernels. It is none
// if it fails and the call need not use it.
func Begin(s Setup, rec, x0, x1 []float64) (Device, error) {
	d := Device{handle: s.Handle, must: s.Must, queues: s.Queues, most: limitedBatch}
	if d.queues {
		d.most = Batch
	}
	if n, ok := d.handle.(interface{ MaxNorm(is bool) }); ok {
		n.MaxNorm(s.MaxNorm)
	}
	if finder, ok := d.handle.(kernel.PairFinder); ok {
		finder.Limit(s.Limit)
		if s.Finds && (d.must || s.Boxes >= int64(Least.Boxes)) {
			d.pairs = &broad.Remote{Device: finder}
		}
	}
	if h, ok := d.handle.(interface{ Holds(x0, x1 []float64) bool }); ok && h.Holds(x0, x1) {
		return d, nil
	}
	if err := d.handle.Load(rec); err != nil {
		if d.must {
			return Device{}, failure(err)
		}
		return Device{}, nil
	}
	return d, nil
}

// Remote returns what a solver needs to use the device, or nil without one.
func (d *Device) Remote() *kernel.Remote {
	if d.handle == nil {
		return nil
	}
	least := Least.Pairs
	if d.must {
		least = 1
	}
	return &kernel.Remote{Device: d.handle, Least: least}
}

// Finder returns the device where it finds pairs too, or nil.
func (d *Device) Finder() *broad.Remote { return d.pairs }

// Err returns the first error of the device, if the call must use it. Solvers have the remotes.
func (d *Device) Err(remotes iter.Seq[*kernel.Remote]) error {
	if !d.must {
		return nil
	}
	if err := d.pairs.Err(); err != nil {
		return failure(err)
	}
	for r := range remotes {
		if r.Err != nil {
			return failure(r.Err)
		}
	}
	return nil
}

// Count writes the statistics of the device.
func (d *Device) Count(s *engine.Stats, remotes iter.Seq[*kernel.Remote]) {
	s.DeviceUsed, _, _ = d.pairs.Used()
	for r := range remotes {
		s.DeviceUsed = s.DeviceUsed || r.Used
	}
	if u, ok := d.handle.(interface{ Used() (float64, int64) }); ok && s.DeviceUsed {
		s.DeviceSeconds, s.DevicePeakBytes = u.Used()
	}
}

// BlockOf returns how many of n given pairs of a kind a worker takes at a time: few on the CPU, so
// that workers end together; as many as the device takes, of a worker's share.
func (d *Device) BlockOf(remote *kernel.Remote, threads int, k geom.Kind, n int) int {
	const few = 128
	if share := min(d.most, (n+threads-1)/threads); share > few && remote.Takes(k, share) {
		return share
	}
	return few
}

package step

import (
	"time"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/status"
)

// A call with a device. Each worker sweeps as ever and holds its candidate pairs back until there are enough for the device, or until its
// tasks are done; then they are handled as a block of pairs is. So an algorithm sees blocks of other lengths, on which no result depends.

// The first list of a worker for the device has firstBatch pairs, and each has four times those of the last, up to deviceBatch, which is
// enough to fill it: a search for the earliest impact should know an early one before it looks at many pairs.
const (
	firstBatch  = 1 << 13
	deviceBatch = 1 << 18
)

// deviceLeast is the length of lists from which on a call that need not use the device does. The narrow phase of a list makes 11 to 17 launches
// and nine copies (counted); at 5 to 20 microseconds each, an assumption, that is 0.1 to 0.5 ms. One thread takes 1.2 ms for 8,192 pairs of which a
// tenth touch, less where fewer do (measured). Not measured on a graphics processor. Tests lower it.
var deviceLeast = 1 << 13

// remoteLeast is the number of primitives from which on such a call finds its pairs on the device. A plan makes some 125 launches and 30 copies
// (counted), by the same assumption 0.8 to 3 ms. One thread takes 98 ms for a step of 128,134 primitives that do not move (measured), so 50 ms for
// 2^16: the limit is high enough for a call on several threads, and may be too high for one. Not measured on a graphics processor. Tests lower it.
var remoteLeast = 1 << 16

// deviceError is an error of the device of a call that must use it.
func deviceError(err error) error {
	return status.Errorf(status.ErrUnsupported, "options.device is CCD_DEVICE_GPU: %v", err)
}

// devicePart is what a call has for a device that finds candidate pairs too.
type devicePart struct {
	remote *broad.Remote  // nil: there is none
	endOf  func() float64 // the end of the time that matters now, where handle takes all pairs of a window up to it; else nil
}

// finder returns the device for a plan of the whole mesh.
func (c *call) finder() *broad.Remote {
	if c.changed != nil || c.near != nil || c.given != nil || c.o.Region != nil {
		return nil
	}
	return c.remote
}

// windows handles the pairs of a task that the device finds, and reports whether the task is one. Those that pass the device's narrow phase come
// back; where it takes no such pairs, all of them are emitted.
func (c deviceCall) windows(w *worker, t *broad.Task, handle func(w *worker, k geom.Kind, pairs [][2]int32), emit func(k geom.Kind, pairs [][2]int32) bool) bool {
	if !c.plan.Remote() || c.endOf == nil || !w.solver.Remote.Takes(t.Kind, deviceBatch) {
		return false
	}
	sep := c.radii.LargestSeparation(c.o.MinSeparation)
	c.plan.Windows(t, &w.wanted, func(from int64, n int) bool {
		clock := time.Now()
		w.wanted = min(4*w.wanted, deviceBatch)
		if !c.plan.FirstOf(t, from, n, c.endOf(), sep, &w.left) {
			block := make([][2]int32, n)
			c.plan.Pairs(t, from, block)
			for i := 0; i < n; i += broad.BlockLen {
				if !emit(t.Kind, block[i:min(i+broad.BlockLen, n)]) {
					return false
				}
			}
			return true
		}
		w.pairs[t.Kind-1] += int64(n)
		if left := w.left.Pairs; len(left) > 0 {
			w.solver.Remote.Prefetched(&w.left)
			w.idx = c.m.Gather(t.Kind, left, w.idx)
			handle(w, t.Kind, left)
			w.solver.Remote.Drop()
		} else {
			w.solver.Remote.Used = true
		}
		w.narrow += time.Since(clock)
		return c.Progress.Pass(0) && !c.abandoned()
	})
	return true
}

// deviceCall is the part of a call that concerns its device.
type deviceCall struct{ *call }

// begin copies the vertices x0 and x1 to the device of the call, if it has one and can use it, unless they are there.
func (c deviceCall) begin(x0, x1 []float64) error {
	for _, w := range c.workers {
		w.solver.Remote = nil
		for k := range w.held {
			w.held[k] = w.held[k][:0]
		}
		w.wanted = firstBatch
	}
	switch {
	case c.o.Device == nil:
		return nil
	case !c.exact() && c.o.DeviceOnly:
		return status.Errorf(status.ErrUnsupported, "options.device is CCD_DEVICE_GPU: only the exact method runs there, options.method is %d", c.o.Method)
	case !c.exact():
		return nil
	}
	if finder, ok := c.o.Device.(kernel.PairFinder); ok {
		finder.Limit(c.o.MemoryLimit)
		if c.o.DeviceOnly || c.m.NV+len(c.m.Edges)+len(c.m.Faces) >= remoteLeast {
			c.remote = &broad.Remote{Device: finder}
		}
	}
	if h, ok := c.o.Device.(interface{ Holds(x0, x1 []float64) bool }); !ok || !h.Holds(x0, x1) {
		if err := c.o.Device.Load(c.mo.Rec); err != nil {
			c.remote = nil
			if c.o.DeviceOnly {
				return deviceError(err)
			}
			return nil
		}
	}
	least := deviceLeast
	if c.o.DeviceOnly {
		least = 1
	}
	for _, w := range c.workers {
		w.solver.Remote = &kernel.Remote{Device: c.o.Device, Least: least}
	}
	return nil
}

// end forgets the device.
func (c deviceCall) end() {
	for _, w := range c.workers {
		w.solver.Remote = nil
	}
}

// err returns the first error of the device, if the call must use it.
func (c deviceCall) err() error {
	if c.o.DeviceOnly {
		if err := c.remote.Err(); err != nil {
			return deviceError(err)
		}
		for _, w := range c.workers {
			if r := w.solver.Remote; r != nil && r.Err != nil {
				return deviceError(r.Err)
			}
		}
	}
	return nil
}

// count writes the statistics of the device.
func (c deviceCall) count() {
	c.Stats.DeviceUsed, _, _ = c.remote.Used()
	for _, w := range c.workers {
		if r := w.solver.Remote; r != nil && r.Used {
			c.Stats.DeviceUsed = true
		}
	}
	if u, ok := c.o.Device.(interface{ Used() (float64, int64) }); ok && c.Stats.DeviceUsed {
		c.Stats.DeviceSeconds, c.Stats.DevicePeakBytes = u.Used()
	}
}

// heldBytes returns the memory of the pairs that wait for the device, and of what it found.
func heldBytes(w *worker) (n int64) {
	for _, pairs := range w.held {
		n += int64(8 * cap(pairs))
	}
	return n + w.left.Bytes() + w.solver.Remote.Bytes()
}

// hold keeps pairs of a worker back for the device, and returns those that are to be handled now: all of them where the device takes no
// such pairs, or where memory is limited.
func (c deviceCall) hold(w *worker, k geom.Kind, pairs [][2]int32) [][2]int32 {
	if c.o.MemoryLimit != 0 || !w.solver.Remote.Takes(k, deviceBatch) {
		return pairs
	}
	w.held[k] = append(w.held[k], pairs...)
	if len(w.held[k]) < w.wanted {
		return nil
	}
	w.wanted = min(4*w.wanted, deviceBatch)
	pairs = w.held[k]
	w.held[k] = pairs[:0]
	return pairs
}

// pairsBlock returns how many of n given pairs of a kind a worker takes at a time: few on the CPU, so that workers end together; as many as
// a device takes, of a worker's share.
func (c deviceCall) pairsBlock(k geom.Kind, n int) int {
	const few, limited = 128, 1 << 12
	most := deviceBatch
	if c.o.MemoryLimit != 0 {
		most = limited
	}
	threads := int(c.Stats.Threads)
	if share := min(most, (n+threads-1)/threads); share > few && c.workers[0].solver.Remote.Takes(k, share) {
		return share
	}
	return few
}

// release handles the pairs that a worker holds back.
func (c deviceCall) release(w *worker, handle func(w *worker, k geom.Kind, pairs [][2]int32)) {
	clock := time.Now()
	for k := range w.held {
		pairs := w.held[k]
		if w.held[k] = pairs[:0]; len(pairs) == 0 || c.abandoned() {
			continue
		}
		w.idx = c.m.Gather(geom.Kind(k), pairs, w.idx)
		handle(w, geom.Kind(k), pairs)
	}
	w.narrow += time.Since(clock)
}

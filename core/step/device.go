package step

import (
	"time"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/status"
)

// A call with a device. Each worker sweeps as ever and holds its candidate pairs back until there
// are enough for the device, or until its tasks are done; then they are handled as a block of pairs
// is. So an algorithm sees blocks of other lengths, on which no result depends.

// The first list of a worker for the device has firstBatch pairs, and each has four times those of
// the last, up to deviceBatch, which is enough to fill it: a search for the earliest impact should
// know an early one before it looks at many pairs.
const (
	firstBatch  = 1 << 13
	deviceBatch = 1 << 18
)

// deviceLeast is the length of lists from which on a call that need not use the device does. The
// narrow phase of a list makes 11 to 17 launches and nine copies (counted); at 5 to 20 microseconds
// each, an assumption, that is 0.1 to 0.5 ms. One thread takes 1.2 ms for 8,192 pairs of which a
// tenth touch, less where fewer do (measured). Not measured on a graphics processor. Tests lower
// it.
var deviceLeast = 1 << 13

// remoteLeast is the number of primitives from which on such a call finds its pairs on the device.
// A plan makes some 125 launches and 30 copies (counted), by the same assumption 0.8 to 3 ms. One
// thread takes 98 ms for a step of 128,134 primitives that do not move (measured), so 50 ms for
// 2^16: the limit is high enough for a call on several threads, and may be too high for one. Not
// measured on a graphics processor. Tests lower it.
var remoteLeast = 1 << 16

// deviceError is an error of the device of a call that must use it.
func deviceError(err error) error {
	return status.Errorf(status.ErrUnsupported, "options.device is CCD_DEVICE_GPU: %v", err)
}

// device is the graphics processor of a call. The zero value is none. It is set once, when the call
// begins.
type device struct {
	handle kernel.Device // nil: there is none
	remote *broad.Remote // nil, or the device where it finds pairs too
	must   bool          // a failure is an error of the call
	queues bool          // pairs wait until there are enough for it
	most   int           // the most pairs of a caller's list that it takes at a time
}

// begin copies the vertices x0 and x1 to the device of the call, if it has one and can use it,
// unless they are there.
func (d *device) begin(c *call, x0, x1 []float64) error {
	for _, w := range c.workers {
		w.solver.Remote, w.queue.enough = nil, firstBatch
		for k := range w.queue.held {
			w.queue.held[k] = w.queue.held[k][:0]
		}
	}
	switch {
	case c.o.Device == nil:
		return nil
	case !c.exact() && c.o.DeviceOnly:
		return status.Errorf(status.ErrUnsupported,
			"options.device is CCD_DEVICE_GPU: only the exact method runs there, options.method is %d", c.o.Method)
	case !c.exact():
		return nil
	}
	*d = device{handle: c.o.Device, must: c.o.DeviceOnly, queues: c.o.MemoryLimit == 0, most: limitedBatch}
	if d.queues {
		d.most = deviceBatch
	}
	if finder, ok := d.handle.(kernel.PairFinder); ok {
		finder.Limit(c.o.MemoryLimit)
		if d.must || c.Stats.Boxes >= int64(remoteLeast) {
			d.remote = &broad.Remote{Device: finder}
		}
	}
	if h, ok := d.handle.(interface{ Holds(x0, x1 []float64) bool }); !ok || !h.Holds(x0, x1) {
		if err := d.handle.Load(c.path.Segments().Rec); err != nil {
			if d.must {
				return deviceError(err)
			}
			*d = device{}
			return nil
		}
	}
	least := deviceLeast
	if d.must {
		least = 1
	}
	for _, w := range c.workers {
		w.solver.Remote = &kernel.Remote{Device: d.handle, Least: least}
	}
	return nil
}

// forgetDevice takes the device from workers.
func forgetDevice(workers []*worker) {
	for _, w := range workers {
		w.solver.Remote = nil
	}
}

// err returns the first error of the device, if the call must use it.
func (d *device) err(workers []*worker) error {
	if !d.must {
		return nil
	}
	if err := d.remote.Err(); err != nil {
		return deviceError(err)
	}
	for _, w := range workers {
		if r := w.solver.Remote; r != nil && r.Err != nil {
			return deviceError(r.Err)
		}
	}
	return nil
}

// count writes the statistics of the device.
func (d *device) count(c *call) {
	c.Stats.DeviceUsed, _, _ = d.remote.Used()
	for _, w := range c.workers {
		if r := w.solver.Remote; r != nil && r.Used {
			c.Stats.DeviceUsed = true
		}
	}
	if u, ok := d.handle.(interface{ Used() (float64, int64) }); ok && c.Stats.DeviceUsed {
		c.Stats.DeviceSeconds, c.Stats.DevicePeakBytes = u.Used()
	}
}

// windows handles the pairs of a task that the device finds, and reports whether the task is one.
// Those that pass the device's narrow phase come back; where it takes no such pairs, all of them
// are emitted.
func (d *device) windows(r *run, w *worker, t *broad.Task, emit func(k geom.Kind, pairs [][2]int32) bool) bool {
	if !r.plan.Remote() || !w.solver.Remote.Takes(t.Kind, deviceBatch) {
		return false
	}
	c, q := r.c, &w.queue
	sep := c.radii.LargestSeparation(c.o.MinSeparation)
	r.plan.Windows(t, &q.enough, func(from int64, n int) bool {
		clock := time.Now()
		q.enough = min(4*q.enough, deviceBatch)
		if !r.plan.FirstOf(t, from, n, r.want.end(), sep, &q.found) {
			block := make([][2]int32, n)
			r.plan.Pairs(t, from, block)
			for i := 0; i < n; i += broad.BlockLen {
				if !emit(t.Kind, block[i:min(i+broad.BlockLen, n)]) {
					return false
				}
			}
			return true
		}
		w.pairs[t.Kind-1] += int64(n)
		if found := q.found.Pairs; len(found) > 0 {
			w.solver.Remote.Prefetched(&q.found)
			w.of, w.idx = r.path.Segments(), c.m.Gather(t.Kind, found, w.idx)
			r.want.block(w, t.Kind, found)
			w.solver.Remote.Drop()
		} else {
			w.solver.Remote.Used = true
		}
		w.narrow += time.Since(clock)
		return c.Progress.Pass(0) && !c.abandoned()
	})
	return true
}

// deviceBytes returns the memory of the pairs that wait for the device, and of what it found.
func (w *worker) deviceBytes() (n int64) {
	for _, pairs := range w.queue.held {
		n += int64(8 * cap(pairs))
	}
	return n + w.queue.found.Bytes() + w.solver.Remote.Bytes()
}

// hold keeps pairs of a worker back for the device, and returns those that are to be handled now:
// all of them where the device takes no such pairs, or where memory is limited.
func (d *device) hold(w *worker, k geom.Kind, pairs [][2]int32) [][2]int32 {
	if !d.queues || !w.solver.Remote.Takes(k, deviceBatch) {
		return pairs
	}
	q := &w.queue
	q.held[k] = append(q.held[k], pairs...)
	if len(q.held[k]) < q.enough {
		return nil
	}
	q.enough = min(4*q.enough, deviceBatch)
	pairs = q.held[k]
	q.held[k] = pairs[:0]
	return pairs
}

// limitedBatch is the most pairs of a caller's list that the device takes at a time under a memory
// limit.
const limitedBatch = 1 << 12

// blockOf returns how many of n given pairs of a kind a worker takes at a time: few on the CPU, so
// that workers end together; as many as a device takes, of a worker's share.
func (d *device) blockOf(c *call, k geom.Kind, n int) int {
	const few = 128
	threads := int(c.Stats.Threads)
	if share := min(d.most, (n+threads-1)/threads); share > few && c.workers[0].solver.Remote.Takes(k, share) {
		return share
	}
	return few
}

// release handles the pairs that a worker holds back.
func (d *device) release(r *run, w *worker) {
	if !d.queues {
		return
	}
	clock := time.Now()
	for k := range w.queue.held {
		pairs := w.queue.held[k]
		if w.queue.held[k] = pairs[:0]; len(pairs) == 0 || r.c.abandoned() {
			continue
		}
		w.of, w.idx = r.path.Segments(), r.c.m.Gather(geom.Kind(k), pairs, w.idx)
		r.want.block(w, geom.Kind(k), pairs)
	}
	w.narrow += time.Since(clock)
}

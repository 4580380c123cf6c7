package device

import (
	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/simd/pairs"
)

// The first list of a worker for the device has firstBatch pairs, and each has four times those of
// the last, up to Batch, which is enough to fill it: a search for the earliest impact should know
// an early one before it looks at many pairs.
const (
	firstBatch = 1 << 13
	Batch      = 1 << 18
)

// Queue is what waits for a device at one worker, and what comes from it. Later calls use its
// memory again.
type Queue struct {
	Enough int         // how many pairs are passed on at a time
	Found  pairs.Found // the pairs of a window that the device did not prove apart

	held [geom.EdgeEdge + 1][][2]int32 // the pairs of each kind that wait
}

// Reset empties a queue.
func (q *Queue) Reset() {
	q.Enough = firstBatch
	for k := range q.held {
		q.held[k] = q.held[k][:0]
	}
}

// Grow lets the next list be longer.
func (q *Queue) Grow() { q.Enough = min(4*q.Enough, Batch) }

// Bytes returns the memory of the pairs.
func (q *Queue) Bytes() (n int64) {
	for _, pairs := range q.held {
		n += int64(8 * cap(pairs))
	}
	return n + q.Found.Bytes()
}

// Hold keeps pairs back for a device, and returns those that are to be handled now: all of them
// where the device of the worker takes no such pairs, or where it holds none back.
func (d *Device) Hold(q *Queue, remote *kernel.Remote, k geom.Kind, pairs [][2]int32) [][2]int32 {
	if !d.queues || !remote.Takes(k, Batch) {
		return pairs
	}
	q.held[k] = append(q.held[k], pairs...)
	if len(q.held[k]) < q.Enough {
		return nil
	}
	q.Grow()
	return q.take(k)
}

// take returns the pairs of a kind that wait, until the next ones are held.
func (q *Queue) take(k geom.Kind) [][2]int32 {
	pairs := q.held[k]
	q.held[k] = pairs[:0]
	return pairs
}

// Release passes on the pairs that wait.
func (d *Device) Release(q *Queue, handle func(k geom.Kind, pairs [][2]int32)) {
	if !d.queues {
		return
	}
	for k := range q.held {
		if pairs := q.take(geom.Kind(k)); len(pairs) > 0 {
			handle(geom.Kind(k), pairs)
		}
	}
}

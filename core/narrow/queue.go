package narrow

import (
	"cmp"
	"slices"
)

// queue orders the cells of a search by bucket of time first and latest arrival second. Best-first
// alone stalls where many cells share a time to the last digits, depth-first dives into the wrong
// half on such a tie; a bucket is as wide as the tolerance makes time indistinct, and inside it the
// search goes deep. Cells lie in an arena and are recycled.
type queue struct {
	heap  []entry // four children to a node
	cells []cell
	free  []int32
	stamp uint64
}

// entry is a cell in the queue. key holds the bucket above stampBits and a stamp that falls with
// every push below.
type entry struct {
	key  uint64
	cell int32
	dim  int32 // the parameter to halve, or the constant whole for an accepted cell
}

const (
	stampBits  = 24
	stampMask  = 1<<stampBits - 1
	bucketBits = 63 - stampBits
)

// queueCap bounds the cells of a search, and so the memory of a Solver: 64 bytes and 4 a cell,
// about 2 MiB.
const queueCap = 1 << 15

func (q *queue) reset() {
	q.heap, q.cells, q.free, q.stamp = q.heap[:0], q.cells[:0], q.free[:0], stampMask
}

// push adds a cell. There is room: see drop.
func (q *queue) push(c *cell, dim int, bucket uint64) {
	var at int32
	if n := len(q.free); n > 0 {
		at = q.free[n-1]
		q.free = q.free[:n-1]
		q.cells[at] = *c
	} else {
		at = int32(len(q.cells))
		q.cells = append(q.cells, *c)
	}
	q.stamp--
	if q.stamp == 0 {
		q.stamp = stampMask // the order inside a bucket restarts, which affects speed alone
	}
	e := entry{bucket<<stampBits | q.stamp, at, int32(dim)}
	q.heap = append(q.heap, e)
	i := len(q.heap) - 1
	for i > 0 {
		p := (i - 1) / 4
		if q.heap[p].key <= e.key {
			break
		}
		q.heap[i] = q.heap[p]
		i = p
	}
	q.heap[i] = e
}

// pop takes the first cell; the queue is not empty.
func (q *queue) pop() (c cell, dim int) {
	h := q.heap
	top, n := h[0], len(h)-1
	e := h[n]
	h = h[:n]
	q.heap = h
	i := 0
	for {
		first := 4*i + 1
		if first >= n {
			break
		}
		m := first
		for j := first + 1; j < first+4 && j < n; j++ {
			if h[j].key < h[m].key {
				m = j
			}
		}
		if h[m].key >= e.key {
			break
		}
		h[i] = h[m]
		i = m
	}
	if n > 0 {
		h[i] = e
	}
	q.free = append(q.free, top.cell)
	return q.cells[top.cell], int(top.dim)
}

// earliest returns the least t0 of all cells, or t when that is less.
func (q *queue) earliest(t float64) float64 {
	for i := range q.heap {
		t = min(t, q.cells[q.heap[i].cell].t0)
	}
	return t
}

// drop halves a full queue: the later cells go. It returns the least t0 among them. A sorted slice
// is a heap.
func (q *queue) drop(t float64) float64 {
	slices.SortFunc(q.heap, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
	half := len(q.heap) / 2
	for _, e := range q.heap[half:] {
		t = min(t, q.cells[e.cell].t0)
		q.free = append(q.free, e.cell)
	}
	q.heap = q.heap[:half]
	return t
}

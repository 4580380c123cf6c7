// Package order holds the heaps of searches.
//
// narrow's queue is a heap of its own: four children to a node and integer keys, compared inline in
// its innermost loop. The radix sorts of broad (cellsort.go, order.go), step (gather.go) and volume
// (place.go) stay apart: digits and elements fit the lengths of their lists, and one generic sort
// took 1 to 3 % of a step and up to 5 % of a volume's call more.
package order

// Before is what the elements of a Heap need: a.Before(b) reports whether a comes out before b, in
// a strict weak order.
type Before[T any] interface {
	*T
	Before(*T) bool
}

// Heap is a binary heap, first element at index 0. The order of equal elements is unspecified but
// deterministic.
type Heap[T any, P Before[T]] []T

// Push adds an element.
func (q *Heap[T, P]) Push(x *T) {
	h := append(*q, *x)
	*q = h
	last := len(h) - 1
	i := last // its place is found by comparing inside the heap, so that no caller's element escapes
	for i > 0 {
		up := (i - 1) / 2
		if !P(&h[last]).Before(&h[up]) {
			break
		}
		i = up
	}
	for last > i {
		up := (last - 1) / 2
		h[last] = h[up]
		last = up
	}
	h[i] = *x
}

// Pop removes the first element of a heap that is not empty.
func (q *Heap[T, P]) Pop() (first T) {
	h := *q
	first = h[0]
	n := len(h) - 1
	last := &h[n] // beyond the shortened heap, so that no move overwrites it
	*q = h[:n]
	i := 0
	for {
		c := 2*i + 1
		if c >= n {
			break
		}
		if c+1 < n && P(&h[c+1]).Before(&h[c]) {
			c++
		}
		if !P(&h[c]).Before(last) {
			break
		}
		h[i] = h[c]
		i = c
	}
	if n > 0 {
		h[i] = *last
	}
	return first
}

// TimeHeap is a Heap by time alone, least first. It stands apart because a method of a type
// parameter is never inlined: with Heap, rigid's searches take 6 to 9 % longer.
type TimeHeap[T any] []Timed[T]

// Timed is an element of a TimeHeap.
type Timed[T any] struct {
	Time float64
	Item T
}

// Push adds an element.
func (q *TimeHeap[T]) Push(time float64, x T) {
	h := append(*q, Timed[T]{time, x})
	*q = h
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if h[up].Time <= time {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = Timed[T]{time, x}
}

// Pop removes the first element of a heap that is not empty.
//
// The gap at the top moves down to a leaf, always to the earlier child, and the last element from
// there up to its place. That is where it would have stopped on its way down from the top, but the
// branches are easier to predict.
func (q *TimeHeap[T]) Pop() (first Timed[T]) {
	h := *q
	first = h[0]
	n := len(h) - 1
	last := h[n]
	h = h[:n]
	*q = h
	if n == 0 {
		return first
	}
	i := 0
	for c := 1; c < len(h); c = 2*i + 1 {
		if c+1 < len(h) {
			second := 0
			if h[c+1].Time < h[c].Time {
				second = 1
			}
			c += second
		}
		h[i] = h[c]
		i = c
	}
	for i > 0 {
		up := (i - 1) / 2
		if h[up].Time < last.Time {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = last
	return first
}

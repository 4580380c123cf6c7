package rigid

// An item of the heap says that nodes a and b stay apart before t; over a mesh that deforms, node a and the element.
type item struct {
	t    float64
	a, b int32
	same bool // look at the pair itself again at t, before its children
}

// heap is a binary heap of items, least time first. Equal times keep no order of their own, but the same one always.
type heap []item

func (q *heap) push(it item) {
	h := append(*q, it)
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if h[up].t <= it.t {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = it
	*q = h
}

func (q *heap) pop() item {
	h := *q
	top, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*q = h
	i := 0
	for {
		c := 2*i + 1
		if c >= len(h) {
			break
		}
		if c+1 < len(h) && h[c+1].t < h[c].t {
			c++
		}
		if h[c].t >= last.t {
			break
		}
		h[i] = h[c]
		i = c
	}
	if len(h) > 0 {
		h[i] = last
	}
	return top
}

package patch

// cell is a pair of subpatches and the times at which they may yet meet first. dir is the direction that helped its parent.
type cell struct {
	t0, t1 float64
	a, b   int32
	depth  int32
	class  adjacencyClass
	dir    vec
	touch  witness
}

// before orders cells by their first time; of equal times the deeper, so that a static scene is answered depth-first. No two are equal,
// so that in which order some are taken up does not depend on others in the queue.
func (c *cell) before(d *cell) bool {
	if c.t0 != d.t0 {
		return c.t0 < d.t0
	}
	if c.depth != d.depth {
		return c.depth > d.depth
	}
	return c.a < d.a || c.a == d.a && c.b < d.b
}

// queue is a binary heap of cells.
type queue []cell

func (q *queue) push(c *cell) {
	s := append(*q, *c)
	i := len(s) - 1
	for i > 0 {
		p := (i - 1) / 2
		if !c.before(&s[p]) {
			break
		}
		s[i] = s[p]
		i = p
	}
	s[i] = *c
	*q = s
}

func (q *queue) pop() (first cell) {
	s := *q
	first = s[0]
	n := len(s) - 1
	last := s[n]
	s = s[:n]
	for i := 0; n > 0; {
		j := 2*i + 1
		if j+1 < n && s[j+1].before(&s[j]) {
			j++
		}
		if j >= n || !s[j].before(&last) {
			s[i] = last
			break
		}
		s[i] = s[j]
		i = j
	}
	*q = s
	return first
}

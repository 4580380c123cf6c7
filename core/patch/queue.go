package patch

// cell is a pair of subpatches and the times at which they may yet meet first. dir is the direction that helped its parent.
type cell struct {
	t0, t1 float64
	a, b   int32
	depth  int32
	bond   int32 // what the two have in common by construction: strangers, itself, neighbours or more (see neighbour.go)
	dir    vec
	touch  witness
}

// before orders cells by their first time; of equal times the deeper, so that a static scene is answered depth-first.
func (c *cell) before(d *cell) bool {
	return c.t0 < d.t0 || (c.t0 == d.t0 && c.depth > d.depth)
}

// queue is a binary heap of cells. Its order of equal cells depends on nothing but the order of calls (law 7).
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

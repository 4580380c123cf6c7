package robot

import "ccd/core/num"

// item is a ball of a task's mover and a box of its target that are not proven apart.
type item struct{ task, ball, node, slot int32 }

// Counts says what a check took.
type Counts struct {
	Intervals int64 // parts of edges and poses that were looked at
	Tests     int64 // pairs of a ball and a box
	Leaves    int64 // pairs of leaves
}

func (c *Counts) add(d *Counts) {
	c.Intervals, c.Tests, c.Leaves = c.Intervals+d.Intervals, c.Tests+d.Tests, c.Leaves+d.Leaves
}

// front is the pairs of nodes that are open in an interval of an edge, with what tests of them
// need.
type front struct {
	robot      *Robot
	kin        kinematics
	lim        limits
	m, h       float64 // the interval [m - h, m + h]
	separation float64
	budget     int64 // how many intervals may still be looked at
	counts     Counts
	stack      []item
	items      []item // lists of open items, those of an interval in one piece
	control    []float64
	spent      []item // pairs of leaves that were given up
	meter      *meter // what a search for the least distance found; nil in checks
	left       []bool // For each mover the bodies that a search leaves out; empty for none
}

// Worker checks edges, one at a time. It holds all memory that checks need, which stays allocated.
type Worker struct {
	f         front
	tolerance float64
	speed     float64 // bounds the speed of all points relative to what they are tested against
	from, to  float64 // the part of the edge that is looked at
	meter     meter
	best      hit
	near      nearby
	pieces    []piece // intervals of a level, and of the next one
	after     []piece
	looked    []bool // For each task: whether later contacts were looked for
	close     []item
}

// nearby is where surfaces come within the tolerance and neither is proven.
type nearby struct {
	s      float64
	task   int32
	body   int32 // The target's, -1 if it is not known
	any    bool
	reason Reason
}

// piece is an interval with its list of open items.
type piece struct {
	s0, s1      float64
	first, last int
}

// NewWorker returns a worker for a robot.
func NewWorker(r *Robot) *Worker {
	n := r.model.Variables
	f := front{robot: r, kin: newKinematics(&r.ways, n), lim: newLimits(&r.ways)}
	return &Worker{f: f, looked: make([]bool, len(r.tasks))}
}

// at sets the interval: [m - h, m + h] holds it, and is it where both are exact, as for halves of
// the edge. The differences are exact if they give back what was subtracted.
func (w *front) at(s0, s1 float64) {
	w.m = float64(0.5 * (s0 + s1))
	left, right := w.m-s0, s1-w.m
	w.h = max(left, right)
	if w.m-left != s0 || s1-right != w.m {
		w.h = num.Up(w.h)
	}
	w.kin.at(w.m)
	w.counts.Intervals++
	w.budget--
}

// kappa is the part of its size that a ball may move in an interval before halving pays.
const kappa = 0.5

// tests reports whether a mover is tested against a body.
func (w *front) tests(mover, body int32) bool {
	return w.robot.movers[mover].tested[body] &&
		(len(w.left) == 0 || !w.left[int(mover)*len(w.robot.model.Bodies)+int(body)])
}

// apart returns the separation of a mover and a body: that of the pair, or of the options. The
// search for the least distance has its own.
func (w *front) apart(mover, body int32) float64 {
	if list := w.robot.movers[mover].apart; list != nil && w.meter == nil && list[body] == list[body] {
		return list[body]
	}
	return w.separation
}

// widest returns what the separations of a task's pairs are at most.
func (w *front) widest(t *task) float64 {
	if w.meter != nil {
		return w.separation
	}
	return max(w.separation, t.apart)
}

// every is the budget of a search that tests all.
const every = -1

// work tests the items from first to last of the list on the interval. What a shorter interval may
// decide is appended to the list. It returns whether a certain contact was found at the middle,
// which is then in found; items that were not tested are appended too.
//
// A search of every item waits for shorter intervals where balls move far, and else opens the
// larger of ball and box. With a budget of tests it descends to the nearest children first, for
// contacts.
func (w *front) work(first, last, budget int, found *hit) bool {
	w.stack = w.stack[:0]
	for i := last - 1; i >= first; i-- {
		w.stack = append(w.stack, w.items[i])
	}
	cached := item{task: -1}
	var m moving
	for len(w.stack) > 0 {
		it := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		if budget >= 0 {
			if budget == 0 {
				break
			}
			budget--
		}
		t := &w.robot.tasks[it.task]
		b := &w.robot.movers[t.mover].balls[it.ball]
		n := &w.robot.targets[t.target].nodes[it.node]
		if cached.task != it.task || cached.ball != it.ball {
			m = place(w.kin.get(t.way), &w.lim.slack[t.way], b, w.h, w.widest(t))
			cached = it
		}
		w.counts.Tests++
		if apart, _ := m.apart(n, int(it.slot), w.h); apart {
			continue
		}
		child := n.child[it.slot]
		if child < 0 && !w.tests(t.mover, w.robot.clusters[^child].body) {
			continue // A box that waits for shorter intervals would be given up for a pair that is left out.
		}
		if child < 0 && n.half[it.slot] > aside*b.r && m.beside(w.robot.clusters[^child].slabs, w.h) {
			continue
		}
		leaf := b.left == 0 && child < 0
		if budget == every {
			size := max(b.r, 0.125*w.robot.size)
			if child >= 0 { // the box of a leaf counts as a point: long thin ones would open all others
				size = max(size, n.half[it.slot])
			}
			if m.way > kappa*size {
				w.items = append(w.items, it)
				continue
			}
		}
		switch {
		case leaf:
			if w.decide(it, &m, budget, found) {
				return true
			}
		case child >= 0 && (b.left == 0 || n.half[it.slot] >= b.r):
			w.openBox(it, &m, child, t.mask, budget)
		default:
			w.openBall(it, b, n, t, budget)
		}
	}
	return false
}

// decide tests two leaves, and returns whether they touch.
func (w *front) decide(it item, m *moving, budget int, found *hit) bool {
	if w.meter != nil {
		if w.meter.measure(it, m) == open && budget == every {
			w.items = append(w.items, it)
		}
		return false
	}
	switch w.leaves(it, m, found) {
	case touched:
		if budget == every {
			w.items = append(w.items, it)
			for i := len(w.stack) - 1; i >= 0; i-- {
				w.items = append(w.items, w.stack[i])
			}
		}
		return true
	case open:
		if budget == every && !w.isSpent(it) {
			w.items = append(w.items, it)
		}
	}
	return false
}

// openBox goes on with the boxes below a box.
func (w *front) openBox(it item, m *moving, child int32, mask uint64, budget int) {
	n := &w.robot.targets[w.robot.tasks[it.task].target].nodes[child]
	bits := m.meet(n, w.h, mask)
	w.counts.Tests += 8
	base := len(w.stack)
	for i := int32(0); bits != 0; i, bits = i+1, bits>>1 {
		if bits&1 == 0 {
			continue
		}
		w.stack = append(w.stack, item{it.task, it.ball, child, i})
		if budget == every {
			continue
		}
		d := n.toward(m.x, int(i)) // the nearest is to be the last of the stack
		for k := len(w.stack) - 1; k > base && n.toward(m.x, int(w.stack[k-1].slot)) < d; k-- {
			w.stack[k], w.stack[k-1] = w.stack[k-1], w.stack[k]
		}
	}
}

// openBall goes on with both halves of a ball.
func (w *front) openBall(it item, b *ball, n *node, t *task, budget int) {
	left, right := b.left, b.right
	if budget != every {
		balls, s := w.robot.movers[t.mover].balls, w.kin.get(t.way)
		if n.toward(s.place(balls[right].c), int(it.slot)) < n.toward(s.place(balls[left].c), int(it.slot)) {
			left, right = right, left
		}
	}
	w.stack = append(w.stack, item{it.task, right, it.node, it.slot}, item{it.task, left, it.node, it.slot})
}

// mostSpent is how many pairs of leaves of an edge are given up before their task is.
const mostSpent = 64

// isSpent reports whether a pair of leaves, or its task, was given up at a time before.
func (w *front) isSpent(it item) bool {
	for i := range w.spent {
		if w.spent[i] == it || w.spent[i].task == it.task && w.spent[i].ball < 0 {
			return true
		}
	}
	return false
}

// spend gives up a pair of leaves from now on.
func (w *front) spend(it item) {
	if w.isSpent(it) {
		return
	}
	n := 0
	for i := range w.spent {
		if w.spent[i].task == it.task {
			n++
		}
	}
	if n >= mostSpent {
		it = item{it.task, -1, -1, -1}
	}
	w.spent = append(w.spent, it)
}

// roots makes the list of the roots of all tasks.
func (w *front) roots() {
	w.items = w.items[:0]
	for i := range w.robot.tasks {
		w.items = append(w.items, item{task: int32(i)})
	}
}

// probe looks for a contact at one time among the items from first to last, within a budget of
// tests.
func (w *front) probe(s float64, first, last, budget int, found *hit) bool {
	w.at(s, s)
	length := len(w.items)
	touches := w.work(first, last, budget, found)
	w.items = w.items[:length]
	return touches
}

package robot

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/num"
)

// deepestLevel is how often an edge is halved at most: middles and halves of intervals are exact.
const deepestLevel = 45

// few is the number of open pairs of leaves from which on steps from the left pay.
const few = 8

// onlyLeaves reports whether all items from first to last are pairs of leaves.
func (w *front) onlyLeaves(first, last int) bool {
	for _, it := range w.items[first:last] {
		t := &w.robot.tasks[it.task]
		if w.robot.movers[t.mover].balls[it.ball].left != 0 ||
			w.robot.targets[t.target].nodes[it.node].child[it.slot] >= 0 {
			return false
		}
	}
	return true
}

// first finds the first contact: depth first, the left half first. What is before the least of
// w.best.s and w.near.s is proven free.
func (w *Worker) first() {
	w.f.roots()
	w.descend(w.from, w.to, 0, len(w.f.items), 0)
}

func (w *Worker) descend(s0, s1 float64, first, last, level int) {
	if s0 >= w.best.s || w.outOfBudget(s0) {
		return
	}
	w.f.at(s0, s1)
	middle, base := w.f.m, len(w.f.items)
	var found hit
	if w.f.work(first, last, every, &found) && found.s < w.best.s {
		w.best = found
	}
	defer func() { w.f.items = w.f.items[:base] }()
	end := len(w.f.items)
	if end == base {
		return
	}
	leaves := w.f.onlyLeaves(base, end)
	switch {
	case leaves && end-base <= few:
		w.advance(s0, min(s1, w.best.s), base, end)
	case (leaves || w.speed == 0) && (s1-s0)*w.speed < 0.5*w.tolerance || level == deepestLevel:
		w.giveUp(s0, base, end)
	default:
		w.descend(s0, middle, base, end, level+1)
		w.descend(middle, s1, base, end, level+1)
	}
}

// outOfBudget reports whether no interval may be looked at any more, and notes that it was so at s,
// for the first task in place of all.
func (w *Worker) outOfBudget(s float64) bool {
	if w.f.budget > 0 {
		return false
	}
	if len(w.f.robot.tasks) > 0 {
		w.approach(s, item{}, ReasonIterations)
	}
	return true
}

// approach notes that from s on nothing is proven for the task of an item.
func (w *Worker) approach(s float64, it item, why Reason) {
	if w.near.any && s >= w.near.s {
		return
	}
	w.near = nearby{s: s, task: it.task, body: -1, any: true, reason: why}
	target := &w.f.robot.targets[w.f.robot.tasks[it.task].target]
	if child := target.nodes[it.node].child[it.slot]; child < 0 {
		w.near.body = w.f.robot.clusters[^child].body
	}
}

// advance goes from s0 on with a few pairs of leaves, by steps in which all of them stay apart.
func (w *Worker) advance(s0, s1 float64, first, last int) {
	s := s0
	for s < s1 && s < w.best.s && last > first {
		if w.outOfBudget(s) {
			return
		}
		w.f.at(s, s)
		most := num.Up(s1 - s)
		step := most
		w.close = w.close[:0]
		kept := first
		for i := first; i < last; i++ {
			it := w.f.items[i]
			t := w.apartFor(it, most)
			if t >= most {
				continue
			}
			if t*w.speed < 0.25*w.tolerance || num.Down(s+t) <= s {
				w.close = append(w.close, it)
				continue
			}
			step = min(step, t)
			w.f.items[kept] = it
			kept++
		}
		last = kept
		if len(w.close) > 0 {
			base := len(w.f.items)
			w.f.items = append(w.f.items, w.close...)
			w.giveUp(s, base, len(w.f.items))
			w.f.items = w.f.items[:base]
			continue
		}
		s = num.Down(s + step)
	}
}

// apartFor returns for how long after the pose two leaves certainly stay apart, at most `most`.
func (w *Worker) apartFor(it item, most float64) float64 {
	t := &w.f.robot.tasks[it.task]
	ca := &w.f.robot.clusters[w.f.robot.movers[t.mover].balls[it.ball].cluster]
	cb := &w.f.robot.clusters[^w.f.robot.targets[t.target].nodes[it.node].child[it.slot]]
	if !w.f.tests(t.mover, cb.body) {
		return most
	}
	w.f.counts.Leaves++
	s := w.f.kin.get(t.way)
	p := newPair(s, &w.f.lim.slack[t.way], ca, cb, 0, w.f.apart(t.mover, cb.body))
	n := normalized(r3.Sub(s.place(ca.x[0]), cb.x[0]))
	_, n, gap := p.separate(n, math.Inf(1), 12)
	best := 0.0
	if gap > p.static {
		high, _ := highest(cb, n)
		best = p.until(n, ca.x, ca.r, high, most)
	}
	if gap > p.static+w.tolerance && (best >= most || best*w.speed > 16*w.tolerance) {
		return best
	}
	return w.eachApartFor(&p, t.way, best, most)
}

// eachApartFor is apartFor by the primitives of both leaves; it stops where that is below `least`.
// Primitives within an eighth of the tolerance count as an approach, whether they part or not.
func (w *Worker) eachApartFor(p *pair, way int32, least, most float64) float64 {
	var paths [smallPrimitives]path
	p.paths(w.f.robot.primitives, &paths, false)
	reach := &w.f.lim.reach[way]
	speed := float64((reach.c1 + float64(reach.w*p.a.far)) * up)
	var radii [3]float64
	for i, at := range p.a.primitives {
		pa := &w.f.robot.primitives[at]
		for k := range radii {
			radii[k] = pa.radius
		}
		for _, other := range p.b.primitives {
			pb := &w.f.robot.primitives[other]
			if paths[i].away(pb, pa.radius+pb.radius+float64((float64(speed*most)+2*p.static)*up)) {
				continue
			}
			c := nearest(pa, &paths[i].x, pb)
			if math.Sqrt(c.square) < pa.radius+pb.radius+p.separation+float64(w.tolerance/8) {
				return 0
			}
			list, count := c.directions(pa, &paths[i].x, pb)
			longest := 0.0
			for _, n := range list[:count] {
				longest = max(longest, p.until(n, pa.x[:pa.n], radii[:pa.n], pb.reaches(n), most))
			}
			if most = longest; most <= least {
				return least
			}
		}
	}
	return most
}

// giveUp notes that the items from first to last come within the tolerance at s, leaves them out
// from there on, and looks for a contact of theirs, and of their tasks, later.
func (w *Worker) giveUp(s float64, first, last int) {
	w.approach(s, w.f.items[first], w.f.reason(first, last, w.tolerance))
	for i := first; i < last; i++ {
		w.f.spend(w.f.items[i])
	}
	w.look(s, first, last)
}

// reason returns what is too coarse for a pair: the tolerance, or the doubles.
func (w *front) reason(first, last int, tolerance float64) Reason {
	for _, it := range w.items[first:last] {
		t := &w.robot.tasks[it.task]
		ball := &w.robot.movers[t.mover].balls[it.ball]
		if w.lim.slack[t.way].pose(ball.far+ball.r) > 0.25*tolerance {
			return ReasonCoarse
		}
	}
	return ReasonTolerance
}

// look looks for a contact at s, and later at distances that grow: first of the items from first to
// last, then of all that their tasks hold. What it finds is moved back towards s.
func (w *Worker) look(s float64, first, last int) {
	var found hit
	before := s
	step := 0.0
	if w.speed > 0 {
		step = 0.25 * w.tolerance / w.speed
	}
	for d := 0.0; d*w.speed < 4096*w.tolerance; {
		at := min(w.to, s+d)
		if at >= w.best.s {
			return
		}
		if w.f.probe(at, first, last, 1<<20, &found) {
			w.moveBack(before, &found)
			return
		}
		before = at
		if at == w.to || step == 0 {
			break
		}
		d = max(2*d, step)
	}
	w.lookInTasks(s, before, first, last)
	if math.IsInf(w.best.s, 1) {
		var found hit
		if (seeker{&w.f, true}).enters(s, w.to, first, last, &found) {
			w.best = found
		}
	}
}

func (w *Worker) lookInTasks(s, before float64, first, last int) {
	for i := first; i < last; i++ {
		task := w.f.items[i].task
		if w.looked[task] {
			continue
		}
		w.looked[task] = true
		base := len(w.f.items)
		w.f.items = append(w.f.items, item{task: task})
		var found hit
		from := s
		for at, d := s, max(before-s, 0x1p-20); at < min(w.to, w.best.s); d *= 2 {
			if w.f.probe(at, base, base+1, 1<<16, &found) {
				w.moveBack(from, &found)
				break
			}
			from, at = at, min(w.to, s+d)
			if at == w.to && at < w.best.s {
				if w.f.probe(w.to, base, base+1, 1<<16, &found) {
					w.moveBack(from, &found)
				}
				break
			}
		}
		w.f.items = w.f.items[:base]
	}
}

// moveBack looks for an earlier time at which the two primitives of a contact touch, and keeps the
// earliest one found.
func (w *Worker) moveBack(before float64, found *hit) {
	if found.s >= w.best.s {
		return
	}
	t := &w.f.robot.tasks[found.task]
	pa, pb := &w.f.robot.primitives[found.pa], &w.f.robot.primitives[found.pb]
	for range 30 {
		middle := before + float64(0.5*(found.s-before))
		if !(middle > before && middle < found.s) {
			break
		}
		w.f.kin.at(middle)
		x := placed(w.f.kin.get(t.way), pa)
		ea, eb := w.errorsOf(t, pa, pb)
		if how, point := contactOf(pa, &x, pb, ea, eb, w.f.apart(t.mover, pb.body)); how != NoContact {
			found.s, found.how, found.point = middle, how, point
		} else {
			before = middle
		}
	}
	w.best = *found
}

// errorsOf bounds how far the placed vertices of two primitives may be from their true places.
func (w *Worker) errorsOf(t *task, pa, pb *primitive) (ea, eb float64) {
	far := 0.0
	for _, x := range pa.x {
		far = max(far, lengthUp(x))
	}
	return w.f.lim.slack[t.way].pose(far) + w.f.robot.off[pa.body], w.f.robot.off[pb.body]
}

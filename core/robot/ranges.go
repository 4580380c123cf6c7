package robot

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/status"
)

// Meeting says of a tested pair whether its bodies can meet while all variables are within ranges.
type Meeting struct {
	A, B    int
	Verdict Verdict // Free: they never do. Collides: they do at some values. Undecided: the budget was spent.
	Counts  Counts
}

// Ranges decides for each tested pair, in the order of Model.Pairs, whether its bodies come within
// the separation for any values of the variables within lower and upper, both included.
// MaxIntervals counts for each pair; pairs with many joints between them need many.
//
// Law R7: a pair that is Free never comes within the separation in the ranges, nor is one inside of
// the other; one that Collides does at some values in the ranges.
func (w *Worker) Ranges(lower, upper []float64, o *Options) ([]Meeting, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if _, err := w.f.setEdge(lower, upper); err != nil {
		return nil, err
	}
	for i := range lower {
		if lower[i] > upper[i] {
			return nil, status.Errorf(status.ErrArgument, "lower[%d] is %g, upper[%d] %g: must not be above it", i,
				lower[i], i, upper[i])
		}
	}
	r := w.f.robot
	list := make([]Meeting, len(r.model.Pairs))
	w.f.left = append(w.f.left[:0], make([]bool, len(r.model.Bodies)*len(r.movers))...)
	defer func() { w.f.left = w.f.left[:0] }()
	for i, p := range r.model.Pairs {
		list[i] = Meeting{A: p[0], B: p[1], Verdict: Free}
		s := ranger{front: &w.f, lower: append([]float64{}, lower...), upper: append([]float64{}, upper...)}
		w.f.separation, w.f.budget, w.f.counts = o.Separation, o.MaxIntervals, Counts{}
		if s.only(p[0], p[1]) {
			list[i].Verdict = s.decide()
		}
		list[i].Counts = w.f.counts
	}
	return list, nil
}

// ranger decides one pair over a box of the variables.
type ranger struct {
	front        *front
	lower, upper []float64
	middle       []float64
	task         int32
	turns        []float64 // For each variable how fast it moves points on the way at most.
}

// only leaves out all bodies but those of a pair; it returns false if the pair has no primitives.
func (s *ranger) only(a, b int) bool {
	w := s.front
	r := w.robot
	for i := range w.left {
		w.left[i] = true
	}
	for i := range r.tasks {
		t := &r.tasks[i]
		own := int(r.movers[t.mover].body)
		other := a
		if own == a {
			other = b
		} else if own != b {
			continue
		}
		if !r.movers[t.mover].tested[other] || !r.isOf(t.target, other) {
			continue
		}
		w.left[int(t.mover)*len(r.model.Bodies)+other] = false
		s.task = int32(i)
		return true
	}
	return false
}

func (s *ranger) decide() Verdict {
	w := s.front
	s.measure()
	w.items = append(w.items[:0], item{task: s.task})
	verdict := s.descend(0, 1, 0)
	if verdict != Free {
		return verdict
	}
	// Nothing passes a surface in the ranges, so one place tells what is inside of what.
	w.kin.at(0)
	w.m, w.h = 0, 0
	var found hit
	k, t := seeker{front: w}, &w.robot.tasks[s.task]
	if k.sampleInside(t, &found) || k.holdsSample(t, &found) {
		return Collides
	}
	return Free
}

// measure bounds how fast each variable moves the points of the mover, for the choice of the one
// that is halved. It is no part of a proof.
func (s *ranger) measure() {
	w := s.front
	t := &w.robot.tasks[s.task]
	s.turns, s.middle = make([]float64, len(s.lower)), make([]float64, len(s.lower))
	s.center()
	far := w.lim.reach[t.way].t + w.robot.movers[t.mover].balls[0].far + w.robot.movers[t.mover].balls[0].r
	for way := t.way; w.robot.ways.list[way].joint >= 0; way = w.robot.ways.list[way].from {
		j := &w.robot.ways.joints[w.robot.ways.list[way].joint]
		switch j.Kind {
		case Revolute:
			s.turns[j.Variable] += float64(math.Abs(j.Factor) * far)
		case Prismatic:
			s.turns[j.Variable] += math.Abs(j.Factor)
		}
	}
}

// center sets the middle of the box as the values, and bounds on what all ways do from there to any
// values in the box: as on straight edges that change each variable by at most half of its range.
func (s *ranger) center() {
	w := s.front
	c := &w.kin.curve
	row := s.middle
	for i := range row {
		row[i] = float64(0.5*s.lower[i]) + float64(0.5*s.upper[i])
	}
	c.set(row, 0)
	for i := range row {
		c.size[0][i] = max(math.Abs(s.lower[i]), math.Abs(s.upper[i]))
		c.size[1][i] = num.Up(max(s.upper[i]-row[i], row[i]-s.lower[i])) * (1 + 4*unit)
	}
	w.lim.now++
	w.kin.at(0)
	w.m, w.h = 0, 0
	w.counts.Intervals++
	w.budget--
	w.lim.get(w.robot.tasks[s.task].way, c)
}

// descend decides the box with the open items from first to last.
func (s *ranger) descend(first, last, depth int) Verdict {
	w := s.front
	if w.budget <= 0 {
		return Undecided
	}
	s.center()
	base := len(w.items)
	if s.test(first, last) {
		return Collides
	}
	end := len(w.items)
	defer func() { w.items = w.items[:base] }()
	if end == base {
		return Free
	}
	k, most := -1, 0.0
	for i, turn := range s.turns {
		if d := turn * (s.upper[i] - s.lower[i]); d > most {
			k, most = i, d
		}
	}
	if k < 0 || depth == deepestRange {
		return Undecided
	}
	lower, upper := s.lower[k], s.upper[k]
	middle := float64(0.5*lower) + float64(0.5*upper)
	if !(middle > lower && middle < upper) {
		return Undecided
	}
	s.upper[k] = middle
	one := s.descend(base, end, depth+1)
	s.lower[k], s.upper[k] = middle, upper
	if one == Free {
		one = s.descend(base, end, depth+1)
	}
	s.lower[k] = lower
	return one
}

// deepestRange is how often ranges are halved at most.
const deepestRange = 200

// test adds to the list the items from first to last that smaller boxes may decide; it returns true
// for a certain contact at the middle.
func (s *ranger) test(first, last int) bool {
	w := s.front
	w.stack = append(w.stack[:0], w.items[first:last]...)
	t := &w.robot.tasks[s.task]
	reach, slack, state := &w.lim.reach[t.way], &w.lim.slack[t.way], w.kin.get(t.way)
	separation := w.widest(t)
	for len(w.stack) > 0 {
		it := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		b := &w.robot.movers[t.mover].balls[it.ball]
		n := &w.robot.targets[t.target].nodes[it.node]
		moves := float64((reach.c1 + float64(reach.w*b.far)) * up)
		m := moving{x: state.place(b.c)}
		m.need = (b.r + slack.pose(b.far) + moves + separation) * (1 + 64*unit)
		w.counts.Tests++
		if apart, _ := m.apart(n, int(it.slot), 0); apart {
			continue
		}
		child := n.child[it.slot]
		if child < 0 && n.half[it.slot] > aside*b.r && m.beside(w.robot.clusters[^child].slabs, 0) {
			continue
		}
		size := max(b.r, 0.125*w.robot.size)
		if child >= 0 {
			size = max(size, n.half[it.slot])
		}
		switch {
		case moves > 2*size:
			w.items = append(w.items, it)
		case b.left == 0 && child < 0:
			switch s.leaves(it, &m) {
			case touched:
				return true
			case open:
				w.items = append(w.items, it)
			}
		case child >= 0 && (b.left == 0 || n.half[it.slot] >= b.r):
			w.openBox(it, &m, child, t.mask, every)
		default:
			w.openBall(it, b, n, t, every)
		}
	}
	return false
}

// leaves tests two leaves: along one direction in the whole box, and for a contact at its middle.
func (s *ranger) leaves(it item, m *moving) answer {
	w := s.front
	t := &w.robot.tasks[it.task]
	n := &w.robot.targets[t.target].nodes[it.node]
	ca := &w.robot.clusters[w.robot.movers[t.mover].balls[it.ball].cluster]
	cb := &w.robot.clusters[^n.child[it.slot]]
	if !w.tests(t.mover, cb.body) {
		return cleared
	}
	w.counts.Leaves++
	reach := &w.lim.reach[t.way]
	p := newPair(w.kin.get(t.way), &w.lim.slack[t.way], ca, cb, 0, w.apart(t.mover, cb.body))
	need := p.need + float64((reach.c1+float64(reach.w*ca.far))*up)
	apart, _, gap := p.separate(n.outward(m.x, int(it.slot)), need, measureRounds)
	if apart {
		return cleared
	}
	var paths [smallPrimitives]path
	p.paths(w.robot.primitives, &paths, false)
	var found hit
	if !(gap > p.static) && w.touch(&p, &paths, &found) {
		return touched
	}
	now := cleared
	for i, at := range ca.primitives {
		pa := &w.robot.primitives[at]
		for _, other := range cb.primitives {
			pb := &w.robot.primitives[other]
			if paths[i].away(pb, pa.radius+pb.radius+need) {
				continue
			}
			c := nearest(pa, &paths[i].x, pb)
			list, count := c.directions(pa, &paths[i].x, pb)
			if !separates(list[:count], pa, &paths[i].x, pb, need) {
				now = open
			}
		}
	}
	return now
}

// separates reports whether two primitives are more than a length apart along one of the
// directions.
func separates(list []r3.Vec, pa *primitive, a *[3]r3.Vec, pb *primitive, need float64) bool {
	for _, n := range list {
		low := math.Inf(1)
		for k := range pa.n {
			low = min(low, geom.Dot(n, a[k]))
		}
		if low-pb.reaches(n)-pa.radius > need {
			return true
		}
	}
	return false
}

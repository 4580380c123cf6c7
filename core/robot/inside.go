package robot

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// seeker looks for bodies that are inside of others at one time.
type seeker struct {
	front *front
	late  bool // Whether it is after the start of an edge, where surfaces may be near.
}

// contained looks for a body that is inside of another one at the start of the edge, where no two
// tested bodies are within the separation and a pose error.
//
// The margin of the search means that no surface passes a vertex between its true place and the
// computed one: both have the same winding numbers.
func (k seeker) contained(s float64, found *hit) bool {
	w := k.front
	w.at(s, s)
	for i := range w.robot.tasks {
		t := &w.robot.tasks[i]
		if k.sampleInside(t, found) || k.holdsSample(t, found) {
			found.task = int32(i)
			return true
		}
	}
	return false
}

// sampleInside looks for a sample of a task's mover in a closed shape of its target.
func (k seeker) sampleInside(t *task, found *hit) bool {
	w := k.front
	so, mv := &w.robot.solids, &w.robot.movers[t.mover]
	if len(so.shapes[t.target]) == 0 {
		return false
	}
	s := w.kin.get(t.way)
	for _, y := range so.samples[mv.body] {
		x := s.place(y)
		inside := k.visit(so.boxes[t.target], t.mask, &moving{x: x}, func(leaf int32) bool {
			of := so.which[t.target][leaf]
			return w.tests(t.mover, of.body) && k.holds(&so.closed[of.body][of.shape], x, t) &&
				k.note(found, mv.body, of.body, x)
		})
		if inside {
			return true
		}
	}
	return false
}

// holdsSample looks for a sample of a task's target in a closed shape of its mover.
func (k seeker) holdsSample(t *task, found *hit) bool {
	w := k.front
	so, mv := &w.robot.solids, &w.robot.movers[t.mover]
	if len(so.alone[t.target]) == 0 {
		return false
	}
	s := w.kin.get(t.way)
	for n := range so.closed[mv.body] {
		one := &so.closed[mv.body][n]
		m := place(s, &w.lim.slack[t.way], &one.ball, 0, 0)
		inside := k.visit(so.points[t.target], t.mask, &m, func(leaf int32) bool {
			c := &so.alone[t.target][leaf]
			if !w.tests(t.mover, c.body) {
				return false
			}
			// The point in the mover's coordinates: rotations are inverted by transposing.
			y := s.r.ApplyTransposed(r3.Sub(c.x[0], s.t))
			return k.holds(one, y, t) && k.note(found, c.body, mv.body, c.x[0])
		})
		if inside {
			return true
		}
	}
	return false
}

// note keeps a contact of a body inside of another.
func (k seeker) note(found *hit, a, b int32, at r3.Vec) bool {
	*found = hit{s: k.front.m, pa: a, pb: b, how: Inside, point: at}
	return true
}

// visit calls a function for each leaf whose box may meet a ball, until it returns true.
func (k seeker) visit(nodes []node, mask uint64, m *moving, leaf func(int32) bool) bool {
	w := k.front
	w.stack = append(w.stack[:0], item{node: 0, slot: 0})
	for len(w.stack) > 0 {
		it := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		child := nodes[it.node].child[it.slot]
		if nodes[it.node].mask[it.slot]&mask == 0 {
			continue
		}
		if apart, _ := m.apart(&nodes[it.node], int(it.slot), 0); apart {
			continue
		}
		if child < 0 {
			if leaf(^child) {
				return true
			}
			continue
		}
		for i := range int32(8) {
			w.stack = append(w.stack, item{node: child, slot: i})
		}
	}
	return false
}

// holds reports whether a point is certainly inside of a closed shape. At the start of an edge
// nothing is within a pose error; later the point must be farther than that from all triangles.
func (k seeker) holds(s *solid, x r3.Vec, t *task) bool {
	return s.holds(x) && (!k.late || s.clears(x, k.off(s, x, t)))
}

// off bounds how far a computed sample may be from its true place in the coordinates of a shape: by
// errors of the pose on either way, those of bodies at rest, and roundings.
func (k seeker) off(s *solid, x r3.Vec, t *task) float64 {
	w := k.front
	b := &w.robot.movers[t.mover].balls[0]
	off := float64(4*w.lim.slack[t.way].pose(b.far+b.r)) +
		float64(0x1p-40*(geom.MaxAbs(x)+s.ball.far+s.ball.r))
	for _, one := range w.robot.off {
		off = max(off, 4*one)
	}
	return 2 * off
}

// clears reports whether a point is farther than a length from all triangles of a shape.
func (s *solid) clears(x r3.Vec, length float64) bool {
	for _, f := range s.faces {
		t := [3]r3.Vec{s.x[f[0]], s.x[f[1]], s.x[f[2]]}
		p, q := primitive{n: 1, x: [3]r3.Vec{x, x, x}}, primitive{n: 3, x: t}
		if c := nearest(&p, &p.x, &q); math.Sqrt(c.square) <= length {
			return false
		}
	}
	return true
}

// enters looks for a point without a radius, of the items from first to last, that is inside of a
// closed shape after the time s, at which it was given up: it passes through no triangle for
// certain at any single time.
func (k seeker) enters(s, to float64, first, last int, found *hit) bool {
	for _, it := range k.front.items[first:last] {
		if !k.front.hasPoint(it) {
			continue
		}
		before := s
		for d := 0x1p-24; before < to; d *= 2 {
			at := min(to, s+d)
			if k.insideAt(at, it.task, found) {
				k.moveBack(before, it.task, found)
				return true
			}
			before = at
		}
	}
	return false
}

// hasPoint reports whether a pair of leaves has a point without a radius.
func (w *front) hasPoint(it item) bool {
	t := &w.robot.tasks[it.task]
	b, leaf := &w.robot.movers[t.mover].balls[it.ball], w.robot.targets[t.target].nodes[it.node].child[it.slot]
	if b.left != 0 || leaf >= 0 { // It was given up before leaves were met.
		return false
	}
	for _, c := range [2]int32{b.cluster, ^leaf} {
		for _, i := range w.robot.clusters[c].primitives {
			if p := &w.robot.primitives[i]; p.n == 1 && p.radius == 0 {
				return true
			}
		}
	}
	return false
}

// insideAt looks for a sample of one body of a task that is certainly inside of another one.
func (k seeker) insideAt(s float64, task int32, found *hit) bool {
	w := k.front
	w.at(s, s)
	t := &w.robot.tasks[task]
	held := k.sampleInside(t, found) || k.holdsSample(t, found)
	found.task = task
	return held
}

// moveBack keeps an early time at which a body of a task is inside of another one.
func (k seeker) moveBack(before float64, task int32, found *hit) {
	for range 30 {
		middle := before + float64(0.5*(found.s-before))
		if !(middle > before && middle < found.s) {
			break
		}
		var sooner hit
		if k.insideAt(middle, task, &sooner) {
			*found = sooner
		} else {
			before = middle
		}
	}
}

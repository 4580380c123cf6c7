package robot

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// holds reports whether a point is certainly inside of a closed shape. At the start of an edge
// nothing is within a pose error; later the point must be farther than that from all triangles.
func (w *front) holds(s *solid, x r3.Vec, t *task) bool {
	return s.holds(x) && (!w.late || s.clears(x, w.off(s, x, t)))
}

// off bounds how far a computed sample may be from its true place in the coordinates of a shape: by
// errors of the pose on either way, those of bodies at rest, and roundings.
func (w *front) off(s *solid, x r3.Vec, t *task) float64 {
	b := &w.robot.movers[t.mover].balls[0]
	off := 4*w.lim.slack[t.way].pose(b.far+b.r) + float64(0x1p-40*(geom.MaxAbs(x)+s.ball.far+s.ball.r))
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

// lookInside looks for a point without a radius that is inside of a closed shape after the time s,
// at which it was given up: it passes through no triangle for certain at any single time.
func (w *Worker) lookInside(s float64, first, last int) {
	for _, it := range w.f.items[first:last] {
		if !w.f.hasPoint(it) {
			continue
		}
		before := s
		for d := float64(0x1p-24 * (w.to - w.from)); before < w.to && d > 0; d *= 2 {
			at := min(w.to, s+d)
			var found hit
			if w.f.insideAt(at, it.task, &found) {
				w.enteredAfter(before, it.task, &found)
				return
			}
			before = at
		}
	}
}

// hasPoint reports whether a pair of leaves has a point without a radius.
func (w *front) hasPoint(it item) bool {
	t := &w.robot.tasks[it.task]
	leaf := w.robot.targets[t.target].nodes[it.node].child[it.slot]
	for _, c := range [2]int32{w.robot.movers[t.mover].balls[it.ball].cluster, ^leaf} {
		for _, i := range w.robot.clusters[c].primitives {
			if p := &w.robot.primitives[i]; p.n == 1 && p.radius == 0 {
				return true
			}
		}
	}
	return false
}

// insideAt looks for a sample of one body of a task that is certainly inside of another one.
func (w *front) insideAt(s float64, task int32, found *hit) bool {
	w.at(s, s)
	w.late = true
	t := &w.robot.tasks[task]
	held := w.sampleInside(t, found) || w.holdsSample(t, found)
	w.late = false
	found.task = task
	return held
}

// enteredAfter keeps an early time at which a body of a task is inside of another one.
func (w *Worker) enteredAfter(before float64, task int32, found *hit) {
	for range 30 {
		middle := before + float64(0.5*(found.s-before))
		if !(middle > before && middle < found.s) {
			break
		}
		var sooner hit
		if w.f.insideAt(middle, task, &sooner) {
			*found = sooner
		} else {
			before = middle
		}
	}
	w.best = *found
}

package robot

import (
	"math"

	"ccd/core/status"
)

// setEdge sets the ends of an edge on which all variables change linearly, and bounds the speed of
// all points relative to what they are tested against.
func (w *front) setEdge(q0, q1 []float64) (speed float64, err error) {
	n := w.robot.model.Variables
	if len(q0) != n || len(q1) != n {
		return 0, status.Errorf(status.ErrArgument, "q0 and q1 have %d and %d values: must have %d", len(q0), len(q1),
			n)
	}
	for i, q := range [2][]float64{q0, q1} {
		for k, v := range q {
			if !(math.Abs(v) <= MaxMagnitude) {
				return 0, status.Errorf(errSize, "q%d[%d] is %g", i, k, v)
			}
		}
	}
	w.control = append(append(w.control[:0], q0...), q1...)
	return w.begin(w.control, 1)
}

// setCurve does that for the control values of an edge.
func (w *front) setCurve(control []float64, degree int) (speed float64, err error) {
	n := w.robot.model.Variables
	if degree < 0 || degree > HighestDegree {
		return 0, status.Errorf(status.ErrArgument, "degree is %d: must be in [0, %d]", degree, HighestDegree)
	}
	if len(control) != n*(degree+1) {
		return 0, status.Errorf(status.ErrArgument, "control has %d values: the degree %d has %d rows of %d variables",
			len(control), degree, degree+1, n)
	}
	for i, v := range control {
		if !(math.Abs(v) <= MaxMagnitude) {
			return 0, status.Errorf(errSize, "control[%d][%d] is %g", i/n, i%n, v)
		}
	}
	return w.begin(control, degree)
}

// begin sets the curve of the variables and computes the bounds of all ways that tasks need.
func (w *front) begin(control []float64, degree int) (speed float64, err error) {
	c := &w.kin.curve
	c.set(control, degree)
	w.kin.now++
	w.lim.now++
	for i := range w.robot.ways.joints {
		j := &w.robot.ways.joints[i]
		if j.Kind == Fixed {
			continue
		}
		value := float64(math.Abs(j.Factor)*c.size[0][j.Variable]) + math.Abs(j.Offset)
		limit := MaxMagnitude
		if j.Kind == Revolute {
			limit = maxAngle
		}
		if !(value <= limit) {
			return 0, status.Errorf(status.ErrArgument, "joints[%d] gets to %g: must be at most %g", i, value, limit)
		}
	}
	for i := range w.robot.tasks {
		t := &w.robot.tasks[i]
		w.lim.get(t.way, c)
		b := &w.robot.movers[t.mover].balls[0]
		reach := &w.lim.reach[t.way]
		if !(reach.c1+reach.t+reach.jt+b.far <= MaxMagnitude) {
			return 0, status.Errorf(status.ErrArgument, "bodies[%d] reaches or moves farther than 1e60",
				w.robot.movers[t.mover].body)
		}
		speed = max(speed, reach.c1+float64(reach.w*(b.far+b.r)))
	}
	return speed, nil
}

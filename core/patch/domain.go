package patch

import "math"

// This file describes the domain of a shape by constraints c + g.(u, v) >= 0. A set of constraints
// is a bit mask. A place at which some hold with equality can move along the directions that they
// leave free.
var constraints = [...][][3]float64{
	Curve:    {{0, 1, 0}, {1, -1, 0}},
	Triangle: {{0, 1, 0}, {0, 0, 1}, {1, -1, -1}},
	Quad:     {{0, 1, 0}, {1, -1, 0}, {0, 0, 1}, {1, 0, -1}},
}

// freedom lists the directions in which the parameters of a form may move while the constraints of
// the mask hold.
func freedom(f Form, active uint8) (d [2][2]float64, n int) {
	var along [3]float64
	bound := 0
	for i, c := range constraints[f.Shape] {
		if active>>i&1 != 0 {
			along = c
			bound++
		}
	}
	switch {
	case f.U == 0:
		return d, 0
	case f.Shape == Curve:
		d[0] = [2]float64{1, 0}
		return d, max(1-bound, 0)
	case bound == 0:
		return [2][2]float64{{1, 0}, {0, 1}}, 2
	case bound == 1:
		d[0] = [2]float64{-along[2], along[1]}
		return d, 1
	}
	return d, 0
}

// nearEdge is how near to an edge of the domain Newton's method takes a place to be on it.
const nearEdge = 0x1p-43

// activeAt returns the constraints that hold with equality at a place.
func activeAt(f Form, u, v float64) (active uint8) {
	for i, c := range constraints[f.Shape] {
		if c[0]+float64(c[1]*u)+float64(c[2]*v) < nearEdge {
			active |= 1 << i
		}
	}
	return active
}

// stepWithin returns how much of the step (du, dv) from (u, v) stays in the domain, at most limit,
// and the constraint that is met.
func stepWithin(f Form, active uint8, u, v, du, dv, limit float64) (part float64, met int) {
	part, met = limit, -1
	for i, c := range constraints[f.Shape] {
		if active>>i&1 != 0 {
			continue
		}
		slack := c[0] + float64(c[1]*u) + float64(c[2]*v)
		rate := float64(c[1]*du) + float64(c[2]*dv)
		if rate < 0 && slack+float64(part*rate) < 0 {
			part, met = max(-slack/rate, 0), i
		}
	}
	return part, met
}

// settle moves parameters that are outside by rounding, or nearly on an edge, onto it.
func settle(f Form, u, v float64) (float64, float64) {
	snap := func(x float64) float64 {
		switch {
		case !(x > nearEdge):
			return 0
		case x > 1-nearEdge:
			return 1
		}
		return x
	}
	u, v = snap(u), snap(v)
	if f.Shape == Curve {
		v = 0
	}
	if f.Shape == Triangle && math.Abs(u+v-1) < nearEdge || f.Shape == Triangle && u+v > 1 {
		v = min(max(0.5*(1+v-u), 0), 1)
		if u = 1 - v; u > 0.5 {
			v = 1 - u // Both 1 - u and 1 - v are exact here, so u + v is 1.
		}
	}
	return u, v
}

// middle returns the center of a node's domain.
func middle(f Form, nd *node) (u, v float64) {
	d := &nd.domain
	switch f.Shape {
	case Curve:
		if f.U == 0 {
			return 0, 0
		}
		return 0.5 * (d[0][0] + d[1][0]), 0
	case Triangle:
		return (d[0][0] + d[1][0] + d[2][0]) / 3, (d[0][1] + d[1][1] + d[2][1]) / 3
	}
	return 0.5 * (d[1][0] + d[2][0]), 0.5 * (d[1][1] + d[2][1])
}

package boxed

import "gonum.org/v1/gonum/spatial/r3"

// period finds when two subpatches may meet within a window of time: the intersection period of
// [Chen2024], algorithm 3.
//
// On every axis the gap between the lower boundary of one hull and the upper boundary of the other,
// less the separation, is concave in time, so it is positive during one interval, and then the
// hulls keep apart. What no such interval covers is left; it is reported by its first and last
// time. The paper widens the window by 1e-6 and shifts lines by a millionth to be safe from
// rounding; here an interval counts only if the gap, evaluated over all control points at both its
// ends, exceeds the bound on its error. Being concave it is positive between them. So the cut is
// proven, however its ends were found.
type period struct {
	axes         []r3.Vec
	cuts         []interval // proven free of contacts, at neither end of the window
	lo, hi       float64    // what is left of the window
	order        [2][maxPoints]int32
	sorted       [2][]int32
	upper, lower envelope
}

type interval struct{ from, to float64 }

// find shrinks [t0, t1] to the period in which the hulls of c may come within the separation; false
// if there is none.
func (d *period) find(c *pair, t0, t1 *float64) bool {
	bound := c.gapError
	d.lo, d.hi, d.cuts = *t0, *t1, d.cuts[:0]
	for _, n := range d.axes {
		c.project(n)
		d.sorted = [2][]int32{}
		reach := c.query.Reach(n)
		if d.cut(c, 0, reach, bound) || d.cut(c, 1, reach, bound) {
			return false
		}
	}
	for again := true; again; { // cuts may join
		again = false
		for _, x := range d.cuts {
			if x.from <= d.lo && x.to > d.lo {
				d.lo, again = x.to, true
			}
			if x.to >= d.hi && x.from < d.hi {
				d.hi, again = x.from, true
			}
		}
	}
	*t0, *t1 = d.lo, d.hi
	return d.lo < d.hi || len(d.cuts) == 0
}

// cut takes the interval in which, on the axis projected last, one hull is above the other: b above
// a (side 0), or a above b (1). It returns true if nothing is left of the window.
func (d *period) cut(c *pair, below int, reach, bound float64) bool {
	lower, upper := &c.sides[0], &c.sides[1]
	if below == 1 {
		lower, upper = upper, lower
	}
	gap := func(t float64) (g, rate float64) {
		h, i := lower.highest(t)
		l, j := upper.lowest(t)
		return l - h - reach, upper.vel[j] - lower.vel[i]
	}
	g0, r0 := gap(d.lo)
	g1, r1 := gap(d.hi)
	if g0 > bound && g1 > bound {
		return true
	}
	aim := 2 * bound
	if g0 <= aim && g1 <= aim { // a concave function lies below its tangents: do they meet above?
		if !(r0 > 0 && r1 < 0) {
			return false
		}
		if x := (g1 - g0 - float64(r1*(d.hi-d.lo))) / (r0 - r1); g0+float64(r0*x) <= aim {
			return false
		}
	}
	for k := range d.sorted {
		if d.sorted[k] == nil {
			d.sorted[k] = bySlope(&c.sides[k], &d.order[k])
		}
	}
	d.upper.build(lower, d.sorted[below], 1, d.lo, d.hi)
	d.lower.build(upper, d.sorted[1-below], -1, d.lo, d.hi)
	from, to, ok := gapInterval(&d.upper, &d.lower, d.lo, d.hi, reach+aim)
	if !ok || !(from < to) {
		return false
	}
	if g, _ := gap(from); !(g > bound) {
		return false
	}
	if g, _ := gap(to); !(g > bound) {
		return false
	}
	switch {
	case from <= d.lo:
		d.lo = to
	case to >= d.hi:
		d.hi = from
	default:
		d.cuts = append(d.cuts, interval{from, to})
	}
	return d.lo >= d.hi
}

// swept is the test of the traditional method ([Chen2024], algorithm 1): the boxes of the volumes
// swept over [t0, t1] are apart on one of the axes. A line's extremes over a window lie at its
// ends, so the bound on a gap serves here too.
func (d *period) swept(c *pair, t0, t1 float64) (apart bool) {
	bound := c.gapError
	for _, n := range d.axes {
		c.project(n)
		reach := c.query.Reach(n)
		for k := range c.sides {
			h0, _ := c.sides[k].highest(t0)
			h1, _ := c.sides[k].highest(t1)
			l0, _ := c.sides[1-k].lowest(t0)
			l1, _ := c.sides[1-k].lowest(t1)
			if min(l0, l1)-max(h0, h1)-reach > bound {
				return true
			}
		}
	}
	return false
}

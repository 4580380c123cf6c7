package patch

// Where the proof for two whole sheets fails, because they turn by a half circle and more or are no
// graph over the direction in which they come, it is tried for parts of them. A cell of quads is a
// part a of the host and a part b of the guest, phi(b) about where the guest's lies on the host.
// With R a range of the host's parameters that holds both a and phi(b), x - phi(y) leads from
// phi(y) to x within R, so
//
//	F(x,y,t) = (H(x,t) - H(phi(y),t)) + C(y,t)
//
// is as before, with the differences of H's control points over R, and of signs of x - phi(y) only
// those that occur. Polynomial patches only.

// rangeMargin, in parameters, is more than rounding moves the ends of ranges by: they are below 1,
// and doubles.
const rangeMargin = 0x1p-45

// maxFailures is about how many parts in a row the proof may fail for.
const maxFailures = 64

// apartInParts moves a cell's time on by that proof. False if the cell is proven to its end.
func (s *sheetProof) apartInParts(c *cell) bool {
	o := &s.over
	h, g := &s.trees[o.host], &s.trees[1-o.host]
	ids := [2]int32{c.a, c.b}
	a, b := &h.nodes[ids[o.host]], &g.nodes[ids[1-o.host]]
	on := [2]interval{{a.domain[0][0], a.domain[1][0]}, {a.domain[0][1], a.domain[2][1]}}
	from := [2]interval{{b.domain[0][0], b.domain[1][0]}, {b.domain[0][1], b.domain[2][1]}}
	var at, all [2]interval // phi(b), R
	var signs [2][2]bool    // along u and v: whether x - phi(y) may be positive, or negative
	for e := range 2 {
		x, r := from[e^o.turn>>2&1], o.ranges[e]
		if o.turn>>e&1 != 0 {
			x = interval{1 - x.hi, 1 - x.lo}
		}
		at[e] = interval{max(r.lo+float64(x.lo*(r.hi-r.lo)), 0), min(r.lo+float64(x.hi*(r.hi-r.lo)), 1)}
		gap := max(on[e].lo-at[e].hi, at[e].lo-on[e].hi)
		if !(at[e].hi-at[e].lo > 0x1p-20) || gap > 0.25*(at[e].hi-at[e].lo) {
			return true // their distance separates them, or they are too small
		}
		all[e] = interval{max(min(on[e].lo, at[e].lo)-rangeMargin, 0), min(max(on[e].hi, at[e].hi)+rangeMargin, 1)}
		signs[e] = [2]bool{on[e].hi > at[e].lo-rangeMargin, on[e].lo < at[e].hi+rangeMargin}
	}
	if o.tried++; o.tried > maxFailures+8*o.gained {
		o.parts = false
		return true
	}
	lost := s.overlayPart(h, g, ids[1-o.host], &at, &all)
	first, every := c.t1, true
	for k := range 4 {
		if !signs[0][k&1] || !signs[1][k>>1] {
			continue
		}
		t := c.t0
		s.cone.clear(0)
		s.cone.addAlong(o.steps, h.form, 0, k&1 != 0, lost)
		s.cone.addAlong(o.steps, h.form, 1, k>>1 != 0, lost)
		s.cone.addOverlay(o)
		if !s.cone.advance(&s.check, &t, first) {
			first, every = t, false
		}
		if !every && !(first > c.t0) {
			return true
		}
	}
	o.gained++
	c.t0 = first
	return !every
}

// overlayPart makes the overlay of a part of the guest, and the host's net over R. It returns how
// far a difference of two points of the latter may be off.
func (s *sheetProof) overlayPart(h, g *tree, id int32, at, all *[2]interval) (lost float64) {
	o := &s.over
	o.load(0, h, 0)
	o.shrink(h.form, all[0], all[1])
	o.steps = append(o.steps[:0], o.nets[0]...)
	o.load(0, h, 0)
	o.shrink(h.form, at[0], at[1])
	o.load(1, g, id)
	levels := [2]int{1 + 2*(h.form.U+h.form.V), 1}
	off := h.nodes[0].err + float64(float64(levels[0])*levelError*h.mag)
	forms := [2]Form{h.form, s.turnGuest(g.form)}
	o.level(&forms, &levels)
	o.off = h.nodes[0].err + g.nodes[id].err + float64(float64(levels[0])*levelError*h.mag) +
		float64(float64(levels[1])*levelError*g.mag)
	return 2 * off
}

// addAlong adds the differences of a quad's net along u or v, or their opposites, whose terms are
// off by lost together.
func (c *cone) addAlong(net []homogeneousPoint, f Form, v int, opposite bool, lost float64) {
	step := 1
	if v == 0 {
		step = f.V + 1
	}
	n := f.U * (f.V + 1)
	if v == 1 {
		n = f.V * (f.U + 1)
	}
	sign := 1.0
	if opposite {
		sign = -1
	}
	c.addSet(n, lost, func(i, k int) float64 {
		if v == 1 {
			i += i / f.V
		}
		return sign * (net[i+step][k] - net[i][k])
	})
}

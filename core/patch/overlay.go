package patch

import "math"

// overlay describes two patches that may be parts of one surface over one net: the second, the
// guest, by its own control points, and the first, the host, restricted to the guest's place on it,
// both raised to common degrees.
//
// Let phi be an affine map from the guest's domain into the host's that keeps rows and columns
// apart (of triangles any). Then H(phi(y)) has a net of the guest's shape, and with H the host, G
// the guest
//
//	F(x,y,t) = H(x,t) - G(y,t) = (H(x,t) - H(phi(y),t)) + C(y,t)
//	C(y,t)   = H(phi(y),t) - G(y,t) = sum_i R_i(y) c_i(t)
//
// which is the sum that sheetProof proves to differ from zero: x and phi(y) are two places of the
// host. All this holds for any phi; a good one makes the c_i small. It is found from where the
// guest's corners come to lie on the host.
//
// Weights. The R_i are those of the host's weights. The guest's, w_i, are k (1 + e_i) times as
// large with |e_i| <= e, k any number. A mean with weights p_i (1 + e_i) / (1 + sum p_i e_i) in
// place of p_i differs by sum p_i (e_i - sum p_j e_j) (Q_i - mean) / (1 + ...), that is by less
// than 2 e / (1 - e) times the extent of the points: this the c_i are off by, in place of the
// guest's weights being the host's.
type overlay struct {
	nets         [2][]homogeneousPoint // host's and guest's
	next         []homogeneousPoint    // the next net of one of them while its degree is raised or it is cut
	form         Form                  // the form that both nets have
	off          float64               // how far a coordinate of a difference of theirs may be off, at any time
	guestCorners [2][4][2]float64      // where the guest's corners lie on each host
	found        [2]bool               // whether they lie there

	// The following fields are for quads whose whole patches the proof leaves open: see
	// sheet_parts.go.
	parts  bool        // whether the proof is tried for parts of the patches
	host   int         // the number of the patch that is the host
	ranges [2]interval // the ranges of the host's parameters that the guest covers
	turn   int         // how the guest's parameters are turned: see turned
	steps  []homogeneousPoint
	tried  int // the number of parts tried
	gained int // parts among tried on which the proof did move on
}

// homogeneousPoint is a position and a displacement, times a weight, and the weight.
type homogeneousPoint [7]float64

// at returns component k of the position and the displacement.
func (p *homogeneousPoint) at(k int) float64 { return p[k] / p[6] }

// levelError bounds what a level of shrink, within and raise loses of a coordinate, in units of the
// magnitude of positions and displacements together. A homogeneous coordinate and a weight round by
// at most 6U of the largest, W M and W, the errors before mix, and so the point is off by 12U M
// times the quotient q of the largest weight and the least. One level more pays for the first
// product and the last quotient.
const levelError = 12 * 0x1p-53 * (1 + 0x1p-20)

// maxWeightDifference is the greatest relative difference of weights for which the proof is tried:
// with a greater one nothing would be proven.
const maxWeightDifference = 0x1p-20

// overlayOn makes the overlay of the guest on patch number host, as they are at time t, and returns
// false if the guest does not seem to lie on the host. snapped moves corners to simple fractions
// that are near, for a second try: the corners of patches that rest near each other err by their
// distance.
func (s *sheetProof) overlayOn(host int, t float64, snapped bool) bool {
	h, g := &s.trees[host], &s.trees[1-host]
	if h.form.Shape != g.form.Shape || h.form.Shape == Curve || h.rational != g.rational {
		return false
	}
	o := &s.over
	if !snapped {
		o.found[host] = true
		for k := range g.form.cornerCount() {
			p, v := g.control(int(g.corners[k]))
			if o.guestCorners[host][k], o.found[host] = s.closestOn(host, p, v, t); !o.found[host] {
				return false
			}
		}
	}
	at := o.guestCorners[host]
	if snapped && !(o.found[host] && snap(&at)) {
		return false
	}
	o.load(0, h, 0)
	o.load(1, g, 0)
	forms, levels := [2]Form{h.form, g.form}, [2]int{1, 1}
	if h.form.Shape == Triangle {
		if !inTriangle(&at) {
			return false
		}
		o.within(h.form, &at)
		levels[0] += h.form.U
	} else {
		u, v, k, ok := rectangle(&at)
		if !ok {
			return false
		}
		o.host, o.ranges, o.turn = host, [2]interval{u, v}, k
		o.shrink(h.form, u, v)
		levels[0] += 2 * (h.form.U + h.form.V)
		forms[1] = s.turnGuest(g.form)
	}
	o.level(&forms, &levels)
	o.off = 0
	for i, r := range [2]*tree{h, g} {
		o.off += r.nodes[0].err + float64(float64(levels[i])*levelError*r.mag*r.weightRatio())
	}
	return o.weigh(h, g, levels[0]+levels[1])
}

// level raises both nets to common degrees and counts the levels.
func (o *overlay) level(forms *[2]Form, levels *[2]int) {
	o.form = Form{forms[0].Shape, max(forms[0].U, forms[1].U), max(forms[0].V, forms[1].V)}
	for i := range forms {
		for ; forms[i] != o.form; levels[i]++ {
			o.raise(i, &forms[i])
		}
	}
}

// turnGuest puts the guest's net, a quad's, in the order of the host's parameters, and returns its
// form.
func (s *sheetProof) turnGuest(g Form) Form {
	o, f := &s.over, g
	if o.turn&4 != 0 {
		f.U, f.V = g.V, g.U
	}
	s.turns[0] = turned(f, g, o.turn, s.turns[0][:0])
	o.next = append(o.next[:0], o.nets[1]...)
	for i, j := range s.turns[0] {
		o.nets[1][i] = o.next[j]
	}
	return f
}

// snap moves parameters that are near to multiples of 1/64 there, and reports whether there are
// any.
func snap(at *[4][2]float64) (any bool) {
	for i := range at {
		for k, x := range at[i] {
			if r := float64(math.Round(float64(64*x)) * 0x1p-6); r != x && math.Abs(x-r) < 0x1p-10 {
				at[i][k], any = r, true
			}
		}
	}
	return any
}

// load copies a node's control points.
func (o *overlay) load(i int, t *tree, id int32) {
	o.nets[i] = o.nets[i][:0]
	for k := range t.n {
		p := homogeneousPoint{6: 1}
		if t.rational {
			p[6] = t.at(id, 6)[k]
		}
		for e := range 6 {
			p[e] = p[6] * t.at(id, e)[k]
		}
		o.nets[i] = append(o.nets[i], p)
	}
}

// weightRatio returns the quotient of the largest weight of the root and the least, and a little
// more for terms of second order.
func (t *tree) weightRatio() float64 {
	if !t.rational {
		return 1
	}
	lo, hi := math.Inf(1), 0.0
	for _, w := range t.at(0, 6)[:t.n] {
		lo, hi = min(lo, w), max(hi, w)
	}
	return hi / lo * (1 + 0x1p-20)
}

// weigh adds to off the error from weights that differ: between the nets as computed, by the
// rounding of the levels of both, 6U each of the largest weight, and by the error of the caller's
// weights. It returns false if the weights differ much.
func (o *overlay) weigh(h, g *tree, levels int) bool {
	if !h.rational {
		return true
	}
	e, k := 0.0, o.nets[1][0][6]/o.nets[0][0][6]
	for i := range o.nets[0] {
		e = max(e, math.Abs(o.nets[1][i][6]/(k*o.nets[0][i][6])-1))
	}
	e += float64(float64(levels) * levelError * max(h.weightRatio(), g.weightRatio()))
	e += 2*g.nodes[0].werr + 0x1p-50
	// The host's weights, off by its werr, are the same wherever it is evaluated but in the c_i,
	// which they move as the guest's do.
	e += 2 * h.nodes[0].werr
	o.off += float64(2 * e * (1 + 0x1p-10) * (g.extent(0) + h.extent(0)))
	return e < maxWeightDifference
}

// control returns a control point of the root and its displacement.
func (t *tree) control(i int) (p, v vec) {
	return vec{t.at(0, 0)[i], t.at(0, 1)[i], t.at(0, 2)[i]}, vec{t.at(0, 3)[i], t.at(0, 4)[i], t.at(0, 5)[i]}
}

// closestOn returns a guess of where the point p + t w lies on a surface, near time t: where the
// two touch, if they do so near the step, or else the foot of the point. It returns false if that
// is well beyond the patch. No proof uses it.
func (s *sheetProof) closestOn(i int, p, w vec, t float64) (x [2]float64, ok bool) {
	if !s.surf[i].loaded {
		s.surf[i].load(&s.trees[i])
	}
	far, q := math.Inf(1), p.along(t, w)
	nearer := func(at vec, u, v float64) {
		if d := at.sub(q); d.dot(d) < far {
			far, x = d.dot(d), [2]float64{u, v}
		}
	}
	if s.next <= 4*firstSheetProof {
		s.check.a.set(&s.trees[i], 0)
		for k, at := range s.trees[i].places {
			nearer(s.check.a.point(k, t), at[0], at[1])
		}
	} else { // A first try failed: control points may be far from the surface.
		const n = 8
		for k := range (n + 1) * (n + 1) {
			u, v := float64(float64(k/(n+1))*(1./n)), float64(float64(k%(n+1))*(1./n))
			if s.trees[i].form.Shape == Triangle {
				u = float64(u * (1 - v))
			}
			s.surf[i].eval(u, v, 0, &s.jet[i])
			nearer(s.jet[i].at(value, t), u, v)
		}
	}
	if !s.refine(i, p, w, t, false, &x) {
		return x, false
	}
	if y := x; s.refine(i, p, w, t, true, &y) {
		x = y
	}
	return x, true
}

// refine moves parameters of a surface by Newton's method to where it meets the point, in time too,
// or by Gauss and Newton's to where it is near.
func (s *sheetProof) refine(i int, p, w vec, t float64, meet bool, x *[2]float64) bool {
	f, j := &s.surf[i], &s.jet[i]
	for range 10 {
		s.Work.Evaluations++
		f.eval(x[0], x[1], 1, j)
		d := p.along(t, w).sub(j.at(value, t))
		u, v := j.at(byU, t), j.at(byV, t)
		var m system
		n := 2
		if meet {
			n = 3
			r := j.speed(value).sub(w)
			for k, of := range [3]func(vec) float64{vec.first, vec.second, vec.third} {
				m[k][0], m[k][1], m[k][2], m[k][3] = of(u), of(v), of(r), of(d)
			}
		} else {
			m[0] = [9]float64{u.dot(u), u.dot(v), u.dot(d)}
			m[1] = [9]float64{u.dot(v), v.dot(v), v.dot(d)}
		}
		if !m.solve(n, 0x1p-46) {
			return false
		}
		x[0], x[1] = x[0]+m[0][n], x[1]+m[1][n]
		if meet {
			t += m[2][3]
		}
		if !(math.Abs(x[0]-0.5) < 1 && math.Abs(x[1]-0.5) < 1 && math.Abs(t-0.5) < 2) {
			return false
		}
		if math.Abs(m[0][n])+math.Abs(m[1][n]) < 0x1p-40 {
			return true
		}
	}
	return false
}

// cornerMargin is how far, in parameters, corners of a guest may seem to lie beyond its host,
// because the guest comes at a slant or lies above a curved surface. The map is clipped at the
// domain's edge.
const cornerMargin = 1. / 64

// rectangle finds, from where the corners of a quad lie on another, the ranges of the other's
// parameters that it covers, and how its own are turned (see turned). False if there are no such
// ranges.
func rectangle(at *[4][2]float64) (u, v interval, k int, ok bool) {
	x := *at // The corners are in the order of the domain: origin, end of u, end of v, opposite.
	if math.Abs(x[1][0]-x[0][0]) < math.Abs(x[1][1]-x[0][1]) {
		k = 4
		x[1], x[2] = x[2], x[1]
	}
	u = interval{0.5 * (x[0][0] + x[2][0]), 0.5 * (x[1][0] + x[3][0])}
	v = interval{0.5 * (x[0][1] + x[1][1]), 0.5 * (x[2][1] + x[3][1])}
	for i := range x { // Every corner must be where the ranges put it.
		p := [2]float64{u.lo, v.lo}
		if i&1 != 0 {
			p[0] = u.hi
		}
		if i&2 != 0 {
			p[1] = v.hi
		}
		if !(math.Abs(p[0]-x[i][0]) < cornerMargin && math.Abs(p[1]-x[i][1]) < cornerMargin) {
			return u, v, k, false
		}
	}
	for i, r := range [2]*interval{&u, &v} {
		if r.lo > r.hi {
			r.lo, r.hi = r.hi, r.lo
			k |= 1 << i
		}
		if !(r.lo > -cornerMargin && r.hi < 1+cornerMargin && r.hi-r.lo > 0x1p-20) {
			return u, v, k, false
		}
		r.lo, r.hi = max(r.lo, 0), min(r.hi, 1)
	}
	return u, v, k, true
}

// shrink restricts a quad's net to ranges within [0, 1]. A step of the scheme of de Casteljau
// rounds a difference, its product with a number below 1, and a sum: 5U of the magnitude at most.
// There are two times the degree of them along either parameter. What range comes out in place of
// the one that was meant does not matter, so the quotient's rounding does not.
func (o *overlay) shrink(f Form, u, v interval) {
	c := o.nets[0]
	for j := range f.V + 1 {
		shrinkRow(c, j, f.V+1, f.U, u)
	}
	for i := range f.U + 1 {
		shrinkRow(c, i*(f.V+1), 1, f.V, v)
	}
}

func shrinkRow(c []homogeneousPoint, first, stride, degree int, r interval) {
	step := func(from, to *homogeneousPoint, by float64) homogeneousPoint {
		m := *from
		for k := range m {
			m[k] += float64(by * (to[k] - from[k]))
		}
		return m
	}
	if r.hi < 1 {
		for n := 1; n <= degree; n++ {
			for i := degree; i >= n; i-- {
				at := first + i*stride
				c[at] = step(&c[at-stride], &c[at], r.hi)
			}
		}
	}
	if part := min(r.lo/r.hi, 1); part > 0 {
		for n := 1; n <= degree; n++ {
			for i := range degree - n + 1 {
				at := first + i*stride
				c[at] = step(&c[at], &c[at+stride], part)
			}
		}
	}
}

// inTriangle moves the corners of a triangle that lie a little beyond another's domain into it: 1 -
// u - v as well is 0 or more. False if they lie farther away, or on a line.
func inTriangle(at *[4][2]float64) bool {
	f := Form{Triangle, 1, 1}
	for i := range 3 {
		p := &at[i]
		if !(p[0] > -cornerMargin && p[1] > -cornerMargin && remainder(p[0], p[1]) > -cornerMargin) {
			return false
		}
		p[0], p[1] = settle(f, min(max(p[0], 0), 1), min(max(p[1], 0), 1))
	}
	a, b, c := at[0], at[1], at[2]
	area := float64((b[0]-a[0])*(c[1]-a[1])) - float64((b[1]-a[1])*(c[0]-a[0]))
	return math.Abs(area) > 0x1p-40
}

// within restricts a triangle's net to the triangle of three places of its domain, by its polar
// form at these. The weights u, v and 1 - u - v of a step are not negative, so it mixes errors; it
// rounds two differences, two products and two sums, 6U of the magnitude.
func (o *overlay) within(f Form, at *[4][2]float64) {
	o.next = o.next[:0]
	var c [(MaxDegree + 1) * (MaxDegree + 2) / 2]homogeneousPoint
	for j := 0; j <= f.U; j++ {
		for i := 0; i+j <= f.U; i++ {
			copy(c[:], o.nets[0])
			for n := f.U; n > 0; n-- {
				p := &at[0] // The first place is taken n - i - j times, the second i times, the third j times.
				if n <= i {
					p = &at[1]
				} else if n <= i+j {
					p = &at[2]
				}
				from, to := Form{Triangle, n, n}, Form{Triangle, n - 1, n - 1}
				for y := range n {
					for x := range n - y {
						a, b, d := &c[from.Index(x, y)], &c[from.Index(x+1, y)], &c[from.Index(x, y+1)]
						var m homogeneousPoint
						for k := range m {
							m[k] = a[k] + float64(p[0]*(b[k]-a[k])) + float64(p[1]*(d[k]-a[k]))
						}
						c[to.Index(x, y)] = m // No later step reads this place of the net.
					}
				}
			}
			o.next = append(o.next, c[0])
		}
	}
	o.nets[0], o.next = o.next, o.nets[0]
}

// raise brings one of the nets, of form f, a degree nearer to the common form. A point is a mean of
// two, or of a triangle's three, with weights that are quotients: products and sums of at most
// three terms and a division round by 6U of the magnitude.
func (o *overlay) raise(i int, f *Form) {
	c, d := o.nets[i], o.next[:0]
	mix := func(weights, at [3]int) {
		var m homogeneousPoint
		n := 0
		for k, w := range weights {
			if w > 0 {
				n += w
				for e := range m {
					m[e] += float64(float64(w) * c[at[k]][e])
				}
			}
		}
		for e := range m {
			m[e] /= float64(n)
		}
		d = append(d, m)
	}
	g := *f
	switch {
	case f.Shape == Triangle:
		g.U, g.V = f.U+1, f.V+1
		for y := 0; y <= g.U; y++ {
			for x := 0; x+y <= g.U; x++ {
				mix([3]int{x, y, g.U - x - y}, [3]int{f.Index(x-1, y), f.Index(x, y-1), f.Index(x, y)})
			}
		}
	case f.U < o.form.U:
		g.U++
		for x := 0; x <= g.U; x++ {
			for y := 0; y <= g.V; y++ {
				mix([3]int{x, 0, g.U - x}, [3]int{f.Index(x-1, y), 0, f.Index(x, y)})
			}
		}
	default:
		g.V++
		for x := 0; x <= g.U; x++ {
			for y := 0; y <= g.V; y++ {
				mix([3]int{y, 0, g.V - y}, [3]int{f.Index(x, y-1), 0, f.Index(x, y)})
			}
		}
	}
	o.nets[i], o.next = d, c
	*f = g
}

package patch

import "math"

// cone proves that neighbors meet only where they always do: it holds vectors v that move linearly,
// and finds a time up to which there is at every time a direction n with n.v > d |n| for all of
// them. This is checker.advance between the origin and the hull of the vectors.
type cone struct {
	sets [6]differenceSet
	n    int
	d    float64 // the separation that the vectors must keep, or 0
	err  float64 // bounds the error of a coordinate of a vector at any time
	mag  float64
}

// differenceSet is some vectors of a cone: differences of the control points of one subpatch along
// one direction.
type differenceSet struct {
	movingPoints
	store []float64
	scale float64
}

// clear begins a cone.
func (c *cone) clear(separation float64) { c.n, c.d, c.err, c.mag = 0, separation, 0, 0 }

// addDifferences adds the differences along direction d of a node (^d: their opposites): of all
// rows but those of collapsed edges, or of one row if only is not negative. reach is the width of
// the neighbourhood, or 0 without a separation.
//
// A difference of control points is off by 2 err; its rounding, positions and displacements
// together, by U of its magnitude, and so is that of its scaling; weightError adds what weights do.
// All of it times the scale.
func (c *cone) addDifferences(t *tree, id int32, d, only int, reach float64) {
	if d == noDirection {
		return
	}
	sign := 1.0
	if d < 0 {
		d, sign = ^d, -1
	}
	skipped := func(r int) bool { return only >= 0 && r != only || only < 0 && t.collapsedRow(id, d, r) }
	n := 0
	for r, row := range t.rows[d] {
		if !skipped(r) {
			n += len(row) - 1
		}
	}
	if n == 0 {
		return
	}
	f := c.newSet(n)
	for k := range 6 {
		src, dst, at := t.at(id, k), f.x[k*f.pad:(k+1)*f.pad], 0
		for r, row := range t.rows[d] {
			if skipped(r) {
				continue
			}
			for i := 1; i < len(row); i++ {
				dst[at] = sign * (src[row[i]] - src[row[i-1]])
				at++
			}
		}
	}
	top := f.magnitude()
	lost := float64(2*t.nodes[id].err) + float64(0x1p-51*top)
	if t.rational && only < 0 {
		lost += t.weightError(id, d)
	}
	c.finish(f, t.scaleOf(id, d, top, reach), top, lost)
}

// newSet begins a set of n vectors.
func (c *cone) newSet(n int) *differenceSet {
	f := &c.sets[c.n]
	c.n++
	f.n, f.pad = n, (n+7)&^7
	if cap(f.store) < 6*f.pad {
		f.store = make([]float64, 6*maxPad)
	}
	f.x = f.store[:6*f.pad]
	return f
}

// magnitude bounds position and displacement together, in every coordinate of every vector.
func (f *differenceSet) magnitude() (top float64) {
	for i := range f.n {
		for k := range 3 {
			top = max(top, math.Abs(f.x[k*f.pad+i])+math.Abs(f.x[(3+k)*f.pad+i]))
		}
	}
	return top
}

// finish scales a set, whose vectors err by at most lost, and fills the padding with copies of the
// first vector.
func (c *cone) finish(f *differenceSet, scale, top, lost float64) {
	f.scale = scale
	for k := range 6 {
		x := f.x[k*f.pad : (k+1)*f.pad]
		for i := range f.n {
			x[i] *= scale
		}
		for i := f.n; i < f.pad; i++ {
			x[i] = x[0]
		}
	}
	c.err = max(c.err, float64(scale*lost*(1+0x1p-40))+0x1p-1050)
	c.mag = max(c.mag, float64(scale*top)*(1+0x1p-40))
}

// scaleOf returns the factor of the differences of a node along d. Without a separation
// only their directions matter: a power of two brings the largest, top, to about one. With one,
// they become what a step of h in the parameters makes at least: m h / l of the difference, m the
// degree and l the length of the domain along d (see the proof in docs/numerics.md), and less where
// weights differ.
func (t *tree) scaleOf(id int32, d int, top, h float64) float64 {
	if h == 0 {
		return toUnit(top)
	}
	nd := &t.nodes[id]
	m := float64(len(t.rows[d][0]) - 1)
	scale := m * h / t.edge(nd, d)
	if t.rational {
		lo, hi := math.Inf(1), 0.0
		for _, w := range t.at(id, 6)[:t.n] {
			lo, hi = min(lo, w), max(hi, w)
		}
		q := lo / hi * (1 - float64(4*nd.werr))
		scale *= float64(q * q)
	}
	return scale * (1 - 0x1p-40)
}

// toUnit returns the power of two that brings a magnitude to about one.
func toUnit(top float64) float64 {
	_, exp := math.Frexp(top)
	return math.Ldexp(1, min(max(-exp, -1000), 900))
}

// weightError bounds in a coordinate what weights that are no product of factors along u and along
// v add to the differences along d.
//
// Quads: where the other parameter stands still the point is a mean of R_k, k along d, and R_k one
// of the control points with that k, their weights proportional to w_kl B_l. R_k - R_(k-1) is a
// mean of the differences, and the change of the mean's weights times control points: at most their
// total variation times the extent. For weights p and p q, both normed, that is half the mean of |q
// / mean(q) - 1|, at most (max q / min q - 1) / 4. A curve has one row: no such change.
//
// Triangles: the derivative along d is a combination, with factors above zero, of a difference and
// (w_j/w_i - 1) (P_j - X), X in the hull.
func (t *tree) weightError(id int32, d int) float64 {
	w, nd := t.at(id, 6), &t.nodes[id]
	most := 0.0
	switch t.form.Shape {
	case Curve:
		return 0
	case Triangle:
		for _, row := range t.rows[d] {
			for i := 1; i < len(row); i++ {
				most = max(most, math.Abs(w[row[i]]/w[row[i-1]]-1))
			}
		}
	default:
		rows := t.rows[d]
		for i := 1; i < len(rows[0]); i++ {
			lo, hi := math.Inf(1), 0.0
			for _, row := range rows {
				q := w[row[i]] / w[row[i-1]]
				lo, hi = min(lo, q), max(hi, q)
			}
			most = max(most, float64(hi/lo*(1+0x1p-50)*(1+float64(8*nd.werr)))-1)
		}
		return (float64(0.25*most) + 0x1p-50) * t.extent(id) * (1 + 0x1p-20)
	}
	return (most + float64(8*nd.werr) + 0x1p-50) * t.extent(id) * (1 + 0x1p-20)
}

// collapsedRow reports whether a row of a node lies on a collapsed edge of its patch: then its
// points are one, and its differences zero.
func (t *tree) collapsedRow(id int32, d, row int) bool {
	nd := &t.nodes[id]
	for k := range t.collapsed {
		for _, b := range t.form.edges() {
			if b.dir != d || !(b.row == row || b.row < 0 && row == len(t.rows[d])-1) {
				continue
			}
			if l := &t.collapsed[k]; l.contains(nd.corner(b.ends[0])) && l.contains(nd.corner(b.ends[1])) {
				return true
			}
		}
	}
	return false
}

// bound returns the bound on the error of a gap: gapBound between the origin and the vectors.
func (c *cone) bound() float64 {
	return float64(sqrt3*(float64(12*0x1p-53*(c.mag+c.d))+c.err)) + 0x1p-1050
}

// reach returns the projection on n that the vectors must exceed.
func (c *cone) reach(k *checker, n vec) float64 {
	if c.d == 0 {
		return 0
	}
	return k.reach(n)
}

// minProjection is the least projection of the vectors of a cone on a direction, and the vector
// that has it.
type minProjection struct {
	at     float64 // the projection
	set, i int
}

// least projects all vectors on n.
func (c *cone) least(n vec, t0, t1 float64) (a, b minProjection) {
	a.at, b.at = math.Inf(1), math.Inf(1)
	for k := range c.n {
		h0, h1 := c.sets[k].project(n.times(-1), t0, t1)
		if -h0.at < a.at {
			a = minProjection{-h0.at, k, h0.i}
		}
		if -h1.at < b.at {
			b = minProjection{-h1.at, k, h1.i}
		}
	}
	return a, b
}

// leastAt returns least on the same direction at another time.
func (c *cone) leastAt(t float64) (a minProjection) {
	a.at = math.Inf(1)
	for k := range c.n {
		if h := c.sets[k].projectAt(t); -h.at < a.at {
			a = minProjection{-h.at, k, h.i}
		}
	}
	return a
}

// advance moves t0 to a time up to which directions prove the cone, and returns true if that is t1.
// A cone without vectors is proven. As in checker.advance, the gap of one direction at two times
// proves each step.
func (c *cone) advance(k *checker, t0 *float64, t1 float64) bool {
	if c.n == 0 {
		return true
	}
	bound := c.bound()
	var s simplex
	n := c.proposal(*t0)
	for range maxDirections {
		k.steps++
		reach := c.reach(k, n)
		a, b := c.least(n, *t0, t1)
		if a.at-reach > bound {
			end, all := c.closing(*t0, t1, reach, bound, b)
			if all {
				return true
			}
			if end > *t0 {
				*t0 = end
				c.move(k, &s, end)
			}
		}
		var q vec
		id := int32(a.set)<<8 | int32(a.i)
		if c.d > 0 {
			corner, which := k.corner(n)
			q, id = corner, id|which<<16
		}
		for i := range s.n {
			if s.id[i] == id {
				return false
			}
		}
		s.w[s.n], s.id[s.n] = q.sub(c.sets[a.set].point(a.i, *t0)), id
		s.n++
		v, inside := s.nearest()
		if inside {
			return false
		}
		var ok bool
		if n, ok = v.times(-1).unit(); !ok || v.dot(v) <= bound*bound {
			return false
		}
	}
	return false
}

// proposal returns a direction to begin with: the mean of the unit vectors along the means of the
// sets.
func (c *cone) proposal(t float64) vec {
	var sum vec
	for k := range c.n {
		f, mean := &c.sets[k], vec{}
		for i := range f.n {
			mean = mean.add(f.point(i, t))
		}
		if u, ok := mean.unit(); ok {
			sum = sum.add(u)
		}
	}
	if n, ok := sum.unit(); ok {
		return n
	}
	return vec{1, 0, 0}
}

// move brings the points of the simplex to time t.
func (c *cone) move(k *checker, s *simplex, t float64) {
	for i := range s.n {
		id := s.id[i]
		q := vec{}
		if c.d > 0 && !k.euclidean {
			q = k.cube(id >> 16)
		}
		s.w[i] = q.sub(c.sets[id>>8&255].point(int(id&255), t))
	}
}

// cube returns a corner of the cube of the separation by its number.
func (c *checker) cube(id int32) vec {
	sign := func(bit int32) float64 {
		if id&bit != 0 {
			return -c.separation
		}
		return c.separation
	}
	return vec{sign(1), sign(2), sign(4)}
}

// closing is patch.Gap.Close for a cone; b is the least at t1.
func (c *cone) closing(t0, t1, reach, bound float64, b minProjection) (end float64, all bool) {
	t := t1
	for range 16 {
		gap := b.at - reach
		if gap > bound {
			return t, t == t1
		}
		speed := -c.sets[b.set].projector.Vel[b.i] // projections are on -n
		if !(speed < 0) {
			return t0, false
		}
		t -= (gap - 2*bound) / speed
		if !(t > t0) {
			return t0, false
		}
		b = c.leastAt(t)
	}
	return t0, false
}

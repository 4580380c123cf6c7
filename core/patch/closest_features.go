package patch

// closestFeatures are the control points whose means are the nearest points of two hulls, as GJK
// found them: up to four pairs, one of each subpatch. Newton's method begins at the parameters that
// these means have.
type closestFeatures [4]struct{ a, b uint8 }

// noFeature marks the end of the list. No patch has so many control points.
const noFeature = 255

// closestFeatures returns the features of the simplex that are closest to the origin.
func (s *simplex) closestFeatures() (w closestFeatures) {
	for k := range w {
		w[k].a, w[k].b = noFeature, noFeature
		if k < s.n {
			w[k].a, w[k].b = uint8(s.id[k]), uint8(s.id[k]>>8)
		}
	}
	return w
}

// guess writes the parameters of the nearest points of a cell's hulls: it finds the weights by
// which their control points come nearest to each other at the cell's time, and takes the same
// means of the parameters of these control points.
func (q *query) guess(c *cell, p *place) {
	q.selectPair(c.a, c.b)
	var w [4]vec
	n := 0
	for n < len(w) && c.closest[n].a != noFeature {
		w[n] = q.check.a.point(int(c.closest[n].a), c.t0).sub(q.check.b.point(int(c.closest[n].b), c.t0))
		n++
	}
	if n == 0 {
		p.x = q.center(c)
		return
	}
	weights := nearestWeights(&w, n)
	var at [2][2]float64
	for k := range n {
		for i, id := range [2]uint8{c.closest[k].a, c.closest[k].b} {
			x := placeOf(q, i, [2]int32{c.a, c.b}[i], int(id))
			at[i][0] += float64(weights[k] * x[0])
			at[i][1] += float64(weights[k] * x[1])
		}
	}
	for i, id := range [2]int32{c.a, c.b} {
		d := &q.trees[i].nodes[id].domain
		for k := range 2 {
			p.x[2*i+k] = d[0][k] + float64(at[i][0]*(d[1][k]-d[0][k])) + float64(at[i][1]*(d[2][k]-d[0][k]))
		}
		p.x[2*i], p.x[2*i+1] = settle(q.surf[i].form, p.x[2*i], p.x[2*i+1])
	}
}

// nearestWeights returns the weights, of sum 1, of the mean of the points that is nearest to the
// origin, or is the origin if their hull holds it. Negative weights, which only rounding makes,
// count as zero.
func nearestWeights(w *[4]vec, n int) (weights [4]float64) {
	var m system // least squares in the differences from the first point
	for i := 1; i < n; i++ {
		a := w[i].sub(w[0])
		for j := 1; j < n; j++ {
			m[i-1][j-1] = a.dot(w[j].sub(w[0]))
		}
		m[i-1][i-1] *= 1 + 0x1p-40
		m[i-1][n-1] = -a.dot(w[0])
	}
	weights[0] = 1
	if n == 1 || !m.solve(n-1, 0) {
		return weights
	}
	sum := 0.0
	for i := 1; i < n; i++ {
		weights[i] = max(m[i-1][n-1], 0)
		weights[0] -= m[i-1][n-1]
	}
	weights[0] = max(weights[0], 0)
	for _, x := range weights {
		sum += x
	}
	if !(sum > 0.5) {
		return [4]float64{1}
	}
	for i := range weights {
		weights[i] /= sum
	}
	return weights
}

package patch

import "math"

// fitTerms are the terms of a fitted quadric, in the tangent frame of a subpatch:
//
//	z = w0 x + w1 y + w2 xx/2 + w3 xy + w4 yy/2 + w5 xz + w6 yz + w7 zz
//
// A plane, cylinder, cone, sphere or any other quadric whose tangent plane is not steep against the
// frame's is one of these, and is met to rounding.
const fitTerms = 8

// fitter fits quadrics to subpatches by least squares.
type fitter struct {
	points []vec
	column [fitTerms][]float64 // the terms at the samples, made orthonormal
	height []float64
}

// fit writes a quadric that is nearly constant on a subpatch at time t and moves with it. miss is
// by how much it is not at the samples, in parts of the size of the subpatch. It returns false if
// the subpatch has no tangent plane to speak of.
func (f *fitter) fit(q *quadric, m *products, t *tree, id int32, at float64) (size, miss float64, ok bool) {
	f.sample(t, id, at, m)
	origin := f.points[m.center]
	du := f.points[m.lines[0][1]].sub(f.points[m.lines[0][0]])
	dv := f.points[m.lines[1][1]].sub(f.points[m.lines[1][0]])
	h := max(du.length(), dv.length())
	normal, ok := du.cross(dv).unit()
	x, along := du.unit()
	if !ok || !along || !(h > 0x1p-200) {
		return 0, 0, false
	}
	y := normal.cross(x)
	w, ok := f.solve(m.center, [3]vec{x, y, normal}, 1/h)
	if !ok {
		return 0, 0, false
	}
	q.v = meanRate(t, id)
	q.c = origin.along(-at, q.v)
	q.n = normal.along(-w[0], x).along(-w[1], y)
	q.k = [6]float64{}
	half := 0.5 / h
	for _, term := range [6]struct {
		a, b vec
		by   float64
	}{{x, x, half * w[2]}, {x, y, half * w[3]}, {y, y, half * w[4]}, {x, normal, half * w[5]}, {y, normal, half * w[6]},
		{normal, normal, 2 * half * w[7]}} {
		q.addProduct(term.a, term.b, term.by)
	}
	for _, rest := range f.height {
		miss = max(miss, math.Abs(rest))
	}
	return h, miss, true
}

// about writes the same quadric, but for rounding, relative to another origin at the time zero, so
// that its values are small near it.
func (q *quadric) about(c vec) (at quadric) {
	d := c.sub(q.c)
	at = *q
	at.c, at.n = c, q.n.sub(q.times(d).times(2))
	return at
}

// addProduct adds by (ab' + ba') to K, or by aa' if a is b.
func (q *quadric) addProduct(a, b vec, by float64) {
	if a != b {
		by *= 2
	}
	one := func(k int, x, y, z, w float64) { q.k[k] += float64(by * 0.5 * (float64(x*w) + float64(z*y))) }
	one(0, a.X, b.X, a.X, b.X)
	one(1, a.Y, b.Y, a.Y, b.Y)
	one(2, a.Z, b.Z, a.Z, b.Z)
	one(3, a.X, b.X, a.Y, b.Y)
	one(4, a.X, b.X, a.Z, b.Z)
	one(5, a.Y, b.Y, a.Z, b.Z)
}

// sample evaluates a subpatch at the samples of its form.
func (f *fitter) sample(t *tree, id int32, at float64, m *products) {
	f.points = grown(f.points, len(m.samples))
	x, n := t.points[int(id)*t.stride:], t.pad
	for s, values := range m.samples {
		sum, all := vec{}, 0.0
		for i, b := range values {
			if t.rational {
				b *= x[6*n+i]
			}
			all += b
			sum.X += float64(b * (x[i] + float64(at*x[3*n+i])))
			sum.Y += float64(b * (x[n+i] + float64(at*x[4*n+i])))
			sum.Z += float64(b * (x[2*n+i] + float64(at*x[5*n+i])))
		}
		f.points[s] = sum.times(1 / all)
	}
}

// solve finds the least squares of the terms by the modified Gram-Schmidt process, done twice over
// where the first time cancels much.
// Columns that depend on earlier ones, but for rounding, are left out. Lengths are in units of
// 1/scale.
func (f *fitter) solve(center int, frame [3]vec, scale float64) (w [fitTerms]float64, ok bool) {
	n := len(f.points)
	for k := range f.column {
		f.column[k] = grown(f.column[k], n)
	}
	f.height = grown(f.height, n)
	for i, p := range f.points {
		d := p.sub(f.points[center]).times(scale)
		x, y, z := d.dot(frame[0]), d.dot(frame[1]), d.dot(frame[2])
		for k, term := range [fitTerms]float64{x, y, 0.5 * x * x, x * y, 0.5 * y * y, x * z, y * z, z * z} {
			f.column[k][i] = term
		}
		f.height[i] = z
	}
	var triangle [fitTerms][fitTerms]float64
	var share [fitTerms]float64
	var used [fitTerms]bool
	for k := range f.column {
		c := f.column[k]
		size, left := math.Sqrt(scalar(c, c)), 0.0
		for range 2 {
			for j := range k {
				if used[j] {
					triangle[j][k] += subtract(c, f.column[j])
				}
			}
			if left = math.Sqrt(scalar(c, c)); left > 0.5*size {
				break
			}
		}
		if used[k] = left > 1e-7*size && left > 1e-12; !used[k] {
			continue
		}
		triangle[k][k] = left
		for i := range c {
			c[i] /= left
		}
		share[k] = subtract(f.height, c)
	}
	for k := fitTerms - 1; k >= 0; k-- {
		if !used[k] {
			continue
		}
		sum := share[k]
		for j := k + 1; j < fitTerms; j++ {
			if used[j] {
				sum -= float64(triangle[k][j] * w[j])
			}
		}
		w[k] = sum / triangle[k][k]
		if math.IsNaN(w[k]) || math.Abs(w[k]) > 0x1p40 {
			return w, false
		}
	}
	return w, true
}

// scalar returns the scalar product of two columns.
func scalar(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}

// subtract takes the part of a along the unit vector b off a, and returns its length.
func subtract(a, b []float64) float64 {
	s := scalar(a, b)
	for i := range a {
		a[i] -= float64(s * b[i])
	}
	return s
}

// meanRate returns the mean displacement of a subpatch's control points.
func meanRate(t *tree, id int32) (v vec) {
	x, n := t.points[int(id)*t.stride:], t.pad
	for i := range t.n {
		v = v.add(vec{x[3*n+i], x[4*n+i], x[5*n+i]})
	}
	return v.times(1 / float64(t.n))
}

package linkage

import "math"

// driveOff is how far the control values of a drive may be from those of the path, relative to the
// largest of them: 32u, of which a restriction to a piece takes 5u and four elevations 16u.
const driveOff = 0x1p-48

// radii returns, for a piece with control values of all columns, how far the variables that follow
// are from the exact ones at most; ok is false where there is no proof. docs/proofs/robots.md
// ("Loops") derives it.
func (t *tree) radii(control []rows, tolerance float64) (radius []float64, ok bool) {
	n := t.count
	middle, wide := make([]series, len(control)), make([]series, len(control))
	for i, c := range control {
		off := 0.0
		if i >= n {
			for _, x := range c {
				off = max(off, math.Abs(x))
			}
			off *= driveOff
		}
		middle[i], wide[i] = c.both(off)
	}
	inverse, ok := t.inverse(middle)
	if !ok {
		return nil, false
	}
	near, far := t.sides(orders, middle), t.sides(orders, wide)
	box := make([]series, len(control))
	for i := range box {
		box[i] = wide[i]
		if i < n {
			box[i].rad[0] += float64(tolerance * up)
		}
	}
	slopes := t.slopes(box, n)
	beta, spread := make([]float64, n), make([][]float64, n)
	for i := range n {
		var c, last series
		for k := range n {
			one := constant(inverse[i][k], 0)
			sum(orders, &c, &one, &near[k])
			sum(orders, &last, &one, &far[k])
		}
		beta[i] = float64(last.bound(orders-1) * 0x1p-8)
		for k := range orders - 1 {
			beta[i] += math.Ldexp(c.bound(k), -k)
		}
		beta[i] *= up
		spread[i] = make([]float64, n)
		for k := range n {
			var product series
			for j := range n {
				one := constant(inverse[i][j], 0)
				sum(1, &product, &one, &slopes[k][j])
			}
			if i == k {
				whole := constant(1, 0)
				product = minus(1, &whole, &product)
			}
			spread[i][k] = product.bound(0)
		}
	}
	return contracts(beta, spread)
}

// contracts finds radii with beta + spread radius < radius.
func contracts(beta []float64, spread [][]float64) (radius []float64, ok bool) {
	n := len(beta)
	mapped := func(radius []float64) []float64 {
		to := make([]float64, n)
		for i := range to {
			for k, r := range radius {
				to[i] += float64(spread[i][k] * r)
			}
			to[i] = float64((beta[i] + float64(to[i]*up)) * up)
		}
		return to
	}
	radius = mapped(beta)
	for range 30 {
		radius = mapped(radius)
	}
	for i := range radius {
		radius[i] *= 1 + 0x1p-10
	}
	for i, r := range mapped(radius) {
		if !(r < radius[i]) || math.IsInf(radius[i], 0) {
			return nil, false
		}
	}
	return radius, true
}

// inverse is the inverse of the derivatives by the variables that follow, rounded: any matrix would
// do.
func (t *tree) inverse(q []series) ([][]float64, bool) {
	n := t.count
	a := make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, 2*n)
		a[i][n+i] = 1
	}
	for k, column := range t.slopes(middles(q), n) {
		for i := range column {
			a[i][k] = column[i].mid[0]
		}
	}
	if !eliminate(a, n) {
		return nil, false
	}
	for i := range a {
		a[i] = a[i][n:]
	}
	return a, true
}

// middles is constants without radii.
func middles(q []series) []series {
	at := make([]series, len(q))
	for i := range q {
		at[i] = constant(q[i].mid[0], 0)
	}
	return at
}

// eliminate brings the first n columns of a matrix to the identity, by Gauss and Jordan with
// pivots. It reports whether it could.
func eliminate(a [][]float64, n int) bool {
	for k := range n {
		pivot := k
		for i := k; i < n; i++ {
			if math.Abs(a[i][k]) > math.Abs(a[pivot][k]) {
				pivot = i
			}
		}
		a[k], a[pivot] = a[pivot], a[k]
		if !(math.Abs(a[k][k]) > 0) || math.IsInf(a[k][k], 0) {
			return false
		}
		scale := 1 / a[k][k]
		for j := range a[k] {
			a[k][j] *= scale
		}
		for i := range n {
			if factor := a[i][k]; i != k && factor != 0 {
				for j := range a[i] {
					a[i][j] -= float64(factor * a[k][j])
				}
			}
		}
	}
	return true
}

package clearance

// The first look at a corner and at a side is in floats. In units of u = 2^-53 and of the
// magnitudes as at bernstein: a coefficient of a control point is off by 1, a product of two by 3,
// and sums of n products by 3 + n; here n is at most 3 (degree + 1) <= 18 for one product of
// vectors: 21. A cross product is off by 4 + 12 = 16, and its square by 2 16 + 3 + 33 = 68; the
// difference with d^2 e.e by 1 more. 128 stands for all, with the binomials' inverses.
const farError = 128 * 0x1p-53

// cornerFar reports whether floats show a corner to be farther than d throughout.
func (f *Follower) cornerFar(p *[3]bernstein) bool {
	var c [2*MaxFollowed + 1]float64
	n, size := products(c[:], p, p)
	square := float64(f.d * f.d)
	return above(c[:n+1], square+float64(farError*(size+square)))
}

// sideFar reports whether floats show that the nearest point of a side's line is not inside the
// side, or farther than d, throughout.
func (f *Follower) sideFar(p, e *[3]bernstein) bool {
	var pe, ee [2*MaxFollowed + 1]float64
	n, size := products(pe[:], p, e)
	_, whole := products(ee[:], e, e)
	if above(pe[:n+1], float64(farError*size)) {
		return true
	}
	var below [2*MaxFollowed + 1]float64
	for k := range n + 1 {
		below[k] = -(pe[k] + ee[k])
	}
	if above(below[:n+1], float64(farError*(size+whole))) {
		return true
	}
	var x [3][2*MaxFollowed + 1]float64
	var near [4*MaxFollowed + 1]float64
	sizes := 0.0
	for k := range x {
		i, j := (k+1)%3, (k+2)%3
		product(x[k][:], &p[i], &e[j], 1)
		product(x[k][:], &p[j], &e[i], -1)
		most := float64(p[i].most*e[j].most) + float64(p[j].most*e[i].most)
		sizes += float64(most * most)
		for i := range n + 1 {
			for j := range n + 1 {
				near[i+j] += float64(x[k][i] * x[k][j])
			}
		}
	}
	square := float64(f.d * f.d)
	for k := range n + 1 {
		for l := range n + 1 {
			near[k+l] -= float64(float64(square*choose(n, l)) * ee[k])
		}
	}
	return above(near[:2*n+1], float64(farError*(sizes+float64(square*whole))))
}

// product adds a factor times p q to coefficients times binomials.
func product(c []float64, p, q *bernstein, factor float64) {
	for i, x := range p.c {
		for j, y := range q.c {
			c[i+j] += float64(factor * float64(x.Hi*y.Hi))
		}
	}
}

// products sets c to u.v, and returns its degree and a bound on the sum of the magnitudes.
func products(c []float64, u, v *[3]bernstein) (degree int, size float64) {
	for k := range u {
		product(c, &u[k], &v[k], 1)
		size += float64(u[k].most * v[k].most)
	}
	return len(u[0].c) + len(v[0].c) - 2, size
}

// above reports whether all of the coefficients, which are times the binomials, are above a bound.
func above(c []float64, bound float64) bool {
	n := len(c) - 1
	for k, x := range c {
		if !(float64(x*inverses[n][k].Hi) > bound+lost) {
			return false
		}
	}
	return true
}

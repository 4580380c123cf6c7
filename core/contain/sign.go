package contain

import (
	"cmp"
	"math"

	"ccd/core/geom"
	"ccd/core/num"
)

// sign is -1, 0 or 1, or unsure.
type sign int8

const unsure sign = 2

// opposite reports whether one of the signs is 1 and another -1.
func opposite(s ...sign) bool {
	var up, down bool
	for _, x := range s {
		up, down = up || x == 1, down || x == -1
	}
	return up && down
}

// beyond returns the sign of a number that differs from x by at most e; unsure where it may be 0.
// A NaN is unsure.
func beyond(x, e float64) sign {
	switch {
	case x > e:
		return 1
	case x < -e:
		return -1
	}
	return unsure
}

// area returns the sign of (b - a) x (p - a) along the third axis, of the components i and j. Each
// coordinate of the true p is within e of p.
//
// Each of both products goes through two differences, a product and the last difference: four
// roundings, an error of 4u (1 + O(u)) of its magnitude, of which the computed one is within 3u. So
// 8u cover the rounding. An error of e in p - a enters a product times |b - a|, which rounds twice.
// A product that underflows errs by 2^-1075.
func area(a, b, p *geom.Vec, i, j int, e float64) sign {
	const round, tiny = 8 * 0x1p-53, 0x1p-1060
	x, y := b[i]-a[i], b[j]-a[j]
	l, r := float64(x*(p[j]-a[j])), float64(y*(p[i]-a[i]))
	bound := float64(round*(math.Abs(l)+math.Abs(r))) + tiny
	if e != 0 {
		bound += float64(float64((math.Abs(x)+math.Abs(y))*e) * (1 + 0x1p-48))
	}
	return beyond(l-r, bound)
}

// areaOfDoubles is area of p itself where the differences are doubles, as on a lattice; else
// unsure. Then a product and its error, from TwoProd, are the exact product, and of two products
// the one with the greater rounded value is greater.
func areaOfDoubles(a, b, p *geom.Vec, i, j int) sign {
	var d, rest [4]float64
	d[0], rest[0] = num.TwoDiff(b[i], a[i])
	d[1], rest[1] = num.TwoDiff(p[j], a[j])
	d[2], rest[2] = num.TwoDiff(b[j], a[j])
	d[3], rest[3] = num.TwoDiff(p[i], a[i])
	if rest != ([4]float64{}) { // NaN is not equal to 0
		return unsure
	}
	l, restL := num.TwoProd(d[0], d[1])
	r, restR := num.TwoProd(d[2], d[3])
	if !(exactProduct(l, d[0], d[1]) && exactProduct(r, d[2], d[3])) {
		return unsure
	}
	return sign(cmp.Or(cmp.Compare(l, r), cmp.Compare(restL, restR)))
}

// exactProduct reports whether TwoProd of x and y, whose product rounds to p, has no error.
func exactProduct(p, x, y float64) bool { return math.Abs(p) >= 0x1p-968 || x == 0 || y == 0 }

// moved returns the sign of area of the point p + (epsilon, epsilon^2) along i and j, epsilon
// infinitesimal, where that of p is 0: of its derivative by p[i], or else by p[j]. It is 0 where a
// and b differ along the third axis alone.
func moved(a, b *geom.Vec, i, j int) sign {
	return sign(cmp.Or(cmp.Compare(a[j], b[j]), cmp.Compare(b[i], a[i])))
}

// volume returns the sign of d.(u x w), where each component of the true vectors differs from the
// given one by a relative error of U = 2^-53, of a rounded difference, and by eu, ew and ed.
//
// Let P be the sum of the magnitudes of the six terms of the determinant, and Q that with |x| + e
// for each factor x. A true term differs from the given one by at most (1+U)^3 times its part of Q
// less that of P: in sum Q - P + 3U Q to first order. The determinant rounds by 5U P. Q is computed
// within 7U Q, P within 4U P, their difference rounds by U Q. Together Q - P + 20U Q, and 32U leave
// room for second order. Inner products that underflow err by 2^-1075 each, times a difference of
// at most 2^501 with errors: less than 2^-570 in all three sums.
func volume(u, w, d *geom.Vec, eu, ew, ed float64) sign {
	const round, tiny = 32 * 0x1p-53, 0x1p-560
	var det, p, q float64
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		s, t := float64(u[i]*w[j]), float64(u[j]*w[i])
		det += float64(d[k] * (s - t))
		p += float64(math.Abs(d[k]) * (math.Abs(s) + math.Abs(t)))
		if eu != 0 || ew != 0 || ed != 0 {
			s = float64((math.Abs(u[i]) + eu) * (math.Abs(w[j]) + ew))
			t = float64((math.Abs(u[j]) + eu) * (math.Abs(w[i]) + ew))
			q += float64((math.Abs(d[k]) + ed) * (s + t))
		}
	}
	q = max(q, p)
	return beyond(det, (q-p)+float64(round*q)+tiny)
}

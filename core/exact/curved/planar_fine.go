package curved

import (
	"math"

	"ccd/core/exact"
)

// The polynomial of planar.go once more, where its coefficients in doubles are all rounding: four
// points that lie in one plane up to rounding throughout, as those of two sheets a rounding apart.
// In double-doubles its coefficients are certain, so the same search over parts of time decides:
// what changes is the bound on their error, and the largest coefficient, of which a halving takes
// its share.
//
// Error, in units of u^2 = 2^-106 and of P: the entries are exact, a product with a binomial takes
// 8, three times; two products 16; and the sums 3 each, which are the difference of a cross
// product, at most k + 1 over i and j, 2 of the dot product, at most k + 1 over m: 45 for k = 5.
// The magnitudes add up to C(n,m) P, so this is 85 of fineError = 128. The product with 1 / C(n,m)
// is rounded to a double: 3 u of the coefficient, for which fineRounding has 4.
const (
	fineError    = 128 * 0x1p-106
	fineRounding = 4
)

// refine computes f in double-doubles.
func (p *motionPlanar) refine() {
	p.loadDoubles()
	k := p.degree
	var a, b, c [MaxMotionDegree + 1]exact.VecDD
	for l := range k + 1 {
		w := choose[k][l]
		for i := range 3 {
			a[l][i], b[l][i], c[l][i] = p.da[l][i].Times(w), p.db[l][i].Times(w), p.dc[l][i].Times(w)
		}
	}
	var f [3*MaxMotionDegree + 1]exact.DD
	for m := range 2*k + 1 {
		var n exact.VecDD // coefficient m of B x C
		for i := max(0, m-k); i <= min(k, m); i++ {
			x := b[i].Cross(&c[m-i])
			for axis := range n {
				n[axis] = n[axis].Add(x[axis])
			}
		}
		for i := range k + 1 {
			f[i+m] = f[i+m].Add(a[i].Dot(&n))
		}
	}
	most := 0.0
	for m := range p.n + 1 {
		p.f[m] = float64(f[m].H * inverse[p.n][m])
		most = max(most, math.Abs(p.f[m]))
	}
	p.rounding = float64(fineError * p.size)
	p.most = float64(most*(1+0x1p-40)) + p.rounding
	p.own = fineRounding
}

// margin bounds the error of a coefficient after so many halvings.
func (p *motionPlanar) margin(depth int) float64 {
	return p.rounding + float64(float64(p.own+depth*p.n)*0x1p-53*p.most) + planarUnderflow
}

package oracle

import (
	"fmt"
	"math"
	"math/big"

	"ccd/core/geom"
)

// CheckPlace holds a contact's parameters against the query: inside the domain, with F nearly zero
// there, and a normal of length 1.
func CheckPlace(kind geom.Kind, q []float64, im *geom.Impact) error {
	inside := im.U >= 0 && im.V >= 0 && im.U <= 1 && im.V <= 1 && (kind == geom.EdgeEdge || im.U+im.V <= 1)
	n := im.Normal
	if !inside || !(math.Abs(float64(n[0]*n[0])+float64(n[1]*n[1])+float64(n[2]*n[2])-1) < 1e-14) {
		return fmt.Errorf("u %v, v %v, normal %v", im.U, im.V, n)
	}
	s := newIntegerQuery(kind, q)
	at := func(p poly) *big.Float {
		x := dyadicOf(im.TOILo)
		y := new(big.Float).SetPrec(4000).SetInt(p.eval(x))
		return y.SetMantExp(y, -int(x.k)*max(0, len(p)-1))
	}
	for k := range 3 {
		f, size := at(s.a[k]), new(big.Float).SetPrec(4000)
		for i, p := range []poly{s.b[k], s.c[k]} {
			f.Add(f, new(big.Float).Mul(at(p), big.NewFloat([]float64{im.U, im.V}[i]).SetPrec(4000)))
		}
		for _, p := range []poly{s.a[k], s.b[k], s.c[k]} {
			for _, c := range p {
				size.Add(size, new(big.Float).SetInt(new(big.Int).Abs(c)))
			}
		}
		if size.Mul(size, big.NewFloat(0x1p-50)); f.Abs(f).Cmp(size) > 0 {
			r, _ := f.Quo(f, size).Float64()
			return fmt.Errorf("axis %d is off by %v times its bound\n%+v", k, r, *im)
		}
	}
	return nil
}

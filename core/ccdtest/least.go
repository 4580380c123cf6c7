package ccdtest

import (
	"fmt"
	"math"
	"math/big"

	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/reference/oracle"
)

// distanceAt returns the squared distance of a case at a time, over rational numbers.
func distanceAt(c *Case, t float64) *big.Rat {
	n := 3 * c.Kind.Points()
	x := make([]*big.Rat, n)
	at := new(big.Rat).SetFloat64(t)
	for i := range x {
		from, to := new(big.Rat).SetFloat64(c.Q[i]), new(big.Rat).SetFloat64(c.Q[n+i])
		x[i] = from.Add(from, to.Sub(to, from).Mul(to, at))
	}
	return oracle.DistanceOf(c.Kind, x).Squared
}

func squareOf(x float64) *big.Rat {
	r := new(big.Rat).SetFloat64(x)
	return r.Mul(r, r)
}

// CheckLeastDistance holds the least distance of a case to laws D1 to D4: rational distances at its time and at others, the oracle of contact, and, for
// the lower end, the oracle of a separation: the pair is nowhere within the lower end. The case passed Spans(0x1p120).
func CheckLeastDistance(c *Case, d *geom.LeastDistance) error {
	n := len(c.Q) / 2
	size := narrow.Extent(c.Q[:n], c.Q[n:])
	broken := func(law string) error { return fmt.Errorf("%v:\n%+v: law %s", c, *d, law) }
	touches := oracle.Contact(c.Kind, c.Q).Until(c.TMax)
	if (d.Hi == 0) != (touches.Verdict == geom.Contact) || d.Hi == 0 && (d.Lo != 0 || d.T != touches.TOILo) {
		return broken("D4")
	}
	if !(d.Lo >= 0 && d.Lo <= d.Hi) || !(d.T >= 0 && d.T <= c.TMax) || !(d.Hi-d.Lo <= 1e-9*size) && 1e-9*size >= 1e-270 {
		return broken("D2")
	}
	if d.Hi > 0 && distanceAt(c, d.T).Cmp(squareOf(d.Hi)) > 0 {
		return broken("D3")
	}
	for i := range 9 {
		if distanceAt(c, c.TMax*float64(i)/8).Cmp(squareOf(d.Lo)) < 0 {
			return broken("D1, at a time")
		}
	}
	if below := math.Nextafter(d.Lo, 0); below > 0 && oracle.EuclideanSeparation(c.Kind, c.Q, below, c.TMax).Contact {
		return broken("D1")
	}
	if !(d.U >= 0 && d.V >= 0 && d.U <= 1 && d.V <= 1) || c.Kind == geom.VertexFace && d.U+d.V > 1 {
		return broken("D3, parameters")
	}
	return nil
}
